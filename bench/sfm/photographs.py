"""Accuracy of models of photographs whose cameras are known, by presets of `octavo sfm` and COLMAP's mapper.

A set is a folder of photographs with a file cameras.txt, as Strecha et al. (CVPR 2008) give them: a line has a name, width,
height, fx, fy, cx, cy (pixels from the centre of the first one), the rotation from the camera to the world, row by row, and
the camera's centre. All photographs have the camera of the first line, which the mapper is given. The AUC is that of
sfm_accuracy.py over all pairs of photographs, those that are not registered counted as failures, and the mean over the seeds.
Seconds are CPU time of the whole command at the first seed; later seeds map again.

    .venv/bin/python bench/sfm/photographs.py SET... --program build/release/bin/octavo [--json OUT]
"""

import argparse
import itertools
import json
import platform
import resource
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "quality"))
from sfm_accuracy import area_under_recall, pose_error, read_model

PRESETS = ("sfm", "sfm --no-refine", "octavo", "signature", "colmap")  # and further options
THRESHOLDS = (0.1, 0.5, 1, 5)  # [degree]


def true_cameras(folder):
    """Each photograph's rotation and translation, and the parameters of COLMAP's model PINHOLE."""
    cameras, lines = {}, (folder / "cameras.txt").read_text().splitlines()
    for name, *numbers in (line.split() for line in lines if line.strip() and not line.startswith("#")):
        numbers = np.array(numbers, float)
        rotation = numbers[6:15].reshape(3, 3).T
        cameras[name] = rotation, -rotation @ numbers[15:18]
        parameters = numbers[2:6] + (0, 0, 0.5, 0.5)
    return cameras, ",".join(map(str, parameters))


def measure(program, folder, preset, seeds):
    truth, camera = true_cameras(folder)
    areas, seconds = [], None
    with tempfile.TemporaryDirectory() as model:
        for seed in range(seeds):
            call = [program, "sfm", folder, "-o", model, "--mapper", "colmap", "--mapper-seed", str(seed), "--json", "--cameras",
                    "one", "--camera-model", "pinhole", "--camera-params", camera]  # fmt: skip
            call += ["--preset", *preset.split()]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = seconds or after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            cameras, numbers = read_model(Path(model) / "sparse/0")
            errors = [
                pose_error((*cameras[a], *cameras[b]), (*truth[a], *truth[b])) if {a, b} <= cameras.keys() else 180.0
                for a, b in itertools.combinations(truth, 2)
            ]
            areas.append([area_under_recall(errors, threshold) for threshold in THRESHOLDS])
    auc = dict(zip(map(str, THRESHOLDS), np.round(np.mean(areas, 0), 4).tolist(), strict=True))
    return {"set": folder.name, "preset": preset, "auc": auc, "cpu_seconds": round(seconds, 1), **numbers}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--program", default="build/release/bin/octavo")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--presets", action="append", help='a preset and further options, as "sfm --no-refine"')
    parser.add_argument("--json", type=Path)
    call = parser.parse_args()
    rows = []
    for folder, preset in itertools.product(call.sets, call.presets or PRESETS):
        rows.append(measure(call.program, folder, preset, call.seeds))
        print(rows[-1], flush=True)
    if call.json:
        told = {
            "date": date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "seeds": call.seeds,
        }
        call.json.write_text(json.dumps({**told, "command": " ".join(sys.argv), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
