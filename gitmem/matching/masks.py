"""The table of what varies from one occurrence of a message to the next.

Every pattern runs in linear time: repetitions are bounded or over a class that excludes
what follows. Order matters: what is longer or tells more is masked first.
"""

import re
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily


class MaskRule(NamedTuple):
    """What is masked: a name for explanations, what is looked for, what stands there instead.

    An ASCII text with none of the characters in ``needs`` can't match, and is not looked
    through; without such characters every text is.
    """

    name: str
    pattern: re.Pattern[str]
    mask: str
    needs: str = ""


def _rule(name: str, pattern: str, mask: str, needs: str, flags: int = 0) -> MaskRule:
    return MaskRule(name, lazily(pattern, flags), mask, needs)


_DIGITS: Final = "0123456789"


_PLACE: Final = r"(?:(?::\d{1,9}){1,2}|\(\d{1,9}(?:,\d{1,9})?\))?"
_PART: Final = r"[\w.$@+~%()-]{0,80}[\w.$@+~%)-]"
# Only between the separators of a drive's path a space is surely part of a name.
_SPACED: Final = r"(?:[\w.$@+~%()-]{1,80}(?: [\w.$@+~%()-]{1,80}){0,4}[\\/]{1,2})"
_TOP: Final = "com|net|org|io|dev|edu|gov|mil|info|biz|local|internal|lan|corp|localdomain"
_ENDINGS: Final = (
    "py|pyc|js|mjs|cjs|ts|tsx|jsx|java|kt|go|rs|c|cc|cpp|h|hpp|rb|php|cs|so|dll|json|ya?ml|toml"
    "|txt|xml|html|css|md|log|ini|cfg|conf|sock|lock|sh|sql|db|csv|tsv|parquet|ipynb|pdf|png|jpe?g"
    "|svg|gif|mp[34]|jar|war|zip|tar|gz|tgz|xz|whl|deb|rpm|apk|aab|ipa|exe|dylib|wasm|pem|crt|tf"
    "|tfvars|hcl|proto|graphql|gradle|plist|vue|svelte|scss|sass|swift|kts|scala|exs?|erl|hs|lua"
    "|ps1|cmake|patch|tex"
)
_MONTHS: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_UNITS: Final = "ns|\xb5s|us|ms|s|sec|secs|seconds?|m|min|minutes?|h|hours?|d|days?"
# A suggestion to write one thing instead of another says what is wrong: it is no aside.
_PLAIN: Final = r"(?!.{0,300} instead of )"

_LETTER, _DIGIT, _MADE = "[bcdfghjklmnpqrstvwxz]", "[2456789]", "[bcdfghjklmnpqrstvwxz2456789]"
# Five such signs, letters and digits.
_SUFFIX: Final = "|".join(
    f"{first}{{{count}}}{second}{_MADE}{{{4 - count}}}"
    for first, second in ((_LETTER, _DIGIT), (_DIGIT, _LETTER))
    for count in range(1, 5)
)

STRUCTURE: Final[tuple[MaskRule, ...]] = (
    _rule(
        "suggestion",
        rf"(?:[;,.?:]| -)\s*\(?(?:[Dd]id you (?:mean|forget){_PLAIN}|maybe{_PLAIN}"
        rf"|[Pp]erhaps you meant{_PLAIN}|help:|[Cc]onsider using)\b.{{0,400}}$",
        "",
        ";,.?:-",
    ),
    _rule("suggestion", rf"\s\([Dd]id you mean\b{_PLAIN}[^()]{{0,300}}\)", "", "("),
    # What there is instead: it grows, and what is missing stays so.
    _rule(
        "suggestion",
        r"(?:^|[.;,(]) ?\(?(?:(?i:available|valid|known|possible|existing|supported|allowed"
        r"|registered) [\w ]{1,30}: |[A-Za-z]{1,20} names are: |(?<=\()choose from ).{0,400}$",
        "",
        ":(",
    ),
    # Which of several workers speaks.
    _rule(
        "worker",
        r"^[\[(][A-Za-z][\w./]{0,40}(?:[-_/:#][\w./]{1,40})*[-_/:#]\d{1,5}[\])] ",
        "",
        "[(",
    ),
    # What javac says of the class around: the same slip in another class is the same error.
    _rule(
        "aside",
        r"^[ \t]{0,40}location: +(?:class|interface|enum|record|package|variable)\b.{0,400}$",
        "",
        ":",
        re.MULTILINE,
    ),
    _rule(
        "aside",
        r"\s\((?:(?:most likely due to|consider renaming|previously )[^()]{0,200}"
        r"|@INC (?:entries checked|contains): [^()]{0,2000})\)",
        "",
        "(",
    ),
    # Where a program was found that speaks.
    _rule("program", r"^\.{0,2}(?:/[\w.+@-]{1,60}){0,12}/(?=[\w.+-]{1,60}: )", "", "/"),
    _rule("uuid", r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b", "<uuid>", "-"),
    _rule(
        "timestamp",
        r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?"
        rf"(?:(?:{_MONTHS})[a-z]{{0,6}} +\d{{1,2}},?(?: \d{{4}})?"
        r"|\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/](?:\d{1,2}|[A-Z][a-z]{2})[-/]\d{4})"
        r"(?:[T ,]{1,2}\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
        r"(?: ?(?:Z|[+-]\d{2}:?\d{2}|UTC|GMT|[AP]M))?)?(?: \d{4}\b)?",
        "<time>",
        _DIGITS,
    ),
    _rule(
        "file",
        rf"(?<![\w./\\])[\w-]{{1,80}}\.(?!(?:{_TOP}):)[A-Za-z]\w{{0,9}}:\d{{1,7}}(?:[:.]\d{{1,5}})?"
        r"(?:-\d{1,7}(?:[:.]\d{1,5})?)?(?![\w.]\d)",
        "<path>",
        ":",
    ),
    _rule("time", r"\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\b(?!-)", "<time>", ":"),
    _rule("url", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s'\"<>`)\]]{1,1000}", "<url>", "/"),
    _rule(
        "email",
        r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[A-Za-z]{2,24}\b",
        "<email>",
        "@",
    ),
    _rule("ip", r"(?<![\w.])/?(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.]\d)", "<ip>", "."),
    _rule(
        "ip",
        r"(?<![\w:])\[?(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}\]?(?::\d{1,5})?(?!\w)",
        "<ip>",
        ":",
    ),
    _rule("address", r"\b(?:at )?0x[0-9a-fA-F]{5,32}\b|\$[0-9A-Fa-f]{8,16}\b", "<hex>", "0$"),
    # The name of a container, or of its endpoint, before the whole id.
    _rule("id", r"(?<![\w.-])[\w.-]{1,80} \([0-9a-f]{64}\)", "<hex>", "("),
    _rule("id", r"\barn:[\w-]{1,20}:[^\s'\"]{1,300}", "<id>", ":"),
    _rule("id", r"\b[0-9a-f]{12,64}::[0-9a-f]{12,64}\b", "<hex>", ":"),
    # Of a request or a message in a queue.
    _rule(
        "id",
        r"\[(?=[A-Za-z]{0,23}\d{1,23}[A-Za-z])(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])"
        r"[A-Za-z0-9]{8,24}\]",
        "<id>",
        "[",
    ),
    _rule("id", r"\b(?=[A-F]{0,15}\d{1,15}[A-F])[0-9A-F]{10,16}:(?= )", "<id>:", ":"),
    # What is called an id, and a job or a run that has a number: of the next one it is another.
    _rule(
        "id",
        r"(?i)\b((?:[a-z]+ )?(?:id|job|run|execution|session|transaction|query|request|trace|span"
        r"|upload|blob|invocation|operation|api key)(?:[ :=]{1,2}|: )"
        r"['\"`(\[]?(?:[\w.-]{1,60}[:/])?)"
        r"(?!\d+\b)(?=(?:[a-z_-]*\d){3}|(?=[a-z]*\d[a-z]*\d)[0-9a-z]{8,}\b)[\w-]{5,80}",
        r"\1<id>",
        _DIGITS,
    ),
    # What Kubernetes puts behind the name of what it makes.
    _rule(
        "id",
        rf"([a-z0-9])(?:-{_MADE}{{8,10}})?-(?:{_SUFFIX})(?:-\d{{8,10}})?(?!\w)",
        r"\1-<id>",
        "-",
    ),
    _rule("object", r"@[0-9a-f]{5,16}\b", "@<hex>", "@"),
    _rule(
        "temporary name",
        r"(?<![\w.])(?:/private)?/(?:tmp|var/folders|var/tmp)/[^\s'\":,;)\]]{1,500}",
        "<path>",
        "/",
    ),
    _rule(
        "path",
        rf"(?<![\w.:/\\])[A-Za-z]:[\\/]{{1,2}}{_SPACED}{{0,40}}(?:{_PART})?{_PLACE}",
        "<path>",
        ":",
    ),
    _rule(
        "path",
        rf"(?<![\w.:/\\])(?:(?:~/|\.{{1,2}}/|/)(?:{_PART})?[\\/]{{1,2}}{_PART}"
        rf"|(?<!['\"`])\.{{1,2}}/{_PART})"
        rf"(?:[\\/]{{1,2}}{_PART}){{0,40}}[\\/]?{_PLACE}",
        "<path>",
        "/",
    ),
    _rule(
        "path",
        rf"(?<![\w./\\])(?:[\w.$@+~%-]{{1,80}}[\\/]){{1,40}}[\w.$@+~%-]{{1,80}}\.\w{{1,8}}\b{_PLACE}",
        "<path>",
        "/\\",
    ),
    _rule(
        "file",
        rf"(?<![\w./\\])[\w-]{{1,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_ENDINGS})"
        r"(?:(?::\d{1,9}){1,2}|\(\d{1,9}(?:,\d{1,9})?\)|, line \d{1,9})?(?![\w.])",
        "<path>",
        ".",
    ),
    _rule(
        "host",
        rf"(?<![\w.@-])(?:[\w-]{{1,63}}\.){{1,8}}(?:{_TOP})(?::\d{{1,5}})?(?![\w.-])",
        "<host>",
        ".",
    ),
    _rule(
        "host",
        r"(?<![\w.@-])[a-zA-Z0-9]{0,40}(?:-?\d{1,12}-?)[\w-]{0,60}(?:\.[\w-]{1,63}){1,6}"
        r"\.[a-z]{2,3}(?::\d{1,5})?(?![\w.-])",
        "<host>",
        ".",
    ),
    _rule(
        "version",
        r"\bv?\d{1,6}\.\d{1,6}\.\d{1,6}(?:[.-]?(?:rc|dev|post|alpha|beta|a|b)[.-]?\d{0,6})?"
        r"(?:[-+.][\w.+-]{1,60})?\b",
        "<version>",
        ".",
    ),
    _rule(
        "duration", rf"(?<![\w.])\d{{1,15}}(?:\.\d{{1,9}})? ?(?:{_UNITS})\b", "<duration>", _DIGITS
    ),
    _rule(
        "size",
        r"(?<![\w.])\d{1,15}(?:\.\d{1,9})? ?(?:[KMGTP]i?B|[kKMGT]B?|bytes?|[Oo]ctets?)\b",
        "<size>",
        _DIGITS,
    ),
    _rule(
        "hash",
        r"\b(?=[0-9a-f]{0,63}[0-9])(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,128}\b",
        "<hex>",
        _DIGITS,
    ),
)

# Types and codecs are quoted too, but they say what went wrong.
_TELLING: Final = (
    r"NoneType|None|null|undefined|nil|NULL|NaN|Infinity|ascii|utf-?8|utf-16|charmap|latin-1"
    r"|gbk|cp125\d"
)
_MASKED: Final = "n|q|id|\\*|hex|path|file|url|ip|host|uuid|time|version|duration|size|email"

QUOTES: Final[tuple[MaskRule, ...]] = (
    _rule("quoted", rf"(?<!\w)'(?!(?:{_TELLING})')(?:[^'\n\\]|\\.){{0,800}}'(?!\w)", "<q>", "'"),
    _rule("quoted", rf'(?<!\w)"(?!(?:{_TELLING})")(?:[^"\n\\]|\\.){{0,800}}"(?!\w)', "<q>", '"'),
    _rule("quoted", rf"(?<!\w)`(?!(?:{_TELLING})[`'])[^`'\n]{{0,800}}[`']", "<q>", "`"),
    _rule("quoted", rf"\u2018(?!(?:{_TELLING})\u2019)[^\u2019\n]{{0,800}}\u2019", "<q>", "\u2018"),
    _rule(
        "quoted", r"\u201c[^\u201d\n]{0,800}\u201d|\xab[^\xbb\n]{0,800}\xbb", "<q>", "\u201c\xab"
    ),
    _rule("bracketed", rf"<(?!(?:{_MASKED})>)[^<>\n]{{0,400}}>", "<q>", "<"),
)

VALUES: Final[tuple[MaskRule, ...]] = (
    # Too short for an address: in a comparison it is what was compared.
    _rule("number", r"\b(?:at )?0x[0-9a-fA-F]{1,4}\b", "<hex>", "0"),
    _rule(
        "user",
        r"\b((?:for|by|from|invalid|unknown) (?:invalid )?user )[^\s'\"()\[\]]{1,64}",
        r"\1<*>",
        "uU",
        re.IGNORECASE,
    ),
    # A plain word after the sign is a state (status=failed), anything else is a value.
    _rule(
        "key=value",
        r"\b([A-Za-z_][\w.-]{0,60}=)(?:\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'"
        r"|(?![A-Za-z]{1,40}(?![^\s,;)\]}]))[^\s,;)\]}'\"=]{1,400})",
        r"\1<*>",
        "=",
    ),
    _rule("key=value", r"(\([\w, ]{1,120}\)=)\([^()\n]{0,400}\)", r"\1<*>", "="),
    _rule(
        "number",
        r"(?<![A-Za-z0-9.])[-+]?\d{1,30}(?:[._,]\d{1,30}){0,8}(?:[eE][-+]?\d{1,4})?(?![A-Za-z])",
        "<n>",
        _DIGITS,
    ),
    _rule("number", r"(?<=[a-z]\.)\d{2,30}\b", "<n>", _DIGITS),
    _rule("number", r"(?<=[A-Za-z])\d{4,30}\b|(?<=[_-])\d{1,30}|\d{1,30}(?=[_])", "<n>", _DIGITS),
)

# Numbers that say what went wrong rather than where or how often.
KEPT_NUMBER: Final = lazily(
    r"\b(?:exit(?:ed)?(?: with)?(?: non-zero)?(?: code| status)?|code|[Ee]rrno|error code"
    r"|HTTP(?:/[\d.]+)?|status(?: code)?|SQLSTATE|[Ss]ignal|SIG|returned|WinError|HRESULT|rc"
    r"|os error|ORA-|ERROR)[ :=(\[#]{0,3}$"
)

_VALUE: Final = r"<(?:q|n|\*)>"
# Afterwards: a list of masked things is one of them, however long it was.
LISTS: Final = (
    (
        lazily(rf"[(\[{{]?{_VALUE}(?:(?:, | and | or |, and |, or ){_VALUE}){{1,200}}[)\]}}]?"),
        "<q>",
    ),
    (lazily(r"[(\[]<q>[)\]]"), "<q>"),
    (lazily(r"<q>(?:\[<q>\]|\.<q>){1,10}"), "<q>"),
)
