"""Batched tree search with a network of the caller's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")


def even(leaves: Any) -> tuple[Any, Any]:
    """A network that knows nothing."""
    return np.ones(leaves.legal_mask.shape), np.full(len(leaves.turn), 0.5)


def noughts(*lines: tuple[str, ...], **settings: Any) -> Any:
    """Games after these moves."""
    env = gdl.VectorEnv(gdl.example("noughts"), len(lines), autoreset="disabled", **settings)
    rows = []
    for moves in lines:
        one = gdl.VectorEnv(env.game, autoreset="disabled")
        for move in moves:
            one.step([one.actions.index(move)])
        rows.append(one.state()[0])
    env.set_state(np.stack(rows))
    return env


WIN = ("(put 1 1)", "(put 2 1)", "(put 1 2)", "(put 2 2)")
STOP = ("(put 1 1)", "(put 2 2)", "(put 1 2)")


@pytest.mark.parametrize("packed", [False, True])
def test_the_win_is_taken_and_that_of_the_other_stopped(packed: bool) -> None:
    env = noughts(WIN, STOP, (), packed=packed)
    before = env.state()
    found = gdl.mcts(env, even, 300)
    assert [env.actions[a] for a in found.best[:2]] == ["(put 1 3)", "(put 1 3)"]
    assert (found.visits.sum(axis=1) == 300).all()
    assert found.q[0, found.best[0]] > 0.99
    assert (env.state() == before).all()
    legal = np.array([gdl.batch([env.game.initial()]).legal_mask[0]])
    assert (found.visits[2:] > 0)[legal].all() and not found.visits[2:][~legal].any()


def test_a_game_that_is_over_gets_no_visits() -> None:
    env = noughts((*WIN, "(put 1 3)"), ())
    found = gdl.mcts(env, even, 40)
    assert not found.visits[0].any() and found.visits[1].sum() == 40
    assert not found.policy()[0].any()
    assert found.sample(np.random.default_rng(1))[0] == 0


def test_the_network_sees_each_leaf_for_the_role_on_turn() -> None:
    env = noughts((), WIN)
    seen: list[Any] = []

    def network(leaves: Any) -> tuple[Any, Any]:
        seen.append((leaves.observation.copy(), leaves.turn.copy()))
        priors = np.zeros(leaves.legal_mask.shape)
        priors[:, 4] = 1
        return priors, np.full((len(leaves.turn), 2), [0.9, 0.1])

    found = gdl.mcts(env, network, 8)
    assert len(seen) == 9
    assert (seen[0][0] == env.observation).all()
    assert found.best[0] == 4, "all priors are on one action"
    assert seen[1][1].tolist() == [1, 1]
    assert found.q[0, 4] == pytest.approx(0.9)


def test_values_of_the_role_on_turn_are_those_of_each_role() -> None:
    def one(leaves: Any) -> tuple[Any, Any]:
        return np.ones(leaves.legal_mask.shape), np.where(leaves.turn == 0, 0.8, 0.2)

    def each(leaves: Any) -> tuple[Any, Any]:
        return np.ones(leaves.legal_mask.shape), np.full((len(leaves.turn), 2), [0.8, 0.2])

    env = noughts((), STOP)
    assert (gdl.mcts(env, one, 50).visits == gdl.mcts(env, each, 50).visits).all()


def test_policies_and_draws_follow_the_visits() -> None:
    unknown = np.full((1, 4), np.nan, np.float32)
    found = gdl.Search(np.array([[1, 3, 0, 0]], np.int32), unknown, np.zeros((1, 4), np.float32), unknown)
    assert found.policy().tolist() == [[0.25, 0.75, 0, 0]]
    assert found.policy(0.01)[0, 1] == pytest.approx(1)
    draws = [int(found.sample(np.random.default_rng(n))[0]) for n in range(400)]
    assert set(draws) == {0, 1} and 60 < draws.count(0) < 140


def test_what_is_proven_goes_before_visits() -> None:
    fork = ("(put 1 1)", "(put 1 2)", "(put 2 1)", "(put 3 1)", "(put 2 2)")
    found = gdl.mcts(noughts(WIN, fork, ()), even, 400)
    win = found.best[0]
    assert found.proven[0, win] == 1 and found.q[0, win] == 1 and found.policy()[0, win] == 1
    assert (found.proven[1][found.visits[1] > 0] == 0).all(), "the other has two threats"
    assert found.policy()[1].sum() == pytest.approx(1)
    draws = [int(found.sample(np.random.default_rng(n))[0]) for n in range(20)]
    assert set(draws) == {int(win)}
    visits, unknown = np.array([[6, 3, 1]], np.int32), np.zeros((1, 3), np.float32)
    late = gdl.Search(visits, unknown, unknown, np.array([[0, np.nan, 0.5]], np.float32))
    assert late.best[0] == 1 and late.policy().tolist() == [[0, 0.75, 0.25]]


def test_noise_is_that_of_the_seed() -> None:
    env = noughts(())
    priors = [gdl.mcts(env, even, 1, noise=0.3, alpha=0.5, seed=seed).priors for seed in (1, 1, 2)]
    assert (priors[0] == priors[1]).all() and (priors[0] != priors[2]).any()
    assert priors[0].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"simulations": 0}, "simulations must be 1 or more, not 0"),
        ({"exploration": -1.0}, "exploration must be"),
        ({"exploration": float("nan")}, "exploration must be"),
        ({"noise": 1.5}, "noise must be"),
        ({"alpha": 0.0}, "alpha must be"),
    ],
)
def test_numbers_out_of_range_are_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gdl.mcts(noughts(()), even, **{"simulations": 5, **given})


@pytest.mark.parametrize(
    ("priors", "values", "words"),
    [
        (np.ones((1, 3)), np.ones(1), r"priors must be \[1, 10\]"),
        (np.ones((1, 10)), np.ones((1, 3)), r"values must be \[1, 2\] or \[1\]"),
        (np.full((1, 10), np.nan), np.ones(1), "priors of game 0"),
        (np.full((1, 10), -1.0), np.ones(1), "priors of game 0"),
        (np.ones((1, 10)), np.full(1, np.inf), "values of game 0"),
    ],
)
def test_what_a_network_may_not_say_is_named(priors: Any, values: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        gdl.mcts(noughts(()), lambda leaves: (priors, values), 3)


def test_games_without_turns_are_refused() -> None:
    with pytest.raises(ValueError, match="do not take turns"):
        gdl.mcts(gdl.VectorEnv(gdl.example("standoff")), even, 3)


def test_a_game_of_one_role_is_searched() -> None:
    env = gdl.VectorEnv(gdl.example("corridor"), 2, autoreset="disabled")
    found = gdl.mcts(env, even, 30)
    assert (found.visits.sum(axis=1) == 30).all()


def test_values_overcome_priors_by_default() -> None:
    """A prior of 0.8 on a bad move: the value of another, 0.3 higher, prevails in 200 simulations."""
    env = noughts(())

    def misled(leaves: Any) -> tuple[Any, Any]:
        priors = np.full(leaves.legal_mask.shape, 0.025)
        priors[:, 0] = 0.8
        first = leaves.observation[:, env.columns.index("(square 1 1 noughts)")]
        values = np.where(first, 0.35, 0.65)
        return priors, np.stack([values, 1 - values], axis=1)

    assert gdl.mcts(env, misled, 200).best[0] != 0
    assert gdl.mcts(env, misled, 200, exploration=1.25).best[0] == 0
