"""Which keypoints should fill a budget: by formulas of response and scale, and by the learned probability of a match.

usage: learn_rank.py WORK TRAINING [REPORT] [--options 'OPTIONS'] [--budgets 512,2048,8192] [--json FILE] [--octavo PROGRAM]

TRAINING and REPORT are sets of make_pairs.py. Octavo finds all keypoints of all images with OPTIONS. A keypoint of one
image that the other shows is a success if its mutual nearest neighbour among all keypoints of the other lies within 3
pixels of its true place. Models of the probability of success are learned on TRAINING by logistic regression:
 * learned from response and scale: a quadratic polynomial of both logarithms, tabulated in cells of a quarter octave of
   response and of scale, as whole numbers;
 * with curvature: the same with the ratio of the principal curvatures at the keypoint, in its own scale.
A model that is linear in both logarithms is learned too; its coefficients give the power of the scale that a formula should
have. The score of each formula and model replaces the response in the feature files, and `octavo evaluate --features` cuts
them to the budget by it. Differences are to the response, with intervals as compare_settings.py has them.
"""

import argparse
import subprocess
from pathlib import Path

import cv2
import numpy as np

from compare_settings import differences, means, numbers, photograph, table
from comparison import REPOSITORY, evaluate, write_record
from opencv_features import IMAGES

CELLS = 4  # of the table, per octave of response and of scale
FORMULAS = {
    "scale": lambda r, s: s,
    "scale, response from 0.005": lambda r, s: s * (r >= 0.005) + r,
    "response · scale^0.5": lambda r, s: r * s**0.5,
    "response · scale": lambda r, s: r * s,
    "response · scale^1.5": lambda r, s: r * s**1.5,
    "response · scale^2": lambda r, s: r * s**2,
    "min(response, 0.01) · scale": lambda r, s: np.minimum(r, 0.01) * s,
    "response · min(scale, 2)": lambda r, s: r * np.minimum(s, 2),
    "response · min(scale, 3)": lambda r, s: r * np.minimum(s, 3),
    "response · min(scale, 4)": lambda r, s: r * np.minimum(s, 4),
    "response · min(scale, 6)": lambda r, s: r * np.minimum(s, 6),
    "response · min(scale, 4)^1.5": lambda r, s: r * np.minimum(s, 4) ** 1.5,
}


def extract(call, root, folder):
    """Features of every image below root; octavo writes those of a folder's images to one folder."""
    for place in sorted({path.parent for path in root.rglob("*") if path.suffix in IMAGES}):
        target = folder / place.relative_to(root)
        if not target.exists():
            target.mkdir(parents=True)
            images = sorted(path for path in place.iterdir() if path.suffix in IMAGES)
            subprocess.run(
                [call.octavo, "extract", *images, "--output", target, "--format", "npz", "--threads", str(call.threads),
                 "--device", "cpu", *call.options.split()], check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip


def properties(keypoints, image):
    """Of each keypoint: log2 of response and of scale, and the logarithm of the ratio of principal curvatures."""
    x, y, scale, _, response = keypoints.T.astype(float)
    columns = [np.log2(np.maximum(np.abs(response), 1e-6)), np.log2(scale), np.zeros(len(x))]
    level = np.rint(2 * columns[1])
    grey = cv2.imread(str(image), cv2.IMREAD_GRAYSCALE).astype(np.float32) / 255
    for value in np.unique(level):
        sigma = 2 ** (value / 2)
        blurred = cv2.GaussianBlur(grey, (0, 0), sigma)
        chosen = level == value
        column = np.clip(np.rint(x[chosen]).astype(int), 0, grey.shape[1] - 1)
        row = np.clip(np.rint(y[chosen]).astype(int), 0, grey.shape[0] - 1)
        xx, yy, xy = (
            cv2.Sobel(blurred, cv2.CV_32F, *order, ksize=3)[row, column] for order in ((2, 0), (0, 2), (1, 1))
        )
        root = np.sqrt((xx - yy) ** 2 + 4 * xy**2)
        least, largest = np.abs(np.abs(xx + yy) - root), np.abs(xx + yy) + root
        columns[2][chosen] = np.log2(np.clip((largest + 1e-9) / (least + 1e-9), 1, 64))
    return np.column_stack(columns)


def polynomial(rows, curvature):
    r, s, c = (rows - (-5.0, 1.5, 1.5)).T
    terms = [np.ones(len(r)), r, s, r * r, s * s, r * s]
    return np.column_stack(terms + [c, c * c, c * r, c * s] if curvature else terms)


def success(a, b, matrix, size):
    """Which keypoints of A are seen in B, and which of them are matched rightly."""
    points = np.column_stack([a["keypoints"][:, :2], np.ones(len(a["keypoints"]))]).astype(float) @ matrix.T
    there = points[:, :2] / points[:, 2:]
    seen = (points[:, 2] > 0) & (there > -0.5).all(axis=1) & (there < np.array(size) - 0.5).all(axis=1)
    if not len(a["keypoints"]) or not len(b["keypoints"]):
        return seen, np.zeros(len(seen), bool)
    first, second = (x["descriptors"].astype(np.float32) for x in (a, b))
    squares = (first**2).sum(axis=1)[:, None] - 2 * first @ second.T + (second**2).sum(axis=1)
    forth, back = squares.argmin(axis=1), squares.argmin(axis=0)
    mutual = back[forth] == np.arange(len(first))
    return seen, mutual & (np.linalg.norm(there - b["keypoints"][forth, :2], axis=1) <= 3)


def samples(root, folder):
    """Properties, outcomes and weights of the keypoints of all pairs with a homography; every pair weighs the same."""
    rows, outcomes, weights = [], [], []
    for file in sorted(root.rglob("H_1_*")):
        names = ["1.png", file.name.removeprefix("H_1_") + ".png"]
        paths = [file.parent / name for name in names]
        a, b = (np.load(folder / f"{path.relative_to(root)}.npz") for path in paths)
        matrix = np.loadtxt(file)
        sizes = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE).shape[::-1] for path in paths]
        for one, other, path, h, size in (
            (a, b, paths[0], matrix, sizes[1]),
            (b, a, paths[1], np.linalg.inv(matrix), sizes[0]),
        ):
            seen, right = success(one, other, h, size)
            rows.append(properties(one["keypoints"], path)[seen])
            outcomes.append(right[seen])
            weights.append(np.full(seen.sum(), 1000 / max(1, seen.sum())))
    return np.concatenate(rows), np.concatenate(outcomes).astype(float), np.concatenate(weights)


def regress(terms, outcomes, weights):
    """Coefficients of the logistic regression, by Newton's method with a weak prior."""
    beta = np.zeros(terms.shape[1])
    for _ in range(25):
        share = 1 / (1 + np.exp(-np.clip(terms @ beta, -30, 30)))
        gradient = terms.T @ (weights * (outcomes - share)) - 1e-3 * beta
        hessian = (terms * (weights * share * (1 - share))[:, None]).T @ terms + 1e-3 * np.eye(len(beta))
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if np.abs(step).max() < 1e-6:
            break
    return beta


def scores(rows, beta, curvature):
    """The model at the centres of cells, in whole 64ths of a unit of the logit; equals are ranked by response."""
    cell = (np.floor(rows * CELLS) + 0.5) / CELLS
    logit = np.rint(64 * polynomial(cell, curvature) @ beta)
    return logit + 4096 + (rows[:, 0] + 32) / 64


def rewrite(root, source, target, score):
    for file in sorted(source.rglob("*.npz")):
        features = np.load(file)
        keypoints = features["keypoints"].copy()
        if len(keypoints):
            keypoints[:, 4] = score(keypoints.astype(float), root / file.relative_to(source).with_suffix(""))
        path = target / file.relative_to(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, keypoints=keypoints, descriptors=features["descriptors"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("training", type=Path)
    parser.add_argument("report", type=Path, nargs="?")
    parser.add_argument("--options", default="--preset octavo --max-features 0")
    parser.add_argument("--budgets", default="512,2048,8192")
    parser.add_argument("--threads", default=1, type=int)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()
    cv2.setNumThreads(1)

    found = {root: call.work / "all" / root.name for root in (call.training, call.report) if root}
    for root, folder in found.items():
        extract(call, root, folder)
    rows, outcomes, weights = samples(call.training, found[call.training])
    print(f"{len(rows)} keypoints, {np.average(outcomes, weights=weights):.3f} successes", flush=True)
    models = {
        "learned from response and scale": (False, regress(polynomial(rows, False), outcomes, weights)),
        "with curvature": (True, regress(polynomial(rows, True), outcomes, weights)),
    }
    for name, (_, beta) in models.items():
        print(name, np.round(beta, 3).tolist(), flush=True)
    linear = regress(np.column_stack([np.ones(len(rows)), rows[:, :2]]), outcomes, weights)
    print(f"of a linear model: response^{linear[1]:.3f} · scale^{linear[2]:.3f}", flush=True)

    results = []
    for root in found:
        folders = {"response": found[root]}
        ranks = {name: lambda k, _, f=formula: f(np.abs(k[:, 4]), k[:, 2]) for name, formula in FORMULAS.items()}
        for name, (curvature, beta) in models.items():
            ranks[name] = lambda k, path, b=beta, c=curvature: scores(properties(k, path), b, c)
        for name, rank in ranks.items():
            folders[name] = call.work / name.replace(" ", "-") / root.name
            rewrite(root, found[root], folders[name], rank)
        for budget in map(int, call.budgets.split(",")):
            _, document = evaluate(
                call, root, budget, [], {name: folder.resolve() for name, folder in folders.items()},
                "--threads", call.threads, "--device", "cpu",
            )  # fmt: skip
            measured = {
                s["name"]: {"pairs": [numbers(pair) for pair in s["pairs"]], "photographs": [photograph(pair) for pair in s["pairs"]]}
                for s in document["configurations"] if s["name"] in folders
            }  # fmt: skip
            figures = {name: means(result) for name, result in measured.items()}
            print(f"\n{root.name}\n" + table(budget, figures), flush=True)
            to_response = {name: differences(result, measured["response"]) for name, result in measured.items()}
            results.append({"set": root.name, "budget": budget, "means": figures, "differences": to_response})
    if call.json:
        write_record(
            call,
            results,
            options=call.options,
            linear=linear.tolist(),
            models={n: b.tolist() for n, (_, b) in models.items()},
        )


if __name__ == "__main__":
    main()
