"""What is aimed at: whole processes in P, the time of ``python -c pass`` on the same machine.

A memory of another size has to meet the target of the next larger size in the table.
"""

from typing import Final, NamedTuple


class Target(NamedTuple):
    """One target.

    Attributes:
        text: as it is printed.
        limits: the most that is allowed for each value of a figure.
        at_least: the limits are the least.
        exact: it holds for exactly this size.

    """

    text: str
    limits: tuple[float, ...]
    at_least: bool = False
    exact: bool = False

    def met(self, values: tuple[float, ...]) -> bool:
        """Tell whether the figure is good enough."""
        pairs = zip(values, self.limits, strict=True)
        return all(value >= limit if self.at_least else value <= limit for value, limit in pairs)


_EVERY: Final = 100_000
_WATCHED: Final = {
    10_000: Target("<= 2 % of 10 s", (200,)),
    100_000: Target("<= 5 % of 10 s", (500,)),
}
_ANY: Final = float("inf")
_HOVER: Final = Target("<= 2 / 10 ms", (2, 10))
_FRESH: Final = Target("<= 500 ms", (500,))

_TOOLS: Final = (
    "coding_analyze_patterns", "coding_end_session",
    "coding_get_current_session_status", "coding_get_project_context", "coding_record_decision",
    "coding_record_error", "coding_resume_session", "coding_search_errors",
    "coding_start_session", "coding_track_file_change", "gitmem_advise", "gitmem_context",
    "gitmem_hint", "gitmem_record_fix", "gitmem_search", "gitmem_show", "review",
)  # fmt: skip

TARGETS: Final[dict[str, dict[int, Target]]] = {
    "help": {_EVERY: Target("<= 6 P", (6,))},
    "search": {
        1_000: Target("<= 6 P", (6,)),
        10_000: Target("<= 7 P", (7,)),
        100_000: Target("<= 10 P", (10,)),
    },
    "search-stretch": {
        1_000: Target("<= 3 P (stretch)", (3,)),
        10_000: Target("<= 4 P (stretch)", (4,)),
        100_000: Target("<= 7 P (stretch)", (7,)),
    },
    "search-fresh": {
        1_000: Target("<= 7 P", (7,)),
        10_000: Target("<= 8 P", (8,)),
        100_000: Target("<= 15 P", (15,)),
    },
    "search-at": {
        1_000: Target("<= 6 P", (6,)),
        10_000: Target("<= 7 P", (7,)),
        100_000: Target("<= 10 P", (10,)),
    },
    "list-first": {_EVERY: Target("<= 15 P", (15,))},
    "search-memory": {_EVERY: Target("<= 60 MB", (60,))},
    "add": {_EVERY: Target("<= 12 P", (12,))},
    "add-core": {_EVERY: Target("<= 10 ms", (10,))},
    **{
        key: {_EVERY: Target("<= 40 P", (40,))}
        for key in (
            "stats",
            "stats-by",
            "patterns",
            "trends",
            "successful",
            "fixers",
            "advise",
            "advise-task",
            "context",
        )
    },
    "guard": {10_000: Target("<= 12 P", (12,)), 100_000: Target("<= 15 P", (15,))},
    "rebuild": {
        1_000: Target("<= 0.7 s", (0.7,)),
        10_000: Target("<= 4 s", (4,)),
        100_000: Target("<= 40 s", (40,)),
    },
    "rebuild-memory": {_EVERY: Target("<= 700 MB", (700,))},
    "catch-up-0": {10_000: Target("<= 30 ms", (30,)), 100_000: Target("<= 100 ms", (100,))},
    "catch-up-1": {_EVERY: Target("<= 20 ms", (20,))},
    "catch-up-100": {_EVERY: Target("<= 250 ms", (250,))},
    "catch-up-5000": {_EVERY: Target("<= 4,000 ms", (4_000,))},
    "query-three words": {_EVERY: Target("<= 7 / 24 ms", (7, 24))},
    "query-pasted error": {
        10_000: Target("<= 3.3 / 10.5 ms", (3.3, 10.5)),
        100_000: Target("<= 19 / 73 ms", (19, 73)),
    },
    "match": {10_000: Target("<= 5 / 20 ms", (5, 20))},
    "run-true": {_EVERY: Target("<= 15 P", (15,))},
    "run-tests": _WATCHED,
    "run-tests-cpu": _WATCHED,
    "parse": {_EVERY: Target(">= 30 MB/s", (30,), at_least=True)},
    "parse-memory": {_EVERY: Target("<= 150 MB", (150,))},
    "redact": {_EVERY: Target(">= 10 MB/s", (10,), at_least=True)},
    "install": {_EVERY: Target("<= 30 MB", (30,))},
    "lsp-initialize": {_EVERY: Target("<= 450 ms", (450,))},
    "lsp-hover": {_EVERY: _HOVER},
    "lsp-hover-id": {_EVERY: _HOVER},
    "lsp-hover-nothing": {_EVERY: _HOVER},
    "lsp-hover-rebuild": {_EVERY: _HOVER},
    "lsp-hover-no-index": {_EVERY: _HOVER},
    "lsp-fresh": {_EVERY: _FRESH},
    "lsp-fresh-commit": {_EVERY: _FRESH},
    "lsp-fresh-burst": {_EVERY: _FRESH},
    "mcp-initialize": {_EVERY: Target("<= 1,000 ms", (1_000,))},
    "mcp-tools": {_EVERY: Target("<= 2,500 tokens", (2_500,))},
    **{f"mcp-{tool}": {_EVERY: Target("<= 30 ms, p50", (30, _ANY))} for tool in _TOOLS},
    "mcp-gitmem_hint-at-once": {10_000: Target("<= 500 ms, p99", (_ANY, 500))},
    **{
        f"assistant-hook-{kind}-evicted": {10_000: Target("<= 400 ms", (400,))}
        for kind in ("session", "begins", "red")
    },
    "near-vectors": {_EVERY: Target("<= 25 MB", (25,))},
    "near-six words": {_EVERY: Target("<= 2 ms, p50", (2, _ANY))},
    "near-pasted error": {_EVERY: Target("<= 2 ms, p50", (2, _ANY))},
    "git-grep-ratio": {_EVERY: Target(">= 5 times", (5,), at_least=True, exact=True)},
}


def target_for(key: str, size: int) -> Target | None:
    """Find the target of a figure for a memory of ``size`` records."""
    targets = TARGETS.get(key, {})
    at = min((of for of in targets if of >= size), default=None)
    if at is None or (targets[at].exact and at != size):
        return None
    return targets[at]
