"""Compares `tengen chess referee` with python-chess on the same games.

    tengen chess referee --sample 100000 > games.pgn
    python3 tests/drivers/referee.py TENGEN games.pgn

Both read the PGN and say, of every game, at which ply a third and a fifth
occurrence, fifty and seventy-five moves, and dead material first stood, and
how it ended. The last line is `N games agree, N differ`, with the processor
time of both and their ratio, from this one run.
"""
import json
import resource
import subprocess
import sys
import time

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("python-chess is missing: pip install chess")


def first(table, key, ply, stands):
    if stands and key not in table:
        table[key] = ply


def by_python(game):
    board = game.board()
    seen = {}
    moves = list(game.mainline_moves())
    for ply in range(len(moves) + 1):
        first(seen, "threefold", ply, board.is_repetition(3))
        first(seen, "fivefold", ply, board.is_fivefold_repetition())
        first(seen, "fifty", ply, board.is_fifty_moves())
        first(seen, "seventy_five", ply, board.is_seventyfive_moves())
        first(seen, "dead", ply, board.is_insufficient_material())
        if ply < len(moves):
            board.push(moves[ply])
    seen["mate"] = board.is_checkmate()
    seen["stalemate"] = board.is_stalemate()
    return seen


def by_tengen(line):
    said = json.loads(line)
    seen = {key: said[key] for key in ("fivefold", "seventy_five", "dead") if said.get(key) is not None}
    for claim in said["claims"]:
        seen["threefold" if claim["rule"] == "threefold" else "fifty"] = claim["ply"]
    last = said["end_ply"] == said["plies"]
    seen["mate"] = last and said["end"] == "checkmate"
    seen["stalemate"] = last and said["end"] == "stalemate"
    return seen


def main():
    command, path = sys.argv[1:3]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output = subprocess.run([command, "chess", "referee", path], capture_output=True, text=True).stdout
    ours = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    lines = output.splitlines()
    agree = differ = number = 0
    begun = time.process_time()
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            theirs = by_python(game)
            said = by_tengen(lines[number])
            # A game that a rule ended before its last move may end in mate all the same.
            if json.loads(lines[number])["played_on"]:
                theirs["mate"] = theirs["stalemate"] = False
            number += 1
            if said == theirs:
                agree += 1
            else:
                differ += 1
                print(f"game {number}: python-chess {theirs}, tengen {said}")
    taken = time.process_time() - begun
    differ += abs(len(lines) - number)
    print(f"{agree} games agree, {differ} differ; processor time {taken:.1f} s against {ours:.2f} s, ratio {taken / max(ours, 1e-9):.0f}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
