"""Octavo's SIFT and RootSIFT beside OpenCV's, on photographs changed in known ways and on graf1 and graf3.

usage: compare_with_opencv.py WORK [--photographs FILE...] [--kinds KIND,...] [--budgets 500,2000,8000] [--json FILE]
                              [--octavo PROGRAM]

The images (`octavo evaluate robustness --images`) and features are written to WORK; existing ones are used again.
All settings get the same grey (BT.601, OpenCV's), budgets, matching (mutual, ratio 0.8) and robust estimator. The script
prints the means and, for each number, the mean difference over the pairs between Octavo and OpenCV with its 95 %
confidence interval (1.96 standard errors), and the numbers of pairs that are better, equal and worse.
"""

import argparse

import numpy as np

from comparison import add_arguments, evaluate, make_images, match_columns, paired, print_paired, write_record
from opencv_features import extract, rootsift, sift

SETTINGS = ["octavo: --preset opencv", "octavo-rootsift: --preset opencv --descriptor rootsift"]
RIVALS = {
    "octavo": "opencv",
    "octavo-rootsift": "opencv-rootsift",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, budgets="500,2000,8000")
    call = parser.parse_args()

    root = call.work / "images"
    features = {name: call.work / name for name in ("opencv", "opencv-rootsift")}
    make_images(call, root)
    if not features["opencv"].exists():
        extract(root, sift, {features["opencv"]: np.asarray, features["opencv-rootsift"]: rootsift})

    results = []
    for budget in map(int, call.budgets.split(",")):
        command, document = evaluate(call, root, budget, SETTINGS, features)
        settings = {setting["name"]: setting for setting in document["configurations"]}
        pairs = {name: [match_columns(pair) for pair in setting["pairs"]] for name, setting in settings.items()}
        comparison = {ours: paired(pairs[ours], pairs[theirs]) for ours, theirs in RIVALS.items()}
        summaries = {name: setting["summary"]["all"] for name, setting in settings.items()}
        results.append({"budget": budget, "command": command, "summaries": summaries, "paired": comparison})
        for ours, theirs in RIVALS.items():
            title = f"{ours} and {theirs}, {budget} keypoints, {len(pairs[ours])} pairs"
            print_paired(title, comparison[ours])
    if call.json:
        write_record(call, results, photographs=list(map(str, call.photographs)))


if __name__ == "__main__":
    main()
