"""Say why: what counts in a failure, what was masked and why, why two are or are not one."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.matching.counted import NAME, CountedPart, counted
from gitmem.matching.fingerprint import LEVELS, Fingerprints, fingerprints
from gitmem.matching.labels import is_placed
from gitmem.matching.masks import MaskRule
from gitmem.matching.naming import name_in, with_canonical_names
from gitmem.matching.normalise import Masked, normalise
from gitmem.matching.sameness import compares
from gitmem.matching.site import error_name
from gitmem.matching.wordings import with_canonical_wording
from gitmem.output.failure import Failure, StackFrame, as_fields
from gitmem.tools.common.frames import asserting, file_key

_MARKS: Final = ".,:;()[]"
_SAME: Final = {
    "exact": "the same error: type, message, names, causes and place agree, and what proves it",
    "site": "the same failure: only the source line that failed, or the file, is another one",
    "place": "another error in the same place",
    "message": "the same message in another place",
    "template": "the same kind of mistake, about something else",
    "kind": "only the same kind of error",
    "": "different errors",
}
_SAME_TEST: Final = {
    "site": "the same comparison fails still: its values or its line are others",
    "place": "another comparison in the same place",
}
"""What it means where values are compared."""
_SAME_WORDS: Final = {
    "site": "the same message: nothing tells that it is the same error",
    "place": "the same kind of mistake, about something else",
}
"""What it means where no place is known: then the words stand for it."""
_SILENT: Final = {
    "exact": "nothing here proves that two such failures are one",
    "site": "it says nothing that could be known again",
    "place": "it says nothing that could be known again",
    "message": "such a message stands in any failure, or only tells of an end",
    "template": "such a message stands in any failure, or only tells of an end",
    "kind": "it has no code, no type and no message",
}
_BY_FOLDER: Final = ("path", "file", "temporary name")
_MASKED_FOR: Final = {
    "wording": "versions and tools word it differently",
    "suggestion": "advice tells of the next step, not of the failure",
    "aside": "it only explains",
    **dict.fromkeys(_BY_FOLDER, "where files lie differs between machines"),
}
_COMPARED: Final = (
    "place", "test", "message", "types in the message", "cause", "source line",
    "compared values", "line number", "file",
)  # fmt: skip
"""What two failures are compared by, beside names."""
_PLURALS: Final = ("compared values", "types in the message")


class Explanation(NamedTuple):
    """How a failure's fingerprints came about.

    Attributes:
        levels: name, hash and readable key of each level, exact first.
        masked: what was masked in the message, in order.
        frames: each frame, and why it counts or does not.
        counts: what counts, and at which levels.
        reasons: why each thing was masked, and where a name in it counts all the same.

    """

    levels: tuple[tuple[str, str, str], ...]
    masked: tuple[Masked, ...]
    frames: tuple[tuple[StackFrame, str], ...]
    counts: tuple[CountedPart, ...] = ()
    reasons: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Write it out for people."""
        lines = [
            f"{name:9} {value}  {key}" if value else f"{name:9} none: {_SILENT[name]}"
            for name, value, key in self.levels
        ]
        lines += [
            f"counts    {part.what}: {_short(part.text)} ({', '.join(part.levels)})"
            for part in self.counts
        ]
        lines += [
            f"masked    {masked.name}: {_short(masked.original)} -> {masked.mask}; {why}"
            for masked, why in zip(self.masked, self.reasons, strict=True)
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
    parts = counted(failure, rules)
    masked = (*_renamed(failure), *normalise(failure.message, rules).masked)
    return Explanation(
        levels=tuple(zip(LEVELS, prints.values, prints.keys, strict=True)),
        masked=masked,
        frames=tuple((frame, _why(frame)) for frame in failure.frames),
        counts=parts,
        reasons=tuple(_why_masked(each, failure, parts, rules) for each in masked),
    )


def _why_masked(
    masked: Masked, failure: Failure, parts: Iterable[CountedPart], rules: Sequence[MaskRule]
) -> str:
    """Say why something was masked, and at which levels a name in it counts all the same."""
    if any(masked.name == rule.name for rule in rules):
        return "by a rule of the team"
    named = name_in(masked)
    levels = next((part.levels for part in parts if part.what == NAME and part.text == named), ())
    if levels:
        return f"the name {_quoted(named)} counts at {', '.join(levels)}"
    if compares(failure) and masked.name != "wording":
        return "a value of a comparison counts at exact alone"
    return _MASKED_FOR.get(masked.name, "it varies from one occurrence to the next")


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
    level = next((name for name, same in _agreeing(mine, others) if same), "")
    own, other = counted(first, rules), counted(second, rules)
    reasons = [
        *_told_levels(mine, others),
        _names(_texts(own, NAME), _texts(other, NAME)),
        _told("type", error_name(first), error_name(second)),
        _told("code", first.code, second.code),
    ]
    reasons += [
        f"also reported as: {_short(masked.original)} is {_short(masked.mask)}"
        for each in (first, second)
        for masked in _renamed(each)
    ]
    reasons.append(_word(*(" ".join(_texts(parts, "message")) for parts in (own, other))))
    reasons += [
        _told(what, *(", ".join(_texts(parts, what)) for parts in (own, other)))
        for what in _COMPARED
    ]
    reasons += _not_compared(first, second, rules)
    # Without a place the words stand for it: with the same names they are the message.
    worded = level == "place" and mine.message == others.message != ""
    worded = worded and _texts(own, NAME) == _texts(other, NAME)
    verdict = _verdict("site" if worded and not _is_placed(first) else level, first)
    return FailureComparison(level, verdict, tuple(filter(None, reasons)))


def _agreeing(mine: Fingerprints, others: Fingerprints) -> list[tuple[str, bool]]:
    """Pair each level at which one of two failures says something with whether they agree."""
    return [
        (level, left == right)
        for level, left, right in zip(LEVELS, mine.values, others.values, strict=True)
        if left or right
    ]


def _told_levels(mine: Fingerprints, others: Fingerprints) -> list[str]:
    agreeing = _agreeing(mine, others)
    agree = [level for level, same in agreeing if same]
    differ = [level for level, same in agreeing if not same]
    texts = [("levels that agree", agree), ("levels that differ", differ)]
    return [f"{what}: {', '.join(levels)}" for what, levels in texts if levels]


def _verdict(level: str, failure: Failure) -> str:
    if compares(failure) and level in _SAME_TEST:
        return _SAME_TEST[level]
    if level in _SAME_WORDS and not _is_placed(failure):
        return _SAME_WORDS[level]
    return _SAME[level]


def _is_placed(failure: Failure) -> bool:
    return is_placed(as_fields(failure))


def _names(mine: Sequence[str], others: Sequence[str]) -> str:
    """Say which names in the messages are not the same."""
    first = [_quoted(name) for name in mine if name not in others]
    second = [_quoted(name) for name in others if name not in mine]
    if not first and not second:
        return f"names agree: {', '.join(map(_quoted, mine))}" if mine else ""
    if len(first) == len(second) == 1:
        return f"not the same: {first[0]} and {second[0]} are names in the message"
    if first and second:
        return f"not the same: the messages name {', '.join(first)} and {', '.join(second)}"
    return f"not the same: only one of the messages names {', '.join(first or second)}"


def _word(mine: str, others: str) -> str:
    """Name the only word in which two messages differ, however often they say it."""
    first, second = mine.split(), others.split()
    pairs = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    words = {tuple(word.strip(_MARKS) for word in pair) for pair in pairs}
    if len(first) != len(second) or len(words) != 1 or len(first) == 1:
        return ""
    differing = pairs[0] if len(pairs) == 1 else words.pop()
    return f"not the same: {' and '.join(map(_quoted, differing))} stand in the message"


def _not_compared(first: Failure, second: Failure, rules: Sequence[MaskRule]) -> list[str]:
    """Name what differs between two messages and does not count: it varies."""
    first, second = with_canonical_wording(first), with_canonical_wording(second)
    mine, others = normalise(first.message, rules), normalise(second.message, rules)
    if mine.text != others.text:
        return []
    counts = "compared at exact alone" if compares(first) else "not compared"
    return [
        f"{counts} ({left.name}): {_short(left.original)} / {_short(right.original)}"
        for left, right in zip(mine.masked, others.masked, strict=False)
        if left.original != right.original and (compares(first) or name_in(left) == name_in(right))
    ]


def _texts(parts: Iterable[CountedPart], what: str) -> list[str]:
    return [part.text for part in parts if part.what == what]


def _quoted(name: str) -> str:
    return f"`{_short(name)}`"


def _told(what: str, first: str, second: str) -> str:
    if not first and not second:
        return ""
    s = "" if what in _PLURALS else "s"
    if first == second:
        return f"{what} agree{s}: {_short(first)}"
    first, second = _from_difference(first, second)
    return f"{what} differ{s}: {_short(first) or 'none'} / {_short(second) or 'none'}"


def _from_difference(first: str, second: str) -> tuple[str, str]:
    """Leave out the beginning of two texts that are cut before they differ."""
    if not first or not second or _short(first) != _short(second):
        return first, second
    first, second = " ".join(first.split()), " ".join(second.split())
    pairs = zip(first, second, strict=False)
    common = next((n for n, (left, right) in enumerate(pairs) if left != right), len(first))
    start = first.rfind(" ", 0, common) + 1
    return f"… {first[start:]}", f"… {second[start:]}"


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
