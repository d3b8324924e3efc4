"""How long a pattern may take on a line, estimated from above, before it is ever tried.

A pattern is seen as a sequence of parts. Each can end in some number of *ways*, and takes some
*steps* to try them all. Where what follows a repetition can't be what is repeated, the repetition
has one way only: it gives back what it took, and nothing of that can go on. Where it has more,
all that follows is tried for each. Steps are a polynomial of the line's length. A pattern that
would take too long even on short lines is refused; one that is fine on lines up to some length is
asked on no longer ones.

So ``(a+)+`` is refused, ``(?:,[a-z]+)*`` is not: of the latter only one reading is possible.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from gitmem.tools.common.pattern_chars import ALPHABET, ONE_SIGN, chars_of

MOST_STEPS: Final = 6_000_000
"""On one line: some hundredths of a second, and a line that takes so many is rare."""
LENGTHS: Final = (2_000, 1_000, 500, 250, 150)
"""Characters of a line up to which a pattern may be asked."""
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_GROUPS: Final = ("SUBPATTERN", "ATOMIC_GROUP")
_END: Final = ("AT_END", "AT_END_STRING")
_ANY: Final = frozenset(ALPHABET)
_ESCAPE: Final = frozenset("\x1b")
_MOST_DEEP: Final = 20
_MOST_DEGREE: Final = 6
_FEW: Final = 8
"""Ways that are counted rather than taken for as many as a line has characters."""


class SlowPattern(Exception):  # noqa: N818  a reason, not a fault
    """A pattern may take long; says why."""


class Growth(NamedTuple):
    """A number that grows with the length of a line: a polynomial, its constant first."""

    terms: tuple[float, ...] = (1.0,)

    def plus(self, other: "Growth") -> "Growth":
        """Add another one."""
        return Growth(tuple(map(sum, zip_longest(self.terms, other.terms, fillvalue=0.0))))

    def times(self, other: "Growth") -> "Growth":
        """Multiply with another one."""
        terms = [0.0] * (len(self.terms) + len(other.terms) - 1)
        for at, term in enumerate(self.terms):
            for further, another in enumerate(other.terms):
                terms[at + further] += term * another
        if len(terms) > _MOST_DEGREE:
            raise SlowPattern("can match in too many ways")
        return Growth(tuple(terms))

    def summed(self, share: float = 1.0) -> "Growth":
        """Sum up over the places of a line what each asks of the line's rest.

        Args:
            share: the part of all places that counts.

        """
        integral = (0.0, *(term / (at + 1) for at, term in enumerate(self.terms)))
        if len(integral) > _MOST_DEGREE:
            raise SlowPattern("can match in too many ways")
        return Growth(tuple(term * share for term in integral)).plus(self)

    def at(self, length: int) -> float:
        """Give the number for a length."""
        return sum(term * float(length) ** at for at, term in enumerate(self.terms))


_ONE: Final = Growth()
_LENGTH: Final = Growth((0.0, 1.0))


class _Part(NamedTuple):
    """A part of a sequence.

    Attributes:
        begins: which characters it can begin with.
        holds: which characters it can hold.
        least: it takes at least one character.
        ways: in how many ways it can end.
        paths: in how many ways it can end at one place.
        steps: how many it takes to try them all.
        repeats: it is a repetition, so where it ends may be told by what follows.
        single: it is one character.

    """

    begins: frozenset[str]
    holds: frozenset[str]
    least: bool = False
    ways: Growth = _ONE
    paths: Growth = _ONE
    steps: Growth = _ONE
    repeats: bool = False
    single: bool = False


class _FixedRun(NamedTuple):
    """Parts after a repetition that must come once it has ended, up to the next open one.

    It begins with a character that its repetitions can't hold, so no place of a line is looked at
    more than some times for it, however often it is tried, and it can't be found more often than
    the line has room for it.

    Attributes:
        end: index after its last part.
        share: how many of it a line can hold, for each character of the line.
        tries: steps of all tries, for each character of the line.
        ways: in how many ways it can match.

    """

    end: int
    share: float
    tries: float
    ways: Growth


_NOTHING: Final = _Part(frozenset(), frozenset())
"""An anchor, or what looks around: it takes no character."""


def longest_line(tree: Sequence[Any]) -> int:
    """Give how long a line may be for a parsed pattern to be asked about it.

    Raises:
        SlowPattern: if it may take long on any.

    """
    items = list(tree)
    steps = _steps(items)
    if not is_anchored(items):
        steps = steps.summed()
    for length in LENGTHS:
        if steps.at(length) <= MOST_STEPS:
            return length
    raise SlowPattern("can match in too many ways")


def is_anchored(items: Sequence[Any]) -> bool:
    """Tell whether nothing can be found further right in a line than from its beginning.

    That is so, too, where a pattern begins with ``.*``: it takes what lies before.
    """
    for at, (op, value) in enumerate(items):
        name = str(op)
        if name == "AT":
            if str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
                return True
        elif name == "SUBPATTERN":
            return not at and is_anchored(value[3])
        else:
            return not at and name in ("MAX_REPEAT", "MIN_REPEAT") and _takes_all(value)
    return False


def _takes_all(value: Any) -> bool:  # noqa: ANN401  of a parsed pattern
    least, most, items = value
    return str(most) == "MAXREPEAT" and least <= 1 and [str(op) for op, _ in items] == ["ANY"]


def _steps(items: Sequence[Any]) -> Growth:
    """Estimate the steps of a whole pattern from one place of a line."""
    flat = _opened(items)
    # What ends with .* can't fail there: all that is left is taken.
    if not (flat and str(flat[-1][0]) in _REPEATS and _takes_all(flat[-1][1])):
        return _tried(_parts(items))[1]
    parts = _parts(flat[:-1])
    if parts and parts[-1].repeats:
        # It can only fail where nearly nothing is left: after one try or two.
        parts[-1] = parts[-1]._replace(ways=_ONE, paths=_ONE, steps=_ONE)
    return _tried(parts)[1].plus(_LENGTH).plus(_LENGTH)


def _tried(parts: Sequence[_Part], after: Sequence[_Part] = ()) -> tuple[Growth, Growth]:
    """Give the ways in which a sequence can end, and its steps.

    Args:
        parts: the sequence.
        after: what follows it.

    """
    following = [*parts, *after]
    own = [
        part.paths if part.repeats and _ends_surely(part, following[at + 1 :]) else part.ways
        for at, part in enumerate(parts)
    ]
    ways = _ONE
    steps = [_ONE] * (len(parts) + 1)
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        ways = ways.times(own[at])
        if own[at] != _LENGTH or part.paths != _ONE:
            steps[at] = part.steps.plus(own[at].times(steps[at + 1]))
        elif block := _block(parts, own, at + 1):
            successes = block.ways.times(steps[block.end]).summed(block.share)
            steps[at] = part.steps.plus(Growth((1.0, 1.0 + block.tries))).plus(successes)
        else:
            steps[at] = part.steps.plus(steps[at + 1].summed())
    return ways, steps[0]


def _block(parts: Sequence[_Part], own: Sequence[Growth], start: int) -> _FixedRun | None:
    """Find what must follow a repetition at once; None: nothing that bounds it."""
    if start >= len(parts) or not parts[start].single:
        return None
    first = parts[start].begins
    least, again, ways, end = 1, 1, _ONE, start + 1
    for part, its_ways in zip(parts[start + 1 :], own[start + 1 :], strict=True):
        meets = bool(part.holds & first)
        few = len(its_ways.terms) == 1 and its_ways.terms[0] <= _FEW
        quick = part.repeats or part.steps.at(1_000) <= _FEW**2
        if not few or not quick or (meets and not part.single):
            break
        again += meets
        least += part.least
        ways = ways.times(its_ways)
        end += 1
    return _FixedRun(end, again / least, float(again * (end - start)), ways)


def _parts(items: Sequence[Any], after: Sequence[_Part] = (), depth: int = 0) -> list[_Part]:
    """See parsed items as parts, from right to left: what a part does depends on the rest."""
    if depth > _MOST_DEEP:
        raise SlowPattern("has groups in groups too deeply")
    parts: list[_Part] = []
    for op, value in reversed(items):
        name, rest = str(op), [*parts, *after]
        if name in _GROUPS:
            inner = value[3] if name == "SUBPATTERN" else value
            parts[:0] = _parts(inner, rest, depth + 1)
        elif name in _REPEATS:
            parts[:0] = _repetition(value, rest, depth + 1)
        elif name == "BRANCH":
            parts.insert(0, _choice(value[1], rest, depth + 1))
        elif name in ("ASSERT", "ASSERT_NOT"):
            parts.insert(0, _NOTHING._replace(steps=_tried(_parts(value[1], (), depth + 1))[1]))
        elif name in ONE_SIGN:
            chars = _chars(name, tuple(value) if name == "IN" else value)
            parts.insert(0, _Part(chars, chars, least=True, single=True))
        elif name == "AT":
            parts.insert(0, _NOTHING)
        else:
            what = "refers back to a group" if "GROUPREF" in name else f"holds {name.lower()}"
            raise SlowPattern(what)
    return parts


def _repetition(value: Any, after: Sequence[_Part], depth: int) -> list[_Part]:  # noqa: ANN401
    least, most = int(value[0]), int(value[1])
    inner = _parts(value[2], after if most <= 1 else (), depth)
    body = _joined(inner)
    if not least and body.begins == _ESCAPE:
        return []  # colours of terminals, and no line that is asked has any
    if most <= 1:
        ways, steps = _tried(inner, after)
        if least:
            return inner
        whole = body._replace(ways=ways.plus(_ONE), paths=ways, steps=steps.plus(_ONE))
        return [whole._replace(least=False, repeats=True)]
    several = any(part.ways != _ONE or part.repeats for part in inner)
    if several and not _has_one_reading(inner, body):
        choice = any(part.ways != _ONE and not part.repeats for part in inner)
        raise SlowPattern(f"has {'alternatives' if choice else 'a repetition'} inside a repetition")
    few = not several and most - least < _FEW
    steps = Growth((0.0, sum(part.steps.at(1) for part in inner)))
    if any(len(part.steps.terms) > 1 and not part.repeats for part in inner):
        raise SlowPattern("looks around inside a repetition")
    return [
        body._replace(
            least=bool(least) and body.least,
            ways=Growth((most - least + 1.0,)) if few else _LENGTH,
            steps=steps,
            repeats=True,
        )
    ]


def _choice(branches: Sequence[Any], after: Sequence[_Part], depth: int) -> _Part:
    """Join alternatives: of those that begin differently only one can match at a place."""
    alternatives = [_parts(branch, after, depth) for branch in branches]
    whole = [_tried(parts, after) for parts in alternatives]
    bodies = [_joined(parts) for parts in alternatives]
    least = all(body.least for body in bodies)
    begins = frozenset[str]().union(*(body.begins for body in bodies))
    apart = least and sum(len(body.begins) for body in bodies) == len(begins)
    ways, steps = whole[0]
    for more, further in whole[1:]:
        steps = steps.plus(further)
        ways = (
            Growth(tuple(map(max, zip_longest(ways.terms, more.terms, fillvalue=0.0))))
            if apart
            else ways.plus(more)
        )
    holds = frozenset[str]().union(*(body.holds for body in bodies))
    return _Part(begins, holds, least, ways, ways, steps)


def _has_one_reading(inner: Sequence[_Part], body: _Part) -> bool:
    """Tell whether what is repeated can be read in one way only, however often it comes."""
    return body.least and all(
        part.paths == _ONE and _ends_surely(part, [*inner[at + 1 :], body])
        if part.repeats
        else part.ways == _ONE
        for at, part in enumerate(inner)
    )


def _joined(parts: Sequence[_Part]) -> _Part:
    """See a sequence as one part, of one way."""
    begins: frozenset[str] = frozenset()
    least = False
    for part in parts:
        begins |= part.begins
        if part.least:
            least = True
            break
    holds = frozenset[str]().union(*(part.holds for part in parts))
    return _Part(begins if least else _ANY, holds, least)


def _ends_surely(part: _Part, rest: Sequence[_Part]) -> bool:
    """Tell whether what follows says where a part ends: nothing it could hold itself."""
    for following in rest:
        if following.begins & part.holds:
            return False
        if following.least:
            return True
    return False


def _opened(items: Sequence[Any]) -> list[Any]:
    """Open groups at the end of a sequence, so that its last part stands there; without ``$``."""
    flat = list(items)
    while flat:
        op, value = flat.pop()
        if str(op) == "SUBPATTERN":
            flat += list(value[3])
        elif not (str(op) == "AT" and str(value) in _END):
            flat.append((op, value))
            break
    return flat


@lru_cache(maxsize=2_048)
def _chars(name: str, value: Any) -> frozenset[str]:  # noqa: ANN401  of a parsed pattern
    return chars_of(name, value)
