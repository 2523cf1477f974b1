"""Any number of Octavo's settings beside OpenCV and COLMAP, at equal numbers of keypoints, on a set of make_pairs.py.

usage: compare_settings.py ROOT WORK [--setting 'NAME: OPTIONS']... [--settings FILE] [--rivals opencv,colmap,...]
                           [--budgets 512,2048,8192] [--json FILE] [--markdown FILE] [--octavo PROGRAM] [--threads N]

ROOT is the set's folder. FILE has a setting a line, as --setting takes them; lines that begin with # are notes. Rivals are
opencv, opencv-rootsift and opencv-low (the PyPI wheel's defaults; RootSIFT; RootSIFT and the contrast threshold 0.005), colmap and colmap-best (domain-size pooling and affine shape, 8192 points
asked for), which `octavo evaluate` cuts to the budget: OpenCV to the strongest, COLMAP to the largest. colmap-own and
colmap-best-own are asked for the budget and keep what they give, which is more. WORK keeps features and results; a result
that is there is used again, so that settings can be added. An orientation counts as a keypoint everywhere.

`octavo evaluate` defines the numbers; every pair has the same weight. `right` are mutual nearest neighbours within 3
pixels, `after ratio` those of them that pass the ratio test 0.8; H@t is the share of homographies whose corners are within
t pixels in the mean. The record has also the mean of each kind of change, and the differences to the first setting with
their 95 % intervals: 2000 bootstrap samples of the photographs.
"""

import argparse
import hashlib
import json
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

import colmap_features
import opencv_features
from comparison import REPOSITORY, evaluate, write_record
from make_pairs import CHANGES

COLUMNS = ["points", "repeatability", "MMA@1", "MMA@3", "MMA@5", "right", "after ratio", "H@1", "H@3", "H@5"]


def numbers(pair):
    """The columns of a pair; homographies are NaN for stereo pairs, which have none."""
    plane = "corner_error" in pair
    error = np.inf if pair.get("corner_error") is None else pair["corner_error"]
    row = {
        "points": (pair["keypoint_count_a"] + pair["keypoint_count_b"]) / 2,
        "repeatability": pair["repeatability"][2],
        **{f"MMA@{t}": pair["matching_accuracy"][t - 1] for t in (1, 3, 5)},
        "right": pair["mutual_correct_counts"][2],
        "after ratio": pair["correct_counts"][2],
        **{f"H@{t}": float(error <= t) if plane else np.nan for t in (1, 3, 5)},
    }
    return [row[name] for name in COLUMNS]


def name_of_change(pair):
    half, _, _ = pair["sequence"].partition("_")
    return CHANGES[half][int(Path(pair["image_b"]).stem) - 2][0] if half in CHANGES else half


def photograph(pair):
    return pair["sequence"].removeprefix("stereo_").removeprefix("i_").removeprefix("v_").split("_")[0]


def make_features(rival, root, folder, budget):
    """The rival's features of all images below root, unless they are there."""
    if folder.exists():
        return
    partial = folder.with_name(folder.name + ".partial")
    if rival.startswith("opencv"):
        change = np.asarray if rival == "opencv" else opencv_features.rootsift
        options = {"enable_precise_upscale": False, **({"contrastThreshold": 0.005} if rival == "opencv-low" else {})}
        opencv_features.extract(root, lambda image: opencv_features.sift(image, **options), {partial: change})
    else:
        colmap_features.extract(root, partial, budget if rival.endswith("own") else 8192, "best" in rival)
    partial.rename(folder)


def measure(call, name, words, budget):
    """The columns, change and photograph of every pair; read from WORK where it was measured before."""
    key = hashlib.sha256(f"{name if words is None else words} {budget}".encode()).hexdigest()[:16]
    stored = call.work / "results" / f"{key}.json"
    if not stored.exists():
        options = ["--threads", call.threads, "--device", "cpu"]
        if words is None:
            own = name.endswith("own")
            folder = call.work / "features" / (f"{name}-{budget}" if own else name)
            folder.parent.mkdir(parents=True, exist_ok=True)
            if name in call.features:
                folder = call.features[name]
            else:
                make_features(name, call.root, folder, budget)
            _, document = evaluate(call, call.root, 0 if own else budget, [], {name: folder.resolve()}, *options)
        else:
            _, document = evaluate(call, call.root, budget, [f"octavo: {words}"], {}, *options)
        if document["problems"]:
            raise SystemExit("\n".join(document["problems"]))
        pairs = document["configurations"][-1]["pairs"]
        result = {"name": name, "words": words, "budget": budget, "pairs": [numbers(pair) for pair in pairs],
                  "changes": [name_of_change(pair) for pair in pairs], "photographs": [photograph(pair) for pair in pairs]}  # fmt: skip
        stored.parent.mkdir(parents=True, exist_ok=True)
        stored.write_text(json.dumps(result))
    return json.loads(stored.read_text())


def means(result):
    return dict(zip(COLUMNS, np.nanmean(np.array(result["pairs"], float), axis=0).tolist(), strict=True))


def means_of_changes(result):
    groups = defaultdict(list)
    for row, change in zip(result["pairs"], result["changes"], strict=True):
        groups[change].append(row)
    return {change: means({"pairs": rows}) for change, rows in groups.items() if change != "stereo"}


def differences(result, first):
    """Mean difference of each column to the first setting's, and its 95 % interval."""
    difference = np.array(result["pairs"], float) - np.array(first["pairs"], float)
    units = np.unique(result["photographs"])
    member = {unit: np.flatnonzero(np.array(result["photographs"]) == unit) for unit in units}
    rng = np.random.default_rng(0)
    samples = [
        np.nanmean(difference[np.concatenate([member[unit] for unit in rng.choice(units, len(units))])], axis=0)
        for _ in range(2000)
    ]
    low, high = np.quantile(samples, (0.025, 0.975), axis=0)
    middle = np.nanmean(difference, axis=0)
    return {name: [middle[i], low[i], high[i]] for i, name in enumerate(COLUMNS)}


def table(budget, rows):
    lines = [f"| {budget} | " + " | ".join(COLUMNS) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for name, row in rows.items():
        cells = [
            f"{row[c]:.0f}" if c in ("points", "right", "after ratio") else f"{row[c]:.3f}"[1 - (row[c] >= 0.9995) :]
            for c in COLUMNS
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def read_settings(call):
    lines = list(call.setting)
    if call.settings:
        lines += [line for line in call.settings.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): " ".join(words.split()) for name, _, words in (line.partition(":") for line in lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--settings", type=Path)
    parser.add_argument("--rivals", default="")
    parser.add_argument("--budgets", default="512,2048,8192")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--threads", default=1, type=int)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()
    call.features = {}
    cv2.setNumThreads(1)

    subjects = {**read_settings(call), **{name: None for name in call.rivals.split(",") if name}}
    results, tables = [], []
    for budget in map(int, call.budgets.split(",")):
        measured = {}
        for name, words in subjects.items():
            measured[name] = measure(call, name, words, budget)
            print(table(budget, {name: means(measured[name])}).splitlines()[-1], flush=True)
        first = next(iter(measured.values()))
        tables.append(table(budget, {name: means(result) for name, result in measured.items()}))
        results.append({
            "budget": budget,
            "pairs": len(first["pairs"]),
            "settings": {
                name: {"options": result["words"], "means": means(result), "differences": differences(result, first),
                       "changes": means_of_changes(result)}
                for name, result in measured.items()
            },
        })  # fmt: skip
    print("\n" + "\n\n".join(tables))
    if call.markdown:
        call.markdown.write_text("\n\n".join(tables) + "\n")
    if call.json:
        write_record(call, results, root=call.root.name)


if __name__ == "__main__":
    main()
