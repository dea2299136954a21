"""Games as environments of Gymnasium (https://gymnasium.farama.org).

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
(``illegal="lose"``); ``illegal="raise"`` raises ``ValueError`` instead. In games of several roles :class:`OpponentEnv` lets a
policy play the others; :mod:`tengen.pettingzoo` has an agent for each.

To import this module registers ``tengen/Gdl-v0``, ``tengen/Go-v0`` and ``tengen/Chess-v0``:

>>> import gymnasium
>>> env = gymnasium.make("tengen/Gdl-v0", game="noughts", opponent="uct", playouts=100)
>>> observation, info = env.reset(seed=1)
>>> int(info["action_mask"].sum())
9
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import gdl

__all__ = ["Env", "OpponentEnv", "Policy", "VectorEnv", "make_chess", "make_gdl", "make_gdl_vec", "make_go"]

_MODES: dict[gdl.Autoreset, AutoresetMode] = {
    "next_step": AutoresetMode.NEXT_STEP,
    "same_step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}


def _one_role(env: gdl.VectorEnv) -> None:
    if len(env.roles) != 1:
        raise ValueError(
            f"{env.game.name} has {len(env.roles)} roles, and this environment is for one: OpponentEnv, or tengen.pettingzoo"
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


Policy = Literal["random", "uct"] | Callable[[dict[str, NDArray[Any]], Any], int]
"""Who plays another role: see :class:`OpponentEnv`."""


class OpponentEnv(gymnasium.Env[dict[str, NDArray[Any]], np.int64]):
    """A game of several roles for one agent; a policy plays the other roles.

    ``reset`` and ``step`` play on until the agent is to move again. Observations are those of the environment below:
    ``{"observation", "action_mask"}``. The reward of a step is what the agent got until then: its goal value divided by 100
    where a game of a rulesheet ends, 1, 0 or -1 where one of Go or chess ends.

    Parameters
    ----------
    env: an environment of :mod:`tengen.pettingzoo` or :mod:`tengen.boards` with agents in turn; or a game, or the path of a
        rulesheet, for :class:`tengen.pettingzoo.AECEnv`
    agent: whom the caller plays, by name or number
    opponent: ``random`` (legal actions, all equally likely), ``uct`` (rulesheets only; UCT with ``playouts`` playouts a
        move), or a callable that gets the observation of the agent on turn and the environment below and returns an
        action. A role ``random`` of a rulesheet is chance and plays at random always
    playouts: of each move of ``uct``
    options: of ``AECEnv``, where ``env`` is a game: ``illegal`` (``lose`` by default) and ``max_steps``

    The seed of ``reset`` is that of ``random`` and ``uct``. :attr:`games` is the environment below.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        env: Any,
        *,
        agent: str | int = 0,
        opponent: Policy = "random",
        playouts: int = 1000,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        from . import pettingzoo

        if isinstance(env, gdl.Game | str | os.PathLike):
            env = pettingzoo.AECEnv(env, **{"illegal": "lose", **options})
        elif options:
            raise TypeError(f"{', '.join(options)}: options go with a game, not with an environment")
        agents: list[str] = env.possible_agents
        if isinstance(agent, bool) or agent not in agents and not (isinstance(agent, int) and 0 <= agent < len(agents)):
            raise ValueError(f"agent must be one of {', '.join(agents)}, or a number below {len(agents)}, not {agent!r}")
        if not callable(opponent) and opponent not in ("random", "uct"):
            raise ValueError(f"opponent must be random, uct or a callable, not {opponent!r}")
        if opponent == "uct" and not isinstance(env, pettingzoo.AECEnv):
            raise ValueError("opponent: uct plays games of rulesheets only; give a callable")
        if isinstance(playouts, bool) or not isinstance(playouts, int | np.integer):
            raise TypeError(f"playouts must be an integer, not {playouts!r}")
        if playouts < 1:
            raise ValueError(f"playouts must be 1 or more, not {playouts}")
        self.games = env
        self.agent: str = agents[agent] if isinstance(agent, int) else agent
        self.opponent: Policy = opponent
        self.playouts = int(playouts)
        self.render_mode = render_mode
        if render_mode is not None:
            self.games.render_mode = render_mode
        chance = env.game.chance if isinstance(env, pettingzoo.AECEnv) else None
        self._chance = None if chance is None else agents[chance]
        self.observation_space = env.observation_space(self.agent)
        self.action_space = env.action_space(self.agent)
        self._reward = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """The first state in which the agent is to move."""
        super().reset(seed=seed)
        self.games.reset(seed=seed)
        self._reward = 0.0
        self._play_on()
        return self._seen()

    def step(self, action: np.int64) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Makes a move of the agent, and those of the others until the agent is to move again."""
        if not self._over():
            self._move(int(action))
            self._play_on()
        reward, self._reward = self._reward, 0.0
        games = self.games
        observation, info = self._seen()
        return observation, reward, bool(games.terminations[self.agent]), bool(games.truncations[self.agent]), info

    def render(self) -> Any:
        """What the environment below shows."""
        return self.games.render()

    def _over(self) -> bool:
        return bool(self.games.terminations[self.agent] or self.games.truncations[self.agent])

    def _move(self, action: int) -> None:
        self.games.step(action)
        self._reward += float(self.games.rewards[self.agent])

    def _play_on(self) -> None:
        while not self._over() and self.games.agent_selection != self.agent:
            self._move(self._chosen(self.games.agent_selection))

    def _chosen(self, agent: str) -> int:
        """What the policy plays for another agent."""
        observation = self.games.observe(agent)
        if callable(self.opponent) and agent != self._chance:
            return int(self.opponent(observation, self.games))
        if self.opponent == "uct" and agent != self._chance:
            seed = int(self.np_random.integers(2**63))
            return int(self.games.current.uct(self.playouts, role=agent, seed=seed))
        return int(self.np_random.choice(np.flatnonzero(observation["action_mask"])))

    def _seen(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        observation = self.games.observe(self.agent)
        return observation, {"action_mask": observation["action_mask"]}


def _game(game: gdl.Game | str | os.PathLike[str]) -> gdl.Game:
    """A game, that of an example's name, or that of a rulesheet."""
    if isinstance(game, gdl.Game):
        return game
    return gdl.example(game) if isinstance(game, str) and game in gdl.examples() else gdl.load(game)


def make_gdl(game: gdl.Game | str | os.PathLike[str] = "noughts", **options: Any) -> Env | OpponentEnv:
    """``tengen/Gdl-v0``: the environment of a game, the name of an example, or the path of a rulesheet. :class:`Env` where
    it has one role, else :class:`OpponentEnv`."""
    read = _game(game)
    return Env(read, **options) if len(read.roles) == 1 else OpponentEnv(read, **options)


def make_gdl_vec(num_envs: int = 1, game: gdl.Game | str | os.PathLike[str] = "corridor", **options: Any) -> VectorEnv:
    """``tengen/Gdl-v0`` many times: :class:`VectorEnv`, for games of one role."""
    return VectorEnv(_game(game), num_envs, **options)


def make_go(
    size: int = 9,
    *,
    agent: str | int = 0,
    opponent: Policy = "random",
    render_mode: str | None = None,
    **options: Any,
) -> OpponentEnv:
    """``tengen/Go-v0``: :class:`OpponentEnv` on :class:`tengen.boards.GoEnv`, whose options it takes. Illegal moves lose."""
    from .boards import GoEnv

    env = GoEnv(size, **{"illegal": "lose", **options})
    return OpponentEnv(env, agent=agent, opponent=opponent, render_mode=render_mode)


def make_chess(
    fen: str | None = None,
    *,
    agent: str | int = 0,
    opponent: Policy = "random",
    render_mode: str | None = None,
    **options: Any,
) -> OpponentEnv:
    """``tengen/Chess-v0``: :class:`OpponentEnv` on :class:`tengen.boards.ChessEnv`, whose options it takes. Illegal moves
    lose."""
    from .boards import ChessEnv

    env = ChessEnv(fen, **{"illegal": "lose", **options})
    return OpponentEnv(env, agent=agent, opponent=opponent, render_mode=render_mode)


def _register() -> None:
    """Tells Gymnasium of the names."""
    several: dict[str, tuple[Any, Any]] = {
        "tengen/Gdl-v0": (make_gdl, make_gdl_vec),
        "tengen/Go-v0": (make_go, None),
        "tengen/Chess-v0": (make_chess, None),
    }
    for name, (one, many) in several.items():
        if name not in gymnasium.registry:
            vector = None if many is None else f"{__name__}:{many.__name__}"
            gymnasium.register(name, f"{__name__}:{one.__name__}", disable_env_checker=True, vector_entry_point=vector)


_register()
