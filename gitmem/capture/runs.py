"""What is kept of a run of a command: enough to tell later what fixed what."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.capture import cases
from gitmem.capture.cases import Failing, Tests
from gitmem.capture.commands import asks, masks_failure
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.matching import VERSION

if TYPE_CHECKING:
    from gitmem.matching.masks import MaskRule

_MOST_PLACES = 50
_BY_SIGNAL = 128
"""From here on an exit code names the signal that ended a command."""


class Run(NamedTuple):
    """One observed run of a command.

    Attributes:
        id: its name in the journal.
        at: when it started.
        seconds: how long it took.
        command: what was run, as an argument list.
        folder: where, relative to the work tree.
        exit_code: as a shell counts it (128 + n for a signal).
        tree: snapshot of the work tree at the start; empty if none could be taken.
        end: snapshot at the end of a run that failed; empty where none was taken.
        around: variables and packages that it ran with (``surroundings``), where that matters.
        edited: files of code that the developer edited while it ran.
        outputs: files of the work tree that it, or who reads its output, wrote that to.
        head: the commit at the start; empty before the first one.
        failures: what it showed.
        whole: its output was read to the end, nothing was cut and it was not stopped.
        stopped: a tool said in it that it ended before it had seen everything.
        ci: it ran in continuous integration.
        tests: its tests; None if it names none.
        heard: what looks like failures in the output of a run that passed, by fingerprint.
        past: failures that showed before, by fingerprint, and past whose place the code ran.

    """

    id: str
    at: datetime
    seconds: float
    command: tuple[str, ...]
    folder: str
    exit_code: int
    tree: str
    head: str
    failures: tuple[FingerprintedFailure, ...]
    whole: bool = True
    ci: bool = False
    stopped: bool = False
    tests: Tests | None = None
    end: str = ""
    outputs: tuple[str, ...] = ()
    around: Mapping[str, str] = {}
    edited: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    past: tuple[str, ...] = ()

    @property
    def left(self) -> str:
        """The code as the run left it: what is edited from here on is the developer's."""
        return self.end or self.tree

    @property
    def rewrote(self) -> bool:
        """It left other code than it found."""
        return self.end not in {"", self.tree}

    @property
    def green(self) -> bool:
        """It passed: nothing failed, by exit code and by what it said."""
        return self.exit_code == 0 and not self.failures

    @property
    def evidence(self) -> bool:
        """It can be told from it what passed and what failed, and on what code."""
        return bool(self.tree) and self.telling

    @property
    def telling(self) -> bool:
        """It can be told from it what passed and what failed, on whatever code."""
        contradicts_itself = (self.exit_code == 0) != (not self.failures)
        if contradicts_itself and not masks_failure(self.command):
            return False
        # A build that ignores failures passes, and its tests are counted as failed.
        unheard = self.tests is not None and self.tests.counted and self.tests.bad > 0
        return self.whole and not (self.green and unheard)

    @property
    def partial(self) -> bool:
        """It ended by itself, and more failed than is listed: of that nothing is known."""
        ended = 0 < self.exit_code < _BY_SIGNAL
        return bool(self.tree and self.failures) and ended and not self.whole

    @property
    def failing(self) -> tuple[Failing, ...]:
        """What failed, case by case; failures that belong to no test are a case each."""
        named = self.tests.failing if self.tests else ()
        sites = {case.site for case in named}
        rest = (failure for failure in self.failures if failure.site not in sites)
        return (*named, *(Failing("", "failed", case.site, message=case.title) for case in rest))

    @property
    def sites(self) -> frozenset[str]:
        """The failures, by fingerprint."""
        return frozenset(failure.site for failure in self.failures)


def heard_before(runs: Iterable[Run], command: Sequence[str], folder: str) -> set[str]:
    """Name what stood in the output of a command when it passed: where more fails, it is none."""
    heard = [run for run in runs if run.heard]
    wanted = asks(tuple(command), folder) if heard else ()
    return {site for run in heard for site in run.heard if asks(run.command, run.folder) == wanted}


def more_places(places: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Put the places of one failure together; with an empty name where that is not all."""
    if not places or not more:
        return ("",)
    together = tuple(dict.fromkeys((*places, *more)))
    return together if len(together) <= _MOST_PLACES else ("",)


def distinct(shown: Iterable[FingerprintedFailure]) -> tuple[FingerprintedFailure, ...]:
    """Make one of those with one fingerprint; what has none is one by itself."""
    by_site: dict[str, FingerprintedFailure] = {}
    for number, failure in enumerate(shown):
        key = failure.site or f"#{number}"
        earlier = by_site.get(key)
        places = more_places(earlier.places, failure.places) if earlier else failure.places
        by_site[key] = (earlier or failure)._replace(places=places)
    return tuple(by_site.values())


def to_event(run: Run) -> dict[str, Any]:
    """Turn a run into plain data for the journal."""
    data = run._asdict()
    data["at"] = run.at.isoformat()
    data["command"] = list(run.command)
    data["failures"] = [failure._asdict() for failure in run.failures]
    data["tests"] = cases.to_data(run.tests) if run.tests else None
    data["version"] = VERSION
    return data


def from_event(
    event: dict[str, Any], rules: "Callable[[], Sequence[MaskRule]]" = tuple
) -> Run | None:
    """Read a run back; None for an event that is none.

    Args:
        event: what was noted of it.
        rules: gives the team's masks, for a run whose fingerprints are of older rules.

    """
    try:
        tests = cases.from_data(event["tests"]) if event.get("tests") else None
        failures = tuple(
            FingerprintedFailure(
                s["exact"],
                s["site"],
                s.get("place", s["site"]),
                s.get("message", ""),
                s["template"],
                s["kind"],
                dict(s["fields"]),
                tuple(map(str, s.get("places", ()))),
            )
            for s in event["failures"]
        )
        if failures and event.get("version") != VERSION:
            from gitmem.capture.derived_anew import derived_anew

            failures, tests = derived_anew(failures, tests, rules())
        return Run(
            id=str(event["id"]),
            at=datetime.fromisoformat(event["at"]),
            seconds=float(event["seconds"]),
            command=tuple(map(str, event["command"])),
            folder=str(event["folder"]),
            exit_code=int(event["exit_code"]),
            tree=str(event["tree"]),
            head=str(event["head"]),
            failures=failures,
            whole=bool(event["whole"]),
            ci=bool(event["ci"]),
            stopped=bool(event.get("stopped")),
            tests=tests,
            end=str(event.get("end", "")),
            outputs=tuple(map(str, event.get("outputs", ()))),
            edited=tuple(map(str, event.get("edited", ()))),
            heard=tuple(map(str, event.get("heard", ()))),
            past=tuple(map(str, event.get("past", ()))),
            around={str(name): str(value) for name, value in event.get("around", {}).items()},
        )
    except (KeyError, TypeError, ValueError):
        return None
