"""Settings that are lists: the team's masks and its allow-list."""

import hashlib
from typing import Any

import pytest

from gitmem.config import LISTS, Layer, Layered, Mask, Pass, from_environment, layered, parse
from gitmem.errors import UsageError
from gitmem.redaction import redact
from gitmem.redaction.allowed import from_settings

RULE = {"name": "order", "pattern": "o[0-9]{1,9}"}
ENTRY = {"value": "hunter2x", "why": "of the test database"}


def team(key: str, value: Any) -> Layered:
    return layered([Layer("team", {key: value})])


def test_entries_are_read_with_their_place() -> None:
    found = team("fingerprint.rules", [RULE, {**RULE, "mask": "<o>", "why": "ids"}])
    assert found.complaints == []
    assert found.origins == {"fingerprint.rules": "team"}
    assert found.config.fingerprint_rules == (
        Mask("order", "o[0-9]{1,9}", where="fingerprint.rules[0]"),
        Mask("order", "o[0-9]{1,9}", "<o>", "ids", "fingerprint.rules[1]"),
    )
    (allowed,) = team("redaction.allow", [ENTRY]).config.redaction_allow
    assert allowed == Pass("of the test database", "hunter2x", where="redaction.allow[0]")


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("fingerprint.rules", "x", "fingerprint.rules: not a list"),
        ("fingerprint.rules", ["x"], "fingerprint.rules[0]: not a mapping"),
        ("fingerprint.rules", [RULE, {"name": "x"}], "fingerprint.rules[1]: pattern is missing"),
        ("fingerprint.rules", [{**RULE, "regex": "x"}], "[0]: there is no 'regex'"),
        ("fingerprint.rules", [{**RULE, "mask": 3}], "[0]: mask must be text"),
        ("redaction.allow", [{"value": "x"}], "redaction.allow[0]: why is missing"),
        ("redaction.allow", [{"value": "x", "why": " "}], "[0]: why is missing"),
        ("redaction.allow", [{"why": "x"}], "[0]: give one of value, pattern and sha256"),
        ("redaction.allow", [{**ENTRY, "pattern": "x"}], "[0]: give one of"),
        ("redaction.allow", [ENTRY] * 201, "more than 200 entries"),
    ],
)
def test_what_is_wrong_is_told_in_a_line_and_the_rest_counts(
    key: str, value: Any, fault: str
) -> None:
    found = team(key, value)
    (complaint,) = found.complaints
    assert fault in complaint
    assert "\n" not in complaint
    good = [one for one in value if one in (RULE, ENTRY)][:200] if isinstance(value, list) else []
    kept = found.config.fingerprint_rules + found.config.redaction_allow
    assert len(kept) == len(good)


@pytest.mark.parametrize("key", LISTS)
def test_only_the_team_has_lists_and_only_in_its_file(key: str) -> None:
    for origin in ("user", "flag"):
        found = layered([Layer(origin, {key: [RULE]})])
        assert not found.origins
        assert key in found.complaints[0]
    with pytest.raises(UsageError, match="is a list"):
        parse(key, "x")
    assert from_environment({"GITMEM_" + key.replace(".", "_").upper(): "x"}).values == {}


def test_allowed_values_are_made_of_the_settings_and_bad_ones_are_left_out() -> None:
    digest = hashlib.sha256(b"hunter4x").hexdigest()
    entries = (
        Pass("a", value="hunter2x", where="redaction.allow[0]"),
        Pass("b", pattern=".*", where="redaction.allow[1]"),
        Pass("c", sha256=digest.upper(), where="redaction.allow[2]"),
        Pass("d", sha256="abc", where="redaction.allow[3]"),
    )
    allow, faults = from_settings(entries)
    assert [fault.partition(":")[0] for fault in faults] == [
        "redaction.allow[1]",
        "redaction.allow[3]",
    ]
    text = "password=hunter2x secret=hunter3x passwd=hunter4x"
    shown = redact(text, environ={}, allow=allow).text
    assert shown == "password=hunter2x secret=<redacted:password> passwd=hunter4x"
