"""The settings in force, and changes to them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


class SettingsAccess:
    """The part of a memory that is about settings; ``memory.settings``.

    Args:
        workspace: of the memory.

    """

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace

    def get(self, key: str) -> tuple[object, str]:
        """Give a setting's value and where it comes from."""
        from gitmem.memory.core.settings import setting

        return setting(self._workspace.site, key)

    def set(self, key: str, value: str | None, scope: str) -> None:
        """Set a setting for ``user`` or ``team``; None takes it away."""
        from gitmem.memory.core.settings import set_setting

        set_setting(self._workspace.site, self._workspace.environ, key, value, scope)
