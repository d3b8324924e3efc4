"""Prices of tokens, by the price list that its package carries; nothing is fetched."""

from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem, UsageError, install

_MILLION: Final = Decimal(1_000_000)
_MISSING: Final = install("llm")


class Tokens(NamedTuple):
    """What a call takes.

    Attributes:
        input: tokens of the question.
        output: tokens of the answer.
        cached: of those of the question, how many the server had in its cache.

    """

    input: int
    output: int
    cached: int = 0


def price(tokens: Tokens, model: str, url: str, stated: str = "") -> Decimal | None:
    """Give the price of tokens in dollars; None: unknown.

    Args:
        tokens: how many.
        model: the model's name.
        url: of the server; where it is no provider of the list, the price is not known, as a
            name alone tells nothing about who charges what.
        stated: ``IN/OUT``, dollars for a million tokens; or the provider whose list holds.

    Raises:
        UsageError: what is stated can't be read.
        EnvironmentProblem: the extra is not installed.

    """
    if "/" in stated:
        return _stated(tokens, stated)
    try:
        import genai_prices
    except ImportError:
        raise EnvironmentProblem("the price list is not installed", _MISSING) from None
    used = genai_prices.Usage(
        input_tokens=tokens.input,
        cache_read_tokens=tokens.cached or None,
        output_tokens=tokens.output,
    )
    try:
        if stated:
            return genai_prices.calc_price(used, model, provider_id=stated).total_price
        return genai_prices.calc_price(used, model, provider_api_url=url).total_price
    except (LookupError, ValueError):
        return None


def _stated(tokens: Tokens, stated: str) -> Decimal:
    first, _, second = stated.partition("/")
    try:
        rates = Decimal(first.strip()), Decimal(second.strip())
    except InvalidOperation:
        rates = Decimal(-1), Decimal(-1)
    if not all(rate.is_finite() and rate >= 0 for rate in rates):
        raise UsageError(
            f"llm.price: {stated!r} can't be read", "dollars for a million tokens: 0.25/2"
        )
    return (rates[0] * tokens.input + rates[1] * tokens.output) / _MILLION
