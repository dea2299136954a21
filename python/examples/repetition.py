# %% [markdown]
# # What a search's score rests on: schemes of repetition in chess
# `repetition.py` beside it runs as `python python/examples/repetition.py`.

# %%
import chess as pychess

from tengen import chess

# Queen against queen: whoever can check without end has a draw.
board = pychess.Board("7k/8/8/6q1/8/8/5Q2/1K6 b - - 0 1")
print(board)

# %% Each scheme, the same number of nodes: the score, and what it rests on.
for scheme in ["Exact", "NoZero", "Walk"]:
    found = chess.search(board, nodes=20_000, scheme=scheme)
    print(f"{scheme:10} {found.score:6} {found.best} depth {found.depth} path {found.path}")

# %% The exact value, right under its whole history.
value = chess.exact(board, depth=4)
print(value.value, f"{value.dependent} of {value.closed} nodes depend on the path")

# %% The position and the best move of the last search, as a picture.
found
