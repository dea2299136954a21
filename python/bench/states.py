"""One state at a time: Tengen's states and adapters beside OpenSpiel's own games, in one run.

    python python/bench/states.py ../shared/suites/gdl

On one core, by processor time, in rounds that take turns; the best round counts. A step asks for the legal actions, takes
one by a fixed list of random numbers, makes the state after it and asks whether the game is over. "child" and "apply" are
Tengen's `State.child` and `State.apply`, "OpenSpiel" is its `clone` and `apply_action`. "tengen.openspiel" applies without a
clone, or with one; "AEC" is PettingZoo's loop of `last` and `step`.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

if hasattr(os, "sched_getaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pyspiel  # noqa: E402

from tengen import gdl, openspiel  # noqa: E402
from tengen.pettingzoo import AECEnv  # noqa: E402

GAMES = [("connectFour", "connect_four"), ("breakthrough", "breakthrough"), ("ticTacToe", "tic_tac_toe")]
DRAWS = [random.Random(1).randrange(1 << 20) for _ in range(4096)]


def child(game: gdl.Game, steps: int) -> None:
    n = 0
    while n < steps:
        state = game.initial()
        while not state.over:
            legal = state.legal_actions()
            state = state.child(legal[DRAWS[n & 4095] % len(legal)])
            n += 1


def apply(game: gdl.Game, steps: int) -> None:
    n = 0
    while n < steps:
        state = game.initial()
        while not state.over:
            legal = state.legal_actions()
            state.apply(legal[DRAWS[n & 4095] % len(legal)])
            n += 1


def cloned(game: Any, steps: int) -> None:
    n = 0
    while n < steps:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state = state.clone()
            state.apply_action(legal[DRAWS[n & 4095] % len(legal)])
            n += 1


def applied(game: Any, steps: int) -> None:
    n = 0
    while n < steps:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[DRAWS[n & 4095] % len(legal)])
            n += 1


def aec(game: gdl.Game, steps: int) -> None:
    env, n = AECEnv(game), 0
    while n < steps:
        env.reset()
        while True:
            seen, _, over, cut_off, _ = env.last()
            if over or cut_off:
                break
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[DRAWS[n & 4095] % len(legal)]))
            n += 1


def rates(contenders: dict[str, Callable[[int], None]], steps: int, rounds: int) -> dict[str, float]:
    best = dict.fromkeys(contenders, 0.0)
    for play in contenders.values():
        # Python rewrites a function for speed in its eighth call.
        for _ in range(10):
            play(50)
    for _ in range(rounds):
        for name, play in contenders.items():
            start = time.process_time()
            play(steps)
            best[name] = max(best[name], steps / (time.process_time() - start))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the rulesheets are")
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    names = ["child", "apply", "OpenSpiel", "tengen.openspiel", "with clone", "AEC"]
    print("| game | " + " | ".join(names) + " | child / OpenSpiel | apply / OpenSpiel |")
    print("| --- |" + " ---: |" * (len(names) + 2))
    for rules, name in GAMES:
        path = given.folder / f"{rules}.kif"
        game, theirs, adapter = gdl.load(path), pyspiel.load_game(name), openspiel.load(path)
        found = rates(
            {
                "child": lambda steps, game=game: child(game, steps),
                "apply": lambda steps, game=game: apply(game, steps),
                "OpenSpiel": lambda steps, theirs=theirs: cloned(theirs, steps),
                "tengen.openspiel": lambda steps, adapter=adapter: applied(adapter, steps),
                "with clone": lambda steps, adapter=adapter: cloned(adapter, steps),
                "AEC": lambda steps, game=game: aec(game, steps),
            },
            given.steps,
            given.rounds,
        )
        cells = [f"{found[each] / 1e3:.0f} k" for each in names]
        ratios = [f"{found[each] / found['OpenSpiel']:.2f}" for each in ("child", "apply")]
        print("| " + " | ".join([rules, *cells, *ratios]) + " |", flush=True)


if __name__ == "__main__":
    main()
