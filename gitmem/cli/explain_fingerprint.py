"""``gitmem explain-fingerprint``."""

import os

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command, argument, option
from gitmem.errors import UsageError

_MOST = 64 * 2**20


@click.command("explain-fingerprint", cls=Command)
@argument("words", nargs=-1, metavar="[TEXT|-]")
@option("--against", metavar="ID_OR_FILE", help="Compare it with an error or another text.")
@json_option
@click.pass_obj
def command(app: App, words: tuple[str, ...], against: str | None, *, as_json: bool) -> None:
    """Show how an error is recognised, and why two are the same or not.

    It shows the failure as it is understood, the key and the hash of each level, what was
    masked in the message, and which frames count. Nothing is written.

    \b
    Example:
      make 2>&1 | gitmem explain-fingerprint
      gitmem explain-fingerprint "KeyError: 'total'" --against err-7k3
    """
    text = " ".join(words)
    if text in {"", "-"}:
        text = standard_input("an error text").decode(errors="replace")
    if not text.strip():
        raise UsageError("the text is empty", "paste an error text")
    other = _file(against) if against is not None and os.path.isfile(against) else against
    with app.memory() as memory:
        if other == "err":  # the prefix of every error, as in gitmem resolve err
            other = memory.find(other, "error").id
        explanation = memory.failures.explain_fingerprint(text, other)
        if as_json:
            from gitmem.render import as_json as data

            out(data.document("explain-fingerprint", **data.explained(explanation)))
            return
        from gitmem.render.attempts import explained

        out(explained(explanation, app.painter_of(memory)))
        if explanation.more:
            note(f"this is the first failure of the text; it has {explanation.more} more")


def _file(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(_MOST)
    except OSError as error:
        raise UsageError(f"can't read {path}: {(error.strerror or str(error)).lower()}") from None
    if not text.strip():
        raise UsageError(f"{path} is empty", "name a file that holds an error text")
    return text + "\n"  # so that a single word is a text, not an id
