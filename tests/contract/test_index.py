"""What every index does, and that the one on disk answers exactly as the oracle does."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.index import fillers, index_update, ranking, scan_index, term_table, whoosh_index
from gitmem.index.document import Document, plain_text
from gitmem.index.evidence import FileLine
from gitmem.index.protocol import Hit, Index
from gitmem.index.scan_index import ScanIndex
from gitmem.index.scoring import ALL_TERMS, CANDIDATES, MAX_PASTED, MAX_RELATED, MAX_TERMS
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.query import Query, parse
from tests.depth import amount, deep

NOW = datetime(2026, 11, 21, tzinfo=UTC)
DOCUMENTS = {
    1: Document("Naive datetime compared", "TypeError src/auth/token.py", "can't compare naive"),
    2: Document("Token expires", "src/auth/token.py:42 expire_token", "the token of a session"),
    3: Document("Connection refused", "ConnectionError", "retry the connection, then connect"),
    4: Document("Use UTC everywhere", "", "aware datetimes only; naive ones are refused"),
    5: Document("エラー発生", "", "接続できません"),
}


@pytest.fixture
def directory(tmp_path: Any) -> str:
    return str(tmp_path / "index")


@pytest.fixture(params=["scan", "whoosh"])
def index(request: pytest.FixtureRequest, directory: str) -> Iterator[Index]:
    made: Index = ScanIndex() if request.param == "scan" else WhooshIndex(directory)
    yield made
    made.close()


@pytest.fixture
def filled(index: Index) -> Index:
    index.update(DOCUMENTS.items(), [])
    return index


def text_of(key: int) -> str:
    return plain_text(DOCUMENTS[key])


def ask(index: Index, query: Query | str, limit: int = 10, **options: Any) -> list[Hit]:
    made = Query(query) if isinstance(query, str) else query
    return index.search(made, limit, **{"text_of": text_of, **options})


def keys(index: Index, query: Query | str, limit: int = 10, **options: Any) -> list[int]:
    return [hit.key for hit in ask(index, query, limit, **options)]


# Finding


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("naive datetime", [1, 4]),
        ("token.py", [2, 1]),
        ("src/auth/token.py:99", [2, 1]),
        ("TypeError", [1]),
        ("connecting", [3]),
        ("発生", [5]),
        ("nowhere", []),
        ("???", []),
        ("expire", [2]),
    ],
)
def test_words(filled: Index, query: str, found: list[int]) -> None:
    assert keys(filled, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query(phrases=("Can't  COMPARE naive",)), [1]),
        (Query(phrases=("compare naive", "token.py")), [1]),
        (Query(phrases=("naive compare",)), []),
        (Query(phrases=("can't compare nai",)), []),
        (Query("token", phrases=("naive",)), [1, 4]),
        (Query(phrases=(";",)), [4]),
        (Query("naive", excluded=("tokens",)), [4]),
        (Query("naive", excluded=("naive datetime",)), [4]),
        (Query("naive", excluded=("auth/token",)), [4]),
        (Query(excluded=("token", "refused")), [5]),
        (Query(), [5, 4, 3, 2, 1]),
        (Query(fuzzy=(("conection", 1),)), [3]),
        (Query(fuzzy=(("conection", 2),), excluded=("retry",)), []),
        (Query(fuzzy=(("zzzzzz", 2),)), []),
        (Query("nowhere", related=("connection",)), [3]),
        (Query("nowhere", related=("the of it",)), []),
        (Query("naive", excluded=("tokens",), related=("tokens",)), [4]),
        (Query("\udcff token \0"), [2, 1]),
    ],
)
def test_operators(filled: Index, query: Query, found: list[int]) -> None:
    assert keys(filled, query) == found


def test_a_phrase_does_not_reach_from_one_text_into_the_next(filled: Index) -> None:
    assert keys(filled, Query(phrases=("compared typeerror",))) == []


def test_limits(filled: Index) -> None:
    assert keys(filled, "naive", 1) == [1]
    assert keys(filled, "naive", 0) == []
    assert keys(filled, "naive", -1) == []


@pytest.mark.parametrize("allow", [{4, 5}, [4], lambda key: key > 3, {4: "x"}])
def test_only_what_is_allowed_is_found(filled: Index, allow: Any) -> None:
    assert keys(filled, "naive", 1, allow=allow) == [4]
    assert keys(filled, "naive", allow=()) == []
    assert 1 not in keys(filled, Query(), allow=allow)


def test_texts_are_read_only_for_phrases(filled: Index) -> None:
    def none(key: int) -> str:
        raise AssertionError(key)

    assert keys(filled, "naive token", text_of=none)
    assert keys(filled, Query("naive", excluded=("tokens",)), text_of=none)


def test_parts_make_up_the_score(filled: Index) -> None:
    hits = ask(filled, "naive datetime token")
    assert hits
    for hit in hits:
        assert hit.score == pytest.approx(sum(part for _, part in hit.terms))
        assert list(hit.terms) == sorted(hit.terms, key=lambda part: -part[1])
        assert hit.score > 0


def test_having_every_word_earns_a_bonus(index: Index) -> None:
    index.update([(1, Document(body="alpha beta")), (2, Document(body="alpha gamma"))], [])
    both = ask(index, "alpha beta")[0]
    alone = dict(ask(index, "alpha")[0].terms)
    assert dict(both.terms)["alpha"] == pytest.approx(alone["alpha"] * ALL_TERMS)


def test_of_equal_scores_the_newest_comes_first(index: Index) -> None:
    index.update([(key, DOCUMENTS[1]) for key in (3, 9, 1, 7)], [])
    assert keys(index, "naive", 3) == [9, 7, 3]


def test_titles_weigh_more_than_names_and_bodies(index: Index) -> None:
    title, names, body = "filler " * 10, "filler " * 40, "filler " * 220  # of typical length
    index.update(
        [
            (1, Document(f"{title} needle", names, body)),
            (2, Document(title, f"{names} needle", body)),
            (3, Document(title, names, f"{body} needle")),
        ],
        [],
    )
    assert keys(index, "needle") == [1, 2, 3]


def test_a_fuzzy_word_gives_less_than_the_word(filled: Index) -> None:
    # Both ways the word and its root count; a typed word's own form counts little by itself.
    (exact,) = ask(filled, "connection", allow={3})
    (loose,) = ask(filled, Query(fuzzy=(("conection", 1),)), allow={3})
    assert dict(loose.terms).keys() == dict(exact.terms).keys() == {"connection", "connect"}
    assert loose.score < exact.score


def test_another_word_gives_less_than_the_one_that_was_typed(filled: Index) -> None:
    (typed,) = ask(filled, "connect", allow={3})
    (meant,) = ask(filled, Query("nowhere", related=("connecting",)), allow={3})
    (both,) = ask(filled, Query("connect", related=("connecting",)), allow={3})
    (shared,) = ask(filled, Query("nowhere", related=("connecting nowhere",)), allow={3})
    assert 0 < shared.score < meant.score < typed.score == both.score


def test_other_words_keep_out_none_of_those_that_were_typed(index: Index) -> None:
    typed = [f"common{chr(97 + n)}{chr(97 + n)}" for n in range(MAX_TERMS)]
    others = tuple(f"other{chr(97 + n)}{chr(97 + n)}" for n in range(MAX_RELATED + 3))
    index.update([(1, Document(body=" ".join(typed))), (2, Document(body=" ".join(typed)))], [])
    index.update([(n + 3, Document(body=word)) for n, word in enumerate(others)], [])
    alone = ask(index, " ".join(typed), allow={1})
    assert len(alone[0].terms) == MAX_TERMS
    assert ask(index, Query(" ".join(typed), related=others), allow={1}) == alone


def test_of_a_long_question_the_rarest_words_count(index: Index) -> None:
    common = [f"common{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(MAX_TERMS)]
    documents = [(n + 2, Document(body=" ".join(common))) for n in range(3)]
    index.update([(1, Document(body="rarest")), *documents], [])
    found = ask(index, " ".join([*common, "rarest"]))
    assert {hit.key for hit in found} == {1, 2, 3, 4}
    assert len(found[0].terms) == MAX_TERMS - 1


@pytest.mark.parametrize(
    ("query", "respelt"),
    [
        (Query("conection refused"), "connection refused"),
        (Query("datetmie"), "datetime"),
        (Query("naive"), None),
        (Query("zzzzzzzz"), None),
        (Query("conection\nx", pasted=True), None),
        (Query("", phrases=("conection refused",)), '"connection refused"'),
        (Query("retyr"), "retry"),
        (Query("xy"), None),
        (Query("how is the datetmie"), "how is the datetime"),
        (Query("far"), None),
        (Query("ues"), "use"),
        (Query("naive datet"), "naive datetime"),
        (Query("connec"), "connection"),
        (Query("conn naive"), None),  # only the last word may be half typed
    ],
)
def test_suggestions(filled: Index, query: Query, respelt: str | None) -> None:
    assert filled.suggest(query) == respelt


PROSE = {
    1: Document("How the clock works", "", "it is not set: there was an error"),
    2: Document("Fix the build", "", "the fix is how it works"),
    3: Document("Compiler crashes", "InternalError", "error"),
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (Query("how does kubernetes work"), []),
        (Query("is there a fix of kubernetes"), []),
        (Query("errors in kubernetes"), []),
        (Query("kubernetes_error"), []),
        (Query("how does the clock work"), [1]),
        (Query("the clocks error"), [1]),
        (Query("the", fuzzy=(("cloc", 1),)), [1]),
        (Query("the", fuzzy=(("kubernetis", 1),)), []),
        (Query("how are clusters wrong", related=("clock",)), [1]),
        (Query("how are clusters wrong", related=("error", "how to")), []),
        (Query("error"), [3, 1]),
        (Query("how do errors work"), [1, 2, 3]),
        (Query("how"), [2, 1]),
        (Query("how kubernetes", phrases=("is not",)), [1]),
    ],
)
def test_a_record_that_shares_only_fillers_is_no_answer(
    index: Index, query: Query, found: list[int]
) -> None:
    index.update(PROSE.items(), [])
    assert keys(index, query, text_of=lambda key: plain_text(PROSE[key])) == found


def test_a_word_of_most_records_alone_is_no_answer(index: Index) -> None:
    common = {n: Document(f"pytest stops at {'x' * n}", "", "") for n in range(2, 32)}
    index.update([*common.items(), (1, Document("Coverage is empty", "", ""))], [])
    assert keys(index, "pytest kubernetes") == []
    assert keys(index, "pytest xxxxxxx") == [7]
    assert keys(index, "pytest coverage") == [1]
    assert len(keys(index, "pytest", 50)) == len(common)


# Changing


def test_a_new_index_is_empty(index: Index) -> None:
    assert index.generation() == ""
    assert index.keys() == set()
    assert keys(index, "naive") == []
    assert keys(index, Query()) == []
    assert index.suggest(Query("naive")) is None
    assert index.update([], []) == ""
    assert index.update([], [7]) == ""


def test_generations_change_with_each_update(index: Index) -> None:
    seen = {index.generation()}
    for upserts, deletes in [
        ([(1, DOCUMENTS[1])], []),
        ([(1, DOCUMENTS[2])], []),
        ([(2, DOCUMENTS[1])], []),
        ([], [1]),
        ([], [2]),
    ]:
        made = index.update(upserts, deletes)
        assert made == index.generation()
        assert made not in seen
        seen.add(made)
    assert index.update([], [99]) == index.generation() in seen
    assert index.keys() == set()


def test_updates_replace_and_remove(filled: Index) -> None:
    filled.update([(1, Document(body="token")), (6, DOCUMENTS[4])], [4, 2, 77])
    assert filled.keys() == {1, 3, 5, 6}
    assert keys(filled, "naive") == [6]
    assert keys(filled, "token") == [1]


def test_of_a_key_that_comes_twice_the_last_counts(index: Index) -> None:
    index.update([(1, DOCUMENTS[1]), (2, DOCUMENTS[2]), (1, DOCUMENTS[4])], [1])
    assert index.keys() == {1, 2}
    assert keys(index, "everywhere") == [1]
    assert keys(index, "compare") == []


def test_empty_documents_are_kept(index: Index) -> None:
    index.update([(1, Document()), (2**40, Document("x"))], [])
    assert index.keys() == {1, 2**40}
    assert keys(index, Query()) == [2**40, 1]


def test_progress_is_told(index: Index) -> None:
    told: list[int] = []
    index.update(DOCUMENTS.items(), [], told.append)
    assert told == [1, 2, 3, 4, 5]


def test_an_update_that_fails_changes_nothing(filled: Index) -> None:
    before = filled.generation()

    def broken() -> Iterator[tuple[int, Document]]:
        yield 9, DOCUMENTS[1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.update(broken(), [1])
    assert (filled.generation(), filled.keys()) == (before, set(DOCUMENTS))


# Pasted outputs

TRACE = """Traceback (most recent call last):
  File "/home/ann/shop/src/auth/token.py", line 42, in parse_token
    return datetime.now() < expires
TypeError: can't compare offset-naive and offset-aware datetimes
"""


def pasted(index: Index, text: str) -> list[Hit]:
    return ask(index, Query(text, pasted=True))


def test_the_failing_line_brings_its_record_to_the_front(index: Index) -> None:
    said = "TypeError: can't compare offset-naive and offset-aware datetimes"
    words = "parse_token src/auth/token.py datetime now expires return"
    same = Document("Session", words, said, code=("return datetime.now() < expires",))
    other = Document("Session", words, said, code=("return datetime.now() > created",))
    index.update([(1, same), (2, other)], [])
    first, second = pasted(index, TRACE)
    assert (first.key, second.key) == (1, 2)
    # A failing line of its own counts against a record, the less the more it is the same one.
    assert dict(second.terms)["another trace"] < dict(first.terms).get("another trace", 0.0)


def test_a_near_line_of_the_same_file_counts_more_than_a_far_one(index: Index) -> None:
    said = Document("Session", "token.py", "datetimes")
    far, near = (
        said._replace(places=(FileLine("token.py", 900),)),
        said._replace(places=(FileLine("token.py", 44),)),
    )
    index.update([(1, near), (2, far)], [])
    first, second = pasted(index, TRACE)
    assert (first.key, second.key) == (1, 2)
    assert dict(first.terms)["place"] > dict(second.terms)["place"] > 0


def test_the_parts_of_a_pasted_output_make_up_its_score(filled: Index) -> None:
    hits = pasted(filled, TRACE)
    assert hits
    for hit in hits:
        assert hit.score == pytest.approx(sum(part for _, part in hit.terms))


def test_rare_words_of_a_long_stack_do_not_keep_out_what_the_message_says(index: Index) -> None:
    # The words of the stack are rarer than those of the message, which two records have.
    calls = [f"call{chr(97 + n)}{chr(97 + n)}" for n in range(MAX_PASTED)]
    others = [(10 + n, Document(body=f"src/{call}.py")) for n, call in enumerate(calls)]
    said = [(n, Document(f"reports of export number{n}", body="exports")) for n in (1, 2)]
    index.update([*others, *said], [])
    frames = "".join(f'  File "src/{call}.py", line 3, in {call}\n    go()\n' for call in calls)
    trace = f"Traceback (most recent call last):\n{frames}ValueError: no export\n"
    assert {1, 2} <= set(keys(index, Query(trace, pasted=True)))


def test_marks_are_no_words(index: Index) -> None:
    index.update([(1, Document("naive", quoted=("token",), code=("x = 1",)))], [])
    assert keys(index, Query(fuzzy=(("qtoken", 2),))) == []
    assert index.suggest(Query("qnaive")) == "naive"


def test_pasted_outputs_are_answered_up_to_any_limit(index: Index) -> None:
    index.update([(key, DOCUMENTS[1]) for key in range(1, CANDIDATES + 10)], [])
    assert len(ask(index, Query(TRACE, pasted=True), CANDIDATES + 5)) == CANDIDATES + 5


# The index on disk against the oracle

WORDS = [
    "naive", "datetime", "compare", "comparing", "token", "tokens", "parse_token", "parseToken",
    "src/auth/token.py:42", "connection", "conection", "connect", "refused", "E501",
    "エラー発生", "retry", "the", "of", "how", "working", "error", "how-to", "x", "y",
]  # fmt: skip
text = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
FILES = ["token.py", "auth.py"]
documents = st.builds(
    Document,
    text,
    text,
    text,
    head=text,
    quoted=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    code=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    places=st.lists(
        st.builds(FileLine, st.sampled_from(FILES), st.integers(0, 60)), max_size=2
    ).map(tuple),
)
steps = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(1, 25), documents), max_size=8),
        st.sets(st.integers(1, 25), max_size=4),
        st.booleans(),
    ),
    min_size=1,
    max_size=7,
)
phrases = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join), max_size=1
)
queries = st.builds(
    Query,
    words=st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    phrases=phrases.map(tuple),
    excluded=phrases.map(tuple),
    fuzzy=st.lists(
        st.tuples(st.sampled_from(["conection", "tokne", "parse", "x"]), st.integers(1, 2)),
        max_size=1,
    ).map(tuple),
    pasted=st.booleans(),
    related=st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join), max_size=3
    ).map(tuple),
)


outputs = st.builds(
    lambda file, line, code, said, quoted: Query(
        f'Traceback\n  File "src/{file}", line {line}, in f\n    {code}\n{said} "{quoted}"',
        pasted=True,
    ),
    st.sampled_from(FILES),
    st.integers(1, 60),
    st.sampled_from(WORDS),
    text,
    st.sampled_from(WORDS),
)


@deep
@settings(
    max_examples=amount(share=20, ci=60, whole=600),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    steps=steps, asked=st.lists(queries | outputs, min_size=1, max_size=6), limit=st.integers(1, 30)
)
def test_the_index_on_disk_answers_as_the_oracle_does(
    tmp_path_factory: pytest.TempPathFactory, steps: Any, asked: list[Query], limit: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Small numbers, so that merges, several segments and several blocks come up.
        patch.setattr(whoosh_index, "CANDIDATES", 4)
        patch.setattr(ranking, "WORTH_PRUNING", 0)
        patch.setattr(scan_index, "CANDIDATES", 4)
        patch.setattr(fillers, "_ALWAYS_TELLING", 1)
        patch.setattr(index_update, "TOGETHER", 2)
        patch.setattr(index_update, "MAX_POSTINGS", 60)
        patch.setattr(term_table, "BLOCK", 3)
        patch.setattr(term_table, "AS_TUPLE", 2)
        directory = str(tmp_path_factory.mktemp("index"))
        disk, oracle = WhooshIndex(directory), ScanIndex()
        current: dict[int, Document] = {}
        for upserts, deletes, reopen in steps:
            disk.update(upserts, deletes)
            oracle.update(upserts, deletes)
            current = {key: value for key, value in current.items() if key not in deletes}
            current.update(upserts)
            if reopen:
                disk.close()
                disk = WhooshIndex(directory)
            assert disk.keys() == oracle.keys() == current.keys()
            for query in asked:
                texts = {key: plain_text(value) for key, value in current.items()}
                read = texts.__getitem__
                assert disk.search(query, limit, text_of=read) == oracle.search(
                    query, limit, text_of=read
                )
                assert disk.suggest(query) == oracle.suggest(query)
        disk.close()


def test_a_typed_question_reaches_its_record(filled: Index) -> None:
    query = parse('"compare naive" -windows datetmie~', NOW)
    assert keys(filled, query) == [1]
