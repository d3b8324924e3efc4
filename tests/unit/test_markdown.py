"""Text of others as Markdown: it is shown as it was written, and means nothing."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gitmem.render.markdown import escaped
from gitmem.render.match_markdown import short_diff
from gitmem.render.text import one_line

RENDERER = MarkdownIt("gfm-like", {"html": True, "linkify": True})
_SIGNS = st.text(st.sampled_from('ab1 _*`-+=()[]{}<>#!|~&$@.:/\\\n^"'), max_size=24)
_PIECES = st.lists(
    st.sampled_from([
        "__init__", "user_id", "_x_", "**", "[a](b)", "![a](b)", "](", "[x]: /u", "1)", "1.", "- ",
        "+ ", "---", "===", "# ", " #", "~~", "<b>", "<!--", "&lt;", "www.a.de", "https://a.de",
        "a@b.de", "| a |", "| --- |", "$x$", "\\", "`", "!", "(", ")", "- [ ] x", ":tada:",
    ]),
    max_size=8,
).map("".join)  # fmt: skip


def _is_bare(link: Any) -> bool:
    """Tell an address without scheme and "www.": hosts and editors make no link of it."""
    return not link.schema and not link.text.lower().startswith("www.")


def _has_bare_link(line: str) -> bool:
    finder = RENDERER.linkify
    assert finder is not None, "the extra of markdown-it-py that finds links is missing"
    return any(map(_is_bare, finder.match(line) or ()))


def shown(markdown: str) -> str:
    """Give the text of a page that holds nothing but text, without what stands before it."""
    text = ""
    bare = False
    for token in RENDERER.parse(markdown):
        for child in token.children or ():
            if child.type == "link_open" and child.markup == "linkify":
                # As in _is_bare: what was set off makes one of "a=.de-", too.
                address = str(child.attrs["href"]).removeprefix("http://").lower()
                bare = "://" not in markdown and not address.startswith("www.")
            if bare and child.type in {"link_open", "link_close"}:
                continue
            assert child.type in {"text", "text_special", "strong_open", "strong_close"}, child
            text += child.content
    return text


@given(st.one_of(_SIGNS, _PIECES, st.text(max_size=40)))
@settings(max_examples=500, deadline=None)
def test_text_is_shown_as_it_was_written_wherever_it_stands(text: str) -> None:
    line = one_line(text)
    assume(line and not _has_bare_link(line))
    made = escaped(text)
    kinds = [token.type for token in RENDERER.parse(made)]
    assert kinds == ["paragraph_open", "inline", "paragraph_close"]
    assert shown(made) == line
    assert shown(f"# {made}") == line
    assert shown(f"- {made}") == line
    assert shown(f"> {made}") == line
    assert shown(f"**x**: {made} (y)") == f"x: {line} (y)"
    assert shown(f"{made} · {made}") == f"{line} · {line}"
    assert '<a href="u">x</a>' in RENDERER.render(f"{made}[x](u)")


@pytest.mark.parametrize(
    "text",
    [
        "requires python 3.11 (or later): set-up, user_id and total(a - b) + 1",
        "it is done!, and read-only",
        "join() missing 1 required positional argument: 'path' here",
    ],
)
def test_prose_and_code_stay_readable(text: str) -> None:
    assert escaped(text) == text


def test_what_could_meet_its_neighbour_is_escaped() -> None:
    assert escaped("Wow!") == r"Wow\!"
    assert escaped("(a)") == r"\(a\)"
    assert escaped("Python (invoicer)") == "Python (invoicer)"
    assert escaped("a) b (c)") == r"a) b (c\)"
    assert escaped("__init__") == r"\_\_init\_\_"
    assert escaped("1) one") == r"1\) one"
    assert escaped("- one") == r"\- one"


ONE = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"
OTHER = "--- a/y.py\t2026\n+++ b/y.py\t2026\n@@ -1 +1 @@\n-d\n+e\n"


def test_a_diff_beside_its_code_shows_only_what_changes_and_files_where_they_are_several() -> None:
    assert short_diff(ONE, places=False).splitlines()[1:-1] == ["-a", "+b"]
    both = ["x.py", "-a", "+b", "y.py", "-d", "+e"]
    assert short_diff(ONE + OTHER, places=False).splitlines()[1:-1] == both
    assert short_diff(ONE).splitlines()[1:-1] == ["+++ b/x.py", "@@ -1,2 +1,2 @@", "-a", "+b"]
