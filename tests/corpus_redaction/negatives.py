"""Lines without a secret that look as if they had one: they must come out as they went in."""
# ruff: noqa: E501  lines as tools write them

import hashlib
import random
import sysconfig
import tokenize
import uuid
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
_NAMES = (
    "left-pad",
    "tokenizers",
    "passport",
    "keyv",
    "oauth-sign",
    "secretstorage",
    "authlib",
    "cookie",
    "sessions",
)
_PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "docs/sharing-and-merging.md",
    "docs/sessions.md",
    "docs/configuration.md",
)
# Modules full of the words that redaction looks for.
_LIBRARY = (
    "getpass", "secrets", "hashlib", "hmac", "netrc", "ssl", "tokenize", "token", "keyword", "imaplib", "ftplib",
    "smtplib", "nntplib", "http/cookies", "http/cookiejar", "http/client", "urllib/request", "urllib/parse", "uuid",
    "shlex", "argparse", "base64", "configparser", "sqlite3/dbapi2", "zipfile", "email/header", "logging/handlers",
)  # fmt: skip

HARD = r"""
password = get_password()
password = getpass.getpass("Password: ")
self.password = password
self._token = token
token = next(tokens)
token = tokens[index]
token: str
token: str | None = None
password: Optional[str] = None
password: SecretStr
password: string;
Password string `json:"password"`
  password String  @db.VarChar(255)
private String password;
let password: String = env::var("PASSWORD").unwrap();
const token = await getToken();
const password = process.env.PASSWORD;
const { password, token } = req.body;
if (password === confirmPassword) {
if password != other.password:
if token == "identifier":
if token.type == TokenType.IDENTIFIER:
token_type = "bearer"
"token_type": "Bearer",
case Token.STRING: return parse_string(token)
password=password,
password=password)
connect(user=user, password=password, host=host)
connect(user=user, password=settings.DB_PASSWORD)
password: ${DB_PASSWORD}
password: "{{ vault_password }}"
password: !vault |
PASSWORD=$1
DB_PASSWORD=${DB_PASSWORD:-}
DB_PASSWORD=$(cat /run/secrets/db)
DB_PASSWORD_FILE=/run/secrets/db_password
export TOKEN="$(gh auth token)"
export GITHUB_TOKEN=$GH_TOKEN
env: GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
api_key=os.environ["API_KEY"]
api_key = os.getenv("OPENAI_API_KEY")
api_key: YOUR_API_KEY
api_key="your-api-key-here"
API_KEY=<your key>
password=<password>
password=********
password: xxxxxxxx
password: [redacted]
password: changeme
Password: (hidden)
Enter password:
Password for 'https://github.com':
password authentication failed for user "app"
error: password: must be at least 8 characters
password is required
Invalid password: too short
secret not found: "db-credentials"
Error: secrets "db-credentials" not found
token: unexpected end of input
SyntaxError: Unexpected token < in JSON at position 0
SyntaxError: Unexpected token 'export'
Unexpected token: punc ())
unexpected token `}' near line 3
KeyError: 'password'
KeyError: 'api_key'
TypeError: connect() got an unexpected keyword argument 'password'
TypeError: expected string or bytes-like object, got 'Token'
AttributeError: 'NoneType' object has no attribute 'token'
ValueError: Invalid key: foo_bar_baz
key: value
key = "some_dictionary_key_2"
"key": "ArrowLeft",
"key": "user.profile.name.2",
key: build-{{ checksum "package-lock.json" }}
cache_key: v1-deps-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
primary_key = "user_id_2024_q3"
partition_key="tenant#1234#2026-11-02"
public_key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0yq2iXq7fW2t1bq3c4
sort_keys=True
max_tokens=4096
"max_tokens": 4096,
--max-tokens 4096 --token-budget 20000
prompt_tokens: 15234, completion_tokens: 812
"total_tokens": 16046
tokens: 123456
author: "Ann Example <ann@example.com>"
authority = "https://login.example.com/common"
auth: none
auth = AuthConfig(kind="basic")
auth_backend: django.contrib.auth.backends.ModelBackend
authors = [{ name = "The gitmem developers" }]
session: ses-7k3m9q2d4x
session_id: 7
session = requests.Session()
session.commit()
"session": "2026-11-02T10:00:00Z",
cookie = SimpleCookie()
cookies: {}
Set-Cookie: theme=dark; Path=/
credentials: include
credentials = service_account.Credentials.from_file(path)
credential_process = /usr/bin/tool --json
salt = os.urandom(16)
salt_length = 32
passed: 123, failed: 4
pass: 123456 fail: 0
passes = 12
12 passed in 0.34s
compass: north-by-northwest-2
bypass = True
passthrough: "value-2-of-3"
passenger_id = "P12345678"
password_hash_algorithm = "pbkdf2_sha256"
password_min_length: 12
password-reset: /accounts/reset/2024
"passwordField": "input#password2",
<input type="password" name="password" id="password1">
<label for="password">Password</label>
<Password>string</Password>
secret_name = "prod/db/main"
secretName: tls-example-com
secretKeyRef:
      key: database-password
type: kubernetes.io/service-account-token
imagePullSecrets:
- name: regcred
secret: true
--secret id=npmrc,src=.npmrc
RUN --mount=type=secret,id=token cat /run/secrets/token
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
headers = {"Authorization": f"Bearer {token}"}
headers["Authorization"] = "Bearer " + token
-H "Authorization: Bearer $TOKEN"
WWW-Authenticate: Basic realm="example"
Basic authentication is required
https://user@example.com/path
https://user:password@example.com/path
https://${USER}:${PASS}@example.com/repo.git
git@github.com:org/repo.git
ssh://git@example.com:2222/org/repo.git
http://localhost:8080/@scope/package@1.2.3
postgres://localhost:5432/app
redis://cache:6379/0
jdbc:postgresql://db.example.com:5432/app?sslmode=require
file:///home/user/.config/tokens/keys.json
docker run -p 8080:80 -u 1000:1000 image
rsync -u a:b c
curl -u "$USER:$PASS" https://example.com
mysql -h db -u root -p shop
mysql -u root -p
sk-learn-container-id-1 div.sk-toggleable
class="sk-estimator-doc-link-fitted-2"
sk_test = 5
hf_hub_download(repo_id="org/model")
npm_config_registry=https://registry.example.com/
npm_package_version=1.2.3
github_pat_example
glpat-xxxxxxxxxxxxxxxxxxxx
AKIA is the prefix of access keys
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
if "-----BEGIN PRIVATE KEY-----" in text:
_MARKER = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----")
headers["authorization"] = "Basic " + b64encode(pair).decode("utf-8")
fds_to_pass = [listener.fileno(), alive_r]
MovedAttribute("HTTPPasswordMgr", "urllib2", "urllib.request"),
(None, "joe", "password", "proxy.example.com:3128")
--labels LabelKey1=LabelValue1,LabelKey2=LabelValue2
org.example.Relation$$anonfun$run$1$$anonfun$apply$mcV$sp$3.apply(Relation.scala:12)
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7x0Vb9Qm2kJr5 ann@example.com
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8wq0Xk3vTn2bq4Zr1c ann@example.com
SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=
etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
x-request-id: 4bf92f3577b34da6a3ce929d0e0e4736
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
nonce="rAnd0m" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"
arn:aws:iam::123456789012:role/deploy-2
ami-0abcdef1234567890 vpc-0a1b2c3d4e5f60718
projects/my-project/secrets/db-password/versions/3
op://vault/item/password
keyring.set_password("service", user, password)
monkeypatch.setenv("API_TOKEN", token)
parser.add_argument("--password", help="the password")
@click.option("--token", envvar="TOKEN", help="Access token")
  --token string          Bearer token for authentication to the API server
  --password PASSWORD     password of the user
  -p, --password=PASS     the password
self.assertEqual(token, expected_token_2)
assert response.json()["token"] is not None
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
lexer.py:42: unexpected token: IDENTIFIER 'foo_1'
keyboard: en_US
hotkey = ctrl+shift+p
foreign key (user_id) references users(id)
PRIMARY KEY (`id`), UNIQUE KEY `idx_user_2` (`user`)
password VARCHAR(128) NOT NULL,
UPDATE users SET password = ? WHERE id = ?
SELECT password, token FROM users WHERE token = :token
""".strip("\n")  # fmt: skip


def _generated(seed: int) -> Iterator[str]:
    draw = random.Random(seed)

    def blob(size: int) -> bytes:
        return draw.randbytes(size)

    def b64(size: int) -> str:
        return b64encode(blob(size)).decode()

    for number in range(60):
        name, version = draw.choice(_NAMES), f"{draw.randrange(20)}.{draw.randrange(20)}.{number}"
        yield f'      "resolved": "https://registry.example.com/{name}/-/{name}-{version}.tgz",'
        yield f'      "integrity": "sha512-{b64(64)}",'
        yield f"  integrity sha1-{b64(20)}"
        yield f"{name}=={version} --hash=sha256:{blob(32).hex()}"
        yield f'checksum = "{blob(32).hex()}"'
        yield f"github.com/example/{name} v{version} h1:{b64(32)}"
        yield f'    {{file = "{name}-{version}-py3-none-any.whl", hash = "sha256:{blob(32).hex()}"}},'
        yield f"    version: {version}, resolution: {{integrity: sha512-{b64(64)}}}"
        yield f"commit {blob(20).hex()}"
        yield f"index {blob(4).hex()[:7]}..{blob(4).hex()[:7]} 100644"
        yield f"{blob(20).hex()} refs/heads/{name}"
        yield f"{draw.choice(('err', 'fix', 'dec', 'ses', 'pat', 'not'))}-{''.join(draw.choices('0123456789abcdefghjkmnpqrstvwxyz', k=10))}"
        yield f"attachments/{blob(32).hex()}.png"
        yield f"request {uuid.UUID(bytes=blob(16))} took {draw.randrange(900)} ms"
        yield f"sha256:{blob(32).hex()}: Pulling from library/{name}"
        yield f"{hashlib.md5(blob(8), usedforsecurity=False).hexdigest()}  dist/{name}-{version}.tar.gz"
        yield f'<script src="/assets/{name}-{blob(8).hex()}.js"></script>'
        yield f"![shot](data:image/png;base64,{b64(300)})"
        yield f'"sessionId": {draw.randrange(10**6)}, "traceId": "{blob(16).hex()}"'
        yield f"0x{blob(8).hex()} in {name}::token::Key<u8>::hash ({name}.rs:{number})"
        yield f'content-hash = "{blob(32).hex()}"'
        yield f"Finished in {draw.random():.4f}s, seed {draw.randrange(10**9)}, key={draw.choice(_NAMES)}"
        yield f"    at Object.<anonymous> (/app/node_modules/{name}/lib/token-{version}.js:{number}:{number})"
        yield f'<link rel="preload" href="/_next/static/{urlsafe_b64encode(blob(16)).decode().rstrip("=")}/_buildManifest.js">'
    for size in (200, 2000):
        image = b64encode(b"\x89PNG\r\n" + zlib.compress(blob(size))).decode()
        yield from (image[at : at + 76] for at in range(0, len(image), 76))


def categories(seed: int = 20261102) -> dict[str, list[str]]:
    """Give the lines by where they come from."""
    made = {
        "hard": HARD.split("\n"),
        "generated": list(_generated(seed)),
        "tool outputs": (HERE / "outputs.txt").read_text("utf-8").split("\n"),
        "prose": [
            line
            for page in _PAGES
            for line in (HERE.parent.parent / page).read_text("utf-8").split("\n")
        ],
    }
    library = Path(sysconfig.get_paths()["stdlib"])
    for name in _LIBRARY:
        path = library / f"{name}.py"
        if path.exists():
            with tokenize.open(path) as file:
                made.setdefault("standard library", []).extend(file.read().split("\n"))
    return {name: [line for line in lines if line.strip()] for name, lines in made.items()}
