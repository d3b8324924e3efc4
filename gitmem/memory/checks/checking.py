"""``gitmem check``: everything that is wrong, in one list."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from gitmem.catalog.catalog import Catalog
from gitmem.memory.core.site import Site, line_of
from gitmem.memory.core.team_rules import complaints
from gitmem.records import codec
from gitmem.records.layout import ARCHIVE, ATTACHMENTS, KIND_OF_FOLDER, MARKER
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Store, leftovers

if TYPE_CHECKING:
    from gitmem.capture.redaction import Allowed

_KNOWN = {*KIND_OF_FOLDER, ATTACHMENTS, ARCHIVE, MARKER}


def problems(site: Site, catalog: Catalog, file_problems: list[Problem]) -> list[Problem]:
    """Collect problems of files, of links between them, of attachments and of settings."""
    found = [*catalog.problems(), *file_problems, *_attachment_problems(site.folder, catalog)]
    found.extend(
        Problem(MARKER, "bad-setting", text, line=line_of(site.folder, text), severity="warning")
        for text in complaints(site)
    )
    found.extend(_strangers(site.folder))
    for name in leftovers(site.folder):
        message = "a temporary file that a killed writer left; it holds no record"
        found.append(Problem(name, "leftover", message, "it can go", severity="info"))
    return sorted(_placed(found, Store(site.folder, site.config.limits_record_kib * 1024)))


def secrets(
    store: Store,
    paths: Iterable[str],
    environ: Mapping[str, str],
    allow: "Sequence[Allowed]" = (),
) -> Iterator[Problem]:
    """Find secrets in record files that were not written by gitmem, or before it knew them."""
    from gitmem.capture.redaction import redact  # noqa: PLC0415  start-up

    for path in paths:
        try:
            text = store.read(path).decode(errors="replace")
        except (FileNotFoundError, ProblemError):
            continue
        for finding in redact(text, environ=environ, allow=allow).found:
            message = f"this looks like a secret ({finding.kind}: {finding.hint})"
            hint = "make it invalid where it was given out, then take it out of the file"
            yield Problem(path, "secret", message, hint, finding.line, finding.column)


def _placed(found: list[Problem], store: Store) -> Iterator[Problem]:
    """Give problems between files their line and column: where the field stands in the file."""
    places: dict[str, dict[codec.Path, codec.Position]] = {}
    for problem in found:
        if not problem.field or problem.column:
            yield problem
            continue
        if problem.path not in places:
            places[problem.path] = _places(store, problem.path)
        at = places[problem.path].get(codec.steps(problem.field))
        yield problem._replace(line=at.line, column=at.column) if at else problem


def _places(store: Store, path: str) -> dict[codec.Path, codec.Position]:
    try:
        return codec.positions(store.read(path))
    except (codec.YamlError, ProblemError, FileNotFoundError):
        return {}


def _attachment_problems(folder: str, catalog: Catalog) -> Iterator[Problem]:
    checked: dict[str, str] = {}
    for path, name in catalog.attachments():
        if name not in checked:
            checked[name] = _fault(os.path.join(folder, ATTACHMENTS, name), name)
        if checked[name]:
            hint = "restore it from git, or take its name out of the record"
            yield Problem(
                path, "attachment", f"attachment {name} {checked[name]}", hint, field="attachments"
            )


def _fault(full: str, name: str) -> str:
    digest = hashlib.sha256()
    try:
        if os.path.islink(full):
            return "is a symbolic link"
        with open(full, "rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        return "is missing" if isinstance(error, FileNotFoundError) else "can't be read"
    return (
        ""
        if digest.hexdigest() == name.partition(".")[0]
        else "has other content than its name says"
    )


def _strangers(folder: str) -> Iterator[Problem]:
    for name in sorted(os.listdir(folder)):
        if name not in _KNOWN and not name.startswith("."):
            shown = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
            message = "not a folder of records; nothing in here is read"
            hint = f"folders of records: {', '.join(KIND_OF_FOLDER)}"
            yield Problem(shown, "stranger", message, hint, severity="warning")
