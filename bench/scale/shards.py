"""The overhead of shards: the CPU time of one process, of N shards, and of the merge, by item.

usage: shards.py [--octavo PROGRAM] [--images 400] [--shards 1 8 32] [--rounds 3] [--json FILE --machine TEXT]

The images are small (160x120, noise and blobs), so that the overhead shows beside the work. All processes run one
after the other on the CPU with one thread. The time is that of the processor (user and system), of which other work
takes nothing; the smallest of the rounds counts. The results of shards are compared with those of one process.
"""

import argparse
import datetime
import json
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image


def make_images(folder, count):
    folder.mkdir()
    random = np.random.default_rng(1)
    y, x = np.mgrid[0:120, 0:160]
    for i in range(count):
        image = random.normal(128, 4, (120, 160))
        for _ in range(30):
            sigma = random.uniform(1.5, 6)
            image += random.uniform(-90, 90) * np.exp(
                -((x - random.uniform(0, 160)) ** 2 + (y - random.uniform(0, 120)) ** 2) / (2 * sigma**2)
            )
        Image.fromarray(np.clip(image, 0, 255).astype(np.uint8)).save(folder / f"{i:06}.png")


def cpu_seconds(commands, folder):
    """The CPU time of commands that run one after the other."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        subprocess.run(list(map(str, command)), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def extraction(octavo, count):
    def extract(output, *more):
        return [octavo, "extract", "photos", "-o", output, "--device", "cpu", "--threads", 1, *more]

    if count == 0:
        return [("work", [extract("whole")])]
    parts = [f"part-{i}" for i in range(1, count + 1)]
    return [
        ("work", [extract(part, "--shard", f"{i}/{count}") for i, part in enumerate(parts, 1)]),
        ("merge", [[octavo, "merge", "merged", *parts]]),
    ]


def databases(octavo, count):
    def colmap(database, *more):
        return [octavo, "colmap", "photos", "-d", database, "--device", "cpu", "--threads", 1, *more]

    pairs = ("--pairs", "sequential:5")
    if count == 0:
        return [("work", [colmap("whole", *pairs)])]
    numbers = range(1, count + 1)
    return [
        ("work", [colmap(f"features-{i}", "--shard", f"{i}/{count}") for i in numbers]),
        ("merge", [[octavo, "merge", "features", *(f"features-{i}" for i in numbers)]]),
        (
            "work",
            [colmap(f"matches-{i}", "--shard", f"{i}/{count}", "--features", "features", *pairs) for i in numbers],
        ),
        ("merge", [[octavo, "merge", "merged", "features", *(f"matches-{i}" for i in numbers)]]),
    ]


def digest(path):
    if path.is_file():
        return path.read_bytes()
    return {file.name: file.read_bytes() for file in path.iterdir()}


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def measure(call, folder):
    rows = []
    for job, steps_of in (("extract", extraction), ("colmap", databases)):
        for count in (0, *call.shards):
            best = {}
            for _ in range(call.rounds):
                times = {}
                for path in folder.iterdir():
                    if path.name not in ("photos", "whole") or (count == 0 and path.name == "whole"):
                        remove(path)
                for step, commands in steps_of(call.octavo, count):
                    times[step] = times.get(step, 0) + cpu_seconds(commands, folder)
                best = {step: min(time, best.get(step, time)) for step, time in times.items()}
            if count > 0 and digest(folder / "merged") != digest(folder / "whole"):
                raise SystemExit(f"{job} with {count} shards gives other bytes than one process")
            rows.append(
                {
                    "job": job,
                    "shards": count,
                    "work_seconds": round(best["work"], 3),
                    "merge_seconds": round(best.get("merge", 0), 3),
                }
            )
            print(json.dumps(rows[-1]), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--octavo", type=Path, default=Path("build/release/bin/octavo"))
    parser.add_argument("--images", type=int, default=400)
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    call = parser.parse_args()
    call.octavo = call.octavo.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_images(folder / "photos", call.images)
        rows = measure(call, folder)
    if call.json:
        command = f"bench/scale/shards.py --images {call.images} --shards {' '.join(map(str, call.shards))} --rounds {call.rounds}"
        facts = {
            "date": str(datetime.date.today()),
            "machine": call.machine,
            "command": command,
            "images": call.images,
            "rows": rows,
        }
        call.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
