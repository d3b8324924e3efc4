"""What names an issue, and texts of pull requests in which a host finds nothing it should not."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gitmem.errors import InvalidError
from gitmem.records.issues import Issue, of_tag, parse
from gitmem.render.hosted_markdown import code, quiet
from tests.depth import amount, deep

_HOST = "https://github.com/acme/shop"
_LAB = "https://git.example.org/group/sub/shop"


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("#12", Issue(12)),
        ("12", Issue(12, "")),
        ("GH-12", Issue(12)),
        ("!7", Issue(7, "!", pull=True)),
        ("acme/shop#12", Issue(12, "#", "acme/shop")),
        ("group/sub/shop!7", Issue(7, "!", "group/sub/shop", pull=True)),
        (f"{_HOST}/issues/12", Issue(12, "#", "acme/shop")),
        (f" {_HOST}/issues/12#issuecomment-99 ", Issue(12, "#", "acme/shop")),
        (f"{_HOST}/pull/12/files", Issue(12, "#", "acme/shop", pull=True)),
        (f"{_LAB}/-/issues/12", Issue(12, "#", "group/sub/shop")),
        (f"{_LAB}/-/work_items/12?show=1", Issue(12, "#", "group/sub/shop")),
        (f"{_LAB}/-/merge_requests/7/diffs", Issue(7, "!", "group/sub/shop", pull=True)),
        ("https://codeberg.org/a/b/pulls/3", Issue(3, "#", "a/b", pull=True)),
    ],
)
def test_what_names_an_issue_is_read(text: str, issue: Issue) -> None:
    assert parse(text) == issue
    assert of_tag(issue.tag) == issue._replace(mark=issue.mark or "#")


@pytest.mark.parametrize(
    "text",
    [
        "", "#", "#0", "#012", "# 12", "shop#12", "acme/shop12", "acme/shop 12", "#12x",
        "#12345678901",
        "acme//shop#1", _HOST, f"{_HOST}/issues", f"{_HOST}/issues/x", f"{_HOST}/tree/12",
        "https://user:pass@github.com/a/b/issues/1", "file:///a/b/issues/1", "#1\n#2",
    ],
)  # fmt: skip
def test_what_names_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="is not an issue"):
        parse(text)


@pytest.mark.parametrize(
    "tag", ["time", "issue", "issue:", "issue:12", "issue:x", "pull:#", "a:#1"]
)
def test_another_tag_names_none(tag: str) -> None:
    assert of_tag(tag) is None


# What GitHub and GitLab look for in the text of a rendered page, outside of code.
_REFERENCES = re.compile(
    r"@\w|[#!&$%~]\w|\bGH-\d|://|www\.|\b[0-9a-f]{7,64}\b|\[\w+:|^/\w", re.IGNORECASE
)
_WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from([
        "@ann", "(@team/all)", "fixes", "#12", "acme/shop#3", "!7", "GH-4", "&5", "$2", "%v1",
        "~bug", "/close", "/assign", "https://x.org/a/b/issues/1", "www.x.org", "0123abcdef", "`",
        "``", "```", "**", "<b>", "<!--", "-->", "[a](b)", "![](c)", "|", "\\@ann", "\\",
        ":tada:", "a_b_", "*i:1",
        "@\u200bann", "1.", "#", ">", "\n/close\n", "&commat;ann", "&#64;ann", "[vulnerability:1]",
    ]),
)  # fmt: skip


def _outside_of_code(markdown: str) -> list[str]:
    host = MarkdownIt("gfm-like")
    assert host.linkify
    host.linkify.set({"fuzzy_link": False})  # no host takes a bare a.al for an address
    found = []
    for token in host.parse(markdown):
        assert token.type in {"paragraph_open", "inline", "paragraph_close"}, token
        text = ""
        for child in token.children or ():
            assert child.type in {"text", "code_inline", "text_special"}, child
            text += "\0" if child.type == "code_inline" else child.content
        found.append(text)
    return found


@deep
@given(st.lists(_WORDS, min_size=1, max_size=6))
@settings(max_examples=amount(share=100, ci=500, whole=5000), deadline=None)
def test_a_host_finds_nothing_in_what_records_say(words: list[str]) -> None:
    for text in _outside_of_code(quiet(" ".join(words))):
        assert not _REFERENCES.search(text), text


@given(st.text(alphabet="`a @#\\", min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
def test_code_cannot_be_closed_by_what_is_in_it(text: str) -> None:
    (paragraph,) = [one for one in MarkdownIt().parse(code(text)) if one.type == "inline"]
    assert [one.type for one in paragraph.children or ()] == ["code_inline"]


def test_prose_stays_prose() -> None:
    assert quiet("Use one clock, and say why") == "Use one clock, and say why"
    assert quiet("ask @ann and @bob about it") == "ask `@ann` and `@bob` about it"
    assert len(quiet("word " * 500)) <= 600


def test_what_is_written_as_code_stays_one_piece() -> None:
    said = "a.py: replace `return sum(x * 2)` by `@cached #1`"
    assert quiet(said) == said
    assert quiet("a `b") == "a `` `b ``"
    assert quiet("(`a b`) c") == "`` (`a b`) `` c"
