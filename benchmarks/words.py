"""The vocabulary of the made-up memories. Common words stand first: rank decides frequency."""

from typing import Final


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NOUNS: Final = _listed(
    """
    error file test request response value user server token cache path query index table
    client config module session time database build key list message worker branch thread
    queue event record job type field service timeout schema stream buffer page handler driver
    column connection migration lock order version thing result object input output state
    change process memory limit header payload socket certificate password account invoice
    payment customer product price discount basket shipment parcel warehouse supplier tax
    currency refund ledger balance report chart dashboard widget button dialog form menu
    toolbar layout theme icon font colour image thumbnail video upload download archive folder
    bucket snapshot backup replica shard partition cursor transaction isolation deadlock
    trigger view constraint sequence identifier uuid hash digest signature cipher secret vault
    policy role permission group tenant quota budget rate window bucket throttle retry backoff
    deadline scheduler cron calendar clock timezone offset daylight locale translation
    encoding charset parser lexer grammar syntax tree node leaf edge graph vertex cycle walk
    visitor compiler linker loader runtime interpreter bytecode allocator arena heap stack
    pointer reference borrow lifetime closure callback promise future coroutine generator
    iterator iterable decorator context manager exception panic signal interrupt daemon
    container image registry volume mount network bridge proxy gateway router balancer
    firewall domain resolver record zone host port address subnet mask route packet frame
    checksum protocol handshake session cookie origin header preflight redirect fixture mock
    stub fake snapshot assertion coverage flake suite runner matrix pipeline stage step
    artifact release tag changelog milestone ticket review comment commit rebase merge
    conflict patch diff hunk blame submodule hook template engine renderer partial layout
    filter macro plugin extension setting preference flag feature experiment cohort metric
    gauge counter histogram trace span log level alert pager incident runbook postmortem
    outage latency throughput bottleneck profiler sampler benchmark baseline regression model
    tensor batch epoch gradient optimiser weight layer embedding tokenizer prompt completion
    classifier threshold precision recall dataset label feature vector matrix kernel driver
    firmware sensor battery antenna modem display keyboard pixel shader texture mesh camera
    scene physics particle sprite animation timeline keyframe audio codec bitrate sample
    channel mixer subtitle playlist podcast feed article author editor draft revision
    paragraph footnote glossary appendix bibliography search suggestion synonym stem ranking
    relevance facet bookmark favourite rating forum thread reply mention notification digest
    inbox attachment recipient newsletter subscription trial upgrade coupon voucher loyalty
    reservation booking seat ticket venue itinerary flight luggage passport visa hotel room
    recipe ingredient kitchen garden weather forecast radar satellite orbit telescope genome
    protein patient prescription appointment clinic insurance claim premium deductible
    mortgage pension dividend portfolio broker exchange auction bid contract clause signature
    notary parcel survey questionnaire respondent census district council ballot
    """
)

VERBS: Final = _listed(
    """
    fail return use call read write open close load send wait build check add remove retry
    parse start stop run create delete update fetch store cache lock release import export
    render resolve handle connect accept reject refuse drop keep change move copy rename merge
    split join match compare convert encode decode encrypt decrypt compress expand truncate
    escape quote validate verify assert mock stub patch wrap unwrap flush sync commit rollback
    abort cancel schedule queue publish subscribe notify log trace measure sample profile
    allocate free leak overflow block unblock hang crash panic raise catch swallow propagate
    forward redirect route balance throttle limit count sum average round clamp shift rotate
    sort filter group index search rank crawl scan visit walk follow skip ignore configure
    install upgrade downgrade deploy migrate seed restore replicate shard mount attach detach
    bind listen register unregister inject override extend inherit compose serialise
    instantiate initialise finalise dispose recycle evict expire renew revoke grant deny
    """
)

ADJECTIVES: Final = _listed(
    """
    new old same missing empty wrong first last large small slow fast stale invalid expired
    open closed local remote global shared private public internal external temporary
    permanent partial complete nested flat recursive lazy eager async synchronous parallel
    serial atomic durable volatile immutable mutable optional required nullable unique
    duplicate ambiguous naive aware signed unsigned binary textual verbose quiet strict loose
    safe unsafe idle busy hidden visible obsolete deprecated experimental stable flaky broken
    healthy orphaned dangling cyclic sparse dense compressed encrypted plain quoted escaped
    relative absolute canonical virtual physical primary secondary upstream downstream nightly
    monthly incremental cumulative inclusive exclusive transient idempotent deterministic
    """
)

ADVERBS: Final = _listed(
    """
    only again never always already sometimes later twice silently early late directly
    usually rarely correctly eventually forever immediately locally remotely concurrently
    lazily eagerly atomically recursively gracefully abruptly
    """
)

SYLLABLES: Final = _listed(
    """
    ar bel cor dan el fin gar hal in jor kan lum mor nex or pel quin ras sol tan ul vor wen
    xan yor zel bri cra dro fle gri kla pri sta tri vel
    """
)

SENTENCES: Final = (
    "The {a} {n} {vs} the {n} before the {n} is {vd}.",
    "When the {n} {vs} {r}, the {a} {n} is still {vd}.",
    "It {vs} because {f} does not {v} the {n}.",
    "We {v} the {n} in {f} and {v} the {a} {n} {r}.",
    "After the {n} was {vd}, every {n} {vs} the {a} {n}.",
    "This only happens with a {a} {n} on the {n}.",
    "{f} {vs} a {n} that the {n} has already {vd}.",
    "Do not {v} the {n} while the {n} {vs}.",
    "A {a} {n} cannot {v} the {n} of another {n}.",
    "If the {n} is {a}, {v} it and {v} the {n} again.",
    "The {n} has to be {vd} by the {n}, not by the {n}.",
    "There were two ways: {v} the {n}, or {v} the {a} {n}.",
    "Without the {n} it {vs} in {k} of {k} runs.",
    "See {p} for how the {n} is {vd}.",
    "The cost is a {a} {n} and about {k} ms for each {n}.",
    "Nobody {vs} the {n}, so the {n} stays {a}.",
    "Set {s} to {k} and the {n} {vs} {r}.",
    "The {n} of the {n} was {k} bytes, the {a} one {k}.",
)

NOTE_TITLES: Final = (
    "The {a} {n} {vs} at night",
    "How to {v} a {n} without the {n}",
    "Always {v} the {n} before the {n}",
    "{S} decides how the {n} {vs}",
    "Where the {a} {n} comes from",
)

DECISION_TITLES: Final = (
    "Use one {n} for every {n}",
    "{V} the {n} in the {n}, not in the {n}",
    "Keep the {a} {n} out of the {n}",
    "One {a} {n} for each {n}",
    "{V} {a} {n}s {r}",
)

FIX_TITLES: Final = (
    "{V} the {n} before the {n}",
    "{V} the {a} {n} in {f}",
    "Make the {n} {a}",
    "Give {f} a {a} {n}",
    "Wait for the {n} and {v} it {r}",
)

SESSION_TITLES: Final = (
    "{V} the {a} {n}",
    "Make the {n} {v} the {n}",
    "Find out why the {n} {vs} {r}",
)

TAGS: Final = _listed(
    """
    backend frontend database api auth ci tests docker network performance security build
    types concurrency encoding datetime packaging ui logging config payments search mobile
    infra data flaky migration cache i18n cli
    """
)

AUTHORS: Final = (
    ("Ada Berg", "ada@example.org"),
    ("Bruno Keller", "bruno@example.org"),
    ("Chidi Okafor", "chidi@example.org"),
    ("Dana Whitfield", "dana@example.org"),
    ("Elif Kaya", "elif@example.org"),
    ("Farid Haddad", "farid@example.org"),
    ("Greta Lindqvist", "greta@example.org"),
    ("Hiro Tanaka", "hiro@example.org"),
    ("Inês Duarte", "ines@example.org"),
    ("Jonas Brandt", "jonas@example.org"),
)
