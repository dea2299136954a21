"""Makes the notebooks dragons.ipynb and repetition.ipynb of the scripts beside them, which are their only source.

    python python/examples/notebooks.py

A cell of a script begins with ``# %%``, a cell of text with ``# %% [markdown]``; the rest of that line is its heading.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES = ["dragons", "repetition"]
HERE = Path(__file__).parent


def lines(text: str) -> list[str]:
    """As notebooks keep them: a line each, its end included."""
    return text.strip("\n").splitlines(keepends=True)


def cells(script: str) -> list[dict[str, Any]]:
    """The cells of a script."""
    found: list[dict[str, Any]] = []
    for part in script.split("# %%")[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines())
            found.append({"cell_type": "markdown", "metadata": {}, "source": lines(text)})
            continue
        if head.strip():
            found.append({"cell_type": "markdown", "metadata": {}, "source": [f"### {head.strip()}"]})
        code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines(body)}
        found.append(code)
    for number, cell in enumerate(found):
        cell["id"] = f"cell-{number}"
    return found


def notebook(script: str) -> str:
    """A notebook's text, format 4.5, without outputs."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    made = {"cells": cells(script), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in NAMES:
        (HERE / f"{name}.ipynb").write_text(notebook((HERE / f"{name}.py").read_text()))
