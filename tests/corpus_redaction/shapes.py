"""Secrets behind what stands between a name and its value, and in places of many programs.

The fourth corpus: each shape is made of a way of writing and a name, with values drawn at run time.
"""

# ruff: noqa: E501, RUF001  a row a shape, and signs that look like others are what it is about

import base64
import json
import random
from collections.abc import Callable, Iterator
from typing import Final

from tests.corpus_redaction.positives import Sample

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"

_NAMES: Final = (
    "mot de passe", "mot_de_passe", "Mot de passe", "contraseña", "Contraseña", "clave de acceso",
    "senha", "Senha", "palavra-passe", "wachtwoord", "Passwort", "Kennwort", "lösenord",
    "adgangskode", "passord", "salasana", "hasło", "heslo", "пароль", "Пароль", "şifre", "jelszó",
    "lozinka", "密码", "口令", "パスワード", "비밀번호", "סיסמה", "κωδικός",
)  # fmt: skip
_JOINTS: Final = ("{}: {}", "{} = '{}'", "{}={}", '{{"{}": "{}"}}', "{}：{}")
_BETWEEN: Final[dict[str, Callable[[str, str], str]]] = {
    "full-width colon": lambda n, v: f"{n}：{v}",
    "full-width sign": lambda n, v: f"{n}＝{v}",
    "full-width name": lambda n, v: "".join(chr(ord(c) + 0xFEE0) for c in n) + f"={v}",
    "zero-width sign": lambda n, v: f"{n[:3]}\u200b{n[3:]}: {v}",
    "soft hyphen": lambda n, v: f"{n[:3]}\u00ad{n[3:]}={v}",
    "word joiner": lambda n, v: f"{n[:2]}\u2060{n[2:]}={v}",
    "no-break blank": lambda n, v: f"{n}:\u00a0{v}",
    "colours": lambda n, v: f"\x1b[1m{n}\x1b[0m\x1b[2m:\x1b[0m \x1b[32m{v}\x1b[0m",
    "colour inside": lambda n, v: f"{n[:3]}\x1b[31m{n[3:]}\x1b[0m={v}",
    "256 colours": lambda n, v: f"\x1b[38;5;208m{n}\x1b[39m=\x1b[38;2;1;2;3m{v}\x1b[0m",
    "erased line": lambda n, v: f"\x1b[2K{n}\x1b[K: {v}",
    "UTF-16 little": lambda n, v: f"{n}={v}".encode("utf-16-le").decode("latin-1"),
    "UTF-16 big": lambda n, v: f"{n}={v}".encode("utf-16-be").decode("latin-1"),
    "line below": lambda n, v: f'{{\n  "{n}":\n    "{v}"\n}}',
    "line below, CR": lambda n, v: f'{{\r\n  "{n}":\r\n    "{v}"\r\n}}',
    "continued": lambda n, v: f'{n} = \\\n    "{v}"',
    "joined by +": lambda n, v: f"{n} = '{v[:5]}' + '{v[5:]}'",
    "joined by .": lambda n, v: f'${n} = "{v[:5]}" . "{v[5:]}";',
    "joined by &": lambda n, v: f'{n} = "{v[:5]}" & "{v[5:]}"',
    "joined by ..": lambda n, v: f'{n} = "{v[:5]}" .. "{v[5:]}"',
    "joined below": lambda n, v: f'{n} = "{v[:5]}" +\n    "{v[5:]}"',
    "pydantic": lambda n, v: (
        f"1 validation error for Login\n{n}\n  Value error, too short "
        f"[type=value_error, input_value='{v}', input_type=str]"
    ),
    "form-data": lambda n, v: (
        f'--x1\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n--x1--\r\n'
    ),
}
_TELLING: Final = ("password", "db_password", "passphrase")
_COMMANDS: Final = (
    "net use Z: \\\\srv\\share /user:CORP\\bob {}", "ldapsearch -x -D cn=admin,dc=x -w {} -b dc=x",
    "ldapmodify -D cn=admin -w {} -f a.ldif", "ssh-keygen -t ed25519 -N {} -f key",
    "ssh-keygen -p -P {} -f key", "smbclient //srv/share -U bob%{}", "sqlcmd -S srv -U sa -P {}",
    "bcp db.t out t.dat -U sa -P {}", "isql -S srv -U sa -P {}", "mosquitto_pub -h h -u bob -P {} -t a",
    "ipmitool -H h -U root -P {} chassis status", "snmpwalk -v3 -u bob -A {} host",
    "mongodump -u bob -p {} --db x", "cqlsh -u bob -p {} host", "htpasswd -b .htpasswd bob {}",
    "echo 'bob:{}' | chpasswd", "echo {} | sudo -S apt-get update", "wpa_passphrase home {}",
    "xfreerdp /v:h /u:bob /p:{}", "rdesktop -u bob -p {} host", "evil-winrm -i h -u bob -p {}",
    "lftp -u bob,{} ftp://host", "unrar x -p{} a.rar", "unzip -P {} a.zip", "sqlplus scott/{}@orcl",
    "openssl enc -aes-256-cbc -k {} -in a", "http -a bob:{} GET host", "useradd -m -p {} bob",
    "nmcli dev wifi connect home password {}", "expdp system/{}@orcl schemas=x", "CONNECT scott/{}@orcl",
    "jdbc:oracle:thin:scott/{}@//db:1521/x", "ORA-01017 for scott/{}@db.host:1521/svc",
    "sqlldr userid=scott/{} control=a.ctl", "Command '['docker', 'login', '-u', 'bob', '-p', '{}']' failed",
    'run(["mysql", "-u", "bob", "-p{}", "shop"])', "['sshpass', '-p', '{}', 'ssh', 'host']",
    '["curl", "-u", "bob:{}", "https://host"]', "['redis-cli', '-h', 'x', '-a', '{}']",
)  # fmt: skip


def _value(drawn: random.Random) -> str:
    word = "".join(drawn.choice(_LETTERS) for _ in range(7))
    return f"{word}{drawn.randint(10, 99)}x"


def _encoded(drawn: random.Random) -> Iterator[Sample]:
    for blanks in (None, 2, 4):
        login = {"auths": {"ghcr.io": {"username": "bob", "password": _value(drawn)}}}
        text = base64.b64encode(json.dumps(login, indent=blanks).encode()).decode()
        yield Sample(f"Docker's settings, {blanks}", f"config: {text}", text)
    for kind, part in (("EC", "d"), ("RSA", "d"), ("RSA", "p"), ("oct", "k"), ("OKP", "d")):
        secret = "".join(drawn.choice(_LETTERS + "0123456789-_") for _ in range(43))
        for key in ({"kty": kind, "kid": "a", part: secret}, {part: secret, "kty": kind}):
            yield Sample(f"JWK {kind} {part}", json.dumps(key), secret)


def samples(seed: int) -> Iterator[Sample]:
    """Draw one sample of each shape."""
    drawn = random.Random(seed)
    for name in _NAMES:
        for joint in _JOINTS:
            value = _value(drawn)
            yield Sample(f"{name} {joint}", joint.format(name, value), value)
    for kind, way in _BETWEEN.items():
        for name in _TELLING:
            value = _value(drawn)
            text = way(name, value)
            shown = value if value in text else "\0".join(value)
            yield Sample(f"{kind}, {name}", text, shown if shown in text else value[5:])
    for command in _COMMANDS:
        value = _value(drawn)
        yield Sample(command, command.format(value), value)
    yield from _encoded(drawn)


HARMLESS: Final = (
    "Mot de passe : obligatoire", "Mot de passe oublié ?", "contraseña: incorrecta",
    "La contraseña debe tener 8 caracteres", "senha: obrigatória (mín. 8)", "hasło: nieprawidłowe",
    "clave de acceso: requerida", "пароль: неверный", "密码：长度为8到16位", "密码错误", "パスワード: 必須",
    "password：必须", "비밀번호: 필수", "Wachtwoord: vereist", "heslo: povinné",
    "x = 'a' + 'b'", 'print("-" * 3 + "x")', "['docker', 'login', '-p']", "['git', 'log', '-p', 'src']",
    '["pytest", "-k", "token"]', "\x1b[1mpassword\x1b[0m: required", "\x1b[31mFAILED\x1b[0m tests/a.py",
    "net use Z: \\\\srv\\share", "ldapsearch -x -b dc=x", "ssh-keygen -t ed25519 -f key", "unzip -p a.zip",
    "actions/checkout@v4", "github.com/spf13/cobra@v1.8.0/command.go:1521", "npm i @types/node@20.1.0",
    "connect to scott/x", '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}',
    "name\n  Field required [type=missing, input_value={'a': 1}, input_type=dict]",
    "age\n  Input should be a valid integer [type=int_parsing, input_value='abc', input_type=str]",
    'Content-Disposition: form-data; name="title"\r\n\r\nHello there\r\n', "http -a GET", "sudo -S",
    '{\n  "name":\n    "shop"\n}', "“password” is required", "touche « mot de passe » : entrée",
)  # fmt: skip
