#!/usr/bin/env python3
"""Panoramas of photographs: Octavo beside cv::Stitcher and Hugin.

usage: panoramas.py OCTAVO RESULT.json FOLDER ... [--sheets FOLDER] [--rounds N] [--fov DEGREES] [--programs NAME ...]

Each folder has the photographs of one panorama. The programs take turns, with their defaults: `octavo mosaic`,
cv::Stitcher's panorama mode (OpenCV's Python package, in a process of its own), and the steps of Hugin's manual: pto_gen,
cpfind --multirow, cpclean, autooptimiser -a -m -l -s, pano_modify --canvas=AUTO --crop=AUTO, hugin_executor (Debian's
hugin-tools and enblend). Photographs without EXIF data get the horizontal field of view --fov. Told are the CPU seconds
of all processes (median of the rounds), the peak memory of the largest, and the size of the panorama. `--sheets` draws
the panoramas of each folder one below the other.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from record import record

STITCHER = """
import sys, cv2
status, panorama = cv2.Stitcher_create(cv2.Stitcher_PANORAMA).stitch([cv2.imread(name) for name in sys.argv[2:]])
if status != cv2.Stitcher_OK:
    sys.exit(f"status {status}")
cv2.imwrite(sys.argv[1], panorama)
"""
PROGRAMS = ["octavo", "cv::Stitcher", "hugin"]
SHEET_WIDTH = 1200
MOST_SECONDS = 600


def commands_of(program, octavo, photographs, output, fov):
    names = [str(photograph) for photograph in photographs]
    if program == "octavo":
        return [[octavo, "mosaic", *names, "-o", str(output)]]
    if program == "cv::Stitcher":
        return [[sys.executable, "-c", STITCHER, str(output), *names]]
    pto = str(output.with_suffix(".pto"))
    return [
        ["pto_gen", f"--fov={fov}", "-o", pto, *names],
        ["cpfind", "--multirow", "-o", pto, pto],
        ["cpclean", "-o", pto, pto],
        ["autooptimiser", "-a", "-m", "-l", "-s", "-o", pto, pto],
        ["pano_modify", "--canvas=AUTO", "--crop=AUTO", "-o", pto, pto],
        ["hugin_executor", "--stitching", f"--prefix={output.with_suffix('')}", pto],
    ]


def run(commands):
    """The CPU seconds and the peak memory [MiB] of the commands, and why they failed, if they did."""
    seconds = memory = 0
    for command in commands:
        child = subprocess.Popen(
            [sys.executable, __file__, "--measure", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        out, err = child.communicate()
        if child.returncode != 0:
            return seconds, memory, err.strip().splitlines()[-1] if err.strip() else f"exit code {child.returncode}"
        used = json.loads(out)
        seconds += used["seconds"]
        memory = max(memory, used["memory"])
    return seconds, memory, None


def measure(command):
    """Runs a command in this process's child, and prints what it and its children used."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"seconds": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}))
    if done.returncode != 0:
        sys.exit((done.stderr or done.stdout).strip() or f"{command[0]} fails")


def compared(programs, octavo, folder, rounds, fov, scratch):
    photographs = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".tif"))
    outputs = {program: scratch / f"{folder.name}_{i}.tif" for i, program in enumerate(programs)}
    used = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            used[program].append(run(commands_of(program, octavo, photographs, outputs[program], fov)))
    row = {"set": folder.name, "photographs": len(photographs), "programs": {}}
    panoramas = {}
    for program, output in outputs.items():
        panorama = cv2.imread(str(output)) if output.exists() else None
        panoramas[program] = panorama
        row["programs"][program] = {
            "cpu_seconds": round(statistics.median(one[0] for one in used[program]), 2),
            "peak_mib": round(max(one[1] for one in used[program])),
            "size": None if panorama is None else [panorama.shape[1], panorama.shape[0]],
            "problem": used[program][-1][2],
        }
    return row, panoramas


def sheet(panoramas):
    rows = []
    for program, panorama in panoramas.items():
        if panorama is None:
            panorama = np.full((60, SHEET_WIDTH, 3), 255, np.uint8)
        factor = min(SHEET_WIDTH / panorama.shape[1], SHEET_WIDTH / 2 / panorama.shape[0])
        panorama = cv2.resize(panorama, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        row = np.full((panorama.shape[0] + 34, SHEET_WIDTH, 3), 255, np.uint8)
        row[30:-4, : panorama.shape[1]] = panorama
        cv2.putText(row, program, (2, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 1, cv2.LINE_AA)
        rows.append(row)
    return np.vstack(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("octavo")
    parser.add_argument("result", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--sheets", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fov", type=float, default=50)
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    call = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for folder in call.folders:
            row, panoramas = compared(call.programs, call.octavo, folder, call.rounds, call.fov, Path(scratch))
            rows.append(row)
            print(json.dumps(row), flush=True)
            if call.sheets:
                call.sheets.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(call.sheets / f"{folder.name}.png"), sheet(panoramas))
    record(call.result, {"rounds": call.rounds, "opencv": cv2.__version__, "sets": rows})


if __name__ == "__main__":
    measure(sys.argv[2:]) if sys.argv[1:2] == ["--measure"] else main()
