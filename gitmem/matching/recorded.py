"""A failure out of the fields of an ``error`` record, so that both get the same fingerprints.

What a record does not keep (chained causes, severity) must not count in a fingerprint; so
fingerprints of failures just parsed are taken of what a record of them would say, too.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.fingerprint import LEVELS, Fingerprints, fingerprints, hash_of
from gitmem.matching.naming import name_in, with_canonical_names
from gitmem.matching.normalise import QUOTED_NAME, normalise, template
from gitmem.output.failure import (
    CAUSED_BY,
    Failure,
    FailureLocation,
    StackFrame,
    Test,
    as_cause,
    as_fields,
)
from gitmem.tools.choice import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.matching.masks import MaskRule
    from gitmem.records.kinds import Error
    from gitmem.records.parts import OtherCase

_NAME: Final = lazily(
    rf"{QUOTED_NAME}|\u201c[^\u201c\u201d\n]{{1,80}}\u201d|\xab[^\xab\xbb\n]{{1,80}}\xbb"
    r"|`(?=[^`\n]* )[^`\n]{1,200}`"
)
"""A name in quotes, whatever stands in those of print, or a piece of code that is told."""
_FOLDERS: Final = lazily(
    r"(?<=['\"`])(?:[A-Za-z]:)?(?:[\w.~@+-]{0,80}[\\/]){1,40}(?=[A-Za-z_][\w.]{0,80}['\"`])"
)
"""Where a file in quotes is: its name is what tells."""
SIGNATURE: Final = "issue_signature"
"""Names, in the environment of an error, what its tool holds for the same issue."""
_NUMBER: Final = lazily(r"\d+")
_TOLD_APART: Final = ("SyntaxError", "JSONDecodeError", "IndexError", "ZeroDivisionError")
"""Of these some versions of an interpreter tell mistakes apart; see ``wordings``."""


def from_fields(fields: Mapping[str, Any]) -> Failure:
    """Read a failure out of the plain fields of an error record."""
    location, test = fields.get("location"), fields.get("test")
    return Failure(
        tool=str(fields.get("tool", "")),
        language=str(fields.get("language", "")),
        error_type=str(fields.get("error_type", "")),
        code=str(fields.get("code", "")),
        message=str(fields.get("message", "")),
        causes=tuple(map(as_cause, fields.get("chain", ()))),
        frames=tuple(StackFrame(**_known(frame, StackFrame)) for frame in fields.get("frames", ())),
        location=FailureLocation(**_known(location, FailureLocation)) if location else None,
        test=Test(**_known(test, Test)) if test else None,
        excerpt=str(fields.get("excerpt", "")),
    )


def from_record(error: "Error") -> Failure:
    """Read a failure out of an error record: what ``from_fields`` gives of its plain data."""
    return Failure(
        tool=error.tool,
        language=error.language,
        error_type=error.error_type,
        code=error.code,
        message=error.message,
        causes=tuple(map(as_cause, error.chain)),
        frames=_frames_of(error),
        location=_location_of(error),
        test=_test_of(error),
        excerpt=error.excerpt,
    )


def cases_of(error: "Error") -> list[Failure]:
    """Read the failures out of an error record: its own, then what other tests said."""
    first = from_record(error)
    return [
        first,
        *(
            first._replace(
                message=case.message,
                frames=_frames_of(case),
                location=_location_of(case),
                test=_test_of(case),
                excerpt="",
            )
            for case in error.also
        ),
    ]


def _frames_of(case: "Error | OtherCase") -> tuple[StackFrame, ...]:
    return tuple([StackFrame(f.file, f.function, f.line, f.code, f.in_app) for f in case.frames])


def _location_of(case: "Error | OtherCase") -> FailureLocation | None:
    place = case.location
    return FailureLocation(place.file, place.line, place.column, place.code) if place else None


def _test_of(case: "Error | OtherCase") -> Test | None:
    test = case.test
    return Test(**{name: getattr(test, name) for name in Test._fields}) if test else None


def fields_of_cases(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give the fields of each failure of an error: its own, then what other tests said."""
    own = {name: value for name, value in fields.items() if name not in {"excerpt", "also"}}
    return [fields, *({**own, **case} for case in fields.get("also", ()))]


def _known(data: Mapping[str, Any], part: Any) -> dict[str, Any]:  # noqa: ANN401  a NamedTuple
    return {name: value for name, value in data.items() if name in part._fields}


def prints_of(fields: Mapping[str, Any], rules: "Sequence[MaskRule]" = ()) -> Fingerprints:
    """Give the fingerprints of an error record's fields."""
    prints = fingerprints(from_fields(fields), rules)
    return _of_issue(prints, fields.get("environment") or {})


def prints_of_cases(error: "Error", rules: "Sequence[MaskRule]" = ()) -> list[Fingerprints]:
    """Give the fingerprints of an error record: its own, then of what other tests said."""
    own, *others = (fingerprints(case, rules) for case in cases_of(error))
    return [_of_issue(own, error.environment), *others]


def _of_issue(prints: Fingerprints, environment: Mapping[str, Any]) -> Fingerprints:
    """Take the signature of an issue, where one is recorded, for its place.

    A model words one issue in ten ways, and ten issues alike: its signature tells them apart.
    """
    signature = environment.get(SIGNATURE)
    if not signature:
        return prints
    same = hash_of(f"issue | {signature}")
    return prints._replace(exact=same, site=same, place=same)


def prints_of_failure(failure: Failure, rules: "Sequence[MaskRule]" = ()) -> Fingerprints:
    """Give the fingerprints that a record of this failure would have."""
    return prints_of(as_fields(failure), rules)


def other_messages(fields: Mapping[str, Any]) -> list[str]:
    """Give the ``template`` fingerprints of what other versions call a message."""
    told_apart = str(fields.get("error_type", "")).endswith(_TOLD_APART)
    if not told_apart and fields.get("tool") not in values("identity.guesses"):
        return []
    from gitmem.matching.wordings import other_names

    named = other_names(from_fields(fields))
    return list(dict.fromkeys(fingerprints(failure).template for failure in named))


def canonical_message(fields: Mapping[str, Any]) -> str:
    """Give the first line of a message in its canonical wording."""
    from gitmem.matching.wordings import with_canonical_wording

    named = with_canonical_wording(with_canonical_names(from_fields(fields)))
    return named.message.partition("\n")[0]


def levels(prints: Fingerprints) -> tuple[tuple[str, str], ...]:
    """Pair the levels with their values, as the catalog keeps them; empty ones are left out."""
    return tuple(pair for pair in zip(LEVELS, prints.values, strict=True) if pair[1])


def levels_of_cases(prints: "Sequence[Fingerprints]") -> tuple[tuple[str, str], ...]:
    """Pair levels with values for an error that several tests showed in their own words.

    Those of the first are the error's; the others are numbered, from 2: ``site 2``.
    """
    pairs = list(levels(prints[0]))
    earlier = set(pairs)
    for number, other in enumerate(prints[1:], 2):
        pairs += [(f"{level} {number}", value) for level, value in levels(other)
                  if (level, value) not in earlier]  # fmt: skip
        earlier.update(levels(other))
    return tuple(pairs)


def names_others(title: str, other: str) -> bool:
    """Tell whether two titles say the same of other names: ``'a' is undefined``, ``'b' is …``.

    So do those that name other causes. A title in a person's words tells nothing.
    """
    (title, _, cause), (other, _, its_cause) = (
        each.partition(CAUSED_BY) for each in (title, other)
    )
    if cause and its_cause and _is_another(cause, its_cause):
        return True
    title, other = (_FOLDERS.sub("", each) for each in (title, other))
    if _names_in(title) == _names_in(other):
        return False
    # A memory can hold thousands of one message: masking each whole takes 50 us.
    return _outline(title) == _outline(other) or template(title) == template(other)


def _is_another(cause: str, other: str) -> bool:
    texts = [normalise(each) for each in (cause, other)]
    return (
        texts[0].text != texts[1].text
        or {name_in(each) for each in texts[0].masked}
        != {name_in(each) for each in texts[1].masked}
        or names_others(cause, other)
    )


def _names_in(title: str) -> list[str]:
    """Give names without their quotes: one compiler writes others where it has no UTF-8."""
    return [name[1:-1] for name in _NAME.findall(title)]


def _outline(title: str) -> str:
    return _NUMBER.sub("0", _NAME.sub("''", title))
