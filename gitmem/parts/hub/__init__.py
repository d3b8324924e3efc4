"""Many repositories: what their memories publish, in one engine that is filled from git."""

from typing import Final

from gitmem.part import Part, PartCommand

PART: Final = Part(
    "hub",
    commands={
        "hub": PartCommand(
            "Keep what many repositories publish in one database, for all of them to ask.",
            "gitmem.parts.hub.command:command",
        ),
    },
)
