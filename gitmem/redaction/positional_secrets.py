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
_NAME: Final = r"[^\s\"'`<>+-][^\s\"'`<>]{0,511}"
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

# The option that takes the password of a command: what stands in it, its name, the option; a blank
# behind it says that the value never stands right behind.
_OPTIONS: Final = (
    ("sshpass ", "sshpass", "-p"), ("redis-cli ", "redis-cli", "-a "), ("zip -", "zip", "-P"), ("unzip ", "unzip", "-P"),
    ("ldap", "ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn|exop)", "-w"),
    ("ssh-keygen", "ssh-keygen", "-[NP]"), ("sqlcmd", "sqlcmd", "-P"), ("bcp ", "bcp", "-P"), ("isql ", "isql", "-P"),
    ("mosquitto_", "mosquitto_(?:pub|sub|rr)", "-P "), ("ipmitool", "ipmitool", "-P "), ("racadm", "racadm", "-p "),
    ("snmp", "snmp[a-z]{2,12}", "-[AX] "), ("mongo", "mongo[a-z]{0,8}", "-p[ =]{1,4}"), ("cqlsh", "cqlsh", "-p "),
    ("rdesktop", "rdesktop", "-p "), ("evil-winrm", "evil-winrm", "-p "), ("useradd", "user(?:add|mod)", "-p "),
    ("usermod", "usermod", "-p "), ("psexec", r"psexec(?:64)?(?:\.exe)?", "-p "), ("az ", "az", "-p "),
    ("twine ", "twine", "-p "), ("rclone", "rclone", "(?:pass|obscure) "), ("schtasks", "schtasks", "/rp "),
    ("xfreerdp", "xfreerdp3?", "/p:"), ("signtool", "signtool", "/p "), ("cmdkey", "cmdkey", "/pass:"),
    ("openssl ", "openssl", "-k "), ("openssl ", "openssl", "-K "), ("beeline", "beeline", "-p "), ("conan ", "conan", "-p "),
    ("altool", "altool", "-p "), ("keychain", "(?:unlock|create)-keychain", "-p "), ("certutil", "certutil", "-p "),
    ("-password ", "add-(?:generic|internet)-password", "-w "), ("knife ", "knife", "-P "), ("eyaml ", "eyaml", "-s "),
    ("elasticsearch-users", "elasticsearch-users", "-p "), ("pdftk", "pdftk", "(?:in|out)put_pw "), ("pdftk", "pdftk", "(?:owner|user)_pw "),
    ("codecov ", "codecov", "-t "), ("snyk ", "snyk", "auth "), ("nuget ", "nuget", "-k "), ("bw ", "bw", "unlock "),
    ("put-parameter", "put-parameter", "--value "), ("secret set", "secret set", "--value[ =]"), ("--secret-string", "aws", "--secret-string[ =]"),
    ("winrm", "winrm", "-p(?:assword)?:"),
    ("wget", "wget", "--(?:http|ftp|proxy)-password[ =]"), ("veracrypt", "veracrypt", "-p "), ("steghide", "steghide", "-p "), ("outguess", "outguess", "-[kK] "),
    ("swift ", "swift", "-K "), ("mega", "mega-?[a-z]{2,12}", "-p "), ("secret-set-value", "secret-set-value", "[\\w-]{1,64} "),
)  # fmt: skip
# What takes a password on its standard input.
_INTO: Final = (
    "--password-stdin", "cryptsetup", "sudo -S", "kinit", "vncpasswd", "passwd --stdin", "su - ", "docker secret",
    "podman secret", "gcloud secrets", "wrangler secret", "keepassxc-cli", "--with-token", "--passphrase-fd", "fly secrets",
    "systemd-creds", "pass insert", "secret-tool", "ssh-add", "gpg ", "smbpasswd -s",
)  # fmt: skip
# Words behind a command, the last of which is the password.
_LAST_WORDS: Final = (
    ("rabbitmqctl", r"rabbitmqctl[ \t]{1,4}(?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,64}"),
    ("mosquitto_passwd", r"mosquitto_passwd[ \t]{1,4}(?:-c[ \t]{1,4})?-b[ \t]{1,4}\S{1,128}[ \t]{1,4}\S{1,64}"),
    ("radtest", r"radtest[ \t]{1,4}\S{1,64}"), ("rasdial", r"rasdial[ \t]{1,4}\S{1,64}[ \t]{1,4}\S{1,64}"),
    ("user:password", r"drush[ \t]{1,4}user:password[ \t]{1,4}\S{1,64}"), ("upwd", r"upwd[ \t]{1,4}\S{1,64}"),
    ("mc alias", r"mc alias set[ \t]{1,4}\S{1,64}[ \t]{1,4}\S{1,128}[ \t]{1,4}\S{1,64}"),
    ("http-basic.", r"http-basic\.\S{1,64}[ \t]{1,4}\S{1,64}"), ("setcookie ", r"-setcookie"),
    (" using ", r"db2[ \t]{1,4}[^\n]{0,80}?\suser[ \t]{1,4}\S{1,64}[ \t]{1,4}using"), ("setapikey", r"setapikey"),
    ("reset-admin-password", r"reset-admin-password"), ("rootpw", r"(?m:^)[ \t]{0,8}rootpw(?:[ \t]{1,4}--?\w{1,16}){0,3}"),
    ("configure set", r"configure set[ \t]{1,4}[\w.]{0,40}(?:secret|token|key)\w{0,24}"),
    ("-server ", r"(?:tacacs|radius)-server[^\n]{0,80}?[ \t]key(?:[ \t]\d)?"),
    ("snmp-server", r"snmp-server user[^\n]{0,80}?[ \t]auth[ \t]\w{2,8}"),
    ("message-digest-key", r"message-digest-key[ \t]\d{1,3}[ \t]md5(?:[ \t]\d)?"),
    ("username ", r"username[ \t]\S{1,64}[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:password|secret)[ \t]\d"),
    ("/d ", r"/v[ \t]{1,4}\"?[\w ]{0,40}(?i:password|passwd|secret|token|apikey)\w{0,24}\"?\s[^\n]{0,80}?/d"),
)  # fmt: skip
_USER_AND: Final = (
    # A user, a colon or a comma, and the password.
    ("--user ", r"--user[ =][ \t]{0,4}[\"']?(?!\d)(?P<u>[\w.@\\-]{1,64}):(?!(?P=u)\b)(?=[^\s\"']{0,64}[\d!#$%*])"), ("-auth ", r"\s-auth[ \t]{1,4}[\"']?[\w.@\\-]{1,64}:"),
    ("addauth", r"addauth[ \t]{1,4}digest[ \t]{1,4}\S{1,64}?:"), (".LOGON ", r"(?i:\.logon)[ \t]{1,4}\S{1,64}?,"),
    (":587 ", r":(?:25|465|587)[ \t]{1,8}[\w.+-]{1,64}(?:@[\w.-]{1,128})?:"),
)  # fmt: skip
# Whatever the command: it takes a user, and what looks like nobody's port, path or version.
_ANY_COMMAND: Final = (
    r" -(?:[uUlx]|-user(?:name)?)[ =][\"']?[A-Za-z_][\w.@\\-]{0,63}[\"']?[ \t][^\n|;]{0,120}?"
    r"(?<=[ \t])-[pPK][ \t]{1,2}[\"']?((?=[^\s\"']{0,32}\d)(?=[^\s\"']{0,32}[A-Za-z])[^\s\"':/=.,|;&<>_-]{6,64})(?![^\s\"'])"
)
_ARGUMENT_OF: Final = "the password argument of a command"

PLACES: Final[tuple[CredentialPosition, ...]] = (
    *(
        CredentialPosition("password", clue, rf"{name}\b[^\n|;]{{0,256}}?[ \t]{option.rstrip()}[ \t]{{{int(option[-1] == ' ')},4}}{_ARGUMENT}", _ARGUMENT_OF)
        for clue, name, option in _OPTIONS
    ),
    *(CredentialPosition("password", clue, _PIPED + rf"[^\n|]{{0,200}}?{re.escape(clue.strip())}", "what is piped into a command") for clue in _INTO),
    *(CredentialPosition("password", clue, rf"{words}[ \t]{{1,4}}{_ARGUMENT}", _ARGUMENT_OF) for clue, words in _LAST_WORDS),
    *(CredentialPosition("password", clue, rf"{words}([^\s\"',]{{3,256}})", "between a user and a host") for clue, words in _USER_AND),
    CredentialPosition("url-password", "://", r"://[^\s/?#:@\"'`<>]{0,128}:([^\s/\"'`<>]{1,256})@", "between a user and a host"),
    CredentialPosition("netrc-password", "login", "login" + _BLANK + _NAME + _BLANK + "(?:account" + _BLANK + _WORD + _BLANK + ")?password" + _BLANK
          + "(" + _WORD + ")", "the form of .netrc"),
    CredentialPosition("netrc-password", "machine", "machine" + _BLANK + _NAME + _BLANK + "password" + _BLANK + "(" + _WORD + ")", "the form of .netrc"),
    CredentialPosition("password", "curl ", "curl" + _USER, "the user argument of a command"),
    CredentialPosition("password", "wget ", "wget" + _USER, "the user argument of a command"),
    CredentialPosition("password", "mysql", r"mysql[a-z]{0,8}\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "mariadb", r"mariadb\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", " login ", r" login\b[^\n|;]{0,256}?\s-p[ =]?" + _ARGUMENT, _ARGUMENT_OF),
    CredentialPosition("password", "IDENTIFIED BY", _SQL.format("IDENTIFIED BY"), "SQL"),
    CredentialPosition("password", "IDENTIFIED WITH", _SQL.format(r"IDENTIFIED WITH\s{1,4}\w{1,40}\s{1,4}BY"), "SQL"),
    CredentialPosition("password", "IDENTIFIED BY", r"(?:CREATE|ALTER)\s{1,4}USER\s{1,4}\S{1,64}\s{1,4}IDENTIFIED BY\s{1,4}([A-Za-z0-9_$#!*.-]{3,128})(?=\s*(?:;|\n|\Z|[A-Z]))", "SQL"),
    CredentialPosition("password", "PASSWORD FOR", r"PASSWORD FOR\s[^\n=;]{1,128}=\s{0,4}(?:\w{1,16}\()?[\"']([^\"'\n]{1,256})", "SQL"),
    CredentialPosition("password", "getConnection(", r"getConnection\([^()\n]{1,256}?,\s{0,4}\"[^\"\n]{1,64}\",\s{0,4}\"([^\"\n]{3,256})\"\s{0,4}\)", "the last of address, user and password"),
    CredentialPosition("password", "Credentials(", r"Credentials\(\s{0,4}(?:\"[^\"\n]{0,64}\",\s{0,4}){1,3}\"([^\"\n]{3,256})\"\s{0,4}\)", "the last of address, user and password"),
    CredentialPosition("password", ".toCharArray", r"(?:PasswordAuthentication|PasswordProtection|PBEKeySpec|\.load|\.init|\.getKey)\([^()\n\"]{0,80}(?:\"[^\"\n]{0,64}\",\s{0,4})?\"([^\"\n]{3,256})\"\.toCharArray", "what is made an array of signs"),
    CredentialPosition("password", "forHTTPHeader", r"setValue:@?\"([^\"\n]{8,512})\"\s{1,4}forHTTPHeaderField:\s{0,4}@?\"[^\"\n]{0,40}(?i:key|token|auth|secret)", "the name that it is given to"),
    CredentialPosition("password", "login(", r"\b(?:login|log_in|signin|sign_in|authenticate)" + _PAIR.replace("n]{3,", r"n\s]{3,"), "the second of user and password"),
    CredentialPosition("password", ".connect(", r"\.connect\([^()\n\"']{1,128}?,\s{0,4}([\"'])[^\"'\n]{1,64}\1,\s{0,4}([\"'])([^\"'\n]{3,256})\2", "the second of user and password"),
    CredentialPosition("password", "auth = (", "auth = " + _PAIR, "the second of user and password"),
    CredentialPosition("password", 'variable "', r"variable\s{1,4}\"[^\"\n]{0,48}(?:passw(?:or)?d|secret|token|api_?key|pwd)\d?\"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,8}=\s{0,4}\"([^\"\n]{3,256})\"", "the name that it is given to"),
    CredentialPosition("password", "send ", r"assword[^\n]{0,80}\n\s{0,16}(?:exp_)?send\s{1,4}(?:--\s{1,4})?\"([^\"\\\n]{3,256})\\[rn]", "what is sent when a password is asked for"),
    CredentialPosition("password", "PASS ", r"(?m:^)(?:[>*<-]{1,4}\s{1,4})?PASS\s{1,4}([^\s\"']{3,256})\r?(?m:$)", "what a protocol asks for"),
    CredentialPosition("password", "> user ", r"ftp> user\s{1,4}\S{1,64}\s{1,4}(\S{3,256})", "what a protocol asks for"),
    CredentialPosition("password", " LOGIN ", r"(?m:^)(?:[>C*]:?\s{1,4})?[A-Za-z]{0,4}\d{1,6}\s{1,4}LOGIN\s{1,4}\"?[^\s\"]{1,64}\"?\s{1,4}\"?([^\s\"]{3,256})", "what a protocol asks for"),
    CredentialPosition("password", "UGFzc3dvcmQ6", r"UGFzc3dvcmQ6[ \t\r]{0,8}\n(?:[>C*]:?[ \t]{1,4})?([A-Za-z0-9+/]{4,512}={0,2})\r?(?m:$)", "what a protocol asks for"),
    CredentialPosition("password", "mechanism=", r"mechanism=[\"'](?:PLAIN|LOGIN)[\"'][^<>\n]{0,80}>([A-Za-z0-9+/]{8,512}={0,2})<", "user and password in base64"),
    CredentialPosition("password", "createUser ", r"createUser\s{1,4}\S{1,64}\s{1,4}(?:MD5|SHA[-\d]{0,4})\s{1,4}\"?([^\s\"]{3,256})", "the form of snmpd.conf"),
    CredentialPosition("password", "XAUTH ", r"XAUTH\s{1,4}\"([^\"\n]{3,256})\"", "the form of ipsec.secrets"),
    CredentialPosition("password", "chpasswd:", r"chpasswd:\s[^\n]{0,80}\n?(?:[^\n]{0,80}\n){0,4}?\s{1,16}-?\s{0,4}[\w.-]{1,64}:([^\s:]{3,256})(?m:$)", "the form of cloud-init"),
    CredentialPosition("password", "nseal Key", r"nseal Key(?: \d{1,3})?:\s{1,8}([A-Za-z0-9+/]{32,128}={0,2})", "the name that it is given to"),
    CredentialPosition("password", "following password", r"following password[^\n]{0,80}:\s{0,8}\n\s{0,8}([A-Za-z0-9]{16,64})\s", "the form of Jenkins' first start"),
    CredentialPosition("password", "oauth:", r"oauth:([a-z0-9]{30})(?![A-Za-z0-9])", "the form of a password for Twitch"),
    CredentialPosition("password", "sonar.login=", r"sonar\.login=([0-9a-f]{40})", "the name that it is given to"),
    CredentialPosition("password", "--from-literal", r"create secret\s[^\n|;]{0,256}?--from-literal[= ][\"']?[\w.-]{1,64}=([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("bearer-token", "bearer -a ", r"bearer -a\s{1,4}([A-Za-z0-9._~+/=-]{16,4096})", "the word before it"),
    CredentialPosition("password", "passtype", r"\npassword\nV \d{1,4}\n([^\n]{3,256})", "the form of Subversion's files"),
    CredentialPosition("password", "user ", r"user \S{1,64} on (?:\S{1,64} ){0,8}?>(\S{3,256})(?= [~+&%-])", "the form of Redis's rules"),
    CredentialPosition("password", "jwt.", r"\bjwt\.(?:sign|verify|encode|decode)\([^()\n\"']{1,128},\s{0,4}[\"']([^\"'\n]{3,256})[\"']", "what signs a token"),
    CredentialPosition("password", "--cert", r"curl\b[^\n|;]{0,256}?\s--cert[ =][\"']?[^\s:\"']{1,128}:([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "curl ", r"curl\b[^\n|;]{0,256}?\s-E\s{0,4}[\"']?[^\s:\"']{1,128}:([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password-hash", "}", r"\{(?:S?(?:SHA\d{0,3}|MD5)|CRYPT)\}([A-Za-z0-9+/=$.]{16,512})", "the form of a hash"),
    CredentialPosition("password", "AC", r"AC[0-9a-f]{32}[\"'],\s{0,8}[\"']([0-9a-f]{32})[\"']", "the second of user and password"),
    CredentialPosition("password", "add-mask::", r"::add-mask::([^\s]{3,512})", "what a job was told to hide"),
    CredentialPosition("password", "dentified by", _STATEMENT + _SQL.format("dentified by"), "SQL"),
    CredentialPosition("password", "7z", r"7z[ar]?\s[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", " pass:", r"-pass(?:in|out|word)?\s{1,4}pass:([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "sqlplus", r"sqlplus\b[^\n|;/]{0,128}?\s[\w$#.]{1,64}/([^\s@/\"']{3,256})@", "between a user and a host"),
    CredentialPosition("password", "net use", r"net use\s[^\n|;]{0,128}?\\\\[^\s]{1,256}\s{1,4}([^\s/\"'*]{3,256})\s{1,4}/user:", _ARGUMENT_OF),
    CredentialPosition("password", "SecureString", r"ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?" + _ARGUMENT, "what is made secure only there"),
    CredentialPosition("password", "Secret", r"Secret(?:Str|String|Bytes|Value|KeySpec)(?:::(?:new|from))?\(\s{0,4}b?[\"']([^\"'\n]{3,256})[\"']", "what says that it is one"),
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
    CredentialPosition("password", "authtoken ", r"(?:add-|ngrok )authtoken\s{1,4}([A-Za-z0-9_-]{20,256})", _ARGUMENT_OF),
    CredentialPosition("password", "/user:", r"net use\s[^\n|;]{0,256}?/user:\S{1,128}\s{1,4}([^\s/\"\'*]{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", " -U", r" -U\s{0,4}[\"']?[\w.\\/-]{1,64}%([^\s\"']{3,256})", _ARGUMENT_OF),
    *(CredentialPosition("password", f" -{letter} ", _ANY_COMMAND, _ARGUMENT_OF) for letter in "pPK"),
    CredentialPosition("password", ".py ", r"\.py[ \t](?:-\S{1,64}[ \t]){0,4}(?:[\w.-]{1,64}/)?[A-Za-z][\w.-]{0,63}:([^\s@:/\"']{6,128})@[\w-]", "between a user and a host"),
    CredentialPosition("password", "<auth-user-pass>", r"<auth-user-pass>\r?\n[^\n]{1,128}\n([^\s<]{3,256})\r?\n", "the form of OpenVPN's settings"),
    CredentialPosition("password", ".connect(", r"\b(?:wlan|wifi|sta|sta_if|nic)\.connect" + _PAIR, "the second of network and password"),
    CredentialPosition("password", "htpasswd", r"htpasswd\s{1,4}(?:-\S{1,8}\s{1,4}){0,4}?-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}(?:-\S{1,8}\s{1,4}){0,4}\S{1,256}\s{1,4}\S{1,128}\s{1,4}([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "chpasswd", r"[\"\']?[\w.-]{1,64}:([^\s\"\':|]{3,256})[\"\']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd", _ARGUMENT_OF),
    CredentialPosition("password", "wpa_passphrase", r"wpa_passphrase\s{1,4}(?:\"[^\"\n]{1,64}\"|\S{1,64})\s{1,4}" + _ARGUMENT, _ARGUMENT_OF),
    CredentialPosition("password", "lftp ", r"lftp\b[^\n|;]{0,256}?\s-u\s{1,4}[\"\']?[^\s,\"\']{1,128},([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "unrar", r"unrar\s[^\n|;]{0,256}?\s-h?p([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "rar a", r"rar\s[^\n|;]{0,256}?\s-h?p([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "http ", r"https?(?=\s)[^\n|;]{0,256}?\s-a\s{1,4}[\"\']?[^\s:\"\']{1,128}:([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "ab -", r"ab(?=\s)[^\n|;]{0,256}?\s-[AP]\s{1,4}[\"\']?[^\s:\"\']{1,128}:([^\s\"\']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "nmcli", r"nmcli\b[^\n|;]{0,256}?\s(?:password|wifi-sec\.psk)\s{1,4}" + _ARGUMENT, _ARGUMENT_OF),
    CredentialPosition("password", "iwconfig", r"iwconfig\b[^\n|;]{0,128}?\skey\s{1,4}(?:s:)?" + _ARGUMENT, _ARGUMENT_OF),
    CredentialPosition("password", "smbpasswd", r"(?:printf|echo)\s{1,4}(?:-\w{1,3}\s{1,4})?[\"\']([^\s\"\'\\]{3,256})\\n[^|\n]{0,256}\|\s{0,4}(?:sudo\s{1,4})?(?:smb)?passwd", _ARGUMENT_OF),
    CredentialPosition("password", "net user", r"net user\s{1,4}[^\s/]{1,64}\s{1,4}([^\s/*\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "winrs", r"winrs\b[^\n|;]{0,256}?\s[-/]p(?:assword)?:([^\s\"']{3,256})", _ARGUMENT_OF),
    CredentialPosition("password", "gh secret", r"gh secret set\s[^\n|;]{0,128}?(?:--body|-b)[ =]\s{0,4}" + _ARGUMENT, _ARGUMENT_OF),
    CredentialPosition("password", ":_authToken", r":_authToken\s{1,4}" + _ARGUMENT, _ARGUMENT_OF),
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
    CredentialPosition("signature", "outlook.office", r"outlook\.office(?:365)?\.com/webhook/([A-Za-z0-9@/-]{60,256}(?:IncomingWebhook)?[A-Za-z0-9@/-]{0,128})", "the address of a hook"),
    CredentialPosition("webhook", "hooks.nabu.casa/", r"hooks\.nabu\.casa/([\w=-]{40,512})", "the address of a hook"),
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
_PLAIN: Final = lazily(
    r"(?m:^)[+\- ]?[ \t]{0,8}stringData:[ \t]{0,8}\n((?:[+\- ]?[ \t]+[^\n]{1,4096}(?:\n|\Z))+)"
)
_PLAIN_ENTRY: Final = lazily(
    r"[\w.-]{1,128}:[ \t]{1,8}[\"']?([^\s\"'|>][^\n\"']{2,1024}?)[\"']?[ \t]*(?m:$)"
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
    for data in _PLAIN.finditer(text, begin, end if until < 0 else until):
        for match in _PLAIN_ENTRY.finditer(text, *data.span(1)):
            if not is_reference(match[1]) and not is_trivial(match[1]):
                yield SecretSpan(*match.span(1), "secret", match[1], "the data of a secret")


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
