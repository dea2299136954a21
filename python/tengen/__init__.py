"""Tengen for Python.

:mod:`tengen.go` analyses positions of Go, :mod:`tengen.chess` searches those of chess, :mod:`tengen.gdl` plays games from
rulesheets and steps thousands of them at once; :mod:`tengen.hidden` does so with games of hidden information, where each
player has observations of its own; :mod:`tengen.tables` has what runs find as Arrow tables. Adapters:
:mod:`tengen.gymnasium`, :mod:`tengen.pettingzoo`, :mod:`tengen.openspiel`. Clusters: :mod:`tengen.ray`.
"""

import os as _os

from ._tengen import __version__
from ._tengen import forked as _forked

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_forked)

__all__ = ["__version__"]
