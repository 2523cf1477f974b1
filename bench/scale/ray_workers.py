"""Throughput of octavo.ray with several numbers of workers, and what Ray costs for an item and a shard.

usage: ray_workers.py --octavo PROGRAM [--images 48] [--small 400] [--workers 1 2 4] [--gpus] [--rounds 2]
                      [--json FILE --machine TEXT]

One call measures all: run it on an idle machine. It needs the installed package with its extra (octavo[ray]) and Pillow. Throughput is that of an extraction of images of
1280x960, by the wall clock, beside one process with one thread: to files in 12 shards without Ray, so many programs at a time; the
same by Ray; and to rows by actors, which are made anew for each run. With --gpus a worker has a GPU. The overhead is that of images of 160x120, in seconds
of CPU of all processes that the driver has begun, Ray's own too, less those of one process. The best of the rounds counts.
Ray and its first workers are started before. The results are compared with those of one process.
"""

import argparse
import datetime
import json
import os
import shutil
import subprocess
import tempfile
import time
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
from PIL import Image

import octavo.ray
from shards import digest, make_images

SHARDS = 12


def cpu_seconds():
    """Of this process and all that it began, dead or alive."""
    facts = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        facts[int(stat.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found = {os.getpid()}
    while more := {process for process, (parent, _) in facts.items() if parent in found} - found:
        found |= more
    return sum(facts[process][1] for process in found)


def make_large(small, folder, count):
    folder.mkdir()
    tiles = [np.asarray(Image.open(file)) for file in sorted(small.iterdir())]
    for i in range(count):
        rows = [np.hstack([tiles[(i + 7 * row + column) % len(tiles)] for column in range(8)]) for row in range(8)]
        Image.fromarray(np.vstack(rows)).save(folder / f"{i:06}.png")


def best_of(rounds, work):
    """The smallest wall and CPU time of some rounds, each from nothing."""
    times = []
    for _ in range(rounds):
        for path in (Path("out"), Path("out.parts")):
            shutil.rmtree(path, ignore_errors=True)
        cpu, wall = cpu_seconds(), time.monotonic()
        work()
        times.append((time.monotonic() - wall, cpu_seconds() - cpu))
    return {
        "wall_seconds": round(min(wall for wall, _ in times), 3),
        "cpu_seconds": round(min(cpu for _, cpu in times), 3),
    }


def measure(call):
    num_gpus = 1 if call.gpus else 0

    def alone(images):
        command = [
            call.octavo,
            "extract",
            images,
            "-o",
            "out",
            "--device",
            "cuda:0" if call.gpus else "cpu",
            "--threads",
            "1",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def without_ray(images, shards, count):
        def extract(i):
            command = [
                call.octavo,
                "extract",
                images,
                "-o",
                f"out.parts/{i}",
                "--shard",
                f"{i}/{shards}",
                "--threads",
                "1",
            ]
            subprocess.run(
                [*command, "--device", f"cuda:{i % count}" if call.gpus else "cpu"],
                check=True,
                stdout=subprocess.DEVNULL,
            )

        def work():
            with ThreadPool(count) as pool:
                pool.map(extract, range(1, shards + 1), chunksize=1)
            subprocess.run(
                [call.octavo, "merge", "out", *Path("out.parts").iterdir()], check=True, stdout=subprocess.DEVNULL
            )
            assert digest(Path("out")) == whole, f"{images} with {shards} shards gives other bytes than one process"

        return work

    def on_ray(images, shards, count):
        def work():
            workers = octavo.ray.Workers(num_gpus=num_gpus, count=count)
            done = octavo.ray.extract(images, "out", shards=shards, workers=workers)
            assert done.made == shards and not done.problems
            assert digest(Path("out")) == whole, f"{images} with {shards} shards gives other bytes than one process"

        return work

    def by_actors(images, count):
        def work():
            files = sorted(Path(images).absolute().iterdir())
            rows = octavo.ray.features(files, num_gpus=num_gpus, count=count).materialize()
            assert rows.count() == len(files) and not any(rows.unique("problem")), f"{images} by actors has problems"

        return work

    rows = []

    def add(**row):
        rows.append({**row, "load": round(os.getloadavg()[0], 1)})
        print(json.dumps(rows[-1]), flush=True)

    for images, count, variants in (
        ("large", call.images, [(SHARDS, workers) for workers in call.workers]),
        ("small", call.small, [(1, 1), (8, 1), (32, 1)]),
    ):
        add(images=images, items=count, workers="one process", **best_of(call.rounds, lambda of=images: alone(of)))
        whole = digest(Path("out"))
        for workers in call.workers if images == "large" else []:
            add(
                images=images,
                items=count,
                shards=SHARDS,
                programs=workers,
                **best_of(call.rounds, without_ray(images, SHARDS, workers)),
            )
        for shards, workers in variants:
            add(
                images=images,
                items=count,
                shards=shards,
                workers=workers,
                **best_of(call.rounds, on_ray(images, shards, workers)),
            )
        for workers in call.workers if images == "large" else [1]:
            # Not the time of the CPU: actors of the round before end meanwhile, and take theirs along.
            wall = best_of(call.rounds, by_actors(images, workers))["wall_seconds"]
            add(images=images, items=count, actors=workers, wall_seconds=wall)
        on_ray(images, shards, workers)()
        begin = time.monotonic()
        assert octavo.ray.extract(images, "out", shards=shards, workers=octavo.ray.Workers(num_gpus=num_gpus)).made == 0
        add(
            images=images,
            items=count,
            shards=shards,
            workers="second run",
            wall_seconds=round(time.monotonic() - begin, 3),
        )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--octavo", type=Path, required=True)
    parser.add_argument("--images", type=int, default=48)
    parser.add_argument("--small", type=int, default=400)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--gpus", action="store_true")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    call = parser.parse_args()
    call.octavo = call.octavo.resolve()
    json_file = call.json and call.json.resolve()
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True
    ).stdout.strip()

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # by default 15: beside other work the workers would starve
    import ray

    with tempfile.TemporaryDirectory() as temporary:
        os.chdir(temporary)
        facts = {"num_gpus": max(call.workers)} if call.gpus else {"num_cpus": max(call.workers)}
        ray.init(address="local", **facts, include_dashboard=False, log_to_driver=False, logging_level="error")
        make_images(Path("small"), call.small)
        make_large(Path("small"), Path("large"), call.images)
        octavo.ray.extract("small", "warm", shards=max(call.workers), workers=octavo.ray.Workers())
        rows = measure(call)
        ray.shutdown()
        os.chdir("/")
    if json_file:
        numbers = " ".join(map(str, call.workers))
        command = f"bench/scale/ray_workers.py --images {call.images} --small {call.small} --workers {numbers}{' --gpus' * call.gpus} --rounds {call.rounds}"
        facts = {
            "date": str(datetime.date.today()),
            "machine": call.machine,
            "commit": commit,
            "ray": ray.__version__,
            "command": command,
            "rows": rows,
        }
        json_file.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
