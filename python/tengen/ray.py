"""Runs and self-play on a Ray cluster (https://www.ray.io): shards on actors, put together at the end.

>>> from tengen import ray                                                          # doctest: +SKIP
>>> ray.run("scenes/go", out="/shared/run1", shards=200, address="auto")           # doctest: +SKIP
{'shards': 200, 'failed': [], 'merged': '/shared/run1/whole'}

A shard is ``python -m tengen run ... --shard i/N --resume`` in a process of its own on an actor, into a folder of ``out``,
which all nodes must see. An actor has one shard at work and one waiting; when an actor or its node dies Ray starts
another, and the shard goes on where its folder says. What is finished is there once: a second call with the same
arguments does what is missing, and the merged folder has the bytes of one process (``docs/clusters.md``).
"""

# pyright: basic, reportMissingModuleSource=false
# (the library has few types or none; mypy checks this file in strict mode)
from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import ray
from ray.exceptions import RayError

__all__ = ["Done", "run", "selfplay"]


class Done(TypedDict):
    """How a run ended."""

    shards: int
    failed: list[str]
    """Shards that could not be done, with what the program said."""
    merged: str | None
    """The folder of the whole run; None if a shard failed."""


def _with_parent() -> None:
    """Has the system kill this process when its parent dies (Linux): a dead actor leaves no process behind."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _program(arguments: Sequence[str]) -> tuple[int, str]:
    """Runs the program; its exit code and the end of what it said."""
    # On Ray's own thread the parent's end is the end of that thread, which lives as long as the actor.
    done = subprocess.run(
        [sys.executable, "-m", "tengen", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_with_parent,  # noqa: PLW1509
        check=False,
    )
    return done.returncode, done.stderr.decode(errors="replace")[-2000:].strip()


class _Worker:
    """An actor: one shard at a time."""

    def work(self, arguments: list[str]) -> tuple[int, str]:
        return _program(arguments)


def run(
    scene: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    shards: int = 64,
    options: Sequence[str] = (),
    address: str | None = None,
    cpus: int = 1,
    actors: int | None = None,
    retries: int = 3,
    progress: bool = True,
) -> Done:
    """Runs scenes on a Ray cluster.

    Parameters
    ----------
    scene: what ``tengen run`` takes; all nodes must see it under this path
    out: a folder that all nodes see: ``shard-i`` for each shard, ``whole`` for the run
    shards: how many; each should take seconds to minutes
    options: more arguments for each shard, as ``["--seed", "3", "--effort", "quick"]``
    address: of the cluster, as ``ray.init`` takes it; None uses the one this process is connected to, or starts one
    cpus: cores of an actor
    actors: how many; as many as the cluster's cores allow without it
    retries: how often a shard is tried again after its actor died
    progress: whether to tell on stderr how many are done

    Raises ``ValueError`` for numbers that make no sense. A shard that can't be done costs no other: see :class:`Done`.
    """
    what = ["run", os.fspath(scene)]
    return _spread(what, out, shards, options, address, cpus, actors, retries, progress)


def selfplay(
    scene: str | os.PathLike[str],
    *,
    games: int,
    out: str | os.PathLike[str],
    shards: int = 64,
    options: Sequence[str] = (),
    address: str | None = None,
    cpus: int = 1,
    actors: int | None = None,
    retries: int = 3,
    progress: bool = True,
) -> Done:
    """Plays so many games of a scene of self-play on a Ray cluster; the other parameters are those of :func:`run`."""
    if games < 1:
        raise ValueError("games must be 1 or more")
    what = ["selfplay", os.fspath(scene), "--games", str(games)]
    return _spread(what, out, shards, options, address, cpus, actors, retries, progress)


def _spread(
    what: list[str],
    out: str | os.PathLike[str],
    shards: int,
    options: Sequence[str],
    address: str | None,
    cpus: int,
    actors: int | None,
    retries: int,
    progress: bool,
) -> Done:
    """The shards of a command on actors, and what they make together."""
    if shards < 1 or cpus < 1 or (actors is not None and actors < 1):
        raise ValueError("shards, cpus and actors must be 1 or more")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    folder = Path(out).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call,unused-ignore]
    many = actors or max(1, int(resources.get("CPU", 1)) // cpus)
    # Ray starts actors and tasks that were lost again by itself.
    lasting: dict[str, Any] = {"num_cpus": cpus, "max_restarts": -1, "max_task_retries": retries}
    worker: Any = ray.remote(**lasting)(_Worker)  # type: ignore[call-overload,unused-ignore]
    pool = [worker.remote() for _ in range(min(many, shards))]
    waiting = deque(range(1, shards + 1))
    busy: dict[Any, tuple[int, Any]] = {}
    failed: list[str] = []

    def give(actor: Any) -> None:
        if waiting:
            number = waiting.popleft()
            part = os.fspath(folder / f"shard-{number}")
            arguments = [*what, "--shard", f"{number}/{shards}", "--out", part, "--resume", "--no-progress"]
            busy[actor.work.remote([*arguments, "--jobs", str(cpus), *options])] = number, actor

    try:
        for _ in range(2):
            for actor in pool:
                give(actor)
        while busy:
            ready, _ = ray.wait(list(busy), num_returns=1)
            number, actor = busy.pop(ready[0])
            try:
                code, said = ray.get(ready[0])
                # 1: a scene failed or a game could not be played, and its record says so.
                if code not in (0, 1):
                    failed.append(f"shard {number}: {said}")
            except RayError as error:
                failed.append(f"shard {number}: {error}")
            give(actor)
            if progress:
                print(f"\r{shards - len(waiting) - len(busy)} of {shards} shards", end="", file=sys.stderr, flush=True)
    finally:
        if progress:
            print(file=sys.stderr)
        for actor in pool:
            ray.kill(actor)
    if failed:
        return Done(shards=shards, failed=failed, merged=None)
    whole = folder / "whole"
    parts = [os.fspath(folder / f"shard-{number}") for number in range(1, shards + 1)]
    code, said = _program(["merge", *parts, "--out", os.fspath(whole), "--force"])
    if code != 0:
        return Done(shards=shards, failed=[f"merge: {said}"], merged=None)
    return Done(shards=shards, failed=[], merged=os.fspath(whole))
