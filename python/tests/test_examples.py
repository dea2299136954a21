"""The examples run, and the agent learns."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_an_agent_learns_by_playing_against_itself() -> None:
    learn = runpy.run_path(str(EXAMPLES / "learn.py"))["learn"]
    curve = learn(gdl.example("noughts"), 120, every=40)
    assert [rounds for rounds, _ in curve] == [0, 40, 80, 120]
    # What knows nothing takes the first legal square: 0.64 against random moves.
    assert curve[0][1] < 0.66 and max(mean for _, mean in curve[1:]) > 0.75, curve
    few = [learn(gdl.example("noughts"), 3, games=32, every=1) for _ in range(2)]
    assert few[0] == few[1]
