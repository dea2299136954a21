#!/usr/bin/env python3
"""Learns the weights of the odds of dragons where a judge speaks: `JUDGED_WEIGHTS` of systems/go/src/dragons/odds.rs.

    odds.py --golden shared/golden/go --suites shared/suites/go --tools shared/tools --program odds_evidence --weights FILE.bin

A dragon is dead if the label gives its stones to the enemy, in the mean. Positions come from the part ``choose`` of learn_{a,b}; games
whose path has a third byte of sha1 below 52 are kept apart to report on. Dragons whose owner the label leaves open (below 0.2) are
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

from prepare import is_chosen


def positions(args):
    sys.path.insert(0, args.tools)
    from go_truth import main_line

    rows = []
    for name in "ab":
        with gzip.open(f"{args.golden}/learn_{name}.jsonl.gz", "rt") as lines:
            rows += [row for row in map(json.loads, lines) if is_chosen(row["sgf"]) and row["move"] > 20 and row["size"] >= 9]
    random.Random(1).shuffle(rows)
    games = {}
    for row in rows[: args.positions]:
        path, n = row["sgf"], row["size"]
        if path not in games:
            games[path] = main_line(os.path.join(args.suites, path), n)
        setup, moves = games[path]
        text = f"{n} {row['to_move']} {' '.join(f'{c}:{v}' for c, v in setup)} / {' '.join(f'{c}:{v}' for c, v in moves[: row['move'] - 1])}"
        own = np.frombuffer(base64.b64decode(row["own"]), np.int8) / 100
        yield text, own, hashlib.sha1(path.encode()).digest()[2] < 52


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
    first = x[:, 10] > 0.5
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
