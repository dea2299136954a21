"""What the benches share: rounds that take turns, one core, and random games of OpenSpiel."""

from __future__ import annotations

import os
from collections.abc import Callable

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
if CORES:
    os.sched_setaffinity(0, CORES[:1])

import numpy as np  # noqa: E402

Round = Callable[[], int]
"""One round of play; it returns the number of its steps."""


def rates(contenders: dict[str, Round], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """The best rate of each, in steps a second of this clock; rounds take turns."""
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(rounds):
        for name, play in contenders.items():
            start = clock()
            steps = play()
            best[name] = max(best[name], steps / (clock() - start))
    return best


def openspiel(name: str, *, tensor: bool = False) -> Round:
    """Random games of OpenSpiel, at least 4,000 moves a round; with ``tensor`` it writes one of each state."""
    import pyspiel

    game = pyspiel.load_game(name)
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
