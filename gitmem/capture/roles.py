"""What a file is for, by its name: tests, documents, or code. Pure."""

import re
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import pattern

_TEST: Final = lazily(
    r"(?:.*/)?(?:tests?|specs?|testing|e2e|t)/.*"
    r"|(?:.*/)?(?:test_[^/]*|[^/]*[_.-](?:test|tests|spec)\.[^/]+|tests?\.(?:py|rb|php|lua|[cm]?[jt]s))"
    r"|(?:.*/)?[^/]*(?:Test|Tests|TestCase|Spec)\.(?:java|kt|cs|php|swift|scala|groovy)"
    r"|(?:.*/)?(?:Test[A-Z][^/]*)\.(?:java|kt|cs|php|c|cpp)"
)
"""What people call files of tests whatever runs them; the tools tell of more."""
_DOCUMENT: Final = lazily(
    r"(?:.*/)?[^/]*\.(?:md|markdown|rst|adoc|asciidoc|org)"
    r"|(?:.*/)?(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|LICEN[CS]E|COPYING|AUTHORS|CONTRIBUTORS"
    r"|NOTICE|TODO)(?:\.txt)?"
    r"|(?:.*/)?(?:changes|changelog\.d|newsfragments|\.changeset)/.*",
    re.IGNORECASE,
)


def is_test(path: str) -> bool:
    """Tell whether a file holds tests, or what only they use."""
    return _TEST.fullmatch(path) is not None or pattern("files.tests").fullmatch(path) is not None


def holds_tests(path: str) -> bool:
    """Tell whether a runner looks for tests in a file by its name; they may share others."""
    return pattern("files.collects").fullmatch(path) is not None


def is_document(path: str) -> bool:
    """Tell whether a file is for people to read: nothing runs otherwise after an edit of it."""
    return _DOCUMENT.fullmatch(path) is not None
