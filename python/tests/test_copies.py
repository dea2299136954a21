"""Copies, pickles and other processes: each class goes on as the object itself would."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
from tengen import go, hidden, tables  # noqa: E402
from tengen._tengen import Board  # noqa: E402

ROOT = Path(__file__).parents[2]
PROVER = "(role r) (init (at 1)) (<= (legal r (go ?x)) (true (at ?y)) (succ ?y ?x)) (succ 1 2) (succ 2 3) " \
    "(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 3))) (goal r 100)"


def vector_env(**settings: Any) -> Any:
    env = gdl.VectorEnv(gdl.example("noughts"), 600, seed=3, **settings)
    for _ in range(4):
        env.step(env.sample_legal())
    return env


def played_state(game: Any) -> Any:
    state = game.initial()
    for _ in range(3):
        state.apply(state.legal_actions()[-1])
    return state


def go_board() -> Any:
    board = Board(5, superko=True, suicide=False)
    for n, at in enumerate((12, 7, 11, 25)):
        board.play(n % 2 == 0, at)
    return board


def hidden_env() -> Any:
    env = hidden.VectorEnv(ROOT / "scenes/gdl2/montyHall.kif", 20, seed=1)
    env.step(env.sample_legal())
    return env


def analysis() -> Any:
    return go.analyse(sorted((ROOT / "scenes/go/games").glob("*.sgf"))[:1], effort="quick", jobs=1)


def gymnasium_env() -> Any:
    from tengen.gymnasium import Env

    env = Env(gdl.example("corridor"))
    env.reset(seed=1)
    return env


def gymnasium_vector() -> Any:
    from tengen.gymnasium import VectorEnv

    env = VectorEnv(gdl.example("corridor"), 8)
    env.reset(seed=1)
    return env


def aec() -> Any:
    from tengen.pettingzoo import AECEnv

    env = AECEnv(gdl.example("noughts"))
    env.reset()
    env.step(4)
    return env


def parallel() -> Any:
    from tengen.pettingzoo import ParallelEnv

    env = ParallelEnv(gdl.example("standoff"))
    env.reset()
    return env


def hidden_parallel() -> Any:
    from tengen.pettingzoo import HiddenParallelEnv

    env = HiddenParallelEnv(ROOT / "scenes/gdl2/montyHall.kif")
    env.reset(seed=2)
    return env


def go_env() -> Any:
    from tengen.boards import GoEnv

    env = GoEnv(5)
    env.reset()
    env.step(12)
    return env


def chess_env() -> Any:
    pytest.importorskip("chess")
    from tengen.boards import ChessEnv

    env = ChessEnv()
    env.reset()
    return env


def spiel_state() -> Any:
    pytest.importorskip("pyspiel")
    from tengen import openspiel

    state = openspiel.load("noughts").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    return state


def shown(thing: Any) -> Any:
    """What happens to an object next, in values that can be compared."""
    kind = type(thing).__name__
    module = type(thing).__module__
    if kind == "Game":
        return thing.name, thing.roles, thing.actions, thing.initial().facts
    if kind == "State":
        seen = [thing.facts, thing.legal_actions(), thing.turn, thing.moves]
        child = thing.child(thing.legal_actions()[0])
        return [*seen, child.facts, child.rewards]
    if kind == "VectorEnv" and module == "tengen.gdl":
        seen = [thing.observation.copy(), thing.terminated.copy()]
        for _ in range(6):
            actions = thing.sample_legal()
            step = thing.step(actions)
            seen += [actions, *(array.copy() for array in step)]
        return [array.tobytes() for array in seen]
    if module == "tengen.hidden":
        steps = [thing.step(thing.sample_legal()) for _ in range(3)]
        return [np.asarray(array).tobytes() for step in steps for array in step]
    if module == "tengen.gymnasium":
        mask = thing.games.legal_mask[0]
        action = int(np.flatnonzero(mask)[0])
        given = np.full(thing.num_envs, action) if kind == "VectorEnv" else action
        return [np.asarray(part).tobytes() for part in thing.step(given)[:4]]
    if kind in ("AECEnv", "GoEnv", "ChessEnv"):
        seen = []
        for _ in range(3):
            mask = thing.observe(thing.agent_selection)["action_mask"]
            thing.step(int(np.flatnonzero(mask)[0]))
            seen.append({name: array.tobytes() for name, array in thing.observe(thing.agent_selection).items()})
        return seen, thing.agent_selection
    if kind in ("ParallelEnv", "HiddenParallelEnv"):
        actions = {a: int(np.flatnonzero(thing.observe(a)["action_mask"])[0]) for a in thing.agents} if kind[0] == "H" \
            else {a: int(np.flatnonzero(thing._roles.observe(a)["action_mask"])[0]) for a in thing.agents}
        step = thing.step(actions)
        return {a: {n: v.tobytes() for n, v in seen.items()} for a, seen in step[0].items()}, step[1:4]
    if kind == "Board":
        return thing.position().tolist(), thing.legal(True).tolist(), thing.white_lead(0.5)
    if kind == "Table":
        return [tuple(row) for row in thing]
    if kind in ("Result", "Analysis"):
        return thing.records, [tuple(row) for row in thing.points][:50]
    if kind == "GdlState":
        return str(thing), thing.legal_actions(), thing.current_player()
    raise AssertionError(kind)


MAKERS = {
    "Game": lambda: gdl.example("noughts"),
    "State": lambda: played_state(gdl.example("noughts")),
    "VectorEnv": lambda: vector_env(threads=2),
    "VectorEnv, same step": lambda: vector_env(autoreset="same_step", packed=True),
    "VectorEnv, disabled": lambda: vector_env(autoreset="disabled", max_steps=3),
    "hidden.VectorEnv": hidden_env,
    "gymnasium.Env": gymnasium_env,
    "gymnasium.VectorEnv": gymnasium_vector,
    "AECEnv": aec,
    "ParallelEnv": parallel,
    "HiddenParallelEnv": hidden_parallel,
    "GoEnv": go_env,
    "ChessEnv": chess_env,
    "Board": go_board,
    "Table": lambda: analysis().dragons,
    "Analysis": analysis,
    "OpenSpiel": spiel_state,
}
NEEDS = {"gymnasium": "gymnasium", "AEC": "pettingzoo", "Parallel": "pettingzoo", "GoEnv": "pettingzoo", "ChessEnv": "pettingzoo"}


def made(name: str) -> Any:
    for part, module in NEEDS.items():
        if part in name:
            pytest.importorskip(module)
    return MAKERS[name]()


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle"])
def test_a_copy_goes_on_as_the_object_does(name: str, way: str) -> None:
    thing = made(name)
    if way == "copy" and name not in ("Game", "Table", "Analysis", "Board") and "State" not in name and "VectorEnv," not in name \
            and name not in ("VectorEnv",):
        pytest.skip("a shallow copy of a Python object shares what it holds")
    other = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x))}[way](thing)
    assert shown(other) == shown(thing)
    assert shown(made(name)) == shown(made(name)), "what is shown does not depend on chance"


def in_child(data: bytes, answers: Any) -> None:
    answers.put(pickle.dumps(shown(pickle.loads(data))))


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
def test_other_processes_go_on_with_what_they_are_sent(way: str) -> None:
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {way}")
    context = multiprocessing.get_context(way)
    things = {name: made(name) for name in ("Game", "State", "VectorEnv", "VectorEnv, disabled", "Board", "Table")}
    answers = context.Queue()
    children = []
    for thing in things.values():
        child = context.Process(target=in_child, args=(pickle.dumps(thing), answers))
        child.start()
        got = pickle.loads(answers.get(timeout=60))
        child.join(20)
        children.append(child)
        assert got == shown(thing)
    assert all(child.exitcode == 0 for child in children)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def forked(work: Any) -> int:
    """The exit code of a forked child that does some work: 0 done, 3 RuntimeError, -1 it hangs."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except RuntimeError:
            os._exit(3)
        except BaseException:
            os._exit(4)
        os._exit(0)
    for _ in range(200):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -1


@needs_fork
@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_child_starts_threads_of_its_own() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 20_000, threads=2)
    twin = gdl.VectorEnv(gdl.example("noughts"), 20_000, threads=1)

    def play(one: Any) -> None:
        one.reset(1)
        for _ in range(5):
            one.step(one.sample_legal())

    play(env)
    play(twin)

    def work() -> None:
        env.step(env.sample_legal())
        twin.step(twin.sample_legal())
        assert (env.observation == twin.observation).all()
        env.set_state(twin.state())
        tables.run(sorted((ROOT / "scenes/go/games").glob("*.sgf"))[:1], effort="quick", jobs=2)

    tables.run(sorted((ROOT / "scenes/go/games").glob("*.sgf"))[:1], effort="quick", jobs=2)
    assert forked(work) == 0
    work()


@needs_fork
@pytest.mark.filterwarnings("ignore:This process")
def test_a_child_that_was_forked_in_the_middle_of_a_step_raises_and_does_not_hang() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 200_000, threads=2)
    ended = threading.Event()

    def steps() -> None:
        while not ended.is_set():
            env.step(env.sample_legal())

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        codes = [forked(lambda: env.step(env.sample_legal())) for _ in range(6)]
    finally:
        ended.set()
        thread.join()
    assert set(codes) <= {0, 3}, codes
    env.step(env.sample_legal())


def test_threads_share_an_environment_and_states() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 1000, threads=2)
    game = gdl.example("noughts")
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                own = env.clone()
                own.step(own.sample_legal())
                state = game.initial()
                while not state.over:
                    state.apply(state.legal_actions()[0])
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed


def test_a_state_of_the_prover_pickles() -> None:
    game = gdl.Game(PROVER, propagator="prover")
    state = game.initial().next(["(go 2)"])
    other = pickle.loads(pickle.dumps(state))
    assert other.facts == state.facts == ["(at 2)"]
    assert other.next(["(go 3)"]).terminal
    with pytest.raises(ValueError, match="no numbers"):
        state.legal_actions()
    for bad in (b"", b"p\x01\x00\x00\x00", b"p" + b"\xff" * 12, b"n" + b"\xff" * 9, b"x"):
        with pytest.raises(ValueError, match="no state"):
            game._restored(bad, 0)


def test_one_pickle_holds_a_game_once() -> None:
    game = gdl.example("noughts")
    states = [game.initial(), played_state(game)]
    both = pickle.loads(pickle.dumps(states))
    assert both[0].game is both[1].game
    assert [state.facts for state in both] == [state.facts for state in states]
    assert sys.getsizeof(pickle.dumps(states)) < 2 * sys.getsizeof(pickle.dumps(game))
