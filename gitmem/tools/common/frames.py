"""Whose code is a frame: the project's own, or a library's, a runner's, an assertion's.

A fingerprint is made of own frames only: libraries are updated, runners differ from machine
to machine, and what both have in common is the place in the project's code.
"""

import re
from functools import lru_cache
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import StackFrame

_FOREIGN_PATH: Final = lazily(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|bower_components|vendor|\.tox|\.nox"
    r"|\.venv|\.eggs|\.cargo/registry|\.rustup|rustc/[0-9a-f]{7,40}|rustlib|pkg/mod|gems"
    r"|lib/ruby|\.pyenv|pyodide|jspm_packages|\.yarn|\.pnp\.[cm]?js|\.m2|\.gradle)(?:/|$|:)"
    r"|(?:^|/)(?:lib(?:64)?|lib-dynload|Lib)/python\d?(?:\.\d+)?(?:/|$)|/Lib/(?!site)"
    r"|python[\d.]*/lib/|(?:^|/)Python\.framework/|PYTHON_LIB"
    r"|^/usr/(?:lib|local/go/src|share|include)/|/go/src/(?:runtime|testing|net|os|reflect)/"
    r"|^/rustc/|^library/(?:std|core|alloc|test)/|^(?:node|internal|bun|deno|ext):|^internal/"
    r"|^(?:native|evalmachine|webpack/|chrome-extension:)|^\.\./(?:sysdeps|csu|nptl)/"
)
_LIBRARY_PATH: Final = lazily(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|vendor|gems|pkg/mod|\.cargo/registry)/"
)
_LIBRARY_NAME: Final = lazily(
    r"(?:org\.(?:mockito|hamcrest|assertj|springframework|easymock|powermock|objenesis|apache\.maven"
    r"|codehaus)|com\.google\.common|net\.bytebuddy|net\.sf\.cglib|scala|kotlinx)[.$]"
)
_FOREIGN_FILE: Final = frozenset(
    {
        "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>",
        "<frozen runpy>", "<string>", "<stdin>", "<anonymous>", "<built-in>", "native code",
        "Native Method", "Unknown Source", "<unknown>", "_testmain.go", "events.js",
        "module.js", "timers.js", "util.js", "net.js", "fs.js", "assert.js", "node.js",
        "bootstrap_node.js", "child_process.js", "vm.js", "_stream_readable.js",
    }
)  # fmt: skip
_FOREIGN_NAME: Final = {
    "java": lazily(
        r"(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|org\.junit"
        r"|junit|org\.testng|org\.hamcrest|org\.mockito|org\.assertj|org\.opentest4j|org\.gradle"
        r"|worker\.org\.gradle|org\.apache\.(?:maven|tools\.ant)|org\.codehaus|com\.intellij"
        r"|org\.eclipse\.jdt|org\.springframework|net\.sf\.cglib|com\.google\.common|edu\.umd\.cs"
        r"|org\.easymock|androidx?|dalvik|org\.powermock|net\.bytebuddy|org\.objenesis)[.$]"
    ),
    "csharp": lazily(
        r"(?:System|Microsoft|Xunit|NUnit|MSTest|Moq|FluentAssertions|Newtonsoft|Internal)\."
    ),
    "go": lazily(r"(?:runtime|testing|reflect|net/http|os|sync|panic|created by runtime)[.(]"),
    "rust": lazily(
        r"(?:<?(?:std|core|alloc|test|tokio)::|rust_begin_unwind|__rust_|_start|__libc"
        r"|main$|_?_?clone)"
    ),
    "python": lazily(r"(?!)"),
}
# Code that only says that something is not as it should be: helpers of tests, and raisers.
_ASSERTING: Final = lazily(
    r"(?:^|\.)(?:assert[A-Z_]\w*|assert|fail|failNotEquals|failNotSame|failSame|expect[A-Z]\w*"
    r"|check(?:State|Argument|NotNull|ElementIndex)|require[A-Z]\w*|_?fail_?\w*unwrap_failed"
    r"|panic_(?:fmt|bounds_check)|throw[A-Z]\w*Exception|__assert_fail|abort|raise)$"
)
# Code that makes or raises an error for whoever found it.
_RAISING: Final = lazily(
    r"(?:^|[.:])\w*(?:Exception|Error)\.(?:<?\w+>?)$"
    r"|(?:^|[.:])_?(?:report|throw|raise|wrapAndThrow)(?:[A-Z]\w*|_\w+)?$"
)
_RUNNER: Final = lazily(
    r"(?:^|/)(?:_?pytest|pluggy|unittest|nose|trial|twisted/trial|doctest|runpy|coverage|tox"
    r"|mocha|jasmine|karma|jest[\w-]*|vitest|@vitest|phpunit|rspec[\w-]*|minitest)(?:/|\.py$|$)"
)
_CLEAN: Final = (
    (lazily(r"<locals>\."), ""),
    (lazily(r"\.?<(?:lambda|listcomp|dictcomp|setcomp|genexpr|anonymous|computed)>"), ""),
    (lazily(r"\$\$?Lambda[\w$/.]*"), ""),
    (lazily(r"lambda\$(\w+)\$\d+"), r"\1"),
    (lazily(r"access\$\d+|\$\d+\b|\$\$[\w$]+"), ""),
    (lazily(r"::h[0-9a-f]{16}$"), ""),
    (lazily(r"::?\{\{?closure\}?\}(?:#\d+)?|\.func\d+(?:\.\d+)*$|\{closure[^}]*\}"), ""),
    (lazily(r"^(?:async |new |static )"), ""),
    (lazily(r" \[as [^\]]*\]$"), ""),
    (lazily(r"^(?:Object|Module|Function|exports|global|window|self)\."), ""),
    (lazily(r"^(?:rescue |ensure |block (?:\(\d+ levels\) )?)(?:in )?"), ""),
    (lazily(r"\(.*\)$"), ""),
    (lazily(r"^<(\w+)>g__(\w+)\|.*$|^<(\w+)>[bd]__.*$"), r"\1\3"),
)  # fmt: skip
# Names made up anew in each run or build: <lambdifygenerated-7>, main.3f2a9c1b.js.
_GENERATED: Final = lazily(r"^<[^<>]{1,200}>$|[.-](?=[0-9a-f]{0,31}\d)[0-9a-f]{6,32}(?=\.)")
# What V8 calls a function without a name after the object it stands in.
_NAMELESS: Final = (
    "Object",
    "Module",
    "Function",
    "Array",
    "Promise",
    "Proxy",
    "Timeout",
    "Context",
)
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
    if path in _FOREIGN_FILE or not (path or frame.function):
        return True
    if path.startswith("<frozen") or _FOREIGN_PATH.search(path) or _RUNNER.search(path):
        return True
    named = _FOREIGN_NAME.get(language)
    return bool(named and named.match(frame.function))


def library(frame: StackFrame, language: str) -> bool:
    """Tell whether a foreign frame is a library's rather than the language's or a runner's."""
    path = frame.file.replace("\\", "/")
    if _RUNNER.search(path):
        return False
    return bool(_LIBRARY_PATH.search(path)) or (
        language == "java" and bool(_LIBRARY_NAME.match(frame.function))
    )


def asserting(frame: StackFrame) -> bool:
    """Tell whether a frame only checks something for its caller."""
    return bool(_ASSERTING.search(function_name(frame.function)))


def raising(frame: StackFrame) -> bool:
    """Tell whether a frame only makes the error that its caller asked for."""
    return bool(_RAISING.search(function_name(frame.function)))


@lru_cache(4096)  # traces of one project name the same functions again and again
def function_name(function: str) -> str:
    """Give a function's name without what compilers and interpreters put around it."""
    for pattern, instead in _CLEAN:
        function = pattern.sub(instead, function)
    function = function.strip(" .:$")
    return "" if function in _NAMELESS else function


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
