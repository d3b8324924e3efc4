"""Other servers' diagnostics get the fingerprints that the same tool's output gets."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.matching.parse import parse
from gitmem.matching.recorded import prints_of_failure
from gitmem.output.failure import Failure
from lsp_server.failures import read
from lsp_server.positions import EditorRange, moved
from tests.depth import amount, deep

OUTPUTS = Path(__file__).parent.parent / "tools"


def as_diagnostic(failure: Failure, **changes: Any) -> dict[str, Any]:
    """Say a failure as a server would: places from 0, no file."""
    assert failure.location
    line, column = failure.location.line or 1, failure.location.column or 1
    start = {"line": line - 1, "character": column - 1}
    given = {"range": {"start": start, "end": start}, "message": failure.message,
             "code": failure.code, "severity": 1}  # fmt: skip
    return {**given, **changes}


def pyright(failure: Failure) -> dict[str, Any]:
    first, *more = failure.message.split("\n")
    # Pyright's server indents explaining lines by hard blanks.
    message = "\n".join([first, *("\N{NO-BREAK SPACE}" * 2 + line for line in more)])
    code = {"value": failure.code, "target": "https://example.com"}
    return as_diagnostic(failure, source="Pyright", message=message, code=code)


def typescript(failure: Failure) -> dict[str, Any]:
    return as_diagnostic(failure, source="ts", code=int(failure.code.removeprefix("TS")))


def gcc(failure: Failure) -> dict[str, Any]:
    return as_diagnostic(failure, source="gcc", code=failure.code or None)


def rust(failure: Failure) -> dict[str, Any]:
    message = f"{failure.message}\nexpected `i32`, found `&str`"
    return as_diagnostic(failure, source="rustc", message=message)


def clangd(failure: Failure) -> dict[str, Any]:
    message = failure.message[:1].upper() + failure.message[1:] + " (fix available)"
    return as_diagnostic(failure, source="clang", message=message, code="some_name_of_its_own")


def plain(source: str) -> Callable[[Failure], dict[str, Any]]:
    return lambda failure: as_diagnostic(failure, source=source)


REAL: Sequence[tuple[str, str, Callable[[Failure], dict[str, Any]]]] = (
    ("pyright", "pyright/plain.txt", pyright),
    ("mypy", "mypy/plain.txt", plain("mypy")),
    ("mypy", "mypy/pretty.txt", plain("Mypy")),
    ("ruff", "ruff/concise.txt", plain("Ruff")),
    ("ruff", "ruff/full.txt", plain("Ruff")),
    ("typescript", "typescript/plain.txt", typescript),
    ("gcc", "gcc/compile.txt", gcc),
    ("gcc", "gcc/template.txt", gcc),
    ("gcc", "gcc/werror.txt", gcc),
    ("eslint", "eslint/unix.txt", plain("eslint")),
)  # fmt: skip


@pytest.mark.parametrize(("tool", "file", "say"), REAL, ids=[file for _, file, _ in REAL])
def test_a_diagnostic_is_recognised_as_what_the_terminal_said(
    tool: str, file: str, say: Callable[[Failure], dict[str, Any]]
) -> None:
    failures = [one for one in parse((OUTPUTS / file).read_text()) if one.tool == tool]
    failures = [one for one in failures if one.location and one.location.line]
    assert failures
    for failure in failures:
        assert failure.location
        (found,) = read([say(failure)], failure.location.file, "", lambda _: "")
        told, shown = prints_of_failure(failure), prints_of_failure(found.failure)
        assert (shown.exact, shown.site) == (told.exact, told.site), (shown.keys, told.keys)


@pytest.mark.parametrize(("file", "say"), [("cargo", rust), ("clang", clangd)])
def test_what_servers_add_for_editors_is_taken_away(
    file: str, say: Callable[[Failure], dict[str, Any]]
) -> None:
    tool = {"cargo": "rustc", "clang": "gcc"}[file]
    texts = sorted((OUTPUTS / file).glob("*.txt"))
    failures = [
        one for text in texts for one in parse(text.read_text())
        if one.tool == tool and one.location and one.location.line and not one.code.startswith("-W")
    ]  # fmt: skip
    assert failures
    for failure in failures:
        assert failure.location
        (found,) = read([say(failure)], failure.location.file, "", lambda _: "")
        first = failure._replace(message=failure.message.partition("\n")[0])
        assert prints_of_failure(found.failure).exact == prints_of_failure(first).exact


@cache
def corpus() -> dict[tuple[str, ...], Failure]:
    """Give one failure for each message of all tools."""
    return {
        (one.tool, one.error_type, one.code, one.message): one
        for text in sorted(OUTPUTS.glob("*/*.txt"))
        for one in parse(text.read_text(errors="replace"))
        if prints_of_failure(one).message
    }


def read_one(source: str, message: str, code: object = None) -> Failure:
    nowhere = {"start": {"line": 6, "character": 2}, "end": {"line": 6, "character": 9}}
    given = {"source": source, "message": message, "code": code, "range": nowhere, "severity": 1}
    (found,) = read([given], "/elsewhere/other.txt", "", lambda _: "")
    return found.failure


@pytest.mark.parametrize("source", ["its own", "Python", "jest"])
def test_a_message_that_begins_with_a_type_is_read_as_hint_reads_it(source: str) -> None:
    """A hover said nothing of ``KeyError: 'a'`` where ``hint`` knew the fix: it had no type."""
    asked = 0
    for failure in corpus().values():
        text = f"{failure.error_type}: {failure.message}"
        of_hint = [one for one in parse(text) if one.severity == "error"]
        if not failure.error_type or failure.code or not of_hint or not of_hint[0].error_type:
            continue
        if " " in failure.error_type or " " in of_hint[0].error_type:
            continue  # words of a shell, which no server puts before a message
        asked += 1
        found = read_one(failure.tool if source == "its own" else source, text)
        told = prints_of_failure(of_hint[0])
        assert prints_of_failure(found).message == told.message, (text, found)
        assert found.error_type == of_hint[0].error_type
        assert found.location
    assert asked > 40


@pytest.mark.parametrize("form", ["{} [{}]", "{} ({})", "{1}: {0}"])
def test_a_code_is_taken_off_a_message_wherever_a_server_puts_it(form: str) -> None:
    """A flag behind the message, as compilers print it, made it another message to a hover."""
    asked = set()
    for failure in corpus().values():
        if not failure.location or not failure.code or "," in failure.code:
            continue
        if form == "{1}: {0}" and failure.code.startswith("-"):
            continue  # nobody begins with a flag
        first, end, below = failure.message.partition("\n")
        text = form.format(first, failure.code) + end + below
        found = read_one(failure.tool, text, failure.code)
        bare = read_one(failure.tool, failure.message, failure.code)
        assert (found.message, found.code) == (bare.message, bare.code), text
        asked.add(failure.tool)
    assert len(asked) > 15


@pytest.mark.parametrize(
    ("source", "text", "code", "message"),
    [
        ("gcc", "implicit declaration of function 'f' [-Werror=implicit-function-declaration]",
         "-Werror=implicit-function-declaration", "implicit declaration of function 'f'"),
        ("eslint", "Unexpected any. (@typescript-eslint/no-explicit-any)",
         "@typescript-eslint/no-explicit-any", "Unexpected any."),
        ("shellcheck", "Quote this. [SC2086]", "SC2086", "Quote this."),
        ("jest", "cannot open (read-only)", "", "cannot open (read-only)"),
        ("ruff", "Use X instead of `Y` [z]", "", "Use X instead of `Y` [z]"),
    ],
)  # fmt: skip
def test_what_can_only_be_a_code_is_taken_off_where_a_server_gives_none(
    source: str, text: str, code: str, message: str
) -> None:
    found = read_one(source, text)
    assert (found.code, found.message) == (code, message)


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**40) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(
        ["range", "start", "end", "line", "character", "message", "code", "source", "severity",
         "value"]), inner, max_size=6),
    max_leaves=20,
)  # fmt: skip
_POINT = st.fixed_dictionaries({"line": st.integers(0, 9), "character": st.integers(0, 9)})
_NEARLY = st.fixed_dictionaries(
    {
        "range": st.fixed_dictionaries({"start": _POINT, "end": _POINT}) | _JUNK,
        "message": st.text() | _JUNK,
    },
    optional={"code": _JUNK, "source": _JUNK, "severity": _JUNK},
)


@deep
@settings(max_examples=amount(share=30, ci=100, whole=1000))
@given(st.lists(_NEARLY | _JUNK) | _JUNK)
def test_whatever_comes_is_read_or_passed_over(given_: Any) -> None:
    for one in read(json.loads(json.dumps(given_)), "/x/a.py", "python", lambda _: "x"):
        assert one.span.start <= one.span.end
        assert one.failure.message.strip()
        assert prints_of_failure(one.failure).template or prints_of_failure(one.failure).site


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


_CHARS = st.text(alphabet="ab😀\n", max_size=12)


@given(_CHARS, _CHARS, st.data())
def test_a_range_follows_edits_as_its_text_does(text: str, new: str, data: st.DataObject) -> None:
    """The oracle: what stands in the range after the edit is what stood in it before."""
    ends = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    cut = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))

    def point(whole: str, at: int) -> tuple[int, int]:
        before = whole[:at]
        return before.count("\n"), units(before.rpartition("\n")[2])

    def offset(whole: str, at: tuple[int, int]) -> int:
        lines = whole.split("\n")
        line, column = lines[at[0]], at[1]
        reached = next(i for i in range(len(line) + 1) if units(line[:i]) == column)
        return sum(len(one) + 1 for one in lines[: at[0]]) + reached

    span = EditorRange(point(text, ends[0]), point(text, ends[1]))
    edit = EditorRange(point(text, cut[0]), point(text, cut[1]))
    after = text[: cut[0]] + new + text[cut[1] :]
    found = moved(span, edit, new, units)
    if found is None:
        assert ends[0] < cut[1] or ends[0] < cut[0] or ends[0] == ends[1]
        assert ends[1] >= cut[0]
        return
    start, end = offset(after, found.start), offset(after, found.end)
    assert after[start:end] == text[ends[0] : ends[1]]
