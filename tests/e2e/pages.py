"""``gitmem serve`` as a real process, and questions to it as browsers and programs put them."""

import http.client
import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from tests.e2e.running import environment, server

SECONDS: Final = 120
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Served(NamedTuple):
    port: int
    token: str
    name: str

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: str | None = None,
        *,
        bearer: bool = True,
        **headers: str,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if bearer:
            given["authorization"] = f"Bearer {self.token}"
        connection.request(method, path, body, given)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return Answer(response.status, response.headers, text)

    def cookie(self) -> str:
        """Open the printed address as a browser does; give the cookie that it sets."""
        answer = self.ask(f"/?token={self.token}", bearer=False)
        assert answer.status == 303
        assert self.token not in answer.headers["location"]
        return answer.headers["set-cookie"].partition(";")[0]

    def form(self, path: str, page: str, **fields: str) -> Answer:
        """Fill in a form of a page and send it, as a browser does."""
        cookie = self.cookie()
        shown = self.ask(page, bearer=False, cookie=cookie).text
        token = re.search(r'name="form_token" value="([^"]+)"', shown)
        assert token, shown
        return self.ask(
            path, "POST", urlencode({"form_token": token[1], **fields}), bearer=False,
            cookie=cookie, content_type="application/x-www-form-urlencoded",
        )  # fmt: skip


@contextmanager
def serving(folder: Path, *arguments: str, log: list[str] | None = None) -> Iterator[Served]:
    """Serve a folder until the end of the block, which is a Ctrl-C; ``log`` gets what is said."""
    process = subprocess.Popen(
        [*server(), "serve", "--no-browser", *arguments], cwd=folder, env=environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr
        line = process.stderr.readline()
        address = _ADDRESS.search(line)
        assert address, line
        yield Served(int(address[1]), address[2], folder.name)
    finally:
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=SECONDS)[1]
        (log if log is not None else []).extend(said.splitlines())
