"""Asking a model: one question, one streamed answer. The only user of the openai client.

What goes out is what we put together and nothing else: headers are taken down to the few that
the protocol needs, so neither variables of the client's own (``OPENAI_CUSTOM_HEADERS``,
organisation, project) nor facts about this machine leave it; redirects are not followed.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import EnvironmentProblem, install
from gitmem.llm.endpoint import ModelEndpoint
from gitmem.llm.prices import Tokens
from gitmem.llm.prompts import Message

if TYPE_CHECKING:
    import httpx2
    from openai import APIStatusError, OpenAI

_ALLOWED_HEADERS: Final = frozenset({
    "host", "accept", "accept-encoding", "connection", "content-length", "content-type",
})  # fmt: skip
_TRIES: Final = 3
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0
_AGAIN: Final = frozenset({429, 500, 502, 503, 504, 529})
_NO_MONEY: Final = "insufficient_quota"
_LARGEST: Final = 4 << 20
_CONNECT: Final = 10.0
_DONE: Final = frozenset({"stop", "eos", "end_turn"})
_HINTS: Final = {
    401: "check the key in the environment: GITMEM_LLM_KEY, or the provider's own",
    403: "this key may not use this model",
    404: "check llm.model and llm.base_url",
    429: "wait, or use another model: llm.model",
}


class Question(NamedTuple):
    """A question to a model.

    Attributes:
        messages: the conversation.
        name: of the answer's form.
        schema: its JSON schema.
        most: tokens that the answer may take.
        seconds: to wait for the whole answer, pauses left out.
        picture: address of a picture that goes with the last turn, such as ``data:``; or none.

    """

    messages: Sequence[Message]
    name: str
    schema: Mapping[str, Any]
    most: int
    seconds: float
    picture: str = ""


class Reply(NamedTuple):
    """What came back.

    Attributes:
        text: the answer.
        tokens: as the server counted them; None: it did not.

    """

    text: str
    tokens: Tokens | None


class ModelError(EnvironmentProblem):
    """No usable answer.

    Attributes:
        charged: the server took the question, so it may ask money for it.
        text: what had come of the answer.
        tokens: as the server counted them; None: it did not.

    """

    def __init__(
        self,
        message: str,
        hint: str,
        *,
        charged: bool,
        text: str = "",
        tokens: Tokens | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.charged = charged
        self.text = text
        self.tokens = tokens


class _TooLongError(Exception):
    """The answer takes too much time or room."""


def ask(
    endpoint: ModelEndpoint,
    question: Question,
    *,
    report: Callable[[str], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
) -> Reply:
    """Ask a model.

    A server that is busy or in trouble (429, 5xx) is asked again, up to three times, when it
    says so by Retry-After or else after 1 and 2 seconds. Nothing is asked again that may have
    been charged.

    Args:
        endpoint: the model.
        question: what is asked.
        report: hears what is waited for, a line each.
        pause: waits for so many seconds.

    Raises:
        ModelError: no answer, or one that broke off.
        EnvironmentProblem: the extra is not installed.

    """
    try:
        import openai
    except ImportError:
        hint = install("llm")
        raise EnvironmentProblem("the client for language models is not installed", hint) from None
    with _client(endpoint, question.seconds) as client:
        for number in range(1, _TRIES + 1):
            try:
                return _once(client, endpoint, question)
            except openai.APIStatusError as error:
                wait = _wait(error, number)
                if wait is None:
                    raise _refused(endpoint, error) from None
                report(f"{endpoint.host} answered {error.status_code}; again in {wait:g} s")
                pause(wait)
            except (openai.APITimeoutError, _TooLongError):
                raise _late(endpoint, question.seconds, "") from None
            except openai.APIConnectionError as error:
                raise _unreachable(endpoint, error) from None
            except openai.OpenAIError as error:
                raise _problem(endpoint, _short(endpoint, str(error)), charged=True) from None
    raise AssertionError  # pragma: no cover  the last try returns or raises


def _client(endpoint: ModelEndpoint, seconds: float) -> "OpenAI":
    import httpx2
    import openai

    class Bounded(httpx2.SyncByteStream):
        """The bytes of an answer, until it takes too much time or room."""

        def __init__(self, stream: httpx2.SyncByteStream, until: float) -> None:
            self._stream = stream
            self._until = until

        def __iter__(self) -> Iterator[bytes]:
            left = _LARGEST
            for piece in self._stream:
                left -= len(piece)
                if left < 0 or time.monotonic() > self._until:
                    raise _TooLongError
                yield piece

        def close(self) -> None:
            self._stream.close()

    until = [0.0]

    def seal(request: "httpx2.Request") -> None:
        until[0] = time.monotonic() + seconds
        for name in list(request.headers):
            if name.lower() not in _ALLOWED_HEADERS:
                del request.headers[name]
        request.headers["User-Agent"] = "gitmem"
        if endpoint.key:
            request.headers["Authorization"] = f"Bearer {endpoint.key}"

    def bound(response: "httpx2.Response") -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream, until[0])

    timeout = httpx2.Timeout(seconds, connect=min(seconds, _CONNECT))
    http = httpx2.Client(
        follow_redirects=False,
        timeout=timeout,
        event_hooks={"request": [seal], "response": [bound]},
        # A proxy is for what is elsewhere, and need not see what stays on this machine.
        trust_env=not endpoint.is_local,
    )
    # Said to both: of 5 seconds, its own default, openai believes that nobody set them.
    return openai.OpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        max_retries=0,
        http_client=http,
        timeout=timeout,
    )


def _once(client: "OpenAI", endpoint: ModelEndpoint, question: Question) -> Reply:
    import openai

    turns: Any = [
        {"role": message.role, "content": message.content} for message in question.messages
    ]
    if question.picture:
        image = {"type": "image_url", "image_url": {"url": question.picture}}
        turns[-1]["content"] = [{"type": "text", "text": turns[-1]["content"]}, image]
    form: Any = {
        "type": "json_schema",
        "json_schema": {"name": question.name, "strict": True, "schema": dict(question.schema)},
    }
    stream = client.chat.completions.create(
        model=endpoint.model,
        messages=turns,
        response_format=form,
        max_completion_tokens=question.most,
        stream=True,
        stream_options={"include_usage": True},
    )
    pieces: list[str] = []
    end, tokens = "", None
    try:
        with stream:
            for chunk in stream:
                text, reason = _piece(chunk)
                pieces.append(text)
                end = reason or end
                tokens = _tokens(chunk) or tokens
    except _TooLongError:
        raise _late(endpoint, question.seconds, "".join(pieces)) from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise _broken(endpoint, error, question.seconds, "".join(pieces), tokens) from None
    answer = "".join(pieces)
    fault = _fault(end, answer, question.most)
    if fault:
        raise _problem(endpoint, *fault, charged=True, text=answer, tokens=tokens)
    return Reply(answer, tokens)


def _fault(end: str, answer: str, most: int) -> tuple[str, ...]:
    """Say why an answer that came is none; nothing if it is one."""
    if end == "length":
        return f"the answer was cut off at {most} tokens", "raise llm.output_tokens"
    if end and end not in _DONE:
        return (f"the answer ended with {end[:40]!r}",)
    if not answer.strip():
        return ("the answer is empty", "check that the server can stream")
    return () if end else ("the answer broke off",)


def _piece(chunk: Any) -> tuple[str, str]:  # noqa: ANN401  servers send what they like
    """Give the text of a piece, and why it is the last one."""
    choices = getattr(chunk, "choices", None)
    if not isinstance(choices, list) or not choices:
        return "", ""
    text = getattr(getattr(choices[0], "delta", None), "content", None)
    reason = getattr(choices[0], "finish_reason", None)
    return text if isinstance(text, str) else "", reason if isinstance(reason, str) else ""


def _tokens(chunk: Any) -> Tokens | None:  # noqa: ANN401  likewise
    used = getattr(chunk, "usage", None)
    given, generated = _count(used, "prompt_tokens"), _count(used, "completion_tokens")
    if given is None or generated is None:
        return None
    cached = _count(getattr(used, "prompt_tokens_details", None), "cached_tokens") or 0
    # Some servers leave what the model thought out of its answer, and charge for it.
    thought = (_count(used, "total_tokens") or 0) - given
    return Tokens(given, max(generated, thought), min(cached, given))


def _count(part: object, name: str) -> int | None:
    value = getattr(part, name, None)
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40
    return value if good else None


def _wait(error: "APIStatusError", number: int) -> float | None:
    """Tell how long to wait before the next try; None: there is none."""
    body = error.body if isinstance(error.body, dict) else {}
    if error.status_code not in _AGAIN or number == _TRIES or body.get("code") == _NO_MONEY:
        return None
    wanted = _retry_after(error.response.headers.get("retry-after", ""))
    wait = _PAUSE * 2 ** (number - 1) if wanted is None else wanted
    return wait if wait <= _LONGEST_PAUSE else None


def _retry_after(text: str) -> float | None:
    """Read seconds or a date; None: neither."""
    with suppress(ValueError, OverflowError):
        return max(0.0, float(text)) if float(text) == float(text) else None
    with suppress(ValueError, TypeError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    return None


def _refused(endpoint: ModelEndpoint, error: "APIStatusError") -> ModelError:
    status = error.status_code
    reason = error.body.get("message") if isinstance(error.body, dict) else ""
    cause = f"it answered {status}" + (f": {_short(endpoint, str(reason))}" if reason else "")
    later = error.response.headers.get("retry-after", "")
    if status in _AGAIN and later:
        cause += f" (it asks to wait {_short(endpoint, later)} s)"
    hint = _HINTS.get(status, "try again later" if status in _AGAIN else "check llm.base_url")
    return _problem(endpoint, cause, hint, charged=False)


def _unreachable(endpoint: ModelEndpoint, error: Exception) -> ModelError:
    """Report that no server answered; a question that was not received costs nothing."""
    cause = _short(endpoint, str(error.__cause__ or error)) or "no connection"
    early = type(error.__cause__).__name__ in {"ConnectError", "ConnectTimeout", "ProxyError"}
    hint = "check that the server runs, and llm.base_url"
    return _problem(endpoint, cause, hint, charged=not early)


def _late(endpoint: ModelEndpoint, seconds: float, text: str) -> ModelError:
    cause = f"no whole answer within {seconds:g} s"
    return _problem(endpoint, cause, "raise llm.timeout", charged=True, text=text)


def _broken(
    endpoint: ModelEndpoint, error: Exception, seconds: float, text: str, tokens: Tokens | None
) -> ModelError:
    """Tell why a stream ended early: it was late, went away, or was no stream of JSON."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return _late(endpoint, seconds, text)
    if isinstance(error, openai.APIConnectionError):
        cause = "the answer broke off"
    elif isinstance(error, openai.APIError):
        cause = f"it answered with an error: {_short(endpoint, error.message)}"
    else:
        cause = "its answer is not a stream of chat completions"
    return _problem(endpoint, cause, charged=True, text=text, tokens=tokens)


def _problem(
    endpoint: ModelEndpoint,
    cause: str,
    hint: str = "try again, or use another model: llm.model",
    *,
    charged: bool,
    text: str = "",
    tokens: Tokens | None = None,
) -> ModelError:
    message = f"no answer from {endpoint.model} at {endpoint.host}: {cause}"
    return ModelError(message, hint, charged=charged, text=text, tokens=tokens)


def _short(endpoint: ModelEndpoint, text: str) -> str:
    """Fold what a server says into a short line, without our key."""
    line = " ".join(text.split())
    if endpoint.key:
        line = line.replace(endpoint.key, "***")
    return line if len(line) <= 200 else line[:199] + "…"  # noqa: PLR2004  of a line
