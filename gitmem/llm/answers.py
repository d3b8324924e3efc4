"""The forms of a model's answers, sent along as JSON schemas and checked against them. Pure."""

import re
from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Said = Annotated[str, Meta(max_length=500)]
"""Empty where nothing is said."""
Texts = Annotated[list[Text], Meta(max_length=20)]
Ids = Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=50)]
Sure = Literal["high", "medium", "low"]
Topic = Literal[
    "languages", "libraries", "tools", "naming", "formatting", "typing", "documentation", "tests",
    "layout", "design", "workflow",
]  # fmt: skip
_FENCED: Final = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inside>.*)\n\s*```\s*\Z", re.DOTALL)
_LIMITS: Final = frozenset({"minLength", "maxLength", "maxItems", "title"})
"""Words of JSON Schema that servers refuse in a strict form; the limits are checked here."""


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """A session in short. ``reasoning`` says how the outcome follows from the facts."""

    reasoning: Text
    outcome: Text
    done: Texts
    problems: Texts
    recommendations: Texts
    records: Ids


class ModelPattern(Struct, frozen=True, forbid_unknown_fields=True):
    """What several errors have in common, why they come, and what to do."""

    pattern: Text
    root_cause: Text
    prevention: Texts
    quick_fix: Texts
    confidence: Sure
    records: Ids


class Analysis(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns of errors, the most important first."""

    patterns: Annotated[list[ModelPattern], Meta(max_length=10)]


class ModelSuggestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to solve what is asked about."""

    approach: Text
    why: Text
    steps: Texts
    confidence: Sure
    alternatives: Texts
    if_it_fails: Texts
    records: Ids


class Suggestions(Struct, frozen=True, forbid_unknown_fields=True):
    """Suggestions, the best first."""

    suggestions: Annotated[list[ModelSuggestion], Meta(max_length=5)]


class Screenshot(Struct, frozen=True, forbid_unknown_fields=True):
    """What a screenshot of an error shows; ``suspected_cause`` is a guess."""

    error_type: Said
    message: Text
    file: Said
    line: Annotated[int, Meta(ge=0)]
    key_frames: Texts
    visible_code: Annotated[str, Meta(max_length=8000)]
    suspected_cause: Text
    confidence: Sure


class Diagram(Struct, frozen=True, forbid_unknown_fields=True):
    """What a diagram of an architecture shows."""

    components: Texts
    connections: Texts
    architecture_pattern: Text
    notes: Texts


class ShownCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Code that a picture shows, as it stands there."""

    language: Said
    file: Said
    code: Annotated[str, Meta(max_length=40_000)]
    unreadable: Texts


class QuotedFact(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact that is rested on: its id, and words of it as they were sent."""

    fact: Annotated[str, Meta(min_length=1, max_length=40)]
    quote: Annotated[str, Meta(min_length=1, max_length=500)]


class Preference(Struct, frozen=True, forbid_unknown_fields=True):
    """What those who work here prefer, with the facts that show it."""

    topic: Topic
    preference: Text
    confidence: Sure
    evidence: Annotated[list[QuotedFact], Meta(max_length=10)]


class Preferences(Struct, frozen=True, forbid_unknown_fields=True):
    """Preferences, the surest first."""

    preferences: Annotated[list[Preference], Meta(max_length=30)]


class Gist(Struct, frozen=True, forbid_unknown_fields=True):
    """What one record says, in fewer words."""

    record: Annotated[str, Meta(min_length=1, max_length=40)]
    short: Text


class Gists(Struct, frozen=True, forbid_unknown_fields=True):
    """What records say in fewer words, each by itself."""

    gists: Annotated[list[Gist], Meta(max_length=300)]


class RecordQuestions(Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody would ask for one record; no lines where it says too little."""

    record: Annotated[str, Meta(min_length=1, max_length=40)]
    asked_as: Texts


class AskedAs(Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody would ask for records, each by itself."""

    asked: Annotated[list[RecordQuestions], Meta(max_length=50)]


Seen = Screenshot | Diagram | ShownCode
Answer = Summary | Analysis | Suggestions | Preferences | Gists | AskedAs | Seen
_Form = TypeVar("_Form", bound=Answer)


class MalformedError(ValueError):
    """An answer that has not the form that was asked for; says what is wrong."""


def schema(form: type[Struct]) -> dict[str, Any]:
    """Give the JSON schema of a form, as servers of structured output take it."""
    form_schema = msgspec.json.schema(form)
    parts = {name: _plain(part) for name, part in form_schema["$defs"].items()}
    whole: dict[str, Any] = parts.pop(form.__name__)
    return {**whole, "$defs": parts} if parts else whole


def _plain(part: Any) -> Any:  # noqa: ANN401  any JSON
    if isinstance(part, dict):
        return {key: _plain(value) for key, value in part.items() if key not in _LIMITS}
    return [_plain(item) for item in part] if isinstance(part, list) else part


def read(text: str, form: type[_Form], sent_ids: Collection[str]) -> tuple[_Form, list[str]]:
    """Read an answer.

    Args:
        text: as the model gave it; a fence around it is passed over.
        form: what was asked for.
        sent_ids: ids of the records that were sent along.

    Returns:
        The answer, and what it names as records that were not sent: those are left out of it.

    Raises:
        MalformedError: it has another form.

    """
    if fenced := _FENCED.match(text):
        text = fenced["inside"]
    try:
        answer = msgspec.json.decode(text.encode(errors="replace"), type=form)
    except msgspec.ValidationError as error:
        raise MalformedError(str(error)) from None
    except (msgspec.DecodeError, RecursionError):
        raise MalformedError("it is not JSON") from None
    strange: list[str] = []
    return _grounded(answer, sent_ids, strange), strange


def _grounded(part: Any, sent_ids: Collection[str], strange: list[str]) -> Any:  # noqa: ANN401
    """Leave out ids that nobody sent, wherever they are named."""
    if isinstance(part, list):
        return [_grounded(item, sent_ids, strange) for item in part]
    if not isinstance(part, Struct):
        return part
    changes = {}
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name == "records":
            strange += [
                record_id
                for record_id in value
                if record_id not in sent_ids and record_id not in strange
            ]
            changes[name] = [
                record_id for record_id in dict.fromkeys(value) if record_id in sent_ids
            ]
        else:
            changes[name] = _grounded(value, sent_ids, strange)
    return msgspec.structs.replace(part, **changes)
