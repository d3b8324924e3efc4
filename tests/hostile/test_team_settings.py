"""Settings that a clone brings: none switches redaction off, sends text away, or spends money.

Another pattern is one line in ``TOO_WIDE``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from gitmem.config import KEYS, Config, Layer, field_of, layered
from gitmem.errors import InvalidError
from gitmem.llm.approval import Estimate
from gitmem.redaction import Allowed, redact
from gitmem.redaction.allowed import check
from tests.corpus_redaction.positives import samples
from tests.e2e.running import ok, run
from tests.model_server import Server, opening, says, serving

if TYPE_CHECKING:
    from gitmem import Memory
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")

TOKEN = "ghp_" + "q7Xz0Rk2Vd9LmT4w8Yb3Nc6HpJ5sFgA1eU" + "Kd"
TOO_WIDE = (
    ".*",
    ".+",
    "[^qcZ0].+",
    "[^q].*",
    "A.+",
    "ghp_.+",
    "[g]hp_.*",
    "sk-.+",
    "AKIA.*",
    "glpat-[^ ]+",
    "AKIA[A-Z0-9]{16}",
    "sk-[A-Za-z0-9]{48}",
    "npm_.{36}",
    ".*[A-Za-z0-9]",
    ".{40}",
    "[A-Za-z0-9]{40}",
    "[A-Za-z0-9+/]{40}",
    "[0-9a-f]{40}",
    "[0-9A-F]{32}",
    "[a-z]+",
    "[a-z -]+",
    "[^ ]{36}[^ ]*",
    r"\S+",
    r"\w+",
)
NARROW = (
    "sandbox-[a-z0-9]+",
    "AKIA[A-Z0-9]{9}EXAMPLE",
    "test_[a-z]+",
    "demo-[0-9a-f]{8}-key",
    "hunter[0-9]",
)
TEAM = """\
format: 1
settings:
  llm.model: dear-1
  redaction.allow:
    - pattern: 'corp-[a-z0-9]+'
      why: keys of the sandbox, they say
    - pattern: '{wide}'
      why: x
"""


@pytest.mark.parametrize("pattern", TOO_WIDE)
def test_a_pattern_that_lets_secrets_pass_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidError):
        check(Allowed("x", pattern=pattern), "here")


@pytest.mark.parametrize("pattern", NARROW)
def test_one_that_says_how_its_values_begin_is_not(pattern: str) -> None:
    check(Allowed("x", pattern=pattern), "here")


# A pattern that names half of an issuer's tokens, or those of a length: what it lets pass.
HALF: dict[str, str] = {
    "AKIA[A-P].+": "AKIAB3EGRYZ7XW2MNLKD",
    "ghp_[a-m].*": "ghp_" + "b7Xz0Rk2Vd9LmT4w8Yb3Nc6HpJ5sFgA1eUKd",
    "hf_[A-Za-z]{34}": "hf_" + "QwErTyUiOpAsDfGhJkLzXcVbNmqWeRtYuI",
    "dop_v1_[a-f0-9]{64}": "dop_v1_" + "0f3a9c41d27be856" * 4,
    "xox[bp]-.*": "xoxb-123456789012-123456789012-" + "q7Xz0Rk2Vd9LmT4w8Yb3Nc6H",
    "[A-Z2-7]{32}": "JBSWY3DPEHPK3PXPMFRGGZDFMZTWQ2LK",
}


@pytest.mark.parametrize("pattern", HALF)
def test_what_a_pattern_says_of_the_form_alone_lets_nothing_pass(pattern: str) -> None:
    allow = [Allowed("x", pattern=pattern)]
    for text in (f'password = "{HALF[pattern]}"', f"api_key: {HALF[pattern]}\n"):
        assert HALF[pattern] not in redact(text, environ={}, allow=allow).text
    exact = [Allowed("x", value=HALF[pattern])]
    assert HALF[pattern] in redact(f'password = "{HALF[pattern]}"', environ={}, allow=exact).text


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("sandbox-[a-z0-9]+", "sandbox-a81jx02"),
        ("AKIA[A-Z0-9]{9}EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ("demo-[0-9a-f]{8}-key", "demo-12ab34cd-key"),
        ("hunter[0-9]", "hunter2"),
    ],
)
def test_a_teams_own_form_stays(pattern: str, value: str) -> None:
    allow = [Allowed("x", pattern=pattern)]
    assert value in redact(f'password = "{value}"', environ={}, allow=allow).text


def test_no_pattern_that_is_accepted_lets_a_drawn_secret_pass() -> None:
    allow = [Allowed("x", pattern=pattern) for pattern in NARROW]
    drawn = list(samples(20261122))
    kept = [
        sample.kind
        for sample in drawn
        if sample.secret in redact(sample.text, environ={}, allow=allow).text
    ]
    plain = [
        sample.kind for sample in drawn if sample.secret in redact(sample.text, environ={}).text
    ]
    assert len(drawn) > 300
    assert kept == plain


@pytest.mark.parametrize("wide", ["[^qcZ0].+", "ghp_.+"])
def test_a_team_can_not_switch_redaction_off(repo: "Checkout", wide: str) -> None:
    ok(repo, "init")
    (repo / ".memory/gitmem.yaml").write_text(TEAM.format(wide=wide))
    done = run(repo, "add", "note", "--title", "t", "--body", f"use {TOKEN} for it")
    assert done.code == 0, done
    written = "".join(path.read_text() for path in (repo / ".memory").rglob("*-note-*.yaml"))
    assert "<redacted:github-token>" in written
    assert TOKEN not in written
    assert "would let secrets pass" in run(repo, "check").out


def test_check_says_which_records_an_allowance_lets_pass(repo: "Checkout") -> None:
    ok(repo, "init")
    (repo / ".memory/gitmem.yaml").write_text(TEAM.format(wide="demo-[0-9]+"))
    name = ok(repo, "add", "note", "--title", "t", "--body", 'password = "corp-a81jx02"').split()[0]
    checked = ok(repo, "check")
    (line,) = [line for line in checked.splitlines() if name in line]
    assert "redaction.allow permits what looks like a secret (password: " in line


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(says({"patterns": []})) as running:
        yield running


def _ask(
    repo: "Checkout", server: Server, model: dict[str, str] | None = None, **environ: str
) -> tuple[str, Estimate | None]:
    asked: list[Estimate] = []

    def approve(estimate: Estimate) -> bool:
        asked.append(estimate)
        return True

    named = {"llm.model": "small-1"} if model is None else model
    with opening(repo, server, named, **environ) as opened:
        memory: Memory = opened()
        for _ in range(2):
            memory.add("error", {"error_type": "E", "message": 'password = "corp-a81jx02" is old'})
        memory.models.find_patterns(memory.models.analyse(), approve)
    return server.requests[-1].text, asked[0] if asked else None


def test_what_a_team_allows_is_not_sent_to_a_model_unless_the_user_agrees(
    repo: "Checkout", server: Server
) -> None:
    ok(repo, "init")
    (repo / ".memory/gitmem.yaml").write_text(TEAM.format(wide="demo-[0-9]+"))
    sent, _ = _ask(repo, server)
    assert "corp-a81jx02" not in sent
    server.will(says({"patterns": []}))
    sent, _ = _ask(repo, server, GITMEM_LLM_TEAM_ALLOWANCES="true")
    assert "corp-a81jx02" in sent


def test_the_users_model_wins_over_the_teams() -> None:
    user = Layer("user", {"llm.model": "mine", "semantic.embedder": "off", "search.limit": 5})
    team = Layer("team", {"llm.model": "dear-1", "semantic.embedder": "words", "search.limit": 9})
    config = layered([user, team]).config
    assert (config.llm_model, config.semantic_embedder) == ("mine", "off")
    assert config.search_limit == 9
    assert layered([team]).config.llm_model == "dear-1"


@pytest.mark.parametrize("key", [key for key in KEYS if key.startswith("llm.")])
def test_of_language_models_a_team_sets_the_names_only(key: str) -> None:
    kept = layered([Layer("team", {key: "1"})])
    is_name = key in {"llm.model", "llm.vision_model"}
    assert bool(kept.origins) == is_name
    assert bool(kept.complaints) == (not is_name)


@pytest.mark.parametrize(
    ("key", "own", "theirs"),
    [
        ("llm.vision_model", "mine", "dear-1"),
        ("llm.model", "", "dear-1"),
        ("semantic.embedder", "words", "sentences"),
        ("hub.send", "fingerprints", "words"),
        ("hub.url", "", "https://hub.example"),
        ("semantic.endpoint", "", "https://vectors.example"),
        ("llm.monthly_budget", 1, 0),
        ("llm.output_tokens", 500, 100_000),
    ],
)
def test_the_users_setting_wins_in_all_that_costs_or_sends(
    key: str, own: object, theirs: object
) -> None:
    for layers in (
        [Layer("user", {key: own}), Layer("team", {key: theirs})],
        [Layer("team", {key: theirs}), Layer("environment", {key: own})],
    ):
        assert getattr(layered(layers).config, field_of(key)) == own


@pytest.mark.parametrize(
    ("key", "bound"), [("limits.record_kib", 8192), ("limits.attachment_kib", 102_400)]
)
def test_a_team_can_not_lift_a_limit_that_guards_against_what_a_clone_brings(
    key: str, bound: int
) -> None:
    field = field_of(key)
    for value in (bound + 1, 900_000_000):
        lifted = layered([Layer("team", {key: value})])
        assert getattr(lifted.config, field) == getattr(Config(), field)
        assert f"{key}: more than {bound} can't be a team setting" in lifted.complaints[0]
        assert getattr(layered([Layer("user", {key: value})]).config, field) == value
    assert getattr(layered([Layer("team", {key: bound})]).config, field) == bound


def test_the_users_price_is_not_that_of_a_teams_model(repo: "Checkout", server: Server) -> None:
    ok(repo, "init")
    (repo / ".memory/gitmem.yaml").write_text(TEAM.format(wide="demo-[0-9]+"))
    _, of_the_user = _ask(repo, server)
    assert of_the_user is None  # cheap by the stated price: not asked about
    server.will(says({"patterns": []}))
    _, of_the_team = _ask(repo, server, model={})
    assert of_the_team is not None
    assert of_the_team.model == "dear-1"
    assert of_the_team.cost is None
