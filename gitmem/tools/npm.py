"""npm, pnpm and yarn: the lines after ``npm ERR!`` or ``npm error``."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import one, passed_over

_LINE: Final = re.compile(
    r"\s*(?:npm (?:ERR!|error)|yarn error|error|ERR_PNPM_\w+|\s*ERR_PNPM_\w+)(?: (?P<rest>.*))?$"
)
_NPM: Final = re.compile(r"npm (?:ERR!|error) ?(?P<rest>.*)$")
_NPM_BEHIND: Final = re.compile(rf"(?P<before>.{{0,200}}?){_NPM.pattern}")
_CODE: Final = re.compile(r"code (?P<code>[A-Z]\w+|\d+)$")
_PNPM: Final = re.compile(r"\s*(?P<code>ERR_PNPM_\w+)\s+(?P<message>.*)$")
_OF_SCRIPT: Final = re.compile(r"ERR_PNPM_RECURSIVE_(?:\w+_FIRST_FAIL|FAIL$)")
"""The script of a package failed: why is in what that printed."""
_LIFECYCLE: Final = re.compile(
    r"(?:Lifecycle script|Test failed\.|Exit status \d+|Failed at the "
    r"|command failed|.*\bELIFECYCLE\b)"
)
_STARTED: Final = re.compile(r"command (?!failed)\S")
_LOGGED: Final = re.compile(r"A complete log")
_PEER: Final = re.compile(r"\s*(?:peer(?:Optional)?|dev|optional) \S+ from \S+")
_NOISE: Final = re.compile(
    r"(?:A complete log|/.*-debug|\s*/\S+|errno |syscall |path |workspace "
    r"|location |command |This is probably|node -v|npm -v|\s*$|If you are behind"
    r"|in the log|Note that you|For a full|A possible|This is related|enoent This"
    r"|\d{3} In most|Did you mean|To see a list|\s+npm |And \d+ more)"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a run of npm's lines as one failure."""
    pnpm = _PNPM.match(lines[at])
    if pnpm:
        weight = "consequence" if _OF_SCRIPT.match(pnpm["code"]) else "error"
        failure = Failure("pnpm", "javascript", "", pnpm["code"], pnpm["message"], severity=weight)
        return one(failure, lines, at, at + 1)
    start = at
    while start > floor and _NPM.match(lines[start - 1]):
        start -= 1
    end = at
    npm_lines: list[str] = []
    while end < len(lines) and (match := _NPM.match(lines[end])):
        end += 1
        npm_lines.append(match["rest"])
    if end == at:
        return None
    code = next((match["code"] for line in npm_lines if (match := _CODE.match(line))), "")
    words = [line for line in npm_lines if not _CODE.match(line) and not _NOISE.match(line)]
    if not words and not code:
        return passed_over(start, end)
    words = (
        [
            re.sub(
                rf"^(?:{re.escape(code)}|{re.escape(code.lower())}|notarget|enoent|syscall|network)\s+",
                "",
                line,
            )
            for line in words
        ]
        if code
        else words
    )
    if code == "ERESOLVE":
        words = _conflict(words) or words
    failed = (
        code in ("ELIFECYCLE", "1", "2") or code.isdecimal() or any(map(_LIFECYCLE.match, words))
    )
    failure = Failure(
        tool="npm",
        language="javascript",
        code=code,
        message="\n".join(words[:6]),
        severity="consequence" if failed else "error",
    )
    return one(failure, lines, start, end)


class ScriptOutput:
    """Gives what a program printed that npm started for a package, without npm's word before it.

    npm prints the program's name, then all that it said.
    """

    def __init__(self) -> None:
        self._inside = False

    def plain(self, text: str) -> str:
        """Give a block of lines."""
        return "".join(map(self._bare, text.splitlines(keepends=True)))

    def rest(self) -> str:
        """Give what was kept back: nothing."""
        return ""

    def _bare(self, line: str) -> str:
        match = _NPM_BEHIND.match(line.rstrip("\n"))
        if match is None or _LOGGED.match(match["rest"]):
            self._inside = False
        elif self._inside:
            return match["before"] + line[match.start("rest") :]
        elif _STARTED.match(match["rest"]):
            self._inside = True
        return line


def _conflict(words: Sequence[str]) -> list[str]:
    """Give the pair of packages that do not go together, and what was there already."""
    wanted = [line.strip() for line in words if _PEER.match(line)]
    hit = [line.strip() for line in words if line.startswith("Found: ")]
    return [*wanted[:1], *hit[:1]] if wanted else []


def read_manifest(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read ``package.json``."""
    kinds = ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies")
    libraries = [name for kind in kinds for name in data.get(kind, {})]
    wants = data.get("engines", {}).get("node", "")
    return {
        "language": "TypeScript" if "typescript" in libraries else "JavaScript",
        "name": data.get("name", ""),
        "about": data.get("description", ""),
        "wants": f"node {wants}" if wants else "",
        "libraries": libraries,
        "declared": {*libraries, *(name.removeprefix("@types/") for name in libraries)},
    }


def scripts(data: object) -> list[str]:
    """Name what ``npm run`` can run."""
    listed = data.get("scripts") if isinstance(data, dict) else None
    return [str(name) for name in listed] if isinstance(listed, dict) else []


TOOL = Tool(
    "npm",
    order=280,
    language="javascript",
    output=ToolOutput(
        words=("npm ERR!", "npm error", "ERR_PNPM"),
        parse=parse,
        events="npm error command ",
        plain=ScriptOutput,
        closing=(
            r"gyp (?:info|verb|ERR! (?:build error|not ok|System|cwd|node |command|stack at"
            r"|stack Error: `make` failed))|npm (?:ERR!|error|warn|notice)"
            r"|\u2009?ELIFECYCLE|error Command failed|info Visit "
        ),
    ),
    command=ToolCommand(programs=("npm", "npx"), starts=("npx", "npm exec --")),
    files=ToolFiles(
        manifests=("package.json",),
        locks=("package-lock.json", "npm-shrinkwrap.json"),
        supplies=("package.json",),
        folders=frozenset({"node_modules"}),
        reads={"package.json": "JavaScript"},
        read=read_manifest,
        turn=39,
        runs={"package.json": "npm run "},
        targets=scripts,
        installed="node_modules",
        aside=(r"package(?:-lock)?\.json",),
    ),
)
