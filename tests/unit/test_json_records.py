"""Records of a log that are JSON: what failed is read as if it were printed plainly."""

import json

import pytest

from gitmem.matching.json_records import plain_records
from gitmem.matching.parse import parse
from gitmem.matching.recorded import prints_of_failure
from gitmem.output.failure import Failure

_STACK = "TypeError: items.map is not a function\n    at total (/srv/shop/src/cart.js:{}:9)"


def _only(record: object) -> Failure:
    (failure,) = parse(json.dumps(record) + "\n")
    return failure


def _pino(line: int, pid: int) -> object:
    error = {"type": "TypeError", "message": "items.map is not a function"}
    stack = _STACK.format(line)
    return {"level": 50, "time": 1709287951204 + pid, "pid": pid, "err": {**error, "stack": stack}}


def _zap(caller: str, why: str) -> object:
    return {
        "level": "error", "ts": 1709287951.2, "caller": caller, "msg": "cannot read orders",
        "error": why, "stacktrace": "shop/cart.List\n\t/srv/shop/cart/store.go:21",
    }  # fmt: skip


def test_a_stack_in_json_is_read_as_the_language_prints_it() -> None:
    """The whole record was the message: its pid and its line made it another failure."""
    first, later = _only(_pino(14, 812)), _only(_pino(20, 9))
    assert (first.error_type, first.frames[-1].line) == ("TypeError", 14)
    assert prints_of_failure(first).site == prints_of_failure(later).site != ""


def test_why_and_where_are_read_where_there_is_no_stack_of_the_error() -> None:
    refused = _only(_zap("cart/store.go:21", "dial tcp: connection refused"))
    missing = _only(_zap("cart/store.go:21", 'relation "orders" does not exist'))
    assert refused.location
    assert (refused.location.file, refused.location.line) == ("cart/store.go", 21)
    assert prints_of_failure(refused).message != prints_of_failure(missing).message


@pytest.mark.parametrize(
    "line",
    [
        '{"level": "info", "msg": "no errors"}',
        '{"level": 30, "msg": "failed over"}',
        '{"level": "error", "msg": ""}',
        '{"level": "error", "msg": "cut off',
        '[{"level": "error"}]',
        "error: plain",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert plain_records([line]) is None
