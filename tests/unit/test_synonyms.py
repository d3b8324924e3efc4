"""Other words for what was typed."""

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gitmem.search.synonyms as module
from gitmem.index.analysis import query_terms
from gitmem.search.synonyms import related

TABLE = os.path.join(os.path.dirname(module.__file__), "synonyms.txt")


def table() -> list[list[str]]:
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return [line.split(" = ") for line in lines]


def roots(text: str) -> tuple[str, ...]:
    return tuple(leaf for token in query_terms(text) for leaf in token.leaves)


LINES = table()
NAMES = [name for line in LINES for name in line]


def expected(words: str, own: list[str]) -> set[str]:
    """Look through every line, as plainly as can be."""
    asked = roots(words)
    found: set[str] = set()
    for line in [*LINES, *([name.strip() for name in entry.split("=")] for entry in own)]:
        there = {name for name in line if f" {' '.join(roots(name))} " in f" {' '.join(asked)} "}
        found |= set(line) - there if there else set()
    return found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("k8s", {"kubernetes", "kube"}),
        ("the Kubernetes nodes", {"k8s", "kube"}),
        ("why out of memory", {"oom", "out of ram", "unable to allocate"}),
        ("the disk is full", {"disk full", "enospc", "no space left", "out of disk space"}),
        ("OOM in the worker", {"out of memory", "out of ram", "unable to allocate"}),
        ("memory out of", set()),
        ("merge requests", {"pull request", "pr"}),
        ("policies for audit trails", {"audit log"}),
        ("auth, not k8s", {"authentication", "authn", "kubernetes", "kube"}),
        ("k8s or kubernetes", {"kube"}),
        ("", set()),
        ("???", set()),
        ("= =", set()),
        ("# languages", set()),
    ],
)
def test_other_words(words: str, found: set[str]) -> None:
    assert set(related(words)) == found


def test_a_team_has_its_own_words() -> None:
    own = ["PSP  = Payment Provider", "kraken=billing service = k8s"]
    assert "psp" in related("the payment providers time out", own)
    assert set(related("kraken", own)) == {"billing service", "k8s"}
    assert set(related("k8s", own)) == {"kubernetes", "kube", "kraken", "billing service"}
    assert related("kraken") == ()


def test_a_long_question_stands_for_itself() -> None:
    assert related("k8s " + " ".join(f"word{n}" for n in range(60))) == ()


def test_every_line_of_the_table_names_one_thing_and_no_other_line_does() -> None:
    assert len(LINES) > 250
    for line in LINES:
        assert len(line) > 1
        assert all(re.fullmatch(r"[a-z0-9]\S*( \S+){0,3}", name) for name in line), line
    found = [roots(name) for name in NAMES]
    assert all(found)
    assert sorted(found) == sorted(set(found))


@given(
    st.lists(st.sampled_from([*NAMES, "the", "our", "breaks"]), max_size=5).map(" ".join),
    st.lists(
        st.lists(st.sampled_from(["kraken", "billing", "k8s", "the db"]), min_size=2, max_size=3)
        .map(" = ".join),
        max_size=2,
    ),
)  # fmt: skip
def test_what_is_found_is_what_looking_through_all_lines_finds(words: str, own: list[str]) -> None:
    assert set(related(words, own)) == expected(words, own)
