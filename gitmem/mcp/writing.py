"""The tools that write: an attempt, a decision, a fact, and whether a record helped."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.errors import NotFoundError, UsageError
from gitmem.mcp.arguments import Texts, questions
from gitmem.mcp.calls import Calls, here
from gitmem.mcp.parameters import AskedAs, Cause, Files, Project, Result, Symptom
from gitmem.mcp.plain_search import plain_search
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import (
    Answer,
    AnswerPart,
    known_parts,
    quoted,
    row_part,
    written_part,
)

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.records.kinds import Fix, Record

_LONGEST_TITLE: Final = 300
_MOST_NAMED: Final = 3


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_fix, _decision, _note, _rate):
        add(tools, calls)


def _fix(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def gitmem_record_fix(
        ctx: Context,
        *,
        error: Annotated[str, Field(description="its id, or what the command printed")],
        approach: Annotated[str, Field(description="what you did; empty: only the error")] = "",
        outcome: Annotated[
            Literal["worked", "partial", "failed", "unverified"],
            Field(description="worked: the command passes now"),
        ] = "unverified",
        why_failed: Annotated[str, Field(description="if it failed")] = "",
        lessons: Annotated[str, Field(description="for others")] = "",
        patch: Annotated[str, Field(description="unified diff")] = "",
        verified_with: Annotated[str, Field(description="the command that showed it")] = "",
        symptom: Symptom = "",
        cause: Cause = "",
        asked_as: AskedAs = "",
        project: Project = "",
    ) -> Result:
        """Write an attempt to fix an error into this repository's memory, so nobody repeats it.

        Call it after EACH attempt, also a failed one.
        """

        def question(memory: "Memory") -> Answer:
            fields: dict[str, Any] = {
                "approach": approach, "outcome": outcome, "why_failed": why_failed,
                "lessons": lessons, "patch": patch, "symptom": symptom, "cause": cause,
                "asked_as": questions(asked_as),
                "verification": {"command": verified_with} if verified_with else None,
            }  # fmt: skip
            given_fields = {name: value for name, value in fields.items() if value}
            if not approach:
                return _error_alone(memory, error, calls.waits)
            # Before an error is written: what no record can hold is refused as a whole.
            memory.records.writer.refuse_wrong("fix", given_fields)
            if outcome == "worked":
                ids = memory.failures.describe_watched(error, given_fields, waits=bool(calls.waits))
                if ids:
                    head = f"Added to what was learnt when the command passed: {', '.join(ids)}."
                    return Answer([], head + calls.waits, {"written": ids})
            named, new = _error(memory, error)
            if not new and (earlier := _same_attempt(memory, named, approach)):
                if _says_nothing_new(earlier, given_fields):
                    return Answer([written_part(earlier)], f"Recorded already: {earlier.id}.")
                given_fields["reuses"] = earlier.id
            record = memory.resolve(named, given_fields)
            answer = written(record, *new, waits=calls.waits)
            return answer._replace(parts=[*answer.parts, *_attached(memory, named)])

        return await calls.write(ctx, question, project)


def _attached(memory: "Memory", error: str) -> list[AnswerPart]:
    """Name the error that an attempt was attached to: a text may have been taken for another."""
    try:
        row = memory.find(error)
    except NotFoundError:
        return []  # an error that waits for a person
    return [AnswerPart(f"an attempt on {row.id}: {quoted(row.title)}", {"id": row.id})]


def _error(memory: "Memory", error: str) -> tuple[str, list[str]]:
    """Find the error that an id names, or that an output shows; write it if it is new."""
    if "\n" not in error and error.strip().startswith("err-"):
        return error.strip(), []
    if not error.strip():
        raise UsageError("which error was it?", "send what the failed command printed, or its id")
    if not (memory.failures.is_output(error) or memory.failures.watched(error)):
        near = ", ".join(_near(memory, error))
        hint = "send what the failed command printed, or the id of an error"
        raise UsageError("there is no failure in this text", f"{hint}: {near}" if near else hint)
    taken = memory.failures.record_text(error)
    return [*taken.ids, *taken.known][0], list(taken.ids)


def _near(memory: "Memory", text: str) -> list[str]:
    """Find the errors that words may mean: what fails here now, and what search finds."""
    live = [failure.known for failure in memory.failures.attempts()]
    unrecorded = [match.seen.title for match in live if not match.errors]
    rows = [row for match in live for row in match.errors[-1:]]
    hits = plain_search(memory, text, 4 * _MOST_NAMED).hits
    # Nobody can add to a pack.
    rows += [hit.row for hit in hits if hit.row.kind == "error" and not hit.layer]
    near = [*filter(None, unrecorded), *(f"{row.id} ({row.title})" for row in rows)]
    return list(dict.fromkeys(near))[:_MOST_NAMED]


def _same_attempt(memory: "Memory", error: str, approach: str) -> "Fix | None":
    """Find the newest attempt on an error that was made in the same way."""
    try:
        rows = memory.failures.attempts_of(error)
    except NotFoundError:
        return None  # an error that waits for a person
    for row in sorted(rows, key=lambda row: row.created, reverse=True):
        record: Any = memory.show(row.id).record
        if _folded(record.approach or record.title) == _folded(approach):
            return cast("Fix", record)
    return None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")


def _says_nothing_new(earlier: "Fix", fields: Mapping[str, Any]) -> bool:
    from gitmem.records.convert import to_data

    recorded = to_data(earlier)
    new = {name: value for name, value in fields.items() if name not in ("approach", "asked_as")}
    return all(_is_recorded(recorded.get(name), value) for name, value in new.items())


def _is_recorded(recorded: object, value: object) -> bool:
    """Tell whether a field's value stands in the record already."""
    if isinstance(value, dict):
        return isinstance(recorded, dict) and value.items() <= recorded.items()
    return recorded == value or (
        isinstance(recorded, str) and recorded.strip() == str(value).strip()
    )


def _error_alone(memory: "Memory", error: str, waits: str) -> Answer:
    answer = memory.history.look_up(error)
    named, new = _error(memory, error)
    parts = [part for part in known_parts(answer) if part.data.get("label")]
    head = f"Written: {', '.join(new)}.{waits}" if new else f"Recorded already: {named}."
    return Answer(parts, head, {"written": new})


def _decision(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def gitmem_record_decision(
        ctx: Context,
        *,
        decision: Annotated[str, Field(description="what was chosen")],
        rationale: Annotated[str, Field(description="why")],
        alternatives: Annotated[Texts, Field(description="what was not chosen")] = None,
        consequences: Annotated[str, Field(description="what follows from it")] = "",
        files: Files = None,
        supersedes: Annotated[str, Field(description="id of the decision it replaces")] = "",
        asked_as: AskedAs = "",
        project: Project = "",
    ) -> Result:
        """Write a decision and its reasons into this repository's memory.

        Call it when you or the user chose a library, a format, a design, a rule, or when an
        earlier decision no longer holds.
        """

        def question(memory: "Memory") -> Answer:
            fields = {
                "decision": decision, "rationale": rationale, "consequences": consequences,
                "asked_as": questions(asked_as),
                "alternatives": [{"option": option} for option in alternatives or ()],
                "governs": [here(memory, file) for file in files or ()],
            }  # fmt: skip
            if not supersedes:
                refuse_near(memory, "decision", title_of(fields), "supersedes: {}, if it replaces")
            return decided(memory, fields, supersedes, calls.waits)

        return await calls.write(ctx, question, project)


def title_of(fields: Mapping[str, Any]) -> str:
    """Take the first line of a decision for its title."""
    return str(fields["decision"]).strip().partition("\n")[0][:_LONGEST_TITLE]


def refuse_near(memory: "Memory", kind: str, title: str, otherwise: str) -> None:
    """Tell of a record that says nearly the same, before another one is written.

    Raises:
        UsageError: there is one.

    """
    for row in memory.advice.near(kind, title)[:1]:
        hint = f"say what is different; or send {otherwise.format(row.id)} it"
        raise UsageError(f"{row.id} says nearly the same: {row.title}", hint)


def decided(
    memory: "Memory", fields: Mapping[str, Any], supersedes: str = "", waits: str = ""
) -> Answer:
    """Write a decision; its first line is its title.

    Args:
        memory: the memory.
        fields: of the record; empty ones are left out.
        supersedes: id of the decision whose place it takes.
        waits: what to say of what was written.

    """
    title = title_of(fields)
    given_fields = {k: v for k, v in {"title": title, **fields}.items() if v not in (None, "", [])}
    if supersedes:
        return written(memory.supersede(supersedes, given_fields), waits=waits)
    close = memory.advice.related("decision", title)[:_MOST_NAMED]
    answer = written(memory.add("decision", given_fields), waits=waits)
    named = [row_part(row, "related") for row in close]
    return answer._replace(parts=[*answer.parts, *named])


def _note(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def gitmem_note(
        ctx: Context,
        *,
        title: Annotated[str, Field(description="the fact")],
        body: Annotated[str, Field(description="Markdown")] = "",
        files: Files = None,
        asked_as: AskedAs = "",
        project: Project = "",
    ) -> Result:
        """Write a plain fact into this repository's memory, which is no error and no decision.

        Call it when something took effort to find out: how to build or test, what surprises.
        """

        def question(memory: "Memory") -> Answer:
            fields = {
                "title": title, "body": body,
                "asked_as": questions(asked_as),
                "anchors": [{"path": here(memory, file)} for file in files or ()],
            }  # fmt: skip
            refuse_near(memory, "note", title, "the id {} to gitmem_rate, if you only confirm")
            record = memory.add("note", {name: value for name, value in fields.items() if value})
            return written(record, waits=calls.waits)

        return await calls.write(ctx, question, project)


def _rate(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def gitmem_rate(
        ctx: Context,
        *,
        id: Annotated[str, Field(description="of the record")],  # noqa: A002  what records call it
        helpful: Annotated[bool, Field(description="false: it did not help")] = True,
        project: Project = "",
    ) -> Result:
        """Say whether a record of this repository's memory helped.

        Call it when you followed one, or found it wrong.
        """

        def judged(memory: "Memory") -> Answer:
            judge = memory.failures.helpful if helpful else memory.failures.unhelpful
            judgement = judge(id)
            says = "helped" if helpful else "did not help"
            return Answer([], f"Noted on this machine: {judgement.record} {says}.")

        return await calls.write(ctx, judged, project)


def written(record: "Record", *before: str, waits: str = "") -> Answer:
    """Tell what was written.

    Args:
        record: the record.
        before: ids of those that were written before it, for its sake.
        waits: that all of it waits for a person, or nothing.

    """
    ids = [*before, record.id]
    return Answer([written_part(record)], f"Written: {', '.join(ids)}.{waits}", {"written": ids})
