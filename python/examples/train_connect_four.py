"""Trains a player of connect four by self-play: a small network in NumPy, and Tengen's tree search over many games at once.

    python python/examples/train_connect_four.py --minutes 10 --out trained

It writes ``network.npz``, the curve as ``curve.csv`` and ``curve.svg``. The curve is the score against a search of 100
simulations that knows nothing but the rules: its network calls all moves equal and every state even.

Source: D. Silver and others, "Mastering the game of Go without human knowledge" (2017). The network learns the visits of
the search and the results of the games. Each position is seen by the player on turn ("mine" and "theirs") and learnt in
both mirror images.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import gdl

RULES = """
(role red) (role black) (init (control red))
(column 1) (column 2) (column 3) (column 4) (column 5) (column 6) (column 7)
(row 1) (row 2) (row 3) (row 4) (row 5) (row 6)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(other red black) (other black red)
(<= (taken ?x ?y) (true (cell ?x ?y ?p)))
(<= (legal ?p (drop ?x)) (true (control ?p)) (column ?x) (not (taken ?x 6)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?x 1 ?p)) (does ?p (drop ?x)) (not (taken ?x 1)))
(<= (next (cell ?x ?y ?p)) (does ?p (drop ?x)) (succ ?below ?y) (row ?y) (taken ?x ?below) (not (taken ?x ?y)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (line ?p) (true (cell ?a ?y ?p)) (succ ?a ?b) (true (cell ?b ?y ?p)) (succ ?b ?c) (true (cell ?c ?y ?p))
    (succ ?c ?d) (true (cell ?d ?y ?p)))
(<= (line ?p) (true (cell ?x ?a ?p)) (succ ?a ?b) (true (cell ?x ?b ?p)) (succ ?b ?c) (true (cell ?x ?c ?p))
    (succ ?c ?d) (true (cell ?x ?d ?p)))
(<= (line ?p) (true (cell ?a ?e ?p)) (succ ?a ?b) (succ ?e ?f) (true (cell ?b ?f ?p)) (succ ?b ?c) (succ ?f ?g)
    (true (cell ?c ?g ?p)) (succ ?c ?d) (succ ?g ?h) (true (cell ?d ?h ?p)))
(<= (line ?p) (true (cell ?a ?h ?p)) (succ ?a ?b) (succ ?g ?h) (true (cell ?b ?g ?p)) (succ ?b ?c) (succ ?f ?g)
    (true (cell ?c ?f ?p)) (succ ?c ?d) (succ ?e ?f) (true (cell ?d ?e ?p)))
(<= open (column ?x) (not (taken ?x 6)))
(<= terminal (line ?p)) (<= terminal (not open))
(<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (line ?q) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (not (line red)) (not (line black)))
"""

Array = NDArray[np.float32]

EXPLORATION = 0.4
"""The weight of priors. With much more the search mostly repeats its priors, and the network learns nothing from it."""


class Sight:
    """How the player on turn sees the facts, and what their mirror images are."""

    def __init__(self, game: gdl.Game) -> None:
        self.actions, facts, roles = game.actions, game.columns, game.roles
        number = {fact: n for n, fact in enumerate(facts) if fact}
        swap = dict(zip(roles, reversed(roles), strict=True))

        def swapped(fact: str) -> str:
            return re.sub(r"\w+", lambda word: swap.get(word[0], word[0]), fact)

        def mirrored(text: str) -> str:
            return re.sub(r"\((cell|drop) (\d+)", lambda m: f"({m[1]} {8 - int(m[2])}", text)

        same = np.arange(len(facts))
        self.of_role = np.stack([same, np.array([number.get(swapped(fact), n) for n, fact in enumerate(facts)])])
        self.mirror = np.array([number.get(mirrored(fact), n) for n, fact in enumerate(facts)])
        self.mirror_actions = np.array([self.actions.index(mirrored(action)) for action in self.actions])

    def __call__(self, observation: NDArray[np.bool_], turn: NDArray[np.int32]) -> Array:
        """[N, P]: the facts with the roles exchanged where the second is on turn."""
        return np.take_along_axis(observation, self.of_role[turn], axis=1).astype(np.float32)


class Network:
    """Two hidden layers of rectified sums; priors of the actions, and the value for the player on turn."""

    def __init__(self, facts: int, actions: int, hidden: int = 256, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        sizes = [(facts, hidden), (hidden, hidden), (hidden, actions), (hidden, 1)]
        self.weights = [random.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in sizes]
        self.weights[2] *= 0.1
        self.weights[3] *= 0.1
        self.biases = [np.zeros(b, np.float32) for _, b in sizes]
        self.moments = [[np.zeros_like(p), np.zeros_like(p)] for p in self.weights + self.biases]
        self.steps = 0

    def layers(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """Both hidden layers, the logits of actions, the value from 0 to 1."""
        w, b = self.weights, self.biases
        one = np.maximum(x @ w[0] + b[0], 0)
        two = np.maximum(one @ w[1] + b[1], 0)
        return one, two, two @ w[2] + b[2], 1 / (1 + np.exp(-(two @ w[3] + b[3])[:, 0]))

    def __call__(self, x: Array, legal: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Priors [N, A] and values [N]."""
        _, _, logits, value = self.layers(x)
        logits = np.where(legal, logits, -np.inf)
        most = np.where(legal.any(axis=1), logits.max(axis=1), 0)
        return np.exp(logits - most[:, None]), value

    def learn(self, x: Array, legal: NDArray[np.bool_], policy: Array, result: Array, rate: float) -> None:
        """A step of Adam towards the visits of the search and the results of the games."""
        one, two, _, value = self.layers(x)
        priors, _ = self(x, legal)
        priors /= priors.sum(axis=1, keepdims=True)
        count = np.float32(len(x))
        d_logits, d_value = (priors - policy) / count, ((value - result) / count)[:, None]
        d_two = (d_logits @ self.weights[2].T + d_value @ self.weights[3].T) * (two > 0)
        d_one = (d_two @ self.weights[1].T) * (one > 0)
        outputs = [d_one, d_two, d_logits, d_value]
        slopes = [a.T @ d for a, d in zip([x, one, two, two], outputs, strict=True)]
        slopes += [d.sum(axis=0) for d in outputs]
        self.steps += 1
        parameters = self.weights + self.biases
        for n, (parameter, (mean, square), slope) in enumerate(zip(parameters, self.moments, slopes, strict=True)):
            if n < len(self.weights):
                slope = slope + 1e-5 * parameter
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            fresh = 1 - np.float32(0.9) ** self.steps, 1 - np.float32(0.999) ** self.steps
            parameter -= rate * (mean / fresh[0]) / (np.sqrt(square / fresh[1]) + 1e-8)

    def save(self, path: Path) -> None:
        np.savez(path, *self.weights, *self.biases)

    def load(self, path: Path) -> None:
        with np.load(path) as saved:
            arrays = [saved[f"arr_{n}"] for n in range(8)]
        self.weights, self.biases = arrays[:4], arrays[4:]


def evaluator(network: Network, sight: Sight) -> gdl.Evaluate:
    """The network as :func:`tengen.gdl.mcts` asks it."""
    return lambda leaves: network(sight(leaves.observation, leaves.turn), leaves.legal_mask)


def even(leaves: gdl.Leaves) -> tuple[Any, Any]:
    """What a network says that knows nothing."""
    return np.ones(leaves.legal_mask.shape, np.float32), np.full(len(leaves.turn), 0.5, np.float32)


class Selfplay:
    """Many games that never end: those that are over start again."""

    def __init__(self, game: gdl.Game, games: int, simulations: int, seed: int) -> None:
        self.env = gdl.VectorEnv(game, games, autoreset="same_step", seed=seed)
        self.sight = Sight(game)
        self.simulations = simulations
        self.random = np.random.default_rng(seed)
        self.open: list[list[tuple[Any, ...]]] = [[] for _ in range(games)]
        self.count = np.zeros(games, np.int64)
        self.games = 0

    def move(self, network: Network) -> list[tuple[Any, ...]]:
        """A move in all games; the positions of the games that ended: facts, legal actions, visits, result."""
        env = self.env
        seed = int(self.random.integers(1 << 62))
        found = gdl.mcts(env, evaluator(network, self.sight), self.simulations, exploration=EXPLORATION, noise=0.25, alpha=1.0, seed=seed)
        seen, legal, turn = self.sight(env.observation, env.turn), env.legal_mask.copy(), env.turn.copy()
        policy = found.policy().astype(np.float32)
        early = self.count < 10
        actions = np.where(early, found.sample(self.random), found.best)
        for n, line in enumerate(self.open):
            line.append((seen[n], legal[n], policy[n], turn[n]))
        step = env.step(actions)
        self.count += 1
        done = []
        for n in np.flatnonzero(step.terminated | step.truncated):
            done += [(x, mask, visits, step.reward[n, role]) for x, mask, visits, role in self.open[n]]
            self.open[n], self.count[n] = [], 0
            self.games += 1
        return done


class Memory:
    """The last positions of self-play: facts, legal actions, visits, results."""

    def __init__(self, size: int) -> None:
        self.size, self.filled, self.at = size, 0, 0
        self.columns: list[NDArray[Any]] = []

    def add(self, positions: list[tuple[Any, ...]]) -> None:
        if not positions:
            return
        parts = [np.stack(part) for part in zip(*positions, strict=True)]
        if not self.columns:
            self.columns = [np.zeros((self.size, *part.shape[1:]), np.float32) for part in parts]
        places = (self.at + np.arange(len(positions))) % self.size
        for column, part in zip(self.columns, parts, strict=True):
            column[places] = part
        self.at = (self.at + len(positions)) % self.size
        self.filled = min(self.size, self.filled + len(positions))

    def draw(self, random: np.random.Generator, count: int) -> tuple[Array, NDArray[np.bool_], Array, Array]:
        chosen = random.integers(self.filled, size=count)
        x, legal, policy, result = (column[chosen] for column in self.columns)
        return x, legal > 0, policy, result


def score(game: gdl.Game, ours: gdl.Evaluate, theirs: gdl.Evaluate, simulations: int, other: int, games: int = 128) -> float:
    """The mean result of games against another network, half of them with each role; the first four moves are drawn."""
    env = gdl.VectorEnv(game, games, autoreset="disabled", seed=5)
    for _ in range(4):
        env.step(env.sample_legal())
    mine = np.arange(games) % 2
    total = np.zeros(games)
    over = np.zeros(games, bool)
    while not over.all():
        moves = [
            gdl.mcts(env, ours, simulations, exploration=EXPLORATION).best,
            gdl.mcts(env, theirs, other, exploration=EXPLORATION).best,
        ]
        step = env.step(np.where(env.turn == mine, *moves))
        now = (step.terminated | step.truncated) & ~over
        total[now] = step.reward[now, mine[now]]
        over |= now
    return float(total.mean())


def write_curve(curve: list[tuple[float, int, float]], out: Path) -> None:
    """The curve as numbers and as a picture."""
    lines = ["minutes,games,score", *(f"{minutes:.2f},{games},{mean:.4f}" for minutes, games, mean in curve)]
    (out / "curve.csv").write_text("\n".join(lines) + "\n")
    last = max(curve[-1][0], 1e-9)
    points = " ".join(f"{40 + 340 * minutes / last:.1f},{170 - 150 * mean:.1f}" for minutes, _, mean in curve)
    marks = "".join(
        f'<text x="34" y="{174 - 150 * mean:.0f}" text-anchor="end">{mean:g}</text>'
        f'<path d="M40 {170 - 150 * mean:.0f}H380" stroke="#ccc"/>'
        for mean in (0, 0.5, 1)
    )
    (out / "curve.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200" font-size="11" font-family="sans-serif">{marks}'
        f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="2"/>'
        f'<text x="380" y="190" text-anchor="end">{last:.1f} minutes, {curve[-1][1]} games</text></svg>\n'
    )


def train(
    game: gdl.Game,
    *,
    minutes: float,
    out: Path,
    games: int = 256,
    simulations: int = 64,
    points: int = 12,
    moves: int | None = None,
    seed: int = 1,
) -> list[tuple[float, int, float]]:
    """Trains for some minutes, or for some moves; the curve: minutes, games played, score."""
    out.mkdir(parents=True, exist_ok=True)
    sight = Sight(game)
    network = Network(len(game.columns), len(game.actions), seed=seed)
    play = Selfplay(game, games, simulations, seed)
    random = np.random.default_rng(seed)
    memory = Memory(200_000)
    start, curve, made = time.perf_counter(), [], 0

    def now() -> float:
        return (time.perf_counter() - start) / 60

    while True:
        share = made / moves if moves else now() / minutes
        if share >= len(curve) / points or share >= 1:
            mean = score(game, evaluator(network, sight), even, 100, 100)
            curve.append((now(), play.games, mean))
            print(f"{curve[-1][0]:6.2f} minutes  {play.games:6} games  score {mean:.3f}", flush=True)
            write_curve(curve, out)
            network.save(out / "network.npz")
            if share >= 1:
                return curve
        memory.add(play.move(network))
        made += 1
        if memory.filled < 2000:
            continue
        rate = 1e-3 if share < 0.5 else 3e-4 if share < 0.8 else 1e-4
        for _ in range(4):
            x, legal, policy, result = memory.draw(random, 512)
            if random.random() < 0.5:
                x, legal, policy = x[:, sight.mirror], legal[:, sight.mirror_actions], policy[:, sight.mirror_actions]
            network.learn(x, legal, policy, result, rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=Path, help="another rulesheet of the game, with facts (cell COLUMN ROW ROLE)")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--games", type=int, default=256, help="at once")
    parser.add_argument("--simulations", type=int, default=64, help="of each move in self-play")
    given = parser.parse_args()
    game = gdl.load(given.rules) if given.rules else gdl.Game(RULES, name="connect four")
    train(game, minutes=given.minutes, out=given.out, games=given.games, simulations=given.simulations)


if __name__ == "__main__":
    main()
