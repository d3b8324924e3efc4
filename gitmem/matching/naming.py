"""What a message names, and the one name of types, codes and tools that fingerprints use.

A name that somebody has to put right makes another failure. Where a name is only a part of the
code, as that of an undeclared variable is for a compiler, the same advice helps with another one.

``ts(2322)``, ``2322`` and ``error TS2322`` are one code, ``builtins.ValueError`` and
``<class 'ValueError'>`` one type; a record that was typed by hand has a code where a tool's
failure has it.
"""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.normalise import normalise
from gitmem.matching.type_values import type_values
from gitmem.output.failure import Failure
from gitmem.tools.choice import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.matching.masks import MaskRule
    from gitmem.matching.normalise import Masked

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


_NUMBER: Final = lazily(r"\d{3,}")
_LETTER: Final = lazily(r"[^\W\d_]")
_MASK: Final = lazily(r"<(?:path|file|url|host|hex|time|ip|uuid)>")
_WORD: Final = lazily(r"[^\W\d_]{2,}")
_SENTENCE: Final = 4
_PLACE: Final = lazily(r"(?::\d{1,9}){1,2}$|\(\d{1,9}(?:,\d{1,9})?\)$|, line \d{1,9}$")
_QUOTES: Final = ("'", '"')
_WITH_FOLDERS: Final = ("path", "file", "url")
_IN_SIGNS: Final = ("quoted", "bracketed")
"""Rules of ``masks`` whose matches hold a name."""
_SIGNS: Final = lazily(r"[^\w\s]{1,4}")
"""A sign of a language's grammar that a parser names: ``unexpected token "}"``."""
_LACKS: Final = lazily(
    r"(?i:\bnot found\b|\bno such\b|can(?:not|'t|\u2019t) (?:find|resolve|open|import|locate|load)"
    r"|could(?: not|n't) (?:find|resolve|open|import|locate|load|be found|be resolved)"
    r"|\bis not exported\b|\bnon-?existent\b|\bno package\b"
    r"|\bno [\w ]{1,30} (?:named|called)\b"
    r"|\bno (?:module|matching|rule|required module|\w+ (?:matching|match(?:es|ed)?|found))\b"
    r"|\bmissing\b|\brefused to load\b|\bnot included\b|\b(?:is|was) not set\b"
    r"|\brequired (?:variable|argument|setting|option|key)\b"
    r"|\bunresolved\b|\bunable to \w+"
    r"|\bundefined (?:reference|symbol)|\bdoes(?: not|n't) exist\b|\bnot installed\b"
    r"|\bunknown (?:package|module|library|target|option|table|column|host|command)\b"
    r"|\bfailed to (?:find|load|resolve|import|open))"
)
"""What says that something is not there: its name is what has to be put right."""


_UNRESOLVED: Final = lazily(
    r"(?i)\bresolv\w+|\bunknown ?host|\bno such host|\bname or service|\bgetaddrinfo|\bENOTFOUND"
    r"|\bname resolution"
)
"""What says that nobody knows a host: its name is wrong then, and no machine of another run's."""
_MISSING: Final = lazily(
    r"(/[^\s:'\"]{1,300})(?=['\"]?: [Nn]o such file or directory)"
    r"|(?<=: )(/[^\s:'\"]{1,300})$"
)
"""A path of which a program says that nothing is there: its last part is what has to be brought."""
_BUCKET: Final = lazily(r"(?:s3|gs|az|abfss?|wasbs?|hdfs|oci|docker)://")
"""An address that begins with the name of a store."""


def names_of(
    failure: Failure, rules: "Sequence[MaskRule]" = (), *, whole: bool = True, files: bool = True
) -> tuple[str, ...]:
    """Give what a message names, sorted: keys, packages, files without folders, parts of code.

    The files of the project that failed are its own: the same failure elsewhere has others.

    Args:
        failure: the failure.
        rules: the user's masks: what they mask is no name.
        whole: give all that this tool names; else what every tool and version names.
        files: give the names of files, too.

    """
    from gitmem.matching.wordings import left_out, own_quotes, with_canonical_wording

    named = with_canonical_names(failure)
    own = {_tail(frame.file) for frame in failure.frames if frame.in_app}
    own |= {_tail(failure.location.file)} if failure.location else set()
    masked = normalise(with_canonical_wording(named).message, rules).masked
    if whole:  # what the tool puts in quotes, and what only the canonical wording does
        masked += normalise(named.message, rules).masked
    names = {name_in(each) for each in masked if files or each.name not in _WITH_FOLDERS}
    names |= set(left_out(named)) if whole else set()
    names |= {_tail("".join(path)) for path in _MISSING.findall(named.message)} if files else set()
    if _UNRESOLVED.search(named.message):
        names |= {each.original.partition(":")[0] for each in masked if each.name == "host"}
    names |= set(_quoted_ids(named.message, rules)) if _LACKS.search(named.message) else set()
    return tuple(sorted(names - own - own_quotes(named) - {""}))


def names_to_keep(failure: Failure, rules: "Sequence[MaskRule]" = ()) -> tuple[str, ...]:
    """Give the names without which two messages are not the same; none where they are only code.

    A compiler or checker says of code that it has a mistake, whatever it is called there; but of
    a thing that is not there it says what has to be brought.
    """
    named = with_canonical_names(failure)
    # A place without a file, as a script's line is, is kept in no record. As people write it down,
    # it has no place; but types are compared in code only.
    has_file = failure.location is not None and bool(failure.location.file)
    placed = has_file or bool(named.code and type_values(failure.message))
    is_diagnostic = placed and not (named.error_type or failure.test)
    lacks = _LACKS.search(failure.message) is not None
    if is_diagnostic and not lacks:
        return ()
    # Where a thing is there, and something is wrong with it, it may lie anywhere.
    return names_of(failure, rules, whole=False, files=lacks)


def _quoted_ids(message: str, rules: "Sequence[MaskRule]") -> list[str]:
    """Give the hashes that are all that stands in quotes: a revision is called so."""
    masked = normalise(message, rules).masked
    return [
        before.original
        for before, after in pairwise(masked)
        if after.original[1:-1] == before.mask and before.name == "hash"
    ]


def name_in(masked: "Masked") -> str:
    """Give the name in something that was masked; empty: it is a value, or a place."""
    if masked.name in _WITH_FOLDERS:
        if _BUCKET.match(masked.original):
            return _NUMBER.sub("0", masked.original)
        name = _tail(masked.original)
        # A folder without an ending is where somebody's project lies.
        file = "." in name or masked.original[0] == "." or "/bin/" in masked.original
        return name if file or masked.name == "url" else ""
    if masked.name not in _IN_SIGNS:
        return ""
    name = masked.original[1:-1]
    if _SIGNS.fullmatch(name):
        return name
    if _MASK.search(name) and len(_WORD.findall(_MASK.sub(" ", name))) >= _SENTENCE:
        return name  # a whole sentence in quotes is what was said
    literal = name[:1] in _QUOTES or _MASK.search(name)
    return "" if literal or not _LETTER.search(name) else _NUMBER.sub("0", name)


def _tail(path: str) -> str:
    whole = _PLACE.sub("", path).partition("?")[0].rstrip("/")
    return _NUMBER.sub("0", whole.replace("\\", "/").rpartition("/")[2])
