"""The configuration of an execution as plain data: by key, by path, and as an object."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

MISSING: Final = object()


def plain(config: object) -> Any:  # noqa: ANN401  plain data
    """Give a configuration as plain data: mappings as they are, objects by their attributes."""
    if isinstance(config, Mapping):
        return {str(name): plain(value) for name, value in config.items()}
    if isinstance(config, list | tuple | set):
        return [plain(item) for item in config]
    if config is None or isinstance(config, str | int | float | bool):
        return config
    inside = getattr(config, "__dict__", None)
    return plain(inside) if inside is not None else str(config)


def at_path(config: object, path: str) -> object:
    """Give the value at a path such as ``model.name``; ``MISSING`` where there is none."""
    for name in path.split("."):
        if not isinstance(config, Mapping) or name not in config:
            return MISSING
        config = config[name]
    return config


def as_object(value: Any) -> Any:  # noqa: ANN401  plain data
    """Make objects of mappings: their values become attributes."""
    if isinstance(value, Mapping):
        return SimpleNamespace(**{str(name): as_object(item) for name, item in value.items()})
    return [as_object(item) for item in value] if isinstance(value, list) else value
