"""Changelogs in the forms that projects write."""

from datetime import UTC, datetime

import pytest

from gitmem.parts.imports.changelog import read

KEEP = """# Changelog

All notable changes. The format is based on [Keep a Changelog](https://keepachangelog.com/).

## [Unreleased]

### Fixed

- Not yet out

## [1.1.0] - 2024-02-03

### Added

- A new door

### Changed

- **Breaking:** the door opens inwards
- It was decided to lock it at night (#7)

### Fixed

- Crash when `door` is open (#12),
  and when it is shut

  In two places.
- Other

### Security

- CVE-2024-12345: anybody could enter

## 1.0.0 - 2023-01-01 [YANKED]

### Removed

- The window

[1.1.0]: https://example.com/compare/v1.0.0...v1.1.0
"""
CONVENTIONAL = """## [2.0.1](https://github.com/a/b/compare/v2.0.0...v2.0.1) (2022-05-06)


### Bug Fixes

* **parser:** read the last line ([#44](https://github.com/a/b/issues/44)) ([1234abc](https://x))
* stop at the end ([fedcba9876](https://x)), closes [#45](https://x)

# [2.0.0](https://github.com/a/b/compare/v1.0.0...v2.0.0) (2022-05-01)


### ⚠ BREAKING CHANGES

* no more lines

### Features

* pages
"""
HISTORY = """
Release History
===============

2.1.0 (2021-03-04)
------------------

**Bugfixes**

- First.
- Second.

**Deprecations**

- Third.

2.0.0 (March 1, 2021)
---------------------

- Loose entry.
"""
BARE = """Changes
=======

Version 1.2.0
-------------

Released 2020-04-05

Fixed
^^^^^

-   :pr:`12`: One.

3.0
---

Bug fixes:

* Two.
"""


def test_keep_a_changelog() -> None:
    versions, unreleased = read(KEEP)
    assert unreleased == 1
    assert [(one.name, one.date, one.others) for one in versions] == [
        ("1.1.0", datetime(2024, 2, 3, tzinfo=UTC), 1),
        ("1.0.0", datetime(2023, 1, 1, tzinfo=UTC), 0),
    ]
    entries = versions[0].entries
    assert [(one.group, one.title) for one in entries] == [
        ("changed", "Breaking: the door opens inwards"),
        ("changed", "It was decided to lock it at night (#7)"),
        ("fixed", "Crash when door is open (#12), and when it is shut"),
        ("fixed", "Other"),
        ("security", "CVE-2024-12345: anybody could enter"),
    ]
    assert [one.decided for one in entries] == [False, True, False, False, False]
    assert entries[2].text.endswith("In two places.")
    assert entries[2].references == ("#12",)
    assert entries[4].references == ("CVE-2024-12345",)
    assert [one.group for one in versions[1].entries] == ["removed"]


def test_conventional_changelog_with_versions_on_two_levels() -> None:
    versions, _ = read(CONVENTIONAL)
    assert [one.name for one in versions] == ["2.0.1", "2.0.0"]
    first, second = versions[0].entries
    assert first.title == "parser: read the last line (#44)"
    assert first.references == ("#44",)
    assert second.title.startswith("stop at the end")
    assert [one.group for one in versions[1].entries] == ["changed"]
    assert versions[1].others == 1


def test_history_in_restructured_text() -> None:
    versions, _ = read(HISTORY)
    assert [(one.name, one.date) for one in versions] == [
        ("2.1.0", datetime(2021, 3, 4, tzinfo=UTC)),
        ("2.0.0", datetime(2021, 3, 1, tzinfo=UTC)),
    ]
    assert [(one.group, one.title) for one in versions[0].entries] == [
        ("fixed", "First."), ("fixed", "Second."), ("deprecated", "Third."),
    ]  # fmt: skip
    assert (versions[1].entries, versions[1].others) == ((), 1)


def test_dates_below_headings_and_labels_that_end_with_a_colon() -> None:
    versions, _ = read(BARE)
    assert [(one.name, one.date) for one in versions] == [
        ("1.2.0", datetime(2020, 4, 5, tzinfo=UTC)), ("3.0", None),
    ]  # fmt: skip
    assert [one.title for one in versions[0].entries] == ["12: One."]
    assert [one.title for one in versions[1].entries] == ["Two."]


@pytest.mark.parametrize(
    "text", ["", "words\n", "# Changelog\n\n- entry\n", "```\n## 1.0.0\n```\n"]
)
def test_what_names_no_version_has_none(text: str) -> None:
    assert read(text) == ([], 0)
