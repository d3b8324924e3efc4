"""Conventions of a code base: each claim with the evidence that it was counted from. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Final, Literal, NamedTuple

from gitmem.learning.facts import SourceFacts

BASIC: Final = 10
DETAILED: Final = 30
"""So much evidence makes a claim at all, and so much makes it one to rely on. The seed asks for
10 and 30 changes of files; here it is what was counted for each claim."""
_AGREED: Final = 0.7
_LIMITS: Final = (72, 79, 80, 88, 99, 100, 110, 120, 132, 160)
_BELOW: Final = 0.9
_SNAKE: Final = re.compile(r"_*[a-z0-9]+(?:_[a-z0-9]+)*_*\Z")
_STYLES: Final = {
    "snake_case": _SNAKE,
    "camelCase": re.compile(r"_*[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)*_*\Z"),
    "PascalCase": re.compile(r"_*[A-Z][A-Za-z0-9]*_*\Z"),
    "UPPER_CASE": re.compile(r"_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_*\Z"),
    "kebab-case": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z"),
}
_TELLING: Final = {
    "snake_case": re.compile(r".*[a-z0-9]_[a-z0-9]"),
    "camelCase": re.compile(r"_*[a-z].*[A-Z]"),
    "PascalCase": re.compile(r"_*[A-Z].*[a-z]"),
    "UPPER_CASE": re.compile(r"_*[A-Z0-9_]{2,}\Z"),
    "kebab-case": re.compile(r".*-"),
}
Level = Literal["insufficient", "basic", "detailed"]


class Claim(NamedTuple):
    """Something that was counted.

    Attributes:
        topic: naming, formatting, typing, documentation, tests or layout.
        language: what it is about; empty: all.
        says: the commonest way.
        having: how many do so.
        of: how many were counted.
        others: other ways and how many do so, the commonest first; one thing may fit several.

    """

    topic: str
    language: str
    says: str
    having: int
    of: int
    others: tuple[tuple[str, int], ...] = ()

    @property
    def level(self) -> Level:
        """How much it rests on: insufficient below 10, basic below 30, else detailed."""
        if self.of < BASIC:
            return "insufficient"
        return "basic" if self.of < DETAILED else "detailed"

    @property
    def agreed(self) -> bool:
        """At least seven of ten do so; else it is no convention."""
        return self.having >= _AGREED * self.of


class Language(NamedTuple):
    """A language with its files and lines; ``parsed`` of the files were read as trees."""

    name: str
    files: int
    lines: int
    parsed: int


def languages(sources: Iterable[SourceFacts]) -> list[Language]:
    """Count files and lines by language, the most lines first."""
    by: dict[str, list[SourceFacts]] = {}
    for source in sources:
        by.setdefault(source.language, []).append(source)
    result = [
        Language(
            name,
            len(sources_of_language),
            sum(source.lines for source in sources_of_language),
            sum(source.parsed for source in sources_of_language),
        )
        for name, sources_of_language in by.items()
    ]
    return sorted(result, key=lambda language: (-language.lines, language.name))


def claims(sources: Sequence[SourceFacts]) -> list[Claim]:
    """Make every claim that the files give evidence for, by language and topic."""
    all_claims: list[Claim] = []
    for language in languages(sources):
        sources_of_language = [source for source in sources if source.language == language.name]
        all_claims += [
            claim for claim in _of_language(language.name, sources_of_language) if claim.of
        ]
    return all_claims


def _of_language(language: str, sources: Sequence[SourceFacts]) -> Iterator[Claim]:
    def names(of: Callable[[SourceFacts], Iterable[str]]) -> list[str]:
        return [name for source in sources for name in of(source) if not _is_special(name)]

    for what, values in (
        ("functions", names(lambda source: source.functions)),
        ("methods", names(lambda source: source.methods)),
        ("classes", names(lambda source: source.classes)),
        ("constants", names(lambda source: source.constants)),
        ("files", [_stem(source.path) for source in sources]),
    ):
        yield _named(language, what, values)
    yield from _formatting(language, sources)
    functions = sum(
        len(source.functions) + len(source.methods) for source in sources if not source.is_test
    )
    if language == "python":
        annotated = sum(source.annotated for source in sources if not source.is_test)
        yield Claim("typing", language, "functions with all types", annotated, functions)
    documented = [source.documented for source in sources]
    yield Claim(
        "documentation",
        language,
        "public definitions with documentation",
        sum(having for having, _ in documented),
        sum(of for _, of in documented),
    )
    yield from _tests(language, sources)


def _named(language: str, what: str, names: Sequence[str]) -> Claim:
    """Name the style that most of the telling names have, and count all that fit it."""
    telling = Counter(
        style
        for name in names
        for style, like in _TELLING.items()
        if like.match(name) and _STYLES[style].match(name)
    )
    if what == "classes":  # one capital tells it
        telling = Counter(
            style
            for name in names
            for style in ("PascalCase", "snake_case")
            if _STYLES[style].match(name)
        )
    fitting = {
        style: sum(1 for name in names if like.match(name)) for style, like in _STYLES.items()
    }
    order = sorted(_STYLES, key=lambda style: (-telling[style], -fitting[style], style))
    # One word in small letters is of no style: then it is called what most languages call it.
    best = order[0] if telling or what in ("classes", "constants") else "snake_case"
    others = tuple((style, telling[style]) for style in order if style != best and telling[style])
    return Claim("naming", language, f"{what} in {best}", fitting[best], len(names), others)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].strip("_") or "index"


def _formatting(language: str, sources: Sequence[SourceFacts]) -> Iterator[Claim]:
    indents = Counter(source.indent for source in sources if source.indent)
    words = {"tabs": "indented by tabs"}
    yield _most(
        "formatting",
        language,
        indents,
        lambda indent: words.get(indent, f"indented by {indent} spaces"),
    )
    quotes = Counter(
        {
            "single quotes": sum(source.quotes[0] for source in sources),
            "double quotes": sum(source.quotes[1] for source in sources),
        }
    )
    if language in ("python", "javascript", "typescript"):
        yield _most("formatting", language, quotes, lambda quote: f"strings in {quote}")
    ended = Counter(
        {
            "with": sum(source.semicolons[0] for source in sources),
            "without": sum(source.semicolons[1] for source in sources),
        }
    )
    yield _most("formatting", language, ended, lambda use: f"statements {use} semicolons")
    yield _line_length(language, sources)
    ends = Counter("CRLF" if source.crlf else "LF" for source in sources)
    yield _most("formatting", language, ends, lambda ending: f"lines end in {ending}")


def _line_length(language: str, sources: Sequence[SourceFacts]) -> Claim:
    """Find the usual limit that nearly all files keep."""
    for limit in _LIMITS:
        having = sum(source.longest <= limit for source in sources)
        if having >= _BELOW * len(sources):
            return Claim(
                "formatting", language, f"files with lines of at most {limit}", having, len(sources)
            )
    having = sum(source.longest <= _LIMITS[-1] for source in sources)
    return Claim(
        "formatting", language, f"files with lines of at most {_LIMITS[-1]}", having, len(sources)
    )


def _most(topic: str, language: str, counts: Counter[str], says: Callable[[str], str]) -> Claim:
    order = sorted(
        (value for value in counts if counts[value]), key=lambda value: (-counts[value], value)
    )
    if not order:
        return Claim(topic, language, "", 0, 0)
    others = tuple((value, counts[value]) for value in order[1:])
    return Claim(topic, language, says(order[0]), counts[order[0]], sum(counts.values()), others)


def _tests(language: str, sources: Sequence[SourceFacts]) -> Iterator[Claim]:
    files = [source for source in sources if source.is_test]
    styles: Counter[str] = Counter()
    for source in files if language != "rust" else sources:
        styles.update(dict(source.tests))
    yield _most("tests", language, styles, lambda style: f"tests are {style}")
    having = [source for source in files if source.tests] or files
    forms = Counter(_form(source.path) for source in having)
    yield _most("tests", language, forms, lambda form: f"test files are called {form}")
    folders = Counter(_place(source.path) for source in having)
    yield _most("tests", language, folders, lambda folder: f"tests lie {folder}")


def _form(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, _, ending = name.partition(".")
    for mark in ("test_", "Test"):
        if stem.startswith(mark):
            return f"{mark}*.{ending}"
    for mark in ("_test", "Tests", "Test"):
        if stem.endswith(mark):
            return f"*{mark}.{ending}"
    first, _, rest = ending.partition(".")
    return f"*.{first}.{rest}" if first in ("test", "spec") else f"*.{ending}"


def _place(path: str) -> str:
    folders = path.split("/")[:-1]
    for name in folders:
        if name.strip("_") in ("test", "tests", "spec", "specs", "testing"):
            return f"in {name}/"
    return "beside the code"


class MedianSizes(NamedTuple):
    """Sizes in the middle (medians); 0 where there are none."""

    file_lines: float
    function_lines: float


def figures(sources: Sequence[SourceFacts]) -> MedianSizes:
    """Tell how long a usual file and a typical function is, tests left aside."""
    files = [source.lines for source in sources if not source.is_test]
    functions = [length for source in sources if not source.is_test for length in source.lengths]
    return MedianSizes(median(files) if files else 0, median(functions) if functions else 0)


def layout(paths: Iterable[str], facts: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Count source files and lines by folder at the top, the most files first.

    Args:
        paths: of source files.
        facts: lines by path, of those that were read.

    """
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in paths:
        top, slash, _ = path.partition("/")
        name = f"{top}/" if slash else "./"
        files[name] += 1
        lines[name] += facts.get(path, 0)
    return [
        (name, files[name], lines[name])
        for name in sorted(files, key=lambda file: (-files[file], file))
    ]
