"""What holds for any text: nothing raises, nothing secret survives, twice is once."""
# ruff: noqa: E501  a strategy is read as a whole

import re
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from gitmem.redaction import redact, redact_data
from tests.corpus_redaction.positives import ALNUM, BASE64, Draw, Sample, samples

SAMPLES = list(samples(3))
LONG = [s for s in SAMPLES if len(s.secret) >= 20 and "key" not in s.kind]


def one_of(drawn: list[Sample]) -> st.SearchStrategy[Sample]:
    return st.integers(0, len(drawn) - 1).map(drawn.__getitem__)


# Pieces that joined at random come near to what the patterns look for.
SHARDS = [
    "password", "PASSWORD", "token", "api_key", "secret", "Authorization", "Bearer ", "Basic ", "=", ": ", ":", '"', "'",
    "`", "\\", '\\"', "\n", "\r\n", " ", "\t", "--", "://", "@", "user:", "login ", "machine x ", "<", ">", "</", "(", ")",
    "[", "]", "{", "}", "${", "hunter2x", "Zx8k2Pq9", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "+", "-",
    "@@ -1 +1 @@\n", "<redacted:password>", "<redacted:", "\x1b[31m", "é", "İ", "\ud800", "\0", "|\n  ", "curl -u ", "eyJ",
    "A" * 40, "0123456789abcdef" * 2, "sk-", "gh" + "p_", "AK" + "IA", ";", "&", ",", "cookie: a=", "#", "...", "==",
]  # fmt: skip
shards = st.integers(0, len(SHARDS) - 1).map(SHARDS.__getitem__)
pieces = st.one_of(shards, one_of(SAMPLES).map(lambda sample: sample.text), st.text(max_size=5))


@st.composite
def _texts(draw: st.DrawFn) -> str:
    if draw(st.booleans()):
        return draw(st.text(st.characters(), max_size=200))
    return "".join(draw(st.lists(draw(st.sampled_from([shards, pieces])), max_size=24)))


texts = _texts()
environs = st.dictionaries(
    st.sampled_from(["DB_PASSWORD", "API_TOKEN", "HOME", "PATH"]), st.text(max_size=20), max_size=3
)


@given(texts, environs)
def test_any_text_is_redacted_and_twice_is_once(text: str, environ: dict[str, str]) -> None:
    once = redact(text, environ=environ)
    again = redact(once.text, environ=environ)
    assert again.text == once.text
    assert again.found == ()
    if not once.found:
        assert once.text == text


@given(texts)
def test_no_line_is_added_or_lost_and_findings_lie_in_the_text(text: str) -> None:
    redacted = redact(text, environ={})
    assert redacted.text.count("\n") == text.count("\n")
    lines = text.split("\n")
    for finding in redacted.found:
        line = lines[finding.line - 1]
        assert 1 <= finding.column <= len(line)
        assert finding.column - 1 + finding.length <= len(line)
    places = [(finding.line, finding.column) for finding in redacted.found]
    assert all(a < b for a, b in pairwise(places))


@given(
    one_of(SAMPLES),
    st.text(st.characters(categories=["L", "N", "P", "Z"]), max_size=60),
    st.text(max_size=60),
)
def test_a_secret_survives_nowhere_whatever_stands_on_the_lines_around(
    sample: Sample, before: str, after: str
) -> None:
    assume(sample.secret not in before + after)
    shown = redact(f"{before}\n{sample.text}\n{after}", environ={}).text
    assert sample.secret not in shown


@given(one_of(LONG), st.sampled_from(["", " ", "'", '"', "(", ",", "\x1b[0m", "=", "x=", "\t"]))
def test_a_recognised_secret_is_recognised_wherever_it_is_repeated(
    sample: Sample, edge: str
) -> None:
    shown = redact(f"{sample.text}\nlater: {edge}{sample.secret}{edge}\n", environ={}).text
    assert sample.secret not in shown


@given(
    st.integers(0, 2**32),
    st.integers(30, 90),
    st.sampled_from(["", "+", "-", " ", "    ", "> ", "# ", '    "', "\t"]),
    st.booleans(),
    st.booleans(),
)
def test_a_private_key_is_gone_however_it_is_wrapped_and_cut(
    seed: int,
    width: int,
    prefix: str,
    begin: bool,  # noqa: FBT001  drawn by position
    end: bool,  # noqa: FBT001
) -> None:
    assume(begin or end)
    body = Draw(seed).of(BASE64, 600)
    rows = [body[at : at + width] for at in range(0, len(body), width)]
    marks = ["-----BEGIN RSA PRIVATE KEY-----"] * begin, ["-----END RSA PRIVATE KEY-----"] * end
    text = "\n".join(prefix + row for row in [*marks[0], *rows, *marks[1]])
    shown = redact("before\n" + text + "\nafter, a line of words\n", environ={}).text
    assert not any(
        row[at : at + 12] in shown
        for row in rows
        for at in range(max(1, len(row) - 11))
        if len(row) >= 4
    )
    assert shown.count("\n") == text.count("\n") + 3
    assert shown.startswith("before\n")
    assert shown.endswith("\nafter, a line of words\n")


@given(st.text(ALNUM + "!@#%^*+/=_-.é", min_size=8, max_size=40), texts, st.integers(0, 2))
def test_a_value_of_the_environment_is_found_in_any_text(value: str, text: str, form: int) -> None:
    assume(
        any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and not value.startswith(("/", ".", "-", "@", "*", "#", "%", "!"))
    )
    assume(len(set(value)) > 4)
    shown = redact(f"{text} {value} {text}", environ={"SERVICE_PASSWORD": value}).text
    assert value not in shown


json_like = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["password", "id", "env", "token", "a"]), inner, max_size=4
        ),
    ),
    max_leaves=8,
)


@given(json_like)
def test_records_keep_their_shape_and_twice_is_once(data: object) -> None:
    once, found = redact_data(data, environ={})
    again, more = redact_data(once, environ={})
    assert again == once
    assert more == ()
    if not found:
        assert once is data or once == data
    assert _shape(once) == _shape(data)


def _shape(data: object) -> object:
    if isinstance(data, dict):
        return {"keys": len(data), "values": [_shape(value) for value in data.values()]}
    if isinstance(data, list):
        return [_shape(value) for value in data]
    return "value"


@given(st.lists(st.tuples(st.sampled_from("+- "), texts), min_size=1, max_size=8))
def test_a_diff_stays_a_diff(rows: list[tuple[str, str]]) -> None:
    body = [sign + re.sub(r"[\r\n]", " ", text) for sign, text in rows]
    head = ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,9 +1,9 @@ def f():"]
    shown = redact("\n".join([*head, *body]) + "\n", environ={}).text.split("\n")
    assert shown[: len(head)] == head
    assert [line[:1] for line in shown[len(head) : -1]] == [line[:1] for line in body]
