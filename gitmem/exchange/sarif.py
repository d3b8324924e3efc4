"""SARIF 2.1.0, the format in which linters and analysers report findings."""

import os
import re
from typing import Any, Final

from gitmem.exchange.reports import load_json, mapping, number, refuse, relative, sequence, text
from gitmem.output.cases import Report
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation
from gitmem.tools.common.languages import BY_ENDING

_LEVELS: Final = {"error": "error", "warning": "warning"}
_NOTIFICATIONS: Final = ("toolConfigurationNotifications", "toolExecutionNotifications")
_PLACEHOLDER: Final = re.compile(r"\{(\d{1,3})\}")


def read(data: bytes, root: str = "") -> Report:
    """Read a report; findings that are only notes, or were suppressed, are left out."""
    whole = mapping(load_json(data, "sarif"))
    if not isinstance(whole.get("runs"), list):
        refuse("sarif", "it has no runs")
    tools, failures = [], []
    for run in map(mapping, whole["runs"]):
        tool = text(mapping(mapping(run.get("tool")).get("driver")).get("name")).lower()
        tools.append(tool)
        for result in map(mapping, sequence(run.get("results"))):
            failure = _failure(result, run, tool, root)
            if failure:
                failures.append(failure)
        failures += _not_done(run, tool, root)
    return Report(tool=tools[0] if tools else "", others=tuple(failures))


def _failure(result: dict[str, Any], run: dict[str, Any], tool: str, root: str) -> Failure | None:
    rule = _rule(result, run)
    level = text(result.get("level"))
    if not level:
        level = text(mapping(rule.get("defaultConfiguration")).get("level")) or "warning"
    if level not in _LEVELS or result.get("kind", "fail") not in ("fail", "open", "review"):
        return None
    if result.get("baselineState") == "absent":
        return None  # only an earlier run had it
    if any(
        mapping(suppression).get("status", "accepted") == "accepted"
        for suppression in sequence(result.get("suppressions"))
    ):
        return None
    location = _place(result, run, root)
    ending = os.path.splitext(location.file)[1] if location else ""
    return Failure(
        tool=tool,
        language=BY_ENDING.get(ending, ""),
        code=text(result.get("ruleId")) or text(rule.get("id")),
        message=_message(result, rule)[:MAX_MESSAGE],
        location=location,
        severity=_LEVELS[level],
    )


def _not_done(run: dict[str, Any], tool: str, root: str) -> list[Failure]:
    """Give what kept a tool from looking: files it could not read, rules it could not apply.

    Such a file has no results, and its code may be as wrong as can be.
    """
    failures: list[Failure] = []
    unsuccessful = False
    for invocation in map(mapping, sequence(run.get("invocations"))):
        unsuccessful = unsuccessful or invocation.get("executionSuccessful") is False
        for kind in _NOTIFICATIONS:
            for notice in map(mapping, sequence(invocation.get(kind))):
                rule = text(mapping(notice.get("associatedRule")).get("id"))
                code = rule or text(mapping(notice.get("descriptor")).get("id"))
                if text(notice.get("level")) == "error":
                    found = {**notice, "ruleId": code, "kind": "fail"}
                    failure = _failure(found, run, tool, root)
                    failures += [failure] if failure else []
    if unsuccessful and not failures and not sequence(run.get("results")):
        failures.append(Failure(tool=tool, message=f"{tool or 'the tool'} did not finish"))
    return failures


def _rule(result: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    rules = sequence(mapping(mapping(run.get("tool")).get("driver")).get("rules"))
    index = result.get("ruleIndex", mapping(result.get("rule")).get("index"))
    if isinstance(index, int) and 0 <= index < len(rules):
        return mapping(rules[index])
    wanted = result.get("ruleId") or mapping(result.get("rule")).get("id")
    return next((rule for rule in map(mapping, rules) if rule.get("id") == wanted), {})


def _message(result: dict[str, Any], rule: dict[str, Any]) -> str:
    message = mapping(result.get("message"))
    template = text(message.get("text")) or text(message.get("markdown"))
    if not template:
        named = mapping(rule.get("messageStrings")).get(text(message.get("id")))
        template = text(mapping(named).get("text"))
    given = [text(argument) for argument in sequence(message.get("arguments"))]

    def filled(match: re.Match[str]) -> str:
        at = int(match[1])
        return given[at] if at < len(given) else match[0]

    return _PLACEHOLDER.sub(filled, template) if given else template


def _place(result: dict[str, Any], run: dict[str, Any], root: str) -> FailureLocation | None:
    first = next(iter(sequence(result.get("locations"))), None)
    physical = mapping(mapping(first).get("physicalLocation"))
    artifact = mapping(physical.get("artifactLocation"))
    path = text(artifact.get("uri"))
    index = artifact.get("index")
    listed = sequence(run.get("artifacts"))
    if not path and isinstance(index, int) and 0 <= index < len(listed):
        path = text(mapping(mapping(listed[index]).get("location")).get("uri"))
    if not path:
        return None
    region = mapping(physical.get("region"))
    snippet = text(mapping(region.get("snippet")).get("text")).partition("\n")[0].strip()
    line, column = number(region.get("startLine")), number(region.get("startColumn"))
    return FailureLocation(relative(path, root), line, column, snippet[:500])
