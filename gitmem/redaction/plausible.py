"""How much a name or a value alone speaks for a secret."""

import binascii
import re
from collections import Counter
from enum import IntEnum
from functools import lru_cache
from math import log2
from typing import Final

from gitmem.lazy_pattern import lazily

LONGEST_JUDGED: Final = 256
"""Characters of a value that are looked at to judge it."""

# Never secret, whatever they are assigned to. What people put into examples, and the names
# of types and states that follow a colon in code, schemas and messages.
_TRIVIAL: Final = frozenset(
    """
    access account admin administrator any api apikey array attribute auth authentication author
    authorization available bad bearer bool boolean bytes bytearray changed changeme char check
    column correct credentials credential custom default demo denied development digest disabled
    does dummy email empty enabled encrypted enter environment error example expired external
    failed failure fake false field file final first float foobar format found from function
    global guest hash header hidden identifier ignored incorrect input int integer internal
    invalid key keyword last length letmein list local localhost login long malformed mask masked
    match matches maximum minimum mismatch missing must name needed never new next nil none null
    number object off ok old omitted optional options owner param parameter pass passed passwd
    password passphrase path pattern phrase placeholder please postgres postgresql pre present
    private production prompt property public query raise random readonly redacted register
    removed replace required reset response restricted return root sample sanitized secret
    secrets securestring self session set sign signature skipped staging static str string
    success super template temporary test tested tester testing text this todo token tokens too
    true tuple type unauthorized undefined unexpected unicode unknown unset unused update updated
    url user username users utf-8 valid value values variable varchar var void warning was weak
    wrong xxx yes your
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_EXAMPLE: Final = lazily(
    r"(?i:"
    r"[<\[{(%$*#@&!|\\].{0,2}\Z"  # a lone sign
    r"|[x*.•●_#?:-]{3,}\Z|(.)\1*\Z"  # xxxx, ****, one character repeated
    r"|(?:your|my|some|the|an?|insert|enter|put|add|replace|change|example|sample|dummy|fake|test|todo)"
    r"(?:[-_ ][a-z]+){0,6}[-_ ]?(?:api|auth|access)?[-_ ]?"
    r"(?:password|passwd|secret|token|key|credentials?|value|here|me|it|goes|this|example)\Z"
    r")"
)
# Where the value is not in the text: a variable, a format field, something taken out before.
_REFERENCE: Final = lazily(
    r"(?:b?[\"'])?(?:"
    r"\$(?:[A-Za-z_{(]|\d\Z)|%\(|%[sdrvq]|%[A-Za-z_]+%\Z|\{|\\?\(|#\{|@[A-Za-z.]+@|@-?\Z"
    r"|<[A-Za-z_/!%?][^<>]{0,80}>|<redacted:|\[[A-Za-z_ .-]{2,40}(?:\]|\Z)"
    r"|(?:id|type|src|source|env)="
    r"|!(?:Ref|Sub|GetAtt|vault|ENC|secret|reference)\b|ENC\[|secret://|vault:|env:|op://|arn:aws"
    r"|[*•●]{3}|&[A-Za-z_]\w*(?:\Z|=)|(?:&[a-z]{2,6};?){1,4}\Z|\.\.\.|…|-\Z|:[a-z]+:"
    r"|process\.env|os\.environ|secrets\.|var\.|data\.|self\.|this\.|env\."
    r")"
)
_WORDS: Final = lazily(r"[^\W\d_]+")
_UUID: Final = lazily(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_HEX: Final = lazily(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_TOKEN: Final = lazily(r"[A-Za-z0-9+/=_.~%:-]+\Z")
_PIECES: Final = lazily(r"[a-z]+|[A-Z][a-z]+|[A-Z]+|\d+")
_LEAST_BITS: Final = 2.9
_LEAST_CHANGES: Final = 0.27
_DIGESTS: Final = frozenset({7, 8, 12, 32, 40, 56, 64, 96, 128})


def is_trivial(value: str) -> bool:
    """Tell whether a value is a word that nobody keeps secret, or stands for one."""
    low = value.strip(" \t'\"`.,;:!?").lower()
    return not low or low in _TRIVIAL or len(low) <= 2 or is_example(value)  # noqa: PLR2004


def is_example(value: str) -> bool:
    """Tell whether a value is made to be replaced: ``your-token-here``, ``xxxxxxxx``."""
    return _EXAMPLE.match(value[:LONGEST_JUDGED]) is not None


def is_reference(value: str) -> bool:
    """Tell whether a value says where the secret is instead of what it is."""
    return _REFERENCE.match(value[:LONGEST_JUDGED]) is not None


def is_words(value: str) -> bool:
    """Tell whether a value is nothing but letters in one or more words."""
    return all(part.isalpha() for part in re.split(r"[ _.\-/'\u2019]+", value) if part)


def bits(value: str) -> float:
    """Give Shannon's entropy of a value, in bits a character."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_random(value: str, least: int = 16) -> bool:
    """Tell whether a value looks drawn at random and not made of words, dates and versions."""
    value = value[:LONGEST_JUDGED]
    if len(value) < least or not _TOKEN.match(value) or bits(value) < _LEAST_BITS:
        return False
    digits = sum(character.isdigit() for character in value)
    if not digits or digits == len(value) or value.count(":") > 1:
        return False
    pieces = _PIECES.findall(value)
    changes = len(pieces) - 1 - sum(value.count(sign) for sign in "-_./")
    return changes >= _LEAST_CHANGES * sum(map(len, pieces)) or (
        len(value) >= 2 * least and changes >= _LEAST_CHANGES / 2 * sum(map(len, pieces))
    )


def is_digest(value: str) -> bool:
    """Tell whether a value has the form of a digest, an object id or a UUID."""
    return bool(_UUID.match(value)) or (len(value) in _DIGESTS and bool(_HEX.match(value)))


def is_basic(value: str) -> bool:
    """Tell whether a value is ``user:password`` in base64."""
    try:
        decoded = binascii.a2b_base64(value[: LONGEST_JUDGED // 4 * 4], strict_mode=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded[1:-1] and decoded.isascii() and decoded.decode().isprintable()


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

HEADS: Final = (
    "passw", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "access_key",
)  # fmt: skip
"""What the name at the head of a column holds."""
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
    secretaccesskey encryptionkey pw
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
# Services whose keys have no form of their own: digests, UUIDs, letters and digits.
_SERVICES: Final = frozenset(
    """
    abstractapi adafruit adobe ahrefs airbrake airtable aiven alchemy amplitude anypoint apify
    apilayer appcenter apptweak assemblyai avaza aviationstack bannerbear bitbucket bitly
    bitrise blynk branchio brandfetch brevo browserstack bugsnag buildkite calendarific calendly
    checkly circleci clarifai clearbit clickup clockify cloudconvert cloudflare cloudinary
    cloudsmith codacy codeclimate codemagic cohere coinapi coinbase coinmarketcap contentful
    convertkit coveralls crowdin cryptocompare deepai deepgram deepl detectify digitalocean
    discogs disqus docparser dropbox elevenlabs etherscan eventbrite everhour facebook fastly
    figma finnhub fixer flickr foursquare freshdesk fullstory geoapify geocodio getresponse
    giphy gumroad helpscout heroku honeybadger honeycomb hubspot hunter imgbb imgur infracost
    infura insightly instagram intercom ipdata ipgeolocation ipify ipinfo ipqualityscore ipstack
    iterable jenkins jotform jumpcloud klaviyo knapsack knapsackpro kontent kraken launchdarkly
    lemlist linkedin lob loggly logzio lokalise loops mailchimp mailerlite mailgun mailjet
    mandrill mapbox mapquest mavenlink mediastack messagebird mistral mixpanel monday moralis
    mouser netlify newsapi newscatcher ngrok notion numverify nylas octopart okta omdb onesignal
    opencage opencagedata openrouter opensea opentok openuv openweather openweathermap opsgenie
    optimizely owm pagerduty partnerstack pastebin paypal paystack pdflayer pepipost perplexity
    pexels pinata pinboard pipedream pipedrive pivotal pixabay plaid planetscale polygon
    polygonscan posthog postmark pubnub pushbullet pusher pushover qase quandl quicknode
    rapidapi raygun rebrandly recaptcha replicate resend rollbar saucelabs scaleway scraperapi
    scrapingant scrapingbee scrutinizer segment semaphore semrush sendbird sendgrid sentry
    serpapi shodan shopify shortcut shotstack simplesat smartsheet smugmug snyk sonarqube
    sparkpost splunk spoonacular spotify square statuscake statuspage statuspal streamlabs
    supabase tatum tavily theoddsapi tiingo tinify tinypng tmdb todoist toggl tomtom transloadit
    travelpayouts travis trello tumblr twilio twitch twitter typeform unsplash upcdatabase
    uploadcare uptimerobot uptrends urlscan vercel virustotal visualcrossing vultr wakatime
    wandb weatherapi weatherbit weatherstack wistia wolfram worldcoinindex yandex yelp youtube
    zendesk zenrows zenscrape zeplin zerobounce zerotier zoho zoom
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
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
_CHOSEN: Final = frozenset({"password", "passwd", "passphrase"})
"""What nobody makes public, whatever stands before it."""
# Written as one word with whose it is: sqlpassword, hapikey.
_COMPOUND: Final = lazily(
    r"(?:[a-z]{1,24}(?=password|passphrase|apikey|authtoken|secretkey)"
    r"|(?:remote|admin|mail|imap|smtp|ldap|http|proxy|redis|mongo|sql|ftp|vnc|app)(?=pass))"
    r"(password|passphrase|apikey|authtoken|secretkey|passw?d?)\Z"
)
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
    if compound := _COMPOUND.match(words[-1]):
        words[-1] = "passwd" if compound[1] == "pass" else compound[1]
    last, before = words[-1], frozenset(words[:-1])
    if last in _HASHED:
        return Weight.RANDOM if before & _PASSWORDS else Weight.NONE
    if last in _ABOUT:
        return Weight.NONE
    if last == "key" and words[-2:-1] == ["secret"]:
        return Weight.TOKEN if len(words) > 2 else Weight.PASSWORD  # noqa: PLR2004  SECRET_KEY is chosen by people
    if (before & _PUBLIC and last not in _CHOSEN) or last in _PUBLIC:
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
    if telling and (before & telling or before & _SERVICES):
        return Weight.TOKEN
    if last in _RANDOMS or ("secret" in before and last != "santa"):
        return Weight.RANDOM
    return Weight.NONE
