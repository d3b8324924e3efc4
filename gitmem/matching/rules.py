"""Masks that a team adds: a name, a pattern, what stands there instead.

A pattern runs on every message of every failing command, so one that may take long is
refused when the settings are read. It must be short, hold no repetition inside another and
no reference back; and the steps that it can take from one place of a message, estimated from
above, must stay below ``MOST_STEPS``: the ways in which it can match, times the length of what is
repeated. A repetition that ends at something it can't match itself has one way only. A pattern that
can begin at each place of what it repeats takes that at each of them, and may have few ways or few
steps; all such together may take ``MOST_TOGETHER`` steps.
"""

import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from gitmem.config import Mask
from gitmem.errors import InvalidError
from gitmem.matching.masks import MaskRule
from gitmem.tools.common.pattern_chars import ALPHABET, ONE_SIGN, chars_of

MOST_RULES: Final = 50
MOST_PATTERN: Final = 200
MOST_MASK: Final = 60
MOST_STEPS: Final = 8_200
MOST_TOGETHER: Final = 4_100
_FEW_WAYS: Final = 8
_FEW_STEPS: Final = 512
_LONGEST: Final = 2_000  # characters of a message that are looked at
_FORBIDDEN: Final = {
    "GROUPREF": "refers back to a group",
    "GROUPREF_EXISTS": "refers back to a group",
}
_HINT: Final = "write it with bounds, such as [A-Z]{1,20}, and something fixed between repetitions"

_parser: Final[Any] = import_module("re._parser")
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class UserRules(NamedTuple):
    """The rules of a team: those that are good, and what is wrong with the others, a line each."""

    rules: tuple[MaskRule, ...]
    faults: tuple[str, ...]


class _Atom(NamedTuple):
    """A part of a pattern.

    Attributes:
        chars: which characters, of a few that stand for all, it can begin with.
        least: whether it takes at least one character.
        ways: in how many ways it can match at one place.

    """

    chars: frozenset[str]
    least: bool
    ways: int


class _Slow(Exception):  # noqa: N818  a reason, not a fault
    """The pattern may take long; says why."""


@lru_cache(maxsize=8)
def user_rules(masks: tuple[Mask, ...]) -> UserRules:
    """Make the rules of a team's settings; one that can't be is left out and told of."""
    rules: list[MaskRule] = []
    faults: list[str] = []
    left = MOST_TOGETHER
    for mask in masks:
        where = mask.where or "fingerprint.rules"
        if len(rules) == MOST_RULES:
            faults.append(f"{where}: more than {MOST_RULES} rules; this one is ignored")
            continue
        try:
            rule = user_rule(mask.name, mask.pattern, mask.mask)
        except InvalidError as error:
            faults.append(f"{where}: {error.message}" + (f" ({error.hint})" if error.hint else ""))
            continue
        steps = _anywhere(_atoms(list(_parser.parse(mask.pattern)), inside=False))
        if steps > left:
            faults.append(f"{where}: mask {mask.name!r}: with the rules before, too slow ({_HINT})")
            continue
        left -= steps
        rules.append(rule)
    return UserRules(tuple(rules), tuple(faults))


def user_rule(name: str, pattern: str, mask: str = "<*>") -> MaskRule:
    """Check a rule and make it.

    Args:
        name: what it is called in explanations.
        pattern: a regular expression, within the bounds that the module's docstring names.
        mask: plain text that stands in its place.

    Raises:
        InvalidError: if the pattern is no pattern, or one that may take long.

    """
    if not name.strip() or len(name) > MOST_MASK or len(mask) > MOST_MASK:
        message = f"mask {name[:MOST_MASK]!r}: the name or the mask is missing or too long"
        raise InvalidError(message, f"at most {MOST_MASK} characters", name)
    if not pattern or len(pattern) > MOST_PATTERN:
        message = f"mask {name!r}: the pattern is empty or longer than {MOST_PATTERN} characters"
        raise InvalidError(message, _HINT, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern)
            tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise InvalidError(f"mask {name!r}: {error}", "check the pattern", name) from None
    try:
        _check(compiled, list(tree))
    except _Slow as slow:
        raise InvalidError(f"mask {name!r}: the pattern {slow}", _HINT, name) from None
    return MaskRule(name, compiled, mask)


def _check(compiled: re.Pattern[str], tree: list[Any]) -> None:
    if compiled.match(""):
        raise _Slow("matches the empty text")
    atoms = _atoms(tree, inside=False)
    ways, length = _steps(atoms)
    many = ways > _FEW_WAYS and _anywhere(atoms) > _FEW_STEPS
    if many or ways * length > MOST_STEPS:
        raise _Slow("can match in too many ways")


def _anywhere(atoms: Sequence[_Atom]) -> int:
    """Give the steps from each place of what is repeated; 0: it can't begin there."""
    first = next((at for at, atom in enumerate(atoms) if atom.ways > 1), 0)
    repeated = frozenset[str]().union(*(atom.chars for atom in atoms if atom.ways > 1))
    if any(atom.least and not atom.chars & repeated for atom in atoms[:first]):
        return 0
    return _product(atoms)


def _atoms(items: list[Any], *, inside: bool) -> list[_Atom]:
    """Flatten a sequence; groups are opened, alternatives become one part."""
    atoms: list[_Atom] = []
    for op, value in items:
        name = str(op)
        if name in _FORBIDDEN:
            raise _Slow(_FORBIDDEN[name])
        if name == "SUBPATTERN":
            atoms += _atoms(list(value[3]), inside=inside)
        elif name == "ATOMIC_GROUP":
            atoms += _atoms(list(value), inside=inside)
        elif name in _REPEATS:
            atoms += _repeated(value, inside=inside)
        elif name == "BRANCH":
            if inside:
                raise _Slow("has alternatives inside a repetition")
            atoms.append(
                _alternatives([_atoms(list(alternative), inside=False) for alternative in value[1]])
            )
        elif name in ("ASSERT", "ASSERT_NOT"):
            inner = [*_atoms(list(value[1]), inside=inside), _AFTER]
            atoms.append(_AFTER._replace(ways=_product(inner)))
        elif name in ONE_SIGN:
            atoms.append(_Atom(chars_of(name, value), least=True, ways=1))
        else:
            atoms.append(_AFTER)
    return atoms


def _repeated(value: Any, *, inside: bool) -> list[_Atom]:  # noqa: ANN401
    least, most = int(value[0]), int(value[1])
    if inside and not least == most == 1:
        raise _Slow("has a repetition inside a repetition")
    inner = _atoms(list(value[2]), inside=inside or most > 1)
    if least == most == 1:
        return inner
    ways = min(most, _LONGEST) - min(least, _LONGEST) + 1
    chars = frozenset[str]().union(*(atom.chars for atom in inner))
    return [_Atom(chars, least > 0, max(ways * _product([*inner, _AFTER]), 1))]


# What may be anything: an anchor, or whatever comes after.
_AFTER: Final = _Atom(frozenset(ALPHABET), least=False, ways=1)


def _alternatives(alternatives: list[list[_Atom]]) -> _Atom:
    """Join alternatives: of those that begin differently only one can match at a place."""
    steps = [_product([*atoms, _AFTER]) for atoms in alternatives]
    firsts = [
        atoms[0].chars if atoms and atoms[0].least else _AFTER.chars for atoms in alternatives
    ]
    apart = sum(map(len, firsts)) == len(frozenset[str]().union(*firsts))
    return _AFTER._replace(ways=max(steps) if apart else sum(steps))


def _product(atoms: Sequence[_Atom]) -> int:
    """Estimate from above how many steps a sequence can take from one place."""
    ways, length = _steps(atoms)
    return ways * length


def _steps(atoms: Sequence[_Atom]) -> tuple[int, int]:
    """Give in how many ways a sequence can match at one place, and how long one of them takes."""
    ways, length = 1, 1
    for at, atom in enumerate(atoms):
        if atom.ways == 1:
            continue
        if _ends_surely(atom, atoms[at + 1 :]):
            length += atom.ways
        else:
            ways *= atom.ways
    return ways, length


def _ends_surely(atom: _Atom, rest: Sequence[_Atom]) -> bool:
    """Tell whether what follows says where a part ends: nothing it could match itself."""
    for following in rest:
        if following.chars & atom.chars:
            return False
        if following.least:
            return True
    return True
