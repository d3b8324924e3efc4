"""A second corpus: kinds and places that the first one lacks, written before they were tried.

The kinds are those that public lists of detectors name and the first corpus does not hold.
Drawn at run time from a seeded source, like the first.
"""
# ruff: noqa: E501  a row a sample: kind, text, what is drawn

import hashlib
import random
import uuid
from base64 import b64encode
from collections.abc import Iterator
from typing import Final

from tests.corpus_redaction.positives import (
    ALNUM,
    BASE64,
    DIGITS,
    HEX,
    LOWER,
    UPPER,
    URLSAFE,
    Draw,
    Make,
    Sample,
)


def _of(prefix: str, alphabet: str, size: int, suffix: str = "") -> Make:
    return lambda draw: prefix + draw.of(alphabet, size) + suffix


def _uuid(prefix: str = "") -> Make:
    return lambda draw: prefix + "-".join(draw.of(HEX, size) for size in (8, 4, 4, 4, 12))


def _b64(make: Make) -> Make:
    return lambda draw: b64encode(make(draw).encode()).decode()


def _words(draw: Draw) -> str:
    return " ".join(draw.word() for _ in range(3))


def _password(draw: Draw) -> str:
    return draw.word().title() + draw.of("!#*", 1) + draw.of(DIGITS, 4)


# Prefixes are put together here, so that no scanner takes this file for a leak.
ISSUED: Final[tuple[tuple[str, str, Make], ...]] = (
    ("adafruit", "client = Client('user', '{}')", _of("ai" + "o_", ALNUM, 28)),
    ("adobe", "secret sent: {}", _of("p8" + "e-", HEX, 32)),
    ("alibaba", "new Client('{}')", _of("LT" + "AI5t", ALNUM, 16)),
    ("asana", "asana client {} failed", lambda d: "1/" + d.of("123456789", 16) + ":" + d.of(HEX, 32)),
    ("aws mws", "authToken {}", _uuid("amz" + "n.mws.")),
    ("buildkite", "agent started with {}", _of("bku" + "a_", HEX, 40)),
    ("circleci", "curl -H 'x: {}'", lambda d: "CCI" + "PAT_" + d.of(ALNUM, 22) + "_" + d.of(HEX, 40)),
    ("clojars", "deploy {}", _of("CLO" + "JARS_", LOWER + DIGITS, 60)),
    ("defined networking", "x {} y", lambda d: "dn" + "key-" + d.of(URLSAFE, 26) + "-" + d.of(URLSAFE, 52)),
    ("dropbox", "using {}", _of("s" + "l.B", URLSAFE, 136)),
    ("duffel", "Duffel({})", _of("duf" + "fel_test_", URLSAFE, 43)),
    ("easypost", "easypost: {}", _of("EZ" + "AK", ALNUM, 54)),
    ("facebook", "graph call with {}", _of("EAA" + "CEdEose0cBA", ALNUM, 120)),
    ("flutterwave", "key {}", lambda d: "FLW" + "SECK_TEST-" + d.of("abcdef" + DIGITS, 32) + "-X"),
    ("frame.io", "got {}", _of("fio" + "-u-", URLSAFE, 64)),
    ("gocardless", "live {}", _of("liv" + "e_", URLSAFE, 40)),
    ("harness", "header {}", lambda d: "pa" + "t." + d.of(ALNUM, 22) + "." + d.of(HEX, 24) + "." + d.of(ALNUM, 20)),
    ("hubspot", "hubspot {}", _uuid("pa" + "t-na1-")),
    ("infracost", "configured {}", _of("ic" + "o-", ALNUM, 32)),
    ("intra42", "client {}", _of("s-s4" + "t2ud-", HEX, 64)),
    ("langsmith", "LangSmith {}", lambda d: "lsv2" + "_pt_" + d.of(HEX, 32) + "_" + d.of(HEX, 10)),
    ("mapbox", "mapboxgl: {}", lambda d: "s" + "k.ey" + "J" + d.of(ALNUM, 80) + "." + d.of(URLSAFE, 22)),
    ("maxmind", "geoip {}", lambda d: d.of(ALNUM, 6) + "_" + d.of(ALNUM, 29) + "_m" + "mk"),
    ("neon", "neon {}", _of("na" + "pi_", LOWER + DIGITS, 64)),
    ("netlify", "deploy --with {}", _of("nf" + "p_", ALNUM, 40)),
    ("nvidia", "nim {}", _of("nv" + "api-", URLSAFE, 64)),
    ("octopus", "octo {}", _of("AP" + "I-", UPPER + DIGITS, 26)),
    ("openshift", "oc login with {}", _of("sha" + "256~", URLSAFE, 43)),
    ("pinecone", "Pinecone('{}')", lambda d: "pc" + "sk_" + d.of(ALNUM, 6) + "_" + d.of(ALNUM, 63)),
    ("plaid", "plaid {}", _uuid("access-" + "sandbox-")),
    ("posthog", "posthog {}", _of("ph" + "x_", ALNUM, 43)),
    ("prefect", "prefect cloud {}", _of("pn" + "u_", LOWER + DIGITS, 36)),
    ("readme", "rdme {}", _of("rd" + "me_", LOWER + DIGITS, 70)),
    ("render", "render {}", _of("rn" + "d_", ALNUM, 28)),
    ("resend", "Resend('{}')", lambda d: "r" + "e_" + d.of(ALNUM, 8) + "_" + d.of(ALNUM, 24)),
    ("scalingo", "scalingo {}", _of("tk" + "-us-", URLSAFE, 48)),
    ("settlemint", "sm {}", _of("sm" + "_pat_", ALNUM, 16)),
    ("shippo", "shippo {}", _of("ship" + "po_live_", HEX, 40)),
    ("sonarqube", "sonar -x {}", _of("sq" + "u_", HEX, 40)),
    ("sourcegraph", "src {}", lambda d: "sg" + "p_" + d.of(HEX, 16) + "_" + d.of(HEX, 40)),
    ("tavily", "tavily {}", _of("tv" + "ly-", ALNUM, 32)),
    ("typeform", "tfp: {}", _of("tf" + "p_", URLSAFE, 59)),
    ("vercel", "vercel {}", _of("vc" + "p_", ALNUM, 56)),
    ("yandex", "yc {}", _of("AQ" + "VN", URLSAFE, 37)),
    ("zuplo", "zuplo {}", lambda d: "zp" + "ka_" + d.of(LOWER + DIGITS, 32) + "_" + d.of(HEX, 8)),
    ("1password account", "op account {}", lambda d: "A3-" + "-".join(d.of(UPPER + DIGITS, n) for n in (6, 11, 5, 5, 5))),
    ("perplexity", "pplx {}", _of("pp" + "lx-", ALNUM, 48)),
    ("fireworks", "fw {}", _of("f" + "w_", ALNUM, 24)),
    ("elevenlabs", "tts {}", _of("s" + "k_", HEX, 48)),
    ("jfrog reference", "jf {}", _of("cmVm" + "dGtuO", ALNUM, 55)),
)  # fmt: skip

PLACED: Final[tuple[tuple[str, str, Make], ...]] = (
    ("pgpass", "db.example.com:5432:shop:app:{}", _password),
    ("htpasswd", "admin:{}", lambda d: "$ap" + "r1$" + d.of(ALNUM, 8) + "$" + d.of(ALNUM, 22)),
    ("shadow", "root:{}:19000:0:99999:7:::", lambda d: "$" + "6$" + d.of(ALNUM, 16) + "$" + d.of(ALNUM, 86)),
    ("wireguard", "PrivateKey = {}", _of("", BASE64, 43, "=")),
    ("wifi", 'psk="{}"', _password),
    ("words", 'password = "{}"', _words),
    ("words in JSON", '  "password": "{}",', _words),
    ("words in YAML", "db_password: {}", _words),
    ("words in a setting", "secret = {}", _words),
    ("words in a variable", "export ADMIN_PASSWORD='{}'", _words),
    ("words as a key", 'SECRET_KEY="{}"', _words),
    ("otp", "otpauth://totp/shop:ann?secret={}&issuer=shop", _of("", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)),
    ("powershell", 'ConvertTo-SecureString "{}" -AsPlainText -Force', _password),
    ("net use", "net use Z: \\\\srv\\share {} /user:CORP\\ann", _password),
    ("private-token", "curl --header 'PRIVATE-TOKEN: {}' https://git.example.com", _of("", ALNUM, 20)),
    ("ansible", "ansible_become_pass: {}", _password),
    ("service bus", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccessKey={}", _of("", BASE64, 43, "=")),
    ("ethereum", "DEPLOYER_PRIVATE_KEY=0x{}", _of("", HEX, 64)),
    ("mnemonic", 'MNEMONIC="{}"', lambda d: " ".join(d.word() for _ in range(12))),
    ("ldap", "bindpw {}", _password),
    ("smtp", "SMTP_PASS={}", _password),
    ("openssl", "openssl rsa -in k.pem -passin pass:{} -out x", _password),
    ("gpg", "gpg --batch --passphrase {} -c x", _password),
    ("zip", "zip -P {} x.zip x", _password),
    ("7z", "7z a -p{} x.7z x", _password),
    ("keytool", "keytool -list -storepass {} -keystore x", _password),
    ("git remote", "fatal: unable to access 'https://x-access-token:{}@git.example.com/x.git/'", _of("", ALNUM, 40)),
    ("laravel", "APP_KEY=base64:{}", _of("", BASE64, 43, "=")),
    ("rails", "secret_key_base: {}", _of("", HEX, 128)),
    ("django", "SECRET_KEY = 'django-insecure-{}'", _of("", LOWER + DIGITS + "!@#$%^&*(-_=+)", 50)),
    ("npmrc", "_auth={}", _b64(_password)),
    ("docker config", '"auth": "{}"', _b64(lambda d: d.word() + ":" + _password(d))),
    ("kubectl", "kubectl create secret generic x --from-literal=password={}", _password),
    ("google signature", "GET /b/o?X-Goog-Algorithm=G&X-Goog-Signature={}", _of("", HEX, 256)),
    ("cloudinary", "cloudinary://123456789012345:{}@shop", _of("", URLSAFE, 27)),
    ("mongodb", "mongodb+srv://app:{}@cluster0.example.net/x", _password),
    ("jdbc", "jdbc:mysql://db/x?user=app&password={}", _password),
    ("oracle", "sqlplus app/{}@//db:1521/x", _password),
    ("mail server", "AUTH PLAIN {}", lambda d: b64encode(f"\0ann\0{_password(d)}".encode()).decode()),
    ("prompt of redis", "127.0.0.1:6379> AUTH ann {}", _password),
    ("ngrok", "ngrok config add-authtoken {}", _of("", ALNUM, 49)),
    ("sentry dsn", "dsn: https://{}@o123.ingest.sentry.io/456", _of("", HEX, 32)),
    ("telegram url", "https://api.telegram.org/bot{}/getMe", lambda d: d.of("123456789", 10) + ":A" + "A" + d.of(URLSAFE, 33)),
    ("x-vault-token", "X-Vault-Token: {}", _of("s.", ALNUM, 24)),
    ("datadog", "DD_API_KEY={}", _of("", HEX, 32)),
    ("snyk", "SNYK_TOKEN={}", _uuid()),
    ("algolia", "algolia_admin_key: '{}'", _of("", HEX, 32)),
    ("twitch", "TWITCH_CLIENT_SECRET={}", _of("", LOWER + DIGITS, 30)),
    ("rabbitmq", "RABBITMQ_DEFAULT_PASS={}", _password),
    ("csharp", 'new NetworkCredential("ann", "{}")', _password),
    ("python call", "requests.get(url, auth=('ann', '{}'))", _password),
    ("go call", 'req.SetBasicAuth("ann", "{}")', _password),
    ("properties", "jasypt.encryptor.password={}", _password),
    ("toml", 'secret-access-key = "{}"', _of("", BASE64, 40)),
    ("json", '{{"refresh_token":"{}"}}', _of("", URLSAFE, 64)),
    ("html", '<input type="password" name="p" value="{}">', _password),
    ("env dump", 'declare -x PGPASSWORD="{}"', _password),
    ("heredoc", "  root_password: !!str {}", _password),
    ("prose", "the password is {} by the way", _password),
)  # fmt: skip


def samples(seed: int = 20261121) -> Iterator[Sample]:
    """Draw the texts: the same ones for the same seed."""
    draw = Draw(seed)
    for kind, place, make in (*ISSUED, *PLACED):
        secret = make(draw)
        yield Sample(kind, place.format(secret), secret)


def _hex(source: random.Random, size: int) -> str:
    return source.randbytes(size).hex()[:size]


def negatives(seed: int = 20261121) -> list[str]:
    """Give lines that hold no secret and look as if they did."""
    source = random.Random(seed)

    def b64(size: int) -> str:
        return b64encode(source.randbytes(size)).decode()

    def name() -> str:
        return "".join(source.choices(LOWER, k=7))

    base32 = "0123456789abcdefghjkmnpqrstvwxyz"
    made: list[str] = []
    for _ in range(8):
        sha = hashlib.sha1(source.randbytes(8), usedforsecurity=False).hexdigest()
        sha256 = hashlib.sha256(source.randbytes(8)).hexdigest()
        record = "".join(source.choices(base32, k=10))
        ident = str(uuid.UUID(bytes=source.randbytes(16)))
        made += [
            f"commit {sha}",
            f"index {sha[:10]}..{_hex(source, 10)} 100644",
            f"Merge: {sha[:8]} {_hex(source, 8)}",
            f"  uses: actions/{name()}@{sha}",
            f"id: err-{record}",
            f"  fixes: [err-{record}, fix-{record[::-1]}]",
            f".memory/errors/2026/11/{name()}-err-{record}.yaml",
            f"request_id={ident} status=500",
            f"traceparent: 00-{_hex(source, 32)}-{_hex(source, 16)}-01",
            f'ETag: "{_hex(source, 32)}"',
            f'    "integrity": "sha512-{b64(64)}",',
            f"    --hash=sha256:{sha256} \\",
            f"{name()} v1.2.{source.randrange(9)} h1:{b64(32)}",
            f'checksum = "{sha256}"',
            f"FROM {name()}@sha256:{sha256}",
            f"background: url(data:image/png;base64,iVBORw0KGgo{b64(120)})",
            f'<img src="data:image/gif;base64,R0lGODlh{b64(60)}">',
            f"!function(e,t){{var {name()[:1]}=e.{name()},o=t[{source.randrange(99)}];return o?e:{name()}}}(this,0);",
            f'var a="{name()}",b={source.randrange(10**9)},c=function(t){{return t.{name()}}};',
            f"//# sourceMappingURL={name()}.{_hex(source, 8)}.js.map",
            f"tests/test_{name()}.py::test_token_of_{name()}[password-{source.randrange(99)}] PASSED",
            f"FAILED tests/test_auth.py::test_{name()}_secret_key_is_kept - assert {source.randrange(9)} == 4",
            f"    def test_api_key_{name()}_{_hex(source, 6)}(self) -> None:",
            f"token_count={source.randrange(10**6)} max_tokens={source.randrange(10**4)} key_size={source.choice([2048, 4096])}",
            f"build-{_hex(source, 12)}-{name()}.tar.gz",
            f"pod/{name()}-{_hex(source, 10)}-{''.join(source.choices(LOWER + DIGITS, k=5))} Running",
            f"at Object.{name()} (webpack:///./src/{name()}.ts?{_hex(source, 4)}:12:3)",
            f"sk_{name()}_{name()} = {source.randrange(9)}",
        ]
    return made
