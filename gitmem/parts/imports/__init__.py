"""What other tools and texts remember, as records: decisions, changelogs, memories."""

from typing import Final

from gitmem.part import Part, PartCommand

PART: Final = Part(
    "imports",
    commands={
        "import adr": PartCommand(
            "Read architecture decision records: MADR, adr-tools (Nygard), log4brains.",
            "gitmem.parts.imports.command:adr",
        ),
        "import changelog": PartCommand(
            "Read a changelog: what was fixed, changed, deprecated or removed, by version.",
            "gitmem.parts.imports.command:changelog",
        ),
        "import other": PartCommand(
            "Import another tool's memory: beads, the MCP memory server, fix histories, and more.",
            "gitmem.parts.imports.command:other",
        ),
    },
)
