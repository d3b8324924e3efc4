"""Outside their rooms hardly anything names a tool: what is known of one stands in one place.

Texts of modules are looked at, without docstrings and what is shown to people as help; what a
name also means is counted only where it is the whole text.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gitmem.tools.choice import names, values

ROOT = Path(__file__).parents[2]
MOST_MODULES = 3
ROOMS = ("gitmem/tools/", "gitmem/pytest_plugin/")
# Words of English or names of languages, that are a tool's name, too.
ALSO_WORDS = {
    "clang", "docker", "go", "hatch", "java", "just", "karma", "lua", "make", "node", "nose",
    "php", "python", "ruby", "setuptools", "shell", "sql", "tap", "tape", "trial", "ty",
    "typescript", "unity", "uv",
}  # fmt: skip
# Programs that are found in texts about anything: shells, compilers, databases.
OF_LANGUAGES = {
    "bash",
    "c",
    "c++",
    "cc",
    "dash",
    "fish",
    "ksh",
    "mysql",
    "sh",
    "sqlite",
    "swift",
    "zsh",
}
# Programs whose names are words of any text.
WORDS = {"expect", "link", "next", "patch", "stack"}
# What gitmem stands on: nearly each module asks it.
OWN_GROUND = "git"
# What names tools and is no knowledge of how they work.
EXCEPTIONS = {
    "gitmem/cli/bisect.py": "the shell that a command is given to",
    "gitmem/cli/capture.py": "names of forms of reports, in help",
    "gitmem/cli/completion.py": "the shell that is to complete words",
    "gitmem/cli/shell_init.py": "the shell that is set up",
    "gitmem/exchange/git_messages.py": "words of commits that mend no failure",
    "gitmem/exchange/junit.py": "the reader of a form of reports that bears the name",
    "gitmem/exchange/pytest_json.py": "the reader of a form of reports that bears the name",
    "gitmem/memory/checks/trial_checks.py": "the trial run starts programs",
    "gitmem/memory/checks/trial_hooks.py": "the trial run starts programs",
    "gitmem/memory/checks/trial_repository.py": "the trial run starts programs",
    "gitmem/memory/reading/packs.py": "what packs are about",
    "gitmem/query.py": "how pasted outputs begin, told from a question before any tool is asked",
    "gitmem/records/guide.py": "an example",
    "gitmem/redaction/plausible.py": "parts of names of secrets",
    "gitmem/redaction/providers.py": "who gives out tokens",
    "lsp_server/features/recording.py": "an example in a message",
    "lsp_server/features/watched_runs.py": "an example in a message",
}
# Here they are languages of code, or words of it.
LANGUAGES = (
    "gitmem/capture/causes.py",
    "gitmem/guards/ast_grep.py",
    "gitmem/index/evidence.py",
    "gitmem/learning/",
    "gitmem/llm/approval.py",
    "gitmem/matching/site.py",
    "gitmem/matching/symbols.py",
    "gitmem/syntax/",
)


def texts(path: Path) -> Iterator[str]:
    """Give the texts of a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in told:
            if isinstance(node.value, str):
                yield node.value
            elif isinstance(node.value, bytes):
                yield node.value.decode("latin-1")


@cache
def modules() -> dict[str, tuple[str, ...]]:
    """Give the texts of all modules that are to know no tool."""
    paths = (
        path for package in ("gitmem", "lsp_server") for path in (ROOT / package).rglob("*.py")
    )
    by_name = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {
        name: tuple(texts(path)) for name, path in by_name.items() if not name.startswith(ROOMS)
    }


def naming(tool: str) -> list[str]:
    """Name the modules that name a tool, by its name or that of one of its programs."""
    programs = values("command.programs").get(tool, ())
    names_of_it = {tool, tool.replace("_", "-")}
    whole = names_of_it & ALSO_WORDS
    words = names_of_it | {program for program in programs if program not in OF_LANGUAGES | WORDS}
    parts = "|".join(map(re.escape, sorted(words - ALSO_WORDS)))
    within = re.compile(rf"(?<![A-Za-z])(?:{parts})(?![A-Za-z])", re.IGNORECASE)
    return sorted(
        name
        for name, each in modules().items()
        if any(text in whole or (parts and within.search(text)) for text in each)
    )


@pytest.mark.parametrize("tool", [name for name in names() if name != OWN_GROUND])
def test_hardly_a_module_names_a_tool(tool: str) -> None:
    modules_by_tool = naming(tool)
    others = [name for name in modules_by_tool if name not in EXCEPTIONS]
    if tool in ALSO_WORDS:
        others = [name for name in others if not name.startswith(LANGUAGES)]
    assert len(others) <= MOST_MODULES, others


def test_each_exception_is_one() -> None:
    named = {name for tool in names() for name in naming(tool)}
    assert EXCEPTIONS.keys() - named == set()
    assert [each for each in LANGUAGES if not any(name.startswith(each) for name in named)] == []


def test_a_name_is_found_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"a.py": ("run mypy now",), "b.py": ("go",), "c.py": ("let it go",), "d.py": ("gomypy",)}
    monkeypatch.setitem(globals(), "modules", lambda: made)
    assert naming("mypy") == ["a.py"]
    assert naming("go") == ["b.py"]
