"""JUnit XML, as pytest, Maven, Gradle, jest-junit, go-junit-report and others write it.

There is no standard, so everything is optional. A document type is refused: no runner writes
one, and entities in it can be made to fill the memory or to read files.
"""

import io
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from xml.etree.ElementTree import Element, ParseError, SubElement  # defusedxml reads

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from gitmem.exchange.failing_case import read_case
from gitmem.exchange.reports import refuse, seconds
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Case, Report, merged
from gitmem.output.failure import Failure
from gitmem.tools.choice import load, pattern, values

_STATES: Final = {"failure": FAILED, "error": ERROR, "skipped": SKIPPED}
_SUITES: Final = ("testsuites", "testsuite")
_PRINTED: Final = ("system-out", "system-err")
_NOT_RUN: Final = frozenset({"disabled", "notrun"})
"""Attributes ``status`` of cases that were not run, whatever else is said of them."""
_CLASS: Final = re.compile(r"(?:[a-z_]\w*\.)+[A-Z][\w$]*")


class _Suite:
    """What the elements around a test case say about the tool."""

    def __init__(self) -> None:
        self.tool = ""
        self.language = ""
        self.at: datetime | None = None
        self.seconds = 0.0

    def begin(self, element: Element) -> None:
        name, text = element.get("name", ""), element.get("timestamp", "")
        if name and pattern("reports.suites").fullmatch(name):
            suites = values("reports.suites")
            self.tool = next(tool for tool in suites if re.fullmatch(suites[tool], name))
            self.language = values("language")[self.tool]
        if element.tag == "testsuite":
            self.at = self.at or _moment(text)


class _Untold:
    """Errors that a suite counts and no case of it tells: what it printed says which they are."""

    def __init__(self, suite: Element) -> None:
        self._suite = suite
        self._cases = 0
        self._printed: list[str] = []
        self._is_parent = False

    def note(self, element: Element) -> None:
        """Take an element inside the suite that was read."""
        self._cases += element.tag in ("failure", "error")
        self._is_parent = self._is_parent or element.tag == "testsuite"
        if element.tag == "system-err":
            self._printed.append(element.text or "")

    def case(self) -> Element | None:
        """Give a case for them; None if there are none, or if suites inside have them."""
        errors, failures = (_number(self._suite.get(each)) for each in ("errors", "failures"))
        if self._is_parent or not errors or errors + failures <= self._cases:
            return None
        case = Element("testcase", {"name": self._suite.get("name", "")})
        error = SubElement(case, "error")
        error.text = "\n".join(self._printed).strip()
        return case


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def read(data: bytes, root: str = "") -> Report:  # noqa: ARG001  paths are in texts only
    """Read a report; InvalidError if it is not JUnit XML, or built to do harm."""
    suite = _Suite()
    cases: list[Case] = []
    try:
        cases += _cases(data, suite)
    except DefusedXmlException:
        refuse("junit", "it has a document type or entities; no test runner writes these")
    except ParseError as error:
        line, column = error.position
        refuse("junit", f"line {line}, column {column + 1}: {str(error).partition(':')[0]}")
    except (LookupError, ValueError) as error:
        refuse("junit", str(error).splitlines()[0] or "its encoding is not known")
    own = [case for case in merged(cases) if not _is_file(case)]
    files = [failure for case in cases if _is_file(case) for failure in case.failures]
    return Report(
        tool=suite.tool or next((failure.tool for case in cases for failure in case.failures), ""),
        cases=tuple(own),
        others=tuple(files),
        at=suite.at,
        seconds=suite.seconds or None,
    )


def _is_file(case: Case) -> bool:
    """Tell whether a case is a file that its runner could not load."""
    return _names_file(case.name) and case.bad


def _names_file(name: str) -> bool:
    return any(map(name.endswith, values("reports.files").values()))


def _cases(data: bytes, suite: _Suite) -> Iterator[Case]:
    """Give case by case, and forget each element when it was read."""
    stack: list[Element] = []
    open_suites: list[_Untold] = []
    for event, element in iterparse(io.BytesIO(data), ("start", "end"), forbid_dtd=True):
        if event == "start":
            if not stack and _plain(element) not in _SUITES:
                raise ValueError("its first element is " + repr(_plain(element))[:80])
            element.tag = _plain(element)
            stack.append(element)
            suite.begin(element)
            if element.tag == "testsuite":
                open_suites.append(_Untold(element))
            continue
        stack.pop()
        if open_suites and element.tag != "testsuite":
            open_suites[-1].note(element)
        if element.tag == "testcase":
            above = [element.get("name", "") for element in stack if element.tag == "testsuite"]
            yield _case(element, suite, above, alone=stack[0].tag == "testsuite")
        elif element.tag == "testsuite":
            untold = open_suites.pop().case()
            if open_suites:
                open_suites[-1].note(element)
            above = [element.get("name", "") for element in stack if element.tag == "testsuite"]
            if untold is not None:
                yield _case(untold, suite, above, alone=False)
            direct = [element for element in stack if element.tag == "testsuite"]
            suite.seconds += 0.0 if direct else seconds(element.get("time")) or 0.0
        printed_by_case = element.tag in _PRINTED and stack and stack[-1].tag == "testcase"
        if element.tag in {"testcase", "testsuite", *_PRINTED} and stack and not printed_by_case:
            stack[-1].remove(element)


def _plain(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _case(element: Element, suite: _Suite, above: list[str], *, alone: bool) -> Case:
    may_fail = any(child.tag == "skipped" and child.get("type") == "todo" for child in element)
    children = [child for child in element if not may_fail or child.tag == "skipped"]
    bad = [child for child in children if child.tag in ("failure", "error")]
    languages, texts = values("language"), [child.text or "" for child in bad]
    trace = _tool_showing("reports.traces", texts)
    by_text = _tool_showing("reports.texts", texts)
    tool = suite.tool or by_text or _tool_of_status(element)
    speaking = trace or by_text
    language = suite.language or (languages[speaking] if speaking else "")
    not_run = [
        child
        for child in children
        if child.tag == "skipped"
        and re.fullmatch(values("reports.not_run").get(tool) or "(?!)", child.get("message", ""))
    ]
    if alone and not language and above == [element.get("classname", "")]:
        language = "java"  # Gradle and Maven: a file of each class
    by_suites = "" if tool or language else _tool_of_class(element.get("classname", ""))
    if by_suites:
        tool, language = by_suites, languages[by_suites]
        name = values("reports.joint")[tool].join([*above, element.get("name", "")])
    else:
        name = _name(element, tool, language, {child.get("message", "") for child in bad})
    status = SKIPPED if element.get("status") in _NOT_RUN else PASSED
    failures: list[Failure] = []
    printed = "\n".join(child.text or "" for child in element if child.tag in _PRINTED).strip()
    for child in children:
        tag = "error" if child in not_run else str(child.tag)
        status = _STATES.get(tag, status) if status != ERROR else status
        if child in bad or child in not_run:
            failures.append(_failure(child, _STATES[tag], name, (tool, language), printed))
    sums = re.compile(values("reports.sums").get(tool) or "(?!)")
    failures = [each for each in failures if not sums.match(each.message)] or failures
    where = element.get("classname", "") if tool in values("reports.programs") else ""
    return Case(name, status, seconds(element.get("time")), tuple(failures), where)


def _failure(child: Element, status: str, name: str, who: tuple[str, str], printed: str) -> Failure:
    tool, language = who
    kind = child.get("type", "")
    message, text = child.get("message", ""), "".join(child.itertext())
    if re.fullmatch(values("reports.kinds").get(tool, ""), kind):
        kind = ""
    if tool in values("reports.heads"):
        message = re.sub(values("reports.heads")[tool], "", message, count=1)
    if child.tag == "skipped":
        message, printed = printed or message, ""
    elif not re.fullmatch(values("reports.in_output").get(tool, ""), message):
        printed = ""
    return read_case(
        name,
        status,
        text,
        tool=tool,
        language=language,
        error_type=kind if kind.lower() not in {"", "failed", "failure", "error"} else "",
        message="" if message == "Failed" else message,
        printed=printed,
        collecting=_names_file(name),
    )


def _tool_showing(field: str, texts: list[str]) -> str:
    """Name the tool whose sign stands in one of the texts of what went wrong; empty for none."""
    for tool, sign in values(field).items():
        if any(re.search(sign, text) for text in texts):
            return tool
    return ""


def _tool_of_status(element: Element) -> str:
    """Name the tool by how it says, beside a test that bears one name only, how that ended."""
    status = element.get("status", "")
    if not status or element.get("classname") != element.get("name"):
        return ""
    statuses = values("reports.statuses")
    return next((tool for tool in statuses if re.fullmatch(statuses[tool], status)), "")


def _tool_of_class(class_name: str) -> str:
    """Name the tool that gives this class to all tests, so that only suites tell them apart."""
    classes = {usual: tool for tool, usual in values("reports.class_name").items()}
    return classes.get(class_name, "")


def _name(element: Element, tool: str, language: str, messages: set[str]) -> str:
    """Name a case as its tool does elsewhere, so that it is found again."""
    owner, name = element.get("classname", "").strip(), element.get("name", "").strip()
    own = load(tool).reports.name if tool in values("reports.name") else None
    if own:
        return own(owner, name, file=element.get("file", ""), messages=messages)
    if tool in values("reports.programs"):
        return name
    if not owner or owner == name or name.startswith(owner + " "):
        return name or owner or "?"
    if language == "java" or _CLASS.fullmatch(owner):
        return f"{owner}.{name}"
    return f"{owner}{values('reports.joint').get(tool, '::')}{name}"


def _moment(text: str) -> datetime | None:
    """Read a time that says its zone; without one it could be any hour of the day."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None
