"""A command that is called without click gets what click would have read."""

from typing import Any, Final

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.cli.app import APP_OPTIONS
from gitmem.cli.base import command_of
from gitmem.cli.forms import Plain, read_options
from gitmem.cli.group import cli
from gitmem.cli.main import _PLAIN

WORDS: Final = (
    "flux", "-", "--", "-x", "-nothing", "-h", "--help", "--json", "--jso", "--json=1", "--limit",
    "--limit=3", "--limit=", "3", "0", "-3", "x=y", "-author:ann", "-kind:", "a b", "", "--why",
    "--at", "HEAD~1", "--image", "--task", "--tag", "--tag=b", "--effort", "2.5", "nan", "inf",
    "--tcp", "70000", "--with", "pylsp", "--stdio", "--write", "draft", "--write=maybe", "--budget",
    "--read-only", "--allow-host", "--http=80", "-C", "-C.", "--as", "agent:x", "--color", "never",
)  # fmt: skip


def loaded(name: str) -> Plain:
    command: Plain = getattr(__import__(f"gitmem.cli.{name}", fromlist=["command"]), "command")  # noqa: B009
    return command


def by_click(command: click.Command, line: list[str]) -> dict[str, Any] | None:
    try:
        context = command.make_context("name", list(line), resilient_parsing=False)
    except (click.UsageError, click.exceptions.Exit):
        return None
    return context.params


@pytest.mark.parametrize("name", sorted(_PLAIN))
@given(line=st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_read_plainly_is_what_click_reads(name: str, line: list[str]) -> None:
    given = loaded(name).read(line)
    if given is not None:
        assert given == by_click(command_of(name), line)


@pytest.mark.parametrize(
    ("name", "line", "named"),
    [
        ("search", ["naive", "datetime", "kind:error", "-author:ann"], {"limit": None}),
        ("search", ["x", "--limit", "3", "--json", "--why"], {"limit": 3, "as_json": True}),
        ("hint", ["ValueError: broke"], {"words": ("ValueError: broke",)}),
        ("run", ["--", "pytest", "-q"], {"words": ("pytest", "-q"), "task": None}),
        ("run", ["pytest", "--json", "--", "x"], {"words": ("pytest", "--json", "--", "x")}),
        ("run", ["--effort", "2", "--tag", "a", "--tag=b", "x"], {"tags": ("a", "b")}),
        ("lsp", ["--with", "--", "pyright-langserver", "--stdio"], {"wraps": True}),
        ("lsp", ["--with", "pylsp", "--stdio"], {"server": ("pylsp", "--stdio")}),
        ("mcp", ["--coding-tools", "--budget", "500"], {"budget": 500, "write": "on"}),
    ],
)
def test_everyday_lines_need_no_click(name: str, line: list[str], named: dict[str, Any]) -> None:
    given = loaded(name).read(line)
    assert given is not None
    assert given == by_click(command_of(name), line)
    assert given.items() >= named.items()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("search", ["--limt", "3"]), ("search", ["--limit", "0"]), ("search", ["--limit"]),
        ("search", ["--", "--json"]), ("hint", ["--help"]), ("hint", ["-h"]), ("run", []),
        ("run", ["--effort", "-1", "x"]), ("mcp", ["word"]), ("mcp", ["--write", "maybe"]),
    ],
)  # fmt: skip
def test_what_is_wrong_or_asks_for_help_is_left_to_click(name: str, line: list[str]) -> None:
    assert loaded(name).read(line) is None


@given(line=st.lists(st.sampled_from(WORDS), max_size=5))
def test_the_options_of_gitmem_itself_are_read_as_click_reads_them(line: list[str]) -> None:
    ours = read_options(APP_OPTIONS, line, stops=True)
    if ours is not None and ours[1] and not line[0].startswith("--help"):
        context = cli.make_context("gitmem", list(line))
        assert ours[0] == context.params
