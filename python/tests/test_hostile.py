"""Calls with arguments that nobody should give: each ends with an answer or with an exception of Python's own.

The calls are drawn at random from every public function and method, with arguments of a list of hostile values. TENGEN_HOSTILE
sets how many calls are drawn (1,500 without it) and TENGEN_HOSTILE_SEED the seed of the draw, so that a long run is another one.
"""

from __future__ import annotations

import inspect
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tengen.gdl
import tengen.go
import tengen.tables

CALLS = int(os.environ.get("TENGEN_HOSTILE", "1500"))
SEED = int(os.environ.get("TENGEN_HOSTILE_SEED", "1"))
RULES = "(role a) (init (c 1)) (<= (legal a (go ?x)) (d ?x)) (d 1) (d 2) (<= (next (c ?x)) (does a (go ?x)))\
 (<= terminal (true (c 2))) (goal a 50)"

HOSTILE: list[Any] = [
    None, True, -1, 0, 1, 2, 3, 7, 19, 2**31, -(2**31), 2**63, 2**64, -(2**70), 0.0, -0.5, 1.5, float("nan"), float("inf"),
    "", "x", "\0", "D4", "pass", "(", "))))", "x" * 20_000, "\ud800", b"", b"(;GM[1])", b"\xff" * 1000, [], [None], [1, 2],
    [[]], [-1], ["D4"], [["D4", "E5"]], {}, {"a": 1}, (), (1,), object(), ValueError, RULES, "a", "go", "embedded", "compiled",
    np.zeros((2, 9, 9), np.int8), np.zeros((0,), np.int32), np.full((3,), -7, np.int32), np.zeros((2, 2), np.uint8),
    np.array(5), np.full((1, 9, 9), 9, np.int8), np.array(["D4"]), np.zeros((4, 4), np.float64), np.array([np.nan]),
]

# A file, a folder or a command line of the caller's: no boundary of ours, or work without an end by request.
LEFT_OUT = {"read", "run", "command"}

# Their first number is how long they work: as long as asked for.
ENDLESS = ("uct", "playouts", "mcts")


def targets() -> list[tuple[str, Callable[[], Callable[..., Any]]]]:
    """Each public function, and each method of fresh objects."""
    found: list[tuple[str, Callable[[], Callable[..., Any]]]] = []
    for module in (tengen.go, tengen.gdl, tengen.tables):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and name not in LEFT_OUT:
                found.append((f"{module.__name__}.{name}", lambda thing=thing: thing))
    fresh: dict[str, Callable[[], Any]] = {
        "Game": lambda: tengen.gdl.Game(RULES),
        "State": lambda: tengen.gdl.Game(RULES).initial(),
        "gdl.VectorEnv": lambda: tengen.gdl.VectorEnv(tengen.gdl.Game(RULES), 3),
        "go.VectorEnv": lambda: tengen.go.VectorEnv(2, size=5),
    }
    for name, make in fresh.items():
        for method, _ in inspect.getmembers(type(make()), callable):
            if not method.startswith("_"):
                found.append((f"{name}.{method}", lambda make=make, method=method: getattr(make(), method)))
    return found


TARGETS = targets()


def drawn(number: int) -> tuple[str, Callable[[], Callable[..., Any]], list[Any], dict[str, Any]]:
    """The call of this number: its name, how to get what is called, and its arguments."""
    draw = random.Random(f"{SEED} {number}")
    name, get = draw.choice(TARGETS)
    positional = [draw.choice(HOSTILE) for _ in range(draw.randrange(4))]
    try:
        named = [p.name for p in inspect.signature(get()).parameters.values() if p.kind == p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        named = []
    if name.endswith(ENDLESS):
        positional = [3 if isinstance(value, int) and value > 1000 else value for value in positional]
    keywords = {key: draw.choice(HOSTILE) for key in draw.sample(named, min(len(named), draw.randrange(3)))}
    return name, get, positional, keywords


@pytest.mark.parametrize("part", range(10))
def test_no_argument_panics(part: int) -> None:
    faults = []
    for number in range(part, CALLS, 10):
        name, get, positional, keywords = drawn(number)
        call = f"{number}: {name}(*{positional!r:.200}, **{keywords!r:.200})"
        try:
            get()(*positional, **keywords)
        except Exception as error:
            if isinstance(error, (SystemError, MemoryError)):
                faults.append(f"{call}: {error!r:.200}")
        except BaseException as error:  # A panic is no Exception.
            faults.append(f"{call}: {error!r:.200}")
    assert not faults, "\n".join(faults)
