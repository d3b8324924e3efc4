"""What pages ask OpenSearch beside a developer's questions: what is new, shared, and how much."""

from collections.abc import Collection
from typing import Final

from gitmem.parts.hub.opensearch_actions import NEWEST, RECORD, Json
from gitmem.parts.hub.opensearch_schema import key
from gitmem.parts.hub.protocol import SharedPrint, most_shared

_MOST_BUCKETS: Final = 10_000
"""Fingerprints with the most records, of which the shared ones are taken; names of one page."""


def newest(
    visible: Json, kinds: Collection[str], only: Collection[tuple[str, str]] | None, limit: int
) -> Json:
    """Ask for the newest records; see ``protocol.Engine.newest``."""
    filters = [visible]
    filters += [{"terms": {"kind": list(kinds)}}] if kinds else []
    if only is not None:
        filters.append({"ids": {"values": [key("record", *pair) for pair in only]}})
    return {
        "size": limit, "track_total_hits": False, "_source": RECORD, "sort": NEWEST,
        "query": {"bool": {"filter": filters}},
    }  # fmt: skip


def shared(level: str, since: str, visible: Json) -> Json:
    """Ask for fingerprints that several records have, with the number of their repositories."""
    counted: Json = {
        "terms": {"field": "prints", "include": f"{level}:.*", "min_doc_count": 2,
                  "size": _MOST_BUCKETS},
        # Exact up to so many repositories.
        "aggs": {"repositories": {
            "cardinality": {"field": "repository", "precision_threshold": 10_000}
        }},
    }  # fmt: skip
    filters: list[Json] = [{"range": {"created": {"gte": since}}}, visible]
    return {
        "size": 0, "track_total_hits": False, "query": {"bool": {"filter": filters}},
        "aggs": {"prints": counted},
    }  # fmt: skip


def shared_in(answer: Json, level: str) -> list[SharedPrint]:
    """Read the answer: what more than one repository has."""
    every = [
        SharedPrint(
            level,
            bucket["key"].partition(":")[2],
            int(bucket["repositories"]["value"]),
            int(bucket["doc_count"]),
        )
        for bucket in answer["aggregations"]["prints"]["buckets"]
    ]
    return sorted((each for each in every if each.repositories > 1), key=most_shared)


def sizes(visible: Json) -> Json:
    """Ask for the number of records of each repository, a page of names at a time."""
    names: Json = {"size": _MOST_BUCKETS, "sources": [{"name": {"terms": {"field": "repository"}}}]}
    return {
        "size": 0, "track_total_hits": False, "query": {"bool": {"filter": [visible]}},
        "aggs": {"names": {"composite": names}},
    }  # fmt: skip


def sizes_in(answer: Json, question: Json, into: dict[str, int]) -> Json | None:
    """Read a page of the answer, and give the next question; None: there are no more."""
    page = answer["aggregations"]["names"]
    into |= {bucket["key"]["name"]: int(bucket["doc_count"]) for bucket in page["buckets"]}
    if len(page["buckets"]) < _MOST_BUCKETS:
        return None
    question["aggs"]["names"]["composite"]["after"] = page["after_key"]
    return question
