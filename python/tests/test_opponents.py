"""Games of several roles for one agent of Gymnasium, and the names that Gymnasium knows."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
from tengen.gymnasium import Env, OpponentEnv, VectorEnv  # noqa: E402


def first(observation: dict[str, Any], _: Any) -> int:
    """The legal action of the lowest number."""
    return int(np.flatnonzero(observation["action_mask"])[0])


def go_env(**given: Any) -> Any:
    from tengen.boards import GoEnv

    return OpponentEnv(GoEnv(5, illegal="lose", max_moves=40), **given)


def chess_env(**given: Any) -> Any:
    pytest.importorskip("chess")
    from tengen.boards import ChessEnv

    return OpponentEnv(ChessEnv(illegal="lose", max_moves=40), **given)


MAKERS: dict[str, Callable[[], Any]] = {
    "noughts, random": lambda: OpponentEnv(gdl.example("noughts")),
    "noughts, the second role": lambda: OpponentEnv(gdl.example("noughts"), agent="crosses"),
    "noughts, uct": lambda: OpponentEnv(gdl.example("noughts"), opponent="uct", playouts=50),
    "noughts, a callable": lambda: OpponentEnv(gdl.example("noughts"), opponent=first),
    "simultaneous moves": lambda: OpponentEnv(gdl.example("standoff"), agent=1),
    "go": go_env,
    "go, White": lambda: go_env(agent="white", opponent=first),
    "chess": chess_env,
    "chess, Black": lambda: chess_env(agent="black"),
}


@pytest.mark.parametrize("name", MAKERS)
def test_gymnasium_checks_an_agent_against_a_policy(name: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(MAKERS[name](), skip_render_check=True)


def played(env: Any, seed: int) -> tuple[list[int], float]:
    """A game by random legal actions."""
    observation, info = env.reset(seed=seed)
    random, actions, total = np.random.default_rng(seed), [], 0.0
    for _ in range(500):
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        actions.append(action)
        total += reward
        if terminated or truncated:
            return actions, total
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_seed_is_the_same_game_and_copies_go_on_alike(name: str) -> None:
    env = MAKERS[name]()
    assert played(env, 5) == played(MAKERS[name](), 5)
    env.reset(seed=9)
    other = copy.deepcopy(env)
    assert played(env, 6) == played(other, 6)
    if "callable" not in name:
        assert played(pickle.loads(pickle.dumps(env)), 6) == played(env, 6)


def test_uct_loses_to_random_play_almost_never() -> None:
    env = OpponentEnv(gdl.example("noughts"), agent="crosses", opponent="uct", playouts=400)
    scores = [played(env, seed)[1] for seed in range(30)]
    assert np.mean(scores) < 0.15


def test_uct_of_a_state_takes_the_win() -> None:
    game = gdl.example("noughts")
    state = game.initial()
    for move in ("(put 1 1)", "(put 2 1)", "(put 1 2)", "(put 2 2)"):
        state.apply(game.actions.index(move))
    assert game.actions[state.uct(300)] == "(put 1 3)"
    assert state.uct(300, seed=4) == state.uct(300, seed=4, role="noughts")
    with pytest.raises(ValueError, match="playouts must be 1 or more"):
        state.uct(0)
    state.apply(game.actions.index("(put 1 3)"))
    with pytest.raises(ValueError, match="over"):
        state.uct(10, role=0)


def test_the_opponent_plays_every_other_role() -> None:
    asked: list[str] = []

    def policy(observation: dict[str, Any], env: Any) -> int:
        asked.append(env.agent_selection)
        return first(observation, env)

    env = OpponentEnv(gdl.example("noughts"), agent="crosses", opponent=policy)
    env.reset(seed=1)
    assert asked == ["noughts"] and env.games.agent_selection == "crosses"
    played(env, 2)
    assert set(asked) == {"noughts"}


def test_an_illegal_action_loses() -> None:
    env = OpponentEnv(gdl.example("noughts"))
    env.reset(seed=1)
    wait = env.games.game.actions.index("wait")
    _, reward, terminated, truncated, _ = env.step(np.int64(wait))
    assert (reward, terminated, truncated) == (0.0, True, False)


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ({"agent": "nobody"}, ValueError, "agent must be one of noughts, crosses"),
        ({"agent": 2}, ValueError, "agent must be"),
        ({"agent": True}, ValueError, "agent must be"),
        ({"opponent": "engine"}, ValueError, "opponent must be random, uct or a callable"),
        ({"playouts": 0}, ValueError, "playouts must be 1 or more, not 0"),
        ({"playouts": True}, TypeError, "playouts must be an integer"),
        ({"playouts": 1.5}, TypeError, "playouts must be an integer"),
    ],
)
def test_what_is_no_parameter_is_told_with_its_name(bad: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        OpponentEnv(gdl.example("noughts"), **bad)


def test_uct_is_for_rulesheets() -> None:
    with pytest.raises(ValueError, match="uct plays games of rulesheets only"):
        go_env(opponent="uct")


def test_gymnasium_makes_environments_by_name() -> None:
    assert isinstance(gymnasium.make("tengen/Gdl-v0", game="corridor").unwrapped, Env)
    noughts = gymnasium.make("tengen/Gdl-v0", game="noughts", agent="crosses").unwrapped
    assert isinstance(noughts, OpponentEnv) and noughts.agent == "crosses"
    go = gymnasium.make("tengen/Go-v0", size=5, komi=0.5, agent="white")
    observation, _ = go.reset(seed=1)
    assert observation["observation"].shape == (4, 5, 5) and go.unwrapped.games.komi == 0.5
    many = gymnasium.make_vec("tengen/Gdl-v0", num_envs=3, vectorization_mode="vector_entry_point", game="corridor")
    assert isinstance(many.unwrapped, VectorEnv) and many.num_envs == 3
    pytest.importorskip("chess")
    chess = gymnasium.make("tengen/Chess-v0", max_moves=10)
    observation, info = chess.reset(seed=1)
    assert info["action_mask"].sum() == 20
