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

# Binds the process to one core, before anything else is imported.
from turns import CORES, Round, openspiel, rates

import numpy as np

from tengen import go


def tengen(size: int, games: int, rules: str, *, threads: int = 1) -> Round:
    env = go.VectorEnv(games, size, 7.5, rules, seed=1, threads=threads)  # type: ignore[arg-type]
    actions = np.zeros(games, np.int32)

    def play() -> int:
        for _ in range(40):
            env.sample_legal(out=actions)
            env.step(actions)
        return 40 * games

    return play


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
            name = f"go(board_size={size},komi=7.5)"
            contenders |= {"openspiel": openspiel(name), "tensor": openspiel(name, tensor=True)}
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
