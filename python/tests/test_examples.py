"""The examples run, and the agent learns."""

from __future__ import annotations

import json
import os
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


def test_a_network_of_connect_four_is_trained_by_search(tmp_path: Path) -> None:
    names = runpy.run_path(str(EXAMPLES / "train_connect_four.py"))
    game = gdl.Game(names["RULES"], name="connect four")
    assert len(game.actions) == 8 and game.turns
    curve = names["train"](game, minutes=1, out=tmp_path, games=32, simulations=8, points=1, moves=30)
    assert curve[-1][1] > 20 and len((tmp_path / "curve.csv").read_text().splitlines()) == len(curve) + 1
    sight = names["Sight"](game)
    network = names["Network"](len(game.columns), len(game.actions))
    network.load(tmp_path / "network.npz")
    env = gdl.VectorEnv(game, 4)
    env.step(env.sample_legal())
    assert gdl.mcts(env, names["evaluator"](network, sight), 5).visits.sum() == 20


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


@pytest.mark.parametrize(("name", "needs"), [("dragons", "polars"), ("repetition", "chess")])
def test_the_notebooks_are_those_of_the_scripts_and_their_cells_run(
    name: str, needs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = runpy.run_path(str(EXAMPLES / "notebooks.py"))
    text = (EXAMPLES / f"{name}.ipynb").read_text()
    assert text == made["notebook"]((EXAMPLES / f"{name}.py").read_text()), "python python/examples/notebooks.py"
    pytest.importorskip(needs)
    monkeypatch.chdir(EXAMPLES)
    notebook = json.loads(text)
    if os.environ.get("TENGEN_NOTEBOOKS") == "jupyter":
        client, format_ = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
        client.NotebookClient(format_.reads(text, as_version=4), timeout=600).execute()
    names: dict[str, object] = {}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 3
    for cell in code:
        exec("".join(cell["source"]), names)  # noqa: S102
    shown = names["result" if name == "dragons" else "found"]
    picture = shown._repr_html_() if name == "dragons" else shown._repr_svg_()  # type: ignore[attr-defined]
    assert "<svg" in picture
