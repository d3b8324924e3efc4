"""golangci-lint: rules for Go, each line with the linter that speaks."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput, ToolSilence
from gitmem.tools.common.reading import number, one

_LINTERS: Final = (
    "asasalint|asciicheck|bidichk|bodyclose|contextcheck|copyloopvar|cyclop|deadcode|depguard"
    "|dogsled|dupl|dupword|durationcheck|errcheck|errchkjson|errname|errorlint|exhaustive"
    "|exhaustruct|exportloopref|forbidigo|forcetypeassert|funlen|gci|gochecknoglobals"
    "|gochecknoinits|gocognit|goconst|gocritic|gocyclo|godot|godox|gofmt|gofumpt|goheader"
    "|goimports|golint|gomnd|gomoddirectives|gomodguard|goprintffuncname|gosec|gosimple"
    "|gosmopolitan|govet|importas|ineffassign|interfacebloat|intrange|ireturn|lll|maintidx"
    "|makezero|mirror|misspell|mnd|musttag|nakedret|nestif|nilerr|nilnil|nlreturn|noctx"
    "|nolintlint|nonamedreturns|nosprintfhostport|paralleltest|perfsprint|prealloc"
    "|predeclared|promlinter|reassign|revive|rowserrcheck|sloglint|spancheck|sqlclosecheck"
    "|staticcheck|structcheck|stylecheck|tagalign|tagliatelle|tenv|testifylint|testpackage"
    "|thelper|tparallel|typecheck|unconvert|unparam|unused|usestdlibvars|usetesting|varcheck"
    "|varnamelen|wastedassign|whitespace|wrapcheck|wsl"
)
_LINE: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.go):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>\S.*?) "
    rf"\((?P<linter>{_LINTERS})\)$"
)
_MARK: Final = re.compile(r"\s*\^\s*$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one message with the line that it shows."""
    match = _LINE.match(lines[at])
    if match is None:
        return None
    source, end = "", at + 1
    if at + 2 < len(lines) and _MARK.match(lines[at + 2]):
        source, end = lines[at + 1].strip(), at + 3
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]), source)
    failure = Failure("golangci-lint", "go", "", match["linter"], match["message"], location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "golangci_lint",
    order=229,
    language="go",
    bears=("golangci-lint",),
    output=ToolOutput(words=(".go:",), parse=parse),
    command=ToolCommand(programs=("golangci-lint",)),
    silence=ToolSilence(
        allows=(r"//\s*nolint\b",),
        settings=(r"\.golangci\.ya?ml",),
        looser=(r"\bdisabled?\b\s*[=:]", r"\bexclude\w*\b\s*[=:]"),
    ),
    files=ToolFiles(settings={".golangci.y*ml": "golangci-lint"}, aside=(r"\.golangci\.ya?ml",)),
)
