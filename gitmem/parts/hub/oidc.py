"""Checks tokens of an issuer of the organisation (OpenID Connect): who sends a request.

Signatures are checked with the issuer's public keys, which are fetched, kept for five minutes, and
fetched again when a token names another key, so that an issuer may change them.
"""

import threading
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final

import msgspec

from gitmem.errors import EnvironmentProblem, install
from gitmem.hub.client import Address

if TYPE_CHECKING:
    from jwt import PyJWK, PyJWKClient

    from gitmem.parts.hub.hub_file import IssuerLine

_SECONDS: Final = 5.0
_LEEWAY: Final = 30
"""Seconds by which clocks may differ."""
_PAUSE: Final = 10.0
"""Seconds for which an issuer that did not answer is left alone."""
_BETWEEN_KEYS: Final = 30.0
"""Seconds between two fetches of keys for tokens that name an unknown one."""
_LONGEST: Final = 16_384
_MOST_BYTES: Final = 1 << 20
_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_OK: Final = 200


class _Discovery(msgspec.Struct):
    issuer: str
    jwks_uri: str


class TokenChecker:
    """Checks the tokens of one issuer. Threads may share it.

    Args:
        line: the settings.
        between_keys: seconds between two fetches of keys because of unknown ones.

    Raises:
        EnvironmentProblem: the library is not installed.
        UsageError: the issuer's address is not one that may be asked.

    """

    def __init__(self, line: "IssuerLine", between_keys: float = _BETWEEN_KEYS) -> None:
        self._line = line
        self._address = Address(line.issuer, "issuer")
        self._between_keys = between_keys
        self._lock = threading.Lock()
        self._keys: PyJWKClient | None = None
        self._silent_until = 0.0
        try:
            import jwt
        except ModuleNotFoundError as error:
            raise EnvironmentProblem(
                f"tokens of {line.issuer} need {error.name}", install("hub")
            ) from None
        self._jwt = jwt

    def claims(self, token: str) -> Mapping[str, Any] | None:
        """Give what a token says; None if it is not one for this hub that holds now.

        Raises:
            EnvironmentProblem: the issuer's keys can't be fetched.

        """
        jwt = self._jwt
        try:
            if len(token) > _LONGEST:
                return None
            header = jwt.get_unverified_header(token)
            kid = header.get("kid")
            # Before the key is looked for: nobody may make us fetch keys with any text.
            if header.get("alg") not in self._line.algorithms or not isinstance(kid, str):
                return None
            key = self._key(kid)
            if key is None:
                return None
            claims: dict[str, Any] = jwt.decode(
                token, key, list(self._line.algorithms), audience=self._line.audience,
                issuer=self._line.issuer, leeway=_LEEWAY,
                options={"require": ["exp", "iat", "iss", "aud"]},
            )  # fmt: skip
        except (jwt.PyJWTError, ValueError, TypeError):
            return None
        return claims

    def user(self, token: str) -> str:
        """Give the name of the user at the host; empty if the token is not a good one."""
        claims = self.claims(token)
        name = claims.get(self._line.user) if claims else None
        return name if isinstance(name, str) and name.strip() == name else ""

    def reach(self) -> int:
        """Fetch the issuer's keys and say how many there are.

        Raises:
            EnvironmentProblem: they can't be fetched.

        """
        with self._lock:
            try:
                return len(self._client().get_signing_keys(refresh=True))
            except (self._jwt.PyJWKClientError, self._jwt.PyJWKSetError) as error:
                raise self._problem(error) from None

    def _key(self, kid: str) -> "PyJWK | None":
        client_error = self._jwt.PyJWKClientConnectionError
        with self._lock:  # one fetch at a time; who waits finds the keys
            if time.monotonic() < self._silent_until:
                raise self._problem("it did not answer some seconds ago")
            try:
                return self._client().get_signing_key(kid)
            except (client_error, self._jwt.PyJWKSetError, EnvironmentProblem) as error:
                self._silent_until = time.monotonic() + _PAUSE
                raise self._problem(error) from None
            except self._jwt.PyJWKClientError:  # it has no such key
                return None

    def _client(self) -> "PyJWKClient":
        """Ask the issuer where its keys are, once."""
        if self._keys is None:
            uri = self._discovered().jwks_uri
            Address(uri, "jwks_uri")
            self._keys = self._jwt.PyJWKClient(
                uri, timeout=_SECONDS, cooldown_duration=self._between_keys
            )
        return self._keys

    def _discovered(self) -> _Discovery:
        connection = self._address.connection(_SECONDS)
        try:
            connection.request("GET", self._address.path + _WELL_KNOWN)
            response = connection.getresponse()
            body = response.read(_MOST_BYTES)
            if response.status != _OK:
                raise self._problem(f"{_WELL_KNOWN} has status {response.status}")
            discovery = msgspec.json.decode(body, type=_Discovery)
        except (OSError, HTTPException, msgspec.MsgspecError) as error:
            raise self._problem(error) from None
        finally:
            connection.close()
        if discovery.issuer != self._line.issuer:
            raise self._problem(f"it calls itself {discovery.issuer!r}")
        return discovery

    def _problem(self, reason: object) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"the keys of {self._line.issuer} can't be fetched: {reason}",
            "see that it answers from here, and that hub.yaml has its address",
        )
