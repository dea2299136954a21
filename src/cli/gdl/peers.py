"""Random play of OpenSpiel and Pgx, if they are installed: a line for each game, `GAME ENGINE STEPS_PER_SECOND`.

    python3 peers.py SECONDS GAME...

GAME is the name of a rulesheet; games that an engine lacks are left out. All of it runs on one core and by processor time.
OpenSpiel plays one state through its Python interface, Pgx 4,096 games at once.
"""

import os
import random
import sys
import time

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
os.environ["JAX_PLATFORMS"] = "cpu"

NAMES = {
    "connectFour": ("connect_four", "connect_four"),
    "ticTacToe": ("tic_tac_toe", "tic_tac_toe"),
    "reversi": ("othello", "othello"),
    "breakthrough": ("breakthrough", None),
    "hex": ("hex(board_size=9)", None),
}
BATCH = 4096


def openspiel(name, seconds):
    import pyspiel

    game = pyspiel.load_game(name)
    moves, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
        state.returns()
    return moves / (time.process_time() - start)


def pgx(name, seconds):
    import jax
    import pgx as library
    from pgx.experimental import act_randomly, auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def one(state, key):
        key, draw, keys = jax.random.split(key, 3)
        return step(state, act_randomly(draw, state.legal_action_mask), jax.random.split(keys, BATCH)), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    state, key = one(state, jax.random.PRNGKey(1))
    jax.block_until_ready(state)
    moves, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        state, key = one(state, key)
        jax.block_until_ready(state)
        moves += BATCH
    return moves / (time.process_time() - start)


def main():
    seconds = float(sys.argv[1])
    random.seed(1)
    for game in sys.argv[2:]:
        for engine, measure, name in zip(("openspiel", "pgx"), (openspiel, pgx), NAMES.get(game, (None, None))):
            if name is None:
                continue
            try:
                print(game, engine, measure(name, seconds), flush=True)
            except ImportError:
                pass


if __name__ == "__main__":
    main()
