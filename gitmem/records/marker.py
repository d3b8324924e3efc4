"""The marker file ``gitmem.yaml``: this folder is a memory, and the team's settings."""

from typing import Annotated, Final

from msgspec import Meta

from gitmem.records.parts import RecordPart, Scalar

FORMAT: Final = 1


class Marker(RecordPart, frozen=True, kw_only=True):
    """Marks the folder. A higher ``format`` means: this gitmem must not write here."""

    format: Annotated[int, Meta(ge=1)]
    settings: dict[str, Scalar | tuple[Scalar, ...]] = {}
