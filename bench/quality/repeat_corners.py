"""Repeatability of FOAGDD's corners, SIFT's keypoints and OpenCV's Harris corners, on photographs changed in known ways
and on graf1 and graf3, at equal numbers of points.

usage: repeat_corners.py WORK [--photographs FILE...] [--kinds KIND,...] [--budgets 300,1000] [--json FILE]
                         [--octavo PROGRAM]

WORK gets the images, as compare_with_opencv.py makes them, and the corners; what is there already is used again. Every
detector gets the same grey (BT.601) and gives its strongest points among those that both images show, one for each place;
there is no threshold, so that dark images have as many. `octavo evaluate` defines the numbers: repeatability within 1 and
3 pixels, and one to one. Besides the means it tells FOAGDD's mean difference to each of the others over the pairs with its
95 % confidence interval (1.96 standard errors), and how many pairs are better, equal and worse, in all and for each kind of
change.
"""

import argparse

import numpy as np

from comparison import (
    add_arguments,
    evaluate,
    kind_of,
    make_images,
    mean_points,
    paired_by_kind,
    print_paired_by_kind,
    write_record,
)
from opencv_features import extract, harris

SETTINGS = [
    "foagdd: --detector foagdd --corner-threshold -20 --upright",
    "sift: --preset opencv --contrast-threshold 0 --upright",
    "sift-full-size: --preset opencv --contrast-threshold 0 --upright --first-octave 0",
]
RIVALS = ["sift", "sift-full-size", "harris"]


def columns(pair):
    return {
        "repeatability@1": 100 * pair["repeatability"][0],
        "repeatability@3": 100 * pair["repeatability"][2],
        "one to one@3": 100 * pair["correspondence_share"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, budgets="300,1000")
    call = parser.parse_args()

    root = call.work / "images"
    make_images(call, root)
    folder = call.work / "harris"
    if not folder.exists():
        extract(root, harris, {folder: np.asarray})

    results = []
    for budget in map(int, call.budgets.split(",")):
        command, document = evaluate(call, root, budget, SETTINGS, {"harris": folder}, "--covisible-only")
        pairs = {setting["name"]: setting["pairs"] for setting in document["configurations"]}
        comparison = {}
        for rival in RIVALS:
            comparison[rival] = paired_by_kind(pairs["foagdd"], pairs[rival], columns)
            print_paired_by_kind(f"foagdd and {rival}, {budget} points", comparison[rival])
        points = mean_points(pairs)
        print("mean points", points)
        graf = {name: columns(pair) for name, list_of in pairs.items() for pair in list_of if kind_of(pair) == "graf"}
        print("graf1 and graf3", graf)
        results.append({
            "budget": budget, "command": command, "mean_points": points, "paired": comparison, "graf1_graf3": graf,
            "warnings": document["warnings"],
        })  # fmt: skip
    if call.json:
        write_record(call, results, photographs=list(map(str, call.photographs)))


if __name__ == "__main__":
    main()
