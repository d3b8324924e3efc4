"""The key of the ``place`` level: type and own frames, or what the tool says."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.masks import MaskRule
from gitmem.matching.naming import type_name
from gitmem.matching.normalise import Keep, template
from gitmem.matching.test_names import tail
from gitmem.output.failure import Failure, StackFrame, chain_of
from gitmem.tools.choice import values
from gitmem.tools.common.frames import asserting, file_key, function_name, library, raising

MOST_FRAMES: Final = 3
_RECURSION: Final = ("RecursionError", "StackOverflowError", "SystemStackError", "stack overflow")
_SYNTAX: Final = ("SyntaxError", "IndentationError", "TabError", "ParseError")
_TITLES: Final = (" \u203a ", " > ")
_CYCLE: Final = 3
_WORDS: Final = lazily(r"[^\W\d_][^\W\d_]+")
_FEW: Final = 2
_TIGHT: Final = lazily(r" ?([:<>=,]) ?")  # JUnit 5 puts a space where JUnit 4 did not
_TEST_FILE: Final = lazily(
    r"(?:^|[/\\])(?:tests?|specs?|__tests__)[/\\]|[_.-](?:test|spec)s?\.|(?:^|[/\\])test_"
)
_TEST: Final = lazily(r"[Tt]ests?\b|:test|_test\.|Test\w*\.\w+:|\.(?:spec|test)\.")


def error_name(failure: Failure) -> str:
    """Give the type without its module, which moves more often than the class is renamed."""
    return type_name(failure.error_type)


def is_assertion(name: str) -> bool:
    """Tell whether a type, without its module, is that of a failed assertion."""
    return name in _assertions()


@cache
def _assertions() -> frozenset[str]:
    return frozenset(name for names in values("identity.assertions").values() for name in names)


@cache
def _of_values() -> frozenset[str]:
    """Give the languages in which quoted names are values: users, tables, files."""
    return frozenset(values("language")[name] for name in values("identity.values"))


def place_key(failure: Failure, rules: Sequence[MaskRule] = ()) -> str:
    """Write the key: type and own frames, or type and message where there are none."""
    name = error_name(failure)
    frames = [frame for frame in failure.frames if frame.file]
    own = [frame for frame in frames if frame.in_app]
    steps = _steps(own)
    parts = [name]
    if failure.code and (not frames or failure.tool in values("identity.code_at_place")):
        parts.append(_code(failure))
    if _recursive(name, frames):
        inside = steps[:MOST_FRAMES] if failure.language == "python" else _cycle(own)
        return " | ".join([name or "RecursionError", *inside])
    chosen = steps[-MOST_FRAMES:]
    if is_assertion(name):
        parts.append(_asserted(failure, own, rules))
        tested = next((step for step in steps if _TEST.search(step)), "")
        chosen = [tested, *chosen] if tested and tested not in chosen else chosen
    if chosen:
        test = _nameless_test(failure, own)
        if test:
            parts.append(test)
        elif not is_assertion(name) and _vague(chosen, name):
            # A file is no place: without the line what was said has to tell.
            line = _line_of(own) or (failure.location.code if failure.location else "")
            parts.append(line or template(failure.message, rules, keep="names"))
        return " | ".join([*filter(None, parts), *chosen])
    if failure.code and _tells_by(failure) == "code":
        return f"{failure.tool} | {failure.code}"
    tested = _tested(failure.test.name) if failure.test else ""
    # A wrong attempt makes an assertion fail with another value: the test says which one it is.
    unmasked = "" if tested and is_assertion(name) else _kept(name, failure)
    words = template(failure.message, rules, keep=unmasked)
    if not tested and len(_WORDS.findall(words)) < _FEW:
        # Neither an own frame nor words: then a library's place is better than none.
        parts += _steps([frame for frame in frames if library(frame, failure.language)])[-2:]
    if not (words or tested or any(parts)):
        words = " ".join(failure.message[:200].split())  # nothing but what varies
    causes = () if tested else chain_of(failure)
    words_of_causes = [template(cause.message, rules, keep="names") for cause in causes]
    return " | ".join(filter(None, [*parts, tested, words, *words_of_causes]))


def _tested(name: str) -> str:
    """Give a test's name as it is the same in every form of its runner's output."""
    if any(joint in name for joint in _TITLES):
        return tail(name)
    return name.split("[", 1)[0].rsplit("::", 1)[-1]


def _kept(name: str, failure: Failure) -> Keep:
    """Say what must not be masked where no place tells errors apart.

    Of a failed comparison the values; of other runtime errors the names; of a compiler's
    message nothing, it is the same mistake with any name.
    """
    if is_assertion(name):
        return "values"
    return "names" if name and failure.language not in _of_values() else ""


def _code(failure: Failure) -> str:
    return failure.code if _tells_by(failure) != "words" else ""


def _tells_by(failure: Failure) -> str:
    """Say what tells a tool's messages apart: the ``code`` alone, the ``words`` alone, or both."""
    by: str = values("identity.code_tells").get(failure.tool, "")
    return by


def _steps(own: Sequence[StackFrame]) -> list[str]:
    """Name the own frames, outermost first, recursion collapsed, helpers left out."""
    useful = [frame for frame in own if not asserting(frame)] or list(own)
    while len(useful) > 1 and raising(useful[-1]):
        useful.pop()
    steps: list[str] = []
    for frame in useful:
        file, function = file_key(frame.file), _function(frame)
        if not function and steps and steps[-1].startswith(f"{file}:"):
            continue  # a lambda or a comprehension: since 3.12 the latter has no frame at all
        step = f"{file}:{function}"
        if not steps or steps[-1] != step:
            steps.append(step)
    return steps


def _vague(steps: Sequence[str], name: str) -> bool:
    """Tell whether the place is no function: then only the source line tells errors apart.

    Not so for a syntax error: the file says enough, and versions of Python point at
    different lines; but a text that was compiled has no file.
    """
    if name in _SYNTAX:
        return len(steps) == 1 and steps[0].startswith("<")
    if not _named(steps[-1].rpartition(":")[2]):
        return True
    return len(steps) == 1 and steps[0].endswith(":<module>")


def _nameless_test(failure: Failure, own: Sequence[StackFrame]) -> str:
    """Name the test where it is a function without a name: a block of RSpec, a callback of Mocha.

    A callback of the code that is tested is the same place, whichever test called it.
    """
    if not failure.test or not _TEST_FILE.search(own[-1].file):
        return ""
    nameless = own[-1].function.endswith("<anonymous>") or not _named(_function(own[-1]))
    return _tested(failure.test.name) if nameless else ""


def _named(function: str) -> bool:
    return bool(function) and function not in {"<top (required)>", "<main>"}


def _line_of(own: Sequence[StackFrame]) -> str:
    return " ".join(own[-1].code.split()) if own else ""


def _function(frame: StackFrame) -> str:
    name = function_name(frame.function)
    return name.rsplit(".", 1)[-1].rsplit("::", 1)[-1].rsplit("#", 1)[-1]


def _recursive(name: str, frames: Sequence[StackFrame]) -> bool:
    if name in _RECURSION:
        return True
    return not name and bool(frames) and max(Counter(map(_function, frames)).values()) > _CYCLE


def _cycle(own: Sequence[StackFrame]) -> list[str]:
    """Name the functions that call each other: where in the circle it broke is chance."""
    steps = [f"{file_key(frame.file)}:{_function(frame)}" for frame in own]
    counts = Counter(steps)
    most = max(counts.values(), default=0)
    often = sorted(step for step, count in counts.items() if count * 2 > most > 1)
    return often or steps[-MOST_FRAMES:]


def _asserted(failure: Failure, own: Sequence[StackFrame], rules: Sequence[MaskRule]) -> str:
    """Give the asserted line, without which two checks of one test look alike.

    Where no line is shown, as by JUnit, the words of the comparison stand for it: "expected …
    but was" is another check than "expected same … was not".
    """
    line = next((frame.code for frame in reversed(own) if not asserting(frame)), "")
    if not own and failure.location:
        line = failure.location.code
    if line or not own:
        return " ".join(line.split())
    return _TIGHT.sub(r"\1", template(failure.message, rules))
