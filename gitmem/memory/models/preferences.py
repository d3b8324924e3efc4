"""Preferences of a team, derived by a model from counted facts and decisions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError
from gitmem.llm.answers import Preferences
from gitmem.llm.evidence import Fact, proven
from gitmem.memory.core.records import read_record
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.models.model_calls import ModelRequest, ask
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.learning.conventions import Claim
    from gitmem.learning.profile import Profile
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.core.workspace import Workspace

_MOST_LIBRARIES: Final = 30
_MOST_FOLDERS: Final = 10
_MOST_RECORDS: Final = 40
_LONGEST: Final = 300
_SURE: Final = {"detailed": "high", "basic": "medium"}
_TEXT_FIELDS: Final = {"decision": ("decision", "rationale"), "pattern": ("when_to_use",)}


def find_preferences(
    workspace: "Workspace",
    profile: "Profile",
    approve: "Approve | None",
    client: "ModelClient | None",
) -> "Modelled":
    """Ask a model for preferences; see ``Models.find_preferences``."""
    named = [*_counted(profile), *_recorded(workspace)]
    if not named:
        raise NotFoundError("there is no code and no decision to read", "gitmem code profile")
    # Without secrets already here: what a model cites is held against what went out.
    facts = {
        name or f"f{number}": Fact(str(redact_for_model(workspace, fact.text)[0]), fact.bears)
        for number, (name, fact) in enumerate(named, 1)
    }
    material = {"facts": [{"id": name, "text": fact.text} for name, fact in facts.items()]}
    request = ModelRequest("preferences", "Look for preferences", material, frozenset())
    preferences, answer = ask(workspace, request, Preferences, approve, client)
    preferences_left, notes = proven(preferences, facts)
    return answer._replace(answer=preferences_left, notes=(*answer.notes, *notes))


def _counted(profile: "Profile") -> Iterator[tuple[str, Fact]]:
    """Tell what was counted, a fact each; it has no id of its own."""
    for language in profile.languages:
        text = f"language {language.name}: {language.files} files, {language.lines} lines"
        yield "", Fact(text, "medium")
    for claim in profile.claims:
        yield "", _claim(claim)
    used = [library for library in profile.libraries.used if not library.standard]
    words = {True: ", declared", False: ", in no manifest", None: ""}
    for library in used[:_MOST_LIBRARIES]:
        text = f"library {library.name}, {library.language}: imported by {library.files} files"
        yield "", Fact(text + words[library.declared], "medium")
    for tool, where in profile.tools:
        yield "", Fact(f"tool {tool}: set up in {where}", "high")
    for folder, files, _ in profile.layout[:_MOST_FOLDERS]:
        yield "", Fact(f"layout: {files} source files in {folder}", "medium")


def _claim(claim: "Claim") -> Fact:
    about = f"{claim.topic}, {claim.language}" if claim.language else claim.topic
    if not claim.agreed:
        return Fact(f"{about}: {claim.says}, {claim.having} of {claim.of} (mixed)", "low")
    level = "little data" if claim.level == "insufficient" else claim.level
    text = f"{about}: {claim.says}, {claim.having} of {claim.of} ({level})"
    return Fact(text, _SURE.get(claim.level, "low"))  # type: ignore[arg-type]


def _recorded(workspace: "Workspace") -> Iterator[tuple[str, Fact]]:
    """Tell decisions that are in force, and patterns, the newest first."""
    decisions = Filters(kinds=("decision",), statuses=("accepted",))
    patterns = Filters(kinds=("pattern",))
    rows = workspace.ask(
        lambda now: [
            row
            for wanted in (decisions, patterns)
            for row in now.catalog.rows(wanted, limit=_MOST_RECORDS)
        ]
    )
    for row in rows:
        record = read_record(workspace, row)
        texts = [str(getattr(record, name, "") or "") for name in _TEXT_FIELDS[row.kind]]
        text = ". ".join(filter(None, (row.title, *texts)))
        status = f" ({row.status})" if row.status else ""
        yield row.id, Fact(f"{row.kind}{status}: {' '.join(text.split())[:_LONGEST]}", "high")
