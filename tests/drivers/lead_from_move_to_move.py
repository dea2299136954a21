#!/usr/bin/env python3
"""How much does the lead change from move to move, beside the labels of the same positions?

    lead_from_move_to_move.py --engine 'tengen analyse' --golden shared/golden/go --suites shared/suites/go \
        --tools shared/tools [--games 40]

Takes the first games of `learn_{a,b}`, part `report`, in the order of the sha1 of their path, and asks for every position over
KataGo's protocol. Prints the mean change of the engine's lead and of the labels', in points, and their ratio.
"""

import argparse
import gzip
import hashlib
import json
import os
import shlex
import statistics
import subprocess
import sys


def labels(golden, count):
    """Leads by game and number of the move, of the first games."""
    games = {}
    for name in ("learn_a.jsonl.gz", "learn_b.jsonl.gz"):
        with gzip.open(os.path.join(golden, name), "rt") as lines:
            for row in map(json.loads, lines):
                if hashlib.sha1(row["sgf"].encode()).digest()[0] % 2:
                    games.setdefault(row["sgf"], {})[row["move"]] = row
    first = sorted(games, key=lambda path: hashlib.sha1(path.encode()).hexdigest())[:count]
    return {path: games[path] for path in first}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("engine", "golden", "suites", "tools"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--games", type=int, default=40)
    args = parser.parse_args()
    sys.path.insert(0, args.tools)
    from go_truth import main_line

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    engine = subprocess.Popen(shlex.split(args.engine), text=True, **pipes)
    ours, theirs = [], []
    for path, rows in labels(args.golden, args.games).items():
        size = next(iter(rows.values()))["size"]
        stones, moves = main_line(os.path.join(args.suites, path), size)
        numbers = [n for n in sorted(rows) if n - 1 <= len(moves)]
        query = {
            "id": path, "initialStones": stones, "moves": moves, "rules": "chinese", "komi": 7.5, "boardXSize": size,
            "boardYSize": size, "maxVisits": 1, "analyzeTurns": [n - 1 for n in numbers],
            "initialPlayer": rows[numbers[0]]["to_move"],
        }
        engine.stdin.write(json.dumps(query) + "\n")
        engine.stdin.flush()
        leads = {}
        while len(leads) < len(numbers):
            answer = json.loads(engine.stdout.readline())
            if "error" in answer:
                sys.exit(f"{path}: {answer['error']}")
            if "rootInfo" in answer:
                leads[answer["turnNumber"] + 1] = answer["rootInfo"]["scoreLead"]
        for before, after in zip(numbers, numbers[1:]):
            if after == before + 1 and rows[before]["to_move"] != rows[after]["to_move"]:
                ours.append(abs(leads[after] - leads[before]))
                theirs.append(abs(rows[after]["lead"] - rows[before]["lead"]))
    mean, label = statistics.mean(ours), statistics.mean(theirs)
    print(f"{args.games} games, {len(ours)} moves: {mean:.2f} points a move, the labels {label:.2f}: {mean / label:.2f} times")


main()
