"""What is known about a failure, as Markdown for hovers and comments."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from gitmem.diffs import ADDED, HEADER, HUNK, REMOVED, DiffReader
from gitmem.matching.labels import SAME_ERROR
from gitmem.render.markdown import escaped, fenced
from gitmem.render.run_report import withheld

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.observed import Match
    from gitmem.capture.telling import AttemptDetails, MatchDetails
    from gitmem.catalog.rows import Row

Link = Callable[[str, str, str], str]
"""Makes a link from a title, a command's name and a record's id; empty where none is wanted."""

Say = Callable[[str], str]
"""Writes a text of somebody's so that it is text, and nothing else, where it is shown."""

_MOST_WORKED: Final = 2
_MOST_FAILED: Final = 3
_LINES: Final = 12
_WIDTH: Final = 120
_LONGEST: Final = 400
STILL_READING: Final = "gitmem is still reading the memory: ask again in a moment."


def no_link(_title: str, _command: str, _record: str) -> str:
    """Make no link."""
    return ""


def fixed_before(what: "MatchDetails") -> str:
    """Give the heading of a failure that somebody fixed before; empty: nobody is known to have."""
    if not what.known.label or not what.worked or not what.worked[0].row.helped:
        return ""
    label = what.known.label
    return "fixed before" if label == SAME_ERROR else f"{label}, fixed before"


def match_text(
    what: "MatchDetails", link: Link = no_link, say: Say = escaped, *, at_place: bool = False
) -> str:
    """Tell what a failure is known as, what worked and what did not.

    Args:
        what: what there is to tell.
        link: makes links.
        say: writes what records say; for a hosting site: ``hosted.quiet``.
        at_place: the reader looks at the failure: what fixed it comes first, its name last.

    """
    match = what.known
    if not match.label:
        return "\n\n".join(_beside(hit, link, say) for hit in match.similar)
    fixed = fixed_before(what) if at_place else ""
    name = match.label if match.label != SAME_ERROR else "known error"
    parts = [] if fixed else [f"**gitmem: {name}** · {_evidence(match, link, say)}"]
    if what.returned:
        ended = what.returned.fix.id
        text = f"came back after {link('its fix', 'show', ended) or ended}: {what.returned.fate}"
        suspicion = what.returned.suspicion
        parts.append(f"{text}; {say(suspicion)}" if suspicion else text)
    for number, attempt in enumerate(what.worked[:_MOST_WORKED]):
        parts.append(_worked(attempt, link, say, "" if number else fixed))
    parts += [_failed(attempt, link, say) for attempt in what.failed[:_MOST_FAILED]]
    shown = min(len(what.worked), _MOST_WORKED) + min(len(what.failed), _MOST_FAILED)
    more = what.more + len(what.attempts) - shown
    if more:
        parts.append(f"{more} more {'attempt' if more == 1 else 'attempts'}")
    for draft in match.drafts[-1:]:
        for fix in draft.fixes[-1:]:
            outcome = say(str(fix.get("outcome", "")))
            text = f"**{outcome}** here, in no record yet: {say(str(fix.get('title', '')))}"
            parts.append(f"{text} (draft {say(draft.id)})")
    if match.withheld:
        parts.append(withheld(len(match.withheld)))
    if match.errors and not match.attempts and not match.drafts:
        # "None" is said only after looking.
        parts.append(STILL_READING if what.reading else "No fix is recorded yet.")
    if fixed:
        parts.append(f"{name}: {_evidence(match, link, say)}")
    parts += [_beside(hit, link, say) for hit in match.similar]
    return "\n\n".join(parts)


def _beside(hit: "SearchHit", link: Link, say: Say) -> str:
    """What another record says: one like the failure, an archived one, or a pack's."""
    text = f"**gitmem: {say(hit.source or hit.label)}** · {say(hit.row.title[:_LONGEST])}"
    text += "".join(f"  \n{say(fix.verdict)}: {say(fix.title)}" for fix in hit.ranked[:1])
    return f"{text}  \n{_to_record(link, hit.row.id, 'show')}"


def _evidence(match: "Match", link: Link, say: Say) -> str:
    """What was recognised, and how often and when it was seen."""
    if not match.errors:
        return say(match.seen.name[:_LONGEST])
    newest = match.errors[-1]
    how_often = f"{_times_seen(match, say)} · {_to_record(link, newest.id, 'show')}"
    return f"{say(newest.title[:_LONGEST])}  \n{how_often}"


def _times_seen(match: "Match", say: Say) -> str:
    occurrences = match.occurrences
    if not occurrences.times:
        return "recorded, and never seen here"
    first, last = occurrences.times[0][:10], occurrences.times[-1][:10]
    times = "once" if len(occurrences.times) == 1 else occurrences.words
    when = first if first == last else f"{first} to {last}"
    return f"seen {times}, {when}, last recorded by {say(match.errors[-1].author)}"


def _worked(attempt: "AttemptDetails", link: Link, say: Say, heading: str) -> str:
    """What helped, who says so, its edit and links; the first of all says it under a heading."""
    fix = attempt.fix
    what = f"**{attempt.verdict}**: {say((fix.approach or fix.title)[:_LONGEST])}{_tally(attempt)}"
    origin = _origin(attempt, say)
    if fix.verification and fix.verification.command and fix.verification.after:
        origin += f" · checked with: {say(fix.verification.command[:_WIDTH])}"
    lines = [f"✓ **gitmem: {heading}** · {origin}", what] if heading else [f"✓ {what}", origin]
    if fix.worked_partially:
        lines.append(say(fix.worked_partially[:_LONGEST]))
    commands = ["show", "helpful", "unhelpful"]
    parts = ["  \n".join(lines)]
    if fix.patch.strip():
        parts.append(short_diff(fix.patch, places=False))
        if attempt.applies:
            commands.insert(0, "apply")
    return "\n\n".join([*parts, _to_record(link, attempt.row.id, *commands)])


def _failed(attempt: "AttemptDetails", link: Link, say: Say) -> str:
    fix = attempt.fix
    what = f"{say((fix.approach or fix.title)[:_LONGEST])}{_tally(attempt)}"
    text = f"✗ **{attempt.verdict}**: {what}"
    if fix.why_failed:
        text += f"  \nwhy: {say(fix.why_failed[:_LONGEST])}"
    return f"{text}  \n{_origin(attempt, say)} · {_to_record(link, attempt.row.id, 'show')}"


def _tally(attempt: "AttemptDetails") -> str:
    return f" ({attempt.tally})" if attempt.tally else ""


def _origin(attempt: "AttemptDetails", say: Say) -> str:
    text = f"{say(attempt.row.author)}, {attempt.row.created[:10]}"
    if attempt.origin:
        text += f", commit {attempt.origin.id} {say(attempt.origin.subject[:_WIDTH])}"
    return text


def _to_record(link: Link, record: str, *commands: str) -> str:
    """What can be done with a record; its id where there are no links, to type it."""
    titles = {"show": "show", "apply": "apply patch", "helpful": "it helped",
              "unhelpful": "it did not help"}  # fmt: skip
    links = [link(titles[command], command, record) for command in commands]
    return " · ".join(filter(None, links)) or record


def short_diff(patch: str, *, places: bool = True) -> str:
    """Show the changed lines of a patch, bounded, in a fence.

    Args:
        patch: a unified diff.
        places: with the files and the places in them; else only with the files, and those only
            where there are several: who looks at the code sees where it is.

    """
    shown: list[str] = []
    left_out = 0
    reader = DiffReader()
    lines = [(reader.read(line), line) for line in patch.split("\n")]
    several = sum(kind == HEADER and line.startswith("+++ ") for kind, line in lines) > 1
    for kind, line in lines:
        is_name = kind == HEADER and line.startswith("+++ ") and (places or several)
        if not is_name and kind not in {ADDED, REMOVED} and (kind != HUNK or not places):
            continue
        if len(shown) >= _LINES:
            left_out += kind in {ADDED, REMOVED}
        elif is_name:
            name = line.partition("\t")[0]
            shown.append(name if places else name.removeprefix("+++ ").removeprefix("b/"))
        else:
            shown.append(line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…")
    if left_out:
        shown.append(f"… {left_out} more changed {'line' if left_out == 1 else 'lines'}")
    return fenced("\n".join(shown), "diff")


def at_line(rows: "Iterable[tuple[str, Row]]", link: Link = no_link) -> str:
    """Tell what records say about a line or a file.

    Args:
        rows: (why, record): ``governs``, ``anchor`` or ``error``.
        link: makes links.

    """
    names = {"governs": "decision for this file", "anchor": "about this place",
             "error": "went wrong here"}  # fmt: skip
    lines = []
    for why, row in rows:
        status = f", {row.shown_status}" if row.shown_status else ""
        what = f"**{names[why]}**: {escaped(row.title)}"
        where = f"{row.kind}{status}, {escaped(row.author)}, {row.created[:10]}"
        gist = f"  \n{escaped(row.gist)}" if row.gist else ""
        lines.append(f"{what}{gist}  \n{where} · {_to_record(link, row.id, 'show')}")
    return "\n\n".join(lines)
