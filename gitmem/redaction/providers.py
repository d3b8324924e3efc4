"""Tokens that tell by their form who issued them: one table, a row a kind of token.

Own table, because the well-kept detector that was measured first did not win: detect-secrets
1.5.0 found a smaller part of the labelled corpus in the tests, cried wolf at lock files and
hashes, read less than a tenth of the speed asked for, takes about fourteen bare starts of
Python to import, and brings ``requests`` with four more packages (figures: docs/redaction.md).

The forms are facts from the issuers' public documentation:

- GitHub: "Token formats" and the changelog of 2021-03-31 (prefixes, up to 255 characters)
- GitLab: "Token overview", section "Token prefixes"
- AWS: IAM user guide, "Unique identifiers" (AKIA, ASIA, ABIA, ACCA), Bedrock API keys
- Google: "Using API keys", OAuth 2.0 client secrets and tokens
- Microsoft: Purview's definitions of Azure keys; "Common annotated security keys" (JQQJ99)
- Slack "Token types", "Incoming webhooks"; Discord, Telegram, Twilio, SendGrid: API references
- Stripe "API keys", npm "About access tokens", PyPI "API tokens", RubyGems, Docker, crates.io
- OpenAI, Anthropic, Hugging Face, Groq, OpenRouter, Replicate: their consoles' guides
- RFC 7519 (JWT), and GitHub's list "Supported secret scanning patterns" for the names of rest

Each pattern begins with letters that hardly occur otherwise, and is compiled only for a text
that holds one of its clues; every repetition is of one class, so each runs in linear time.
"""
# ruff: noqa: E501  a row a form of token, and a pattern is read as a whole

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import is_example, is_random
from gitmem.redaction.spans import SecretSpan
from gitmem.redaction.word_clues import Clues, ClueSearch


class TokenForm(NamedTuple):
    """One form of token, at least ``LEAST`` characters long and without white space.

    Attributes:
        kind: what it is called in labels.
        clues: a long word has to hold one of them, or the pattern is not tried.
        pattern: the token; its group 1, if there is one, is what is secret.
        random: whether it must look drawn at random too, where the form alone is weak.
        after: what it may not stand right after; said here and not in the pattern, which is
            searched many times faster if it begins with letters.

    """

    kind: str
    clues: tuple[str, ...]
    pattern: str
    random: bool = False
    after: frozenset[str] = frozenset()


LEAST: Final = 12
"""Shorter words are not looked at for a clue, which leaves a tenth of an ordinary text."""

_LONG_PART: Final = lazily(rf"[^\s\"'`()\{{\}}\[\]<>,;]{{{LEAST},}}")

ISSUED: Final = "the form of such a token"
"""How a token of these is said to be recognised."""

_ALNUM: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_WORD: Final = _ALNUM | {"_", "-"}
_BASE64: Final = _ALNUM | {"+", "/"}
_APART: Final = r"(?:(?<![A-Za-z0-9])|(?<=[\d\[]m))"
_END: Final = r"(?![A-Za-z0-9])"
_SEPARATING: Final = frozenset("+/")
_BASE64_RUN: Final = lazily(r"[A-Za-z0-9+/]+\Z")
_LONGEST_RUN: Final = 24

PROVIDERS: Final[tuple[TokenForm, ...]] = (
    TokenForm("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
             r"gh[pousr]_[A-Za-z0-9][A-Za-z0-9_.-]{28,}[A-Za-z0-9_-]"),
    TokenForm("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}"),
    TokenForm("gitlab-token", ("glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-",
                              "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-"),
             r"gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-][A-Za-z0-9_.-]{18,}[A-Za-z0-9_-]"),
    TokenForm("gitlab-token", ("GR1348941",), r"GR1348941[A-Za-z0-9_-]{20,}"),
    TokenForm("aws-secret-key", ("AKIA", "ASIA"),
             r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9+/\n]{1,20}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"),
    TokenForm("aws-access-key", ("A3T",), r"A3T[A-Z0-9]{17}" + _END, random=True, after=_BASE64),
    TokenForm("aws-access-key", ("AKIA", "ASIA", "ABIA", "ACCA"),
             r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}" + _END, after=_BASE64),
    TokenForm("aws-bedrock-key", ("ABSK",), r"ABSK[A-Za-z0-9+/]{90,}={0,2}"),
    TokenForm("aws-bedrock-key", ("bedrock-api-key-",), r"bedrock-api-key-[A-Za-z0-9+/]{60,}={0,2}"),
    TokenForm("google-api-key", ("AIza",), r"AIza[A-Za-z0-9_-]{35}" + _END),
    TokenForm("google-oauth-token", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{20,}"),
    TokenForm("google-oauth-token", ("1//0",), r"1//0[A-Za-z0-9_-]{38,}", after=_WORD | {"/"}),
    TokenForm("google-client-secret", ("GOCSPX-",), r"GOCSPX-[A-Za-z0-9_-]{24,}"),
    TokenForm("azure-client-secret", ("Q~",),
             _APART + r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])"),
    TokenForm("azure-key", ("JQQJ99",), _APART + r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,30}={0,2}"),
    TokenForm("azure-key", ("AZDO",), _APART + r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + _END),
    TokenForm("azure-key", ("+ASt", "ACDb", "+ABa", "+AMC", "AIoT", "+AEh", "+ARm", "AzCa", "AzSe", "AzFu"),
             _APART + r"[A-Za-z0-9+/]{32,84}(?:\+ASt|ACDb|\+ABa|\+AMC|AIoT|\+AEh|\+ARm|AzCa|AzSe|AzFu)[A-Za-z0-9+/]{5}[AQgw](?:==?)"),
    TokenForm("azure-sas", ("sig=",), r"[?&]sig=([A-Za-z0-9%+/_-]{40,}={0,2})"),
    TokenForm("aws-signature", ("X-Amz-Signature=",), r"X-Amz-Signature=([0-9a-fA-F]{32,})"),
    TokenForm("aws-session-token", ("X-Amz-Security-Token=",), r"X-Amz-Security-Token=([A-Za-z0-9%+/=_-]{20,})"),
    TokenForm("slack-token", ("xox",), r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{12,}"),
    TokenForm("slack-token", ("xapp-", "xwfp-"), r"x(?:app|wfp)-[A-Za-z0-9-]{16,}"),
    TokenForm("slack-webhook", ("hooks.slack.com/",),
             r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_-]{3,}/(?:[A-Za-z0-9_-]+/){0,3}([A-Za-z0-9_-]{16,})"),
    TokenForm("discord-webhook", ("/api/webhooks/",), r"/api/webhooks/(\d{10,}/[A-Za-z0-9_-]{30,})"),
    TokenForm("discord-token", ("MT", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
             r"[MNO](?:(?<=M)[TDz]|(?<=N)[DTjz]|(?<=O)[DT])[A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w.-])",
             random=True, after=_WORD | {"."}),
    TokenForm("teams-webhook", (".webhook.office.com/",),
             r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,})"),
    TokenForm("telegram-token", (":AA",), r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}" + _END),
    TokenForm("stripe-key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_"), r"[sr]k_(?:live|test)_[A-Za-z0-9_]{10,}"),
    TokenForm("webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{24,}"),
    TokenForm("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}" + _END),
    TokenForm("pypi-token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{60,}"),
    TokenForm("rubygems-token", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    TokenForm("docker-token", ("dckr_",), r"dckr_[a-z]{3}_[A-Za-z0-9_-]{20,}"),
    TokenForm("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}" + _END, after=_ALNUM),
    TokenForm("crates-token", ("cio",), r"cio[A-Za-z0-9]{32}" + _END, random=True, after=_ALNUM),
    TokenForm("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{20,}"),
    TokenForm("openai-key", ("T3BlbkFJ",), r"sk-[A-Za-z0-9_-]{10,200}T3BlbkFJ[A-Za-z0-9_-]{10,}"),
    TokenForm("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
             r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),
    TokenForm("api-key", ("sk-",), r"sk-[A-Za-z0-9_-]{20,}", random=True, after=_WORD),
    TokenForm("huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,40}" + _END, after=_WORD),
    TokenForm("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    TokenForm("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37}" + _END, after=_WORD),
    TokenForm("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    TokenForm("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,}", after=_WORD),
    TokenForm("twilio-key", ("SK",), r"SK[0-9a-f]{32}" + _END, after=_ALNUM),
    TokenForm("sendgrid-key", ("SG.",), r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    TokenForm("mailgun-key", ("key-",), r"key-[0-9a-f]{32}" + _END, after=_WORD),
    TokenForm("mailchimp-key", ("-us",), _APART + r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    TokenForm("brevo-key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    TokenForm("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,3}\.?"),
    TokenForm("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?" + _END, after=_ALNUM),
    TokenForm("digitalocean-token", ("_v1_",), r"do[opr]_v1_[0-9a-f]{64}"),
    TokenForm("doppler-token", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}", after=_WORD),
    TokenForm("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    TokenForm("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}"),
    TokenForm("linear-key", ("lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    TokenForm("notion-token", ("ntn_", "secret_"), r"(?:ntn|secret)_[A-Za-z0-9]{40,50}" + _END, random=True, after=_WORD),
    TokenForm("grafana-token", ("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9+/_]{32,}={0,2}"),
    TokenForm("sentry-token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    TokenForm("new-relic-key", ("NRAK-", "NRJS-", "NRII-"), r"NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,}"),
    TokenForm("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    TokenForm("square-token", ("sq0",), r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    TokenForm("atlassian-token", ("ATATT3", "ATCTT3", "ATBB"), r"AT(?:[AC]TT3[A-Za-z0-9_=-]{40,}|BB[A-Za-z0-9]{24,})"),
    TokenForm("figma-token", ("figd_",), r"figd_[A-Za-z0-9_-]{30,}"),
    TokenForm("postman-key", ("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    TokenForm("pulumi-token", ("pul-",), r"pul-[0-9a-f]{40}" + _END, after=_WORD),
    TokenForm("planetscale-token", ("pscale_",), r"pscale_[a-z]{2,5}_[A-Za-z0-9_.=-]{30,}"),
    TokenForm("supabase-key", ("sbp_", "sb_secret_"), r"sb(?:p|_secret)_[A-Za-z0-9_-]{30,}"),
    TokenForm("tailscale-key", ("tskey-",), r"tskey-[a-z]+-[A-Za-z0-9-]{16,}"),
    TokenForm("onepassword-token", ("ops_eyJ",), r"ops_eyJ[A-Za-z0-9_=+/-]{40,}"),
    TokenForm("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    TokenForm("heroku-key", ("HRKU-",), r"HRKU-[A-Za-z0-9_-]{30,}"),
    TokenForm("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}" + _END, after=_ALNUM),
    TokenForm("contentful-token", ("CFPAT-",), r"CFPAT-[A-Za-z0-9_-]{40,}"),
    TokenForm("dynatrace-token", ("dt0",), r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    TokenForm("artifactory-token", ("AKCp", "cmVmdGtuO"), r"(?:AKCp[A-Za-z0-9]{60,}|cmVmdGtuO[A-Za-z0-9+/=]{50,})"),
    TokenForm("cloudflare-key", ("v1.0-",), r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    TokenForm("fly-token", ("fm1", "fm2", "fo1_"), r"(?:fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}|fo1_[A-Za-z0-9_-]{40,})"),
    TokenForm("adafruit-key", ("aio_",), r"aio_[A-Za-z0-9]{28}" + _END, after=_WORD),
    TokenForm("adobe-secret", ("p8e-",), r"p8e-[A-Za-z0-9]{32}" + _END, after=_WORD),
    TokenForm("alibaba-key", ("LTAI",), r"LTAI[A-Za-z0-9]{12,20}" + _END, random=True, after=_ALNUM),
    TokenForm("asana-token", ("1/",), r"1/\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32}" + _END, after=_WORD | {"/"}),
    TokenForm("aws-mws-token", ("amzn.mws.",), r"amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    TokenForm("buildkite-token", ("bkua_", "bkaj_", "bkct_", "bkpt_", "bkpat_", "bkpi_"), r"bk(?:ua|aj|ct|pt|pat|pi)_[A-Za-z0-9]{32,}", after=_WORD),
    TokenForm("circleci-token", ("CCIPAT_", "CCIPRJ_"), r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[0-9a-f]{40}"),
    TokenForm("clojars-token", ("CLOJARS_",), r"CLOJARS_[A-Za-z0-9]{40,}"),
    TokenForm("defined-networking-token", ("dnkey-",), r"dnkey-[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{40,}"),
    TokenForm("dropbox-token", ("sl.",), r"sl\.(?:u\.)?[A-Za-z0-9_=-]{100,}", after=_WORD | {"."}),
    TokenForm("duffel-token", ("duffel_",), r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}"),
    TokenForm("easypost-key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{50,60}" + _END, after=_ALNUM),
    TokenForm("facebook-token", ("EAA",), r"EAA[A-Za-z0-9]{60,}" + _END, random=True, after=_BASE64),
    TokenForm("flutterwave-key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,32}(?:-X)?"),
    TokenForm("frameio-token", ("fio-u-",), r"fio-u-[A-Za-z0-9_=-]{40,}"),
    TokenForm("live-key", ("live_",), r"live_[A-Za-z0-9_=-]{32,}", random=True, after=_ALNUM | {"-"}),
    TokenForm("harness-token", ("pat.", "sat."), r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}" + _END, after=_WORD),
    TokenForm("hubspot-token", ("pat-",), r"pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", after=_WORD),
    TokenForm("infracost-key", ("ico-",), r"ico-[A-Za-z0-9]{32}" + _END, after=_WORD),
    TokenForm("intra42-secret", ("s-s4t2",), r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    TokenForm("langsmith-key", ("lsv2_",), r"lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}"),
    TokenForm("maxmind-key", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk" + _END),
    TokenForm("nvidia-key", ("nvapi-",), r"nvapi-[A-Za-z0-9_-]{40,}"),
    TokenForm("octopus-key", ("API-",), r"API-(?=[A-Z]*\d)[A-Z0-9]{26,32}" + _END, after=_WORD),
    TokenForm("openshift-token", ("sha256~",), r"sha256~[A-Za-z0-9_-]{43}"),
    TokenForm("pinecone-key", ("pcsk_",), r"pcsk_[A-Za-z0-9_]{40,}"),
    TokenForm("plaid-token", ("access-sandbox-", "access-development-", "access-production-", "link-sandbox-"), r"(?:access|link)-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    TokenForm("resend-key", ("re_",), r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" + _END, after=_WORD),
    TokenForm("scalingo-token", ("tk-us-", "tk-eu-"), r"tk-(?:us|eu)-[A-Za-z0-9_-]{40,}", after=_WORD),
    TokenForm("settlemint-token", ("sm_pat_", "sm_aat_", "sm_sat_"), r"sm_[a-z]at_[A-Za-z0-9]{16,}", after=_WORD),
    TokenForm("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[0-9a-f]{40}"),
    TokenForm("sonar-token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[0-9a-f]{40}" + _END, after=_WORD),
    TokenForm("sourcegraph-token", ("sgp_", "sgd_", "slk_"), r"s(?:gp|gd|lk)_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40,64}" + _END, after=_WORD),
    TokenForm("tavily-key", ("tvly-",), r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}"),
    TokenForm("typeform-token", ("tfp_",), r"tfp_[A-Za-z0-9_.=-]{40,}", after=_WORD),
    TokenForm("yandex-key", ("AQVN", "t1."), r"(?:AQVN[A-Za-z0-9_-]{35,38}|t1\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{60,}=*)" + _END, after=_ALNUM),
    TokenForm("onepassword-key", ("A3-",), r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}" + _END, after=_ALNUM),
    TokenForm("fireworks-key", ("fw_",), r"fw_[A-Za-z0-9]{22,28}" + _END, random=True, after=_WORD),
    TokenForm("api-key", ("sk_",), r"sk_[A-Za-z0-9]{32,}" + _END, random=True, after=_WORD),
    TokenForm("google-signature", ("X-Goog-Signature=",), r"X-Goog-Signature=([0-9a-fA-F]{64,})"),
    TokenForm("authress-key", (".acc-", ".acc_"), r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}", after=_WORD),
    TokenForm("clickhouse-key", ("4b1d",), r"4b1d[A-Za-z0-9]{38}" + _END, random=True, after=_ALNUM),
    TokenForm("facebook-token", ("|", "%7C"), r"\d{15,16}(?:\||%7C)[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])", after=_ALNUM),
    # {"auths": of Docker's configuration, with the blanks that tools write.
    TokenForm("docker-config", ("eyJhdXRocyI6", "eyAiYXV0aHMi", "ewogICJhdXRocyI", "ewoJImF1dGhzI", "ewogICAgImF1dGhzI"), r"(?:eyJhdXRocyI6|eyAiYXV0aHMi|ewogICJhdXRocyI|ewoJImF1dGhzI|ewogICAgImF1dGhzI)[A-Za-z0-9+/]{20,65536}={0,2}", after=_BASE64),
    TokenForm("grafana-key", ("eyJrIjoi",), r"eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}", after=_BASE64),
    TokenForm("jwt", ("ZXlK",), r"ZXlK[A-Za-z0-9+/_-]{60,4096}={0,2}", random=True, after=_BASE64),
    TokenForm("square-token", ("EAAA",), r"EAAA[A-Za-z0-9_-]{22,60}(?![A-Za-z0-9_-])", random=True, after=_BASE64 | {"-"}),
    TokenForm("stripe-key", ("sk_prod_", "rk_prod_"), r"[sr]k_prod_[A-Za-z0-9_]{10,}"),
    TokenForm("vault-token", ("s.",), r"s\.[A-Za-z0-9]{24}" + _END, random=True, after=_ALNUM | {"_", "-", "."}),
    TokenForm("yandex-key", ("YC",), r"YC[A-Za-z0-9_-]{38}(?![A-Za-z0-9_-])", random=True, after=_WORD),
    TokenForm("softlayer-key", ("softlayer.com/soap/",), r"softlayer\.com/soap/v3(?:\.1)?/([A-Za-z0-9]{64})"),
    TokenForm("bundler-credentials", ("BUNDLE_",), r"BUNDLE_[A-Z0-9_]{1,80}__[A-Z]{2,12}[\"']?[ \t]{0,4}[=:][ \t]{0,4}[\"']?([\w.%+-]{1,64}:[^\s\"'/]{1,128})"),
    TokenForm("clickup-token", ("pk_",), r"pk_\d{5,9}_[A-Z0-9]{32}" + _END, after=_WORD),
    TokenForm("voiceflow-key", ("VF.DM.", "VF.WS."), r"VF\.(?:DM|WS)\.[0-9A-Za-z]{24}\.[A-Za-z0-9]{16}" + _END),
    TokenForm("zoho-token", ("1000.",), r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}" + _END, after=_WORD | {"."}),
    TokenForm("ubidots-token", ("BBFF-", "BBUS-"), r"BB(?:FF|US)-[A-Za-z0-9]{30,}" + _END, random=True, after=_WORD),
    TokenForm("launchdarkly-key", ("sdk-", "mob-", "api-"), r"(?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}" + _END, after=_WORD),
    TokenForm("pubnub-key", ("sec-c-",), r"sec-c-[A-Za-z0-9=-]{36,80}", after=_WORD),
    TokenForm("salesforce-session", ("00D",), r"00D[A-Za-z0-9]{12,15}!A[QR][A-Za-z0-9_.]{80,}", after=_ALNUM),
    TokenForm("telnyx-key", ("KEY0",), r"KEY0[A-Za-z0-9]{28,40}_[A-Za-z0-9]{20,}" + _END, after=_WORD),
    TokenForm("openai-key", ("sess-",), r"sess-[A-Za-z0-9]{40}" + _END, after=_WORD),
    TokenForm("api-key", ("csk-",), r"csk-[a-z0-9]{48}" + _END, after=_WORD),
    TokenForm("firecrawl-key", ("fc-",), r"fc-[0-9a-f]{32}" + _END, after=_WORD),
    TokenForm("stytch-secret", ("secret-live-", "secret-test-"), r"secret-(?:live|test)-[A-Za-z0-9_=-]{36,}", after=_WORD),
    TokenForm("cloudflare-key", ("eyJhIjoi",), r"eyJhIjoi[A-Za-z0-9+/]{60,}={0,2}", after=_BASE64),
    TokenForm("convex-key", ("prod:", "dev:", "preview:"), r"(?:prod|dev|preview):[a-z0-9-]{3,40}\|[A-Za-z0-9+/=]{40,}", after=_WORD),
    TokenForm("expo-token", ("expo_",), r"expo_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])", random=True, after=_WORD),
    TokenForm("elastic-key", ("essu_",), r"essu_[A-Za-z0-9+/]{40,}={0,2}", after=_WORD),
    TokenForm("confluent-secret", ("cflt",), r"cflt[A-Za-z0-9+/]{60}(?![A-Za-z0-9+/=])", random=True, after=_BASE64),
    TokenForm("azure-key", ("+ACR",), _APART + r"[A-Za-z0-9]{42}\+ACR[A-D][A-Za-z0-9]{5}" + _END),
    TokenForm("wallet-key", ("xprv", "yprv", "zprv", "tprv"), r"[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{100,120}" + _END, after=_ALNUM),
    TokenForm("wallet-key", ("5H", "5J", "5K"), r"5[HJK][1-9A-HJ-NP-Za-km-z]{49}" + _END, random=True, after=_WORD),
    TokenForm("nostr-key", ("nsec1",), r"nsec1[02-9ac-hj-np-z]{58}" + _END, after=_ALNUM),
    TokenForm("minisign-key", ("RWRTY0Iy", "RWRCSw"), r"RW(?:RTY0Iy|RCSw)[A-Za-z0-9+/]{90,}={0,2}", after=_BASE64),
    TokenForm("tor-password", ("16:",), r"16:[0-9A-F]{58}" + _END, after=_WORD),
    TokenForm("nkey-seed", ("SU", "SA", "SO", "SN", "SC", "SX"), r"S[UAONCX][A-Z2-7]{56}" + _END, random=True, after=_WORD),
    TokenForm("swarm-token", ("SWMTKN-1-",), r"SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}"),
    TokenForm("cluster-token", ("::server:", "::node:"), r"K10[0-9a-f]{64}::(?:server|node|agent):[0-9A-Za-z]{16,64}"),
    TokenForm("vk-token", ("vk1.a.",), r"vk1\.a\.[A-Za-z0-9_-]{60,}"),
    TokenForm("braintree-token", ("access_token$",), r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    TokenForm("jenkins-secret", ("AQAAABAAAA",), r"AQAAABAAAA[A-Za-z0-9+/]{20,}={0,2}", after=_BASE64),
    TokenForm("mailersend-key", ("mlsn.",), r"mlsn\.[0-9a-f]{64}"),
    # PEM in base64, as in a kubeconfig; certificates and public keys begin otherwise.
    TokenForm("private-key", ("LS0tLS1CRUdJTi",),
             r"LS0tLS1CRUdJTi(?!BDRVJUSUZJQ0FUR|BQVUJMSUMg)[A-Za-z0-9+/]{40,}={0,2}"),
)  # fmt: skip


_DIGIT: Final = lazily(r"\d")
_LEAST_ALIKE: Final = 23
_ALIKE_CLUE: Final = "\0alike"
"""Stands behind the parts of a word that may be such a token."""
_MIXED: Final = lazily(r"_[A-Za-z0-9]{0,60}?(?:\d[A-Za-z]|[A-Za-z]\d)")
_ALIKE: Final = lazily(
    r"(?<![A-Za-z0-9_-])[a-z][a-z0-9]{1,11}(?:_(?:[a-z]{2,8}|v\d)){0,3}_"
    r"(?P<body>[A-Za-z0-9]{28,256}|(?=[a-z]*\d)[a-z0-9]{32,256}"
    r"|(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{20,27})"
    r"(?:\+[A-Za-z0-9+/]{0,256}={0,2}|_[0-9a-f]{8,40})?(?![A-Za-z0-9_-])"
)
_BODY: Final = lazily(r"_(?=[A-Za-z0-9]{20})")
_LONGEST_PREFIX: Final = 48
_PREFIX_SIGNS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_DIGEST: Final = lazily(r"(?:sha\d{1,3}|md5|blake\w{1,4}|h1)[=:-]\Z")
_IDS: Final = lazily(
    r"(?:[a-z]+_)?(?:sha\d*|md5|hash|digest|commit|rev|id|uid|uuid|run|req|trace|span|msg|evt|job)_"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _stands_after(text: str, at: int, signs: frozenset[str]) -> bool:
    before = text[max(0, at - 2) : at]
    if before[-1:] in _SEPARATING and before[-1:] in signs:
        # In base64 they are letters like any other; elsewhere they part words.
        run = _BASE64_RUN.search(text, max(0, at - 1 - _LONGEST_RUN), at - 1)
        return run is not None and is_random(run[0], _LONGEST_RUN)
    # The m that ends the code of a colour is no part of a word.
    return before[-1:] in signs and not (before[1:] == "m" and before[0] in "[0123456789")


def _long_parts(word: str) -> str:
    """Give the parts of a word in which a token may stand."""
    if word.islower() and not _DIGIT.search(word):
        return ""
    # A line of JSON without blanks is one word, in which some clue stands by chance.
    # No token is made of small letters alone.
    parts = [part for part in _LONG_PART.findall(word) if not part.islower() or _DIGIT.search(part)]
    if any(len(part) >= _LEAST_ALIKE and "_" in part and _MIXED.search(part) for part in parts):
        parts.append(_ALIKE_CLUE)
    return " ".join(parts)


PROVIDER_CLUES: Final = ClueSearch(
    (*(clue for form in PROVIDERS for clue in form.clues), _ALIKE_CLUE), LEAST, _long_parts
)


def provider_tokens(text: str, start: int, end: int, clues: Clues) -> Iterator[SecretSpan]:
    """Find tokens that tell by their form what they are; ``clues`` are of ``PROVIDER_CLUES``."""
    if not clues:
        return
    for provider in PROVIDERS:
        if clues.isdisjoint(provider.clues):
            continue
        for match in _compiled(provider.pattern).finditer(text, start, end):
            group = match.lastindex or 0
            secret = match[group]
            if (
                _stands_after(text, match.start(), provider.after)
                or is_example(secret)
                or len(set(secret[-12:])) == 1
            ):
                continue
            if not provider.random or is_random(secret):
                yield SecretSpan(*match.span(group), provider.kind, secret, ISSUED)
    if _ALIKE_CLUE in clues:
        yield from _issued_alike(text, start, end)


def _issued_alike(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find tokens in the form that issuers agree on by now: a prefix, ``_``, and a long body.

    Only a body of letters and digits at random counts, and no prefix that speaks of an id.
    """
    reached = start
    for body in _BODY.finditer(text, start, end):
        least = max(reached, body.start() - _LONGEST_PREFIX)
        begin = least + len(text[least : body.start()].rstrip(_PREFIX_SIGNS))
        match = _ALIKE.match(text, begin, end) if begin >= reached else None
        if match is None:
            continue
        explained = _IDS.match(match[0]) or _DIGEST.search(text, max(start, begin - 12), begin)
        if is_random(match["body"]) and not explained:
            reached = match.end()
            yield SecretSpan(*match.span(), "token", match[0], "a prefix and a long random rest")
