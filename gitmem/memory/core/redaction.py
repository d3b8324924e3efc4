"""Redacts secrets from what is written or shown, except what the team allows."""

from typing import TYPE_CHECKING, Any

from gitmem.memory.core.team_rules import allowed_secrets, notice_faults, redacted

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record
    from gitmem.redaction import SecretFinding


def redact(workspace: "Workspace", data: Any) -> "tuple[Any, tuple[SecretFinding, ...]]":  # noqa: ANN401
    """Give plain data without its secrets, and what they were."""
    notice_faults(workspace.site, "redaction.allow", workspace.notices)
    return redacted(data, workspace.others_environ, allowed_secrets(workspace.site))


def redact_for_model(
    workspace: "Workspace",
    data: Any,  # noqa: ANN401
) -> "tuple[Any, tuple[SecretFinding, ...]]":
    """Do as ``redact`` for what leaves this machine.

    What a team says is no secret stays in only if the user has agreed to that: anybody who can
    write to a repository could otherwise have keys sent away.
    """
    if workspace.site.config.llm_team_allowances:
        return redact(workspace, data)
    return redacted(data, workspace.others_environ)


def clean_record(
    workspace: "Workspace", record: "Record"
) -> "tuple[Record, tuple[SecretFinding, ...]]":
    """Give a record without its secrets, and what they were; one without any as it is."""
    from gitmem.records.convert import from_data, to_data

    data, findings = redact(workspace, to_data(record))
    return (from_data(data) if findings else record), findings


def redact_record(workspace: "Workspace", record: "Record") -> "Record":
    """Give a record without its secrets, with a notice of them; one without any as it is."""
    clean, findings = clean_record(workspace, record)
    if findings:
        kinds = ", ".join(sorted({finding.kind for finding in findings}))
        workspace.notices.append(f"secrets were removed from {record.id}: {kinds}")
    return clean
