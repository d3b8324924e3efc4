"""What is wrong with a hub, and what to do about it."""

import os
import time
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Final, NamedTuple

from gitmem.errors import GitmemError, install
from gitmem.parts.hub.permissions import Permissions
from gitmem.parts.hub.protocol import Engine, Head
from gitmem.parts.hub.registry import SECRET, Registry
from gitmem.parts.hub.taking import Taker
from gitmem.parts.hub.visitors import HOST_TOKEN, Visitors
from gitmem.plurals import counted

_STALE_SECONDS: Final = 24 * 3600.0
"""A hub that runs looks at every repository every few minutes."""


class Finding(NamedTuple):
    """What was looked at.

    Attributes:
        text: what was found.
        hint: what to do; empty: all is well.

    """

    text: str
    hint: str = ""


def examine(registry: Registry, engine: Engine, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at a hub's folder, its engine and its repositories, in this order.

    Args:
        registry: of the hub.
        engine: of the hub; it answered when it was opened.
        environ: the environment of this process.

    """
    yield _writable_folder(registry.folder)
    heads = engine.heads()
    yield _writable_engine(engine)
    yield from _registered(registry, heads)
    published = [name for name, row in registry.repositories.items() if row.published]
    if published and registry.jobs is None:
        yield Finding(
            f"{published[0]} is published by jobs; hub.yaml does not say who issues their tokens",
            "add jobs; see docs/hub-access.md",
        )  # fmt: skip
    taker = Taker(engine, registry.clones)
    for name, repository in registry.repositories.items():
        if repository.replaced_by:
            yield Finding(repository.replaced.message, repository.replaced.hint)
            continue
        if repository.published:
            yield _published(name, heads.get(name, Head()))
            continue
        try:
            head = taker.head(repository)
        except GitmemError as error:
            yield Finding(f"{name}: {error.message}", "see that git may read it from here")
        else:
            yield _freshness(name, head, heads.get(name, Head()))
    yield from _people(registry, environ)
    if find_spec("mcp"):
        yield Finding("coding assistants are answered at /mcp")
    else:
        yield Finding(f"no answers for coding assistants; to give them: {install('mcp')}")
    if environ.get(SECRET):
        yield Finding("webhooks are checked with the secret of the environment")
    else:
        yield Finding(f"no webhooks: {SECRET} is not set; repositories are looked at in turn")


def _people(registry: Registry, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at who says who asks, and what they may see."""
    visitors = Visitors(lambda: registry, environ)
    try:
        for who, checker in (("people", visitors.people), ("jobs", visitors.jobs)):
            if checker:
                yield Finding(f"{who}: the issuer answers, with {counted(checker.reach(), 'key')}")
        if permissions := visitors.permissions:
            permissions.refresh()
            if permissions.silent:
                yield Finding(
                    f"permissions: {permissions.silent}",
                    f"see hub.yaml, and that {HOST_TOKEN} may read who has access to repositories",
                )
            yield from _readers(registry, permissions)
    except GitmemError as error:
        yield Finding(error.message, error.hint or "see docs/hub-access.md")
    finally:
        visitors.close()


def _readers(registry: Registry, permissions: Permissions) -> Iterator[Finding]:
    for name, repository in registry.repositories.items():
        users = None if repository.internal else permissions.users_of(name)
        if users is not None:
            hint = "" if users else "see that it is there under this name, and may be looked at"
            people = counted(len(users), "person", "people")
            yield Finding(f"{name}: {people} may see it, by its permissions", hint)


def _writable_folder(folder: str) -> Finding:
    if os.access(folder, os.W_OK):
        return Finding(f"{folder} can be written")
    return Finding(f"{folder} can't be written", "give the hub's user that right")


def _writable_engine(engine: Engine) -> Finding:
    try:
        with engine.writing():
            pass
    except GitmemError as error:
        return Finding(
            f"the database can't be written: {error.message}", error.hint or "see its log"
        )
    return Finding("the database answers and can be written")


def _registered(registry: Registry, heads: Mapping[str, Head]) -> Iterator[Finding]:
    for name in sorted(set(heads) - set(registry.repositories)):
        yield Finding(
            f"{name} is in the database, and not in hub.yaml",
            f"gitmem hub add {name} URL, or with that: gitmem hub remove {name}",
        )  # fmt: skip
    for token, name in registry.unknown_grants():
        yield Finding(
            f"the token of {token} names {name}, which this hub does not read",
            f"make it anew: gitmem hub token {token}",
        )  # fmt: skip


def _published(name: str, sent: Head) -> Finding:
    if not sent.commit:
        return Finding(f"{name}: nothing is published yet", "run in its CI: gitmem hub publish")
    age = time.time() - sent.taken
    return Finding(f"{name}: published at {sent.commit[:10]}, {age / 3600:.0f} h ago")


def _freshness(name: str, commit: str, taken: Head) -> Finding:
    if not taken.taken:
        return Finding(f"{name}: not taken yet", f"gitmem hub sync {name}")
    if taken.commit == commit:
        return Finding(f"{name}: taken at its head, {commit[:10]}")
    age = time.time() - taken.taken
    behind = f"{name}: behind its head, taken {age / 3600:.0f} h ago"
    hint = f"see that gitmem hub serve runs, or: gitmem hub sync {name}"
    return Finding(behind, hint if age > _STALE_SECONDS else "")
