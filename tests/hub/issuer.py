"""An issuer of tokens on loopback, with real keys."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import RSAAlgorithm

from tests.hub.loopback import Loopback, Question, Reply, answering

AUDIENCE = "gitmem-hub"


class Issuer:
    """It publishes its keys, and signs what it is told to."""

    def __init__(self) -> None:
        self.keys: dict[str, RSAPrivateKey] = {}
        self.calls_itself = ""
        self.down = False
        self.server: Loopback
        self.change_key("first")

    @property
    def address(self) -> str:
        return self.server.address

    def change_key(self, name: str) -> None:
        self.keys = {name: generate_private_key(public_exponent=65537, key_size=2048)}

    def token(self, **claims: object) -> str:
        """Sign claims with the newest key; None leaves one out."""
        name, key = next(iter(self.keys.items()))
        return jwt.encode(self.claims(**claims), key, "RS256", {"kid": name})

    def claims(self, **claims: object) -> dict[str, object]:
        now = int(time.time())
        usual = {"iss": self.address, "aud": AUDIENCE, "iat": now, "exp": now + 300}
        return {name: value for name, value in (usual | claims).items() if value is not None}

    def public_pem(self) -> bytes:
        return next(iter(self.keys.values())).public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )  # fmt: skip

    def fetched(self) -> int:
        """Count how often its keys were fetched."""
        return sum(question.path == "/keys" for question in self.server.questions)

    def answer(self, question: Question) -> Reply:
        if self.down:
            return Reply(503)
        if question.path == "/.well-known/openid-configuration":
            about = {
                "issuer": self.calls_itself or self.address, "jwks_uri": f"{self.address}/keys",
            }  # fmt: skip
            return Reply(body=json.dumps(about).encode())
        if question.path != "/keys":
            return Reply(404)
        keys = [
            {**RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"}
            for name, key in self.keys.items()
        ]
        return Reply(body=json.dumps({"keys": keys}).encode())


@contextmanager
def running() -> Iterator[Issuer]:
    issuer = Issuer()
    with answering(issuer.answer) as server:
        issuer.server = server
        yield issuer
