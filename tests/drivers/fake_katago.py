#!/usr/bin/env python3
"""A scripted KataGo for tests: it keeps to the analysis protocol, but for the misdeed that its first argument names.

    fake_katago.py analysis MODE [LOG]

Every question is written to LOG, so that a test can count them. The answers are made from the query alone: the lead is the number of
Black's stones less White's, less the komi; every owner is the colour of the nearest stone in the row.
"""
import json
import os
import sys
import time

MODE = sys.argv[2] if len(sys.argv) > 2 else "good"
LOG = sys.argv[3] if len(sys.argv) > 3 else None
LETTERS = "ABCDEFGHJKLMNOPQRST"


def answer(query):
    size = query["boardXSize"]
    board = [[0] * size for _ in range(size)]

    def put(player, point):
        if point != "pass":
            board[size - int(point[1:])][LETTERS.index(point[0])] = 1 if player == "B" else -1

    for player, point in query["initialStones"] + query["moves"]:
        put(player, point)
    mover = query["initialPlayer"]
    if query["moves"]:
        mover = "W" if query["moves"][-1][0] == "B" else "B"
    owner, policy = [], []
    for row in board:
        for col, stone in enumerate(row):
            near = sorted((abs(c - col), s) for c, s in enumerate(row) if s)
            owner.append(near[0][1] * 0.9 if near else 0.0)
            policy.append(-1.0 if stone else 1.0)
    free = sum(p > 0 for p in policy)
    policy = [p / (free + 1) if p > 0 else p for p in policy] + [1 / (free + 1)]
    lead = sum(map(sum, board)) - query["komi"]
    return {
        "id": query["id"], "turnNumber": len(query["moves"]), "isDuringSearch": False, "moveInfos": [],
        "rootInfo": {"scoreLead": lead, "winrate": 0.5 + max(-0.49, min(0.49, lead / 40)), "currentPlayer": mover, "visits": 1},
        "ownership": owner, "policy": policy,
    }


def say(value):
    sys.stdout.write((value if isinstance(value, str) else json.dumps(value)) + "\n")
    sys.stdout.flush()


def main():
    asked = 0
    if LOG:
        with open(LOG + ".pid", "w") as file:
            file.write(str(os.getpid()))
    for line in sys.stdin:
        try:
            query = json.loads(line)
        except ValueError:
            say({"error": "Could not parse input line"})
            continue
        if query.get("action") == "query_version":
            if MODE == "mute":
                time.sleep(3600)
            say({**query, "version": "1.2.0" if MODE == "old" else "1.16.3", "git_hash": "fake"})
            continue
        asked += 1
        if LOG:
            with open(LOG, "a") as log:
                log.write(line)
        good = answer(query)
        if MODE == "crash" and asked == 3:
            sys.exit(3)
        elif MODE == "hang" and asked >= 3:
            time.sleep(3600)
        elif MODE == "flood":
            while True:
                say("loading...")
        elif MODE == "refuse":
            say({"error": "Could not find rules", "field": "rules", "id": query["id"]})
        elif MODE == "other_rules":
            say({"warning": "Unknown rule, ignored", "field": "rules.tax", "id": query["id"]})
            say(good)
        elif MODE == "other_position":
            good["policy"] = [1 / len(good["policy"])] * len(good["policy"])
            say(good)
        elif MODE == "other_side":
            good["rootInfo"]["currentPlayer"] = "W" if good["rootInfo"]["currentPlayer"] == "B" else "B"
            say(good)
        elif MODE == "other_turn":
            good["turnNumber"] += 1
            say(good)
        elif MODE == "other_size":
            good["ownership"] += [0.0] * 19
            say(good)
        elif MODE.startswith("without_"):
            name = MODE.removeprefix("without_")
            (good["rootInfo"] if name in good["rootInfo"] else good).pop(name)
            say(good)
        elif MODE == "nonsense":
            good["ownership"][0] = "black"
            say(good)
        elif MODE == "twice":
            say(good)
            say(good)
            say({**good, "id": "never asked"})
        elif MODE == "backwards":
            # Partial answers and chatter come before the one that counts.
            say("KataGo v1.16.3")
            say({**good, "isDuringSearch": True})
            say({"warning": "Unused field", "field": "whatever", "id": query["id"]})
            say(good)
        else:
            say(good)


main()
