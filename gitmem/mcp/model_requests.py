"""Asking a model for a tool: the assistant's own, if its client lends it, or the user's.

A tool is carried out without the answer first. Where one is missing, it ends with the question;
the memory is let go, the client is asked, and the tool is carried out once more with the answer.
So nobody waits for the memory while a person thinks, and both protocols are served alike: until
2025 a client is asked in the middle of a call (``sampling/createMessage``), since 2026-07-28 the
call is answered with the question, and the client calls again.

The protocol has put sampling on the list of what will go (SEP-2577), at the earliest in July
2027. A client without it is told so, and everything has an answer without a model.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import anyio
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import is_version_at_least
from pydantic import Field, ValidationError

from gitmem.errors import UsageError
from gitmem.mcp.calls import Calls, Data, client_of
from gitmem.memory import Memory
from gitmem.render.assistant import Answer, short

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve, Estimate
    from gitmem.llm.client import ModelClient, ModelReply
    from gitmem.llm.prompts import Message

Model = Annotated[
    Literal["yours", "settings"] | None,
    Field(description="also ask a model: yours, or the user's"),
]
"""Which model a tool asks: the assistant's own, the one that the user has set, or none."""
Seeing = Annotated[
    Literal["settings"] | None, Field(description="let the user's model look at the screenshot")
]
"""Of a picture: none but the one that the user has set (``llm.vision_model``)."""
Asking = Annotated[CallToolResult, Data] | InputRequiredResult
_ANEW: Final = "2026-07-28"
"""From this revision on a question is the answer of the call."""
_MOST_QUESTIONS: Final = 4
_LONGEST: Final = 256 << 10
"""Characters of an answer."""
_CUT: Final = "maxTokens"
_SLACK: Final = 200
"""Tokens by which a question may have grown since its price was approved."""
_WITHOUT: Final = "leave model out: there is an answer without one"
_ANSWER: Final = "answer"
_ANSWERED: Final = "answered"
_REFUSED: Final = "refused"
_FAILED: Final = "failed"
_NOT_EVEN_ASKED: Final = (-1, METHOD_NOT_FOUND, INVALID_REQUEST)
"""Errors after which no model was asked: the person said no, or the client can't."""


class Voice(NamedTuple):
    """Who is to be asked: what is handed on to ``Memory``; neither: nobody."""

    approve: "Approve | None" = None
    client: "ModelClient | None" = None


class _QuestionOutcome(NamedTuple):
    """What came of a question.

    Attributes:
        state: ``answered``, ``refused`` or ``failed``.
        text: the answer, or why there is none.
        model: its name.
        shown: tokens of the price that was approved.

    """

    state: str
    text: str = ""
    model: str = ""
    shown: int = 0


class _QuestionPending(Exception):  # noqa: N818  a state: the question that has to be answered first
    """A question to the client, under its name."""

    def __init__(
        self,
        key: str,
        request: CreateMessageRequest | ElicitRequest,
        seconds: float,
        shown: int = 0,
    ) -> None:
        super().__init__(key)
        self.key = key
        self.request = request
        self.seconds = seconds
        self.shown = shown


async def ask(
    calls: Calls,
    ctx: Context,
    model: Model,
    question: Callable[[Memory, Voice], Answer],
    **how: Any,  # noqa: ANN401  as of ``Calls.ask``
) -> Asking:
    """Answer a call that may ask a model.

    Args:
        calls: the calls of the server.
        ctx: the request.
        model: which one.
        question: asks the memory; is carried out once more after each answer.
        how: as of ``Calls.ask``.

    Raises:
        UsageError: the client lends no model, or can't be asked.

    """
    if not model:
        return await calls.ask(ctx, lambda memory: question(memory, Voice()), **how)
    _lends(ctx, model)
    outcomes = _earlier_outcomes(ctx)
    for _ in range(_MOST_QUESTIONS + 1):
        try:
            return await calls.ask(
                ctx, lambda memory: question(memory, _voice(ctx, memory, model, outcomes)), **how
            )
        except _QuestionPending as pending:
            if _is_anew(ctx):
                return _handed_on(pending, outcomes)
            outcomes[pending.key] = await _asked(ctx, pending)
    raise UsageError("the question changes with each answer", _WITHOUT)


def _lends(ctx: Context, model: Model) -> None:
    able = ctx.client_capabilities
    if model == "yours" and (able is None or able.sampling is None):
        raise UsageError(f"{client_of(ctx)} lends no model (sampling)", _WITHOUT)
    if not _is_anew(ctx) and not ctx.session.can_send_request:
        raise UsageError(f"{client_of(ctx)} can't be asked over this connection", _WITHOUT)


def _is_anew(ctx: Context) -> bool:
    return bool(ctx.protocol_version) and is_version_at_least(str(ctx.protocol_version), _ANEW)


def _voice(
    ctx: Context, memory: Memory, model: Model, outcomes: Mapping[str, _QuestionOutcome]
) -> Voice:
    seconds = memory.workspace.site.config.llm_timeout
    if model == "settings":
        able = ctx.client_capabilities
        return Voice(approve=_approval(outcomes, seconds) if able and able.elicitation else None)

    from gitmem.llm import approval, client

    def answer(
        name: str, messages: "Sequence[Message]", _: Mapping[str, Any], most: int
    ) -> "ModelReply":
        if name not in outcomes:
            raise _QuestionPending(name, _sampling(messages, most), seconds)
        outcome = outcomes[name]
        if outcome.state == _REFUSED:
            raise approval.DeclinedError(f"not answered: {outcome.text}", _WITHOUT)
        if outcome.state != _ANSWERED:
            raise client.UnansweredError(f"no answer: {outcome.text}", _WITHOUT)
        return client.ModelReply(outcome.text, outcome.model)

    return Voice(client=client.ModelClient(client_of(ctx), answer))


def _sampling(messages: "Sequence[Message]", most: int) -> CreateMessageRequest:
    system_prompt = "\n\n".join(message.content for message in messages if message.role == "system")
    turns = [
        SamplingMessage(
            role="assistant" if message.role == "assistant" else "user",
            content=TextContent(type="text", text=message.content),
        )
        for message in messages
        if message.role != "system"
    ]
    return CreateMessageRequest(
        params=CreateMessageRequestParams(
            messages=turns, system_prompt=system_prompt, max_tokens=most
        )
    )


def _approval(outcomes: Mapping[str, _QuestionOutcome], seconds: float) -> "Approve":
    """Give what asks the person at the client whether a call may be made."""

    def approve(estimate: "Estimate") -> bool:
        key = f"approve {estimate.operation} {estimate.model} {estimate.host}"
        outcome = outcomes.get(key)
        if outcome is not None and estimate.input <= outcome.shown + _SLACK:
            return outcome.state == _ANSWERED
        form = ElicitRequestFormParams(
            message=f"{estimate.line}. Asked because {estimate.why}. Send it?",
            requested_schema={"type": "object", "properties": {}},
        )
        raise _QuestionPending(key, ElicitRequest(params=form), seconds, estimate.input)

    return approve


# Until 2025: in the middle of the call


async def _asked(ctx: Context, pending: _QuestionPending) -> _QuestionOutcome:
    session = ctx.request_context.session
    about = ServerMessageMetadata(related_request_id=ctx.request_context.request_id)
    form: Any = ElicitResult
    if isinstance(pending.request, CreateMessageRequest):
        form = CreateMessageResult
    try:
        with anyio.fail_after(pending.seconds):
            answer = await session.send_request(pending.request, form, metadata=about)
    except TimeoutError:
        return _QuestionOutcome(_FAILED, f"none within {pending.seconds:g} s (llm.timeout)")
    except NoBackChannelError:
        raise UsageError(f"{client_of(ctx)} can't be asked", _WITHOUT) from None
    except MCPError as error:
        state = _REFUSED if error.code in _NOT_EVEN_ASKED else _FAILED
        return _QuestionOutcome(state, short(error.message))
    except ValidationError:
        return _QuestionOutcome(_FAILED, "the reply is not an answer")
    return _read(answer, pending.shown)


def _read(answer: object, shown: int) -> _QuestionOutcome:
    """Take an answer of the client; what is none says why."""
    if isinstance(answer, ElicitResult):
        return _QuestionOutcome(_ANSWERED if answer.action == "accept" else _REFUSED, shown=shown)
    if not isinstance(answer, CreateMessageResult | CreateMessageResultWithTools):
        return _QuestionOutcome(_FAILED, "the reply is not an answer")
    parts = answer.content if isinstance(answer.content, list) else [answer.content]
    if not parts or not all(isinstance(part, TextContent) for part in parts):
        return _QuestionOutcome(_FAILED, "the reply is not text")
    text = "".join(part.text for part in parts if isinstance(part, TextContent))
    if answer.stop_reason == _CUT:
        return _QuestionOutcome(_FAILED, "it was cut off (llm.output_tokens)")
    if len(text) > _LONGEST:
        return _QuestionOutcome(_FAILED, f"it is longer than {_LONGEST >> 10} KiB")
    return _QuestionOutcome(_ANSWERED, text, short(answer.model))


# Since 2026: the call is answered with the question


def _handed_on(
    pending: _QuestionPending, outcomes: Mapping[str, _QuestionOutcome]
) -> InputRequiredResult:
    """Answer with a question to the client. The SDK seals the state against changes."""
    state = {"asked": [pending.key, pending.shown], "known": outcomes}
    return InputRequiredResult(
        input_requests={_ANSWER: pending.request}, request_state=json.dumps(state)
    )


def _earlier_outcomes(ctx: Context) -> dict[str, _QuestionOutcome]:
    """Give the answers of earlier rounds, and that to the newest question."""
    if not ctx.request_state:
        return {}
    state = json.loads(ctx.request_state)
    outcomes = {key: _QuestionOutcome(*outcome) for key, outcome in state["known"].items()}
    key, shown = state["asked"]
    answer = (ctx.input_responses or {}).get(_ANSWER)
    return {**outcomes, key: _read(answer, shown)}
