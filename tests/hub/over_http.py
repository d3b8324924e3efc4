"""A hub's application in this process, asked over HTTP; what is to be taken is noted."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

from starlette.testclient import TestClient

from gitmem.parts.hub.registry import SECRET, Registry
from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.web.application import application
from gitmem.parts.hub.web.shared import Hub

if TYPE_CHECKING:
    from httpx2 import Response

    from gitmem.parts.hub.protocol import Engine
    from gitmem.parts.hub.web.upkeep import Housekeeping

SIGNED_WITH = "a secret of the hub's"


class Noted:
    """Notes what the housekeeping was told."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pushed(self, name: str) -> None:
        self.names.append(name)


class HubOverHttp:
    """See the module."""

    def __init__(self, folder: Path, engine: "Engine", *rows: SourceRepository) -> None:
        self.folder = folder
        for row in rows:
            self.registry.add(row)
        self.upkeep = Noted()
        hub = Hub(str(folder), engine, cast("Housekeeping", self.upkeep), {SECRET: SIGNED_WITH})
        self.client = TestClient(application(hub))

    @property
    def registry(self) -> Registry:
        return Registry.read(str(self.folder))

    def tell(self, headers: dict[str, str], message: object) -> "Response":
        """Send what a host says."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.client.post("/hub/v1/pushed", content=body, headers=headers)

    def publish(self, token: str, message: object) -> "Response":
        """Send what a job sends."""
        headers = {"authorization": f"Bearer {token}"}
        return self.client.post("/hub/v1/published", json=message, headers=headers)


def signature(body: bytes, secret: str = SIGNED_WITH) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
