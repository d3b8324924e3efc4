"""The table of docs/tools.md, written from the tools themselves. Used by generate_docs.py."""

from gitmem.tools.knowledge import ToolKnowledge, all_knowledge

HEAD = (
    "tool", "language", "failures", "all of them", "tests", "counts", "reports", "editors call it",
    "files",
)  # fmt: skip


def row(tool: ToolKnowledge) -> tuple[str, ...]:
    """Write the row of a tool."""
    like = [name for name in tool.failures if name != tool.name]
    own = tool.name in tool.failures
    failures = "yes" if own else f"as {' and '.join(like)}" if like else ""
    return (
        f"`{tool.name}`",
        tool.language,
        failures,
        _mark(has=tool.exits),
        _mark(has=tool.tests),
        _mark(has=tool.counts),
        _mark(has=tool.reports),
        ", ".join(f"`{name}`" for name in tool.editor),
        _mark(has=tool.files),
    )


def rows() -> list[tuple[str, ...]]:
    """Write a row for each tool, by name."""
    return list(map(row, all_knowledge()))


def _mark(*, has: bool) -> str:
    return "yes" if has else ""
