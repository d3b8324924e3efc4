"""How sessions, redaction and fingerprints of a memory get their parts and their settings."""

import os
from typing import TYPE_CHECKING, Any

from gitmem.memory.site import line_of
from gitmem.records.layout import MARKER
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.redaction import Allowed, SecretFinding
    from gitmem.capture.runs import FingerprintedFailure
    from gitmem.matching.failure import Failure
    from gitmem.matching.fingerprint import Fingerprints
    from gitmem.matching.masks import MaskRule
    from gitmem.memory.site import Site
    from gitmem.memory.view import View
    from gitmem.memory.writable import Writable
    from gitmem.sessions import Produced, Sessions


def sessions(memory: "Writable") -> "Sessions":
    """Put the sessions of ``memory`` together."""
    from gitmem.memory.writing import new_id  # noqa: PLC0415  start-up
    from gitmem.sessions import Sessions  # noqa: PLC0415  start-up

    site = memory.site
    base = site.places.root if site.places else site.root
    return Sessions(
        journal=Journal(site.journal),
        add_record=memory.write,
        root=site.root,
        places=site.places,
        actor=memory.author,
        clock=memory.now,
        new_id=new_id,
        max_hours=site.config.session_max_hours,
        exclude=os.path.relpath(site.folder, base),
    )


def produced(memory: "Writable", session_id: str) -> "Sequence[Produced]":
    """List the records that were written during a session, oldest first."""
    from gitmem.memory.failures.knowing import read  # noqa: PLC0415  start-up
    from gitmem.sessions import Produced  # noqa: PLC0415  start-up

    made = []
    for row in memory.derived.catalog().written_in(session_id):
        if row.kind == "fix":
            lesson = str(getattr(read(memory, row), "lessons", ""))
            made.append(Produced(row.id, row.kind, row.title, row.stated, lesson))
        elif row.kind != "session":
            made.append(Produced(row.id, row.kind, row.title))
    return made


def clean(memory: "View", data: Any) -> "tuple[Any, tuple[SecretFinding, ...]]":  # noqa: ANN401
    """Take the secrets out of plain data, but for what the team allows; tell what they were."""
    from gitmem.capture.redaction import redact_data  # noqa: PLC0415  start-up

    return redact_data(data, environ=memory.others_environ, allow=allowed(memory))


def allowed(memory: "View") -> "tuple[Allowed, ...]":
    """Give what the team says is no secret; entries that are no good are told of and left out."""
    _tell(memory, "redaction.allow")
    return allowed_in(memory.site)


def allowed_in(site: "Site") -> "tuple[Allowed, ...]":
    """Give what the team says is no secret, of all that the good entries say."""
    return _allowed(site)[0] if site.config.redaction_allow else ()


def mask_rules(memory: "View") -> "tuple[MaskRule, ...]":
    """Give the team's rules for fingerprints; those that are no good are told of and left out."""
    _tell(memory, "fingerprint.rules")
    return _rules(memory.site)[0] if memory.site.config.fingerprint_rules else ()


def complaints(site: "Site") -> list[str]:
    """List what is wrong with the settings, patterns included: a line each."""
    faults: list[str] = []
    if site.config.fingerprint_rules:
        faults += _rules(site)[1]
    if site.config.redaction_allow:
        faults += _allowed(site)[1]
    return [*site.settings.complaints, *(f"team setting {fault}" for fault in faults)]


def placed(site: "Site", complaint: str) -> str:
    """Put the file, and the line where it is known, before a complaint about a team setting."""
    if not complaint.startswith("team setting "):
        return complaint
    line = line_of(site.folder, complaint)
    file = os.path.join(os.path.basename(site.folder), MARKER)
    return f"{file}:{line}: {complaint}" if line else f"{file}: {complaint}"


def prints(memory: "View", fields: "dict[str, Any]") -> "Fingerprints":
    """Give the fingerprints of an error record's fields, by the team's rules too."""
    from gitmem.matching.recorded import prints_of  # noqa: PLC0415  start-up

    return prints_of(fields, mask_rules(memory))


def fields_of(memory: "View", failure: "Failure") -> "dict[str, Any]":
    """Give the fields of an error record of a failure; paths are the repository's."""
    from gitmem.capture.localise import localised  # noqa: PLC0415  start-up
    from gitmem.matching.failure import as_fields  # noqa: PLC0415  start-up

    site = memory.site
    root = site.places.root if site.places else site.root
    home = memory.environ.get("HOME", "")
    fields = dict(localised(as_fields(failure), [root, os.path.realpath(root)], home))
    inside = os.path.relpath(os.path.realpath(memory.start), os.path.realpath(root))
    if inside != os.curdir and not inside.startswith(os.pardir):
        _from_root(fields, root, inside)
    return fields


def _from_root(fields: "dict[str, Any]", root: str, folder: str) -> None:
    """Name files from the repository's root that a command below it named from its folder."""
    for place in (*fields.get("frames", ()), fields.get("location") or {}):
        path = place.get("file", "")
        if path and not path.startswith(("/", "~", "<")):
            longer = os.path.normpath(os.path.join(folder, path))
            is_there = os.path.exists(os.path.join(root, longer))
            if is_there and not os.path.exists(os.path.join(root, path)):
                place["file"] = longer.replace(os.sep, "/")


def seen_of(memory: "View", failure: "Failure") -> "FingerprintedFailure":
    """Give a failure, redacted, with the fingerprints that a record of it would have."""
    from gitmem.capture.runs import FingerprintedFailure, places_of  # noqa: PLC0415  start-up

    fields = dict(clean(memory, fields_of(memory, failure))[0])
    made = prints(memory, fields)
    return FingerprintedFailure(
        made.exact, made.site, made.template, made.kind, fields, places_of(fields)
    )


def _rules(site: "Site") -> "tuple[tuple[MaskRule, ...], tuple[str, ...]]":
    from gitmem.matching.rules import user_rules  # noqa: PLC0415  few teams have any

    return user_rules(site.config.fingerprint_rules)


def _allowed(site: "Site") -> "tuple[tuple[Allowed, ...], tuple[str, ...]]":
    from gitmem.capture.redaction.allowed import from_settings  # noqa: PLC0415  few teams have any

    return from_settings(site.config.redaction_allow)


def _tell(memory: "View", key: str) -> None:
    """Say what of a setting is passed over: what follows is not what the team expects."""
    if key not in memory.site.settings.origins:
        return
    told = [placed(memory.site, text) for text in complaints(memory.site) if key in text]
    notices = memory.derived.notices
    notices += [text for text in told if text not in notices]
