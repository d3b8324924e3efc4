"""The fifth corpus: keys of services that have no form of their own, further forms, addresses that
are the secret, values that a lookup falls back to, and further commands.

Written from public documentation of the services before anything was tried on it; drawn at run time.
"""
# ruff: noqa: E501  a row a shape

import random
from collections.abc import Iterator
from importlib.metadata import distributions
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

SMALL: Final = LOWER + DIGITS


def _of(alphabet: str, *sizes: int, begin: str = "", between: str = "", end: str = "") -> Make:
    return lambda draw: begin + between.join(draw.of(alphabet, size) for size in sizes) + end


_HEX32, _HEX40, _HEX64 = _of(HEX, 32), _of(HEX, 40), _of(HEX, 64)
_UUID: Final = _of(HEX, 8, 4, 4, 4, 12, between="-")

# Services whose keys are digests, UUIDs or letters and digits: only the name tells.
BY_SERVICE: Final[tuple[tuple[str, str, Make], ...]] = (
    ("airbrake", "project_key", _HEX32), ("alchemy", "key", _of(URLSAFE, 32)), ("apify", "token", _of(ALNUM, 40)),
    ("apilayer", "key", _of(ALNUM, 32)), ("aviationstack", "access_key", _HEX32), ("bannerbear", "key", _of(ALNUM, 24)),
    ("bitbucket", "token", _HEX40), ("bitly", "token", _HEX40), ("browserstack", "key", _of(ALNUM, 20)),
    ("bugsnag", "key", _HEX32), ("calendly", "token", _UUID), ("clearbit", "key", _HEX32), ("clockify", "key", _of(ALNUM, 48)),
    ("cloudflare", "key", _of(HEX, 37)), ("cloudsmith", "key", _HEX40), ("codeclimate", "token", _HEX64), ("codecov", "token", _UUID),
    ("coveralls", "token", _of(ALNUM, 33)), ("crowdin", "token", _of(HEX, 80)), ("datadog", "key", _HEX32), ("datadog", "app_key", _HEX40),
    ("deepgram", "key", _HEX40), ("deepl", "key", _of(HEX, 8, 4, 4, 4, 12, between="-", end=":fx")), ("discogs", "token", _of(ALNUM, 40)),
    ("drone", "token", _HEX32), ("etherscan", "key", _of(UPPER + DIGITS, 34)), ("eventbrite", "token", _of(UPPER + DIGITS, 20)),
    ("fastly", "token", _of(URLSAFE, 32)), ("finnhub", "key", _of(SMALL, 20)), ("flickr", "key", _HEX32), ("fullstory", "key", _of(BASE64, 60)),
    ("geoapify", "key", _HEX32), ("giphy", "key", _of(ALNUM, 32)), ("helpscout", "key", _HEX40), ("honeycomb", "key", _HEX32),
    ("hunter", "api_key", _HEX40), ("infura", "key", _HEX32), ("insightly", "key", _UUID), ("intercom", "token", _of(ALNUM, 60)),
    ("ipinfo", "token", _of(HEX, 14)), ("ipstack", "key", _HEX32), ("jotform", "key", _HEX32), ("klaviyo", "key", _of(ALNUM, 34)),
    ("kontent", "key", _of(HEX, 32)), ("launchdarkly", "key", _UUID), ("lokalise", "token", _HEX40), ("mandrill", "key", _of(URLSAFE, 22)),
    ("mapquest", "key", _of(ALNUM, 32)), ("mavenlink", "key", _HEX64), ("mixpanel", "token", _HEX32), ("moralis", "key", _of(ALNUM, 64)),
    ("newsapi", "key", _HEX32), ("ngrok", "token", _of(ALNUM, 49)), ("nylas", "key", _HEX40), ("okta", "token", _of(URLSAFE, 40, begin="00")),
    ("onesignal", "key", _UUID), ("opencage", "key", _HEX32), ("openweather", "key", _HEX32), ("opsgenie", "key", _UUID),
    ("optimizely", "token", _of(ALNUM, 54)), ("pagerduty", "key", _of(HEX, 32)), ("pagerduty", "token", _of(URLSAFE, 20)),
    ("pastebin", "key", _HEX32), ("paystack", "key", _of(HEX, 40)), ("pepipost", "key", _HEX32), ("pinboard", "token", _of(HEX, 20, begin="bob:")),
    ("pipedrive", "token", _HEX40), ("pivotal", "token", _HEX32), ("polygon", "key", _of(ALNUM, 32)), ("postmark", "token", _UUID),
    ("pushbullet", "token", _of(ALNUM, 34, begin="o.")), ("pushover", "token", _of(SMALL, 30)), ("rapidapi", "key", _of(SMALL, 50)),
    ("rollbar", "token", _HEX32), ("saucelabs", "key", _UUID), ("scrapingbee", "key", _of(UPPER + DIGITS, 80)), ("segment", "key", _of(ALNUM, 32)),
    ("semaphore", "token", _HEX32), ("sentry", "key", _HEX64), ("shodan", "key", _of(ALNUM, 32)), ("shortcut", "token", _UUID),
    ("snyk", "token", _UUID), ("spotify", "secret", _HEX32), ("splunk", "token", _UUID), ("statuspage", "key", _UUID),
    ("streamlabs", "token", _HEX40), ("tomtom", "key", _of(ALNUM, 32)), ("travis", "token", _of(ALNUM, 22)), ("trello", "key", _HEX32),
    ("trello", "token", _HEX64), ("twilio", "key", _HEX32), ("unsplash", "key", _of(URLSAFE, 43)), ("uptimerobot", "key", _of(HEX, 32, begin="u123456-")),
    ("virustotal", "key", _HEX64), ("vultr", "key", _of(UPPER + DIGITS, 36)), ("wakatime", "key", _UUID), ("weatherstack", "key", _HEX32),
    ("wistia", "key", _HEX64), ("wandb", "key", _HEX40), ("yelp", "key", _of(URLSAFE, 128)), ("zendesk", "token", _of(ALNUM, 40)),
    ("zenrows", "key", _HEX40), ("zeplin", "token", _of(ALNUM, 48)), ("zerotier", "token", _of(ALNUM, 32)),
)  # fmt: skip

# Put together here, so that no scanner takes this file for a leak.
BY_FORM: Final[tuple[tuple[str, Make], ...]] = (
    ("clickup", _of(UPPER + DIGITS, 32, begin="pk" + "_1234567_")), ("voiceflow", _of(ALNUM, 24, 16, begin="VF." + "DM.", between=".")),
    ("zoho", _of(HEX, 32, 32, begin="10" + "00.", between=".")), ("ubidots", _of(ALNUM, 30, begin="BB" + "FF-")),
    ("launchdarkly sdk", lambda d: "sd" + "k-" + _UUID(d)), ("pubnub secret", lambda d: "se" + "c-c-" + _of(ALNUM, 48)(d)),
    ("pagarme", _of(ALNUM, 30, begin="ak" + "_live_")), ("mongodb atlas", _of(ALNUM, 40, begin="mdb_" + "sa_sk_")),
    ("posthog personal", _of(ALNUM, 43, begin="ph" + "x_")), ("salesforce session", lambda d: "00D" + d.of(ALNUM, 12) + "!AQ" + d.of(ALNUM, 90)),
    ("telnyx", _of(ALNUM, 32, 22, begin="KE" + "Y0", between="_")), ("openai older session", _of(ALNUM, 40, begin="se" + "ss-")),
    ("cohere-like", _of(ALNUM, 40, begin="co" + "_api_")), ("together", _of(HEX, 64, begin="tg" + "p_v1_")), ("cerebras", _of(SMALL, 48, begin="cs" + "k-")),
    ("deepseek", _of(HEX, 32, begin="s" + "k-")), ("mistral agent", _of(ALNUM, 32, begin="ag" + "_")), ("langfuse", lambda d: "s" + "k-lf-" + _UUID(d)),
    ("jina", _of(ALNUM, 56, begin="ji" + "na_")), ("baseten", _of(ALNUM, 8, 32, begin="", between=".")), ("composio", _of(ALNUM, 20, begin="a" + "k_")),
    ("e2b", _of(HEX, 40, begin="e2" + "b_")), ("exa-like", _of(ALNUM, 40, begin="ex" + "a_")), ("firecrawl", _of(HEX, 32, begin="f" + "c-")),
    ("apify", _of(ALNUM, 36, begin="apify" + "_api_")), ("mux", _of(BASE64, 75, begin="mux" + "_sk_")), ("workos", _of(ALNUM, 50, begin="s" + "k_live_")),
    ("clerk", _of(ALNUM, 42, begin="s" + "k_test_")), ("cloudflare tunnel", lambda d: "ey" + "JhIjoi" + d.of(ALNUM, 140)), ("convex", lambda d: "prod:happy-otter-1|" + d.of(ALNUM, 60)),
    ("deno deploy", _of(ALNUM, 36, begin="dd" + "p_")), ("expo", _of(URLSAFE, 40, begin="ex" + "po_")), ("codesandbox", _of(ALNUM, 43, begin="cs" + "b_v1_")),
    ("gitea", _of(HEX, 40, begin="gt" + "a_")), ("grafana cloud", _of(ALNUM, 60, begin="gl" + "c_")), ("launchdarkly mobile", lambda d: "mo" + "b-" + _UUID(d)),
    ("launchdarkly api", lambda d: "ap" + "i-" + _UUID(d)), ("logfire", _of(ALNUM, 44, begin="py" + "lf_v1_us_")), ("polar", _of(ALNUM, 43, begin="pol" + "ar_oat_")),
    ("rootly", _of(HEX, 64, begin="root" + "ly_")), ("runpod", _of(ALNUM, 40, begin="rp" + "a_")),
    ("sendpulse-like", _of(HEX, 40, begin="sp" + "_apikey_")), ("sourcegraph cody", _of(HEX, 64, begin="sl" + "k_")), ("stytch", _of(URLSAFE, 40, begin="secret" + "-live-")),
    ("trigger.dev", _of(ALNUM, 24, begin="tr" + "_prod_")), ("turso", _of(ALNUM, 40, begin="tu" + "rso_")), ("unkey", _of(ALNUM, 24, begin="unk" + "ey_")),
    ("val town", _of(ALNUM, 32, begin="vt" + "wn_")), ("weights", _of(ALNUM, 70, begin="wandb" + "_v1_")), ("zapier", _of(ALNUM, 40, begin="zap" + "ier_")),
)  # fmt: skip

# Who knows such an address may call it.
ADDRESSES: Final[tuple[tuple[str, str, Make], ...]] = (
    ("zapier hook", "https://hooks.zapier.com/hooks/catch/1234567/{}/", _of(SMALL, 7, 7)), ("tines hook", "https://shop.tines.com/webhook/{}", lambda d: _HEX32(d) + "/" + _HEX32(d)),
    ("thingsboard", "http://thingsboard.cloud/api/v1/{}/telemetry", _of(SMALL, 20)), ("ifttt", "https://maker.ifttt.com/trigger/down/with/key/{}", _of(URLSAFE, 43)),
    ("make", "https://hook.eu1.make.com/{}", _of(SMALL, 32)), ("google chat", "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=x&token={}", _of(URLSAFE, 43)),
    ("mattermost", "https://chat.example.com/hooks/{}", _of(SMALL, 26)), ("rocket.chat", "https://chat.example.com/hooks/{}", lambda d: d.of(ALNUM, 17) + "/" + d.of(ALNUM, 48)),
    ("feishu", "https://open.feishu.cn/open-apis/bot/v2/hook/{}", _UUID), ("lark", "https://open.larksuite.com/open-apis/bot/v2/hook/{}", _UUID),
    ("dingtalk", "https://oapi.dingtalk.com/robot/send?access_token={}", _HEX64), ("wecom", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={}", _UUID),
    ("pagerduty", "https://events.pagerduty.com/integration/{}/enqueue", _HEX32), ("healthchecks", "https://hc-ping.com/{}", _UUID), ("opsgenie", "https://api.opsgenie.com/v1/json/x?apiKey={}", _UUID),
    ("teams flow", "https://prod-12.westus.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=1&sig={}", _of(URLSAFE, 43)),
    ("n8n", "https://n8n.example.com/webhook/{}", _UUID), ("discord canary", "https://canary.discord.com/api/webhooks/123456789012345678/{}", _of(URLSAFE, 68)),
    ("slack trigger", "https://hooks.slack.com/triggers/T012345/1234567890123/{}", _of(HEX, 32)), ("webhook.site", "https://webhook.site/{}", _UUID),
    ("pipedream", "https://{}.m.pipedream.net", _of(SMALL, 14, begin="eo")), ("telegram file", "https://api.telegram.org/file/bot123456789:{}/x", _of(URLSAFE, 33, begin="AA")),
    ("snyk org", "https://api.snyk.io/v1/test?token={}", _UUID), ("gcs signed", "https://storage.googleapis.com/b/o?GoogleAccessId=x&Expires=1&Signature={}", _of(ALNUM + "%", 200)),
    ("cloudfront signed", "https://d1.cloudfront.net/x?Expires=1&Key-Pair-Id=K&Signature={}", _of(URLSAFE + "~", 200)), ("artifactory", "https://api:{}@shop.jfrog.io/artifactory/api/pypi", _of(ALNUM, 64)),
)  # fmt: skip

# A value that counts where a variable is not set, and other calls with a name and a value.
FALLBACKS: Final[tuple[str, ...]] = (
    "os.environ.get('{N}', '{v}')", 'os.getenv("{N}", "{v}")', 'process.env.{N} || "{v}"', "process.env.{N} ?? '{v}'", "${{{N}:-{v}}}", "${{{N}:={v}}}",
    'ENV.fetch("{N}", "{v}")', "ENV['{N}'] || '{v}'", '@Value("${{shop.{n}:{v}}}")', 'env("{N}", default="{v}")', 'config("{N}", default="{v}")', 'getenv("{N}") ?: "{v}"',
    'System.getenv().getOrDefault("{N}", "{v}")', 'viper.SetDefault("{n}", "{v}")', 'std::env::var("{N}").unwrap_or("{v}".into())', 'buildConfigField "String", "{N}", "\\"{v}\\""',
    'os.Setenv("{N}", "{v}")', 'os.environ["{N}"] = "{v}"', 'monkeypatch.setenv("{N}", "{v}")', "putenv('{N}={v}')", "define('{N}', '{v}');", 'options.Add("{n}", "{v}")', "-D{n}={v}", "--set {n}={v}",
    "{N}: ${{{N}:-{v}}}", "ARG {N}={v}", 'env = {{ name = "{N}", value = "{v}" }}', "- name: {N}\n  value: {v}", '{{"name": "{N}", "value": "{v}"}}', '<property name="{n}" value="{v}"/>', "<{n}>{v}</{n}>",
    'Key: {N}\nValue: "{v}"', "{N} {v}", "setenv {N} {v}", "$env:{N} = '{v}'", 'set "{N}={v}"', "[Environment]::SetEnvironmentVariable('{N}', '{v}')", "{n} => '{v}'", "{n} := `{v}`", "'{n}', '{v}'",
)  # fmt: skip
_NAMES: Final = ("db_password", "api_secret", "admin_password")

COMMANDS: Final[tuple[tuple[str, str], ...]] = (
    ("psexec", "psexec \\\\srv -u CORP\\bob -p {} cmd"), ("runas", "schtasks /create /tn t /tr x /ru bob /rp {}"), ("net user", "net user bob {} /add"), ("wmic", "wmic /node:srv /user:bob /password:{} os get"),
    ("winrs", "winrs -r:srv -u:bob -p:{} hostname"), ("gpg", "gpg --batch --passphrase {} -d x.gpg"), ("ansible", "ansible-playbook site.yml -e ansible_password={}"), ("helm", "helm install x y --set auth.password={}"),
    ("az", "az login --service-principal -u app -p {} --tenant t"), ("az sql", "az sql server create -n s -u admin -p {}"), ("docker stdin", "echo {} | docker login -u bob --password-stdin"), ("skopeo", "skopeo copy --src-creds bob:{} docker://a docker://b"),
    ("podman", "podman login -u bob -p {} quay.io"), ("oc", "oc login -u bob -p {} https://api.example.com"), ("cf", "cf login -a api.example.com -u bob -p {}"), ("heroku", "heroku config:set DB_PASSWORD={}"), ("flyctl", "fly secrets set DB_PASSWORD={}"),
    ("gh", "gh secret set DB_PASSWORD --body {}"), ("vault", "vault kv put secret/shop password={}"), ("kubectl", "kubectl create secret generic shop --from-literal=password={}"), ("rsync", "RSYNC_PASSWORD={} rsync a b::c"), ("pgpassword", "PGPASSWORD={} psql -h h"),
    ("mysqladmin", "mysqladmin -u root password {}"), ("cryptsetup", "echo -n {} | cryptsetup luksOpen /dev/sda1 x -"), ("curl header", "curl -H 'X-Auth-Token: {}' https://x.example"), ("httpie header", "http GET x.example X-Api-Key:{}"),
    ("nats", "nats sub a --user bob --password {}"), ("rclone", "rclone config create r webdav user bob pass {}"), ("restic", "RESTIC_PASSWORD={} restic backup ."), ("sops", "sops set x.yaml '[\"password\"]' '\"{}\"'"), ("twine", "twine upload -u __token__ -p {} dist/*"), ("npm", "npm config set //registry.npmjs.org/:_authToken {}"),
)  # fmt: skip

_PLACES: Final = (
    '{N} = "{v}"',
    "{N}={v}",
    "{n}: {v}",
    '"{n}": "{v}"',
    "export {N}={v}",
    "{c}: '{v}',",
    "--{k} {v}",
    "{n} = '{v}'",
)
_ALONE: Final = ("sent {} with it", 'Client("{}")', "{}", "got '{}'.", "  - {}")


def _named(service: str, what: str, place: str, value: str) -> str:
    snake = f"{service}_{what}"
    camel = service + "".join(part.title() for part in what.split("_"))
    return place.format(n=snake, N=snake.upper(), c=camel, k=snake.replace("_", "-"), v=value)


def samples(seed: int) -> Iterator[Sample]:
    """Draw two samples of each service's key, two of each form, one of each other shape."""
    draw = Draw(seed)
    for at, (service, what, make) in enumerate(BY_SERVICE):
        for step in range(2):
            value = make(draw)
            place = _PLACES[(seed + at + 3 * step) % len(_PLACES)]
            yield Sample(f"{service} {what}", _named(service, what, place, value), value)
    for at, (kind, make) in enumerate(BY_FORM):
        for step in range(2):
            value = make(draw)
            yield Sample(kind, _ALONE[(seed + at + step) % len(_ALONE)].format(value), value)
    for kind, place, make in ADDRESSES:
        value = make(draw)
        yield Sample(kind, place.format(value), value)
    for at, place in enumerate(FALLBACKS):
        value = draw.word().title() + draw.of("!#*", 1) + draw.of(DIGITS, 4)
        name = _NAMES[(seed + at) % len(_NAMES)]
        yield Sample(place, place.format(n=name, N=name.upper(), v=value), value)
    for kind, place in COMMANDS:
        value = draw.word() + draw.of(ALNUM, 6)
        yield Sample(kind, place.format(value), value)


HARMLESS: Final = 12_000
_ROOT: Final = Path(__file__).resolve().parents[2]


def harmless() -> list[str]:
    """Draw lines of a lock file, of digests of installed files, and of outputs of tools."""
    texts = [path.read_bytes() for path in (_ROOT / "tests/tools").rglob("*.txt")]
    texts.append((_ROOT / "vscode-extension/package-lock.json").read_bytes())
    records = [package.read_text("RECORD") for package in distributions()]
    texts += [record.encode() for record in records if record]
    lines = {line for text in texts for line in text.decode(errors="replace").splitlines()}
    return random.Random(20261129).sample(sorted(line for line in lines if line.strip()), HARMLESS)
