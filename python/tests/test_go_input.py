"""Go from texts, moves and arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

go = pytest.importorskip("tengen.go", reason="the package tengen is not installed: pip install ./python")

GAMES = Path(__file__).parents[2] / "scenes/go/games"
SGF = "(;SZ[9]KM[7];B[ee];W[cc];B[gc];W[cg])"
QUICK = {"effort": "quick", "judge": "none"}


def test_a_text_its_bytes_its_moves_and_its_board_are_one_position() -> None:
    text = go.analyse(SGF, **QUICK)
    board = text.array("stone")
    others = [
        go.analyse(SGF.encode(), **QUICK),
        go.analyse(moves=["E5", "c7", "G7", "C3"], size=9, komi=7, **QUICK),
        go.analyse(moves=[40, 20, 24, 56], size=9, komi=7, **QUICK),
        go.analyse(board, komi=7, to_move="Black", **QUICK),
    ]
    assert board.shape == (1, 9, 9) and np.abs(board).sum() == 4
    for other in others:
        assert not other.errors
        assert (other.array("stone") == board).all()
        assert np.allclose(other.array("black_influence"), text.array("black_influence"), equal_nan=True)
    assert text.records[0]["id"].startswith("record.sgf")


def test_many_games_and_boards_keep_their_order() -> None:
    found = go.analyse(moves=[["D4"], ["E5", "pass"], []], size=9, stage="Worms", jobs=2, **QUICK)
    assert [int(np.flatnonzero(board.reshape(-1))[0]) if board.any() else -1 for board in found.array("stone")] == [48, 40, -1]
    boards = np.zeros((5, 7, 7), np.int8)
    boards[np.arange(5), 3, np.arange(5)] = [1, -1, 1, -1, 1]
    assert (go.analyse(boards, stage="Worms", **QUICK).array("stone") == boards).all()


def test_boards_of_different_sizes_are_padded_and_masked(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(SGF)
    (tmp_path / "b.SGF").write_text("(;SZ[5];B[cc])")
    (tmp_path / "notes.txt").write_text("no game")
    found = go.analyse(tmp_path, **QUICK)
    assert not found.errors and len(found) == 2
    stones = found.array("stone")
    assert stones.shape == found.mask.shape == (2, 9, 9)
    assert (np.isnan(stones) == ~found.mask).all()
    assert found.mask.sum(axis=(1, 2)).tolist() == [81, 25]
    assert stones[1, 2, 2] == 1
    assert "different sizes" in found._repr_html_()
    with pytest.raises(ValueError, match="different sizes"):
        found.svg()


def test_fields_of_strings_and_dragons_are_planes_by_name() -> None:
    found = go.analyse(moves=["E5", "E4", "D4", "A1"], size=9, **QUICK)
    planes = found.planes(["stone", "worms.liberties", "dragons.size", "territory"])
    assert planes.shape == (1, 4, 9, 9) and planes.dtype == np.float32
    assert planes[0, 1, 4, 4] == 3 and planes[0, 1, 0, 0] == 0 and planes[0, 1, 8, 0] == 2
    for wrong in ("nothing", "worms.nothing", "moves.rank"):
        with pytest.raises(ValueError):
            found.array(wrong)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"moves": ["D4", "Z9"], "size": 9}, r"moves\[1\]: 'Z9' is no vertex"),
        ({"moves": ["D4", "I5"], "size": 9}, r"moves\[1\]: 'I5'"),
        ({"moves": [["D4"], ["D4", 82]], "size": 9}, r"moves\[1\]\[1\]: 82"),
        ({"moves": ["D4"], "size": 0}, "size must be"),
        ({"moves": ["D4"], "stage": "All"}, "stage must be one of Worms"),
        ({"moves": ["D4"], "limit_nodes": 0}, "limit_nodes must be"),
        ({"moves": ["D4"], "every": 2}, "every and move are for game records"),
        ({}, "give games or moves"),
        ({"games": np.zeros((2, 3, 4))}, r"boards must be .*\[2, 3, 4\]"),
        ({"games": np.full((3, 3), 2)}, "boards must hold"),
        ({"games": np.full((3, 3), 0.5)}, "boards must hold"),
    ],
)
def test_what_is_no_position_is_named(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        go.analyse(**given)


def test_a_file_that_there_is_not_raises() -> None:
    with pytest.raises(FileNotFoundError, match="nowhere.sgf"):
        go.analyse("nowhere.sgf")


def test_an_illegal_move_costs_no_other_position() -> None:
    found = go.analyse(moves=[["D4", "D4"], ["D4"]], size=9, stage="Worms", **QUICK)
    assert len(found.errors) == 1 and found.array("stone").shape == (1, 9, 9)
