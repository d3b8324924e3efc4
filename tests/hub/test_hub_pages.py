"""The pages of an organisation, asked as a browser asks them: real process, real database."""

import http.client
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.testclient import TestClient

from gitmem.parts.hub.protocol import Head, Seen
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.web.application import application
from gitmem.parts.hub.web.shared import Hub as Application
from tests.depth import amount
from tests.hub import worlds
from tests.hub.organisation import MESSAGE, TITLE, Hub, publishing, trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.parts.hub.protocol import Engine
    from gitmem.parts.hub.web.upkeep import Housekeeping
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"


class Browser:
    """What a browser does: it keeps a cookie, and follows no address of another host."""

    def __init__(self, url: str) -> None:
        self._at = urlsplit(url)
        self.cookie = ""

    def ask(
        self, path: str, form: "Mapping[str, str] | None" = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, str]:
        connection = http.client.HTTPConnection(str(self._at.hostname), self._at.port, timeout=60)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        given |= {"cookie": self.cookie} if self.cookie else {}
        body = urlencode(form) if form is not None else None
        if form is not None:
            given["content-type"] = "application/x-www-form-urlencoded"
        connection.request("POST" if form is not None else "GET", path, body, given)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        if cookie := response.headers["set-cookie"]:
            self.cookie = cookie.partition(";")[0]
        return response.status, response.headers, text

    def read(self, path: str, **headers: str) -> str:
        status, _, text = self.ask(path, None, **headers)
        assert status == 200, text
        return text


def test_somebody_looks_around(
    make_repo: "Callable[..., Checkout]", tmp_path: Path, address: str
) -> None:
    hub = Hub(tmp_path / "hub", address)
    for name in ("api", "web", "secret"):
        repo = make_repo(name)
        publishing(repo, name)
        hub.run("add", f"payments/{name}", str(repo), *([] if name == "secret" else ["--internal"]))
    hub.run("sync")
    token = hub.run("token", "ada").strip()
    with hub.serving() as url:
        browser = Browser(url)
        status, headers, text = browser.ask("/fixes?a=b")
        assert status == 401
        assert 'value="/fixes?a=b"' in text
        assert "payments" not in text
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert browser.ask("/sign-in", {"token": "gmh_unknown", "back": "/"})[0] == 401
        site = {"sec_fetch_site": "cross-site"}
        assert browser.ask("/sign-in", {"token": token, "back": "/"}, **site)[0] == 403
        elsewhere = {"origin": "https://evil.example.com"}
        assert browser.ask("/sign-in", {"token": token, "back": "/"}, **elsewhere)[0] == 403
        assert browser.cookie == ""
        away = {"token": token, "back": "//evil.example.com/x"}
        assert browser.ask("/sign-in", away)[1]["location"] == "/evil.example.com/x"
        form = {"token": f" {token}\n", "back": "/fixes?a=b"}
        _, headers, _ = browser.ask("/sign-in", form, host="hub.example.com")
        assert headers["location"] == "/fixes?a=b"
        assert {"HttpOnly", "SameSite=strict", "Secure"} <= set(headers["set-cookie"].split("; "))

        overview = browser.read("/")
        for part in ("payments/api", "payments/web", TITLE, MESSAGE, "in 2 repositories"):
            assert part in overview
        assert re.search(r"<dt>Repositories</dt><dd>2</dd>", overview)
        failures = browser.read("/failures?days=3650")
        assert failures.count(TITLE) == 2
        assert "payments/web" in browser.read("/fixes")
        for question in (
            "pool proxy",
            "finally kind:fix",
            trace("lib/own.py", "mine"),
            "kind:error",
        ):
            found = browser.read("/search?" + urlencode({"q": question}))
            assert "payments/api" in found, question
            assert "payments/secret" not in found, question
        assert browser.ask("/search?q=pool+tag:x")[0] == 400
        repository = browser.read("/r/payments/api/")
        assert "payments/web" not in repository
        link = re.search(r'href="(/r/payments/api/record/err-[^"]+)"', repository)
        assert link
        record = browser.read(link[1])
        for part in ("Quoted from", "payments/api", ".memory/", TITLE, "src/api.py"):
            assert part in record
        assert "Zitiert aus" in browser.read(link[1], accept_language="de")
        # What is not theirs to see is as if it were not there.
        for path in ("/r/payments/secret/", link[1].replace("/api/", "/secret/")):
            status, _, text = browser.ask(path)
            assert (status, "not yours to see" in text) == (404, True)
        assert browser.ask("/r/payments/none/")[0] == 404
        for path in ("/", "/failures", "/fixes", "/search", "/r/payments/api/"):
            assert "secret" not in browser.read(path)
        # The cookie is for pages alone, and goes when somebody signs out.
        assert browser.ask("/hub/v1/status")[0] == 401
        assert browser.ask("/sign-out", {}, **site)[0] == 403
        assert browser.ask("/sign-out", {})[0] == 303
        assert browser.ask("/")[0] == 401
        assert browser.ask("/static/style.css")[0] == 200


class _Visitor(Application):
    """A hub that is told who asks."""

    def __init__(self, folder: str, engine: "Engine", visible: Seen) -> None:
        registry = Registry.read(folder)
        for name in engine.heads():
            registry.add(SourceRepository(name, f"https://git.example.com/{name}"))
        super().__init__(folder, engine, cast("Housekeeping", None), {})  # nothing is taken
        self.visible = visible

    async def seen_with(self, token: str) -> tuple[str, Seen]:
        return "somebody", self.visible


def test_a_page_is_the_same_as_where_nothing_else_is(tmp_path: Path) -> None:
    """What may not be seen is in no answer, no count and no order of any page."""
    for seed in range(amount(share=12, ci=100, whole=1_000)):
        rng = Random(seed)
        engine, alone = ScanHub(), ScanHub()
        world = worlds.fill(engine, rng, rng.randint(2, 5), 5)
        visible = worlds.somebody(rng, list(world))
        message = (("template", "0" * 16),)
        for name, (internal, made) in world.items():
            met = [entry._replace(prints=message if entry.prints else ()) for entry in made]
            engine.drop(name)
            for hub in (engine, alone):
                if hub is engine or worlds.may_see(visible, name, internal=internal):
                    hub.put(met)
                    hub.took(name, Head("c", "m", internal))
                    hub._heads[name] = hub._heads[name]._replace(taken=1.0)
        hidden = {name for name in world if name not in alone.heads()}
        pages = ["/", "/failures?days=365", "/fixes", "/repositories", "/search"]
        pages += ["/search?q=kind:error", "/repositories?q=1&page=1"]
        pages += [f"/r/{name}/" for name in world]
        pages += [
            f"/r/{entry.repository}/record/{entry.id}"
            for _, some in world.values()
            for entry in some
        ]
        words = "/search?" + urlencode({"q": " ".join(worlds.NOUNS[:6])})
        one, other = (
            TestClient(application(_Visitor(str(tmp_path), hub, visible)))
            for hub in (engine, alone)
        )
        for path in pages:
            answers = [client.get(path) for client in (one, other)]
            assert answers[0].status_code == answers[1].status_code, path
            assert answers[0].text == answers[1].text, (seed, path)
        answer = one.get(words)
        assert answer.status_code == 200
        for name in hidden:
            assert name not in answer.text
            assert one.get(f"/r/{name}/").status_code == 404


def test_pages_show_the_same_on_every_engine(engine: "Engine", tmp_path: Path) -> None:
    oracle = ScanHub()
    rng = Random(20)
    for name, (internal, made) in worlds.fill(oracle, rng, 4, 8).items():
        with engine.writing():
            engine.put(made)
            engine.took(name, Head("c", "m", internal))
        oracle.took(name, Head("c", "m", internal))
    name = "team0/repository-0"
    for visible in (worlds.somebody(rng, list(oracle.heads())), Seen(True, frozenset({name}))):
        clients = [
            TestClient(application(_Visitor(str(tmp_path), hub, visible)))
            for hub in (engine, oracle)
        ]
        for path in (
            "/",
            "/failures?days=365",
            "/fixes",
            "/repositories",
            "/search",
            f"/r/{name}/",
        ):
            answers = [client.get(path) for client in clients]
            read = [re.sub(r"as of [-0-9: ]+ UTC", "", answer.text) for answer in answers]
            assert read[0] == read[1], path


def test_many_repositories_are_listed_page_by_page(tmp_path: Path) -> None:
    engine = ScanHub()
    names = [f"team/r{number:03}" for number in range(230)]
    for name in names:
        engine.took(name, Head("c", "m", internal=True))
    client = TestClient(application(_Visitor(str(tmp_path), engine, Seen(internal=True))))
    overview = client.get("/").text
    assert "All 230 repositories" in overview
    assert overview.count("/r/team/") == 40
    listed: list[str] = []
    path = "/repositories"
    while path:
        text = client.get(path).text
        listed += re.findall(r'href="/r/([^"]+)/"', text)
        further = re.search(r'rel="next" href="([^"]+)"', text)
        path = further[1].replace("&amp;", "&") if further else ""
    assert listed == names
    text = client.get("/repositories?q=R22").text
    assert "10 repositories" in text
    assert text.count("/r/team/") == 10
    assert "Nothing found." in client.get("/repositories?q=<b>").text
    assert client.get("/repositories?page=999999").status_code == 200


def test_what_a_record_says_is_never_markup(tmp_path: Path) -> None:
    engine = ScanHub()
    worlds.fill(engine, Random(1), 1, 5)
    (stored, *_) = engine.newest(
        Seen(internal=True, repositories=frozenset(engine.heads())), limit=1
    )
    key = (stored.repository, stored.id)
    entry = engine._entries[key]
    body = re.sub(rb"title: .*", b"title: '" + HOSTILE.encode() + b"'", entry.body)
    engine._entries[key] = entry._replace(body=body)
    seen = Seen(repositories=frozenset({stored.repository}))
    client = TestClient(application(_Visitor(str(tmp_path), engine, seen)))
    for path in ("/search", f"/r/{stored.repository}/record/{stored.id}"):
        text = client.get(path).text
        assert "&lt;script&gt;alert(1)" in text
        assert "<script>" not in text
        assert "<img" not in text


def test_a_header_of_the_proxy_counts_only_where_the_hub_trusts_it(tmp_path: Path) -> None:
    engine = ScanHub()
    worlds.fill(engine, Random(3), 2, 5)
    (private, other) = engine.heads()
    (tmp_path / "hub.yaml").write_text("")
    hub = Application(str(tmp_path), engine, cast("Housekeeping", None), {})
    client = TestClient(application(hub))
    named = {"X-Forwarded-User": "ada"}
    assert client.get("/", headers=named).status_code == 401
    (tmp_path / "permissions.yaml").write_text(f"ada: [{private}]\n")
    lines = "signed_in: X-Forwarded-User\npermissions: {file: permissions.yaml}\n"
    (tmp_path / "hub.yaml").write_text(lines)
    with engine.writing():
        for name in (private, other):
            engine.took(name, Head("c", "m"))
    page = client.get("/", headers=named)
    assert page.status_code == 200
    assert private in page.text
    assert other not in page.text
    assert private not in client.get("/", headers={"X-Forwarded-User": "bob"}).text
    assert client.get("/").status_code == 401
    # Programs have no proxy that signs them in.
    assert client.get("/hub/v1/status", headers=named).status_code == 401
