"""The boards of all open rulesheets, looked at as pictures: docs/pictures/boards.webp."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")

ROOT = Path(__file__).parents[2]
SHARED = [Path(os.environ.get("TENGEN_SHARED", ROOT.parent / "shared")), ROOT / "shared", *(p / "shared" for p in ROOT.parents)]
SHEETS = next((path / "suites/gdl" for path in SHARED if (path / "suites/gdl").is_dir()), None)
TABLE = [line.split("\t") for line in Path(__file__).with_name("grids.tsv").read_text().splitlines()[1:]]
ALWAYS = {"hex", "atariGo_7x7", "biddingTicTacToe_10coins", "connectFour", "checkersSmall", "breakthrough", "noughts"}


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_the_board_is_the_one_that_the_rules_describe(row: list[str]) -> None:
    name, shape, first, corner, owners = row
    every = os.environ.get("TENGEN_RULESHEETS") == "all"
    if not every and name not in ALWAYS and TABLE.index(row) % 4:
        pytest.skip("TENGEN_RULESHEETS=all takes every sheet")
    own = ROOT / f"resources/gdl/{name}.kif"
    path = own if own.exists() else None if SHEETS is None else SHEETS / f"{name}.kif"
    if path is None or not path.exists():
        pytest.skip("the open rulesheets are not here")
    game = gdl.load(path, setup_seconds=30 if every else 5)
    if game.no_net:
        pytest.skip("no net in this time")
    env = gdl.VectorEnv(game)
    grid = env.grid
    if grid is None:
        assert shape == "-"
        return
    assert "x".join(map(str, grid.shape)) == shape
    assert grid.planes[0] == first
    assert f"{grid.rows[0]} {grid.columns[0]}" == corner
    assert " ".join("-" if owner is None else str(owner) for owner in grid.owners) == owners


def test_planes_of_the_role_on_turn_come_first_on_request() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 2, autoreset="disabled")
    env.step([4, 0])
    assert env.grid.owners == [0, 1, None]
    seen = env.mine_and_theirs()
    assert (seen[:, 0] == env.planes[:, 1]).all() and (seen[:, 1] == env.planes[:, 0]).all()
    assert (seen[:, 2] == env.planes[:, 2]).all()
    before = seen.copy()
    env.step(env.sample_legal())
    assert (seen == before).all(), "it is a copy"
    assert (env.mine_and_theirs()[:, 0] == env.planes[:, 0]).all()
    with pytest.raises(ValueError, match="no grid"):
        gdl.VectorEnv(gdl.example("heaps")).mine_and_theirs()
    assert np.array(env.actions)[4] == "(put 2 2)"
