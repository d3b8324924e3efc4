"""Records, cases, edits and facts as the entries of a context."""

from typing import TYPE_CHECKING, Final

from gitmem.learning.advice import AVOID, PARTIAL, WORKED, groups
from gitmem.learning.context import ContextEntry, ContextSection, TitledText
from gitmem.memory.advice.trials import trials_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.capture.cases import Failing
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.learnt import Draft
    from gitmem.capture.looking import LiveEdit
    from gitmem.capture.observed import Match
    from gitmem.catalog.rows import Row
    from gitmem.git.log import AuthoredCommit
    from gitmem.learning.advice import ApproachGroup
    from gitmem.learning.profile import Profile
    from gitmem.memory.advice.code_sections import CodeSection
    from gitmem.memory.codebase.project import ProjectDescription
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record
    from gitmem.sessions import LiveSession

# What is told of a record, by kind, in this order; what an entry does not tell, ``show`` does.
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "error": ("message", "cause"),
    "fix": ("approach", "why_failed", "worked_partially", "lessons", "analysis", "steps"),
    "decision": ("decision", "rationale"),
    "session": ("goal", "approach", "summary"),
    "pattern": ("when_to_use", "code"),
    "note": ("body",),
}  # fmt: skip
_EXACT: Final = frozenset({"message", "code"})
_MOST_PATCH: Final = 40
"""Lines of a patch that is told with its fix; of a longer one only its size is."""
_MOST_LIBRARIES: Final = 20
_NAMES: Final = {"why_failed": "why it failed", "worked_partially": "what did work",
                 "when_to_use": "when to use"}  # fmt: skip

_APPROACHES: Final = {
    "worked": "What worked before",
    "avoid": "What to avoid",
    "unverified": "Suggested, or outcome unknown",
}


def record_entry(row: "Row", record: "Record") -> ContextEntry:
    """Tell a record: what it is, where it comes from, and what it says."""
    about = (row.id, row.author, row.created[:10])
    texts = tuple(_texts(row, record))
    return ContextEntry(row.shown_status or row.kind, row.title, about, texts, row.id)


def _texts(row: "Row", record: "Record") -> "Iterator[TitledText]":
    language = str(getattr(record, "language", ""))
    for name in _FIELDS[row.kind]:
        value = getattr(record, name, "")
        text = "\n".join(value) if isinstance(value, tuple) else str(value or "")
        if text.strip() and text.strip() not in row.title:
            exact = name in _EXACT
            yield TitledText(
                _NAMES.get(name, name), text, language if name == "code" else "", exact
            )
    patch = str(getattr(record, "patch", "")).strip("\n")
    if not patch:
        return
    size = patch.count("\n") + 1
    if size <= _MOST_PATCH:
        yield TitledText("patch", patch, "diff", exact=True)
    else:
        yield TitledText("patch", f"of {size} lines: gitmem show {row.id}")


def approach_sections(
    workspace: "Workspace",
    fixes: "Sequence[Row]",
    read: "Callable[[Row], Record | None]",
    most: int,
) -> tuple[ContextSection, ...]:
    """Give what worked, what to avoid and what is not known, each approach once.

    An approach is shown by the attempt that tells most of it, with the outcomes of all of them.

    Args:
        workspace: of the memory.
        fixes: the attempts, best first.
        read: reads the record of one; None: it is gone or broken by now.
        most: so many approaches are read.

    """
    rows = {row.id: row for row in fixes}
    place = {name: at for at, name in enumerate(rows)}
    approaches = groups(trials_of(workspace, fixes, ""))
    approaches.sort(key=lambda group: place[group.trials[0].id])
    entries: dict[str, list[ContextEntry]] = {name: [] for name in _APPROACHES}
    for group in approaches[:most]:
        leading = group.trials[0]
        row = rows[leading.id]._replace(verdict=leading.verdict)
        if record := read(row):
            entry = record_entry(row, record)
            if len(group.trials) > 1:
                entry = entry._replace(about=(group.why, *entry.about))
            entries[_section(group)].append(entry)
    return tuple(
        ContextSection(name, title, "record", tuple(entries[name]))
        for name, title in _APPROACHES.items()
    )


def _section(group: "ApproachGroup") -> str:
    if group.sort == AVOID:
        return "avoid"
    helped = any(trial.verdict in (WORKED, PARTIAL) for trial in group.trials)
    return "worked" if helped else "unverified"


def case_entry(
    case: "Failing", failure: "FingerprintedFailure | None", match: "Match | None"
) -> ContextEntry:
    """Tell a case that failed: where, what came instead of what, and whether it is known."""
    fields = failure.fields if failure else {}
    frames = [frame for frame in fields.get("frames") or () if frame.get("in_app")]
    innermost = frames[-1] if frames else {}
    location = fields.get("location") or innermost
    function = case.function or str(innermost.get("function") or "")
    line = case.line or location.get("line")
    place = ":".join(str(part) for part in (location.get("file"), line) if part)
    details = [place, f"in {function}" if function else ""]
    if match and match.label:
        details += [match.label, match.errors[-1].id if match.errors else ""]
    elif match:
        details.append("not seen before")
    title = case.name or (failure.title if failure else case.message)
    message = case.message or (failure.title if failure else "")
    values = (("message", message), ("input", case.input),
              ("expected", case.expected), ("actual", case.actual))  # fmt: skip
    texts = tuple(
        TitledText(name, text, exact=True)
        for name, text in values
        if text.strip() and text != title
    )
    return ContextEntry(case.status, title, tuple(filter(None, details)), texts)


def edit_entry(title: str, edit: "LiveEdit") -> ContextEntry:
    """Tell an edit between two red runs, and whether it is still in the code."""
    return ContextEntry(edit.state, edit.what, (f"{edit.at:%Y-%m-%d %H:%M}", f"on {title}"))


def code_entry(section: "CodeSection") -> ContextEntry:
    """Tell some lines of code."""
    when = "as it failed" if section.then else "as it is now"
    place = (
        f"{section.place.path}:{section.place.line}" if section.place.line else section.place.path
    )
    about = (f"lines {section.first} to {section.last}", when)
    return ContextEntry(
        "code", place, about, (TitledText("", section.text, _language(place), exact=True),)
    )


def _language(place: str) -> str:
    ending = place.partition(":")[0].rpartition(".")[2].lower()
    return ending if ending.isalnum() and ending.isascii() else ""


def commit_entry(commit: "AuthoredCommit") -> ContextEntry:
    """Tell a commit by its first line."""
    about = (commit.id[:10], commit.name, f"{commit.at:%Y-%m-%d}")
    return ContextEntry("commit", commit.message.strip().partition("\n")[0], about)


def fact(mark: str, text: str, *about: str) -> ContextEntry:
    """Tell a fact in one line."""
    return ContextEntry(mark, text, tuple(filter(None, about)))


def work_entries(live: "LiveSession | None", drafts: "Sequence[Draft]") -> tuple[ContextEntry, ...]:
    """Tell what nobody can see in the files: the session that goes on, and what waits for a yes."""
    going_on = [fact("live session", live.goal, live.id)] if live else []
    return (*going_on, *(fact("draft", draft.title or draft.id, draft.id) for draft in drafts))


def project_entries(
    workspace: "Workspace", about: "ProjectDescription"
) -> tuple[ContextEntry, ...]:
    """Tell what a project is for, what it is made with, and what lies where."""
    entries = []
    if about.summary:
        entries.append(fact("purpose", workspace.redacted_text(about.summary), about.source))
    if about.commands:
        commands = "; ".join(", ".join(each.commands) for each in about.commands)
        sources = ", ".join(each.source for each in about.commands)
        entries.append(fact("build and test", commands, sources))
    for manifest in about.manifests:
        wants = f" {manifest.wants}" if manifest.wants else ""
        some = ", ".join(manifest.libraries[:_MOST_LIBRARIES])
        more = len(manifest.libraries) - _MOST_LIBRARIES
        uses = f": {some}{f' and {more} more' if more > 0 else ''}" if some else ""
        named = f" ({manifest.name})" if manifest.name else ""
        entries.append(fact("stack", f"{manifest.language}{wants}{named}{uses}", manifest.path))
    if about.layout:
        entries.append(fact("layout", " ".join(about.layout)))
    return tuple(entries)


def convention_entries(profile: "Profile") -> tuple[ContextEntry, ...]:
    """Tell the languages of the code, and on what most of it agrees."""
    agreed = [claim for claim in profile.claims if claim.agreed and claim.level != "insufficient"]
    languages = ", ".join(language.name for language in profile.languages)
    return (
        *([fact("languages", languages)] if languages else []),
        *(
            fact(
                claim.topic,
                f"{claim.language}: {claim.says}" if claim.language else claim.says,
                f"{claim.having} of {claim.of}",
            )
            for claim in agreed
        ),
    )
