"""A small agent learns tic-tac-toe by playing against itself: Monte Carlo control with a network of one hidden layer, in NumPy.

    python python/examples/learn.py                  # about a minute on one core; prints the curve

The environment is any rulesheet whose roles take turns; nothing below knows the game.

Source: Sutton and Barto, "Reinforcement Learning: An Introduction" (2nd edition, 2018), section 5.4: what an action is worth
is the mean of what was got after it, moves are the best known but for one in five.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from tengen import gdl

Array = NDArray[np.float64]


class Values:
    """What each action is worth, from the facts: a hidden layer of tanh."""

    def __init__(self, facts: int, actions: int, hidden: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.first = random.normal(0, 1 / np.sqrt(facts), (facts, hidden))
        self.second = np.zeros((hidden, actions))
        self.moments = [np.zeros_like(self.first), np.zeros_like(self.second)]

    def __call__(self, facts: Array) -> tuple[Array, Array]:
        """The hidden layer [N, H] and the values [N, A]."""
        hidden = np.tanh(facts @ self.first)
        return hidden, hidden @ self.second

    def best(self, facts: Array, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best legal action of each row; 0 where there is none."""
        return np.where(legal, self(facts)[1], -np.inf).argmax(axis=1)

    def learn(self, facts: Array, actions: NDArray[np.int64], worth: Array, rate: float) -> None:
        """A step down the squared error of what was done (RMSProp)."""
        hidden, values = self(facts)
        rows = np.arange(len(actions))
        error = np.zeros_like(values)
        error[rows, actions] = values[rows, actions] - worth
        back = (error @ self.second.T) * (1 - hidden**2)
        for weights, gradient, moment in zip(
            (self.first, self.second), (facts.T @ back, hidden.T @ error), self.moments, strict=True
        ):
            gradient /= len(actions)
            moment *= 0.9
            moment += 0.1 * gradient**2
            weights -= rate * gradient / (np.sqrt(moment) + 1e-6)


def against_random(values: Values, game: gdl.Game, games: int, seed: int) -> float:
    """The mean goal (0 to 1) of the best actions against random ones, as each role in turn."""
    env = gdl.VectorEnv(game, games, seed=seed, autoreset="disabled")
    mine = np.arange(games) % len(env.roles)
    got, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        best = values.best(env.observation.astype(np.float64), env.legal_mask)
        step = env.step(np.where(env.turn == mine, best, env.sample_legal()).astype(np.int32))
        over |= step.terminated | step.truncated
        got += step.reward[np.arange(games), mine]
    return float(got.mean())


def learn(
    game: gdl.Game, rounds: int, *, games: int = 256, seed: int = 1, every: int = 20, rate: float = 0.005
) -> list[tuple[int, float]]:
    """Plays rounds of games against itself and learns after each; the curve against random moves."""
    env = gdl.VectorEnv(game, games, seed=seed, autoreset="disabled")
    values = Values(len(env.columns), len(env.actions), 64, seed)
    random = np.random.default_rng(seed)
    curve = [(0, against_random(values, game, 512, seed))]
    for done in range(1, rounds + 1):
        env.reset()
        over = np.zeros(games, bool)
        seen: list[tuple[Array, NDArray[np.int64], NDArray[np.int32], NDArray[np.bool_]]] = []
        goals = np.zeros((games, len(env.roles)))
        while not over.all():
            facts, turn = env.observation.astype(np.float64), env.turn.copy()
            chosen = values.best(facts, env.legal_mask)
            actions = np.where(random.random(games) < 0.2, env.sample_legal(), chosen)
            seen.append((facts, actions, turn, ~over))
            step = env.step(actions.astype(np.int32))
            over |= step.terminated | step.truncated
            goals += step.reward
        # What each role got, less what all got on average: a win is worth as much as a loss costs.
        worth = goals - goals.mean(axis=1, keepdims=True)
        facts, actions, turn, live = (np.concatenate(parts) for parts in zip(*seen, strict=True))
        game_of = np.tile(np.arange(games), len(seen))
        for _ in range(4):
            values.learn(facts[live], actions[live], worth[game_of, turn][live], rate)
        if done % every == 0:
            curve.append((done, against_random(values, game, 512, seed)))
    return curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesheet", nargs="?", help="a rulesheet; without it, tic-tac-toe")
    parser.add_argument("--rounds", type=int, default=400)
    given = parser.parse_args()
    game = gdl.load(given.rulesheet) if given.rulesheet else gdl.example("noughts")
    for rounds, mean in learn(game, given.rounds):
        print(f"{rounds:5} rounds of 256 games: {mean:.3f} {'#' * round(40 * mean)}")


if __name__ == "__main__":
    main()
