"""A team's rules for secrets and fingerprints, and which of them are invalid."""

import os
from typing import TYPE_CHECKING, Any

from gitmem.errors import InvalidError
from gitmem.memory.core.site import line_of
from gitmem.records.layout import MARKER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.matching.masks import MaskRule
    from gitmem.memory.core.site import Site
    from gitmem.redaction import Allowed, SecretFinding


def allowed_secrets(site: "Site") -> "tuple[Allowed, ...]":
    """Give what the team says is no secret, of all that the good entries say."""
    return _allowed(site)[0] if site.config.redaction_allow else ()


def refuse_secrets(site: "Site", values: "Mapping[str, Any]") -> None:
    """Raise InvalidError where a setting of the team holds one, such as a token in an address."""
    findings = redacted(dict(values), {}, allowed_secrets(site))[1]
    if findings:
        kinds = ", ".join(sorted({finding.kind for finding in findings}))
        hint = f"leave it out: {MARKER} is committed; what git signs in with is no setting"
        raise InvalidError(f"this looks like a secret ({kinds})", hint)


def redacted(
    data: Any,  # noqa: ANN401
    environ: "Mapping[str, str]",
    allow: "tuple[Allowed, ...]" = (),
) -> "tuple[Any, tuple[SecretFinding, ...]]":
    """Give plain data without its secrets, and what they were; with a team's rules or without."""
    from gitmem.redaction import redact_data

    return redact_data(data, environ=environ, allow=allow)


def mask_rules(site: "Site", notices: list[str]) -> "tuple[MaskRule, ...]":
    """Give the team's rules for fingerprints; a notice names those that are no good."""
    notice_faults(site, "fingerprint.rules", notices)
    return _rules(site)[0] if site.config.fingerprint_rules else ()


def complaints(site: "Site") -> list[str]:
    """List what is wrong with the settings, patterns included: a line each."""
    faults: list[str] = []
    if site.config.fingerprint_rules:
        faults += _rules(site)[1]
    if site.config.redaction_allow:
        faults += _allowed(site)[1]
    return [*site.settings.complaints, *(f"team setting {fault}" for fault in faults)]


def with_place(site: "Site", complaint: str) -> str:
    """Put the file, and the line where it is known, before a complaint about a team setting."""
    if not complaint.startswith("team setting "):
        return complaint
    line = line_of(site.folder, complaint)
    file = f"{os.path.basename(site.folder)}/{MARKER}"
    return f"{file}:{line}: {complaint}" if line else f"{file}: {complaint}"


def notice_faults(site: "Site", key: str, notices: list[str]) -> None:
    """Say which entries of a setting are passed over: the result is not what the team expects."""
    if key not in site.settings.origins:
        return
    lines = [with_place(site, text) for text in complaints(site) if key in text]
    notices.extend(line for line in lines if line not in notices)


def _rules(site: "Site") -> "tuple[tuple[MaskRule, ...], tuple[str, ...]]":
    from gitmem.matching.rules import user_rules

    return user_rules(site.config.fingerprint_rules)


def _allowed(site: "Site") -> "tuple[tuple[Allowed, ...], tuple[str, ...]]":
    from gitmem.redaction.allowed import from_settings

    return from_settings(site.config.redaction_allow)
