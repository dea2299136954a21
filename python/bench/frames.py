"""A thousand positions as records in JSON and as tables: that Polars, pandas and DuckDB hold what the records say, with size and time.

    python python/bench/frames.py FOLDER-OF-SGF [--positions 1000]

Games are taken in the order of their names, a position every 30 moves, with the effort `quick`, until there are enough. Times are
processor seconds of one reading of what lies on the disk: all records with the `json` module, a table with Polars.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet

from tengen import go

NAMES = ["positions", "points", "worms", "dragons", "moves"]


def wanted(records: list[Any], name: str) -> list[tuple[int, int, dict[str, Any]]]:
    """Position, number and plain fields of every item of a list of the records."""
    found = []
    for position, record in enumerate(records):
        for number, item in enumerate(record["result"][name]):
            plain = {field: value for field, value in item.items() if isinstance(value, (str, int, float))}
            found.append((position, number, plain))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=1000)
    given = parser.parse_args()
    paths: list[Path] = []
    count = 0
    for path in sorted(given.folder.rglob("*.sgf")):
        if count >= given.positions:
            break
        paths.append(path)
        count += 1 + path.read_text(errors="replace").count(";") // 30
    if not paths:
        parser.error(f"no game records (*.sgf) in {given.folder}")
    result = go.analyse(paths, every=30, effort="quick")
    records = [record for record in result.records if record.get("result")]
    print(f"{len(records)} positions of {len(paths)} games", file=sys.stderr)
    for name, key in [("worms", "worm"), ("dragons", "dragon"), ("moves", "rank")]:
        table = getattr(result, name)
        frames = {
            "Polars": polars.DataFrame(table).to_dicts(),
            "pandas": pandas.DataFrame.from_arrow(table).to_dict("records"),
        }
        arrow = pyarrow.table(table)  # noqa: F841
        query = duckdb.sql("select * from arrow")
        frames["DuckDB"] = [dict(zip(query.columns, row)) for row in query.fetchall()]
        items = wanted(records, name)
        for frame, rows in frames.items():
            assert len(rows) == len(items), (name, frame)
            for row, (position, number, plain) in zip(rows, items):
                assert row["position"] == position and row[key] == number, (name, frame, position)
                assert all(row[field] == value for field, value in plain.items()), (name, frame, row, plain)
        print(f"{name}: {len(items)} rows equal the records in {', '.join(frames)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "records.jsonl")
        whole.write_text("".join(json.dumps(record) + "\n" for record in records))
        begun = time.process_time()
        with whole.open() as lines:
            read = [json.loads(line) for line in lines]
        assert len(read) == len(records)
        print("| what | rows | size, MB | read, s |\n| --- | ---: | ---: | ---: |")
        print(f"| all records, JSON | {len(read)} | {whole.stat().st_size / 1e6:.1f} | {time.process_time() - begun:.3f} |")
        for name in NAMES:
            file = Path(folder, f"{name}.parquet")
            pyarrow.parquet.write_table(pyarrow.table(getattr(result, name)), file, compression="zstd")
            begun = time.process_time()
            frame = polars.read_parquet(file)
            took = time.process_time() - begun
            print(f"| `{name}`, Parquet | {len(frame)} | {file.stat().st_size / 1e6:.2f} | {took:.3f} |")


if __name__ == "__main__":
    main()
