"""Parts of a commit message, and the evidence that the commit fixes something. Pure.

Evidence is counted, and ``ENOUGH`` of it makes a fix. Whatever speaks against it decides alone:
a wrong fix in the memory costs more than one that is missing.
"""

import re
from typing import Final, NamedTuple

ENOUGH: Final = 2
ONLY_WORDS: Final = "documentation, style or names"
_MOST_REFERENCES: Final = 10
_MOST_BODY: Final = 100_000
_LONGEST_TAG: Final = 100
_LONGEST_SUBJECT: Final = 2_000

_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_TRAILER: Final = re.compile(r"(?P<key>[A-Za-z][\w-]*)\s*:\s+(?P<value>\S.*)")
_PICKED: Final = re.compile(r"\(cherry picked from commit [0-9a-f]{7,64}\)")
_TAKES_BACK: Final = re.compile(r"\bThis reverts (?:merge )?commit (?P<id>[0-9a-f]{7,64})\b")
_BRINGS_BACK: Final = re.compile(r"\bThis reapplies commit (?P<id>[0-9a-f]{7,64})\b")
_ABOUT_TAKING_BACK: Final = re.compile(
    r"^This (?:reverts|reapplies) (?:merge )?commit [0-9a-f]{7,64}"
    r"(?:,? reversing\s+changes made to [0-9a-f]{7,64})?[.,]?[ ]*",
    re.MULTILINE,
)
_QUOTED: Final = re.compile(r'(?P<verb>Revert|Reapply) "(?P<rest>.*)', re.IGNORECASE | re.DOTALL)
_REVERT_TYPE: Final = re.compile(r"revert(?:\([^)]*\))?!?: +(?P<rest>\S.*)", re.IGNORECASE)
_PULL: Final = re.compile(r"\s*\((?:#|!|GH-|pull request #)\d+\)\s*$", re.IGNORECASE)
_LABEL: Final = re.compile(r"\s*\[(?P<inner>[^\]]{1,40})\]\s*")
_NUMBER: Final = re.compile(
    r"(?:(?:issue|bug|ticket|gh|bpo)[ -]?#?|#|[A-Z][A-Z0-9]{1,9}-)\d+\s*(?:[:,;]|--?(?=\s)"
    r"|[\u2013\u2014])\s*",
    re.IGNORECASE,
)
_PREFIX: Final = re.compile(r"(?P<name>[A-Za-z][\w./*+-]{0,40})(?:\((?P<scope>[^)]{0,60})\))?!?: +")
_EMOJI: Final = re.compile(r":(?P<name>[a-z_]+): *|(?P<char>[\U0001f000-\U0001faff☀-➿]️?) *")
_FIX_TYPES: Final = frozenset({"fix", "fixes", "fixed", "bugfix", "hotfix", "bug"})
_OTHER_TYPES: Final = frozenset({
    "doc", "docs", "style", "chore", "feat", "feature", "refactor", "release", "deps", "revert",
    "i18n", "l10n", "lint", "typo", "wip", "fixup!", "squash!",
})  # fmt: skip
_FIX_EMOJI: Final = frozenset({"bug", "ambulance", "🐛", "🚑", "🚑️"})

VERB: Final = re.compile(
    r"(?:(?:quick|minor|small|tiny|proper(?:ly)?|really|actually|also|attempt(?:ed)? to"
    r"|try to)\s+)?"
    r"(?:fix(?:e[sd]|ing|up)?|bug[- ]?fix(?:es)?|hot[- ]?fix(?:es)?|repair(?:s|ed)?"
    r"|(?:resolve[sd]?|solve[sd]?)(?=\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:bug|issue|crash|problem"
    r"|error"
    r"|deadlock|race|regression|leak|#\d)))"
    r"(?![\w-])(?:\s*[:\-\u2013]\s+|\s+|$)",
    re.IGNORECASE,
)
_WEAK_VERB: Final = re.compile(
    r"(?:correct(?:s|ed|ly)?|handles?|prevent(?:s|ed)?|avoid(?:s|ed)?|do(?:n't|es ?n't| not|es not)"
    r"|never|stop(?:s|ped)?|guard(?:s|ed)?|work ?around|resolve[sd]?|solve[sd]?|recover"
    r"|restore[sd]?"
    r"|unbreak)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(
    r"\b(?:bug[- ]?fix(?:es)?|fix(?:es|ed)? for"
    r"|fix(?:es|ed|ing)? (?:an? |the )?(?:[\w-]+ )?(?:bug|crash|issue|regression|leak|race|deadlock"
    r"|error|exception|failure|problem)(?:s|es)?)\b",
    re.IGNORECASE,
)
_FEATURE: Final = re.compile(
    r"(?:add(?:s|ed|ing)?|implement(?:s|ed)?|introduce[sd]?|support(?:s|ed)?|allow(?:s|ed)?|new"
    r"|enable[sd]?|rename[sd]?|refactor(?:s|ed)?|mov(?:e[sd]?|ing)|clean ?up|improve[sd]?"
    r"|drop(?:s|ped)?"
    r"|remove[sd]?|replace[sd]?|switch|convert(?:s|ed)?|simplif(?:y|ie[sd])|test(?:s|ing)?"
    r"|document|mention(?:s|ed)?)\b",
    re.IGNORECASE,
)
SYMPTOM: Final = re.compile(
    r"\b(?:crash\w*|segfaults?|segmentation fault|exceptions?|tracebacks?|errors?|\w+(?:Error"
    r"|Exception)"
    r"|panics?|hangs?|hung|hanging|dead ?locks?|race(?:s| conditions?)?|leak\w*|regressions?"
    r"|broken|breaks?"
    r"|breakage|fail(?:s|ed|ing|ures?)?|wrong(?:ly)?|incorrect(?:ly)?|invalid|corrupt\w*"
    r"|overflow\w*"
    r"|underflow|off-by-one|out[- ]of[- ](?:bounds|memory)|use[- ]after[- ]free|null pointer"
    r"|infinite"
    r"|time-?outs?|missing|lost|unexpected(?:ly)?|not work\w*|doesn't work|CVE-\d+-\d+|undefined"
    r"|flaky)\b",
    re.IGNORECASE,
)
_GRAVE: Final = re.compile(
    r"\b(?:crash\w*|segfaults?|exceptions?|tracebacks?|\w+(?:Error|Exception)|panics?|hangs?"
    r"|dead ?locks?|race conditions?|memory leaks?|corrupt\w*|regressions?)\b",
    re.IGNORECASE,
)
# Errors and exceptions are also what code is about: "Don't translate exceptions".
PLAIN_SYMPTOM: Final = re.compile(
    r"\b(?:crash\w*|segfaults?|panics?|hangs?|hung|dead ?locks?|race(?:s| conditions?)|leak\w*"
    r"|regressions?|broken|breaks|breakage|wrong(?:ly)?|incorrect(?:ly)?|corrupt\w*|overflow\w*"
    r"|underflow|infinite|(?:Type|Value|Key|Index|Attribute|ZeroDivision)Error|lost)\b",
    re.IGNORECASE,
)
_TRIVIAL: Final = re.compile(
    r"\b(?:typos?|(?:mis)?spell\w*|mis+pelt|grammar|wording|docs?|documentation|doc-?strings?|comments?"
    r"|javadocs?|read ?me(?:\.\w+)?|change ?log(?:\.\w+)?|release ?notes?|news|lint\w*|flake8"
    r"|pylint|pyflakes|ruff|eslint|prettier|rubocop|clippy|pep-?8|pep-?257|hacking|bandit|black"
    r"|isort|gofmt|rustfmt|formatting|code format|[HEWFND]\d{3}|indent(?:ation)?"
    r"|(?:white ?)?spac(?:es?|ing)|(?:coding |code )?style|cosmetic|copyrights?|licen[cs]es?"
    r"|badges?|(?:broken|dead|wrong|bad|docs?|report|home-?page) (?:links?|urls?)|links?|home-?page"
    r"|nit(?:s|picks?)?|review|remarks|suggestions|import order|unused imports?|type hints?|typing"
    r"|annotations?|stubs?|rtypes?|mypy|pyright|merge conflicts?|naming|rename|\.git\w+|gitreview"
    r"|examples?|sample|tutorial|translations?|version number|version(?:added|changed)|author\w*"
    r"|todo|assert\w*|requirements?"
    r"|constraints?|(?:compiler|deprecation|sphinx|build|pep8) warnings?"
    r"|help (?:text|info|msg|message|string)s?"
    r"|metadata|classifiers?|log messages?|error messages?|pre-commit|descriptions?|i18n|metavars?"
    r"|(?:in-dev|dev|next) version|(?:test|double) names?|interpolations?|announcements?|tox"
    r"|(?:git )?repo urls?|\w+\.(?:rst|md|txt)|redeclared"
    r"|(?:trunk|upstream) merge)\b|\bin (?:an? |the )?(?:doc\w*|comments?|readme)$",
    re.IGNORECASE,
)
# What code may be about as well: "Fix formatting of negative durations".
_ALSO_CODE: Final = re.compile(
    r"formatting|indent(?:ation)?|(?:white ?)?spac(?:es?|ing)|style|links?|examples?|sample"
    r"|annotations?|naming|rename|requirements?|constraints?|metadata|classifiers?|comments?"
    r"|log messages?|error messages?|descriptions?|translations?|interpolations?|todo|author\w*"
    r"|suggestions|remarks|review|version number|metavars?|help (?:text|info|msg|message|string)s?"
    r"|typing|type hints?|assert\w*|news|(?:broken|dead|wrong|bad) (?:links?|urls?)",
    re.IGNORECASE,
)
# Whatever they are about: "Fix HTTPError docs".
_ONLY_SAID: Final = re.compile(
    r"\b(?:docs?|documentation|doc-?strings?|type hints?|stubs)$", re.IGNORECASE
)
# Nothing but that something was mended: "Fix several failures".
_VAGUE: Final = re.compile(
    r"(?:(?:several|some|various|many|few|more|all|other|multiple|couple|the|an?|of|and|minor|small"
    r"|last|remaining|little|obvious|silly|stupid|simple|random|misc(?:ellaneous)?|test|build|ci"
    r"|code|things?|stuff|failures?|issues?|bugs?|errors?|problems?|mistakes?|crashes|warnings?"
    r"|tests?|builds?|fix(?:es)?|previous|above|this|that|it|again)[\s,.!]*)+"
    r"(?:(?:in|with|on) (?:python|node|java|ruby|php|go) ?[\d.]*)?",
    re.IGNORECASE,
)
# What is there to make, test and release code.
_BESIDE_CODE: Final = re.compile(
    r"(?:(?:the|some|an?)\s+)?(?:(?:failing|broken|flaky|unit|bad)\s+)?(?:doc-?)?tests?"
    r"(?:$|[,.]|\s+(?:when|on|in|for|with|by|so|to|under|after|that|which)\b)"
    r"|(?:the\s+)?(?:bump|release|publish|build|ci|deploy)\s+(?:scripts?|workflows?|jobs?)\b",
    re.IGNORECASE,
)
# What some tool of whatever name says of code that works.
_REMARKS: Final = re.compile(
    r"(?:(?:the|some|all|new|more|an?|a few)\s+)?(?:[\w./+-]+\s+){0,2}"
    r"(?:warnings?|findings|violations|complaints|smells|nags|nitpicks)\b"
    r"(?!\s+(?:are|is|not|being|when|if|that|for missing))",
    re.IGNORECASE,
)
_OF_WARNINGS: Final = re.compile(
    r"\b(?:missing|spurious|wrong|false|duplicated?|repeated|lost|no|unexpected|bogus)\b",
    re.IGNORECASE,
)
_RELEASE: Final = re.compile(
    r"(?:bump|release|prepare|upgrade|update|back to|start|begin|prep|set|tag"
    r"|version)\b.*\bv?\d+\.\d+"
    r"|v?\d+\.\d+[\w.+-]*\s*$|bump(?:s|ed|ing)?\b|version bump|release\b",
    re.IGNORECASE,
)
_UNFINISHED: Final = re.compile(
    r"(?:fixup|squash|amend)!|\[?wip\]?\b|merge\b|initial (?:commit|import)|apply suggestions"
    r"|(?:fix(?:es|ed)?|address(?:es|ed)?)\s+(?:(?:the|my|some|more|last|previous|code)\s+)*"
    r"(?:commit|merge|rebase|review|feedback|comments|pr|patch)\b",
    re.IGNORECASE,
)
_BUG_TRAILERS: Final = frozenset({"closes-bug", "fixes-bug", "bug-fix"})
_TESTED: Final = frozenset({"tested-by", "verified-by"})
_FIXES_COMMIT: Final = re.compile(r"[0-9a-f]{8,40}(?:\s|$)")
# A key of another tracker, such as ABC-12; what only looks like one is a name of a standard.
_KEY: Final = (
    r"(?-i:\b(?!(?:UTF|SHA|ISO|CVE|RFC|PEP|HTTP|TLS|AES|CRC|UTC|IEEE|ASCII|BASE|MD|CP|GH)-)"
    r"[A-Z][A-Z0-9]{1,9}-\d{1,7})\b"
)
_TARGET: Final = (
    r"(?:[\w.-]{1,39}/[\w.-]{1,60})?#\d+|GH-\d+|" + _KEY + r"|https?://[^\s<>()]{4,200}"
    r"/(?:issues?|bugs?|pull|browse|ticket|merge_requests)/[\w-]+"
)
CLOSES: Final = re.compile(
    rf"\b(?P<verb>close[sd]?|closing|fix(?:e[sd]|ing)?|resolve[sd]?)(?:\s+(?:issue|bug|ticket))?\s*:?\s+"
    rf"(?P<targets>(?:{_TARGET})(?:(?:,|\s+and|,\s+and)?\s+(?:{_TARGET}))*)",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"(?<![\w&/#])(?P<number>#\d{1,7}|(?:GH|gh|bpo)-\d{1,7})\b"
    r"|(?<!\w)(?P<cve>CVE-\d{4}-\d{4,7})\b"
    r"|(?<![\w/])(?P<other>[\w.-]{1,39}/[\w.-]{1,60}#\d{1,7})\b"
    r"|/(?:issues?|pull|merge_requests)/(?P<address>\d{1,7})\b"
)
_ERROR_TYPE: Final = re.compile(r"[\w.]*(?:Error|Exception|Warning)")
_OTHER_TRACKER: Final = re.compile(_KEY)
_AT_START: Final = re.compile(rf"\[?(?P<key>{_KEY})(?=\]?[:,;. ]|$)")


class CommitMessage(NamedTuple):
    """A message, read.

    Attributes:
        subject: its first line.
        gist: the subject without prefixes, labels and numbers of pull requests.
        scope: what a prefix names, such as ``parser`` in ``fix(parser): …``; may be empty.
        type: the type of a conventional commit, or an empty text.
        emoji: the emoji that it begins with, or its name.
        body: what follows, without trailers.
        trailers: (name in small letters, value).
        references: issues and pull requests that it names, as tags: ``#12``, ``CVE-2026-1234``.
        depth: how often it was taken back: 1 a revert, 2 the revert of one, or a reapplied change.
        core: what the innermost commit of these was called.
        target: id of the commit that is taken or brought back; may be short; may be empty.

    """

    subject: str
    gist: str
    scope: str
    type: str
    emoji: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    references: tuple[str, ...]
    depth: int
    core: str
    target: str


def read(message: str) -> CommitMessage:
    """Take a message apart. Characters that no reader sees are left out."""
    text = _CONTROL.sub("", message.replace("\r\n", "\n").replace("\r", "\n")[:_MOST_BODY]).strip()
    subject, _, rest = text.partition("\n")
    subject = " ".join(subject.split())[:_LONGEST_SUBJECT]
    body, trailers = _without_trailers(rest.strip("\n"))
    depth, core, target = _taken_back(subject, rest)
    gist, scope, kind, emoji = _without_prefixes(subject)
    return CommitMessage(
        subject, gist, scope, kind, emoji, body, trailers, _references(text), depth, core, target
    )


def _without_trailers(rest: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Take the last paragraphs of nothing but trailers off; git's own remarks count as such."""
    trailers: list[tuple[str, str]] = []
    paragraphs = re.split(r"\n\s*\n", rest)
    while paragraphs:
        read_trailers = []
        for line in paragraphs[-1].splitlines():
            match = _TRAILER.fullmatch(line.rstrip())
            if match and "-" in match["key"] + "-" * (
                match["key"].lower() in {"fixes", "cc", "closes"}
            ):
                read_trailers.append((match["key"].lower(), match["value"].strip()))
            elif not (_PICKED.fullmatch(line.strip()) or (read_trailers and line.startswith(" "))):
                return "\n\n".join(paragraphs).strip("\n"), tuple(trailers)
        trailers = read_trailers + trailers
        paragraphs.pop()
    return "", tuple(trailers)


def _taken_back(subject: str, rest: str) -> tuple[int, str, str]:
    depth, core = 0, subject
    while match := _QUOTED.match(core):
        depth += 1 if match["verb"].lower() == "revert" else 2
        core = _PULL.sub("", match["rest"].rstrip()).removesuffix('"')
    core = _PULL.sub("", core)
    by_type = _REVERT_TYPE.match(subject)
    named = _BRINGS_BACK.search(rest) or _TAKES_BACK.search(rest)
    if not depth and by_type:
        depth, core = 1, by_type["rest"]
    elif not depth and named and subject.lower().startswith(("revert", "back out", "backout")):
        depth = 1
    return (depth, core, named["id"] if named else "") if depth else (0, "", "")


def _without_prefixes(subject: str) -> tuple[str, str, str, str]:
    gist, scope, kind, emoji = _PULL.sub("", subject), "", "", ""
    for _ in range(6):
        before = gist
        if match := _EMOJI.match(gist):
            emoji = emoji or match["name"] or match["char"]
        elif match := _LABEL.match(gist):
            inner = match["inner"].lower()
            kind = kind or (inner if inner in _FIX_TYPES | _OTHER_TYPES else "")
        elif match := _NUMBER.match(gist):
            pass
        elif (match := _PREFIX.match(gist)) and _ERROR_TYPE.fullmatch(match["name"]):
            break  # what failed, and no area of the code
        elif match:
            name = match["name"].lower()
            if not kind and name in _FIX_TYPES | _OTHER_TYPES:
                kind = name
                scope = scope or (match["scope"] or "")
            else:
                scope = scope or match["name"]
        if match:
            gist = gist[match.end() :]
        if gist == before:
            break
    return gist.strip() or subject, scope.strip(), kind, emoji


def _references(text: str) -> tuple[str, ...]:
    references: dict[str, None] = {}
    if key := _AT_START.match(text):
        references[key["key"]] = None
    for match in _REFERENCE.finditer(text):
        number = f"#{match['address']}" if match["address"] else match[0]
        references[number] = None
    for match in CLOSES.finditer(text):
        for key in _OTHER_TRACKER.findall(match["targets"]):
            references[key] = None
    return tuple(reference for reference in references if len(reference) <= _LONGEST_TAG)[
        :_MOST_REFERENCES
    ]


def evidence(message: CommitMessage) -> dict[str, int]:
    """Count what in a message speaks for a fix: what it is, and its weight."""
    points: dict[str, int] = {}
    text, weak = f"{message.subject}\n{message.body}", False
    if message.type in _FIX_TYPES or message.emoji in _FIX_EMOJI:
        points["its type says fix"] = 2
    if VERB.match(message.gist):
        points["it begins with fix"] = 2
    elif weak := bool(_WEAK_VERB.match(message.gist)):
        points["it begins with a word such as repair"] = 1
    elif _WORD.search(message.gist):
        points["it mentions a fix or a bug"] = 1
    if PLAIN_SYMPTOM.search(message.gist) if weak else SYMPTOM.search(message.gist):
        points["it names a symptom"] = 1
    closing = CLOSES.search(text)
    if closing:
        points["it closes an issue"] = 1
    for name, value in message.trailers:
        if name in _BUG_TRAILERS or (name == "fixes" and _FIXES_COMMIT.match(value)):
            points["a trailer names the bug"] = 2
        elif name == "reported-by":
            points["somebody reported it"] = 1
        elif name in {"fixes", "closes"} and re.match(_TARGET, value):
            points["it closes an issue"] = 1
    if _FEATURE.match(message.gist) and message.type not in _FIX_TYPES:
        points["it begins like a feature"] = -1
    return points


def against(message: CommitMessage) -> str:
    """Say what in a message speaks against a fix; an empty text if nothing does."""
    if not message.subject:
        return "without a message"
    if message.depth:
        return "a revert"
    if _UNFINISHED.match(message.gist) or _UNFINISHED.match(message.subject):
        return "unfinished, or a correction of the previous commit"
    if message.type in _OTHER_TYPES:
        return "its type says something else"
    if _RELEASE.match(message.gist):
        return "a release or another version"
    what = VERB.sub("", message.gist, count=1) if VERB.match(message.gist) else message.gist
    if re.search(r"\b(?:typos?|spelling|mis+pel\w*)\b", message.gist, re.IGNORECASE):
        return "spelling"
    named = message.body or message.references or message.scope or PLAIN_SYMPTOM.search(what)
    if len(what.split()) <= 1 and not named:
        return "too few words"
    if _VAGUE.fullmatch(what) and not (message.body or message.scope):
        return "too few words"
    if _BESIDE_CODE.match(what):
        return "it is about tests, or how it is built"
    if _REMARKS.match(what) and not _OF_WARNINGS.search(what):
        return ONLY_WORDS
    if _ONLY_SAID.search(what) or _trivial_words(message, also_code=False):
        return ONLY_WORDS
    return ""


def is_doubtful(message: CommitMessage) -> bool:
    """Tell whether a message speaks of style, or of code that is about such: its change tells."""
    return bool(_trivial_words(message, also_code=True))


def _trivial_words(message: CommitMessage, *, also_code: bool) -> list[str]:
    """List words of a message that speak against a fix, or those that may be about code as well."""
    what = VERB.sub("", message.gist, count=1) if VERB.match(message.gist) else message.gist
    if _GRAVE.search(what):
        return []
    words = (match[0] for match in _TRIVIAL.finditer(" ".join(what.split()[:7])))
    return [word for word in words if bool(_ALSO_CODE.fullmatch(word)) == also_code]


def is_chore(core: str) -> bool:
    """Tell whether a commit of this subject was routine: taking it back teaches nothing."""
    message = read(core)
    return (
        message.type in _OTHER_TYPES - {"feat", "feature", "refactor", "revert"}
        or message.scope.lower() in {"ci", "build", "deps"}
        or bool(_RELEASE.match(message.gist) or _UNFINISHED.match(message.gist))
        or against(message) in {ONLY_WORDS, "spelling"}
    )


def who_tested(message: CommitMessage) -> tuple[str, ...]:
    """Give the people who say in a trailer that they tried it."""
    return tuple(value for name, value in message.trailers if name in _TESTED)


def why_taken_back(message: CommitMessage) -> str:
    """Give the reason that a revert's message states; empty if it states none."""
    return _ABOUT_TAKING_BACK.sub("", message.body).strip()
