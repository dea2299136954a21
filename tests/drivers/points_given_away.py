#!/usr/bin/env python3
"""How many points does a move give away? KataGo looks at the position before and after it.

    points_given_away.py --engine 'tengen gtp --chinese-rules' --katago 'katago analysis -config C -model M' \
        --truth truth_open.jsonl --games FOLDER [--part choose|report] [--limit N] [--seconds S] [--out FILE]

TRUTH has lines with `id`, `sgf`, `move` and `to_move`, as shared/golden/go describes them; FOLDER holds the games. The engine
chooses a move by `reg_genmove` in S seconds (`time_settings 0 S 1`), or without a clock. The loss of a move is the lead of the
side to move before it less its lead after it, as KataGo tells with one visit. OUT gets a line a position, and a run goes on
where the file ends. Prints the mean, with its standard error.
"""

import argparse
import hashlib
import json
import os
import shlex
import statistics
import subprocess
import sys
import time


class Lines:
    def __init__(self, command):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(shlex.split(command), text=True, **pipes)

    def write(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.process.args[0]} ended with code {self.process.wait()}")
        return line.rstrip("\n")


class Gtp(Lines):
    def ask(self, command):
        self.write(command)
        lines = []
        while (line := self.read()) or not lines:
            if line:
                lines.append(line)
        if not lines[0].startswith("="):
            sys.exit(f"{command}: {lines[0]}")
        return "\n".join(lines)[1:].strip()


def stones_and_moves(engine, sgf, number):
    """The stones before the first move and the moves before this one; the engine holds the position then."""
    engine.ask(f"loadsgf {sgf} 1")
    stones = [
        [color[0].upper(), vertex]
        for color in ("black", "white")
        for vertex in engine.ask(f"list_stones {color}").split()
    ]
    engine.ask(f"loadsgf {sgf} {number}")
    moves = [line.split() for line in engine.ask("move_history").splitlines() if line.strip()]
    moves = [[color[0].upper(), vertex] for color, vertex in reversed(moves)]
    # A program may count handicap stones as moves.
    return stones, moves[len(moves) - (number - 1):] if number > 1 else []


def leads(katago, name, size, stones, moves, first):
    """Black's lead before the last of these moves, and after it."""
    query = {
        "id": name, "initialStones": stones, "moves": moves, "rules": "chinese", "komi": 7.5, "maxVisits": 1,
        "boardXSize": size, "boardYSize": size, "analyzeTurns": [len(moves) - 1, len(moves)], "initialPlayer": first,
        "overrideSettings": {"rootNumSymmetriesToSample": 1},
    }
    katago.write(json.dumps(query))
    found = {}
    while len(found) < 2:
        answer = json.loads(katago.read())
        if "error" in answer:
            sys.exit(f"{name}: {answer['error']}")
        if "rootInfo" in answer:
            found[answer["turnNumber"]] = answer["rootInfo"]["scoreLead"]
    return [found[len(moves) - 1], found[len(moves)]]


def is_in(row, part):
    is_even = hashlib.sha1(row["sgf"].encode()).digest()[0] % 2 == 0
    return part is None or is_even == (part == "choose")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("engine", "katago", "truth", "games"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--part", choices=["choose", "report"])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--out", default="points_given_away.jsonl")
    args = parser.parse_args()
    rows = [row for row in map(json.loads, open(args.truth)) if is_in(row, args.part)][: args.limit]
    known = {}
    if os.path.exists(args.out):
        known = {row["id"]: row for row in map(json.loads, open(args.out))}
    engine, katago = Gtp(args.engine), Lines(args.katago)
    with open(args.out, "a") as out:
        for number, row in enumerate(rows):
            if row["id"] in known:
                continue
            stones, moves = stones_and_moves(engine, os.path.join(args.games, row["sgf"]), row["move"])
            engine.ask("komi 7.5")
            size, side = row["size"], row["to_move"]
            if args.seconds:
                engine.ask(f"time_settings 0 {args.seconds} 1")
            begun = time.time()
            move = engine.ask(f"reg_genmove {side}")
            took = time.time() - begun
            first = moves[0][0] if moves else side
            before, after = leads(katago, row["id"], size, stones, [*moves, [side, move]], first)
            lost = (before - after) * (1 if side == "B" else -1)
            told = {"id": row["id"], "move": move, "lost": round(lost, 3), "seconds": round(took, 3)}
            known[row["id"]] = told
            out.write(json.dumps(told) + "\n")
            out.flush()
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {len(rows)}", end="", file=sys.stderr)
    lost = [known[row["id"]]["lost"] for row in rows]
    error = statistics.stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
    slowest = max(known[row["id"]]["seconds"] for row in rows)
    mean = statistics.mean(lost)
    print(f"{len(lost)} moves give away {mean:.2f} points in the mean (standard error {error:.2f}); slowest {slowest:.2f} s")


main()
