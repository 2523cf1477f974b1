"""The parts that comparisons share: images with known changes, `octavo evaluate` on them, paired numbers, records."""

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path("/usr/share/doc/opencv-doc/examples/data")
PHOTOGRAPHS = ["graf1.png", "leuvenA.jpg", "building.jpg", "aloeL.jpg", "home.jpg", "baboon.jpg", "box_in_scene.png"]


def add_arguments(parser, budgets):
    parser.add_argument("work", type=Path)
    parser.add_argument("--photographs", nargs="+", type=Path, default=[DATA / name for name in PHOTOGRAPHS])
    parser.add_argument("--kinds", default="rotation,scale,shear,perspective,noise,blur,contrast,jpeg")
    parser.add_argument("--budgets", default=budgets)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")


def make_images(call, root):
    """Writes the photographs changed in known ways, and graf1 with graf3, unless they exist already."""
    if root.exists():
        return
    run(
        call.octavo,
        "evaluate",
        "robustness",
        *call.photographs,
        "--images",
        root,
        "--kinds",
        call.kinds,
        "--max-features",
        10,
    )
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


def evaluate(call, root, budget, settings, features, *options):
    """The command, without machine paths, and its output. `features` maps names to folders."""
    # A preset has a luma of its own, so each setting gives it.
    luma = [] if settings else ["--luma", "bt601"]
    command = [
        call.octavo, "evaluate", root, "--json", *luma, "--max-features", budget, *options,
        *(word for setting in settings for word in ("--configuration", setting if "--luma" in setting else f"{setting} --luma bt601")),
        *(word for name, folder in features.items() for word in ("--features", f"{name}={folder}")),
    ]  # fmt: skip
    return " ".join(["octavo", *map(str, command[1:])]), json.loads(run(*command))


AT_3 = 2  # the index of 3 pixels in a curve


def match_columns(pair):
    """The numbers of a pair's keypoints and matches, and whether its homography is within each threshold [pixel]."""
    error = np.inf if pair["corner_error"] is None else pair["corner_error"]
    numbers = {
        "repeatability": 100 * pair["repeatability"][AT_3],
        "one to one": 100 * pair["correspondence_share"],
        "MMA@1": 100 * pair["matching_accuracy"][0],
        "MMA@3": 100 * pair["matching_accuracy"][AT_3],
        "correct": pair["correct_counts"][AT_3],
        "precision": 100 * pair["precision"][AT_3],
        "score": 100 * pair["matching_score"],
    }
    for threshold in (1, 3, 5, 10):
        numbers[f"acc@{threshold}"] = 100.0 * (error <= threshold)
        numbers[f"AUC@{threshold}"] = 100 * max(0.0, 1 - error / threshold)  # that of the curve in steps
    return numbers


def mean_points(pairs):
    """The mean number of keypoints of an image, for each setting."""
    return {
        name: float(np.mean([(pair["keypoint_count_a"] + pair["keypoint_count_b"]) / 2 for pair in list_of]))
        for name, list_of in pairs.items()
    }


def kind_of(pair):
    """The kind of change. Sequences are named i_PHOTOGRAPH_KIND and v_PHOTOGRAPH_KIND, except graf."""
    sequence = pair["image_b"].split("/")[0]
    return sequence.rpartition("_")[2]


def paired_by_kind(ours, theirs, columns):
    """The number of pairs and the result of `paired`, for "all" and for each kind of change with more than one pair."""
    by_kind = defaultdict(lambda: ([], []))
    for a, b in zip(ours, theirs, strict=True):
        for kind in ("all", kind_of(a)):
            by_kind[kind][0].append(columns(a))
            by_kind[kind][1].append(columns(b))
    return {kind: {"pairs": len(a), **paired(a, b)} for kind, (a, b) in by_kind.items() if len(a) > 1}


def print_paired_by_kind(title, comparison):
    for kind, figures in comparison.items():
        numbers = {name: value for name, value in figures.items() if name != "pairs"}
        print_paired(f"{title}, {kind}: {figures['pairs']} pairs", numbers)


def paired(ours, theirs):
    """For each column: both means, the mean difference, half its 95 % interval, and the counts better, equal, worse."""
    figures = {}
    for name in ours[0]:
        a, b = (np.array([pair[name] for pair in pairs]) for pairs in (ours, theirs))
        difference = a - b
        figures[name] = {
            "ours": a.mean(),
            "theirs": b.mean(),
            "difference": difference.mean(),
            "half_interval": 1.96 * difference.std(ddof=1) / np.sqrt(len(difference)),
            "better": int((difference > 0).sum()),
            "equal": int((difference == 0).sum()),
            "worse": int((difference < 0).sum()),
        }
    return figures


def print_paired(title, comparison):
    print(f"\n{title}")
    for name, figures in comparison.items():
        print(
            f"  {name:<18}{figures['ours']:>8.2f}{figures['theirs']:>8.2f}   difference {figures['difference']:+.2f} ±"
            f" {figures['half_interval']:.2f}   better {figures['better']}, equal {figures['equal']}, worse {figures['worse']}"
        )


def write_record(call, results, **about):
    """Writes the results with what they were measured by; `about` adds what they were measured on."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True)
    document = {
        "machine": re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1],
        "device": "cpu; the numbers are the same on every device",
        "date": date.today().isoformat(),
        "commit": commit.stdout.strip(),
        "command": " ".join(sys.argv),
        "opencv": cv2.__version__,
        **about,
        "results": results,
    }
    call.json.write_text(json.dumps(document, indent=1) + "\n")
