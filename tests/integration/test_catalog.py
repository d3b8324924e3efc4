"""The catalog answers as the oracle does: filters, statuses, sorting, prefixes, problems."""

from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem import query
from gitmem.catalog.catalog import SORTS, Catalog, CatalogChange
from gitmem.catalog.entries import entry
from gitmem.query import Filters
from gitmem.records.convert import from_data
from gitmem.records.problems import Problem
from tests import oracle
from tests.depth import amount, deep
from tests.random_records import (
    AUTHORS,
    FRAMES,
    GLOBS,
    PATHS,
    TAGS,
    TYPES,
    entry_of,
    files,
    memory,
    stamp,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SEEDS = st.integers(0, 2**32)
some_of_them = settings(max_examples=amount(share=15, ci=40, whole=400))


def catalog_of(made: oracle.Files, order: list[str] | None = None) -> Catalog:
    """Make a catalog that takes the files in, in the given order of paths."""
    catalog = Catalog(":memory:")
    with catalog.writing():
        for path in order or list(made):
            digest = path.encode()
            change = CatalogChange(path, (1, 2, 3, 4), 5, digest, entry_of(made[path]), [])
            catalog.put([(catalog.last() + 1, change)])
    return catalog


@deep
@some_of_them
@given(seed=SEEDS, size=st.integers(1, 9), known=st.integers(1, 5))
def test_many_files_at_once_are_the_same_as_one_by_one(seed: int, size: int, known: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, rng.randint(1, 30)))
    # Some twice under the same id, as merges leave them, and some links before their targets.
    made |= {f"a/{path}": made[path] for path in rng.sample(list(made), len(made) // 4)}
    paths = rng.sample(list(made), len(made))
    one_by_one = catalog_of(made, paths)
    # Some were there before, and said something else.
    before = {path: made[rng.choice(paths)] for path in paths[:known]}
    together = catalog_of(before)
    problem = Problem("x.yaml", "code", "a message", "a hint", 2, 3, "title")
    with together.writing(), one_by_one.writing():
        # One without a record, too.
        empty = CatalogChange("empty.yaml", (1, 2, 3, 4), 5, b"", None, [problem])
        one_by_one.put([(one_by_one.last() + 1, empty)])
        numbers = {path: state.file for path, state in together.states().items()}
        changes = [
            CatalogChange(path, (1, 2, 3, 4), 5, path.encode(), entry_of(made[path]), [])
            for path in rng.sample(paths, len(paths))
        ]
        numbered = [
            (numbers.get(change.path, number), change)
            for number, change in enumerate([*changes, empty], together.last() + 1)
        ]
        for at in range(0, len(numbered), size):
            together.put(numbered[at : at + size])
    assert together.dump() == one_by_one.dump()


def ids(catalog: Catalog, filters: Filters) -> list[str]:
    return [row.id for row in catalog.rows(filters)]


def filters_from(rng: Random, known: list[str]) -> Filters:
    """Draw filters over the values that the random records use."""
    paths: tuple[str, ...] = (
        *PATHS,
        "src",
        "src/auth",
        "src/auth/",
        "./src",
        "auth",
        "token.py",
        "*.py",
        "src/*",
    )
    paths += ("src/AUTH", "*/token.py", "s?c/*", "readme.md", "TOKEN.PY", "app/[slug]/page.tsx")
    pools: dict[str, tuple[str, ...]] = {
        "kinds": query.KINDS,
        "statuses": (
            "open",
            "resolved",
            "regressed",
            "duplicate",
            "superseded",
            "worked",
            "failed",
            "ended",
        ),
        "types": (*TYPES, "jsondecodeerror", "Error"),
        "authors": ("ann", "ANN@", "%", "_", "bob_", "claude"),
        "sessions": ("ses-", *(one for one in known if one.startswith("ses-"))),
        "paths": (*paths, *FRAMES),
        "tags": (*TAGS, "AUTH"),
        "languages": ("python", "PYTHON", "go"),
    }
    drawn: dict[str, Any] = {
        name: tuple(rng.sample(pool, rng.randint(1, min(2, len(pool)))))
        for name, pool in pools.items()
        if rng.random() < 0.25
    }
    if "tags" in drawn:
        drawn["tags"] = drawn["tags"][:1]
    names = {"kind": "kinds", "status": "statuses", "path": "paths", "tag": "tags", "type": "types"}
    names |= {"author": "authors", "session": "sessions", "language": "languages"}
    excluded = [(key, rng.choice(pools[names[key]])) for key in names if rng.random() < 0.1]
    bounds = ("2026-02-27T23:59:58Z", "2026-02-27T23:59:59Z", "2026-02-28T00:00:00Z")
    since = rng.choice(bounds) if rng.random() < 0.2 else None
    until = rng.choice(bounds) if rng.random() < 0.2 else None
    return Filters(**drawn, excluded=tuple(excluded), since=since, until=until)


_ISSUES = ("12", "#12", "!12", "acme/shop#12", "Acme/Shop#12", "acme/shop!12", "2", "#112", "7")
_ISSUE_TAGS = (
    "issue:#12", "pull:!12", "pull:#12", "issue:acme/shop#12", "pull:acme/shop!12", "Issue:#12",
    "issue:ACME/shop#12", "issue:big/acme/shop#12", "issue:#112", "issue:#2", "issue:shop#12",
    "issue:12", "issues:#12", "issue:#12x", "time",
)  # fmt: skip


def of_issues(rng: Random, count: int) -> oracle.Files:
    """Draw records that belong to issues: by a tag, or by a note that relates to them."""
    made = memory(rng, count)
    known = [str(data["id"]) for data in made]
    for data in made:
        data["tags"] = rng.sample(_ISSUE_TAGS, rng.randint(0, 2))
        if data["kind"] in {"note", "pattern"}:
            near = rng.sample(known, min(len(known), rng.randint(0, 2)))
            relation = rng.choice(("relates", "relates", "implements"))
            data.setdefault("links", {})[relation] = [one for one in near if one != data["id"]]
    written = files(made)
    # Some twice under the same id, with other tags: only the first path speaks.
    twice = rng.sample(list(written), len(written) // 4)
    return written | {f"z/{path}": {**written[path], "tags": ["issue:#7"]} for path in twice}


@deep
@some_of_them
@given(SEEDS)
def test_an_issue_is_what_the_oracle_takes_it_for(seed: int) -> None:
    rng = Random(seed)
    made = of_issues(rng, rng.randint(1, 25))
    catalog = catalog_of(made)
    for value in _ISSUES:
        for filters in (Filters(issues=(value,)), Filters(excluded=(("issue", value),))):
            expected = oracle.matching(made, filters)
            assert set(ids(catalog, filters)) == expected, filters
            assert catalog.count(filters) == len(expected)
    for _ in range(4):
        drawn = filters_from(rng, [])
        excluded = (*drawn.excluded, ("issue", rng.choice(_ISSUES)))
        filters = drawn._replace(issues=tuple(rng.sample(_ISSUES, 2)), excluded=excluded)
        assert set(ids(catalog, filters)) == oracle.matching(made, filters), filters


# --- against the oracle -------------------------------------------------------------------------


@deep
@some_of_them
@given(SEEDS)
def test_statuses_are_the_oracles_in_whatever_order_files_arrive(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, rng.randint(1, 25)))
    order = rng.sample(list(made), len(made))
    rows = catalog_of(made, order).rows(Filters())
    assert {row.id: row.status for row in rows} == oracle.statuses(made)


@deep
@some_of_them
@given(SEEDS)
def test_filters_choose_what_the_oracle_chooses(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, rng.randint(1, 25)))
    catalog = catalog_of(made)
    known = [str(data["id"]) for data in made.values()]
    for _ in range(8):
        filters = filters_from(rng, known)
        expected = oracle.matching(made, filters)
        assert set(ids(catalog, filters)) == expected, filters
        assert catalog.count(filters) == len(expected)
        assert {row.id for row in catalog.by_file(catalog.files_matching(filters)).values()} == (
            expected
        )


@deep
@some_of_them
@given(SEEDS)
def test_each_single_filter_value_is_read_as_the_oracle_reads_it(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, 15))
    catalog = catalog_of(made)
    for path in (*PATHS, *GLOBS, "src/auth", "SRC/AUTH", "?oken.py", "h/token.py", "a b.md"):
        for filters in (Filters(paths=(path,)), Filters(excluded=(("path", path),))):
            assert set(ids(catalog, filters)) == oracle.matching(made, filters), path
    for author in AUTHORS:
        one = Filters(authors=(author["name"].upper(),))
        assert set(ids(catalog, one)) == oracle.matching(made, one)


@deep
@some_of_them
@given(SEEDS)
def test_problems_between_files_are_the_oracles(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, rng.randint(1, 20)))
    for path in rng.sample(list(made), min(2, len(made))):  # the same id in a second file
        data = dict(made[path])
        if rng.random() < 0.5:
            data["links"] = {"supersedes": [rng.choice(list(made.values()))["id"]]}
            if data["links"]["supersedes"] == [data["id"]]:
                del data["links"]
        made[f"{rng.choice('az')}{path}"] = data
    found = catalog_of(made, rng.sample(list(made), len(made))).problems()
    assert {oracle.Fault(p.path, p.code, p.field) for p in found} == oracle.faults(made)


@deep
@some_of_them
@given(SEEDS)
def test_removing_and_changing_files_leaves_what_a_new_catalog_would_have(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, 12))
    copies = {f"{prefix}{path}": data for path, data in made.items() for prefix in ("", "a", "z")}
    catalog = catalog_of(copies)
    kept = dict(copies)
    states = catalog.states()
    with catalog.writing():
        for some in (rng.sample(list(copies), 15), rng.sample(list(copies), 5)):
            gone = [path for path in some if path in kept and rng.random() < 0.6]
            catalog.remove([states[path].file for path in gone])
            changes = []
            for path in set(some) & kept.keys() - set(gone):
                other = rng.choice(list(made.values()))
                content = entry_of(other)
                change = CatalogChange(path, (1, 2, 3, 4), 5, path.encode(), content, [])
                changes.append((states[path].file, change))
                kept[path] = other
            catalog.put(changes)
            for path in gone:
                del kept[path]
    assert catalog.dump() == catalog_of(kept).dump()


# --- rules that the oracle shares, said one by one ----------------------------------------------


def small(kind: str, number: int, **fields: Any) -> dict[str, Any]:
    prefix = {"error": "err", "fix": "fix", "decision": "dec", "session": "ses", "note": "note"}
    base = {
        "kind": kind,
        "id": f"{prefix[kind]}-{number:010}",
        "title": f"{kind} {number}",
        "created": f"2026-01-01T00:00:{number:02}Z",
        "author": {"name": "Ann"},
    }
    return base | fields


def status_of(*made: dict[str, Any]) -> dict[str, str]:
    by_path = {f"{data['kind']}s/{data['id']}.yaml": data for data in made}
    found = {row.id: row.status for row in catalog_of(by_path).rows(Filters())}
    assert found == oracle.statuses(by_path)
    return found


def error(number: int, *duplicates: int) -> dict[str, Any]:
    links = {"links": {"duplicates": [f"err-{other:010}" for other in duplicates]}}
    return small("error", number, **(links if duplicates else {}))


def fix(number: int, *fixed: int, outcome: str = "worked") -> dict[str, Any]:
    links = {"fixes": [f"err-{other:010}" for other in fixed]}
    return small("fix", number, links=links, outcome=outcome)


@pytest.mark.parametrize("outcome", ["partial", "failed", "unverified"])
def test_an_error_stays_open_until_a_fix_worked(outcome: str) -> None:
    assert status_of(error(1), fix(2, 1, outcome=outcome))["err-0000000001"] == "open"
    assert status_of(error(1), fix(2, 1))["err-0000000001"] == "resolved"


def shown_of(*made: dict[str, Any]) -> list[str]:
    """Give what faces show of each error, in the order of their ids."""
    by_path = {f"{data['kind']}s/{data['id']}.yaml": data for data in made}
    rows = catalog_of(by_path).rows(Filters(kinds=("error",)))
    return [row.shown_status for row in sorted(rows, key=lambda row: row.id)]


def test_an_end_that_only_a_tool_claims_is_called_so() -> None:
    tool = {"author": {"name": "Ann", "via": "agent", "tool": "claude-code"}}
    passed = {"command": "pytest", "after": {"result": "passed"}}
    claim, proof = fix(2, 1) | tool, fix(3, 1) | tool | {"verification": passed}
    assert shown_of(error(1), claim) == ["resolved (claimed)"]
    assert shown_of(error(1), claim, proof) == ["resolved"]
    assert shown_of(error(1), claim, fix(3, 1)) == ["resolved"]
    assert shown_of(error(1), claim, fix(3, 1, outcome="failed")) == ["resolved (claimed)"]
    assert shown_of(error(1)) == ["open"]
    # What held before it came back says nothing of what was claimed since.
    again = error(4, 1)
    assert shown_of(error(1), proof, again) == ["regressed", "duplicate"]
    claimed_again = fix(5, 4) | tool
    assert shown_of(error(1), proof, again, claimed_again) == ["resolved (claimed)"] * 2
    assert shown_of(error(1), proof, again, claimed_again, fix(6, 1)) == ["resolved"] * 2


def test_a_later_failed_attempt_does_not_open_an_error_again() -> None:
    assert status_of(error(1), fix(2, 1), fix(3, 1, outcome="failed"))["err-0000000001"] == (
        "resolved"
    )


def test_the_same_failure_recorded_after_the_fix_is_a_regression_of_the_first() -> None:
    found = status_of(error(1), fix(2, 1), error(3, 1))
    assert (found["err-0000000001"], found["err-0000000003"]) == ("regressed", "duplicate")
    mended = status_of(error(1), fix(2, 1), error(3, 1), fix(4, 1))
    assert (mended["err-0000000001"], mended["err-0000000003"]) == ("resolved", "resolved")


@pytest.mark.parametrize("said_twice", [False, True], ids=["alone", "in a group"])
def test_what_failed_long_after_another_record_of_it_was_fixed_came_back(
    *, said_twice: bool
) -> None:
    same = {"message": "no answer from the printer", "error_type": "PrinterError"}
    errors = [error(1) | same, error(2, *[1] * said_twice) | same, error(3) | same]
    tried = fix(5, 2, outcome="failed") | {"created": "2026-01-08T00:00:00Z"}
    found = status_of(*errors, fix(4, 3), tried)
    assert found["err-0000000001" if said_twice else "err-0000000002"] == "regressed"
    assert found["err-0000000003"] == "resolved"


def test_a_decision_is_superseded_only_by_a_decision() -> None:
    old = small("decision", 1)
    links = {"supersedes": [old["id"]]}
    assert status_of(old, small("note", 2, links=links))[old["id"]] == "accepted"
    assert status_of(old, small("decision", 2, links=links))[old["id"]] == "superseded"


def test_of_two_files_with_one_id_the_first_path_speaks() -> None:
    first, second = small("note", 1, title="first"), small("note", 1, title="second")
    for order in (["a.yaml", "b.yaml"], ["b.yaml", "a.yaml"]):
        catalog = catalog_of({"a.yaml": first, "b.yaml": second}, order)
        assert [row.title for row in catalog.rows(Filters())] == ["first"]
        assert [(p.path, p.code) for p in catalog.problems()] == [("b.yaml", "duplicate-id")]


def test_links_of_a_shadowed_file_change_no_status() -> None:
    old = small("decision", 1)
    newer = small("decision", 2)
    hidden = newer | {"links": {"supersedes": [old["id"]]}}
    made = {"a.yaml": old, "b.yaml": newer, "c.yaml": hidden}
    assert catalog_of(made).rows(Filters(), "oldest")[0].status == "accepted"


def steps_to_judge(errors: int) -> tuple[set[str], int]:
    """Judge a fix of an error that was recorded so often after it; give SQLite's steps, too."""
    patch = "--- a/tax.py\n+++ b/tax.py\n@@ -1 +1,2 @@\n+rate = 1\n print(rate)\n"
    times = (f"2026-02-01T{number // 60:02}:{number % 60:02}:00Z" for number in range(errors))
    later = [small("error", 100 + number, created=when) for number, when in enumerate(times)]
    same = (("exact", "ab"), ("site", "cd"), ("template", "ef"))
    catalog = Catalog(":memory:")
    with catalog.writing():
        for file, data in enumerate([error(1), fix(2, 1) | {"patch": patch}, *later], 1):
            prints = same if data["kind"] == "error" else ()
            content, path = entry(from_data(data), prints), f"{data['id']}.yaml"
            change = CatalogChange(path, (1, 2, 3, 4), 5, path.encode(), content, [])
            catalog.put([(file, change)])
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    catalog._db.set_progress_handler(count, 1)
    again = catalog.recorded_again(["fix-0000000002"])
    return again, steps


def test_one_later_record_is_enough_to_tell_that_an_error_came_again() -> None:
    assert steps_to_judge(0)[0] == set()
    few, many = steps_to_judge(5), steps_to_judge(500)
    assert few[0] == many[0] == {"fix-0000000002"}
    assert many[1] < 2 * few[1]


# --- boundaries, sorting, prefixes --------------------------------------------------------------


def test_since_and_until_are_exact_to_the_second_that_is_named() -> None:
    times = ("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.500Z")
    made = {f"{i}.yaml": small("note", i, created=when) for i, when in enumerate(times)}
    catalog = catalog_of(made)
    midnight = "2026-01-01T00:00:00Z"
    assert ids(catalog, Filters(since=midnight)) == ["note-0000000002", "note-0000000001"]
    assert ids(catalog, Filters(until=midnight)) == ["note-0000000000"]


@pytest.mark.parametrize("kinds", [("Fix",), ("fix", "Decision"), ("FIX", "decision", "Note")])
def test_kinds_and_statuses_are_found_in_any_case_however_many_are_named(
    kinds: tuple[str, ...],
) -> None:
    catalog = catalog_of({
        f"{data['id']}.yaml": data
        for data in (error(1), fix(2, 1), small("decision", 3), small("note", 4))
    })  # fmt: skip
    named = {kind.lower() for kind in kinds}
    files = {row.file for row in catalog.rows(Filters(kinds=kinds))}
    assert {row.kind for row in catalog.rows(Filters(kinds=kinds))} == named
    assert catalog.files_matching(Filters(kinds=kinds)) == files
    several = Filters(statuses=("Worked", "accepted"))
    assert {row.kind for row in catalog.rows(several)} == {"fix", "decision"}


def test_files_of_kinds_are_looked_up_once_and_again_after_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = small("note", 1, title="first"), small("note", 1, title="second")
    catalog = catalog_of({"a.yaml": first, "b.yaml": second, "c.yaml": small("fix", 2)})
    asked: list[tuple[str, ...]] = []
    ask = Catalog._of_kinds

    def counted(catalog: Catalog, kinds: tuple[str, ...]) -> set[int]:
        asked.append(kinds)
        return ask(catalog, kinds)

    monkeypatch.setattr(Catalog, "_of_kinds", counted)
    notes = Filters(kinds=("note",))
    # Of two files with one id one is hidden.
    assert [catalog.files_matching(notes) for _ in range(3)] == [{1}] * 3
    assert len(asked) == 1
    with catalog.writing():
        catalog.remove([1])
    assert catalog.files_matching(notes) == {2}


def test_the_first_years_sort_before_the_others() -> None:
    made = {
        "a.yaml": small("note", 1, created="0001-01-01T00:00:00Z"),
        "b.yaml": small("note", 2, created="2026-01-01T00:00:00Z"),
    }
    assert ids(catalog_of(made), Filters()) == ["note-0000000002", "note-0000000001"]


@deep
@some_of_them
@given(SEEDS, st.sampled_from(sorted(SORTS)))
def test_every_sort_is_total_so_that_answers_do_not_depend_on_arrival(seed: int, sort: str) -> None:
    rng = Random(seed)
    made = files(memory(rng, 15))
    one = catalog_of(made).rows(Filters(), sort)
    other = catalog_of(made, rng.sample(list(made), len(made))).rows(Filters(), sort)
    assert [row.id for row in one] == [row.id for row in other]
    assert [row.created for row in one] == sorted((row.created for row in one), reverse=True) or (
        sort != "created"
    )


def test_limit_and_offset_cut_pages_out_of_one_order() -> None:
    catalog = catalog_of(files(memory(Random(3), 20)))
    whole = ids(catalog, Filters())
    pages = [catalog.rows(Filters(), limit=7, offset=start) for start in (0, 7, 14)]
    assert [row.id for page in pages for row in page] == whole
    assert catalog.rows(Filters(), limit=0) == []


@deep
@some_of_them
@given(SEEDS)
def test_a_prefix_finds_every_id_that_starts_so(seed: int) -> None:
    rng = Random(seed)
    made = files(memory(rng, 20))
    catalog = catalog_of(made)
    known = sorted(str(data["id"]) for data in made.values())
    for typed in (rng.choice(known)[: rng.randint(5, 15)], "err-", "fix-7", "zz-"):
        expected = [one for one in known if one.startswith(typed)]
        assert [row.id for row in catalog.by_prefix(typed, 100)] == expected
        tail = typed.partition("-")[2] or "0"
        expected = [one for one in known if one.partition("-")[2].startswith(tail)]
        assert [row.id for row in catalog.by_prefix(tail, 100)] == expected


@pytest.mark.parametrize("text", ["'", '"; DROP TABLE files; --', "%", "_", "!", "\\", "é"])
def test_no_value_is_read_as_sql(text: str) -> None:
    made = files(memory(Random(1), 10))
    catalog = catalog_of(made)
    for name in ("tags", "paths", "types", "authors", "sessions"):
        wanted: Any = {name: (text,)}
        filters = Filters(**wanted)
        assert set(ids(catalog, filters)) == oracle.matching(made, filters), name
    assert catalog.by_prefix(text) == []
    assert len(catalog.rows(Filters())) == len(made)


def test_backlinks_come_oldest_first_and_only_from_records_that_speak() -> None:
    made = {
        "errors/1.yaml": error(1),
        "fixes/3.yaml": fix(3, 1),
        "fixes/2.yaml": fix(2, 1, outcome="failed"),
        "fixes/9-copy.yaml": fix(3, 1, outcome="failed"),
    }
    found = catalog_of(made).linking_to("err-0000000001")
    assert [(relation, row.id, row.status) for relation, row in found] == [
        ("fixes", "fix-0000000002", "failed"),
        ("fixes", "fix-0000000003", "worked"),
    ]


def test_times_of_other_zones_are_the_same_moment() -> None:
    made = {"a.yaml": small("note", 1, created="2026-01-01T01:00:00+01:00")}
    assert catalog_of(made).rows(Filters())[0].created == stamp(datetime(2026, 1, 1, tzinfo=UTC))


def test_more_files_than_one_question_can_name_are_looked_up() -> None:
    made = {f"{i}.yaml": small("note", i, created="2026-01-01T00:00:00Z") for i in range(30)}
    catalog = catalog_of(made)
    assert len(catalog.by_file(range(300_000))) == 30


def test_a_question_about_any_count_of_records_has_few_forms_and_the_same_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = files(memory(Random(5), 80))
    catalog = catalog_of(made)
    last = catalog.last()
    every = catalog.by_file(range(1, last + 1))
    forms: set[str] = set()
    ask = catalog._ask

    def noted(sql: str, values: Any = ()) -> list[Any]:
        forms.add(sql)
        return ask(sql, values)

    monkeypatch.setattr(catalog, "_ask", noted)
    for count in range(1, last + 1):
        some = range(1, count + 1)
        assert catalog.by_file(some) == {file: every[file] for file in some if file in every}
    # Each is read by SQLite once; one form for each count took longer to read than to answer.
    assert len(forms) <= 5


def test_what_was_asked_about_a_record_is_asked_again_after_a_change_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = files(memory(Random(7), 40))
    catalog = catalog_of(made)
    every = list(range(1, catalog.last() + 1))
    rows = catalog.by_file(every)
    errors = [row.id for row in rows.values() if row.kind == "error"]
    answers = [catalog.fixes_of(errors), catalog.fixed_by(every), catalog.paths_of(every)]
    asked: list[str] = []
    ask = catalog._ask

    def noted(sql: str, values: Any = ()) -> list[Any]:
        asked.extend([sql] if sql.startswith("SELECT") else [])
        return ask(sql, values)

    monkeypatch.setattr(catalog, "_ask", noted)
    # In whatever order, how often, and of how many of them.
    assert catalog.by_file([*reversed(every), 1]) == rows
    assert [*catalog.by_file(every[3:9])] == [file for file in every[3:9] if file in rows]
    assert [catalog.fixes_of(errors), catalog.fixed_by(every), catalog.paths_of(every)] == answers
    assert not asked
    path = rows[max(rows)].path
    with catalog.writing():
        catalog.remove([max(rows)])
    assert max(rows) not in catalog.by_file(every)

    def take_back() -> None:
        with catalog.writing():
            catalog.remove([min(rows)])
            assert min(rows) not in catalog.by_file(every)
            raise ZeroDivisionError

    # What was asked within a change that is taken back was never so.
    with pytest.raises(ZeroDivisionError):
        take_back()
    assert [row.path for row in catalog.by_file([min(rows)]).values()] == [rows[min(rows)].path]
    assert path not in catalog.digests()
