"""What is kept of a run of a command: enough to tell later what fixed what."""

from datetime import datetime
from typing import Any, NamedTuple


class Seen(NamedTuple):
    """One failure that a run showed, redacted.

    Attributes:
        exact, site, template, kind: its fingerprints.
        fields: the fields of an ``error`` record.

    """

    exact: str
    site: str
    template: str
    kind: str
    fields: dict[str, Any]

    @property
    def title(self) -> str:
        """One line that names it."""
        message = str(self.fields.get("message", "")).partition("\n")[0]
        kind = str(self.fields.get("error_type", ""))
        return message if not kind or kind in message else f"{kind}: {message}".rstrip(": ")


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
        head: the commit at the start; empty before the first one.
        failures: what it showed.
        whole: its output was read to the end, nothing was cut and it was not stopped.
        ci: it ran in continuous integration.

    """

    id: str
    at: datetime
    seconds: float
    command: tuple[str, ...]
    folder: str
    exit_code: int
    tree: str
    head: str
    failures: tuple[Seen, ...]
    whole: bool = True
    ci: bool = False

    @property
    def green(self) -> bool:
        """It passed: nothing failed, by exit code and by what it said."""
        return self.exit_code == 0 and not self.failures

    @property
    def evidence(self) -> bool:
        """It can be told from it what passed and what failed, and on what code."""
        contradicts_itself = (self.exit_code == 0) != (not self.failures)
        return bool(self.tree) and self.whole and not contradicts_itself

    @property
    def sites(self) -> frozenset[str]:
        """The failures, by fingerprint."""
        return frozenset(seen.site for seen in self.failures)


def to_event(run: Run) -> dict[str, Any]:
    """Turn a run into plain data for the journal."""
    data = run._asdict()
    data["at"] = run.at.isoformat()
    data["command"] = list(run.command)
    data["failures"] = [seen._asdict() for seen in run.failures]
    return data


def from_event(event: dict[str, Any]) -> Run | None:
    """Read a run back; None for an event that is none."""
    try:
        failures = tuple(
            Seen(s["exact"], s["site"], s["template"], s["kind"], dict(s["fields"]))
            for s in event["failures"]
        )
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
        )
    except (KeyError, TypeError, ValueError):
        return None
