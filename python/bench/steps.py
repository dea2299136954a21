"""Steps per second from Python: Tengen's lanes beside Pgx on the processor and OpenSpiel, in one run.

    python python/bench/steps.py ../shared/suites/gdl

All of it on one core (the process is bound to it before anything is imported); each measures processor time, in rounds
that take turns, and the best round counts. A step is a move in one game: legal mask, observation, reward, games that
ended start again, random legal actions drawn by the environment (Tengen, Pgx's `act_randomly`) or one by one (OpenSpiel).
"bits" is Tengen with packed masks and observations, "bytes" with a byte a column. OpenSpiel has no observations written (its
tensors of these games would be slower still). Last, Tengen on two threads, by the clock; and how much more processor time
two threads take for the same steps, which a busy machine does not falsify.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

# Binds the process to one core, before anything else is imported.
from turns import CORES, Round, openspiel, rates

os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np  # noqa: E402

from tengen import gdl  # noqa: E402

# Rulesheet, Pgx's name, OpenSpiel's name.
GAMES = [
    ("connectFour", "connect_four", "connect_four"),
    ("ticTacToe", "tic_tac_toe", "tic_tac_toe"),
    ("reversi", "othello", "othello"),
    ("breakthrough", None, "breakthrough"),
    ("hex", "hex", "hex(board_size=9)"),
]


def tengen(game: Any, games: int, *, threads: int = 1, packed: bool = False) -> Round:
    env = gdl.VectorEnv(game, games, seed=1, threads=threads, packed=packed)
    actions = np.zeros(games, np.int32)

    def play() -> int:
        for _ in range(20):
            env.sample_legal(out=actions)
            env.step(actions)
        return 20 * games

    return play


def lanes(game: Any) -> Round:
    """The lanes' own playouts, without Python: states, legal moves, random choice, goals."""
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        return int(game.playouts(2_000_000, seed=seed, way="lanes512")["moves"])

    return play


def pgx(name: str, games: int) -> Round:
    import jax
    import pgx as library
    from pgx.experimental import act_randomly, auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    key = jax.random.PRNGKey(1)

    @jax.jit
    def one(state: Any, key: Any) -> Any:
        key, draw, keys = jax.random.split(key, 3)
        return step(state, act_randomly(draw, state.legal_action_mask), jax.random.split(keys, games)), key

    state, key = one(state, key)
    jax.block_until_ready(state)

    def play() -> int:
        nonlocal state, key
        for _ in range(4):
            state, key = one(state, key)
        jax.block_until_ready(state)
        return 4 * games

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the rulesheets are")
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="one rulesheet")
    given = parser.parse_args()
    print("| game | bits | bytes | lanes alone | share, bits | bytes | OpenSpiel | Pgx | times the faster, bits | bytes |", end="")
    print(" 1 -> 2 threads | time |")
    print("|" + " --- |" * 12)
    for rules, pgx_name, spiel_name in GAMES:
        if given.only not in (None, rules):
            continue
        game = gdl.load(given.folder / f"{rules}.kif")
        contenders = {
            "bits": tengen(game, given.games, packed=True),
            "bytes": tengen(game, given.games),
            "lanes": lanes(game),
        }
        peers_of_game = [
            ("openspiel", spiel_name, openspiel),
            ("pgx", pgx_name, lambda name: pgx(name, given.games)),
        ]
        for label, name, make in peers_of_game:
            try:
                if name is not None:
                    contenders[label] = make(name)
            except ImportError as error:
                print(f"{label}: {error}", file=sys.stderr)
        found = rates(contenders, given.rounds, time.process_time)
        two, more = "", ""
        if len(CORES) > 1:
            os.sched_setaffinity(0, CORES)
            pair = {str(n): tengen(game, given.games, threads=n, packed=True) for n in (1, 2)}
            scaling = rates(pair, given.rounds * 3, time.perf_counter)
            time_of = rates(pair, given.rounds, time.process_time)
            os.sched_setaffinity(0, CORES[:1])
            two, more = f"{scaling['2'] / scaling['1']:.2f}", f"{time_of['1'] / time_of['2']:.2f}"
        peers = [found[peer] for peer in ("openspiel", "pgx") if peer in found]
        cells = [
            rules,
            *(f"{found[name] / 1e6:.3g} M" for name in ("bits", "bytes", "lanes")),
            *(f"{found[name] / found['lanes']:.2f}" for name in ("bits", "bytes")),
            *(f"{found[name] / 1e6:.3g} M" if name in found else "-" for name in ("openspiel", "pgx")),
            *(f"{found[name] / max(peers):.1f}" if peers else "-" for name in ("bits", "bytes")),
            two,
            more,
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
