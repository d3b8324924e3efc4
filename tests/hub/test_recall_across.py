"""The benchmark of recall across repositories, small: a dozen programs on every engine.

docs/hub-recall.md has the figures of all of them.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from benchmarks.across.__main__ import with_figures
from benchmarks.across.cases import TYPED, UNSEEN, Data, Filed, of_programs, same_findings
from benchmarks.across.figures import TARGET, Counts, Judged, by_kind
from benchmarks.across.organisation import Organisation, records
from gitmem.hub.prints import prints_across
from gitmem.matching.parse import main_failure
from gitmem.parts.hub.entries import entries_of
from gitmem.parts.hub.policy import Publishing
from gitmem.parts.hub.protocol import Engine, Seen
from gitmem.parts.hub.questions import alike
from gitmem.parts.hub.scan import ScanHub
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


def test_checkers_findings_at_one_line_or_in_the_same_words_are_one() -> None:
    ty = "ty: [unresolved-attribute] Object of type `Order` has no attribute `total`"
    pyright = 'Pyright: Cannot access attribute "total" for class "Order"'
    other = 'Pyright: Cannot access attribute "price" for class "Order"'
    project = "typecheck/shop"
    same = same_findings([
        Filed(project, "line", f"src/order.py:7: {ty}", ""),
        Filed(project, "same line", f"src/order.py:7: {pyright}", ""),
        Filed(project, "same words", f"src/basket.py:31: {pyright}", ""),
        Filed(project, "other words", f"src/basket.py:40: {other}", ""),
        Filed(project, "two at a line", f"src/basket.py:31: {other}", ""),
        Filed("typecheck/other", "other project", f"src/order.py:7: {ty}", ""),
        Filed("gh/shop", "no checker", f"src/order.py:7: {ty}", ""),
    ])  # fmt: skip
    assert same["line"] == {"line", "same line", "same words"}
    assert same["other words"] == {"other words", "two at a line"}
    assert same["other project"] == {"other project"}
    assert "no checker" not in same


def test_figures_are_written_between_the_marks_of_the_page() -> None:
    page = Path(__file__).parent.parent.parent.joinpath("docs", "hub-recall.md").read_text("utf-8")
    counts = [Counts("all", "dev", 7, 5, (1, 2), (3, 4), (4, 5), 9, 1, 0, 1)]
    written = with_figures(page, {"programs": counts, "projects": counts})
    assert written.count("| dev | **all** | 7 | 1 / 2 | 3 / 4 | 4 / 5 | 9 | 0 | 1 |\n") == 2
    assert written.partition("<!--")[0] == page.partition("<!--")[0]
    assert written.rpartition("-->")[2] == page.rpartition("-->")[2]
    with pytest.raises(ValueError, match="not all of them were measured"):
        with_figures(page, {"programs": counts})


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
