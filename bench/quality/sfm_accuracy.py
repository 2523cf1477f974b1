"""How exactly structure from motion finds cameras with features of Octavo, COLMAP and OpenCV, on known scenes.

usage: sfm_accuracy.py ROOT WORK [--arm 'NAME: OPTIONS']... [--arms FILE] [--rivals colmap,...] [--scenes A,B]
                       [--like RIVAL] [--most N] [--seeds N] [--json FILE] [--markdown FILE] [--octavo PROGRAM]

ROOT is a set's folder of sfm_scenes.py. An arm is features: those of `octavo extract OPTIONS`, or of a rival: COLMAP
3.8 with 8192 features asked for (colmap; colmap-best with domain-size pooling and affine shape), or OpenCV
(opencv-rootsift; opencv-low with contrast threshold 0.005). FILE has an arm a line; lines that begin with # are notes.
All else is the same for every arm:

 1. budget: at most --most N keypoints an image; with --like RIVAL no more than that arm has in the same image. The
    strongest stay, of COLMAP's the largest, which is its own rule. An orientation counts as a keypoint.
 2. matches: `octavo match`, which is exact; ratio 0.8, mutual.
 3. verification: COLMAP's matches_importer with its usual options and the true camera.
 4. mapper: COLMAP's, one thread, usual options, the camera fixed (SIMPLE_PINHOLE), one model. Steps 3 and 4 are done
    once for each seed.

The error of a pair of images is the larger of two angles: of the relative rotation to the true one, and between the
two directions of translation. It is infinite if one of the images is not registered. AUC@t is the area under the
share of pairs as a function of the error, from 0 to t degrees, over t; docs/evaluation.md defines it. Columns are means
over scenes and seeds: images registered, points, observations a point, reprojection error [pixel], verified matches.
The scene tells where each keypoint of A is in B: `right` are matches of a pair within 3 pixels of that place, `place`
is the median of their distances.

WORK keeps features, matches and results. A result that is there is used again, so that arms can be added.
"""

import argparse
import hashlib
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import cv2
import numpy as np

from compare_settings import make_features, read_settings
from comparison import REPOSITORY, run, write_record
from sfm_scenes import SIZE, Scene

THRESHOLDS = 0.1, 0.5, 1.0, 5.0  # degrees
AREAS = [f"AUC@{t:g}" for t in THRESHOLDS]
COLUMNS = [*AREAS, "keypoints", "registered", "points", "track", "reprojection", "verified", "right", "place"]
DIGITS = {**dict.fromkeys([*AREAS, "reprojection", "place"], 3), "registered": 2, "track": 2}


def area_under_recall(errors, threshold):
    """The sorted errors below the threshold are joined by straight lines from (0, 0) through (e_i, i/n); then level."""
    errors = np.sort(errors)
    below = errors[errors < threshold]
    x = np.concatenate([[0.0], below, [threshold]])
    y = np.concatenate([np.arange(len(below) + 1), [len(below)]]) / len(errors)
    return float(np.trapezoid(y, x) / threshold)


def pose_error(estimated, true):
    """The larger of the angles [degree] between relative rotations and between directions of translation; a pose is
    (R1, t1, R2, t2), which map points to two cameras."""
    (turn_a, shift_a), (turn_b, shift_b) = relative(*estimated), relative(*true)
    difference = np.arccos(np.clip((np.trace(turn_a @ turn_b.T) - 1) / 2, -1, 1))
    lengths = np.linalg.norm(shift_a) * np.linalg.norm(shift_b)
    direction = np.arccos(np.clip(shift_a @ shift_b / lengths, -1, 1)) if lengths > 0 else np.pi
    return float(np.degrees(max(difference, direction)))


def relative(rotation_1, translation_1, rotation_2, translation_2):
    rotation = rotation_2 @ rotation_1.T
    return rotation, translation_2 - rotation @ translation_1


def rotation_of(quaternion):
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def colmap(command, *arguments):
    subprocess.run(
        ["colmap", command, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def features_of(call, scene, name, words):
    """The folder of an arm's features of a scene, made unless it is there."""
    key = name if words is None else hashlib.sha256(words.encode()).hexdigest()[:16]
    folder = call.work / "features" / scene / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    if words is None:
        make_features(name, call.root / scene / "images", folder, 8192)
    elif not folder.exists():
        partial = folder.with_name(key + ".partial")
        run(call.octavo, "extract", call.root / scene / "images", "--output", partial, "--format", "npz",
            "--device", "cpu", "--threads", 1, *words.split())  # fmt: skip
        partial.rename(folder)
    return folder


def cut(folder, output, most):
    """Writes the strongest keypoints of every image; `most` tells how many. Returns the places of each image."""
    output.mkdir(parents=True, exist_ok=True)
    places = {}
    for file in sorted(folder.rglob("*.npz")):
        with np.load(file) as features:
            keypoints, descriptors = features["keypoints"], features["descriptors"]
        keep = np.sort(np.argsort(-keypoints[:, 4], kind="stable")[: most(file.name)])
        target = output / file.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        np.savez(target, keypoints=keypoints[keep], descriptors=descriptors[keep])
        places[str(file.relative_to(folder).with_suffix(""))] = keypoints[keep, :2].astype(float)
    return places


def read_matches(file):
    """The pairs of names, and the N×2 indices of their matches."""
    matches = {}
    for block in file.read_text().strip().split("\n\n"):
        names, *lines = block.splitlines()
        matches[tuple(names.split())] = np.array([line.split() for line in lines], int).reshape(-1, 2)
    return matches


def write_database(file, places, focal):
    """A new database with one camera and the keypoints, whose origin is the corner of the image."""
    colmap("database_creator", "--database_path", file)
    tables = sqlite3.connect(file)
    parameters = np.array([focal, *(np.array(SIZE) / 2)])
    tables.execute("INSERT INTO cameras VALUES (1, 0, ?, ?, ?, 1)", (*SIZE, parameters.tobytes()))
    for image, (name, points) in enumerate(places.items(), start=1):
        rows = np.column_stack([points + 0.5, np.ones(len(points)), np.zeros(len(points))]).astype(np.float32)
        tables.execute("INSERT INTO images (image_id, name, camera_id) VALUES (?, ?, 1)", (image, name))
        tables.execute("INSERT INTO keypoints VALUES (?, ?, 4, ?)", (image, len(rows), rows.tobytes()))
    tables.commit()
    tables.close()


def reconstruct(places, matches, focal, folder, seed):
    """COLMAP's verification and mapper. Returns each registered image's rotation and translation, and the numbers."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "models").mkdir(parents=True)
    database = folder / "database.db"
    write_database(database, places, focal)
    colmap("matches_importer", "--database_path", database, "--match_list_path", matches, "--match_type", "raw",
           "--SiftMatching.use_gpu", 0, "--SiftMatching.num_threads", 1, "--random_seed", seed)  # fmt: skip
    colmap("mapper", "--database_path", database, "--image_path", folder, "--output_path", folder / "models",
           "--Mapper.ba_refine_focal_length", 0, "--Mapper.ba_refine_extra_params", 0, "--Mapper.multiple_models", 0,
           "--Mapper.extract_colors", 0, "--Mapper.num_threads", 1, "--random_seed", seed)  # fmt: skip
    tables = sqlite3.connect(database)
    verified = tables.execute("SELECT avg(rows) FROM two_view_geometries").fetchone()[0]
    tables.close()
    found, figures = read_model(folder / "models" / "0")
    return found, {**figures, "verified": verified}


def read_model(model):
    """Each registered image's rotation and translation, and the numbers of a model of COLMAP, if there is one."""
    if not model.exists():
        return {}, {"registered": 0, "points": 0, "track": 0.0, "reprojection": np.nan}
    colmap("model_converter", "--input_path", model, "--output_path", model, "--output_type", "TXT")
    lines = [line for line in (model / "images.txt").read_text().splitlines() if not line.startswith("#")][::2]
    cameras = {}
    for line in lines:
        _, *numbers, _, name = line.split()
        numbers = np.array(numbers, float)
        cameras[name] = rotation_of(numbers[:4]), numbers[4:]
    points = [line.split() for line in (model / "points3D.txt").read_text().splitlines() if not line.startswith("#")]
    tracks = np.array([(len(point) - 8) / 2 for point in points])
    errors = np.array([float(point[7]) for point in points])
    return cameras, {
        "registered": len(cameras),
        "points": len(points),
        "track": float(tracks.mean()),
        "reprojection": float((errors * tracks).sum() / tracks.sum()),
    }


def judge_matches(scene, places, matches):
    """The mean number of right matches of a pair, and the median of their distances from the true place [pixel]."""
    points = [scene.points(view, pixels) for view, pixels in enumerate(places.values())]
    number = {name: view for view, name in enumerate(places)}
    right = []
    for (first, second), indices in matches.items():
        truth, _ = scene.project(number[second], points[number[first]][indices[:, 0]])
        errors = np.linalg.norm(places[second][indices[:, 1]] - truth, axis=1)
        right.append(errors[errors <= 3])
    return float(np.mean([len(errors) for errors in right])), float(np.median(np.concatenate(right)))


def measure(call, scene, name, words):
    """A dictionary of COLUMNS for every seed."""
    limit = f"like {call.like}" if call.like else str(call.most)
    key = hashlib.sha256(f"{scene} {name if words is None else words} {limit}".encode()).hexdigest()[:16]
    stored = call.work / "results" / f"{key}.json"
    results = json.loads(stored.read_text())["seeds"] if stored.exists() else []
    if len(results) < call.seeds:
        with np.load(call.root / scene / "cameras.npz") as truth:
            poses = zip(truth["rotations"], truth["translations"], strict=True)
            cameras = dict(zip(truth["names"].tolist(), poses, strict=True))
            focal = float(truth["focal"])
        folder = call.work / "steps" / key
        places = cut(features_of(call, scene, name, words), folder / "features", limits(call, scene))
        matches = folder / "matches.txt"
        run(call.octavo, "match", folder / "features", "--output", matches, "--device", "cpu", "--threads", 1)
        right, place = judge_matches(Scene(call.root.name, scene), places, read_matches(matches))
        for seed in range(len(results), call.seeds):
            found, figures = reconstruct(places, matches, focal, folder / "model", seed)
            errors = np.array([
                pose_error((*found[a], *found[b]), (*cameras[a], *cameras[b])) if a in found and b in found else np.inf
                for a, b in itertools.combinations(cameras, 2)
            ])  # fmt: skip
            results.append({
                **{f"AUC@{t:g}": area_under_recall(errors, t) for t in THRESHOLDS},
                "keypoints": float(np.mean([len(points) for points in places.values()])),
                **figures, "right": right, "place": place,
                "errors": [None if np.isinf(e) else round(e, 5) for e in errors.tolist()],
            })  # fmt: skip
        shutil.rmtree(folder)
        stored.parent.mkdir(parents=True, exist_ok=True)
        stored.write_text(json.dumps({"scene": scene, "name": name, "words": words, "limit": limit, "seeds": results}))
    return results[: call.seeds]


def limits(call, scene):
    """How many keypoints an image may have."""
    if not call.like:
        return lambda file: call.most
    folder = features_of(call, scene, call.like, None)

    def number(file):
        with np.load(folder / file) as features:
            return min(call.most, len(features["keypoints"]))

    return number


def means(results):
    """Means over scenes and seeds, and the standard deviation over seeds of the means over scenes."""
    table = np.array([[[seed[column] for column in COLUMNS] for seed in scene] for scene in results.values()], float)
    spread = table.mean(axis=0).std(axis=0, ddof=1) if table.shape[1] > 1 else np.full(len(COLUMNS), np.nan)
    return tuple(dict(zip(COLUMNS, row.tolist(), strict=True)) for row in (np.nanmean(table, axis=(0, 1)), spread))


def table_row(name, row):
    cells = [f"{row[column]:.{DIGITS.get(column, 0)}f}" for column in COLUMNS]
    return f"| {name} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--arm", dest="setting", action="append", default=[])
    parser.add_argument("--arms", dest="settings", type=Path)
    parser.add_argument("--rivals", default="")
    parser.add_argument("--scenes")
    parser.add_argument("--like")
    parser.add_argument("--most", type=int, default=8192)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()
    cv2.setNumThreads(1)

    scenes = call.scenes.split(",") if call.scenes else sorted(folder.name for folder in call.root.iterdir())
    arms = {**{name: None for name in call.rivals.split(",") if name}, **read_settings(call)}
    lines = ["| | " + " | ".join(COLUMNS) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    record = {}
    for name, words in arms.items():
        results = {scene: measure(call, scene, name, words) for scene in scenes}
        mean, spread = means(results)
        record[name] = {"options": words, "means": mean, "deviation_over_seeds": spread, "scenes": results}
        lines.append(table_row(name, mean))
        print(lines[-1], flush=True)
    if call.markdown:
        call.markdown.write_text("\n".join(lines) + "\n")
    if call.json:
        limit = f"like {call.like}" if call.like else call.most
        write_record(call, record, root=call.root.name, scenes=scenes, limit=limit)


if __name__ == "__main__":
    main()
