"""One frozen Config: defaults < user < team (.memory/gitmem.yaml) < environment < flags.

Reading files is not done here: the layers come in as plain mappings, with the name of
where they came from. A bad value is reported and passed over, it never stops a command.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from gitmem.errors import UsageError

_MOST: Final = 200
_CHOICES = {
    "ui.color": ("auto", "always", "never"),
    "capture.mode": ("auto", "draft", "off"),
    "semantic.embedder": ("auto", "off", "words", "endpoint"),
    "watch.mode": ("auto", "poll", "off"),
}


class Mask(NamedTuple):
    """A rule of the team's: what varies in messages beside what gitmem knows of.

    Attributes:
        name: what it is called in explanations.
        pattern: a regular expression; ``gitmem.matching.rules`` says which are allowed.
        mask: plain text that stands in its place.
        why: what the team wants to remember about it.
        where: its place in the settings, for messages.

    """

    name: str
    pattern: str
    mask: str = "<*>"
    why: str = ""
    where: str = ""


class Pass(NamedTuple):
    """A value, or a form of value, that the team says is no secret; one of the three is given.

    Attributes:
        why: the reason; never empty.
        value: the exact value.
        pattern: or a regular expression for the whole value.
        sha256: or the digest of the value, where the value shall not stand in the settings.
        where: its place in the settings, for messages.

    """

    why: str
    value: str = ""
    pattern: str = ""
    sha256: str = ""
    where: str = ""


class Config(NamedTuple):
    """Every setting. The key of ``session_max_hours`` is ``session.max_hours``."""

    folder: str = ".memory"
    actor: str = "human"
    author_name: str = ""
    author_email: str = ""
    session_max_hours: float = 24.0
    search_limit: int = 10
    limits_record_kib: int = 1024
    limits_attachment_kib: int = 5120
    index_wait_seconds: float = 5.0
    ui_color: str = "auto"
    capture_mode: str = "auto"
    capture_attempts: int = 2
    capture_minutes: float = 10.0
    watch_mode: str = "auto"
    watch_poll_seconds: float = 2.0
    fingerprint_rules: tuple[Mask, ...] = ()
    redaction_allow: tuple[Pass, ...] = ()
    semantic_embedder: str = "auto"
    semantic_endpoint: str = ""
    semantic_model: str = ""


HELP: Final = {
    "folder": "name of the memory's folder (user or environment only)",
    "actor": "who writes: human, agent:NAME or tool:NAME",
    "author.name": "author of records, where git's user.name is not wanted",
    "author.email": "e-mail of the author, where git's user.email is not wanted",
    "session.max_hours": "a session without an event for so long counts as left behind",
    "search.limit": "how many hits search shows",
    "limits.record_kib": "a larger record file is a problem and is not read",
    "limits.attachment_kib": "a larger attachment is refused",
    "index.wait_seconds": "how long to wait for another process that updates the index",
    "ui.color": "auto, always or never",
    "capture.mode": "auto: keep what is worth it; draft: keep nothing unasked; off",
    "capture.attempts": "a fix that took so many attempts is worth remembering",
    "capture.minutes": "a failure that stood so long is worth remembering",
    "watch.mode": "auto; poll: compare stamps; off: editors hear of changes when they ask",
    "watch.poll_seconds": "time between two looks where the system tells of no changes",
    "fingerprint.rules": "what else varies in messages: a list of name, pattern, mask, why",
    "redaction.allow": "what is no secret: a list of value, pattern or sha256, each with why",
    "semantic.embedder": "what tells nearness in meaning: auto, off, words or endpoint",
    "semantic.endpoint": "address of an embeddings server, such as http://localhost:11434/v1",
    "semantic.model": "name of the model that the embeddings server shall use",
}
KEYS: Final = tuple(HELP)
LISTS: Final = ("fingerprint.rules", "redaction.allow")
"""Settings that are lists: of the team only, written into its file by hand."""
_PERSONAL: Final = frozenset({
    "folder", "actor", "author.name", "author.email", "semantic.endpoint", "semantic.model",
})  # fmt: skip


class Layer(NamedTuple):
    """Settings from one place: its name for messages, and what it says by key."""

    origin: str
    values: Mapping[str, Any]


class Layered(NamedTuple):
    """The outcome of layering: the config, where each set key came from, and complaints."""

    config: Config
    origins: dict[str, str]
    complaints: list[str]


def field_of(key: str) -> str:
    """Name the Config field of a key; raise UsageError with the nearest key if there is none."""
    field = key.replace(".", "_", 1)
    if key not in HELP:
        from difflib import get_close_matches  # noqa: PLC0415  start-up

        near = get_close_matches(key, KEYS, 1)
        hint = f"did you mean {near[0]}?" if near else "settings: " + ", ".join(KEYS)
        raise UsageError(f"there is no setting {key}", hint)
    return field


def parse(key: str, value: object) -> str | int | float:
    """Check one value, as text or as YAML gave it; raise UsageError naming what is allowed."""
    field = field_of(key)
    if key in LISTS:
        raise UsageError(
            f"{key} is a list and can't be set so", "write it into gitmem.yaml, below settings:"
        )
    wanted = _types()[field]
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise TypeError  # noqa: TRY301  one message for both
        made: str | int | float = wanted(value)
    except (TypeError, ValueError):
        words = {int: "a whole number", float: "a number", str: "text"}[wanted]
        raise UsageError(f"{key}: {value!r} is not allowed", f"{key} must be {words}") from None
    if key in _CHOICES and made not in _CHOICES[key]:
        raise UsageError(f"{key}: {value!r} is not allowed", "one of " + ", ".join(_CHOICES[key]))
    if isinstance(made, int | float) and not 0 <= made < 2**40:
        raise UsageError(f"{key}: {value!r} is out of range", f"{key} must be at least 0")
    if key == "folder" and (not made or "/" in str(made) or str(made) in {".", "..", ".git"}):
        raise UsageError(
            f"{key}: {value!r} is not allowed", "the name of a folder, without slashes"
        )
    return made


@cache
def _types() -> dict[str, type[str] | type[int] | type[float]]:
    return {
        key: (get_args(hint) or (hint,))[0]
        for key, hint in get_type_hints(Config).items()
        if hint in (str, int, float)
    }


def refuse_for_team(key: str, value: object) -> None:
    """Raise UsageError for what is personal: a clone chooses no author, and sends no text away."""
    if key in _PERSONAL:
        raise UsageError(f"{key} can't be a team setting", "set it with --user")
    if (key, value) == ("semantic.embedder", "endpoint"):
        raise UsageError(f"{key}: {value!r} can't be a team setting", "set it with --user")


def from_environment(environ: Mapping[str, str]) -> Layer:
    """Take ``GITMEM_SESSION_MAX_HOURS`` and the like; ``GITMEM_ACTOR`` is ``actor``."""
    names = {key: "GITMEM_" + key.replace(".", "_").upper() for key in KEYS if key not in LISTS}
    return Layer(
        "environment", {key: environ[name] for key, name in names.items() if name in environ}
    )


def layered(layers: Sequence[Layer]) -> Layered:
    """Put layers over the defaults, later ones win. The team layer can't set personal keys."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    complaints: list[str] = []
    for layer in layers:
        for key, value in layer.values.items():
            if key in LISTS and layer.origin == "team":
                values[field_of(key)], faults = _entries(key, value)
                complaints += (f"team setting {fault}" for fault in faults)
                origins[key] = layer.origin
                continue
            try:
                made = parse(key, value)
                if layer.origin == "team":
                    refuse_for_team(key, made)
            except UsageError as error:
                complaints.append(f"{layer.origin} setting {error.message} ({error.hint})")
                continue
            values[field_of(key)] = made
            origins[key] = layer.origin
    return Layered(Config(**values), origins, complaints)


def _entries(key: str, value: object) -> tuple[tuple[Any, ...], list[str]]:
    """Read a list of settings: those that have the right form, and what is wrong with others."""
    if not isinstance(value, list):
        return (), [f"{key}: not a list (write '- ' before each entry)"]
    made, faults = [], []
    part = Mask if key == "fingerprint.rules" else Pass
    for number, entry in enumerate(value[:_MOST]):
        where = f"{key}[{number}]"
        fault = _fault(part, entry)
        if fault:
            faults.append(f"{where}: {fault}")
        else:
            made.append(part(**entry, where=where))
    if len(value) > _MOST:
        faults.append(f"{key}: more than {_MOST} entries; the rest is passed over")
    return tuple(made), faults


def _fault(part: type[Mask] | type[Pass], entry: object) -> str:
    """Say what is wrong with the form of an entry; an empty text if nothing is."""
    allowed = [name for name in part._fields if name != "where"]
    if not isinstance(entry, Mapping):
        return f"not a mapping (write {', '.join(allowed)})"
    unknown = next((name for name in entry if name not in allowed), None)
    if unknown is not None:
        return f"there is no {unknown!r} (there is {', '.join(allowed)})"
    wrong = next((name for name, value in entry.items() if not isinstance(value, str)), None)
    if wrong is not None:
        return f"{wrong} must be text (put it in quotes)"
    if part is Mask:
        missing = next((name for name in ("name", "pattern") if not entry.get(name)), None)
        return f"{missing} is missing" if missing else ""
    if not entry.get("why", "").strip():
        return "why is missing (say why it is no secret)"
    given = sum(bool(entry.get(name)) for name in ("value", "pattern", "sha256"))
    return "" if given == 1 else "give one of value, pattern and sha256"
