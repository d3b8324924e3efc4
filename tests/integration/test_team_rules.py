"""The team's masks and its allow-list reach every place that fingerprints or redacts."""

from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.config import TeamRules
from gitmem.errors import UsageError
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.observing import Observer
from gitmem.output.failure import Failure
from gitmem.sync.derived import Derived
from tests.observing import records

if TYPE_CHECKING:
    from tests.conftest import Checkout

TENANT = """\
  fingerprint.rules:
    - name: tenant
      pattern: 'tenant [a-z]+-[a-z]+'
      mask: '<tenant>'
"""
ALLOWED = """\
  redaction.allow:
    - value: hunter2x
      why: password of the test database
"""
RED, BLUE = (f"BillingError: cannot bill tenant {name} in march" for name in ("red-a", "blue-b"))


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory."""
    Memory.init(str(repo))
    return repo


def settle(shop: "Checkout", *settings: str) -> None:
    shop.add(".memory/gitmem.yaml", "format: 1\nsettings:\n" + "".join(settings))


def add(shop: "Checkout", message: str) -> str:
    with Memory.open(str(shop)) as memory:
        return memory.add("error", {"error_type": "BillingError", "message": message}).id


def known(shop: "Checkout", text: str) -> list[str]:
    with Memory.open(str(shop)) as memory:
        (found,) = memory.hint(text)
        return [row.id for row in found.errors]


def test_changed_rules_make_fingerprints_anew(shop: "Checkout") -> None:
    error = add(shop, RED.partition(": ")[2])
    assert known(shop, RED) == [error]
    assert known(shop, BLUE) == []
    settle(shop, TENANT)
    assert known(shop, BLUE) == [error]
    with Memory.open(str(shop)) as memory:
        assert memory.checks.verify() == []
        assert memory.workspace.derived.notices == []
    settle(shop, TENANT.replace("tenant [a-z]+-[a-z]+", "nothing like it"))
    assert known(shop, BLUE) == []


def test_another_name_for_a_rule_changes_nothing(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(shop, TENANT)
    add(shop, "x")
    with Memory.open(str(shop)) as memory:
        memory.list("kind:error")
    settle(shop, TENANT.replace("name: tenant", "name: customer"))
    monkeypatch.setattr("gitmem.sync.folder.wipe", lambda _: pytest.fail("made anew"))
    with Memory.open(str(shop)) as memory:
        assert memory.list("kind:error")


def test_a_catalog_of_other_rules_in_memory_only(shop: "Checkout") -> None:
    settle(shop, TENANT)
    error = add(shop, RED.partition(": ")[2])
    with Memory.open(str(shop)) as memory:
        rules = TeamRules(memory.workspace.site.config.fingerprint_rules)
        memory.workspace.derived = Derived(memory.workspace.store, None, 0, rules)
        site = fingerprints_of(
            memory.workspace, {"error_type": "BillingError", "message": BLUE.partition(": ")[2]}
        )
        catalog = memory.workspace.derived.catalog()
        assert [row.id for row in catalog.errors_with("site", site.site)] == [error]


def test_explaining_names_the_rule_that_masked(shop: "Checkout") -> None:
    settle(shop, TENANT)
    with Memory.open(str(shop)) as memory:
        told = memory.failures.explain_fingerprint(RED, BLUE)
    assert told.explanation.masked[0].name == "tenant"
    assert told.comparison is not None
    assert told.comparison.level == "exact"
    assert any("tenant red-a / tenant blue-b" in one for one in told.comparison.reasons)


def test_observing_and_capturing_know_the_rules(shop: "Checkout") -> None:
    settle(shop, TENANT)
    error = add(shop, RED.partition(": ")[2])
    with Memory.open(str(shop)) as memory:
        (found,) = memory.failures.capture([BLUE + "\n"]).found
        assert [row.id for row in found.errors] == [error]
        observer = Observer(memory.records, ("make",))
        observer.before()
        failure = Failure(error_type="BillingError", message=BLUE.partition(": ")[2])
        (seen,) = observer.after(1, 0.5, [failure], whole=True).recognised
        assert [row.id for row in seen.errors] == [error]
        assert [row.id for row in memory.failures.attempts_of(error)] == []


def test_what_the_team_allows_stays_wherever_something_is_written(shop: "Checkout") -> None:
    settle(shop, ALLOWED)
    text = "no login with password=hunter2x or password=hunter3x"
    clean = "no login with password=hunter2x or password=<redacted:password>"
    with Memory.open(str(shop)) as memory:
        memory.add("note", {"title": "x", "body": text})
        memory.failures.capture([f"LoginError: {text}\n"], record=True)
        observer = Observer(memory.records, ("tool", "--password=hunter2x", "--password=hunter3x"))
        observer.before()
        failure = Failure("python", "python", "LoginError", "", text)
        run = observer.after(1, 0.5, [failure], whole=True).run
        assert run.command == ("tool", "--password=hunter2x", "--password=<redacted:password>")
        assert run.failures[0].fields["message"] == clean
        assert memory.failures.explain_fingerprint(f"LoginError: {text}").failure.message == clean
        assert memory.hint(f"LoginError: {text}")[0].label == "same error"
    assert records(shop, "note")[0].body == clean
    assert records(shop, "error")[0].message == clean


def test_check_passes_over_what_is_allowed(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        memory.add("note", {"title": "the database"})
    (file,) = (shop / ".memory" / "notes").rglob("*.yaml")
    file.write_text(file.read_text().rstrip() + "\nbody: password=hunter2x\n")

    def secrets() -> list[str]:
        with Memory.open(str(shop)) as memory:
            return [one.message for one in memory.checks.files() if one.code == "secret"]

    assert len(secrets()) == 1
    settle(shop, ALLOWED)
    assert secrets() == []


def test_entries_that_are_no_good_are_told_of_with_their_line(shop: "Checkout") -> None:
    slow = "    - {name: slow, pattern: '(a+)+b'}\n"
    wide = "    - {pattern: '.*', why: everything}\n    - {value: x}\n"
    settle(shop, TENANT, slow, ALLOWED, wide)
    with Memory.open(str(shop)) as memory:
        found = [one for one in memory.checks.files() if one.code == "bad-setting"]
        assert [(one.path, one.line) for one in found] == [("gitmem.yaml", n) for n in (7, 11, 12)]
        assert "mask 'slow': the pattern has a repetition inside a repetition" in found[0].message
        assert "would let secrets pass" in found[1].message
        assert "why is missing" in found[2].message
        memory.hint(RED)
        told = sorted(memory.workspace.derived.notices)
        assert told[0].startswith(".memory/gitmem.yaml:11: team setting redaction.allow[1]")
        assert told[2].startswith(".memory/gitmem.yaml:7: team setting fingerprint.rules[1]")
        assert told == sorted(memory.checks.complaints())


@pytest.mark.parametrize("key", ["fingerprint.rules", "redaction.allow"])
def test_lists_are_shown_and_written_by_hand(shop: "Checkout", key: str) -> None:
    settle(shop, TENANT, ALLOWED)
    before = (shop / ".memory" / "gitmem.yaml").read_text()
    with Memory.open(str(shop)) as memory:
        value, origin = memory.workspace.settings.get(key)
        assert isinstance(value, tuple)
        assert (len(value), origin) == (1, "team")
        for text in ("x", None):
            with pytest.raises(UsageError, match=f"{key} is a list"):
                memory.workspace.settings.set(key, text, "team")
        memory.workspace.settings.set("search.limit", "3", "team")
    after = (shop / ".memory" / "gitmem.yaml").read_text()
    assert after.replace("  search.limit: 3\n", "") == before
