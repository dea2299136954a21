"""A run on a Ray cluster, a worker killed, has the bytes of one process. Slow: ``TENGEN_RAY=1`` turns it on."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
if not os.environ.get("TENGEN_RAY"):
    pytest.skip("a cluster takes half a minute to start: TENGEN_RAY=1", allow_module_level=True)
library = pytest.importorskip("ray")
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_memory_monitor_refresh_ms": "0"}

GAME = Path(__file__).parents[2] / "scenes/go/games"
SELFPLAY = Path(__file__).parents[2] / "scenes/selfplay/noughts.ron"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kill_one(killed: list[int]) -> None:
    """Kills the first worker that has a shard at work."""
    deadline = time.monotonic() + 120
    while not killed and time.monotonic() < deadline:
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                command = Path(f"/proc/{name}/cmdline").read_bytes()
                parent = int(Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            ours = b"tengen\0run\0" in command and os.fspath(GAME).encode() in command
            if ours and parent > 1:
                os.kill(parent, signal.SIGKILL)
                killed.append(parent)
                return
        time.sleep(0.05)


def test_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    from tengen import ray

    if not sys.platform.startswith("linux"):
        pytest.skip("it looks for processes in /proc")
    options = ["--every", "40", "--effort", "quick"]
    whole = [sys.executable, "-m", "tengen", "run", str(GAME), *options, "--no-progress", "--out", str(tmp_path / "one")]
    assert subprocess.run(whole, stdout=subprocess.DEVNULL, check=False).returncode == 0
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
        library.init(address=cluster.address, log_to_driver=False)
        killed: list[int] = []
        killer = threading.Thread(target=kill_one, args=(killed,))
        killer.start()
        done = ray.run(GAME, out=tmp_path / "many", shards=7, options=options, progress=False)
        killer.join()
        assert done == {"shards": 7, "failed": [], "merged": str(tmp_path / "many/whole")}
        assert killed, "no worker was killed"
        for name in ["records.jsonl", "run.json"]:
            assert sha256(tmp_path / "many/whole" / name) == sha256(tmp_path / "one" / name)
        print(f"worker {killed[0]} killed; records.jsonl {sha256(tmp_path / 'one/records.jsonl')}")
        again = ray.run(GAME, out=tmp_path / "many", shards=7, options=options, progress=False)
        assert again["failed"] == []
        with pytest.raises(ValueError):
            ray.run(GAME, out=tmp_path, shards=0)
    finally:
        library.shutdown()
        cluster.shutdown()


def test_self_play_on_a_cluster_has_the_bytes_of_one_process(tmp_path: Path) -> None:
    from tengen import ray

    one = [sys.executable, "-m", "tengen", "selfplay", str(SELFPLAY), "--games", "7", "--no-progress", "--out", str(tmp_path / "one")]
    assert subprocess.run(one, stdout=subprocess.DEVNULL, check=False).returncode == 0
    library.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    try:
        done = ray.selfplay(SELFPLAY, games=7, out=tmp_path / "many", shards=3, progress=False)
        assert done == {"shards": 3, "failed": [], "merged": str(tmp_path / "many/whole")}
        files = sorted(p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*") if p.is_file())
        assert len(files) > 3
        for file in files:
            if file.name != "timings.jsonl":
                assert sha256(tmp_path / "many/whole" / file) == sha256(tmp_path / "one" / file), file
        print(f"games.jsonl {sha256(tmp_path / 'one/games.jsonl')}")
        with pytest.raises(ValueError):
            ray.selfplay(SELFPLAY, games=0, out=tmp_path)
    finally:
        library.shutdown()
