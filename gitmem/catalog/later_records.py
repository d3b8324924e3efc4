"""What later records say of fixes: their error came again, or another fix replaces them."""

from collections.abc import Callable, Iterable
from typing import Any, Final

_Among = Callable[[str, Iterable[Any]], list[Any]]
"""Asks the catalog; see ``database``."""

_PATCHED: Final = (
    "SELECT x.id FROM records x WHERE x.id IN ({}) AND EXISTS (SELECT 1 FROM paths c"
    " WHERE c.file = x.file AND c.role = 'patch') AND EXISTS (SELECT 1 FROM links k"
)
# CROSS JOIN keeps the order: the first later record ends the look, and of what is as common as
# thousands of records, none is compared that came before the fix.
_LATER: Final = " AND k.file = x.file AND k.relation = 'fixes' AND again.created > x.created)"
_BY_PRINT: Final = (
    _PATCHED + " CROSS JOIN records e ON e.id = k.target CROSS JOIN prints p"  # noqa: S608  constants
    " ON p.file = e.file AND p.level IN ('exact', 'site') CROSS JOIN prints q"
    " ON q.value = p.value AND q.level = p.level CROSS JOIN records again"
    " ON again.file = q.file AND NOT again.shadowed"
    # At one place another message is another error.
    " WHERE (p.level = 'exact' OR NOT EXISTS (SELECT 1 FROM prints s JOIN prints t"
    " ON t.file = again.file AND t.level = s.level AND t.value <> s.value"
    " WHERE s.file = p.file AND s.level = 'message'))" + _LATER
)
_BY_LINK: Final = (
    _PATCHED + " CROSS JOIN alike a ON a.id = k.target CROSS JOIN alike b"
    " ON b.leader = a.leader CROSS JOIN records again"
    " ON again.id = b.id AND NOT again.shadowed WHERE 1" + _LATER
)
_REPLACED: Final = (
    "SELECT l.target FROM links l JOIN records n ON n.file = l.file WHERE l.target IN ({})"
    " AND l.relation = 'supersedes' AND n.kind = 'fix' AND n.stated = 'worked' AND NOT n.shadowed"
)


def recorded_again(among: _Among, fixes: Iterable[str]) -> set[str]:
    """Give those fixes with a patch of which the same error was recorded after them.

    The same is what has the same exact fingerprint, says the same at the same place, or is said
    to be a duplicate.

    Args:
        among: asks the catalog.
        fixes: ids of fix records.

    """
    wanted = sorted(set(fixes))
    return {row[0] for sql in (_BY_PRINT, _BY_LINK) for row in among(sql, wanted)}


def superseded(among: _Among, fixes: Iterable[str]) -> set[str]:
    """Give those of some fixes that another one replaces, which worked.

    Args:
        among: asks the catalog.
        fixes: ids of fix records.

    """
    return {row[0] for row in among(_REPLACED, fixes)}
