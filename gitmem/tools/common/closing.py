"""Lines that only count or close, that something failed and never what; and the last that tells.

``1 test failed``, ``Some errors were emitted while running checks.`` and ``Build failed in 6.1s``
are the same for any reason, so nothing is known by them. A line is one of them if each of its words
is a word of counting and closing, or if the tool that writes it says so (``output.closing``).
"""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import pattern

_LONGEST: Final = 200
_ENDS: Final = lazily(
    r"(?i:fail|error|abort|problem|issue|exit|unsuccessful|broken|not ok|status|terminated"
    r"|stopped|fatal|\bnot complete)"
)
"""One of these stands in every line that closes a run that failed."""
_SPEAKER: Final = lazily(r"(?:\[?[\w./@+-]{1,60}\]?: ){1,3}(?=\S)")
_ASIDE: Final = lazily(
    r"https?://\S+|(?<!\w)(?:[A-Za-z]:)?(?:[\w.@+~-]*[\\/])+[\w.@+~-]*|\b[\w-]+\.[A-Za-z]\w{0,5}\b"
    r"|'[^'\n]*'|\"[^\"\n]*\"|`[^`'\n]*[`']|\([^()\n]*\)|\[[^\[\]\n]*\]|\b\d[\w.,:%]*|[^\w\s'\u2019-]"
)
"""What stands in such a line beside its words: numbers, files, names of what was run, signs."""
_FOUND: Final = lazily(
    r"(?i)[^\w\s]*\s*(?:error: )?(?:(?:found|detected) \d{1,6}(?: [a-z-]+){1,3}"
    r"|\d{1,6}(?: [a-z-]+){1,3} (?:were )?(?:found|detected))[!.:]?$"
)
_ABORTS: Final = lazily(
    r"(?i)(?:running )?[\w.+-]{1,40} ?(?:compilation|compiler|build) failed"
    r"(?:, exit\w* (?:with )?\d{1,3})?[.!]?$"
    r"|(?:[\w./+-]{1,60}: )?(?:error: )?[\w./+-]{1,40} returned (?:exit (?:status|code) )?\d{1,3}"
    r"(?: exit status)?$"
    r"|errors? in [^:]{1,160}(?:--|[,;]) "
    r"(?:aborting|stopping|giving up|can't|cannot)\b[^:]{0,80}$"
)
"""That a file has errors, and that it ends here: which ones stands above."""
_HAD_ERRORS: Final = lazily(
    r"(?i).{0,160}\b(?:(?:due to|because of|with|contains?|has|had|found) (?:some |previous |the )?"
    r"(?:\w{1,20} (?=warnings))?(?:errors|warnings|issues|problems|failures)(?: above| below)?"
    r"|return code:? \d{1,3}"
    r"|failed(?: with (?:a )?(?:error|non-?zero))?:? exit (?:code|status)(?: \d{1,3})?"
    r"|(?:exit(?:s|ed)?|completed) with (?:(?:(?:error|exit) )?(?:code|status) )?'?\d{1,3}'?)"
    r"[.!]?$"
)
_HAD_LAST: Final = (
    "errors", "warnings", "issues", "problems", "failures", "above", "below", "code", "status", "'",
    *"0123456789",
)  # fmt: skip
"""What such a line ends with."""
_NO_REASON: Final = lazily(
    r"(?i)build step '[^'\n]{1,80}' (?:marked build as|changed build result to) [a-z]{1,20}$"
    r"|errors? (?:during|while|in) (?:\w{1,40} ){0,2}"
    r"(?:execution|processing|startup|initiali[sz]ation)[.:!]?$"
    r"|command failed with exit code \d{1,3}: .*$"
    r"|(?:error: )?errors? (?:while )?(?:compiling|building) [\w./-]{1,80}$"
    r"|(?:an )?(?:unexpected )?(?:errors?|exceptions?|failures?) (?:occurred )?"
    r"(?:(?:while|during|when|on) )?(?:processing|executing|handling|performing)"
    r"(?: (?:the |a |your |this )?(?:request|command|job|task|step|operation|action|message))?"
    r"[.:!]?$"
    r"|there (?:are|were) (?:some )?errors in (?:the|your) (?:configuration|settings)\b.*"
    r"|running program '[^'\n]+' failed with an? (?:\w{1,20} )?exception:?$"
    r"|[^:\n]{1,160}\bsee (?:the )?(?:\w{1,20} )?(?:logs?|output|errors?|messages?|details) "
    r"(?:above|below)[.!]?"
    r"|[^\w\s]*\s*(?:error: )?(?:[a-z]{3,20} ){1,2}(?:issues|problems|violations|vulnerabilities)"
    r" (?:were )?(?:found|detected)[.!]?$"
    r"|errors? (?:was |were )?found (?:error )?in [^:]{1,160}$|found errors? in [^:]{1,160}$"
    r"|(?:(?:unable|failed) to|could not|can(?:no|')t) (?:continue|proceed|go on)"
    r"(?:,? [a-z]{1,20}){0,2}[.:!]?$"
    r"|(?:something went wrong|(?:the )?(?:\w{1,20} )?(?:deployment|installation|request|rendering"
    r"|processing|service|server|upgrade|release|sync|apply) failed(?: to start)?"
    r"|(?:unhandled|uncaught) exception|(?:internal )?(?:server )?error)[.:!]?$"
)
"""That there were errors, or that something failed: the same words for any reason."""
_FAILED: Final = lazily(r"(?i)^(?:[a-z]+ ){2,4}failed[.!]?$")
_ENCLOSING: Final = ("'", '"', "`", "(", "[")
"""Words between two of these stand beside those of the line."""
_TALLY: Final = lazily(
    r"(?i)\W*(?:\w{1,20} *: +)?"
    r"(?=.*\b(?:errors?|fail\w*|passed|fix(?:es)?|problems?|issues?|warnings?)\b)"
    r"(?:(?:\d{1,6} [a-z](?:[a-z -]|\(s\)){2,40}|[a-z]{3,12}:? \d{1,6})"
    r"(?: ?[,;|\u00b7] ?|\W*$)){2,}$"
)
"""Several counts, and nothing else: how many passed, failed or can be mended."""
_QUOTED: Final = lazily(r"^(?:[>|] ?){1,3}\s*(?=\S)")
"""What quotes a line: behind it a count is a count, still."""
_COMPARES: Final = lazily(r" [=!]==? ")
"""What is compared is told then, whatever words stand around it."""
_WORD: Final = lazily(r"[^\W\d_][\w'\u2019]*")
_ONE: Final = r"error|failure|problem|issue|violation|offen[cs]e"
_COUNTS: Final = lazily(
    rf"(?:.*\b)?(?:1 (?:\w{{1,20}} )?(?:{_ONE})|\d{{1,6}} (?:\w{{1,20}} )?(?:{_ONE})s"
    rf"|(?:{_ONE})s ?[:=] ?\d{{1,6}}|error=\d{{1,6}}|fail(?:ed)?[=:] ?\d{{1,6}}"
    r"|failed +\d{1,6} of \d{1,6}|total time: \d{1,6}|\d{1,6} (?:\w{1,20} ){1,2}failed(?! to\b)"
    r"|\d{1,6} out of \d{1,6} \w{1,20} (?:failed|ignored))\b(?!.*: ?[^\W\d])",
    re.IGNORECASE,
)
"""How many there were, behind which nothing is said of one of them."""
_MOST_NAMES: Final = 2
"""Words beside those of counting that may stand in a line that counts: who counts, and what."""
_WORDS: Final = frozenset(
    (  # noqa: SIM905  read as words
        "a aborted aborting about above action actions after all an and any application are as "
        "assertion assertions at backtrace be because been before begin below blocking broken "
        "build builds built by case cases check checked checking checks code command commands "
        "compilation compile compiled compiling complete completed conf config configuration "
        "console could count counts cycle data detail detailed details detected did displayed do "
        "done due duration during emitted encountered end ended ending ends error errored errors "
        "evaluation example examples execution exit exitcode exited exiting expectation "
        "expectations external fail failed failing fails failure failures fatal feature features "
        "file files finish finished fix fixable fixed following for found from full get goal had "
        "has have he ignoring in incomplete info initialization is issue issues it its job jobs "
        "killed line lines lint linting log logs makefile message messages migration migrations "
        "min minutes module modules more ms no non nonzero not notrun occurred of on one only "
        "operation option or other out output overall package packages parsing pass passed "
        "passing pdf pending pipeline please potentially prepare preparing previous problem "
        "problems process produced program project projects raised ran reading reason recipe "
        "rejects report reported required rerun result results returned returning rule rules run "
        "running runs s saving scenario scenarios schema script sec second seconds see shell "
        "signal skipped some source spec specs stage start started state status step steps stop "
        "stopped stopping style subcommand subtest subtests successfully suite suites summary "
        "target targets task tasks terminated terminating termination test testing tests that the "
        "there these this threw time to took total type types undefined unexpected unit "
        "unsuccessful unsuccessfully up update use used using validate validating validation "
        "version warning warnings was were when while with without wstat x zero "
        "am pm jan feb mar apr jun jul aug sep oct nov dec "
    ).split()
)


def finds(line: str) -> bool:
    """Tell whether a line counts what was found, which a list below may name."""
    return bool(_FOUND.match(line.strip()))


def is_closing(line: str) -> bool:
    """Tell whether a line only says that something failed, or how often."""
    text = _QUOTED.sub("", line.strip(), count=1)
    if not text or len(text) > _LONGEST or _COMPARES.search(text):
        return False
    if pattern("output.closing").match(text) or finds(text) or _TALLY.match(text):
        return True
    if _ABORTS.match(text) or _NO_REASON.match(text):
        return True
    if text.lower().rstrip(".!").endswith(_HAD_LAST) and _HAD_ERRORS.match(text):
        return True
    if _names_much(text):
        return False
    message = _SPEAKER.sub("", text, count=1) if ": " in text else text
    words = _ASIDE.sub(" ", message).replace("-", " ")
    lowered = [word.lower() for word in _WORD.findall(words)]
    others = sum(word not in _WORDS for word in lowered)
    if others > _MOST_NAMES:
        return False
    if _FAILED.search(text) and others < len(lowered) - 1:
        return True  # a step of the run, by its name
    # Of what stands in quotes is said that it is wrong, of what counts that it is the whole.
    return bool(_COUNTS.match(text)) or (not others and bool(_ENDS.search(words)))


def _names_much(text: str) -> bool:
    """Tell at once of most lines that too many of their words are none of counting."""
    if any(sign in text for sign in _ENCLOSING):
        return False
    others = (word for word in text.split() if word.isalpha() and word.lower() not in _WORDS)
    return len(list(others)) > _MOST_NAMES


LOOKED_AT: Final = 12
"""Lines at the end of an output, or of a recipe's, that are looked at."""
_SILENT: Final = lazily(
    r"\s*(?:[\W\d_]*$|> |\$ |\+ |(?:real|user|sys)\s+\d|exit(?:ed)? (?:status|code)|Error \d+$)"
)
"""What stands at the end of any output: rules, lines of a shell, times, exit codes."""
# What programs put before their own words about what went wrong.
_SOUNDS: Final = lazily(
    r"\b(?:error|fatal|failed|failure|exception|cannot|can't|could not|missing|wrong|invalid)\b",
    re.IGNORECASE,
)


def telling_line(lines: Sequence[str], start: int, end: int) -> str:
    """Give the last line that says something, from ``start`` up to ``end``; empty if none does.

    Of the last lines one that sounds like a failure tells more than one that does not. Where a run
    is closed without one, nothing is told.
    """
    last, closed = "", False
    for at in range(end - 1, max(start, end - LOOKED_AT) - 1, -1):
        line = lines[at].strip()
        if not line or _SILENT.match(line):
            continue
        if is_closing(line):
            closed = True
        elif _SOUNDS.search(line):
            return line
        else:
            last = last or line
    return "" if closed else last
