"""Chess: searches by scheme, exact values, boards of python-chess."""

from __future__ import annotations

import json
import time
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


@pytest.mark.parametrize("name", ["nodes", "depth", "hash_mb", "threads", "multipv"])
def test_a_number_that_is_none_is_told_with_its_name(name: str) -> None:
    for value in (0, -5):
        with pytest.raises(ValueError, match=f"{name} must be 1 or more, not {value}"):
            chess.search("8/8/8/8/8/5k2/5q2/7K w - - 0 1", **{name: value})
    with pytest.raises(TypeError, match=f"{name} must be an integer"):
        chess.search("8/8/8/8/8/5k2/5q2/7K w - - 0 1", **{name: 2.5})


@pytest.mark.parametrize("name", ["nodes", "depth", "hash_mb", "threads", "multipv"])
def test_true_is_no_number_and_a_huge_one_too_many(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} must be an integer, not True"):
        chess.search(MATE, **{name: True})
    with pytest.raises(ValueError, match=f"{name} must be at most"):
        chess.search(MATE, **{name: 10**30})


@pytest.mark.parametrize("bad", [0, -1, 0.0, float("nan"), float("inf")])
def test_a_time_that_is_none_is_told_with_its_name(bad: float) -> None:
    with pytest.raises(ValueError, match="time must be a number of seconds above 0"):
        chess.search(MATE, time=bad)


@pytest.mark.parametrize("bad", [True, "1", [1]])
def test_a_time_that_is_no_number_is_told_with_its_name(bad: Any) -> None:
    with pytest.raises(TypeError, match="time must be a number of seconds, not"):
        chess.search(MATE, time=bad)


def test_several_lines_begin_with_different_moves_the_best_first() -> None:
    found = chess.search("startpos", nodes=3000, multipv=4)
    firsts = [line.pv[0] for line in found.lines]
    assert len(set(firsts)) == 4 and firsts[0] == found.best
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True) and scores[0] == found.score
    assert found.lines[0].pv == found.pv
    two = chess.search("7k/8/8/8/8/8/p7/K7 w - - 0 1", depth=4, multipv=5)
    assert len(two.lines) == 2, "there are two legal moves"


def test_a_search_ends_by_the_clock() -> None:
    begun = time.perf_counter()
    found = chess.search("startpos", time=0.2)
    assert 0.1 < time.perf_counter() - begun < 5
    assert found.record["ended_by"] == "stop" and found.record["repeatable"] is False
    assert chess.search("startpos", time=60, depth=2).depth == 2


def test_a_search_is_the_one_of_a_scene() -> None:
    tables = pytest.importorskip("tengen.tables")
    text = f'(version: 1, name: "p", game: Chess(fen: "{MATE}"), task: Search(nodes: 900))'
    record = json.loads(tables.records_of([], text, jobs=1).lines[0])["result"]
    assert chess.search(MATE, nodes=900).record == record
