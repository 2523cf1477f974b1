"""octavo.ray where a machine of the cluster is lost: its shards are begun again on another, and the bytes stay."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import octavo

pytest.importorskip("ray", reason="lacks Ray: pip install octavo[ray]")
pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

# A driver of its own, since a test before may have begun another cluster in this process.
DRIVER = """
import sys
import ray
from ray.cluster_utils import Cluster
import octavo.ray

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
ray.init(address=cluster.address, log_to_driver=False, logging_level="error")

def lose_one(stage, done, total):
    if done == 2 and len(nodes) == 2:
        cluster.remove_node(nodes.pop(), allow_graceful=False)

done = octavo.ray.extract(sys.argv[1], sys.argv[2], shards=8, max_features=500, progress=lose_one)
print(done.items, done.made, len(done.problems), len(nodes))
ray.shutdown()
cluster.shutdown()
"""


@pytest.mark.slow
def test_a_machine_that_is_lost(tmp_path, texture, monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")
    photos = tmp_path / "photos"
    photos.mkdir()
    for i in range(24):
        octavo.write(photos / f"{i}.png", np.tile(texture(160, 128, seed=i), (4, 4)))
    octavo.jobs.extract(photos, tmp_path / "whole", max_features=500, device="cpu")
    command = [sys.executable, "-c", DRIVER, photos, tmp_path / "features"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert "24 8 0 1" in done.stdout.splitlines(), done.stdout + done.stderr  # Ray prints too
    assert contents(tmp_path / "features") == contents(tmp_path / "whole")


def contents(folder):
    return {file.name: file.read_bytes() for file in Path(folder).iterdir()}
