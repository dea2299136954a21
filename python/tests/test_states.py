"""Single states with numbers, and environments whose games are saved and set."""

from __future__ import annotations

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")


@pytest.mark.parametrize("name", gdl.examples())
def test_states_have_the_numbers_of_an_environment(name: str) -> None:
    game = gdl.example(name)
    env = gdl.VectorEnv(game, 20, seed=4, autoreset="disabled")
    assert (game.actions, game.columns, game.turns) == (env.actions, env.columns, env.turns)
    states = [game.initial() for _ in range(20)]
    for _ in range(20):
        seen = gdl.batch(states)
        over = env.terminated | env.truncated
        assert (seen.over == over).all()
        assert (seen.observation == env.observation).all()
        assert (seen.legal_mask == env.legal_mask).all()
        assert not env.turns or (seen.turn == env.turn)[~over].all()
        actions = env.sample_legal()
        step = env.step(actions)
        for n, state in enumerate(states):
            assert (state.observation == seen.observation[n]).all()
            if over[n]:
                assert state.legal_actions(0) == []
                continue
            if env.turns:
                assert state.legal_actions() == np.flatnonzero(seen.legal_mask[n]).tolist()
                assert (state.legal_mask() == seen.legal_mask[n]).all()
            child = state.child(actions[n])
            state.apply(actions[n])
            assert child == state and hash(child) == hash(state)
            if step.terminated[n]:
                assert state.terminal and np.allclose(state.rewards, step.reward[n])


def test_undo_takes_every_move_back_and_copies_are_independent() -> None:
    state = gdl.example("noughts").initial()
    past = []
    while not state.over:
        past.append((state.facts, state.turn, state.legal_actions(), state.moves))
        state.apply(state.legal_actions()[0])
    other = state.clone()
    while past:
        state.undo()
        assert (state.facts, state.turn, state.legal_actions(), state.moves) == past.pop()
    with pytest.raises(ValueError, match="no action was applied"):
        state.undo()
    assert other.over and other.moves > 0
    other.undo()
    assert not other.over


def test_a_long_line_of_moves_is_dropped_without_a_call_for_each() -> None:
    rules = "(role r) (init (on 1)) (<= (legal r (to ?x)) (value ?x)) (value 1) (value 2) " \
        "(<= (next (on ?x)) (does r (to ?x))) (<= terminal (true (on 3))) (value 3) (goal r 50)"
    state = gdl.Game(rules).initial()
    for n in range(200_000):
        state.apply(n % 2)
    assert state.moves == 200_000
    del state


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (10**12, ValueError, "action 1000000000000 "),
        (10**30, ValueError, f"action {10**30} "),
        (-1, ValueError, "action -1 "),
        (99, ValueError, "no move has this number"),
        ("a", TypeError, "sequence of one for each role"),
        (1.5, TypeError, "an action is an integer"),
        ([0], ValueError, "2 actions, one for each role, not 1"),
    ],
)
def test_an_action_that_is_none_is_named_as_it_was_given(action: object, error: type[Exception], words: str) -> None:
    state = gdl.example("noughts").initial()
    before = state.facts
    with pytest.raises(error, match=words):
        state.apply(action)
    assert state.facts == before


def test_roles_are_named_or_numbered_and_joint_moves_are_sequences() -> None:
    state = gdl.example("standoff").initial()
    assert state.turn is None
    with pytest.raises(ValueError, match="two roles have a choice"):
        state.legal_actions()
    with pytest.raises(ValueError, match="an action for each"):
        state.apply(0)
    role = state.game.roles[1]
    assert state.legal_actions(role) == state.legal_actions(1)
    state.apply([state.legal_actions(n)[0] for n in range(len(state.game.roles))])
    assert state.moves == 1
    for wrong in (7, "nobody"):
        with pytest.raises(ValueError, match="role"):
            state.legal_actions(wrong)


def test_numpy_integers_are_actions() -> None:
    state = gdl.example("noughts").initial()
    for action in (np.int64(0), np.int8(1), np.array(2)):
        assert state.child(action).moves == 1


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("threads", [1, 2])
def test_saved_games_are_set_in_any_lane(autoreset: str, threads: int) -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 700, seed=1, autoreset=autoreset, threads=threads)
    for _ in range(3):
        env.step(env.sample_legal())
    rows, seen, legal = env.state(), env.observation.copy(), env.legal_mask.copy()
    for _ in range(3):
        env.step(env.sample_legal())
    lanes = np.arange(699, 0, -7)
    before = env.observation.copy()
    shown = env.set_state(rows[: len(lanes)], lanes=lanes)
    assert shown is env.observation
    assert (env.observation[lanes] == seen[: len(lanes)]).all()
    assert (env.legal_mask[lanes] == legal[: len(lanes)]).all()
    others = np.setdiff1d(np.arange(700), lanes)
    assert (env.observation[others] == before[others]).all()
    env.set_state(rows)
    assert (env.state() == rows).all() and (env.observation == seen).all()
    one = gdl.VectorEnv(env.game, 3, autoreset=autoreset)
    one.set_state(rows[[5, 5, 9]])
    assert (one.observation == seen[[5, 5, 9]]).all()


def test_what_is_no_state_is_refused() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 4)
    rows = env.state()
    wrong = rows.copy()
    wrong[2, 4] = 9
    for state, lanes, words in [
        (rows[:2], None, "state must be uint8"),
        (rows.astype(np.int64), None, "state must be uint8"),
        (rows[:1], [4], "lanes: 4"),
        (rows[:1], [-1], "lanes: -1"),
        (rows[:1], [[0]], "lanes must be numbers"),
        (wrong, None, "state 2"),
    ]:
        with pytest.raises(ValueError, match=words):
            env.set_state(state, lanes=lanes)
    with pytest.raises(ValueError, match="out must be"):
        env.state(np.zeros(3, np.uint8))


def test_flags_of_a_game_that_is_over_last_until_it_starts_again() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 50, autoreset="disabled", max_steps=6)
    over = np.zeros(50, bool)
    for _ in range(12):
        step = env.step(env.sample_legal())
        now = step.terminated | step.truncated
        assert (now | ~over).all()
        assert not step.reward[over].any()
        over = now.copy()
    assert over.all()
    mask = np.arange(50) % 2 == 0
    env.reset(mask=mask)
    assert ((env.terminated | env.truncated) == ~mask).all()


def test_an_action_beyond_all_numbers_is_told_as_it_was_given() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 2)
    for action in (10**12, -(10**12), 10):
        with pytest.raises(ValueError, match=f"game 1: action {action} "):
            env.step(np.array([0, action], np.int64))
    lose = gdl.VectorEnv(gdl.example("noughts"), 2, illegal="lose")
    assert lose.step(np.array([0, 10**12])).terminated.tolist() == [False, True]
    joint = gdl.VectorEnv(gdl.example("standoff"), 2)
    with pytest.raises(ValueError, match=f"action {10**12} .* for {joint.roles[1]}"):
        joint.step(np.array([[0, 0], [0, 10**12]]))
