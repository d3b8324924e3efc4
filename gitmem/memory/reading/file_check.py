"""Checking the text of one record file, as an editor has it: what ``gitmem check`` would say."""

import contextlib
import difflib
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import EnvironmentProblem
from gitmem.records import codec
from gitmem.records.convert import decode
from gitmem.records.layout import id_in
from gitmem.records.parts import Links
from gitmem.records.problems import Problem, twin_of
from gitmem.records.shape import slot
from gitmem.sync.secrets import problems_of

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record

_OWN_KIND: Final = ("supersedes", "duplicates")
_CLOSE: Final = 0.75


def check_text(
    workspace: "Workspace", path: str, text: str, *, links: bool = True
) -> list[Problem]:
    """List what is wrong with a record file's text, in order of appearance.

    Args:
        workspace: of the memory, in which links are looked up.
        path: where the file is, relative to the memory's folder.
        text: its text.
        links: also look where its links lead.

    """
    data = text.encode("utf-8", "surrogatepass")
    record, problems = decode(data, path)
    try:
        fields, positions = codec.load(data), codec.positions(data)
    except codec.YamlError:
        fields, positions = {}, {}
    faults = list(problems)
    if record and (named := id_in(path)) and named != record.id:
        message = f"the file's name says {named}, the record inside says {record.id}"
        hint = "the id inside counts; give the file its name"
        faults.append(Problem(path, "id-mismatch", message, hint, field="id"))
    if record and record.created > workspace.clock() + timedelta(days=1):
        message = f"created is in the future: {record.created:%Y-%m-%d}"
        hint = "see with git log who added it, and set the time of that commit"
        faults.append(Problem(path, "future-date", message, hint, field="created"))
    if record and links:
        # Where there is nothing to answer from (yet), links are not judged.
        with contextlib.suppress(EnvironmentProblem):
            faults += workspace.ask(
                lambda now: [
                    *_twins(now.catalog, path, record),
                    *_link_problems(now.catalog, path, record),
                ]
            )
    hints = " ".join(problem.hint for problem in faults)
    faults += (
        unknown for unknown in _unknown_fields(path, fields) if f"'{unknown.field}'" not in hints
    )
    faults = [_placed(problem, positions) for problem in faults]
    passes = workspace.site.config.redaction_allow
    faults += problems_of(path, text, passes, workspace.others_environ)
    return sorted(faults, key=lambda problem: (problem.line, problem.column, problem.code))


def _placed(problem: Problem, positions: dict[codec.Path, codec.Position]) -> Problem:
    if problem.line or not problem.field:
        return problem
    at = positions.get(codec.steps(problem.field), codec.Position(1, 1))
    return problem._replace(line=at.line, column=at.column)


def _twins(catalog: "Catalog", path: str, record: "Record") -> Iterator[Problem]:
    for row in catalog.by_prefix(record.id):
        if row.path != path:
            yield twin_of(path, record.id, row.path)


def _link_problems(catalog: "Catalog", path: str, record: "Record") -> Iterator[Problem]:
    named = [
        (relation, target, f"links.{relation}[{number}]")
        for relation in Links.RELATIONS
        for number, target in enumerate(getattr(record.links, relation))
    ]
    if reuses := getattr(record, "reuses", None):
        named.append(("reuses", reuses, "reuses"))
    for relation, target, field in named:
        kinds = [row.kind for row in catalog.by_prefix(target)]
        if not kinds:
            message = f"{relation} names {target}, which is not in this memory"
            hint = "check the id, or merge the branch that has the record"
            yield Problem(path, "dangling-link", message, hint, field=field)
        elif relation in _OWN_KIND and kinds[0] != record.kind:
            message = f"{relation} names {target}, which is of another kind: {kinds[0]}"
            hint = f"{relation} links a record to an older one of its own kind"
            yield Problem(path, "wrong-kind", message, hint, field=field)
        elif relation == "supersedes" and _leads_back(catalog, target, record.id):
            message = f"{record.id} supersedes itself, by way of {target}"
            yield Problem(path, "supersedes-cycle", message, "remove one of the links", field=field)
    if record.session and not catalog.by_prefix(record.session):
        message = f"session {record.session} has no record (yet)"
        hint = "it is still live, was abandoned, or is recorded on another branch"
        yield Problem(path, "unwritten-session", message, hint, field="session", severity="info")


def _leads_back(catalog: "Catalog", start: str, end: str) -> bool:
    """Tell whether a record, or one that it supersedes and so on, is the one named ``end``."""
    left, visited = [start], set[str]()
    while left:
        record_id = left.pop()
        if record_id == end:
            return True
        if record_id in visited:
            continue
        visited.add(record_id)
        for row in catalog.by_prefix(record_id):
            links = catalog.links_from(row.file)
            left += [target for relation, target in links if relation == "supersedes"]
    return False


def _unknown_fields(path: str, data: dict[str, Any]) -> Iterator[Problem]:
    """Tell of fields that are kept, but are probably another's name with a slip in it."""
    kind = data.get("kind")
    if not isinstance(kind, str):
        return
    for steps, mapping in _mappings(data, ()):
        names = slot(kind, steps).fields
        free = [name for name in names if name not in mapping]
        for name in mapping if names else ():
            near = [] if name in names else difflib.get_close_matches(name, free, 1, _CLOSE)
            if near:
                field = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in (*steps, name))
                message = f"unknown field {name}; it is kept, and ignored"
                yield Problem(
                    path,
                    "unknown-field",
                    message,
                    f"did you mean {near[0]}?",
                    field=field.removeprefix("."),
                    severity="warning",
                )


def _mappings(value: Any, steps: codec.Path) -> Iterator[tuple[codec.Path, dict[str, Any]]]:  # noqa: ANN401
    if isinstance(value, dict):
        yield steps, value
        for name, inner in value.items():
            yield from _mappings(inner, (*steps, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _mappings(inner, (*steps, number))
