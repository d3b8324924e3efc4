"""Groups an error with its fixes, so that words in one of them find all."""

from collections.abc import Sequence

from gitmem.answers.found import SearchHit

SECOND = 0.4
"""What the second best record of a story adds, as a share of its own score: words of a
question are often spread over what failed and what helped."""


def together(hits: Sequence[SearchHit], *, spread: bool) -> list[SearchHit]:
    """Join the hits of one story under its error, or the fix where the error was not found.

    Args:
        hits: any order; each record once.
        spread: add up what the records of a story give; without, the best one speaks.

    """
    errors = {hit.row.id: hit for hit in hits if hit.row.kind == "error"}
    groups: dict[str, list[SearchHit]] = {}
    alone: list[SearchHit] = []
    for hit in hits:
        homes = [error.id for error in hit.errors if error.id in errors]
        if hit.row.kind == "fix" and homes:
            for home in homes:
                groups.setdefault(home, []).append(hit)
        else:
            alone.append(hit)
    return [_joined(hit, groups.get(hit.row.id, []), spread=spread) for hit in alone]


def _joined(error: SearchHit, fixes: list[SearchHit], *, spread: bool) -> SearchHit:
    if not fixes:
        return error
    fix = max(fixes, key=lambda hit: hit.score)
    if not spread:
        if fix.score <= error.score:
            return error
        return error._replace(score=fix.score, parts=fix.parts)
    best, second = (error, fix) if error.score >= fix.score else (fix, error)
    added = SECOND * second.score
    name = "its fix" if second is fix else "its error"
    # What words have found of either, they have found.
    label = error.label and fix.label
    return error._replace(score=best.score + added, parts=(*best.parts, (name, added)), label=label)
