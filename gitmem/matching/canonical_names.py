"""Types, codes and tools under the one name that fingerprints use, however people write them.

``ts(2322)``, ``2322`` and ``error TS2322`` are one code, ``builtins.ValueError`` and
``<class 'ValueError'>`` one type; a record that was typed by hand has a code where a tool's
failure has it.
"""

from typing import Final

from gitmem.output.failure import Failure

_TOOLS: Final = {
    "ts": "typescript", "tsc": "typescript", "tsserver": "typescript", "js": "typescript",
    "pylance": "pyright", "basedpyright": "pyright", "dmypy": "mypy", "cargo": "rustc",
    "rust": "rustc", "rust-analyzer": "rustc", "g++": "gcc", "clang": "gcc", "clang++": "gcc",
    "clangd": "gcc", "cc": "gcc", "gopls": "go", "compiler": "go",
}  # fmt: skip
_TOOL_OF: Final = (("TS", "typescript"), ("CS", "dotnet"))
_DIGITS: Final = (3, 5)
"""How many digits a code has, at least and at most; letters before them are no more than five."""
_BEFORE_TYPE: Final = ("Uncaught (in promise) ", "Uncaught ", "Unhandled ", "class ", "exception ")
_AROUND_TYPE: Final = (("<class '", "'>"), ("<type '", "'>"), ("'", "'"))
# What one class is also called: Python's old names of OSError are the class itself.
_SAME_CLASS: Final = {
    "ioerror": "OSError", "environmenterror": "OSError", "windowserror": "OSError",
    "standarderror": "Exception",
}  # fmt: skip


def with_canonical_names(failure: Failure) -> Failure:
    """Give a failure with its tool, type and code under their canonical names."""
    tool = _TOOLS.get(failure.tool.lower(), failure.tool)
    kind, code = failure.error_type, failure.code
    if kind and not code and (named := _code(kind, tool)):
        kind, code = "", named
    elif code:
        code = _code(code, tool) or code.strip("[]() ")
    if not tool:
        tool = next((name for letters, name in _TOOL_OF if _is_of(code, letters)), "")
    message = failure.message
    if kind:
        # PHPUnit, and people, write the type before the message once more.
        message = message.removeprefix(f"{kind}: ")
        kind = _type(kind)
    before = (failure.tool, failure.error_type, failure.code, failure.message)
    if (tool, kind, code, message) == before:
        return failure
    return failure._replace(tool=tool, error_type=kind, code=code, message=message)


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
    if letters.lower() == "ts" or (not letters and len(number) > least):
        return f"TS{number}" if letters or tool in {"", "typescript"} else ""
    # A name with a number that is neither all small nor all capitals is a class's: Http404.
    plain = (letters.isupper() or letters.islower()) and len(letters) <= most
    return f"{letters}{number}".upper() if plain else ""
