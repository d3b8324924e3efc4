"""Say why: what was masked in a failure, which frames count, why two are or are not one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.matching.canonical_names import with_canonical_names
from gitmem.matching.fingerprint import LEVELS, Fingerprints, fingerprints
from gitmem.matching.masks import MaskRule
from gitmem.matching.normalise import Masked, normalise
from gitmem.matching.site import error_name
from gitmem.matching.type_values import type_values
from gitmem.matching.wordings import with_canonical_wording
from gitmem.output.failure import Failure, StackFrame
from gitmem.tools.common.frames import asserting, file_key

_SAME: Final = {
    "exact": "the same error: type, place and what proves it agree",
    "site": "the same failure: the line that failed or the compared values differ",
    "place": "another error in the same place",
    "message": "the same message in another place",
    "template": "the same kind of mistake, about something else",
    "kind": "only the same kind of error",
    "": "different errors",
}


class Explanation(NamedTuple):
    """How a failure's fingerprints came about.

    Attributes:
        levels: name, hash and readable key of each level, exact first.
        masked: what was masked in the message, in order.
        frames: each frame, and why it counts or does not.

    """

    levels: tuple[tuple[str, str, str], ...]
    masked: tuple[Masked, ...]
    frames: tuple[tuple[StackFrame, str], ...]

    def lines(self) -> list[str]:
        """Write it out for people."""
        lines = [f"{name:9} {value}  {key}" for name, value, key in self.levels]
        lines += [
            f"masked    {masked.name}: {_short(masked.original)} -> {masked.mask}"
            for masked in self.masked
        ]
        lines += [f"frame     {_place(frame)}: {why}" for frame, why in self.frames]
        return lines


class FailureComparison(NamedTuple):
    """Whether two failures are one.

    Attributes:
        level: the most exact level that agrees; an empty text if none does.
        verdict: that in a sentence.
        reasons: what agrees and what differs, a sentence each.

    """

    level: str
    verdict: str
    reasons: tuple[str, ...]


def explain(failure: Failure, rules: Sequence[MaskRule] = ()) -> Explanation:
    """Show how the fingerprints of a failure came about."""
    prints = fingerprints(failure, rules)
    return Explanation(
        levels=tuple(zip(LEVELS, prints.values, prints.keys, strict=True)),
        masked=(*_renamed(failure), *normalise(failure.message, rules).masked),
        frames=tuple((frame, _why(frame)) for frame in failure.frames),
    )


def _renamed(failure: Failure) -> Sequence[Masked]:
    """Tell under which wording a message is compared, if versions or tools have several."""
    canonical = with_canonical_wording(with_canonical_names(failure))
    here, there = (
        f"{error_name(each)}: {each.message}".removeprefix(": ") for each in (failure, canonical)
    )
    return [Masked("wording", here, there)] if here != there else []


def compare(first: Failure, second: Failure, rules: Sequence[MaskRule] = ()) -> FailureComparison:
    """Show why two failures are or are not the same."""
    first, second = with_canonical_names(first), with_canonical_names(second)
    mine, others = fingerprints(first, rules), fingerprints(second, rules)
    agreed = [
        level
        for level, left, right in zip(LEVELS, mine.values, others.values, strict=True)
        if left == right != ""
    ]
    level = agreed[0] if agreed else ""
    reasons = [_told("type", error_name(first), error_name(second))]
    reasons.append(_told("code", first.code, second.code))
    renamed = [
        f"also reported as: {_short(masked.original)} is {_short(masked.mask)}"
        for each in (first, second)
        for masked in _renamed(each)
    ]
    first, second = with_canonical_wording(first), with_canonical_wording(second)
    first_text, second_text = normalise(first.message, rules), normalise(second.message, rules)
    reasons.append(_told("message without what varies", first_text.text, second_text.text))
    reasons.append(
        _told("types", *(", ".join(type_values(each.message)) for each in (first, second)))
    )
    reasons.append(_told("place", mine.keys[1], others.keys[1]))
    reasons.append(_told("proof", _proof(mine), _proof(others)))
    reasons += [
        f"not compared ({left.name}): {_short(left.original)} / {_short(right.original)}"
        for left, right in zip(first_text.masked, second_text.masked, strict=False)
        if first_text.text == second_text.text and left.original != right.original
    ]
    return FailureComparison(level, _SAME[level], tuple(filter(None, [*renamed, *reasons])))


def _proof(prints: Fingerprints) -> str:
    """Give what the exact level adds to the place."""
    return prints.keys[0].removeprefix(prints.keys[1]).strip(" |")


def _told(what: str, first: str, second: str) -> str:
    if not first and not second:
        return ""
    if first == second:
        return f"{what} agrees: {_short(first)}"
    return f"{what} differs: {_short(first) or 'none'} / {_short(second) or 'none'}"


def _why(frame: StackFrame) -> str:
    if not frame.in_app:
        return "not own code"
    if asserting(frame):
        return "own, but only checks for its caller"
    return f"own, counts as {file_key(frame.file)}"


def _place(frame: StackFrame) -> str:
    line = f":{frame.line}" if frame.line else ""
    return f"{frame.file}{line} {frame.function}".strip()


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 100 else text[:99] + "…"  # noqa: PLR2004
