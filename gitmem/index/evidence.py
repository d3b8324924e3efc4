r"""Evidence in a text beside its words: lines of code, files and lines, names.

A pasted output and a written record are taken apart in the same way, so that the source line
of one meets the source line of the other. This is a light look for ranking: every pattern is
linear, and only the first ``MOST`` characters take part. What a failure *is* (its tool, its
fingerprints) is for ``gitmem.matching`` to say.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import alternatives, pattern

MOST: Final = 16_000
HEAD: Final = 400
"""Characters of a message that tell what it is about; the rest dumps data."""
_LINE: Final = 300
_NEAR_END: Final = 2
_FUNCTIONS: Final = 3
_MOST_QUOTED: Final = 6_000

_PYTHON = lazily(
    r'^[> ]*File "([^"\n]{1,400})", line (\d{1,9})(?:, in ([^\n]{1,200}))?\n'
    r'(?:[ \t]+(?!File ")([^\n]{1,400})\n?)?',
    re.MULTILINE,
)
_JAVA = lazily(
    r"^\s{0,40}at ([\w.$<>/]{1,300})\(([\w$-]{1,200}\.\w{1,10})(?::(\d{1,9}))?\)[^\n]{0,200}$",
    re.MULTILINE,
)
_SCRIPT = lazily(
    r"^\s{0,40}at (?:([^()\n]{1,200}) \()?([^()\s]{1,300}?):(\d{1,9})(?::\d{1,9})?\)?\s*$",
    re.MULTILINE,
)
_FRAME = lazily(
    r"^[ \t]{0,40}(?:at [^\n]{1,400}(?:\)|:\d{1,9})|\.\.\. \d{1,9} (?:more|common frames \w+))\s*$",
    re.MULTILINE,
)
_PLACE = lazily(r"(?<![\w./\\$(-])([\w./\\$-]{1,300}\.[A-Za-z]\w{0,7})(?::|\((?=\d))(\d{1,7})")
_MARKED = lazily(r"^>[ \t]{3,40}(\S[^\n]{0,400})$", re.MULTILINE)
"""pytest's failing line; with fewer blanks it is a quotation in a report."""
_QUOTED = lazily(
    # The sign comes first, and what may not be before it next: so re can skip to the signs.
    r"`([^`\n]{1,120})`|'(?<!\w')([^'\n]{1,120})'(?!\w)|\"([^\"\n]{1,120})\""
    r"|\u2018([^\u2019\n]{1,120})\u2019|\{\{([^}\n]{1,120})\}\}"
)
_URL = lazily(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s'\"<>`)\]]{1,1000}")
_PATH = lazily(
    r"(?<![\w.:/\\<-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)?(?:[\w.$@+~%-]{1,80}[\\/]{1,2}){1,40}"
    r"[\w.$@+~%-]{0,80}(?::\d{1,9}){0,2}"
)
_SYSTEM: Final = "/usr/lib"
_TEST = lazily(r"\w*[tT]est\w*")
_DEFINED = lazily(r"\bdef (test\w{1,200})\(")
_ENDING = lazily(r"\.\w{1,10}$")
_SLASHES = lazily(r"[\\/]{1,4}")
_CARETS = frozenset("^~- ")
_WORD = lazily(r"[A-Za-z']{1,40}")
_COMMON = frozenset(
    {
        "the", "a", "an", "is", "are", "was", "were", "to", "of", "in", "on", "when", "we", "i",
        "this", "that", "it", "and", "or", "for", "with", "not", "be", "by", "as", "if", "but",
        "can", "should", "would", "will", "there", "which", "from", "have", "has",
    }
)  # fmt: skip
_SENTENCES: Final = 6
_REPORT: Final = 40


_FILES_OF: Final = {
    "python": "py pyi pyx ipynb", "jvm": "java kt kts scala groovy", "go": "go", "rust": "rs",
    "javascript": "js mjs cjs jsx ts mts cts tsx vue svelte", "ruby": "rb", "php": "php",
    "c": "c cc cpp cxx h hh hpp m mm", "dotnet": "cs fs vb", "swift": "swift",
}  # fmt: skip
_LANGUAGES: Final = {f".{end}": name for name, ends in _FILES_OF.items() for end in ends.split()}
LANGUAGES: Final = tuple(_FILES_OF)
"""Languages that the endings of files tell apart; those that call each other are one."""


class FileLine(NamedTuple):
    """A line of a file, by the file's name in lower case."""

    file: str
    line: int


class TraceStep(NamedTuple):
    """One own line of a stack trace; any part but the path may be missing."""

    path: str
    line: int
    function: str
    code: str


class TextEvidence(NamedTuple):
    """What a text says.

    Attributes:
        head: the start of the message, without paths.
        first: the first line.
        last: the last line.
        steps: the own lines of its stack traces, innermost last.
        code: source lines that were quoted, in order, blanks collapsed.
        paths: files that are named with a folder.
        places: lines of files.
        quoted: what stands in quotes.
        tests: names of tests.
        prose: it is a report that somebody wrote rather than the output of a tool.

    """

    head: str = ""
    first: str = ""
    last: str = ""
    steps: tuple[TraceStep, ...] = ()
    code: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    places: tuple[FileLine, ...] = ()
    quoted: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    prose: bool = False


def of_text(text: str) -> TextEvidence:
    """Take a text apart."""
    text = text[:MOST]
    steps = tuple(own_steps(text))
    lines = [line for line in text.split("\n") if not line.isspace() and line]
    if not lines:
        return TextEvidence()
    code = source_lines(text, steps)
    tests = [step.function.rsplit(".", 1)[-1] for step in steps]
    tests = [name for name in tests if _TEST.fullmatch(name)] + _DEFINED.findall(text)[:1]
    return TextEvidence(
        head=head(text),
        first=_URL.sub(" ", lines[0][:_LINE]),
        last=_last(lines)[:_LINE],
        steps=steps,
        code=code,
        paths=tuple(dict.fromkeys([*(step.path for step in steps), *_PATH.findall(text)])),
        places=places(text, steps),
        quoted=quoted(text),
        tests=tuple(dict.fromkeys(tests)),
        prose=not (steps or code) and _is_prose(text),
    )


def _last(lines: Sequence[str]) -> str:
    """Give the last line that is no frame of a stack: those that follow a message say little."""
    if "at " in lines[-1] or "... " in lines[-1]:
        return next((line for line in reversed(lines) if not _FRAME.match(line)), lines[-1])
    return lines[-1]


def own_steps(text: str) -> Iterable[TraceStep]:
    """Read the own lines of the stack traces in a text."""
    if 'File "' in text:
        for match in _PYTHON.finditer(text):
            path, line, function, code = match.groups("")
            if not _foreign_path().search(path):
                yield TraceStep(path, int(line), function, "" if set(code) <= _CARETS else code)
    if "at " not in text:
        return
    java = [match.groups("") for match in _JAVA.finditer(text)]
    for function, file, line in java:
        if not pattern("frames.evidence_names").match(function):
            yield TraceStep(file, int(line or 0), function, "")
    for match in () if java else _SCRIPT.finditer(text):
        function, path, line = match.groups("")
        if not _foreign_path().search(path):
            yield TraceStep(path, int(line), function, "")


@cache
def _foreign_path() -> re.Pattern[str]:
    """Give the pattern of paths of others' code, as far as ranking was learnt with it.

    ``common.frames`` knows more of them; records are ranked by what is told here.
    """
    return lazily(f"{_SYSTEM}|{alternatives('frames.evidence')}")


def head(text: str) -> str:
    """Give the start of a message, without a stack before it and without paths."""
    beginning = text
    if 'File "' in text:
        ends = [match.end() for match in _PYTHON.finditer(text)]
        after = text[ends[-1] :].strip(" \n^~") if ends else ""
        before = text.partition("Traceback (most")[0].strip()
        beginning = f"{before[:HEAD]}\n{after}" if after else _PYTHON.sub("\n", text)
    elif ("\tat " in text or " at " in text) and "(" in text:
        beginning = _FRAME.sub("", text)
    return without_paths(beginning.strip()[: 2 * HEAD])[:HEAD]


def without_paths(text: str) -> str:
    """Leave addresses and paths out of a text."""
    if "://" in text:
        text = _URL.sub(" ", text)
    return _PATH.sub(" ", text) if "/" in text or "\\" in text else text


def source_lines(text: str, steps: Sequence[TraceStep]) -> tuple[str, ...]:
    """Give the source lines that a text quotes, each once, blanks collapsed."""
    lines = [step.code for step in steps if step.code]
    if "\n>" in text or text.startswith(">"):
        lines += _MARKED.findall(text)
    return tuple(dict.fromkeys(" ".join(line.split()) for line in lines))


def places(text: str, steps: Sequence[TraceStep]) -> tuple[FileLine, ...]:
    """Give the lines of files that a text names, those of foreign code left out."""
    named = [FileLine(file_name(step.path), step.line) for step in steps if step.line]
    if ":" in text or "(" in text:
        named += [FileLine(file_name(path), int(line)) for path, line in _PLACE.findall(text)]
    return tuple(dict.fromkeys(named))


def quoted(text: str) -> tuple[str, ...]:
    """Give the quoted texts outside the lines of a stack trace."""
    text = text[:_MOST_QUOTED]
    if 'File "' in text:
        text = _PYTHON.sub("", text)
    return tuple(match[match.lastindex or 0] for match in _QUOTED.finditer(text))


def file_name(path: str) -> str:
    """Give the name of a file in lower case."""
    return _SLASHES.split(path)[-1].lower()


def languages(places: Iterable[FileLine]) -> set[str]:
    """Name the languages of files."""
    endings = {place.file[place.file.rfind(".") :] for place in places}
    return {_LANGUAGES[ending] for ending in endings if ending in _LANGUAGES}


def stems(evidence: TextEvidence) -> list[str]:
    """Name the files without folder and ending."""
    named = [_SLASHES.split(path)[-1].partition(":")[0] for path in evidence.paths]
    return list(dict.fromkeys(_ENDING.sub("", name) for name in named))


def path_parts(evidence: TextEvidence) -> list[str]:
    """Name the last folders and the files, without endings."""
    parts: list[str] = []
    for path in evidence.paths:
        tail = [part for part in _SLASHES.split(path.partition(":")[0]) if part][-4:]
        parts += (_ENDING.sub("", part) for part in tail)
    return list(dict.fromkeys(parts))


def functions(evidence: TextEvidence) -> list[str]:
    """Name the innermost own functions."""
    named = [step.function for step in evidence.steps if step.function]
    return named[-_FUNCTIONS:]


def last_code(evidence: TextEvidence) -> tuple[str, ...]:
    """Give the innermost source lines."""
    return evidence.code[-_NEAR_END:]


def _is_prose(text: str) -> bool:
    words = _WORD.findall(text[:3_000])
    return len(words) > _REPORT and sum(word in _COMMON for word in words) >= _SENTENCES
