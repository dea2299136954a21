"""Games from rulesheets as environments of PettingZoo (https://pettingzoo.farama.org), agents by the names of the roles.

>>> from tengen import gdl
>>> from tengen.pettingzoo import AECEnv
>>> env = AECEnv(gdl.example("noughts"))
>>> env.reset(seed=1)
>>> env.agent_selection, int(env.last()[0]["action_mask"].sum())
('noughts', 9)

:class:`ParallelEnv` asks every role for an action at every step, also where a role can only wait, as the Game
Description Language does. :class:`AECEnv` asks one after the other the roles that have a choice; what they chose is
played when all have, so that simultaneous moves stay simultaneous. Where no role has a choice the first that does not wait
is asked for its only move.

An observation is ``{"observation": int8 [P], "action_mask": int8 [A]}``: the facts, the same for all roles, and which
actions are legal for this one. Rewards are goal values divided by 100 where the game ends, else 0. An illegal action
raises ``ValueError``, or with ``illegal="lose"`` ends the game with 0 for who made it and 1 for the others.

:class:`HiddenParallelEnv` is for games of hidden information (GDL-II). An agent observes its own percepts and its own
last action, and nothing of the state; the environment draws the moves of the role ``random``.
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import operator
import os
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


def _number(name: str, action: Any) -> int:
    """An action as an integer; whatever ``Discrete.contains`` takes is one."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"the action of {name} must be an integer, not {action!r}") from None


class _Roles:
    """One game with an action per role: what both kinds of environment are made of."""

    def __init__(self, game: gdl.Game | str | os.PathLike[str], illegal: gdl.Illegal, max_steps: int) -> None:
        if illegal not in ("raise", "lose"):
            raise ValueError("illegal is raise or lose")
        self.game = game if isinstance(game, gdl.Game) else gdl.load(game)
        self.illegal = illegal
        self.max_steps = max_steps
        self.names = list(self.game.roles)
        self.number = {name: n for n, name in enumerate(self.names)}
        self.actions = len(self.game.actions)
        facts = len(self.game.columns)
        self.state = self.game.initial()
        self.lost: dict[str, float] | None = None
        """The rewards after an illegal action, where it loses."""
        self.action_spaces: dict[str, Space[Any]] = {name: Discrete(self.actions) for name in self.names}
        self.observation_spaces: dict[str, Space[Any]] = {
            name: Dict(
                {
                    "observation": Box(0, 1, (facts,), np.int8),
                    "action_mask": Box(0, 1, (self.actions,), np.int8),
                }
            )
            for name in self.names
        }

    def start(self) -> None:
        """The initial state."""
        self.state = self.game.initial()
        self.lost = None

    @property
    def ended(self) -> tuple[bool, bool]:
        """Whether the game is over, and whether it was cut off."""
        if self.lost is not None:
            return True, False
        state = self.state
        if state.over:
            terminal = state.terminal
            return terminal, not terminal
        return False, 0 < self.max_steps <= state.moves

    def observe(self, name: str) -> Observation:
        state = self.state
        goes_on = self.lost is None and not 0 < self.max_steps <= state.moves
        observation, mask = state._seen(self.number[name], goes_on)
        return {"observation": observation, "action_mask": mask}

    def check(self, name: str, action: Any) -> int:
        """The number of an action. Raises if it is none, or not legal where that is an error."""
        number = _number(name, action)
        if self.illegal == "raise" and number not in self.state.legal_actions(self.number[name]):
            raise ValueError(f"action {number} is not legal for {name}; the game has not moved")
        return number

    def waiting(self) -> list[str]:
        """The roles that have a choice; the first that does not wait if none has."""
        state = self.state
        turn = state.turn
        if turn is not None:
            return [self.names[turn]]
        return [name for n, name in enumerate(self.names) if len(state.legal_actions(n)) > 1]

    def play(self, chosen: dict[str, int]) -> None:
        """A joint move; a role without a choice makes its only move."""
        state = self.state
        wrong = [
            name for name, action in chosen.items() if action not in state.legal_actions(self.number[name])
        ] if self.illegal == "lose" else []
        if wrong:
            self.lost = {name: 0.0 if name in wrong else 1.0 for name in self.names}
            return
        joint = [
            chosen[name] if name in chosen else state.legal_actions(n)[0] for n, name in enumerate(self.names)
        ]
        state.apply(joint)

    def rewards(self, ended: bool) -> dict[str, float]:
        """The rewards of the last joint move."""
        if self.lost is not None:
            return dict(self.lost)
        if not ended:
            return dict.fromkeys(self.names, 0.0)
        return dict(zip(self.names, self.state.rewards, strict=True))


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
    def game(self) -> gdl.Game:
        """The game: names of actions and facts."""
        return self._roles.game

    @property
    def current(self) -> gdl.State:
        """A copy of the state, to search from."""
        return self._roles.state.clone()

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """The true facts, a line each."""
        return "\n".join(self._roles.state.facts)

    def close(self) -> None:
        """There is nothing to close."""

    def state(self) -> NDArray[np.int8]:
        """The facts, int8 [P]."""
        facts: NDArray[np.int8] = self._roles.state.observation.view(np.int8)
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
        self._roles.start()
        self.agents = list(self.possible_agents)
        return {a: self._roles.observe(a) for a in self.agents}, {a: {} for a in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> Results:
        """A joint move: an action for every agent."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        _all_given(self.agents, actions)
        roles, agents = self._roles, self.agents
        roles.play({agent: roles.check(agent, actions[agent]) for agent in agents})
        over, cut_off = roles.ended
        if over or cut_off:
            self.agents = []
        return (
            {a: roles.observe(a) for a in agents},
            roles.rewards(over or cut_off),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut_off),
            {a: {} for a in agents},
        )


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
        step = self.env.step(np.array([[_number(a, actions[a]) for a in self.agents]]))
        agents = self.agents
        if step.terminated[0] or step.truncated[0]:
            self.agents = []
        return (
            {a: self.observe(a) for a in agents},
            {a: float(step.reward[0, n]) for n, a in enumerate(agents)},
            dict.fromkeys(agents, bool(step.terminated[0])),
            dict.fromkeys(agents, bool(step.truncated[0])),
            {a: {} for a in agents},
        )


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
        self._roles.start()
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
        roles = self._roles
        alone = len(self._waiting) == 1
        if alone and roles.illegal == "raise":
            try:
                roles.state.apply(_number(agent, action))
            except ValueError as error:
                raise ValueError(f"{error}, for {agent}; the game has not moved") from None
        else:
            self._chosen[agent] = roles.check(agent, action)
        self._cumulative_rewards[agent] = 0.0
        left = self._waiting[len(self._chosen) :] if not alone else []
        if left:
            self._clear_rewards()
            self.agent_selection = left[0]
        else:
            if self._chosen:
                roles.play(self._chosen)
            over, cut_off = roles.ended
            self.rewards = roles.rewards(over or cut_off)
            if over or cut_off:
                self.terminations = dict.fromkeys(self.agents, over)
                self.truncations = dict.fromkeys(self.agents, cut_off)
                self.agent_selection = self.agents[0]
                self._accumulate_rewards()
            else:
                self._ask()
            return
        self._accumulate_rewards()
