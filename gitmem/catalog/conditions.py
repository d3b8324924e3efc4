"""Filters of a query as SQL conditions. Values never become part of the SQL text."""

from collections.abc import Callable, Iterable

from gitmem.query import Filters

Condition = tuple[str, list[str]]


def where(filters: Filters) -> Condition:
    """Build the condition on the view ``memory`` that a record must meet.

    Values of one key are alternatives, except tags, which must all be there.
    """
    parts: list[Condition] = []
    for key, values in (
        ("kind", filters.kinds), ("status", filters.statuses), ("type", filters.types),
        ("author", filters.authors), ("session", filters.sessions), ("path", filters.paths),
    ):  # fmt: skip
        if values:
            parts.append(_joined(" OR ", (CONDITIONS[key](value) for value in values)))
    parts += [CONDITIONS["tag"](tag) for tag in filters.tags]
    for key, value in filters.excluded:
        text, values_ = CONDITIONS[key](value)
        parts.append((f"NOT {text}", values_))
    # Without the Z, whole seconds are a prefix of milliseconds, and text order is time order.
    if filters.since:
        parts.append(("created >= ?", [filters.since.removesuffix("Z")]))
    if filters.until:
        parts.append(("created < ?", [filters.until.removesuffix("Z")]))
    return _joined(" AND ", parts) if parts else ("1", [])


def _joined(by: str, parts: Iterable[Condition]) -> Condition:
    texts, values = zip(*parts, strict=True)
    return f"({by.join(texts)})", [value for some in values for value in some]


def _equals(column: str) -> Callable[[str], Condition]:
    return lambda value: (f"({column} = ? COLLATE NOCASE)", [value])


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
            " OR p.path LIKE ? ESCAPE '!' OR (p.role = 'governs' AND (? GLOB"
            " replace(p.path, '[', '[[]') OR ? GLOB replace(p.path, '[', '[[]') || '/*'))"
        )
        safe = like(plain)
        values = [plain, f"{safe}/%", f"%/{safe}", f"%/{safe}/%", plain, plain]
    return f"(file IN (SELECT p.file FROM paths p WHERE p.role <> 'branch' AND ({test})))", values  # noqa: S608


def like(text: str) -> str:
    """Escape text for ``LIKE … ESCAPE '!'``."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


CONDITIONS: dict[str, Callable[[str], Condition]] = {
    "kind": _equals("kind"),
    "status": _equals("status"),
    "type": _type,
    "author": _author,
    "session": _session,
    "tag": _tag,
    "path": _path,
}
