"""Made-up secrets in the forms that the issuers document, in the places where they turn up.

Drawn at run time from a seeded source, so the repository holds nothing that looks like one.
"""

import random
import string
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"


class Sample(NamedTuple):
    """A text with one secret in it, of a kind."""

    kind: str
    text: str
    secret: str


class Draw:
    """A seeded source of characters."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, alphabet: str, size: int) -> str:
        """Draw so many characters, at least one digit where there may be some."""
        made = [self._random.choice(alphabet) for _ in range(size)]
        if "7" in alphabet and not any(c.isdigit() for c in made):
            made[self._random.randrange(size)] = self._random.choice(DIGITS)
        return "".join(made)

    def word(self) -> str:
        """Draw a word that can be spoken."""
        pairs = [
            self._random.choice("bcdfghklmnprstvw") + self._random.choice("aeiou") for _ in range(3)
        ]
        return "".join(pairs)

    def password(self) -> str:
        """Draw what people choose: words with digits and signs, or signs at random."""
        style = self._random.randrange(4)
        if style == 0:
            return self.word() + self.of(DIGITS, 2)
        if style == 1:
            return self.word().title() + self.of("!@#%^*", 1) + self.of(DIGITS, 4)
        if style == 2:
            return self.of(ALNUM, 12)
        return self.of(LOWER + UPPER + DIGITS + "!@#%^*-_+=.", 16)


Make = Callable[[Draw], str]


def _b64(data: str) -> str:
    return b64encode(data.encode()).decode()


TOKENS: dict[str, Make] = {
    "github classic": lambda d: d.of("p", 1).join(("gh", "_")) + d.of(ALNUM, 36),
    "github oauth": lambda d: "gho" + "_" + d.of(ALNUM, 36),
    "github server": lambda d: "ghs" + "_" + d.of(ALNUM, 36),
    "github refresh": lambda d: "ghr" + "_" + d.of(ALNUM, 76),
    "github fine-grained": lambda d: "github" + "_pat_" + d.of(ALNUM, 22) + "_" + d.of(ALNUM, 59),
    "gitlab personal": lambda d: "glpat" + "-" + d.of(URLSAFE, 20),
    "gitlab routable": lambda d: (
        "glpat" + "-" + d.of(URLSAFE, 27) + ".01." + d.of(LOWER + DIGITS, 9)
    ),
    "gitlab runner": lambda d: "glrt" + "-" + d.of(URLSAFE, 20),
    "gitlab job": lambda d: "glcbt" + "-64_" + d.of(URLSAFE, 20),
    "aws access key": lambda d: "AK" + "IA" + d.of(UPPER + "234567", 16),
    "aws temporary key": lambda d: "AS" + "IA" + d.of(UPPER + "234567", 16),
    "google api key": lambda d: "AI" + "za" + d.of(URLSAFE, 35),
    "google access token": lambda d: "ya29" + "." + d.of(URLSAFE, 90),
    "google client secret": lambda d: "GOCSPX" + "-" + d.of(URLSAFE, 28),
    "azure client secret": lambda d: d.of(ALNUM, 3) + "8" + "Q~" + d.of(ALNUM + "_.~-", 33) + "a",
    "azure devops": lambda d: d.of(ALNUM, 76) + "AZ" + "DO" + d.of(ALNUM, 4),
    "azure annotated": lambda d: d.of(ALNUM, 52) + "JQQJ" + "99" + d.of(ALNUM, 26),
    "azure storage": lambda d: d.of(BASE64, 76) + "+A" + "St" + d.of(BASE64, 5) + "Q==",
    "slack bot": lambda d: (
        "xo" + "xb-" + d.of(DIGITS, 12) + "-" + d.of(DIGITS, 12) + "-" + d.of(ALNUM, 24)
    ),
    "slack user": lambda d: (
        "xo" + "xp-" + d.of(DIGITS, 11) + "-" + d.of(DIGITS, 11) + "-" + d.of(HEX, 32)
    ),
    "slack app": lambda d: (
        "xa" + "pp-1-A" + d.of(UPPER + DIGITS, 10) + "-" + d.of(DIGITS, 13) + "-" + d.of(HEX, 64)
    ),
    "stripe live": lambda d: "sk" + "_live_" + d.of(ALNUM, 24),
    "stripe restricted": lambda d: "rk" + "_test_" + d.of(ALNUM, 99),
    "stripe webhook": lambda d: "wh" + "sec_" + d.of(ALNUM, 32),
    "npm": lambda d: "np" + "m_" + d.of(ALNUM, 36),
    "pypi": lambda d: "py" + "pi-AgEIcHlwaS5vcmc" + d.of(URLSAFE, 150),
    "rubygems": lambda d: "ruby" + "gems_" + d.of(HEX, 48),
    "docker": lambda d: "dckr" + "_pat_" + d.of(URLSAFE, 27),
    "openai project": lambda d: (
        "sk" + "-proj-" + d.of(URLSAFE, 58) + "T3Blbk" + "FJ" + d.of(URLSAFE, 58)
    ),
    "openai old": lambda d: "sk" + "-" + d.of(ALNUM, 20) + "T3Blbk" + "FJ" + d.of(ALNUM, 20),
    "anthropic": lambda d: "sk" + "-ant-api03-" + d.of(URLSAFE, 93) + "AA",
    "openrouter": lambda d: "sk" + "-or-v1-" + d.of(HEX, 64),
    "hugging face": lambda d: "h" + "f_" + d.of(LOWER + UPPER, 34),
    "groq": lambda d: "gs" + "k_" + d.of(ALNUM, 52),
    "twilio key": lambda d: "S" + "K" + d.of(HEX, 32),
    "sendgrid": lambda d: "S" + "G." + d.of(URLSAFE, 22) + "." + d.of(URLSAFE, 43),
    "mailgun": lambda d: "ke" + "y-" + d.of(HEX, 32),
    "mailchimp": lambda d: d.of(HEX, 32) + "-u" + "s14",
    "jwt": lambda d: (
        "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + d.of(URLSAFE, 60) + "." + d.of(URLSAFE, 43)
    ),
    "databricks": lambda d: "da" + "pi" + d.of(HEX, 32),
    "digitalocean": lambda d: "do" + "p_v1_" + d.of(HEX, 64),
    "vault": lambda d: "hv" + "s." + d.of(URLSAFE, 90),
    "terraform": lambda d: d.of(ALNUM, 14) + ".atlas" + "v1." + d.of(URLSAFE, 67),
    "telegram": lambda d: d.of("123456789", 10) + ":A" + "A" + d.of(URLSAFE, 33),
    "discord": lambda d: "MT" + d.of(ALNUM, 24) + ".G" + d.of(URLSAFE, 5) + "." + d.of(URLSAFE, 38),
    "linear": lambda d: "lin" + "_api_" + d.of(ALNUM, 40),
    "notion": lambda d: "nt" + "n_" + d.of(ALNUM, 46),
    "grafana": lambda d: "gls" + "a_" + d.of(ALNUM, 32) + "_" + d.of(HEX, 8),
    "sentry": lambda d: "sntry" + "s_" + d.of(BASE64, 80) + "_" + d.of(BASE64, 43),
    "shopify": lambda d: "shp" + "at_" + d.of(HEX, 32),
    "atlassian": lambda d: (
        "ATA" + "TT3xFfGF0" + d.of(URLSAFE, 170) + "=" + d.of("0123456789ABCDEF", 8)
    ),
    "figma": lambda d: "fig" + "d_" + d.of(URLSAFE, 40),
    "postman": lambda d: "PM" + "AK-" + d.of(HEX, 24) + "-" + d.of(HEX, 34),
    "age": lambda d: "AGE-" + "SECRET-KEY-1" + d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
}

PLACES_OF_TOKENS = (
    "remote: using {} to clone",
    "+    client = Client('{}')",
    '    "value": "{}",',
    "E       AssertionError: assert '{}' == 'x'",
    "https://api.example.com/v1/items?k={}&page=2",
    "2026-11-02T10:00:00Z INFO sent {}, 200 OK",
    "TypeError: unexpected argument ({})",
)

PLACES_OF_PASSWORDS = (
    "DB_PASSWORD={}",
    "export MYSQL_ROOT_PASSWORD='{}'",
    "  password: {}",
    '  "password": "{}",',
    'password = "{}"',
    "+db.connect(user='app', password='{}')",
    "conn: Server=db;User Id=sa;Password={};Encrypt=true",
    "dsn = host=localhost user=app password={} dbname=x",
    "$ tool login --user bob --password {}",
    "$ tool login --password={} --verbose",
    "psql: error for postgresql://app:{}@db.example.com:5432/x",
    "redis://:{}@cache:6379/0",
    "machine api.example.com login bob password {}",
    "spring.datasource.password={}",
    "<password>{}</password>",
    '<add key="Password" value="{}"/>',
    "{{'user': 'bob', 'passwd': '{}'}}",
    '\\"client_secret\\": \\"{}\\"',
    "  'password' => '{}',",
    "-  secret: '{}'",
    "curl -s -u admin:{} https://example.com/x",
    "mysql -h db -u root -p{} shop",
    "CREATE USER bob IDENTIFIED BY '{}';",
    "sshpass -p '{}' ssh host",
    "args: ['tool', '--password', '{}', '-v']",
    'os.environ["DB_PASSWORD"] = "{}"',
    'const password: string = "{}";',
    '#define ADMIN_PASSWORD "{}"',
    "docker login -u bob -p {} registry.example.com",
    'password := "{}"',
)

PLACES_OF_KEYS = (
    "API_KEY={}",
    "api_key: {}",
    '"apiKey": "{}"',
    "X-Api-Key: {}",
    "Authorization: Bearer {}",
    "-H 'Authorization: token {}'",
    "//registry.example.com/:_authToken={}",
    "GET /v1/x?access_token={}&page=2",
    "SECRET_KEY = '{}'",
    "    token: {}",
    'encryption_key = "{}"',
    'auth_token="{}"',
    "AWS_SECRET_ACCESS_KEY={}",
    "aws_secret_access_key = {}",
    '"SecretAccessKey": "{}",',
    "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
    "--api-key {}",
    "Set-Cookie: sessionid={}; Path=/; HttpOnly",
    "  client-key-data: {}",
    "twilio_auth_token='{}'",
)  # fmt: skip


def samples(seed: int = 20261102) -> Iterator[Sample]:
    """Draw the labelled texts: the same ones for the same seed."""
    draw = Draw(seed)
    for kind, make in TOKENS.items():
        for place in PLACES_OF_TOKENS:
            secret = make(draw)
            yield Sample(kind, place.format(secret), secret)
    for place in PLACES_OF_PASSWORDS:
        for _ in range(6):
            secret = draw.password()
            if "mysql" in place or "@" in place or "'" in place:
                secret = secret.replace("@", "x").replace("%", "y")
            yield Sample("password", place.format(secret), secret)
    for place in PLACES_OF_KEYS:
        for alphabet, size in ((HEX, 32), (ALNUM, 40), (BASE64, 40), (LOWER + DIGITS, 24)):
            secret = draw.of(alphabet, size)
            yield Sample("key", place.format(secret), secret)
    for kind in (
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "EC PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ):
        for prefix in ("", "+", "    ", "> "):
            lines = [draw.of(BASE64, 64) for _ in range(5)]
            mark = f"-----{{}} {kind}-----"
            text = "\n".join(
                prefix + line for line in (mark.format("BEGIN"), *lines, mark.format("END"))
            )
            for line in lines:
                yield Sample("private key", text, line)
    for _ in range(6):
        body = draw.of(BASE64, 200)
        mark = "-----{} PRIVATE KEY-----"
        yield Sample(
            "private key",
            f'"private_key": "{mark.format("BEGIN")}\\n{body}\\n{mark.format("END")}\\n",',
            body,
        )
        secret = _b64(draw.word() + ":" + draw.password())
        yield Sample("basic auth", f"Authorization: Basic {secret}", secret)
        yield Sample("basic auth", f'"auth": "{secret}"', secret)
        secret = _b64(mark.format("BEGIN") + "\n" + draw.of(BASE64, 64) + "\n")
        yield Sample("kubeconfig", f"    client-key-data: {secret}", secret)
        secret = draw.of(ALNUM, 24)
        hook = "hooks." + f"slack.com/services/T{draw.of(UPPER, 8)}/B{draw.of(UPPER, 8)}/"
        yield Sample("slack webhook", f"curl https://{hook}{secret}", secret)
        secret = draw.of(BASE64, 40)
        yield Sample("aws pair", f"{'AK' + 'IA'}{draw.of(UPPER, 16)},{secret}", secret)
