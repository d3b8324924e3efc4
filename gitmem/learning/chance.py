"""Whether a count is more than chance: Fisher's exact test.

R. A. Fisher, "The logic of inductive inference", J. R. Stat. Soc. 98 (1935) 39-82. With both
margins of a two by two table fixed, the count in its first cell is hypergeometric, whatever the
unknown shares are: nothing is estimated, so small numbers are no problem.
"""

from math import exp, fsum, lgamma


def at_least(count: int, drawn: int, marked: int, total: int) -> float:
    """Give the chance that ``drawn`` of ``total`` things hold ``count`` marked ones or more.

    Args:
        count: marked ones among those drawn.
        drawn: how many were drawn.
        marked: how many of all are marked.
        total: how many there are.

    """
    most = min(drawn, marked)
    if count <= max(0, drawn + marked - total):
        return 1.0
    if count > most:
        return 0.0
    ways = _log_choose(total, drawn)
    return min(
        1.0,
        fsum(
            exp(_log_choose(marked, k) + _log_choose(total - marked, drawn - k) - ways)
            for k in range(count, most + 1)
        ),
    )


def differ(worked: int, tried: int, worked_then: int, tried_then: int) -> float:
    """Give the chance that two shares differ so much or more when nothing changed (two-sided).

    It is the sum of all tables that are no likelier than the one at hand.
    """
    total, marked = tried + tried_then, worked + worked_then
    ways = _log_choose(total, tried)
    least, most = max(0, tried + marked - total), min(tried, marked)
    tables = [
        exp(_log_choose(marked, k) + _log_choose(total - marked, tried - k) - ways)
        for k in range(least, most + 1)
    ]
    here = tables[worked - least] * (1 + 1e-7)  # equal ones must not differ by rounding
    return min(1.0, fsum(probability for probability in tables if probability <= here))


def _log_choose(of: int, picked: int) -> float:
    return lgamma(of + 1) - lgamma(picked + 1) - lgamma(of - picked + 1)
