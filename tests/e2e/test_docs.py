"""Docs that can fail: transcripts are run, links are followed, nothing is left out."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import click
import pytest

from gitmem import Memory, config, errors
from gitmem.cli.group import cli
from scripts.docs_of_commands import examples, walk
from tests.depth import sampled
from tests.e2e.transcripts import Chapter, Scratch, chapters, steps

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
ALL_PAGES = [
    page
    for folder in (
        *(ROOT, DOCS, ROOT / "examples", ROOT / "changes"),
        *(ROOT / "benchmarks" / name for name in ("", "notes", "recall")),
    )
    for page in sorted(folder.glob("*.md"))
]
CHAPTERS = {
    f"{page.relative_to(ROOT)}{f', {chapter.name}' if chapter.name else ''}": chapter
    for page in PAGES
    for chapter in chapters(page.read_text(encoding="utf-8"))
    if list(steps(chapter.text))
}
"""Those that show a transcript."""
COMMANDS = dict(walk())
LOOKED_UP = {
    "README.md",  # the whole of it
    "commands.md",  # generated
    "editors.md",  # a set-up for each
    "python-api.md",  # every method
    "seeds.md",  # every item of a list
}
"""Pages in which one line is looked up."""
_GENERATED = re.compile(
    r"^<!-- (?:generated|ten tasks|figures of).*?^<!-- end", re.MULTILINE | re.DOTALL
)
_FOR_TESTS = re.compile(r"^<!-- (?:setup|file|repository):.*?-->\n", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder as a reader may have one: what lies below pytest-of-ann is no code of hers."""
    with tempfile.TemporaryDirectory(prefix="page-") as made:
        yield Path(made)


def test_the_readme_is_run_in_repositories_of_three_languages() -> None:
    names = [chapter.name for name, chapter in CHAPTERS.items() if name.startswith("README.md")]
    assert names == ["", "five minutes"]


@sampled(20)
@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=CHAPTERS)
def test_what_a_page_shows_is_what_happens(
    chapter: Chapter, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = [tool for tool in chapter.tools if not shutil.which(tool)]
    if missing:
        pytest.skip(f"there is no {' and no '.join(missing)} on this machine")
    scratch = Scratch(folder)
    monkeypatch.chdir(scratch.root)
    for name in list(os.environ):
        if name.startswith(("GIT", "XDG_")) or name == "EMAIL":
            monkeypatch.delenv(name)
    for name, value in scratch.environment.items():
        monkeypatch.setenv(name, value)
    for step in steps(chapter.text):
        complaint = scratch.do(step)
        assert not complaint, complaint


def test_a_wrong_transcript_is_noticed(tmp_path: Path) -> None:
    page = "```console\n$ echo one; echo two\none\ntow\n```\n"
    (step,) = steps(page)
    assert "-tow\n+two" in Scratch(tmp_path).do(step)


def test_a_left_out_line_is_noticed(tmp_path: Path) -> None:
    (step,) = steps("```console\n$ echo one; echo two\none\n```\n")
    assert "+two" in Scratch(tmp_path).do(step)


def test_an_id_stays_the_same(tmp_path: Path) -> None:
    page = """```console
$ echo err-1111111111 err-2222222222
err-aaaaaaaaaa err-bbbbbbbbbb
$ echo err-2222222222 err-bbb
err-bbbbbbbbbb err-bbbbbbbbbb
$ echo err-1111111111
err-bbbbbbbbbb
```
"""
    scratch = Scratch(tmp_path)
    first, second, third = steps(page)
    assert not scratch.do(first)
    assert not scratch.do(second)
    assert scratch.do(third)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_commands_page_tells_every_option(words: tuple[str, ...]) -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    _, heading, after = text.partition(f"# gitmem {' '.join(words)}\n")
    assert heading
    section = re.split(r"^#+ ", after, maxsplit=1, flags=re.MULTILINE)[0]
    command = COMMANDS[words]
    for param in command.params:
        if isinstance(param, click.Option):
            assert all(name in section for name in (*param.opts, *param.secondary_opts))


def _calls() -> Iterator[tuple[str, list[str]]]:
    for command in (cli, *COMMANDS.values()):
        for line in examples(command):
            yield from ((line, call) for call in _gitmem_calls(line))


def _gitmem_calls(line: str) -> Iterator[list[str]]:
    inner = re.search(r"\$\((gitmem [^)]*)\)", line)
    words = shlex.shlex(inner[1] if inner else line, posix=True, punctuation_chars="|<")
    words.whitespace_split = True
    call: list[str] = []
    for word in [*words, "|"]:
        if word == "|":
            if call[:1] == ["gitmem"]:
                yield call[1 : call.index("<") if "<" in call else None]
            call = []
        else:
            call.append(word)


@pytest.mark.parametrize(("line", "words"), list(_calls()), ids=lambda value: str(value)[:60])
def test_every_example_in_a_help_text_is_accepted(line: str, words: list[str]) -> None:
    context = click.Context(cli, info_name="gitmem")
    assert words, f"{line} names no command"
    name, command, words = cli.resolve_command(context, words)
    while True:
        assert command, f"{line}: there is no command {name}"
        reached = command.make_context(name, words, parent=context)
        words = [*reached._protected_args, *reached.args]
        if not isinstance(reached.command, click.Group) or not words:
            return
        name, command, words = reached.command.resolve_command(reached, words)


def test_every_command_has_an_example() -> None:
    assert [words for words, command in COMMANDS.items() if not examples(command)] == []


def test_generated_parts_are_up_to_date() -> None:
    script = ROOT / "scripts" / "generate_docs.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def _anchors(page: Path) -> set[str]:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", ALL_PAGES, ids=_name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{_name(page)}: {link} leads nowhere"
        if anchor and target.suffix == ".md":
            assert anchor in _anchors(target), f"{_name(page)}: there is no heading for {link}"


def test_the_readme_leads_to_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"docs/{page.name}" not in text] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in LOOKED_UP], ids=_name)
def test_a_page_fits_two_screens(page: Path) -> None:
    text = _FOR_TESTS.sub("", _GENERATED.sub("", page.read_text(encoding="utf-8")))
    assert text.count("\n") <= 150, "shorten it; notes for those who work on it: benchmarks/notes"


def test_every_exit_code_is_told() -> None:
    text = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    classes: list[type[errors.GitmemError]] = [errors.GitmemError]
    classes += errors.GitmemError.__subclasses__()
    assert {one.exit_code for one in classes} | {0, 130, 141} == told


def test_every_method_is_told() -> None:
    text = (DOCS / "python-api.md").read_text(encoding="utf-8")
    table = text.partition("## Methods")[2].partition("## Shapes")[0]
    told = set(re.findall(r"`(?:Memory\.)?((?:\w+\.)?\w+)\(", table))
    told -= {name for name in told if name.startswith(("sessions.", "workspace."))}
    public = set(_methods(Memory)).union(*map(_methods_of_part, _PARTS))
    assert public - told == {"close"}
    assert told - public == {"help"}


# Settings are of the workspace, which is told by hand.
_PARTS = sorted(
    path.parent.name
    for path in (ROOT / "gitmem" / "memory").glob("*/facade.py")
    if path.parent.name != "core"
)


def _methods_of_part(package: str) -> set[str]:
    """Give the methods of a part of a memory, such as ``models.look``."""
    module = importlib.import_module(f"gitmem.memory.{package}.facade")
    (part,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    )
    (attribute,) = (
        name
        for name, value in vars(Memory).items()
        if isinstance(value, cached_property)
        and value.func.__annotations__["return"] == part.__name__
    )
    return {f"{attribute}.{name}" for name in _methods(part)}


def _methods(kind: type) -> set[str]:
    names = {name for base in kind.__mro__[:-1] for name in vars(base)}
    return {name for name in names if callable(getattr(kind, name)) and not name.startswith("_")}


def test_the_map_of_modules_is_the_tree() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## Modules")[2].partition("\n## ")[0]
    named = set(re.findall(r"`gitmem/(\w+)(?:/|\.py)`", table))
    there = {
        path.stem
        for path in (ROOT / "gitmem").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {name for name in there if not name.startswith("_")} == named


def test_every_setting_is_told() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert [key for key in config.KEYS if f"| `{key}` |" not in text] == []


@pytest.mark.parametrize("page", ALL_PAGES, ids=_name)
def test_no_page_names_a_place_on_a_machine(page: Path) -> None:
    text = re.sub(r"/home/ann/(shop|bea)\b", "", page.read_text(encoding="utf-8"))
    assert not re.search(r"/(home|root|Users|work|tmp)/\w", text)
