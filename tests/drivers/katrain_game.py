"""KaTrain's own game and engine classes drive `tengen analyse`, without a window.

python katrain_game.py PROGRAM: plays a short game on 9x9, waits for KaTrain's analysis of each move, and prints a line of JSON
for each: the move, KaTrain's `points_lost`, and the lead that the program told before and after it. Exits with 3 if KaTrain
(PyPI: katrain) is not installed.
"""

import json
import os
import shlex
import sys
import time

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")

try:
    from katrain.core.engine import KataGoEngine
    from katrain.core.game import Game
    from pysgf import Move
except ImportError as error:
    print(f"KaTrain is not installed: {error}", file=sys.stderr)
    sys.exit(3)

# A game in which Black plays his third move on the corner point.
MOVES = ["E5", "E3", "G4", "C6", "A1", "C4", "C5", "B5"]


class Window:
    """As much of KaTrain's window as its game and engine ask for."""

    SETTINGS = {
        "game/size": "9",
        "game/komi": 6.5,
        "game/rules": "japanese",
        "game/handicap": 0,
        "engine/max_visits": 60,
        "engine/_enable_ownership": True,
    }

    def __init__(self):
        self.errors = []

    def config(self, name, default=None):
        return self.SETTINGS.get(name, default)

    def log(self, message, level=0):
        if level == -1:
            self.errors.append(str(message))

    def __call__(self, *message, **more):
        self.errors.append(repr(message))

    def update_state(self):
        pass


def main():
    window = Window()
    engine = KataGoEngine(
        window,
        {
            "backend": "custom",
            "altcommand": "exec " + " ".join(shlex.quote(word) for word in [*sys.argv[1:], "analyse"]),
            "max_visits": 60,
            "fast_visits": 20,
            "max_time": 60.0,
            "wide_root_noise": 0.0,
            "_enable_ownership": True,
            "allow_recovery": False,
        },
    )
    game = Game(window, engine)
    for number, name in enumerate(MOVES):
        game.play(Move.from_gtp(name, player="BW"[number % 2]))
    nodes = game.current_node.nodes_from_root
    end = time.time() + 120
    while time.time() < end and not all(node.analysis_complete for node in nodes):
        time.sleep(0.1)
    for node in nodes[1:]:
        root = node.analysis["root"] or {}
        before = node.parent.analysis["root"] or {}
        told = {
            "move": node.move.gtp(),
            "points_lost": node.points_lost,
            "lead_before": before.get("scoreLead"),
            "lead": root.get("scoreLead"),
            "best": next(iter(node.parent.candidate_moves), {}).get("move"),
            "line": next(iter(node.parent.candidate_moves), {}).get("pv"),
            "owners": len(node.ownership or []),
        }
        print(json.dumps(told))
    engine.shutdown(finish=None)
    for error in window.errors:
        print(error, file=sys.stderr)
    sys.exit(1 if window.errors else 0)


main()
