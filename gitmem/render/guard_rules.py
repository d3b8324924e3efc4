"""A rule for a fix, and how it fares: some lines of text, or data."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from gitmem import plurals
from gitmem.answers.guard_rules import PlaceOfCode, Proposal
from gitmem.records import codec
from gitmem.render.text import one_line, safe

_MOST_PLACES: Final = 5


def plain(proposal: Proposal) -> Iterator[str]:
    """Say what the rule is, and where it matches."""
    fix = proposal.fix.id
    yield f"{fix}  {one_line(proposal.fix.title)}"
    yield safe(codec.dump({"guard": proposal.rule.as_data()}).decode()).rstrip()
    yield f"before {fix} it matches {_places(proposal.before)}"
    yield f"after it, {_places(proposal.after)}"
    yield f"the files of today: {_places(proposal.today)}"
    commits = plurals.counted(proposal.commits, "commit")
    yield f"of the newest {commits} it would have told {_places(proposal.told)}"


def next_step(proposal: Proposal) -> str:
    """Say what can be done about it."""
    fix = proposal.fix.id
    if not proposal.holds:
        return f"it does not tell the code before from the code after: gitmem edit {fix}"
    if proposal.is_recorded:
        return f"it stands in the record of {fix}"
    return f"to have it looked for, put these lines into the record: gitmem edit {fix}"


def data(proposal: Proposal) -> dict[str, Any]:
    """Give the same for programs."""
    named = {
        name: [place._asdict() for place in getattr(proposal, name)]
        for name in ("before", "after", "today", "told")
    }
    return {
        "fix": proposal.fix.id,
        "guard": proposal.rule.as_data(),
        "holds": proposal.holds,
        "recorded": proposal.is_recorded,
        "commits": proposal.commits,
        **named,
    }


def _places(places: Sequence[PlaceOfCode]) -> str:
    if not places:
        return "none"
    shown = ", ".join(
        one_line(f"{f'{place.commit} ' if place.commit else ''}{place.path}:{place.line}")
        for place in places[:_MOST_PLACES]
    )
    more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
    return f"{len(places)}: {shown}{more}"
