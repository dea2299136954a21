"""Random games of Go a second from Python: Tengen's vector environment beside OpenSpiel, in one run.

    python python/bench/go.py

All of it on one core; each measures processor time, in rounds that take turns, and the best round counts. A step is a move in
one game: legal mask, reward, a random legal action, and games that ended start again. Tengen writes observations of eight
planes; OpenSpiel writes none in its first column, its own tensor of each state in the second. Last, Tengen on two threads by
the clock; and how much more processor time two threads take for the same steps, which a busy machine does not falsify.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
if CORES:
    os.sched_setaffinity(0, CORES[:1])

import numpy as np  # noqa: E402

from tengen import go  # noqa: E402

Round = Callable[[], int]


def tengen(size: int, games: int, rules: str, *, threads: int = 1) -> Round:
    env = go.VectorEnv(games, size, 7.5, rules, seed=1, threads=threads)  # type: ignore[arg-type]
    actions = np.zeros(games, np.int32)

    def play() -> int:
        for _ in range(40):
            env.sample_legal(out=actions)
            env.step(actions)
        return 40 * games

    return play


def openspiel(size: int, tensor: bool) -> Round:
    import pyspiel

    game = pyspiel.load_game(f"go(board_size={size},komi=7.5)")
    random = np.random.default_rng(1)

    def play() -> int:
        moves = 0
        while moves < 4000:
            state = game.new_initial_state()
            while not state.is_terminal():
                if tensor:
                    np.asarray(state.observation_tensor(), np.float32)
                legal = state.legal_actions()
                state.apply_action(legal[random.integers(len(legal))])
                moves += 1
        return moves

    return play


def rates(contenders: dict[str, Round], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """The best rate of each, rounds taking turns."""
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(rounds):
        for name, play in contenders.items():
            start = clock()
            steps = play()
            best[name] = max(best[name], steps / (clock() - start))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[9])
    given = parser.parse_args()
    print("| size | simple ko | positional superko | OpenSpiel | OpenSpiel, tensor | 1 -> 2 threads | time |")
    print("|" + " --- |" * 7)
    for size in given.sizes:
        contenders = {rules: tengen(size, given.games, rules) for rules in ("simple_ko", "positional_superko")}
        try:
            contenders |= {"openspiel": openspiel(size, False), "tensor": openspiel(size, True)}
        except ImportError:
            pass
        found = rates(contenders, given.rounds, time.process_time)
        two, more = "-", "-"
        if len(CORES) > 1:
            os.sched_setaffinity(0, CORES)
            pair = {str(n): tengen(size, given.games * 4, "simple_ko", threads=n) for n in (1, 2)}
            scaling = rates(pair, given.rounds, time.perf_counter)
            spent = rates(pair, given.rounds, time.process_time)
            two, more = f"{scaling['2'] / scaling['1']:.2f}", f"{spent['1'] / spent['2']:.2f}"
            os.sched_setaffinity(0, CORES[:1])
        cells = [f"{found[name] / 1e3:.0f} k" if name in found else "-" for name in (*contenders,)]
        print("| " + " | ".join([str(size), *cells, two, more]) + " |", flush=True)


if __name__ == "__main__":
    main()
