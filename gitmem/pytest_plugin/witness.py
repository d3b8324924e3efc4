"""Details of a failing test while it still runs: exception, frames, values, input.

It runs where the tests run, in each worker of xdist too, and puts what it saw into the report
of the test, which goes to the controller by itself. Nothing is done for tests that pass.
"""

import linecache
import os
import re
from reprlib import Repr
from typing import Any, Final

import pytest

ATTRIBUTE: Final = "gitmem"
_LONGEST: Final = 500
_LONGEST_MESSAGE: Final = 8_000
_OUTER, _INNER = 20, 40
_MOST_INPUTS: Final = 20
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
# Values of these are of pytest itself: they say nothing about the input of a test.
_PLUMBING: Final = ("_pytest.", "pytest_", "xdist.", "py._")

Raised = pytest.ExceptionInfo[BaseException]
Compared = tuple[str, str, str] | None

_short: Final = Repr()
_short.maxstring = _short.maxother = _short.maxlong = 200
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxfrozenset = 20


class TestWitness:
    """Looks at failing tests in the process that runs them."""

    def __init__(self) -> None:
        self._compared: tuple[str, str, str] | None = None
        self._raised: dict[tuple[str, str], tuple[pytest.Item, Raised, Compared]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """Keep both sides of the comparison that failed; explaining it is left to others."""
        self._compared = (op, display(left), display(right))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Keep what was raised until the report is there; making that is left to others."""
        if call.excinfo is not None:
            self._raised[item.nodeid, call.when] = (item, call.excinfo, self._compared)
            self._compared = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Put what is seen of a failing test into its report, before it goes anywhere."""
        if not self._raised:
            return
        raised = self._raised.pop((report.nodeid, report.when), None)
        if raised is None or report.outcome != "failed":
            return
        try:
            setattr(report, ATTRIBUTE, _details(*raised))
        except Exception as error:  # noqa: BLE001  a test run is never broken by us
            setattr(report, ATTRIBUTE, {"fault": f"{type(error).__name__}: {error}"[:_LONGEST]})


def _details(item: pytest.Item, excinfo: Raised, compared: Compared) -> dict[str, Any]:
    value: Any = excinfo.value
    failures = getattr(value, "failures", None) or [value]
    if type(failures[0]).__module__ == "doctest":
        return _of_example(item, failures[0])
    inner = _within_groups(excinfo)
    kind, message = _type_and_message(inner)
    frames = _frames(item, excinfo)
    details: dict[str, Any] = {
        "type": kind,
        "message": message[:_LONGEST_MESSAGE],
        "frames": frames if inner is excinfo else [*frames, *_frames(item, inner)],
        "input": _input(item),
    }
    if compared and isinstance(excinfo.value, AssertionError):
        op, left, right = compared
        # A comparison may have failed before, where somebody caught it.
        if f" {op} " in message and (left.startswith("<") or left[:12] in message):
            details["actual"] = left
            details["expected"] = right if op == "==" else f"{op} {right}"
    return details


def _of_example(item: pytest.Item, failed: Any) -> dict[str, Any]:  # noqa: ANN401  of doctest
    """Describe an example of a docstring that failed: pytest's own frames say nothing of it."""
    test, example = failed.test, failed.example
    if not getattr(failed, "exc_info", None) and example.exc_msg is not None:
        return {}  # another exception than expected, or none: it is read from pytest's words
    source = " ".join(example.source.split())[:_LONGEST]
    line = (test.lineno or 0) + example.lineno + 1
    frames: list[list[str | int]] = [[test.filename, test.name, line, f">>> {source}"]]
    if raised := getattr(failed, "exc_info", None):
        inner = pytest.ExceptionInfo.from_exc_info(raised)
        kind, message = _type_and_message(inner)
        own = [frame for frame in _frames(item, inner) if _is_code(str(frame[0]))]
        return {"type": kind, "message": message[:_LONGEST_MESSAGE], "frames": [*frames, *own]}
    expected, actual = (text.strip()[:_LONGEST] for text in (example.want, failed.got))
    shown = [" ".join(text.split()) or "nothing" for text in (actual, expected)]
    return {
        "type": "",
        "message": f"{source} gave {shown[0]}, not {shown[1]}",
        "frames": frames,
        "expected": expected,
        "actual": actual,
    }


def _is_code(path: str) -> bool:
    return "<doctest" not in path and os.path.basename(path) != "doctest.py"


def display(value: object) -> str:
    """Write a value for people: bounded, without addresses, whatever its ``repr`` does."""
    try:
        text = _short.repr(value)
    except Exception as error:  # noqa: BLE001  the code of others
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    text = _ADDRESS.sub("", text)
    # Half a surrogate pair can't go through the channel of xdist, nor into a file.
    text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _within_groups(excinfo: Raised) -> Raised:
    """Give the first exception of a group: its own words are the same for any that it holds."""
    value = excinfo.value
    while isinstance(value, BaseExceptionGroup):
        value = value.exceptions[0]
    if value is excinfo.value or value.__traceback__ is None:
        return excinfo
    return pytest.ExceptionInfo.from_exception(value)


def _type_and_message(excinfo: Raised) -> tuple[str, str]:
    """Give type and message as pytest shows them, notes included."""
    kind = excinfo.type.__qualname__
    module = excinfo.type.__module__
    if module not in ("__main__", "builtins"):
        kind = f"{module}.{kind}"
    text = excinfo.exconly().encode(errors="backslashreplace").decode()
    if isinstance(excinfo.value, SyntaxError):
        return kind, str(excinfo.value.msg)
    if text == kind:
        return kind, ""
    return kind, text.removeprefix(f"{kind}: ")


def _frames(item: pytest.Item, excinfo: Raised) -> list[list[str | int]]:
    """Give the frames that pytest would show, from the test down: file, function, line, code."""
    traceback = excinfo.traceback
    inside = traceback.cut(path=item.path)
    entries = [entry for entry in inside if not entry.ishidden(excinfo)] or list(inside)
    if len(entries) > _OUTER + _INNER:
        entries = entries[:_OUTER] + entries[-_INNER:]
    frames: list[list[str | int]] = []
    for entry in entries:
        path, line = os.fspath(entry.path), entry.lineno + 1
        frames.append([path, entry.name, line, linecache.getline(path, line).strip()[:_LONGEST]])
    return frames


def _input(item: pytest.Item) -> str:
    """Give the parameters of a test, and the values of the fixtures that it names itself.

    Plugins add others to every test, which say nothing about this one.
    """
    callspec = getattr(item, "callspec", None)
    values: dict[str, object] = dict(callspec.params) if callspec else {}
    named = getattr(getattr(item, "_fixtureinfo", None), "argnames", ())
    for name, value in getattr(item, "funcargs", {}).items():
        if name in named and not type(value).__module__.startswith(_PLUMBING):
            values.setdefault(name, value)
    inputs = [f"{name}={display(value)}" for name, value in list(values.items())[:_MOST_INPUTS]]
    return ", ".join(inputs)[: 2 * _LONGEST]
