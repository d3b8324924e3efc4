"""Redacts secrets from a text that is shown, except what the team allows."""

from typing import TYPE_CHECKING

from gitmem.memory.core.team_rules import allowed_secrets
from gitmem.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.memory.core.site import Site


def redact_text(site: "Site", environ: "Mapping[str, str]", text: str) -> str:
    """Give a text with its secrets replaced, with as many lines as it had.

    Args:
        site: of the memory, whose team says what is no secret.
        environ: variables whose values are secrets by their names.
        text: any text.

    """
    return redact(text, environ=environ, allow=allowed_secrets(site)).text
