"""A plain interpreter of GDL-II, the oracle for the rulesheets of scenes/gdl2.

Source: M. Thielscher, "A General Game Description Language for Incomplete Information Games", AAAI 2010, section
"Semantics". A state is a set of facts. After a joint move in a state, role r perceives every p for which `(sees r p)`
follows from the state and the joint move. The role `random` chooses uniformly among its legal moves.

Steps: text to nested tuples, rules to relations, relations to strata, bottom-up evaluation with an index for each
pattern of bound arguments. Departures: `or` may stand anywhere in a body. A relation must not depend on its own
negation, even if constants tell the rules apart. Cost: not a concern.

    python python/tests/gdl2_reference.py            checks expected.json and the traces, but two games only in part
    python python/tests/gdl2_reference.py --all      checks all of them, which takes twenty minutes
    python python/tests/gdl2_reference.py --write    writes all of them anew
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import gdl2_policies

FOLDER = Path(__file__).resolve().parents[2] / "scenes" / "gdl2"
# Games whose walk through all states takes minutes.
LARGE = ("battleship", "kriegTTT")


class Fault(Exception):
    """A rulesheet, or a play of it, breaks a rule of GDL-II."""


def parse(text):
    """The top-level expressions: words are strings in lower case, lists are tuples."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            if not stack:
                raise Fault("a `)` too many")
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise Fault("a `)` is missing")
    return stack[0]


def show(term):
    """A term in canonical spelling."""
    return term if isinstance(term, str) else f"({' '.join(map(show, term))})"


def variables(term):
    """The variables of a term or literal."""
    if isinstance(term, str):
        return {term} if term[0] == "?" else set()
    return set().union(*map(variables, term)) if term else set()


def bind(term, env):
    """The term with its variables replaced."""
    if isinstance(term, str):
        return env.get(term, term) if term[0] == "?" else term
    return tuple(bind(part, env) for part in term)


def match(pattern, term, env):
    """`env` with what the pattern's variables must be for it to equal the ground term, or None."""
    if isinstance(pattern, str):
        if pattern[0] != "?":
            return env if pattern == term else None
        known = env.get(pattern)
        if known is None:
            return {**env, pattern: term}
        return env if known == term else None
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for part, other in zip(pattern, term):
        env = match(part, other, env)
        if env is None:
            return None
    return env


def atom(item):
    """A literal as a tuple that begins with its relation: `terminal` is `("terminal",)`."""
    return (item,) if isinstance(item, str) else item


def branches(body):
    """The body as alternatives without `or` and `and`."""
    done = [[]]
    for item in map(atom, body):
        if item[0] == "or":
            done = [[*some, *more] for some in done for part in item[1:] for more in branches([part])]
        elif item[0] == "and":
            done = [[*some, *more] for some in done for more in branches(item[1:])]
        else:
            done = [[*some, item] for some in done]
    return done


def in_order(body):
    """The literals in the order of evaluation: `not` and `distinct` as soon as their variables are bound. Each comes
    with the places of the arguments that are bound by then, and the other places."""
    left, bound, done = list(body), set(), []
    while left:
        ready = [item for item in left if item[0] in ("not", "distinct") and variables(item) <= bound]
        positive = [item for item in left if item[0] not in ("not", "distinct")]
        if not ready and not positive:
            raise Fault(f"a variable of {show(left[0])} is not bound")
        # Of the positive literals the one with the most bound arguments.
        best = ready[0] if ready else max(positive, key=lambda item: sum(variables(a) <= bound for a in item[1:]))
        left.remove(best)
        places = tuple(n for n, arg in enumerate(best[1:]) if variables(arg) <= bound)
        done.append((best, places, [n for n in range(len(best) - 1) if n not in places]))
        bound |= variables(best)
    return done


class Table:
    """The true atoms of one relation, with an index for each set of bound arguments."""

    def __init__(self, rows=()):
        self.rows = set(rows)
        self.indices = {}
        if len({len(row) for row in self.rows}) > 1:
            raise Fault("a relation has two numbers of arguments")

    def look(self, places, key):
        """The rows whose arguments at `places` are `key`."""
        if not places:
            return self.rows
        if places not in self.indices:
            index = self.indices[places] = {}
            for row in self.rows:
                index.setdefault(tuple(row[at] for at in places), []).append(row)
        return self.indices[places].get(key, ())


class Game:
    """A rulesheet, ready for questions about states. A state is a frozenset of facts."""

    def __init__(self, text):
        self.rules = {}
        for item in parse(text):
            rule = item[1:] if item[0] == "<=" else (item,)
            head = atom(rule[0])
            for body in branches(rule[1:]):
                positive = [variables(item) for item in body if item[0] not in ("not", "distinct")]
                unbound = variables(head) - set().union(*positive)
                if unbound:
                    raise Fault(f"{sorted(unbound)} of {show(head)} are not bound")
                self.rules.setdefault(head[0], []).append((head[1:], in_order(body)))
        self.layers = self.strata()
        self.depends = {name: self.reach(name) for name in self.rules}
        self.static = {}
        self.evaluate(self.static, lambda reach: not reach & {"true", "does"})
        self.roles = [show(head[0]) for head, body in self.rules["role"] if not body]
        if set(self.roles) != {row[0] for row in self.rows(self.static, "role")}:
            raise Fault("a role is derived by a rule")
        self.initial = frozenset(row[0] for row in self.rows(self.static, "init"))
        self.asked, self.stepped, self.last = {}, {}, (None, None)
        # Moves by their texts, and each state and list once.
        self.moves, self.one = {}, {}

    def reach(self, name):
        """The relations that `name` depends on."""
        seen, stack = set(), [name]
        while stack:
            for _, body in self.rules.get(stack.pop(), ()):
                for item, *_ in body:
                    at = atom(item[1])[0] if item[0] == "not" else item[0]
                    if at not in seen and at != "distinct":
                        seen.add(at)
                        stack.append(at)
        return seen

    def strata(self):
        """The relations in groups that are evaluated together, one group after the other."""
        reach = {name: self.reach(name) for name in self.rules}
        mutual = lambda name, other: other in reach and name in reach[other]
        groups = {frozenset({name, *(other for other in reach[name] if mutual(name, other))}) for name in reach}
        for group in groups:
            for _, body in (rule for name in group for rule in self.rules[name]):
                if any(item[0] == "not" and atom(item[1])[0] in group for item, *_ in body):
                    raise Fault(f"{sorted(group)} depend on their own negation")
        # With itself counted, a relation reaches more relations than those that it depends on.
        return sorted(groups, key=lambda group: (len(group.union(*(reach[name] for name in group))), sorted(group)))

    @staticmethod
    def rows(tables, name):
        return tables[name].rows if name in tables else set()

    def evaluate(self, tables, wanted):
        """Adds the relations of all layers for whose dependencies `wanted` holds."""
        for group in self.layers:
            if any(name in tables for name in group) or not all(wanted(self.depends[name]) for name in group):
                continue
            for name in group:
                tables[name] = Table()
            while True:
                found = {name: self.derive(name, tables) - tables[name].rows for name in group}
                if not any(found.values()):
                    break
                for name, rows in found.items():
                    tables[name] = Table(tables[name].rows | rows)

    def derive(self, name, tables):
        """What the rules of a relation give at once."""
        return {bind(head, env) for head, body in self.rules[name] for env in self.solve(body, 0, {}, tables)}

    def solve(self, body, at, env, tables):
        """All bindings that make the rest of the body true."""
        if at == len(body):
            yield env
            return
        (name, *args), places, open_places = body[at]
        if name == "distinct":
            if bind(args[0], env) != bind(args[1], env):
                yield from self.solve(body, at + 1, env, tables)
        elif name == "not":
            inner = tuple(bind(part, env) for part in atom(args[0]))
            holds = inner[1] == inner[2] if inner[0] == "distinct" else inner[1:] in self.rows(tables, inner[0])
            if holds == (inner[0] == "distinct"):
                yield from self.solve(body, at + 1, env, tables)
        elif name in tables:
            for row in tables[name].look(places, tuple(bind(args[n], env) for n in places)):
                more = env
                for n in open_places:
                    more = match(args[n], row[n], more)
                    if more is None:
                        break
                else:
                    yield from self.solve(body, at + 1, more, tables)

    def ask(self, state):
        """(terminal, legal moves for each role, goals for each role) of a state, as sorted texts and numbers."""
        if state not in self.asked:
            tables = self.tables(state)
            of = lambda name, role: [row[1] for row in self.rows(tables, name) if row[0] == role]
            legal = []
            for role in self.roles:
                found = {show(move): move for move in of("legal", role)}
                self.moves |= found
                legal.append(tuple(sorted(found)))
            goals = tuple(tuple(sorted(map(int, of("goal", role)))) for role in self.roles)
            self.asked[state] = self.only((bool(self.rows(tables, "terminal")), tuple(legal), goals))
        return self.asked[state]

    def tables(self, state):
        """The relations that depend on no move. Those of the last state are kept."""
        if self.last[0] != state:
            tables = {**self.static, "true": Table((fact,) for fact in state)}
            self.evaluate(tables, lambda reach: "does" not in reach)
            self.last = state, tables
        return self.last[1]

    def only(self, thing):
        """The first of all equal things."""
        return self.one.setdefault(thing, thing)

    def step(self, state, moves):
        """The next state and the percepts of each role, for one move text a role."""
        key = state, self.only(tuple(moves))
        if key not in self.stepped:
            _, legal, _ = self.ask(state)
            for role, move, allowed in zip(self.roles, moves, legal):
                if move not in allowed:
                    raise Fault(f"{move} is not a legal move of {role}")
            does = Table((role, self.moves[moves[n]]) for n, role in enumerate(self.roles))
            tables = {**self.tables(state), "does": does}
            self.evaluate(tables, lambda reach: True)
            rows = self.rows(tables, "sees")
            seen = tuple(tuple(sorted(show(row[1]) for row in rows if row[0] == role)) for role in self.roles)
            after = frozenset(row[0] for row in self.rows(tables, "next"))
            self.stepped[key] = self.only(after), self.only(seen)
        return self.stepped[key]


def checked(game, state):
    """`ask`, and a fault where a state breaks a demand on games."""
    terminal, legal, goals = game.ask(state)
    for role, moves, values in zip(game.roles, legal, goals):
        if not terminal and not moves:
            raise Fault(f"{role} has no legal move in {sorted(map(show, state))}")
        if terminal and role != "random" and (len(values) != 1 or not 0 <= values[0] <= 100):
            raise Fault(f"{role} has the goals {values} in {sorted(map(show, state))}")
    return terminal, legal, goals


def explore(game):
    """States, terminal states, games (joint move sequences), and the fewest and most steps, by a walk through all."""
    found = {}

    def walk(state):
        if state not in found:
            found[state] = None
            terminal, legal, _ = checked(game, state)
            below = [(1, 0, 0)]
            if not terminal:
                after = [game.step(state, moves)[0] for moves in itertools.product(*legal)]
                after = [walk(other) for other in after]
                if None in after:
                    raise Fault("a state comes back: the game may never end")
                below = [(games, least + 1, most + 1) for games, least, most in after]
            games, least, most = zip(*below)
            found[state] = sum(games), min(least), max(most)
        return found[state]

    games, least, most = walk(game.initial)
    ends = sum(game.ask(state)[0] for state in found)
    return {"states": len(found), "terminal_states": ends, "games": games, "steps": [least, most]}


def outcomes(game, policies):
    """The exact probability of each tuple of goals, when each role plays by its policy."""
    players = [gdl2_policies.UNIFORM if role == "random" else policies[role] for role in game.roles]
    known = {}

    def value(state, memories):
        if (state, memories) not in known:
            terminal, legal, goals = checked(game, state)
            total = {}
            if terminal:
                total[tuple(values[0] for values, role in zip(goals, game.roles) if role != "random")] = Fraction(1)
            else:
                choices = [p.choose(m, list(moves)) for p, m, moves in zip(players, memories, legal)]
                assert all(sum(c.values()) == 1 for c in choices)
                for joint in itertools.product(*(c.items() for c in choices)):
                    moves, weights = zip(*joint)
                    after, seen = game.step(state, moves)
                    kept = tuple(p.remember(*each) for p, *each in zip(players, memories, moves, seen))
                    weight = 1
                    for w in weights:
                        weight *= w
                    for result, chance in value(after, kept).items():
                        total[result] = total.get(result, 0) + weight * chance
            known[state, memories] = total
        return known[state, memories]

    return value(game.initial, tuple(p.start for p in players))


def expectation(game, policies):
    """The distribution and the mean of each player's goal, as fractions and as numbers."""
    joint = outcomes(game, policies)
    assert sum(joint.values()) == 1
    found = {}
    for n, role in enumerate(role for role in game.roles if role != "random"):
        spread = {}
        for result, chance in joint.items():
            spread[result[n]] = spread.get(result[n], 0) + chance
        mean = sum(value * chance for value, chance in spread.items())
        square = sum(value * value * chance for value, chance in spread.items())
        found[role] = {
            "mean": str(mean),
            "value": round(float(mean), 6),
            "deviation": round(float(square - mean * mean) ** 0.5, 6),
            "distribution": {str(value): str(chance) for value, chance in sorted(spread.items())},
        }
    return found


def draws(text):
    """The numbers of splitmix64, seeded as the recorded traces of GDL are: by the first 8 bytes of a digest."""
    state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def record(game, name, number):
    """One random game: each state with its legal moves, the joint move, and what each role perceives of it."""
    numbers, state, states = draws(f"{name}/{number}"), game.initial, []
    while True:
        terminal, legal, goals = checked(game, state)
        entry = {"terminal": terminal, "true": sorted(map(show, state))}
        states.append(entry)
        if terminal:
            entry["goals"] = [values[0] if values else None for values in goals]
            return {"format": 1, "game": name, "playout": number, "roles": game.roles, "states": states}
        entry["legal"] = [list(moves) for moves in legal]
        entry["move"] = [list(moves)[next(numbers) % len(moves)] for moves in legal]
        state, seen = game.step(state, entry["move"])
        entry["sees"] = [list(s) for s in seen]


def percepts(game, script):
    """What each role perceives of each joint move of a script, and the goals at its end (None before the end)."""
    state, seen = game.initial, []
    for moves in script:
        state, percepts_of = game.step(state, moves)
        seen.append([list(p) for p in percepts_of])
    terminal, _, goals = checked(game, state)
    return seen, [g[0] if g else None for g in goals] if terminal else None


def load(name):
    return Game((FOLDER / f"{name}.kif").read_text(encoding="utf-8"))


def names():
    return sorted(path.stem for path in FOLDER.glob("*.kif"))


def results(name, whole):
    """What expected.json says about a game; of a large one only what takes seconds, unless it is to be whole."""
    game = load(name)
    large = name in LARGE and not whole
    found = {"roles": game.roles, **({} if large else explore(game)), "policies": {}}
    for label, policies in gdl2_policies.of(name, game.roles).items():
        if not large or gdl2_policies.UNIFORM not in policies.values():
            found["policies"][label] = expectation(game, policies)
    return found


def is_part(found, known):
    """Whether all that is found stands in what is known."""
    if isinstance(found, dict):
        return isinstance(known, dict) and all(key in known and is_part(found[key], known[key]) for key in found)
    return found == known


def trace(name):
    return record(load(name), name, gdl2_policies.PLAYOUTS.get(name, 0))


def trace_text(found):
    """A trace as JSON with one state a line."""
    head = json.dumps({key: value for key, value in found.items() if key != "states"}, separators=(",", ":"))[:-1]
    lines = ",\n".join(json.dumps(state, separators=(",", ":")) for state in found["states"])
    return f'{head},"states":[\n{lines}\n]}}\n'


def main():
    write, whole = "--write" in sys.argv, "--write" in sys.argv or "--all" in sys.argv
    found = {name: results(name, whole) for name in names()}
    traces = {FOLDER / "traces" / f"{name}.json": trace_text(trace(name)) for name in names()}
    if write:
        (FOLDER / "expected.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        for path, text in traces.items():
            path.write_text(text, encoding="utf-8")
    known = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    faults = [name for name in sorted({*known, *found}) if not is_part(found.get(name), known.get(name))]
    faults += [path.name for path, text in traces.items() if path.read_text(encoding="utf-8") != text]
    print(f"{len(found)} games, {len(traces)} traces, differences: {', '.join(faults) or 'none'}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
