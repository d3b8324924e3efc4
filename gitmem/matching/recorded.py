"""A failure out of the fields of an ``error`` record, so that both get the same fingerprints.

What a record does not keep (chained causes, severity) must not count in a fingerprint; so
fingerprints of failures just parsed are taken of what a record of them would say, too.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.canonical_names import with_canonical_names
from gitmem.matching.fingerprint import LEVELS, Fingerprints, fingerprints
from gitmem.matching.normalise import QUOTED_NAME, normalise, template
from gitmem.output.failure import Failure, FailureLocation, StackFrame, Test, as_fields
from gitmem.tools.choice import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.matching.masks import MaskRule
    from gitmem.matching.normalise import Masked
    from gitmem.records.kinds import Error

_NAME: Final = lazily(QUOTED_NAME)
_NUMBER: Final = lazily(r"\d+")
_LETTER: Final = lazily(r"[^\W\d_]")
_MASK: Final = lazily(r"<(?:path|file|url|host|hex|time|ip|uuid)>")
_PLACE: Final = lazily(r"(?::\d{1,9}){1,2}$|\(\d{1,9}(?:,\d{1,9})?\)$|, line \d{1,9}$")
_QUOTES: Final = ("'", '"')
_WITH_FOLDERS: Final = ("path", "file", "url")
_IN_SIGNS: Final = ("quoted", "bracketed")
"""Rules of ``masks`` whose matches hold a name."""
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
        frames=tuple(StackFrame(**_known(frame, StackFrame)) for frame in fields.get("frames", ())),
        location=FailureLocation(**_known(location, FailureLocation)) if location else None,
        test=Test(**_known(test, Test)) if test else None,
        excerpt=str(fields.get("excerpt", "")),
    )


def from_record(error: "Error") -> Failure:
    """Read a failure out of an error record: what ``from_fields`` gives of its plain data."""
    place, test = error.location, error.test
    return Failure(
        tool=error.tool,
        language=error.language,
        error_type=error.error_type,
        code=error.code,
        message=error.message,
        frames=tuple(
            [StackFrame(f.file, f.function, f.line, f.code, f.in_app) for f in error.frames]
        ),
        location=FailureLocation(place.file, place.line, place.column, place.code)
        if place
        else None,
        test=Test(**{name: getattr(test, name) for name in Test._fields}) if test else None,
        excerpt=error.excerpt,
    )


def _known(data: Mapping[str, Any], part: Any) -> dict[str, Any]:  # noqa: ANN401  a NamedTuple
    return {name: value for name, value in data.items() if name in part._fields}


def prints_of(fields: Mapping[str, Any], rules: "Sequence[MaskRule]" = ()) -> Fingerprints:
    """Give the fingerprints of an error record's fields."""
    return fingerprints(from_fields(fields), rules)


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
    values = (prints.exact, prints.site, prints.template, prints.kind)
    return tuple(pair for pair in zip(LEVELS, values, strict=True) if pair[1])


def names_others(title: str, other: str) -> bool:
    """Tell whether two titles say the same of other names: ``'a' is undefined``, ``'b' is …``.

    A title in a person's words tells nothing.
    """
    if _NAME.findall(title) == _NAME.findall(other):
        return False
    # A memory can hold thousands of one message: masking each whole takes 50 us.
    return _outline(title) == _outline(other) or template(title) == template(other)


def named_by(failure: Failure, *, whole: bool = True) -> tuple[str, ...]:
    """Give what a message names: keys, packages, files without their folders, parts of code.

    The files of the project that failed are its own: the same failure elsewhere has others.

    Args:
        failure: the failure.
        whole: give all that this tool names; else what every tool and version names.

    """
    from gitmem.matching.wordings import left_out, with_canonical_wording

    named = with_canonical_names(failure)
    own = {_tail(frame.file) for frame in failure.frames if frame.in_app}
    own |= {_tail(failure.location.file)} if failure.location else set()
    message = named.message if whole else with_canonical_wording(named).message
    names = set(map(_name_of, normalise(message).masked))
    names |= set(left_out(named)) if whole else set()
    return tuple(sorted(names - own - {""}))


def _name_of(masked: "Masked") -> str:
    """Give the name in something that was masked; empty: it is a value, or a place."""
    if masked.name in _WITH_FOLDERS:
        name = _tail(masked.original)
        # A folder without an ending is where somebody's project lies.
        file = "." in name or masked.original[0] == "." or "/bin/" in masked.original
        return name if file or masked.name == "url" else ""
    if masked.name not in _IN_SIGNS:
        return ""
    name = masked.original[1:-1]
    literal = name[:1] in _QUOTES or _MASK.search(name)
    return "" if literal or not _LETTER.search(name) else _NUMBER.sub("0", name)


def _tail(path: str) -> str:
    whole = _PLACE.sub("", path).partition("?")[0].rstrip("/")
    return _NUMBER.sub("0", whole.replace("\\", "/").rpartition("/")[2])


def _outline(title: str) -> str:
    return _NUMBER.sub("0", _NAME.sub("''", title))
