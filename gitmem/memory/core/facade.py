"""``Workspace.settings``: the settings in force, and changes to them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.memory.core.site import Site


class SettingsAccess:
    """The part of a workspace that is about settings; ``memory.workspace.settings``.

    Args:
        site: of the memory.
        environ: environment variables, which say where the user's settings are.

    """

    def __init__(self, site: "Site", environ: "Mapping[str, str]") -> None:
        self._site = site
        self._environ = environ

    def get(self, key: str) -> tuple[object, str]:
        """Give a setting's value and where it comes from."""
        from gitmem.memory.core.settings import setting

        return setting(self._site, key)

    def set(self, key: str, value: str | None, scope: str) -> None:
        """Set a setting for ``user`` or ``team``; None takes it away."""
        from gitmem.memory.core.settings import set_setting

        set_setting(self._site, self._environ, key, value, scope)
