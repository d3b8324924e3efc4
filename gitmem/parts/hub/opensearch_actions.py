"""Documents of a hub in OpenSearch, and what a step does to them."""

import base64
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from gitmem.parts.hub.opensearch_schema import OpenSearchAddress, key
from gitmem.parts.hub.protocol import Candidate, Entry, Stored
from gitmem.parts.hub.steps import PendingStep, RepositoryStep

Json = dict[str, Any]
RECORD: Final = ["repository", "id", "path", "commit", "kind", "created", "body"]
"""Fields of a record's document that make a ``Stored``, in its order."""
CANDIDATE: Final = ["repository", "id", "created"]
"""Fields of a record's document that name a candidate, in the order of ``Candidate``."""
NEWEST: Final = [{"created": "desc"}, {"repository": "desc"}, {"id": "desc"}]
IN_TIME: Final = ["created", "repository", "id"]
"""Fields that name a record and put it in order."""


class Plan(NamedTuple):
    """What a step writes, in the order in which it is written.

    Attributes:
        hiding: what is dropped, and may never be seen again.
        adding: records, and notes on files that were held back.
        heads: how far repositories were taken.
        internal: the repositories that everybody may see, afterwards.

    """

    hiding: list[Json]
    adding: list[Json]
    heads: list[Json]
    internal: set[str]


def plan(step: PendingStep, at: OpenSearchAddress, internal: Collection[str]) -> Plan:
    """Say what a step writes.

    Args:
        step: what was gathered.
        at: the names of indices.
        internal: the repositories that everybody may see, so far.

    """
    planned = Plan([], [], [], set(internal))
    for name, repository in step.repositories.items():
        _forget(planned.hiding, name, repository, at)
        _add(planned.adding, name, repository, at)
        after = repository.now.head
        head = key("head", name)
        if after is None:
            planned.hiding.append(delete(at.state, head))
        elif after != repository.before.head:
            document = {"what": "head", "repository": name, "key": "", "value": after._asdict()}
            planned.heads.append(index(at.state, head, document))
        (planned.internal.add if after and after.internal else planned.internal.discard)(name)
    return planned


def _forget(
    actions: list[Json], name: str, repository: RepositoryStep, at: OpenSearchAddress
) -> None:
    before, after = repository.before, repository.now
    for forgotten in sorted(after.forgotten - before.forgotten):
        document = {"what": "forgotten", "repository": name, "key": forgotten}
        actions.append(index(at.state, key("forgotten", name, forgotten), document))
    actions += [
        delete(at.records, key("record", name, record)) for record in sorted(repository.gone)
    ]
    actions += [
        delete(at.state, key("held", name, path)) for path in before.held.keys() - after.held.keys()
    ]


def _add(actions: list[Json], name: str, repository: RepositoryStep, at: OpenSearchAddress) -> None:
    actions += [
        index(at.records, key("record", name, record), _document(entry))
        for record, entry in repository.new.items()
    ]
    for path, held in repository.now.held.items():
        if repository.before.held.get(path) != held:
            document_key = key("held", name, path)
            document: Json = {"what": "held", "repository": name, "key": document_key}
            document["value"] = held._asdict()
            actions.append(index(at.state, document_key, document))


def index(where: str, name: str, document: Mapping[str, Any]) -> Json:
    """Write a document, whatever is there."""
    return {"does": {"index": {"_index": where, "_id": name}}, "document": document}


def delete(where: str, name: str) -> Json:
    """Drop a document, if it is there."""
    return {"does": {"delete": {"_index": where, "_id": name}}}


def _document(entry: Entry) -> Json:
    return {
        "repository": entry.repository, "id": entry.id, "created": entry.created,
        "kind": entry.kind, "terms": list(entry.impacts),
        "prints": [f"{level}:{value}" for level, value in entry.prints],
        "targets": [target for _, target in entry.links],
        "relations": [relation for relation, _ in entry.links],
        "path": entry.path, "blob": entry.blob, "commit": entry.commit,
        "body": entry.body.decode(),
        "impacts": base64.b64encode(msgspec.msgpack.encode(entry.impacts)).decode(),
    }  # fmt: skip


def refused(answer: Json) -> str:
    """Say why a document was not written; empty: all were."""
    for item in answer["items"]:
        for result in item.values():
            if "error" in result:
                return str(result["error"].get("reason"))
    return ""


def stored(document: Json) -> Stored:
    """Make what an engine gives of a document."""
    repository, name, path, commit, kind, created, body = (document[field] for field in RECORD)
    return Stored(repository, name, path, commit, kind, created, body.encode())


def candidate(hit: Json, reading: Collection[str]) -> Candidate:
    """Make a candidate of a hit, whose fields come from columns.

    Args:
        hit: as OpenSearch gives it.
        reading: terms of which to give impacts.

    """
    fields = hit["fields"]
    impacts: Mapping[str, int] = {}
    if reading:
        # A column is given without the padding that a document needs.
        impacts = msgspec.msgpack.decode(base64.b64decode(fields["impacts"][0] + "=="))
    repository, name, created = (fields[field][0] for field in CANDIDATE)
    read = {term: impacts[term] for term in reading if term in impacts}
    return Candidate(repository, name, created, round(hit["sort"][0], 6), read)
