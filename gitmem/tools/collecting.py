"""What tools say, field by field: for ``index``, which is generated, and for tools of packages."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from gitmem.tools.base import Tool

_SCALARS: Final = (str, bytes, int, float, type(None))


def is_data(value: Any) -> bool:  # noqa: ANN401  whatever a field holds
    """Tell whether a value can be copied: texts and numbers, and collections of them."""
    if isinstance(value, Mapping):
        return all(map(is_data, value.keys())) and all(map(is_data, value.values()))
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(is_data, value))
    return isinstance(value, _SCALARS)


def fields_of(tools: Iterable[tuple[str, Tool]]) -> dict[str, dict[str, Any]]:
    """Give what tools say of each field, those at their defaults left out.

    Args:
        tools: each with the name that it is asked for by.

    Returns:
        By field and tool; of a callable only ``True``.

    """
    fields: dict[str, dict[str, Any]] = {}
    plain = Tool("")
    for module, tool in tools:
        for name, value in tool._asdict().items():
            default = getattr(plain, name)
            parts = value._asdict() if hasattr(value, "_asdict") else {"": value}
            for part, own in parts.items():
                usual = getattr(default, part) if part else default
                if own == (module if name == "name" else usual):
                    continue  # a tool is asked for by its module
                data = own if is_data(own) else True
                fields.setdefault(f"{name}.{part}".rstrip("."), {})[module] = _plain(data)
    return dict(sorted(fields.items()))


def _plain(value: Any) -> Any:  # noqa: ANN401  whatever a field holds
    """Write named tuples as tuples and sets in an order, so that the same is written each time."""
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return tuple(sorted(value))
    if isinstance(value, tuple | list):
        return tuple(map(_plain, value))
    return value
