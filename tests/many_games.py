"""Writes a PGN of many games to stdout, and measures commands over it.

    python3 tests/many_games.py write 400000 > games.pgn
    python3 tests/many_games.py measure target/release/tengen 400000

The games are random walks of a small part of chess that needs no rules: knights and rooks leave and come back. Each has tags, comments and a result,
about 500 bytes. `measure` packs the file too, and prints for `check`, `run` and `chess referee` the seconds, and the most memory that the process had.
"""

import os
import random
import subprocess
import sys
import tempfile
import time

WHITE = [("Nf3", "Ng1"), ("Nc3", "Nb1"), ("Nh3", "Ng1"), ("Na3", "Nb1")]
BLACK = [("Nf6", "Ng8"), ("Nc6", "Nb8"), ("Nh6", "Ng8"), ("Na6", "Nb8")]
OPENINGS = ["e4 e5", "d4 d5", "c4 c5", "e4 c5", "d4 Nf6 c4 e6", "Nf3 d5 g3 c6", "e4 e6 d4 d5", "e4 c6 d4 d5"]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


def game(number, dice):
    moves = dice.choice(OPENINGS).split()
    # Knights that stand elsewhere after the opening stay there.
    white = [pair for pair in WHITE if "Nf3" not in moves or pair[1] != "Ng1"]
    black = [pair for pair in BLACK if "Nf6" not in moves or pair[1] != "Ng8"]
    black = [pair for pair in black if "c6" not in moves or pair[0] != "Nc6"]
    pair = {0: None, 1: None}
    for _ in range(dice.randrange(10, 40)):
        side = len(moves) % 2
        if pair[side] is None:
            there, back = dice.choice(white if side == 0 else black)
            moves.append(there)
            pair[side] = back
        else:
            moves.append(pair[side])
            pair[side] = None
    words = []
    for n, move in enumerate(moves):
        if n % 2 == 0:
            words.append(f"{n // 2 + 1}.")
        words.append(move)
        if dice.random() < 0.1:
            words.append(f"{{[%clk 0:{dice.randrange(60):02}:{dice.randrange(60):02}]}}")
    result = dice.choice(RESULTS)
    lines, line = [], ""
    for word in words + [result]:
        if len(line) + len(word) > 78:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    lines.append(line)
    tags = {
        "Event": "Rated game",
        "Site": f"game {number:08}",
        "Date": "2026.01.01",
        "Round": str(number),
        "White": f"player{dice.randrange(10000)}",
        "Black": f"Jos\u00e9{dice.randrange(10000)}",
        "Result": result,
        "WhiteElo": str(dice.randrange(800, 2800)),
        "BlackElo": str(dice.randrange(800, 2800)),
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return head + "\n" + "\n".join(lines) + "\n\n"


def write(games, out):
    dice = random.Random(1)
    for number in range(1, games + 1):
        out.write(game(number, dice).encode("utf-8"))


def measured(command, folder):
    """The seconds and the most memory in MiB of a command, and the last line it wrote."""
    began = time.monotonic()
    with open(os.path.join(folder, "told.txt"), "wb") as told:
        process = subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with open(os.path.join(folder, "told.txt"), "rb") as told:
        told.seek(max(0, os.path.getsize(told.name) - 500))
        last = told.read().decode("utf-8", "replace").strip().splitlines()[-1:]
    return time.monotonic() - began, usage.ru_maxrss / 1024, "".join(last)[:90]


def measure(program, games):
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        print("| games | file | command | seconds | most MiB | it says |")
        print("| --- | --- | --- | --- | --- | --- |")
        for count in (games // 10, games):
            plain = os.path.join(folder, "games.pgn")
            with open(plain, "wb") as out:
                write(count, out)
            names = ["games.pgn"]
            # Without the program `zstd` the packed file is left out.
            if subprocess.run(["sh", "-c", "command -v zstd"], capture_output=True).returncode == 0:
                subprocess.run(["zstd", "-q", "-f", plain, "-o", plain + ".zst"], check=True)
                names.append("games.pgn.zst")
            for name in names:
                size = os.path.getsize(os.path.join(folder, name)) >> 20
                for words in (
                    ["check", name],
                    ["chess", "referee", name],
                    ["run", name, "--task", "Perft(depth: 1)", "--format", "json", "--no-progress"],
                    ["run", name, "--task", "Perft(depth: 1)", "--out", f"out-{count}-{name}", "--no-progress"],
                ):
                    seconds, most, last = measured([program, *words], folder)
                    said = last if "json" not in words else ""
                    command = " ".join(word for word in words if word != name and not word.startswith("out-"))
                    print(f"| {count} | {name}, {size} MiB | {command} | {seconds:.1f} | {most:.0f} | {said} |", flush=True)


def main():
    words = sys.argv[1:]
    if words[:1] == ["write"] and len(words) == 2:
        write(int(words[1]), sys.stdout.buffer)
    elif words[:1] == ["measure"] and len(words) == 3:
        measure(words[1], int(words[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
