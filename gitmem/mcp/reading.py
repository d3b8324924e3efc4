"""The tools that only read: search, show, hint, attempts, review."""

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from gitmem.mcp.calls import Calls, Data
from gitmem.render.assistant import Answer, Part, attempts_of, hit_part, known_parts, row_part

if TYPE_CHECKING:
    from gitmem.memory import Memory

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
Budget = Annotated[int, Field(description="tokens of the answer; 0: as usual", ge=0)]
Project = Annotated[str, Field(description="which open folder, if there are several")]
Result = Annotated[CallToolResult, Data]


def register(server: MCPServer[Any], calls: Calls) -> None:
    """Add the tools to a server."""
    for add in (_search, _show, _hint, _attempts, _review):
        add(server, calls)


def _search(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="Search the memory", annotations=READS)
    async def search(
        ctx: Context,
        *,
        query: Annotated[str, Field(description="words, filters like kind:decision, or an error")],
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
        offset: Annotated[int, Field(ge=0)] = 0,
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Find past errors with what fixed them, decisions, patterns and notes, best first."""

        def question(memory: "Memory") -> Answer:
            found = memory.search(query, offset + limit + 1)
            hits = found.hits[offset : offset + limit]
            head = "" if hits else "Nothing found."
            if found.suggestion:
                head = f"Nothing found; did you mean: {found.suggestion}"
            more = len(found.hits) > offset + limit
            data = {"next_offset": offset + limit} if more else {}
            return Answer([hit_part(hit) for hit in hits], head, data)

        said = {"query": query, "project": project}
        return await calls.ask(ctx, question, said, project=project, budget=budget)


def _show(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="Show a record", annotations=READS)
    async def show(
        ctx: Context,
        *,
        id: Annotated[str, Field(description="id of a record, or the beginning of one")],  # noqa: A002
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Read one record whole: what it says, what was tried, what links to it."""

        def question(memory: "Memory") -> Answer:
            from gitmem.render.page import page  # noqa: PLC0415  start-up

            shown = memory.show(id)
            blocks = page(shown).strip().split("\n\n## ")
            first = blocks[0]
            parts = [Part(first, {"id": shown.row.id, "kind": shown.row.kind,
                                  "status": shown.row.status})]  # fmt: skip
            parts += [
                Part(f"## {block}", {"part": block.partition("\n")[0]}) for block in blocks[1:]
            ]
            return Answer(parts)

        said = {"id": id, "project": project}
        return await calls.ask(ctx, question, said, project=project, budget=budget)


def _hint(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="What is known about an error", annotations=READS)
    async def hint(
        ctx: Context,
        *,
        text: Annotated[str, Field(description="output of the command that failed")],
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Ask before fixing: was this failure seen before, what worked, what did not."""

        def question(memory: "Memory") -> Answer:
            parts = known_parts(memory.hint(text))
            return Answer(parts, "" if parts else "No failure in this text, or nothing is known.")

        said = {"text": text, "project": project}
        return await calls.ask(ctx, question, said, project=project, budget=budget)


def _attempts(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="What was tried", annotations=READS)
    async def attempts(
        ctx: Context,
        *,
        error: Annotated[str, Field(description="id of an error; empty: what fails now")] = "",
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """List the fix attempts on an error, or on what fails in this work tree now."""

        def question(memory: "Memory") -> Answer:
            if error:
                row = memory.find(error, "error")
                return Answer([row_part(row, "", attempts_of(memory.attempts_of(row.id)))])
            live = memory.attempts()
            parts = [part for one in live for part in known_parts([one.known])]
            return Answer(parts, "" if parts else "Nothing fails here that was observed.")

        said = {"error": error, "project": project}
        return await calls.ask(ctx, question, said, project=project, budget=budget)


def _review(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="What a change teaches", annotations=READS)
    async def review(
        ctx: Context,
        *,
        range: Annotated[str, Field(description="A..B; empty: this branch")] = "",  # noqa: A002
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Tell what commits teach, and which decisions and past errors concern their files."""

        def question(memory: "Memory") -> Answer:
            from gitmem.render.as_json import review as as_data  # noqa: PLC0415  start-up
            from gitmem.render.review import markdown  # noqa: PLC0415  start-up

            found = memory.review(range)
            blocks = markdown(found).strip().split("\n\n")
            kinds = {name: len(value) for name, value in as_data(found).items()
                     if isinstance(value, list)}  # fmt: skip
            return Answer([Part(block, {}) for block in blocks], "", {"counts": kinds})

        said = {"range": range, "project": project}
        return await calls.ask(ctx, question, said, project=project, budget=budget)
