"""The block under a command's output: what is known about its failures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.catalog.rows import approaches
from gitmem.plurals import counted
from gitmem.render.history import regression
from gitmem.render.text import HANG, STATUS_COLOURS, Painter, one_line

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.learnt import Draft, RepeatedEdit
    from gitmem.capture.observed import Match, Observed
    from gitmem.capture.telling import LookUp
    from gitmem.catalog.rows import Approach

_MOST = 5
_MOST_HELPED = 2
_MOST_ATTEMPTS = 4


def observed(what: "Observed", answer: "LookUp", painter: Painter) -> Iterator[str]:
    """Tell what a run showed and taught; nothing for a run that just passed."""
    yield from recognised(what.recognised, painter, answer)
    for draft, records in what.kept:
        fix = draft.fixes[-1]
        text = one_line(draft.title) + (f" ({draft.tests})" if draft.tests else "")
        yield from _marked(painter, "learnt", "green", text)
        for _, error in draft.shared[:_MOST]:
            yield from painter.block(2, [(f"and {one_line(str(error['title']))}", ())])
        yield from painter.block(2, [(one_line(str(fix["title"])), ())])
        why = ", ".join(draft.reasons)
        back = "; wrong? gitmem undo" if draft is what.kept[-1][0] else ""
        yield from painter.block(2, [(f"recorded as {', '.join(records)}: {why}{back}", ("dim",))])
    recorded = {draft.id for draft, _ in what.kept}
    for remark in what.learnt.remarks:
        text = f"{one_line(remark.seen.name)}: {one_line(remark.text)}"
        yield from _marked(painter, remark.mark, "yellow", text)
    for draft in what.learnt.drafts:
        if draft.id not in recorded and not draft.silenced:
            mark = ("test changed", "yellow") if draft.test_changed else ("fixed", "green")
            yield from _marked(painter, *mark, one_line(draft.title))
            yield from painter.block(2, [(one_line(str(draft.fixes[-1]["title"])), ())])
            why = f" ({draft.doubt})" if draft.doubt else ""
            share = f"to share it: gitmem drafts keep {draft.id}"
            hint = f"kept here as draft {draft.id}{why}; {share}"
            yield from painter.block(2, [(hint, ("dim",))])
    for flaky in what.learnt.flaky:
        text = f"{one_line(flaky.name)}: passed without a code change"
        yield from _marked(painter, "flaky", "yellow", text)
    for gap in what.learnt.gaps:
        text = f"{one_line(gap.name)}: no longer failing; cause unknown"
        yield from _marked(painter, "gone", "dim", text)


def recognised(
    matches: "Sequence[Match]", painter: Painter, answer: "LookUp | None" = None
) -> Iterator[str]:
    """Tell for each failure whether it is new, what worked and what did not.

    Args:
        matches: the failures.
        painter: how to colour, and how wide.
        answer: tells which of them came back; None: nobody asked.

    """
    if not matches:
        return
    ended_by: set[str] = set()
    # A torn piece of output has no name: of it there is nothing to tell but what is known.
    groups = _alike(
        [match for match in matches if match.label or match.similar or match.seen.title]
    )
    for match, more in groups[:_MOST]:
        title = one_line(match.seen.name) + (f" (and {more} more like it)" if more else "")
        if not match.label:
            mark = "still failing, no fix known" if match.still else "new"
            yield from _marked(painter, mark, "yellow", title)
            yield from similar(match.similar, painter)
            continue
        times_seen = f"seen {match.occurrences.words or 'here before'}"
        label = "" if match.label == "same error" else f" ({match.label})"
        yield from _marked(painter, "known", "cyan", f"{title}  {times_seen}{label}")
        yield from _approaches(match.approaches, painter)
        if match.withheld:
            yield painter.line(2, [(withheld(len(match.withheld)), ("dim",))])
        for draft in match.drafts[-2:]:
            for attempt in draft.fixes[-2:]:
                yield from _local(attempt, draft, painter)
        if match.errors:
            newest = match.errors[-1]
            text = f"gitmem show {newest.id}   {newest.created[:10]} {one_line(newest.author)}"
            yield painter.line(2, [(text, ("dim",))])
        if answer and (back := answer.returned(match)):
            yield from regression(back, painter, again=back.fix.id in ended_by)
            ended_by.add(back.fix.id)
        yield from similar(match.similar, painter)
    left = sum(1 + more for _, more in groups[_MOST:])
    if left:
        yield painter.paint(f"and {counted(left, 'more failure')}", "dim")


def _alike(matches: "Sequence[Match]") -> "list[tuple[Match, int]]":
    """Put failures together of which the same is known, such as cases of one test."""
    groups: dict[object, tuple[Match, int]] = {}
    for at, match in enumerate(matches):
        drafts = tuple(draft.id for draft in match.drafts)
        identity = (match.label, tuple(row.id for row in match.errors), drafts)
        key = (
            identity
            if match.label
            else (match.seen.template, match.still)
            if match.seen.template
            else at
        )
        first, more = groups.get(key, (match, -1))
        # What is like it is looked up for a few of them alone.
        groups[key] = (first if first.similar or not match.similar else match, more + 1)
    return list(groups.values())


def withheld(number: int) -> str:
    """Say that some attempts are not suggested."""
    what = "attempt is" if number == 1 else "attempts are"
    return f"{number} {what} withheld, the code is gone: gitmem check stale"


def similar(hits: "Iterable[SearchHit]", painter: Painter) -> Iterator[str]:
    """Records that look like a failure, each with what helped there."""
    for hit in hits:
        yield from _similar(hit, painter)


def _similar(hit: "SearchHit", painter: Painter) -> Iterator[str]:
    """One record that looks like a failure, with what helped there; of a pack one line."""
    if hit.is_advice:
        attempts = hit.ranked
        helps = [f"{fix.verdict}: {fix.title}" for fix in attempts][:1] or [hit.row.title]
        where = (f"gitmem show {hit.row.id}", ("dim",))
        about = [(one_line(hit.source), ("dim",)), (one_line(helps[0]), ()), where]
        yield from painter.block(2, about, HANG)
        return
    about = [
        (f"{hit.layer or hit.label or 'similar':<10}", ("cyan",)),
        (one_line(hit.row.title), ()),
        (f"{hit.row.id} {hit.row.created[:10]}", ("dim",)),
    ]
    yield from painter.block(2, about, HANG)
    worked = [approach for approach in hit.approaches if approach.row.helped]
    yield from _attempts(worked[:1], painter, indent=4)
    # Of an imported one nobody says that it worked; its patch shows what was done.
    untried = [fix for fix in hit.attempts if fix.verdict == "unverified"]
    for fix in untried[-1:] if not worked else ():
        yield from _attempts(approaches([fix]), painter, indent=4)
        yield painter.line(4, [(f"its patch: gitmem show {fix.id}", ("dim",))])


def _approaches(every: "Sequence[Approach]", painter: Painter) -> Iterator[str]:
    """What helped and what did not, the first of each, and how much more there is."""
    helped = [approach for approach in every if approach.row.helped]
    others = [approach for approach in every if not approach.row.helped]
    yield from _attempts([*helped[:_MOST_HELPED], *others[:_MOST_ATTEMPTS]], painter)
    left = len(helped[_MOST_HELPED:]) + len(others[_MOST_ATTEMPTS:])
    if left:
        yield painter.line(2, [(f"and {counted(left, 'more attempt')}", ("dim",))])


def _attempts(every: "Iterable[Approach]", painter: Painter, indent: int = 2) -> Iterator[str]:
    for approach in every:
        from gitmem.render.lists import attempt_lines

        yield from attempt_lines(approach.row, painter, indent, approach.tally)


def _local(fix: dict[str, object], draft: "Draft", painter: Painter) -> list[str]:
    outcome = str(fix.get("outcome", ""))
    return painter.block(
        2,
        [
            (f"{outcome:<10}", (STATUS_COLOURS.get(outcome, ""),)),
            (one_line(str(fix.get("title", ""))), ()),
            (f"draft {draft.id}", ("dim",)),
        ],
        HANG,
    )


def _marked(painter: Painter, mark: str, colour: str, text: str) -> list[str]:
    return painter.block(0, [(f"gitmem: {mark}", (colour,)), (text, ())], 2)


def tried(edits: "Iterable[RepeatedEdit]", painter: Painter) -> Iterator[str]:
    """Warn that the edit at hand did not help before."""
    for edit in edits:
        text = f"a similar edit did not help before ({edit.where}): {one_line(edit.seen.name)}"
        yield from _marked(painter, "you already tried this", "yellow", text)


def drafts(drafts: "Iterable[Draft]", painter: Painter) -> Iterator[str]:
    """List drafts: what failed, what fixed it, why it is or is not worth a record."""
    for draft in drafts:
        yield painter.line(0, [(draft.id, ("yellow",)), (one_line(draft.title), ("bold",))])
        for fix in draft.fixes:
            yield from _local(fix, draft, painter)
        for other in draft.others:
            parts = [(str(other.get("kind", "")), ()), (one_line(str(other.get("title", ""))), ())]
            yield painter.line(2, [*parts, (_writer(other), ("dim",))])
        why = ", ".join(draft.reasons) or "not shared"
        yield from painter.block(
            2, [(f"{why}; to share it: gitmem drafts keep {draft.id}", ("dim",))]
        )


def _writer(record: "Mapping[str, Any]") -> str:
    """Tell who wrote a record that waits."""
    author = record.get("author") or {}
    return one_line(f"by {author.get('name', '')} via {author.get('tool') or author.get('via')}")
