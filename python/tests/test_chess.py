"""Chess: searches by scheme, exact values, boards of python-chess."""

from __future__ import annotations

from typing import Any

import pytest

chess = pytest.importorskip("tengen.chess", reason="the package tengen is not installed: pip install ./python")

SCHEMES = "Walk Chains OpenLiteral Open Side NoZero Cautious ShadowLiteral Shadow ShadowEarly Twin Exact".split()
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_finds_a_mate_in_one(scheme: str) -> None:
    found = chess.search(MATE, nodes=2000, scheme=scheme)
    assert found.best == "a1a8" and found.score == 29999 and found.pv[0] == "a1a8"


def test_the_game_before_counts() -> None:
    python_chess = pytest.importorskip("chess")
    board = python_chess.Board("7k/8/8/8/8/8/q7/2K5 b - - 0 1")
    for move in ["a2a3", "c1d2", "a3a2", "d2c1", "a2a3", "c1d2", "a3a2"]:
        board.push_uci(move)
    with_history = chess.exact(board, depth=2)
    without = chess.exact(board.fen(), depth=2)
    # White goes back to c1: the position stands there for the third time.
    assert (with_history.value, without.value < 0) == (0, True)
    played = chess.exact(board.root().fen(), [m.uci() for m in board.move_stack], depth=2)
    assert played == with_history
    best = chess.search(board, nodes=2000).move()
    assert best in board.legal_moves


@pytest.mark.parametrize(
    "bad", [{"position": "nonsense"}, {"position": MATE, "moves": ["a1a9"]}, {"position": MATE, "scheme": "Magic"}]
)
def test_what_is_no_position_move_or_scheme_is_a_value_error(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        chess.search(**bad)


@pytest.mark.parametrize("name", ["nodes", "depth", "hash_mb", "threads"])
def test_a_number_that_is_none_is_told_with_its_name(name: str) -> None:
    for value in (0, -5):
        with pytest.raises(ValueError, match=f"{name} must be 1 or more, not {value}"):
            chess.search("8/8/8/8/8/5k2/5q2/7K w - - 0 1", **{name: value})
    with pytest.raises(TypeError, match=f"{name} must be an integer"):
        chess.search("8/8/8/8/8/5k2/5q2/7K w - - 0 1", **{name: 2.5})
