"""Where a question comes from: the circumstances that the search pipeline weighs."""

import os
from typing import TYPE_CHECKING, Any

from gitmem.search import Circumstances

if TYPE_CHECKING:
    from gitmem.capture.runs import FingerprintedFailure
    from gitmem.memory.view import View


def circumstances(memory: "View", pasted: str = "") -> Circumstances:
    """Tell where and when a question is asked, and for which failure.

    Args:
        memory: the memory.
        pasted: the text, if it is an error that was pasted.

    """
    if not pasted:
        return _around(memory, None)
    from gitmem.index.evidence import of_text  # noqa: PLC0415  start-up

    around = _around(memory, _seen(memory, pasted))
    if of_text(pasted).prose:
        # What people quote in a report is often not all that went wrong: only proof counts.
        around = around._replace(prints=around.prints[:1])
    return around


def of_failure(memory: "View", seen: "FingerprintedFailure") -> Circumstances:
    """Tell the same for a failure that was parsed already."""
    return _around(memory, seen)


def _around(memory: "View", seen: "FingerprintedFailure | None") -> Circumstances:
    site = memory.site
    return Circumstances(
        now=memory.now().isoformat().replace("+00:00", "Z"),
        prints=_prints(seen) if seen else (),
        files=_files(seen.fields) if seen else frozenset(),
        branch=_branch(memory),
        root=site.root,
        verdicts=_verdicts(memory, seen.site if seen else ""),
        synonyms=site.config.search_synonyms,
    )


def _seen(memory: "View", text: str) -> "FingerprintedFailure | None":
    """Give the failure that a pasted text is mainly about; None for prose."""
    from gitmem.matching.parse import main_failure  # noqa: PLC0415  start-up
    from gitmem.memory.wiring import seen_of  # noqa: PLC0415  start-up

    failure = main_failure(text)
    return seen_of(memory, failure) if failure.message or failure.frames else None


def _prints(seen: "FingerprintedFailure") -> tuple[tuple[str, str, str], ...]:
    from gitmem.matching.labels import LOOKED_UP, label_of  # noqa: PLC0415  start-up

    return tuple((level, getattr(seen, level), label_of(level, seen.fields)) for level in LOOKED_UP)


def _files(fields: dict[str, Any]) -> frozenset[str]:
    named = [frame["file"] for frame in fields.get("frames") or () if frame.get("in_app")]
    location = fields.get("location") or {}
    return frozenset([*named, *([location["file"]] if location.get("file") else [])])


def _branch(memory: "View") -> str:
    if memory.site.places is None:
        return ""
    from gitmem.git.state import branch  # noqa: PLC0415  start-up

    return branch(memory.site.places)


def _verdicts(memory: "View", failure: str) -> dict[str, tuple[int, int]]:
    if not os.path.exists(os.path.join(memory.site.journal, "feedback.jsonl")):
        return {}
    from gitmem.capture.feedback import Feedback  # noqa: PLC0415  start-up
    from gitmem.store.journal import Journal  # noqa: PLC0415  start-up

    tallies = Feedback(Journal(memory.site.journal)).tallies(failure)
    return {record: (tally.here, tally.everywhere) for record, tally in tallies.items()}
