"""Where a setting decides what is asked first or stays private, nobody makes yours laxer."""

import itertools

import pytest

from gitmem.config import Layer, layered

ORDERS: dict[str, tuple[object, ...]] = {
    "capture.mode": ("auto", "draft", "off"),
    "capture.assistants": ("auto", "draft"),
    "guard.block": (False, True),
    "hub.publish": (True, False),
}
CASES = [
    (key, own, teams)
    for key, order in ORDERS.items()
    for own, teams in itertools.product(order, order)
]


@pytest.mark.parametrize(("key", "own", "teams"), CASES)
def test_of_yours_and_the_teams_the_stricter_counts(key: str, own: object, teams: object) -> None:
    config, origins, complaints = layered([Layer("user", {key: own}), Layer("team", {key: teams})])
    order = ORDERS[key]
    stricter = max(own, teams, key=order.index)
    assert getattr(config, key.replace(".", "_", 1)) == stricter
    assert origins[key] == ("user" if order.index(own) >= order.index(teams) else "team")
    assert not complaints


@pytest.mark.parametrize(("key", "own", "teams"), CASES)
def test_your_environment_has_the_last_word(key: str, own: object, teams: object) -> None:
    layers = [Layer("team", {key: teams}), Layer("environment", {key: str(own)})]
    assert getattr(layered(layers).config, key.replace(".", "_", 1)) == own


def test_what_either_keeps_at_home_stays_there() -> None:
    team = Layer("team", {"hub.stay_home": "tag:internal"})
    assert layered([team]).config.hub_stay_home == "tag:internal"
    both = layered([Layer("user", {"hub.stay_home": "session"}), team])
    assert both.config.hub_stay_home == "session, tag:internal"
