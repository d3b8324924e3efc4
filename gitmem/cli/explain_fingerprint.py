"""``gitmem explain-fingerprint``."""

import os
import re

import click

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError

_MOST = 64 * 2**20
_ERROR = re.compile(r"err(?:-[0-9a-z]{1,10})?")


@click.command("explain-fingerprint", cls=Command)
@argument("words", nargs=-1, metavar="[TEXT|FILE|-] [OTHER]")
@option("--against", metavar="ID_OR_FILE", help="Compare it with an error or another text.")
@json_option
@click.pass_obj
def command(app: App, words: tuple[str, ...], against: str | None, *, as_json: bool) -> None:
    """Show how an error is recognised, and why two are the same or not.

    It shows the failure as it is understood, the key and the hash of each level, what counts
    and where, what was masked in the message and why, and which frames count. Of two texts,
    files or errors it says which levels agree and what differs. Nothing is written.

    \b
    Example:
      make 2>&1 | gitmem explain-fingerprint
      gitmem explain-fingerprint before.log after.log
      gitmem explain-fingerprint "KeyError: 'total'" err-7k3
    """
    if against is None and _are_two(words):
        words, against = words[:1], words[1]
    text = " ".join(words)
    if len(words) == 1 and os.path.isfile(text):
        text = _file(text)
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


def _are_two(words: tuple[str, ...]) -> bool:
    """Tell whether two arguments are two things to compare, and not two words of one text.

    Words that were typed without quotation marks hold no space.
    """
    if len(words) != 2:  # noqa: PLR2004
        return False
    named = any(map(os.path.isfile, words)) or words[0] == "-" or _ERROR.fullmatch(words[1])
    return bool(named) or all(" " in word for word in words)


def _file(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(_MOST)
    except OSError as error:
        raise UsageError(f"can't read {path}: {(error.strerror or str(error)).lower()}") from None
    if not text.strip():
        raise UsageError(f"{path} is empty", "name a file that holds an error text")
    return text + "\n"  # so that a single word is a text, not an id
