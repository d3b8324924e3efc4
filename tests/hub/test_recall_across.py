"""The benchmark of recall across repositories, small: a dozen programs on every engine.

docs/hub-recall.md has the figures of all of them.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.across.cases import TYPED, UNSEEN, Data, Filed, of_programs
from benchmarks.across.figures import TARGET, Judged, by_kind
from benchmarks.across.organisation import Organisation, records
from gitmem.hub.entries import entries_of
from gitmem.hub.policy import Publishing
from gitmem.hub.prints import prints_across
from gitmem.hub.protocol import Engine, Seen
from gitmem.hub.questions import alike
from gitmem.hub.scan import ScanHub
from gitmem.matching.parse import main_failure
from gitmem.records.convert import encode
from gitmem.records.layout import path_for

PROGRAMS = frozenset({
    "api-user", "csv-import", "release-tag", "licence-header", "rates-relative", "invoice-clock",
    "port-taken", "no-migration", "npm-script", "missing-argument", "json-datetime",
    "half-written-state",
})  # fmt: skip
MISSED = 1
"""Questions with a right answer that nobody has; more are a loss."""


def few() -> Data:
    data = of_programs()
    filed = [each for each in data.filed if each.cause in PROGRAMS]
    return Data(filed, [case for case in data.cases if case.cause in PROGRAMS])


def asked(folder: Path, engine: Engine, *, words: bool) -> list[Judged]:
    data = few()
    organisation = Organisation(str(folder), data.filed, engine)
    with organisation.asking(words=words) as answer:
        return [Judged(case, answer(case)) for case in data.cases]


@pytest.mark.usefixtures("sealed_git")
def test_other_repositories_know_it_and_nothing_else_is_called_the_same(
    tmp_path: Path, engine: Engine
) -> None:
    judged = asked(tmp_path, engine, words=True)
    kinds = {each.case.kind for each in judged}
    assert {"moved", "again", "neighbour", UNSEEN, "other key", "other name"} <= kinds
    pasted = [each for each in judged if each.case.right and each.case.kind not in TYPED]
    missed = [
        each for each in pasted if not each.is_right((*each.answer.own, *each.answer.foreign))
    ]
    assert len(missed) <= MISSED, [each.case for each in missed]
    (row,) = [row for row in by_kind(judged) if row[:2] == ("all", "dev")]
    assert row.both[0] > row.own[0]
    assert row.false_rate <= TARGET
    assert [each for each in judged if each.wrong] == []
    typed = [each for each in judged if each.case.kind in TYPED]
    assert any(each.is_right(each.answer.foreign) for each in typed)


@pytest.mark.usefixtures("sealed_git")
def test_typed_words_reach_no_hub_where_only_fingerprints_may_be_sent(tmp_path: Path) -> None:
    judged = asked(tmp_path, ScanHub(), words=False)
    typed = [each for each in judged if each.case.kind in TYPED]
    assert typed
    assert [each for each in typed if each.answer.foreign] == []


def test_what_is_only_similar_comes_last_whoever_verified_it() -> None:
    engine = ScanHub()
    text = "Traceback (most recent call last):\nModuleNotFoundError: No module named '{}'\n"
    for number, (repository, name) in enumerate(
        [("other/package", "yaml"), ("same/package", "toml")]
    ):
        error, fix = records(Filed(repository, name, text.format(name), "Ask for it"), number)
        if name == "toml":
            fix = replace(fix, outcome="unverified")
        files = {
            path_for(each.kind, each.id, each.title, each.created): ("b" * 40, encode(each))
            for each in (error, fix)
        }
        engine.put(entries_of(repository, "c" * 40, files, Publishing(publish=True))[0])
    visible = Seen(repositories=frozenset({"other/package", "same/package"}))
    prints = prints_across(main_failure(text.format("toml")))
    answer = alike(engine, prints, visible)
    shown = [(hit.repository, hit.label) for hit in answer.hits]
    assert shown == [("same/package", "same message"), ("other/package", "similar")]
    assert answer.worked_in == 0
