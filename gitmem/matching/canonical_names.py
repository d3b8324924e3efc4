"""Types, codes and tools under the one name that fingerprints use, however people write them.

``ts(2322)``, ``2322`` and ``error TS2322`` are one code, ``builtins.ValueError`` and
``<class 'ValueError'>`` one type; a record that was typed by hand has a code where a tool's
failure has it.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure
from gitmem.tools.choice import values

_DIGITS: Final = (3, 5)
"""How many digits a code has, at least and at most; letters before them are no more than five."""
_STEP: Final = lazily(
    r"\[(?![A-Z][A-Za-z]{0,9}[ -]?\d+\])[\w./ -]{1,80}\] (?:(?i:error|fatal|fatal error): )?(?=\S)"
)
"""What a recipe is called before what it said; in such brackets stand codes, too: ``[E0308]``."""
_NAMES: Final = lazily(r"['\"`\u2018]|\w[./:\\_]\w")
_FEW: Final = 4
_BEFORE_TYPE: Final = ("Uncaught (in promise) ", "Uncaught ", "Unhandled ", "class ", "exception ")
_AROUND_TYPE: Final = (("<class '", "'>"), ("<type '", "'>"), ("'", "'"))
# What one class is also called: Python's old names of OSError are the class itself.
_SAME_CLASS: Final = {
    "ioerror": "OSError", "environmenterror": "OSError", "windowserror": "OSError",
    "standarderror": "Exception",
}  # fmt: skip


def with_canonical_names(failure: Failure) -> Failure:
    """Give a failure with its tool, type and code under their canonical names."""
    tool = _canonical().get(failure.tool.lower(), failure.tool)
    kind, code = failure.error_type, failure.code
    if kind and not code and (named := _code(kind, tool)):
        kind, code = "", named
    elif code:
        code = _code(code, tool) or code.strip("[]() ")
    if not tool:
        prefixes = values("identity.code_prefix").items()
        tool = next((name for name, letters in prefixes if _is_of(code, letters)), "")
    message = failure.message
    if kind:
        # PHPUnit, and people, write the type before the message once more.
        message = message.removeprefix(f"{kind}: ")
        kind = _type(kind)
    if message.startswith("[") and not kind and (not tool or tool in _of_steps()):
        message = _within_step(message)
    before = (failure.tool, failure.error_type, failure.code, failure.message)
    if (tool, kind, code, message) == before:
        return failure
    return failure._replace(tool=tool, error_type=kind, code=code, message=message)


@cache
def _of_steps() -> frozenset[str]:
    return frozenset((*values("output.ends_step"), *values("output.of_lines")))


def _within_step(message: str) -> str:
    """Give what a step of a build said without the step's name and a level, if it tells alone."""
    step = _STEP.match(message)
    rest = message[step.end() :] if step else ""
    tells = _NAMES.search(rest) or len(rest.split()) > _FEW
    return rest if rest and tells else message


@cache
def _canonical() -> Mapping[str, str]:
    """Pair what tools are also called with what fingerprints call them."""
    others = values("names")
    return {
        name: canonical
        for module, canonical in values("identity.counts_as").items()
        for name in (module, *others.get(module, ()))
        if name != canonical
    }


@cache
def bare_codes() -> Mapping[str, str]:
    """Give the letters before codes that are also written without them, by their tools."""
    prefixes = values("identity.code_prefix")
    return {name: prefixes[name] for name in values("identity.bare_code")}


def type_name(written: str) -> str:
    """Give a type without its module, which moves more often than a class is renamed."""
    name = written.rsplit("::", 1)[-1]
    name = name.rsplit(".", 1)[-1].rsplit("\\", 1)[-1]
    return _SAME_CLASS.get(name.lower(), name)


def same_type(name: str, other: str) -> bool:
    """Tell whether two spellings are of one type, or of one code."""
    first, second = (_code(each, "") or type_name(_type(each)) for each in (name, other))
    return first.casefold() == second.casefold()


def _type(written: str) -> str:
    text = written.strip(" :")
    for before, after in _AROUND_TYPE:
        if text.startswith(before) and text.endswith(after):
            return text[len(before) : -len(after)]
    for before in _BEFORE_TYPE:
        text = text.removeprefix(before)
    return text


def _is_of(code: str, letters: str) -> bool:
    return code.startswith(letters) and code[len(letters) :].isdigit()


def _code(written: str, tool: str) -> str:
    """Read ``TS2322``, ``ts(2322)``, ``error[E0382]``, ``2322`` and the like; empty: it is none."""
    text = written.strip()
    for word in ("error", "warning"):
        text = text.removeprefix(word).strip(" []")
    number = text.rstrip(")")[-_DIGITS[1] :].lstrip("( ")
    number = "".join(sign for sign in number if sign.isdecimal())
    letters = text.replace("(", "").replace(")", "").removesuffix(number).strip()
    least, most = _DIGITS
    if not least <= len(number) <= most or not (letters.isalpha() or not letters):
        return ""
    if not letters and len(number) > least:
        prefix = bare_codes().get(tool, "") if tool else next(iter(bare_codes().values()), "")
        return f"{prefix}{number}" if prefix else ""
    for prefix in bare_codes().values():
        if letters.lower() == prefix.lower():
            return f"{prefix}{number}"
    # A name with a number that is neither all small nor all capitals is a class's: Http404.
    plain = (letters.isupper() or letters.islower()) and len(letters) <= most
    return f"{letters}{number}".upper() if plain else ""
