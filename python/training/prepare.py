#!/usr/bin/env python3
"""Turns labelled games into arrays that train.py reads: one file for each board size.

    prepare.py --golden shared/golden/go --suites shared/suites/go --planes target/release/examples/judge_planes --out DIR
               [--relabel FILE.jsonl]

Games of people (learn_{a,b}) are taken only from the part ``choose``: those whose path has an even first byte of sha1.
All games of learn_{c,d} are taken. One game in twenty is kept apart to watch the training with (``watch``).
``--relabel`` has better labels for some positions: lines with ``id`` (PATH:MOVE), ``lead``, ``win``, ``own``, ``pol``.

Arrays, one row a position, all from the side of the player to move:
``planes`` (bits, as judge_planes writes them), ``own`` (percent), ``at`` and ``permille`` (up to 16 likely moves; the board's
area stands for a pass, -1 for none), ``lead`` (points without komi), ``win``, ``white`` (1 where White is to move), ``source``
(0 self-play, 1 people, 2 people with better labels), ``watch``.
"""
import argparse
import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys
import threading

import numpy as np

COLS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KOMI = 7.5


def is_chosen(path: str) -> bool:
    return hashlib.sha1(path.encode()).digest()[0] % 2 == 0


def is_watched(game: str) -> bool:
    """Whether a game is kept apart to watch the training with."""
    return hashlib.sha1(game.encode()).digest()[1] < 13


def index(vertex: str, n: int) -> int:
    """The place of a GTP vertex in vertex order; the area for a pass."""
    return n * n if vertex.lower() == "pass" else (n - int(vertex[1:])) * n + COLS.index(vertex[0])


def positions(args):
    """Yields (key, size, to_move, set-up, moves, label, source)."""
    sys.path.insert(0, args.tools)
    from go_truth import main_line

    games = {}
    for name in "ab":
        with gzip.open(f"{args.golden}/learn_{name}.jsonl.gz", "rt") as lines:
            for row in map(json.loads, lines):
                path = row["sgf"]
                if not is_chosen(path):
                    continue
                if path not in games:
                    games[path] = main_line(os.path.join(args.suites, path), row["size"])
                setup, moves = games[path]
                yield path, f"{path}:{row['move']}", row["size"], row["to_move"], setup, moves[: row["move"] - 1], row, 1
    for name in "cd":
        with gzip.open(f"{args.golden}/learn_{name}.jsonl.gz", "rt") as lines:
            for game in map(json.loads, lines):
                for row in game["positions"]:
                    yield game["id"], "", game["size"], row["to_move"], [], game["moves"][: row["move"] - 1], row, 0


def labels(row, n, to_move):
    """Owner, likely moves, lead and win rate of a label, for the side to move."""
    sign = 1 if to_move == "B" else -1
    own = np.frombuffer(base64.b64decode(row["own"]), dtype=np.int8).astype(np.int16) * sign
    at, permille = np.full(16, -1, np.int16), np.zeros(16, np.int16)
    for k, (vertex, share) in enumerate(row["pol"][:16]):
        at[k] = index(vertex, n) if isinstance(vertex, str) else vertex
        permille[k] = share
    win = row["win"] if sign > 0 else 1 - row["win"]
    return own.astype(np.int8), at, permille, sign * (row["lead"] + KOMI), win


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--golden", required=True)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--tools", required=True, help="folder of go_truth.py")
    parser.add_argument("--planes", required=True, help="the program judge_planes")
    parser.add_argument("--out", required=True)
    parser.add_argument("--relabel")
    args = parser.parse_args()
    better = {}
    if args.relabel:
        with open(args.relabel) as lines:
            for row in map(json.loads, lines):
                better[row["id"]] = row
    by_size = {}
    for game, key, n, to_move, setup, moves, row, source in positions(args):
        if not 7 <= n <= 25:
            continue
        if key in better:
            row, source = better[key], 2
        line = f"{n} {to_move} {' '.join(f'{c}:{v}' for c, v in setup)} / {' '.join(f'{c}:{v}' for c, v in moves)}\n"
        by_size.setdefault(n, []).append((line, labels(row, n, to_move), to_move == "W", source, is_watched(game)))
    os.makedirs(args.out, exist_ok=True)
    for n, rows in sorted(by_size.items()):
        program = subprocess.Popen([args.planes], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def feed():
            for row in rows:
                program.stdin.write(row[0].encode())
            program.stdin.close()

        feeder = threading.Thread(target=feed)
        feeder.start()
        bits = np.frombuffer(program.stdout.read(), np.uint8).reshape(len(rows), -1)
        feeder.join()
        if program.wait() != 0:
            sys.exit(f"{args.planes} failed on size {n}")
        column = lambda k, dtype: np.array([row[1][k] for row in rows], dtype)
        np.savez(
            f"{args.out}/size{n}.npz", planes=bits, own=np.stack([row[1][0] for row in rows]), at=np.stack([row[1][1] for row in rows]),
            permille=np.stack([row[1][2] for row in rows]), lead=column(3, np.float32), win=column(4, np.float32),
            white=np.array([row[2] for row in rows], np.uint8), source=np.array([row[3] for row in rows], np.uint8),
            watch=np.array([row[4] for row in rows], np.uint8))
        print(f"size {n}: {len(rows)} positions, {bits.shape[1]} bytes each", flush=True)


if __name__ == "__main__":
    main()
