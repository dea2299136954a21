"""Tengen for Python: games from rulesheets as vector environments; see :mod:`tengen.gdl`."""

from ._tengen import __version__

__all__ = ["__version__"]
