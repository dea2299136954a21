"""Games of one role as environments of Gymnasium (https://gymnasium.farama.org).

>>> from tengen import gdl
>>> from tengen.gymnasium import VectorEnv
>>> env = VectorEnv(gdl.example("corridor"), num_envs=64)
>>> observations, infos = env.reset(seed=1)
>>> observations.shape == (64, env.single_observation_space.n), infos["action_mask"].shape[0]
(True, 64)

An observation is a row of 0 and 1, a fact each (:attr:`tengen.gdl.VectorEnv.columns`); an action is a number
(:attr:`tengen.gdl.VectorEnv.actions`). ``infos["action_mask"]`` says which actions are legal, in the form that
``Discrete.sample(mask=...)`` takes. The reward is the goal value divided by 100 where a game ends, else 0.

Gymnasium draws actions from the whole space, so that by default an illegal action ends its game with the reward 0
(``illegal="lose"``); ``illegal="raise"`` raises ``ValueError`` instead. Games of several roles: :mod:`tengen.pettingzoo`.
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import gdl

__all__ = ["Env", "VectorEnv"]

_MODES: dict[gdl.Autoreset, AutoresetMode] = {
    "next_step": AutoresetMode.NEXT_STEP,
    "same_step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}


def _one_role(env: gdl.VectorEnv) -> None:
    if len(env.roles) != 1:
        raise ValueError(
            f"{env.game.name} has {len(env.roles)} roles, and Gymnasium's environments have one: tengen.pettingzoo"
        )


class VectorEnv(gymnasium.vector.VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """N games of a rulesheet at once; the parameters are those of :class:`tengen.gdl.VectorEnv`.

    With ``copy=False`` observations, rewards and masks are the environment's own arrays, overwritten by the next step.
    :attr:`games` is the environment below.
    """

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        autoreset: gdl.Autoreset = "next_step",
        illegal: gdl.Illegal = "lose",
        max_steps: int = 0,
        copy: bool = True,
    ) -> None:
        self.games = gdl.VectorEnv(
            game, num_envs, seed=seed, threads=threads, autoreset=autoreset, illegal=illegal, max_steps=max_steps
        )
        _one_role(self.games)
        self.num_envs = num_envs
        self.copy = copy
        self.metadata = {"autoreset_mode": _MODES[autoreset], "render_modes": []}
        self.single_observation_space = MultiBinary(len(self.games.columns))
        self.single_action_space = Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """All games, or those of ``options["reset_mask"]`` (bool [N]), from the start.

        Rulesheets leave nothing to chance: the seed is that of :meth:`tengen.gdl.VectorEnv.sample_legal`.
        """
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        self.games.reset(first, mask=(options or {}).get("reset_mask"))
        return self._own(self.games.observation.view(np.int8)), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """An action for each game [N]."""
        step = self.games.step(actions)
        infos = self._infos()
        over = step.terminated | step.truncated
        if self.games.autoreset == "same_step" and over.any():
            final = np.full(self.num_envs, None, dtype=object)
            for game in np.flatnonzero(over):
                final[game] = self.games.final_observation[game].astype(np.int8)
            infos |= {"final_obs": final, "_final_obs": over}
        return (
            self._own(step.observation.view(np.int8)),
            self._own(step.reward[:, 0]),
            self._own(step.terminated),
            self._own(step.truncated),
            infos,
        )

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        mask = self._own(self.games.legal_mask.view(np.int8))
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}


class Env(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One game of a rulesheet with one role; spaces, masks and rewards as in :class:`VectorEnv`.

    ``render()`` gives the true facts, a line each (mode ``ansi``).
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        *,
        illegal: gdl.Illegal = "lose",
        max_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.games = gdl.VectorEnv(game, 1, autoreset="disabled", illegal=illegal, max_steps=max_steps)
        _one_role(self.games)
        self.render_mode = render_mode
        self.observation_space = MultiBinary(len(self.games.columns))
        self.action_space = Discrete(len(self.games.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """The initial state; rulesheets leave nothing to chance."""
        super().reset(seed=seed)
        return self.games.reset()[0].astype(np.int8), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Makes a move."""
        step = self.games.step(np.array([action]))
        return (
            step.observation[0].astype(np.int8),
            float(step.reward[0, 0]),
            bool(step.terminated[0]),
            bool(step.truncated[0]),
            self._info(),
        )

    def render(self) -> str:
        """The true facts, a line each."""
        return "\n".join(self.games.facts(0))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.legal_mask[0].astype(np.int8)}
