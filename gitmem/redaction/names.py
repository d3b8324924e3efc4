"""What the name of a variable, field, header or flag says about its value."""

from enum import IntEnum
from functools import lru_cache
from typing import Final

from gitmem.redaction.lazily import lazily


class Weight(IntEnum):
    """How much a name says.

    ``RANDOM``: only a value that looks drawn at random is a secret (``key``, ``auth``).
    ``TOKEN``: a value that isn't a plain word is one (``api_key``, ``access_token``).
    ``PASSWORD``: any value is one, people choose words (``password``, ``secret``).
    """

    NONE = 0
    RANDOM = 1
    TOKEN = 2
    PASSWORD = 3


STEMS: Final = (
    "pass", "pw", "psk", "secret", "token", "key", "auth", "cred", "session", "cookie", "jwt",
    "bearer", "csrf", "xsrf", "salt", "mnemonic", "phrase",
)  # fmt: skip
"""In lower case; every name that weighs anything holds one of them."""

_PASSWORDS: Final = frozenset(
    """
    password passwd requirepass passwort pwd passphrase passcode secret passw pass userpass
    dbpass dbpassword dbpasswd rootpw userpassword mypassword pgpassword storepass keypass
    storepassword keypassword rootpassword adminpassword sshpass passwords pswd bindpw dbpw
    userpw smtppw psk wpapsk mnemonic seedphrase
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_TOKENS: Final = frozenset(
    """
    apikey authtoken accesstoken secretkey privatekey accesskey authkey clientsecret apitoken
    refreshtoken bearertoken sessiontoken apisecret authorization accountkey sharedaccesskey
    secretaccesskey encryptionkey
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_RANDOMS: Final = frozenset(
    """
    token tokens key keys auth session sessionid sid cookie jwt bearer csrf xsrf csrftoken
    xsrftoken salt cred creds credential credentials secrets phpsessid jsessionid
    csrfmiddlewaretoken
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
# What makes a key or a token a secret one.
_TELLING: Final = {
    "key": frozenset(
        """
        api access private secret encryption encrypt signing sign master account storage
        subscription license licence service deploy auth client app application shared admin
        functions host webhook ssh hmac aes jwt write ingest consumer x openai anthropic stripe
        sendgrid mailgun aws azure maps datadog dd algolia fernet session token cookie decryption
        root rails
        """.split()  # noqa: SIM905  in quotes and commas nobody would read it
    ),
    "token": frozenset(
        """
        api access auth refresh bearer session id secret bot deploy personal github gh gitlab gl
        npm node slack oauth security private job ci user app device vault x client service admin
        login jwt authentication codecov sonar registry join web identity hf twine sentry discord
        telegram
        """.split()  # noqa: SIM905  in quotes and commas nobody would read it
    ),
}
# A name that ends so speaks about a secret and does not hold it; one that begins so is public.
_ABOUT: Final = frozenset(
    """
    file files filename path paths dir directory folder env envvar environ url uri urls endpoint
    name names id ids field fields label hint type types length len min max count counts size
    limit expiry expires expired expiration in at ttl reset policy strength error errors regex
    pattern column header prefix suffix format version algorithm alg class index kind state
    status required enabled disabled valid invalid validator validators changed placeholder
    manager provider store input source arn ref reference rotation age days hours minutes seconds
    time timeout date created updated usage used budget cost costs price rate window map mapping
    list exists missing set generator verifier scheme method methods mode mgr handler service server
    user host port scope scopes audience issuer realm engine backend stdin prompt message title
    text description help visible visibility hidden show toggle event events press down up code
    codes binding bindings board words word space spaces offset position pos line kinds stream
    iterator expr node nodes ring pair pairs chain agent sock by func fn callback template form
    view page link group bucket table schema constraint order sort sorted separator sep alias
    aliases lookup
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_PUBLIC: Final = frozenset(
    """
    public primary foreign cache sort partition row object dict dictionary json translation i18n
    routing registry rate unique composite natural surrogate candidate hash lookup index map
    config option setting property column field idempotency dedup group grouping message state
    resource storage_class next prev previous last first current max num total prompt completion
    input output cached reasoning hot mon don tur turn mod modifier arrow compose memo react vue
    test_case selector start end lexer parser syntax unexpected invalid eof eol bos sep pad mask
    special
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_PARTS: Final = lazily(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HASHED: Final = frozenset({"hash", "digest", "hashed", "hashes", "encrypted"})


def words_of(name: str) -> list[str]:
    """Split a name where its case or its punctuation does: ``dbPassword2`` is db, password, 2."""
    return [part.lower() for part in _PARTS.findall(name)]


@lru_cache(maxsize=1024)
def weigh(name: str) -> Weight:
    """Tell how much a name says about its value."""
    words = words_of(name)
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return Weight.NONE
    last, before = words[-1], frozenset(words[:-1])
    if last in _HASHED:
        return Weight.RANDOM if before & _PASSWORDS else Weight.NONE
    if last in _ABOUT:
        return Weight.NONE
    if last == "key" and words[-2:-1] == ["secret"]:
        return Weight.TOKEN if len(words) > 2 else Weight.PASSWORD  # noqa: PLR2004  SECRET_KEY is chosen by people
    if before & _PUBLIC or last in _PUBLIC:
        return Weight.NONE
    if words == ["pass"]:
        return Weight.TOKEN  # the verb, or how a test went
    if last in _PASSWORDS or any(
        word in _PASSWORDS and word not in {"secret", "pass"} for word in before
    ):
        return Weight.PASSWORD
    if (
        last in _TOKENS
        or "".join(words[-2:]) in _TOKENS
        or (last in {"data", "base"} and "key" in before)
    ):
        return Weight.TOKEN
    return _of_a_key(last, before)


def _of_a_key(last: str, before: frozenset[str]) -> Weight:
    if last == "phrase" and before & {"pass", "seed", "recovery"}:
        return Weight.PASSWORD
    telling = _TELLING.get(last.removesuffix("s"))
    if telling and before & telling:
        return Weight.TOKEN
    if last in _RANDOMS or ("secret" in before and last != "santa"):
        return Weight.RANDOM
    return Weight.NONE
