"""Small random memories for property tests: every kind, links among them, awkward values.

Everything follows from the ``random.Random`` that is handed in, so a seed names a case.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from gitmem.catalog.entries import CatalogEntry, entry
from gitmem.matching.recorded import levels, prints_of
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import PREFIXES, make_id, path_for

Data = dict[str, Any]
KINDS = tuple(PREFIXES)
START = datetime(2026, 2, 27, 23, 59, 58, tzinfo=UTC)
TITLES = (
    "Naive datetime compared with aware one", "use UTC everywhere", "Timeout in CI", "naïve Größe",
    "日本語のエラー", "so on …", "a" * 200, "TypeError: unsupported operand", "retry with backoff",
)  # fmt: skip
TAGS = ("auth", "Auth", "db", "ci", "größe", "a_b", "a%b", "x!y")
TYPES = ("TypeError", "json.decoder.JSONDecodeError", "JSONDecodeError", "E0308", "typeerror")
PATHS = (
    "src/auth/token.py", "src/auth/__init__.py", "src/Auth/login.ts", "token.py", "README.md",
    "app/[slug]/page.tsx", "docs/a b.md", "src/auth_x/token.py", "lib/a%b.c",
)  # fmt: skip
FRAMES = (*PATHS, "/usr/lib/python3.11/json/decoder.py", "/home/ann/work/src/auth/token.py")
GLOBS = ("src/auth/**", "*.py", "src/*/token.py", "README.md", "docs/**", "src/auth")
AUTHORS = (
    {"name": "Ann Smith", "email": "ann@example.com"},
    {"name": "Bob_100%", "email": "bob@example.com"},
    {"name": "claude-code", "via": "agent", "tool": "claude-code"},
)
WORDS = ("connection", "refused", "parseConfig", "null", "user_id", "timeout", "retry", "Grüße")


def new_id(rng: Random, kind: str) -> str:
    """Draw an id."""
    return make_id(kind, rng.randbytes(7))


def some(rng: Random, values: Sequence[str], most: int = 2) -> list[str]:
    """Draw a few values, each once."""
    return rng.sample(values, rng.randint(0, min(most, len(values))))


def stamp(when: datetime) -> str:
    """Write a time as people and gitmem do."""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def prose(rng: Random) -> str:
    """Draw a few words."""
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 5)))


def record(rng: Random, known: Sequence[str], kind: str | None = None) -> Data:
    """Draw a record that may link to the ``known`` ids, and now and then to a missing one."""
    kind = kind or rng.choices(KINDS, weights=(6, 5, 4, 2, 1, 2))[0]
    # Few different times: many records are as old as each other.
    created = START + timedelta(milliseconds=rng.choice((0, 1, 500, 1000, 2000, 86_400_000)))
    data: Data = {
        "kind": kind,
        "id": new_id(rng, kind),
        "title": rng.choice(TITLES),
        "created": stamp(created),
        "author": dict(rng.choice(AUTHORS)),
    }
    known = [one for one in known if one != data["id"]]  # the same seed twice
    if tags := some(rng, TAGS):
        data["tags"] = tags
    if anchors := some(rng, PATHS, 1):
        data["anchors"] = [{"path": path} for path in anchors]
    sessions = [one for one in known if one.startswith("ses-")]
    if kind != "session" and rng.random() < 0.2:
        data["session"] = rng.choice(sessions) if sessions else new_id(rng, "session")
    if links := _links(rng, kind, known):
        data["links"] = links
    return data | _own(rng, kind, created, known)


def _links(rng: Random, kind: str, known: Sequence[str]) -> dict[str, list[str]]:
    links: dict[str, list[str]] = {}
    same = [one for one in known if one.startswith(PREFIXES[kind])]
    errors = [one for one in known if one.startswith("err-")]
    if kind == "fix" and errors:
        links["fixes"] = some(rng, errors)
    if kind == "error":
        links["duplicates"] = some(rng, same, 1)
    if kind == "decision":
        links["supersedes"] = some(rng, same)
    if rng.random() < 0.1 and known:
        links[rng.choice(("supersedes", "duplicates", "relates"))] = some(rng, known, 1)
    if rng.random() < 0.05:
        links["caused_by"] = [new_id(rng, "error")]
    return {relation: ids for relation, ids in links.items() if ids}


def _own(rng: Random, kind: str, created: datetime, known: Sequence[str]) -> Data:
    if kind == "error":
        data: Data = {"error_type": rng.choice(TYPES), "message": prose(rng)}
        if rng.random() < 0.5:
            data["language"] = rng.choice(("python", "Python", "go"))
        if rng.random() < 0.5:
            data["frames"] = [{"file": file, "line": 3} for file in some(rng, FRAMES)]
            data["location"] = {"file": rng.choice(FRAMES)}
        return data
    if kind == "fix":
        outcome = rng.choice(("worked", "worked", "partial", "failed", "unverified"))
        data = {"approach": prose(rng), "outcome": outcome}
        fixes = [one for one in known if one.startswith("fix-")]
        return data | ({"reuses": rng.choice(fixes)} if fixes and rng.random() < 0.3 else {})
    if kind == "decision":
        status = rng.choice(("proposed", "accepted", "rejected", "deprecated"))
        return {"decision": prose(rng), "status": status, "governs": some(rng, GLOBS)}
    if kind == "session":
        success = rng.choice((True, False, None))
        data = {"goal": prose(rng), "started": stamp(START), "ended": stamp(created)}
        data["changes"] = [{"path": path, "action": "edit"} for path in some(rng, PATHS)]
        return data | ({} if success is None else {"success": success})
    return {"body": prose(rng)} if kind == "note" else {"code": prose(rng)}


def memory(rng: Random, count: int) -> list[Data]:
    """Draw records, each of which may link to those before it."""
    made: list[Data] = []
    for _ in range(count):
        made.append(record(rng, [data["id"] for data in made]))
    return made


def path_of(data: Data) -> str:
    """Give the path, within the memory's folder, that a record is written to."""
    when = datetime.fromisoformat(data["created"])
    return path_for(data["kind"], data["id"], data["title"], when)


def entry_of(data: Mapping[str, Any]) -> CatalogEntry:
    """Give what the catalog keeps of a record; of an error, its fingerprints, too."""
    prints = levels(prints_of(data)) if data["kind"] == "error" else ()
    return entry(from_data(dict(data)), prints)


def text_of(data: Data) -> bytes:
    """Give the file of a record."""
    return encode(from_data(data))


def files(made: Sequence[Data]) -> dict[str, Data]:
    """Give the records by path, as the oracle takes them."""
    return {path_of(data): data for data in made}
