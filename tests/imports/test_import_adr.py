"""Architecture decision records in the forms that tools write."""

from datetime import UTC, datetime

import pytest

from gitmem.parts.imports.adr import NotAnAdrError, number_of, read

NYGARD = """# 9. Help people

Date: 2018-09-12

## Status

Accepted

Supercedes [3. Leave people alone](0003-leave-people-alone.md)

Amends [4. Names](0004-names.md)

Superseded by [12. Machines](0012-machines.md)

## Context

They ask.

## Decision

We answer.

## Consequences

It takes time.
"""
MADR_2 = """# Use Plain JUnit5 for advanced test assertions

* Status: accepted
* Deciders: Oliver, Stefan
* Date: 2020-03-04

Technical Story: [#42](https://example.com/42)

## Context and Problem Statement

How to write readable test assertions?

## Decision Drivers

* Readability

## Considered Options

* Plain JUnit5
* [Hamcrest](https://github.com/hamcrest/JavaHamcrest)
* AssertJ

## Decision Outcome

Chosen option: "Plain JUnit5", because it comes out best.

### Positive Consequences

* Tests are more readable

### Negative Consequences

* More complicated testing leads to more complicated assertions

## Pros and Cons of the Options

### Plain JUnit5

* Good, because it is part of JUnit

### Hamcrest

* Good, because advanced matchers
* Bad, because Hamcrest is outdated

### AssertJ

* Bad, because it is another library
"""
MADR_4 = """---
status: superseded by [ADR-0012](0012-x.md)
date: 2024-02-29
decision-makers:
  - Ann
  - Ben
consulted: nobody
---

# Use Cards

## Context and Problem Statement

```
# Decision
this is code
```

## Considered Options

* Cards
* Tables

## Decision Outcome

Chosen option: "Cards", because

* they are small

### Consequences

* Good, because quick

### Confirmation

A test.
"""
LOG4BRAINS = """# Use a cache

- Status: draft
- Tags: speed, disk

## Context and Problem Statement

Slow.

## Decision Outcome

A cache on disk.
"""


def test_nygard_and_adr_tools() -> None:
    found = read(NYGARD, "0009-help-people.md")
    assert found.fields == {
        "title": "Help people",
        "status": "accepted",
        "context": "They ask.",
        "decision": "We answer.",
        "consequences": "It takes time.",
    }
    assert found.date == datetime(2018, 9, 12, tzinfo=UTC)
    assert found.superseded
    assert found.superseded_by == ("0012-machines.md",)
    assert found.supersedes == ("0003-leave-people-alone.md",)
    assert found.related == ("0004-names.md",)


def test_madr_2_with_options() -> None:
    found = read(MADR_2, "x.md")
    assert found.deciders == "Oliver, Stefan"
    assert found.date == datetime(2020, 3, 4, tzinfo=UTC)
    fields = found.fields
    assert fields["context"] == (
        "How to write readable test assertions?\n\nDecision Drivers:\n* Readability"
    )
    assert fields["decision"].startswith('Chosen option: "Plain JUnit5"')
    assert fields["rationale"] == "it comes out best."
    assert fields["alternatives"] == [
        {
            "option": "Hamcrest",
            "why_not": "* Good, because advanced matchers\n* Bad, because Hamcrest is outdated",
        },
        {"option": "AssertJ", "why_not": "* Bad, because it is another library"},
    ]
    assert "More complicated testing" in fields["consequences"]
    assert "readable" in fields["consequences"]


def test_madr_4_with_front_matter() -> None:
    found = read(MADR_4, "0011-cards.md")
    assert found.deciders == "Ann, Ben"
    assert found.date == datetime(2024, 2, 29, tzinfo=UTC)
    assert (found.superseded, found.superseded_by) == (True, ("0012-x.md",))
    assert "this is code" in found.fields["context"]
    assert found.fields["rationale"] == "* they are small"
    assert found.fields["alternatives"] == [{"option": "Tables", "why_not": ""}]
    assert found.fields["consequences"] == "* Good, because quick\n\nConfirmation:\nA test."


def test_log4brains_has_its_date_in_the_name() -> None:
    found = read(LOG4BRAINS, "20210113-use-a-cache.md")
    assert found.date == datetime(2021, 1, 13, tzinfo=UTC)
    assert found.fields["status"] == "proposed"
    assert found.fields["tags"] == ["speed", "disk"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# Readme\n\nWords.\n", "no section with the decision"),
        ("## Decision\n\nx\n", "no title"),
        ("# {short title}\n\n## Decision Outcome\n\nx\n", "template"),
        ("# T\n\n* Status: [proposed | accepted]\n\n## Decision\n\nx\n", "template"),
        ("# T\n\n## Status\n\nperhaps\n\n## Decision\n\nx\n", "status is unknown: perhaps"),
        ("---\nstatus: [\n---\n# T\n\n## Decision\n\nx\n", "front matter can't be read"),
        ("---\nstatus: accepted\n# T\n", "front matter does not end"),
        ("", "no title"),
    ],
)
def test_what_can_not_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(NotAnAdrError, match=why):
        read(text, "x.md")


def test_a_date_that_is_none_is_no_date() -> None:
    assert read("# T\n\nDate: 2020-13-45\n\n## Decision\n\nx\n", "x.md").date is None


@pytest.mark.parametrize(
    ("name", "number"),
    [("0012-use-x.md", 12), ("ADR-7", 7), ("adr-0003-y.md", 3), ("20210113-x.md", None),
     ("use-x.md", None), ("12", 12)],
)  # fmt: skip
def test_numbers_of_files_and_references(name: str, number: int | None) -> None:
    assert number_of(name) == number
