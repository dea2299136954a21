"""Trains a player of connect four by self-play: a small network in NumPy, and Tengen's tree search over many games at once.

    python python/examples/train_connect_four.py --minutes 10 --out trained

It writes ``network.npz``, and the curve as ``curve.csv`` and ``curve.svg``. A second call with the same folder goes on from
there. Minutes are half the processor time of self-play and learning, so they are those of two cores that do nothing else.
The curve is the score of 200 simulations with the network against Tengen's UCT with 1,000 playouts.

Source: D. Silver and others, "Mastering the game of Go without human knowledge" (2017). The network learns the visits of
the search and the results of the games. Each position is seen by the player on turn ("mine" and "theirs") and learnt in
both mirror images. Departure: the value to learn is the mean of the result and of the value that the search found.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

# Each of our threads has a product of its own. Threads inside a product wait for each other, and 66 times longer in vain
# on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from tengen import gdl  # noqa: E402

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

EXPLORATION = 0.8
"""The weight of priors."""


class Sight:
    """What the network sees of a state: the planes of the player on turn, then those of the other."""

    def __init__(self, game: gdl.Game) -> None:
        grid = gdl.VectorEnv(game).grid
        if grid is None or len(grid.planes) != 2:
            raise ValueError("the game must have a board with a plane for each player")
        self.shape = grid.shape
        self.actions = len(game.actions)
        mirrored = [re.sub(r"\d+", lambda m: str(grid.shape[2] + 1 - int(m[0])), action) for action in game.actions]
        self.mirror_actions = np.array([game.actions.index(action) for action in mirrored])

    def __call__(self, observation: NDArray[np.bool_], turn: NDArray[np.int32]) -> NDArray[np.bool_]:
        """[N, 2, rows, columns]"""
        planes = observation[:, : np.prod(self.shape)].reshape(-1, *self.shape)
        return np.where(turn[:, None, None, None] == 1, planes[:, ::-1], planes)


class Network:
    """A layer that looks at each square of 4 x 4 cells with the same weights, then two of rectified sums.

    They give priors of the actions, and the value for the player on turn, from 0 to 1.
    """

    def __init__(self, sight: Sight, features: int = 64, hidden: int = 256, seed: int = 1) -> None:
        planes, rows, columns = sight.shape
        cells = np.arange(planes * rows * columns).reshape(sight.shape)
        views = np.lib.stride_tricks.sliding_window_view(cells, (4, 4), axis=(1, 2))
        self.squares = views.transpose(1, 2, 0, 3, 4).reshape(-1, planes * 16)
        wide = len(self.squares) * features
        self.sizes = [(planes * 16, features), (wide, hidden), (hidden, hidden), (hidden, sight.actions + 1)]
        random = np.random.default_rng(seed)
        parts = [random.normal(0, np.sqrt(2 / a), (a, b)) * (1 if b != sight.actions + 1 else 0.1) for a, b in self.sizes]
        flat = [np.concatenate([part.ravel(), np.zeros(part.shape[1])]) for part in parts]
        self.parameters = np.concatenate(flat).astype(np.float32)
        self.mean, self.square, self.steps = np.zeros_like(self.parameters), np.zeros_like(self.parameters), 0

    def layers(self, flat: Array) -> list[tuple[Array, Array]]:
        """Weights and biases of each layer, as views into one array."""
        found, at = [], 0
        for a, b in self.sizes:
            found.append((flat[at : at + a * b].reshape(a, b), flat[at + a * b : at + a * b + b]))
            at += a * b + b
        return found

    def run(self, parameters: Array, x: NDArray[np.bool_]) -> tuple[list[Array], Array, Array]:
        """What each layer sees; the logits of actions; the value."""
        first = x.reshape(len(x), -1).astype(np.float32)[:, self.squares]
        seen = [first.reshape(-1, first.shape[2])]
        for weights, biases in self.layers(parameters)[:-1]:
            out = seen[-1] @ weights
            out += biases
            seen.append(np.maximum(out, 0, out=out).reshape(len(x), -1))
        weights, biases = self.layers(parameters)[-1]
        out = seen[-1] @ weights + biases
        return seen, out[:, :-1], 1 / (1 + np.exp(-out[:, -1]))

    def evaluator(self, sight: Sight) -> gdl.Evaluate:
        """The network of now, as :func:`tengen.gdl.mcts` asks it."""
        parameters = self.parameters

        def evaluate(leaves: gdl.Leaves) -> tuple[Array, Array]:
            _, logits, value = self.run(parameters, sight(leaves.observation, leaves.turn))
            return shares(logits, leaves.legal_mask), value

        return evaluate

    def learn(self, x: NDArray[np.bool_], legal: NDArray[np.bool_], policy: Array, value: Array, rate: float) -> None:
        """A step of Adam towards the visits of the search and the values."""
        seen, logits, found = self.run(self.parameters, x)
        wrong = np.column_stack([shares(logits, legal) - policy, found - value]) / np.float32(len(x))
        slopes = np.empty_like(self.parameters)
        parts = list(zip(seen, self.layers(self.parameters), self.layers(slopes), strict=True))
        for n, (given, (weights, _), (slope, bias)) in reversed(list(enumerate(parts))):
            slope[:], bias[:] = given.T @ wrong, wrong.sum(axis=0)
            if n > 0:
                wrong = (wrong @ weights.T) * (given > 0)
                wrong = wrong.reshape(-1, self.sizes[n - 1][1])
        self.steps += 1
        slopes += 1e-5 * self.parameters
        self.mean += 0.1 * (slopes - self.mean)
        self.square += 0.001 * (slopes * slopes - self.square)
        size = np.sqrt(self.square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
        # A new array: searches that run now keep theirs.
        self.parameters = self.parameters - np.float32(rate / (1 - 0.9**self.steps)) * self.mean / size

    def save(self, path: Path) -> None:
        np.savez(path, parameters=self.parameters, mean=self.mean, square=self.square, steps=self.steps)

    def load(self, path: Path) -> None:
        with np.load(path) as saved:
            self.parameters, self.mean, self.square = saved["parameters"], saved["mean"], saved["square"]
            self.steps = int(saved["steps"])


def shares(logits: Array, legal: NDArray[np.bool_]) -> Array:
    """The shares of legal actions."""
    logits = np.where(legal, logits, -np.inf)
    most = np.where(legal.any(axis=1), logits.max(axis=1), 0)
    weights = np.exp(logits - most[:, None])
    found: Array = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-30)
    return found


class Selfplay:
    """Many games that never end: those that are over start again."""

    def __init__(self, game: gdl.Game, sight: Sight, games: int, simulations: int, seed: int) -> None:
        self.env = gdl.VectorEnv(game, games, autoreset="same_step", seed=seed)
        self.sight, self.simulations = sight, simulations
        self.random = np.random.default_rng(seed)
        self.open: list[list[tuple[Any, ...]]] = [[] for _ in range(games)]

    def move(self, evaluate: gdl.Evaluate) -> tuple[list[tuple[Any, ...]], int]:
        """A move in all games; the positions of the games that ended (planes, legal actions, visits, value) and their number."""
        env = self.env
        seed = int(self.random.integers(1 << 62))
        found = gdl.mcts(env, evaluate, self.simulations, exploration=EXPLORATION, noise=0.25, alpha=1.0, seed=seed)
        seen, legal, turn = self.sight(env.observation, env.turn), env.legal_mask.copy(), env.turn.copy()
        policy = found.policy().astype(np.float32)
        value = np.nansum(policy * found.q, axis=1)
        early = np.array([len(line) < 12 for line in self.open])
        step = env.step(np.where(early, found.sample(self.random), found.best))
        for n, line in enumerate(self.open):
            line.append((seen[n], legal[n], policy[n], value[n], turn[n]))
        done, ended = [], np.flatnonzero(step.terminated).tolist()
        for n in ended:
            done += [(x, may, visits, (q + step.reward[n, role]) / 2) for x, may, visits, q, role in self.open[n]]
            self.open[n] = []
        return done, len(ended)


class Memory:
    """The last positions of self-play: planes, legal actions, visits, values."""

    def __init__(self, size: int) -> None:
        self.size, self.filled, self.at = size, 0, 0
        self.columns: list[NDArray[Any]] = []

    def add(self, positions: list[tuple[Any, ...]]) -> None:
        if not positions:
            return
        parts = [np.stack(part) for part in zip(*positions, strict=True)]
        if not self.columns:
            self.columns = [np.zeros((self.size, *part.shape[1:]), part.dtype) for part in parts]
        places = (self.at + np.arange(len(positions))) % self.size
        for column, part in zip(self.columns, parts, strict=True):
            column[places] = part
        self.at = (self.at + len(positions)) % self.size
        self.filled = min(self.size, self.filled + len(positions))

    def draw(self, random: np.random.Generator, count: int) -> list[NDArray[Any]]:
        chosen = random.integers(self.filled, size=count)
        return [column[chosen] for column in self.columns]


def score(game: gdl.Game, evaluate: gdl.Evaluate, pool: ThreadPoolExecutor, simulations: int, playouts: int, games: int) -> float:
    """The mean result of games against UCT; each four moves that are drawn are the start of two games, with sides changed."""
    env = gdl.VectorEnv(game, games, autoreset="disabled")
    states = [game.initial() for _ in range(games)]
    mine, random = np.arange(games) % 2, np.random.default_rng(5)

    def step(actions: NDArray[Any]) -> None:
        for n in np.flatnonzero(~env.terminated):
            states[n].apply(int(actions[n]))
        env.step(actions.astype(np.int32))

    for _ in range(4):
        step(np.array([random.choice(np.flatnonzero(legal)) for legal in env.legal_mask[::2]]).repeat(2))
    for turn in range(len(env.columns)):
        if env.terminated.all():
            break
        ours = gdl.mcts(env, evaluate, simulations, exploration=EXPLORATION).best
        their = np.flatnonzero((env.turn != mine) & ~env.terminated)
        ours[their] = list(pool.map(lambda n: states[n].uct(playouts, seed=int(n) + 1000 * turn), their))
        step(ours)
    return float(np.mean([state.rewards[role] for state, role in zip(states, mine, strict=True)]))


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


def read_curve(out: Path) -> list[tuple[float, int, float]]:
    """The curve of the folder; empty without one."""
    path = out / "curve.csv"
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]] if path.exists() else []
    return [(float(minutes), int(games), float(mean)) for minutes, games, mean in rows]


def train(
    game: gdl.Game,
    *,
    minutes: float,
    out: Path,
    games: int = 512,
    simulations: int = 64,
    points: int = 10,
    scored: int = 40,
    playouts: int = 1000,
    moves: int | None = None,
    seed: int = 1,
) -> list[tuple[float, int, float]]:
    """Trains for some minutes of two cores, or for some moves; the curve: minutes, games played, score."""
    out.mkdir(parents=True, exist_ok=True)
    sight, curve = Sight(game), read_curve(out)
    network = Network(sight, seed=seed)
    if curve:
        network.load(out / "network.npz")
    groups = [Selfplay(game, sight, games // 4, simulations, seed + len(curve) + 1000 * n) for n in range(4)]
    random, memory = np.random.default_rng(seed), Memory(200_000)
    before, made = (curve[-1][0], curve[-1][1]) if curve else (0.0, 0), 0
    spent, played = before

    def learn(rate: float) -> None:
        for _ in range(games // 64 if memory.filled >= 40 * games else 0):
            x, legal, policy, value = memory.draw(random, 512)
            if random.random() < 0.5:
                x, legal, policy = x[..., ::-1], legal[:, sight.mirror_actions], policy[:, sight.mirror_actions]
            network.learn(x, legal, policy, value.astype(np.float32), rate)

    with ThreadPoolExecutor(2) as pool:
        while True:
            share = made / moves if moves else spent / minutes
            if share >= len(curve) / points or share >= 1:
                mean = score(game, network.evaluator(sight), pool, 200, playouts, scored)
                curve.append((spent, played, mean))
                print(f"{spent:6.2f} minutes  {played:6} games  score {mean:.3f}", flush=True)
                write_curve(curve, out)
                network.save(out / "network.npz")
                if share >= 1:
                    return curve
            start, evaluate = time.process_time(), network.evaluator(sight)
            learning = pool.submit(learn, 1e-3 if share < 0.5 else 3e-4 if share < 0.8 else 1e-4)
            found = list(pool.map(lambda group: group.move(evaluate), groups))
            learning.result()
            for positions, ended in found:
                memory.add(positions)
                played += ended
            made += 1
            spent += (time.process_time() - start) / 120


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=Path, help="another rulesheet of the game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--games", type=int, default=512, help="at once")
    parser.add_argument("--simulations", type=int, default=64, help="of each move in self-play")
    given = parser.parse_args()
    for name in ("minutes", "games", "simulations"):
        if not getattr(given, name) > 0:
            parser.error(f"--{name} must be above 0, not {getattr(given, name)}")
    game = gdl.load(given.rules) if given.rules else gdl.Game(RULES, name="connect four")
    train(game, minutes=given.minutes, out=given.out, games=given.games, simulations=given.simulations)


if __name__ == "__main__":
    main()
