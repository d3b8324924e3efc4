"""Filters of a query as SQL conditions. Values never become part of the SQL text."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from gitmem.query import Filters

Condition = tuple[str, list[str]]

TOMORROW: Final = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')"
"""From when on a record is dated in the future; a clock may be wrong by some hours."""
AHEAD: Final = f"SELECT EXISTS (SELECT 1 FROM records WHERE created >= {TOMORROW})"  # noqa: S608
# What ``gitmem pack write`` took from a pack: advice, and no failure that this team saw.
GENERAL: Final = "(r.via = 'tool' AND r.author = 'gitmem')"
# Of a fix that is said to have worked: no person and no check saw it.
CLAIMED: Final = (
    "{fix}.via != 'human'"
    " AND (SELECT t.verified FROM efforts t WHERE t.file = {fix}.file) != 'passed'"
)
# Of a fix: what its record and its verification say (see ``Row.verdict``).
VERDICT: Final = (
    f"CASE WHEN r.stated = 'worked' AND {CLAIMED.format(fix='r')} THEN 'claimed' ELSE r.stated END"
)


GLOB = "replace(rtrim(p.path, '/'), '[', '[[]')"
"""What a decision governs, as a pattern of SQLite: a bracket is a bracket."""


def without_future(order: str) -> str:
    """Put what is dated in the future, which anybody may write, behind all that is not."""
    return order.replace("created DESC", f"created >= {TOMORROW}, created DESC")


def where(filters: Filters) -> Condition:
    """Build the condition on the view ``memory`` that a record must meet.

    Values of one key are alternatives, except tags, which must all be there.
    """
    parts: list[Condition] = []
    conditions: dict[str, Callable[[str], Condition]] = {
        **CONDITIONS,
        "status": partial(_status, not_held=filters.not_held),
    }
    for key, values in (
        ("kind", filters.kinds),
        ("status", filters.statuses),
        ("type", filters.types),
        ("author", filters.authors),
        ("session", filters.sessions),
        ("path", filters.paths),
        ("language", filters.languages),
        ("issue", filters.issues),
    ):
        if values:
            parts.append(_joined(" OR ", (conditions[key](value) for value in values)))
    parts += [CONDITIONS["tag"](tag) for tag in filters.tags]
    for key, value in filters.excluded:
        text, values_ = conditions[key](value)
        parts.append((f"NOT {text}", values_))
    # Without the Z, whole seconds are a prefix of milliseconds, and text order is time order.
    if filters.since:
        parts.append(("created >= ?", [filters.since.removesuffix("Z")]))
    if filters.until:
        parts.append(("created < ?", [filters.until.removesuffix("Z")]))
    return _joined(" AND ", parts) if parts else ("1", [])


def _joined(by: str, parts: Iterable[Condition]) -> Condition:
    texts, values = zip(*parts, strict=True)
    return f"({by.join(texts)})", [value for values_of_one in values for value in values_of_one]


def _equals(column: str) -> Callable[[str], Condition]:
    # On the left: SQLite makes IN of several joined by OR, and forgets what stands on the right.
    return lambda value: (f"({column} COLLATE NOCASE = ?)", [value])


def _status(value: str, *, not_held: tuple[str, ...] = ()) -> Condition:
    # A fix has the status that lists show; an error that is only claimed to be resolved has both.
    status = value.lower()
    lost, ids = "(instr(?, ' ' || id || ' ') > 0)", [f" {' '.join(not_held)} "]
    claimed = "(verdict = 'claimed' AND status IN ('worked', 'resolved'))"
    if status == "did-not-hold":
        return lost, ids
    if status == "claimed":
        return f"({claimed} AND NOT {lost})", ids
    text, values = _equals("status")(value)
    if status == "worked":
        return f"({text} AND NOT {claimed} AND NOT {lost})", [*values, *ids]
    return text, values


def _type(value: str) -> Condition:
    # TypeError also finds json.decoder.TypeError
    return "(error_type = ? COLLATE NOCASE OR error_type LIKE ? ESCAPE '!')", [
        value,
        f"%.{like(value)}",
    ]


def _author(value: str) -> Condition:
    pattern = f"%{like(value)}%"
    return "(author LIKE ? ESCAPE '!' OR email LIKE ? ESCAPE '!')", [pattern, pattern]


def _session(value: str) -> Condition:
    # Most records have none: NULL would neither be found nor, excluded, be left.
    return "(coalesce(session, '') LIKE ? ESCAPE '!')", [f"{like(value)}%"]


def _tag(value: str) -> Condition:
    return "(file IN (SELECT file FROM tags WHERE tag = ? COLLATE NOCASE))", [value]


def _language(value: str) -> Condition:
    # Traits are found by their file: to list all files of a language would read all of them.
    has = "t.file = memory.file AND t.role = 'language' AND t.value = ? COLLATE NOCASE"
    return f"(EXISTS (SELECT 1 FROM traits t WHERE {has}))", [value]  # noqa: S608  names of ours


def _path(value: str) -> Condition:
    # A bracket in a path is a bracket (a route such as [slug]); a star crosses folders.
    plain = value.removeprefix("./").rstrip("/").replace("\0", "")
    if "*" in plain or "?" in plain:
        glob = plain.replace("[", "[[]")
        test, values = "p.path GLOB ? OR p.path GLOB ?", [glob, f"*/{glob}"]
    else:
        # The path itself, what lies below it, and the same at the end of an absolute path.
        test = (
            "p.path = ? COLLATE NOCASE OR p.path LIKE ? ESCAPE '!' OR p.path LIKE ? ESCAPE '!'"
            f" OR p.path LIKE ? ESCAPE '!' OR (p.role = 'governs' AND (? GLOB {GLOB}"
            f" OR ? GLOB {GLOB} || '/*'))"
        )
        safe = like(plain)
        values = [plain, f"{safe}/%", f"%/{safe}", f"%/{safe}/%", plain, plain]
    return f"(file IN (SELECT p.file FROM paths p WHERE p.role <> 'branch' AND ({test})))", values  # noqa: S608  names of ours


def _issue(value: str) -> Condition:
    from gitmem.records.issues import parse

    # Without a repository the number counts in any; notes pass on what they relate to.
    issue = parse(value)
    marks = [issue.mark] if issue.mark else ["#", "!"]
    names = [f"{issue.repository}{mark}{issue.number}" for mark in marks]
    values = [f"{what}:{name}" for what in ("issue", "pull") for name in names]
    # On the left, as in _equals.
    tests = [f"t.tag COLLATE NOCASE IN ({', '.join('?' * len(values))})"]
    if not issue.repository:
        tests += ["t.tag LIKE ?"] * 2 * len(names)
        values += [f"{what}:%/%{name}" for what in ("issue", "pull") for name in names]
    has = f"({' OR '.join(tests)})"
    sql = (
        f"(file IN (SELECT t.file FROM tags t WHERE {has}) OR id IN (SELECT l.target FROM tags t"  # noqa: S608  names of ours
        " JOIN records n ON n.file = t.file AND +n.kind = 'note' AND NOT n.shadowed JOIN links l"
        f" ON l.file = t.file AND l.relation = 'relates' WHERE {has}))"
    )
    return sql, [*values, *values]


def like(text: str) -> str:
    """Escape text for ``LIKE … ESCAPE '!'``."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


CONDITIONS: dict[str, Callable[[str], Condition]] = {
    "kind": _equals("kind"),
    "status": _status,
    "type": _type,
    "author": _author,
    "session": _session,
    "tag": _tag,
    "path": _path,
    "language": _language,
    "issue": _issue,
}
