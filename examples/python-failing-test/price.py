"""Prices as binary floats: 2.675 is a little less than it looks."""


def rounded(price: float) -> float:
    """Round a price to cents."""
    return round(price, 2)
