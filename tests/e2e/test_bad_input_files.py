"""Links between records that can't be, and files that are none or have odd names: cases 6 and 7."""

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.accounts import IS_ROOT
from tests.depth import deep, only_deep, sampled
from tests.e2e.running import as_nobody, complains, ok, open_to_all, run, untouched
from tests.e2e.samples import (
    BAD,
    BAD_PATH,
    DECISION,
    ERROR,
    FIX,
    NOTE,
    TITLES,
    WHOLE,
    lay,
    record,
)

if TYPE_CHECKING:
    from tests.conftest import Checkout

SECOND = "dec-0000000002"
THIRD = "dec-0000000003"


def path_of(record_id: str) -> str:
    kind = {"dec": "decisions", "note": "notes"}[record_id.partition("-")[0]]
    return f"{kind}/2026/02/{record_id}.yaml"


def decision(record_id: str, *, supersedes: str) -> str:
    return record("decision", record_id, "Later", 6, f"links:\n  supersedes:\n  - {supersedes}\n")


def problems(repo: "Checkout") -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(repo, "check", "--json").out)["problems"]
    return found


def others_still_work(repo: "Checkout") -> None:
    listed = ok(repo, "list")
    assert all(title in listed for title in TITLES), listed
    assert ERROR in ok(repo, "search", "flux capacitor overheats")
    assert "more coolant" in ok(repo, "show", FIX)


# Case 6

LINKS = {
    "dangling-link": f"links:\n  relates:\n  - {ERROR}\n  - err-zzzzzzzzzz\n",
    "dangling-supersedes": "links:\n  supersedes:\n  - note-zzzzzzzzzz\n",
    "wrong-kind": f"links:\n  supersedes:\n  - {DECISION}\n",
    "wrong-kind-duplicates": f"links:\n  duplicates:\n  - {ERROR}\n",
    "fixes-a-note": f"links:\n  fixes:\n  - {NOTE}\n",
    "no-id": "links:\n  relates:\n  - the other one\n",
    "a-self-link": f"links:\n  relates:\n  - {BAD}\n",
}


@sampled(2)
@pytest.mark.parametrize("case", LINKS)
def test_6_a_link_that_can_not_be_is_named_at_its_line(memory: "Checkout", case: str) -> None:
    lay(memory, BAD_PATH, WHOLE + LINKS[case])
    with untouched(memory):
        checked = run(memory, "check")
        assert checked.code == 1, checked
        first = checked.out.splitlines()[0]
        assert first.startswith(f".memory/{BAD_PATH}:1"), checked.out
        assert int(first.split(":")[1]) in {10, 11, 12}, checked.out
        assert "Traceback" not in checked.err
        others_still_work(memory)


def test_6_a_dangling_link_leaves_its_own_record_usable(memory: "Checkout") -> None:
    lay(memory, BAD_PATH, WHOLE + LINKS["dangling-link"])
    shown = ok(memory, "show", BAD)
    assert "err-zzzzzzzzzz (not in this memory)" in shown
    assert "Flux capacitor overheats" in shown
    assert "err-zzzzzzzzzz, which is not in this memory" in run(memory, "check").out


def test_6_a_circle_of_supersedes_ends_and_names_everyone_in_it(memory: "Checkout") -> None:
    circle = [SECOND, THIRD, "dec-0000000004"]
    for one, other in zip(circle, [*circle[1:], circle[0]], strict=True):
        lay(memory, path_of(one), decision(one, supersedes=other))
    lay(memory, path_of("dec-0000000005"), decision("dec-0000000005", supersedes=SECOND))
    with untouched(memory):
        named = {one["path"] for one in problems(memory) if one["code"] == "supersedes-cycle"}
        assert named == {path_of(one) for one in circle}
        assert run(memory, "check").code == 1
        assert ok(memory, "show", THIRD).count("superseded by") == 1
        assert ok(memory, "list", "status:superseded").count("dec-") == len(circle)
        others_still_work(memory)


def test_6_the_command_line_writes_no_such_link(memory: "Checkout") -> None:
    with untouched(memory):
        complains(
            run(memory, "add", "note", "--title", "x", "--link", "relates=err-zzz"), 3, "err-zzz"
        )
        complains(run(memory, "add", "note", "--title", "x", "--link", "likes=err-0"), 2, "relates")
        complains(run(memory, "edit", "supersede", ERROR, "--title", "x"), 3, ERROR)
        complains(run(memory, "resolve", DECISION, "x"), 3, DECISION)
        complains(
            run(memory, "add", "note", "--title", "x", "--link", f"fixes={NOTE}"), 4, "links.fixes"
        )


# Case 7


def test_7_symbolic_links_are_never_followed(
    memory: "Checkout", tmp_path: "os.PathLike[str]"
) -> None:
    outside = os.path.join(tmp_path, "outside")
    os.makedirs(outside)
    secret = WHOLE.replace("It is known.", "secret outside").replace(BAD, "note-00000secre")
    for name in ("note-00000secre.yaml", "x.yaml"):
        with open(os.path.join(outside, name), "w", encoding="utf-8") as file:
            file.write(secret)
    notes = memory / ".memory" / "notes"
    (notes / "2026" / "out-note-00000secre.yaml").symlink_to(os.path.join(outside, "x.yaml"))
    (notes / "elsewhere").symlink_to(outside)
    (notes / "2026" / "nowhere.yaml").symlink_to("/nowhere/at/all")
    (notes / "2026" / "round.yaml").symlink_to("round.yaml")
    (notes / "2026" / "zero.yaml").symlink_to("/dev/zero")
    (memory / ".memory" / "patterns").symlink_to(outside)
    with untouched(memory):
        found = {one["path"]: one for one in problems(memory)}
        for path in ("notes/2026/out-note-00000secre.yaml", "notes/elsewhere", "patterns",
                     "notes/2026/nowhere.yaml", "notes/2026/round.yaml"):  # fmt: skip
            assert found[path]["code"] == "symlink", found
        assert run(memory, "check").code == 1
        assert "secret" not in ok(memory, "search", "secret outside")
        assert "note-00000secre" not in ok(memory, "list") + ok(memory, "backup", "export")
        others_still_work(memory)


def test_7_a_memory_that_is_a_link_out_of_the_repository_is_refused(
    make_repo: "object", memory: "Checkout"
) -> None:
    outside = memory.parent / "theirs"
    (memory / ".memory").rename(outside)
    (memory / ".memory").symlink_to(outside)
    complains(run(memory, "list"), 5, ".memory")
    complains(run(memory, "init"), 5, ".memory")


def test_7_what_is_no_file_is_reported_and_never_waited_for(memory: "Checkout") -> None:
    notes = memory / ".memory" / "notes" / "2026"
    (notes / "folder-note-00000000f0.yaml").mkdir()
    os.mkfifo(notes / "pipe-note-00000000f1.yaml")
    (memory / ".memory" / "patterns").write_text("a file where a folder must be")
    with untouched(memory):
        found = {one["path"]: one["code"] for one in problems(memory)}
        assert found["notes/2026/folder-note-00000000f0.yaml"] == "not-a-file"
        assert found["notes/2026/pipe-note-00000000f1.yaml"] == "not-a-file"
        assert found["patterns"] == "not-a-folder"
        others_still_work(memory)
        complains(run(memory, "add", "pattern", "--title", "x"), 6, "patterns")


def test_7_an_unreadable_file_or_folder_is_reported(memory: "Checkout") -> None:
    wrap = as_nobody()
    bad = lay(memory, BAD_PATH, WHOLE)
    folder = lay(memory, f"notes/2025/01/{BAD}.yaml", WHOLE).parent
    open_to_all(memory)
    memory.git("config", "--global", "safe.directory", "*")
    bad.chmod(0)
    folder.chmod(0)
    with untouched(memory) if IS_ROOT else open(os.devnull, "rb"):
        checked = run(memory, "check", wrap=wrap)
        assert checked.code == 1, checked
        assert f".memory/{BAD_PATH}: error: permission denied [unreadable]" in checked.out
        assert ".memory/notes/2025/01: error: permission denied [unreadable]" in checked.out
        listed = run(memory, "list", wrap=wrap)
        assert listed.code == 0
        assert all(title in listed.out for title in TITLES), listed
        assert ERROR in run(memory, "search", "flux capacitor", wrap=wrap).out
    bad.chmod(0o666)
    folder.chmod(0o777)
    assert run(memory, "check", wrap=wrap).code == 1, "readable again: one id in two files"


_COMING_AND_GOING = """
import os, sys, itertools
folder, text = sys.argv[1], sys.stdin.buffer.read()
names = [f"{folder}/note-00000000{n:02}.yaml" for n in range(20, 60)]
print("ready", flush=True)
for name in itertools.cycle(names):
    try:
        os.unlink(name)
    except FileNotFoundError:
        with open(name, "wb") as file:
            file.write(text.replace(b"note-0000000bad", os.path.basename(name)[:-5].encode()))
"""


@deep
@only_deep
def test_7_files_that_come_and_go_while_they_are_read(memory: "Checkout") -> None:
    folder = lay(memory, BAD_PATH, WHOLE).parent
    with subprocess.Popen(
        [sys.executable, "-c", _COMING_AND_GOING, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as busy:  # fmt: skip
        assert busy.stdin
        assert busy.stdout
        busy.stdin.write(WHOLE.encode())
        busy.stdin.close()
        busy.stdout.readline()
        try:
            for command in (
                ("list",),
                ("search", "flux capacitor"),
                ("show", ERROR),
                ("backup", "export"),
            ) * 3:
                result = run(memory, *command)
                assert result.code in {0, 1}, result
                assert "Traceback" not in result.err
                assert "Flux capacitor overheats" in result.out, result
                assert result.code == 0 or command == ("backup", "export"), result
        finally:
            busy.kill()
    assert run(memory, "list").code == 0


ODD_NAMES = {
    "spaces": "a b  c-note-0000000n01.yaml",
    "quotes": 'it\'s "q"-note-0000000n02.yaml',
    "newline": "a\nb-note-0000000n03.yaml",
    "escape": "a\x1b[31mb-note-0000000n04.yaml",
    "emoji": "\U0001f600-ä-note-0000000n05.yaml",
    "255-bytes": "x" * (255 - len("-note-0000000n06.yaml")) + "-note-0000000n06.yaml",
    "option-like": "--help-note-0000000n07.yaml",
    "backslash": "a\\b-note-0000000n08.yaml",
}


@sampled(1)
@pytest.mark.parametrize("case", ODD_NAMES)
def test_7_odd_file_names_are_names_like_others(memory: "Checkout", case: str) -> None:
    name = ODD_NAMES[case]
    record_id = name[-len("note-0000000n01.yaml") : -len(".yaml")]
    file = lay(memory, f"notes/2026/02/{name}", WHOLE.replace(BAD, record_id))
    with untouched(memory):
        assert record_id in ok(memory, "list")
        assert record_id in ok(memory, "search", "a thing to know")
        shown = ok(memory, "show", record_id)
        assert "\x1b" not in shown
        assert len(shown.splitlines()) == 5, "the path takes one line"
        assert ok(memory, "show", "--yaml", record_id) == file.read_text()
        assert run(memory, "check").code == 0
        assert ok(memory, "index", "verify") == ""
        others_still_work(memory)
    archive = ok(memory, "backup", "export")
    assert run(memory, "import", "-", stdin=archive).code == 0
    assert ok(memory, "forget", "--yes", record_id)
    assert not file.exists()
    assert run(memory, "import", "-", stdin=archive).code == 0
    assert file.read_bytes() == WHOLE.replace(BAD, record_id).encode()


def test_7_names_that_are_no_utf_8_are_reported(memory: "Checkout") -> None:
    folder = os.fsencode(lay(memory, BAD_PATH, WHOLE).parent)
    with open(folder + b"/\xff-note-0000000n09.yaml", "wb") as file:
        file.write(WHOLE.encode())
    with open(os.fsencode(memory / ".memory") + b"/\xfe.txt", "wb") as file:
        file.write(b"?")
    checked = run(memory, "check")
    assert checked.code == 1, checked
    assert "this file name is not UTF-8" in checked.out
    others_still_work(memory)


def test_7_names_that_differ_in_case_only_are_two_files(memory: "Checkout") -> None:
    for name, record_id in (("Same", "note-0000000n10"), ("same", "note-0000000n11")):
        lay(memory, f"notes/2026/02/{name}.yaml", WHOLE.replace(BAD, record_id))
    listed = ok(memory, "list")
    assert "note-0000000n10" in listed
    assert "note-0000000n11" in listed
    checked = run(memory, "check")
    assert checked.code == 0
    assert "the file's name does not end with its id" in checked.out


def test_7_a_path_with_every_oddity_above_the_repository(make_repo: "object") -> None:
    repo = make_repo('it\'s a "b"\n$(touch owned) \U0001f600')  # type: ignore[operator]
    ok(repo, "init")
    record_id = ok(repo, "add", "note", "--title", "here").split()[0]
    ok(repo, "session", "start", "odd place")
    assert record_id in ok(repo, "search", "here")
    assert "ended" in ok(repo, "session", "end")
    assert run(repo, "check").code == 0
    assert not (repo / "owned").exists()
