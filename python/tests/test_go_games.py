"""Many games of Go at once: those of the board of Go, in every way they can be copied."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

go = pytest.importorskip("tengen.go", reason="the package tengen is not installed: pip install ./python")
from tengen._tengen import Board  # noqa: E402


@pytest.mark.parametrize("rules", ["simple_ko", "positional_superko"])
def test_games_are_those_of_the_board(rules: str) -> None:
    size, n = 5, 8
    env = go.VectorEnv(n, size, 3.5, rules, seed=2)

    def new() -> tuple[Any, list[int]]:
        return Board(size, superko=rules == "positional_superko", suicide=False), []

    boards = [new() for _ in range(n)]
    ended = 0
    for _ in range(400):
        actions, over = env.sample_legal(), env.terminated | env.truncated
        step = env.step(actions)
        for game in range(n):
            if over[game]:
                boards[game] = new()
            else:
                boards[game][0].play(len(boards[game][1]) % 2 == 0, int(actions[game]))
                boards[game][1].append(int(actions[game]))
            board, moves = boards[game]
            assert env.moves(game) == moves
            black = len(moves) % 2 == 0
            stones = board.position() * (1 if black else -1)
            seen = step.observation[game].reshape(8, -1)
            assert (seen[0] == (stones == 1)).all() and (seen[1] == (stones == -1)).all()
            legal = board.legal(black)
            assert (seen[2] == (~legal[:-1] & (stones == 0))).all()
            assert (seen[3:6].sum(axis=0) == (stones != 0)).all() and (seen[7] == black).all()
            done = step.terminated[game] or step.truncated[game]
            assert (step.legal_mask[game] == (legal & ~done)).all()
            if step.terminated[game]:
                lead = board.white_lead(3.5)
                assert env.lead[game] == lead and step.reward[game].tolist() == [-np.sign(lead), np.sign(lead)]
                ended += 1
    assert ended > 5


def shown(env: Any) -> list[bytes]:
    """What happens next."""
    seen = [env.observation.tobytes()]
    for _ in range(40):
        actions = env.sample_legal()
        seen += [actions.tobytes(), *(array.tobytes() for array in env.step(actions)), env.lead.tobytes()]
    return seen


def played(**given: Any) -> Any:
    env = go.VectorEnv(200, 5, seed=3, **given)
    for _ in range(25):
        env.step(env.sample_legal())
    return env


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


WAYS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, by_pickle, go.VectorEnv.clone]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_a_copy_goes_on_alike_and_alone(way: Any, autoreset: Any) -> None:
    env = played(autoreset=autoreset)
    other = way(env)
    assert shown(other) == shown(env)
    other.reset()
    assert other.observation[:, :2].sum() == 0 and env.observation[:, :2].sum() > 0


def test_states_are_set_in_any_game_of_any_environment() -> None:
    env = played(autoreset="disabled", illegal="lose")
    env.step(np.where(np.arange(200) % 5 == 0, 10**9, env.sample_legal()))
    rows, seen, flags = env.state(), env.observation.copy(), env.terminated.copy()
    assert (rows == -2).any() and flags.any() and not flags.all()
    other = go.VectorEnv(200, 5, autoreset="disabled", illegal="lose", seed=9)
    other.set_state(rows[::-1])
    assert (other.observation == seen[::-1]).all() and (other.terminated == flags[::-1]).all()
    assert (other.legal_mask == env.legal_mask[::-1]).all() and not other.reward.any()
    other.set_state(rows[:3], lanes=[7, 5, 6])
    assert (other.observation[[7, 5, 6]] == seen[:3]).all() and (other.observation[8:] == seen[::-1][8:]).all()
    marked = np.zeros(200, bool)
    marked[4] = True
    other.set_state(rows[9:10], lanes=marked)
    assert (other.state()[4] == rows[9]).all() and other.moves(4) == env.moves(9)


def test_setting_some_games_leaves_the_others_alone() -> None:
    env = played(autoreset="disabled")
    twin = env.clone()
    start = go.VectorEnv(1, 5).state()
    env.set_state(start, lanes=[3])
    others = np.arange(200) != 3
    assert (env.reward[others] == twin.reward[others]).all() and twin.reward[others].any()
    assert env.moves(3) == [] and not env.observation[3, :2].any()
    env.step(actions := env.sample_legal())
    assert (actions[others] == twin.sample_legal()[others]).all()


@pytest.mark.parametrize(
    ("state", "lanes", "words"),
    [
        ([[4, 4, -1]], [0], "game 0: action 4 is not legal for white"),
        ([[25, 25, 3]], [1], "game 1: action 3 is not legal"),
        ([[26, -1]], [0], "row 0 is not actions below 26"),
        ([[3, -1, 4]], [0], "row 0 is not actions"),
        ([[-3]], [0], "row 0 is not actions"),
        ([[1, 2]], [2], "lanes: 2, but they must be from 0 to 1"),
        ([[1, 2]], None, "state must be integers \\[2, S\\]"),
        ([[1.0, 2.0]], [0], "state must be integers \\[1, S\\]"),
    ],
)
def test_a_state_that_is_none_changes_no_game(state: Any, lanes: Any, words: str) -> None:
    env = go.VectorEnv(2, 5)
    env.step([0, 1])
    before = env.state()
    with pytest.raises(ValueError, match=words):
        env.set_state(np.array(state), lanes=lanes)
    assert (env.state() == before).all()


def child(env: Any, answer: Any) -> None:
    answer.put(shown(env))


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
def test_another_process_goes_on_alike(way: str) -> None:
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {way} here")
    env = played(threads=2)
    context = multiprocessing.get_context(way)
    answer = context.Queue()
    process = context.Process(target=child, args=(env, answer))
    process.start()
    found = answer.get(timeout=60)
    process.join(60)
    assert found == shown(env)


def test_threads_change_nothing() -> None:
    assert shown(played(threads=1)) == shown(played(threads=2))


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ({"num_envs": 0}, ValueError, "num_envs must be from 1"),
        ({"num_envs": True}, TypeError, "num_envs must be an integer"),
        ({"size": 20}, ValueError, "size must be from 1 to 19, not 20"),
        ({"size": 9.0}, TypeError, "size must be an integer"),
        ({"komi": float("nan")}, ValueError, "komi must be a number"),
        ({"komi": "7"}, ValueError, "komi must be a number"),
        ({"rules": "chinese"}, ValueError, "rules must be simple_ko or positional_superko"),
        ({"seed": -1}, ValueError, "seed must be from 0"),
        ({"threads": 0}, ValueError, "threads must be from 1"),
        ({"max_moves": -1}, ValueError, "max_moves must be from 0"),
        ({"autoreset": "never"}, ValueError, "autoreset is"),
        ({"illegal": "pass"}, ValueError, "illegal is"),
    ],
)
def test_what_is_no_parameter_is_told_with_its_name(bad: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        go.VectorEnv(**bad)


def test_an_action_that_is_not_legal_moves_no_game() -> None:
    env = go.VectorEnv(2, 3)
    env.step([4, 4])
    before = env.observation.copy()
    for bad in ([0, 4], [0, 10], [0, -1], [0, 10**12]):
        with pytest.raises(ValueError, match=f"game 1: action {bad[1]} is n.*no game has moved"):
            env.step(bad)
    with pytest.raises(TypeError, match="integers"):
        env.step([0.0, 1.0])
    with pytest.raises(ValueError, match="shape"):
        env.step([0])
    assert (env.observation == before).all()
    lose = go.VectorEnv(2, 3, illegal="lose")
    step = lose.step([4, 10**12])
    assert step.reward.tolist() == [[0, 0], [-1, 1]] and step.terminated.tolist() == [False, True]


def test_without_observations_the_games_are_the_same() -> None:
    env, bare = go.VectorEnv(50, 5, seed=1), go.VectorEnv(50, 5, seed=1, observe=False)
    for _ in range(50):
        actions = env.sample_legal()
        assert (bare.sample_legal() == actions).all()
        assert (env.step(actions).legal_mask == bare.step(actions).legal_mask).all()
    assert bare.observation.shape == (50, 0, 5, 5)
