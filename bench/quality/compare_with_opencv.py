"""Octavo's SIFT and RootSIFT beside OpenCV's, on photographs changed in known ways and on graf1 and graf3.

usage: compare_with_opencv.py WORK [--photographs FILE...] [--kinds KIND,...] [--budgets 500,2000,8000] [--json FILE]
                              [--octavo PROGRAM]

WORK gets the pictures (`octavo evaluate robustness --save`) and features; what is there already is used again.
All settings get the same grey (BT.601, OpenCV's), budgets, matching (mutual, ratio 0.8) and robust estimator. Besides
the means it tells, for each number, the mean difference over the pairs between Octavo and OpenCV with its 95 %
confidence interval (1.96 standard errors), and how many pairs are better, equal and worse.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np

from opencv_features import extract, rootsift

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path("/usr/share/doc/opencv-doc/examples/data")
PHOTOGRAPHS = ["graf1.png", "leuvenA.jpg", "building.jpg", "aloeL.jpg", "home.jpg", "baboon.jpg", "box_in_scene.png"]
RIVALS = {
    "octavo": "opencv",
    "octavo-rootsift": "opencv-rootsift",
}
AT_3 = 2  # the index of 3 pixels in a curve


def make_pictures(call, root):
    kinds = ["--kinds", call.kinds] if call.kinds else []
    run(call.octavo, "evaluate", "robustness", *call.photographs, "--save", root, *kinds, "--max-features", 10)
    graf = root / "graf"
    graf.mkdir()
    for name, target in (("graf1.png", "img1.png"), ("graf3.png", "img3.png")):
        shutil.copy(DATA / name, graf / target)
    numbers = ElementTree.parse(DATA / "H1to3p.xml").findtext("H13/data").split()
    (graf / "H1to3p").write_text("\n".join(" ".join(numbers[i : i + 3]) for i in (0, 3, 6)) + "\n")


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def evaluate(call, root, features, budget):
    command = [
        call.octavo, "evaluate", root, "--json", "--luma", "bt601", "--max-features", budget,
        "--setting", "octavo:", "--setting", "octavo-rootsift: --descriptor rootsift",
        *(word for name, folder in features.items() for word in ("--features", f"{name}={folder}")),
    ]  # fmt: skip
    return " ".join(["octavo", *map(str, command[1:])]), json.loads(run(*command))


def columns(pair):
    """The numbers of a pair that are compared; of homographies whether they are within so many pixels."""
    error = np.inf if pair["corner_error"] is None else pair["corner_error"]
    numbers = {
        "repeatability": 100 * pair["repeatability"][AT_3],
        "one to one": 100 * pair["one_to_one"],
        "MMA@1": 100 * pair["mma"][0],
        "MMA@3": 100 * pair["mma"][AT_3],
        "correct": pair["correct"][AT_3],
        "precision": 100 * pair["precision"][AT_3],
        "score": 100 * pair["matching_score"],
    }
    for threshold in (1, 3, 5, 10):
        numbers[f"acc@{threshold}"] = 100.0 * (error <= threshold)
        numbers[f"AUC@{threshold}"] = 100 * max(0.0, 1 - error / threshold)  # that of the curve in steps
    return numbers


def paired(ours, theirs):
    """For each column the means of both, the mean difference, half its 95 % interval, and better, equal, worse."""
    told = {}
    for name in ours[0]:
        a, b = (np.array([pair[name] for pair in pairs]) for pairs in (ours, theirs))
        difference = a - b
        told[name] = {
            "ours": a.mean(),
            "theirs": b.mean(),
            "difference": difference.mean(),
            "half_interval": 1.96 * difference.std(ddof=1) / np.sqrt(len(difference)),
            "better": int((difference > 0).sum()),
            "equal": int((difference == 0).sum()),
            "worse": int((difference < 0).sum()),
        }
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--photographs", nargs="+", type=Path, default=[DATA / name for name in PHOTOGRAPHS])
    parser.add_argument("--kinds")
    parser.add_argument("--budgets", default="500,2000,8000")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()

    root = call.work / "pictures"
    features = {name: call.work / name for name in ("opencv", "opencv-rootsift")}
    if not root.exists():
        make_pictures(call, root)
    if not features["opencv"].exists():
        extract(root, {features["opencv"]: np.asarray, features["opencv-rootsift"]: rootsift})

    results = []
    for budget in map(int, call.budgets.split(",")):
        command, document = evaluate(call, root, features, budget)
        settings = {setting["name"]: setting for setting in document["settings"]}
        pairs = {name: [columns(pair) for pair in setting["pairs"]] for name, setting in settings.items()}
        comparison = {ours: paired(pairs[ours], pairs[theirs]) for ours, theirs in RIVALS.items()}
        summaries = {name: setting["summary"]["all"] for name, setting in settings.items()}
        results.append({"budget": budget, "command": command, "summaries": summaries, "paired": comparison})
        for ours, theirs in RIVALS.items():
            print(f"\n{ours} and {theirs}, {budget} keypoints, {len(pairs[ours])} pairs")
            for name, told in comparison[ours].items():
                print(
                    f"  {name:<14}{told['ours']:>8.2f}{told['theirs']:>8.2f}   difference {told['difference']:+.2f} ±"
                    f" {told['half_interval']:.2f}   better {told['better']}, equal {told['equal']}, worse {told['worse']}"
                )
    if call.json:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True)
        document = {
            "machine": re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1],
            "device": "cpu; the numbers are the same on every device",
            "date": date.today().isoformat(),
            "commit": commit.stdout.strip(),
            "command": " ".join(sys.argv),
            "opencv": cv2.__version__,
            "photographs": [str(path) for path in call.photographs],
            "results": results,
        }
        call.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
