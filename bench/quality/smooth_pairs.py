"""SIFT over the trilateral filter beside SIFT over Gaussian blurs, on photographs changed in known ways and on graf1 and
graf3.

usage: smooth_pairs.py WORK [--photographs FILE...] [--kinds KIND,...] [--budgets 2000,0] [--device NAME] [--json FILE]
                       [--octavo PROGRAM]

WORK gets the images, as compare_with_opencv.py makes them; what is there already is used again. A budget of 0 is all
keypoints. Settings get the same grey, budgets, matching (mutual, ratio 0.8) and robust estimator; `octavo evaluate` defines
the numbers. Besides the means it tells the mean difference over the pairs between trilateral smoothing and each of the
others with its 95 % confidence interval (1.96 standard errors), and how many pairs are better, equal and worse, in all and
for each kind of change.
"""

import argparse

from comparison import (
    add_arguments,
    evaluate,
    make_images,
    match_columns,
    mean_points,
    paired_by_kind,
    print_paired_by_kind,
    write_record,
)

SETTINGS = [
    "trilateral: --preset opencv --smoothing trilateral",
    "gaussian: --preset opencv",
    "gaussian-low: --preset opencv --contrast-threshold 0.01 --edge-threshold 0",
    "sources: --preset mizuno2015",
]
OURS, *RIVALS = (setting.split(":")[0] for setting in SETTINGS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, budgets="2000,0")
    parser.add_argument("--device", default="auto")
    call = parser.parse_args()

    root = call.work / "images"
    make_images(call, root)
    results = []
    for budget in map(int, call.budgets.split(",")):
        command, document = evaluate(call, root, budget, SETTINGS, {}, "--device", call.device)
        pairs = {setting["name"]: setting["pairs"] for setting in document["configurations"]}
        comparison = {}
        for rival in RIVALS:
            comparison[rival] = paired_by_kind(pairs[OURS], pairs[rival], match_columns)
            print_paired_by_kind(f"{OURS} and {rival}, {budget or 'all'} keypoints", comparison[rival])
        points = mean_points(pairs)
        print("mean keypoints", points)
        results.append({
            "budget": budget, "command": command, "mean_points": points, "paired": comparison,
            "warnings": document["warnings"],
        })  # fmt: skip
    if call.json:
        write_record(call, results, photographs=list(map(str, call.photographs)))


if __name__ == "__main__":
    main()
