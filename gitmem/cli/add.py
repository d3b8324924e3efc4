"""``gitmem add KIND``."""

from typing import TYPE_CHECKING, Any, Final

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command, CommandGroup
from gitmem.cli.fields import collect, field_options
from gitmem.cli.forms import option
from gitmem.cli.model_approval import approval, yes_option
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled
    from gitmem.memory import Memory

_EXAMPLES: Final = {
    "error": '--type TypeError --message "no zone" --location src/a.py:12',
    "fix": '--approach "wait" --outcome failed --link fixes=err-7k3',
    "decision": '--title "Use UTC" --rationale "one clock" --governs src/',
    "pattern": '--title "Retry" --language python --code - < retry.py',
    "note": '--title "Staging is reset at night" --type gotcha',
}


class _Adding(Command):
    """A command that says what to do with words which nobody asked for."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; all of them are options."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            import shlex

            words = shlex.quote(" ".join(rest))
            raise UsageError(
                f"{words} is not an option", f"as the title: gitmem add {self.name} --title {words}"
            )
        return rest


@click.group("add", cls=CommandGroup)
def command() -> None:
    """Add an error, fix, decision, pattern or note.

    \b
    Example:
      gitmem add decision --title "Use UTC everywhere" --rationale "one clock"
      gitmem add note --edit
      gitmem add error --from - < errors.json
      gitmem add error --screenshot screenshot.png --cause "the clock is naive"
    """


def _make(kind: str) -> click.Command:
    @click.pass_obj
    def run(
        app: App,
        /,
        *,
        source: str | None,
        edit: bool,
        as_json: bool,
        attach: tuple[str, ...] = (),
        screenshot: str | None = None,
        by_model: bool = False,
        last: bool = False,
        yes: bool = False,
        **typed: Any,  # noqa: ANN401
    ) -> None:
        with app.memory() as memory:
            fields = collect(memory, kind, typed)
            if last:
                fields = {**memory.failures.last_failure(), **fields}
            if source is not None:
                if edit or fields or attach or screenshot:
                    raise UsageError("--from takes whole records", "leave the other flags out")
                from gitmem.cli.intake import read_entries

                records = memory.records.writer.add_all(kind, read_entries(_source_bytes(source)))
            elif screenshot:
                if edit or attach:
                    raise UsageError(
                        "--screenshot can't be combined with other fields",
                        "give those it takes, such as --cause",
                    )
                answer = _looked(memory, screenshot, yes=yes) if by_model else None
                records = [memory.models.record_screenshot(screenshot, fields, answer)]
            elif edit:
                from gitmem.cli.editor import edited

                records = [
                    edited(memory, kind, fields, lambda data: memory.add(kind, data, attach=attach))
                ]
            elif not fields:
                raise UsageError(
                    f"what {kind}?",
                    f"give a flag such as --title, or --edit, or see: gitmem add {kind} --help",
                )
            else:
                records = [memory.add(kind, fields, attach=attach)]
            report(records, as_json=as_json)

    run.__doc__ = f"""Record {"an" if kind == "error" else "a"} {kind}.

    \b
    Example:
      gitmem add {kind} {_EXAMPLES[kind]}
    """
    for adding in (
        json_option,
        option("--edit", is_flag=True, help="Fill in a commented template in $EDITOR."),
        option(
            "--from",
            "source",
            metavar="FILE",
            help="YAML or JSON: a record or a list of them; - is standard input.",
        ),
    ):
        run = adding(run)
    if kind == "error":
        run = option(
            "--attach",
            multiple=True,
            metavar="FILE",
            help="Attach a file, such as a screenshot or a log.",
        )(run)
        for adding in (
            yes_option,
            option("--last", is_flag=True, help="The last failure that gitmem run saw."),
            option(
                "--model",
                "by_model",
                is_flag=True,
                help="With --screenshot: also ask your vision model; its words are marked as such.",
            ),
        ):
            run = adding(run)
        run = option(
            "--screenshot",
            metavar="FILE",
            help="Read a screenshot of it on this machine, and attach it; flags override it.",
        )(run)
    return click.command(kind, cls=_Adding)(field_options(kind)(run))


def _looked(memory: "Memory", path: str, *, yes: bool) -> "Modelled | None":
    from gitmem.errors import EnvironmentProblem
    from gitmem.llm.approval import DeclinedError

    try:
        return memory.models.look(path, "error", approval(memory, yes=yes))
    except (DeclinedError, EnvironmentProblem) as error:
        memory.workspace.derived.notices.append(f"{error.message}; recorded without the model")
        return None


def _source_bytes(source: str) -> bytes:
    if source == "-":
        return standard_input("YAML or JSON")
    try:
        with open(source, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"can't read {source}: {(error.strerror or str(error)).lower()}") from None


def report(records: list[Any], *, as_json: bool) -> None:
    """Say what was written."""
    if as_json:
        from gitmem.records.convert import to_data
        from gitmem.render.as_json import document

        out(document("add", records=[to_data(record) for record in records]))
        return
    for record in records:
        out(f"{record.id}  {record.title}")
    if len(records) > 1:
        note(f"{len(records)} records written")


for _kind in _EXAMPLES:
    command.add_command(_make(_kind))
