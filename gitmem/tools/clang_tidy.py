"""clang-tidy: a check's finding in a line, with the name of the check in brackets."""

from gitmem.tools.base import Tool, ToolCommand, ToolEnding, ToolOutput, ToolSilence
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "clang_tidy",
    order=235,
    language="c",
    languages={".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hpp": "c++", ".hh": "c++"},
    bears=("clang-tidy",),
    output=ToolOutput(
        words=(": error: ",),
        needs=r"\[[a-z][a-zA-Z0-9]*-[\w.,-]+\]\s*$",
        parse=faults_of(
            "clang-tidy",
            "c",
            r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}"
            r"\.(?:[ch](?:c|h|pp|xx|\+\+)?|[CH]|mm?|cuh?|inc|inl|ipp|tpp|def)):"
            r"(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
            r"(?:error|(?P<level>warning)): (?P<message>\S.*) "
            r"\[(?P<code>[a-z][a-zA-Z0-9]*-[\w.-]+)(?:,-?[\w.-]+)*\]$",
            shown=r"\s+\d* ?\||\s+[\^~]",
        ),
        closing=r"\d+ warnings? (?:and \d+ errors? )?treated as errors?|\d+ warnings? generated\.",
    ),
    command=ToolCommand(programs=("clang-tidy", "run-clang-tidy"), comparable=True),
    ending=ToolEnding(apart=True, by_file=True),
    silence=ToolSilence(skips=(r"\bNOLINT",)),
)
