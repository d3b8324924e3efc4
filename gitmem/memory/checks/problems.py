"""``gitmem check``: all problems in one list."""

import hashlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gitmem.catalog.catalog import Catalog
from gitmem.installed import TOOLS, installed
from gitmem.memory.checks.unmerged import with_unmerged
from gitmem.memory.core.ignored import ignored_problem
from gitmem.memory.core.matchers import refused_matchers
from gitmem.memory.core.site import line_of
from gitmem.memory.core.team_rules import complaints
from gitmem.pictures.forms import form
from gitmem.records import codec
from gitmem.records.layout import ARCHIVE, ATTACHMENTS, KIND_OF_FOLDER, MARKER
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Store, leftovers
from gitmem.store.texts import as_text
from gitmem.sync.secrets import problems_of
from gitmem.tools.choice import package_tools

if TYPE_CHECKING:
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layered import LayeredReader

_NO_LIMIT: Final = 1 << 40
_EXPECTED = {*KIND_OF_FOLDER, ATTACHMENTS, ARCHIVE, MARKER}


def problems(reader: "LayeredReader", *, secrets: bool) -> list[Problem]:
    """List what is wrong with a memory's files and settings, and with its archives.

    Args:
        reader: of the memory.
        secrets: also read every file for secrets, which takes a while in a large memory.

    """
    workspace = reader.workspace
    own = with_unmerged(problems_of_files(workspace), workspace.site)
    ignored = ignored_problem(workspace.site)
    own += [ignored] if ignored else []
    if secrets:
        own = list(dict.fromkeys([*own, *secrets_in_files(workspace)]))
    layers = reader.layers
    if layers.archived is None:
        return sorted(own)
    return sorted([*layers.judged(own), *layers.problems()])


def problems_of_files(workspace: "Workspace") -> list[Problem]:
    """List problems of files, of links between them, of attachments and of settings."""
    site = workspace.site

    def question(now: "Snapshot") -> list[Problem]:
        catalog = now.catalog
        between = catalog.once("problems", lambda: tuple(catalog.problems()))
        faults = [*between, *now.file_problems]
        return [*faults, *_attachment_problems(site.folder, catalog)]

    faults = workspace.ask(question)
    faults.extend(
        Problem(MARKER, "bad-setting", text, line=line_of(site.folder, text), severity="warning")
        for text in complaints(site)
    )
    faults.extend(_outside_tools(site))
    faults.extend(_strangers(site.folder))
    for name in leftovers(site.folder):
        message = "a temporary file that an interrupted write left; it holds no record"
        faults.append(Problem(name, "leftover", message, "it can be deleted", severity="info"))
    return sorted(_placed(faults, Store(site.folder, site.config.limits_record_kib * 1024)))


def _outside_tools(site: "Site") -> Iterator[Problem]:
    """Name the tools that others describe and that are not used, a line each."""
    for refused in refused_matchers(site):
        message, hint = f"{refused.file}: {refused.reason}", "see docs/matchers.md for what is read"
        yield Problem(MARKER, "bad-matcher", message, hint, severity="warning")
    for package in package_tools().refused if installed(TOOLS) else ():
        entry = package.entry
        where = f"the package {entry.package} {entry.version}"
        message = f"tool {entry.name} of {where} is not used: {package.reason}"
        yield Problem(MARKER, "bad-package", message, severity="warning")


def secrets_in_files(workspace: "Workspace") -> list[Problem]:
    """Find secrets in files that were not written by gitmem, or before it knew them."""
    passes, environ = workspace.site.config.redaction_allow, workspace.others_environ
    faults = []
    for path in (MARKER, *workspace.ask(lambda now: now.catalog.record_paths()).values()):
        try:
            text = workspace.store.read(path).decode(errors="replace")
        except (FileNotFoundError, ProblemError):
            continue
        secrets = problems_of(path, text, passes, environ)
        faults += secrets
        if passes and path != MARKER:  # there they are what is allowed
            places = {(secret.line, secret.column) for secret in secrets}
            for secret in problems_of(path, text, (), environ):
                if (secret.line, secret.column) not in places:
                    message = secret.message.replace("this", "redaction.allow permits what")
                    hint = "see its reason there"
                    faults.append(
                        secret._replace(
                            code="allowed-secret", message=message, hint=hint, severity="info"
                        )
                    )
    return [*faults, *_secrets_in_attachments(workspace)]


def _secrets_in_attachments(workspace: "Workspace") -> Iterator[Problem]:
    """Find secrets in attached texts, and name what nobody can search."""
    store = Store(workspace.site.folder, _NO_LIMIT)
    passes, environ = workspace.site.config.redaction_allow, workspace.others_environ
    for name in dict.fromkeys(workspace.ask(lambda now: [n for _, n in now.catalog.attachments()])):
        path = f"{ATTACHMENTS}/{name}"
        try:
            data = store.read(path)
        except (FileNotFoundError, ProblemError):
            continue
        read = None if form(data) else as_text(data)
        if read:
            yield from problems_of(path, read[0], passes, environ)
        elif not form(data):
            message, hint = "no text and no picture: not searched for secrets", "see what it holds"
            yield Problem(path, "opaque-attachment", message, hint, severity="warning")


def _placed(faults: list[Problem], store: Store) -> Iterator[Problem]:
    """Add the line and column of the field to problems that concern several files."""
    positions_of: dict[str, dict[codec.Path, codec.Position]] = {}
    for problem in faults:
        if not problem.field or problem.column:
            yield problem
            continue
        if problem.path not in positions_of:
            positions_of[problem.path] = _places(store, problem.path)
        at = positions_of[problem.path].get(codec.steps(problem.field))
        yield problem._replace(line=at.line, column=at.column) if at else problem


def _places(store: Store, path: str) -> dict[codec.Path, codec.Position]:
    try:
        return codec.positions(store.read(path))
    except (codec.YamlError, ProblemError, FileNotFoundError):
        return {}


def _attachment_problems(folder: str, catalog: Catalog) -> Iterator[Problem]:
    checked: dict[str, str] = {}
    store = Store(folder, _NO_LIMIT)
    for path, name in catalog.attachments():
        if name not in checked:
            checked[name] = _fault(store, name)
        if checked[name]:
            hint = "restore it from git, or remove its name from the record"
            yield Problem(
                path, "attachment", f"attachment {name} {checked[name]}", hint, field="attachments"
            )


def _fault(store: Store, name: str) -> str:
    try:
        data = store.read(f"{ATTACHMENTS}/{name}")
    except FileNotFoundError:
        return "is missing"
    except ProblemError as error:
        return "is a symbolic link" if error.problem.code == "symlink" else "can't be read"
    is_whole = hashlib.sha256(data).hexdigest() == name.partition(".")[0]
    return "" if is_whole else "is damaged: its content does not match its name"


def _strangers(folder: str) -> Iterator[Problem]:
    for name in sorted(os.listdir(folder)):
        if name not in _EXPECTED and not name.startswith("."):
            shown = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
            message = "not a folder of records, so nothing in it is read"
            hint = f"folders of records: {', '.join(KIND_OF_FOLDER)}"
            yield Problem(shown, "stranger", message, hint, severity="warning")
