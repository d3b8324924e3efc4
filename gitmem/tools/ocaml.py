"""OCaml: what its compilers say of a place that stands above, and exceptions with a trace."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolOutput
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.reading import one, passed_over

_PLACE: Final = re.compile(
    r'File "(?P<file>[^"\n]{1,400})", lines? (?P<line>\d{1,7})(?:-\d+)?'
    r"(?:, characters? (?P<column>\d{1,5})(?:-\d+)?)?:$"
)
_SAID: Final = re.compile(
    r"(?P<level>Error|Warning|Alert)(?: (?P<code>\d{1,3}|[a-z-]{2,40}))?"
    r"(?: (?P<flag>\(warning \d+(?: \[[\w-]+\])?\)|\[[\w-]+\]))?: (?P<message>\S.*)$"
)
_FLAG: Final = re.compile(r"\[(?P<name>[\w-]+)\]")
_QUOTED: Final = re.compile(r"\s*\d{1,7} \||\s*[\^.]+\s*$|\s*\.{3,}")
_RAISED: Final = re.compile(r"(?:Fatal error: )?[Ee]xception:? (?P<what>[A-Z][\w.]{0,200}\b.*)$")
_TYPED: Final = re.compile(r'(?P<type>[A-Z][\w.]*)(?:\((?P<message>.*)\)|: "?(?P<told>.*?)"?)?$')
_STEP: Final = re.compile(
    r"(?:Raised (?:at|by primitive operation at)|Called from|Re-raised at) "
    r"(?P<function>\S.{0,300}?) in file \"(?P<file>[^\"\n]{1,400})\"(?: \(inlined\))?, "
    r"lines? (?P<line>\d{1,7})"
)
_MOST: Final = 12
_FRAMES: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a fault whose place is this line, or an exception that nobody caught."""
    if placed := _PLACE.match(lines[at]):
        return _fault(lines, at, placed)
    del floor
    raised = _RAISED.match(lines[at])
    if raised is None:
        return None
    end, frames = at + 1, []
    while end < len(lines) and end < at + _FRAMES and (step := _STEP.match(lines[end])):
        frames.append(StackFrame(step["file"], step["function"], int(step["line"])))
        end += 1
    if not frames and not lines[at].startswith("Fatal error: exception "):
        return None
    typed = _TYPED.match(raised["what"])
    kind = typed["type"] if typed else ""
    message = (typed["message"] or typed["told"] or "").strip('"') if typed else raised["what"]
    failure = Failure("ocaml", "ocaml", kind, message=message, frames=bounded(frames[::-1]))
    return one(failure, lines, at, end)


def _fault(lines: Sequence[str], at: int, placed: re.Match[str]) -> ParserResult | None:
    end = at + 1
    while end < len(lines) and end < at + _MOST and _QUOTED.match(lines[end]):
        end += 1
    wording = _SAID.match(lines[end]) if end < len(lines) else None
    if wording is None:
        return None
    words, end = [wording["message"]], end + 1
    while end < len(lines) and end < at + 2 * _MOST and lines[end].startswith("  "):
        words.append(lines[end].strip())
        end += 1
    if wording["level"] != "Error":
        return passed_over(at, end)
    flag = _FLAG.search(wording["flag"] or "")
    code = flag["name"] if flag else wording["code"] or ""
    place = place_of(placed["file"], placed["line"], placed["column"])
    failure = Failure("ocaml", "ocaml", "", code, " ".join(words), location=place)
    return one(failure, lines, at, end)


TOOL = Tool(
    "ocaml",
    order=426,
    language="ocaml",
    output=ToolOutput(
        words=('File "', "Fatal error: exception ", "Exception: "),
        needs=r"(?:Error|Warning|Alert)(?: [\d(\[][^:]*)?: |exception |Raised at |Called from ",
        parse=parse,
    ),
    command=ToolCommand(
        programs=("dune", "ocaml", "ocamlc", "ocamlopt", "ocamlfind", "ocamlbuild"), comparable=True
    ),
    frames=ToolFrames(names={"ocaml": r"Stdlib[.\b]|CamlinternalLazy"}),
)
