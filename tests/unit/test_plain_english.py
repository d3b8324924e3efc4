"""Phrases that read like a translation must not come back; docs/style.md lists them."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
_STYLE: Final = ROOT / "docs/style.md"
_HISTORY: Final = {"seeds.md"}
"""Pages that quote what others wrote."""
_PAGES: Final = (
    "*.md", "docs/**/*.md", "changes/*.md", "examples/**/*.md", "benchmarks/**/*.md",
    "plugins/**/*.md", ".github/**/*.yml", "examples/ci/*",
)  # fmt: skip


def phrases() -> list[str]:
    """Give the phrases of the left column, in lower case."""
    rows = re.findall(r"^\| (.+?) \| .+? \|$", _STYLE.read_text(encoding="utf-8"), re.MULTILINE)
    return [row.lower() for row in rows if row not in {"not", "---"}]


def texts() -> Iterator[tuple[str, str]]:
    """Give everything that a user reads, with the name of its file."""
    pages = [page for name in _PAGES for page in ROOT.glob(name)]
    for page in pages:
        if page != _STYLE and page.name not in _HISTORY:
            yield str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")
    for folder in ("gitmem", "lsp_server", "examples"):
        for module in (ROOT / folder).rglob("*.py"):
            yield str(module.relative_to(ROOT)), "\n".join(messages(module))
    extension = ROOT / "vscode-extension"
    for file in (*extension.glob("package*.json"), *extension.glob("l10n/*.json"),
                 *extension.glob("*.md"), *extension.glob("src/**/*.ts")):  # fmt: skip
        if file.name != "package-lock.json":
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def messages(module: Path) -> Iterator[str]:
    """Give the strings of a module, without docstrings that are no help of a command."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    if module.parent.name != "cli":
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):  # statements that are bare strings: docstrings
                node.body = [  # type: ignore[attr-defined]
                    part
                    for part in body
                    if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
                ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@functools.cache
def everything() -> dict[str, str]:
    """Give the texts by file, read once."""
    return dict(texts())


def found(phrase: str) -> list[str]:
    """Name the files in which a phrase occurs, also over the end of a line."""
    loose = re.compile(r"\s+".join(map(re.escape, phrase.split())), re.IGNORECASE)
    return [name for name, text in everything().items() if loose.search(text)]


@pytest.mark.parametrize("phrase", phrases())
def test_a_phrase_of_the_list_occurs_nowhere(phrase: str) -> None:
    assert found(phrase) == []


def test_the_list_and_the_search_work() -> None:
    assert len(phrases()) >= 20
    assert "gitmem/cli/group.py" in found("Record what fixed an error")
    assert "README.md" in found("gitmem init")
    assert len(everything()) > 300
