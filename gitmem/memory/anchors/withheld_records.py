"""Records that refer to code that is gone: still found by a search, but not suggested.

A record is stale if it names places and none of them is there any more, unless it is a decision
that also governs files. Whether that is so is found out each time, for the few records that are
about to be shown, and written down nowhere. A look at the file that an anchor names is enough to
know that its quoted line is gone: 0.1 ms. Where the file itself is gone, only git can tell whether
it was renamed. A memory that stays open remembers both; see ``remembering``.
"""

import os
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.answers.found import SearchResult, Standing
from gitmem.errors import GitmemError
from gitmem.memory.anchors.anchor_memo import AnchorMemo, anchors_in, quote_in, remembered, stamped
from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.answers.found import SearchHit
    from gitmem.answers.places import PlacedAnchor
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.anchors.anchor_finder import AnchorFinder
    from gitmem.memory.core.workspace import Workspace

_MOST_BYTES: Final = 2_000_000
_MOST_ASKED: Final = 12
_MOST_AHEAD: Final = 10_000
"""Files that are followed before they are asked for."""


class NamedLine(NamedTuple):
    """What an anchor says of its place: the file, and one of its lines; empty: it quotes none."""

    path: str
    quote: str


def known_stale(
    workspace: "Workspace", rows: "Iterable[Row]", *, ask_git: bool = False
) -> dict[str, Standing]:
    """Tell which records speak of places that are not there any more.

    Args:
        workspace: of the memory, as it is checked out.
        rows: the records.
        ask_git: follow files that are not there under their name, some calls of git, for the
            newest twelve such records; else of such a record it is not sure that it is stale.

    Returns:
        By id why a place is not there; without records of which that is not known.

    """
    each = {row.id: row for row in rows}
    files = [row.file for row in each.values()]
    named = workspace.ask(lambda now: now.catalog.paths_of(files))
    stale: dict[str, Standing] = {}
    unsure: list[Row] = []
    for row in each.values():
        roles = {role for role, _ in named.get(row.file, ())}
        if "anchor" not in roles or "governs" in roles:
            continue
        standing = _standing(workspace, row)
        if standing and ask_git and not standing.stale:
            unsure.append(row)
        elif standing:
            stale[row.id] = standing
    # A failure can have hundreds of attempts; who reads on gets the newest.
    unsure.sort(key=lambda row: row.created, reverse=True)
    return stale | _asked_of_git(workspace, unsure[:_MOST_ASKED])


def marked(workspace: "Workspace", result: SearchResult) -> SearchResult:
    """Add to hits which of them, and of the attempts on them, are stale."""
    rows = [row for hit in result.hits for row in (hit.row, *hit.attempts)]
    stale = known_stale(workspace, rows)
    if not stale:
        return result
    hits = [
        hit._replace(
            standing={row.id: stale[row.id] for row in (hit.row, *hit.attempts) if row.id in stale}
        )
        for hit in result.hits
    ]
    return result._replace(hits=hits)


def withheld(workspace: "Workspace", matches: "Sequence[Match]") -> "list[Match]":
    """Note at recognised failures which of the attempts on them are stale.

    Beside those, on records like them, stale ones are left out.
    """
    beside = [
        fix for match in matches for hit in match.similar if not hit.layer for fix in hit.attempts
    ]
    stale = _surely(workspace, (*(fix for match in matches for fix in match.attempts), *beside))
    return [
        match._replace(
            withheld={fix.id: stale[fix.id] for fix in match.attempts if fix.id in stale},
            similar=tuple(_without(hit, stale) for hit in match.similar),
        )
        if stale
        else match
        for match in matches
    ]


def _without(hit: "SearchHit", stale: "Mapping[str, str]") -> "SearchHit":
    return hit._replace(attempts=tuple(fix for fix in hit.attempts if fix.id not in stale))


def not_stale(workspace: "Workspace", rows: "Sequence[Row]") -> "list[Row]":
    """Leave out records that are stale."""
    stale = _surely(workspace, rows)
    return [row for row in rows if row.id not in stale]


def _surely(workspace: "Workspace", rows: "Iterable[Row]") -> dict[str, str]:
    standings = known_stale(workspace, rows, ask_git=True)
    return {record: standing.reason for record, standing in standings.items() if standing.stale}


def _standing(workspace: "Workspace", row: "Row") -> Standing | None:
    """Tell why all anchors of a record are gone; None: one is there, or it is unknown."""
    memo = remembered(workspace)
    file = os.path.join(workspace.store.root, row.path)
    try:
        named_lines = memo.once(
            ("places", row.path),
            [file],
            lambda: places_in(workspace.store.read(row.path), row.path),
        )
    except (OSError, ProblemError):
        return None
    standings = [_standing_of(memo, workspace.site.root, named) for named in named_lines]
    lost = [standing for standing in standings if standing is not None]
    if not standings or len(lost) < len(standings):
        return None
    # One that only git can tell leaves it open for all of them.
    return next((standing for standing in lost if not standing.stale), lost[0])


def _standing_of(memo: AnchorMemo, root: str, named: NamedLine) -> Standing | None:
    full = os.path.join(root, named.path)
    try:
        if not os.path.lexists(full):
            return Standing(f"{named.path} is not there any more", stale=False)
        if not named.quote or "\ufffd" in named.quote or os.path.getsize(full) > _MOST_BYTES:
            return None
        if memo.once(named, [full], lambda: _is_in(root, named.path, named.quote)):
            return None
    except (OSError, ValueError):
        return None
    return Standing(f"{named.path}: {_short(named.quote)} is not there any more", stale=True)


def _is_in(root: str, path: str, quote: str) -> bool:
    """Tell whether a line is in a file; of one that is binary that can't be denied."""
    from gitmem.worktree import read_file

    data = read_file(root, path, _MOST_BYTES)
    return b"\0" in data or _has_line(data, quote)


def _has_line(data: bytes, quote: str) -> bool:
    """Tell whether a line of a file is a quote, blanks around it left out."""
    wanted = quote.encode(errors="surrogatepass")
    at = data.find(wanted)
    while at >= 0:
        end = data.find(b"\n", at)
        line = data[data.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(data)]
        if line.decode(errors="replace").strip() == quote:
            return True
        at = data.find(wanted, at + 1)
    return False


def _short(quote: str) -> str:
    return f'"{quote if len(quote) <= 60 else quote[:59] + "…"}"'  # noqa: PLR2004  in a line


def places_in(data: bytes, path: str) -> list[NamedLine]:
    """Give the places that a record's file names.

    Args:
        data: the file.
        path: its path, relative to the memory's folder.

    """
    return [NamedLine(anchor.path, quote_in(anchor)) for anchor in anchors_in(data, path)]


def _asked_of_git(workspace: "Workspace", rows: "Sequence[Row]") -> dict[str, Standing]:
    """Follow the places of records whose files are not there, all at once."""
    if not rows:
        return {}
    memo = remembered(workspace)
    memo.look(workspace)
    answers = {row: memo.answer(("git", row.path)) for row in rows}
    standings = {row: answer[0] for row, answer in answers.items() if answer}
    if len(standings) < len(rows):
        standings |= _followed(workspace, memo, [row for row in rows if row not in standings])
    return {row.id: standing for row, standing in standings.items() if standing}


def _followed(
    workspace: "Workspace", memo: AnchorMemo, rows: "Sequence[Row]"
) -> "dict[Row, Standing | None]":
    from gitmem.memory.anchors.anchor_finder import (  # noqa: PLC0415  start-up
        AnchorFinder,
        anchored,
    )

    wanted = {}
    stamps = {}
    for row in rows:
        file = os.path.join(workspace.store.root, row.path)
        stamps[row] = stamped([file])
        try:
            anchors = anchors_in(workspace.store.read(row.path), row.path)
        except (OSError, ProblemError):
            continue
        if anchors:
            wanted[row] = [anchored(row, anchor) for anchor in anchors]
            paths = [os.path.join(workspace.site.root, anchor.path) for anchor in anchors]
            stamps[row] |= stamped(paths)
    placed: dict[Row, list[PlacedAnchor]] = {row: [] for row in wanted}
    answers = {}
    try:
        with closing(AnchorFinder(workspace, lost=memo.lost)) as anchoring:
            every = partial(workspace.ask, lambda now: now.catalog.paths_in("anchor", _MOST_AHEAD))
            anchoring.find(memo.ahead(every))
            for anchor in anchoring.place(
                [anchor for anchors_of_row in wanted.values() for anchor in anchors_of_row]
            ):
                placed[anchor.wanted.row].append(anchor)
            for row, anchors_of_row in placed.items():
                answers[row] = _of_places(anchors_of_row)
                new = _new_names(anchoring, anchors_of_row)
                if new is not None:
                    new_stamps = stamped(os.path.join(workspace.site.root, path) for path in new)
                    memo.keep(
                        ("git", row.path), stamps[row] | new_stamps, answers[row], of_git=True
                    )
    except GitmemError as error:
        workspace.notices.append(error.message)
        return {}
    return answers


def _of_places(anchors_of_row: "list[PlacedAnchor]") -> Standing | None:
    if not anchors_of_row or any(placed.held for placed in anchors_of_row):
        return None
    return Standing(f"{anchors_of_row[0].wanted.path}: {anchors_of_row[0].reason}", stale=True)


def _new_names(anchoring: "AnchorFinder", anchors_of_row: "list[PlacedAnchor]") -> list[str] | None:
    """Give the names that files were given in commits; None: one was, or went, in no commit yet.

    What git tells of the latter follows from the content of all files that are new to it.
    """
    fates = [fate for placed in anchors_of_row if (fate := anchoring.fate(placed.wanted.path))]
    if not all(fate.commit for fate in fates):
        return None
    return [fate.path for fate in fates if fate.path]
