"""Serves a hub in memory of the repositories in its arguments; prints a token, then the address.

python tests/e2e/page/hub.py FOLDER NAME=REPOSITORY …
"""

import os
import sys

from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SourceRepository, Taker
from gitmem.parts.hub.web.serving import serve


def main() -> None:
    """Take the repositories, and serve until SIGINT."""
    folder, *named = sys.argv[1:]
    os.makedirs(folder)
    registry = Registry.read(folder)
    for pair in named:
        name, _, path = pair.rpartition("=")
        registry.add(SourceRepository(name, path, internal=True))
    engine = ScanHub()
    taker = Taker(engine, registry.clones)
    for repository in registry.repositories.values():
        taker.take(repository)
    token = registry.new_token("ada", internal=True, repositories=[])
    tell(token)
    serve(folder, lambda: engine, "127.0.0.1", 0, 3600.0, tell)


def tell(line: str) -> None:
    """Write a line that the test reads."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
