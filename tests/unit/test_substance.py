"""A document is read for what it says, whatever template it was written in."""

import pytest

from gitmem.semantic.substance import substance

SAID = "Two departments share a cluster, and one disturbs the other."


@pytest.mark.parametrize(
    "around",
    [
        f"---\nstatus: accepted\ndate: 2022-01-03\n---\n{SAID}",
        f"Date: 2022-01-03\n\n## Status\n\n✅ Accepted\n\nReplaced by 12.\n\n## Context\n\n{SAID}",
        f"* Status: accepted\n* Deciders: Ann, Bob\n- **Date**: 2022-01-03\n\n{SAID}",
        f"<!-- fill this in -->\n# Decision Outcome\n{SAID}",
        f"::: info\nmirrored from [there](https://example.org/a)\n:::\n{SAID}",
        f"{SAID}\n```yaml\ncluster: shared\n```\n",
        "**Two** departments [share](https://example.org) a `cluster`, and one disturbs the other.",
        f"{SAID}\nhttps://example.org/a/very/long/address?of=nothing",
    ],
)
def test_what_a_template_says_is_left_out(around: str) -> None:
    assert substance(around) == SAID


@pytest.mark.parametrize(
    "said",
    [
        "The status of an order is kept: it never goes back.",
        "Two owners: one writes, one reads.\nThe date of a bill is that of its order.",
        "a --- b\nWe pick 3 shards; why not 4? Because of the cost.",
    ],
)
def test_sentences_about_states_and_dates_stay(said: str) -> None:
    assert substance(said) == said


def test_headings_that_say_something_stay() -> None:
    assert substance("## Why one cluster for each department\ntext") == (
        "Why one cluster for each department\ntext"
    )


def test_nothing_is_left_of_a_document_that_is_code() -> None:
    assert substance("```\ncode\n```") == ""
