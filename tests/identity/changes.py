"""Changes of outputs: of what differs from run to run, and of what somebody has to put right.

Each is drawn from a generator with a seed of its own, so that a case can be looked at again.
"""

import random
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.matching.fingerprint import NO_TYPES
from gitmem.output.failure import as_cause

_FOLDER: Final = re.compile(
    r"(?<![\w.$@-])/(?:home|srv|work|Users|builds|app|data|repo|workspace)/[\w.-]+(?=/)"
)
_TEMPORARY: Final = re.compile(r"(?<![\w.])/(?:private/)?(?:tmp|var/folders)/[\w.-]{1,60}")
_LINES: Final = (
    re.compile(r"(?P<before>\.[A-Za-z]\w{0,9}[\"']?:)(?P<line>\d{1,5})(?![\d.]|\d*\w)"),
    re.compile(r"(?P<before>\.[A-Za-z]\w{0,9}\()(?P<line>\d{1,5})(?=,\d{1,5}\): )"),
    re.compile(r"(?P<before>, line |:line )(?P<line>\d{1,5})\b"),
    re.compile(r"(?m)(?P<before>^[ >*]{0,6})(?P<line>\d{1,5})(?=[ \t]*[|│])"),
)
_DURATION: Final = re.compile(r"(?<![\w.:-])\d{1,6}(?:\.\d{1,6})?(?= ?(?:ms|s|sec|seconds)\b)")
_CLOCK: Final = re.compile(r"\b([01]\d|2[0-3]):[0-5]\d:[0-5]\d\b")
_ADDRESS: Final = re.compile(r"\b0x[0-9a-f]{6,16}\b|(?<=@)[0-9a-f]{6,8}\b")
_PID: Final = re.compile(r"(?<=pid[ =:])\d{2,7}\b|(?<===)\d{2,7}(?===)|(?<=pid )\d{2,7}\b")
_UUID: Final = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_PORT: Final = re.compile(r"(?<=localhost:)\d{4,5}\b|(?<=127\.0\.0\.1:)\d{4,5}\b")
_ONE_LINE: Final = re.compile(r"[\w./-]+\.\w{1,5}(?::\d+){1,2}: \S.{10,200}$")
"""A whole failure in one line, as most linters write it."""
_HEX: Final = re.compile(r"[0-9a-f]")
_PREFIXES: Final = (
    "web-1  | ", "@acme/web:build: ", "[pod/web-5d4f7c9b8-x2x4z/web] ", "[rank0]: ",
    "2026-01-02T03:04:05.6789012Z ", "Nov 03 09:12:00 shop-1 shop[812]: ", "[shop] ", "test: ",
    "#12 3.456 ", "build\tRun tests\t2026-01-02T03:04:05.6789012Z ",
)  # fmt: skip
"""What services put before each line."""
_QUOTED: Final = re.compile(r"['\"`\u2018]([A-Za-z_@][\w.@/\\:-]{2,60})['\"`\u2019]")
_NAME: Final = re.compile(r"[A-Za-z]{3}")
_NO_NAMES: Final = frozenset({
    "none", "nonetype", "null", "undefined", "nan", "utf-8", "utf8", "ascii", "true", "false",
})  # fmt: skip
_FILE: Final = re.compile(r"(?<![\w./\\-])([\w-]{2,40})\.(?:csv|json|h|txt|lock|toml|yml|yaml)\b")

_SUGGESTED: Final = re.compile(r"(?is)\bdid you mean\b.*")
_COLOURS: Final = re.compile(r"\x1b\[[\d;]*[A-Za-z]")

Change = Callable[[str, random.Random], str]


class Altered(NamedTuple):
    """An output with a name or value that is another: which of its kinds, and what it was."""

    kind: str
    old: str
    text: str


def _moved_folders(text: str, chance: random.Random) -> str:
    folders = sorted(set(_FOLDER.findall(text)), key=len, reverse=True)
    for folder in folders:
        other = f"/{chance.choice(('mnt', 'builds', 'home'))}/agent{chance.randrange(90)}/checkout"
        text = re.sub(rf"{re.escape(folder)}(?=/)", other, text)
    return text


def _moved_lines(text: str, chance: random.Random) -> str:
    shift = chance.randrange(1, 9)
    for pattern in _LINES:
        text = pattern.sub(lambda match: f"{match['before']}{int(match['line']) + shift}", text)
    return text


def _durations(text: str, chance: random.Random) -> str:
    def other(match: re.Match[str]) -> str:
        fraction = len(match[0].partition(".")[2])
        return f"{chance.uniform(1, 90):.{fraction}f}"

    text = _CLOCK.sub(lambda _: f"{chance.randrange(10, 24)}:{chance.randrange(10, 60)}:07", text)
    return _DURATION.sub(other, text)


def _identifiers(text: str, chance: random.Random) -> str:
    def digits(match: re.Match[str]) -> str:
        head = "0x" if match[0].startswith("0x") else ""
        rest = match[0].removeprefix("0x")
        return head + _HEX.sub(lambda _: chance.choice("0123456789abcdef"), rest)

    text = _UUID.sub(digits, _ADDRESS.sub(digits, text))
    text = _PID.sub(lambda _: str(chance.randrange(100, 99_999)), text)
    return _PORT.sub(lambda _: str(chance.randrange(30_000, 60_000)), text)


def _temporary(text: str, chance: random.Random) -> str:
    for folder in set(_TEMPORARY.findall(text)):
        text = text.replace(folder, f"/tmp/tmp{chance.randrange(10**6)}x")
    return text


def _prefixed(text: str, chance: random.Random) -> str:
    lines = text.splitlines()
    formed = any(not line.strip() or line[0] in " \t" for line in lines)
    if len(lines) < 6 or not formed or "\x1b" in text or "\r" in text:
        return text
    prefix = chance.choice(_PREFIXES)
    return "".join(f"{prefix}{line}\n" for line in lines)


def _coloured(text: str, chance: random.Random) -> str:
    colour = chance.choice(("31", "1;31", "91", "38;5;9"))
    return "".join(
        f"\x1b[{colour}m{line}\x1b[0m\n" if line.strip() and "\x1b" not in line else f"{line}\n"
        for line in text.splitlines()
    )


def _reordered(text: str, chance: random.Random) -> str:
    """Give what a linter says of each line in another order."""
    lines = text.splitlines()
    placed = [at for at, line in enumerate(lines) if _ONE_LINE.match(line)]
    if len(placed) < 3 or placed != list(range(placed[0], placed[0] + len(placed))):
        return text
    chance.shuffle(order := placed.copy())
    shuffled = dict(zip(placed, order, strict=True))
    return "".join(f"{lines[shuffled.get(at, at)]}\n" for at in range(len(lines)))


def _more_around(text: str, chance: random.Random) -> str:
    before = [f"+ step {number} of the job" for number in range(chance.randrange(1, 5))]
    return "\n".join([*before, "", text.rstrip("\n"), "", "the job is over", ""])


VARYING: Final[dict[str, Change]] = {
    "folders": _moved_folders,
    "lines": _moved_lines,
    "durations": _durations,
    "identifiers": _identifiers,
    "temporary paths": _temporary,
    "prefixes": _prefixed,
    "colours": _coloured,
    "order": _reordered,
    "more around": _more_around,
}
"""What varies by run, machine and position: the failures stay what they are."""


def alterations(
    text: str, failure: FingerprintedFailure, chance: random.Random
) -> Iterator[Altered]:
    """Give outputs in which another name or value of a failure has to be put right."""
    fields = failure.fields
    message = _SUGGESTED.sub("", str(fields.get("message", "")))
    # Of a test's name that begins with its file, which is told elsewhere as well, the test.
    names = [name.rpartition("::")[2] for name in _QUOTED.findall(message) if _is_name(name)]
    if names:
        yield _replaced("name", text, chance.choice(names), chance)
    files = [match[1] for match in _FILE.finditer(message)]
    if files:
        yield _replaced("file", text, chance.choice(files), chance)
    kind = str(fields.get("error_type", ""))
    shown = kind not in NO_TYPES and kind in str(fields.get("excerpt", ""))
    if shown and len(kind) > 3 and " " not in kind:
        yield _replaced("type", text, kind.replace("::", ".").rpartition(".")[2], chance)
    test = fields.get("test") or {}
    values = [str(test.get(name, "")).strip() for name in ("expected", "actual")]
    values = [value for value in values if value and "\n" not in value and value in text]
    if values:
        yield _replaced("value", text, chance.choice(values), chance)
    causes = [as_cause(cause).error_type for cause in fields.get("chain", ())]
    causes = [cause.rpartition(".")[2] for cause in causes if cause and cause != kind]
    if causes:
        yield _replaced("cause", text, chance.choice(causes), chance)


def plain(text: str) -> str:
    """Give an output without colours, which may stand within a name."""
    return _COLOURS.sub("", text)


def _is_name(name: str) -> bool:
    return (
        bool(_NAME.search(name.rstrip("/\\").replace("\\", "/").rpartition("/")[2]))
        and name.lower() not in _NO_NAMES
    )


def _replaced(kind: str, text: str, old: str, chance: random.Random) -> Altered:
    """Write another name of the same form, everywhere."""
    if _NAME.search(old):
        # Of a path the folder may differ from machine to machine.
        last = max(old.rstrip("/\\").rfind("/"), old.rstrip("/\\").rfind("\\")) + 1
        letter = next(at for at, sign in enumerate(old) if at >= last and sign.isalpha())
        syllable = chance.choice(("vor", "bel", "tus", "mik"))
        new = f"{old[: letter + 1]}{syllable}{old[letter + 1 :]}"
    else:
        new = f"{old}{chance.randrange(3, 9)}"
    return Altered(kind, old, re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text))
