"""basic-memory: Markdown notes and its full-text search; its vectors need a model."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from benchmarks.peers.serving import Answer, Record, serve
from benchmarks.peers.texts import body, words

_PROJECT = "memory"


class BasicMemory:
    """A project of notes below ``folder``."""

    def __init__(self, folder: str) -> None:
        notes = os.path.join(folder, "notes")
        os.mkdir(notes)
        os.environ.update(
            HOME=folder,
            BASIC_MEMORY_CONFIG_DIR=os.path.join(folder, "config"),
            BASIC_MEMORY_HOME=notes,
            BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED="false",
            BASIC_MEMORY_NO_PROMOS="1",
        )
        command = os.path.join(os.path.dirname(sys.executable), "basic-memory")
        process = subprocess.run(
            [command, "project", "add", _PROJECT, notes, "--default", "--local"],
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode:
            raise OSError(f"basic-memory project add: {process.stderr or process.stdout}")
        from basic_memory.mcp import tools  # type: ignore[import-not-found]  # noqa: PLC0415  only in its venv
        from loguru import logger  # type: ignore[import-not-found]  # noqa: PLC0415  only in its venv

        logger.remove()
        self.tools = tools
        self.loop = asyncio.new_event_loop()

    def about(self) -> str:
        """Name and version."""
        return f"basic-memory {version('basic-memory')}"

    def add(self, records: Sequence[Record]) -> None:
        """Write a note for each, in a folder of its own: titles need not differ."""
        self.loop.run_until_complete(self._write(records))

    async def _write(self, records: Sequence[Record]) -> None:
        for record in records:
            written = await self.tools.write_note(
                title=record["title"].replace("/", " ")[:100],
                directory=f"{record['kind']}s/{record['id']}",
                content=f"{record['title']}\n\n{body(record)}",
                project=_PROJECT,
                output_format="json",
            )
            if not isinstance(written, dict) or not written.get("permalink"):
                raise OSError(f"basic-memory did not write {record['id']}: {written}")

    def ask(self, question: str, limit: int) -> Answer:
        """Ask for any of the words: all of them, the default, finds nothing for most."""
        any_word = " OR ".join(words(question))
        if not any_word:
            return Answer(())
        answer: dict[str, Any] | str = self.loop.run_until_complete(
            self.tools.search_notes(
                query=any_word,
                search_type="text",
                page_size=limit,
                project=_PROJECT,
                output_format="json",
            )
        )
        if not isinstance(answer, dict):
            raise OSError(f"basic-memory did not answer: {answer}")
        paths = [hit["file_path"] for hit in answer["results"]]
        return Answer(list(dict.fromkeys(path.split("/")[1] for path in paths)))

    def close(self) -> None:
        """Close its database: else its threads keep the process from ending."""
        from basic_memory import db  # type: ignore[import-not-found]  # noqa: PLC0415  only in its venv

        self.loop.run_until_complete(db.shutdown_db())


def main() -> None:
    """Serve from a folder that is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        system = BasicMemory(folder)
        try:
            serve(system)
        finally:
            system.close()


if __name__ == "__main__":
    main()
