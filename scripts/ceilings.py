"""How large the house may be: figures that only fall, each with its ceiling in ceilings.json.

What exceeds its ceiling is a breach, and so is a ceiling more than a hundredth above its figure:
whoever makes something smaller lowers it, with ``python scripts/ceilings.py --lower``.
Whoever raises one writes a decision record that says what for.
"""

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for the modules beside this script

from gitmem import config  # noqa: E402
from scripts import docs_of_commands  # noqa: E402

CEILINGS: Final = ROOT / "scripts" / "ceilings.json"
WRITTEN: Final = "gitmem/tools/index.py"
_PACKAGES: Final = ("gitmem", "lsp_server")
_PARTS: Final = "gitmem/parts"
_LONG: Final = 400
_SLACK: Final = 100
"""A ceiling may stand above its figure by this part of it."""


def figures(root: Path) -> dict[str, int]:
    """Count everything that has a ceiling, by the names in ceilings.json."""
    leaves = [
        command for _, command in docs_of_commands.walk() if not isinstance(command, click.Group)
    ]
    return {
        **figures_of_code(root),
        "commands": len(leaves),
        "options of commands": sum(
            isinstance(parameter, click.Option)
            for command in leaves
            for parameter in command.params
        ),
        "settings": len(config.KEYS),
        "words of docs": sum(map(_words, (root / "docs").rglob("*.md"))),
        "words of README.md": _words(root / "README.md"),
    }


def figures_of_code(root: Path) -> dict[str, int]:
    """Count what stands in the modules."""
    texts = {path: path.read_text(encoding="utf-8") for path in _modules(root)}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    lengths = [len(text.splitlines()) for text in texts.values()]
    apart = sum(
        len(text.splitlines()) for path, text in texts.items() if path.is_relative_to(root / _PARTS)
    )
    return {
        "lines of the core": sum(lengths) - apart,
        "lines with all parts": sum(lengths),
        "modules over 400 lines": sum(length > _LONG for length in lengths),
        "imports in functions": sum(map(_imports_in_functions, trees.values())),
        "blocks for type checking": sum(map(_blocks_for_types, trees.values())),
        "methods of facades that only forward": sum(
            map(_forwarding, (tree for path, tree in trees.items() if path.name == "facade.py"))
        ),
    }


def breaches(root: Path) -> Iterator[str]:
    """Name what is wrong with the figures of the house."""
    return compare(figures(root), json.loads(CEILINGS.read_text(encoding="utf-8")))


def compare(counted: Mapping[str, int], ceilings: Mapping[str, int]) -> Iterator[str]:
    """Name every figure that exceeds its ceiling, and every ceiling that can be lowered."""
    for name in sorted(counted.keys() ^ ceilings.keys()):
        yield f"scripts/ceilings.json: '{name}' has a figure or a ceiling, but not both"
    for name, figure in counted.items():
        ceiling = ceilings.get(name, figure)
        if figure > ceiling:
            yield f"{name}: {figure}, at most {ceiling}; take something away (scripts/ceilings.py)"
        elif ceiling > figure + figure // _SLACK:
            yield f"{name}: {figure}, and may be {ceiling}; run scripts/ceilings.py --lower"


def _modules(root: Path) -> list[Path]:
    paths = (path for name in _PACKAGES for path in sorted((root / name).rglob("*.py")))
    return [path for path in paths if path.relative_to(root).as_posix() != WRITTEN]


def _words(page: Path) -> int:
    return len(page.read_text(encoding="utf-8").split())


def _imports_in_functions(tree: ast.Module) -> int:
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return len(inside)


def _blocks_for_types(tree: ast.Module) -> int:
    return sum(
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for node in ast.walk(tree)
    )


def _forwarding(tree: ast.Module) -> int:
    """Count methods whose body is imports and one statement."""
    return sum(
        isinstance(node, ast.FunctionDef) and _is_forward(node)
        for owner in tree.body
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
    )


def _is_forward(method: ast.FunctionDef) -> bool:
    body = method.body[1:] if ast.get_docstring(method) else method.body
    imports = [each for each in body if isinstance(each, ast.ImportFrom)]
    return bool(imports) and len(body) == len(imports) + 1


def lower() -> None:
    """Write the ceilings anew, none above what it was."""
    ceilings: dict[str, int] = (
        json.loads(CEILINGS.read_text(encoding="utf-8")) if CEILINGS.exists() else {}
    )
    lowered = {
        name: min(figure, ceilings.get(name, figure)) for name, figure in figures(ROOT).items()
    }
    CEILINGS.write_text(json.dumps(lowered, indent=2) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run as a script: print the figures, or lower their ceilings."""
    if arguments == ["--lower"]:
        lower()
    ceilings = json.loads(CEILINGS.read_text(encoding="utf-8"))
    for name, figure in figures(ROOT).items():
        print(f"{name:40} {figure:8} of {ceilings.get(name, 0)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
