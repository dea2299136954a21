"""Games of hidden information (GDL-II) as environments: each player sees its own percepts and moves, and no state.

>>> from tengen import hidden
>>> env = hidden.VectorEnv("scenes/gdl2/montyHall.kif", 3, seed=1)  # doctest: +SKIP
>>> env.players, env.percepts[:2]  # doctest: +SKIP
(['candidate'], ['(car 1)', '(car 2)'])

The role ``random`` is no player: the environment draws its moves from the seed.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import gdl

__all__ = ["Step", "VectorEnv"]


class Step(NamedTuple):
    """What a step returns: arrays of the environment, overwritten by the next step."""

    observation: NDArray[np.bool_]
    """[N, R, Q]: what each player perceived of the last joint move"""
    last_action: NDArray[np.int32]
    """[N, R]: each player's own last action, -1 at the start of a game"""
    reward: NDArray[np.float32]
    """[N, R]: goal values divided by 100 where a game ended, else 0"""
    terminated: NDArray[np.bool_]
    """[N]"""
    truncated: NDArray[np.bool_]
    """[N]"""
    legal_mask: NDArray[np.bool_]
    """[N, R, A]"""


class VectorEnv:
    """N games of one rulesheet at once, with private observations.

    R is the number of players (:attr:`players`: all roles but ``random``), A that of the moves of all roles
    (:attr:`actions`), Q that of all percepts (:attr:`percepts`). A player's information set is all it has seen: its
    observations and its last actions since the start of the game. To remember them is the learner's part.

    Parameters
    ----------
    game: the path of a rulesheet with ``sees`` or a role ``random``, or a :class:`tengen.gdl.Game` that was read with ``percepts=True``
    num_envs: N
    seed: of the moves of ``random`` and of :meth:`sample_legal`
    autoreset, illegal, max_steps, threads: as :class:`tengen.gdl.VectorEnv` has them
    """

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: gdl.Autoreset = "next_step",
        illegal: gdl.Illegal = "raise",
        max_steps: int = 0,
    ) -> None:
        if not isinstance(game, gdl.Game):
            game = gdl.load(game, percepts=True)
        if not game.has_percepts:
            raise ValueError("the game was read without percepts: gdl.load(path, percepts=True)")
        self._env = gdl.VectorEnv(
            game,
            num_envs,
            seed=seed,
            threads=threads,
            autoreset=autoreset,
            illegal=illegal,
            max_steps=max_steps,
            joint=True,
        )
        self.num_envs = num_envs
        self.autoreset = autoreset
        self.actions = list(self._env.actions)
        roles = list(self._env.roles)
        self._seats = [n for n in range(len(roles)) if n != game.chance]
        self._chance = game.chance
        self.players = [roles[n] for n in self._seats]
        told = self._env.percepts
        self.percepts = sorted({each[1] for each in told if each is not None})
        number = {text: n for n, text in enumerate(self.percepts)}
        # Per player and percept the column that holds it; the last column is none.
        columns = np.full((len(roles), len(self.percepts)), len(told), np.intp)
        for column, each in enumerate(told):
            if each is not None:
                columns[each[0], number[each[1]]] = column
        self._columns = columns[self._seats]
        self._padded = np.zeros((num_envs, len(told) + 1), np.bool_)
        self._joint = (num_envs, len(roles))
        self._last = np.full((num_envs, len(self.players)), -1, np.int32)
        self._over = np.zeros(num_envs, np.bool_)
        self.observation = self._observe()

    @property
    def action_shape(self) -> tuple[int, int]:
        """(N, R)"""
        return self.num_envs, len(self.players)

    @property
    def last_action(self) -> NDArray[np.int32]:
        """[N, R]: each player's own last action, -1 at the start of a game."""
        return self._last

    @property
    def legal_mask(self) -> NDArray[np.bool_]:
        """[N, R, A]"""
        mask: NDArray[np.bool_] = self._env.legal_mask.reshape(*self._joint, len(self.actions))[:, self._seats]
        return mask

    def _observe(self) -> NDArray[np.bool_]:
        self._padded[:, :-1] = self._env.observation
        seen: NDArray[np.bool_] = self._padded[:, self._columns]
        return seen

    def reset(self, *, seed: int | None = None) -> NDArray[np.bool_]:
        """All games to the start; returns the observations, which are empty: nothing was perceived yet."""
        self._env.reset(seed=seed)
        self._last[:] = -1
        self._over[:] = False
        self.observation = self._observe()
        return self.observation

    def sample_legal(self) -> NDArray[np.int32]:
        """A legal action for every player, all equally likely; 0 where there is none."""
        drawn = self._env.sample_legal().reshape(self._joint)
        actions: NDArray[np.int32] = np.ascontiguousarray(drawn[:, self._seats])
        return actions

    def step(self, actions: ArrayLike) -> Step:
        """A joint move in every game: integers [N, R]. ``random`` moves by itself.

        Raises ``ValueError`` on a wrong shape, and on an illegal action unless ``illegal="lose"``.
        """
        given = np.asarray(actions)
        if given.shape != self.action_shape:
            raise ValueError(f"actions must have shape {self.action_shape}, not {given.shape}")
        if not np.issubdtype(given.dtype, np.integer):
            raise TypeError(f"actions must be integers, not {given.dtype}")
        joint = np.zeros(self._joint, np.int64)
        joint[:, self._seats] = given
        if self._chance is not None:
            joint[:, self._chance] = self._env.sample_legal().reshape(self._joint)[:, self._chance]
        step = self._env.step(joint.reshape(self._env.action_shape))
        over = step.terminated | step.truncated
        self._last[:] = given
        if self.autoreset == "next_step":
            self._last[self._over] = -1
        elif self.autoreset == "same_step":
            self._last[over] = -1
        self._over = over.copy()
        self.observation = self._observe()
        return Step(
            self.observation,
            self._last,
            step.reward[:, self._seats],
            step.terminated,
            step.truncated,
            self.legal_mask,
        )

    def facts(self, env: int) -> list[str]:
        """The true facts of one game, sorted: the whole state, for whoever looks on. No player may know it."""
        hidden = {column for column, each in zip(self._env.columns, self._env.percepts, strict=True) if each}
        return [fact for fact in self._env.facts(env) if fact not in hidden]

    def percepts_of(self, env: int, player: str) -> list[str]:
        """What a player perceived of the last joint move of one game, as words."""
        seen = self.observation[env, self.players.index(player)]
        return [self.percepts[n] for n in np.flatnonzero(seen)]

    def __repr__(self) -> str:
        return (
            f"<tengen.hidden.VectorEnv {self._env.game.name!r}, {self.num_envs} games, "
            f"players {', '.join(self.players)}, {len(self.percepts)} percepts>"
        )
