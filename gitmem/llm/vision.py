"""Questions about pictures: what may be asked, and how a picture goes along. Pure."""

from base64 import b64encode
from typing import Final, NamedTuple

from gitmem.llm.answers import Diagram, Screenshot, Seen, ShownCode

MOST_TOKENS: Final = 5_000
"""What a picture counts as, at most, with the models of today; asked before it is sent."""


class PictureView(NamedTuple):
    """A way to look at a picture: its prompt, a title for the price, the form of the answer."""

    prompt: str
    title: str
    form: type[Seen]


VIEWS: Final = {
    "error": PictureView("picture-error", "Look at a screenshot", Screenshot),
    "diagram": PictureView("picture-diagram", "Look at a diagram", Diagram),
    "code": PictureView("picture-code", "Read code from a picture", ShownCode),
}


def address(data: bytes, form: str) -> str:
    """Give a picture as an address that holds it whole; ``form`` is such as ``png``."""
    return f"data:image/{form};base64,{b64encode(data).decode()}"
