"""The arguments of a command. Anything wrong with them raises UsageError."""

from typing import Any, Final

from gitmem.errors import UsageError
from lsp_server.file_paths import path_of

LONGEST_TEXT: Final = 200_000
"""Characters; of a longer text the end is read, where most tools say what went wrong."""


def named_in(arguments: list[Any]) -> dict[str, Any]:
    """Give the arguments that have names: the first argument that is a mapping."""
    return next((argument for argument in arguments if isinstance(argument, dict)), {})


def path_in(arguments: list[Any]) -> str:
    """Give the file that is named ``uri``."""
    uri = named_in(arguments).get("uri")
    path = path_of(uri) if isinstance(uri, str) else ""
    if not path:
        raise UsageError("an argument must name a file", '{"uri": "file:///…"}')
    return path


def text_in(arguments: list[Any], at: int, what: str) -> str:
    """Give the argument at a position, which must be a text."""
    text = arguments[at] if at < len(arguments) else None
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"argument {at + 1} must be {what}", "a text")
    return text


def optional_text_in(arguments: list[Any], at: int) -> str:
    """Give the argument at a position if it is a text, else nothing."""
    text = arguments[at] if at < len(arguments) else ""
    return text if isinstance(text, str) else ""


def number_of(named: dict[str, Any], name: str, default: int, below: int) -> int:
    """Give a number that has a name, from 0 to under a limit."""
    value = named.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        raise UsageError(
            f"{name} must be a number from 0 to {below - 1}", f'{{"{name}": {default}}}'
        )
    return value


def switch_of(named: dict[str, Any], name: str) -> bool:
    """Give a truth value that has a name; false where it is missing."""
    value = named.get(name, False)
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false", f'{{"{name}": true}}')
    return value


def text_of(named: dict[str, Any], name: str, default: str) -> str:
    """Give a text that has a name."""
    value = named.get(name, default)
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text", f'{{"{name}": "{default}"}}')
    return value
