"""Lines of shell, as assistants type them: the folder, settings and pipes around a runner."""

import pytest

from tests.e2e.running import SCRIPTS
from tests.scenarios.desk import Desk, fact
from tests.scenarios.test_edit import CLOCK, GOOD, TEST_CLOCK

LINES = (
    "pytest -q",
    "pytest -q 2>&1 | tail -30",
    "bash -c 'cd sub && pytest -q'",
    f"bash -lc 'export PATH={SCRIPTS}:$PATH; cd sub && pytest -q 2>&1 | tail -30'",
    "bash -c 'cd sub; python -m pytest -v'",
    "sh -c 'set -e; cd sub && MODE=fast pytest -q clock_test/test_clock.py'",
    'bash -c "cd $PWD/sub && export MODE=fast && pytest -q --tb=short 2>&1 | head -50"',
    "bash -c 'test -d sub && cd sub && pytest -q || exit 1'",
    "bash -c '(cd sub && pytest -q)'",
    "bash -c 'pytest -q sub; echo \"EXIT: $?\"'",
)


@pytest.mark.parametrize(
    ("green", "plugin"), [("same", "0"), ("other", "1")],
    ids=["same-output", "other-plugin"],
)  # fmt: skip
@pytest.mark.parametrize("line", LINES)
def test_a_runner_in_a_line_of_shell(desk: Desk, line: str, green: str, plugin: str) -> None:
    desk.env["GITMEM_PYTEST"] = plugin
    desk.begin(sub__clock_py=CLOCK, sub__clock_test__test_clock_py=TEST_CLOCK)
    desk.write("sub/pytest.ini", "[pytest]\npythonpath = .\n")
    desk.repo.commit("settings")
    desk.sh(f"gitmem run -- {line}", "." if line.startswith(("bash", "sh")) else "sub")
    assert "gitmem: new  " in desk.said, desk.said
    desk.swap("sub/clock.py", "// 60", "// 3600")
    folder = "." if line.startswith(("bash", "sh")) == (green == "same") else "sub"
    again = line if green == "same" else "pytest -v sub" if folder == "." else "pytest -v"
    desk.sh(f"gitmem run -- {again}", folder)
    desk.learnt(fact("assert 120 == 2", *GOOD))
