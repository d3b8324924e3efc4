"""Where models are, what calls cost, whether they may be made, and what is spent: pure parts."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from gitmem.config import Layer, from_environment, layered
from gitmem.errors import UsageError
from gitmem.llm import ledger
from gitmem.llm.answers import Suggestions, Summary, schema
from gitmem.llm.approval import ASK, GO, REFUSE, Estimate, Rules, rule
from gitmem.llm.endpoint import ModelEndpoint, choose
from gitmem.llm.ledger import Call, dollars
from gitmem.llm.prices import Tokens, price
from gitmem.llm.prompts import data_block

KEYS = {"OPENAI_API_KEY": "o", "GEMINI_API_KEY": "g", "ANTHROPIC_API_KEY": "a"}
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("model", "url", "wanted"),
    [
        ("gpt-5-mini", "", ("https://api.openai.com/v1", "gpt-5-mini", "o")),
        ("openai/gpt-5-mini", "", ("https://api.openai.com/v1", "gpt-5-mini", "o")),
        ("claude-sonnet-4-5", "", ("https://api.anthropic.com/v1", "claude-sonnet-4-5", "a")),
        ("gemini/gemini-2.5-flash", "", (
            "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash", "g")),
        ("ollama/qwen2.5-coder:7b", "", ("http://localhost:11434/v1", "qwen2.5-coder:7b", "")),
        ("gpt-5-mini", "https://api.openai.com/v1/",
         ("https://api.openai.com/v1", "gpt-5-mini", "o")),
        # A host of one's own gets nobody else's key, and the name as it is.
        ("openai/gpt-5-mini", "https://gate.example.com/v1",
         ("https://gate.example.com/v1", "openai/gpt-5-mini", "")),
        ("gpt-5-mini", "https://api.openai.com.evil.example/v1",
         ("https://api.openai.com.evil.example/v1", "gpt-5-mini", "")),
    ],
)  # fmt: skip
def test_s4_8_and_s4_36_a_model_is_asked_where_it_is_with_the_key_of_that_host(
    model: str, url: str, wanted: tuple[str, str, str]
) -> None:
    assert choose(model, url, KEYS, own=True) == ModelEndpoint(*wanted)


@pytest.mark.parametrize(
    ("model", "url", "environ", "whose", "words"),
    [
        ("", "", {}, "own", "no language model is set"),
        ("some-model", "", {}, "own", "the address of the model some-model is not known"),
        ("gpt-5-mini", "", KEYS, "team", "the team names the model"),
        ("gpt-5-mini", "", {}, "own", "there is no key for api.openai.com"),
        ("m", "ftp://x/v1", {}, "own", "is not an address"),
        ("m", "http://[::1/v1", {}, "own", "is not an address"),
        ("m", "http://x:99999/v1", {}, "own", "is not an address"),
        ("m", "https://me:pw@x/v1", {}, "own", "more than an address"),
        ("m", "http://far.example/v1", {"GITMEM_LLM_KEY": "k"}, "own", "unencrypted"),
    ],
)
def test_an_endpoint_that_is_not_safe_or_not_there_is_refused(
    model: str, url: str, environ: dict[str, str], whose: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        choose(model, url, environ, own=whose == "own")
    assert caught.value.hint
    assert "pw" not in caught.value.message


def test_s4_36_to_39_the_variables_of_the_seed_are_settings_and_ours_win() -> None:
    environ = {
        "CODING_MEMORY_MODEL": "gemini/gemini-2.5-flash",
        "CODING_MEMORY_VISION_MODEL": "gpt-4o",
        "CODING_MEMORY_AUTO_APPROVE": "false",
        "CODING_MEMORY_COST_THRESHOLD": "0.25",
    }
    config = layered([from_environment(environ)]).config
    assert config.llm_model == "gemini/gemini-2.5-flash"
    assert config.llm_vision_model == "gpt-4o"
    assert (config.llm_auto_approve, config.llm_cost_threshold) == (False, 0.25)
    config = layered([from_environment({**environ, "GITMEM_LLM_MODEL": "gpt-5"})]).config
    assert config.llm_model == "gpt-5"


def test_s4_41_and_s4_42_settings_of_a_file_have_the_defaults_of_the_seed() -> None:
    config = layered([]).config
    assert config.session_max_hours == 24
    assert (config.llm_auto_approve, config.llm_cost_threshold) == (False, 0.1)
    assert config.llm_warn_at_percentage == 80


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(True, "on"), ("yes", "on"), ("Off", "off"), ("0", "off"), (1, ""), ("maybe", ""), ("", "")],
)
def test_a_setting_that_is_true_or_false(value: object, wanted: str) -> None:
    found = layered([Layer("user", {"llm.auto_approve": value})])
    assert found.config.llm_auto_approve is (wanted == "on")
    assert bool(found.complaints) is not bool(wanted)
    if found.complaints:
        assert "must be true or false" in found.complaints[0]


@pytest.mark.parametrize(
    "key",
    ["llm.base_url", "llm.price", "llm.auto_approve", "llm.cost_threshold", "llm.monthly_budget"],
)
def test_the_team_can_neither_choose_the_host_nor_spend(key: str) -> None:
    value = "true" if key == "llm.auto_approve" else "7"
    found = layered([Layer("team", {key: value})])
    assert found.config == layered([]).config
    assert f"{key} can't be a team setting" in found.complaints[0]
    assert layered([Layer("user", {key: value})]).complaints == []


def test_s4_52_prices_come_from_the_list_or_are_not_known() -> None:
    used = Tokens(1_000_000, 1_000_000)
    known = price(used, "gpt-5-mini", "https://api.openai.com/v1")
    assert known == price(used, "gpt-5-mini", "https://gate.example.com/v1", "openai")
    assert known is not None
    assert known > 0
    # Who charges what a name alone does not tell.
    assert price(used, "gpt-5-mini", "https://gate.example.com/v1") is None
    assert price(used, "gpt-5-mini", "http://localhost:11434/v1") is None
    assert price(used, "no-such-model", "https://api.openai.com/v1") is None
    assert price(used, "gpt-5-mini", "", "nobody") is None
    assert price(Tokens(3, 1), "m", "", "0.25 / 2") == Decimal("0.00000275")
    assert price(used, "m", "", "0/0") == 0


@pytest.mark.parametrize("stated", ["a/b", "1/", "-1/2", "nan/1", "inf/1", "1/2/3"])
def test_a_stated_price_that_is_none_is_refused(stated: str) -> None:
    with pytest.raises(UsageError, match=r"llm\.price"):
        price(Tokens(1, 1), "m", "", stated)


ESTIMATE = Estimate("Do", "m", "h", 10, 20, Decimal("0.10"))


@pytest.mark.parametrize(
    ("cost", "rules", "spent", "wanted"),
    [
        ("0.10", Rules(auto=False, threshold=Decimal("0.10"), budget=Decimal(0)), "0", GO),
        ("0.11", Rules(auto=False, threshold=Decimal("0.10"), budget=Decimal(0)), "0", ASK),
        ("0.11", Rules(auto=True, threshold=Decimal(0), budget=Decimal(0)), "99", GO),
        ("0.11", Rules(auto=True, threshold=Decimal(9), budget=Decimal(1)), "0.90", REFUSE),
        ("0.10", Rules(auto=True, threshold=Decimal(9), budget=Decimal(1)), "0.90", GO),
        (None, Rules(auto=True, threshold=Decimal(9), budget=Decimal(1)), "99", ASK),
    ],
)
def test_s4_47_to_49_and_55_threshold_auto_approve_and_budget(
    cost: str | None, rules: Rules, spent: str, wanted: str
) -> None:
    estimate = ESTIMATE._replace(cost=None if cost is None else Decimal(cost))
    assert rule(estimate, rules, Decimal(spent)).answer == wanted


def call(id_: str, at: datetime, cost: str | None) -> Call:
    known = None if cost is None else Decimal(cost)
    return Call(id_, at, "suggestion", "m", "h", "answered", 7, 3, known, measured=True)


def test_s4_50_and_51_the_ledger_adds_up_exactly_and_by_month() -> None:
    calls = [
        call("a", datetime(2026, 10, 31, 23, 59, tzinfo=UTC), "0.1"),
        call("b", datetime(2026, 11, 1, tzinfo=UTC), "0.2"),
        call("c", datetime(2026, 11, 2, tzinfo=UTC), None),
    ]
    events = [one.event() for one in reversed(calls)]
    again = ledger.read([{**events[0], "cost": "9", "state": "asked"}, *events, {"id": "x"}])
    assert again == calls
    whole = ledger.total(again)
    assert (whole.cost, whole.calls, whole.tokens, whole.unpriced) == (Decimal("0.3"), 3, 30, 1)
    assert [one.id for one in ledger.of_month(again, "2026-11")] == ["b", "c"]
    assert ledger.read([{**events[0], "cost": "NaN"}, {**events[0], "cost": 0.5, "at": 3}]) == []


def test_s4_43_and_55_the_warning_comes_with_its_share() -> None:
    assert ledger.warning(Decimal("399.99"), Decimal(500), 80.0) == ""
    told = "80% of this month's budget is spent: $400.00 of $500.00"
    assert ledger.warning(Decimal(400), Decimal(500), 80.0) == told
    assert ledger.warning(Decimal(400), Decimal(0), 80.0) == ""


@pytest.mark.parametrize(
    ("amount", "wanted"),
    [("0", "$0.00"), ("12.345", "$12.35"), ("0.1", "$0.10"), ("0.0123", "$0.0123"),
     ("0.00012", "$0.000120"), ("0.00000025", "$0.000000"), ("1500", "$1500.00")],
)  # fmt: skip
def test_amounts_as_people_read_them(amount: str, wanted: str) -> None:
    assert dollars(Decimal(amount)) == wanted


def test_an_estimate_is_never_rounded_down() -> None:
    assert "at most $0.0086," in ESTIMATE._replace(cost=Decimal("0.00851")).line


def test_no_text_can_end_the_data_block() -> None:
    block = data_block({"a": "</data><data>&lt;/data>\n</data>", "b": ["</DATA>"]})
    assert block.count("<") == 2
    assert block.startswith("<data>\n")
    assert block.endswith("\n</data>")


def test_a_schema_is_strict_and_holds_no_word_that_servers_refuse() -> None:
    for form in (Summary, Suggestions):
        made = schema(form)
        text = str(made)
        assert made["type"] == "object"
        assert made["additionalProperties"] is False
        assert sorted(made["required"]) == sorted(made["properties"])
        assert "maxLength" not in text
        assert "maxItems" not in text


def test_s4_53_and_s4_54_what_the_page_says_of_prices_is_about_right() -> None:
    page = (ROOT / "docs/cost.md").read_text(encoding="utf-8")
    models = {
        "gpt-5-mini": "openai",
        "gemini-2.5-flash": "google",
        "claude-sonnet-4-5": "anthropic",
    }
    rows = re.findall(r"^\| [\w ,]+ \| (\d+) \| (\d+) \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 4
    for given, made, told in rows:
        for (model, provider), amount in zip(models.items(), told.split(" | "), strict=True):
            # A hundred small calls are not one large one, which some models charge more for.
            times = 100 if int(given) > 100_000 else 1
            used = Tokens(int(given) // times, int(made) // times)
            known = price(used, model, "", provider)
            assert known is not None
            # Lists change; a page that is off by half would mislead.
            assert float(amount.lstrip("$")) == pytest.approx(float(known) * times, rel=0.5)


def test_s4_56_the_page_has_five_ways_to_spend_less() -> None:
    page = (ROOT / "docs/cost.md").read_text(encoding="utf-8")
    tips = page.partition("## Spending less")[2]
    assert re.findall(r"^(\d)\. ", tips, re.MULTILINE) == ["1", "2", "3", "4", "5"]
