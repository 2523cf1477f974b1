"""Time and memory of a large collection: pairs by retrieval, then features, matches and geometries of a COLMAP database.

The photographs are views that pairs_recall.py cuts, here of 12 megapixels: `cut` makes them with all cores, from the
photographs of Debian's packages or those of another folder. `measure` runs `octavo pairs` and `octavo colmap --verify usac`
with their defaults (8192 keypoints, 50 neighbours) and notes wall time, CPU time and the peak of the memory of each.

    .venv/bin/python bench/sfm/collection.py cut FOLDER [--views 112] [--photographs FOLDER]
    .venv/bin/python bench/sfm/collection.py measure FOLDER --program build/release/bin/octavo [--json OUT] [OPTIONS]

OPTIONS go to both commands, such as --device cpu --threads 2.
"""

import argparse
import json
import os
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np

import pairs_recall

SIZE = (4000, 3000)


def cut_view(path, number, index, folder):
    cv2.setNumThreads(1)
    pairs_recall.SIZE = SIZE
    photograph = cv2.imread(str(path))
    random = np.random.default_rng([19, number, index])
    view = None
    while view is None:
        view = pairs_recall.view_of(photograph, random)
    cv2.imwrite(str(folder / f"{number}-{index:03}.jpg"), view, [cv2.IMWRITE_JPEG_QUALITY, 85])


def cut(folder, views, photographs):
    folder.mkdir(parents=True, exist_ok=True)
    paths = sorted(photographs.iterdir()) if photographs else pairs_recall.PHOTOGRAPHS
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        jobs = [
            workers.submit(cut_view, path, number, index, folder)
            for number, path in enumerate(paths)
            for index in range(views)
        ]
        for job in jobs:
            job.result()


def timed(call):
    """What the call prints, and its seconds of wall and CPU and its peak memory [MiB]."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in call], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, call))}: exit code {process.returncode}")
    return text, {
        "command": " ".join(map(str, call[1:])),
        "wall_seconds": round(time.monotonic() - start, 2),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_mib": round(usage.ru_maxrss / 1024),
    }


def measure(program, folder, options):
    pairs, database = folder / "pairs.txt", folder / "collection.db"
    for old in (pairs, database):
        old.unlink(missing_ok=True)
    _, listing = timed([program, "pairs", folder, "-o", pairs, *options])
    text, filling = timed(
        [program, "colmap", folder, "-d", database, "--pairs", pairs, "--verify", "usac", "--json", *options]
    )
    return {
        "images": len(list(folder.glob("*.jpg"))),
        "pairs": len(pairs.read_text().splitlines()),
        "database_mib": round(database.stat().st_size / 2**20),
        "summary": json.loads(text),
        "runs": [listing, filling],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=("cut", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--views", type=int, default=112, help="of each photograph")
    parser.add_argument("--photographs", type=Path, help="a folder of photographs in place of the packages'")
    parser.add_argument("--program", default="build/release/bin/octavo")
    parser.add_argument("--json", type=Path)
    call, options = parser.parse_known_args()  # the rest goes to both commands
    if call.job == "cut":
        return cut(call.folder, call.views, call.photographs)
    result = measure(call.program, call.folder, options)
    print(json.dumps(result, indent=1))
    if call.json:
        call.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
