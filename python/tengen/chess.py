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
import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ._tengen import draw_chess, search_chess
from .tables import records_of

if TYPE_CHECKING:
    import chess as pychess

    Position = str | pychess.Board

__all__ = ["Exact", "Line", "Policy", "Search", "exact", "search"]

Policy = Literal["A", "B", "R", "T"]


@dataclass(frozen=True)
class Line:
    """One of the best lines."""

    pv: list[str]
    """In UCI's spelling; it begins with another move than the other lines do."""
    score: int
    path: Any
    """What the score rests on."""
    depth: int


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
    lines: list[Line]
    """The best lines, the best one first: ``multipv`` of them, or as many as there are legal moves."""

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


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """An integer from ``least`` to ``most``."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {value}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, not {value}")
    return number


def _millis(seconds: Any) -> int:
    """The parameter ``time`` in milliseconds."""
    try:
        if isinstance(seconds, bool | str):
            raise TypeError
        number = float(seconds)
    except (TypeError, ValueError):
        raise TypeError(f"time must be a number of seconds, not {seconds!r}") from None
    if not (math.isfinite(number) and 0 < number <= 1e9):
        raise ValueError(f"time must be a number of seconds above 0, up to 1e9, not {seconds}")
    return max(1, round(number * 1000))


def search(
    position: Position,
    moves: Iterable[str] | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    multipv: int = 1,
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
    nodes, depth: when to end; 100,000 nodes if neither they nor ``time`` are given
    time: when to end, in seconds by the clock; the result is not the same at every run. The first iteration is always finished
    multipv: how many of the best lines to find, up to 218, each with a score of its own; more lines take more nodes
    scheme: what the table may keep of scores that rest on repetitions, as a scene's ``repetition`` names it
    policy: which recurrences are draws
    hash_mb: size of the table in MiB
    threads: with more than one the result is not the same at every run

    Raises ``ValueError`` for a position, move or scheme that is none, and for a number out of its range; ``TypeError`` for what is no
    number. Ctrl-C ends it within a second.
    """
    if nodes is None and depth is None and time is None:
        nodes = 100_000
    _whole("seed", seed, 0, 2**64 - 1)
    fen, played = _position(position, moves)
    given = search_chess(
        fen,
        played,
        nodes=None if nodes is None else _whole("nodes", nodes, 1, 2**64 - 1),
        depth=None if depth is None else _whole("depth", depth, 1, 2**32 - 1),
        time=None if time is None else _millis(time),
        multi_pv=_whole("multipv", multipv, 1, 218),
        scheme=scheme,
        policy=policy,
        hash=4 if hash_mb is None else _whole("hash_mb", hash_mb, 1, 1 << 20),
        threads=1 if threads is None else _whole("threads", threads, 1, 256),
    )
    result: dict[str, Any] = json.loads(given)
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
        lines=[Line(pv=line["pv"], score=line["score"], path=line.get("path"), depth=line["depth"]) for line in lines],
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
