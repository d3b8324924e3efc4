"""Credentials that tell by where they stand: addresses, headers, ``.netrc`` and command lines."""
# ruff: noqa: E501  a row a place, and a pattern is read as a whole

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import is_basic, is_digest, is_random, is_reference, is_trivial
from gitmem.redaction.spans import SecretSpan
from gitmem.redaction.word_clues import Clues, ClueSearch


class CredentialPosition(NamedTuple):
    """A place where credentials stand; the group of the pattern is what is secret."""

    kind: str
    clue: str
    pattern: str
    hint: str


_BLANK: Final = r"[\s+-]{1,40}"
_WORD: Final = r"[^\s\"'`<>]{1,512}"
_ARGUMENT: Final = (
    r"(?:'([^'\n]{1,512})'|\"([^\"\n]{1,512})\"|([^\s\"'`<>|;&-][^\s\"'`<>|;&]{0,511}))"
)
_PIPED: Final = (
    r"(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?[\"']?([^\s\"'|]{3,256})[\"']?\s{0,4}\|\s{0,4}"
)
_USER: Final = (
    r"\b[^\n|;]{0,256}?\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,128}:(" + _WORD + ")"
)
_HASH: Final = (
    r"(\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"
    r"|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"
    r"|g?y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}"
    r"|argon2i?d?\$v=\d{1,4}\$[A-Za-z0-9$=,+/]{30,512}))(?![./A-Za-z0-9$])"
)
_PAIR: Final = r"\(\s{0,4}([\"'])[^\"'\n]{1,128}\1,\s{0,4}([\"'])([^\"'\n]{3,256})\2\s{0,4}[,)]"
_PGPASS: Final = (
    r"(?m:^)[\w.*/-]{1,128}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{3,256})(?m:$)"
)
_SQL: Final = r"{}\s{{1,4}}(?:PASSWORD\s{{1,4}})?[\"']([^\"'\n]{{1,256}})"
_STATEMENT: Final = r"(?i:\b(?:create|alter|grant|set|user|role)\b)[^;'\"]{0,256}?\s[Ii]"
"""Small letters are also prose: "revision identified by '…'" names no secret."""

PLACES: Final[tuple[CredentialPosition, ...]] = (
    CredentialPosition("url-password", "://", r"://[^\s/?#:@\"'`<>]{0,128}:([^\s/\"'`<>]{1,256})@", "between a user and a host"),
    CredentialPosition("netrc-password", "login", "login" + _BLANK + _WORD + _BLANK + "(?:account" + _BLANK + _WORD + _BLANK + ")?password" + _BLANK
          + "(" + _WORD + ")", "the form of .netrc"),
    CredentialPosition("netrc-password", "machine", "machine" + _BLANK + _WORD + _BLANK + "password" + _BLANK + "(" + _WORD + ")", "the form of .netrc"),
    CredentialPosition("password", "curl ", "curl" + _USER, "the user argument of a command"),
    CredentialPosition("password", "wget ", "wget" + _USER, "the user argument of a command"),
    CredentialPosition("password", "mysql", r"mysql[a-z]{0,8}\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "mariadb", r"mariadb\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "sshpass ", r"sshpass\s{1,4}-p\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "redis-cli ", r"redis-cli\b[^\n|;]{0,256}?\s-a\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", " login ", r" login\b[^\n|;]{0,256}?\s-p[ =]?" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "IDENTIFIED BY", _SQL.format("IDENTIFIED BY"), "SQL"),
    CredentialPosition("password", "dentified by", _STATEMENT + _SQL.format("dentified by"), "SQL"),
    CredentialPosition("password", "zip -", r"zip\b[^\n|;]{0,256}?\s-P\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "7z ", r"7z[ar]?\s[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", " pass:", r"-pass(?:in|out|word)?\s{1,4}pass:([^\s\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "sqlplus", r"sqlplus\b[^\n|;/]{0,128}?\s[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "net use", r"net use\s[^\n|;]{0,128}?\\\\[^\s]{1,256}\s{1,4}([^\s/\"'*]{3,256})\s{1,4}/user:", "the password argument of a command"),
    CredentialPosition("password", "SecureString", r"ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?" + _ARGUMENT, "what is made secure only there"),
    CredentialPosition("password", "NetworkCredential(", "NetworkCredential" + _PAIR, "the second of user and password"),
    CredentialPosition("password", "uth(", "asic_?[Aa]uth" + _PAIR, "the second of user and password"),
    CredentialPosition("password", "auth=(", "auth=" + _PAIR, "the second of user and password"),
    CredentialPosition("password", '="password"', r"type=\"password\"[^<>\n]{0,256}?\svalue=\"([^\"\n]{1,256})\"", "the value of a password's field"),
    CredentialPosition("password", ":5432:", _PGPASS, "the form of .pgpass"),
    CredentialPosition("password-hash", "$", _HASH, "the form of a hash"),
    CredentialPosition("bearer-token", "earer ", r"earer\s{1,4}[\"']?([A-Za-z0-9._~+/=-]{16,4096})", "the word before it"),
    CredentialPosition("basic-auth", "asic ", r"asic\s{1,4}([A-Za-z0-9+/]{8,512}={0,2})", "user and password in base64"),
    CredentialPosition("password", "AUTH PLAIN ", r"AUTH PLAIN\s{1,4}([A-Za-z0-9+/]{12,512}={0,2})", "user and password in base64"),
    CredentialPosition("password", "> AUTH ", r"\d> AUTH\s{1,4}(?:[^\s\"']{1,64}\s{1,4})?([^\s\"']{3,256})", "typed at the prompt of a database"),
    CredentialPosition("password", "authtoken ", r"(?:add-|ngrok )authtoken\s{1,4}([A-Za-z0-9_-]{20,256})", "the password argument of a command"),
    CredentialPosition("password", "/user:", r"net use\s[^\n|;]{0,256}?/user:\S{1,128}\s{1,4}([^\s/\"\'*]{3,256})", "the password argument of a command"),
    CredentialPosition("password", "ldap", r"ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn|exop)\b[^\n|;]{0,256}?\s-w\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "ssh-keygen", r"ssh-keygen\b[^\n|;]{0,256}?\s-[NP]\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "smb", r"smb(?:client|map|get)\b[^\n|;]{0,256}?\s-U\s{0,4}[\"\']?[^\s%\"\']{1,128}%([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "sqlcmd", r"sqlcmd\b[^\n|;]{0,256}?\s-P\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "bcp ", r"bcp\s[^\n|;]{0,256}?\s-P\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "isql ", r"isql(?=\s)[^\n|;]{0,256}?\s-P\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "mosquitto_", r"mosquitto_(?:pub|sub|rr)\b[^\n|;]{0,256}?\s-P\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "ipmitool", r"ipmitool\b[^\n|;]{0,256}?\s-P\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "snmp", r"snmp[a-z]{2,12}\b[^\n|;]{0,256}?\s-[AX]\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "mongo", r"mongo[a-z]{0,8}\b[^\n|;]{0,256}?\s-p[ =]{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "cqlsh", r"cqlsh\b[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "htpasswd", r"htpasswd\s{1,4}(?:-\S{1,8}\s{1,4}){0,4}?-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}(?:-\S{1,8}\s{1,4}){0,4}\S{1,256}\s{1,4}\S{1,128}\s{1,4}([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "chpasswd", r"[\"\']?[\w.-]{1,64}:([^\s\"\':|]{3,256})[\"\']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd", "the password argument of a command"),
    CredentialPosition("password", "sudo -S", r"(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?[\"\']?([^\s\"\'|]{3,256})[\"\']?\s{0,4}\|\s{0,4}sudo\s{1,4}-S", "the password argument of a command"),
    CredentialPosition("password", "wpa_passphrase", r"wpa_passphrase\s{1,4}(?:\"[^\"\n]{1,64}\"|\S{1,64})\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "xfreerdp", r"xfreerdp3?\b[^\n|;]{0,256}?\s/p:([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "rdesktop", r"rdesktop\b[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "evil-winrm", r"evil-winrm\b[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "lftp ", r"lftp\b[^\n|;]{0,256}?\s-u\s{1,4}[\"\']?[^\s,\"\']{1,128},([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "unrar", r"unrar\s[^\n|;]{0,256}?\s-h?p([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "rar a", r"rar\s[^\n|;]{0,256}?\s-h?p([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "unzip ", r"unzip\b[^\n|;]{0,256}?\s-P\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "openssl ", r"openssl\s[^\n|;]{0,256}?\s-k\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "http ", r"https?(?=\s)[^\n|;]{0,256}?\s-a\s{1,4}[\"\']?[^\s:\"\']{1,128}:([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "ab -", r"ab(?=\s)[^\n|;]{0,256}?\s-[AP]\s{1,4}[\"\']?[^\s:\"\']{1,128}:([^\s\"\']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "useradd", r"user(?:add|mod)\b[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "usermod", r"usermod\b[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "nmcli", r"nmcli\b[^\n|;]{0,256}?\s(?:password|wifi-sec\.psk)\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "iwconfig", r"iwconfig\b[^\n|;]{0,128}?\skey\s{1,4}(?:s:)?" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "smbpasswd", r"(?:printf|echo)\s{1,4}(?:-\w{1,3}\s{1,4})?[\"\']([^\s\"\'\\]{3,256})\\n[^|\n]{0,256}\|\s{0,4}(?:sudo\s{1,4})?(?:smb)?passwd", "the password argument of a command"),
    CredentialPosition("password", "psexec", r"psexec(?:64)?(?:\.exe)?\s[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "schtasks", r"schtasks\b[^\n|;]{0,256}?\s/rp\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "net user", r"net user\s{1,4}[^\s/]{1,64}\s{1,4}([^\s/*\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "winrs", r"winrs\b[^\n|;]{0,256}?\s[-/]p(?:assword)?:([^\s\"']{3,256})", "the password argument of a command"),
    CredentialPosition("password", "az ", r"az\s[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "twine ", r"twine\s[^\n|;]{0,256}?\s-p\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "rclone", r"rclone\b[^\n|;]{0,256}?\spass\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "gh secret", r"gh secret set\s[^\n|;]{0,128}?(?:--body|-b)[ =]\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", ":_authToken", r":_authToken\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    CredentialPosition("password", "--password-stdin", _PIPED + r"[^\n|]{0,200}?--password-stdin", "what is piped into a command"),
    CredentialPosition("password", "cryptsetup", _PIPED + r"(?:sudo\s{1,4})?cryptsetup", "what is piped into a command"),
    CredentialPosition("url-password", "thin:", r"thin:[\w$#.]{1,64}/([^\s@/\"\']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "connect ", r"connect\s{1,4}[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "CONNECT ", r"CONNECT\s{1,4}[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "conn ", r"conn\s{1,4}[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "userid=", r"userid=[\"\']?[\w$#.]{1,64}/([^\s@/\"\']{3,256})", "between a user and a host"),
    CredentialPosition("password", "expdp ", r"expdp\s{1,4}(?:target\s{1,4})?[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "impdp ", r"impdp\s{1,4}(?:target\s{1,4})?[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "sqlldr ", r"sqlldr\s{1,4}(?:target\s{1,4})?[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "rman ", r"rman\s{1,4}(?:target\s{1,4})?[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "@//", r"/([^\s@/\"\']{3,256})@//[\w.-]{1,256}", "between a user and a host"),
    CredentialPosition("password", ":1521", r"/([^\s@/\"\']{3,256})@(?://)?[\w.-]{1,256}:1521\b", "between a user and a host"),
    CredentialPosition("password", "input_value=", r"(?im:^)[\w.\[\]]{0,96}(?:passw(?:or)?d|passphrase|passcode|secret|pwd|pin|token|api_?key)[\w.]{0,16}\r?\n[ \t]{1,8}[^\n]{0,400}?input_value=[\"\']([^\"\'\n]{1,256})[\"\']", "the name that it is given to"),
    CredentialPosition("password", "ontent-", r"(?:ontent-[Dd]isposition:[^\n]{0,200}?name=\"?[\w.\[\]-]{0,48}(?:passw(?:or)?d|passphrase|secret|pwd|token|api_?key)[\w.\[\]-]{0,16}\"?)[^\n]{0,200}\r?\n(?:[^\n]{1,200}\r?\n){0,4}?\r?\n([^\r\n]{3,512})", "the name that it is given to"),
    CredentialPosition("webhook", "hook", r"://[^\s\"'<>]{1,200}?/(?:web)?hooks?/(?:[a-z]{2,12}/)?(?:\d{3,12}/)?([A-Za-z0-9-]{12,64}(?:/[A-Za-z0-9]{7,64})?)(?![\w.-])", "the address of a hook"),
    CredentialPosition("signature", "hooks.zapier.com/", r"hooks\.zapier\.com/hooks/catch/(\d{4,12}/[a-z0-9]{5,20})", "the address of a hook"),
    CredentialPosition("webhook", "hook.", r"://hook\.[a-z0-9.]{2,12}\.make\.com/([a-z0-9]{20,64})", "the address of a hook"),
    CredentialPosition("webhook", "webhook.site/", r"webhook\.site/([0-9a-f-]{36})", "the address of a hook"),
    CredentialPosition("webhook", "hc-ping.com/", r"hc-ping\.com/([\w-]{20,64})", "the address of a hook"),
    CredentialPosition("webhook", ".m.pipedream.net", r"://([a-z0-9]{12,24})\.m\.pipedream\.net", "the address of a hook"),
    CredentialPosition("webhook", "/with/key/", r"/with/key/([A-Za-z0-9_-]{20,64})", "the address of a hook"),
    CredentialPosition("webhook", "/enqueue", r"/integration/([0-9a-f]{32})/enqueue", "the address of a hook"),
    CredentialPosition("webhook", "webhook/send?key=", r"webhook/send\?key=([0-9a-f-]{36})", "the address of a hook"),
    CredentialPosition("webhook", "/api/v1/", r"/api/v1/([A-Za-z0-9]{20})/(?:telemetry|attributes|rpc)\b", "the address of a device"),
    CredentialPosition("signature", "Signature=", r"[?&]Signature=([A-Za-z0-9%+/_~=-]{40,2048})", "what signs an address"),
    CredentialPosition("url-password", "://", r"://([^\s/?#:@\"'`<>]{16,512})@", "before a host"),
)  # fmt: skip
# With each place the longest word of its clue.
_PLACES: Final = tuple((place, max(place.clue.split(), key=len)) for place in PLACES)
POSITIONAL_CLUES: Final = ClueSearch((*(word for _, word in _PLACES), "Secret", '"kty"', "ookie:"))
_COOKIES: Final = lazily(r"ookie:[ \t]{0,8}([^\n\"']{1,4096})")
_COOKIE: Final = lazily(r"=([^\s;,]{12,4096})")
_KUBERNETES: Final = lazily(r"(?m:^)[+\- ]?[ \t]{0,8}[\"']?kind[\"']?:[ \t]{1,4}[\"']?Secret\b")
_DATA: Final = lazily(
    r"(?m:^)[+\- ]?[ \t]{0,8}data:[ \t]{0,8}\n((?:[+\- ]?[ \t]+[^\n]{1,4096}(?:\n|\Z))+)"
)
_ENTRY: Final = lazily(
    r"[\w.-]{1,128}:[ \t]{1,8}[\"']?([A-Za-z0-9+/]{8,4096}={0,2})[\"']?[ \t]*(?m:$)"
)
_JSON_KEY: Final = lazily(r"[{][^{}]{0,8192}?\"kty\"[^{}]{0,8192}[}]?")
_PRIVATE: Final = lazily(r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,8}:\s{0,8}\"([A-Za-z0-9_-]{16,4096})")
_EXAMPLE: Final = lazily(
    r"(?:pass(?:word|wd)?|pwd|pw|secret|token|x{2,}|\*+|\.{3})\Z", re.IGNORECASE
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def positional_secrets(text: str, start: int, end: int, clues: Clues) -> Iterator[SecretSpan]:
    """Find credentials by the words and signs around them.

    Args:
        text: the text.
        start: where to begin.
        end: where to end.
        clues: those of ``POSITIONAL_CLUES`` that stand in words between the two.

    """
    for place, word in _PLACES:
        if word not in clues or text.find(place.clue, start, end) < 0:
            continue
        for match in _compiled(place.pattern).finditer(text, start, end):
            group = match.lastindex or 1
            if _is_secret(place, match[group]):
                yield SecretSpan(*match.span(group), place.kind, match[group], place.hint)
    if "Secret" in clues and (secrets := _KUBERNETES.search(text, start, end)):
        yield from _of_kubernetes(text, secrets, end)
    if '"kty"' in clues:
        yield from _of_json_key(text, start, end)
    if "ookie:" in clues:
        for header in _COOKIES.finditer(text, start, end):
            for match in _COOKIE.finditer(text, *header.span(1)):
                if is_random(match[1]):
                    yield SecretSpan(*match.span(1), "cookie", match[1], "the value of a cookie")


def _of_json_key(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find the private parts of a key as JSON, each of which is enough to make the others."""
    for key in _JSON_KEY.finditer(text, start, end):
        for match in _PRIVATE.finditer(text, *key.span()):
            yield SecretSpan(*match.span(1), "private-key", match[1], "the private part of a JWK")


def _of_kubernetes(text: str, kind: re.Match[str], end: int) -> Iterator[SecretSpan]:
    """Find what a manifest of a secret holds: whatever their names are, in base64."""
    begin = text.rfind("\n---", 0, kind.start()) + 1
    until = text.find("\n---", kind.end(), end)
    for data in _DATA.finditer(text, begin, end if until < 0 else until):
        for match in _ENTRY.finditer(text, *data.span(1)):
            yield SecretSpan(*match.span(1), "secret", match[1], "the data of a Kubernetes secret")


def _is_secret(place: CredentialPosition, secret: str) -> bool:
    if place.kind == "basic-auth":
        return is_basic(secret)
    if place.kind in {"password-hash", "signature"}:
        return True
    if place.kind == "webhook":
        return is_random(secret.replace("/", ""), 12) or is_digest(secret.partition("/")[0])
    if place.kind == "bearer-token" or place.hint == "before a host":
        return is_random(secret)
    if is_reference(secret) or not any(map(str.isalnum, secret)) or _EXAMPLE.match(secret):
        return False
    return place.kind != "password" or not is_trivial(secret)
