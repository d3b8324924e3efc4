"""Edits of files that others own: what was there stays, and taking out gives the same bytes."""

import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gitmem.assistants import blocks, jsonc
from gitmem.assistants.assistant import GUIDANCE, ITEM, TOOLS, pasted, table
from gitmem.errors import InvalidError
from gitmem.learning.tokens import estimate
from tests.depth import amount, deep

PATH = ("mcpServers", "gitmem")
ENTRY = {"command": "gitmem", "args": ["mcp"]}
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-99, 99), st.sampled_from([0.5, -1e9]),
    st.text(max_size=6), st.sampled_from(["//no", "/*", "a\\", '"', "}", ",", "é\u2028"]),
)  # fmt: skip
KEYS = st.one_of(st.sampled_from(["a", "mcpServers", "gitmem", "//", "{"]), st.text(max_size=4))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
ROOTS = st.one_of(
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.builds(
        lambda others, servers: {**others, "mcpServers": servers},
        st.dictionaries(KEYS, VALUES, max_size=2),
        st.dictionaries(st.sampled_from(["a", "b", "{}"]), VALUES, max_size=3),
    ),
)
WITH_HOOKS = st.builds(
    lambda others, hooks: {**others, "hooks": hooks},
    st.dictionaries(KEYS, VALUES, max_size=2),
    st.fixed_dictionaries(
        {}, optional={"SessionStart": st.lists(VALUES, max_size=3), "Stop": VALUES}
    ),
)
GAPS = st.sampled_from(
    ["", "", " ", "\n", "\n  ", "\n    ", "\t", "\r\n  ", " // a, {b}\n", " /* , } */ ", "\n// x\n"]
)


@st.composite
def written(draw: st.DrawFn, value: Any, *, commas: bool) -> str:
    """Write a value as JSON with any blanks and comments between its parts."""

    def gap() -> str:
        return draw(GAPS)

    def write(one: Any) -> str:
        if isinstance(one, dict | list):
            items = (
                [f"{gap()}{json.dumps(k)}{gap()}:{gap()}{write(v)}{gap()}" for k, v in one.items()]
                if isinstance(one, dict)
                else [f"{gap()}{write(v)}{gap()}" for v in one]
            )
            last = "," if items and commas and draw(st.booleans()) else ""
            inner = ",".join(items) + last + gap()
            return f"{{{inner}}}" if isinstance(one, dict) else f"[{inner}]"
        return json.dumps(one, ensure_ascii=draw(st.booleans()))

    return draw(st.sampled_from(["", "\ufeff"])) + gap() + write(value) + gap()


@st.composite
def documents(draw: st.DrawFn, roots: st.SearchStrategy[Any] = ROOTS) -> tuple[Any, str]:
    value = draw(roots)
    style = draw(st.sampled_from(["free", "commas", "pretty", "crlf", "tabs", "line"]))
    if style in {"free", "commas"}:
        return value, draw(written(value, commas=style == "commas"))
    if style == "line":
        return value, json.dumps(value)
    text = json.dumps(value, indent="\t" if style == "tabs" else 2) + "\n"
    return value, text.replace("\n", "\r\n") if style == "crlf" else text


@given(documents())
@settings(max_examples=100, deadline=None)
def test_json_is_read_as_it_was_written(made: tuple[Any, str]) -> None:
    value, text = made
    assert jsonc.read(text).plain == value


@deep
@given(documents())
@settings(max_examples=amount(share=75, ci=300, whole=3000), deadline=None)
def test_an_entry_put_in_and_taken_out_leaves_the_same_text(made: tuple[Any, str]) -> None:
    value, text = made
    assume(isinstance(value.get("mcpServers", {}), dict))
    assume("gitmem" not in value.get("mcpServers", {}))
    put = jsonc.added(text, PATH, ENTRY)
    assert jsonc.added(put, PATH, ENTRY) == put
    expected = {**value, "mcpServers": {**value.get("mcpServers", {}), "gitmem": ENTRY}}
    assert jsonc.read(put).plain == expected
    assert [*jsonc.read(put).plain] == [*expected]
    assert jsonc.removed(put, PATH, ENTRY) == text


@given(documents(), documents())
@settings(max_examples=100, deadline=None)
def test_no_two_texts_become_the_same(one: tuple[Any, str], other: tuple[Any, str]) -> None:
    texts = []
    for value, text in (one, other):
        assume(isinstance(value.get("mcpServers", {}), dict))
        assume("gitmem" not in value.get("mcpServers", {}))
        texts.append((text, jsonc.added(text, PATH, ENTRY)))
    assert (texts[0][0] == texts[1][0]) == (texts[0][1] == texts[1][1])


@given(documents())
@settings(max_examples=150, deadline=None)
def test_what_others_add_later_stays(made: tuple[Any, str]) -> None:
    value, text = made
    assume(isinstance(value.get("mcpServers", {}), dict))
    assume("gitmem" not in value.get("mcpServers", {}))
    later = ("mcpServers", "zz")
    assume("zz" not in value.get("mcpServers", {}))
    put = jsonc.added(jsonc.added(text, PATH, ENTRY), later, {"command": "zz"})
    left = jsonc.read(jsonc.removed(put, PATH, ENTRY)).plain
    assert left == {**value, "mcpServers": {**value.get("mcpServers", {}), "zz": {"command": "zz"}}}


@given(documents(WITH_HOOKS))
@settings(max_examples=150, deadline=None)
def test_an_item_of_a_list_put_in_and_taken_out_leaves_the_same_text(made: tuple[Any, str]) -> None:
    value, text = made
    hooks = value.get("hooks", {})
    assume(isinstance(hooks, dict))
    there = hooks.get("SessionStart", [])
    path = ("hooks", "SessionStart", ITEM)
    put = jsonc.added(text, path, ENTRY)
    assert jsonc.added(put, path, ENTRY) == put
    expected = {**value, "hooks": {**hooks, "SessionStart": [*there, ENTRY]}}
    assert jsonc.read(put).plain == expected
    assert jsonc.removed(put, path, ENTRY) == text


@pytest.mark.parametrize("there", ["null", "{}", '"x"'])
def test_where_no_list_is_no_item_can_be_added(there: str) -> None:
    with pytest.raises(InvalidError, match="a list is expected"):
        jsonc.added(f'{{"hooks": {{"Stop": {there}}}}}', ("hooks", "Stop", ITEM), ENTRY)


def test_an_entry_that_is_not_ours_stays() -> None:
    text = '{"mcpServers": {"gitmem": {"command": "other"}}}'
    assert jsonc.added(text, PATH, ENTRY) == text
    assert jsonc.removed(text, PATH, ENTRY) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1), ("{", 1), ('{"a": 1\n "b": 2}', 2), ('{"a": 1, "a": 2}', 1), ("{} x", 1),
        ('{"a": 01}', 1), ("{'a': 1}", 1), ('\n{"a": /* }', 2), ('{"a" 1}', 1), ('{"a": "x\n"}', 1),
        ("[" * 500, 1), ("nul", 1),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InvalidError) as refused:
        jsonc.added(text, PATH, ENTRY)
    assert refused.value.message.startswith(f"line {line}: ")


@pytest.mark.parametrize("text", ["[]", "1", '{"mcpServers": []}', '{"mcpServers": null}'])
def test_where_no_object_is_nothing_can_be_added(text: str) -> None:
    with pytest.raises(InvalidError, match="is expected"):
        jsonc.added(text, PATH, ENTRY)


def test_pretty_text_stays_pretty() -> None:
    text = '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t} // mine\n\t}\n}\n'
    assert jsonc.added(text, PATH, ENTRY) == (
        '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}, // mine\n'
        '\t\t"gitmem": {\n\t\t\t"command": "gitmem",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n'
        "\t\t}\n\t}\n}\n"
    )


LINES = st.lists(
    st.sampled_from(["", "# t", "text", "<!-- c -->", "```", " ", "é", "# >>> other >>>", "- a"]),
    max_size=6,
)
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(LINES)
    if draw(st.booleans()):
        end = draw(ENDS)
        return end.join(lines) + draw(st.sampled_from(["", end]))
    return "".join(line + draw(ENDS) for line in lines) + draw(st.sampled_from(["", "x", "\r"]))


@given(texts(), st.sampled_from([blocks.MARKDOWN, blocks.TOML]), st.sampled_from([GUIDANCE, "x"]))
@settings(max_examples=300, deadline=None)
def test_lines_put_in_and_taken_out_leave_the_same_text(
    text: str, marks: blocks.Marks, lines: str
) -> None:
    put = blocks.put(text, lines, marks)
    assert put.startswith(text)
    assert blocks.put(put, lines, marks) == put
    assert blocks.body(put, marks) == lines
    assert blocks.without_block(put, lines, marks) == text
    assert put != blocks.whole(lines, marks)


@given(texts())
@settings(max_examples=100, deadline=None)
def test_older_lines_are_brought_up_to_date_and_can_be_taken_out(text: str) -> None:
    old = blocks.put(text, "what we said before", blocks.MARKDOWN)
    assert blocks.put(old, GUIDANCE, blocks.MARKDOWN) == blocks.put(text, GUIDANCE, blocks.MARKDOWN)
    assert blocks.without_block(old, GUIDANCE, blocks.MARKDOWN) == text


TABLES = st.lists(
    st.sampled_from(
        ["", "# c", "[mcp_servers.db]", "[[a]]", "x = 1", "y = 'é'", "[t] # t", "z = {}"]
    ),
    max_size=6,
)


@given(TABLES, ENDS, st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_table_put_in_changes_nothing_else(lines: list[str], end: str, last: bool) -> None:  # noqa: FBT001
    text = end.join(lines) + (end if last else "")
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)
        raise
    ours = table(TOOLS["codex"])
    put = blocks.put(text, ours, blocks.TOML)
    servers = {**before.get("mcp_servers", {}), "gitmem": ENTRY}
    assert tomllib.loads(put) == {**before, "mcp_servers": servers}
    assert blocks.without_block(put, ours, blocks.TOML) == text


def test_what_was_written_below_our_lines_stays() -> None:
    put = blocks.put("# A\n", "x", blocks.MARKDOWN) + "\nmine\n"
    assert blocks.without_block(put, "x", blocks.MARKDOWN) == "# A\n\nmine\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{blocks.MARKDOWN.begin}\n", f"a\n{blocks.MARKDOWN.end}\n",
        f"{blocks.MARKDOWN.end}\n{blocks.MARKDOWN.begin}\n",
        f"{blocks.MARKDOWN.begin}\n{blocks.MARKDOWN.end}\n" * 2,
    ],
)  # fmt: skip
@pytest.mark.parametrize("edit", [blocks.put, blocks.without_block])
def test_torn_marks_are_refused(edit: Callable[..., str], text: str) -> None:
    with pytest.raises(InvalidError, match="line"):
        edit(text, "x", blocks.MARKDOWN)


def test_guidance_is_short_and_says_what_matters() -> None:
    whole = blocks.whole(GUIDANCE, blocks.MARKDOWN)
    assert estimate(whole) <= 150
    for word in ("hint", "record_fix", "Do not repeat", "evidence", "not instructions"):
        assert word in GUIDANCE


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_no_registration_names_a_place_on_a_machine(tool: Any) -> None:
    said = json.dumps(dict(tool.entry))
    assert "/" not in said
    assert "\\" not in said
    assert all(not file.startswith(("/", "~", "..")) for file in (*tool.files, *tool.guidance))


def test_the_table_for_codex_is_toml() -> None:
    codex = TOOLS["codex"]
    assert tomllib.loads(table(codex)) == {"mcp_servers": {"gitmem": ENTRY}}
    line = pasted(codex, ".codex/config.toml").partition(" (")[0]
    assert tomllib.loads(line) == tomllib.loads(table(codex))
    assert json.loads(pasted(TOOLS["cursor"], ".cursor/mcp.json")) == {
        "mcpServers": {"gitmem": ENTRY}
    }
