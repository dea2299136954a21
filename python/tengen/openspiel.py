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
        env = gdl.VectorEnv(game, observe=False)
        self.game = game
        self.name = name
        self.setup_seconds = setup_seconds
        self.turns = env.turns
        self.actions = env.actions
        self.columns = env.columns
        self.number = {text: n for n, text in enumerate(env.actions)}
        self.column = {text: n for n, text in enumerate(env.columns) if text}


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


class _Shared:
    """A state, and how it was reached. It does not change, so that copies share it: OpenSpiel clones states by deep copies
    of what they hold, and serialises them by pickling that.
    """

    def __init__(self, rules: _Rules, before: _Shared | None = None, moves: list[str] | None = None) -> None:
        self.rules = rules
        self.before = before
        self.moves = moves
        self.count: int = 0 if before is None else before.count + 1
        self.state: gdl.State = rules.game.initial() if before is None or moves is None else before.state.next(moves)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        played: list[list[str]] = []
        at = self
        while at.before is not None and at.moves is not None:
            played.append(at.moves)
            at = at.before
        return _replay, (self.rules.name, self.rules.setup_seconds, played[::-1])


def _replay(rules: str, setup_seconds: float, played: list[list[str]]) -> _Shared:
    """The state after these joint moves."""
    state = _Shared(_rules(rules, setup_seconds))
    for moves in played:
        state = _Shared(state.rules, state, moves)
    return state


class GdlState(pyspiel.State):
    """A state of a rulesheet as a ``pyspiel.State``."""

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        self._enter(game, _Shared(game.rules))

    def _enter(self, game: GdlGame, shared: _Shared) -> None:
        self._shared = shared
        state = shared.state
        self._over = state.terminal or shared.count >= game.max_steps
        number = game.rules.number
        self._legal: list[list[int]] = [
            [] if self._over else sorted(number[text] for text in state.legal(role)) for role in game.rules.game.roles
        ]
        # Where a role has no legal move nothing can be played on.
        self._over = self._over or not all(self._legal)
        choosing = [role for role, legal in enumerate(self._legal) if len(legal) > 1]
        if self._over:
            self._player = pyspiel.PlayerId.TERMINAL
        elif game.simultaneous:
            self._player = pyspiel.PlayerId.SIMULTANEOUS
        elif len(choosing) < 2:
            self._player = choosing[0] if choosing else 0
        else:
            raise ValueError("two roles have a choice here: load the game with dynamics simultaneous")

    def current_player(self) -> int:
        """Whose choice it is; the first role's where nobody has one."""
        return int(self._player)

    def _legal_actions(self, player: int) -> list[int]:
        return self._legal[player]

    def _apply_action(self, action: int) -> None:
        self._play([action if role == self._player else legal[0] for role, legal in enumerate(self._legal)])

    def _apply_actions(self, actions: list[int]) -> None:
        self._play(actions)

    def _play(self, actions: list[int]) -> None:
        game = self.get_game()
        texts = game.rules.actions
        for role, action in enumerate(actions):
            if action not in self._legal[role]:
                raise ValueError(f"action {action} is not legal for player {role}; the state has not changed")
        self._enter(game, _Shared(game.rules, self._shared, [texts[a] for a in actions]))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.get_game().rules.actions[action])

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules, by the limit of moves or because a role has no legal move."""
        return self._over

    def returns(self) -> list[float]:
        """Goal values divided by 100 where the game is over by its rules, else 0."""
        if not (self._over and self._shared.state.terminal):
            return [0.0] * len(self._legal)
        return [0.0 if goal is None else goal / 100 for goal in self._shared.state.goals]

    @property
    def facts(self) -> list[str]:
        """The true facts, sorted."""
        return self._shared.state.facts

    def __str__(self) -> str:
        return "\n".join(self._shared.state.facts)


class _Observer:
    """The facts as a tensor and as text."""

    def __init__(self, rules: _Rules) -> None:
        self._column = rules.column
        self.tensor: NDArray[np.float32] = np.zeros(len(rules.columns), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"facts": self.tensor}

    def set_from(self, state: GdlState, player: int) -> None:
        """Writes the state's facts to the tensor."""
        self.tensor.fill(0)
        for fact in state.facts:
            if fact in self._column:
                self.tensor[self._column[fact]] = 1

    def string_from(self, state: GdlState, player: int) -> str:
        """The facts, a line each."""
        return str(state)


pyspiel.register_game(_game_type(pyspiel.GameType.Dynamics.SIMULTANEOUS, "Game Description Language"), GdlGame)
