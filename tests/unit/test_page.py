"""Records as pages: all of a record is on its page, and nothing in it becomes markup."""

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gitmem.answers.found import Shown
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.observed import Match, Occurrences
from gitmem.capture.telling import AttemptDetails, MatchDetails
from gitmem.catalog.rows import Row
from gitmem.git.provenance import Origin
from gitmem.records.convert import from_data, to_data
from gitmem.records.kinds import Fix
from gitmem.render.markdown import prose
from gitmem.render.page import failures, page
from lsp_server.command_links import command_link, place_links
from tests.depth import amount, deep
from tests.random_records import KINDS
from tests.random_records import record as random_record

EVIL = (
    "<img src=x onerror=alert(1)>", "![x](https://evil.example/x.png)", "[x](command:evil)",
    "https://evil.example/?q", "www.evil.example", "ann@evil.example", "//evil.example/x",
    "</main><script>", "`code`", "# head", "1. one", "===", "---", "```", "$x$", "| a | b |",
    "&lt;b&gt;", "\u202eevil", "[x]: https://evil.example", "> quoted", "$$\nx\n$$", "~~~\nx",
)  # fmt: skip
# As VS Code renders pages: with links of bare addresses, and HTML passed through.
RENDERER = MarkdownIt("gfm-like", {"html": True, "linkify": True})
MARKUP = ("html_block", "html_inline", "image", "link_open", "table_open", "blockquote_open", "hr")


def row(kind: str, record_id: str, **changes: Any) -> Row:
    plain = {**dict.fromkeys(Row._fields, ""), "feedback": 0.0}
    given = {"file": 1, "id": record_id, "kind": kind, "title": f"title of {record_id}",
             "created": "2026-01-02T03:04:05.000Z", "author": "Ann", "path": "x.yaml"}  # fmt: skip
    return Row(**{**plain, **given, **changes})


def shown(data: dict[str, Any], **changes: Any) -> Shown:
    record = from_data(data)
    at = row(record.kind, record.id, title=record.title, author=record.author.name)
    return Shown(at, record, b"", [], [])._replace(**changes)


def made(kind: str, **fields: Any) -> dict[str, Any]:
    prefix = {"error": "err", "fix": "fix", "decision": "dec", "session": "ses", "pattern": "pat",
              "note": "note"}[kind]  # fmt: skip
    head = {"id": f"{prefix}-0000000001", "kind": kind, "title": "a title",
            "created": "2026-01-02T03:04:05Z", "author": {"name": "Ann"}}  # fmt: skip
    return {**head, **fields}


def tokens(markdown: str) -> list[Any]:
    flat = []
    for token in RENDERER.parse(markdown):
        flat += [token, *(token.children or ())]
    return flat


def read(markdown: str) -> str:
    """Give what a reader sees, blanks folded."""
    seen = [one.content for one in tokens(markdown) if one.type != "inline"]
    return " ".join(" ".join(seen).split())


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


CHANGE = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
FIX = from_data(made("fix", title="sleep", approach="sleep longer", outcome="failed",
                     why_failed="it only hides it", patch=CHANGE))  # fmt: skip


def told(*attempts: tuple[str, str]) -> MatchDetails:
    assert isinstance(FIX, Fix)
    seen = FingerprintedFailure("", "", "", "", "", "", {"message": "it broke"})
    known = Match(seen, "same error", False, (row("error", "err-0000000001"),), (), (),
                  occurrences=Occurrences(("2026-01-02T03:04:05Z",), 1))  # fmt: skip
    origin = Origin("abc1234", "Sleep", datetime(2026, 1, 3, tzinfo=UTC))
    return MatchDetails(
        known,
        tuple(
            AttemptDetails(row("fix", one, verdict=verdict), FIX, origin)
            for one, verdict in attempts
        ),
    )


# --- what stands on it --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_all_that_a_record_says_is_on_its_page(seed: int) -> None:
    data = to_data(from_data(random_record(Random(seed), (), KINDS[seed % len(KINDS)])))
    text = read(page(shown(data)))
    left_out = {"schema", "id", "kind", "created", "author", "links", "status"}
    for name, value in data.items():
        if name not in left_out:
            for said in strings(value):
                told = re.sub(r"^([\d-]{10})T([\d:]{8})(\.\d+)?Z$", r"\1 \2 UTC", said)
                assert " ".join(told.split()) in text, (name, told, text)


def test_an_error_tells_what_worked_and_what_did_not_with_the_change() -> None:
    error = made("error", message="it broke", excerpt="$ make\nit broke",
                 location={"file": "src/a.c", "line": 3, "column": 5})  # fmt: skip
    origin = Origin("f00dfee", "Learn", datetime(2026, 1, 4, tzinfo=UTC))
    attempts = told(("fix-0000000001", "worked"), ("fix-0000000002", "failed"),
                    ("fix-0000000003", "unverified"))  # fmt: skip
    text = page(shown(error), attempts, origin)
    order = ["# a title", "commit f00dfee · Learn · 2026-01-04", "## Message", "## Evidence",
             "## Where", "src/a.c:3:5", "## What worked", "### worked: sleep", "commit abc1234",
             "```diff", "+b", "## What did not work", "### failed: sleep",
             "## Also tried"]  # fmt: skip
    at = [text.index(one) for one in order]
    assert at == sorted(at), text
    assert "**Why it failed**:\n\nit only hides it" in text
    assert "in no commit yet" not in text
    assert "command:" not in text


def test_what_the_heading_says_is_not_said_again() -> None:
    once = page(shown(made("error", title="it broke", message="it  broke\n")))
    assert "## Message" not in once
    assert "## Message" in page(shown(made("error", title="it broke", message="it broke here")))


def test_a_time_is_told_to_the_second() -> None:
    text = page(shown(made("session", started="2026-01-02T03:04:05.123456Z",
                           ended="2026-01-02T04:04:05Z", goal="x")))  # fmt: skip
    assert "2026-01-02 03:04:05 UTC" in text
    assert "123456" not in text


def test_a_place_is_a_link_where_somebody_makes_one() -> None:
    error = made("error", message="it broke", location={"file": "src/a.c", "line": 3, "column": 5},
                 frames=[{"file": "lib/b.c", "function": "main"}])  # fmt: skip
    text = page(shown(error), None, None, command_link, lambda *given: f"<{given}>")
    assert "<('src/a.c:3:5', 'src/a.c', 3)>" in text
    assert "<('lib/b.c', 'lib/b.c', 1)> in main" in text


def test_only_files_of_the_folder_are_linked(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("in/a b.c", "out.c"):
        (tmp_path / name).write_text("x\n")
    (tmp_path / "in" / "link.c").symlink_to(tmp_path / "out.c")
    link = place_links(str(tmp_path / "in"), wanted=True)
    assert link("a b.c:2", "a b.c", 2).startswith(
        "[a b.c:2](command:gitmem.openPlace?%5B%22file%3A"
    )
    for name in ("../out.c", "link.c", "gone.c", "", str(tmp_path / "out.c")):
        assert not link("x", name, 1), name
    assert not place_links(str(tmp_path / "in"), wanted=False)("x", "a b.c", 1)


def test_links_run_commands_only_where_they_are_wanted() -> None:
    decision = made("decision", decision="use UTC")
    newer = row("decision", "dec-0000000002", title="use [TAI]")
    one = shown(decision, backlinks=[("supersedes", newer)],
                links=[("relates", None, "note-0000000009")])  # fmt: skip
    text = page(one, None, None, command_link)
    assert (
        "**Superseded by** "
        '[use \\[TAI\\]](command:gitmem.show?%5B%22dec-0000000002%22%5D "dec-0000000002")' in text
    )
    assert "relates to note-0000000009 (not in this memory)" in text
    assert "command:" not in page(one)


def test_code_stands_in_its_language_but_never_in_one_that_renderers_draw() -> None:
    assert "```rust\nlet x;\n```" in page(shown(made("pattern", code="let x;", language="Rust")))
    for language in ("mermaid", "math", "a b", "x`y", "{.html}"):
        assert "```\ngraph\n```" in page(shown(made("pattern", code="graph", language=language))), (
            language
        )


def test_a_session_shows_its_changes_and_events() -> None:
    text = page(shown(made(
        "session", started="2026-01-02T03:00:00Z", ended="2026-01-02T03:04:05Z", goal="mend it",
        changes=[{"path": "a.py", "reason": "it was wrong", "diff": "-a\n+b\n"}],
        events=[{"at": "2026-01-02T03:01:00Z", "type": "note", "text": "looked"}],
    )))  # fmt: skip
    for part in ("## Goal\n\nmend it", "- a.py, reason it was wrong", "## Events", "note, looked",
                 "  ```diff\n  -a\n  +b\n  ```"):  # fmt: skip
        assert part in text, (part, text)


def test_a_new_failure_is_told_as_new_and_with_what_looks_like_it() -> None:
    new = told()._replace(known=told().known._replace(label="", errors=()))
    assert failures([new, told()]) == (
        "**gitmem: new** · it broke\n\n---\n\n"
        "**gitmem: known error** · title of err-0000000001  \n"
        "seen once, 2026-01-02, last recorded by Ann · err-0000000001\n\n"
        "No fix is recorded yet."
    )


# --- nothing in a record is markup --------------------------------------------------------------

texts = st.one_of(
    st.sampled_from(EVIL),
    st.lists(st.sampled_from(EVIL), min_size=1, max_size=4).map("\n".join),
    st.lists(st.sampled_from([*EVIL, "word", " ", "\n", "    ", "\n\n"]), max_size=8).map("".join),
    st.text(max_size=80),
)


@deep
@settings(max_examples=amount(share=30, ci=100, whole=1000))
@given(texts, texts)
def test_text_of_records_never_becomes_markup_or_a_link(one: str, other: str) -> None:
    line = " ".join(one.split()) or "x"
    records = (
        made("decision", title=line[:100], context=one, decision=other,
             alternatives=[{"option": line[:100], "why_not": other}]),
        made("error", message=one, excerpt=other, command=one, environment={"K": other}),
        made("note", body=one + "\n\n" + other),
        made("pattern", code=one, language=other, when_to_use=other),
        made("fix", approach=one, patch=other, steps=[one, other], outcome="worked"),
    )  # fmt: skip
    for data in records:
        text = page(shown(data))
        found = [token.type for token in tokens(text) if token.type in MARKUP]
        assert found == [], (found, text)
        heads = [t.content for t in RENDERER.parse(text) if t.type == "inline" and t.level == 1]
        assert len(re.findall(r"^# ", text, re.MULTILINE)) >= 1
        assert heads
        assert "\u202e" not in text


@given(texts)
def test_prose_keeps_every_line(text: str) -> None:
    shown_text = read("\n\n".join(prose(text)))
    for line in text.splitlines():
        if line.isascii() and line.isprintable() and line.strip():
            assert " ".join(line.split()) in shown_text
