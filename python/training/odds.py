#!/usr/bin/env python3
"""Learns the weights of the odds of dragons where a judge speaks: `JUDGED_WEIGHTS` of systems/go/src/dragons/odds.rs.

    odds.py --golden shared/golden/go --suites shared/suites/go --tools shared/tools --program odds_evidence --weights FILE.bin

A dragon is dead if the label gives its stones to the enemy, in the mean. Positions come from games that train.py keeps apart (a judge
knows the owners of games it learned from too well); those whose third byte of sha1 is below 52 are kept apart once more to report on. Dragons whose owner the label leaves open (below 0.2) are
left out. Newton's method; the bounds are those that err least on the part learned from.
"""
import argparse
import base64
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys

import numpy as np

from prepare import is_chosen, is_watched


def positions(args):
    """Positions of games that the training of the net kept apart, people's and self-play."""
    sys.path.insert(0, args.tools)
    from go_truth import main_line

    rows, games = [], {}
    for name in "ab":
        with gzip.open(f"{args.golden}/learn_{name}.jsonl.gz", "rt") as lines:
            for row in map(json.loads, lines):
                path = row["sgf"]
                if is_chosen(path) and is_watched(path) and row["move"] > 20 and row["size"] >= 9:
                    if path not in games:
                        games[path] = main_line(os.path.join(args.suites, path), row["size"])
                    rows.append((path, row, row["size"], *games[path]))
    random.Random(1).shuffle(rows)
    own = []
    for name in "cd":
        with gzip.open(f"{args.golden}/learn_{name}.jsonl.gz", "rt") as lines:
            for game in map(json.loads, lines):
                if is_watched(game["id"]) and game["size"] >= 9:
                    own += [(game["id"], row, game["size"], [], game["moves"]) for row in game["positions"] if row["move"] > 20]
    random.Random(1).shuffle(own)
    for name, row, n, setup, moves in rows[: args.positions // 2] + own[: args.positions // 2]:
        text = f"{n} {row['to_move']} {' '.join(f'{c}:{v}' for c, v in setup)} / {' '.join(f'{c}:{v}' for c, v in moves[: row['move'] - 1])}"
        owner = np.frombuffer(base64.b64decode(row["own"]), np.int8) / 100
        yield text, owner, hashlib.sha1(name.encode()).digest()[2] < 52


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("golden", "suites", "tools", "program", "weights"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--positions", type=int, default=2500)
    args = parser.parse_args()
    labels = list(positions(args))
    text = "\n".join(row[0] for row in labels) + "\n"
    out = subprocess.run([args.program, args.weights], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    x, y, size, apart = [], [], [], []
    for line in out.splitlines():
        words, stones = line.split(" / ")
        words, stones = words.split(), [int(v) for v in stones.split()]
        own = labels[int(words[0])][1][stones].mean() * (1 if words[1] == "black" else -1)
        if abs(own) < 0.2:
            continue
        x.append([float(w) for w in words[2:]])
        y.append(own < 0)
        size.append(len(stones))
        apart.append(labels[int(words[0])][2])
    x, y, size, apart = np.array(x), np.array(y, float), np.array(size, float), np.array(apart)
    np.savez("/tmp/odds.npz", x=x, y=y, size=size, apart=apart)
    learn = ~apart
    weight = np.minimum(size, 8)[learn]
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x[learn] @ w))
        gradient = x[learn].T @ (weight * (p - y[learn])) + 0.5 * w
        hessian = (x[learn] * (weight * p * (1 - p))[:, None]).T @ x[learn] + 0.5 * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    chance = 1 / (1 + np.exp(-x @ w))
    first = x[:, 10] > 0.5  # its owner moves first
    print(f"{len(y)} dragons of {len(labels)} positions, {int(y.sum())} dead; {int(apart.sum())} kept apart")
    for name, part in (("learned from", learn), ("kept apart", apart)):
        for whose, side in (("owner first", first), ("enemy first", ~first)):
            rows = part & side
            for bound in (0.3, 0.4, 0.5, 0.6):
                dead = chance[rows] > bound
                s = size[rows]
                found, right = (s * dead * y[rows]).sum() / max(1, (s * y[rows]).sum()), (s * dead * y[rows]).sum() / max(1, (s * dead).sum())
                print(f"{name}, {whose}, bound {bound}: dead stones found {found:.3f}, rightly {right:.3f}")
    print("const JUDGED_WEIGHTS: [f32; JUDGED] = [" + ", ".join(f"{v:.3f}" for v in w) + "];")


if __name__ == "__main__":
    main()
