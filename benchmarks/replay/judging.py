"""What was recorded of a fix, compared with what the commit is."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from benchmarks.replay.playing import Learnt, MetAgain
from benchmarks.replay.proving import Truth
from gitmem.capture.generated_files import is_generated
from gitmem.capture.patches import Line, parse_patch
from gitmem.capture.roles import is_document

FACTS: Final = ("error", "test", "place", "patch", "outcome")
"""What is to be known of each bug."""
_SIZE: Final = re.compile(r"\([+-]\d+ [+-]\d+ lines\)")
_FILE: Final = re.compile(r"[\w./-]+\.\w+")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_EMPTY_WORDS: Final = frozenset({"change", "and", "more", "failed", "error"})
_REDACTED: Final = re.compile(r"<redacted(?::[\w-]+)?>")
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]{6,}\b")
_EXITED: Final = re.compile(r"(?:\S+ )?exited with -?\d+|[^:]* failed")


class Judgement:
    """Counts what is right and wrong over some bugs.

    Attributes:
        counts: ``bugs``, ``recorded`` and ``true`` facts, ``wanted`` and ``found`` ones,
            ``wrong attributions``, ``records``, ``junk``, ``titles`` and those that say
            ``something``, bugs that stayed ``drafts``, failures that were ``told`` of as known
            on their first day, bugs ``met`` again and told ``right`` first.
        files: how many files each bug that was recorded left.
        remarks: what was not as it should be, in words.

    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.files: list[int] = []
        self.remarks: list[str] = []

    def learnt(self, learnt: Learnt) -> None:
        """Judge what one fix left."""
        bug = learnt.truth.bug
        errors = {
            name: record for name, record in learnt.records.items() if record["kind"] == "error"
        }
        fixes = {name: record for name, record in learnt.records.items() if record["kind"] == "fix"}
        facts = [fact for error in errors.values() for fact in _error_facts(error, learnt.truth)]
        for fix in fixes.values():
            facts += _fix_facts(fix, learnt.truth, set(errors))
        true_facts = {name for name, true in facts if true}
        if not _whole(fixes.values(), learnt.truth):
            true_facts.discard("patch")
        if not _names_all_tests(errors.values(), learnt.truth):
            true_facts.discard("test")
        wrong = [
            name for name, record in fixes.items() if _is_wrong(record, learnt.truth, set(errors))
        ]
        others = [
            record for record in learnt.records.values() if record["kind"] not in {"error", "fix"}
        ]
        junk = [error for error in errors.values() if not _stands(error, learnt.truth)]
        junk += [fix for fix in fixes.values() if not fix.get("patch")] + others
        titles = [str(record["title"]) for record in (*errors.values(), *fixes.values())]
        empty = [title for title in titles if not says_something(title)]
        self.counts.update(
            {
                "bugs": 1,
                "recorded": len(facts),
                "true": sum(true for _, true in facts),
                "wanted": len(FACTS),
                "found": len(true_facts),
                "wrong attributions": len(wrong),
                "records": len(learnt.records),
                "junk": len(junk),
                "titles": len(titles),
                "something": len(titles) - len(empty),
                "drafts": int(bool(learnt.drafts) and not fixes),
                "told": len(learnt.told),
            }
        )
        if learnt.records:
            self.files.append(learnt.files)
        self._say(bug.commit, "not true", [name for name, true in facts if not true])
        self._say(bug.commit, "missing", [name for name in FACTS if name not in true_facts])
        self._say(bug.commit, "attributed wrongly", wrong)
        self._say(bug.commit, "junk", [str(record["title"]) for record in junk])
        self._say(bug.commit, "a title that says nothing", empty)
        self._say(bug.commit, "told as known at once", learnt.told)
        self._say(bug.commit, "only a draft", () if fixes else learnt.drafts)
        if learnt.files > _MANY_FILES:
            self._say(bug.commit, "files", [str(learnt.files)])

    def met_again(self, learnt: Learnt, met: MetAgain) -> None:
        """Judge what was told where a bug with a fix that is recorded was there again."""
        right = bool(met.told) and met.told[0] in learnt.fixes
        self.counts.update({"met": 1, "right": int(right), "later": int(met.later)})
        if not right:
            self._say(learnt.truth.bug.commit, "told first", met.told or ["nothing"])

    def _say(self, commit: str, what: str, which: Iterable[str]) -> None:
        if which := list(which):
            self.remarks.append(f"{commit[:10]}: {what}: {', '.join(which)}")


_MANY_FILES: Final = 3


def says_something(title: str) -> bool:
    """Tell whether a title has a word that is no file's name, no size and no form."""
    if _EXITED.fullmatch(title):
        return False
    left = _FILE.sub(" ", _SIZE.sub(" ", title)) if _SIZE.search(title) else title
    return any(word.lower() not in _EMPTY_WORDS for word in _WORD.findall(left))


def _error_facts(error: Mapping[str, Any], truth: Truth) -> list[tuple[str, bool]]:
    facts = [("error", _stands(error, truth))]
    tests = _tests(error)
    if tests:
        facts.append(("test", all(_failed(test, truth) for test in tests)))
    path = str((error.get("location") or {}).get("file", ""))
    if path:
        facts.append(("place", path.rpartition("/")[2] in truth.shown))
    return facts


def _stands(error: Mapping[str, Any], truth: Truth) -> bool:
    """Tell whether an error's message, or the line that says it, was printed."""
    message = _squeezed(_ADDRESS.sub("", str(error.get("message") or "").partition("\n")[0]))
    if not message:
        message = str(error.get("error_type") or "")
    # An address is another one in each run.
    shown, at = _squeezed(_ADDRESS.sub("", truth.shown)), 0
    for part in _REDACTED.split(message):
        at = shown.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return bool(message)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _tests(error: Mapping[str, Any]) -> list[str]:
    name = str((error.get("test") or {}).get("name", ""))
    return [str(test) for test in error.get("tests") or ([name] if name else [])]


def _failed(test: str, truth: Truth) -> bool:
    if truth.failing:
        return test in truth.failing
    # Runners that print a suite's title and a test's on lines of their own join them nowhere.
    return re.split(r"::| > | \u203a ", test)[-1] in truth.shown


def _names_all_tests(errors: Iterable[Mapping[str, Any]], truth: Truth) -> bool:
    return truth.failing <= {test for error in errors for test in _tests(error)}


def _fix_facts(fix: Mapping[str, Any], truth: Truth, errors: set[str]) -> list[tuple[str, bool]]:
    lines = _code_lines(fix)
    return [
        ("patch", bool(lines) and lines <= truth.bug.code.lines),
        # Nothing was tried and taken back.
        ("outcome", fix.get("outcome") == "worked" and not _is_wrong(fix, truth, errors)),
    ]


def _is_wrong(fix: Mapping[str, Any], truth: Truth, errors: set[str]) -> bool:
    """Tell whether a fix says of an edit, or of a failure, what is not so."""
    linked = set((fix.get("links") or {}).get("fixes", ()))
    return not _code_lines(fix) <= truth.bug.code.lines or not linked <= errors


def _whole(fixes: Iterable[Mapping[str, Any]], truth: Truth) -> bool:
    worked = [_code_lines(fix) for fix in fixes if fix.get("outcome") == "worked"]
    return truth.needed <= frozenset[Line]().union(*worked)


def _code_lines(fix: Mapping[str, Any]) -> frozenset[Line]:
    patch = parse_patch(str(fix.get("patch") or ""))
    return frozenset(
        line for line in patch.lines if not is_document(line[0]) and not is_generated(line[0])
    )
