"""Binaries of tests that cargo runs one after the other: tests of one name can be in several."""

from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.forms import Follower

_BINARY: Final = lazily(
    r"\s*Running (?:unittests )?(?P<file>\S+) "
    r"\((?:\S*[\\/])?(?P<crate>[\w-]+?)-[0-9a-f]{8,}(?:\.exe)?\)\s*$"
)
_DOCS: Final = lazily(r"\s*Doc-tests (?P<crate>\S+)\s*$")


class CargoBinaries(Follower):
    """Knows which binary runs."""

    def read(self, line: str) -> None:
        """Take a line as it stands; those of binaries only say where the tests below belong."""
        if binary := _BINARY.match(line):
            self.where = f"{binary['crate']} {binary['file']}"
        elif docs := _DOCS.match(line):
            self.where = f"{docs['crate']} documentation"
