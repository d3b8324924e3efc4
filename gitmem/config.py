"""One frozen Config: defaults < user < team (.memory/gitmem.yaml) < environment < flags.

Reading files is not done here: the layers come in as plain mappings, with the name of
where they came from. A bad value is reported and passed over, it never stops a command.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from gitmem.errors import UsageError, closest
from gitmem.stricter import USERS_WIN, of_both

_MOST: Final = 200
CHOICES = {
    "ui.color": ("auto", "always", "never"),
    "capture.mode": ("auto", "draft", "off"),
    "capture.assistants": ("draft", "auto"),
    "semantic.embedder": ("auto", "off", "words", "sentences", "endpoint"),
    "watch.mode": ("auto", "poll", "off"),
    "tools.repository": ("auto", "off"),
    "hub.send": ("fingerprints", "words"),
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


class TeamRules(NamedTuple):
    """What a team says about its texts; what is derived from records follows from it.

    Attributes:
        masks: rules for fingerprints.
        passes: what is no secret.
        packages: with tools that are installed here, each with its version.

    """

    masks: tuple[Mask, ...] = ()
    passes: tuple[Pass, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name what of them changes what is derived, in hex: not a rule's name or its reason."""
        parts = [text for mask in self.masks for text in (mask.pattern, mask.mask)]
        parts += [text for allowed in self.passes for text in ("pass", *allowed[1:4])]
        parts += [text for package in self.packages for text in ("tool", package)]
        return "\0".join(parts).encode(errors="replace").hex()


NO_RULES: Final = TeamRules()


class PackSource(NamedTuple):
    """A pack of knowledge that the team reads beside its own memory; see docs/packs.md.

    Attributes:
        name: what it is called.
        path: the folder with the records, in this repository or in the other one.
        url: the other repository, as git takes it; empty: this one.
        commit: its commit, in full; nothing else of it is ever read.
        where: its place in the settings, for messages.

    """

    name: str
    path: str = ".memory"
    url: str = ""
    commit: str = ""
    where: str = ""


class Config(NamedTuple):
    """Every setting. The key of ``session_max_hours`` is ``session.max_hours``."""

    folder: str = ".memory"
    actor: str = "human"
    author_name: str = ""
    author_email: str = ""
    session_max_hours: float = 24.0
    search_limit: int = 10
    search_synonyms: tuple[str, ...] = ()
    limits_record_kib: int = 1024
    limits_attachment_kib: int = 5120
    index_wait_seconds: float = 5.0
    index_complete: bool = False
    ui_color: str = "auto"
    capture_mode: str = "auto"
    capture_assistants: str = "draft"
    capture_attempts: int = 2
    capture_minutes: float = 10.0
    guard_block: bool = False
    watch_mode: str = "auto"
    watch_poll_seconds: float = 2.0
    fingerprint_rules: tuple[Mask, ...] = ()
    tools_repository: str = "auto"
    tools_matchers: tuple[str, ...] = ()
    redaction_allow: tuple[Pass, ...] = ()
    packs_off: str = ""
    packs_sources: tuple[PackSource, ...] = ()
    retention_failure_days: int = 365
    retention_success_days: int = 1095
    retention_pattern_limit: int = 0
    retention_solution_limit: int = 0
    semantic_embedder: str = "auto"
    semantic_endpoint: str = ""
    semantic_model: str = ""
    advice_attempts: int = 8
    llm_model: str = ""
    llm_base_url: str = ""
    llm_vision_model: str = ""
    llm_price: str = ""
    llm_auto_approve: bool = False
    llm_cost_threshold: float = 0.10
    llm_monthly_budget: float = 10.0
    llm_warn_at_percentage: float = 80.0
    llm_timeout: float = 60.0
    llm_output_tokens: int = 4000
    llm_team_allowances: bool = False
    hub_url: str = ""
    hub_send: str = "fingerprints"
    hub_publish: bool = False
    hub_stay_home: str = ""


HELP: Final = {
    "folder": "name of the memory's folder (set by user or environment only)",
    "actor": "the author: human, agent:NAME or tool:NAME",
    "author.name": "author of records, in place of git's user.name",
    "author.email": "e-mail of the author, in place of git's user.email",
    "session.max_hours": "a session without an event for this long counts as left open",
    "search.limit": "how many hits search shows",
    "search.synonyms": "your team's synonyms: a list of lines such as psp = stripe",
    "limits.record_kib": "a larger record file is a problem and is not read",
    "limits.attachment_kib": "a larger attachment is refused",
    "index.wait_seconds": "how long to wait for another process that updates the index",
    "index.complete": "true: search of a large memory waits for git's look at all files",
    "ui.color": "auto, always or never",
    "capture.mode": "auto: record failures worth sharing; draft: ask before recording; off",
    "capture.assistants": "what assistants' commands teach: draft: ask; auto: as capture.mode says",
    "capture.attempts": "a fix that took this many attempts is worth recording",
    "capture.minutes": "a failure that lasted this long is worth recording",
    "guard.block": "true: the hook refuses a commit that takes back a fix; false: it tells",
    "watch.mode": "auto; poll: compare timestamps; off: editors see changes when they ask",
    "watch.poll_seconds": "how often to look where the system reports no changes",
    "fingerprint.rules": "other variable parts of messages: a list of name, pattern, mask, why",
    "tools.repository": "auto: problem matchers of the repository are read; off: none of them",
    "tools.matchers": "files of problem matchers beside those that are found: a list of paths",
    "redaction.allow": "what is not a secret: a list of value, pattern or sha256, each with why",
    "packs.off": "names of packs that are not searched; all: search no pack",
    "packs.sources": "the team's packs: a list of name, path, url, commit",
    "retention.failure_days": "what did not work is due for archive or prune at this age; 0: never",
    "retention.success_days": "what worked is due for archive or prune at this age; 0: never",
    "retention.pattern_limit": "more sessions with an approach are due, oldest first; 0: no limit",
    "retention.solution_limit": "more fixes are due, oldest first; 0: no limit",
    "semantic.embedder": "how closeness in meaning is found: auto, off, words, sentences, endpoint",
    "semantic.endpoint": "address of an embeddings server, such as http://localhost:11434/v1",
    "semantic.model": "name of the model that the embeddings server should use",
    "advice.attempts": "after this many failed attempts, advise to ask a human; 0: never",
    "llm.model": "language model that --model and the like use, such as gpt-5-mini",
    "llm.base_url": "address of its server, such as http://localhost:11434/v1",
    "llm.vision_model": "model that reads images",
    "llm.price": "dollars per million tokens in/out, such as 0.25/2; or a provider, such as openai",
    "llm.auto_approve": "true: don't ask before each call; the budget still holds",
    "llm.cost_threshold": "ask before a call that costs more dollars than this",
    "llm.monthly_budget": "dollars a month in this repository; 0: no limit",
    "llm.warn_at_percentage": "warn when this share of the budget is spent",
    "llm.timeout": "seconds to wait for a whole answer",
    "llm.output_tokens": "how many tokens an answer may take",
    "llm.team_allowances": "true: what redaction.allow permits is also sent to models",
    "hub.url": "address of your organisation's hub, which knows other repositories' errors",
    "hub.send": "what is sent to the hub: fingerprints, or also the words that you search for",
    "hub.publish": "true: a hub may read this memory",
    "hub.stay_home": "kinds and tags that no hub keeps, such as session, tag:internal",
}
KEYS: Final = tuple(HELP)
LISTS: Final = (
    "fingerprint.rules", "redaction.allow", "packs.sources", "search.synonyms", "tools.matchers",
)  # fmt: skip
"""Settings that are lists: of the team only, written into its file by hand."""
_PARTS: Final = {"fingerprint.rules": Mask, "redaction.allow": Pass, "packs.sources": PackSource}
"""What the entries of a list are; of others they are lines of text."""
_LONGEST_LINE: Final = 200
_PERSONAL: Final = frozenset({
    "folder", "actor", "author.name", "author.email", "semantic.endpoint", "semantic.model",
    "llm.base_url", "llm.price", "llm.auto_approve", "llm.cost_threshold", "llm.monthly_budget",
    "llm.warn_at_percentage", "llm.timeout", "llm.output_tokens", "llm.team_allowances",
    "hub.url", "hub.send",
})  # fmt: skip
_TEAMS_MOST: Final = {"limits.record_kib": 8 * 1024, "limits.attachment_kib": 100 * 1024}
"""Limits guard against what a clone brings: a clone can't lift them."""

_OTHER_NAMES: Final = {
    "llm.model": "CODING_MEMORY_MODEL",
    "llm.vision_model": "CODING_MEMORY_VISION_MODEL",
    "llm.auto_approve": "CODING_MEMORY_AUTO_APPROVE",
    "llm.cost_threshold": "CODING_MEMORY_COST_THRESHOLD",
}
"""Environment variables that assistants' set-ups name already; ours win."""
_TRUTH: Final = {
    "true": True, "yes": True, "on": True, "1": True,
    "false": False, "no": False, "off": False, "0": False,
}  # fmt: skip


class Layer(NamedTuple):
    """Settings from one place.

    Attributes:
        origin: its name for messages.
        values: what it says by key.
        variables: which environment variable says it, where it is one of the other names.

    """

    origin: str
    values: Mapping[str, Any]
    variables: Mapping[str, str] = MappingProxyType({})


class Layered(NamedTuple):
    """The outcome of layering: the config, where each set key came from, and complaints."""

    config: Config
    origins: dict[str, str]
    complaints: list[str]


def field_of(key: str) -> str:
    """Name the Config field of a key; raise UsageError with the nearest key if there is none."""
    field = key.replace(".", "_", 1)
    if key not in HELP:
        from gitmem.other_settings import explained

        near = closest(key, KEYS)
        hint = f"did you mean {near}?" if near else "list them with: gitmem config"
        raise UsageError(f"there is no setting {key}", explained(key) or hint)
    return field


def parse(key: str, value: object) -> str | int | float:
    """Check one value, as text or as YAML gave it; raise UsageError naming what is allowed."""
    field = field_of(key)
    if key in LISTS:
        raise UsageError(
            f"{key} is a list and can't be set on the command line",
            "write it into gitmem.yaml, below settings:",
        )
    wanted = _types()[field]
    try:
        parsed: str | int | float = truth_of(value) if wanted is bool else _plain(wanted, value)
    except (TypeError, ValueError):
        words = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}[
            wanted
        ]
        raise UsageError(f"{key}: {value!r} is not allowed", f"{key} must be {words}") from None
    if key in CHOICES and parsed not in CHOICES[key]:
        raise UsageError(f"{key}: {value!r} is not allowed", "one of " + ", ".join(CHOICES[key]))
    if isinstance(parsed, int | float) and not 0 <= parsed < 2**40:
        raise UsageError(f"{key}: {value!r} is out of range", f"{key} must be at least 0")
    if key == "folder" and (not parsed or "/" in str(parsed) or str(parsed) in {".", "..", ".git"}):
        raise UsageError(f"{key}: {value!r} is not allowed", "a folder's name, without slashes")
    return parsed


def _plain(wanted: type, value: object) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    converted: str | int | float = wanted(value)
    return converted


def truth_of(value: object) -> bool:
    """Read true, yes, on, 1 and their opposites; raise ValueError for anything else."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.strip().lower() not in _TRUTH:
        raise ValueError
    return _TRUTH[value.strip().lower()]


@cache
def _types() -> dict[str, type[str] | type[int] | type[float]]:
    return {
        key: (get_args(hint) or (hint,))[0]
        for key, hint in get_type_hints(Config).items()
        if hint in (str, int, float, bool)
    }


def refuse_for_team(key: str, value: object) -> None:
    """Raise UsageError for what is personal: a clone chooses no author, and sends no text away."""
    if key in _PERSONAL:
        raise UsageError(f"{key} can't be a team setting", "set it with --user")
    if isinstance(value, int) and value > _TEAMS_MOST.get(key, value):
        most = f"more than {_TEAMS_MOST[key]} can't be a team setting"
        raise UsageError(f"{key}: {most}", "set it with --user")
    if (key, value) == ("semantic.embedder", "endpoint"):
        raise UsageError(f"{key}: {value!r} can't be a team setting", "set it with --user")


def from_environment(environ: Mapping[str, str]) -> Layer:
    """Take ``GITMEM_SESSION_MAX_HOURS`` and the like; ``GITMEM_ACTOR`` is ``actor``."""
    names = {key: "GITMEM_" + key.replace(".", "_").upper() for key in KEYS if key not in LISTS}
    own = {key: environ[name] for key, name in names.items() if name in environ}
    others = {
        key: name for key, name in _OTHER_NAMES.items() if environ.get(name) and key not in own
    }
    return Layer("environment", {key: environ[name] for key, name in others.items()} | own, others)


def layered(layers: Sequence[Layer]) -> Layered:
    """Put layers over the defaults, later ones win. The team layer can't set personal keys.

    Nor does it win over the user's that cost, send text away, read patterns or are stricter.
    """
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
            if layer.origin == "team" and origins.get(key) == "user" and key.startswith(USERS_WIN):
                continue
            try:
                parsed = parse(key, value)
                if layer.origin == "team":
                    refuse_for_team(key, parsed)
            except UsageError as error:
                by = f", set by {layer.variables[key]}" if key in layer.variables else ""
                complaints.append(f"{layer.origin} setting {error.message}{by} ({error.hint})")
                continue
            if layer.origin == "team" and origins.get(key) == "user":
                own = values[field_of(key)]
                if (parsed := of_both(key, own, parsed)) == own:
                    continue
            values[field_of(key)] = parsed
            origins[key] = layer.origin
    return Layered(Config(**values), origins, complaints)


def _entries(key: str, value: object) -> tuple[tuple[Any, ...], list[str]]:
    """Read a list of settings: those that have the right form, and what is wrong with others."""
    if not isinstance(value, list):
        return (), [f"{key}: not a list (write '- ' before each entry)"]
    entries: list[Any] = []
    faults = []
    part = _PARTS.get(key)
    for number, entry in enumerate(value[:_MOST]):
        where = f"{key}[{number}]"
        fault = _fault(part, entry) if part else _line_fault(key, entry)
        if fault:
            faults.append(f"{where}: {fault}")
        else:
            entries.append(part(**entry, where=where) if part else entry)
    if len(value) > _MOST:
        faults.append(f"{key}: more than {_MOST} entries; the rest is ignored")
    return tuple(entries), faults


def _line_fault(key: str, entry: object) -> str:
    """Say what is wrong with a line of a list; an empty text if nothing is."""
    line = entry if isinstance(entry, str) and len(entry) <= _LONGEST_LINE else ""
    if key == "tools.matchers":
        inside = line and not line.startswith("/") and ".." not in line.split("/")
        return "" if inside else "write the path of a file in the repository, from its folder"
    names = line.split("=")
    if len(names) > 1 and all(map(str.strip, names)):
        return ""
    return "write synonyms with = between them, such as psp = payment provider"


def _fault(part: type[Mask] | type[Pass] | type[PackSource], entry: object) -> str:
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
    if part is PackSource:
        return _source_fault(entry)
    if not entry.get("why", "").strip():
        return "why is missing (say why it is not a secret)"
    given = sum(bool(entry.get(name)) for name in ("value", "pattern", "sha256"))
    return "" if given == 1 else "give one of value, pattern and sha256"


def _source_fault(entry: Mapping[str, str]) -> str:
    """Say what is wrong with a pack's entry: nothing but one commit is read of elsewhere."""
    name, path = entry.get("name", ""), entry.get("path", ".memory")
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,39}", name):
        return "name must be short: small letters, digits, dots and dashes"
    if path.startswith(("/", "-")) or ".." in path.split("/") or not path:
        return "path must be a folder inside the repository"
    if bool(entry.get("url")) != bool(entry.get("commit")):
        return "url and commit belong together (a pack is pinned)"
    if entry.get("url", "").startswith("-"):
        return "url must not begin with a dash"
    if entry.get("commit") and not re.fullmatch(r"[0-9a-f]{40}", entry["commit"]):
        return "commit must be written in full: 40 hexadecimal digits"
    return ""
