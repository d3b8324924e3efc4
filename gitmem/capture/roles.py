"""What a file is for, by its name: tests, documents, or code. Pure."""

import re
from typing import Final

from gitmem.lazy_pattern import lazily

_TEST: Final = lazily(
    r"(?:.*/)?(?:tests?|__tests__|specs?|testing|e2e|t)/.*"
    r"|(?:.*/)?(?:test_[^/]*|[^/]*[_.-](?:test|tests|spec)\.[^/]+|conftest\.py)"
    r"|(?:.*/)?[^/]*(?:Test|Tests|TestCase|Spec)\.(?:java|kt|cs|php|swift|scala|groovy)"
    r"|(?:.*/)?[^/]+\.bats"
    r"|(?:.*/)?(?:Test[A-Z][^/]*)\.(?:java|kt|cs|php|c|cpp)",
)
_HOLDS_TESTS: Final = lazily(r"(?:.*/)?(?:test_[^/]+|[^/]+_test)\.py")
_DOCUMENT: Final = lazily(
    r"(?:.*/)?[^/]*\.(?:md|markdown|rst|adoc|asciidoc|org)"
    r"|(?:.*/)?(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|LICEN[CS]E|COPYING|AUTHORS|CONTRIBUTORS"
    r"|NOTICE|TODO)(?:\.txt)?"
    r"|(?:.*/)?(?:changes|changelog\.d|newsfragments|\.changeset)/.*",
    re.IGNORECASE,
)


def is_test(path: str) -> bool:
    """Tell whether a file holds tests, or what only they use."""
    return _TEST.fullmatch(path) is not None


def holds_tests(path: str) -> bool:
    """Tell whether pytest looks for tests in a file of this name; they may share others."""
    return _HOLDS_TESTS.fullmatch(path) is not None


def is_document(path: str) -> bool:
    """Tell whether a file is for people to read: nothing runs otherwise after an edit of it."""
    return _DOCUMENT.fullmatch(path) is not None
