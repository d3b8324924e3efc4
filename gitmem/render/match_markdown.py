"""What is known about a failure, as Markdown for hovers and comments."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from gitmem.diffs import ADDED, HEADER, HUNK, REMOVED, DiffReader
from gitmem.render.markdown import escaped, fenced
from gitmem.render.run_report import withheld

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.recognising import Match
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


def no_link(_title: str, _command: str, _record: str) -> str:
    """Make no link."""
    return ""


def match_text(what: "MatchDetails", link: Link = no_link, say: Say = escaped) -> str:
    """Tell what a failure is known as, what worked and what did not.

    Args:
        what: what there is to tell.
        link: makes links.
        say: writes what records say; for a hosting site: ``hosted.quiet``.

    """
    match = what.known
    errors = match.errors
    if not match.label:
        return "\n\n".join(_beside(hit, link, say) for hit in match.similar)
    parts = [_heading(what, say)]
    if errors:
        newest = errors[-1]
        parts[0] += f"  \n{_times_seen(match, say)} · {newest.id}{_links(link, newest.id, 'show')}"
    parts += [_worked(attempt, link, say) for attempt in what.worked[:_MOST_WORKED]]
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
    if errors and not match.attempts and not match.drafts:
        parts.append("No fix is recorded yet.")
    parts += [_beside(hit, link, say) for hit in match.similar]
    return "\n\n".join(parts)


def _beside(hit: "SearchHit", link: Link, say: Say) -> str:
    """What another record says: one like the failure, an archived one, or a pack's."""
    text = f"**gitmem: {say(hit.source or hit.label)}** · {say(hit.row.title[:_LONGEST])}"
    text += "".join(f"  \n{say(fix.verdict)}: {say(fix.title)}" for fix in hit.ranked[:1])
    return f"{text}  \n{hit.row.id}{_links(link, hit.row.id, 'show')}"


def _heading(what: "MatchDetails", say: Say) -> str:
    match = what.known
    label = match.label if match.label != "same error" else "known error"
    title = match.errors[-1].title if match.errors else match.seen.title
    return f"**gitmem: {label}** · {say(title[:_LONGEST])}"


def _times_seen(match: "Match", say: Say) -> str:
    occurrences = match.occurrences
    if not occurrences.times:
        return "recorded, and never seen here"
    first, last = occurrences.times[0][:10], occurrences.times[-1][:10]
    times = "once" if len(occurrences.times) == 1 else occurrences.words
    when = first if first == last else f"{first} to {last}"
    return f"seen {times}, {when}, last recorded by {say(match.errors[-1].author)}"


def _worked(attempt: "AttemptDetails", link: Link, say: Say) -> str:
    fix = attempt.fix
    lines = [f"**{attempt.verdict}**: {say((fix.approach or fix.title)[:_LONGEST])}"]
    commands = ("show", "apply", "helpful") if fix.patch.strip() else ("show", "helpful")
    lines.append(_origin(attempt, say) + _links(link, attempt.row.id, *commands))
    if fix.worked_partially:
        lines.append(say(fix.worked_partially[:_LONGEST]))
    checked = fix.verification
    if checked and checked.command and checked.after:
        lines.append(f"checked with: {say(checked.command[:_WIDTH])}")
    text = "  \n".join(lines)
    return f"{text}\n\n{short_diff(fix.patch, places=False)}" if fix.patch.strip() else text


def _failed(attempt: "AttemptDetails", link: Link, say: Say) -> str:
    fix = attempt.fix
    text = f"**{attempt.verdict}**: {say((fix.approach or fix.title)[:_LONGEST])}"
    if fix.why_failed:
        text += f"  \nwhy: {say(fix.why_failed[:_LONGEST])}"
    return f"{text}  \n{_origin(attempt, say)}{_links(link, attempt.row.id, 'show')}"


def _origin(attempt: "AttemptDetails", say: Say) -> str:
    text = f"{say(attempt.row.author)}, {attempt.row.created[:10]}, {attempt.row.id}"
    if attempt.origin:
        text += f", commit {attempt.origin.id} {say(attempt.origin.subject[:_WIDTH])}"
    return text


def _links(link: Link, record: str, *commands: str) -> str:
    titles = {"show": "show", "apply": "apply patch", "helpful": "it helped"}
    written_links = [link(titles[command], command, record) for command in commands]
    return "".join(f" · {written_link}" for written_link in written_links if written_link)


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
        where = f"{row.kind}{status}, {escaped(row.author)}, {row.created[:10]}, {row.id}"
        gist = f"  \n{escaped(row.gist)}" if row.gist else ""
        lines.append(f"{what}{gist}  \n{where}{_links(link, row.id, 'show')}")
    return "\n\n".join(lines)
