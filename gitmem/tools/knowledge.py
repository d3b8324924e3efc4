"""What is known of a tool, for people: what of it is read, and what does not work without more.

Everything here comes from the index, so no tool is imported for it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.tools.choice import names, package_tools, values
from gitmem.tools.index import FIELDS, NAMES

if TYPE_CHECKING:
    from gitmem.tools.matchers.forms import Matcher

BUILT_IN: Final = "built in"
PACKAGE: Final = "package"
_SHOWN: Final = 12
_PATTERN_SIGNS: Final = r"[\\()\[\]^$*+?|{}]"
_LABELS: Final = {
    "names": "also called",
    "bears": "names in failures",
    "sources": "names in an editor's messages",
    "output.words": "looks at lines with",
    "output.beside": "and, where another word stands there too, with",
    "output.needs": "and something of",
    "output.commands": "asked first after",
    "output.events": "signs of events",
    "output.closing": "knows lines that only close an output",
    "tests.names_failing": "a test that is only named as failed is a failure",
    "command.programs": "programs",
    "command.wrappers": "scripts that stand for them",
    "command.starts": "starts others with",
    "command.builds": "builds targets with",
    "command.last_failed": "options that run only what failed last",
    "command.comparable": "knows command lines that ask for the same",
    "ending.codes": "exit codes of a run that named all failures",
    "ending.no_tests": "exit code of a run without tests",
    "files.settings": "settings files",
    "files.manifests": "files with dependencies",
    "files.locks": "lock files",
    "files.sections": "sections of pyproject.toml",
    "files.commands": "projects are known by",
    "files.noise": "files that no edit goes to",
    "reports.suites": "knows its JUnit XML",
    "reports.folder": "reports of a build",
    "reports.form_title": "form of reports",
    "silence.settings": "knows settings that hide failures",
    "diagnostic": "an editor's messages are read as the terminal's",
}
"""Fields in plain words; of the others only their names are shown."""
_TOLD: Final = ("language", "order", "output.parse", "output.like")
"""Fields that are told of before all others, or mean nothing to people."""
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
        origin: who describes it: ``built in``, the package that brings it, or a file of the
            repository.
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
        origin=BUILT_IN if name in NAMES else _package(name),
        language=facts.get("language", ""),
        failures=(name, *like) if "output.parse" in facts else like,
        tests=bool(tests - {"tests.counts"}),
        counts="tests.counts" in facts,
        reports="reports" in parts,
        editor=tuple(dict.fromkeys((*facts.get("names", ()), *facts.get("sources", ())))),
        files="files" in parts,
        exits="ending.codes" in facts,
        silence="silence" in parts,
    )


def knowledge_of_matcher(file: str, matcher: "Matcher") -> ToolKnowledge:
    """Say it of a tool that a file of the repository describes: only its failures are read."""
    return ToolKnowledge(
        name=matcher.name,
        origin=file,
        language="",
        failures=(matcher.name,),
        tests=False,
        counts=False,
        reports=False,
        editor=(),
        files=False,
        exits=False,
        silence=False,
    )


def _package(name: str) -> str:
    entry = package_tools().origins[name]
    return f"{PACKAGE} {entry.package} {entry.version}"


def all_knowledge(described: "Iterable[tuple[str, Matcher]]" = ()) -> tuple[ToolKnowledge, ...]:
    """Say of every tool what is read, by name.

    Args:
        described: tools of the repository's own, each with the file that describes it.

    """
    own = map(knowledge_of, names())
    others = (knowledge_of_matcher(file, matcher) for file, matcher in described)
    return tuple(sorted((*own, *others), key=lambda tool: (tool.name, tool.origin)))


def refused_packages() -> Iterator[tuple[str, str]]:
    """Give the tools of packages that are not used: what brings them, and why they are not."""
    for entry, reason in package_tools().refused:
        yield f"{entry.name} ({PACKAGE} {entry.package} {entry.version})", reason


def fields_of(name: str) -> dict[str, Any]:
    """Give what a tool says, by field; of a callable that it has one."""
    return {field: each[name] for field in FIELDS if name in (each := values(field))}


def details(name: str) -> Iterator[tuple[str, str]]:
    """Give what a tool says in plain words: what it is, and its values."""
    facts = fields_of(name)
    for field, label in _LABELS.items():
        if field in facts:
            yield label, _shown(facts[field])
    others = [field for field in facts if field not in _LABELS and field not in _TOLD]
    if others:
        yield "further fields", ", ".join(others)


def gaps(knowledge: ToolKnowledge) -> Iterator[tuple[str, str]]:
    """Name what is not read of a tool, and what does not work without it."""
    for field, consequence in _LACKING:
        if not getattr(knowledge, field):
            yield field, consequence


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
