"""What a memory teaches, asked in whole processes: statistics, advice, context."""

from collections.abc import Iterator
from typing import Final

from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.measure import Choose, Command, rounds, run
from benchmarks.processes import in_units

_SECTION: Final = "What the memory teaches, whole processes, in P"
_ASKED: Final = {
    "stats": ("stats",),
    "stats-by": ("stats", "--by", "subject"),
    "patterns": ("stats", "recurring"),
    "trends": ("stats", "trends"),
    "successful": ("stats", "successful"),
    "fixers": ("stats", "fixers"),
    "advise": ("advise", "TypeError: x is not y"),
    "advise-task": ("advise", "--task", "basket payload timeout"),
    "context": ("context",),
}
"""Arguments by the key of the figure."""


def measure(subject: Subject, options: Options) -> Iterator[Figure]:
    """Ask what the records teach together."""
    here = subject.repository

    def asking(key: str) -> Choose:
        return lambda _at: Command(gitmem(*_ASKED[key]), here)

    # A first question settles what statistics count; those that follow find it settled.
    run(asking("stats")(0), subject.scratch)
    costs = rounds({key: asking(key) for key in _ASKED}, options.runs, subject.scratch)
    for key, arguments in _ASKED.items():
        yield in_units(key, _SECTION, " ".join(("gitmem", *arguments)), costs)
