"""All rates from Python in one table: Tengen, another build of it, OpenSpiel and Pgx, side by side in one run.

    python python/bench/rates.py ../shared/suites/gdl --old OLD/bin/python > rates.md

OLD/bin/python is a Python with the package of the other build (with open_spiel and pettingzoo); it runs this script too, and is asked
for its rounds in turn with ours. All of it is on one core and by processor time, in rounds that take turns, and the best round
counts. `states.py`, `steps.py` and `go.py` beside this script say what a step is. "1 -> 2 threads" are by the clock, on two
cores; "free" is twice the steps of a second of processor time by those with one thread, which other programs falsify less. The line
below the table says how busy the machine was.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# `turns` binds the process to one core when it is imported.
sys.path.insert(0, str(Path(__file__).parent))

import go  # noqa: E402
import pyspiel  # noqa: E402
import states  # noqa: E402
import steps  # noqa: E402
import turns  # noqa: E402

from tengen import gdl, openspiel  # noqa: E402

SINGLE = 20_000


def single(play: Callable[[Any, int], None], game: Any) -> turns.Round:
    """Rounds of one state at a time. Python rewrites a function for speed in its eighth call, so ten calls come first."""
    for _ in range(10):
        play(game, 50)

    def run() -> int:
        play(game, SINGLE)
        return SINGLE

    return run


def tengen(what: str, path: str) -> turns.Round:
    """Ours; in the other build too, as far as it is there."""
    if what == "vector":
        return steps.tengen(gdl.load(path), 4096, packed=True)
    if what == "openspiel":
        return single(states.applied, openspiel.load(path))
    if what == "aec":
        return single(states.aec, gdl.load(path))
    return single({"child": states.child, "apply": states.apply}[what], gdl.load(path))


def rate(play: turns.Round) -> float:
    start = time.process_time()
    count = play()
    return count / (time.process_time() - start)


class Old:
    """The other build, in a process of its own."""

    def __init__(self, python: Path) -> None:
        command = [str(python), __file__, "--worker", "."]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: str, path: str) -> float:
        assert self.process.stdin and self.process.stdout
        print(json.dumps([what, path]), file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


def work() -> None:
    """Answers each question with a rate."""
    known: dict[str, Round] = {}
    for line in sys.stdin:
        if line not in known:
            known[line] = tengen(*json.loads(line))
        print(rate(known[line]), flush=True)


def threads(make: Callable[[int], turns.Round], rounds: int) -> tuple[float, float]:
    """The rate of two threads by that of one: by the clock, and what the processor time of both would give on free cores."""
    if len(turns.CORES) < 2:
        return float("nan"), float("nan")
    os.sched_setaffinity(0, turns.CORES)
    pair = {str(n): make(n) for n in (1, 2)}
    found = turns.rates(pair, rounds * 3, time.perf_counter)
    spent = turns.rates(pair, rounds, time.process_time)
    os.sched_setaffinity(0, turns.CORES[:1])
    return found["2"] / found["1"], 2 * spent["2"] / spent["1"]


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"


def row(what: str, game: str, ways: dict[str, Callable[[], float]], rounds: int, against: list[str], bar: float) -> None:
    """Measures all ways in turn and prints a line."""
    best = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for name, way in ways.items():
            best[name] = max(best[name], way())
    peers = [best[name] for name in against if name in best]
    times = f"{best['tengen'] / max(peers):.2f}" if peers else "-"
    cells = [shown(best.get(name)) for name in ("tengen", "old", "openspiel", "pgx")]
    print("| " + " | ".join([what, game, *cells, times, f"{bar:g}"]) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the rulesheets are")
    parser.add_argument("--old", type=Path, help="the Python of the other build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        return work()
    load = os.getloadavg()[0]
    old, rounds = Old(given.old) if given.old else None, given.rounds
    print("| what | game | Tengen | other build | OpenSpiel | Pgx | times | bar |\n| --- | --- |" + " ---: |" * 6)

    def ways(what: str, path: str, **more: turns.Round) -> dict[str, Callable[[], float]]:
        play = tengen(what, path)
        found: dict[str, Callable[[], float]] = {"tengen": lambda: rate(play)}
        if old and what not in ("child", "apply"):
            found["old"] = lambda: old.ask(what, path)
        return found | {name: lambda of=of: rate(of) for name, of in more.items()}

    for rules, name in states.GAMES:
        path, theirs = str(given.folder / f"{rules}.kif"), pyspiel.load_game(name)
        for what in ("child", "apply"):
            row(f"one state, `{what}`", rules, ways(what, path, openspiel=single(states.cloned, theirs)), rounds, ["openspiel"], 2)
        for what, title in (("openspiel", "tengen.openspiel"), ("aec", "PettingZoo, AEC")):
            row(title, rules, ways(what, path), rounds, ["old"], 10)
    for rules, pgx_name, spiel_name in steps.GAMES:
        path = str(given.folder / f"{rules}.kif")
        more = {"openspiel": turns.openspiel(spiel_name)}
        try:
            if pgx_name:
                more["pgx"] = steps.pgx(pgx_name, 4096)
        except ImportError as error:
            print(f"Pgx: {error}", file=sys.stderr)
        row("4,096 games", rules, ways("vector", path, **more), rounds, ["openspiel", "pgx"], 1)
    random_go = {"tengen": go.tengen(9, 512, "simple_ko"), "openspiel": turns.openspiel("go(board_size=9,komi=7.5)")}
    row("512 games, tensor", "Go 9x9", {name: lambda of=of: rate(of) for name, of in random_go.items()}, rounds, ["openspiel"], 1)
    sheet = gdl.load(given.folder / "connectFour.kif")
    for game, make in [
        ("connectFour", lambda n: steps.tengen(sheet, 16384, threads=n, packed=True)),
        ("Go 9x9", lambda n: go.tengen(9, 2048, "simple_ko", threads=n)),
    ]:
        clock, free = threads(make, rounds)
        print(f"| 1 -> 2 threads | {game} | | | | | {clock:.2f}, free {free:.2f} | 1.8 |", flush=True)
    print(f"\nThe load (mean of a minute) was {load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end, of {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
