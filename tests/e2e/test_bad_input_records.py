"""Record files that are broken, odd or dangerous: cases 1 to 5.

Each is named by ``gitmem check`` with path, line and column, stays as it is, and disturbs no
other record.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.records import migrations
from tests.depth import sampled
from tests.e2e.running import complains, in_process, ok, run, untouched
from tests.e2e.samples import BAD, BAD_PATH, ERROR, TITLES, WHOLE, lay, record

if TYPE_CHECKING:
    from tests.conftest import Checkout

TITLE = "A thing to know"


def others_still_work(repo: Path) -> None:
    """Check that every whole record is listed, found and shown."""
    listed = in_process(repo, "list")
    assert listed.code == 0, listed
    assert all(title in listed.out for title in TITLES), listed
    found = in_process(repo, "search", "flux capacitor")
    assert found.code == 0, found
    assert ERROR in found.out, found
    assert in_process(repo, "show", ERROR).code == 0


def reported(repo: Path, code: str, place: str, *words: str, path: str = BAD_PATH) -> None:
    """Check that ``gitmem check`` reports one error, where it should, and exits with 1."""
    checked = run(repo, "check")
    assert checked.code == 1, checked
    assert "Traceback" not in checked.err
    lines = [line for line in checked.out.splitlines() if not line.startswith("    ")]
    mine = [line for line in lines if line.startswith(f".memory/{path}")]
    assert mine, checked.out
    assert any(line.startswith(f".memory/{path}:{place}: error: ") for line in mine), checked.out
    assert any(f"[{code}]" in line for line in mine), checked.out
    for word in words:
        assert word in checked.out, (word, checked.out)


BROKEN: dict[str, tuple[str | bytes, str, str]] = {
    # Case 1: no mapping at all
    "1-empty": ("", "empty", "1:1"),
    "1-only-comments": ("# nothing\n# at all\n", "empty", "1:1"),
    "1-list": ("- a\n- b\n", "not-a-mapping", "1:1"),
    "1-number": ("42\n", "not-a-mapping", "1:1"),
    "1-string": ("just words\n", "not-a-mapping", "1:1"),
    "1-several-documents": (WHOLE + "---\n" + WHOLE, "several-documents", "10:1"),
    # Case 2: not YAML
    "2-tab-indentation": (WHOLE + "tags:\n\t- a\n", "yaml-syntax", "11:1"),
    "2-unclosed-quote": (WHOLE + "type: 'other\n", "yaml-syntax", "10:7"),
    "2-bad-anchor": (WHOLE + "type: *nowhere\n", "yaml-feature", "10:7"),
    "2-anchor": (WHOLE + "type: &here other\n", "yaml-feature", "10:7"),
    "2-unclosed-bracket": (WHOLE + "tags: [a, b\n", "yaml-syntax", "10:7"),
    "2-text-after-quote": (WHOLE + "type: 'other' thing\n", "yaml-syntax", "10:15"),
    # Case 3: YAML, but no record
    "3-wrong-type": (WHOLE + "tags: 7\n", "invalid-field", "10:1"),
    "3-list-for-text": (WHOLE.replace("It is known.", "[a, b]"), "invalid-field", "9:1"),
    "3-unknown-kind": (WHOLE.replace("kind: note", "kind: remark"), "invalid-field", "3:1"),
    "3-unknown-enum-value": (WHOLE + "type: gossip\n", "invalid-field", "10:1"),
    "3-missing-title": (WHOLE.replace(f"title: {TITLE}\n", ""), "invalid-field", "1:1"),
    "3-missing-inner-field": (WHOLE.replace("  name: Ada Lovelace\n", ""), "invalid-field", "6:1"),
    "3-number-out-of-range": (
        WHOLE + "anchors:\n- path: src/a.py\n  lines: [0, 4]\n", "invalid-field", "12:11"
    ),
    "3-naive-date": (WHOLE.replace("05:06Z", "05:06"), "invalid-field", "5:1"),
    "3-impossible-date": (WHOLE.replace("2026-02-03", "2026-02-30"), "invalid-field", "5:1"),
    "3-date-out-of-range": (
        WHOLE.replace("2026-02-03T04:05:06Z", "0001-01-01T00:00:00+14:00"), "invalid-field", "5:1"
    ),
    "3-id-of-another-kind": (WHOLE.replace(BAD, "err-0000000bad"), "invalid-field", "2:1"),
    "3-id-not-matching-file-name": (
        WHOLE.replace(BAD, "note-00000000c2"), "id-mismatch", "2:1"
    ),
    "3-duplicate-key": (WHOLE + "body: again\n", "duplicate-key", "10:1"),
    "3-inner-duplicate-key": (
        WHOLE.replace("  email:", "  name: Bob\n  email:"), "duplicate-key", "8:3"
    ),
    "3-path-that-climbs-out": (
        WHOLE + "anchors:\n- path: ../../etc/passwd\n", "invalid-field", "11:3"
    ),
    "3-schema-zero": (WHOLE.replace("schema: 1", "schema: 0"), "invalid-field", "1:1"),
    # Case 5: dangers
    "5-python-object-tag": (
        WHOLE + "type: !!python/object/apply:os.system ['touch owned']\n", "yaml-feature", "10:7"
    ),
    "5-harmless-tag": (WHOLE + "type: !!str other\n", "yaml-feature", "10:7"),
    "5-billion-laughs": (
        WHOLE + "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "yaml-feature", "10:4"
    ),
    "5-merge-key": (WHOLE + "<<: *a\n", "yaml-feature", "10:5"),
    "5-nested-10000-deep": (
        WHOLE + "x: " + "[" * 10_000 + "]" * 10_000 + "\n", "too-deep", "10:53"
    ),
    "5-nested-10000-deep-mapping": (
        WHOLE + "x:\n" + "".join(" " * n + "a:\n" for n in range(1, 700)), "too-deep", "60:51"
    ),
    "5-nul": (WHOLE + "type: a\x00b\n", "yaml-syntax", "10:8"),
    "5-control-character": (WHOLE + "type: a\x1b[31mb\n", "yaml-syntax", "10:8"),
    "5-invalid-utf-8": (WHOLE.encode() + b"type: a\xff\xfeb\n", "encoding", "10:8"),
    "5-half-a-character": (WHOLE.encode() + b"type: a\xe2\x82\n", "encoding", "10:8"),
    "5-utf-16-with-bom": (WHOLE.encode("utf-16"), "encoding", "1:1"),
    "5-lone-surrogate": (WHOLE.encode() + b"type: \xed\xa0\x80\n", "encoding", "10:7"),
}  # fmt: skip


@sampled(6)
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_named_with_its_place_and_disturbs_no_other(
    memory: "Checkout", case: str
) -> None:
    text, code, place = BROKEN[case]
    lay(memory, BAD_PATH, text)
    with untouched(memory):
        reported(memory, code, place)
        others_still_work(memory)
    assert not (memory / "owned").exists()


def test_1_every_broken_file_is_reported_in_one_run(memory: "Checkout") -> None:
    for number, (text, _, _) in enumerate(BROKEN.values()):
        lay(memory, f"notes/2026/03/x-note-00000001{number:02}.yaml", text)
    checked = run(memory, "check", "--json")
    assert checked.code == 1
    named = {one["path"] for one in json.loads(checked.out)["problems"]}
    assert len(named) == len(BROKEN)
    others_still_work(memory)


def test_2_conflict_markers_left_by_a_real_merge(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE)
    memory.commit("known")
    for branch, word in (("left", "sinister"), ("right", "dexter")):
        memory.git("checkout", "-q", "-b", branch, "main")
        lay(memory, BAD_PATH, WHOLE.replace("It is known.", f"It is {word}."))
        memory.commit(branch)
    memory.git("merge", "-q", "left", code=1)
    with untouched(memory):
        reported(memory, "conflict-marker", "9:1", "keep one side")
        others_still_work(memory)
        complains(run(memory, "show", BAD), 3, BAD)


def test_2_a_file_truncated_at_every_byte_is_an_error_or_a_whole_record(memory: "Checkout") -> None:
    text = record("note", "note-%010d", "Cut off", more="tags:\n- knife\nbody: |\n  Two\n  lines\n")
    whole = len(text) - 2 + 8
    for length in range(whole):
        name = f"note-{length:010}"
        lay(memory, f"notes/2026/03/cut-{name}.yaml", text.replace("note-%010d", name)[:length])
    checked = run(memory, "check", "--json")
    problems = {one["path"]: one for one in json.loads(checked.out)["problems"]}
    assert checked.code == 1
    assert [one for one in problems.values() if not one["line"]] == []
    # From the author's name on, what is there may be a whole, shorter record.
    needed = record("note", "note-0000000000", "Cut off").index("Ada Lovelace") + 1
    certain = {f"notes/2026/03/cut-note-{length:010}.yaml" for length in range(needed)}
    assert certain <= problems.keys()
    others_still_work(memory)


def test_3_a_duplicate_id_in_two_files_names_both(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE)
    second = f"notes/2026/02/second-{BAD}.yaml"
    lay(memory, second, WHOLE.replace("It is", "It was"))
    with untouched(memory):
        reported(memory, "duplicate-id", "2:1", BAD_PATH, path=second)
        others_still_work(memory)
        assert ok(memory, "show", BAD).count(TITLE) == 1
        assert ok(memory, "list", "kind:note").count(BAD) == 1


def test_3_every_bad_field_of_a_file_is_reported_at_its_own_line(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE.replace("title: A", "title: |\n  A\n  B\n#") + "type: x\ntags: 1\n")
    out = run(memory, "check").out
    for line in (4, 13, 14):
        assert f".memory/{BAD_PATH}:{line}:1: error" in out, out


def test_4_unknown_fields_are_kept_and_are_no_error(memory: "Checkout") -> None:
    text = WHOLE + "mood: sunny\nextra_list:\n- a: 1\n  b: [2]\n"
    lay(memory, BAD_PATH, text)
    with untouched(memory):
        assert run(memory, "check").code == 0
        shown = ok(memory, "show", BAD)
        data = json.loads(ok(memory, "show", BAD, "--json"))["record"]
    assert "sunny" in shown
    assert data["mood"] == "sunny"
    assert data["extra_list"] == [{"a": 1, "b": [2]}]


def test_4_a_newer_schema_is_read_and_says_which_version_it_needs(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE.replace("schema: 1", "schema: 9") + "hologram: yes\n")
    with untouched(memory):
        checked = run(memory, "check")
        assert checked.code == 0, checked
        assert f".memory/{BAD_PATH}:1:1: warning: written with schema 9" in checked.out
        assert "install a gitmem that knows schema 9" in checked.out
        assert TITLE in ok(memory, "list")
        assert "hologram" in ok(memory, "show", BAD)
        assert BAD in ok(memory, "search", "thing to know")
        others_still_work(memory)


def test_4_a_newer_schema_that_can_not_be_read_says_so_too(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE.replace("schema: 1", "schema: 9").replace("title:", "heading:"))
    with untouched(memory):
        checked = run(memory, "check")
        assert "install a gitmem that knows schema 9" in checked.out
        assert f".memory/{BAD_PATH}:1" in checked.out
        others_still_work(memory)


def test_4_an_older_schema_is_brought_up_to_date_in_memory_only(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(data: dict[str, object]) -> dict[str, object]:
        return {("title" if name == "heading" else name): item for name, item in data.items()}

    monkeypatch.setitem(migrations.STEPS, 0, rename)
    lay(memory, BAD_PATH, WHOLE.replace("schema: 1", "schema: 0").replace("title:", "heading:"))
    with untouched(memory):
        checked = in_process(memory, "check")
        assert checked.code == 0, checked
        assert TITLE in in_process(memory, "list").out


def test_5_a_file_of_50_mb_is_not_read(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE + "x: " + "y" * 50_000_000 + "\n")
    limited = ["sh", "-c", 'ulimit -v 600000 && exec "$@"', "sh"]
    checked = run(memory, "check", wrap=limited)
    assert checked.code == 1, checked
    assert f".memory/{BAD_PATH}: error: 47.7 MiB is too large" in checked.out
    others_still_work(memory)


def test_5_a_scalar_of_almost_1_mb_is_a_record_like_others(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE.replace("It is known.", "word " * 200_000))
    assert run(memory, "check").code == 0
    assert BAD in ok(memory, "search", "thing to know word")
    assert len(ok(memory, "show", BAD)) > 999_000
    others_still_work(memory)


def test_5_crlf_is_read_like_lf(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE.replace("It is known.", "|\n  One\n  Two").replace("\n", "\r\n"))
    with untouched(memory):
        assert run(memory, "check").code == 0
        assert json.loads(ok(memory, "show", BAD, "--json"))["record"]["body"] == "One\nTwo\n"


@sampled(1)
@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_5_nel_and_line_separators_are_no_trap(memory: "Checkout", char: str) -> None:
    lay(memory, BAD_PATH, WHOLE.replace("It is known.", f'"It is{char}known."'))
    lay(
        memory,
        "notes/2026/02/note-0000000bae.yaml",
        WHOLE.replace(BAD, "note-0000000bae") + f"x: a{char}b\n",
    )
    with untouched(memory):
        checked = run(memory, "check")
        assert "Traceback" not in checked.err
        assert checked.code in {0, 1}
        others_still_work(memory)
    written = ok(memory, "add", "note", "--title", "odd", "--body", f"a{char}b\nc").split()[0]
    assert json.loads(ok(memory, "show", written, "--json"))["record"]["body"] == f"a{char}b\nc"


@sampled(2)
@pytest.mark.parametrize("char", ["\u202e", "\u200b", "\u2066", "\u200f", "\u2060"])
def test_5_right_to_left_and_zero_width_characters_are_pointed_out_and_never_printed(
    memory: "Checkout", char: str
) -> None:
    lay(memory, BAD_PATH, WHOLE.replace(TITLE, f"A thing{char} to know"))
    with untouched(memory):
        checked = run(memory, "check")
        assert checked.code == 0, "a warning"
        assert f".memory/{BAD_PATH}:4: warning: hidden character U+{ord(char):04X}" in checked.out
        for command in (("list",), ("show", BAD), ("search", "thing"), ("log",)):
            assert char not in ok(memory, *command)
        others_still_work(memory)
