"""``gitmem backup``."""

import os

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import argument, option
from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.plurals import counted


@click.command("backup", cls=CommandFamily, members=("restore", "export"))
@argument("file")
@option("--check", is_flag=True, help="Only verify an existing backup.")
@click.pass_obj
def command(app: App, file: str, *, check: bool) -> int:
    """Write the whole memory to one compressed file, and verify it.

    It holds records, attachments, archives and the team's settings. An existing file is not
    overwritten.

    \b
    Example:
      gitmem backup memory-2026-11.json.gz
      gitmem backup --check memory-2026-11.json.gz
    """
    if check:
        from gitmem.exchange.backup import verify

        out(f"{file} is whole: {_holds(verify(read(file)).manifest)}")
        return 0
    if os.path.lexists(file):
        raise ConflictError(f"{file} already exists", "choose another name")
    with app.memory() as memory:
        backup = memory.transfer.backup()
        beside = f"{file}.part"
        try:
            with open(beside, "xb") as target:
                target.write(backup.data)
                target.flush()
                os.fsync(target.fileno())
            os.link(beside, file)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            hint = "choose another place"
            raise EnvironmentProblem(f"can't write {file}: {reason}", hint) from None
        finally:
            if os.path.lexists(beside):
                os.unlink(beside)
        out(f"{file}: {_holds(backup.manifest)}")
        for path in backup.left_out:
            note(
                f"left out of the backup, as it can't be read: "
                f"{memory.workspace.site.config.folder}/{path}"
            )
    return 1 if backup.left_out else 0


def read(file: str) -> bytes:
    """Read a backup; raise EnvironmentProblem if it can't be read."""
    try:
        with open(file, "rb") as source:
            return source.read()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't read {file}: {reason}", "name a backup file") from None


def _holds(manifest: dict[str, object]) -> str:
    parts = [(manifest["records"], "record"), (manifest["attachments"], "attachment"),
             (manifest["archives"], "archive")]  # fmt: skip
    return ", ".join(counted(number, noun) for number, noun in parts if isinstance(number, int))
