"""A text that is being edited becomes a diff that git would take."""

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.guards.edited import text_diff

LINES = st.lists(st.sampled_from(["a", "b", "", "    c", "@@ -1 +1 @@", "-- x"]), max_size=40)


@given(before=LINES, after=LINES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_applies_it(tmp_path: Path, before: list[str], after: list[str]) -> None:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    diff = text_diff("x.py", old, new)
    assert diff is not None
    if not diff:
        assert before == after
        return
    (tmp_path / "x.py").write_text(old)
    command = ["git", "apply", "--unidiff-zero", "-"]
    subprocess.run(command, cwd=tmp_path, input=diff.encode(), check=True)
    left = tmp_path / "x.py"
    assert (left.read_text() if left.exists() else "") == new


def test_too_much_is_not_compared() -> None:
    before = "".join(f"a = {at}\n" for at in range(2_000))
    assert text_diff("x.py", before, before.replace("a", "b")) is None
    changed = before.replace("a = 1000\n", "b = 1\n")
    assert (text_diff("x.py", before, changed) or "").startswith(
        "--- a/x.py\n+++ b/x.py\n@@ -993,17 +993,17 @@\n"
    )
