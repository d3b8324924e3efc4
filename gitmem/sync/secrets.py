"""Secrets in record files that gitmem did not write: taken out of everything derived from them.

What gitmem writes has none. A file that somebody edited, or that another tool or an older
version wrote, may. The file stays as it is; lists, the index and vectors never hold its secrets.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import InvalidError
from gitmem.records.convert import from_data, to_data
from gitmem.records.problems import Problem
from gitmem.redaction.allowed import Allowed, from_settings
from gitmem.redaction.data import redact_data
from gitmem.redaction.redact import redact
from gitmem.redaction.spans import SecretFinding

if TYPE_CHECKING:
    from gitmem.config import Pass
    from gitmem.records.kinds import Record

CODE: Final = "secret"
_HINT: Final = "revoke it, then remove it from this file"
HELD: Final = Problem("", CODE, "a value in this file looks like a secret", _HINT)
"""What is told where only YAML's escapes show the secret; it has no place in the text."""

# Well below what redaction reads of one text.
_TOGETHER: Final = 1_048_576
_APART: Final = "\n\n"


def suspects(texts: Mapping[int, str], passes: "tuple[Pass, ...]") -> set[int]:
    """Give the numbers of the texts of files that may hold secrets; nearly all surely hold none.

    Files are searched together: one long text takes a third of the time of many short ones.
    """
    allow = from_settings(passes)[0]
    # YAML's escapes can hide a secret from whoever reads only the file.
    numbers = {number for number, text in texts.items() if "\\" in text}
    together: list[int] = []
    size = 0
    for number, text in texts.items():
        together.append(number)
        size += len(text)
        if size > _TOGETHER:
            numbers |= _hit(texts, together, allow)
            together, size = [], 0
    return numbers | _hit(texts, together, allow)


def problems_of(
    path: str, text: str, passes: "tuple[Pass, ...]", environ: Mapping[str, str]
) -> list[Problem]:
    """List the places of a file that hold what looks like a secret."""
    findings = redact(text, environ=environ, allow=from_settings(passes)[0]).found
    return [_problem(path, finding) for finding in findings]


def _hit(texts: Mapping[int, str], numbers: Sequence[int], allow: tuple[Allowed, ...]) -> set[int]:
    """Give those of some files that a finding in all of their texts together stands in."""
    pieces = [texts[number] + _APART for number in numbers]
    findings = redact("".join(pieces), environ={}, allow=allow).found
    if not findings:
        return set()
    if any(finding.kind == "rest" for finding in findings):
        return set(numbers)
    ends = list(accumulate(piece.count("\n") for piece in pieces))
    return {numbers[bisect_left(ends, finding.line)] for finding in findings}


def without_secrets(
    record: "Record",
    passes: "tuple[Pass, ...]" = (),
    environ: Mapping[str, str] = MappingProxyType({}),
) -> "Record":
    """Give a record with labels in the place of its secrets; one without any as it is.

    A field that would not be valid with a label in it, such as an id, stays as it is.
    """
    fields = to_data(record)
    redacted, findings = redact_data(fields, environ=environ, allow=from_settings(passes)[0])
    if not findings:
        return record
    for name, value in redacted.items():
        if name in fields and value is not fields[name]:
            record = _with(record, name, value)
    return record


def _with(record: "Record", name: str, value: Any) -> "Record":  # noqa: ANN401  plain data
    try:
        return from_data({**to_data(record), name: value})
    except InvalidError:
        return record


def _problem(path: str, finding: SecretFinding) -> Problem:
    message = f"this looks like a secret ({finding.kind}: {finding.hint})"
    return Problem(path, CODE, message, _HINT, finding.line, finding.column)
