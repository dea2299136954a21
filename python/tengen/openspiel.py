"""Games from rulesheets as games of OpenSpiel (https://github.com/google-deepmind/open_spiel).

>>> from tengen import openspiel
>>> game = openspiel.load("noughts")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> state.current_player()
1

Importing the module registers ``tengen_gdl``, so that ``pyspiel.load_game("tengen_gdl(rules=path/to/game.kif)")`` works
too. Parameters: ``rules``, the path of a rulesheet or the name of an example (:func:`tengen.gdl.examples`);
``max_steps``, after which a game is over without a goal (the utility of all is 0); ``dynamics``, ``auto`` (sequential
where roles take turns, else simultaneous), ``sequential`` or ``simultaneous``; ``setup_seconds``, which grounding may take.

Information is perfect, nothing is left to chance, utilities are goal values divided by 100, so that games are of general
sum. The observation tensor is a number per fact.
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from . import gdl

__all__ = ["GdlGame", "GdlState", "load"]

_PARAMETERS: dict[str, Any] = {"rules": "noughts", "max_steps": 1000, "dynamics": "auto", "setup_seconds": 60.0}
_ROLES = 64


def load(
    rules: str | os.PathLike[str],
    *,
    max_steps: int = 1000,
    dynamics: str = "auto",
    setup_seconds: float = 60.0,
) -> Any:
    """The game of a rulesheet, by path or by the name of an example: a ``pyspiel.Game``."""
    return pyspiel.load_game(
        "tengen_gdl",
        {
            "rules": os.fspath(rules),
            "max_steps": max_steps,
            "dynamics": dynamics,
            "setup_seconds": float(setup_seconds),
        },
    )


class _Rules:
    """A rulesheet with its numbers of moves and facts."""

    def __init__(self, game: gdl.Game, name: str, setup_seconds: float) -> None:
        self.game = game
        self.name = name
        self.setup_seconds = setup_seconds
        self.turns = game.turns
        self.actions = game.actions
        self.columns = game.columns


@functools.lru_cache(maxsize=64)
def _read(rules: str, setup_seconds: float, _modified: float) -> _Rules:
    known = rules in gdl.examples() and not Path(rules).exists()
    game = gdl.example(rules) if known else gdl.load(rules, setup_seconds=setup_seconds)
    return _Rules(game, rules, setup_seconds)


def _rules(rules: str, setup_seconds: float) -> _Rules:
    path = Path(rules)
    return _read(rules, setup_seconds, path.stat().st_mtime if path.exists() else 0.0)


def _game_type(dynamics: Any, long_name: str) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name="tengen_gdl",
        long_name=long_name,
        dynamics=dynamics,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=_ROLES,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_PARAMETERS,
    )


class GdlGame(pyspiel.Game):
    """A rulesheet as a ``pyspiel.Game``; :func:`load` makes it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = _PARAMETERS | (params or {})
        rules = _rules(str(given["rules"]), float(given["setup_seconds"]))
        dynamics = pyspiel.GameType.Dynamics
        kinds = {
            "auto": dynamics.SEQUENTIAL if rules.turns else dynamics.SIMULTANEOUS,
            "sequential": dynamics.SEQUENTIAL,
            "simultaneous": dynamics.SIMULTANEOUS,
        }
        if given["dynamics"] not in kinds:
            raise ValueError(f"dynamics is auto, sequential or simultaneous, not {given['dynamics']!r}")
        if given["max_steps"] < 1:
            raise ValueError("max_steps must be 1 or more")
        self.rules = rules
        self.max_steps = int(given["max_steps"])
        self.simultaneous: bool = kinds[given["dynamics"]] == dynamics.SIMULTANEOUS
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions),
            max_chance_outcomes=0,
            num_players=len(rules.game.roles),
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.max_steps,
        )
        super().__init__(_game_type(kinds[given["dynamics"]], f"GDL: {given['rules']}"), info, given)

    def new_initial_state(self) -> GdlState:
        """The initial state."""
        return GdlState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """The observer of the facts; there is one kind."""
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        return _Observer(self.rules)


class _Place:
    """A state of a game, and what OpenSpiel asks about it. OpenSpiel clones states by deep copies of what they hold, and
    serialises them by pickling that.
    """

    __slots__ = ("state", "rules", "max_steps", "simultaneous")

    def __init__(self, state: gdl.State, rules: _Rules, max_steps: int, simultaneous: bool) -> None:
        self.state = state
        self.rules = rules
        self.max_steps = max_steps
        self.simultaneous = simultaneous

    def __deepcopy__(self, memo: dict[int, Any]) -> _Place:
        return _Place(self.state.clone(), self.rules, self.max_steps, self.simultaneous)

    def __reduce__(self) -> tuple[Any, ...]:
        saved: Any = self.state.__reduce__()
        _, facts, moves = saved[1]
        return _place, (self.rules.name, self.rules.setup_seconds, facts, moves, self.max_steps, self.simultaneous)

    @property
    def over(self) -> bool:
        """Whether nothing can be played here."""
        return self.state.over or self.state.moves >= self.max_steps


def _place(rules: str, setup_seconds: float, facts: bytes, moves: int, max_steps: int, simultaneous: bool) -> _Place:
    """A state that was pickled."""
    known = _rules(rules, setup_seconds)
    return _Place(known.game._restored(facts, moves), known, max_steps, simultaneous)


_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_SIMULTANEOUS = int(pyspiel.PlayerId.SIMULTANEOUS)


class GdlState(pyspiel.State):
    """A state of a rulesheet as a ``pyspiel.State``."""

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        rules = game.rules
        self._place = _Place(rules.game.initial(), rules, game.max_steps, game.simultaneous)

    def current_player(self) -> int:
        """Whose choice it is; where nobody has one, that of the first role that does not wait."""
        place = self._place
        if place.over:
            return _TERMINAL
        if place.simultaneous:
            return _SIMULTANEOUS
        turn = place.state.turn
        if turn is None:
            raise ValueError("two roles have a choice here: load the game with dynamics simultaneous")
        return turn

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal actions of a player, or of the one on turn; asked by Python it takes no way through C++."""
        place = self._place
        if player is not None or place.simultaneous:
            found: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
            return found
        state = place.state
        return [] if state.moves >= place.max_steps else state.legal_actions()

    def _legal_actions(self, player: int) -> list[int]:
        place = self._place
        return [] if place.over else place.state.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self._place.state.apply(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._place.state.apply(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._place.rules.actions[action]

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules, by the limit of moves or because a role has no legal move."""
        state = self._place.state
        return state.over or state.moves >= self._place.max_steps

    def returns(self) -> list[float]:
        """Goal values divided by 100 where the game is over by its rules, else 0."""
        state = self._place.state
        if not state.terminal:
            return [0.0] * len(state.game.roles)
        return [float(reward) for reward in state.rewards]

    @property
    def state(self) -> gdl.State:
        """A copy of the state."""
        return self._place.state.clone()

    @property
    def facts(self) -> list[str]:
        """The true facts, sorted."""
        return self._place.state.facts

    def __str__(self) -> str:
        return "\n".join(self._place.state.facts)


class _Observer:
    """The facts as a tensor and as text."""

    def __init__(self, rules: _Rules) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(len(rules.columns), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"facts": self.tensor}

    def set_from(self, state: GdlState, player: int) -> None:
        """Writes the state's facts to the tensor."""
        self.tensor[:] = state._place.state.observation

    def string_from(self, state: GdlState, player: int) -> str:
        """The facts, a line each."""
        return str(state)


pyspiel.register_game(_game_type(pyspiel.GameType.Dynamics.SIMULTANEOUS, "Game Description Language"), GdlGame)
