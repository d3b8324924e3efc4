"""The interface for programs under ``/api/v1``: the verbs of ``Memory`` as JSON.

``verbs`` is the table that everything else is made of: routes, checks and the OpenAPI document.
"""

from typing import Final

ADDRESS: Final = "/api/v1"
"""Where it is served."""
