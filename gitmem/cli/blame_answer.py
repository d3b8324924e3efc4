"""What ``gitmem why`` and ``gitmem blame`` share: one question, shown in two ways."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gitmem.cli.app import App, note, out

if TYPE_CHECKING:
    from gitmem.answers.places import FileHistory
    from gitmem.render.text import Painter

Lines = Callable[["FileHistory", "Painter"], Iterable[str]]


def answer(app: App, name: str, place: str, lines: Lines, *, as_json: bool) -> None:
    """Tell which records touched a place.

    Args:
        app: the run of the command line.
        name: of the command.
        place: ``PATH`` or ``PATH:LINE``.
        lines: shows the answer as text.
        as_json: answer in JSON.

    """
    with app.memory() as memory:
        touched = memory.history.blame(place)
        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.history_json import history

            out(document(name, **history(touched)))
            return
        out(lines(touched, app.painter_of(memory)))
        for text in touched.notes:
            note(text)
        if not touched.touches and not touched.governing:
            note(f"no record touched {place}")
