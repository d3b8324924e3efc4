"""rustc: the compiler of Rust; Cargo's reader reads its messages and the panics of its programs."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput, ToolTitle


def diagnostic(code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the compiler does: its labels stand elsewhere there."""
    return code, message.partition("\n")[0]


TOOL = Tool(
    "rustc",
    order=221,
    language="rust",
    names=MappingProxyType({"rust": "", "rust-analyzer": ""}),
    sources=("rustc", "rust-analyzer"),
    output=ToolOutput(like=("cargo",)),
    command=ToolCommand(programs=("rustc",)),
    identity=ToolIdentity(
        counts_as="rustc",
        compares_unmasked=(
            r"assertion (?:failed: )?[`'(]+left [!=]= right\b|assertion [`']left matches "
        ),
        prose_code=r"E0\d{3}",
    ),
    title=ToolTitle(leads="code", left=r"\s*left: (.+)$", right=r"\s*right: (.+)$"),
    diagnostic=diagnostic,
)
