"""What of each kind of record can be searched."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.document import Document, document, plain_text
from gitmem.index.evidence import FileLine
from gitmem.index.scan_index import ScanIndex
from gitmem.index.scoring import impacts
from gitmem.query import Query
from gitmem.records import parts
from gitmem.records.kinds import Decision, Error, Fix, Note, Pattern, Record, Session

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ENVELOPE: dict[str, Any] = {
    "title": "title-text",
    "created": NOW,
    "author": parts.Author(name="author-text", email="ann@lee.example"),
    "tags": ("tag-text",),
    "session": "ses-0000000001",
    "anchors": (parts.Anchor(path="anchor/path.py", symbol="anchor_symbol", quote="anchor-quote"),),
    "links": parts.Links(relates=("err-0000000009",)),
    "extra": {"unknown_key": ["unknown-text", {"deeper": 4711}]},
}
CASE = parts.TestCase(
    name="case-name", status="failed", expected="case-expected", message="case-message"
)


@pytest.mark.parametrize(
    ("record", "names", "body"),
    [
        (
            Error(
                id="err-0000000001",
                error_type="error-type",
                message="error-message",
                frames=(
                    parts.Frame(
                        file="src/a.py", function="frame_function", line=42, code="frame-code"
                    ),
                ),
                location=parts.Location(file="src/b.c", line=3),
                test=CASE,
                environment={"python": "3.11.4", "port": 8080},
                exit_code=137,
                excerpt="excerpt-text",
                symptom="symptom-text",
                cause="cause-text",
                **ENVELOPE,
            ),
            [
                "error-type",
                "src/a.py:42",
                "frame_function",
                "src/b.c:3",
                "case-name",
                "err-0000000001",
            ],
            [
                "error-message",
                "frame-code",
                "case-expected",
                "case-message",
                "3.11.4",
                "8080",
                "137",
                "excerpt-text",
                "symptom-text",
                "cause-text",
            ],
        ),
        (
            Fix(
                id="fix-0000000001",
                approach="approach-text",
                steps=("step-text",),
                patch="patch-text",
                lessons="lessons-text",
                why_failed="failed-text",
                reuses="fix-0000000002",
                verification=parts.Verification(
                    command="verify-command",
                    after=parts.CheckResult(result="failed", cases=(CASE,)),
                ),
                **ENVELOPE,
            ),
            ["fix-0000000002"],
            [
                "approach-text",
                "step-text",
                "patch-text",
                "lessons-text",
                "failed-text",
                "verify-command",
                "case-message",
            ],
        ),
        (
            Decision(
                id="dec-0000000001",
                context="context-text",
                decision="decision-text",
                rationale="rationale-text",
                alternatives=(parts.Alternative(option="option-text", why_not="why-not-text"),),
                governs=("src/**/x.py",),
                **ENVELOPE,
            ),
            ["src/**/x.py"],
            ["context-text", "decision-text", "rationale-text", "option-text", "why-not-text"],
        ),
        (
            Session(
                id="ses-0000000002",
                started=NOW,
                ended=NOW,
                goal="goal-text",
                task=parts.Task(id="task-id"),
                changes=(parts.Change(path="changed/file.py", reason="reason-text"),),
                test_runs=(parts.TestRun(result="failed", cases=(CASE,)),),
                events=(parts.Event(at=NOW, type="event-type", text="event-text"),),
                **ENVELOPE,
            ),
            ["changed/file.py", "task-id"],
            ["goal-text", "reason-text", "case-message", "event-text"],
        ),
        (
            Pattern(id="pat-0000000001", code="pattern-code", when_to_use="when-text", **ENVELOPE),
            [],
            ["pattern-code", "when-text"],
        ),
        (Note(id="note-0000000001", body="body-text", **ENVELOPE), [], ["body-text"]),
    ],
    ids=lambda value: value.kind if isinstance(value, Record) else "",
)
def test_documents_hold_every_text(record: Record, names: list[str], body: list[str]) -> None:
    made = document(record)
    assert made.title == "title-text"
    for name in [*names, record.id, "author-text", "tag-text", "anchor/path.py", "anchor_symbol"]:
        assert name in made.names
    for text in [*body, "anchor-quote", "unknown-text", "4711", "unknown_key"]:
        assert text in made.body
    assert "err-0000000009" in made.names
    whole = plain_text(made)
    index = ScanIndex()
    index.update([(1, made)], [])
    for text in (*names, *body, "title-text"):
        query = Query(phrases=(text,))
        assert [hit.key for hit in index.search(query, 1, text_of=lambda key: whole)] == [1], text


@given(st.builds(Document, st.text(), st.text(), st.text(), places=st.just(())))
def test_impacts_fit_their_numbers(made: Document) -> None:
    assert all(1 <= impact < 4096 for impact in impacts(made).values())


@given(
    st.builds(
        Document,
        st.text(),
        head=st.text(),
        quoted=st.lists(st.text()).map(tuple),
        code=st.lists(st.text()).map(tuple),
        places=st.lists(st.builds(FileLine, st.text(), st.integers(0, 2**40))).map(tuple),
    )
)
def test_marks_fit_their_numbers_and_can_be_written(made: Document) -> None:
    for term, impact in impacts(made).items():
        assert 1 <= impact < 2**24
        term.encode()
