"""The table of docs/evaluation.md for a published data set, from the user's own copy as it is downloaded.

usage: published.py oxford|hpatches|evd|wxbs|strecha ROOT WORK [--setting 'NAME: OPTIONS']... [--features NAME=DIR]...
                    [--rivals opencv-rootsift,colmap] [--budget 2048] [--markdown FILE] [--octavo PROGRAM] [--threads N]

ROOT is the folder of the unpacked set; docs/evaluation.md lists the layouts. Settings are those of Octavo, by default its
own and --preset best. Rivals are those of compare_settings.py, by default OpenCV and, where it is installed, COLMAP.
--features names a folder with the features of any other program (`octavo evaluate --features` says how). All get the
same grey, the same budget of keypoints, the strongest, and Octavo's exact matcher and robust models. WORK keeps
features; those that are there are used again.

Oxford, HPatches and EVD have homographies: `octavo evaluate` and compare_settings.py define the columns. The others
have columns of their own, since few or none of their points are known; matches pass the ratio test 0.8 and are mutual:

wxbs: a fundamental matrix is estimated of each pair (`octavo match --verify fundamental`). recall@t is the share of the
set's points that lie within t pixels of the lines of each other, the mean over pairs; without a matrix it is 0.

strecha: of each pair of images of a scene, with the true calibration, the pose is estimated (--verify essential). The
error is the larger of the angles of rotation and translation; AUC@t is defined in sfm_accuracy.py, over pairs that
share a view: their axes are at most 60 degrees apart. ROOT has NAME.camera beside each image NAME.
"""

import argparse
import itertools
import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np

import compare_settings
from comparison import REPOSITORY, run
from sfm_accuracy import area_under_recall, cut, pose_error

SETTINGS = ["default:", "best: --preset best"]
RECALLS = 3, 5, 10  # pixels
AREAS = 5, 10, 20  # degrees
WIDEST = 60  # degrees between the axes of two cameras that share a view


def features_of(call, name, words):
    """The folder of a subject's features within the budget, made unless it is there."""
    kept = call.work / "cut" / f"{name}-{call.budget}"
    if kept.exists():
        return kept
    whole = call.features.get(name, call.work / "features" / name)
    whole.parent.mkdir(parents=True, exist_ok=True)
    if words is not None and not whole.exists():
        luma = [] if "--luma" in words else ["--luma", "bt601"]
        run(call.octavo, "extract", call.root, "--recursive", "--output", whole, "--format", "npz", "--threads", call.threads,
            "--max-features", call.budget, *luma, *words.split())  # fmt: skip
    elif words is None and name not in call.features:
        compare_settings.make_features(name, call.root, whole, call.budget)
    partial = kept.with_name(kept.name + ".partial")
    cut(whole, partial, lambda _: call.budget)
    partial.rename(kept)
    return kept


def verified(call, features, a, b, *options):
    """What `octavo match` says of the matches of two images, and their number."""
    files = [features / f"{image.relative_to(call.root)}.npz" for image in (a, b)]
    words = [call.octavo, "match", *files, "--json", "--threads", call.threads, *options]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if not done.stdout:  # without a model the exit code is 1, too
        raise SystemExit(done.stderr)
    document = json.loads(done.stdout)
    return document["verification"], len(document["matches"])


def recall_of_points(fundamental, points):
    """The share of the pairs of points (x, y in A, x, y in B) that are near the lines of each other, at each threshold."""
    if fundamental is None:
        return [0.0] * len(RECALLS)
    a, b = (np.column_stack([half, np.ones(len(points))]) for half in (points[:, :2], points[:, 2:]))
    in_b, in_a = a @ np.array(fundamental).T, b @ np.array(fundamental)
    product = np.abs((in_b * b).sum(axis=1))
    distance = product * np.maximum(1 / np.hypot(*in_b[:, :2].T), 1 / np.hypot(*in_a[:, :2].T))
    return [float((distance <= t).mean()) for t in RECALLS]


def wxbs(call, features):
    """The columns of a subject: means over the pairs."""
    rows = []
    for truth in sorted(call.root.rglob("corrs.txt")):
        a, b = (next(truth.parent.glob(f"{name}.[jp][pn]g")) for name in ("01", "02"))
        found, matches = verified(call, features, a, b, "--verify", "fundamental")
        points = np.loadtxt(truth, ndmin=2)
        rows.append([matches, found["inlier_count"], *recall_of_points(found["fundamental_matrix"], points)])
    return dict(zip(["matches", "inliers", *(f"recall@{t}" for t in RECALLS)], np.mean(rows, axis=0), strict=True))


def read_camera(file):
    """The calibration, and rotation and translation that map the world to the camera, of a file of Strecha et al."""
    numbers = np.array([float(word) for word in file.read_text().split()])
    calibration, turn, centre = numbers[:9].reshape(3, 3), numbers[12:21].reshape(3, 3).T, numbers[21:24]
    return calibration, turn, -turn @ centre


def strecha(call, features):
    """The columns of a subject: over all pairs of all scenes that share a view."""
    cameras = {file.with_suffix(""): read_camera(file) for file in sorted(call.root.rglob("*.camera"))}
    cameras = {image: camera for image, camera in cameras.items() if image.exists()}
    rows, errors = [], []
    for (a, (k, *pose_a)), (b, (_, *pose_b)) in itertools.combinations(cameras.items(), 2):
        if a.parent != b.parent or np.degrees(np.arccos(np.clip(pose_a[0][2] @ pose_b[0][2], -1, 1))) > WIDEST:
            continue
        camera = f"{k[0, 0]},{k[1, 1]},{k[0, 2]},{k[1, 2]}"
        found, matches = verified(call, features, a, b, "--verify", "essential", "--camera", camera)
        rows.append([matches, found["inlier_count"]])
        error = 180.0
        if found["essential_matrix"] is not None:
            turn, shift = (np.array(found[f"{name}_b_from_a"]) for name in ("rotation", "translation"))
            error = pose_error((np.eye(3), np.zeros(3), turn, shift), (*pose_a, *pose_b))
        errors.append(error)
    areas = {f"AUC@{t}": area_under_recall(np.array(errors), t) for t in AREAS}
    return {**dict(zip(["matches", "inliers"], np.mean(rows, axis=0), strict=True)), **areas}


def table(budget, rows):
    columns = list(next(iter(rows.values())))
    lines = [f"| {budget} | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    for name, row in rows.items():
        cells = [f"{row[c]:.3f}" if "@" in c else f"{row[c]:.0f}" for c in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=["oxford", "hpatches", "evd", "wxbs", "strecha"])
    parser.add_argument("root", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--features", action="append", default=[])
    parser.add_argument("--rivals", default="opencv-rootsift,colmap" if shutil.which("colmap") else "opencv-rootsift")
    parser.add_argument("--budget", type=int, default=2048)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()
    call.root, call.work = call.root.resolve(), call.work.resolve()
    call.setting, call.settings = call.setting or SETTINGS, None
    call.features = {name: Path(folder).resolve() for name, _, folder in (one.partition("=") for one in call.features)}
    cv2.setNumThreads(call.threads)
    subjects = {
        **compare_settings.read_settings(call),
        **dict.fromkeys((*filter(None, call.rivals.split(",")), *call.features)),
    }
    if call.dataset in ("wxbs", "strecha"):
        measure = {"wxbs": wxbs, "strecha": strecha}[call.dataset]
        rows = {name: measure(call, features_of(call, name, words)) for name, words in subjects.items()}
        text = table(call.budget, rows)
    else:
        results = {name: compare_settings.measure(call, name, words, call.budget) for name, words in subjects.items()}
        text = compare_settings.table(call.budget, {name: compare_settings.means(one) for name, one in results.items()})
    print(text)
    if call.markdown:
        call.markdown.write_text(text + "\n")


if __name__ == "__main__":
    main()
