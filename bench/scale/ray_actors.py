"""Throughput of octavo.ray.features on GPUs: how many actors keep how many GPUs busy.

usage: ray_actors.py PHOTOGRAPH [--gpus 1 2] [--small 2400] [--large 360] [--json FILE --machine TEXT]

It needs the installed package with its extra (octavo[ray]), Pillow, and GPUs. Images of 1280x960 and of 12 megapixels are cut
from the tiled photograph and written as JPEG; each occurs several times in the work. Rows are counted after the first block has
come, so that the start of actors does not count; `seconds` has it. Tasks take the rows, as those of a program that goes on with
them: one process that takes all, such as the driver, ends at some 2000 images a second. One process without Ray is beside, with pixels in memory, and
reading one image after the other. "no reading" gives each row an image that is in the actor's memory. An actor has as many CPUs
with one GPU as with several.
"""

import argparse
import datetime
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

import octavo.ray

OPTIONS = {"max_features": 2000}
SIZES = {"small": (1280, 960, 300), "large": (4000, 3000, 60)}  # width, height, different images


def make_images(photograph, folder, width, height, count):
    folder.mkdir()
    tile = np.asarray(Image.open(photograph).convert("L"))
    whole = np.tile(tile, (height // tile.shape[0] + 2, width // tile.shape[1] + 2))
    files = []
    for i in range(count):
        y, x = 37 * i % tile.shape[0], 53 * i % tile.shape[1]
        files.append(folder / f"{i:05}.jpg")
        Image.fromarray(whole[y : y + height, x : x + width]).save(files[-1], quality=92)
    return files


class SameImage:
    """Makes the image once in each process, and reads no file again."""

    def __init__(self, file):
        self._file, self._image = str(file), None

    def __call__(self, path):
        if self._image is None:
            self._image = octavo.read(self._file)
        return self._image


def rate_alone(images):
    extractor = octavo.Extractor(device="cuda:0", **OPTIONS)
    list(extractor.batch(images[:4]))
    begin = time.monotonic()
    done = sum(1 for _ in extractor.batch(image() if callable(image) else image for image in images))
    return round(done / (time.monotonic() - begin), 1)


def count_rows(table):
    problems = table.column("problem").to_pylist()
    assert not any(problems), problems
    return {"rows": np.array([len(problems)])}


def run(files, gpus, read):
    """Seconds in all, and rows a second after the first block."""
    begin = time.monotonic()
    rows = octavo.ray.features(files, read=read, num_gpus=1, count=gpus, **OPTIONS)
    first, before, done = None, 0, 0
    for counts in rows.map_batches(count_rows, batch_format="pyarrow", batch_size=None).iter_batches(batch_size=None):
        done += int(counts["rows"].sum())
        if first is None:
            first, before = time.monotonic(), done
    end = time.monotonic()
    assert done == len(files)
    return end - begin, (done - before) / (end - first)


def measure(call, folder):
    rows = []

    def add(**row):
        rows.append(row)
        print(json.dumps(row), flush=True)

    for name, (width, height, count) in SIZES.items():
        different = make_images(call.photograph, folder / name, width, height, count)
        items = vars(call)[name]
        files = [different[i % count] for i in range(items)]
        images = [octavo.read(str(file)) for file in different[:60]]
        size = f"{width}x{height}"
        add(size=size, what="one process, pixels in memory", images_a_second=rate_alone(images * 4))
        reading = [lambda file=file: octavo.read(str(file)) for file in files[:120]]
        reading[:4] = images[:4]
        add(size=size, what="one process that reads", images_a_second=rate_alone(reading))
        for what, read in (("read from JPEG", None), ("no reading", SameImage(different[0]))):
            for gpus in call.gpus:
                runs = [run(files, gpus, read) for _ in range(2)]
                seconds, rate = min(one[0] for one in runs), max(one[1] for one in runs)
                add(
                    size=size,
                    what=what,
                    gpus=gpus,
                    items=items,
                    seconds=round(seconds, 2),
                    images_a_second=round(rate, 1),
                )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photograph", type=Path)
    parser.add_argument("--gpus", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--small", type=int, default=2400)
    parser.add_argument("--large", type=int, default=360)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    call = parser.parse_args()
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True
    ).stdout.strip()

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    ray.init(
        address="local", num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="error"
    )
    with tempfile.TemporaryDirectory() as temporary:
        rows = measure(call, Path(temporary))
    ray.shutdown()
    if call.json:
        command = f"bench/scale/ray_actors.py {call.photograph.name} --gpus {' '.join(map(str, call.gpus))} --small {call.small} --large {call.large}"
        facts = {
            "date": str(datetime.date.today()),
            "machine": call.machine,
            "commit": commit,
            "ray": ray.__version__,
            "command": command,
            "rows": rows,
        }
        call.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
