"""Drives the engine named on the command line as the clients of KataGo do: `analyse` as KaTrain, `gtp` as Sabaki, q5Go and
LizzieYzy. Written from KataGo's `docs/Analysis_Engine.md` and `docs/GTP_Extensions.md`; nothing in it knows Tengen.

Ends with `ok` and status 0; a failed check is a traceback and status 1.
"""

import json
import subprocess
import sys
import threading
import queue

PATIENCE = 60


class Program:
    """A program whose lines are read while it runs."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def line(self):
        line = self.lines.get(timeout=PATIENCE)
        assert line is not None, "the program has ended"
        return line

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        assert status == 0, status


# ------------------------------------------------------------------------------------- the analysis engine, as KaTrain


class KaTrain:
    """What KaTrain sends for each node of a game, and what it reads of the answers."""

    def __init__(self, engine):
        # KaTrain's own command line, flags that are KataGo's alone included.
        self.program = Program(engine, "analysis", "-model", "m.bin.gz", "-config", "c.cfg", "-analysis-threads", "2")
        self.count = 0

    def ask(self, moves, **more):
        self.count += 1
        query = {
            "id": f"QUERY:{self.count}", "rules": "japanese", "priority": self.count, "analyzeTurns": [len(moves)],
            "maxVisits": 100, "komi": 6.5, "boardXSize": 9, "boardYSize": 9, "includeOwnership": True,
            "includeMovesOwnership": False, "includePolicy": True, "initialStones": [], "initialPlayer": "B",
            "moves": moves, "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04},
        }
        query.update(more)
        self.program.send(json.dumps(query))
        return query["id"]

    def answer(self):
        return json.loads(self.program.line())

    def result(self):
        """The next answer that is none of the warnings KaTrain logs and goes on after."""
        while True:
            answer = self.answer()
            if "warning" not in answer:
                return answer


def check_final(answer, of, turn, size=9):
    assert answer["id"] == of and answer["turnNumber"] == turn and answer["isDuringSearch"] is False, answer
    infos = sorted(answer["moveInfos"], key=lambda info: info["order"])
    assert infos and [info["order"] for info in infos] == list(range(len(infos)))
    for info in infos:
        assert 0 <= info["winrate"] <= 1 and info["visits"] >= 0 and 0 <= info["prior"] <= 1
        assert isinstance(info["scoreLead"], (int, float)) and info["pv"][0] == info["move"]
    root = answer["rootInfo"]
    assert 0 <= root["winrate"] <= 1 and root["visits"] > 0 and isinstance(root["scoreLead"], (int, float))
    for name in ("thisHash", "symHash"):
        assert len(root[name]) == 32 and int(root[name], 16) >= 0
    assert len(answer["ownership"]) == size * size and all(-1 <= x <= 1 for x in answer["ownership"])
    assert len(answer["policy"]) == size * size + 1
    assert abs(sum(p for p in answer["policy"] if p >= 0) - 1) < 1e-3


GAME = [["B", "E5"], ["W", "C3"], ["B", "G3"], ["W", "G7"], ["B", "C7"]]


def check_each_node_of_a_game_is_analysed(engine):
    client = KaTrain(engine)
    asked = {client.ask(GAME[:n]): n for n in range(len(GAME) + 1)}
    got = {}
    for _ in asked:
        answer = client.result()
        got[answer["id"]] = answer
    assert set(got) == set(asked)
    for of, turn in asked.items():
        check_final(got[of], of, turn)
        played = {tuple(move)[1] for move in GAME[:turn]}
        assert not played & {info["move"] for info in got[of]["moveInfos"]}, "a move on a stone"
    client.program.close()


def check_symmetric_positions_share_a_hash(engine):
    client = KaTrain(engine)
    hashes = []
    for first in ("C3", "G7", "C7", "C4"):
        client.ask([["B", first]])
        hashes.append(client.result()["rootInfo"])
    assert len({h["symHash"] for h in hashes[:3]}) == 1 and hashes[3]["symHash"] != hashes[0]["symHash"]
    assert len({h["thisHash"] for h in hashes}) == 4
    client.program.close()


def check_avoided_moves_are_not_named(engine):
    client = KaTrain(engine)
    letters = "ABCDEFGHJ"
    near = [f"{x}{y}" for x in "CDEFG" for y in range(3, 8)]
    far = [f"{x}{y}" for x in letters for y in range(1, 10) if f"{x}{y}" not in near]
    avoid = [{"moves": far, "player": color, "untilDepth": 1} for color in "BW"]
    client.ask([["B", "E5"]], avoidMoves=avoid)
    named = {info["move"] for info in client.result()["moveInfos"]}
    assert named and not named & set(far), named
    client.program.close()


def check_pondering_ends_when_it_is_terminated(engine):
    client = KaTrain(engine)
    of = client.ask(GAME, maxVisits=10_000_000, reportDuringSearchEvery=0.5)
    client.program.send(json.dumps({"id": "stop", "action": "terminate", "terminateId": of}))
    said = [client.result()]
    while {a["id"] for a in said} != {"stop", of} or said[-1].get("isDuringSearch"):
        said.append(client.result())
    finals = [a for a in said if a["id"] == of and not a.get("isDuringSearch")]
    assert len(finals) == 1 and any(a.get("action") == "terminate" for a in said), said
    client.program.close()


def check_mistakes_are_told_and_cost_nothing_else(engine):
    client = KaTrain(engine)
    of = client.ask([["B", "E5"], ["W", "E5"]])
    answer = client.result()
    assert answer["id"] == of and answer["field"] == "moves" and answer["error"].startswith("Illegal move 1: "), answer
    client.program.send("{no json")
    assert "error" in client.result()
    client.program.send(json.dumps({"moves": []}))
    answer = client.result()
    assert "error" in answer and "id" not in answer, answer
    of = client.ask(GAME, boardXSize="nine")
    answer = client.result()
    assert answer["id"] == of and answer["field"] == "boardXSize", answer
    of = client.ask(GAME, newField=3)
    answer = client.answer()
    assert answer["id"] == of and answer["field"] == "newField" and "warning" in answer, answer
    check_final(client.result(), of, len(GAME))
    client.program.send(json.dumps({"id": "v", "action": "query_version"}))
    answer = client.result()
    assert answer["id"] == "v" and answer["action"] == "query_version" and answer["version"], answer
    client.program.close()


def check_what_was_asked_is_answered_after_the_input_ends(engine):
    client = KaTrain(engine)
    asked = [client.ask(GAME[:n]) for n in range(4)]
    client.program.process.stdin.close()
    got = {client.result()["id"] for _ in asked}
    assert got == set(asked)


# ------------------------------------------------------------------------------------------------ GTP with live analysis


class Gtp:
    def __init__(self, engine):
        self.program = Program(engine, "gtp")
        self.number = 0

    def send(self, text):
        self.number += 1
        self.program.send(f"{self.number} {text}")

    def body(self):
        """The lines of an answer up to its empty line."""
        lines = []
        while line := self.program.line():
            lines.append(line)
        assert lines and lines[0][0] in "=?", lines
        return lines

    def ask(self, text):
        self.send(text)
        lines = self.body()
        head = f"={self.number}"
        assert lines[0].startswith(head), (text, lines)
        return "\n".join(lines)[len(head):].strip()


def blocks(line):
    """An analysis line as Sabaki reads it: blocks of keys and values, of which `pv` is the last and takes all that follows."""
    tail = {}
    for name in ("ownership", "rootInfo"):
        line, _, rest = line.partition(f" {name} ")
        if rest:
            tail[name] = rest.split()
    found = []
    for block in line.split("info ")[1:]:
        words = block.split()
        at = words.index("pv")
        keys = dict(zip(words[:at:2], words[1:at:2]))
        keys["pv"] = words[at + 1:]
        found.append(keys)
    return found, tail


def check_sabaki_analyses_live(engine):
    gtp = Gtp(engine)
    commands = gtp.ask("list_commands").split("\n")
    command = next(name for name in ("analyze", "kata-analyze", "lz-analyze") if name in commands)
    gtp.ask("boardsize 9")
    gtp.ask("clear_board")
    gtp.ask("komi 6.5")
    gtp.ask("play B E5")
    gtp.send(f"{command} W 10 ownership true")
    assert gtp.program.line() == f"={gtp.number}"
    for _ in range(2):
        infos, tail = blocks(gtp.program.line())
        assert infos, "no move"
        for info in infos:
            assert info["move"] and 0 <= float(info["winrate"]) <= 1 and int(info["visits"]) >= 0 and info["pv"]
            float(info["scoreLead"])
        assert len(tail["ownership"]) == 81 and all(-1 <= float(x) <= 1 for x in tail["ownership"])
    # Sabaki ends an analysis by another command, whose answer follows.
    gtp.send("protocol_version")
    while gtp.program.line():
        pass
    assert gtp.body() == [f"={gtp.number} 2"]
    gtp.ask("play W C3")
    gtp.program.send("quit")
    gtp.program.process.wait(timeout=PATIENCE)


def check_q5go_knows_the_commands_and_stops_by_an_unknown_question(engine):
    gtp = Gtp(engine)
    for name in ("lz-analyze", "kata-analyze", "kata-set-rules"):
        assert gtp.ask(f"known_command {name}") == "true", name
    gtp.ask("kata-set-rules japanese")
    rules = json.loads(gtp.ask("kata-get-rules"))
    assert rules["scoring"] == "TERRITORY" and rules["ko"] == "SIMPLE", rules
    gtp.ask("boardsize 13")
    gtp.ask("clear_board")
    gtp.send("lz-analyze b 20")
    assert gtp.program.line() == f"={gtp.number}"
    infos, _ = blocks(gtp.program.line())
    assert infos and 0 <= int(infos[0]["winrate"]) <= 10000
    gtp.send("known_command known_command")
    while gtp.program.line():
        pass
    assert gtp.body() == [f"={gtp.number} true"]
    gtp.program.send("quit")
    gtp.program.process.wait(timeout=PATIENCE)


def check_an_empty_line_ends_an_analysis_and_a_move_may_be_generated_with_one(engine):
    gtp = Gtp(engine)
    gtp.ask("boardsize 9")
    gtp.ask("clear_board")
    gtp.send("kata-analyze b interval 20 maxmoves 3 rootInfo true")
    assert gtp.program.line() == f"={gtp.number}"
    infos, tail = blocks(gtp.program.line())
    assert 1 <= len(infos) <= 3 and tail["rootInfo"][0] == "visits"
    gtp.program.send("")
    while gtp.program.line():
        pass
    gtp.send("kata-genmove_analyze b 20")
    lines = gtp.body()
    assert lines[-1].startswith("play ") and any(line.startswith("info move ") for line in lines), lines
    gtp.program.send("quit")
    gtp.program.process.wait(timeout=PATIENCE)


if __name__ == "__main__":
    checks = [check for name, check in list(globals().items()) if name.startswith("check_") and name != "check_final"]
    for check in checks:
        check(sys.argv[1])
    print("ok")
