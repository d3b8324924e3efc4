"""Tags of answers: who has an answer already is told that it holds, and is not sent it again.

A tag is made of the answer itself. So it changes with whatever the memory's state shows there
(records, drafts, runs, what git has checked out, the time), and with nothing else.
"""

import hashlib
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

_WEAK = "W/"
_KEPT = ("content-language", "vary")


def tagged(request: Request, answer: Response) -> Response:
    """Tag a good answer; where the request names the same tag, say so instead of answering."""
    if request.method not in {"GET", "HEAD"} or answer.status_code != HTTPStatus.OK:
        return answer
    answer.headers["etag"] = tag = f'"{hashlib.sha256(bytes(answer.body)).hexdigest()[:32]}"'
    if tag not in _known(request):
        return answer
    headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": tag, **headers})


def _known(request: Request) -> set[str]:
    """Give the tags of the answers that the request's sender has."""
    given = request.headers.get("if-none-match", "").split(",")
    return {tag.strip().removeprefix(_WEAK) for tag in given}
