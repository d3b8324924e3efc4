"""A third corpus: the kinds of secrets that two public lists of detectors tell of.

Which kinds there are, and of what letters and how many each is made, is what the rules of gitleaks
(of July 2026) and the plugins of detect-secrets (of April 2026) state; names and places are ours.
Drawn at run time from a seeded source, like the others. Another kind is one line.

Left out is what is not secret (ids of clients and accounts, public keys) and what has no form
(any 40 hexadecimal digits, which an id of a commit is, and the name of a file).
"""
# ruff: noqa: E501  a row a kind, and what it is made of

import random
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
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

SMALL = LOWER + DIGITS
SMALL_SIGNS = SMALL + "=_-"
LARGE = UPPER + DIGITS
BASE32 = UPPER + "234567"


def _of(prefix: str, alphabet: str, *sizes: int, between: str = "", end: str = "") -> Make:
    """Draw pieces of these sizes behind a prefix, something between them and at the end."""
    return lambda draw: prefix + between.join(draw.of(alphabet, size) for size in sizes) + end


def _uuid(prefix: str = "", alphabet: str = HEX) -> Make:
    return _of(prefix, alphabet, 8, 4, 4, 4, 12, between="-")


def _in_base64(make: Make) -> Make:
    return lambda draw: b64encode(make(draw).encode()).decode()


def _jwt(draw: Draw) -> str:
    parts = ["eyJ" + draw.of(ALNUM, 30), "eyJ" + draw.of(URLSAFE, 60), draw.of(URLSAFE, 43)]
    return ".".join(parts)


def _pem(draw: Draw) -> str:
    return "\n".join(draw.of(BASE64, 64) for _ in range(4))


# Recognised wherever they stand: prefixes are put together here, so that no scanner takes this
# file for a leak.
BY_FORM: Final[tuple[tuple[str, Make], ...]] = (
    ("1password secret key", lambda d: "A3-" + "-".join(d.of(LARGE, n) for n in (6, 11, 5, 5, 5))),
    ("1password secret key, older", lambda d: "A3-" + "-".join(d.of(LARGE, n) for n in (6, 6, 5, 5, 5, 5))),
    ("1password service account", _of("ops_" + "eyJ", BASE64, 260)),
    ("adobe client secret", _of("p8" + "e-", ALNUM, 32)),
    ("age", _of("AGE-SECRET-" + "KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    ("airtable personal", lambda d: "pa" + "t" + d.of(ALNUM, 14) + "." + d.of(HEX, 64)),
    ("alibaba access key", _of("LT" + "AI", ALNUM, 20)),
    ("anthropic", _of("sk-" + "ant-api03-", URLSAFE, 93, end="AA")),
    ("anthropic admin", _of("sk-" + "ant-admin01-", URLSAFE, 93, end="AA")),
    ("artifactory", _of("AK" + "Cp", ALNUM, 69)),
    ("artifactory reference", _of("cmVm" + "dGtuOjAxOj", ALNUM, 50)),
    ("atlassian", _of("ATA" + "TT3", ALNUM + "_-=", 186)),
    ("authress", lambda d: "s" + "c_" + d.of(SMALL, 12) + "." + d.of(SMALL, 5) + ".acc-" + d.of(SMALL, 20) + "." + d.of(SMALL, 64)),
    ("authress extension", lambda d: "auth" + "ress_" + d.of(SMALL, 12) + "." + d.of(SMALL, 5) + ".acc_" + d.of(SMALL, 20) + "." + d.of(BASE64, 64)),
    ("aws", _of("AK" + "IA", BASE32, 16)),
    ("aws temporary", _of("AS" + "IA", BASE32, 16)),
    ("aws bearer", _of("AB" + "IA", BASE32, 16)),
    ("aws context", _of("AC" + "CA", BASE32, 16)),
    ("aws other", _of("A3" + "TX", BASE32, 16)),
    ("bedrock", _of("AB" + "SK", BASE64, 128)),
    ("bedrock, short", _of("bedrock-api-" + "key-YmVkcm9jay5hbWF6b25hd3MuY29t", BASE64, 120)),
    ("azure ad", lambda d: d.of(ALNUM, 3) + "8Q" + "~" + d.of(ALNUM + "_.-", 33) + "a"),
    ("clickhouse", _of("4b" + "1d", ALNUM, 38)),
    ("clojars", _of("CLO" + "JARS_", SMALL, 60)),
    ("cloudflare origin", _of("v1.0" + "-", HEX, 24, 146, between="-")),
    ("databricks", _of("da" + "pi", HEX, 32)),
    ("defined networking", lambda d: "dn" + "key-" + d.of(SMALL_SIGNS, 26) + "-" + d.of(SMALL_SIGNS, 52)),
    ("digitalocean", _of("do" + "p_v1_", HEX, 64)),
    ("digitalocean oauth", _of("do" + "o_v1_", HEX, 64)),
    ("digitalocean refresh", _of("do" + "r_v1_", HEX, 64)),
    ("discord bot", lambda d: "MT" + d.of(ALNUM, 22) + "." + d.of(ALNUM, 6) + "." + d.of(ALNUM, 27)),
    ("doppler", _of("dp.pt" + ".", ALNUM, 43)),
    ("dropbox, short", _of("s" + "l.", SMALL + "-", 134, end="x")),
    ("duffel", _of("duf" + "fel_live_", SMALL + "_-", 43)),
    ("dynatrace", lambda d: "dt0" + "c01." + d.of(LARGE, 24) + "." + d.of(LARGE, 64)),
    ("easypost", _of("EZ" + "AK", ALNUM, 54)),
    ("easypost test", _of("EZ" + "TK", ALNUM, 54)),
    ("facebook app", lambda d: d.of(DIGITS, 15) + "|" + d.of(ALNUM + "_-", 27)),
    ("facebook page", _of("EAA" + "M", ALNUM, 120)),
    ("flutterwave", _of("FLW" + "SECK_TEST-", "abcdefgh" + DIGITS, 32, end="-X")),
    ("flutterwave encryption", _of("FLW" + "SECK_TEST-", "abcdefgh" + DIGITS, 12)),
    ("fly", _of("fo" + "1_", URLSAFE, 43)),
    ("fly macaroon", _of("fm" + "2_", BASE64, 120)),
    ("fly macaroon, first", _of("fm1" + "r_", BASE64, 120)),
    ("frame.io", _of("fio" + "-u-", SMALL + "-_=", 64)),
    ("google", _of("AI" + "za", URLSAFE, 35)),
    ("github", _of("gh" + "p_", ALNUM, 36)),
    ("github oauth", _of("gh" + "o_", ALNUM, 36)),
    ("github app", _of("gh" + "u_", ALNUM, 36)),
    ("github server", _of("gh" + "s_", ALNUM, 36)),
    ("github refresh", _of("gh" + "r_", ALNUM, 36)),
    ("github fine-grained", _of("github" + "_pat_", ALNUM + "_", 82)),
    ("gitlab", _of("gl" + "pat-", URLSAFE, 20)),
    ("gitlab, routable", lambda d: "gl" + "pat-" + d.of(URLSAFE, 27) + "." + d.of(SMALL, 9)),
    ("gitlab job", lambda d: "gl" + "cbt-" + d.of(ALNUM, 2) + "_" + d.of(URLSAFE, 20)),
    ("gitlab deploy", _of("gl" + "dt-", URLSAFE, 20)),
    ("gitlab feature flags", _of("gl" + "ffct-", URLSAFE, 20)),
    ("gitlab feed", _of("gl" + "ft-", URLSAFE, 20)),
    ("gitlab mail", _of("gl" + "imt-", URLSAFE, 25)),
    ("gitlab agent", _of("gl" + "agent-", URLSAFE, 50)),
    ("gitlab oauth", _of("gl" + "oas-", URLSAFE, 64)),
    ("gitlab trigger", _of("gl" + "ptt-", HEX, 40)),
    ("gitlab registration", _of("GR13" + "48941", URLSAFE, 20)),
    ("gitlab runner", _of("gl" + "rt-", URLSAFE, 20)),
    ("gitlab runner, routable", lambda d: "gl" + "rt-t1_" + d.of(URLSAFE, 27) + "." + d.of(SMALL, 9)),
    ("gitlab scim", _of("gl" + "soat-", URLSAFE, 20)),
    ("grafana key", _of("eyJ" + "rIjoi", ALNUM, 80)),
    ("grafana cloud", _of("gl" + "c_", BASE64, 80)),
    ("grafana service account", lambda d: "gl" + "sa_" + d.of(ALNUM, 32) + "_" + d.of(HEX, 8)),
    ("harness", lambda d: "pa" + "t." + d.of(URLSAFE, 22) + "." + d.of(ALNUM, 24) + "." + d.of(ALNUM, 20)),
    ("harness service account", lambda d: "sa" + "t." + d.of(URLSAFE, 22) + "." + d.of(ALNUM, 24) + "." + d.of(ALNUM, 20)),
    ("terraform", lambda d: d.of(ALNUM, 14) + ".atlas" + "v1." + d.of(SMALL + "-_", 64)),
    ("heroku", _of("HRKU" + "-AA", URLSAFE, 58)),
    ("huggingface", _of("hf" + "_", LOWER + UPPER, 34)),
    ("huggingface organization", _of("api" + "_org_", LOWER + UPPER, 34)),
    ("infracost", _of("ic" + "o-", ALNUM, 32)),
    ("intra42", _of("s-s4" + "t2af-", HEX, 64)),
    ("jwt", _jwt),
    ("jwt in base64", _in_base64(lambda d: "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + d.of(ALNUM, 40) + "." + d.of(URLSAFE, 43))),
    ("linear", _of("lin" + "_api_", ALNUM, 40)),
    ("mailchimp", _of("", HEX, 32, end="-us" + "12")),
    ("mailgun", _of("key" + "-", HEX, 32)),
    ("maxmind", lambda d: d.of(ALNUM, 6) + "_" + d.of(ALNUM, 29) + "_m" + "mk"),
    ("new relic user", _of("NR" + "AK-", LARGE, 27)),
    ("new relic browser", _of("NR" + "JS-", HEX, 19)),
    ("new relic insert", _of("NR" + "II-", URLSAFE.replace("_", ""), 32)),
    ("notion", lambda d: "nt" + "n_" + d.of(DIGITS, 11) + d.of(ALNUM, 35)),
    ("npm", _of("np" + "m_", ALNUM, 36)),
    ("octopus", _of("AP" + "I-", LARGE, 26)),
    ("openai", lambda d: "sk" + "-" + d.of(ALNUM, 20) + "T3Blbk" + "FJ" + d.of(ALNUM, 20)),
    ("openai project", lambda d: "sk" + "-proj-" + d.of(URLSAFE, 74) + "T3Blbk" + "FJ" + d.of(ALNUM, 74)),
    ("openshift", _of("sha" + "256~", URLSAFE, 43)),
    ("perplexity", _of("pp" + "lx-", ALNUM, 48)),
    ("plaid", _uuid("access-" + "development-")),
    ("plaid production", _uuid("access-" + "production-")),
    ("planetscale", _of("pscale" + "_tkn_", ALNUM + "=_.-", 42, end="a")),
    ("planetscale oauth", _of("pscale" + "_oauth_", ALNUM + "=_.-", 42, end="a")),
    ("planetscale password", _of("pscale" + "_pw_", ALNUM + "=_.-", 42, end="a")),
    ("postman", _of("PM" + "AK-", HEX, 24, 34, between="-")),
    ("prefect", _of("pn" + "u_", ALNUM, 36)),
    ("pulumi", _of("pu" + "l-", HEX, 40)),
    ("pypi", _of("py" + "pi-AgEIcHlwaS5vcmc", URLSAFE, 120)),
    ("readme", _of("rd" + "me_", SMALL, 70)),
    ("rubygems", _of("ruby" + "gems_", HEX, 48)),
    ("scalingo", _of("tk" + "-us-", URLSAFE, 48)),
    ("sendgrid", lambda d: "S" + "G." + d.of(URLSAFE, 22) + "." + d.of(URLSAFE, 43)),
    ("sendinblue", lambda d: "xkey" + "sib-" + d.of(HEX, 64) + "-" + d.of(ALNUM, 16)),
    ("sentry organization", lambda d: "sntrys" + "_eyJpYXQiO" + d.of(ALNUM, 40) + "LCJyZWdpb25fdXJs" + d.of(ALNUM, 40) + "_" + d.of(BASE64, 43)),
    ("sentry user", _of("sntryu" + "_", HEX, 64)),
    ("settlemint application", _of("sm" + "_aat_", ALNUM, 16)),
    ("settlemint", _of("sm" + "_pat_", ALNUM, 16)),
    ("settlemint service", _of("sm" + "_sat_", ALNUM, 16)),
    ("shippo", _of("ship" + "po_test_", HEX, 40)),
    ("shopify", _of("shp" + "at_", HEX, 32)),
    ("shopify custom app", _of("shp" + "ca_", HEX, 32)),
    ("shopify private app", _of("shp" + "pa_", HEX, 32)),
    ("shopify shared", _of("shp" + "ss_", HEX, 32)),
    ("slack app", lambda d: "xa" + "pp-1-" + d.of(LARGE, 11) + "-" + d.of(DIGITS, 13) + "-" + d.of(HEX, 64)),
    ("slack bot", lambda d: "xo" + "xb-" + d.of(DIGITS, 12) + "-" + d.of(DIGITS, 12) + "-" + d.of(ALNUM, 24)),
    ("slack configuration", lambda d: "xo" + "xe.xo" + "xb-1-" + d.of(LARGE, 164)),
    ("slack configuration refresh", lambda d: "xo" + "xe-1-" + d.of(LARGE, 146)),
    ("slack bot, older", lambda d: "xo" + "xb-" + d.of(DIGITS, 12) + "-" + d.of(ALNUM, 24)),
    ("slack, older", lambda d: "xo" + "xs-" + "-".join(d.of(DIGITS, 10) for _ in range(3)) + "-" + d.of(HEX, 32)),
    ("slack workspace, older", lambda d: "xo" + "xa-2-" + d.of(ALNUM, 40)),
    ("slack user", lambda d: "xo" + "xp-" + "-".join(d.of(DIGITS, 12) for _ in range(3)) + "-" + d.of(ALNUM, 32)),
    ("sonar", _of("sq" + "p_", HEX, 40)),
    ("sourcegraph", lambda d: "sg" + "p_" + d.of(HEX, 16) + "_" + d.of(HEX, 40)),
    ("sourcegraph, local", _of("sg" + "p_local_", HEX, 40)),
    ("sourcegraph, older", _of("sg" + "p_", HEX, 40)),
    ("square", _of("sq0" + "atp-", URLSAFE, 22)),
    ("square, newer", _of("EA" + "AA", URLSAFE, 60)),
    ("square secret", _of("sq0" + "csp-", URLSAFE, 43)),
    ("stripe", _of("sk" + "_live_", ALNUM, 24)),
    ("stripe restricted", _of("rk" + "_test_", ALNUM, 40)),
    ("stripe production", _of("sk" + "_prod_", ALNUM, 40)),
    ("telegram", lambda d: d.of("123456789", 10) + ":AA" + d.of(ALNUM, 33)),
    ("twilio", _of("S" + "K", HEX, 32)),
    ("typeform", _of("tf" + "p_", SMALL + "-_.=", 58, end="a")),
    ("vault", _of("hv" + "s.", URLSAFE, 95)),
    ("vault batch", _of("hv" + "b.", URLSAFE, 150)),
    ("vault, older", _of("s" + ".", ALNUM, 24)),
    ("yandex", lambda d: "t" + "1." + d.of(URLSAFE, 40) + "." + d.of(URLSAFE, 86)),
    ("yandex key", _of("AQ" + "VN", URLSAFE, 37)),
    ("yandex storage", _of("Y" + "C", ALNUM, 38)),
)  # fmt: skip

# No form of their own: what they are called says it.
BY_NAME: Final[tuple[tuple[str, Make], ...]] = (
    ("adafruit api key", _of("", SMALL + "_-", 32)),
    ("airtable api key", _of("", ALNUM, 17)),
    ("algolia api key", _of("", SMALL, 32)),
    ("alibaba secret key", _of("", SMALL, 30)),
    ("asana client secret", _of("", SMALL, 32)),
    ("atlassian api token", lambda d: d.of(SMALL, 20) + d.of(HEX, 4)),
    ("jira token", lambda d: d.of(SMALL, 20) + d.of(HEX, 4)),
    ("aws secret access key", _of("", BASE64, 40)),
    ("azure storage account key", _of("", BASE64, 86, end="==")),
    ("beamer api token", _of("b_", SMALL_SIGNS, 44)),
    ("bitbucket client secret", _of("", SMALL_SIGNS, 64)),
    ("bittrex access key", _of("", SMALL, 32)),
    ("bittrex secret key", _of("", SMALL, 32)),
    ("meraki api key", _of("", HEX, 40)),
    ("cloudant password", _of("", HEX, 64)),
    ("cloudant api key", _of("", LOWER, 24)),
    ("cloudflare api key", _of("", SMALL + "_-", 40)),
    ("cloudflare global api key", _of("", HEX, 37)),
    ("codecov token", _of("", SMALL, 32)),
    ("cohere api token", _of("", ALNUM, 40)),
    ("coinbase access token", _of("", SMALL + "_-", 64)),
    ("confluent access token", _of("", SMALL, 16)),
    ("confluent secret key", _of("", SMALL, 64)),
    ("contentful delivery token", _of("", SMALL_SIGNS, 43)),
    ("datadog access token", _of("", SMALL, 40)),
    ("discord api token", _of("", HEX, 64)),
    ("discord client secret", _of("", SMALL_SIGNS, 32)),
    ("droneci access token", _of("", SMALL, 32)),
    ("dropbox api token", _of("", SMALL, 15)),
    ("dropbox long lived token", lambda d: d.of(SMALL, 11) + 10 * "A" + d.of(SMALL_SIGNS, 43)),
    ("etsy access token", _of("", SMALL, 24)),
    ("facebook secret", _of("", HEX, 32)),
    ("fastly api token", _of("", SMALL_SIGNS, 32)),
    ("finicity api token", _of("", HEX, 32)),
    ("finicity client secret", _of("", SMALL, 20)),
    ("finnhub access token", _of("", SMALL, 20)),
    ("flickr access token", _of("", SMALL, 32)),
    ("freshbooks access token", _of("", SMALL, 64)),
    ("gitter access token", _of("", SMALL + "_-", 40)),
    ("gocardless api token", _of("liv" + "e_", SMALL_SIGNS, 40)),
    ("heroku api key", _uuid()),
    ("hubspot api key", _uuid("", "ABCDEF" + DIGITS)),
    ("ibm cloud iam api key", _of("", URLSAFE, 44)),
    ("ibm cos secret access key", _of("", HEX, 48)),
    ("intercom api key", _of("", SMALL_SIGNS, 60)),
    ("jfrog api key", _of("", SMALL, 73)),
    ("artifactory identity token", _of("", SMALL, 64)),
    ("artifactory password", _of("AP" + "5", ALNUM, 30)),
    ("kraken access token", _of("", SMALL + "/=_+-", 85)),
    ("kucoin access token", _of("", HEX, 24)),
    ("kucoin secret key", _uuid()),
    ("launchdarkly access token", _of("", SMALL_SIGNS, 40)),
    ("linear client secret", _of("", HEX, 32)),
    ("linkedin client secret", _of("", SMALL, 16)),
    ("lob api key", _of("liv" + "e_", HEX, 35)),
    ("lob test api key", _of("tes" + "t_", HEX, 35)),
    ("looker client secret", _of("", SMALL, 24)),
    ("mailgun signing key", _of("", HEX, 32, 8, 8, between="-")),
    ("mattermost access token", _of("", SMALL, 26)),
    ("messagebird api token", _of("", SMALL, 25)),
    ("netlify access token", _of("", SMALL_SIGNS, 43)),
    ("nytimes access token", _of("", SMALL_SIGNS, 32)),
    ("okta access token", _of("00", URLSAFE, 40)),
    ("plaid secret key", _of("", SMALL, 30)),
    ("privateai api token", _of("", SMALL, 32)),
    ("rapidapi access token", _of("", SMALL + "_-", 50)),
    ("sendbird access token", _of("", HEX, 40)),
    ("sentry access token", _of("", HEX, 64)),
    ("snyk api token", _uuid()),
    ("softlayer api key", _of("", SMALL, 64)),
    ("sonar token", _of("", SMALL_SIGNS, 40)),
    ("squarespace access token", _uuid()),
    ("sumologic access token", _of("", SMALL, 64)),
    ("travis access token", _of("", SMALL, 22)),
    ("twilio auth token", _of("", HEX, 32)),
    ("twitch api token", _of("", SMALL, 30)),
    ("twitter access secret", _of("", SMALL, 45)),
    ("twitter access token", lambda d: d.of(DIGITS, 19) + "-" + d.of(ALNUM, 30)),
    ("twitter api key", _of("", SMALL, 25)),
    ("twitter api secret", _of("", SMALL, 50)),
    ("twitter bearer token", _of(22 * "A", ALNUM + "%", 90)),
    ("zendesk secret key", _of("", SMALL, 40)),
    ("db password", Draw.password),
    ("admin passwd", Draw.password),
    ("root pwd", Draw.password),
    ("database pass", Draw.password),
    ("client secret", Draw.password),
    ("service key", _of("", ALNUM, 20)),
    ("account key", _of("", ALNUM, 20)),
    ("private key", _of("", ALNUM, 20)),
    ("auth key", _of("", ALNUM, 20)),
    ("db key", _of("", ALNUM, 20)),
    ("api credential", _of("", ALNUM, 20)),
    ("deploy creds", _of("", ALNUM, 20)),
)  # fmt: skip

# How a value is written down: {n} is a name in small letters with underscores, {N} in large
# ones, {c} in camel case, {k} with dashes, {v} the value.
ASSIGNED: Final[tuple[str, ...]] = (
    '{n} = "{v}"', "{n}='{v}'", "{n} = {v}", '{c} = "{v}";', "export {N}={v}", "{N}: {v}",
    '  "{c}": "{v}",', "{n}: '{v}'", "- {k}: {v}", "<{c}>{v}</{c}>", "<{c}>\n    {v}\n</{c}>",
    '<add key="{c}" value="{v}" />', 'string {c} = "{v}";', 'var {c} string = "{v}"',
    '{c} := "{v}"', "{c} := `{v}`", "const {c}: string = '{v}'", '${c} .= "{v}";',
    '"{n}" => "{v}",', "{N} ?= {v}", '{N} ::= "{v}"', '{N} :::= "{v}"', "set {n} {v}",
    'System.setProperty("{N}", "{v}")', "os.environ['{N}'] = '{v}'", "--{k}={v}", "--{k} {v}",
    "https://example.com/path?{n}={v}&page=2", '{{"config": "{N}={v}\\nDEBUG=true"}}',
    'if ({c} == "{v}") {{', 'if ("{v}" == {c}) {{', "{c} != '{v}'", 'char {n}[65] = "{v}";',
    '{c} = @"{v}";', 'std::string {n}("{v}");', '{n}.assign("{v}", 17);', '{n} "{v}";',
    "docker run -e {N}={v} image", '{c}="{v}", user="ann"', '{N}="{v}" ./run.sh',
)  # fmt: skip

# What says by itself that a secret stands there.
PLACED: Final[tuple[tuple[str, str, Make], ...]] = (
    ("authorization header", 'curl -H "Authorization: Bearer {}" https://example.com', _of("", ALNUM, 24)),
    ("authorization token", "curl --header 'Authorization: Token {}' https://example.com", _of("", ALNUM, 24)),
    ("authorization basic", 'curl -H "Authorization: Basic {}" https://example.com', _in_base64(lambda d: d.word() + ":" + d.password())),
    ("api key header", 'curl -H "X-Api-Key: {}" https://example.com', _of("", ALNUM, 24)),
    ("vault header", "curl --header 'X-Vault-Token: {}' https://example.com", _of("", ALNUM, 24)),
    ("curl user", "curl -u 'ann:{}' https://example.com", Draw.password),
    ("curl user, long", 'curl https://example.com --user "ann:{}"', Draw.password),
    ("basic auth", "https://ann:{}@example.com/x", _of("", ALNUM, 12)),
    ("cloudant address", "https://shop:{}@shop.cloudant.com", _of("", HEX, 64)),
    ("softlayer address", "http://api.softlayer.com/soap/v3/{}", _of("", SMALL, 64)),
    ("sidekiq address", "https://{}@gems.contribsys.com/", _of("", HEX, 8, 8, between=":")),
    ("sidekiq", "BUNDLE_ENTERPRISE__CONTRIBSYS__COM={}", _of("", HEX, 8, 8, between=":")),
    ("slack webhook", "https://hooks.slack.com/services/T0123456789/B0123456789/{}", _of("", ALNUM, 24)),
    ("slack workflow", "https://hooks.slack.com/workflows/T0123456789/A0123456789/123456789012345678/{}", _of("", ALNUM, 24)),
    ("teams webhook", "https://shop.webhook.office.com/webhookb2/{}", lambda d: _uuid()(d) + "@" + _uuid()(d) + "/IncomingWebhook/" + d.of(HEX, 32) + "/" + _uuid()(d)),
    ("azure storage", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.windows.net", _of("", BASE64, 86, end="==")),
    ("kubernetes", "kind: Secret\nmetadata:\n  name: shop\ndata:\n  login: {}\n", _in_base64(lambda d: d.of(ALNUM, 18))),
    ("kubernetes, data first", "data:\n  login: {}\nkind: Secret\n", _in_base64(lambda d: d.of(ALNUM, 18))),
    ("nuget", '<add key="ClearTextPassword" value="{}" />', Draw.password),
    ("freemius", "'secret_key' => '{}',", _of("s" + "k_", ALNUM + "!#^*", 29)),
    ("terraform password", 'administrator_login_password = "{}"', _of("", SMALL + "_-", 16)),
    ("gitlab session", "Cookie: _gitlab_session={}", _of("", HEX, 32)),
    ("jfrog", "xray.token: {}", _of("", SMALL, 64)),
    ("private key", "-----BEGIN RSA PRIVATE" + " KEY-----\n{}\n-----END RSA PRIVATE" + " KEY-----", _pem),
    ("private key block", "-----BEGIN PGP PRIVATE" + " KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE" + " KEY BLOCK-----", _pem),
    ("aws secret", "aws_secret='{}'", _of("", BASE64, 40)),
    ("npm registry", "//registry.npmjs.org/:_authToken={}", _uuid()),
)  # fmt: skip

_ALONE: Final = ("sent {} with it", 'Client("{}")', "{}", "got '{}'.", "  - {}")


def _named(words: str, place: str, value: str) -> str:
    parts = words.split()
    snake = "_".join(parts)
    camel = parts[0] + "".join(part.title() for part in parts[1:])
    return place.format(n=snake, N=snake.upper(), c=camel, k="-".join(parts), v=value)


def samples(seed: int = 20261123) -> Iterator[Sample]:
    """Draw one sample for each form in three places, each name in six, each telling place."""
    draw = Draw(seed)
    for at, (kind, make) in enumerate(BY_FORM):
        for step in range(3):
            value = make(draw)
            yield Sample(kind, _ALONE[(at + step) % len(_ALONE)].format(value), value)
    for at, (words, make) in enumerate(BY_NAME):
        for step in range(6):
            value = make(draw)
            place = ASSIGNED[(6 * at + step) % len(ASSIGNED)]
            yield Sample(words, _named(words, place, value), value)
    for kind, place, make in PLACED:
        value = make(draw)
        yield Sample(kind, place.replace("{}", value), value)


HARMLESS: Final = 20_000
_ROOT: Final = Path(__file__).resolve().parents[2]
_SOURCES: Final = (
    ("tests/corpus", "*"), ("gitmem", "*.py"), ("lsp_server", "*.py"), ("scripts", "*.py"),
    ("vscode-extension/src", "*.ts"), ("benchmarks", "*.py"),
)  # fmt: skip


def harmless() -> list[str]:
    """Draw lines of real outputs of tools, and of this repository's source, each another one."""
    lines: set[str] = set()
    for folder, pattern in _SOURCES:
        for path in sorted((_ROOT / folder).rglob(pattern)):
            if path.is_file() and "node_modules" not in path.parts:
                try:
                    text = path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue
                lines.update(line for line in text.splitlines() if line.strip())
    return random.Random(20261123).sample(sorted(lines), HARMLESS)
