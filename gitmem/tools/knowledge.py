"""What is known of a tool, for people: what of it is read, and what does not work without more.

Everything here comes from the index, so no tool is imported for it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from gitmem.tools.choice import names, values
from gitmem.tools.index import FIELDS

BUILT_IN: Final = "built in"
_SHOWN: Final = 12
_PATTERN_SIGNS: Final = r"[\\()\[\]^$*+?|{}]"
_LABELS: Final = {
    "names": "also called",
    "output.words": "looks at lines with",
    "output.beside": "and, where another word stands there too, with",
    "output.commands": "asked first after",
    "output.like": "read as",
    "output.events": "signs of events",
    "output.plain": "reads events",
    "output.closing": "knows lines that only close an output",
    "tests.names_failing": "a test that is only named as failed is a failure",
    "tests.lines": "reads lines about a test",
    "tests.counts": "reads how many tests ended how",
    "tests.groups": "reads files and classes of tests",
    "tests.follow": "follows tests over several lines",
    "command.programs": "programs",
    "command.wrappers": "wrappers",
    "ending.codes": "exit codes of a run that came to its end and failed",
    "ending.no_tests": "exit code of a run without tests",
    "silence.skips": "knows how tests are left out",
    "silence.settings": "knows its settings",
    "frames.runner": "knows its own frames",
    "identity.values": "quoted names are values",
    "files.settings": "settings files",
    "files.tests": "names of test files",
    "files.manifests": "dependency files",
    "files.locks": "lock files",
    "reports.suites": "suites in JUnit XML",
    "reports.case": "reads a report's cases as its output",
    "reports.folders": "folders of reports",
    "diagnostic": "an editor's messages are read as the terminal's",
}
"""Fields in plain words; of others the name is shown."""
_TOLD: Final = ("language", "output.parse")
"""Fields that are told of before all others."""
_LACKING: Final = (
    ("failures", "not read, so a run that fails is known by its last lines"),
    ("tests", "not read, so that a test passes again is not seen; only its failure goes"),
    ("counts", "not read, so only the exit code says that all passed"),
    ("reports", "no form of its own, so what a JUnit file says is taken as it is"),
    ("editor", "no other names, so an editor's messages are not known to be this tool's"),
    ("files", "none known, so its settings tell nothing of a project"),
    ("exits", "no exit codes, so a run that fails never shows that another failure is gone"),
    ("silence", "nothing known, so an edit that only hides a failure may be taken for a fix"),
)


class ToolKnowledge(NamedTuple):
    """What of a tool is read.

    Attributes:
        name: that failures and records bear.
        origin: who describes it: ``built in``.
        language: of the code that it is about.
        failures: what reads them: the tool itself, or those that print the same.
        tests: it names tests and says how they ended.
        counts: it says how many tests ended how.
        reports: what it writes into reports is known.
        editor: names that editors and reports have for it.
        files: its files are known.
        exits: exit codes say whether it came to its end.
        silence: edits are known that only hide its failures.
    """

    name: str
    origin: str
    language: str
    failures: tuple[str, ...]
    tests: bool
    counts: bool
    reports: bool
    editor: tuple[str, ...]
    files: bool
    exits: bool
    silence: bool


def knowledge_of(name: str) -> ToolKnowledge:
    """Say what of a tool is read."""
    facts = fields_of(name)
    like: tuple[str, ...] = facts.get("output.like", ())
    parts = {field.partition(".")[0] for field in facts}
    tests = {field for field in facts if field.startswith("tests.")} - {"tests.names_failing"}
    return ToolKnowledge(
        name=name,
        origin=BUILT_IN,
        language=facts.get("language", ""),
        failures=(name, *like) if "output.parse" in facts else like,
        tests=bool(tests - {"tests.counts"}),
        counts="tests.counts" in facts,
        reports="reports" in parts,
        editor=tuple(facts.get("names", ())),
        files="files" in parts,
        exits="ending.codes" in facts,
        silence="silence" in parts,
    )


def all_knowledge() -> tuple[ToolKnowledge, ...]:
    """Say of every tool what is read, by name."""
    return tuple(map(knowledge_of, sorted(names())))


def fields_of(name: str) -> dict[str, Any]:
    """Give what a tool says, by field; of a callable that it has one."""
    return {field: each[name] for field, each in FIELDS.items() if name in values(field)}


def details(name: str) -> Iterator[tuple[str, str]]:
    """Give what a tool says in plain words: what it is, and its values."""
    facts = fields_of(name)
    labelled = [field for field in _LABELS if field in facts]
    for field in (*labelled, *(field for field in facts if field not in _LABELS)):
        if field not in _TOLD:
            yield _LABELS.get(field, _words(field)), _shown(facts[field])


def gaps(knowledge: ToolKnowledge) -> Iterator[tuple[str, str]]:
    """Name what is not read of a tool, and what does not work without it."""
    for field, consequence in _LACKING:
        if not getattr(knowledge, field):
            yield field, consequence


def _words(field: str) -> str:
    part, _, name = field.partition(".")
    return f"{part}, {name.replace('_', ' ')}" if name else part


def _shown(value: Any) -> str:  # noqa: ANN401  whatever a field holds
    """Write a value for people: patterns and tables only say that they are there."""
    if value is True or (isinstance(value, str) and re.search(_PATTERN_SIGNS, value)):
        return "yes"
    if isinstance(value, Mapping):
        texts = [f"{key} ({each})" if isinstance(each, str) else str(key)
                 for key, each in value.items()]  # fmt: skip
    elif isinstance(value, tuple | list):
        if not all(isinstance(item, str | int) for item in value):
            return f"{len(value)} forms"
        texts = [f'"{item}"' if str(item) != str(item).strip() else str(item) for item in value]
    else:
        texts = [str(value)]
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
