"""Whose code is a frame: the project's own, or a library's, a runner's, an assertion's.

A fingerprint is made of own frames only: libraries are updated, runners differ from machine
to machine, and what both have in common is the place in the project's code.
"""

import re
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import StackFrame
from gitmem.tools.choice import alternatives, values

_NOWHERE: Final = frozenset({"<built-in>", "<unknown>"})
"""What stands for a file where there is none, in traces of several languages."""
_SYSTEM: Final = "/usr/(?:lib|share|include)/"
_CONSOLE: Final = lazily(
    r"(?:^|/)(?:usr|usr/local|opt/[^/]{1,80}|\.local|\.?v?env|\.tox/[^/]{1,80}|\w*conda\w*)/bin/[\w+-]+$"
)
"""Programs that an installer wrote: they only start what was installed."""
_ASSERTS: Final = r"assert[A-Z_]\w*|assert|fail|expect[A-Z]\w*|require[A-Z]\w*|raise"
"""Names of helpers of tests in any language."""
_RAISES: Final = r"(?:^|[.:])_?(?:report|throw|raise|wrapAndThrow)(?:[A-Z]\w*|_\w+)?$"
_ARGUMENTS: Final = (120, r"\(.*\)$", "")
# Names made up anew in each run or build: <lambdifygenerated-7>, main.3f2a9c1b.js.
_GENERATED: Final = lazily(r"^<[^<>]{1,200}>$|[.-](?=[0-9a-f]{0,31}\d)[0-9a-f]{6,32}(?=\.)")
_PLAIN: Final = ("index", "__init__", "mod", "main", "lib", "__main__", "init", "page", "route")


def marked(frames: tuple[StackFrame, ...], language: str) -> tuple[StackFrame, ...]:
    """Say of each frame whether it is the project's own."""
    if not frames:
        return frames
    return tuple(
        frame if frame.in_app is not None else frame._replace(in_app=not foreign(frame, language))
        for frame in frames
    )


def foreign(frame: StackFrame, language: str) -> bool:
    """Tell whether a frame is not the project's own code."""
    path = frame.file.replace("\\", "/")
    if path in _files() or not (path or frame.function):
        return True
    if (
        _CONSOLE.search(path)
        or _root().match(path)
        or _foreign_path().search(path)
        or _runner().search(path)
    ):
        return True
    named = _beginnings("names").get(language)
    return bool(named and named.match(frame.function))


def library(frame: StackFrame, language: str) -> bool:
    """Tell whether a foreign frame is a library's rather than the language's or a runner's."""
    path = frame.file.replace("\\", "/")
    if _runner().search(path):
        return False
    if _library_path().search(path):
        return True
    named = _beginnings("library_names").get(language)
    return bool(named and named.match(frame.function))


def asserting(frame: StackFrame) -> bool:
    """Tell whether a frame only checks something for its caller."""
    return bool(_assertion().search(function_name(frame.function)))


def raising(frame: StackFrame) -> bool:
    """Tell whether a frame only makes the error that its caller asked for."""
    return bool(_raiser().search(function_name(frame.function)))


@lru_cache(4096)  # traces of one project name the same functions again and again
def function_name(function: str) -> str:
    """Give a function's name without what compilers and interpreters put around it."""
    for pattern, instead in _cleaning():
        function = pattern.sub(instead, function)
    function = function.strip(" .:$")
    return "" if function in _nameless() else function


@cache
def _files() -> frozenset[str]:
    return _NOWHERE.union(*values("frames.files").values())


@cache
def _nameless() -> frozenset[str]:
    return frozenset().union(*values("frames.nameless").values())


@cache
def _foreign_path() -> re.Pattern[str]:
    folders = rf"(?:^|/)(?:{alternatives('frames.folders')})(?:/|$|:)"
    return lazily(f"{folders}|{alternatives('frames.paths')}")


@cache
def _root() -> re.Pattern[str]:
    return lazily(f"{_SYSTEM}|{alternatives('frames.roots')}")


@cache
def _library_path() -> re.Pattern[str]:
    return lazily(rf"(?:^|/)(?:{alternatives('frames.libraries')})/")


@cache
def _runner() -> re.Pattern[str]:
    return lazily(rf"(?:^|/)(?:{alternatives('frames.runner')})(?:/|\.py$|$)")


@cache
def _assertion() -> re.Pattern[str]:
    return lazily(rf"(?:^|\.)(?:{_ASSERTS}|{alternatives('frames.asserting')})$")


@cache
def _raiser() -> re.Pattern[str]:
    return lazily(f"{_RAISES}|{alternatives('frames.raising')}")


@cache
def _beginnings(part: str) -> dict[str, re.Pattern[str]]:
    """Join the patterns for names of functions, by the language."""
    texts: dict[str, list[str]] = {}
    for by_language in values(f"frames.{part}").values():
        for language, text in by_language.items():
            texts.setdefault(language, []).append(text)
    return {language: lazily("|".join(several)) for language, several in texts.items()}


@cache
def _cleaning() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Give what is taken out of a function's name, step by step, each with what comes instead."""
    steps = [_ARGUMENTS, *(step for steps in values("frames.clean").values() for step in steps)]
    at_once = groupby(sorted(steps, key=_turn), key=_turn)
    return tuple(
        (lazily("|".join(text for _, text, _ in several)), instead)
        for (_, instead), several in at_once
    )


def _turn(step: tuple[int, str, str]) -> tuple[int, str]:
    return step[0], step[2]


@lru_cache(4096)
def file_key(path: str) -> str:
    """Give the part of a path that is the same on every machine: its name.

    A name that says nothing by itself, such as ``__init__.py``, takes its folder along.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if not parts:
        return ""
    name = parts[-1].split("?", 1)[0]
    if name.startswith("<") or "-" in name or "." in name:
        name = _GENERATED.sub(_without_number, name)
    stem = name.split(".", 1)[0]
    if stem in _PLAIN and len(parts) > 1:
        return f"{parts[-2]}/{name}"
    return name


def _without_number(match: re.Match[str]) -> str:
    return re.sub(r"[-\d]+", "", match[0]) if match[0].startswith("<") else ""
