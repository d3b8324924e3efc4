"""The circumstances of a question that the search pipeline weighs: branch, files, time."""

import os
from typing import TYPE_CHECKING, Any

from gitmem.git.state import branch
from gitmem.search.facts import Circumstances, RecordFeedback

if TYPE_CHECKING:
    from gitmem.capture.feedback import FeedbackTally
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace


def circumstances(workspace: "Workspace", pasted: str = "") -> Circumstances:
    """Collect the circumstances of a question: time, branch, changed files, the failure.

    Args:
        workspace: of the memory that is asked.
        pasted: the text, if it is an error that was pasted.

    """
    if not pasted:
        return _around(workspace, None)
    from gitmem.index.evidence import of_text

    around = _around(workspace, _pasted_failure(workspace, pasted))
    if of_text(pasted).prose:
        # What people quote in a report is often not all that went wrong: only proof counts.
        around = around._replace(prints=around.prints[:1])
    return around


def circumstances_of(workspace: "Workspace", failure: "FingerprintedFailure") -> Circumstances:
    """Tell the same for a failure that was parsed already."""
    return _around(workspace, failure)


def _around(workspace: "Workspace", failure: "FingerprintedFailure | None") -> Circumstances:
    site = workspace.site
    return Circumstances(
        now=workspace.clock().isoformat().replace("+00:00", "Z"),
        prints=_prints(failure) if failure else (),
        kind=_kind(failure.fields) if failure else "",
        names=_names(failure.fields) if failure else (),
        files=_files(failure.fields) if failure else frozenset(),
        branch=_branch(site),
        root=site.root,
        feedback=_feedback(workspace, failure.site if failure else ""),
        synonyms=site.config.search_synonyms,
    )


def _pasted_failure(workspace: "Workspace", text: str) -> "FingerprintedFailure | None":
    """Give the failure that a pasted text is mainly about; None for prose."""
    from gitmem.matching.parse import main_failure
    from gitmem.memory.core.fingerprints import fingerprinted  # noqa: PLC0415  start-up
    from gitmem.memory.core.matchers import matchers_of

    failure = main_failure(text, matchers=matchers_of(workspace))
    return fingerprinted(workspace, failure) if failure.message or failure.frames else None


def _prints(failure: "FingerprintedFailure") -> tuple[tuple[str, str, str], ...]:
    from gitmem.matching import labels, recorded  # noqa: PLC0415  start-up

    prints = [
        (level, getattr(failure, level), labels.label_of(level, failure.fields))
        for level in labels.LOOKED_UP
    ]
    prints = [
        (level, value, labels.SAME_TEST if (level, label) == ("site", labels.SAME_PLACE) else label)
        for level, value, label in prints
    ]
    prints.append(("template", failure.template, labels.SAME_KIND))
    others = recorded.other_messages(failure.fields)
    return (*prints, *(("template", message, labels.SAME_MESSAGE) for message in others))


def _kind(fields: dict[str, Any]) -> str:
    return str(fields.get("error_type") or fields.get("code") or "")


def _names(fields: dict[str, Any]) -> tuple[str, ...]:
    """Give what a message names in quotes, without arguments of types."""
    from gitmem.index.evidence import quoted
    from gitmem.matching.recorded import canonical_message

    return tuple(name.partition("[")[0] for name in quoted(canonical_message(fields)))


def _files(fields: dict[str, Any]) -> frozenset[str]:
    named = [frame["file"] for frame in fields.get("frames") or () if frame.get("in_app")]
    location = fields.get("location") or {}
    return frozenset([*named, *([location["file"]] if location.get("file") else [])])


def _branch(site: "Site") -> str:
    if site.git_dirs is None:
        return ""
    return branch(site.git_dirs)


def _feedback(workspace: "Workspace", failure: str) -> dict[str, RecordFeedback]:
    tallies = tallies_of(workspace, failure)
    return {record: RecordFeedback(*tally) for record, tally in tallies.items()}


def tallies_of(workspace: "Workspace", failure: str = "") -> "dict[str, FeedbackTally]":
    """Sum up what users made of records; nothing is loaded where they said and did nothing.

    Args:
        workspace: of the memory.
        failure: fingerprint of the place of the failure at hand.

    """
    if not os.path.exists(os.path.join(workspace.site.journal, "feedback.jsonl")):
        return {}
    from gitmem.capture.feedback import Feedback

    return Feedback(workspace.journal).tallies(failure)
