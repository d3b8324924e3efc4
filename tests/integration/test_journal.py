"""The journal loses nothing that it said it has."""

import errno
import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError
from gitmem.store.journal import MAX_LINE_BYTES, Journal
from tests.accounts import IS_ROOT
from tests.depth import amount, deep

PROCESSES = 8
EACH = 100


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(str(tmp_path / "git" / "gitmem" / "journal"))


def file_of(journal: Journal, stream: str) -> Path:
    return Path(journal.directory, f"{stream}.jsonl")


def test_events_come_back_in_order_with_all_their_fields(journal: Journal) -> None:
    events: list[dict[str, Any]] = [
        {"event": "start", "unknown": {"kept": [1, 2.5, None, True]}},
        {"text": "ünï 🙂 \u2028 \x00 \n \r half\udc80"},
        {},
    ]
    for event in events:
        journal.append("a", event)
    assert journal.read("a") == events
    assert len(file_of(journal, "a").read_bytes().splitlines()) == 3


def test_nothing_is_there_before_the_first_event(journal: Journal) -> None:
    assert journal.read("a") == []
    assert journal.streams() == []
    assert not Path(journal.directory).exists()
    with pytest.raises(NotFoundError):
        journal.append("a", {}, create=False)
    assert not Path(journal.directory).exists()


def test_only_its_owner_may_read_it(journal: Journal) -> None:
    journal.append("a", {})
    assert file_of(journal, "a").stat().st_mode & 0o077 == 0
    assert Path(journal.directory).stat().st_mode & 0o077 == 0


def at_once(write: Callable[[str, int], None], journal: Journal) -> None:
    """Write into one journal from several processes, and wait until each has ended well."""
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=write, args=(journal.directory, n)) for n in range(PROCESSES)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * PROCESSES


def write_many(directory: str, number: int) -> None:
    journal = Journal(directory)
    for count in range(EACH):
        journal.append("shared", {"from": number, "count": count, "pad": "x" * (count * 97)})


def test_eight_processes_lose_nothing(journal: Journal) -> None:
    at_once(write_many, journal)
    events = journal.read("shared")
    assert len(events) == PROCESSES * EACH
    assert journal.damaged("shared") == []
    for number in range(PROCESSES):
        assert [e["count"] for e in events if e["from"] == number] == list(range(EACH))


def test_a_line_torn_at_any_byte_is_passed_over_and_healed(journal: Journal) -> None:
    journal.append("a", {"n": 1})
    journal.append("a", {"n": 2, "text": "ü"})
    whole = file_of(journal, "a").read_bytes()
    first = whole.index(b"\n") + 1
    for size in range(first, len(whole)):
        file_of(journal, "a").write_bytes(whole[:size])
        complete = size == len(whole) - 1  # only the line break is missing: still an event
        before = [{"n": 1}, {"n": 2, "text": "ü"}][: 2 if complete else 1]
        assert journal.read("a") == before
        journal.append("a", {"n": 3})
        assert journal.read("a") == [*before, {"n": 3}]
        assert journal.damaged("a") == ([] if complete or size == first else [2])


@pytest.mark.parametrize("junk", [b"\x00\xff\xfe", b"[1]", b"3", b"{", b'{"a":' * 9999])
def test_lines_that_are_no_event_are_passed_over(journal: Journal, junk: bytes) -> None:
    journal.append("a", {"n": 1})
    with file_of(journal, "a").open("ab") as file:
        file.write(junk + b"\n\n")
    journal.append("a", {"n": 2})
    assert journal.read("a") == [{"n": 1}, {"n": 2}]
    assert journal.damaged("a") == [2]


def test_a_writer_killed_at_any_moment_leaves_whole_events(journal: Journal) -> None:
    for round_ in range(5):
        child = os.fork()
        if not child:
            try:
                count = 0
                while True:
                    count += 1
                    journal.append("a", {"round": round_, "count": count, "pad": "x" * 9000})
            finally:
                os._exit(1)
        while len([e for e in journal.read("a") if e["round"] == round_]) < 3:
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    for round_ in range(5):
        counts = [e["count"] for e in journal.read("a") if e["round"] == round_]
        assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize(
    "event",
    [
        {"event": "log", "text": "é" * 10**6},
        {"event": "log", "texts": ["x" * 5000] * 1000},
        {"event": "log", "deep": {"er": {"text": "\x00" * 10**6}}},
        {"event": "log", **{f"field{n}": "x" * 100 for n in range(10**4)}},
    ],
    ids=["long", "many", "deep", "wide"],
)
def test_a_line_is_never_longer_than_its_bound(journal: Journal, event: dict[str, Any]) -> None:
    journal.append("a", event)
    line = file_of(journal, "a").read_bytes()
    assert len(line) <= MAX_LINE_BYTES
    assert "cut" in line.decode()
    (read,) = journal.read("a")
    assert read["event"] == "log"


def test_a_text_within_the_bound_is_whole(journal: Journal) -> None:
    event = {"text": "x" * (MAX_LINE_BYTES - 100)}
    journal.append("a", event)
    assert journal.read("a") == [event]


@pytest.mark.parametrize(
    "stream",
    ["", ".", "..", "../a", "a/b", "/a", ".hidden", "a\n", "a\x00", "ü", "x" * 101, "-a", "a b"],
)
def test_names_that_could_lead_elsewhere_are_refused(journal: Journal, stream: str) -> None:
    for call in (journal.read, journal.close_stream):
        with pytest.raises(UsageError):
            call(stream)
    with pytest.raises(UsageError) as caught:
        journal.append(stream, {})
    assert "\n" not in caught.value.message


def test_streams_by_prefix_open_and_done(journal: Journal) -> None:
    for stream in ("ses-b", "ses-a", "run-a"):
        journal.append(stream, {"n": 1})
    Path(journal.directory, "foreign.txt").touch()
    Path(journal.directory, ".hidden.jsonl").touch()
    journal.close_stream("ses-b")
    assert journal.streams() == ["run-a", "ses-a"]
    assert journal.streams("ses-") == ["ses-a"]
    assert journal.streams("ses-", done=True) == ["ses-b"]
    assert journal.read("ses-b") == []
    assert journal.read("ses-b", done=True) == [{"n": 1}]


def test_closing(journal: Journal) -> None:
    journal.append("a", {"n": 1})
    journal.close_stream("a")
    with pytest.raises(NotFoundError):
        journal.close_stream("a")
    with pytest.raises(NotFoundError):
        journal.append("a", {"n": 2}, create=False)
    assert journal.read("a", done=True) == [{"n": 1}]


def test_closing_under_a_name_that_was_closed_before_loses_neither(journal: Journal) -> None:
    journal.append("a", {"n": 1})
    journal.close_stream("a")
    with file_of(journal, "done/a").open("ab") as file:
        file.write(b'{"torn')
    journal.append("a", {"n": 2})
    journal.close_stream("a")
    assert journal.read("a", done=True) == [{"n": 1}, {"n": 2}]
    assert journal.streams() == []


def test_a_full_disk_is_told_and_what_was_there_stays(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.append("a", {"n": 1})
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr("gitmem.system.append", lambda handle, data: real(handle, data[:5]))
        with pytest.raises(EnvironmentProblem) as caught:
            journal.append("a", {"n": 2})
    assert "No space left" in caught.value.message
    assert "free some space" in caught.value.hint
    journal.append("a", {"n": 3})
    assert journal.read("a") == [{"n": 1}, {"n": 3}]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EIO])
def test_what_the_machine_forbids_is_one_line_with_a_hint(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    journal.append("a", {"n": 1})

    def refuse(*_arguments: object, **_named: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(EnvironmentProblem) as caught:
            journal.append("a", {"n": 2})
        patch.setattr(os, "open", refuse)
        with pytest.raises(EnvironmentProblem):
            journal.append("a", {"n": 2})
        patch.setattr(os, "listdir", refuse)
        with pytest.raises(EnvironmentProblem):
            journal.streams()
    assert os.strerror(code) in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint
    assert journal.read("a")[0] == {"n": 1}


def test_without_permission_on_the_folder(journal: Journal) -> None:
    """Seen from a process without root's rights, whoever runs the tests."""
    journal.append("a", {"n": 1})
    folder = Path(journal.directory)
    folder.chmod(0o500)
    child = os.fork()
    if not child:
        try:
            if IS_ROOT:
                os.setuid(65534)
            try:
                journal.append("b", {"n": 1})
            except EnvironmentProblem as problem:
                os._exit(0 if problem.hint else 2)
            os._exit(3)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    folder.chmod(0o700)
    assert journal.read("a") == [{"n": 1}]


def test_a_link_in_the_place_of_a_stream_is_not_followed(journal: Journal, tmp_path: Path) -> None:
    journal.append("a", {})
    target = tmp_path / "precious"
    target.write_text("keep")
    file_of(journal, "b").symlink_to(target)
    with pytest.raises(EnvironmentProblem):
        journal.append("b", {"n": 1})
    assert target.read_text() == "keep"


def test_the_lock_is_no_obstacle_where_there_is_none(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with journal.exclusive():
        journal.append("a", {"n": 1})
    journal.close_stream("a")
    assert journal.read("a", done=True) == [{"n": 1}]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@deep
@given(events=st.lists(st.dictionaries(st.text(), json_values), max_size=5))
@settings(
    max_examples=amount(share=8, ci=25, whole=250),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_event_comes_back_as_it_was(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    journal = Journal(str(tmp_path / os.urandom(4).hex()))
    for event in events:
        journal.append("a", event)
    assert journal.read("a") == json.loads(json.dumps(events))


@pytest.mark.parametrize("block", [1, 7, 64, 65_536])
@pytest.mark.parametrize("torn", [b"", b'{"half": '])
def test_the_newest_events_are_read_from_the_end(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, block: int, torn: bytes
) -> None:
    monkeypatch.setattr("gitmem.store.journal._TAIL_BYTES", block)
    assert journal.read("run", newest=3) == []
    for number in range(9):
        journal.append("run", {"number": number, "text": "x" * number * 5})
    with file_of(journal, "run").open("ab") as file:
        file.write(torn)
    whole = journal.read("run")
    assert len(whole) == 9
    for newest in range(12):
        assert journal.read("run", newest=newest) == whole[max(0, 9 - newest) :]


@pytest.mark.parametrize("block", [1, 7, 65_536])
def test_events_are_given_from_the_end_as_they_are_taken(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr("gitmem.store.journal._TAIL_BYTES", block)
    assert list(journal.newest_first("run")) == []
    for number in range(9):
        journal.append("run", {"number": number, "text": "é" * number * 5})
    with file_of(journal, "run").open("ab") as file:
        file.write(b"junk\n[]\n")
    assert list(journal.newest_first("run")) == journal.read("run")[::-1]


def is_kept(event: dict[str, Any]) -> bool:
    return bool(event["kept"])


def fold(journal: Journal) -> None:
    journal.fold("shared", lambda events: list(filter(is_kept, events)))


def write_and_fold(directory: str, number: int) -> None:
    journal = Journal(directory)
    for count in range(EACH):
        journal.append("shared", {"from": number, "count": count, "kept": True})
        journal.append("shared", {"kept": False, "pad": "x" * 900})
        fold(journal)


def test_folding_loses_nothing_that_others_append(journal: Journal) -> None:
    at_once(write_and_fold, journal)
    events = [event for event in journal.read("shared") if is_kept(event)]
    for number in range(PROCESSES):
        assert [e["count"] for e in events if e["from"] == number] == list(range(EACH))
    fold(journal)
    assert journal.read("shared") == events
    assert sorted(os.listdir(journal.directory)) == ["shared.jsonl"]


def test_who_is_killed_while_folding_loses_nothing_and_leaves_one_file_at_most(
    journal: Journal,
) -> None:
    for round_ in range(5):
        child = os.fork()
        if not child:
            try:
                for count in range(1 << 20):
                    event = {"round": round_, "count": count, "kept": count % 3 == 0}
                    journal.append("shared", event)
                    fold(journal)
            finally:
                os._exit(1)
        while len([e for e in journal.read("shared") if e["round"] == round_]) < 5:
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    for round_ in range(5):
        counts = [e["count"] for e in journal.read("shared") if e["round"] == round_ and e["kept"]]
        assert counts == list(range(0, 3 * len(counts), 3))
    fold(journal)
    assert set(os.listdir(journal.directory)) <= {"shared.jsonl", ".shared.jsonl.tmp"}


def test_without_locks_or_room_nothing_is_folded(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept in (True, False):
        journal.append("shared", {"kept": kept})
    whole = journal.read("shared")

    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("fcntl.flock", "gitmem.system.replace"):
        with monkeypatch.context() as patched:
            patched.setattr(name, refused)
            fold(journal)
        assert journal.read("shared") == whole
    fold(journal)
    assert journal.read("shared") == whole[:1]
