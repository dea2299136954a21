#!/usr/bin/env python3
"""How often `cutstone2` is that of GNU Go 3.8.

    tests/go/cutstone2_shares.py [--engine "target/release/tengen gtp --judge none"] [--shared ../shared] [--differences]

Asks the engine for `worm_data` over the positions of `golden/go/cutstone2_open.jsonl`. Prints of the strings listed there
how many have the same number, and of all other strings how many have 0. `--differences` prints the others.
"""

import argparse
import json
import os
import pathlib
import shlex

from oracle_shares import Engine, sections


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=f"{root}/target/release/tengen gtp --judge none", help="a command line")
    parser.add_argument("--shared", default=os.environ.get("TENGEN_SHARED", root / "../shared"), type=pathlib.Path)
    parser.add_argument("--differences", action="store_true", help="print each string whose number differs")
    arguments = parser.parse_args()
    engine = Engine(shlex.split(arguments.engine))
    listed, equal, others, zero = 0, 0, 0, 0
    for line in (arguments.shared / "golden/go/cutstone2_open.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        engine.ask(f"loadsgf {arguments.shared / 'suites/go' / record['sgf']} {record['move']}")
        worms = {at: fields for at, fields in sections(engine.ask("worm_data")).items() if fields["color"] != "empty"}
        wanted = {worms[at]["origin"]: number for at, number in record["cutstone2"].items()}
        for at, fields in worms.items():
            if fields["origin"] != at:
                continue
            found = int(fields["cutstone2"])
            if at in wanted:
                listed, equal = listed + 1, equal + (found == wanted[at])
            else:
                others, zero = others + 1, zero + (found == 0)
            if arguments.differences and found != wanted.get(at, 0):
                print(f"{record['sgf']} {record['move']} {at}: GNU Go {wanted.get(at, 0)}, Tengen {found}")
    print(f"strings with a number: {equal} of {listed} equal")
    print(f"other strings: {zero} of {others} are 0 ({100 * zero / max(others, 1):.2f} %)")


if __name__ == "__main__":
    main()
