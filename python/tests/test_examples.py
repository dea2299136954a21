"""The examples run, and the agent learns."""

from __future__ import annotations

import runpy
import subprocess
import sys
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


@pytest.mark.parametrize(
    ("name", "needs", "arguments"),
    [("dragons.py", "polars", ["scenes/go/games/13x13-1.sgf"]), ("repetition.py", "chess", [])],
)
def test_the_scripts_run(name: str, needs: str, arguments: list[str]) -> None:
    pytest.importorskip(needs)
    root = EXAMPLES.parents[1]
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 5
