"""Positions of Go analysed: strings, dragons, eyes, influence, moves, as Arrow tables and NumPy arrays.

>>> from tengen import go
>>> result = go.analyse("games/*.sgf", every=10)        # doctest: +SKIP
>>> polars.DataFrame(result.dragons)                    # doctest: +SKIP
>>> result.array("black_influence").shape               # doctest: +SKIP
(143, 19, 19)
"""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._tengen import draw_go
from .tables import Effort, Paths, Result, records_of

__all__ = ["Analysis", "analyse"]


class Analysis(Result):
    """What was found about positions of Go: tables, and arrays over the vertices."""

    def array(self, column: str) -> NDArray[np.float64]:
        """A column of the vertices, [N, size, size], row 0 at the top: numbers, NaN where there is none.

        N are the positions that were analysed, in order. ``stone`` is 1 for Black, -1 for White, 0 where empty; any
        other column of numbers of the table ``points`` goes by its name. Raises ``ValueError`` if boards differ in size.
        """
        points = self.points
        sizes = {int(size) for size in self.positions.numbers("size") if size == size}
        if len(sizes) > 1:
            raise ValueError(f"the boards have different sizes: {sorted(sizes)}")
        size = sizes.pop() if sizes else 0
        if column == "stone":
            number = {"Black": 1.0, "White": -1.0, None: 0.0}
            flat = np.array([number[stone] for stone in points.texts("stone")], np.float64)
        else:
            flat = points.numbers(column)
        return flat.reshape(-1, size, size) if size else np.zeros((0, 0, 0))

    def svg(self, n: int = 0) -> str:
        """A picture of the n-th position that was analysed: its stones, how its dragons stand, its best moves by rank.

        Raises ``ValueError`` if boards differ in size, ``IndexError`` if there is no such position.
        """
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
        try:
            many = len(self.array("stone"))
        except ValueError:
            return f"<p>{escape(repr(self))}: boards of different sizes</p>"
        boards = "".join(f'<div style="width:20em">{self.svg(n)}</div>' for n in range(min(few, many)))
        more = f"<p>and {many - few} more</p>" if many > few else ""
        return f'<div style="display:flex;flex-wrap:wrap">{boards}</div>{more}'

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The records of what could not be analysed."""
        return [record for record in self.records if record["status"] == "error"]


def analyse(
    paths: Paths,
    *,
    every: int | None = None,
    move: int | None = None,
    effort: Effort | None = None,
    judge: str | None = None,
    jobs: int = 0,
    limit_nodes: int | None = None,
) -> Analysis:
    """Analyses positions of game records (SGF): files, folders or globs.

    Parameters
    ----------
    every: the first position and those after every so many moves; without it the last one of each game
    move: the position after so many moves
    effort: how far to read: ``quick``, ``normal`` or ``deep``
    judge: who judges: ``embedded``, ``playouts``, ``playouts:N``, ``none``, ``net:FILE`` or a command that speaks
        KataGo's analysis protocol; the columns ``judge_owner`` and ``judge_likelihood`` are the judge's
    jobs: threads, 0 for one a core; the result does not depend on it
    limit_nodes: nodes of each reading at most

    A file that can't be read, and a move that can't be played, cost no other position: :attr:`Analysis.errors`.
    """
    return Analysis(
        records_of(
            paths,
            every=every,
            move=move,
            effort=effort,
            judge=judge,
            jobs=jobs,
            limit_nodes=limit_nodes,
            columns=True,
        )
    )
