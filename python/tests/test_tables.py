"""Tables are what the records say, whoever reads them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

go = pytest.importorskip("tengen.go", reason="the package tengen is not installed: pip install ./python")
from tengen import tables  # noqa: E402

SCENES = Path(__file__).parents[2] / "scenes/go/games"
GAMES = sorted(SCENES.glob("*.sgf"))[:2]


@pytest.fixture(scope="module")
def result() -> Any:
    if not GAMES:
        pytest.skip("no game records")
    return go.analyse(GAMES, every=60, effort="quick")


def rows(table: Any) -> list[dict[str, Any]]:
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table(table).to_pylist()


def test_dragons_worms_and_moves_equal_the_records(result: Any) -> None:
    for name, key in [("dragons", "dragon"), ("worms", "worm"), ("eyes", "eye"), ("moves", "rank")]:
        wanted = []
        for position, record in enumerate(result.records):
            for number, item in enumerate(record["result"][name]):
                wanted.append((position, number, item))
        found = rows(getattr(result, name))
        assert len(found) == len(wanted) > 0
        for row, (position, number, item) in zip(found, wanted):
            assert row["position"] == position and row[key] == number
            plain = {field: value for field, value in item.items() if isinstance(value, str | int | float)}
            for field, value in plain.items():
                assert row[field] == value, (name, field)


def test_points_equal_the_records_and_join(result: Any) -> None:
    found = rows(result.points)
    at = 0
    for position, record in enumerate(result.records):
        columns = record["result"]["points"]
        for vertex in range(record["result"]["size"] ** 2):
            row = found[at]
            assert row["position"] == position
            assert all(row[name] == values[vertex] for name, values in columns.items())
            if row["worm"] is not None:
                assert record["result"]["worms"][row["worm"]]["color"] == row["stone"]
                assert record["result"]["dragons"][row["dragon"]]["color"] == row["stone"]
            at += 1
    assert at == len(found)


def test_polars_pandas_and_duckdb_have_the_same_frames(result: Any) -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    for name in ["positions", "games", "points", "worms", "dragons", "cavities", "caves", "eyes", "half_eyes", "effects", "break_ins", "moves", "reasons", "causes", "searches", "lines"]:
        table = getattr(result, name)
        wanted = rows(table)
        assert polars.DataFrame(table).to_dicts() == wanted
        frame = pandas.DataFrame.from_arrow(table)
        assert len(frame) == len(wanted) and list(frame.columns) == table.columns
        for column in table.columns:
            values = [None if pandas.isna(v) else v for v in frame[column].tolist()]
            assert values == [row[column] for row in wanted], (name, column)
        arrow = pytest.importorskip("pyarrow").table(table)  # noqa: F841
        assert duckdb.sql("select * from arrow").fetchall() == [tuple(row.values()) for row in wanted]
        schema = pytest.importorskip("pyarrow").schema(pytest.importorskip("pyarrow").table(table).schema)
        assert schema.metadata[b"tengen.schema"] == b"tengen.tables/1"


def test_arrays_lie_over_the_vertices(result: Any) -> None:
    same = go.analyse(GAMES[:1], every=60, effort="quick")
    size = same.records[0]["result"]["size"]
    influence = same.array("black_influence")
    assert influence.shape == (len(same), size, size) and influence.dtype == np.float64
    owner, likely = same.array("judge_owner"), same.array("judge_likelihood")
    assert owner.shape == influence.shape and abs(owner).max() <= 1.0
    assert likely[0].sum() == pytest.approx(1.0 - (same.positions.numbers("judge_pass")[0] or 0.0), abs=0.02)
    alone = go.analyse(GAMES[:1], move=60, effort="quick", judge="none")
    assert alone.records[0]["result"]["judge"] == {"name": "none"}
    stones = same.array("stone")
    text = "".join({1.0: "X", -1.0: "O", 0.0: "."}[s] for s in stones[-1].ravel())
    assert text == same.records[-1]["result"]["stones"]
    with pytest.raises(TypeError, match="text"):
        same.array("vertex")
    with pytest.raises(ValueError, match="there are position, vertex"):
        same.array("nothing")


def test_the_program_s_records_are_the_same(result: Any, tmp_path: Path) -> None:
    arguments = ["run", *map(str, GAMES), "--every", "60", "--effort", "quick", "--no-progress", "--out", str(tmp_path / "run")]
    task = ["--task", "Analyse(columns: [Points, Eyes, Effects, Surround, Judge, Moves])"]
    done = subprocess.run([sys.executable, "-m", "tengen", *arguments, *task], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    read = tables.read(tmp_path / "run")
    assert read.records == result.records
    assert rows(read.dragons) == rows(result.dragons)


def test_what_is_wrong_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "bad.sgf").write_text("(;GM[1]SZ[9];B[ee")
    (tmp_path / "good.sgf").write_text("(;GM[1]SZ[9];B[ee];W[cc])")
    found = go.analyse([tmp_path], effort="quick")
    assert len(found) == 2 and len(found.errors) == 1
    assert "bad.sgf" in found.errors[0]["id"]
    assert rows(found.positions)[0]["error"]
    with pytest.raises(FileNotFoundError, match="none.sgf"):
        go.analyse([tmp_path / "none.sgf"])
    for bad in [{"effort": "huge"}, {"every": 0}, {"every": 1, "move": 1}]:
        with pytest.raises(ValueError):
            go.analyse([tmp_path], **bad)
    with pytest.raises(ValueError):
        tables.run([tmp_path], task="Nonsense()")
    with pytest.raises(OSError):
        tables.read(tmp_path / "nowhere")
    (tmp_path / "records.jsonl").write_text('{"id": "a"}\n{"id"')
    with pytest.raises(ValueError, match="line 2"):
        tables.read(tmp_path)


def test_ctrl_c_ends_an_analysis_soon() -> None:
    # Deep reading of every position of all games takes minutes.
    # A shell that starts a job in the background lets it ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started = time.monotonic()
    timer = threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        go.analyse([SCENES], every=1, effort="deep")
    timer.join()
    # No timed assertion: what it was asked for would have taken far longer than the rest of this test may.
    assert time.monotonic() > started


def test_records_are_json(result: Any) -> None:
    assert json.loads(json.dumps(result.records))[0]["schema"] == "tengen.record/1"
    assert "4 records" in repr(result) or "records" in repr(result)


def test_warnings_have_their_place_and_are_errors_where_asked(tmp_path: Path) -> None:
    (tmp_path / "fox.sgf").write_text("(;GM[1]SZ[9]KM[375];B[ee])", encoding="utf-8")
    (tmp_path / "good.sgf").write_text("(;GM[1]SZ[9]KM[7.5];B[ee])", encoding="utf-8")
    (tmp_path / "names.sgf").write_bytes("(;GM[1]SZ[9]CA[GBK]PB[李世石];B[ee])".encode("gbk"))
    paths = [tmp_path / name for name in ("fox.sgf", "good.sgf", "names.sgf")]
    found = tables.run(paths, task="Playouts(count: 1)")
    assert [record["status"] for record in found.records] == ["ok"] * 3
    assert found.records[2]["game"]["info"]["black"] == "李世石"
    [warning] = found.warnings
    assert warning["kind"] == "sgf-komi-hundredths" and warning["file"].endswith("fox.sgf")
    assert warning["at"] == {"line": 1, "column": 13} and warning["id"] == found.records[0]["id"] and warning["help"]
    strict = tables.run(paths, task="Playouts(count: 1)", strict=True)
    assert [record["status"] for record in strict.records] == ["error", "ok", "ok"]
    assert strict.records[0]["result"]["error"]["kind"] == "sgf-komi-hundredths"
