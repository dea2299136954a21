"""Games of hidden information: percepts of states, and environments with private observations."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
from tengen import hidden  # noqa: E402

FOLDER = Path(__file__).parents[2] / "scenes/gdl2"
SHEETS = sorted(path.stem for path in FOLDER.glob("*.kif"))


def load(name: str) -> gdl.Game:
    return gdl.load(FOLDER / f"{name}.kif", percepts=True)


@pytest.mark.parametrize("name", SHEETS)
def test_states_perceive_what_the_recorded_game_says(name: str) -> None:
    trace = json.loads((FOLDER / f"traces/{name}.json").read_text(encoding="utf-8"))
    state = load(name).initial()
    for before, after in itertools.pairwise(trace["states"]):
        assert state.facts == before["true"]
        state = state.next(before["move"])
        assert [state.percepts(role) for role in trace["roles"]] == before["sees"]
        assert state.facts == after["true"]
    assert state.terminal


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_every_player_observes_its_percepts_its_action_and_its_legal_moves(name: str, autoreset: str) -> None:
    game = load(name)
    env = hidden.VectorEnv(game, 5, seed=3, autoreset=autoreset)
    assert "random" not in env.players
    states = [game.initial() for _ in range(5)]
    over = [False] * 5
    env.reset(seed=3)
    for _ in range(25):
        actions = env.sample_legal()
        step = env.step(actions)
        for n, state in enumerate(states):
            if over[n]:
                if autoreset == "next_step":
                    states[n], over[n] = game.initial(), False
                    assert (step.last_action[n] == -1).all() and not step.observation[n].any()
                continue
            own = {player: env.actions[actions[n, p]] for p, player in enumerate(env.players)}
            choices = [[own[role]] if role in own else state.legal(role) for role in game.roles]
            after = [state.next(list(joint)) for joint in itertools.product(*choices)]
            if step.terminated[n] and autoreset == "same_step":
                assert any(each.terminal for each in after) and (step.last_action[n] == -1).all()
                states[n] = game.initial()
                continue
            # The one state that the move of `random` led to.
            fits = [s for s in after if s.facts == env.facts(n)]
            assert fits
            seen = [env.percepts_of(n, player) for player in env.players]
            assert seen in [[s.percepts(player) for player in env.players] for s in fits]
            states[n] = next(s for s in fits if [s.percepts(p) for p in env.players] == seen)
            over[n] = bool(step.terminated[n])
            assert over[n] == states[n].terminal
            assert (step.last_action[n] == actions[n]).all()
            for p, player in enumerate(env.players):
                legal = [] if over[n] else states[n].legal(player)
                assert sorted(np.array(env.actions)[step.legal_mask[n, p]]) == legal


def test_a_switch_wins_two_thirds_of_ten_thousand_games_of_monty_hall() -> None:
    games = 10_000
    env = hidden.VectorEnv(load("montyHall"), games, seed=69, autoreset="disabled")
    number = {text: n for n, text in enumerate(env.actions)}
    env.step(env.sample_legal())
    opened = env.step(np.full(env.action_shape, number["wait"])).observation[:, 0]
    doors = [env.percepts.index(f"(opened {door})") for door in (1, 2, 3)]
    assert (opened[:, doors].sum(axis=1) == 1).all() and opened.sum() == games
    step = env.step(np.full(env.action_shape, number["switch"]))
    assert step.terminated.all()
    assert abs(step.reward.mean() - 2 / 3) <= 4 * (2 / 9 / games) ** 0.5


def test_the_same_seed_gives_the_same_games() -> None:
    def played(seed: int) -> list[bytes]:
        env = hidden.VectorEnv(load("kuhnPoker"), 50, seed=seed)
        return [env.step(env.sample_legal()).observation.tobytes() for _ in range(20)]

    assert played(1) == played(1) != played(2)


def test_bad_actions_are_refused_and_no_game_moves() -> None:
    env = hidden.VectorEnv(load("montyHall"), 2)
    before = env.facts(0)
    with pytest.raises(ValueError, match="shape"):
        env.step([[0, 0], [0, 0]])
    with pytest.raises(TypeError, match="integers"):
        env.step([[0.5], [0.5]])
    for wrong in (99, -1, env.actions.index("wait")):
        with pytest.raises(ValueError, match="not legal"):
            env.step([[wrong], [wrong]])
    assert env.facts(0) == before
    plain = gdl.load(FOLDER / "montyHall.kif")
    with pytest.raises(ValueError, match="percepts"):
        hidden.VectorEnv(plain)


@pytest.mark.parametrize("name", SHEETS)
def test_pettingzoos_test_passes(name: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from tengen.pettingzoo import HiddenParallelEnv

    tests.parallel_api_test(HiddenParallelEnv(load(name), illegal="lose"), num_cycles=100)
