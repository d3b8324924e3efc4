"""Calls a language model: settings, price estimate, approval, ledger, answer.

Nothing is sent that was not asked for by the caller of this very question, and nothing before
its price was estimated and the user's rules allow it. What is sent has no secrets.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.learning.tokens import estimate as tokens_of
from gitmem.llm import chat, ledger, prompts, vision
from gitmem.llm.answers import Answer, MalformedError, read, schema
from gitmem.llm.approval import (
    ASK,
    REFUSE,
    ApprovalError,
    Approve,
    DeclinedError,
    Estimate,
    Rules,
    Ruling,
    rule,
)
from gitmem.llm.client import ModelClient, UnansweredError
from gitmem.llm.endpoint import ModelEndpoint, choose
from gitmem.llm.modelled import Modelled
from gitmem.llm.prices import Tokens, price
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.core.team_rules import complaints, with_place
from gitmem.memory.models.spending import own_calls

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace

_Form = TypeVar("_Form", bound=Answer)
_PER_TURN: Final = 8
"""Tokens that a turn takes beside its text, estimated high."""
_HOW: Final = (
    "approve it with --yes, or set llm.cost_threshold or llm.auto_approve for you (--user)"
)
_LONGEST: Final = 4000
_HOW_PRICED: Final = (
    "approve it with --yes, or say what a million tokens cost in dollars:"
    " gitmem config llm.price IN/OUT --user"
)
LENT: Final = "the assistant"
"""In place of a host, where a model is lent."""


class ModelRequest(NamedTuple):
    """A request to a model: the prompt, its data and an optional picture.

    Attributes:
        prompt: name of the prompt.
        title: what for, in words.
        material: plain data.
        records: ids in it that an answer may name.
        session: id of the session that it belongs to; empty: none.
        picture: address of a picture that is sent along, see ``vision.address``; empty: none.

    """

    prompt: str
    title: str
    material: Mapping[str, Any]
    records: frozenset[str]
    session: str = ""
    picture: str = ""


def ask(
    workspace: "Workspace",
    request: ModelRequest,
    form: type[_Form],
    approve: Approve | None,
    client: ModelClient | None = None,
) -> tuple[_Form, Modelled]:
    """Ask the model of the settings, or one that is lent.

    Args:
        workspace: of the memory.
        request: what it is asked about; secrets are taken out of it here.
        form: of the answer.
        approve: is asked where the rules say so; None: nobody can be.
        client: is asked instead of the model of the settings. It is for it to approve what that
            costs, which we do not know.

    Raises:
        ApprovalError: it has to be approved and nobody can be asked.
        DeclinedError: it was asked about, and somebody said no.
        UsageError: no model is set, or the month's budget is spent.
        EnvironmentProblem: no answer came, or one of another form.

    """
    prompt = prompts.prompt(request.prompt)
    form_schema = schema(form)
    material = redact_for_model(workspace, _bounded(request.material))[0]
    messages = prompts.messages(prompt, material, form_schema)
    if client is None:
        text, call = _of_settings(workspace, request, messages, form_schema, approve)
    else:
        text, call = _lent(workspace, request, messages, form_schema, client)
    try:
        answer, strange = read(text, form, request.records)
    except MalformedError as error:
        message = f"{call.model} did not answer in the form it was asked for: {error}"
        raise EnvironmentProblem(message, "try again, or use another model: llm.model") from None
    notes = (f"records that were not sent are left out: {' '.join(strange)}",) if strange else ()
    return answer, Modelled(answer, call, prompt.name, prompt.version, notes)


def _lent(
    workspace: "Workspace",
    request: ModelRequest,
    messages: Sequence[prompts.Message],
    form: Mapping[str, Any],
    client: ModelClient,
) -> tuple[str, ledger.Call]:
    """Ask a model that is lent, and note it; what it costs is not ours to know."""
    if request.picture:
        raise UsageError(
            "pictures are not sent to a model of the editor or assistant", "set llm.vision_model"
        )
    most = workspace.site.config.llm_output_tokens
    call = ledger.Call(
        token_hex(8),
        workspace.clock(),
        request.prompt,
        client.name,
        LENT,
        ledger.ANSWERED,
        _size(messages, form),
        0,
        None,
        measured=False,
        session=request.session,
    )
    journal = workspace.journal
    try:
        reply = client.ask(request.prompt, messages, form, most)
    except UnansweredError:
        journal.append(ledger.STREAM, call._replace(state=ledger.FAILED).event())
        raise
    call = call._replace(model=reply.model or client.name, output=tokens_of(reply.text))
    journal.append(ledger.STREAM, call.event())
    workspace.notices.append(_took(call))
    return reply.text, call


def _of_settings(
    workspace: "Workspace",
    request: ModelRequest,
    messages: Sequence[prompts.Message],
    form_schema: Mapping[str, Any],
    approve: Approve | None,
) -> tuple[str, ledger.Call]:
    """Ask the model of the settings, within the rules about cost, and note it."""
    notices = workspace.notices
    notices += [
        with_place(workspace.site, text)
        for text in complaints(workspace.site)
        if "setting llm." in text
    ]
    where = endpoint(workspace, sees=bool(request.picture))
    config = workspace.site.config
    picture_tokens = vision.MOST_TOKENS if request.picture else 0
    most = Tokens(_size(messages, form_schema) + picture_tokens, config.llm_output_tokens)
    cost = _price(workspace, most, where)
    estimate = Estimate(request.title, where.model, where.host, most.input, most.output, cost)
    _approve(workspace, estimate, approve)
    call = _begin(workspace, request, estimate)
    question = chat.Question(
        messages, request.prompt, form_schema, most.output, config.llm_timeout, request.picture
    )
    try:
        reply = chat.ask(where, question, report=notices.append)
    except chat.ModelError as error:
        # What a server did after it was given up nobody knows: then all that was estimated counts.
        spent = _believed(workspace, error.tokens, most) or most
        _end(
            workspace,
            call,
            where,
            spent if error.charged else Tokens(0, 0),
            ledger.FAILED,
            measured=error.tokens is not None or not error.charged,
        )
        raise
    counted = _believed(workspace, reply.tokens, most)
    spent = counted or Tokens(most.input, tokens_of(reply.text))
    measured = reply.tokens is not None and counted == reply.tokens
    call = _end(workspace, call, where, spent, ledger.ANSWERED, measured=measured)
    notices.append(_took(call))
    return reply.text, call


def _believed(workspace: "Workspace", claimed: Tokens | None, most: Tokens) -> Tokens | None:
    """Take what a server says it counted, up to what can have been: else it could use up a budget.

    An answer is cut off at the bound that was sent with it, and a question that was estimated so
    wrongly that not even that bound makes up for it is none of ours.
    """
    bound = most._replace(input=most.input + most.output)
    if claimed is None or (claimed.input <= bound.input and claimed.output <= bound.output):
        return claimed
    tokens = Tokens(
        min(claimed.input, bound.input),
        min(claimed.output, bound.output),
        min(claimed.cached, bound.input),
    )
    workspace.notices.append(
        f"the server claims {claimed.input} tokens in and {claimed.output} out, more than there "
        f"can have been: {tokens.input} and {tokens.output} are counted"
    )
    return tokens


def endpoint(workspace: "Workspace", *, sees: bool = False) -> ModelEndpoint:
    """Give the model of the settings.

    Args:
        workspace: of the memory.
        sees: the one for pictures; where none is set for them, the one for texts.

    Raises:
        UsageError: none is set, or there is no address or key for it.

    """
    config, origins = workspace.site.config, workspace.site.settings.origins
    model, key = config.llm_model, "llm.model"
    if sees and config.llm_vision_model:
        model, key = config.llm_vision_model, "llm.vision_model"
    own = origins.get(key, "") != "team"
    return choose(model, config.llm_base_url, workspace.environ, own=own)


def _price(workspace: "Workspace", tokens: Tokens, where: ModelEndpoint) -> Decimal | None:
    """Give what tokens cost; a price that the user stated is not that of a team's model."""
    config, origins = workspace.site.config, workspace.site.settings.origins
    key = "llm.vision_model" if where.model == config.llm_vision_model else "llm.model"
    foreign = "/" in config.llm_price and origins.get(key) == "team"
    return price(tokens, where.model, where.url, "" if foreign else config.llm_price)


def _approve(workspace: "Workspace", estimate: Estimate, approve: Approve | None) -> None:
    ruling = _ruling(workspace, estimate)
    if ruling.answer != ASK:
        return
    wanted = estimate._replace(why=ruling.why)
    if approve is None:
        how = _HOW_PRICED if estimate.cost is None else _HOW
        raise ApprovalError(f"not approved: {wanted.line}; {ruling.why}", how)
    if not approve(wanted):
        raise DeclinedError(f"not sent: {wanted.line}", "nothing was spent")


def _ruling(workspace: "Workspace", estimate: Estimate) -> Ruling:
    config = workspace.site.config
    rules = Rules(
        config.llm_auto_approve,
        Decimal(str(config.llm_cost_threshold)),
        Decimal(str(config.llm_monthly_budget)),
    )
    month = ledger.of_month(own_calls(workspace), f"{workspace.clock():%Y-%m}")
    ruling = rule(estimate, rules, ledger.total(month).cost)
    if ruling.answer == REFUSE:
        hint = (
            "raise it with: gitmem config llm.monthly_budget DOLLARS --user; see gitmem stats cost"
        )
        raise UsageError(f"not sent: {estimate.line}; {ruling.why}", hint)
    return ruling


def _begin(workspace: "Workspace", request: ModelRequest, estimate: Estimate) -> ledger.Call:
    """Note a call before it is made. The lock keeps two at once from passing one budget."""
    journal = workspace.journal
    call = ledger.Call(
        id=token_hex(8),
        at=workspace.clock(),
        operation=request.prompt,
        model=estimate.model,
        host=estimate.host,
        state=ledger.ASKED,
        input=estimate.input,
        output=estimate.output,
        cost=estimate.cost,
        measured=False,
        session=request.session,
    )
    with journal.exclusive():
        _ruling(workspace, estimate)
        journal.append(ledger.STREAM, call.event())
    return call


def _end(
    workspace: "Workspace",
    call: ledger.Call,
    where: ModelEndpoint,
    tokens: Tokens,
    state: str,
    *,
    measured: bool,
) -> ledger.Call:
    cost = _price(workspace, tokens, where)
    if not (tokens.input or tokens.output):
        cost = Decimal(0)
    done = call._replace(
        state=state, input=tokens.input, output=tokens.output, cost=cost, measured=measured
    )
    workspace.journal.append(ledger.STREAM, done.event())
    config = workspace.site.config
    month = ledger.total(ledger.of_month(own_calls(workspace), f"{workspace.clock():%Y-%m}"))
    budget = Decimal(str(config.llm_monthly_budget))
    warning = ledger.warning(month.cost, budget, config.llm_warn_at_percentage)
    if warning:
        workspace.notices.append(warning)
    return done


def _took(call: ledger.Call) -> str:
    nobody = "it" if call.host == LENT else "the server"
    sure = "" if call.measured else f", estimated: {nobody} did not count"
    return (
        f"asked {call.model} at {call.host}: {ledger.dollars(call.cost)}, "
        f"{call.input} tokens in, {call.output} out{sure}"
    )


def _size(messages: Sequence[prompts.Message], form: Mapping[str, Any]) -> int:
    turns = sum(tokens_of(message.content) + _PER_TURN for message in messages)
    # The form goes along twice: in words, and for the server, which may count it.
    return turns + tokens_of(str(form)) + _PER_TURN


def _bounded(part: Any) -> Any:  # noqa: ANN401  plain data
    """Cut texts that are longer than anybody reads."""
    if isinstance(part, str):
        return part if len(part) <= _LONGEST else part[: _LONGEST - 1] + "…"
    if isinstance(part, Mapping):
        return {key: _bounded(value) for key, value in part.items()}
    return [_bounded(item) for item in part] if isinstance(part, list | tuple) else part
