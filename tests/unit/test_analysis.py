import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.index.analysis import MAX_LENGTH, plain, query_terms, stem, terms
from gitmem.index.spelling import among, distance, is_word, scan
from tests.depth import sampled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("camelCase", "camelcase camel case"),
        ("HTTPServer2", "httpserver2 http server"),
        ("XMLHttpRequest", "xmlhttprequest xml http request"),
        ("snake_case", "snake_case snake case"),
        ("kebab-case", "kebab-case kebab case"),
        ("dotted.names.here", "dotted.names.here dotted dot names name here"),
        ("__init__", "__init__ init"),
        ("src/auth/token.py:42", "src/auth/token.py token.py src auth token py 42"),
        (r"src\auth\Token.py:4:2", "src/auth/token.py token.py src auth token py 4 2"),
        ("Foo::bar()", "foo::bar foo bar"),
        ("comparing", "comparing compar"),
        ("E501", "e501"),
        ("404", "404"),
        ("TS2322", "ts2322 ts 2322"),
        ("0x80070005", "0x80070005"),
        ("d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("TypeError:", "typeerror type error"),
        ("(HTTP)", "http"),
        ("STRASSE straße", "strasse strass"),
        ("\uff34\uff59\uff50\uff45\uff25\uff52\uff52\uff4f\uff52", "typeerror type error"),
        ("e\u0301cole", "école"),
        ("エラー発生", "エラ ラー ー発 発生"),
        ("字", "字"),
        ("エラーcode", "エラ ラー code"),
        ("한국어", "한국 국어"),
        ("... -- _ /", ""),
        ("", ""),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert list(terms(text)) == expected.split()


def test_terms_are_counted() -> None:
    assert terms("token Token parse_token") == {"token": 3, "parse_token": 1, "parse": 1, "pars": 1}


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("token.py", "in src/auth/token.py:42"),
        ("parse", "parse_token"),
        ("parse_token", "auth.parse_token(x)"),
        ("Token", "parseToken"),
        ("compare", "comparing"),
        ("e501", "E501: line too long"),
        ("tokens", "parse_token"),
        ("straße", "STRASSE"),
        ("発生", "エラー発生"),
    ],
)
def test_a_text_has_the_leaves_of_what_finds_it(asked: str, text: str) -> None:
    (token,) = query_terms(asked)
    assert set(token.leaves) <= terms(text).keys()


def test_a_code_is_not_found_by_its_number() -> None:
    assert not terms("E501").keys() & terms("501").keys()


@given(st.text(max_size=300))
def test_questions_ask_for_what_documents_have(text: str) -> None:
    wanted = {term for token in query_terms(text) for term in token.terms}
    assert wanted == terms(text).keys()
    leaves = {leaf for token in query_terms(text) for leaf in token.leaves}
    assert leaves <= wanted
    assert all(term and len(term.encode()) < 65_536 for term in wanted)


@given(st.text(max_size=100))
def test_a_text_is_its_own_plain_form(text: str) -> None:
    assert plain(f"  {text}\n") == plain(text)


@sampled(5)
@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "aB" * 500_000,
        "a/b" * 333_333,
        "a." * 500_000,
        "-" * 1_000_000,
        "A" * 1_000_000,
        "e\u0301\u0316" * 333_333,
        "e" + "\u0301\u0316" * 500_000,
        "字" * 1_000_000,
        "_1" * 500_000,
        " ".join(f"name_{n}" for n in range(100_000)),
        ":1" * 500_000,
        "\ufdfa" * 50_000,
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_a_megabyte_of_anything_is_analysed(text: str) -> None:
    found = terms(text)  # what takes quadratic time runs into the suite's time limit
    assert all(len(term) <= 4 * MAX_LENGTH for term in found)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # Examples of Porter's paper, and words whose y or double letters decide.
        ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("cats", "cat"),
        ("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"),
        ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"), ("sized", "size"),
        ("hopping", "hop"), ("tanned", "tan"), ("falling", "fall"), ("failing", "fail"),
        ("filing", "file"), ("happy", "happi"), ("sky", "sky"), ("relational", "relat"),
        ("conditional", "condit"), ("digitizer", "digit"), ("hopefulness", "hope"),
        ("formality", "formal"), ("triplicate", "triplic"), ("electricity", "electr"),
        ("allowance", "allow"), ("adjustment", "adjust"), ("adoption", "adopt"),
        ("probate", "probat"), ("rate", "rate"), ("controlling", "control"), ("roll", "roll"),
        ("putting", "put"), ("preferred", "prefer"), ("synchronize", "synchron"), ("is", "is"),
        ("possibly", "possibl"), ("apology", "apolog"), ("yes", "ye"), ("ion", "ion"),
    ],
)  # fmt: skip
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=40))
def test_a_stem_is_never_empty_nor_longer(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1


@pytest.mark.parametrize(
    ("word", "other", "steps"),
    [("", "ab", 2), ("conection", "connection", 1), ("retyr", "retry", 1), ("abc", "ca", 3)],
)
def test_distance(word: str, other: str, steps: int) -> None:
    assert distance(word, other) == distance(other, word) == steps


def _plain_distance(word: str, other: str) -> int:
    """The table of distances, as the definition has it."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, its in enumerate(other, 1):
            steps = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and its == word[i - 2]:
                steps = min(steps, rows[-2][j - 2] + 1)
            row.append(steps)
        rows.append(row)
    return rows[-1][-1]


@settings(max_examples=1_000)
@given(st.text("abc_é", max_size=9), st.text("abc_é", max_size=9))
def test_distances_are_those_of_the_plain_table(word: str, other: str) -> None:
    assert distance(word, other) == _plain_distance(word, other)


def _listed(lexicon: set[str]) -> str:
    return "\n".join(["", *sorted(filter(is_word, lexicon)), ""])


@settings(max_examples=1_000)
@given(
    st.text(alphabet="abcé", min_size=2, max_size=6),
    st.sets(st.text(alphabet="abcdé_1", min_size=1, max_size=7), max_size=60),
    st.integers(0, 2),
)
def test_looking_among_words_finds_what_trying_every_word_finds(
    word: str, lexicon: set[str], most: int
) -> None:
    assert among(word, most, _listed(lexicon)) == scan(word, most, lexicon)


def test_a_look_among_many_words_finds_what_a_scan_finds() -> None:
    picks = random.Random(1)
    lexicon = {"".join(picks.choices("abcdefghij", k=8)) for _ in range(50_000)}
    assert among("abcdefgh", 2, _listed(lexicon)) == scan("abcdefgh", 2, lexicon)


def test_asking_needs_no_heavy_import() -> None:
    code = (
        "import sys, gitmem.query, gitmem.index.protocol, gitmem.index.whoosh_index;"
        "print(*sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    modules = {name.partition(".")[0] for name in out.stdout.split()}
    assert not modules & {"whoosh", "msgspec", "yaml", "urllib", "dataclasses", "difflib", "json"}
