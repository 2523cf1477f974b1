"""Octavo's SIFT and RootSIFT beside OpenCV's, on photographs changed in known ways and on graf1 and graf3.

usage: compare_with_opencv.py WORK [--photographs FILE...] [--kinds KIND,...] [--budgets 500,2000,8000] [--json FILE]
                              [--octavo PROGRAM]

WORK gets the pictures (`octavo evaluate robustness --save`) and features; what is there already is used again.
All settings get the same grey (BT.601, OpenCV's), budgets, matching (mutual, ratio 0.8) and robust estimator. Besides
the means it tells, for each number, the mean difference over the pairs between Octavo and OpenCV with its 95 %
confidence interval (1.96 standard errors), and how many pairs are better, equal and worse.
"""

import argparse

import numpy as np

from comparison import add_arguments, evaluate, make_pictures, paired, print_paired, write_record
from opencv_features import extract, rootsift, sift

SETTINGS = ["octavo:", "octavo-rootsift: --descriptor rootsift"]
RIVALS = {
    "octavo": "opencv",
    "octavo-rootsift": "opencv-rootsift",
}
AT_3 = 2  # the index of 3 pixels in a curve


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, budgets="500,2000,8000")
    call = parser.parse_args()

    root = call.work / "pictures"
    features = {name: call.work / name for name in ("opencv", "opencv-rootsift")}
    make_pictures(call, root)
    if not features["opencv"].exists():
        extract(root, sift, {features["opencv"]: np.asarray, features["opencv-rootsift"]: rootsift})

    results = []
    for budget in map(int, call.budgets.split(",")):
        command, document = evaluate(call, root, budget, SETTINGS, features)
        settings = {setting["name"]: setting for setting in document["settings"]}
        pairs = {name: [columns(pair) for pair in setting["pairs"]] for name, setting in settings.items()}
        comparison = {ours: paired(pairs[ours], pairs[theirs]) for ours, theirs in RIVALS.items()}
        summaries = {name: setting["summary"]["all"] for name, setting in settings.items()}
        results.append({"budget": budget, "command": command, "summaries": summaries, "paired": comparison})
        for ours, theirs in RIVALS.items():
            title = f"{ours} and {theirs}, {budget} keypoints, {len(pairs[ours])} pairs"
            print_paired(title, comparison[ours])
    if call.json:
        write_record(call, results)


if __name__ == "__main__":
    main()
