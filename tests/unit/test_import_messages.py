"""What commit messages say, taken apart; and that no message is too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.exchange.git_failures import named_failure
from gitmem.exchange.git_history import failure_in
from gitmem.exchange.git_messages import (
    ENOUGH,
    against,
    evidence,
    read,
    who_tested,
    why_taken_back,
)
from gitmem.exchange.git_symptoms import symptom_of, what_failed
from gitmem.parts.imports.markdown import plain, sections
from tests.depth import amount, deep

_WORDS = st.sampled_from([
    "Fix", "fix:", "Revert", '"', "Reapply", "#12", "GH-3", "ABC-7", "crash", "typo", "\n", "\n\n",
    "This reverts commit abcdef1234", "Fixes", "closes", ":", "(", ")", "[", "]", "1.2.3",
    "Traceback (most recent call last):\n", '  File "a.py", line 3, in f\n', "KeyError: 'x'", " ",
    "Tested-by: A <b>", "\x00", "\u202e", "🐛", "<!--", "-->", "`", "# x", "===",
])  # fmt: skip


@pytest.mark.parametrize(
    ("message", "failed", "scope", "references"),
    [
        ("fix: TypeError: cart is None", "TypeError: cart is None", "", ()),
        ("fix(cart): json.JSONDecodeError: no value", "json.JSONDecodeError: no value", "cart", ()),
        ("Fix crash when empty (#12)", "crash when empty", "", ("#12",)),
        ("fix(parser): read the end\n\nCloses #3", "read the end", "parser", ("#3",)),
        ("Fix #12: crash on x", "crash on x", "", ("#12",)),
        ("Fixes #7\n\nThe list was empty", "The list was empty", "", ("#7",)),
        ("gh-123: Fix a leak", "a leak", "", ("gh-123",)),
        ("[PATCH] net: tcp: fix leak", "leak", "net", ()),
        ("ABC-12: fix overflow", "overflow", "", ("ABC-12",)),
        ("Fix UTF-8 and SHA-256 sums", "UTF-8 and SHA-256 sums", "", ()),
        ("Fix x\n\nFixes: a/b#4, see CVE-2026-1234", "x", "", ("CVE-2026-1234", "a/b#4")),
        ("Fix x\n\nhttps://example.com/a/b/issues/55", "x", "", ("#55",)),
    ],
)
def test_what_failed_where_and_what_is_named(
    message: str, failed: str, scope: str, references: tuple[str, ...]
) -> None:
    said = read(message)
    assert (what_failed(said), said.scope) == (failed, scope)
    assert set(said.references) == set(references)


@pytest.mark.parametrize(
    "message",
    ["Fix HTTPError docs (#12)", "Fix in-dev version", "Fix test name", "Fix rtype for has",
     "Fixed versionadded for ssl_context", "Fix minor stub issues (#3)"],
)  # fmt: skip
def test_what_mends_only_words_about_the_program_is_no_fix(message: str) -> None:
    assert against(read(message)) == "documentation, style or names"


def test_what_is_only_mentioned_is_no_fix() -> None:
    said = read("Mention timeout unit in the cache\n\nFix #599")
    assert sum(evidence(said).values()) < ENOUGH


@pytest.mark.parametrize(
    ("message", "depth", "core", "target"),
    [
        ('Revert "Fix x"\n\nThis reverts commit abcdef1.', 1, "Fix x", "abcdef1"),
        ('Revert "Fix x (#3)" (#4)', 1, "Fix x", ""),
        ('Reapply "Fix x"\n\nThis reapplies commit abcdef1.', 2, "Fix x", "abcdef1"),
        ('Revert "Revert "Fix x""', 2, "Fix x", ""),
        ('Revert "Reapply "Fix x""', 3, "Fix x", ""),
        ("revert: feat: x\n\nThis reverts commit abcdef1.", 1, "feat: x", "abcdef1"),
        ("Back out the cache\n\nThis reverts commit abcdef1.", 1, "Back out the cache", "abcdef1"),
        ("Mention\n\nThis reverts commit abcdef1.", 0, "", ""),
        ("Revert to the old way", 0, "", ""),
    ],
)
def test_how_often_something_was_taken_back(
    message: str, depth: int, core: str, target: str
) -> None:
    said = read(message)
    assert (said.depth, said.core, said.target) == (depth, core, target)


def test_why_it_was_taken_back_leaves_out_what_git_wrote() -> None:
    said = read(
        'Revert "x"\n\nThis reverts commit abcdef1, reversing\nchanges made to 1234567.\n\n'
        "It was slow.\n\nSigned-off-by: A <a@b>\n(cherry picked from commit abcdef12)\n"
    )
    assert why_taken_back(said) == "It was slow."


def test_trailers_are_read_and_are_no_body() -> None:
    said = read("Fix x\n\nWords: more words\nof the body\n\nTested-by: A <a@b>\nReviewed-by: C")
    assert who_tested(said) == ("A <a@b>",)
    assert said.body == "Words: more words\nof the body"


def test_a_failure_is_read_however_it_is_indented() -> None:
    for indent in ("", "  ", "\t", "> ", "        "):
        trace = ("Traceback (most recent call last):", '  File "a.py", line 3, in f', "    g()",
                 "KeyError: 'x'")  # fmt: skip
        failure = failure_in("It said:\n\n" + "\n".join(indent + line for line in trace))
        assert failure is not None, repr(indent)
        assert (failure.error_type, len(failure.frames)) == ("KeyError", 1)
    assert failure_in("There was an error: it failed\nand fails") is None


@given(st.lists(_WORDS | st.text(max_size=12), max_size=30).map(" ".join))
def test_every_message_is_read_and_judged(message: str) -> None:
    said = read(message)
    points = evidence(said)
    assert all(-1 <= number <= ENOUGH for number in points.values())
    assert "\n" not in said.subject + said.gist
    assert "\x00" not in said.body
    assert len(what_failed(said)) <= 300
    assert against(said) or said.subject
    assert (said.depth > 0) <= bool(against(said))
    assert [section.line for section in sections(message)] == sorted(
        section.line for section in sections(message)
    )
    assert "\n" not in plain(message)


@deep
@pytest.mark.parametrize(
    "piece",
    ["fix ", "#1, ", "a/", " ", "a-", 'Revert "', "a-b: c\n", "fixes https://aaaa ", "\n\n \n", "1",
     "w", "aError", "#", "[", "[a", "`a <", "<!--", "*a", "- a\n", "=", "_a ", "(", "abcdef0 "],
)  # fmt: skip
def test_no_text_is_too_long(piece: str) -> None:
    # Where the work grew with the square of the length, this would not end in time.
    text = "x\n\n" + piece * (amount(share=200_000, ci=1_000_000, whole=1_000_000) // len(piece))
    said = read(text)
    evidence(said)
    against(said)
    why_taken_back(said)
    assert len(said.subject + said.body) <= 102_000
    assert plain("".join(section.text for section in sections(text))[:1_000_000]) is not None


@pytest.mark.parametrize(
    "message",
    [
        "Fix staticcheck warnings",
        "Fix several failures",
        "Fix the fix",
        "Fix some more golangci-lint findings",
        "Fix various small bugs",
        "Fix tests, pickle doesn't support sort_keys",
        "Fix bad doctest",
        "Fix bump script",
        "Fix an unused line warning",
        "Fixed a bug in Python 2.6",
    ],
)
def test_remarks_of_a_tool_and_vague_words_are_no_failure(message: str) -> None:
    """Both became errors of the code: only some linters were known, by their names."""
    assert against(read(message))


@pytest.mark.parametrize(
    "message", ["Fix missing warnings", "Fix warnings that are lost", "Fix crash of several tests"]
)
def test_warnings_and_tests_may_be_what_went_wrong(message: str) -> None:
    assert not against(read(message))


@pytest.mark.parametrize(
    ("message", "tests", "symptom"),
    [
        ("Fix: check input before calling Len", [], ""),
        ("Fix for slices and pointers", [], ""),
        (
            "Fix: check the input\n\nIt crashed on an empty list.",
            [],
            "It crashed on an empty list.",
        ),
        (
            "Fix: check the input",
            ["tests/test_a.py::test_len_of_nothing"],
            "test_len_of_nothing: failed before this fix",
        ),
        ("Fix: check the input", ["a_test.go::TestLen"], ""),
        ("Fix crash on empty input", [], "crash on empty input"),
        ("Fix for crash on empty input", [], "crash on empty input"),
        ("Fix `require_full_match` (#485)", [], "`require_full_match` was wrong"),
        ("Fix inline tables in lists", [], "inline tables in lists were wrong"),
        ("Fix a bug where lists are cut", [], "lists are cut"),
        ("Fix issue with get_name returning a wrong name", [], "get_name returning a wrong name"),
        (
            "Handle END IF correctly when splitting (fixes #194).",
            [],
            "not handled: END IF when splitting",
        ),
        ("handle OverflowError on 32-bit systems", [], "OverflowError on 32-bit systems"),
        ("Avoid extra newline in snapshots. Fixes #311", [], "extra newline in snapshots"),
        ("Don't treat sysdate as a builtin", [], "did treat sysdate as a builtin"),
        (
            "fix: backoff without a count raised ZeroDivisionError",
            [],
            "backoff without a count raised ZeroDivisionError",
        ),
        ("fix(settings): mark drop guard as !Send", [], ""),
        (
            "Include the type on all errors",
            ["a.js::should tell the type of an error"],
            "should tell the type of an error: failed before this fix",
        ),
        (
            "Fix the old syntax\n\nPrior to this change it only worked at the root.",
            [],
            "Prior to this change it only worked at the root.",
        ),
        ("fix: remove dependency x\n\nIt was used to handle streams.", [], ""),
    ],
)
def test_a_subject_that_only_tells_the_mend_is_no_title_of_an_error(
    message: str, tests: list[str], symptom: str
) -> None:
    """The error was called "check input before calling Len", or "for slices and pointers"."""
    assert symptom_of(read(message), tests) == symptom


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "It raised TypeError: 'X' object is not iterable for f(None).",
            "'X' object is not iterable",
        ),
        ("There was a ValueError: no rate when the file is empty.", "no rate"),
        ("`ValueError: no rate when the file is empty`", "no rate when the file is empty"),
        ("KeyError: 'b'", "'b'"),
        ("IndexError: pop from empty list.", "pop from empty list"),
        ("OSError: no space left on device", "no space left on device"),
    ],
)
def test_a_message_ends_where_the_sentence_goes_on(body: str, message: str) -> None:
    """What a failing run prints never matched it, and the title told the mend."""
    assert named_failure(read(f"Handle None in f\n\n{body}\n"))["message"] == message
