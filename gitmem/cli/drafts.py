"""``gitmem drafts``."""

from typing import TYPE_CHECKING, Any, Final

import click

from gitmem.cli.app import App, note, out, standard_input
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.errors import GitmemError, UsageError
from gitmem.plurals import counted

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.memory import Memory

_FORMS: Final = {
    ("error", "fixes"): (
        "a draft has two parts: 'error:' with fields, and 'fixes:' with a list of them"
    ),
    ("others",): "such a draft has one part: 'others:' with a list of records, each with its kind",
}


@click.group("drafts", cls=CommandGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List drafts: what was learnt here and is not recorded yet.

    \b
    Example:
      gitmem drafts
      gitmem drafts drop 3f
    """
    if ctx.invoked_subcommand:
        return
    from gitmem.render.run_report import drafts

    app: App = ctx.obj
    with app.memory() as memory:
        open_drafts = memory.failures.drafts.open()
        out(drafts(open_drafts, app.painter_of(memory)))
        if not open_drafts:
            note("no drafts")


@command.command("keep")
@argument("reference", metavar="[DRAFT]", required=False)
@option("--all", "every", is_flag=True, help="All drafts that gitmem drafts lists.")
@click.pass_obj
def keep(app: App, reference: str | None, *, every: bool) -> int:
    """Record a draft, so that it is shared with the team.

    With --all, a draft that can't be recorded is named with the reason and stays; the others are
    recorded.

    \b
    Example:
      gitmem drafts keep 3f
      gitmem drafts keep --all
    """
    if every == (reference is not None):
        raise UsageError("name a draft, or say --all", "list them with: gitmem drafts")
    with app.memory() as memory:
        if reference is not None:
            out(memory.failures.keep(reference))
            return 0
        return _keep_all(memory)


def _keep_all(memory: "Memory") -> int:
    """Record all drafts that can be; give the exit code of the first that can't."""
    open_drafts = memory.failures.drafts.open()
    if not open_drafts:
        note("no drafts")
    codes = []
    for draft in open_drafts:
        try:
            out(memory.failures.keep(draft.id))
        except GitmemError as error:
            note(f"draft {draft.id} is not recorded: {error.message}")
            if error.hint:
                note(error.hint)
            codes.append(error.exit_code)
    if codes:
        note(f"{len(open_drafts) - len(codes)} of {counted(len(open_drafts), 'draft')} recorded")
    return next(iter(codes), 0)


@command.command("drop")
@argument("reference", metavar="DRAFT")
@click.pass_obj
def drop(app: App, reference: str) -> None:
    """Drop a draft. Its runs stay in the local journal.

    \b
    Example:
      gitmem drafts drop 3f
    """
    with app.memory() as memory:
        draft = memory.failures.drafts.find(reference)
        memory.failures.drafts.mark(draft, "dropped")
        note(f"dropped {draft.id}: {draft.title}")


@command.command("show")
@argument("reference", metavar="DRAFT")
@click.pass_obj
def show(app: App, reference: str) -> None:
    """Show what a draft would record, as YAML.

    \b
    Example:
      gitmem drafts show 3f
    """
    with app.memory() as memory:
        show_draft(memory.failures.drafts.find(reference))


@command.command("edit")
@argument("reference", metavar="DRAFT")
@option("--from", "source", metavar="FILE", help="Take the edited text from FILE; - is stdin.")
@click.pass_obj
def edit(app: App, reference: str, source: str | None) -> None:
    """Edit the records of a draft in your editor, as YAML.

    \b
    Example:
      gitmem drafts edit 3f
    """
    with app.memory() as memory:
        edit_draft(memory, memory.failures.drafts.find(reference), source)


def show_waiting(memory: "Memory", reference: str, *, as_json: bool) -> bool:
    """Show the draft that a reference names; False if it names none."""
    draft = memory.failures.drafts.named(reference)
    if draft and as_json:
        from gitmem.render.as_json import document

        parts = {name: getattr(draft, name) for name in _parts(draft)}
        out(document("show", draft=draft.id, **parts))
    elif draft:
        show_draft(draft)
    return draft is not None


def show_draft(draft: "Draft") -> None:
    """Print the parts of a draft as YAML, below a line that says what it is."""
    from gitmem.render.text import safe

    out(f"# draft {draft.id}; to share it: gitmem drafts keep {draft.id}")
    out(safe(_text(draft)).splitlines())


def edit_draft(memory: "Memory", draft: "Draft", source: str | None) -> None:
    """Take an edited draft from a file, or let the user edit it."""
    from gitmem.cli.editor import edited_text

    def take(text: bytes) -> str:
        return memory.failures.edit_draft(draft.id, **_fields(text, _parts(draft))).id

    if source is not None:
        take(read_source(source))
    else:
        what = "records waiting for you" if draft.others else "the error, and what was tried on it"
        head = f"# Draft {draft.id}: {what}.\n"
        go_on = f"gitmem drafts edit {draft.id} --from"
        same = UsageError("the draft is unchanged", "to drop it: gitmem drafts drop")
        edited_text(memory, f"draft-{draft.id}", head + _text(draft), take, go_on, same)
    note(f"stored; to share it: gitmem drafts keep {draft.id}")


def _text(draft: "Draft") -> str:
    from gitmem.records.codec import dump

    return dump({name: getattr(draft, name) for name in _parts(draft)}).decode()


def read_source(path: str) -> bytes:
    """Read an edited text from a file, or from standard input for ``-``."""
    if path == "-":
        return standard_input("the edited text")
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise UsageError(f"can't read {path}: {cause}", "name a file, or - for stdin") from None


def _parts(draft: "Draft") -> tuple[str, ...]:
    """Name the parts that a draft is edited in."""
    return ("others",) if draft.others else ("error", "fixes")


def _fields(text: bytes, parts: tuple[str, ...]) -> dict[str, Any]:
    """Read the parts of an edited draft."""
    from gitmem.errors import InvalidError
    from gitmem.records import codec

    try:
        data = codec.load(text)
    except codec.YamlError as error:
        line, column = error.position
        raise InvalidError(f"line {line}, column {column}: {error.message}", error.hint) from None
    form = _FORMS[parts]
    if unknown := sorted(map(str, data.keys() - set(parts))):
        raise InvalidError(f"unknown part {unknown[0]!r}", form)
    for name in parts:
        value = data.setdefault(name, [] if name == "fixes" else None)
        if name == "error":
            if not isinstance(value, dict):
                raise InvalidError("error must be a mapping", form, name)
        elif (
            not isinstance(value, list)
            or not value
            or not all(isinstance(item, dict) for item in value)
        ):
            raise InvalidError(f"{name} must be a list of mappings", form, name)
    return {"error": {}, "fixes": [], **data}
