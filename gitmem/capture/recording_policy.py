"""Is a fixed failure worth a record that everybody gets? One rule, in one place.

Shared memory must not fill with noise. Every pair of red and green is kept as a draft in the
local journal and helps its own developer; it becomes records only for one of the reasons here.
"""

from typing import NamedTuple

from gitmem.capture.episodes import Episode
from gitmem.plurals import counted


class RecordingPolicy(NamedTuple):
    """The figures of the rule, from the settings ``capture.*``."""

    attempts: int = 2
    minutes: float = 10.0


def reasons(
    episode: Episode, tries: int, *, committed: bool, known: bool, rule: RecordingPolicy
) -> list[str]:
    """Say why a fixed failure is worth remembering; empty if it is not.

    Args:
        episode: the failure with its runs.
        tries: how many edits were tried, the one that worked included. An edit after which
            another failure was gone is none (``episodes.meant_for_another``).
        committed: a red run was on committed code, without edits.
        known: the memory, or an earlier episode, knew it already: it came back.
        rule: the figures.

    """
    if episode.green is None or episode.flaky:
        return []
    found = []
    if committed:
        found.append("it stood in committed code")
    if known:
        found.append("it came back")
    if tries >= rule.attempts:
        found.append(f"it took {counted(tries, 'attempt')}")
    minutes = (episode.green.at - episode.reds[0].at).total_seconds() / 60
    if minutes >= rule.minutes:
        found.append(f"it took {counted(round(minutes), 'minute')}")
    if any(run.ci for run in (*episode.reds, episode.green)):
        found.append("it was seen in CI")
    return found
