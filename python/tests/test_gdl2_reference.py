"""The rulesheets of scenes/gdl2, asked by the plain interpreter of GDL-II: percepts, values and recorded games."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import gdl2_policies
import gdl2_reference as reference
import pytest

EXPECTED = json.loads((reference.FOLDER / "expected.json").read_text(encoding="utf-8"))
SMALL = "(role a) (init s) (<= (legal a go) (true s)) (<= (next t) (does a go)) (<= terminal (true t)) (goal a 50)"


def test_every_rulesheet_has_values_policies_and_a_script() -> None:
    assert reference.names() == sorted(EXPECTED)
    assert reference.names() == sorted(name for name, *_ in gdl2_policies.SCRIPTS)
    assert len(reference.names()) == 10


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_values_and_counts_are_those_of_the_file(name: str) -> None:
    assert reference.is_part(reference.results(name, False), EXPECTED[name])


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_recorded_game_can_be_played_again(name: str) -> None:
    path = reference.FOLDER / "traces" / f"{name}.json"
    assert path.read_text(encoding="utf-8") == reference.trace_text(reference.trace(name))


@pytest.mark.parametrize(("name", "script", "goals"), gdl2_policies.SCRIPTS)
def test_each_role_perceives_what_the_rules_in_words_say(name: str, script: list, goals: list) -> None:
    seen, at_the_end = reference.percepts(reference.load(name), [moves for moves, _ in script])
    assert seen == [each for _, each in script]
    assert at_the_end == goals


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_random_games_end_and_break_no_demand(name: str) -> None:
    game = reference.load(name)
    least, most = EXPECTED[name]["steps"]
    for number in range(50):
        states = reference.record(game, name, number)["states"]
        assert least <= len(states) - 1 <= most


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_values_in_the_head_of_a_rulesheet_are_those_of_the_file(name: str) -> None:
    text = (reference.FOLDER / f"{name}.kif").read_text(encoding="utf-8")
    head = " ".join(line[1:].strip() for line in text.split("\n\n(role")[0].splitlines())
    told = {Fraction(value) for value in re.findall(r"\d+/\d+", head.partition("Expected")[2])}
    policies = EXPECTED[name]["policies"].values()
    known = {Fraction(role["mean"]) for policy in policies for role in policy.values()}
    spreads = [role["distribution"] for policy in policies for role in policy.values()]
    known |= {Fraction(chance) for spread in spreads for chance in spread.values()}
    assert told <= known, told - known


def test_monty_hall_is_won_by_two_thirds_of_the_switches() -> None:
    values = {label: each["candidate"]["mean"] for label, each in EXPECTED["montyHall"]["policies"].items()}
    assert values == {"random": "50", "switch": "200/3", "stay": "100/3"}


def test_optimal_play_of_kuhns_poker_costs_alice_an_eighteenth_of_a_chip() -> None:
    mean = Fraction(EXPECTED["kuhnPoker"]["policies"]["optimal"]["alice"]["mean"])
    assert (mean - 50) / 25 == Fraction(-1, 18)


def test_krieg_tic_tac_toe_at_random_has_the_value_of_a_program_without_rules() -> None:
    # By a walk over boards whose cells are empty, held, or held and tried by the other player: 415,123 of them.
    assert EXPECTED["kriegTTT"]["states"] == 415123
    assert EXPECTED["kriegTTT"]["policies"]["random"]["crosses"]["distribution"] == {
        "0": "121/420", "50": "8/63", "100": "737/1260",
    }


def test_a_draw_of_random_battleships_has_the_probability_of_two_equal_last_hits() -> None:
    # The last of two hits among six shots is shot k with probability (k - 1) / 15.
    draw = sum(Fraction(k - 1, 15) ** 2 for k in range(2, 7))
    assert Fraction(EXPECTED["battleship"]["policies"]["random"]["north"]["distribution"]["50"]) == draw


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("(legal a go)", "(legal b go)"), "no legal move"),
        (("(goal a 50)", "(goal a 50) (goal a 60)"), "has the goals"),
        (("(goal a 50)", "(goal b 50)"), "has the goals"),
        (("(next t) (does a go)", "(next s) (does a go)"), "comes back"),
        (("(next t)", "(next ?x)"), "not bound"),
        (("(goal a 50)", "(goal a 50) (<= p (not q)) (<= q p)"), "own negation"),
        (("(goal a 50)", "(goal a 50"), "is missing"),
    ],
)
def test_a_faulty_rulesheet_is_refused(change: tuple[str, str], words: str) -> None:
    assert reference.explore(reference.Game(SMALL))["games"] == 1
    with pytest.raises(reference.Fault, match=words):
        reference.explore(reference.Game(SMALL.replace(*change)))
