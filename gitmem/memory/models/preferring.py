"""What those who work here prefer: by a model that is shown what was counted and decided."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError
from gitmem.llm.answers import Preferences
from gitmem.llm.evidence import Fact, proven
from gitmem.memory.core.records import read_record
from gitmem.memory.core.redaction import redact
from gitmem.memory.models.modelling import Approve, Matter, ModelClient, ask
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.learning.conventions import Claim
    from gitmem.learning.profile import Profile
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.memory import Memory

_MOST_LIBRARIES: Final = 30
_MOST_FOLDERS: Final = 10
_MOST_RECORDS: Final = 40
_LONGEST: Final = 300
_SURE: Final = {"detailed": "high", "basic": "medium"}
_TOLD: Final = {"decision": ("decision", "rationale"), "pattern": ("when_to_use",)}


def preferences(
    memory: "Memory", profile: "Profile", approve: Approve | None, speaker: ModelClient | None
) -> "Modelled":
    """Ask a model for preferences; see ``Memory.model_preferences``.

    Raises:
        NotFoundError: there is nothing to look at.

    """
    told = [*_counted(profile), *_recorded(memory)]
    if not told:
        raise NotFoundError("there is no code and no decision to look at", "gitmem profile")
    # Without secrets already here: what a model cites is held against what went out.
    facts = {
        name or f"f{number}": Fact(str(redact(memory.workspace, fact.text)[0]), fact.bears)
        for number, (name, fact) in enumerate(told, 1)
    }
    material = {"facts": [{"id": name, "text": fact.text} for name, fact in facts.items()]}
    matter = Matter("preferences", "Look for preferences", material, frozenset())
    answer, said = ask(memory, matter, Preferences, approve, speaker)
    kept, notes = proven(answer, facts)
    return said._replace(answer=kept, notes=(*said.notes, *notes))


def _counted(profile: "Profile") -> Iterator[tuple[str, Fact]]:
    """Tell what was counted, a fact each; it has no id of its own."""
    for one in profile.languages:
        yield "", Fact(f"language {one.name}: {one.files} files, {one.lines} lines", "medium")
    for claim in profile.claims:
        yield "", _claim(claim)
    used = [one for one in profile.libraries.used if not one.standard]
    words = {True: ", declared", False: ", in no manifest", None: ""}
    for library in used[:_MOST_LIBRARIES]:
        text = f"library {library.name}, {library.language}: imported by {library.files} files"
        yield "", Fact(text + words[library.declared], "medium")
    for tool, where in profile.tools:
        yield "", Fact(f"tool {tool}: set up in {where}", "high")
    for folder, files, _ in profile.layout[:_MOST_FOLDERS]:
        yield "", Fact(f"layout: {files} source files in {folder}", "medium")


def _claim(one: "Claim") -> Fact:
    about = f"{one.topic}, {one.language}" if one.language else one.topic
    if not one.agreed:
        return Fact(f"{about}: {one.says}, {one.having} of {one.of} (mixed)", "low")
    level = "little data" if one.level == "insufficient" else one.level
    text = f"{about}: {one.says}, {one.having} of {one.of} ({level})"
    return Fact(text, _SURE.get(one.level, "low"))  # type: ignore[arg-type]


def _recorded(memory: "Memory") -> Iterator[tuple[str, Fact]]:
    """Tell decisions that are in force, and patterns, the newest first."""
    catalog = memory.derived.catalog(memory.progress)
    rows = catalog.rows(Filters(kinds=("decision",), statuses=("accepted",)), limit=_MOST_RECORDS)
    rows += catalog.rows(Filters(kinds=("pattern",)), limit=_MOST_RECORDS)
    for row in rows:
        record = read_record(memory.workspace, row)
        said = [str(getattr(record, name, "") or "") for name in _TOLD[row.kind]]
        text = ". ".join(filter(None, (row.title, *said)))
        status = f" ({row.status})" if row.status else ""
        yield row.id, Fact(f"{row.kind}{status}: {' '.join(text.split())[:_LONGEST]}", "high")
