"""Policies whose expected goals scenes/gdl2/expected.json holds, and scripts with the percepts that they must give.

A policy has a memory, which begins as `start`. `choose(memory, legal)` gives the probability of each move, `remember`
the memory after the policy's own move and what it perceives. A memory is hashable.
"""

from __future__ import annotations

from fractions import Fraction


class Uniform:
    """Every legal move with the same probability."""

    start = ()

    def choose(self, memory, legal):
        return {move: Fraction(1, len(legal)) for move in legal}

    def remember(self, memory, move, seen):
        return memory


class Decided:
    """A policy that remembers its moves and percepts. `decide(memory, legal)` gives a move, or a dict of moves."""

    start = ()

    def __init__(self, decide):
        self.decide = decide

    def choose(self, memory, legal):
        if len(legal) == 1:
            return {legal[0]: Fraction(1)}
        move = self.decide(memory, legal)
        return move if isinstance(move, dict) else {move: Fraction(1)}

    def remember(self, memory, move, seen):
        return (*memory, (move, *seen))


UNIFORM = Uniform()
# The number of the recorded game, where game 0 shows too little.
PLAYOUTS = {
    "battleship": 1, "blindMaze": 17, "guessNumber": 1, "hiddenRoshambo": 4, "kuhnPoker": 4, "mastermind": 9,
    "metaCoin": 3, "sealedBid": 3,
}


# Joint moves of a game, with what each role must perceive of each, and the goals at the end.
SCRIPTS = [
    ("montyHall", [
        (["(choose 1)", "(hide 3)"], [[], []]),
        (["wait", "(open 2)"], [["(opened 2)"], []]),
        (["switch", "wait"], [["(car 3)"], []]),
    ], [100, None]),
    ("sealedBid", [
        (["wait", "wait", "(deal 4 3)"], [["(value 4)"], ["(value 3)"], []]),
        (["(bid 2)", "(bid 2)", "wait"], [[], [], []]),
        (["wait", "wait", "(toss alice)"], [["(sold alice 2)"], ["(sold alice 2)"], []]),
    ], [50, 0, None]),
    ("kriegTTT", [
        (["(mark 2 2)", "wait"], [["placed"], ["turn"]]),
        (["wait", "(mark 2 2)"], [[], ["taken"]]),
        (["wait", "(mark 1 1)"], [["turn"], ["placed"]]),
        (["(mark 1 2)", "wait"], [["placed"], ["turn"]]),
        (["wait", "(mark 1 3)"], [["turn"], ["placed"]]),
        (["(mark 3 2)", "wait"], [["placed"], ["turn"]]),
    ], [100, 0]),
    ("kuhnPoker", [
        (["wait", "wait", "(deal queen king)"], [["(dealt queen)"], ["(dealt king)"], []]),
        (["pass", "wait", "wait"], [["(played alice pass)"], ["(played alice pass)"], []]),
        (["wait", "bet", "wait"], [["(played bob bet)"], ["(played bob bet)"], []]),
        (["bet", "wait", "wait"], [
            ["(played alice bet)", "(shown alice queen)", "(shown bob king)"],
            ["(played alice bet)", "(shown alice queen)", "(shown bob king)"],
            [],
        ]),
    ], [0, 100, None]),
    ("metaCoin", [
        (["wait", "(take loaded)"], [[], []]),
        (["toss", "(face 3)"], [["heads"], []]),
        (["toss", "(face 4)"], [["tails"], []]),
        (["(say loaded)", "(face 1)"], [["(was loaded)"], []]),
    ], [80, None]),
    ("guessNumber", [
        (["wait", "(hide 5)"], [[], []]),
        (["(guess 4)", "wait"], [["higher"], []]),
        (["(guess 6)", "wait"], [["lower"], []]),
        (["(guess 5)", "wait"], [["found"], []]),
    ], [50, None]),
    ("hiddenRoshambo", [
        (["(throw rock)", "(throw rock)"], [["draw"], ["draw"]]),
        (["(throw rock)", "(throw paper)"], [
            ["(threw ann 1 rock)", "(threw ann 2 rock)", "(threw ben 1 rock)", "(threw ben 2 paper)"],
            ["(threw ann 1 rock)", "(threw ann 2 rock)", "(threw ben 1 rock)", "(threw ben 2 paper)"],
        ]),
    ], [25, 75]),
    ("battleship", [
        (["(place 1 1 across)", "(place 3 1 down)"], [[], []]),
        (["(shoot 3 1)", "(shoot 3 2)"], [["(shell 3 2)", "hit"], ["(shell 3 1)", "miss"]]),
        (["(shoot 3 2)", "(shoot 1 1)"], [["(shell 1 1)", "hit"], ["(shell 3 2)", "hit"]]),
    ], [100, 0]),
    ("blindMaze", [
        (["wait", "(drop 2 2)"], [[], []]),
        (["(go west)", "(wind still)"], [["bump"], []]),
        (["(go west)", "(wind gust)"], [[], []]),
        (["(go north)", "(wind breeze)"], [[], []]),
        (["(go east)", "(wind still)"], [["out"], []]),
    ], [100, None]),
    ("mastermind", [
        (["wait", "(code red green)"], [[], []]),
        (["(guess green red)", "wait"], [["(answer 0 2)"], []]),
        (["(guess red red)", "wait"], [["(answer 1 0)"], []]),
        (["(guess blue red)", "wait"], [["(answer 0 1)"], []]),
        (["(guess red green)", "wait"], [["(answer 2 0)"], []]),
    ], [25, None]),
]


def percepts(memory):
    return [seen for _, *each in memory for seen in each]


def words(term):
    return term.strip("()").split()


def door_and(last):
    """Monty Hall: the first door, then `last`."""
    return Decided(lambda memory, legal: "(choose 1)" if not memory else last)


def bidder(bid):
    """Sealed bid: the bid for each worth."""
    return Decided(lambda memory, legal: f"(bid {bid[int(words(percepts(memory)[0])[1])]})")


def first_legal(memory, legal):
    """The first move in the order of bytes."""
    return legal[0]


def kriegs_order(memory, legal):
    """Krieg tic-tac-toe: the middle, the corners, the edges, in this order."""
    order = ["2 2", "1 1", "3 3", "1 3", "3 1", "1 2", "2 1", "2 3", "3 2"]
    return next(move for cell in order if (move := f"(mark {cell})") in legal)


def card(memory):
    return words(percepts(memory)[0])[1]


def kuhn(bets):
    """Kuhn's poker: the probability of a bet, by the card and the other's last move (`-` for none)."""

    def decide(memory, legal):
        played = [words(seen) for seen in percepts(memory)[1:]]
        bet = Fraction(bets[card(memory), "-".join(m for _, _, m in played) or "-"])
        return {move: chance for move, chance in (("bet", bet), ("pass", 1 - bet)) if chance}

    return Decided(decide)


# Kuhn's equilibrium in which Alice never bluffs. By card and moves so far.
KUHN_ALICE = kuhn({
    ("jack", "-"): 0, ("queen", "-"): 0, ("king", "-"): 0,
    ("jack", "pass-bet"): 0, ("queen", "pass-bet"): "1/3", ("king", "pass-bet"): 1,
})
KUHN_BOB = kuhn({
    ("jack", "pass"): "1/3", ("queen", "pass"): 0, ("king", "pass"): 1,
    ("jack", "bet"): 0, ("queen", "bet"): "1/3", ("king", "bet"): 1,
})
HONEST = Decided(lambda memory, legal: "bet" if card(memory) == "king" else "pass")


def always(move):
    return Decided(lambda memory, legal: move)


def tosses(count):
    """Meta-coin: so many tosses, then the coin that is likelier; `fair` if neither is."""

    def decide(memory, legal):
        seen = percepts(memory)
        if len(seen) < count:
            return "toss"
        heads, tails = seen.count("heads"), seen.count("tails")
        return "(say loaded)" if 3**heads > 2 ** (heads + tails) else "(say fair)"

    return Decided(decide)


def halving(memory, legal):
    """Guess the number: the middle of what is left."""
    low, high = 1, 7
    for move, *seen in memory:
        if "higher" in seen:
            low = int(words(move)[1]) + 1
        if "lower" in seen:
            high = int(words(move)[1]) - 1
    return f"(guess {(low + high) // 2})"


def counting(memory, legal):
    """Guess the number: 1, 2, 3."""
    return f"(guess {len(memory)})"


def after_a_draw(memory, legal):
    """Roshambo: rock, and rock again after a draw, else paper."""
    return "(throw rock)" if not memory or "draw" in percepts(memory) else "(throw paper)"


def sweep(memory, legal):
    """Battleship: a ship in the lower left corner, shots in the order of bytes."""
    return "(place 1 1 across)" if not memory else legal[0]


def hunt(memory, legal):
    """Battleship: as `sweep`, but a hit is followed by shots beside it."""
    if not memory:
        return "(place 2 1 down)"
    hits = [tuple(map(int, words(move)[1:])) for move, *seen in memory if "hit" in seen]
    shots = [tuple(map(int, words(move)[1:])) for move in legal]
    near = [shot for shot in shots if any(abs(shot[0] - x) + abs(shot[1] - y) == 1 for x, y in hits)]
    return "(shoot {} {})".format(*(near or shots)[0])


def in_turn(directions):
    """Blind maze: the directions again and again."""
    return Decided(lambda memory, legal: f"(go {directions[(len(memory) - 1) % len(directions)]})")


def by_bumps(memory, legal):
    """Blind maze: north; after each bump the next of north, east, south, west."""
    return "(go {})".format(("north", "east", "south", "west")[percepts(memory).count("bump") % 4])


def pins(code, guess):
    black = sum(a == b for a, b in zip(code, guess))
    return black, sum(min(code.count(c), guess.count(c)) for c in set(guess)) - black


def first_that_fits(memory, legal):
    """Mastermind: the first code, in the order of bytes, that fits all answers."""
    known = [(words(move)[1:], tuple(map(int, words(seen)[1:]))) for move, *all_seen in memory for seen in all_seen]
    return next(m for m in legal if all(pins(words(m)[1:], guess) == answer for guess, answer in known))


def of(name, roles):
    """The named sets of policies of a game: role to policy."""
    players = [role for role in roles if role != "random"]
    known = {
        "montyHall": {"switch": [door_and("switch")], "stay": [door_and("stay")]},
        "sealedBid": {
            "full worth": [bidder([0, 1, 2, 3, 4])] * 2,
            "half": [bidder([0, 0, 1, 1, 2])] * 2,
            "half against random": [bidder([0, 0, 1, 1, 2]), UNIFORM],
        },
        "kriegTTT": {
            "in order": [Decided(kriegs_order)] * 2,
            "first legal": [Decided(first_legal)] * 2,
        },
        "kuhnPoker": {
            "always bet": [always("bet")] * 2,
            "always pass": [always("pass")] * 2,
            "bet kings": [HONEST] * 2,
            "optimal": [KUHN_ALICE, KUHN_BOB],
        },
        "metaCoin": {f"{count} tosses": [tosses(count)] for count in range(4)},
        "guessNumber": {"halving": [Decided(halving)], "counting": [Decided(counting)]},
        "hiddenRoshambo": {
            "rock against paper": [always("(throw rock)"), always("(throw paper)")],
            "rock against random": [always("(throw rock)"), UNIFORM],
            "changes unless drawn, against rock": [Decided(after_a_draw), always("(throw rock)")],
            "changes unless drawn, against paper": [Decided(after_a_draw), always("(throw paper)")],
        },
        "battleship": {
            "sweep": [Decided(sweep)] * 2,
            "hunt against sweep": [Decided(hunt), Decided(sweep)],
        },
        "blindMaze": {
            "north, east": [in_turn(["north", "east"])],
            "turn at a bump": [Decided(by_bumps)],
        },
        "mastermind": {"first that fits": [Decided(first_that_fits)]},
    }[name]
    return {
        label: dict(zip(players, each)) for label, each in {"random": [UNIFORM] * len(players), **known}.items()
    }
