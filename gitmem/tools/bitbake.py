"""BitBake, which builds Yocto: what went wrong in a recipe stands in the log that it shows."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "bitbake",
    order=365,
    output=ToolOutput(
        closing=(
            r"(?:\| )?(?:ERROR: )?(?:\S+ do_\w+: )?(?:oe_runmake failed$|ExecutionError\('"
            r"|Execution of '[^'\n]+' failed with exit code |Logfile of failure stored in: "
            r"|Task \(\S+:do_\w+\) failed with exit code )"
            r"|Required build target '[^'\n]+' has no buildable providers\.$"
            r"|Missing or unbuildable dependency chain was: "
            r"|Summary: (?:\d+ tasks? failed:$|There (?:was|were) \d+ (?:ERROR|WARNING) messages?)"
        )
    ),
    command=ToolCommand(programs=("bitbake",), builds=("bitbake",)),
)
