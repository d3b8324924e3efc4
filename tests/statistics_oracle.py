"""Statistics said a second time: from the record files, in plain Python, slowly and shortly.

Nothing here comes from ``gitmem.catalog`` or ``gitmem.learning``, whose answers it judges. Files
are read with PyYAML; only what a record's fingerprint is comes from ``gitmem.matching``.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from math import sqrt
from pathlib import Path
from statistics import fmean, median
from typing import Any

import yaml

from gitmem.matching.recorded import prints_of

Data = dict[str, Any]


def read(folder: Path) -> list[Data]:
    """Read every record file below a folder; of several with one id the first path speaks."""
    found: dict[str, Data] = {}
    for path in sorted(folder.rglob("*.yaml"), key=lambda one: one.relative_to(folder).as_posix()):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "kind" in data:
            found.setdefault(data["id"], data)
    return sorted(found.values(), key=lambda data: (when(data), data["id"]))


def when(data: Data) -> datetime:
    """Give a record's time, to the millisecond."""
    at = data["created"]
    at = at if isinstance(at, datetime) else datetime.fromisoformat(at)
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


class Oracle:
    """All errors and attempts of a memory."""

    def __init__(self, records: Iterable[Data]) -> None:
        self.records = list(records)
        self.errors = [one for one in self.records if one["kind"] == "error"]
        self.attempts = [one for one in self.records if one["kind"] == "fix"]
        self.sessions = [one for one in self.records if one["kind"] == "session"]
        self.by_id = {one["id"]: one for one in self.records}
        self.site = {one["id"]: prints_of(one).site for one in self.errors}
        self.failure = {one["id"]: self._failure(one["id"]) for one in self.errors}

    def _same(self, one: str, other: str) -> bool:
        links = [(a, b) for a, b in ((one, other), (other, one))
                 if b in self.by_id[a].get("links", {}).get("duplicates", ())]  # fmt: skip
        return bool(links) or bool(self.site[one] and self.site[one] == self.site[other])

    def _failure(self, start: str) -> frozenset[str]:
        group, border = {start}, [start]
        while border:
            here = border.pop()
            for one in self.errors:
                if one["id"] not in group and self._same(here, one["id"]):
                    group.add(one["id"])
                    border.append(one["id"])
        return frozenset(group)

    def targets(self, fix: Data) -> list[str]:
        """Give the ids of the errors that an attempt fixes, as far as they are there."""
        named = fix.get("links", {}).get("fixes", ())
        return sorted({one for one in named if one in self.failure})

    def outcome(self, fix: Data) -> str:
        """Give what came of an attempt; what only a tool says worked is claimed."""
        said: str = fix.get("outcome", "unverified")
        after = (fix.get("verification") or {}).get("after") or {}
        seen = fix["author"].get("via", "human") == "human" or after.get("result") == "passed"
        return "claimed" if said == "worked" and not seen else said

    def helped(self, record: Data) -> bool:
        """Tell whether a record is an attempt after which a failure was fixed."""
        return record["kind"] == "fix" and self.outcome(record) in {"worked", "claimed"}

    def events(self, failure: frozenset[str]) -> list[tuple[datetime, Data]]:
        """Give (place in time, record) of the errors of a failure and the attempts on it."""
        found = [((when(self.by_id[one]), 0, when(self.by_id[one]), False, one), self.by_id[one])
                 for one in failure]  # fmt: skip
        for fix in self.attempts:
            if mine := [one for one in self.targets(fix) if one in failure]:
                place = max([when(fix), *(when(self.by_id[one]) for one in mine)])
                found.append(((place, 1, when(fix), self.helped(fix), fix["id"]), fix))
        return [(key[0], record) for key, record in sorted(found, key=lambda one: one[0])]

    def course(
        self, failure: frozenset[str]
    ) -> tuple[list[tuple[Data, Data | None, datetime | None]], bool]:
        """Walk through the events of a failure; tell whether it is open at the end.

        With each record comes the attempt that had helped, if the record is the failure's coming
        back, and since when it had been open. The first fix of an error comes back to nothing.
        """
        walked: list[tuple[Data, Data | None, datetime | None]] = []
        helped_by: Data | None = None
        open_since: datetime | None = None
        mended: set[str] = set()
        for place, record in self.events(failure):
            of_fix = record["kind"] == "fix"
            error = self.first_error(record, failure)["id"] if of_fix else ""
            soon = helped_by is not None and when(record) - when(helped_by) <= timedelta(days=1)
            afterwards = of_fix and not self.helped(record) and soon
            first = of_fix and self.helped(record) and error not in mended
            first = first or (of_fix and self.outcome(record) == "claimed")
            returns = helped_by is not None and not afterwards and not first
            walked.append((record, helped_by if returns else None, open_since))
            if self.helped(record):
                helped_by, open_since = record, None
                if self.outcome(record) != "claimed":
                    mended.add(error)
            elif returns or helped_by is None:
                helped_by, open_since = None, open_since or place
        return walked, open_since is not None

    def returned(self, failure: frozenset[str]) -> list[Data]:
        """Give the records with which a failure came back after an attempt that had helped."""
        return [record for record, before, _ in self.course(failure)[0] if before]

    def occurrences(self, failure: frozenset[str]) -> list[Data]:
        """Give what tells that a failure was seen: its errors, and attempts that returned to it."""
        repeats = [one for one in self.returned(failure) if one["kind"] == "fix"]
        return [*(self.by_id[one] for one in sorted(failure)), *repeats]

    def unheld(self, fix: Data) -> bool:
        """Tell whether an attempt had helped and the failure was seen after it."""
        return any(
            before is fix
            for failure in {self.failure[target] for target in self.targets(fix)}
            for _, before, _ in self.course(failure)[0]
        )

    def is_open(self, failure: frozenset[str]) -> bool:
        """Tell whether a failure is not fixed, or was seen after its last fix."""
        return self.course(failure)[1]

    def durations(self, fix: Data) -> list[float]:
        """Give how long failures had been open when this attempt fixed them."""
        if self.outcome(fix) != "worked":
            return []
        found = []
        for failure in {self.failure[target] for target in self.targets(fix)}:
            for record, _, open_since in self.course(failure)[0]:
                if record is not fix:
                    continue
                if open_since is None:
                    found += [fix["seconds"]] if fix.get("seconds") is not None else []
                elif when(fix) >= open_since:
                    span = (when(fix) - open_since).total_seconds()
                    found.append(max(span, fix.get("seconds") or 0))
        return found

    # --- what is counted ------------------------------------------------------------------------

    def repeats(self, attempts: Iterable[Data]) -> list[tuple[Data, frozenset[str]]]:
        """Give (attempt, failure) of the attempts that returned to a failure."""
        return [
            (fix, failure)
            for fix in attempts
            for failure in {self.failure[target] for target in self.targets(fix)}
            if any(one is fix for one in self.returned(failure))
        ]

    def first_error(self, fix: Data, failure: frozenset[str]) -> Data:
        """Give the first error of a failure that an attempt names."""
        return self.by_id[min(one for one in self.targets(fix) if one in failure)]

    def figures(
        self,
        errors: list[Data],
        attempts: list[Data],
        repeats: list[tuple[Data, frozenset[str]]] | None = None,
    ) -> dict[str, Any]:
        """Count some errors and attempts, and the coming back that the attempts tell of."""
        if repeats is None:
            repeats = self.repeats(attempts)
        outcomes = [self.outcome(one) for one in attempts]
        failures = {self.failure[one["id"]] for one in errors} | {one for _, one in repeats}
        checks = [(one.get("verification") or {}).get("after") or {} for one in attempts]
        to_fix = [seconds for one in attempts for seconds in self.durations(one)]
        effort = [one["seconds"] for one in attempts if one.get("seconds") is not None]
        return {
            "errors": len(errors) + len(repeats),
            "failures": len(failures),
            "open": sum(map(self.is_open, failures)),
            "came_back": sum(
                any(one is error for one in self.returned(self.failure[error["id"]]))
                for error in errors
            )
            + len(repeats),
            "attempts": len(attempts),
            "worked": outcomes.count("worked"),
            "partial": outcomes.count("partial"),
            "failed": outcomes.count("failed"),
            "unverified": outcomes.count("unverified") + outcomes.count("claimed"),
            "unheld": sum(self.outcome(one) == "worked" and self.unheld(one) for one in attempts),
            "applied": sum(one.get("applied") is True for one in attempts),
            "verified": sum(one.get("result") == "passed" for one in checks),
            "to_fix": spread(to_fix),
            "effort": spread(effort),
        }

    def label(self, one: Data, dimension: str) -> list[str]:
        """Give the labels that a record has in a dimension; none: it is not counted there."""
        targets = self.targets(one) if one["kind"] == "fix" else []
        if dimension in {"subject", "category"}:
            said = self.by_id[targets[0]] if targets else one if one["kind"] == "error" else {}
            return [said.get(dimension, "")]
        if dimension == "type":
            said = self.by_id[targets[0]] if targets else one if one["kind"] == "error" else {}
            return [said.get("error_type") or said.get("code") or ""]
        if dimension == "tag":
            tags = {
                tag for name in (one["id"], *targets) for tag in self.by_id[name].get("tags", ())
            }
            return sorted(tags) or [""]
        if dimension == "via":
            return [one["author"].get("via", "human")]
        if dimension == "fixer":
            return [] if one["kind"] == "error" else [self.fixer(one)]
        if dimension == "model":
            return [] if one["kind"] == "error" else [one["author"].get("model", "")]
        at = when(one)
        monday = at.date() - timedelta(days=at.weekday())
        return [{
            "day": at.date().isoformat(), "week": monday.isoformat(), "month": f"{at:%Y-%m}",
            "weekday": f"{at:%A}", "hour": f"{at:%H}",
        }[dimension]]  # fmt: skip

    def fixer(self, fix: Data) -> str:
        """Give who made an attempt; persons have one name."""
        people = {
            said.lower()
            for one in self.records
            if one["author"].get("via", "human") == "human"
            for said in (one["author"]["name"], one["author"].get("email", ""))
        }
        author = fix["author"]
        name = fix.get("fixer") or author.get("tool") or author["name"]
        return "people" if name.lower() in people else name

    def groups(self, by: str) -> dict[tuple[str, ...], dict[str, Any]]:
        """Count each label by itself."""
        found: dict[tuple[str, ...], tuple[list[Any], list[Any], list[Any]]] = {}

        def put(place: int, one: Any, sources: list[Data]) -> None:
            labels: list[tuple[str, ...]] = [()]
            for source, dimension in zip(sources, by.split(","), strict=True):
                more = self.label(source, dimension)
                labels = [(*label, part) for label in labels for part in more]
            for label in labels:
                found.setdefault(label, ([], [], []))[place].append(one)

        dimensions = by.split(",")
        for place, some in enumerate((self.errors, self.attempts)):
            for one in some:
                put(place, one, [one] * len(dimensions))
        # It was seen when the attempt was written, by its author; it is about what failed.
        own = {"via", "day", "week", "month", "weekday", "hour"}
        for fix, failure in self.repeats(self.attempts):
            if {"fixer", "model"}.isdisjoint(dimensions):
                error = self.first_error(fix, failure)
                put(2, (fix, failure), [fix if one in own else error for one in dimensions])
        return {label: self.figures(*some) for label, some in found.items()}

    def trend(self, outcomes: list[bool | None]) -> str:
        """Say how outcomes, oldest first, develop."""
        known = [one for one in outcomes if one is not None][-20:]
        if len(known) < 10:
            return "insufficient data"
        half = len(known) // 2
        older, newer = known[:half], known[half:]
        step = sum(newer) / len(newer) - sum(older) / len(older)
        if abs(step) <= 0.1 + 1e-9:
            return "stable"
        return "improving" if step > 0 else "declining"

    def trends(self) -> dict[tuple[str, str], str]:
        """Say how attempts by category of error, and sessions by category of task, develop."""
        known: dict[str, bool] = {"worked": True, "failed": False, "partial": False}
        found: dict[tuple[str, str], list[bool | None]] = {}
        for one in self.attempts:
            key = ("attempts", self.label(one, "category")[0])
            found.setdefault(key, []).append(known.get(self.outcome(one)))
        for one in self.sessions:
            key = ("sessions", (one.get("task") or {}).get("category", ""))
            found.setdefault(key, []).append(one.get("success"))
        return {key: self.trend(outcomes) for key, outcomes in found.items()}

    def weeks(self, today: date) -> list[tuple[int, int, int]]:
        """Count errors, attempts and those that worked in each of the last 26 weeks."""
        made = []
        for back in range(25, -1, -1):
            start = today - timedelta(days=today.weekday() + 7 * back)
            days = {start + timedelta(days=day) for day in range(7)}
            tried = [one for one in self.attempts if when(one).date() in days]
            worked = [one for one in tried if self.outcome(one) == "worked"]
            seen = [one for one in self.errors if when(one).date() in days]
            made.append((len(seen) + len(self.repeats(tried)), len(tried), len(worked)))
        return made


def spread(values: list[float]) -> tuple[int, float | None, float | None]:
    """Give how many, mean and median."""
    return (len(values), fmean(values), median(values)) if values else (0, None, None)


def interval(worked: int, tried: int) -> tuple[float, float]:
    """Give the shares p for which (p - worked/tried)^2 = z^2 p(1-p)/tried: Wilson's interval."""
    if not tried:
        return 0.0, 1.0
    z, share = 1.959963984540054, worked / tried
    a, b, c = 1 + z * z / tried, -(2 * share + z * z / tried), share * share
    root = sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)
