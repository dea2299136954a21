"""Chess searches that are right about repetition, with boards and moves of python-chess where that is installed.

>>> from tengen import chess
>>> found = chess.search("8/8/8/8/8/5k2/5q2/7K w - - 0 1", nodes=1000)
>>> found.best is None or len(found.best) >= 4
True

A position is a ``chess.Board`` of python-chess with the moves played on it, or a FEN with moves in UCI's spelling. Moves
matter: what was on the board before counts for repetitions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ._tengen import draw_chess
from .tables import records_of

if TYPE_CHECKING:
    import chess as pychess

    Position = str | pychess.Board

__all__ = ["Exact", "Policy", "Search", "exact", "search"]

Policy = Literal["A", "B", "R", "T"]


@dataclass(frozen=True)
class Search:
    """What a search found. Scores are centipawns for the side to move; a mate at ply p is 30000 - p."""

    best: str | None
    """The best move in UCI's spelling."""
    ponder: str | None
    """The answer expected."""
    score: int
    path: Any
    """What the score rests on (``docs/chess-repetition.md``); None where the scheme does not say."""
    depth: int
    nodes: int
    pv: list[str]
    """The line, in UCI's spelling."""
    record: dict[str, Any]
    """All that is known: ``docs/records.md``, `chess_search`."""
    fen: str
    """Where the search began, as it was given; ``moves`` were played on from it."""
    moves: list[str]
    """In UCI's spelling."""

    def move(self) -> pychess.Move | None:
        """The best move as python-chess has it."""
        import chess as pychess

        return None if self.best is None else pychess.Move.from_uci(self.best)

    def _repr_svg_(self) -> str | None:
        """The position with the best move, where python-chess is there to play the moves before it."""
        fen = self.fen
        if self.moves:
            try:
                import chess as pychess
            except ImportError:
                return None
            board = pychess.Board(fen)
            for move in self.moves:
                board.push_uci(move)
            fen = board.fen()
        return draw_chess(f"{self.best}, {self.score} centipawns", fen, [self.best] if self.best else [])


@dataclass(frozen=True)
class Exact:
    """The value of a position to a fixed depth, exact under every history."""

    value: int
    """Centipawns for the side to move."""
    nodes: int
    dependent: int
    """Closed nodes whose value depends on the path."""
    closed: int
    record: dict[str, Any]


def _position(position: Position, moves: Iterable[str] | None) -> tuple[str, list[str]]:
    """FEN of the root, and what was played from there: repetitions need it."""
    played = [str(move) for move in moves or ()]
    if isinstance(position, str):
        return position, played
    return position.root().fen(en_passant="fen"), [move.uci() for move in position.move_stack] + played


def _game(fen: str, moves: list[str]) -> str:
    """The game as a scene writes it."""
    return f"Chess(fen: {json.dumps(fen)}, moves: {json.dumps(moves)})"


def _run(game: str, task: str, seed: int) -> dict[str, Any]:
    text = f'(version: 1, name: "position", game: {game}, task: {task})'
    record: dict[str, Any] = json.loads(records_of([], text, seed=seed, jobs=1).lines[0])
    if record["status"] == "error":
        error = record["result"]["error"]
        help_ = f" ({error['help']})" if error.get("help") else ""
        raise ValueError(f"{error['message']}{help_}")
    result: dict[str, Any] = record["result"]
    return result


def search(
    position: Position,
    moves: Iterable[str] | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    scheme: str | None = None,
    policy: Policy | None = None,
    hash_mb: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Search:
    """Searches a position.

    Parameters
    ----------
    position: a ``chess.Board``, or a FEN
    moves: played on from there, in UCI's spelling
    nodes, depth: when to end; 100,000 nodes if neither is given
    scheme: what the table may keep of scores that rest on repetitions, as a scene's ``repetition`` names it
    policy: which recurrences are draws
    hash_mb: size of the table in MiB
    threads: with more than one the result is not the same at every run

    Raises ``ValueError`` for a position, move or scheme that is none, and for a number below 1. Ctrl-C ends it within a second.
    """
    for name, value in (("nodes", nodes), ("depth", depth), ("hash_mb", hash_mb), ("threads", threads)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise TypeError(f"{name} must be an integer, not {value!r}")
        if value is not None and value < 1:
            raise ValueError(f"{name} must be 1 or more, not {value}")
    if nodes is None and depth is None:
        nodes = 100_000
    fields = {"nodes": nodes, "depth": depth, "repetition": scheme, "policy": policy, "hash": hash_mb, "threads": threads}
    given = ", ".join(f"{name}: {value}" for name, value in fields.items() if value is not None)
    fen, played = _position(position, moves)
    result = _run(_game(fen, played), f"Search({given})", seed)
    lines = result["lines"]
    return Search(
        best=result["best"],
        ponder=result["ponder"],
        score=result["score"],
        path=result.get("path"),
        depth=result["depth"],
        nodes=result["nodes"],
        pv=lines[0]["pv"] if lines else [],
        record=result,
        fen=fen,
        moves=played,
    )


def exact(
    position: Position, moves: Iterable[str] | None = None, *, depth: int, policy: Policy | None = None
) -> Exact:
    """The value of a position at a fixed depth, material alone, without selectivity: right under its whole history.

    Raises ``ValueError`` for a position or move that is none.
    """
    fields = {"depth": depth, "policy": policy}
    given = ", ".join(f"{name}: {value}" for name, value in fields.items() if value is not None)
    result = _run(_game(*_position(position, moves)), f"Search({given}, exact: true)", 0)
    return Exact(
        value=result["value"],
        nodes=result["nodes"],
        dependent=result["dependent"],
        closed=result["closed"],
        record=result,
    )
