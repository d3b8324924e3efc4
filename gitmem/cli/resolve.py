"""``gitmem resolve``."""

from typing import Any

import click

from gitmem.cli.add import report
from gitmem.cli.app import App, json_option, standard_input
from gitmem.cli.base import Command
from gitmem.cli.fields import collect, field_options
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError


@click.command("resolve", cls=Command)
@argument("words", nargs=-1, metavar="[ERROR] [WHAT WAS DONE]")
@option("--last", is_flag=True, help="For the last failure that gitmem run saw, in place of ERROR.")
@option("--patch-from", metavar="FILE", help="Read the patch from a file; - is standard input.")
@option("--verified-by", metavar="COMMAND", help="The command that proves it.")
@field_options("fix")
@json_option
@click.pass_obj
def command(
    app: App,
    /,
    words: tuple[str, ...],
    patch_from: str | None,
    verified_by: str | None,
    *,
    last: bool,
    as_json: bool,
    **typed: Any,  # noqa: ANN401
) -> None:
    """Record what fixed an error, or failed to (--outcome failed).

    \b
    Example:
      gitmem resolve err-7k3 "use now(UTC)" --verified-by "pytest -q"
      git diff | gitmem resolve err-7k3 "use now(UTC)" --patch-from -
      gitmem resolve err-7k3 "wait longer" --outcome failed
      gitmem resolve --last "pip install tabulate"
    """
    reference = ""
    if not last:
        if not words:
            raise UsageError("which error?", "name it, or take the last one with --last")
        reference, *rest = words
        words = tuple(rest)
    with app.memory() as memory:
        fields = collect(memory, "fix", typed)
        if words:
            if "approach" in fields:
                raise UsageError("what was done is given twice", "use the argument or --approach")
            fields["approach"] = " ".join(words)
        if patch_from is not None:
            fields["patch"] = _patch(patch_from)
        if verified_by:
            fields["verification"] = {**fields.get("verification", {}), "command": verified_by}
        record = memory.failures.resolve_last(fields) if last else memory.resolve(reference, fields)
        report([record], as_json=as_json)


def _patch(source: str) -> str:
    if source == "-":
        return standard_input("a diff").decode(errors="replace")
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"can't read {source}: {(error.strerror or str(error)).lower()}") from None
