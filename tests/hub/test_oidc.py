"""Tokens of the organisation's issuer: real keys, and every way in which one is not good."""

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from jwt.utils import base64url_encode

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.parts.hub.hub_file import IssuerLine
from gitmem.parts.hub.oidc import TokenChecker
from tests.hub.issuer import AUDIENCE, Issuer, running

NAME = {"preferred_username": "ada"}


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running() as server:
        yield server


def checker(issuer: Issuer, between_keys: float = 0.0) -> TokenChecker:
    return TokenChecker(IssuerLine(issuer.address), between_keys)


def test_a_good_token_names_its_user(issuer: Issuer) -> None:
    check = checker(issuer)
    assert check.user(issuer.token(**NAME)) == "ada"
    assert check.user(issuer.token(**NAME, aud=["other", AUDIENCE])) == "ada"
    assert check.user(issuer.token()) == ""
    assert check.user(issuer.token(preferred_username=["ada"])) == ""
    assert check.user(issuer.token(preferred_username=" ada")) == ""
    assert issuer.fetched() == 1  # kept


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another-hub"},
        {"aud": None},
        {"iss": "https://sso.example.com"},
        {"iss": None},
        {"exp": -60},
        {"exp": None},
        {"iat": None},
        {"iat": 600},
        {"nbf": 600},
    ],
)
def test_a_token_for_another_place_or_time_is_nobodys(
    issuer: Issuer, claims: dict[str, Any]
) -> None:
    # Seconds from now: of the test, which may run long after it was collected.
    now = int(time.time())
    claims = {
        key: now + value if isinstance(value, int) else value for key, value in claims.items()
    }
    assert checker(issuer).user(issuer.token(**NAME, **claims)) == ""


def test_a_token_that_is_not_signed_by_the_issuer_is_nobodys(issuer: Issuer) -> None:
    check = checker(issuer)
    claims = issuer.claims(**NAME)
    assert check.user(jwt.encode(claims, "", "none", {"kid": "first"})) == ""
    assert check.user(with_public_key(issuer, claims)) == ""
    stranger = generate_private_key(public_exponent=65537, key_size=2048)
    assert check.user(jwt.encode(claims, stranger, "RS256", {"kid": "first"})) == ""
    assert check.user(jwt.encode(claims, stranger, "RS256", {"kid": "unknown"})) == ""
    assert check.user(jwt.encode(claims, stranger, "RS256")) == ""
    good = issuer.token(**NAME)
    assert check.user(good[:-4] + "AAAA") == ""
    assert check.user("a.b.c") == check.user("..") == check.user("x" * 20_000) == ""


def with_public_key(issuer: Issuer, claims: dict[str, Any]) -> str:
    """Sign with the public key as a shared secret; PyJWT itself refuses to."""
    head = json.dumps({"alg": "HS256", "kid": "first", "typ": "JWT"}).encode()
    signed = b".".join(base64url_encode(part) for part in (head, json.dumps(claims).encode()))
    digest = hmac.new(issuer.public_pem(), signed, hashlib.sha256).digest()
    return f"{signed.decode()}.{base64url_encode(digest).decode()}"


def test_only_the_algorithms_of_the_settings_count(issuer: Issuer) -> None:
    _, key = next(iter(issuer.keys.items()))
    other = jwt.encode(issuer.claims(**NAME), key, "RS512", {"kid": "first"})
    assert checker(issuer).user(other) == ""


def test_a_new_key_of_the_issuer_is_fetched(issuer: Issuer) -> None:
    check = checker(issuer)
    old = issuer.token(**NAME)
    assert check.user(old) == "ada"
    issuer.change_key("second")
    assert check.user(issuer.token(**NAME)) == "ada"
    assert check.user(old) == ""  # the issuer no longer vouches for it


def test_tokens_with_unknown_keys_do_not_make_the_hub_fetch_each_time(issuer: Issuer) -> None:
    check = checker(issuer, between_keys=3600.0)
    assert check.user(issuer.token(**NAME)) == "ada"
    stranger = generate_private_key(public_exponent=65537, key_size=2048)
    for number in range(5):
        made_up = jwt.encode(issuer.claims(**NAME), stranger, "RS256", {"kid": f"k{number}"})
        assert check.user(made_up) == ""
    assert issuer.fetched() == 1


def test_an_issuer_that_does_not_answer_is_told_and_left_alone(issuer: Issuer) -> None:
    check = checker(issuer)
    issuer.down = True
    for _ in range(3):
        with pytest.raises(EnvironmentProblem, match=r"keys of http://127\.0\.0\.1"):
            check.user(issuer.token(**NAME))
    assert len(issuer.server.questions) == 1


def test_an_issuer_that_calls_itself_otherwise_is_not_believed(issuer: Issuer) -> None:
    issuer.calls_itself = "https://sso.example.com"
    with pytest.raises(EnvironmentProblem, match=r"calls itself"):
        checker(issuer).reach()


def test_an_issuer_is_asked_over_https_only() -> None:
    with pytest.raises(UsageError, match="issuer"):
        TokenChecker(IssuerLine("http://sso.example.com"))
