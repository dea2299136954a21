"""Go and chess as environments of PettingZoo (https://pettingzoo.farama.org), with analyses as optional observations.

>>> from tengen.boards import GoEnv
>>> env = GoEnv(9, komi=7.0, columns=("black_influence", "territory"))
>>> env.reset()
>>> env.last()[0]["analysis"].shape
(2, 9, 9)

Both are ``pettingzoo.AECEnv`` with the agents ``black`` and ``white`` (Go; Black begins) or ``white`` and ``black`` (chess). The
winner of a game gets 1, the loser -1, a draw 0 and 0. Observations are planes ``int8 [planes, rows, columns]``, row 0 at the
top as White sees the chess board, and ``action_mask`` ``int8 [A]``. An illegal action raises ``ValueError``, or with
``illegal="lose"`` loses the game.

Chess needs python-chess: it keeps the board, and ends a game as ``chess.Board.outcome`` does, or as a draw when a position
is on the board for the third time or fifty moves of each side took nothing and moved no pawn.
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types; mypy checks this file in strict mode)
from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from . import chess as _chess
from ._tengen import Board, draw_chess, draw_go
from .gdl import Illegal
from .go import Analysis
from .tables import Effort, records_of

if TYPE_CHECKING:
    import chess as pychess

__all__ = ["CHESS_ACTIONS", "ChessEnv", "GoEnv"]

Observation = dict[str, NDArray[Any]]

CHESS_ACTIONS = 64 * 64 + 3 * 8 * 8
"""Moves of chess: from * 64 + to (a1 is 0, b1 is 1, h8 is 63; a pawn becomes a queen), then promotions to knight, bishop and
rook: 4096 + piece * 64 + file from * 8 + file to."""


class _TwoPlayers(pettingzoo.AECEnv[str, Observation, int | None]):
    """What both have: turns, rewards, spaces."""

    def __init__(
        self, agents: tuple[str, str], actions: int, spaces: dict[str, Space[Any]], illegal: Illegal, render_mode: str | None
    ) -> None:
        super().__init__()
        if illegal not in ("raise", "lose"):
            raise ValueError("illegal is raise or lose")
        self.possible_agents = list(agents)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.illegal: Illegal = illegal
        self.action_spaces: dict[str, Space[Any]] = {a: Discrete(actions) for a in agents}
        mask = {"action_mask": Box(0, 1, (actions,), np.int8)}
        self.observation_spaces: dict[str, Space[Any]] = {a: Dict({**spaces, **mask}) for a in agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """There is nothing to close."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The initial position; nothing is left to chance."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self.agent_selection = self.agents[0]
        self._start()

    def step(self, action: int | None) -> None:
        """The action of the agent on turn; None of one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, int | np.integer):
            raise TypeError(f"the action of {agent} must be an integer, not {action!r}")
        mask = self._mask()
        legal = 0 <= action < len(mask) and bool(mask[action])
        if not legal and self.illegal == "raise":
            raise ValueError(f"action {action} is not legal for {agent}; the game has not moved")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        other = next(a for a in self.agents if a != agent)
        if legal:
            self._move(int(action))
            winner, ended = self._winner()
        else:
            winner, ended = other, True
        if ended:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {a: 0.0 if winner is None else 1.0 if a == winner else -1.0 for a in self.agents}
        elif self._too_long():
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._accumulate_rewards()

    @abstractmethod
    def _start(self) -> None: ...

    @abstractmethod
    def _mask(self) -> NDArray[np.bool_]:
        """What the agent on turn may do."""

    @abstractmethod
    def _move(self, action: int) -> None: ...

    @abstractmethod
    def _winner(self) -> tuple[str | None, bool]:
        """Who won, and whether the game is over."""

    @abstractmethod
    def _too_long(self) -> bool: ...

    def _masked(self, agent: str, observation: Observation) -> Observation:
        mask = self._mask() if agent == self.agent_selection else np.zeros(self.action_spaces[agent].n, np.bool_)  # type: ignore[attr-defined]
        if any(self.terminations.values()) or any(self.truncations.values()):
            mask = np.zeros_like(mask)
        return {**observation, "action_mask": mask.astype(np.int8)}


class GoEnv(_TwoPlayers):
    """A game of Go. Vertices are numbered row by row from the top left, a pass is ``size * size``; two passes end the game, and
    it is counted by area with all stones alive.

    Planes: the agent's stones, the opponent's, vertices the agent may not play at though they are empty, 1 where the agent
    is Black.

    Parameters
    ----------
    size: vertices a side, 1 to 25
    komi: points White gets
    superko: whether no position may come up again; without, a ko alone may not be taken back at once
    suicide: whether strings of two stones and more may be taken off by their owner
    columns: columns of numbers of the table ``points`` (``docs/tables.md``), such as ``black_influence`` and ``territory``: the
        observation then has ``analysis``, float32 [columns, size, size], NaN as 0. Each position is analysed once, in
        milliseconds to seconds, by ``effort``
    max_moves: a longer game is truncated; three times the vertices without it
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "name": "tengen_go_v0", "is_parallelizable": False}

    def __init__(
        self,
        size: int = 9,
        *,
        komi: float = 7.0,
        superko: bool = True,
        suicide: bool = False,
        columns: Sequence[str] = (),
        effort: Effort = "quick",
        max_moves: int | None = None,
        illegal: Illegal = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.board = Board(size, superko=superko, suicide=suicide)
        self.size, self.komi, self.superko, self.suicide = size, komi, superko, suicide
        self.columns, self.effort = tuple(columns), effort
        self.max_moves = 3 * size * size if max_moves is None else max_moves
        spaces: dict[str, Space[Any]] = {"observation": Box(0, 1, (4, size, size), np.int8)}
        if columns:
            spaces["analysis"] = Box(-np.inf, np.inf, (len(columns), size, size), np.float32)
        super().__init__(("black", "white"), size * size + 1, spaces, illegal, render_mode)
        self.moves: list[int] = []
        self._analysed: tuple[int, NDArray[np.float32]] | None = None

    def _start(self) -> None:
        self.board = Board(self.size, superko=self.superko, suicide=self.suicide)
        self.moves = []
        self._analysed = None

    def _mask(self) -> NDArray[np.bool_]:
        return self.board.legal(self.agent_selection == "black")

    def _move(self, action: int) -> None:
        self.board.play(self.agent_selection == "black", action)
        self.moves.append(action)

    def _winner(self) -> tuple[str | None, bool]:
        if self.moves[-2:] != [self.size**2] * 2:
            return None, False
        lead = self.board.white_lead(self.komi)
        return (None if lead == 0 else "white" if lead > 0 else "black"), True

    def _too_long(self) -> bool:
        return len(self.moves) >= self.max_moves

    def vertex(self, action: int) -> str:
        """What GTP calls it: ``D4``, ``pass``."""
        if action == self.size**2:
            return "pass"
        return f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[action % self.size]}{self.size - action // self.size}"

    def analyse(self) -> Analysis:
        """The analysis of the position: all tables and arrays of :mod:`tengen.go`."""
        ko = "PositionalSuperko" if self.superko else "Simple"
        suicide = "MultiStone" if self.suicide else "Forbidden"
        moves = json.dumps([self.vertex(move) for move in self.moves])
        game = f"Go(size: {self.size}, moves: {moves}, komi: {self.komi}, ko: {ko}, suicide: {suicide})"
        text = f'(version: 1, name: "position", game: {game}, task: Analyse())'
        return Analysis(records_of([], text, jobs=1, effort=self.effort, columns=True))

    def _analysis(self) -> NDArray[np.float32]:
        if self._analysed is None or self._analysed[0] != len(self.moves):
            found = self.analyse()
            planes = np.stack([found.array(column)[0] for column in self.columns])
            self._analysed = len(self.moves), np.nan_to_num(planes).astype(np.float32)
        return self._analysed[1]

    def observe(self, agent: str) -> Observation:
        """What the agent sees: the planes, which actions are legal if it is its turn, the analysis if asked for."""
        stones = self.board.position().reshape(self.size, self.size)
        black = agent == "black"
        mine = 1 if black else -1
        barred = ~self.board.legal(black)[:-1].reshape(stones.shape) & (stones == 0)
        planes = [stones == mine, stones == -mine, barred, np.full(stones.shape, black)]
        observation: Observation = {"observation": np.stack(planes).astype(np.int8)}
        if self.columns:
            observation["analysis"] = self._analysis().copy()
        return self._masked(agent, observation)

    def _repr_svg_(self) -> str:
        last = self.moves[-1] if self.moves and self.moves[-1] < self.size**2 else None
        stones = self.board.position().tolist()
        return draw_go(self.size, f"Go, {len(self.moves)} moves", stones, [""] * self.size**2, last, [])

    def render(self) -> str:
        """The board as text, or as SVG with ``render_mode="svg"``."""
        if self.render_mode == "svg":
            return self._repr_svg_()
        rows = self.board.position().reshape(self.size, self.size).tolist()
        return "\n".join(" ".join({1: "X", -1: "O", 0: "."}[stone] for stone in row) for row in rows)


class ChessEnv(_TwoPlayers):
    """A game of chess; actions are numbered as :data:`CHESS_ACTIONS` says.

    Planes: White's pawns, knights, bishops, rooks, queens, king; Black's; 1 where White may castle short, long, Black short,
    long; the square a pawn may be taken on in passing; 1 if White is to move; 1 if the position was there before; 1 if it
    was there twice.

    Parameters
    ----------
    fen: where games begin
    nodes: the observation then has ``analysis``, float32 [2]: the score of a search of so many nodes in pawns, for the side
        to move, and the depth reached
    scheme: of repetition, in these searches (``docs/chess-repetition.md``)
    max_moves: a longer game (in plies) is truncated; 0 is no limit
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "name": "tengen_chess_v0", "is_parallelizable": False}

    def __init__(
        self,
        fen: str | None = None,
        *,
        nodes: int | None = None,
        scheme: str | None = None,
        max_moves: int = 0,
        illegal: Illegal = "raise",
        render_mode: str | None = None,
    ) -> None:
        import chess as pychess

        self.fen = pychess.STARTING_FEN if fen is None else fen
        self.board: pychess.Board = pychess.Board(self.fen)
        self.nodes, self.scheme, self.max_moves = nodes, scheme, max_moves
        spaces: dict[str, Space[Any]] = {"observation": Box(0, 1, (20, 8, 8), np.int8)}
        if nodes is not None:
            spaces["analysis"] = Box(-np.inf, np.inf, (2,), np.float32)
        agents = ("white", "black") if self.board.turn else ("black", "white")
        super().__init__(agents, CHESS_ACTIONS, spaces, illegal, render_mode)

    def _start(self) -> None:
        import chess as pychess

        self.board = pychess.Board(self.fen)
        self._analysed: tuple[int, NDArray[np.float32]] | None = None

    @staticmethod
    def action(move: pychess.Move) -> int:
        """The number of a move."""
        if move.promotion in (2, 3, 4):
            return 4096 + (move.promotion - 2) * 64 + move.from_square % 8 * 8 + move.to_square % 8
        return move.from_square * 64 + move.to_square

    def move(self, action: int) -> pychess.Move:
        """The legal move that a number stands for here. Raises ``ValueError`` if there is none."""
        for move in self.board.legal_moves:
            if self.action(move) == action:
                return move
        raise ValueError(f"action {action} is no legal move here")

    def _mask(self) -> NDArray[np.bool_]:
        mask = np.zeros(CHESS_ACTIONS, np.bool_)
        mask[[self.action(move) for move in self.board.legal_moves]] = True
        return mask

    def _move(self, action: int) -> None:
        self.board.push(self.move(action))

    def _winner(self) -> tuple[str | None, bool]:
        outcome = self.board.outcome()
        if outcome is None:
            return None, self.board.is_repetition(3) or self.board.is_fifty_moves()
        return (None if outcome.winner is None else "white" if outcome.winner else "black"), True

    def _too_long(self) -> bool:
        return 0 < self.max_moves <= len(self.board.move_stack)

    def observe(self, agent: str) -> Observation:
        """The planes, the same for both; which moves are legal for whose turn it is; the analysis if asked for."""
        board = self.board
        planes = np.zeros((20, 64), np.int8)
        for square, piece in board.piece_map().items():
            planes[piece.piece_type - 1 + (0 if piece.color else 6), square] = 1
        for plane, (color, side) in enumerate([(True, "king"), (True, "queen"), (False, "king"), (False, "queen")], 12):
            planes[plane] = getattr(board, f"has_{side}side_castling_rights")(color)
        if board.ep_square is not None:
            planes[16, board.ep_square] = 1
        planes[17] = board.turn
        planes[18], planes[19] = board.is_repetition(2), board.is_repetition(3)
        # Squares are numbered from a1; row 0 is the eighth rank.
        observation: Observation = {"observation": planes.reshape(20, 8, 8)[:, ::-1].copy()}
        if self.nodes is not None:
            observation["analysis"] = self._analysis().copy()
        return self._masked(agent, observation)

    def _analysis(self) -> NDArray[np.float32]:
        played = len(self.board.move_stack)
        if self._analysed is None or self._analysed[0] != played:
            values = np.zeros(2, np.float32)
            if any(self.board.legal_moves):
                found = _chess.search(self.board, nodes=self.nodes, scheme=self.scheme)
                values[:] = found.score / 100, found.depth
            self._analysed = played, values
        return self._analysed[1]

    def _repr_svg_(self) -> str:
        last = [self.board.peek().uci()] if self.board.move_stack else []
        return draw_chess(f"Chess, {len(self.board.move_stack)} moves", self.board.fen(), last)

    def render(self) -> str:
        """The board as text, or as SVG with ``render_mode="svg"``."""
        return self._repr_svg_() if self.render_mode == "svg" else str(self.board)
