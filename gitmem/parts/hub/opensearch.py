"""An engine in OpenSearch 2.19 or later, of one node or many: plain indices, no plugin.

What a question weighs is whether a record has a term, so each term is a filter with a constant
score: no rounding of weights, and no shard has an opinion of its own on how rare a term is. A step
is gathered first and done at its end (see ``steps``), under a lease that one writer has at a time.
Who may see what is a condition in every question, made in one place.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

from opensearchpy import OpenSearch
from opensearchpy.exceptions import OpenSearchException, TransportError

from gitmem.errors import EnvironmentProblem
from gitmem.parts.hub import opensearch_actions as action
from gitmem.parts.hub import opensearch_overview as overview
from gitmem.parts.hub import opensearch_schema as schema
from gitmem.parts.hub.opensearch_actions import Json
from gitmem.parts.hub.opensearch_lease import LEASE, Lease, Turn
from gitmem.parts.hub.protocol import (
    CANDIDATES,
    Candidate,
    Entry,
    Head,
    Held,
    Kept,
    Seen,
    SharedPrint,
    Stored,
)  # fmt: skip
from gitmem.parts.hub.steps import PendingStep, RepositoryContents, kept

_PATIENCE: Final = 10.0
"""Seconds in which a question is asked again after a node went away."""
_PAUSE: Final = 0.05
_TIMEOUT: Final = 30
_THREADS: Final = 10
"""More may ask at once; their connections do not stay."""
_PAGE: Final = 1_000
_MOST: Final = 10_000
"""Documents that OpenSearch gives in one answer."""
_TOGETHER: Final = 500
"""Documents of one request that writes."""
_UNAVAILABLE: Final = frozenset({"N/A", 429, 502, 503, 504})
_REASON: Final = 300
_CONFLICT, _MISSING = 409, 404
_WHOLE: Final = "allow_partial_search_results"
"""Unless it is refused, a shard that is away is left out of an answer without a word."""
_INTERNAL: Final = "internal"
_BEGUN: Final = "begun"
_OLDEST: Final = [{"created": "asc"}, {"repository": "asc"}, {"id": "asc"}]
_BY_KEY: Final = [{"repository": "asc"}, {"key": "asc"}]
_T = TypeVar("_T")


class _WritingThread(threading.local):
    """The step that this thread is writing, if it is, and its turn to do so."""

    step: PendingStep | None = None
    turn: Turn | None = None


class OpenSearchHub:
    """See ``protocol.Engine``. Threads may share one.

    Args:
        address: see ``opensearch_schema.parse``.

    Raises:
        EnvironmentProblem: no node answers, or its indices are of a newer gitmem.

    """

    def __init__(self, address: str) -> None:
        self._at = schema.parse(address)
        self._local = _WritingThread()
        self._client = OpenSearch(
            list(self._at.nodes), timeout=_TIMEOUT, max_retries=len(self._at.nodes),
            retry_on_timeout=True, dead_timeout=1, pool_maxsize=_THREADS,
            http_auth=self._at.credentials,
        )  # fmt: skip
        self._lease = Lease(self._client, self._at.state)
        self._asked(self._prepare)

    def _prepare(self) -> None:
        """Make the indices that are not there."""
        at, indices = self._at, self._client.indices
        if indices.exists_alias(name=at.records):
            mapping = next(iter(indices.get_mapping(index=at.records).values()))
            if mapping["mappings"]["_meta"]["version"] > schema.VERSION:
                raise EnvironmentProblem(
                    "this hub's indices are of a newer gitmem",
                    "use that version, or another prefix",
                )
            return
        self._make(at.audit, schema.index(schema.AUDIT_FIELDS))
        self._make(at.state, schema.index(schema.STATE_FIELDS))
        self._client.index(
            index=at.state, id=_INTERNAL, body={"repositories": []}, params={"op_type": "create"},
            ignore=_CONFLICT,
        )  # fmt: skip
        described = schema.index(schema.RECORD_FIELDS, at.shards)
        self._make(f"{at.records}-{schema.VERSION}", described | {"aliases": {at.records: {}}})

    def _make(self, name: str, described: Json) -> None:
        # 400: another process was first.
        self._client.indices.create(index=name, body=described, ignore=400)
        self._client.cluster.health(index=name, params={"wait_for_status": "yellow"})

    def _asked(self, ask: Callable[[], _T]) -> _T:
        """Ask, and ask again where a node went away meanwhile."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return ask()
            except TransportError as error:
                away = error.status_code in _UNAVAILABLE or "disconnected" in str(error)
                if not away or time.monotonic() > end:
                    raise _problem(error) from None
                time.sleep(_PAUSE)
            except OpenSearchException as error:
                raise _problem(error) from None

    def _search(self, name: str, body: Json) -> list[Json]:
        answer = self._asked(
            lambda: self._client.search(index=name, body=body, params={_WHOLE: "false"})
        )
        hits: list[Json] = answer["hits"]["hits"]
        return hits

    def _all(
        self, name: str, filters: list[Json], order: list[Json], *fields: str
    ) -> Iterator[Json]:
        """Give all documents, in order; no more than a page of them at a time."""
        body: Json = {
            "size": _PAGE, "track_total_hits": False, "_source": list(fields),
            "query": {"bool": {"filter": filters}}, "sort": order,
        }  # fmt: skip
        while hits := self._search(name, body):
            yield from (hit["_source"] for hit in hits)
            if len(hits) < _PAGE:
                return
            body["search_after"] = hits[-1]["sort"]

    def close(self) -> None:
        """See ``protocol.Engine``."""
        self._client.close()

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See ``protocol.Engine``."""
        if self._local.step:  # a step of a larger one
            yield
            return
        self._local.turn = turn = self._asked(self._lease.take)
        try:
            self._finish_begun()
            self._local.step = step = PendingStep(self._state)
            yield
            self._local.step = None
            self._do(step)
        finally:
            self._local.step = self._local.turn = None
            self._lease.give_back(turn)

    def _step(self) -> PendingStep:
        if self._local.step is None:
            raise RuntimeError("records are changed inside of writing() only")
        return self._local.step

    def _do(self, step: PendingStep) -> None:
        """Do what was gathered: first what hides, then what shows, and how far it went last.

        Who is killed on the way has shown nothing that is to be hidden: what was to be dropped is
        noted before anything is, and the next writer goes on with that. What was to be added the
        next sync adds, since how far it was taken is not noted yet.
        """
        at = self._at
        internal = self._internal()
        planned = action.plan(step, at, internal)
        if planned.hiding:
            begun = {"value": {"actions": planned.hiding}}
            self._write([action.index(at.state, _BEGUN, begun)])
        self._set_internal(internal, internal & planned.internal)
        self._write([*planned.hiding, *([action.delete(at.state, _BEGUN)] * bool(planned.hiding))])
        self._write(planned.adding)
        self._write(planned.heads)
        self._set_internal(internal & planned.internal, planned.internal)

    def _finish_begun(self) -> None:
        """Drop what a writer that was killed had begun to drop."""
        state = self._at.state
        answer = self._asked(lambda: self._client.get(index=state, id=_BEGUN, ignore=_MISSING))
        if answer["found"]:
            self._write([*answer["_source"]["value"]["actions"], action.delete(state, _BEGUN)])

    def _internal(self) -> set[str]:
        document = self._asked(lambda: self._client.get(index=self._at.state, id=_INTERNAL))
        return set(document["_source"]["repositories"])

    def _set_internal(self, before: set[str], after: set[str]) -> None:
        if before != after:
            self._write([action.index(self._at.state, _INTERNAL, {"repositories": sorted(after)})])

    def _write(self, actions: Sequence[Json]) -> None:
        """Write documents, in order; the next question sees them."""
        for at in range(0, len(actions), _TOGETHER):
            turn = self._local.turn
            if turn is None or not self._asked(partial(self._lease.renew, turn)):
                raise EnvironmentProblem(
                    f"writing stopped for {LEASE:.0f} seconds, and another writer had its turn",
                    "sync again: what is missing is added",
                )
            lines: list[Json] = []
            for each in actions[at : at + _TOGETHER]:
                lines.append(each["does"])
                lines += [each["document"]] if "document" in each else []
            written = partial(self._client.bulk, body=lines, params={"refresh": "true"})
            answer = self._asked(written)
            if reason := action.refused(answer):
                raise EnvironmentProblem(
                    f"OpenSearch refused to write: {reason[:_REASON]}",
                    "see: gitmem hub doctor",
                )

    def _state(self, repository: str) -> RepositoryContents:
        of_repository: Json = {"term": {"repository": repository}}
        records = {
            document["id"]: (document["path"], document["blob"])
            for document in self._all(
                self._at.records, [of_repository], _OLDEST, "id", "path", "blob"
            )
        }
        held: dict[str, Held] = {}
        forgotten: set[str] = set()
        head = None
        for document in self._all(
            self._at.state, [of_repository], [{"what": "asc"}, *_BY_KEY], "what", "key", "value"
        ):
            if document["what"] == "held":
                file = Held(**document["value"])
                held[file.path] = file
            elif document["what"] == "forgotten":
                forgotten.add(document["key"])
            else:
                head = Head(**document["value"])
        return RepositoryContents(records, held, forgotten, head)

    def _seen_by_writer(self, repository: str) -> RepositoryContents:
        step = self._local.step
        return step.of(repository).now if step else self._state(repository)

    def put(self, entries: Iterable[Entry]) -> int:
        """See ``protocol.Engine``."""
        step = self._step()
        return sum(step.of(entry.repository).put(entry) for entry in entries)

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """See ``protocol.Engine``."""
        self._step().of(repository).hold(held)

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """See ``protocol.Engine``."""
        return self._step().of(repository).forget(ids, for_good=for_good)

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """See ``protocol.Engine``."""
        self._step().of(repository).release(paths)

    def took(self, repository: str, head: Head) -> None:
        """See ``protocol.Engine``."""
        self._step().of(repository).took(head._replace(taken=time.time()))

    def drop(self, repository: str) -> int:
        """See ``protocol.Engine``."""
        return self._step().of(repository).drop()

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """See ``protocol.Engine``."""
        line = {"at": int(time.time()), "who": who, "what": what, "repository": repository}
        self._asked(lambda: self._client.index(index=self._at.audit, body={**line, "count": count}))

    # Reading

    def heads(self) -> dict[str, Head]:
        """See ``protocol.Engine``."""
        heads = {
            document["repository"]: Head(**document["value"])
            for document in self._all(
                self._at.state, [{"term": {"what": "head"}}], _BY_KEY, "repository", "value"
            )
        }
        for name, repository in self._local.step.repositories.items() if self._local.step else ():
            heads.pop(name, None)
            if repository.now.head:
                heads[name] = repository.now.head
        return heads

    def ids(self, repository: str) -> dict[str, Kept]:
        """See ``protocol.Engine``."""
        return kept(self._seen_by_writer(repository))

    def forgotten(self, repository: str) -> set[str]:
        """See ``protocol.Engine``."""
        return set(self._seen_by_writer(repository).forgotten)

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """See ``protocol.Engine``."""
        names = list(terms)
        every: list[Json] = [{"match_all": {}}, *({"term": {"terms": name}} for name in names)]
        everything, *each = self._several(
            [{"size": 0, "track_total_hits": True, "query": query} for query in every]
        )
        numbers = [int(answer["hits"]["total"]["value"]) for answer in each]
        counts = {name: number for name, number in zip(names, numbers, strict=True) if number}
        return counts, int(everything["hits"]["total"]["value"])

    def _several(self, questions: list[Json]) -> list[Json]:
        lines: list[Json] = [line for question in questions for line in ({_WHOLE: False}, question)]

        def ask() -> list[Json]:
            answer = self._client.msearch(index=self._at.records, body=lines)
            responses: list[Json] = answer["responses"]
            for response in responses:
                if "error" in response:
                    raise TransportError(response["status"], str(response["error"])[:_REASON], {})
            return responses

        return self._asked(ask)

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """See ``protocol.Engine``."""
        if not prints:
            return []
        answers = self._several([
            {
                "size": min(limit, _MOST), "track_total_hits": False, "_source": action.RECORD,
                "sort": action.NEWEST,
                "query": {"bool": {"filter": [
                    {"term": {"prints": f"{level}:{value}"}}, self._visible(visible)
                ]}},
            }
            for level, value in prints
        ])  # fmt: skip
        matched: dict[tuple[str, str], tuple[str, Stored]] = {}
        for (level, _), answer in zip(prints, answers, strict=True):
            for hit in answer["hits"]["hits"]:
                record = action.stored(hit["_source"])
                matched.setdefault((record.repository, record.id), (level, record))
        return list(matched.values())[:limit]

    def candidates(
        self,
        factors: Sequence[tuple[str, float]],
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        limit: int = CANDIDATES,
        reading: Collection[str] = (),
    ) -> list[Candidate]:
        """See ``protocol.Engine``."""
        if not factors:
            return []
        filters = [self._visible(visible)]
        filters += [{"terms": {"kind": list(kinds)}}] if kinds else []
        weighed = [
            {"constant_score": {"filter": {"term": {"terms": term}}, "boost": value}}
            for term, value in factors
        ]
        hits = self._search(self._at.records, {
            "size": limit, "track_total_hits": False, "_source": False,
            "docvalue_fields": [*action.CANDIDATE, *(["impacts"] if reading else [])],
            "sort": [{"_score": "desc"}, *action.NEWEST],
            "query": {"bool": {"filter": filters, "should": weighed, "minimum_should_match": 1}},
        })  # fmt: skip
        return [action.candidate(hit, reading) for hit in hits]

    def linking(
        self, of: Collection[tuple[str, str]], visible: Seen
    ) -> list[tuple[str, str, Stored]]:
        """See ``protocol.Engine``."""
        wanted = set(of)
        targets = sorted({target for _, target in wanted})
        documents = (
            document
            for at in range(0, len(targets), _PAGE)
            for document in self._all(
                self._at.records,
                [{"terms": {"targets": targets[at : at + _PAGE]}}, self._visible(visible)],
                _OLDEST, *action.RECORD, "relations", "targets",
            )
        )  # fmt: skip
        unique = {tuple(map(each.get, action.IN_TIME)): each for each in documents}
        return [
            (relation, target, action.stored(document))
            for _, document in sorted(unique.items())
            for relation, target in zip(document["relations"], document["targets"], strict=True)
            if (document["repository"], target) in wanted
        ]

    def newest(
        self,
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        only: Collection[tuple[str, str]] | None = None,
        limit: int,
    ) -> list[Stored]:
        """See ``protocol.Engine``."""
        body = overview.newest(self._visible(visible), kinds, only, min(limit, _MOST))
        return [action.stored(hit["_source"]) for hit in self._search(self._at.records, body)]

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """See ``protocol.Engine``."""
        (answer,) = self._several([overview.shared(level, since, self._visible(visible))])
        return overview.shared_in(answer, level)[:limit]

    def sizes(self, visible: Seen) -> dict[str, int]:
        """See ``protocol.Engine``."""
        sizes: dict[str, int] = {}
        body: Json | None = overview.sizes(self._visible(visible))
        while body:
            (answer,) = self._several([body])
            body = overview.sizes_in(answer, body, sizes)
        return sizes

    def _visible(self, visible: Seen) -> Json:
        """Make the condition that nothing is found which whoever asks may not see."""
        named: list[Json] = [{"terms": {"repository": sorted(visible.repositories)}}]
        if visible.internal:
            # Looked up by the node that answers: a repository made private is so at once.
            place = {"index": self._at.state, "id": _INTERNAL, "path": "repositories"}
            named.append({"terms": {"repository": place}})
        return {"bool": {"should": named, "minimum_should_match": 1}}


def _problem(error: OpenSearchException) -> EnvironmentProblem:
    reason = " ".join(str(error).split()) or type(error).__name__
    return EnvironmentProblem(
        f"the hub's OpenSearch does not answer: {reason[:_REASON]}", "see: gitmem hub doctor"
    )
