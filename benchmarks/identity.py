"""Groups of outputs around one failure, and what is told of each: right, missed or false.

Of a group the text ``a`` is recorded, with a fix. Each other text is asked about: ``same`` is that
failure, ``related`` the same kind of mistake elsewhere, ``other`` another failure that looks like
it. ``tests/identity/README.md`` says how the groups were made.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from gitmem.capture.fingerprinted import FingerprintedFailure, places_of
from gitmem.matching import labels
from gitmem.matching.basis import tells_only_the_end
from gitmem.matching.parse import Parser, parse
from gitmem.matching.recorded import names_others, prints_of
from gitmem.output.failure import Failure, as_fields
from gitmem.redaction import redact_data

NOTHING: Final = "-"
ORDER: Final = (NOTHING, "similar", "beside", "message", "error")
"""What can be told of a failure, the least first; ``beside`` is another one in the same place."""
KNOWN: Final = {
    labels.SAME_ERROR: "error",
    labels.SAME_MESSAGE: "message",
}
"""What a label is called here; with each of them the fix is shown."""
HELPS: Final = frozenset({"error", "message"})
"""What is told of a failure that is the recorded one."""
VARIANTS: Final = ("same", "related", "other")
_NO_FAILURE: Final = frozenset({"consequence", "warning"})
_QUOTES: Final = re.compile("['\"`]")
_PARTS: Final = ("type", "message", "file", "line", "test")

Group = Mapping[str, Any]
"""One line of a file of groups."""


class FailureAnswer(NamedTuple):
    """What is told of one failure of a text."""

    label: str
    title: str
    fields: Mapping[str, Any]


class GroupAnswers(NamedTuple):
    """What is read of a group's recorded text, and what is told of each of its other texts."""

    read: tuple[Mapping[str, Any], ...]
    texts: Mapping[str, tuple[tuple[FailureAnswer, ...], ...]]


class Asker(Protocol):
    """Records a group's text, and asks about the others."""

    def __call__(self, group: Group) -> GroupAnswers:
        """Answer one group."""


def read_groups(path: str) -> list[Group]:
    """Read a file of groups."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def ask_by_fingerprints(group: Group) -> GroupAnswers:
    """Answer one group without a repository: by what failures have in common alone."""
    parser = Parser(None)
    parser.feed(group["a"].encode())
    recorded = [_fingerprinted(failure) for failure in parser.close() if _fails(failure)]
    texts = {
        name: tuple(
            tuple(
                FailureAnswer(label_of(recorded, failure), failure.title, failure.fields)
                for failure in fingerprinted_in(text)
            )
            for text in group.get(name, ())
        )
        for name in VARIANTS
    }
    return GroupAnswers(tuple(failure.fields for failure in recorded), texts)


def fingerprinted_in(text: str) -> list[FingerprintedFailure]:
    """Give the failures in a text, as a record of them would be."""
    return [_fingerprinted(failure) for failure in parse(text) if _fails(failure)]


def _fails(failure: Failure) -> bool:
    return failure.severity not in _NO_FAILURE


def _fingerprinted(failure: Failure) -> FingerprintedFailure:
    fields = dict(redact_data(as_fields(failure), environ={})[0])
    prints = prints_of(fields)
    return FingerprintedFailure(*prints.values, fields, places_of(fields))


def label_of(recorded: Sequence[FingerprintedFailure], failure: FingerprintedFailure) -> str:
    """Say what is told of a failure where others are recorded: one of ``ORDER``."""
    if not tells_only_the_end(failure.fields):
        agreeing, others = [], list(recorded)
        for level in labels.LOOKED_UP:  # a record counts at the first level at which it agrees
            agree = [each for each in others if _agree(level, each, failure)]
            others = [each for each in others if each not in agree]
            if agree:
                agreeing.append(labels.label_of(level, failure.fields))
        if agreeing:
            return next((KNOWN[label] for label in agreeing if label in KNOWN), "beside")
    alike = failure.template and any(each.template == failure.template for each in recorded)
    return "similar" if alike else NOTHING


def _agree(level: str, recorded: FingerprintedFailure, failure: FingerprintedFailure) -> bool:
    value = getattr(failure, level)
    if not value or value != getattr(recorded, level):
        return False
    if level == "message":
        return not names_others(failure.title, recorded.title)
    if level in {"site", "place"} and not labels.is_placed(failure.fields):
        alike = bool(failure.message) and failure.message == recorded.message
        return alike and not names_others(failure.title, recorded.title)
    return True


def strongest(answers: Sequence[FailureAnswer]) -> str:
    """Give the most that is told of any failure of a text."""
    return max((answer.label for answer in answers), key=ORDER.index, default=NOTHING)


def label_by_cause(group: Group, answers: Sequence[FailureAnswer]) -> str:
    """Give what is told of the failure that is meant, not of a line that only follows from it."""
    words = str(group["cause"].get("message_contains", ""))
    if not words:
        return strongest(answers)
    # Names may differ in a variant: the failure that is meant is that with the first words.
    probe = _QUOTES.split(words, maxsplit=1)[0].strip() or words
    return strongest([answer for answer in answers if _holds(answer.fields, probe)])


def parts_of_cause(group: Group, read: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    """Say of each part of a group's cause whether the failure that fits best has it."""
    best: dict[str, bool] = {}
    for fields in read or ({},):
        fits = dict(_fitting(group["cause"], fields))
        if not best or sum(fits.values()) > sum(best.values()):
            best = fits
    return {part: best[part] for part in _PARTS if part in best}


def _fitting(cause: Mapping[str, Any], fields: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    tests: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], bool]] = {
        "type": _fits_type,
        "message": lambda cause, fields: _holds(fields, str(cause["message_contains"])),
        "file": lambda cause, fields: bool(_places(cause, fields)),
        "line": _fits_line,
        "test": _fits_test,
    }
    needs = {"message": ("message_contains",), "line": ("file", "line")}
    for part in _PARTS:
        if all(cause.get(name) for name in needs.get(part, (part,))):
            yield part, tests[part](cause, fields)


def _fits_type(cause: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    code = str(fields.get("code", ""))
    names = [str(fields.get("error_type", "")), code, *code.split("/")]
    whole = str(cause["type"]).lower()
    return whole in map(str.lower, names) or _last(whole) in map(_last, names)


def _last(name: str) -> str:
    return name.lower().replace("::", ".").rpartition(".")[2]


def _fits_line(cause: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    lines = [line for _, line in _places(cause, fields)]
    return int(cause["line"]) in [*lines, (fields.get("test") or {}).get("failing_line")]


def _places(cause: Mapping[str, Any], fields: Mapping[str, Any]) -> list[tuple[str, int | None]]:
    """Give the places of a failure that are in the cause's file."""
    place = fields.get("location") or {}
    frames = list(fields.get("frames") or ())
    last = ([frame for frame in frames if frame.get("in_app")] or frames)[-1:]
    file = str(cause["file"]).replace("\\", "/")
    places = [
        (str(each.get("file", "")).replace("\\", "/"), each.get("line")) for each in (place, *last)
    ]
    # A path with blanks holds words of the message, too.
    return [
        (path, line)
        for path, line in places
        if f"/{path}".endswith(f"/{file}") and " " not in path.replace(file, "")
    ]


def _fits_test(cause: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    test = "".join(str(cause["test"]).split()).lower()
    name = "".join(str((fields.get("test") or {}).get("name", "")).split()).lower()
    return bool(name) and (test in name or name in test)


def _holds(fields: Mapping[str, Any], words: str) -> bool:
    """Tell whether a failure says some words, however its lines are broken."""
    texts = [str(fields.get(key, "")) for key in ("error_type", "code", "message")]
    texts.append(json.dumps(fields.get("test") or {}))
    squeezed = " ".join(" ".join(texts).replace("\\n", " ").replace('\\"', '"').split())
    return " ".join(words.split()).lower() in squeezed.lower()
