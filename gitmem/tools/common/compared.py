"""What runners of tests say in one form: which test failed, where, and which values it compared.

The headline, the marks and the order are each runner's own; the values stand below a word such as
``expected``, beside it, or in a difference of lines with signs. They are read here for all.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, Test

_EXPECTED: Final = (
    r"expected(?: (?:value|result|substring|string|text|length|output|this output"
    r"|to (?:be|equal)))?|exp|want(?:ed)?|should (?:be|equal)|right"
)
_ACTUAL: Final = (
    r"(?:but )?(?:actual(?:ly)?|got|received|was|found|have|passed in|instead found(?: this)?|left"
    r"|given|returned)(?: (?:value|result|output|was))?"
)
_LABELLED: Final = lazily(
    rf"(?i)[\s#=|>*]*\$?(?:(?P<expected>{_EXPECTED})|(?P<actual>{_ACTUAL}))(?:->\S{{1,80}})?"
    r"\s*[:=](?!=)\s*(?P<value>.*)$"
)
"""A value behind its word, or below it if nothing stands there."""
_IN_LINE: Final = (
    lazily(
        r"(?i)\bexpected:?\s*(?:<(?P<expected>.{0,400}?)>|(?P<expected_bare>\S.{0,400}?))[,;]?\s+"
        r"(?:but )?(?:(?:was|found|got|actual|received)\s*:?\s*<(?P<actual>.{0,400})>"
        r"|(?:(?:was|actual|received)\s*:|(?:found|got):?)\s*(?P<actual_bare>\S.{0,400}))$"
    ),
    lazily(
        r"(?i)\b(?:got|found|received):?\s*(?P<actual>\S.{0,400}?)[,;]\s+(?:but )?"
        r"(?:expected|wanted|want):?\s*(?P<expected>\S.{0,400})$"
    ),
)
"""Both values in one line."""
_DIFFERENCE: Final = lazily(
    r"(?i)[\s\[#]*(?:diff(?:erence)?\b.*|[-+] (?:actual|expected|received)\b.*)$"
)
_MINUS_IS_ACTUAL: Final = lazily(r"(?i).*(?:-\s*actual|actual\s*/\s*expected|-\s*received)")
_SIGNED: Final = lazily(r"\s*#?\s*(?P<sign>[-+])\s+(?P<value>\S.*)$")
_RULE_BEHIND: Final = lazily(r"\s+[\u2500\u2501=-]{3,}$")
_OF_SUITE: Final = lazily(
    r"(?:test )?(?P<name>\S.{0,200}?) ?\((?P<suite>(?:[A-Za-z_]\w*\.)+\w+"
    r"|[A-Z]\w*(?:[Tt]ests?|Spec|Case))\)(?P<row> [\[(].{0,200})?$"
)
"""A test with its module or class behind it."""
_UNEQUAL: Final = lazily(r"(?P<actual>.{1,1000}?) != (?P<expected>.{1,1000}?)(?: : .*)?$")
_FURTHER: Final = 12
"""Lines of a value that stands below its word."""
_LONGEST: Final = 1_000


def compared(lines: Sequence[str]) -> tuple[str, str]:
    """Give the expected and the actual value that lines tell; empty where they do not."""
    expected, actual = _labelled(lines)
    if expected or actual:
        return expected, actual
    # Each value may stand in a line of its own.
    wrapped = (f"{line.rstrip()} {below.strip()}" for line, below in pairwise(lines))
    for line in chain(lines, wrapped):
        for form in _IN_LINE:
            if match := form.search(line):
                parts = match.groupdict()
                wanted = parts["expected"] or parts.get("expected_bare") or ""
                got = parts["actual"] or parts.get("actual_bare") or ""
                return wanted.strip()[:_LONGEST], got.strip()[:_LONGEST]
    return _differing(lines)


def of_test(
    failure: Failure, name: str, words: Sequence[str], values: tuple[str, str] | None = None
) -> Failure:
    """Make a failure that of a test.

    Args:
        failure: what else is known of it; its message may be set already.
        name: of the test.
        words: what was said of it, line by line.
        values: the expected and the actual one; None: as ``words`` tell them.

    """
    name = whole_name(name)
    wording = [line.rstrip() for line in words if line.strip()]
    message = (failure.message or "\n".join(wording).strip())[:MAX_MESSAGE]
    expected, actual = compared(wording) if values is None else values
    place = failure.location
    test = Test(
        name,
        expected=expected[:_LONGEST],
        actual=actual[:_LONGEST],
        message=message.partition("\n")[0][:_LONGEST],
        failing_line=place.line if place else None,
    )
    return failure._replace(message=message or f"{name} failed", test=test)


def unequal(text: str) -> tuple[str, str]:
    """Give the expected and the actual value of Python's ``ACTUAL != EXPECTED``; empty if none."""
    match = _UNEQUAL.match(text)
    return (match["expected"], match["actual"]) if match else ("", "")


def whole_name(name: str) -> str:
    """Give a test's name as most runners write it: its suite first, without marks and rules.

    ``test adds (CartTest)`` is ``CartTest \u203a adds``; ``test_a (tests.B)``, ``tests.B.test_a``.
    """
    name = _RULE_BEHIND.sub("", name)
    match = _OF_SUITE.match(name)
    if match is None:
        return name
    suite, own, row = match["suite"], match["name"], match["row"] or ""
    if suite.endswith(f".{own}"):
        return suite + row
    return f"{suite}.{own}{row}" if own.isidentifier() else f"{suite} \u203a {own}{row}"


def place_of(file: str, line: str | None, column: str | None = None) -> FailureLocation:
    """Give a place of parts of a pattern."""
    return FailureLocation(file, int(line) if line else None, int(column) if column else None)


def _labelled(lines: Sequence[str]) -> tuple[str, str]:
    values: dict[str, str] = {}
    for at, line in enumerate(lines):
        match = _LABELLED.match(line)
        if match is None:
            continue
        key = "expected" if match["expected"] else "actual"
        value = match["value"].strip(" =")
        if not value:
            value = _below(lines, at + 1)
        values.setdefault(key, value)
    return values.get("expected", "")[:_LONGEST], values.get("actual", "")[:_LONGEST]


def _below(lines: Sequence[str], at: int) -> str:
    """Give the value that stands below its word."""
    value: list[str] = []
    for line in lines[at : at + _FURTHER]:
        if _LABELLED.match(line) or (value and not line.strip()):
            break
        value.append(line.strip())
    return "\n".join(value).strip()


def _differing(lines: Sequence[str]) -> tuple[str, str]:
    """Read a difference: which sign is whose is said above it or below."""
    legend = [line for line in lines if _DIFFERENCE.match(line)]
    if not legend:
        return "", ""
    signed: dict[str, list[str]] = {"-": [], "+": []}
    for line in lines:
        match = None if _DIFFERENCE.match(line) else _SIGNED.match(line)
        if match:
            signed[match["sign"]].append(match["value"].strip())
    minus, plus = ("\n".join(values)[:_LONGEST] for values in (signed["-"], signed["+"]))
    return (plus, minus) if any(map(_MINUS_IS_ACTUAL.match, legend)) else (minus, plus)
