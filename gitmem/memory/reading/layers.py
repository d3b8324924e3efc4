"""Records that are read beside the memory's own: its archives, and packs of knowledge.

A layer is a memory that is read only, below the own one. Own records come first; then what was
archived, which are own records as well; then packs, and of those little: a pack speaks only where
the memory itself has nothing to say. What comes from a layer says so. Nothing of it is counted,
checked in or changed, and no layer is opened before the own records have been asked.
"""

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from gitmem import query as query_language
from gitmem.answers.found import Resembling, SearchHit, SearchResult, Shown
from gitmem.errors import GitmemError, NotFoundError
from gitmem.matching.labels import LOOKED_UP, SAME_MESSAGE, WEAK, label_of
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.reading.reader import Reader
from gitmem.records.layout import ARCHIVE
from gitmem.store.files import Store
from gitmem.store.readonly import PackFiles
from gitmem.sync import NothingYet
from gitmem.sync.without_sync import Fixed, WithoutSync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.catalog.rows import Row
    from gitmem.records.kinds import Record
    from gitmem.records.problems import Problem
    from gitmem.sync.derived import Derived

_Answer = TypeVar("_Answer")
ARCHIVED: Final = "archived"
UNVERIFIED: Final = "unverified"
_MOST_FROM_PACKS: Final = 3
_SHORTEST_OF_PACKS: Final = 3
"""So many letters of an id are looked up in packs."""
"""Hits of a search."""
_MOST_LOOKED_AT: Final = 20
"""Hits in packs, of which most may share no more than a word with the question."""
_NAMED: Final = re.compile(r"names ([a-z]+-[0-9a-z]+),")
_KNOWN: Final = frozenset({"same error", "same place", "same message"})


class Layers:
    """The layers of one memory, opened when they are asked.

    Args:
        workspace: of the memory above them.

    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @cached_property
    def archived(self) -> Reader | None:
        """What was archived; None: nothing was."""
        site = self._workspace.site
        if not os.path.isdir(os.path.join(site.folder, ARCHIVE)):
            return None
        from gitmem.store.archives import Archives, names  # noqa: PLC0415  start-up

        archives = names(site.folder)
        if not archives:
            return None

        store = Archives(site.folder, self._workspace.store.max_bytes, archives)
        own = self._workspace.derived
        directory = os.path.join(own.directory, ARCHIVED) if own.directory else None
        # An archive is named by its content.
        names_of_all = "\n".join(archives)
        return self._open(store, directory, lambda: names_of_all)

    @cached_property
    def packs(self) -> Reader | None:
        """The packs that are on and here; None: none is."""
        from gitmem.memory.reading.packs import places_on, state_folder

        places = places_on(self._workspace)
        if not places:
            return None
        directory = state_folder(self._workspace, places)
        store = PackFiles(places, self._workspace.store.max_bytes)
        return self._open(store, directory, store.version)

    def all(self) -> list[Reader]:
        """Give the layers, from the upper to the lower."""
        return [view for view in (self.archived, self.packs) if view]

    def name(self, view: Reader, row: "Row") -> str:
        """Say where a record of a layer is from: ``archived``, or ``pack`` and its name."""
        return ARCHIVED if view is self.archived else "pack " + row.path.partition("/")[0]

    def close(self) -> None:
        """Close the layers that were opened."""
        for name in ("archived", "packs"):
            if view := self.__dict__.pop(name, None):
                view.close()

    def _open(self, store: Store, directory: str | None, name: "Callable[[], str]") -> Reader:
        own = self._workspace.derived
        derived: Derived
        if isinstance(own, WithoutSync):
            derived = WithoutSync(store, directory, 0, own.team_rules)
        elif not self._workspace.waits:
            from gitmem.memory.core.derived_state import leave_to_process
            from gitmem.sync.without_waiting import FixedWithoutWaiting

            derived = FixedWithoutWaiting(store, directory, own.wait_seconds, own.team_rules, name)
            derived.leave = leave_to_process(self._workspace.site, self._workspace.environ)
        else:
            derived = Fixed(store, directory, own.wait_seconds, own.team_rules, name)
        return Reader(self._workspace.reading(derived))

    # Asking them

    def search(self, text: str, result: SearchResult, limit: int) -> SearchResult:
        """Add to what a search found among the own records what the layers have, if it is little.

        Args:
            text: the question.
            result: the hits among the own records.
            limit: how many hits at most.

        """
        if len(result.hits) >= limit or any(hit.label in _KNOWN for hit in result.hits):
            return result
        parsed = query_language.parse(text, self._workspace.clock())
        hits = list(result.hits)
        has_words = bool(len(parsed.words) > 1 or parsed.phrases or parsed.fuzzy)
        if self.archived:
            more = self.archived.search(text, limit - len(hits)).hits
            hits += self._named(self.archived, more)
        if len(hits) < limit and has_words:
            from gitmem.memory.reading.relevance import answers, speaks_of

            speaking = any(hit.label != WEAK and speaks_of(hit, parsed) for hit in hits)
            if speaking and not parsed.pasted:
                return result._replace(hits=hits, suggestion=None)
            if self.packs is None:
                return result._replace(hits=hits, suggestion=None if hits else result.suggestion)
            most = min(_MOST_FROM_PACKS, limit - len(hits))
            more = self.packs.search(text, _MOST_LOOKED_AT).hits
            more = [hit for hit in more if answers(hit, parsed)]
            if speaking:  # own records look like it; only of just this failure a pack says more
                more = [hit for hit in more if hit.label in _KNOWN]
            more = self._named(self.packs, _general_first(more, text)[:most])
            # What a pack says of just this failure beats own records that only look like it.
            hits = [*more, *hits] if speaking else [*hits, *more]
            hits.sort(key=lambda hit: parsed.pasted and hit.label == WEAK)
        return result._replace(hits=hits, suggestion=None if hits else result.suggestion)

    def matching(
        self, query: "query_language.Query", limit: int
    ) -> "list[tuple[SearchHit, Record]]":
        """Find records for a query, archived ones first; a pack's is named, or holds most words.

        Args:
            query: its words and filters.
            limit: how many at most.

        """
        from gitmem.memory.reading.relevance import is_named, speaks_of

        pairs: list[tuple[SearchHit, Record]] = []
        for view in self.all():
            try:
                hits = view.workspace.ask(lambda now: now.search(query, _MOST_LOOKED_AT)).hits
            except NothingYet:  # it is being made beside this
                continue
            if view is self.packs:
                # Words such as "list" and "sorted" are in the code of nearly anything.
                hits = [
                    hit
                    for hit in hits
                    if is_named(hit, query) or speaks_of(hit, query, in_code=False)
                ]
            pairs += [(hit, view.show(hit.row.id).record) for hit in self._named(view, hits)]
        return pairs[:limit]

    def again(self, failure: "FingerprintedFailure") -> tuple[SearchHit, ...]:
        """Give the archived record of a failure, by its fingerprints."""
        view = self.archived
        return (
            self._first(lambda layer: _same(layer, failure) if layer is view else ())
            if view
            else ()
        )

    def alike(self, failure: "FingerprintedFailure") -> tuple[SearchHit, ...]:
        """Give what the layers know of a failure by its fingerprints, without any text search."""
        return self._first(lambda view: _same(view, failure))

    def similar(
        self,
        failure: "FingerprintedFailure",
        by_text: "Callable[[Reader, FingerprintedFailure], Resembling]",
    ) -> Resembling:
        """Give what the layers know of a failure: of its fingerprints, else what looks like it.

        Args:
            failure: the failure.
            by_text: finds records that look like one. A pack's must say the same beside that.

        """

        def ask(view: Reader) -> Resembling:
            return self._resembling(view, failure, by_text)

        alike: tuple[SearchHit, ...] = ()
        for view in self.all():
            try:
                helpful, of_view = _answer_of(view, ask)
            except NothingYet:  # it is being made beside this
                continue
            alike = alike or tuple(self._named(view, of_view or ()))
            if hits := self._named(view, helpful):
                return Resembling(tuple(hits), alike)
        return Resembling((), alike)

    def _resembling(
        self,
        view: Reader,
        failure: "FingerprintedFailure",
        by_text: "Callable[[Reader, FingerprintedFailure], Resembling]",
    ) -> Resembling:
        hits = _same(view, failure)
        if view is self.packs:
            from gitmem.memory.reading.relevance import is_of_language

            # Two languages may say the same of two mistakes; what a pack advises is of its own.
            hits = tuple(hit for hit in hits if is_of_language(view.workspace, hit.row, failure))
        if hits:
            return Resembling(hits, None)
        resembling = by_text(view, failure)
        if view is not self.packs:
            return resembling
        from gitmem.memory.reading.relevance import says_the_same

        same = [
            hit for hit in resembling.helpful if says_the_same(view.workspace, hit.row, failure)
        ]
        return resembling._replace(helpful=tuple(same[:1]))

    def _first(self, ask: "Callable[[Reader], tuple[SearchHit, ...]]") -> tuple[SearchHit, ...]:
        for view in self.all():
            try:
                hits_of_layer = _answer_of(view, ask)
            except NothingYet:  # it is being made beside this
                continue
            if hits := self._named(view, hits_of_layer):
                return tuple(hits)
        return ()

    def _named(self, view: Reader, hits: "Iterable[SearchHit]") -> list[SearchHit]:
        """Say of hits where they are from; what the memory has itself is left out."""
        own = self._workspace.ask(lambda now: now.catalog)
        named = []
        for hit in hits:
            remaining = [hit]
            if own.by_prefix(hit.row.id):
                # A merge can leave an error as a file, and fixes of it in an archive.
                remaining = [
                    hit._replace(row=fix, attempts=(), errors=(hit.row,))
                    for fix in hit.attempts
                    if not own.by_prefix(fix.id)
                ]
            named += [
                hit_below._replace(
                    layer=self.name(view, hit_below.row),
                    row=self._advice(view, hit_below.row),
                    attempts=tuple(self._advice(view, fix) for fix in hit_below.attempts),
                )
                for hit_below in remaining
            ]
        return named

    def _advice(self, view: Reader, row: "Row") -> "Row":
        """Mark what a pack calls worked as unverified, as nobody of the team checked it."""
        return row._replace(verdict=UNVERIFIED) if view is self.packs and row.helped else row

    def show(self, reference: str) -> Shown:
        """Give a record of a layer; raise NotFoundError if none has it."""
        for view in self._meant(reference):
            try:
                shown = view.show(reference)
            except NotFoundError:
                continue
            backlinks = [(how, self._advice(view, row)) for how, row in shown.backlinks]
            row = self._advice(view, shown.row)
            return shown._replace(layer=self.name(view, row), row=row, backlinks=backlinks)
        raise NotFoundError(f"no record {reference}", "see what there is: gitmem list", reference)

    def _meant(self, reference: str) -> "list[Reader]":
        """Give the layers that may be meant by a reference."""
        from gitmem.records.intake import prefix

        # ``err``, or a letter or two of an id: hundreds of records of packs, and none was meant.
        short = len(prefix(reference).rpartition("-")[2]) < _SHORTEST_OF_PACKS
        return [view for view in self.all() if not (short and view is self.packs)]

    def refuse(self, reference: str) -> None:
        """Raise NotFoundError with what to do, if a layer has the record that was named."""
        for view in self._meant(reference):
            try:
                row = view.find(reference)
            except GitmemError:
                continue
            name = self.name(view, row)
            hint = f"bring it back with: gitmem archive unarchive {row.id}"
            if view is self.packs:
                hint = f"to have it in the memory: gitmem pack write {name[5:]} --only {row.id}"
            raise NotFoundError(f"{row.id} is {'of ' if view is self.packs else ''}{name}", hint)

    def catch_up(self) -> None:
        """Make what is needed to answer out of the layers, for who must not wait for it."""
        for view in self.all():
            view.workspace.ask(lambda now: now.index)

    def judged(self, problems: "list[Problem]") -> "list[Problem]":
        """Let links that lead to archived records be no faults: that is what a merge can leave."""
        if self.archived is None:
            return problems
        named = {
            problem: match[1]
            for problem in problems
            if problem.code == "dangling-link" and (match := _NAMED.search(problem.message))
        }
        archived = self.archived.workspace
        there = archived.ask(lambda now: now.catalog.by_id(named.values()))
        return [
            problem._replace(
                code="archived-link",
                severity="info",
                hint=f"gitmem archive unarchive {named[problem]}",
                message=problem.message.replace("not in this memory", "archived"),
            )
            if named.get(problem) in there
            else problem
            for problem in problems
        ]

    def problems(self) -> "list[Problem]":
        """List what is wrong with the archives; paths are relative to the memory's folder."""
        if self.archived is None:
            return []
        from gitmem.store.archives import Archives  # noqa: PLC0415  start-up

        archived = self.archived.workspace
        store = archived.store
        problems = list(store.listing().problems)
        for problem in archived.ask(lambda now: now.catalog.problems()):
            if problem.severity == "error" and problem.code not in {
                "dangling-link",
                "unwritten-session",
            }:
                home = store.home(problem.path) if isinstance(store, Archives) else ""
                message = f"{problem.path}: {problem.message}"
                problems.append(
                    problem._replace(path=f"{ARCHIVE}/{home}", message=message, line=0, column=0)
                )
        return problems


def _general_first(hits: list[SearchHit], text: str) -> list[SearchHit]:
    """Put what is the same as a pasted failure first, as ``_same`` picks it; others as they are."""
    same = [hit for hit in hits if hit.label in _KNOWN]
    same.sort(key=lambda hit: (hit.row.title not in text, hit.row.created, hit.row.id))
    return [*same, *(hit for hit in hits if hit.label not in _KNOWN)]


def _same(view: Reader, failure: "FingerprintedFailure") -> tuple[SearchHit, ...]:
    """Look a failure up by its fingerprints; by its kind only if that is all it says, or a code."""
    catalog = view.workspace.ask(lambda now: now.catalog)
    levels = [(level, label_of(level, failure.fields)) for level in LOOKED_UP]
    levels.append(("template", SAME_MESSAGE))
    if failure.fields.get("code") or not failure.fields.get("message"):
        levels.append(("kind", SAME_MESSAGE))
    for level, label in levels:
        value = getattr(failure, level)
        errors = catalog.errors_with(level, value) if value else []
        if errors:
            # A pack tells the general case first, and special ones after it.
            named = (row for row in errors if failure.title.startswith(row.title.rstrip(" \u2026")))
            error = next(named, errors[0])
            fixes = [row for how, row in catalog.linking_to(error.id) if how == "fixes"]
            return (SearchHit(error, 0.0, (), tuple(fixes), (), label),)
    return ()


def _answer_of(layer: Reader, question: "Callable[[Reader], _Answer]") -> _Answer:
    return layer.workspace.ask(lambda _: question(layer))
