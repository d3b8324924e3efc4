"""Commands that messages tell people to type are commands that there are."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gitmem.cli.group import cli

ROOT = Path(__file__).parents[2]


def texts(tree: ast.AST) -> Iterator[str]:
    """Give the strings of a module; what is filled in later is one word."""
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(node.values)
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            yield node.value


def told(text: str) -> Iterator[list[str]]:
    """Give the commands that end a text: all of it, or what follows a colon."""
    for start in ("gitmem ", ": gitmem "):
        at = 0 if text.startswith(start) else text.rfind(start)
        if at < 0 or (start == "gitmem " and at) or "\n" in text[at:]:
            continue
        line = re.split(r";|, | or | and |  ", text[at:].removeprefix(": ").rstrip())[0]
        try:
            words = shlex.split(line)[1:]
        except ValueError:
            continue
        if words and words[0] in cli.list_commands(click.Context(cli)):
            yield words


def accepts(words: list[str]) -> str:
    """Tell why the command line does not take some words; empty if it does."""
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        if inner is None:
            break
        context, command, words = click.Context(inner, parent=context), inner, words[1:]
    try:
        _, left, _ = command.make_parser(context).parse_args(list(words))
    except click.BadOptionUsage:
        return ""  # its value was left out: the option is only named
    except click.UsageError as error:
        return error.format_message()
    if isinstance(command, click.Group) or command.ignore_unknown_options:
        return ""
    return f"too many words: {left}" if left else ""


HINTS = sorted(
    {
        (str(path.relative_to(ROOT)), " ".join(words))
        for folder in ("gitmem", "lsp_server")
        for path in (ROOT / folder).rglob("*.py")
        for text in texts(ast.parse(path.read_text(encoding="utf-8")))
        for words in told(text)
    }
)


@pytest.mark.parametrize(("module", "line"), HINTS)
def test_a_command_that_is_told_is_taken(module: str, line: str) -> None:
    assert accepts(shlex.split(line)) == "", module


def test_many_commands_are_told() -> None:
    assert len(HINTS) > 50
    assert accepts(["config", "set", "capture.mode", "draft"]) != ""
    assert accepts(["drafts", "--kept"]) != ""
