"""The examples run, and the agent learns."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
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
    few: dict[str, Any] = {"minutes": 1, "games": 64, "simulations": 8, "points": 1, "scored": 4, "playouts": 10}
    curve = names["train"](game, out=tmp_path, moves=80, **few)
    assert curve[-1][1] > 40 and len((tmp_path / "curve.csv").read_text().splitlines()) == len(curve) + 1
    sight = names["Sight"](game)
    network = names["Network"](sight)
    network.load(tmp_path / "network.npz")
    assert network.steps > 0, "it learnt"
    env = gdl.VectorEnv(game, 4)
    env.step(env.sample_legal())
    assert gdl.mcts(env, network.evaluator(sight), 5).visits.sum() == 20
    longer = names["train"](game, out=tmp_path, moves=3, **few)
    assert longer[: len(curve)] == names["read_curve"](tmp_path)[: len(curve)] and longer[-1][1] >= curve[-1][1]


def test_what_the_network_sees_of_connect_four_is_the_board_of_who_is_on_turn() -> None:
    names = runpy.run_path(str(EXAMPLES / "train_connect_four.py"))
    game = gdl.Game(names["RULES"], name="connect four")
    sight = names["Sight"](game)
    env = gdl.VectorEnv(game, 1)
    drops = [game.actions.index(f"(drop {column})") for column in (4, 4, 7)]
    for drop in drops:
        env.step([drop])
    seen = sight(env.observation, env.turn)[0]
    assert seen.shape == (2, 6, 7) and env.turn[0] == 1
    # Row 0 is at the top; the second player is on turn and has the disc on top of the first.
    assert np.argwhere(seen[0]).tolist() == [[4, 3]] and np.argwhere(seen[1]).tolist() == [[5, 3], [5, 6]]
    assert [game.actions[n] for n in sight.mirror_actions[drops]] == ["(drop 4)", "(drop 4)", "(drop 1)"]


def test_the_slope_of_the_network_is_that_of_its_error() -> None:
    names = runpy.run_path(str(EXAMPLES / "train_connect_four.py"))
    network = names["Network"](names["Sight"](gdl.Game(names["RULES"])), features=3, hidden=5)
    random = np.random.default_rng(1)
    x, legal = random.random((6, 2, 6, 7)) < 0.3, np.ones((6, 8), bool)
    policy, value = np.full((6, 8), 1 / 8, np.float32), np.full(6, 0.9, np.float32)

    def error() -> float:
        _, logits, found = network.run(network.parameters, x)
        return float(-np.log(names["shares"](logits, legal)).mean(axis=1).mean() - (value * np.log(found)).mean() - ((1 - value) * np.log(1 - found)).mean())

    before = error()
    for _ in range(300):
        network.learn(x, legal, policy, value, 1e-2)
    # The least there is: the entropy of both targets.
    assert before > error() + 0.1 and error() == pytest.approx(np.log(8) + 0.3251, abs=1e-3)


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
    names: dict[str, object] = {}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 3
    for cell in code:
        exec("".join(cell["source"]), names)  # noqa: S102
    shown = names["result" if name == "dragons" else "found"]
    picture = shown._repr_html_() if name == "dragons" else shown._repr_svg_()  # type: ignore[attr-defined]
    assert "<svg" in picture


@pytest.mark.parametrize(("name", "needs"), [("dragons", "polars"), ("repetition", "chess")])
def test_jupyter_executes_the_notebooks(name: str, needs: str) -> None:
    client = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install './python[notebooks]'")
    format_ = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip(needs)
    notebook = format_.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    client.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    shown = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    assert "text/html" in shown if name == "dragons" else "image/svg+xml" in shown


@pytest.mark.parametrize("page", ["python.md", "python-search.md", "python-training.md"])
def test_the_python_of_the_documentation_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = EXAMPLES.parents[1]
    monkeypatch.chdir(root)
    names: dict[str, object] = {}
    for block in (root / "docs" / page).read_text().split("```python\n")[1:]:
        text = block.split("```")[0]
        for needed in ("gymnasium", "polars"):
            if needed in text:
                pytest.importorskip(needed)
        exec(text, names)  # noqa: S102
    assert names or page == "python.md"
