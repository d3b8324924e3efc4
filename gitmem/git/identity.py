"""The author: name and e-mail that git would put on a commit, and the tool that writes."""

import os
import re
from typing import Literal, cast

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.git.command import git
from gitmem.system import account_names

Via = Literal["human", "agent", "tool"]
_VIAS = ("human", "agent", "tool")
_UNWANTED = re.compile(r"[\x00-\x1f\x7f<>]+")
_LONGEST_NAME = 200
_LONGEST_EMAIL = 320


def identity(root: str | None) -> tuple[str, str]:
    """Give the author's name (never empty) and e-mail (empty if unknown). Never raises.

    The first that knows wins, for name and e-mail each: ``GIT_AUTHOR_*``, git's settings,
    ``EMAIL``, the operating system's user. Git's own last resort, an e-mail made of the user
    and this machine's name, is left out: it reaches nobody and tells where people work.

    Args:
        root: work tree whose settings count, or None outside git.

    """
    name = _name(os.environ.get("GIT_AUTHOR_NAME", ""))
    email = _email(os.environ.get("GIT_AUTHOR_EMAIL", ""))
    if not (name and email):
        configured = _configured(root)
        name = name or _name(configured.get("author.name", "") or configured.get("user.name", ""))
        email = email or _email(
            configured.get("author.email", "")
            or configured.get("user.email", "")
            or os.environ.get("EMAIL", "")
        )
    return name or _system_user(), email


def parse_actor(text: str) -> tuple[Via, str]:
    """Read ``human``, ``agent:claude-code`` or ``tool:ci`` into via and the tool's name.

    Raises:
        UsageError: it starts with another word, or the name is not one line of text.

    """
    word, _, tool = text.strip().partition(":")
    via, tool = word.strip().lower(), tool.strip()
    if via not in _VIAS or not tool.isprintable():
        raise UsageError(
            f"actor {text.strip()[:80]!r} can't be read",
            "write human, agent:NAME (such as agent:claude-code) or tool:NAME (such as tool:ci)",
        )
    return cast("Via", via), tool


def _configured(root: str | None) -> dict[str, str]:
    """Ask git for its settings with one short process.

    Not through GitPython, whose import alone takes 60 to 85 ms of an ``add`` that should take
    100. And not ``git var GIT_AUTHOR_IDENT``: it gives nothing at all where only one of the
    two is set, and fills in this machine's name where none is.
    """
    pattern = r"^(user|author)\.(name|email)$"
    for folder in filter(None, (root, os.path.abspath(os.sep))):
        try:  # the second time outside: a repository of another user hides the user's settings
            output = git(folder, "config", "--null", "--get-regexp", pattern, ok=(0, 1), seconds=10)
        except EnvironmentProblem:
            continue
        entries = (entry.partition("\n") for entry in output.decode(errors="replace").split("\0"))
        return {key: value for key, _, value in entries if value.strip()}
    return {}


def _system_user() -> str:
    return next(filter(None, map(_name, account_names())), "unknown")


def _clean(text: str) -> str:
    """Drop what neither git nor a record takes: control characters, angle brackets, half bytes."""
    whole = text.encode(errors="replace").decode()
    return " ".join(_UNWANTED.sub(" ", whole).split())


def _name(text: str) -> str:
    return _clean(text)[:_LONGEST_NAME].rstrip()


def _email(text: str) -> str:
    email = _clean(text)
    return email if " " not in email and len(email) <= _LONGEST_EMAIL else ""
