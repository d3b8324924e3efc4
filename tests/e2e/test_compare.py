"""Comparing memory systems: the protocol of the adapters, on real processes."""

import importlib.util
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import compare
from benchmarks.peers.running import Peer, SkippedError, environment, peers, run, started
from benchmarks.peers.serving import Answer, Record, reply
from benchmarks.peers.texts import words
from benchmarks.recall.data import POOL, QUESTIONS, Question, pool, questions

FTS5 = next(peer for peer in peers() if peer.module.endswith(".fts5"))
GITMEM = next(peer for peer in peers() if peer.name == "gitmem")


class Echo:
    """Answers with what it was given."""

    def __init__(self, sure: int | None = None) -> None:
        self.ids: list[str] = []
        self.sure = sure

    def about(self) -> str:
        return "echo 1"

    def add(self, records: Sequence[Record]) -> None:
        self.ids.extend(record["id"] for record in records)

    def ask(self, question: str, limit: int) -> Answer:
        return Answer(self.ids, self.sure)


def _small() -> tuple[list[dict[str, Any]], list[Question]]:
    """Give a dozen questions of every family, and the records they need."""
    every = questions()
    asked = [one for family in dict.fromkeys(one.family for one in every)
             for one in [other for other in every if other.family == family][:2]]  # fmt: skip
    wanted = {name for one in asked for name in one.relevant | one.never_first}
    return [row for row in pool() if row["id"] in wanted], asked


def test_a_request_is_answered_as_the_protocol_says() -> None:
    echo = Echo()
    assert reply(echo, {"about": True}) == {"about": "echo 1"}
    assert reply(echo, {"add": [{"id": "a"}, {"id": "b"}]}) == {"added": 2}
    assert reply(echo, {"ask": "?", "limit": 1}) == {"ids": ["a"], "sure": 1}
    assert reply(Echo(sure=0), {"ask": "?", "limit": 1}) == {"ids": [], "sure": 0}


def test_an_unknown_request_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown request: \['forget'\]"):
        reply(Echo(), {"forget": "a"})


def test_words_of_a_question_hold_no_operator() -> None:
    assert words("not Found AND (found) or: a-b") == ["found", "a", "b"]


def test_what_is_compared_is_pinned_and_says_its_settings() -> None:
    listed = peers()
    assert sum(bool(peer.requires) for peer in listed) == 2
    for peer in listed:
        assert importlib.util.find_spec(peer.module)
        assert peer.settings
        assert all(re.fullmatch(r"[\w-]+==[\w.]+", one) for one in peer.requires)


@pytest.mark.parametrize("peer", [FTS5, GITMEM], ids=lambda peer: str(peer.name))
def test_an_adapter_answers_every_question_with_records_of_the_pool(
    peer: Peer, tmp_path: Path
) -> None:
    records, asked = _small()
    done = run(peer, records, asked, str(tmp_path))
    assert re.search(r"\d+\.\d+", done.about)
    assert [one.question for one in done.answers] == asked
    known = {row["id"] for row in records}
    for answer in done.answers:
        assert known.issuperset(answer.ids)
        assert len(set(answer.ids)) == len(answer.ids)
        assert 0 <= answer.sure <= len(answer.ids)
    again = [one for one in done.answers if one.question.family == "again"]
    assert all(one.rank == 1 for one in again)


@pytest.mark.network
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "peer", [peer for peer in peers() if peer.requires], ids=lambda peer: str(peer.name)
)
def test_a_peer_is_installed_and_answers_without_network(peer: Peer, tmp_path: Path) -> None:
    records, asked = _small()
    done = run(peer, records, asked, str(tmp_path))
    assert peer.requires[0] == done.about.replace(" ", "==")
    known = {row["id"] for row in records}
    assert all(known.issuperset(one.ids) for one in done.answers)
    assert any(one.rank == 1 for one in done.answers)


def test_a_system_without_a_python_is_skipped_with_the_reason(tmp_path: Path) -> None:
    future = Peer("later", FTS5.module, "none", requires=("later==1",), python="99.0")
    with pytest.raises(SkippedError, match=r"needs Python 99\.0 or later"):
        environment(future, str(tmp_path))


def test_an_adapter_that_ends_is_skipped_with_its_last_words(tmp_path: Path) -> None:
    broken = Peer("broken", "benchmarks.peers.nothing", "none")
    with (
        started(broken, sys.executable, str(tmp_path), offline=False) as adapter,
        pytest.raises(SkippedError, match=r"ended: .*No module named benchmarks\.peers\.nothing"),
    ):
        adapter({"about": True})


def test_the_table_holds_every_family_and_what_was_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    records, asked = _small()
    _write(tmp_path / POOL, records)
    _write(tmp_path / QUESTIONS, [_row(one) for one in asked])
    future = Peer("later", FTS5.module, "none", requires=("later==1",), python="99.0")
    monkeypatch.setattr(compare, "peers", lambda: [FTS5, future])
    target = tmp_path / "figures.json"
    code = compare.main(
        ["--data", str(tmp_path), "--split", "all", "--folder", str(tmp_path / "peers"),
         "--json", str(target)]
    )  # fmt: skip
    said = capsys.readouterr().out
    assert code == 0
    for family in ("again", "neighbour", "described", "words", "decisions"):
        assert f"| {family} | R@1 |" in said
    assert "later was skipped: needs Python 99.0 or later" in said
    figures = json.loads(target.read_text(encoding="utf-8"))
    assert figures[FTS5.name]["families"]["again"]["r1"]["value"] == 1
    assert figures[FTS5.name]["families"]["unanswerable"].keys() == {"false_answers"}


def test_data_that_is_not_there_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        compare.main(["--data", str(tmp_path)])
    assert left.value.code == 2
    assert f"there is no {tmp_path / POOL}" in capsys.readouterr().err


def _row(question: Question) -> dict[str, Any]:
    sets = {name: sorted(getattr(question, name)) for name in ("relevant", "never_first")}
    return {**question._asdict(), **sets}


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
