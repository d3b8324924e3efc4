"""A tool that another package brings: installed by pip into a new environment, and read there."""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [
    pytest.mark.usefixtures("sealed_git"),
    pytest.mark.skipif(find_spec("pip") is None, reason="this environment has no pip"),
]
ROOT = Path(__file__).parents[2]
FINDING = "acme| app.py|2| two is no number of things <AC100>"
ROOM = '''
"""acme-lint: what is no number of things."""

import re

from gitmem.output.failure import Failure, FailureLocation
from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.reading import one

LINE = re.compile(
    r"acme\\| (?P<file>[^|]{1,300})\\|(?P<line>\\d{1,7})\\| (?P<said>.+) <(?P<code>AC\\d+)>$"
)


def parse(lines, at, floor):
    found = LINE.match(lines[at])
    if not found:
        return None
    place = FailureLocation(found["file"], int(found["line"]))
    failure = Failure("acme-lint", "python", "", found["code"], found["said"], location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "acme-lint",
    order=7,
    language="python",
    output=ToolOutput(words=("acme| ",), parse=parse),
    command=ToolCommand(programs=("acme-lint",)),
)
'''
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-gitmem"
version = "2.5"

[project.entry-points."gitmem.tools"]
acme-lint = "acme_gitmem:TOOL"
"""
SCRIPT = f'if grep -q "b = 2" app.py; then echo "{FINDING}"; exit 1; fi; echo fine\n'
Gitmem = Callable[..., "subprocess.CompletedProcess[str]"]


def installed(folder: Path, package: Path) -> Path:
    """Make an environment, have pip build and install a package there; give its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    # Beside it gitmem as it is tested, and what it needs.
    paths = [str(ROOT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    (site / "tested.pth").write_text("\n".join(dict.fromkeys(paths)) + "\n", encoding="utf-8")
    pip(python, "install", "--no-index", "--no-deps", "--no-build-isolation", str(package))
    return python


def pip(python: Path, *words: str) -> None:
    """Run pip for another environment."""
    command = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def python(tmp_path: Path) -> Path:
    package = tmp_path / "package"
    package.mkdir()
    (package / "acme_gitmem.py").write_text(ROOM, encoding="utf-8")
    (package / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return installed(tmp_path / "venv", package)


@pytest.fixture
def gitmem(python: Path, repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> Gitmem:
    """Give what runs gitmem of that environment in a repository with a memory."""
    monkeypatch.delenv("CI", raising=False)

    def start(*words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        command = [str(python), "-m", "gitmem", *words]
        return subprocess.run(
            command, cwd=repo, input=stdin, capture_output=True, text=True, check=False
        )

    assert start("init").returncode == 0
    repo.add("acme-lint.sh", SCRIPT)
    repo.add("app.py", "a = 1\nb = 2\n")
    repo.commit()
    return start


def answer(gitmem: Gitmem, *words: str, stdin: str = "") -> Any:
    done = gitmem(*words, "--json", stdin=stdin)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_what_an_installed_package_reads_is_learnt_and_known_everywhere(
    gitmem: Gitmem, repo: "Checkout"
) -> None:
    """Only a folder laid out by the test itself had ever been found; nothing that pip installs."""
    failed = gitmem("run", "--", "sh", "acme-lint.sh")
    assert failed.returncode == 1
    assert "new  two is no number of things" in failed.stderr
    repo.add("app.py", "a = 1\nb = 3\n")
    assert "learnt" in gitmem("run", "--", "sh", "acme-lint.sh").stderr
    repo.commit()
    (error,) = answer(gitmem, "list", "kind:error")["records"]
    shown = answer(gitmem, "show", error["id"])["record"]
    assert (shown["tool"], shown["code"], shown["location"]["line"]) == ("acme-lint", "AC100", 2)

    again = FINDING.replace("app.py|2|", "app.py|9|")
    (hint,) = answer(gitmem, "hint", stdin=again)["failures"]
    assert hint["errors"][0]["id"] == error["id"]
    assert "replace `b = 2` by `b = 3`" in gitmem("hint", again).stdout
    (repo / "job.log").write_text(f"starting\n{again}\nended\n", encoding="utf-8")
    job = gitmem("ci", "job.log", "--fail-on", "known")
    assert job.returncode == 1, job.stdout
    assert "two is no number of things" in job.stdout


def test_the_package_is_named_where_tools_are_until_it_is_gone(
    gitmem: Gitmem, python: Path
) -> None:
    (line,) = [
        line for line in gitmem("tools").stdout.splitlines() if line.startswith("acme-lint ")
    ]
    assert "package acme_gitmem 2.5" in line
    (failure,) = answer(gitmem, "tools", "try", "-", stdin=f"{FINDING}\n")["failures"]
    assert failure["tool"] == "acme-lint"
    pip(python, "uninstall", "--yes", "acme-gitmem")
    assert "acme-lint" not in gitmem("tools").stdout
    assert answer(gitmem, "tools", "try", "-", stdin=f"{FINDING}\n")["failures"] == []
