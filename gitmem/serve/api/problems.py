"""Problems as RFC 9457 has them: a title, a status, what happened, and what to do next."""

from typing import Any, Final

import msgspec
from starlette.responses import Response

from gitmem.errors import ConflictError, GitmemError, InvalidError, NotFoundError, UsageError

MEDIA_TYPE: Final = "application/problem+json"
_STATUS: Final = {UsageError: 400, NotFoundError: 404, InvalidError: 422, ConflictError: 409}
UNAVAILABLE: Final = 503
TITLES: Final = {
    400: "the request makes no sense",
    401: "no token",
    403: "not allowed",
    404: "not found",
    405: "no such method here",
    409: "conflict",
    413: "too large",
    421: "no such host here",
    422: "invalid data",
    503: "not available",
}


def status_of(error: GitmemError) -> int:
    """Give the status of an expected error."""
    return next(
        (status for kind, status in _STATUS.items() if isinstance(error, kind)), UNAVAILABLE
    )


def problem(status: int, detail: str, hint: str = "", field: str = "") -> Response:
    """Answer with a problem.

    Args:
        status: of HTTP.
        detail: what happened, one line.
        hint: what to do next, one line.
        field: which field of the data is wrong.

    """
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": TITLES.get(status, "problem"),
        "status": status,
    }
    content["detail"] = detail
    if hint:
        content["hint"] = hint
    if field:
        content["field"] = field
    return Response(msgspec.json.encode(content), status, media_type=MEDIA_TYPE)


def of_error(error: GitmemError) -> Response:
    """Answer with an expected error."""
    return problem(status_of(error), error.message, error.hint, getattr(error, "field", ""))
