"""Games from rulesheets in the Game Description Language.

>>> from tengen import gdl
>>> game = gdl.example("noughts")
>>> game.roles
['noughts', 'crosses']
>>> state = game.initial()
>>> state = state.next(["(put 2 2)", "wait"])
>>> len(state.legal("crosses"))
8

:class:`VectorEnv` steps thousands of games at once, a bit of a machine word each.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._tengen import EXAMPLES, Game, RulesheetError, State, check
from ._tengen import Environment as _Environment
from ._tengen import Forest as _Forest
from ._tengen import batch as _batch
from ._tengen import draw_grid

__all__ = [
    "Autoreset",
    "Batch",
    "BitOrder",
    "Evaluate",
    "Game",
    "Grid",
    "Illegal",
    "Leaves",
    "RulesheetError",
    "Search",
    "State",
    "Step",
    "VectorEnv",
    "batch",
    "check",
    "example",
    "examples",
    "load",
    "mcts",
]

Autoreset = Literal["next_step", "same_step", "disabled"]
BitOrder = Literal["big", "little"]
Illegal = Literal["raise", "lose"]

_EXAMPLES = dict(EXAMPLES)


def load(
    path: str | os.PathLike[str],
    *,
    propagator: str = "auto",
    setup_seconds: float = 60.0,
    tables_mb: int = 2000,
    percepts: bool = False,
) -> Game:
    """Reads a rulesheet file. With ``percepts`` its states hold what each role perceives (GDL-II).

    A game that does not ground within ``setup_seconds`` and ``tables_mb`` megabytes has no net: it can still be
    walked through, by the prover, but not be a vector environment.

    Raises :class:`RulesheetError` with all faults (line, column, help), ``OSError`` if the file can't be read.
    """
    text = Path(path).read_bytes().decode("utf-8", errors="replace")
    return Game(
        text,
        name=os.fspath(path),
        propagator=propagator,
        setup_seconds=setup_seconds,
        tables_mb=tables_mb,
        percepts=percepts,
    )


def examples() -> list[str]:
    """Names of the rulesheets that come with the package."""
    return sorted(_EXAMPLES)


def example(name: str) -> Game:
    """A game that comes with the package: one of :func:`examples`."""
    if name not in _EXAMPLES:
        raise ValueError(f"no example {name!r}; there are {', '.join(examples())}")
    return Game(_EXAMPLES[name], name=name)


@functools.lru_cache(maxsize=16)
def _game(text: str, name: str, propagator: str, setup_seconds: float, tables_mb: int, percepts: bool) -> Game:
    """A pickled game; the same object for the same rulesheet."""
    return Game(
        text, name=name, propagator=propagator, setup_seconds=setup_seconds, tables_mb=tables_mb, percepts=percepts
    )


def _state(game: Game, facts: bytes, moves: int) -> State:
    """A pickled state."""
    return game._restored(facts, moves)


class Batch(NamedTuple):
    """What states of one game show: arrays as those of :class:`VectorEnv`, owned by the caller."""

    observation: NDArray[np.bool_]
    """[N, P]"""
    legal_mask: NDArray[np.bool_]
    """[N, A]: of the role on turn; [N, R, A] where roles do not take turns"""
    turn: NDArray[np.int32]
    """[N]: the role on turn, -1 where two have a choice"""
    over: NDArray[np.bool_]
    """[N]"""
    reward: NDArray[np.float32]
    """[N, R]: goal values divided by 100 where the game is over, else 0"""


def batch(states: Sequence[State]) -> Batch:
    """The arrays of states of one game, in one call. Raises ``ValueError`` for states of different games or none."""
    if not states:
        raise ValueError("states must be one or more")
    game = states[0].game
    n, a, p, r = len(states), len(game.actions), len(game.columns), len(game.roles)
    joint = not game.turns
    observation, over = np.zeros(n * p, np.uint8), np.zeros(n, np.uint8)
    legal = np.zeros(n * a * (r if joint else 1), np.uint8)
    turn, reward = np.zeros(n, np.int32), np.zeros(n * r, np.float32)
    _batch(list(states), joint, observation, legal, turn, over, reward)
    return Batch(
        observation.view(np.bool_).reshape(n, p),
        legal.view(np.bool_).reshape((n, r, a) if joint else (n, a)),
        turn,
        over.view(np.bool_),
        reward.reshape(n, r),
    )


@dataclass(frozen=True)
class Grid:
    """The board that the first columns of an observation show: ``planes x rows x columns`` cells.

    It is found by what the rules say: facts of two coordinates that moves change and name. Row 0 is at the top. Letters
    count columns, and so does a coordinate that moves name alone, as in connect four.
    """

    planes: list[str]
    """The fact of each plane: those of the first mover, of the roles after it, of nobody."""
    rows: list[str]
    columns: list[str]
    owners: list[int | None]
    """Per plane the role that it belongs to; None for nobody's."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """(planes, rows, columns)"""
        return len(self.planes), len(self.rows), len(self.columns)


class _Arrays(NamedTuple):
    """What the native half writes to: flat and contiguous."""

    legal: NDArray[np.uint8]
    observation: NDArray[np.uint8]
    last_observation: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.uint8]
    truncated: NDArray[np.uint8]
    turn: NDArray[np.int32]


class Step(NamedTuple):
    """What a step returns: the environment's own arrays, overwritten by the next step."""

    observation: NDArray[Any]
    """[N, P] of bool; packed [N, ceil(P / 8)] of uint8"""
    reward: NDArray[np.float32]
    """[N, R]: goal values divided by 100 where a game ended, else 0."""
    terminated: NDArray[np.bool_]
    """[N]"""
    truncated: NDArray[np.bool_]
    """[N]"""
    legal_mask: NDArray[Any]
    """[N, A], or [N, R, A] for joint actions, of bool; packed ceil(A / 8) of uint8 instead of A"""


class VectorEnv:
    """N games of one rulesheet at once.

    A is the number of distinct moves of all roles (:attr:`actions` names them), P the number of facts
    (:attr:`columns`), R the number of roles.

    Where roles take turns (:attr:`turns`; found out by random games), an action is a number per game, that of the
    role on turn (:attr:`turn`); the others make their only move. Elsewhere, and with ``joint=True``, an action is a
    number per role: [N, R].

    :meth:`clone` and ``copy`` make an independent copy; :meth:`state` and :meth:`set_state` save and set games. An
    environment pickles with its games, its random numbers and the text of its rulesheet. Threads are started anew in a
    forked process.

    All arrays are the environment's own and are overwritten by each step; copy what you keep. They are NumPy arrays,
    so ``torch.from_dlpack(env.observation)`` and the like share them too.

    Parameters
    ----------
    game: a :class:`Game`, or the path of a rulesheet
    num_envs: N
    seed: of :meth:`sample_legal`; the same seed gives the same games at any number of threads
    threads: that step at the same time; 512 games are a thread's least share
    autoreset: ``next_step`` (a game that ended starts again by the next step, whose action is ignored), ``same_step``
        (at once; :attr:`final_observation` has the last state), ``disabled`` (by ``reset(mask=...)``;
        ``terminated`` and ``truncated`` stay set until then)
    illegal: ``raise`` (ValueError, no game moves) or ``lose`` (ends that game: 0 for who did it, 1 for the others)
    max_steps: a longer game is truncated; 0 is no limit
    observe: whether observations are written; without, steps are faster
    packed: whether legal masks and observations have a bit a column, as ``numpy.packbits(rows, axis=-1,
        bitorder=bitorder)`` makes it: uint8 [N, ceil(P / 8)] and [N, ceil(A / 8)] (or [N, R, ceil(A / 8)]). They are
        written so at once, which is faster than bytes. ``numpy.unpackbits(rows, axis=-1, count=len(env.columns),
        bitorder=env.bitorder)`` gives the columns back
    bitorder: ``big`` (the first of eight columns is the highest bit) or ``little`` (the lowest)
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: Autoreset = "next_step",
        illegal: Illegal = "raise",
        max_steps: int = 0,
        joint: bool = False,
        observe: bool = True,
        packed: bool = False,
        bitorder: BitOrder = "big",
        _copied: _Environment | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else load(game)
        self.num_envs = num_envs
        self._settings: dict[str, Any] = {
            "num_envs": num_envs,
            "seed": seed,
            "threads": threads,
            "autoreset": autoreset,
            "illegal": illegal,
            "max_steps": max_steps,
            "joint": joint,
            "observe": observe,
            "packed": packed,
            "bitorder": bitorder,
        }
        self.autoreset: Autoreset = autoreset
        self.illegal: Illegal = illegal
        self.packed = packed
        self.bitorder: BitOrder = bitorder
        self._env = _copied or _Environment(
            self.game,
            games=num_envs,
            seed=seed,
            threads=threads,
            autoreset=autoreset,
            illegal=illegal,
            max_steps=max_steps,
            joint=joint,
            packed=bitorder if packed else None,
        )
        env = self._env
        self.roles: list[str] = self.game.roles
        self.actions: list[str] = env.actions
        self.columns: list[str] = env.columns
        self.percepts: list[tuple[int, str] | None] = env.percepts
        """Per column the role that perceives it and the percept, in games read with ``percepts``; else None."""
        self.turns: bool = env.turns
        self.has_action: NDArray[np.bool_] = np.array(env.has_action, dtype=np.bool_)
        grid = env.grid
        self.grid: Grid | None = None
        if grid is not None:
            planes, rows, across = grid[0]
            self.grid = Grid(planes, rows, across, grid[1])
        n, a, p, r = num_envs, len(self.actions), len(self.columns), len(self.roles)
        groups = 1 if self.turns else r
        if packed:
            a, p = -(-a // 8), -(-p // 8)
        cell: Any = np.uint8 if packed else np.bool_
        last = n * p if observe and autoreset == "same_step" else 0
        self._arrays = _Arrays(
            legal=np.zeros(n * groups * a, np.uint8),
            observation=np.zeros(n * p if observe else 0, np.uint8),
            last_observation=np.zeros(last, np.uint8),
            rewards=np.zeros(n * r, np.float32),
            terminated=np.zeros(n, np.uint8),
            truncated=np.zeros(n, np.uint8),
            turn=np.zeros(n, np.int32),
        )
        arrays = self._arrays
        shape = (n, a) if self.turns else (n, r, a)
        self.legal_mask: NDArray[Any] = arrays.legal.view(cell).reshape(shape)
        self.observation: NDArray[Any] = arrays.observation.view(cell).reshape(n, p if observe else 0)
        self.final_observation: NDArray[Any] = arrays.last_observation.view(cell).reshape(n, p if last else 0)
        self.reward: NDArray[np.float32] = arrays.rewards.reshape(n, r)
        self.terminated: NDArray[np.bool_] = arrays.terminated.view(np.bool_)
        self.truncated: NDArray[np.bool_] = arrays.truncated.view(np.bool_)
        self.turn: NDArray[np.int32] = arrays.turn
        self._flat_actions: NDArray[np.int32] = np.zeros(n * groups, np.int32)
        self.action_shape: tuple[int, ...] = (n,) if self.turns else (n, r)
        self._step = Step(self.observation, self.reward, self.terminated, self.truncated, self.legal_mask)
        if _copied is None:
            self.reset()

    def clone(self) -> VectorEnv:
        """An independent copy: the same games, arrays and random numbers."""
        copy = VectorEnv(self.game, **self._settings, _copied=self._env.clone())
        copy._take(self._arrays)
        return copy

    def _take(self, arrays: _Arrays) -> None:
        for own, given in zip(self._arrays, arrays, strict=True):
            np.copyto(cast("NDArray[Any]", own), cast("NDArray[Any]", given))

    def __copy__(self) -> VectorEnv:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        saved = self.state(), self._env.random, tuple(self._arrays)
        return _vector_env, (self.game, self._settings, *saved)

    def state(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """The states of all games, a row of bytes each: uint8 [N, S].

        Rows may be kept, reordered and given to :meth:`set_state` of any environment of the same rulesheet. The bytes are
        the facts, the moves made so far and whether the game is over; equal rows are equal states. Random numbers and
        rewards are no part of them. ``out``: a contiguous array to write to.
        """
        shape = self.num_envs, self._env.state_bytes
        if out is None:
            out = np.empty(shape, np.uint8)
        elif out.dtype != np.uint8 or out.shape != shape or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous uint8 array of shape {shape}")
        self._env.save(out.reshape(-1))
        return out

    def set_state(self, state: ArrayLike, *, lanes: ArrayLike | None = None) -> NDArray[Any]:
        """Sets games to rows of :meth:`state`: game ``lanes[n]`` to row n, or all games in order; returns the observations.

        Their rewards become 0, ``terminated`` and ``truncated`` are those of the states. Raises ``ValueError`` for a wrong
        shape, a lane that there is not and bytes that are no state; then no game has changed.
        """
        rows = np.ascontiguousarray(state)
        chosen = _lanes(lanes, self.num_envs)
        shape = self.num_envs if chosen is None else len(chosen), self._env.state_bytes
        if rows.dtype != np.uint8 or rows.shape != shape:
            raise ValueError(f"state must be uint8 {list(shape)}, not {rows.dtype} {list(rows.shape)}")
        self._env.load(chosen, rows.reshape(-1), self._arrays)
        return self.observation

    @property
    def planes(self) -> NDArray[np.bool_]:
        """[N, planes, rows, columns]: the part of :attr:`observation` that is a grid, without a copy; not where it is
        packed."""
        if self.grid is None or self.observation.shape[1] == 0 or self.packed:
            raise ValueError("this game has no grid, or observations are off or packed")
        planes, rows, columns = self.grid.shape
        strides = self.observation.strides[0], rows * columns, columns, 1
        return np.lib.stride_tricks.as_strided(
            self.observation, (self.num_envs, planes, rows, columns), strides
        )

    def mine_and_theirs(self) -> NDArray[np.bool_]:
        """[N, planes, rows, columns]: a copy of :attr:`planes`, in each game those of the role on turn first, then those of
        the roles after it, then those of nobody.

        Raises ``ValueError`` where roles do not take turns or own different numbers of planes.
        """
        planes = self.planes
        owners: list[int | None] = [] if self.grid is None else self.grid.owners
        roles = len(self.roles)
        own = [[p for p, owner in enumerate(owners) if owner == role] for role in range(roles)]
        if not self.turns or len({len(each) for each in own}) != 1:
            raise ValueError("mine and theirs need roles that take turns and own as many planes each")
        rest = [p for p, owner in enumerate(owners) if owner is None]
        order = [sum((own[(role + n) % roles] for n in range(roles)), []) + rest for role in range(roles)]
        chosen: NDArray[np.bool_] = planes[np.arange(self.num_envs)[:, None], np.array(order)[self.turn]]
        return chosen

    def reset(self, seed: int | None = None, *, mask: ArrayLike | None = None) -> NDArray[Any]:
        """Sets games back to the start, all or those of ``mask`` [N]; returns the observations."""
        if seed is not None:
            self._env.reseed(seed)
        which: list[bool] | None = None
        if mask is not None:
            marks = np.asarray(mask)
            if marks.dtype != np.bool_ or marks.shape != (self.num_envs,):
                raise ValueError(f"mask must be bool [{self.num_envs}], not {marks.dtype} {list(marks.shape)}")
            which = [bool(m) for m in marks]
        self._env.reset(which, self._arrays)
        return self.observation

    def step(self, actions: ArrayLike) -> Step:
        """Makes a move in every game: integers of :attr:`action_shape`.

        Raises ``ValueError`` on a wrong shape, and on an illegal action unless ``illegal="lose"``; then no game has
        moved. Raises ``TypeError`` on anything but integers.
        """
        given = np.asarray(actions)
        if given.shape != self.action_shape:
            raise ValueError(f"actions must have shape {self.action_shape}, not {given.shape}")
        if given.dtype != np.int32:
            if not np.issubdtype(given.dtype, np.integer):
                raise TypeError(f"actions must be integers, not {given.dtype}")
            outside = (given < 0) | (given >= len(self.actions))
            if self.illegal == "raise" and outside.any():
                self._refuse(given, outside)
            given = np.where(outside, -1, given).astype(np.int32)
        self._env.step(np.ascontiguousarray(given).reshape(-1), self._arrays)
        return self._step

    def _refuse(self, given: NDArray[Any], outside: NDArray[np.bool_]) -> None:
        """Raises for an action that no integer of 32 bits holds, as it was given, where its game is not over."""
        counted = outside & self.legal_mask.any(axis=-1)
        if not counted.any():
            return
        at = tuple(int(n[0]) for n in np.nonzero(counted))
        role = "the role on turn" if self.turns else self.roles[at[-1] if len(at) > 1 else 0]
        raise ValueError(
            f"game {at[0]}: action {given[at]} (no move has this number) is not legal for {role}; no game has moved"
        )

    def sample_legal(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """A legal action for every game (and role), all equally likely; 0 where there is none.

        ``out``: a contiguous int32 array of :attr:`action_shape` to write to.
        """
        if out is None:
            out = np.empty(self.action_shape, np.int32)
        elif out.dtype != np.int32 or out.shape != self.action_shape or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous int32 array of shape {self.action_shape}")
        self._env.sample(out.reshape(-1))
        return out

    def facts(self, env: int) -> list[str]:
        """The true facts of one game, sorted."""
        return self._env.facts(env)

    def svg(self, env: int = 0) -> str:
        """A picture of one game: on each field the planes that are set there, by letters; any layout will do.

        Raises ``ValueError`` for a game that is not played on a grid.
        """
        if self.grid is None:
            raise ValueError("this game has no grid")
        planes, rows, columns = self.grid.shape
        held = set(self.facts(env))
        names = np.array(self.columns[: planes * rows * columns], object).reshape(planes, -1)
        letters = [chr(ord("a") + n) if n < 26 else str(n) for n in range(planes)]
        texts = ["".join(s for s, fact in zip(letters, cell, strict=True) if fact in held) for cell in names.T]
        legend = list(zip(letters, self.grid.planes, strict=True))
        return draw_grid(f"{self.game.name}, game {env}", self.grid.columns, self.grid.rows, texts, legend)

    def _repr_svg_(self) -> str | None:
        return None if self.grid is None else self.svg()

    def __repr__(self) -> str:
        return (
            f"<tengen.gdl.VectorEnv {self.game.name!r}, {self.num_envs} games, {len(self.actions)} actions, "
            f"{len(self.columns)} facts, {'turns' if self.turns else 'joint actions'}>"
        )


def _lanes(lanes: ArrayLike | None, count: int) -> list[int] | None:
    """The numbers of games, given as numbers or as marks; None for all."""
    if lanes is None:
        return None
    named = np.asarray(lanes)
    if named.dtype == np.bool_:
        if named.shape != (count,):
            raise ValueError(f"lanes must be numbers, or bool [{count}]")
        named = np.flatnonzero(named)
    if named.ndim != 1 or not (np.issubdtype(named.dtype, np.integer) or named.size == 0):
        raise ValueError(f"lanes must be numbers of games in one row, not {named.dtype} {list(named.shape)}")
    chosen = [int(lane) for lane in named]
    outside = next((lane for lane in chosen if not 0 <= lane < count), None)
    if outside is not None:
        raise ValueError(f"lanes: {outside}, but they must be from 0 to {count - 1}")
    return chosen


def _vector_env(
    game: Game, settings: dict[str, Any], state: NDArray[np.uint8], random: list[int], arrays: tuple[NDArray[Any], ...]
) -> VectorEnv:
    """A pickled environment."""
    env = VectorEnv(game, **settings)
    env.set_state(state)
    env._env.set_random(random)
    env._take(_Arrays(*arrays))
    return env


class Leaves(NamedTuple):
    """The states that a search asks a network about, one of each game; the arrays are overwritten by the next question."""

    observation: NDArray[np.bool_]
    """[N, P]"""
    legal_mask: NDArray[np.bool_]
    """[N, A]: for the role on turn; all False where the game is over"""
    turn: NDArray[np.int32]
    """[N]: the role on turn"""


Evaluate = Callable[[Leaves], tuple[ArrayLike, ArrayLike]]
"""Priors [N, A] and values [N] or [N, R] of N states; see :func:`mcts`."""


@dataclass(frozen=True)
class Search:
    """What :func:`mcts` found about N games."""

    visits: NDArray[np.int32]
    """[N, A]: how often each action was tried; all 0 where the game is over."""
    q: NDArray[np.float32]
    """[N, A]: the mean value of each action for the role on turn, from 0 to 1; NaN where it was not tried."""
    priors: NDArray[np.float32]
    """[N, A]: the network's, noise included."""
    proven: NDArray[np.float32]
    """[N, A]: the value of perfect play after each action for the role on turn; NaN where the search did not find it."""

    def _counted(self) -> NDArray[np.int32]:
        """[N, A]: the visits of proven wins, or of what is not a proven loss, or all, whichever are the first that there are."""
        won = np.where(self.proven >= 1, self.visits, 0)
        safe = np.where(self.proven <= 0, 0, self.visits)
        counted = np.where(won.any(axis=1, keepdims=True), won, safe)
        return np.where(counted.any(axis=1, keepdims=True), counted, self.visits)

    @property
    def best(self) -> NDArray[np.int32]:
        """[N]: the action tried most, the first of equals; a proven win before all, a proven loss after all."""
        best: NDArray[np.int32] = self._counted().argmax(axis=1).astype(np.int32)
        return best

    def policy(self, temperature: float = 1.0) -> NDArray[np.float64]:
        """[N, A]: visits to the power ``1 / temperature``, made to sum to 1 (0 where the game is over).

        Where there is a proven win only such actions count, and proven losses only where there is nothing else.
        """
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0, not {temperature}")
        visits = self._counted()
        most = np.maximum(visits.max(axis=1, keepdims=True), 1)
        weights = (visits / most) ** (1 / temperature)
        total = weights.sum(axis=1, keepdims=True)
        shares: NDArray[np.float64] = weights / np.where(total > 0, total, 1)
        return shares

    def sample(self, random: np.random.Generator, temperature: float = 1.0) -> NDArray[np.int32]:
        """[N]: an action of each game, drawn from :meth:`policy`; 0 where the game is over."""
        draws = random.random((len(self.visits), 1))
        below = self.policy(temperature).cumsum(axis=1) <= draws
        last = self.visits.shape[1] - 1 - (self._counted() > 0)[:, ::-1].argmax(axis=1)
        drawn: NDArray[np.int32] = np.minimum(below.sum(axis=1), last).astype(np.int32)
        return np.where(self.visits.any(axis=1), drawn, 0).astype(np.int32)


def mcts(
    env: VectorEnv,
    evaluate: Evaluate,
    simulations: int,
    *,
    exploration: float = 0.5,
    noise: float = 0.0,
    alpha: float = 1.0,
    seed: int = 0,
) -> Search:
    """Searches all games of an environment at once, each with a tree of its own; the environment stays as it is.

    In each simulation the trees choose a leaf each, an environment plays to all leaves in one step, and the network is
    asked about all of them in one call. Trees and games are Tengen's (PUCT, as AlphaZero has it), the network is the
    caller's. Roles must take turns. Ended games prove the values of the states before them (MCTS-Solver), and a proven loss
    is not searched again.

    Parameters
    ----------
    evaluate: gets :class:`Leaves` and returns priors [N, A], numbers from 0 on that need not sum to 1 and of which only those of
        legal actions count, and values from 0 to 1: [N, R] for each role, or [N] for the role on turn, where a second
        role gets the rest to 1
    simulations: of each game
    exploration: the weight of priors against values. Values run from 0 to 1 here, so that their differences are half those of
        values from -1 to 1; 0.5 weighs as 1 does there. A larger weight makes a search of few simulations repeat its priors
    noise: the share of Dirichlet noise in the priors of the roots, with the parameter ``alpha`` and the seed ``seed``

    Raises ``ValueError`` for a number out of its range, for a game in which roles do not take turns, and for priors or
    values that are no numbers or have the wrong shape.
    """
    if simulations < 1:
        raise ValueError(f"simulations must be 1 or more, not {simulations}")
    if not (math.isfinite(exploration) and exploration >= 0):
        raise ValueError(f"exploration must be 0 or more, not {exploration}")
    if not 0 <= noise <= 1:
        raise ValueError(f"noise must be from 0 to 1, not {noise}")
    if not (math.isfinite(alpha) and alpha > 0):
        raise ValueError(f"alpha must be above 0, not {alpha}")
    if not env.turns:
        raise ValueError(f"roles do not take turns in {env.game.name}, and mcts needs that they do")
    n, r = env.num_envs, len(env.roles)
    work = VectorEnv(env.game, n, threads=int(env._settings["threads"]), autoreset="disabled")
    states = env.state()
    work.set_state(states)
    bytes_ = states.shape[1]
    flat, actions = states.reshape(-1), np.zeros(n, np.int32)

    def judged() -> tuple[Any, ...]:
        """The leaves where the environment is, and what the network says about them."""
        priors, values = evaluate(Leaves(work.observation, work.legal_mask, work.turn))
        weights = np.ascontiguousarray(priors, np.float32)
        if weights.shape != (n, len(env.actions)):
            raise ValueError(f"evaluate: priors must be [{n}, {len(env.actions)}], not {list(weights.shape)}")
        worth = np.asarray(values, np.float32)
        if worth.shape == (n,) and r <= 2:
            mine = worth
            worth = np.empty((n, r), np.float32)
            worth[:] = (1 - mine)[:, None]
            worth[np.arange(n), work.turn] = mine
        if worth.shape != (n, r):
            raise ValueError(f"evaluate: values must be [{n}, {r}]{f' or [{n}]' if r <= 2 else ''}, not {list(worth.shape)}")
        work.state(states)
        arrays, over = work._arrays, (work.terminated | work.truncated).view(np.uint8)
        worth = np.ascontiguousarray(worth)
        return _Found(flat, arrays.legal, arrays.turn, over, arrays.rewards, weights.reshape(-1), worth.reshape(-1))

    forest = _Forest(
        judged(),
        bytes=bytes_,
        actions=len(env.actions),
        roles=r,
        exploration=exploration,
        noise=noise,
        alpha=alpha,
        seed=seed,
    )
    for _ in range(simulations):
        forest.select(flat, actions)
        work.set_state(states)
        work.step(actions)
        forest.expand(judged())
    visits, q, priors, proven = forest.roots()
    shape = n, len(env.actions)
    return Search(visits.reshape(shape), q.reshape(shape), priors.reshape(shape), proven.reshape(shape))


class _Found(NamedTuple):
    """What the native half reads of leaves: flat and contiguous."""

    states: NDArray[np.uint8]
    legal: NDArray[np.uint8]
    turn: NDArray[np.int32]
    over: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    priors: NDArray[np.float32]
    values: NDArray[np.float32]
