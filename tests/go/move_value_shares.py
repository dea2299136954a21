#!/usr/bin/env python3
"""How near the values of moves are to those of GNU Go 3.8.

    tests/go/move_value_shares.py [--engine "target/release/tengen gtp --judge none --visits 1"] [--shared ../shared]
                                  [--patterns FOLDER] [--list]

Asks the engine by GTP (`top_moves_SIDE`, `tengen-move_values`) over the recorded positions of `golden/go/oracle`, with the
side to move. `--patterns` takes GNU Go's databases for influence, barriers and connections (`suites/go/gnugo-patterns`).

* delta territory: the correlation of the territorial term with the change of territory that the recording shows after
  the move, prisoners included, over all moves that were recorded so;
* value: the correlation of the values of GNU Go's ten best moves;
* strategic: the top moves where GNU Go names a strategic reason, and those of them where we do.

`--list` prints a line a move. Needs nothing but Python 3.9.
"""

import argparse
import json
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from oracle_shares import Engine  # noqa: E402


# The kinds of our reasons that speak of a dragon's safety.
STRATEGIC = {"strengthens", "weakens", "strategic_attack", "escape"}


def correlation(pairs):
    """Pearson's r."""
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    xy = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    xx = sum((x - mean_x) ** 2 for x, _ in pairs)
    yy = sum((y - mean_y) ** 2 for _, y in pairs)
    return xy / (xx * yy) ** 0.5 if xx and yy else float("nan")


def recorded_delta(oracle, move, side):
    """The change of territory for the side that moves, prisoners included."""
    other = "white" if side == "black" else "black"
    total = lambda matrix: sum(sum(row) for row in matrix)
    before = total(oracle["initial_influence"][other]["territory_value"])
    after = oracle["move_influence"][move]["territory_value"]
    size = oracle["size"]
    at = lambda v: after[size - int(v[1:])]["ABCDEFGHJKLMNOPQRST".index(v[0])]
    # A stone that is taken leaves an empty vertex: its influence there is no longer a stone's.
    regions = oracle["move_influence"][move]["influence_regions"]
    stone = lambda v: abs(regions[size - int(v[1:])]["ABCDEFGHJKLMNOPQRST".index(v[0])]) == 4
    taken = sum(1 for v in oracle[other] if not stone(v) and at(v) is not None and is_taken(oracle, move, side, v))
    change = total(after) - before
    return (change if side == "white" else -change) + taken


def is_taken(oracle, move, side, stone):
    """Whether the move takes the string of this stone off: the move fills its last liberty."""
    own = set(oracle[side]) | {move}
    other = set(oracle["white" if side == "black" else "black"])
    letters, size = "ABCDEFGHJKLMNOPQRST"[: oracle["size"]], oracle["size"]
    def neighbors(v):
        x, y = letters.index(v[0]), int(v[1:])
        return [f"{letters[a]}{b}" for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
                if 0 <= a < size and 1 <= b <= size]
    seen, waiting = {stone}, [stone]
    while waiting:
        for n in neighbors(waiting.pop()):
            if n in other and n not in seen:
                seen.add(n)
                waiting.append(n)
            elif n not in other and n not in own:
                return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/tengen gtp --judge none --visits 1")
    parser.add_argument("--shared", default="../shared")
    parser.add_argument("--patterns")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    shared = pathlib.Path(args.shared)
    command = shlex.split(args.engine) + (["--patterns", args.patterns] if args.patterns else [])
    engine = Engine(command)
    deltas, values, strategic, found, told = [], [], 0, 0, 0
    for path in sorted((shared / "golden/go/oracle").glob("*.json")):
        oracle = json.loads(path.read_text())
        side = oracle["to_move"]
        engine.ask(f"loadsgf {shared / 'suites/go' / oracle['sgf']} {oracle['loadsgf_move']}")
        engine.ask(f"top_moves_{side}")
        genmove = oracle["genmove"][side]
        ours = {}
        for line in engine.ask("tengen-move_values").splitlines():
            row = json.loads(line)
            ours[row["move"]] = row
        for move in oracle["move_influence"]:
            row, delta = ours.get(move), recorded_delta(oracle, move, side)
            territory = row["terms"]["territory"] if row else 0.0
            deltas.append((territory, delta))
            if args.list:
                print(f"delta {path.stem} {move} ours {territory:.2f} theirs {delta:.2f}{'' if row else ' (no candidate)'}")
        for move, value in genmove["top_moves"]:
            row = ours.get(move)
            values.append((row["value"] if row else 0.0, value))
            reasons = genmove.get("reasons", {}).get(move, [])
            theirs = [reason for reason in reasons if "strategically" in reason]
            told += bool(row) and any(reason["kind"] in STRATEGIC for reason in row["reasons"])
            if theirs:
                strategic += 1
                mine = [reason["text"] for reason in row["reasons"] if reason["kind"] in STRATEGIC] if row else []
                found += bool(mine)
                if args.list:
                    kinds = [reason["kind"] for reason in row["reasons"]] if row else "no candidate"
                    print(f"strategic {path.stem} {move} {'yes' if mine else 'no'} theirs {theirs} ours {mine or kinds}")
    print(f"delta territory: r {correlation(deltas):.3f} over {len(deltas)} moves")
    print(f"value: r {correlation(values):.3f} over {len(values)} moves")
    print(f"strategic: {found} of the {strategic} top moves where GNU Go has a strategic reason "
          f"(of {len(values)}; we have one for {told})")


if __name__ == "__main__":
    main()
