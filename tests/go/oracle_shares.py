#!/usr/bin/env python3
"""How often the fields of Tengen's worms, dragons and eyes are those of GNU Go 3.8.

    tests/go/oracle_shares.py [--engine "target/release/tengen gtp --judge none"] [--shared ../shared] [--differences FIELD]

Asks the engine by GTP (`worm_data`, `dragon_data`, `half_eye_data`, `eye_data`, `is_surrounded`) over the recorded
positions of `golden/go/oracle` and prints one table: for each field the values that are equal and their share. A row
`(same stones)` counts only dragons that consist of the same stones in both programs. `--differences FIELD` prints each
value that differs. Needs nothing but Python 3.9.
"""

import argparse
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys

WORM = ["size", "effective_size", "liberties", "liberties2", "liberties3", "liberties4", "attack_code", "defense_code",
        "lunch", "cutstone", "cutstone2", "genus", "inessential", "invincible", "unconditional_status"]
DRAGON = ["size", "effective_size", "genus", "heye", "escape_route", "lunch", "crude_status", "owl_status", "status",
          "safety", "weakness", "weakness_pre_owl", "surround_status", "surround_size", "moyo_size",
          "moyo_territorial_value", "neighbors", "hostile_neighbors", "owl_attack_code", "owl_defense_code", "semeais"]
EYE = ["origin", "esize", "msize", "value"]
# Numbers with two decimals, of two roundings.
NEAR = 0.0151


class Engine:
    """A GTP engine: one command, one answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended at: {command}")
            if not line.strip():
                if lines:
                    break
                continue
            lines.append(line.rstrip("\n"))
        good = lines[0].startswith("=")
        text = "\n".join([lines[0][1:].strip(), *lines[1:]]).strip()
        if not good:
            raise ValueError(f"{command}: {text}")
        return text


def sections(text):
    """`worm_data` or `dragon_data`: the fields of each vertex named."""
    found, fields = {}, None
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if not rest and word.endswith(":"):
            fields = found.setdefault(word[:-1], {})
        elif fields is not None:
            fields[word] = rest.strip()
    return found


def fields_of(text):
    return {line.partition(" ")[0]: line.partition(" ")[2].strip() for line in text.splitlines()}


def normal(value):
    """A value that can be compared: a number, a tuple of words, or a text."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (list, tuple)):
        return tuple(normal(part) for part in value)
    text = str(value).strip().replace("_", " ").lower()
    if text in ("", "pass", "none"):
        return "none"
    try:
        return float(text)
    except ValueError:
        return text


def numbers(text):
    return [int(word) for word in str(text).split()]


def equal(theirs, ours):
    a, b = normal(theirs), normal(ours)
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= NEAR
    return a == b


class Shares:
    def __init__(self, wanted):
        self.rows, self.wanted = collections.OrderedDict(), wanted

    def add(self, field, theirs, ours, where):
        row = self.rows.setdefault(field, [0, 0])
        same = equal(theirs, ours)
        row[0] += same
        row[1] += 1
        if not same and field == self.wanted:
            print(f"{where}: GNU Go {theirs}, Tengen {ours}")

    def print(self):
        print(f"{'field':<44}{'equal':>8}{'of':>8}{'share':>9}")
        for field, (same, of) in self.rows.items():
            print(f"{field:<44}{same:>8}{of:>8}{100 * same / of:>8.1f}%")


def place(engine, record, shared):
    """Puts the recorded position before the engine."""
    colors = ["black", "white"]
    wanted = {color: sorted(record[color]) for color in colors}
    try:
        engine.ask(f"loadsgf {shared / 'suites' / 'go' / record['sgf']} {record['loadsgf_move']}")
        if all(sorted(engine.ask(f"list_stones {color}").split()) == wanted[color] for color in colors):
            return
    except ValueError:
        pass
    engine.ask(f"boardsize {record['size']}")
    engine.ask("clear_board")
    engine.ask("gogui-setup " + " ".join(f"{color} {stone}" for color in colors for stone in record[color]))
    engine.ask(f"komi {record['komi']}")
    engine.ask(f"gogui-setup_player {record['to_move']}")


def compare(engine, record, name, shares):
    ours = sections(engine.ask("worm_data"))
    for worm in record["worms"]:
        mine = ours[worm["vertex"]]
        for field in WORM:
            theirs = worm[field]
            shares.add(f"worm {field}", theirs, mine.get(field), f"{name} {worm['vertex']}")
    for dragon in record["dragons"]:
        at = dragon["vertex"]
        mine = sections(engine.ask(f"dragon_data {at}"))
        mine = next(iter(mine.values()))
        same = sorted(mine["stones"].split()) == sorted(dragon["stones"])
        shares.add("dragon stones", sorted(dragon["stones"]), sorted(mine["stones"].split()), f"{name} {at}")
        given = dict(dragon)
        has = dict(mine)
        has["genus"] = numbers(has["genus"])
        given["neighbors"] = len(dragon["neighbors"])
        has["neighbors"] = len(has["neighbors"].split())
        for suffix in ([""] + [" (same stones)"] if same else [""]):
            for field in DRAGON:
                shares.add(f"dragon {field}{suffix}", given[field], has.get(field), f"{name} {at}")
            shares.add(f"is_surrounded{suffix}", dragon["is_surrounded"], engine.ask(f"is_surrounded {at}"), f"{name} {at}")
            # Eyes as a player counts them: attacked first, defended first.
            shares.add(f"dragon genus, two numbers{suffix}", given["genus"][1:3], has["genus"][1:3], f"{name} {at}")
            size = float(has["size"])
            half = size + (float(has["effective_size"]) - size) / 2
            shares.add(f"dragon effective_size, spaces by half{suffix}", given["effective_size"], half, f"{name} {at}")
            if dragon["surround_status"] or has["surround_status"] != "0":
                shares.add(f"dragon surround_size of surrounded ones{suffix}", given["surround_size"],
                           has["surround_size"], f"{name} {at}")
    compare_eyes(engine, record, name, shares)


def compare_eyes(engine, record, name, shares):
    size = record["size"]
    letters = "ABCDEFGHJKLMNOPQRST"[:size]
    every = [f"{letter}{number}" for number in range(size, 0, -1) for letter in letters]
    theirs = {half["vertex"]: half for half in record["half_eyes"]}
    for at in every:
        if at in record["black"] or at in record["white"]:
            continue
        ours = fields_of(engine.ask(f"half_eye_data {at}"))
        kind = ours.get("type", "none")
        if at in theirs or kind != "none":
            half = theirs.get(at, {"type": "none"})
            shares.add("half eye type", half["type"], kind, f"{name} {at}")
            if at in theirs and half["type"].lower() == kind.lower():
                shares.add("half eye value (same type)", half["value"], ours["value"], f"{name} {at}")
                for key in ("attack_points", "defense_points"):
                    shares.add(f"half eye {key} (same type)", sorted(half.get(key, [])), sorted(ours.get(key, "").split()), f"{name} {at}")
    for color in ("black", "white"):
        space_of = {}
        for space in record["eyes"][color]:
            for vertex in space["vertices"]:
                space_of[vertex] = space
        for at in every:
            ours = fields_of(engine.ask(f"eye_data {color} {at}"))
            has = ours.get("origin", "PASS") != "PASS"
            space = space_of.get(at)
            if not has and space is None:
                continue
            shares.add("eye_data: a space there", space is not None, has, f"{name} {color} {at}")
            if has and space is not None:
                given = {"origin": space["origin"], "esize": space["esize"], "msize": space["msize"], "value": space["value"]}
                mine = dict(ours, value=numbers(ours["value"]))
                for field in EYE:
                    shares.add(f"eye_data {field} (both have a space)", given[field], mine[field], f"{name} {color} {at}")
                shares.add("eye_data marginal (both have a space)", at in space["marginal"], ours["marginal"] == "1",
                           f"{name} {color} {at}")
        for space in record["eyes"][color]:
            at = space["origin"]
            ours = fields_of(engine.ask(f"eye_data {color} {at}"))
            mine = numbers(ours["value"]) if "value" in ours else None
            shares.add("eye space value, by origin", space["value"], mine, f"{name} {color} {at}")
            shares.add("eye space value, two numbers", space["value"][1:3], mine and mine[1:3], f"{name} {color} {at}")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=f"{root}/target/release/tengen gtp --judge none", help="a command line")
    parser.add_argument("--shared", default=os.environ.get("TENGEN_SHARED", root / "../shared"), type=pathlib.Path)
    parser.add_argument("--differences", help="a field of the table: print each value of it that differs")
    parser.add_argument("--only", default="*", help="a pattern of file names")
    arguments = parser.parse_args()
    files = sorted((arguments.shared / "golden" / "go" / "oracle").glob(f"{arguments.only}.json"))
    if not files:
        sys.exit(f"no recorded positions in {arguments.shared}")
    engine = Engine(shlex.split(arguments.engine))
    shares = Shares(arguments.differences)
    for file in files:
        record = json.loads(file.read_text(encoding="utf-8"))
        place(engine, record, arguments.shared)
        compare(engine, record, file.stem, shares)
    print(f"{len(files)} positions")
    shares.print()


if __name__ == "__main__":
    main()
