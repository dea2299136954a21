"""Games from rulesheets as environments of PettingZoo (https://pettingzoo.farama.org), agents by the names of the roles.

>>> from tengen import gdl
>>> from tengen.pettingzoo import AECEnv
>>> env = AECEnv(gdl.example("noughts"))
>>> env.reset(seed=1)
>>> env.agent_selection, int(env.last()[0]["action_mask"].sum())
('noughts', 9)

:class:`ParallelEnv` asks every role for an action at every step, also where a role can only wait, as the Game
Description Language does. :class:`AECEnv` asks one after the other the roles that have a choice; what they chose is
played when all have, so that simultaneous moves stay simultaneous. Where no role has a choice the first is asked for
its only move.

An observation is ``{"observation": int8 [P], "action_mask": int8 [A]}``: the facts, the same for all roles, and which
actions are legal for this one. Rewards are goal values divided by 100 where the game ends, else 0. An illegal action
raises ``ValueError``, or with ``illegal="lose"`` ends the game with 0 for who made it and 1 for the others.

:class:`HiddenParallelEnv` is for games of hidden information (GDL-II). An agent observes its own percepts and its own
last action, and nothing of the state; the environment draws the moves of the role ``random``.
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from . import gdl, hidden

__all__ = ["AECEnv", "HiddenParallelEnv", "ParallelEnv"]

Observation = dict[str, NDArray[np.int8]]

Results = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]
"""What a joint step returns: observations, rewards, terminations, truncations, further facts."""


def _all_given(agents: list[str], actions: dict[str, int]) -> None:
    """Raises if an agent has no action."""
    missing = [a for a in agents if a not in actions]
    if missing:
        raise ValueError(f"no action for {', '.join(missing)}")


def _results(agents: list[str], observe: Callable[[str], Observation], step: gdl.Step | hidden.Step) -> Results:
    """A step of one game as the agents see it."""
    return (
        {a: observe(a) for a in agents},
        {a: float(step.reward[0, n]) for n, a in enumerate(agents)},
        {a: bool(step.terminated[0]) for a in agents},
        {a: bool(step.truncated[0]) for a in agents},
        {a: {} for a in agents},
    )


class _Roles:
    """One game with an action per role: what both kinds of environment are made of."""

    def __init__(self, game: gdl.Game | str | os.PathLike[str], illegal: gdl.Illegal, max_steps: int) -> None:
        self.env = gdl.VectorEnv(game, 1, joint=True, autoreset="disabled", illegal=illegal, max_steps=max_steps)
        self.names = list(self.env.roles)
        self.number = {name: n for n, name in enumerate(self.names)}
        actions, facts = len(self.env.actions), len(self.env.columns)
        # A vector environment of one role numbers actions per game; that is the same array.
        self.mask = self.env.legal_mask.reshape(len(self.names), actions)
        self.action_spaces: dict[str, Space[Any]] = {name: Discrete(actions) for name in self.names}
        self.observation_spaces: dict[str, Space[Any]] = {
            name: Dict(
                {
                    "observation": Box(0, 1, (facts,), np.int8),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.names
        }

    def observe(self, name: str) -> Observation:
        return {
            "observation": self.env.observation[0].astype(np.int8),
            "action_mask": self.mask[self.number[name]].astype(np.int8),
        }

    def check(self, name: str, action: int) -> None:
        """Raises if an action is no number of one."""
        if not isinstance(action, int | np.integer):
            raise TypeError(f"the action of {name} must be an integer, not {action!r}")
        if self.illegal_raises and not (0 <= action < self.mask.shape[1] and self.mask[self.number[name], action]):
            raise ValueError(f"action {action} is not legal for {name}; the game has not moved")

    @property
    def illegal_raises(self) -> bool:
        return self.env.illegal == "raise"

    def waiting(self) -> list[str]:
        """The roles that have a choice; the first role if none has."""
        choices = np.flatnonzero(self.mask.sum(axis=1) > 1)
        return [self.names[n] for n in choices] or self.names[:1]

    def step(self, chosen: dict[str, int]) -> gdl.Step:
        """A joint move; a role without a choice makes its only move."""
        only = self.mask.argmax(axis=1)
        actions = np.array([chosen.get(name, only[n]) for n, name in enumerate(self.names)])
        return self.env.step(actions.reshape(self.env.action_shape))


class _Environment:
    """What both kinds of environment have: the game below, its spaces, and its facts."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "tengen_gdl_v0"}

    def _set_up(
        self, game: gdl.Game | str | os.PathLike[str], illegal: gdl.Illegal, max_steps: int, render_mode: str | None
    ) -> None:
        self._roles = _Roles(game, illegal, max_steps)
        self.render_mode = render_mode
        self.possible_agents = list(self._roles.names)
        self.agents: list[str] = []
        self.observation_spaces = self._roles.observation_spaces
        self.action_spaces = self._roles.action_spaces

    @property
    def games(self) -> gdl.VectorEnv:
        """The environment below: names of actions and facts."""
        return self._roles.env

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """The true facts, a line each."""
        return "\n".join(self._roles.env.facts(0))

    def close(self) -> None:
        """There is nothing to close."""

    def state(self) -> NDArray[np.int8]:
        """The facts, int8 [P]."""
        facts: NDArray[np.int8] = self._roles.env.observation[0].astype(np.int8)
        return facts


class ParallelEnv(_Environment, pettingzoo.ParallelEnv[str, Observation, int]):
    """One game, an action of every role at every step."""

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        *,
        illegal: gdl.Illegal = "raise",
        max_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self._set_up(game, illegal, max_steps, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """The initial state; rulesheets leave nothing to chance."""
        self._roles.env.reset()
        self.agents = list(self.possible_agents)
        return {a: self._roles.observe(a) for a in self.agents}, {a: {} for a in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> Results:
        """A joint move: an action for every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        _all_given(self.agents, actions)
        for agent in self.agents:
            self._roles.check(agent, actions[agent])
        step = self._roles.step({a: int(actions[a]) for a in self.agents})
        agents = self.agents
        if step.terminated[0] or step.truncated[0]:
            self.agents = []
        return _results(agents, self._roles.observe, step)


class HiddenParallelEnv(pettingzoo.ParallelEnv[str, Observation, int]):
    """One game of hidden information: agents are the roles but ``random``.

    An observation is ``{"observation": int8 [Q], "last_action": int8 [A], "action_mask": int8 [A]}``: what the agent
    perceived of the last joint move, its own last action (all 0 at the start) and which actions are legal now.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "tengen_gdl_hidden_v0"}

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        *,
        illegal: gdl.Illegal = "raise",
        max_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.env = hidden.VectorEnv(game, 1, autoreset="disabled", illegal=illegal, max_steps=max_steps)
        self.render_mode = render_mode
        self.possible_agents = list(self.env.players)
        self.agents: list[str] = []
        actions, percepts = len(self.env.actions), len(self.env.percepts)
        self.action_spaces: dict[str, Space[Any]] = {name: Discrete(actions) for name in self.possible_agents}
        self.observation_spaces: dict[str, Space[Any]] = {
            name: Dict(
                {
                    "observation": Box(0, 1, (percepts,), np.int8),
                    "last_action": Box(0, 1, (actions,), np.int8),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What the agent sees now."""
        n = self.possible_agents.index(agent)
        last = np.zeros(len(self.env.actions), np.int8)
        if self.env.last_action[0, n] >= 0:
            last[self.env.last_action[0, n]] = 1
        return {
            "observation": self.env.observation[0, n].astype(np.int8),
            "last_action": last,
            "action_mask": self.env.legal_mask[0, n].astype(np.int8),
        }

    def render(self) -> str:
        """The true facts, a line each, for whoever looks on."""
        return "\n".join(self.env.facts(0))

    def close(self) -> None:
        """There is nothing to close."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """The initial state; ``seed`` is that of the role ``random``."""
        self.env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return {a: self.observe(a) for a in self.agents}, {a: {} for a in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> Results:
        """A joint move: an action for every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        _all_given(self.agents, actions)
        step = self.env.step(np.array([[actions[a] for a in self.agents]]))
        agents = self.agents
        if step.terminated[0] or step.truncated[0]:
            self.agents = []
        return _results(agents, self.observe, step)


class AECEnv(_Environment, pettingzoo.AECEnv[str, Observation, int | None]):
    """One game, one role after the other."""

    metadata: dict[str, Any] = {**_Environment.metadata, "is_parallelizable": False}

    def __init__(
        self,
        game: gdl.Game | str | os.PathLike[str],
        *,
        illegal: gdl.Illegal = "raise",
        max_steps: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._set_up(game, illegal, max_steps, render_mode)
        self._chosen: dict[str, int] = {}
        self._waiting: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The initial state; rulesheets leave nothing to chance."""
        self._roles.env.reset()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self._ask()

    def _ask(self) -> None:
        self._chosen, self._waiting = {}, self._roles.waiting()
        self.agent_selection = self._waiting[0]

    def observe(self, agent: str) -> Observation:
        """What the agent sees now: choices of this joint move are not shown before all have chosen."""
        return self._roles.observe(agent)

    def step(self, action: int | None) -> None:
        """The action of the agent selected; None of one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._roles.check(agent, action)  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = int(action)  # type: ignore[arg-type]
        left = self._waiting[len(self._chosen) :]
        if left:
            self.agent_selection = left[0]
        else:
            step = self._roles.step(self._chosen)
            over, cut_off = bool(step.terminated[0]), bool(step.truncated[0])
            self.rewards = {a: float(step.reward[0, n]) for n, a in enumerate(self.agents)}
            self.terminations = dict.fromkeys(self.agents, over)
            self.truncations = dict.fromkeys(self.agents, cut_off)
            if over or cut_off:
                self.agent_selection = self.agents[0]
            else:
                self._ask()
        self._accumulate_rewards()
