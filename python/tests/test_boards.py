"""Go and chess as environments: PettingZoo's own tests, and what the observations say; pictures of boards."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
tests = pytest.importorskip("pettingzoo.test")
from tengen import boards, gdl, go  # noqa: E402
from tengen._tengen import Board, draw_chess, draw_go, draw_grid  # noqa: E402


def check(make: Any, cycles: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests.api_test(make(), num_cycles=cycles)
        # It draws actions that may be illegal.
        tests.seed_test(lambda: make(illegal="lose"), num_cycles=20)


@pytest.mark.parametrize(
    "settings",
    [{}, {"size": 5, "superko": False, "suicide": True}, {"size": 7, "columns": ("territory", "black_influence")}],
)
def test_pettingzoo_checks_go(settings: dict[str, Any]) -> None:
    check(lambda **more: boards.GoEnv(**{"max_moves": 40, **settings, **more}), 60)


@pytest.mark.parametrize("settings", [{}, {"nodes": 200, "max_moves": 12}])
def test_pettingzoo_checks_chess(settings: dict[str, Any]) -> None:
    pytest.importorskip("chess")
    check(lambda **more: boards.ChessEnv(**settings, **more), 30)


def play(env: Any, actions: list[int]) -> None:
    env.reset()
    for action in actions:
        env.step(action)


def test_a_stone_without_liberties_is_taken_and_the_ko_is_barred() -> None:
    env = boards.GoEnv(5, komi=0.5)
    # White's last move takes C4, and may not be taken back at once.
    at = {name: row * 5 + column for row in range(5) for column, name in enumerate(f"{c}{5 - row}" for c in "ABCDE")}
    play(env, [at[v] for v in ["B5", "C5", "A4", "D4", "B3", "C3", "C4", "B4"]])
    assert env.vertex(at["D4"]) == "D4" and env.vertex(25) == "pass"
    seen = env.observe("black")["observation"]
    row, column = divmod(at["C4"], 5)
    assert seen[0].sum() == 3 and seen[1].sum() == 4
    assert seen[2, row, column] == 1 and env.observe("black")["action_mask"][at["C4"]] == 0
    with pytest.raises(ValueError, match="not legal"):
        env.step(at["C4"])
    with pytest.raises(TypeError):
        env.step("C4")
    assert env.vertex(at["C4"]) == "C4" and "<svg" in env._repr_svg_() and env.render().count("X") == 3


def test_two_passes_end_the_game_and_it_is_counted_by_area() -> None:
    env = boards.GoEnv(3, komi=2.5)
    play(env, [4, 9, 9])
    assert env.rewards == {"black": 1.0, "white": -1.0} and all(env.terminations.values())
    assert env.board.white_lead(2.5) == -6.5
    play(env, [9, 9])
    assert env.rewards == {"black": -1.0, "white": 1.0}


def test_an_illegal_action_loses_where_asked_for() -> None:
    env = boards.GoEnv(5, illegal="lose")
    play(env, [3, 3])
    assert env.rewards == {"black": 1.0, "white": -1.0} and all(env.terminations.values())
    for bad in [0, 26]:
        with pytest.raises(ValueError):
            boards.GoEnv(bad)
    with pytest.raises(ValueError):
        boards.GoEnv(5, illegal="never")  # type: ignore[arg-type]


def test_the_analysis_of_a_go_position_is_that_of_the_tables() -> None:
    env = boards.GoEnv(9, columns=("black_influence", "territory"))
    play(env, [20, 24, 60])
    seen = env.observe("white")["analysis"]
    found = env.analyse()
    assert len(found) == 1 and not found.errors
    assert np.array_equal(seen[1], found.array("territory")[0].astype(np.float32))
    assert np.array_equal(found.array("stone")[0], env.board.position().reshape(9, 9))
    with pytest.raises(ValueError, match="nothing"):
        bad = boards.GoEnv(5, columns=("nothing",))
        bad.reset()
        bad.observe("black")


def test_moves_of_chess_have_numbers_and_games_end_by_their_rules() -> None:
    chess = pytest.importorskip("chess")
    env = boards.ChessEnv()
    numbers = set()
    for fen in [chess.STARTING_FEN, "8/PPPPPPPP/8/8/k7/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/pppppppp/2N1N1NK b - - 0 1"]:
        env.fen = fen
        env.reset()
        for move in env.board.legal_moves:
            assert env.move(env.action(move)) == move
            numbers.add(env.action(move))
    assert max(numbers) < boards.CHESS_ACTIONS
    env = boards.ChessEnv(nodes=100)
    play(env, [env.action(chess.Move.from_uci(m)) for m in ["f2f3", "e7e5", "g2g4", "d8h4"]])
    assert env.rewards == {"white": -1.0, "black": 1.0}
    back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    env.reset()
    moves = [env.action(chess.Move.from_uci(m)) for m in back_and_forth]
    play(env, moves[:4])
    assert env.observe("white")["observation"][18].all() and not env.observe("white")["observation"][19].any()
    assert env.observe("white")["observation"][0, 6].all()
    play(env, moves)
    assert env.rewards == {"white": 0.0, "black": 0.0} and all(env.terminations.values())
    assert "<svg" in env._repr_svg_()


def test_pictures_are_drawn_and_refuse_what_is_no_board() -> None:
    assert gdl.VectorEnv(gdl.example("noughts"))._repr_svg_().startswith("<svg")
    assert gdl.VectorEnv(gdl.example("noughts"), packed=True)._repr_svg_().startswith("<svg")
    assert gdl.VectorEnv(gdl.example("standoff"))._repr_svg_() is None
    assert "<script" not in draw_grid("<script>", ["a"], ["1"], ["<script>"], [])
    for wrong in [
        lambda: draw_go(3, "", [0] * 8, [""] * 9, None, []),
        lambda: draw_go(3, "", [0] * 9, [""] * 9, 9, []),
        lambda: draw_chess("", "9/8/8/8/8/8/8/8", []),
        lambda: draw_chess("", "8/8/8/8/8/8/8/8", ["z9a1"]),
        lambda: draw_chess("", "8/8/8/8/8/8/8/8", ["é2"]),
        lambda: draw_grid("", ["a"], ["1"], [], []),
        lambda: Board(3, superko=True, suicide=False).play(True, 10),
    ]:
        with pytest.raises(ValueError):
            wrong()


def test_an_analysis_shows_its_positions(tmp_path: Any) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[7];B[cc];W[ee];B[ec])")
    result = go.analyse(record, every=1, effort="quick")
    page = result._repr_html_()
    assert page.count("<svg") == min(len(result), 4)
    with pytest.raises(IndexError):
        result.svg(99)
    (tmp_path / "other.sgf").write_text("(;SZ[5];B[cc])")
    assert "different sizes" in go.analyse(tmp_path, effort="quick")._repr_html_()
    (tmp_path / "none").mkdir()
    (tmp_path / "none/bad.sgf").write_text("no record")
    assert "<svg" not in go.analyse(tmp_path / "none")._repr_html_()
