"""``gitmem hint``."""

from typing import TYPE_CHECKING

from gitmem.cli.app import App, json_option, note, out, standard_input
from gitmem.cli.forms import argument, option, plain
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers.found import SearchHit
    from gitmem.capture.observed import Match
    from gitmem.memory import Memory


@plain("hint")
@argument("words", nargs=-1, metavar="[ERROR TEXT]")
@option("--image", metavar="FILE", help="Read a screenshot of it on this machine, offline.")
@json_option
def command(app: App, words: tuple[str, ...], *, image: str | None, as_json: bool) -> None:
    """Show what is known about an error text: an argument, standard input or a screenshot.

    Without a text, or with "-", it is read from standard input.

    \b
    Example:
      make 2>&1 | gitmem hint
      gitmem hint "TypeError: can't compare offset-naive datetimes"
      gitmem hint --image screenshot.png
    """
    if image and words:
        raise UsageError("both an error text and a picture", "give one of them")
    text = ""
    if not image:
        text = " ".join(words)
        if text in {"", "-"}:
            text = standard_input("an error text").decode(errors="replace")
    with app.memory() as memory:
        shown = memory.models.read_picture(image).failures if image else ()
        answer = memory.history.look_up(memory.failures.known(shown) if image else text)
        matches, alike = answer.matches, answer.alike
        _note(memory, matches, alike)
        if as_json:
            from gitmem.render import as_json as render
            from gitmem.render.history_json import regression

            failures = [render.recognised(match) for match in matches]
            again = [regression(each) for each in answer.came_back]
            similar = render.hits(alike, why=False)
            foreign = _foreign(memory, matches)
            out(
                render.document(
                    "hint", failures=failures, similar=similar, came_back=again, **foreign
                )
            )
            return
        from gitmem.render import run_report

        painter = app.painter_of(memory)
        out(run_report.recognised(matches, painter, answer))
        out(run_report.similar(alike, painter))
        if _has_hub(memory):
            from gitmem.cli.elsewhere import of_matches

            out(of_matches(memory, matches, painter))
        if any(match.label or match.still for match in matches):
            return
        unseen = "no error found in this picture" if image else "no error found in this text"
        lead = "not seen before" if matches else unseen
        if alike or answer.recognised:
            note(f"{lead}; these look like it")
        elif not any(match.seen.title for match in matches):  # what is new was just called so
            note(lead if image else f"{lead}; to look for its words: gitmem search")


def _has_hub(memory: "Memory") -> bool:
    return bool(memory.workspace.site.config.hub_url)


def _foreign(memory: "Memory", matches: "Sequence[Match]") -> dict[str, object]:
    if not _has_hub(memory):
        return {}
    from gitmem.cli.elsewhere import data_of

    return {"elsewhere": data_of(memory, matches)}


def _note(memory: "Memory", matches: "Sequence[Match]", alike: "Sequence[SearchHit]") -> None:
    """Note what is shown of one failure; of several, nobody says which was meant."""
    if len(matches) > 1:
        return
    site = matches[0].seen.site if matches else ""
    ids = [*(ids for match in matches for ids in match.shown_ids), *(hit.ids for hit in alike)]
    memory.records.reader.note_shown(site, ids)
