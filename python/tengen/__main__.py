"""The program ``tengen`` of this package: ``python -m tengen run scenes --out DIR``, as the binary does it."""

from __future__ import annotations

import sys

from ._tengen import command


def main() -> int:
    """Carries out the command line and gives its exit code."""
    return command(["tengen", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
