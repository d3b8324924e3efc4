"""``--edit``: a commented template in $EDITOR. What was typed is never lost."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gitmem.cli.app import note
from gitmem.errors import EnvironmentProblem, GitmemError, InvalidError, UsageError, next_step
from gitmem.records import codec, guide
from gitmem.records.explain import describe
from gitmem.records.intake import value
from gitmem.records.kinds import KINDS

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.records.kinds import Record

_T = TypeVar("_T")


def template(kind: str, fields: dict[str, Any]) -> str:
    """Write the template: given fields filled in, the others commented out with their help."""
    lines = [
        f"# A new {kind}. Remove the # where you write; lines that keep it are left out.",
        "# Several lines:  'message: |' and the text below it, indented by two spaces.",
        "",
    ]
    left = dict(fields)
    for ask in (*guide.COMMON, *guide.KINDS[kind]):
        lines.append(
            f"# {ask.help}"
            + (f": {describe(_annotation(kind, ask.field))}" if ask.form == "choice" else "")
        )
        if ask.field in left:
            lines += codec.dump({ask.field: left.pop(ask.field)}).decode().splitlines()
        else:
            lines.append(f"#{ask.field}:" + (" []" if ask.form == "list" else ""))
        lines.append("")
    if left:
        lines += codec.dump(left).decode().splitlines()
    return "\n".join(lines) + "\n"


def _annotation(kind: str, field: str) -> Any:  # noqa: ANN401
    from gitmem.records.explain import annotation_at

    return annotation_at(KINDS[kind], f".{field}")


def edited(
    memory: "Memory", kind: str, fields: dict[str, Any], add: Callable[[dict[str, Any]], "Record"]
) -> "Record":
    """Let the user write a record; add it. A text that does not validate is kept in a file."""
    start = template(kind, fields)

    def take(text: bytes) -> "Record":
        return add(_parse(kind, text))

    unchanged = UsageError(
        "the template is unchanged, so nothing was recorded", "fill in at least a title"
    )
    refused = None if fields else unchanged
    return edited_text(memory, kind, start, take, f"gitmem add {kind} --from", refused)


def edited_text(
    memory: "Memory",
    name: str,
    start: str,
    take: Callable[[bytes], _T],
    go_on: str,
    unchanged: GitmemError | None = None,
) -> _T:
    """Let the user edit a text until it is taken; one that is not is kept in a file.

    Args:
        memory: where the file is kept meanwhile, in its journal.
        name: how the file's name begins.
        start: the text to begin with.
        take: takes the text, or raises GitmemError.
        go_on: the command that takes the file later; its path is put behind.
        unchanged: is raised if the text was left as it was; None: then it is taken, too.

    """
    path = _draft(memory.workspace.site.journal, name, start)
    while True:
        _edit(path, start)
        try:
            text = _read(path)
        except (FileNotFoundError, IsADirectoryError):
            raise UsageError(
                f"nothing was written: the editor left no file at {path}",
                "save your text under the name that the editor was started with",
            ) from None
        if text == start.encode() and unchanged:
            os.unlink(path)
            raise unchanged
        try:
            taken = take(text)
        except GitmemError as error:
            if not sys.stdin.isatty():
                hint = f"your text is kept in {path}; go on with: {go_on} {path}"
                raise type(error)(error.message, f"{error.hint}; {hint}".lstrip("; ")) from None
            note(error.message + (f" ({error.hint})" if error.hint else ""))
            note(f"your text is kept in {path}")
            if not click.confirm("Edit it again?", default=True, err=True):
                raise InvalidError("not written", f"go on later with: {go_on} {path}") from None
        else:
            os.unlink(path)
            return taken


def _parse(kind: str, text: bytes) -> dict[str, Any]:
    try:
        data = codec.load(text)
    except codec.YamlError as error:
        if error.code == "empty":
            raise InvalidError(
                "every line still begins with #", "remove the # where you write"
            ) from None
        line, column = error.position
        raise InvalidError(f"line {line}, column {column}: {error.message}", error.hint) from None
    asks = {ask.field: ask for ask in (*guide.COMMON, *guide.KINDS[kind])}
    typed = {name: value(asks[name], item) if name in asks else item for name, item in data.items()}
    return {name: item for name, item in typed.items() if item not in (None, "", [])}


def _draft(journal: str, kind: str, text: str) -> str:
    folder = os.path.join(journal, "drafts")
    path = os.path.join(folder, f"{kind}-{os.urandom(4).hex()}.yaml")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        message = f"can't write a draft in {folder}: {(error.strerror or '').lower()}"
        raise EnvironmentProblem(message, next_step(error)) from None
    return path


def _edit(path: str, start: str) -> None:
    editor = (
        os.environ.get("GIT_EDITOR") or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    )
    try:
        done = subprocess.run([*shlex.split(editor), path], check=False)  # noqa: S603  the user's own editor
    except KeyboardInterrupt:
        note(f"your text is kept in {path}")
        raise
    except (OSError, ValueError):
        if _read(path) == start.encode():
            os.unlink(path)
        raise EnvironmentProblem(
            f"can't start the editor {editor!r}", "set EDITOR to your editor"
        ) from None
    if done.returncode:
        hint = f"nothing was written; your text is kept in {path}"
        raise UsageError(f"the editor ended with exit code {done.returncode}", hint)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
