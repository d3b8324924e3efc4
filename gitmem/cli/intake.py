"""YAML or JSON that somebody hands in: one record, or a list of them."""

import json
import math
from typing import Any, NoReturn

from gitmem.errors import InvalidError
from gitmem.records import codec


def read_entries(data: bytes) -> list[dict[str, Any]]:
    """Read a mapping or a list of mappings; raise InvalidError with line and column."""
    start = data.lstrip()[:1]
    if start in {b"{", b"["}:
        entries = _json(data)
    else:
        try:
            entries = codec.load_mappings(data)
        except codec.YamlError as error:
            where = "line {}, column {}".format(*error.position)
            raise InvalidError(f"{where}: {error.message}", error.hint) from None
    if not entries:
        raise InvalidError("this list holds no record", "nothing was written")
    return entries


def _json(data: bytes) -> list[dict[str, Any]]:
    try:
        parsed = json.loads(
            data, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
    except InvalidError:
        raise
    except json.JSONDecodeError as error:
        raise InvalidError(
            f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg.lower()}"
        ) from None
    except UnicodeDecodeError:
        raise InvalidError("this is not UTF-8", "save it as UTF-8") from None
    except RecursionError:
        raise InvalidError("nested too deeply", "flatten it") from None
    except ValueError:  # an integer of more than 4,300 digits
        raise InvalidError("a number in it is too long", "write it as text") from None
    entries = parsed if isinstance(parsed, list) else [parsed]
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            raise InvalidError(
                f"entry {number} of {len(entries)} is not an object", "each record is an object"
            )
    return entries


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidError(
            f"the key '{twice}' occurs twice in one object", "keep one of them", twice
        )
    return mapping


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


def _no_constant(name: str) -> NoReturn:
    raise InvalidError(f"{name} is a number that can't be stored", "write null or text")
