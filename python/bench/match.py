"""The trained player of connect four against UCT of another build of `tengen`, by playouts, not by time.

    python python/examples/train_connect_four.py --out trained
    python python/bench/match.py trained OLD/tengen --out match

OLD/tengen is the program of the build to compare with. It plays a game for each seed by `tengen selfplay`; this script is the
other player, over GGP's messages. With odd seeds the trained player has the first move. It searches so many simulations for
each move, and draws its first moves by the visits of the search, with the seed, so that games differ. A second call with the
same folder goes on from there. Last come the table and the share of points, with a 95 % interval (normal, of the games' results).
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from tengen import gdl

EXAMPLE = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "train_connect_four.py"))


class Player:
    """Answers GGP's messages for one game after the other."""

    def __init__(self, game: gdl.Game, evaluate: gdl.Evaluate, simulations: int, drawn: int, exploration: float) -> None:
        self.game, self.evaluate, self.simulations, self.drawn = game, evaluate, simulations, drawn
        self.exploration, self.seed, self.role, self.made = exploration, 0, "", 0

    def answer(self, message: str) -> str:
        words = message.replace("(", " ( ").replace(")", " ) ").split()
        kind = words[1].lower()
        if kind == "start":
            self.role, self.made = words[3], 0
            self.env = gdl.VectorEnv(self.game, autoreset="disabled")
            self.state, self.random = self.game.initial(), np.random.default_rng(self.seed)
            return "ready"
        if kind != "play":
            return "done"
        moves = [re.sub(r"\s+", " ", move).replace("( ", "(").replace(" )", ")") for move in joint(words[3:-1])]
        if moves:
            self.env.step([self.env.actions.index(moves[self.env.turn[0]])])
            self.state = self.state.next(moves)
        choices = self.state.legal(self.role)
        if len(choices) == 1:
            return str(choices[0])
        found = gdl.mcts(self.env, self.evaluate, self.simulations, exploration=self.exploration)
        action = found.sample(self.random) if self.made < self.drawn else found.best
        self.made += 1
        return str(self.env.actions[action[0]])


def joint(words: list[str]) -> list[str]:
    """The moves of `( M1 M2 )` or of NIL, each as its words."""
    moves: list[list[str]] = []
    depth = 0
    for word in words:
        depth -= word == ")"
        if depth == 1 and word != ")":
            moves.append([])
        if depth >= 1 and (depth > 1 or word != ")" or moves):
            moves[-1].append(word)
        depth += word == "("
    return [" ".join(move) for move in moves]


def serve(player: Player) -> HTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            body = player.answer(text).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/acl")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def play(program: Path, out: Path, seed: int, port: int, playouts: int) -> None:
    """Plays the game of a seed, unless its record is there."""
    names = [f'Ggp("127.0.0.1:{port}", (start: 60, play: 600))', f"Uct({playouts})"]
    players = ", ".join(names if seed % 2 else names[::-1])
    scene = out / f"{seed:03}.ron"
    scene.write_text(f'(version: 1, name: "{seed}", game: Gdl(rules: "rules.kif"), task: SelfPlay(games: 1, players: [{players}]))\n')
    arguments = ["--games", "1", "--seed", str(seed), "--force", "--allow-commands", "--no-progress", "--jobs", "1"]
    done = subprocess.run(
        [program, "selfplay", scene, "--out", out / f"{seed:03}", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"seed {seed}: {done.stderr or done.stdout}")


def read(out: Path, seed: int) -> dict[str, Any] | None:
    """The record of a game."""
    path = out / f"{seed:03}" / "game-00001.json"
    record: dict[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trained", type=Path, help="the folder of train_connect_four.py")
    parser.add_argument("program", type=Path, help="the program `tengen` of the other build")
    parser.add_argument("--out", type=Path, default=Path("match"))
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--drawn", type=int, default=2, help="own moves at the start that are drawn")
    parser.add_argument("--exploration", type=float, default=EXAMPLE["EXPLORATION"])
    given = parser.parse_args()
    for needed in (given.trained / "network.npz", given.program):
        if not needed.is_file():
            parser.error(f"there is no file {needed}")
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "rules.kif").write_text(EXAMPLE["RULES"])
    game = gdl.Game(EXAMPLE["RULES"], name="connect four")
    sight = EXAMPLE["Sight"](game)
    network = EXAMPLE["Network"](sight)
    network.load(given.trained / "network.npz")
    player = Player(game, network.evaluator(sight), given.simulations, given.drawn, given.exploration)
    server = serve(player)
    points: dict[str, list[float]] = {"first": [], "second": []}
    lines = set()
    for seed in range(given.first, given.first + given.games):
        player.seed = seed
        if read(given.out, seed) is None:
            play(given.program.resolve(), given.out, seed, server.server_port, given.playouts)
        record = read(given.out, seed)
        if record is None or record["end"] != "terminal":
            raise SystemExit(f"seed {seed}: no whole game: {record}")
        mine = 1 - seed % 2
        points["second" if mine else "first"].append(float(record["goals"][mine][0]) / 100)
        lines.add(str(record["moves"]))
    print("| trained player | games | won | drawn | lost | points |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, of in [*points.items(), ("both", points["first"] + points["second"])]:
        if of:
            counts = [sum(p == value for p in of) for value in (1, 0.5, 0)]
            print(f"| {name} | {len(of)} | {counts[0]} | {counts[1]} | {counts[2]} | {np.mean(of):.3f} |")
    every = np.array(points["first"] + points["second"])
    half = 1.96 * every.std(ddof=1) / np.sqrt(len(every)) if len(every) > 1 else 0.5
    print(f"points {every.mean():.3f} of 1, from {every.mean() - half:.3f} to {every.mean() + half:.3f}; {len(lines)} different games")


if __name__ == "__main__":
    main()
