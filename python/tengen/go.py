"""Positions of Go analysed: strings, dragons, eyes, influence, moves, as Arrow tables and NumPy arrays.

>>> from tengen import go
>>> result = go.analyse("games/*.sgf", every=10)        # doctest: +SKIP
>>> polars.DataFrame(result.dragons)                    # doctest: +SKIP
>>> result.array("black_influence").shape               # doctest: +SKIP
(143, 19, 19)
>>> found = go.analyse(moves=["E5", "C3", "pass"], size=9, stage="FirstInfluence")
>>> found.planes(["stone", "black_influence", "worms.liberties"]).shape
(1, 3, 9, 9)

:class:`VectorEnv` plays many games at once:

>>> env = go.VectorEnv(64, size=9, komi=7.0)
>>> env.step(env.sample_legal()).observation.shape
(64, 8, 9, 9)
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._tengen import GoGames as _GoGames
from ._tengen import draw_go
from ._tengen import records_of_lines as _records_of_lines
from .gdl import Autoreset, Illegal, _lanes
from .tables import Effort, Paths, Result, records_of

__all__ = ["Analysis", "Stage", "Step", "VectorEnv", "analyse"]

Stage = Literal[
    "Worms", "Judge", "Tactics", "FirstInfluence", "Dragons", "SecondInfluence", "MoveEvaluation"
]
"""The last stage of an analysis; earlier ones take less time, and what comes after is empty."""


class Analysis(Result):
    """What was found about positions of Go: tables, and arrays over the vertices."""

    def array(self, column: str) -> NDArray[np.float64]:
        """A column of the vertices, [N, size, size], row 0 at the top: numbers, NaN where there is none.

        N are the positions that were analysed, in order. ``stone`` is 1 for Black, -1 for White, 0 where empty; any
        other column of numbers of the table ``points`` goes by its name, and one of the tables ``worms`` and ``dragons``
        as ``worms.liberties``: each vertex has the number of its string or dragon. Of boards of different sizes the
        smaller ones lie in the upper left corner, NaN beside them: see :attr:`mask`.

        Raises ``ValueError`` if there is no such column, or if it holds texts.
        """
        sizes = self._sizes
        if not sizes:
            return np.zeros((0, 0, 0))
        flat = self._flat(column)
        size = max(sizes)
        if min(sizes) == size:
            return flat.reshape(-1, size, size)
        padded = np.full((len(sizes), size, size), np.nan)
        at = 0
        for board, own in zip(padded, sizes, strict=True):
            board[:own, :own] = flat[at : at + own * own].reshape(own, own)
            at += own * own
        return padded

    def _flat(self, column: str) -> NDArray[np.float64]:
        """A number for each row of the table ``points``."""
        points = self.points
        table, _, name = column.rpartition(".")
        if table not in ("", "points", "worms", "dragons"):
            raise ValueError(f"{column!r}: the tables with a number for each vertex are points, worms and dragons")
        if name == "stone" and table in ("", "points"):
            number = {"Black": 1.0, "White": -1.0, None: 0.0}
            return np.array([number[stone] for stone in points.texts("stone")], np.float64)
        if table in ("", "points"):
            return points.numbers(name)
        units = self.worms if table == "worms" else self.dragons
        values, key = units.numbers(name), table[:-1]
        ids, positions = units.numbers(key), units.numbers("position")
        known = {(int(p), int(n)): v for p, n, v in zip(positions, ids, values, strict=True)}
        at = zip(points.numbers("position"), points.numbers(key), strict=True)
        return np.array([known.get((int(p), int(n)), np.nan) if n == n else np.nan for p, n in at], np.float64)

    @property
    def _sizes(self) -> list[int]:
        """The sizes of the boards that were analysed."""
        positions, row = self.points.numbers("position"), self.points.numbers("row")
        starts = np.flatnonzero(np.diff(positions, prepend=-1.0))
        counts = np.diff(np.append(starts, len(row)))
        return [round(float(count) ** 0.5) for count in counts]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """[N, size, size]: where the boards of :meth:`array` have a vertex; all True for boards of one size."""
        sizes = self._sizes
        size = max(sizes, default=0)
        mask = np.zeros((len(sizes), size, size), np.bool_)
        for board, own in zip(mask, sizes, strict=True):
            board[:own, :own] = True
        return mask

    def planes(self, columns: Sequence[str]) -> NDArray[np.float32]:
        """[N, C, size, size]: several columns as :meth:`array` has them, with 0 in place of NaN."""
        planes: NDArray[np.float32] = np.nan_to_num(np.stack([self.array(name) for name in columns], axis=1)).astype(np.float32)
        return planes

    def svg(self, n: int = 0) -> str:
        """A picture of the n-th position that was analysed: its stones, how its dragons stand, its best moves by rank.

        Raises ``ValueError`` if boards differ in size, ``IndexError`` if there is no such position.
        """
        if len(set(self._sizes)) > 1:
            raise ValueError(f"the boards have different sizes: {sorted(set(self._sizes))}")
        stones = self.array("stone")
        if not -len(stones) <= n < len(stones):
            raise IndexError(f"there are {len(stones)} positions")
        size = stones.shape[1]
        numbers = self.points.numbers("position").reshape(len(stones), -1)
        position = int(numbers[n, 0])
        of_dragon = self.array("dragon")[n].reshape(-1)
        status = {
            int(dragon): status
            for at, dragon, status in zip(
                self.dragons.numbers("position"), self.dragons.numbers("dragon"), self.dragons.texts("status"), strict=True
            )
            if int(at) == position and status
        }
        signs = {"Dead": "D", "Critical": "C", "Alive": "", "Unknown": "?"}
        texts = [signs.get(status.get(int(d), ""), "") if d == d else "" for d in of_dragon]
        shown = [(signs[name], name.lower() + " dragon") for name in ("Dead", "Critical", "Unknown")]
        legend = [(sign, meaning) for sign, meaning in shown if sign in texts]
        flat = [int(stone) for stone in stones[n].reshape(-1)]
        ids = self.positions.texts("id")
        return draw_go(size, ids[position] or "", flat, texts, None, legend)

    def _repr_html_(self) -> str:
        """The first positions as pictures, where all boards have one size."""
        few = 4
        if len(set(self._sizes)) > 1:
            return f"<p>{escape(repr(self))}: boards of different sizes</p>"
        many = len(self._sizes)
        boards = "".join(f'<div style="width:20em">{self.svg(n)}</div>' for n in range(min(few, many)))
        more = f"<p>and {many - few} more</p>" if many > few else ""
        return f'<div style="display:flex;flex-wrap:wrap">{boards}</div>{more}'

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The records of what could not be analysed."""
        return [record for record in self.records if record["status"] == "error"]


def analyse(
    games: Paths | bytes | NDArray[Any] | None = None,
    *,
    moves: Sequence[str | int] | Sequence[Sequence[str | int]] | None = None,
    size: int = 19,
    komi: float = 0.0,
    to_move: Literal["Black", "White"] | None = None,
    every: int | None = None,
    move: int | None = None,
    stage: Stage | None = None,
    effort: Effort | None = None,
    judge: str | None = None,
    jobs: int = 0,
    limit_nodes: int | None = None,
) -> Analysis:
    """Analyses positions of Go, in parallel.

    Parameters
    ----------
    games: game records as files, folders (of which SGF files count) or globs; or the text of a record, ``str`` that begins with
        a bracket or ``bytes``; or boards as an array [size, size] or [N, size, size] of 1 (Black), -1 (White) and 0
    moves: in place of ``games``, the moves of a game from the empty board, or of several games: vertices as GTP has them
        (``D4``, ``pass``), or numbers row by row from the top left, ``size * size`` for a pass
    size, komi: of ``moves``; ``komi`` of arrays too
    to_move: whose turn it is, of ``moves`` and arrays; without it the next in turn, on arrays Black
    every: the first position and those after every so many moves; without it the last one of each game
    move: the position after so many moves
    stage: the last stage that is needed
    effort: how far to read: ``quick``, ``normal`` or ``deep``
    judge: who judges: ``embedded``, ``playouts``, ``playouts:N``, ``none``, ``net:FILE`` or a command that speaks
        KataGo's analysis protocol; the columns ``judge_owner`` and ``judge_likelihood`` are the judge's
    jobs: threads, 0 for one a core; the result does not depend on it
    limit_nodes: nodes of each reading at most

    Raises ``FileNotFoundError`` for a file or folder that there is not, ``ValueError`` for an array that is no board and for
    a move that is no vertex, with its index. A file that can't be read, and a move that can't be played, cost no other
    position: :attr:`Analysis.errors`.
    """
    if (games is None) == (moves is None):
        raise ValueError("give games or moves")
    if stage is not None and stage not in Stage.__args__:  # type: ignore[attr-defined]
        raise ValueError(f"stage must be one of {', '.join(Stage.__args__)}, not {stage!r}")  # type: ignore[attr-defined]
    if limit_nodes is not None and limit_nodes < 1:
        raise ValueError(f"limit_nodes must be 1 or more, not {limit_nodes}")
    task = f"Analyse(last: {stage}, columns: [Points, Eyes, Moves])" if stage else None
    common: dict[str, Any] = {"effort": effort, "judge": judge, "jobs": jobs, "limit_nodes": limit_nodes, "columns": True}
    turn = f", to_move: {to_move}" if to_move else ""
    if moves is not None:
        scenes = [
            f"Go(size: {size}, moves: {json.dumps(line)}, komi: {float(komi)}{turn})" for line in _lines(moves, size)
        ]
    elif isinstance(games, np.ndarray):
        scenes = [f"Go(diagram: {json.dumps(text)}, komi: {float(komi)}{turn})" for text in _diagrams(games)]
    else:
        assert games is not None
        return _of_records(games, {"every": every, "move": move, "task": task, **common})
    if every is not None or move is not None:
        raise ValueError("every and move are for game records")
    if not scenes:
        raise ValueError("moves or games must be one or more")
    named = (f'(name: "{n}", game: {game}, task: {task or "Analyse()"})' for n, game in enumerate(scenes))
    return Analysis(records_of([], f"(version: 1, scenes: [{', '.join(named)}])", **common))


def _of_records(games: Paths | bytes, given: dict[str, Any]) -> Analysis:
    """Of files, or of the text of a record."""
    if isinstance(games, bytes) or isinstance(games, str) and games.lstrip("\ufeff \t\r\n").startswith(("(", ";")):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.sgf"
            path.write_bytes(games if isinstance(games, bytes) else games.encode())
            found = records_of([path], **given)
            prefix = json.dumps(folder + os.sep)[1:-1]
            return Analysis(_records_of_lines([line.replace(prefix, "") for line in found.lines]))
    many: list[str | os.PathLike[str]] = [games] if isinstance(games, str | os.PathLike) else list(games)
    paths: list[str | os.PathLike[str]] = []
    for each in many:
        path = Path(each)
        if path.is_dir():
            paths += sorted(p for p in path.rglob("*") if p.suffix.lower() == ".sgf" and p.is_file())
        elif not path.exists() and not re.search(r"[*?\[]", os.fspath(each)):
            raise FileNotFoundError(f"no such file or folder: {os.fspath(each)}")
        else:
            paths.append(each)
    return Analysis(records_of(paths, **given))


_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def _lines(moves: Sequence[Any], size: int) -> list[list[str]]:
    """The moves of each game as GTP writes them."""
    if not 1 <= size <= len(_LETTERS):
        raise ValueError(f"size must be from 1 to {len(_LETTERS)}, not {size}")
    several = len(moves) > 0 and not isinstance(moves[0], str | int | np.integer)
    games: Iterable[tuple[str, Sequence[Any]]] = (
        ((f"moves[{n}]", line) for n, line in enumerate(moves)) if several else [("moves", moves)]
    )
    return [[_vertex(move, size, f"{name}[{n}]") for n, move in enumerate(line)] for name, line in games]


def _vertex(move: Any, size: int, name: str) -> str:
    """A vertex as GTP writes it; ``name`` says which move it is."""
    if isinstance(move, int | np.integer) and not isinstance(move, bool):
        if 0 <= move <= size * size:
            return "pass" if move == size * size else f"{_LETTERS[int(move) % size]}{size - int(move) // size}"
        raise ValueError(f"{name}: {move}, but vertices are numbered from 0 to {size * size}, a pass included")
    text = str(move)
    if text.lower() == "pass":
        return "pass"
    parts = re.fullmatch(r"([A-Za-z])(\d{1,2})", text)
    column = _LETTERS.find(parts[1].upper()) if parts else -1
    if parts is None or not 0 <= column < size or not 1 <= int(parts[2]) <= size:
        raise ValueError(f"{name}: {text!r} is no vertex of a board of {size}, such as D4, or pass")
    return f"{_LETTERS[column]}{int(parts[2])}"


def _diagrams(boards: NDArray[Any]) -> list[str]:
    """Boards as diagrams."""
    many = boards[None] if boards.ndim == 2 else boards
    if many.ndim != 3 or many.shape[1] != many.shape[2] or not 1 <= many.shape[1] <= len(_LETTERS):
        raise ValueError(f"boards must be [size, size] or [N, size, size], not {list(boards.shape)}")
    whole = many.astype(np.int64)
    if not ((whole == many) & (abs(whole) <= 1)).all():
        raise ValueError("boards must hold 1 (Black), -1 (White) and 0 only")
    signs = np.array([".", "X", "O"])
    return ["\n".join(" ".join(row) for row in board) for board in signs[whole]]


class Step(NamedTuple):
    """What a step returns: the environment's own arrays, overwritten by the next step."""

    observation: NDArray[np.bool_]
    """[N, 8, size, size]"""
    reward: NDArray[np.float32]
    """[N, 2], Black's first: 1 for the winner of a game that ended, -1 for the loser, else 0"""
    terminated: NDArray[np.bool_]
    """[N]: by two passes, or an illegal action that loses"""
    truncated: NDArray[np.bool_]
    """[N]: after ``max_moves``"""
    legal_mask: NDArray[np.bool_]
    """[N, size * size + 1]"""


class _Arrays(NamedTuple):
    """What the native half writes to: flat and contiguous."""

    legal: NDArray[np.uint8]
    observation: NDArray[np.uint8]
    last_observation: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    lead: NDArray[np.float32]
    terminated: NDArray[np.uint8]
    truncated: NDArray[np.uint8]
    turn: NDArray[np.int32]


class VectorEnv:
    """N games of Go at once, on the board of Tengen's playouts.

    Action ``row * size + column`` is a vertex, row 0 at the top, ``size * size`` a pass. Two passes end a game. It is counted
    by area with all stones alive, as Tromp and Taylor count; there is no suicide. Observations show the side to move
    (:attr:`turn`: 0 Black, 1 White) the planes that :attr:`PLANES` names.

    All arrays are the environment's own and are overwritten by each step. ``copy``, :meth:`clone` and pickles make
    independent environments that go on alike. :meth:`state` and :meth:`set_state` save and set games.

    Parameters
    ----------
    num_envs: N
    size: vertices a side, 1 to 19
    komi: points White gets
    rules: ``simple_ko`` (a ko may not be taken back at once) or ``positional_superko`` (no position may come up again)
    seed: of :meth:`sample_legal`; the same seed gives the same games at any number of threads
    threads: that step at the same time
    autoreset: ``next_step`` (a game that ended starts again by the next step, whose action is ignored), ``same_step``
        (at once; :attr:`final_observation` has the last state), ``disabled`` (by ``reset(mask=...)``; the flags stay set)
    illegal: ``raise`` (ValueError, no game moves) or ``lose``
    max_moves: a longer game is truncated; three times the vertices without it, 0 is no limit
    observe: whether observations are written
    """

    PLANES = ("own", "other", "barred", "one liberty", "two liberties", "more liberties", "last move", "black to move")
    """``barred`` are empty vertices that the side to move may not play at."""

    def __init__(
        self,
        num_envs: int = 1,
        size: int = 9,
        komi: float = 7.0,
        rules: Literal["simple_ko", "positional_superko"] = "positional_superko",
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "next_step",
        illegal: Illegal = "raise",
        max_moves: int | None = None,
        observe: bool = True,
        _copied: _GoGames | None = None,
    ) -> None:
        n = _whole("num_envs", num_envs, 1, 1 << 20)
        size = _whole("size", size, 1, 19)
        if rules not in ("simple_ko", "positional_superko"):
            raise ValueError(f"rules must be simple_ko or positional_superko, not {rules!r}")
        if isinstance(komi, bool) or not isinstance(komi, int | float | np.number) or not np.isfinite(komi):
            raise ValueError(f"komi must be a number, not {komi!r}")
        longest = 3 * size * size if max_moves is None else _whole("max_moves", max_moves, 0, 2**32 - 1)
        self._settings: dict[str, Any] = {
            "num_envs": n,
            "size": size,
            "komi": float(komi),
            "rules": rules,
            "seed": _whole("seed", seed, 0, 2**64 - 1),
            "threads": _whole("threads", threads, 1, 256),
            "autoreset": autoreset,
            "illegal": illegal,
            "max_moves": longest,
            "observe": observe,
        }
        self.num_envs, self.size, self.komi = n, size, float(komi)
        self.actions = size * size + 1
        self._games = _copied or _GoGames(
            games=n,
            size=size,
            komi=float(komi),
            superko=rules == "positional_superko",
            seed=self._settings["seed"],
            threads=self._settings["threads"],
            autoreset=autoreset,
            illegal=illegal,
            max_moves=longest,
        )
        shown = n * _GoGames.PLANES * size * size if observe else 0
        last = shown if autoreset == "same_step" else 0
        self._arrays = _Arrays(
            legal=np.zeros(n * self.actions, np.uint8),
            observation=np.zeros(shown, np.uint8),
            last_observation=np.zeros(last, np.uint8),
            rewards=np.zeros(2 * n, np.float32),
            lead=np.zeros(n, np.float32),
            terminated=np.zeros(n, np.uint8),
            truncated=np.zeros(n, np.uint8),
            turn=np.zeros(n, np.int32),
        )
        arrays = self._arrays

        def planes(flat: NDArray[np.uint8]) -> NDArray[np.bool_]:
            return flat.view(np.bool_).reshape(n, _GoGames.PLANES if len(flat) else 0, size, size)

        self.legal_mask: NDArray[np.bool_] = arrays.legal.view(np.bool_).reshape(n, self.actions)
        self.observation: NDArray[np.bool_] = planes(arrays.observation)
        self.final_observation: NDArray[np.bool_] = planes(arrays.last_observation)
        self.reward: NDArray[np.float32] = arrays.rewards.reshape(n, 2)
        self.lead: NDArray[np.float32] = arrays.lead
        """[N]: White's points less Black's, komi included, in a game that two passes ended; else 0."""
        self.terminated: NDArray[np.bool_] = arrays.terminated.view(np.bool_)
        self.truncated: NDArray[np.bool_] = arrays.truncated.view(np.bool_)
        self.turn: NDArray[np.int32] = arrays.turn
        self._step = Step(self.observation, self.reward, self.terminated, self.truncated, self.legal_mask)
        if _copied is None:
            self.reset()

    def clone(self) -> VectorEnv:
        """An independent copy: the same games, arrays and random numbers."""
        copy = VectorEnv(**self._settings, _copied=self._games.clone())
        copy._take(self._arrays)
        return copy

    def _take(self, arrays: Sequence[Any]) -> None:
        for own, given in zip(self._arrays, arrays, strict=True):
            np.copyto(own, given)  # type: ignore[arg-type]

    def __copy__(self) -> VectorEnv:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _vector_env, (self._settings, self._games.saved(), tuple(self._arrays))

    def state(self) -> NDArray[np.int16]:
        """The states of all games, a row each: int16 [N, S], the actions so far, then -1.

        Superko makes the whole game the state. S is one more than the moves of the longest game. A game that an illegal action
        ended has -2 behind its moves. Rows may be kept, reordered and given to :meth:`set_state` of any environment of the
        same size and rules. Random numbers and rewards are no part of them.
        """
        saved = self._games.saved()
        rows = np.full((self.num_envs, 1 + max(len(moves) for moves, _, _ in saved)), -1, np.int16)
        for row, (moves, forfeited, _) in zip(rows, saved, strict=True):
            row[: len(moves)] = moves
            if forfeited:
                row[len(moves)] = -2
        return rows

    def set_state(self, state: ArrayLike, *, lanes: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Sets games to rows of :meth:`state`: game ``lanes[n]`` to row n, or all games in order; returns the observations.

        Their rewards become 0, ``terminated`` and ``truncated`` are those of the states. The moves are played again. Raises
        ``ValueError`` for a wrong shape, a lane that there is not and a move that is not legal; then no game has changed.
        """
        rows, chosen = np.asarray(state), _lanes(lanes, self.num_envs)
        count = self.num_envs if chosen is None else len(chosen)
        if rows.ndim != 2 or len(rows) != count or not np.issubdtype(rows.dtype, np.integer):
            raise ValueError(f"state must be integers [{count}, S], not {rows.dtype} {list(rows.shape)}")
        drawn = [of for _, _, of in self._games.saved()]
        saved = []
        for n, row in enumerate(rows):
            ends = np.flatnonzero(row < 0)
            length = int(ends[0]) if len(ends) else len(row)
            moves, rest = row[:length], row[length:]
            if (moves >= self.actions).any() or (rest[:1] < -2).any() or (rest[1:] != -1).any():
                raise ValueError(f"state: row {n} is not actions below {self.actions} and then -1")
            forfeited = bool(len(rest) and rest[0] == -2)
            saved.append(([int(action) for action in moves], forfeited, drawn[n if chosen is None else chosen[n]]))
        self._games.load(chosen, saved, self._arrays)
        return self.observation

    def moves(self, env: int) -> list[int]:
        """The actions of one game so far."""
        return list(self._games.saved()[env][0])

    def reset(self, seed: int | None = None, *, mask: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Sets games back to the empty board, all or those of ``mask`` [N]; returns the observations."""
        if seed is not None:
            self._settings["seed"] = _whole("seed", seed, 0, 2**64 - 1)
            self._games.reseed(self._settings["seed"])
        which: list[bool] | None = None
        if mask is not None:
            marks = np.asarray(mask)
            if marks.dtype != np.bool_ or marks.shape != (self.num_envs,):
                raise ValueError(f"mask must be bool [{self.num_envs}], not {marks.dtype} {list(marks.shape)}")
            which = [bool(m) for m in marks]
        self._games.reset(which, self._arrays)
        return self.observation

    def step(self, actions: ArrayLike) -> Step:
        """Makes a move in every game: integers [N].

        Raises ``ValueError`` on a wrong shape, and on an illegal action unless ``illegal="lose"``; then no game has moved.
        Raises ``TypeError`` on anything but integers.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions must have shape {(self.num_envs,)}, not {given.shape}")
        if not np.issubdtype(given.dtype, np.integer):
            raise TypeError(f"actions must be integers, not {given.dtype}")
        if given.dtype != np.int32:
            outside = (given < 0) | (given >= self.actions)
            if self._settings["illegal"] == "raise" and (outside & self.legal_mask.any(axis=1)).any():
                game = int(np.flatnonzero(outside & self.legal_mask.any(axis=1))[0])
                raise ValueError(f"game {game}: action {given[game]} is no vertex and no pass; no game has moved")
            given = np.where(outside, -1, given).astype(np.int32)
        self._games.step(np.ascontiguousarray(given), self._arrays)
        return self._step

    def sample_legal(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """A legal action for every game, all equally likely, passes included; a pass where the game is over."""
        if out is None:
            out = np.empty(self.num_envs, np.int32)
        elif out.dtype != np.int32 or out.shape != (self.num_envs,) or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous int32 array of shape {(self.num_envs,)}")
        self._games.sample(out)
        return out

    def __repr__(self) -> str:
        return f"<tengen.go.VectorEnv, {self.num_envs} games, {self.size}x{self.size}>"


def _vector_env(settings: dict[str, Any], saved: list[tuple[list[int], bool, int]], arrays: Sequence[Any]) -> VectorEnv:
    """A pickled environment."""
    env = VectorEnv(**settings)
    env._games.load(None, saved, env._arrays)
    env._take(arrays)
    return env


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """An integer from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {value}")
    return int(value)
