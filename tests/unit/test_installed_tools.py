"""Tools of installed packages: found, kept, in their order, refused where broken."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitmem import installed
from gitmem.matching import parse, registry
from gitmem.tools import choice, knowledge

TOOL = """
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput

def parse(lines, at, floor):
    if "boom" in lines[at]:
        raise RuntimeError("boom")
    return ParserResult((Failure("{name}", "python", message=lines[at]),), at, at + 1)

TOOL = Tool("{name}", order={order}, output=ToolOutput(words=("zzyzx",), parse=parse))
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Give what puts a package into a folder of packages of its own."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    made: list[str] = []

    def put(module: str, code: str, version: str = "1.0") -> None:
        made.append(module)
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
        info = folder / f"{module}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        text = f"[console_scripts]\na = b:c\n\n[gitmem.tools]\n{module} = {module}:TOOL\n"
        (info / "entry_points.txt").write_text(text, encoding="utf-8")
        os.utime(folder, (1_000 + len(made), 1_000 + len(made)))
        forget()

    forget()
    yield put
    monkeypatch.undo()
    for module in made:
        sys.modules.pop(module, None)
    forget()


def forget() -> None:
    for function in (
        installed._every, choice.load, choice.package_tools, choice.pattern,
        choice._of_packages, registry.entries, registry.reader, registry.searched,
        registry.stems,
    ):  # fmt: skip
        function.cache_clear()


def test_a_package_brings_a_tool(install: Install) -> None:
    install("acme_gitmem", TOOL.format(name="acme", order=1), "2.5")
    assert installed.installed(installed.TOOLS) == (
        installed.EntryPoint(
            "gitmem.tools", "acme_gitmem", "acme_gitmem:TOOL", "acme_gitmem", "2.5"
        ),
    )
    assert choice.names()[0] == "acme"
    assert next(iter(choice.values("output.words"))) == "acme"
    (failure,) = parse.parse("one\nzzyzx went off\n")
    assert (failure.tool, failure.message) == ("acme", "zzyzx went off")
    assert parse.parse("zzyzx and boom\n") == [], "what a reader raises is no finding"


def test_ours_stay_in_their_order(install: Install) -> None:
    before, words = choice.names(), list(choice.values("output.words"))
    install("acme_gitmem", TOOL.format(name="acme", order=499))
    assert [name for name in choice.names() if name != "acme"] == list(before)
    assert [name for name in choice.values("output.words") if name != "acme"] == words


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (TOOL.format(name="pytest", order=1), "the name pytest is taken by a tool of gitmem"),
        (TOOL.format(name="A b", order=1), "'A b' is no name of a tool"),
        ("import nothing_of_the_kind", "ModuleNotFoundError"),
        ("TOOL = 3", "acme_gitmem:TOOL is no Tool"),
        ("def broken(:", "SyntaxError"),
        (TOOL.format(name="acme", order=1).replace(", parse=parse", ""), "go together"),
        (
            TOOL.format(name="acme", order=1).replace("parse=parse", "parse=parse, closing='('"),
            "unterminated",
        ),
        (
            TOOL.format(name="acme", order=1)
            .replace("ToolOutput\n", "ToolOutput, ToolSilence\n")
            .replace("order=1", "order=1, silence=ToolSilence(definition='func test')"),
            "a group with the test's name",
        ),
    ],
)
def test_a_broken_package_is_left_out_and_named(install: Install, code: str, reason: str) -> None:
    names = choice.names()
    install("acme_gitmem", code)
    assert choice.names() == names
    (refused,) = choice.package_tools().refused
    assert reason in refused.reason
    assert "\n" not in refused.reason


def test_of_two_with_a_name_the_first_is_used(install: Install) -> None:
    install("acme_a", TOOL.format(name="acme", order=1))
    install("acme_b", TOOL.format(name="acme", order=1))
    (refused,) = choice.package_tools().refused
    assert (refused.entry.package, refused.reason) == ("acme_b", "the name acme is taken by acme_a")


def test_packages_are_looked_for_once(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("acme_gitmem", TOOL.format(name="acme", order=1))
    known = installed.installed(installed.TOOLS)
    assert known
    assert list((tmp_path / "cache" / "gitmem").iterdir())
    installed._every.cache_clear()
    monkeypatch.setattr(installed, "_entries", None)
    assert installed.installed(installed.TOOLS) == known


def test_what_is_still_being_installed_is_not_kept(install: Install, tmp_path: Path) -> None:
    install("acme_gitmem", TOOL.format(name="acme", order=1))
    os.utime(tmp_path / "site-packages")
    assert installed.installed(installed.TOOLS)
    assert not (tmp_path / "cache").exists()


def test_a_start_needs_no_library_for_packages() -> None:
    code = (
        "import sys; from gitmem.installed import TOOLS, installed; installed(TOOLS);"
        "print({'importlib.metadata', 'json', 'gitmem.tools.packages'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_who_brings_a_tool_is_told_and_what_is_refused(install: Install) -> None:
    install("acme_lint", TOOL.format(name="acme-lint", order=1))
    install("acme_pytest", TOOL.format(name="pytest", order=2))
    told = {tool.name: tool.origin for tool in knowledge.all_knowledge()}
    assert told["acme-lint"] == "package acme_lint 1.0"
    assert told["pytest"] == "built in"
    ((brought, reason),) = knowledge.refused_packages()
    assert brought == "acme_pytest (package acme_pytest 1.0)"
    assert "pytest is taken" in reason
