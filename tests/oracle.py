"""What follows from a set of record files, said a second time in plain Python.

A memory is here a mapping of path to the record's data as its file says it. Everything is
computed by looking at all records each time: slow, short, and nothing of it is shared with
``gitmem.catalog``, whose answers it judges. (Fingerprints are ``gitmem.matching``'s.)
"""

import fnmatch
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gitmem.matching.recorded import prints_of
from gitmem.query import Filters

Data = Mapping[str, Any]
Files = Mapping[str, Data]

_RELATIONS = ("fixes", "supersedes", "duplicates", "caused_by", "implements", "relates")


class Fault(NamedTuple):
    """A problem that no single file shows."""

    path: str
    code: str
    field: str


def speaking(files: Files) -> dict[str, tuple[str, Data]]:
    """Give (path, data) by id; of several files with one id the first path speaks."""
    found: dict[str, tuple[str, Data]] = {}
    for path in sorted(files):
        found.setdefault(files[path]["id"], (path, files[path]))
    return found


def records(files: Files) -> dict[str, Data]:
    """Give the records that speak, by id."""
    return {record_id: data for record_id, (_, data) in speaking(files).items()}


def moment(data: Data) -> datetime:
    """Read a record's time; the catalog keeps milliseconds."""
    when = datetime.fromisoformat(data["created"]).astimezone(UTC)
    return when.replace(microsecond=when.microsecond // 1000 * 1000)


def links(data: Data, relation: str) -> list[str]:
    """Give the ids that a record links to."""
    if relation == "reuses":
        return [data["reuses"]] if data.get("reuses") else []
    return list(dict.fromkeys(data.get("links", {}).get(relation, ())))


def all_links(data: Data) -> Iterator[tuple[str, str]]:
    """Give (relation, target) of every link that a record makes."""
    for relation in (*_RELATIONS, "reuses"):
        for target in links(data, relation):
            yield relation, target


# --- statuses -----------------------------------------------------------------------------------


def statuses(files: Files) -> dict[str, str]:
    """Give the folded status of every record that speaks, by id."""
    known = records(files)
    return {record_id: _status(record_id, known) for record_id in known}


def _status(record_id: str, known: Mapping[str, Data]) -> str:
    data = known[record_id]
    if data["kind"] == "error":
        return _error_status(record_id, known)
    if data["kind"] == "decision":
        newer = (d for d in known.values() if d["kind"] == "decision")
        superseded = any(record_id in links(d, "supersedes") for d in newer)
        return "superseded" if superseded else str(data.get("status", "accepted"))
    if data["kind"] == "fix":
        return str(data.get("outcome", "unverified"))
    if data["kind"] == "session":
        return {True: "succeeded", False: "failed", None: "ended"}[data.get("success")]
    return ""


def last_worked(error_id: str, known: Mapping[str, Data]) -> datetime | None:
    """Tell when the last fix that worked was written for an error."""
    times = [
        moment(d)
        for d in known.values()
        if d["kind"] == "fix" and d.get("outcome") == "worked" and error_id in links(d, "fixes")
    ]
    return max(times, default=None)


def _tried_again(mended: set[str], fixed: datetime, known: Mapping[str, Data]) -> bool:
    """Tell whether an attempt that did not work came a day after the last fix, on a fixed error."""
    return any(
        d["kind"] == "fix"
        and d.get("outcome", "unverified") != "worked"
        and not mended.isdisjoint(links(d, "fixes"))
        and moment(d) > fixed + timedelta(days=1)
        for d in known.values()
    )


def _group(error_id: str, known: Mapping[str, Data]) -> set[str]:
    """Collect the errors that are connected to one by duplicates, itself included."""
    group, border = {error_id}, [error_id]
    while border:
        here = border.pop()
        for other, data in known.items():
            if data["kind"] != "error" or other in group:
                continue
            if here in links(data, "duplicates") or other in links(known[here], "duplicates"):
                group.add(other)
                border.append(other)
    return group


def _site(data: Data) -> str:
    """Name the failure that an error is a record of; what it is named by is tested elsewhere."""
    return prints_of(data).site if data["kind"] == "error" else ""


def _elsewhere(data: Data, known: Mapping[str, Data]) -> datetime | None:
    """Tell when the failure of an error was last fixed, by any record of it."""
    site = _site(data)
    alike = (one for one, other in known.items() if site and _site(other) == site)
    return max((at for one in alike if (at := last_worked(one, known))), default=None)


def _lone_status(error_id: str, known: Mapping[str, Data]) -> str:
    """Fold an error that no other is said to be the same as."""
    fixed = last_worked(error_id, known)  # it names the error, so it came later, as clocks may say
    if fixed is None:
        fixed = _elsewhere(known[error_id], known)
        if fixed is None or fixed <= moment(known[error_id]):
            return "open"
    return "regressed" if _tried_again({error_id}, fixed, known) else "resolved"


def _error_status(error_id: str, known: Mapping[str, Data]) -> str:
    group = _group(error_id, known)
    if len(group) == 1:
        return _lone_status(error_id, known)
    times = [at for one in group for at in (last_worked(one, known), _elsewhere(known[one], known))]
    fixed = max((at for at in times if at), default=None)
    if error_id != min(group, key=lambda one: (moment(known[one]), one)):
        return "resolved" if fixed is not None and fixed > moment(known[error_id]) else "duplicate"
    if fixed is None:
        return "open"
    if _tried_again(group, fixed, known):
        return "regressed"
    return "regressed" if any(moment(known[one]) > fixed for one in group) else "resolved"


# --- filters ------------------------------------------------------------------------------------


def matching(files: Files, filters: Filters) -> set[str]:
    """Give the ids of the records that meet the filters."""
    state, known = statuses(files), records(files)
    named = {*filters.issues, *(value for key, value in filters.excluded if key == "issue")}
    belonging = {value: _belonging(known, value) for value in named}
    return {
        record_id
        for record_id, data in known.items()
        if _meets(data, state[record_id], filters)
        and (not filters.issues or any(record_id in belonging[one] for one in filters.issues))
        and not any(
            key == "issue" and record_id in belonging[value] for key, value in filters.excluded
        )
    }


def _belonging(known: Mapping[str, Data], value: str) -> set[str]:
    """Give the records of an issue: those with its tag, and what notes with it relate to."""
    asked = re.fullmatch(r"(?:(.+)(?=[#!]))?([#!]?)(\d+)", value)
    assert asked, value
    repository, mark, number = asked.groups()
    found: set[str] = set()
    for record_id, data in known.items():
        for tag in data.get("tags", ()):
            said = re.fullmatch(r"(?:issue|pull):(.*)([#!])(\d+)", tag, re.IGNORECASE)
            if not said or said[3] != number or (mark and said[2] != mark):
                continue
            mine = said[1].lower()
            if mine != repository.lower() if repository else mine and "/" not in mine:
                continue
            found.add(record_id)
            if data["kind"] == "note":
                found.update(one for one in links(data, "relates") if one in known)
    return found


def _meets(data: Data, status: str, filters: Filters) -> bool:
    wanted = {
        "kind": filters.kinds, "status": filters.statuses, "type": filters.types,
        "author": filters.authors, "session": filters.sessions, "path": filters.paths,
        "language": filters.languages,
    }  # fmt: skip
    for key, values in wanted.items():
        if values and not any(_has(data, status, key, value) for value in values):
            return False
    if not all(_has(data, status, "tag", tag) for tag in filters.tags):
        return False
    excluded = [one for one in filters.excluded if one[0] != "issue"]
    if any(_has(data, status, key, value) for key, value in excluded):
        return False
    when = moment(data)
    if filters.since and when < datetime.fromisoformat(filters.since):
        return False
    return not (filters.until and when >= datetime.fromisoformat(filters.until))


def _has(data: Data, status: str, key: str, value: str) -> bool:
    low = value.lower()
    if key == "kind":
        return str(data["kind"]) == low
    if key == "status":
        return status == low and not (low == "worked" and _is_claimed(data))
    if key == "tag":
        return low in [tag.lower() for tag in data.get("tags", ())]
    if key == "type":
        stated = str(data.get("error_type", "")).lower() if data["kind"] == "error" else ""
        return stated == low or stated.endswith(f".{low}")
    if key == "author":
        author = data["author"]
        return low in author["name"].lower() or low in author.get("email", "").lower()
    if key == "session":
        return str(data.get("session") or "").lower().startswith(low) and bool(data.get("session"))
    if key == "language":
        return data["kind"] in ("error", "pattern") and str(data.get("language", "")).lower() == low
    return any(_path_meets(role, path, value) for role, path in code_paths(data))


def _is_claimed(data: Data) -> bool:
    """Tell whether no person and no check says of a fix that it worked."""
    after = data.get("verification", {}).get("after", {})
    by_person = data["author"].get("via", "human") == "human"
    return not by_person and bool(after.get("result") != "passed")


def code_paths(data: Data) -> Iterator[tuple[str, str]]:
    """Give (role, path) of the code that a record speaks of."""
    for anchor in data.get("anchors", ()):
        yield "anchor", anchor["path"]
    if data["kind"] == "error":
        if data.get("location"):
            yield "location", data["location"]["file"]
        for frame in data.get("frames", ()):
            yield "frame", frame["file"]
    if data["kind"] == "fix":
        yield from (("patch", path) for path in _patched(data.get("patch", "")))
    if data["kind"] == "session":
        for change in data.get("changes", ()):
            yield "change", change["path"]
    if data["kind"] == "decision":
        for glob in data.get("governs", ()):
            yield "governs", glob


def _patched(patch: str) -> Iterator[str]:
    lines = patch.split("\n")
    for old, new, hunk in zip(lines, lines[1:], lines[2:], strict=False):
        if (old[:4], new[:4], hunk[:4]) == ("--- ", "+++ ", "@@ -"):
            sides = (old[4:].removeprefix("a/"), new[4:].removeprefix("b/"))
            yield from (side for side in sides if side != "/dev/null")


def _path_meets(role: str, path: str, value: str) -> bool:
    wanted = value.removeprefix("./").rstrip("/")
    if "*" in wanted or "?" in wanted:
        return fnmatch.fnmatchcase(path, wanted) or fnmatch.fnmatchcase(path, f"*/{wanted}")
    if role == "governs" and any(
        fnmatch.fnmatchcase(wanted, glob.replace("[", "[[]"))
        for glob in (path.rstrip("/"), f"{path.rstrip('/')}/*")
    ):
        return True
    # Whole steps of the path, in any case, anywhere in it.
    return f"/{wanted}/".lower() in f"/{path}/".lower()


# --- problems -----------------------------------------------------------------------------------


def faults(files: Files) -> set[Fault]:
    """Give the problems between files; the code says which."""
    return {*_dangling(files), *_twice(files), *_wrong_kinds(files), *_cycles(files)}


def _dangling(files: Files) -> Iterator[Fault]:
    known = records(files)
    for path, data in files.items():
        for relation, target in all_links(data):
            if target not in known:
                field = relation if relation == "reuses" else f"links.{relation}"
                yield Fault(path, "dangling-link", field)
        if data.get("session") and data["session"] not in known:
            yield Fault(path, "unwritten-session", "session")


def _twice(files: Files) -> Iterator[Fault]:
    first = {record_id: path for record_id, (path, _) in speaking(files).items()}
    for path, data in files.items():
        if first[data["id"]] != path:
            yield Fault(path, "duplicate-id", "id")


def _wrong_kinds(files: Files) -> Iterator[Fault]:
    known = records(files)
    for path, data in files.items():
        for relation in ("supersedes", "duplicates"):
            for target in links(data, relation):
                if target in known and known[target]["kind"] != data["kind"]:
                    yield Fault(path, "wrong-kind", f"links.{relation}")


def _cycles(files: Files) -> Iterator[Fault]:
    """Follow supersedes from every record; whoever meets itself stands in a circle."""
    onward: dict[str, set[str]] = {}
    for data in files.values():
        onward.setdefault(data["id"], set()).update(links(data, "supersedes"))
    for path, data in files.items():
        seen: set[str] = set()
        ahead = set(onward[data["id"]])
        while ahead:
            step = ahead.pop()
            if step not in seen:
                seen.add(step)
                ahead |= onward.get(step, set())
        if data["id"] in seen:
            yield Fault(path, "supersedes-cycle", "links.supersedes")
