"""Records of runs as Arrow tables.

:func:`read` takes the folder of ``tengen run --out DIR``; :func:`run` runs scenes, game records and positions in this
process; both give a :class:`Result` with one :class:`Table` a kind of thing: ``positions``, ``points``, ``worms``,
``dragons``, ``cavities``, ``caves``, ``eyes``, ``half_eyes``, ``break_ins``, ``moves``, ``reasons``,
``causes``, ``searches``, ``lines``, ``games``. ``docs/tables.md`` tells of every column;
``position`` joins them.

A table speaks the Arrow C data interface, so that ``polars.DataFrame(table)``, ``pandas.DataFrame.from_arrow(table)``,
``pyarrow.table(table)`` and DuckDB take it without a copy. ``pandas.DataFrame(table)`` takes a table row by row; from one
without rows it makes no columns.
"""

from __future__ import annotations

import json
import os
from collections import namedtuple
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from ._tengen import Records as _Records
from ._tengen import Table
from ._tengen import read_records as _read_records
from ._tengen import run_cases as _run_cases

__all__ = ["Effort", "Result", "Table", "read", "run"]

Effort = Literal["quick", "normal", "deep"]
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def _rows(table: Table) -> Iterator[Any]:
    """The rows of a table as named tuples."""
    kind: Any = namedtuple(table.name, table.columns)  # type: ignore[misc]  # noqa: PYI024
    return map(kind._make, zip(*(table.cells(name) for name in table.columns), strict=True))


class Result:
    """What a run found: a table a kind of thing, made when it is first asked for."""

    def __init__(self, records: _Records) -> None:
        self._records = records

    def __len__(self) -> int:
        """How many records there are."""
        return len(self._records)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records as ``docs/records.md`` describes them."""
        return [json.loads(line) for line in self._records.lines]

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What was read or done otherwise than it is written: of each warning its ``kind``, ``message``, ``help``, ``file`` and
        ``at`` (``line`` and ``column``), and the ``id`` of its record. The kinds stand in ``docs/warnings.md``."""
        return [{"id": record["id"], **warning} for record in self.records for warning in record.get("warnings", [])]

    @property
    def positions(self) -> Table:
        """A row a record."""
        return self._records.table("positions")

    @property
    def games(self) -> Table:
        """A row a game that records name."""
        return self._records.table("games")

    @property
    def points(self) -> Table:
        """A row a vertex of a position of Go."""
        return self._records.table("points")

    @property
    def worms(self) -> Table:
        """A row a string."""
        return self._records.table("worms")

    @property
    def dragons(self) -> Table:
        """A row a dragon."""
        return self._records.table("dragons")

    @property
    def eyes(self) -> Table:
        """A row an eye space."""
        return self._records.table("eyes")

    @property
    def cavities(self) -> Table:
        """A row an empty region."""
        return self._records.table("cavities")

    @property
    def caves(self) -> Table:
        """A row a group of cavities that count as one."""
        return self._records.table("caves")

    @property
    def half_eyes(self) -> Table:
        """A row a half or false eye."""
        return self._records.table("half_eyes")

    @property
    def effects(self) -> Table:
        """A row an effect of a pattern on influence."""
        return self._records.table("effects")

    @property
    def break_ins(self) -> Table:
        """A row a break-in into a territory."""
        return self._records.table("break_ins")

    @property
    def moves(self) -> Table:
        """A row a candidate move."""
        return self._records.table("moves")

    @property
    def reasons(self) -> Table:
        """A row a reason of a candidate move."""
        return self._records.table("reasons")

    @property
    def causes(self) -> Table:
        """A row a cause of a term of a candidate move."""
        return self._records.table("causes")

    @property
    def searches(self) -> Table:
        """A row a search, count or playouts."""
        return self._records.table("searches")

    @property
    def lines(self) -> Table:
        """A row a line of a chess search."""
        return self._records.table("lines")

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__qualname__}, {len(self)} records>"


def read(path: str | os.PathLike[str]) -> Result:
    """The records of a run's folder, or of a file of records.

    Raises ``OSError`` if it can't be read, ``ValueError`` if a line is no record.
    """
    where = Path(path)
    return Result(_read_records(where / "records.jsonl" if where.is_dir() else where))


def records_of(
    paths: Paths,
    text: str | None = None,
    *,
    seed: int = 0,
    jobs: int = 0,
    every: int | None = None,
    move: int | None = None,
    task: str | None = None,
    effort: Effort | None = None,
    judge: str | None = None,
    columns: bool = False,
    limit_nodes: int | None = None,
    strict: bool = False,
) -> _Records:
    """The native call behind :func:`run`."""
    if every is not None and move is not None:
        raise ValueError("every and move exclude each other")
    if every is not None and every < 1:
        raise ValueError("every must be 1 or more")
    many = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    return _run_cases(
        [Path(path) for path in many],
        text,
        seed=seed,
        jobs=jobs,
        every=every,
        after=move,
        task_text=task,
        effort=effort,
        judge=judge,
        columns=columns,
        limit_nodes=limit_nodes,
        strict=strict,
    )


def run(
    paths: Paths,
    *,
    seed: int = 0,
    jobs: int = 0,
    every: int | None = None,
    move: int | None = None,
    task: str | None = None,
    effort: Effort | None = None,
    judge: str | None = None,
    columns: bool = False,
    limit_nodes: int | None = None,
    strict: bool = False,
) -> Result:
    """Runs scenes, game records, positions, rulesheets, folders of them or globs, as ``tengen run`` does.

    The records are the same bytes as those of the program, at any number of ``jobs`` (0: one a core). Nothing is
    written; Ctrl-C ends it within a second. What can't be run is a record with the status ``error``.

    Parameters
    ----------
    every, move: of game records, which positions: after every so many moves, or after so many
    task: what to do with files that are no scenes, as a scene writes it: ``"Search(nodes: 1000)"``
    effort: how far positions of Go are read
    judge: who judges positions of Go: ``embedded``, ``playouts``, ``playouts:N``, ``none``, ``net:FILE`` or a command
        that speaks KataGo's analysis protocol
    columns: whether analyses of Go give all columns (points, eyes, all moves)
    limit_nodes: of each reading or search at most
    strict: whether each warning is an error of its record
    """
    return Result(
        records_of(
            paths,
            seed=seed,
            jobs=jobs,
            every=every,
            move=move,
            task=task,
            effort=effort,
            judge=judge,
            columns=columns,
            limit_nodes=limit_nodes,
            strict=strict,
        )
    )
