"""Whatever is written below ``.git/gitmem`` and ``.memory`` was looked through for secrets."""

import base64
import gzip
import hashlib
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.config import KEYS, LISTS
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")

SECRET = "kite42-Lantern"
TOKEN = "ghp_" + "aB3dE5fG7h" * 3 + "J9kL1m"


def _in_base64(secret: str) -> bytes:
    return base64.b64encode(secret.encode())[:-4]


def holding(top: Path, *secrets: str) -> list[str]:
    """Name the files below a folder that hold a secret, as it is or in base64."""
    found = []
    for path in top.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        forms = [form for secret in secrets for form in (secret.encode(), _in_base64(secret))]
        found += [str(path.relative_to(top)) for form in forms if form in data]
    return found


def test_a_goal_a_branch_and_what_a_session_logs(repo: "Checkout") -> None:
    """The goal and the branch stood in the journal as they were typed, also after the end."""
    ok(repo, "init")
    repo.commit()
    repo.git("checkout", "-qb", f"try/{TOKEN}")
    goal = f"rotate password={SECRET}"
    ok(repo, "session", "start", goal, "--tag", "ops")
    ok(repo, "session", "log", "note", goal)
    ok(repo, "session", "log", "change", "--path", "a.py", "--reason", goal, goal)
    line = f"import sys; sys.exit('DB_PASSWORD={SECRET}')"
    run(repo, "run", "--", sys.executable, "-c", line)
    assert not holding(repo / ".git" / "gitmem", SECRET, TOKEN)
    ok(repo, "session", "end", "--summary", goal)
    assert not holding(repo / ".git" / "gitmem", SECRET, TOKEN)
    assert not holding(repo / ".memory", SECRET, TOKEN)


_PLAIN = st.recursive(
    st.sampled_from((None, 7, True, "plain words", f"password={SECRET}", f"on {TOKEN} now")),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(("goal", "branch", "x", "text", "id")), inside, max_size=3
        )
    ),
    max_leaves=8,
)


@given(event=st.dictionaries(st.sampled_from(("a", "goal", "branch", "why")), _PLAIN, min_size=1))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_field_of_any_event_reaches_the_journal(repo: "Checkout", event: dict[str, Any]) -> None:
    if not (repo / ".memory").exists():
        ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        memory.workspace.journal.append("hub-test", {"event": "x", **event})
    assert not holding(repo / ".git" / "gitmem", SECRET, TOKEN)


def attached(repo: "Checkout", name: str, data: bytes) -> tuple[int, str]:
    (repo.parent / name).write_bytes(data)
    words = ("add", "error", "--type", "T", "--message", "m")
    done = run(repo, *words, "--attach", str(repo.parent / name))
    return done.code, done.err


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_an_attached_text_is_redacted(repo: "Checkout", coding: str) -> None:
    """A log with a token was committed as it was, and ``check`` said nothing."""
    ok(repo, "init")
    text = f"pushing\r\nAuthorization: Bearer {TOKEN}\nétait là\n"
    code, said = attached(repo, "out.txt", text.encode(coding))
    assert (code, "github-token" in said) == (0, True), said
    (kept,) = (repo / ".memory" / "attachments").iterdir()
    shown = kept.read_bytes().decode(coding)
    assert TOKEN not in shown
    assert "était là" in shown
    assert TOKEN not in ok(repo, "backup", "export")
    assert run(repo, "check").code == 0


def test_bytes_that_nobody_can_search_are_refused(repo: "Checkout") -> None:
    ok(repo, "init")
    for name, data in {
        "log.gz": gzip.compress(TOKEN.encode()), "a.bin": os.urandom(50) + b"\0" + TOKEN.encode(),
        "a.zip": b"PK\x03\x04" + TOKEN.encode(), "a.pdf": b"%PDF-1.7\n" + TOKEN.encode(),
    }.items():  # fmt: skip
        code, said = attached(repo, name, data)
        assert code == 4, name
        assert "can't be searched for secrets" in said
    assert not (repo / ".memory" / "attachments").exists()


def test_check_names_secrets_that_are_attached_already(repo: "Checkout") -> None:
    ok(repo, "init")
    assert attached(repo, "out.txt", b"harmless\n")[0] == 0
    (kept,) = (repo / ".memory" / "attachments").iterdir()
    data = f"token {TOKEN}\n".encode()
    other = hashlib.sha256(data).hexdigest() + ".txt"
    (record,) = (repo / ".memory" / "errors").rglob("*.yaml")
    record.write_text(record.read_text().replace(kept.name, other))
    kept.unlink()
    (kept.parent / other).write_bytes(data)
    checked = run(repo, "check")
    assert f"{other}:1:7: error: this looks like a secret (github-token" in checked.out


@pytest.mark.parametrize("key", [key for key in KEYS if key not in LISTS])
def test_no_setting_of_the_team_takes_a_secret(repo: "Checkout", key: str) -> None:
    """``.memory/gitmem.yaml`` is committed, and took a token for the name of a model."""
    ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        for value in (TOKEN, f"https://ann:{TOKEN}@models.example/v1", f"tag:{TOKEN}"):
            with suppress(GitmemError):  # what is no text, or nothing for a team
                memory.workspace.settings.set(key, value, "team")
    assert not holding(repo / ".memory", TOKEN)
    assert "github-token" not in run(repo, "check").out


def test_a_pack_is_not_named_with_what_git_signs_in_with(repo: "Checkout") -> None:
    """``gitmem pack add`` wrote the address with its token into the team's settings."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "t", "--body", "b")
    repo.commit()
    done = run(repo, "pack", "add", "own", f"file://ann:{TOKEN}@{repo}")
    assert (done.code, "github-token" in done.err) == (4, True), done.err
    assert not holding(repo / ".memory", TOKEN)


@pytest.mark.parametrize("key", ["llm.model", "packs.sources", "search.synonyms"])
def test_check_names_secrets_in_the_settings_of_the_team(repo: "Checkout", key: str) -> None:
    ok(repo, "init")
    value = f"\n    - name: a\n      url: https://ann:{TOKEN}@h.example/x" if "packs" in key else ""
    value = value or (f"\n    - psp = {TOKEN}" if "search" in key else f" {TOKEN}")
    (repo / ".memory" / "gitmem.yaml").write_text(f"format: 1\nsettings:\n  {key}:{value}\n")
    checked = run(repo, "check")
    assert re.search(r"gitmem\.yaml:\d+:\d+: error: this looks like a secret", checked.out)
