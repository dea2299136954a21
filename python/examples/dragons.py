# %% [markdown]
# # Dragons of many positions, as a data frame
# Run it where the clone is; `dragons.py` beside it runs as `python python/examples/dragons.py games/*.sgf`.

# %%
import sys
from pathlib import Path

import polars as pl

from tengen import go

root = next(folder for folder in [Path.cwd(), *Path.cwd().parents] if (folder / "scenes").is_dir())
given = [argument for argument in sys.argv[1:] if argument.endswith(".sgf")]
paths = given or sorted((root / "scenes/go/games").glob("9x9-*.sgf"))
result = go.analyse(paths, every=10, effort="quick")
dragons = pl.DataFrame(result.dragons)
positions = pl.DataFrame(result.positions)
print(f"{len(positions)} positions, {len(dragons)} dragons")

# %% How do dragons stand, by their size?
sizes = ["1 to 2", "3 to 5", "6 to 10", "11 to 20", "21 and more"]
print(
    dragons.with_columns(stones=pl.col("size").bin_intervals([2, 5, 10, 20], labels=sizes, right_closed=True))
    .group_by("stones", "status")
    .len()
    .pivot("status", index="stones", values="len")
    .sort("stones")
)

# %% Which critical dragons are the biggest, and where are they?
critical = dragons.filter(pl.col("status") == "Critical").join(positions.select("position", "id", "white_lead"), on="position")
print(critical.sort("size", descending=True).select("id", "origin", "color", "size", "attack_move", "defend_move").head(10))

# %% Influence is an array over the vertices: where are the positions most Black's?
influence = result.array("black_influence") - result.array("white_influence")
print(influence.mean(axis=0).round(1))

# %% The first position: stones, and the letters of the dragons that are dead, critical or unknown.
picture = result.svg(0)
result
