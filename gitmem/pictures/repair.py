"""Corrects letters that OCR confuses, where only one meaning is possible (pure).

A letter is changed only where no program writes it: a number after ``line``, the places of
compilers, the codes of their messages. Words, paths and messages stay as they were read.
"""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# The wide forms of ASCII, as the model's other languages write them.
_WIDE: Final[dict[int, int | str]] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SIGNS: Final[dict[int, int | str]] = {
    ord(sign): meant
    for signs, meant in (
        # Straight and curly quotes are mixed up within one word.
        ("\u2018\u2019\u2032", "'"),
        ("\u201c\u201d\u2033", '"'),
        ("\u201a\u3001", ","),
        ("\u3002\u00b7", "."),
        ("\u3010", "["),
        ("\u3011", "]"),
        ("\u300a", "<"),
        ("\u300b", ">"),
        ("\u2013\u2014\u4e00", "-"),
        ("\u3000", " "),
        # A zero with a dot or a stroke.
        ("\u03b8\u0398\u04e8\u04e9", "0"),
    )
    for sign in signs
}
_DIGITS: Final = str.maketrans("OoQDIl|!SBZz", "000011115822")
# With at least one digit, or nothing but strokes: no word.
_NUMBER: Final = r"(?:(?=[^\s,:)]*[0-9])[0-9OoQDIl|SBZz]{1,6}|(?=[IOo]*[l|])[lI|][lI|Oo]{0,3})"
_RUSTC: Final = re.compile(r"error\[E\d{4}\]: ")
_BEFORE: Final = "line|column|col|argument|position|index|status|code|goroutine|base|char|Ln|Col"


def repaired(line: str) -> str:
    """Put one line right; its letters keep their places."""
    line = line.translate(_WIDE | _SIGNS)
    for pattern, change in _RULES:
        line = pattern.sub(change, line)
    if _RUSTC.match(line):
        # rustc quotes with backticks only.
        line = re.sub(r"['`]([^'`]*)['`]", r"`\1`", line)
        line = re.sub(r"(?<= )[\"*]([^\"*`\s][^\"`]*`)", r"`\1", line)
    return line


def _numbers(match: re.Match[str]) -> str:
    """Correct the letters in groups that must be numbers."""
    text, start = match[0], match.start()
    for number in range(1, (match.re.groups or 0) + 1):
        if match[number] is None:
            continue
        first, last = match.start(number) - start, match.end(number) - start
        text = text[:first] + text[first:last].translate(_DIGITS) + text[last:]
    return text


def _capitals(match: re.Match[str]) -> str:
    return match[0].upper()


def _without_blanks(match: re.Match[str]) -> str:
    """Take the blanks out of a frame: Java writes none after ``at``."""
    head, _, rest = match[0].partition("at ")
    return f"{head}at {rest.replace(' ', '')}"


_RULES: Final[tuple[tuple[re.Pattern[str], "str | Callable[[re.Match[str]], str]"], ...]] = (
    # Python: File "a.py", line 1O, in f
    (re.compile(r"^(\s*)F[i1lI][l1I]e(?= ?\")"), r"\1File"),
    (re.compile(r"\bl[i1]ne(?= [0-9])"), "line"),
    (re.compile(r"(?<=\", )[LlI1][i1l]ne(?= [0-9]+)"), "line"),
    (re.compile(rf"(?i:\b(?:{_BEFORE})) ({_NUMBER})(?=[,:;.)\s]|$)"), _numbers),
    # a.js:1l:5  a.c:1O: error  a.ts(4,l)
    (
        re.compile(rf"\.[A-Za-z]{{1,5}}[:(]({_NUMBER})(?:[:,]({_NUMBER}))?(?=[:)\s]|$)"),
        _numbers,
    ),
    # error TS2322, error[E0277], CS0103
    (re.compile(rf"(?<![A-Za-z])(?:TS|CS)({_NUMBER})(?![A-Za-z0-9])"), _numbers),
    (re.compile(r"(?<= error )[Tt][Ss](?=\d{4}: )"), "TS"),
    (re.compile(rf"(?<=error\[E)({_NUMBER})(?=\])"), _numbers),
    # 0x7fa74b48abl0
    (re.compile(r"\b[O0]x([0-9a-fA-FOl]{2,16})\b"), _numbers),
    # 1l passed
    (re.compile(r"(?<![\w.$])([0-9]{2,}[lOo][0-9lOo]*|[0-9][0-9lO]*)(?!\w)"), _numbers),
    # Java: lambda$main$0(
    (re.compile(r"(?<=\$)O(?=\()"), "0"),
    # [gwO], of pytest-xdist
    (re.compile(r"^\[gw([0-9Ool]{1,3})\]"), _numbers),
    # Ruby: a.rb:3:in *block in main'
    (re.compile(r"(?<=:in )[`'\"*^](?=[^`'\"*]+['!\"](?::|$))"), "`"),
    (re.compile(r"(?<=:in `)([^`'\"*!]+)[!\"](?=:|$)"), r"\1'"),
    # .NET: Dictionary'2.get_Item(
    (re.compile(r"(?<=[A-Za-z])'(?=[0-9][.\[(+])"), "`"),
    # mypy puts two blanks before the code of a message.
    (re.compile(r"^(\S+\.pyi?:\d+(?::\d+)?: error: .*\S) (?=\[[a-z]+(?:-[a-z]+)*\]$)"), r"\1  "),
    # Java: at com.shop. Cart.total(Cart.java:4), java.util.0ptional
    (re.compile(r"^\s*at [\w.$<> /]*[\w>]\([\w$]+\.java:\d+\)"), _without_blanks),
    (re.compile(r"(?<=[a-z]\.)0(?=[a-z]{3,}\.)"), "O"),
    # cart. py :7:12
    (re.compile(r"(?<=\w)\. ?(py|js|ts|rs|go|rb|java|c|cc|cpp|h) ?(?=:\d+:\d+)"), r".\1"),
    # UNIQuE: letters whose capital has the same shape
    (re.compile(r"\b[A-Z]{2,}[couvwxz][A-Z]+\b"), _capitals),
    # No name begins with a digit: 0SError, 0bject
    (re.compile(r"(?<![\w.])0(?=[A-Za-z]{3,})(?!x[0-9a-fA-F]+\b|b[01]+\b)"), "O"),
)
