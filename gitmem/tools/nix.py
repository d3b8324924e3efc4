"""Nix: that a derivation was not built; why stands in the lines of its log."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "nix",
    order=366,
    output=ToolOutput(
        closing=(
            r"(?:error: )?(?:builder for '[^'\n]+' failed with exit code \d+;?$"
            r"|last \d+ log lines:$|For full logs, run "
            r"|[Cc]annot build '[^'\n]+'\.$|Reason: builder failed with exit code \d+\.$"
            r"|build of '[^'\n]+'(?: on '[^'\n]+')? failed$"
            r"|\d+ dependenc\w+ of derivation '[^'\n]+' failed to build$"
            r"|cannot build derivation '[^'\n]+': \d+ dependencies couldn't be built$)"
        )
    ),
    command=ToolCommand(programs=("nix", "nix-build", "nixos-rebuild")),
)
