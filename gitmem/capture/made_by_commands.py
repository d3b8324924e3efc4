"""What a watched command wrote, and a failure was gone: a generator, a migration. Pure."""

import shlex
from collections.abc import Callable, Sequence
from typing import Final

from gitmem.capture.composing import command_line, named_by_message
from gitmem.capture.episodes import Episode, files_in
from gitmem.capture.patches import Patch
from gitmem.capture.runs import Run
from gitmem.capture.titles import shortened

_MOST_NAMED: Final = 2


def made_by_command(
    episode: Episode,
    runs: Sequence[Run],
    patch_between: Callable[[str, str], Patch],
    text_of: Callable[[str, str, str], str | None],
) -> tuple[Patch, str] | None:
    """Give what another command wrote between red and green, and a title; None if none did.

    It passed, it is the only one that wrote anything, and nothing was edited between it and the
    last run that showed the failure; and what it wrote is named by the message, or where the
    failure stands: else it is chance. What a failing command writes itself is no edit.

    Args:
        episode: one that is fixed, and by no edit of the developer's.
        runs: all runs in the work tree, oldest first.
        patch_between: gives the patch from one tree to another.
        text_of: gives a file's text by tree, folder and name.

    """
    red, green = episode.reds[-1], episode.green
    if green is None:
        return None
    own = {run.command for run in episode.reds} | {green.command}
    between = [run for run in runs if red.at < run.at < green.at and run.command not in own]
    wrote = [
        (run, patch)
        for run in between
        if run.tree and run.end and (patch := patch_between(run.tree, run.end))
    ]
    if len(wrote) != 1:
        return None
    ((run, patch),) = wrote
    files = sorted(patch.names)
    if run.exit_code or patch_between(red.left, run.tree):
        return None
    places = [episode.seen.fields.get("location") or {}, *(episode.seen.fields.get("frames") or [])]
    where = {str(place["file"]) for place in places if place.get("file")}
    texts = [text_of(run.end, red.folder, file) or "" for file in where]
    leaves = {file.rpartition("/")[2] for file in files}
    if not named_by_message(episode.seen, patch) and not any(
        leaf in text for leaf in leaves for text in texts
    ):
        return None
    named = ", ".join(files[:_MOST_NAMED]) + (", …" if len(files) > _MOST_NAMED else "")
    return patch, shortened(f"run `{command_line(run)}`: it writes {named}")


def mended_by_run(
    episode: Episode, runs: Sequence[Run], patch_between: Callable[[str, str], Patch]
) -> str:
    """Say which watched command mended a failure itself, as a linter with ``--fix``; else empty.

    It was gone after a run that changed its files, which nobody had edited before; or that wrote
    anew what its test compares with, as what is kept beside a test bears its name.
    """
    red, green = episode.reds[-1], episode.green or episode.reds[-1]
    since = [run for run in runs if red.at < run.at <= green.at and run.tree]
    if not since or not since[0].rewrote or episode.seen.site in since[0].sites:
        return ""
    edited, written = (
        patch_between(*trees).files
        for trees in ((red.left, since[0].tree), (since[0].tree, since[0].end))
    )
    command = shlex.join(since[0].command)
    place = str((episode.seen.fields.get("location") or {}).get("file", ""))
    leaf = (place or "".join(episode.seen.places[:1]).partition("::")[0]).rpartition("/")[2]
    compared = sorted(file for file in written if leaf and f"/{leaf}." in f"/{file}")
    if compared and not edited:
        return f"`{command}` changed what its test compares with: {compared[0]}"
    own = (files_in(episode.seen, files, tests=True) for files in (written, edited))
    return f"`{command}` mended it" if next(own) and not next(own) else ""
