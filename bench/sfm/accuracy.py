"""How well and how fast COLMAP reconstructs known scenes with Octavo's database, and with its own features and matches.

usage: accuracy.py ROOT WORK [--scenes A,B] [--views N] [--arms colmap,octavo,...] [--json FILE]
                   [--markdown FILE] [--octavo PROGRAM]

ROOT is a set's folder of bench/quality/sfm_scenes.py, which renders photographs laid on hills and boxes, by cameras that
are known, with exposure, noise, sharpening and JPEG:

    bench/quality/sfm_scenes.py scenes --set report --scenes mountain,clock --views 24 --size 1600x1200
    bench/sfm/accuracy.py scenes/report work --json bench/results/DATE-sfm.json

An arm is a way to a database: `colmap` is COLMAP's feature_extractor (CPU, 8192 features asked for) and
exhaustive_matcher; the others are `octavo colmap` with a preset. All else is the same:

 1. camera: SIMPLE_PINHOLE with the true parameters, which stay fixed;
 2. budget: at most 8192 keypoints an image, of COLMAP's the largest, which is its own rule;
 3. pairs: all;
 4. verification: COLMAP's, by exhaustive_matcher, which verifies the matches that a database has;
 5. mapper: COLMAP's, one thread, seed 0, usual options.

The error of a pair of images is the larger of two angles, see bench/quality/sfm_accuracy.py; an image that is not
registered counts as a failure of its pairs. Seconds are CPU time (user and system) of one thread. Those of COLMAP's
matching are of its matcher less those of the verification, which is done again for this on the same matches.
"""

import argparse
import itertools
import json
import os
import platform
import resource
import shutil
import sqlite3
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "bench" / "quality"))

from sfm_accuracy import area_under_recall, pose_error, read_model  # noqa: E402

MOST = 8192
THRESHOLDS = 0.1, 0.5, 1.0, 5.0  # degrees
ARMS = {
    "colmap": None,
    "octavo": [],
    "octavo --preset colmap": ["--preset", "colmap"],
    "octavo --preset best": ["--preset", "best"],
}
COLUMNS = {
    **{f"AUC@{t:g}": 3 for t in THRESHOLDS},
    **{"registered": 1, "points": 0, "track": 2, "reprojection": 3, "keypoints": 0, "matches": 0, "inliers": 0},
    **{"extract_cpu": 1, "match_cpu": 1, "verify_cpu": 1, "map_cpu": 1},
}


def cpu_of(program, *words):
    """Runs a program and returns its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{program} {words[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def keep_largest(database):
    """Cuts COLMAP's keypoints (x, y, a11, a12, a21, a22) and their descriptors to the budget."""
    tables = sqlite3.connect(database)
    for image, columns, data in tables.execute(
        "SELECT image_id, cols, data FROM keypoints WHERE rows > ?", (MOST,)
    ).fetchall():
        keypoints = np.frombuffer(data, np.float32).reshape(-1, columns)
        _, _, a11, a12, a21, a22 = keypoints.T
        keep = np.sort(np.argsort(-np.abs(a11 * a22 - a12 * a21), kind="stable")[:MOST])
        (data,) = tables.execute("SELECT data FROM descriptors WHERE image_id = ?", (image,)).fetchone()
        descriptors = np.frombuffer(data, np.uint8).reshape(-1, 128)[keep]
        for table, rows in (("keypoints", keypoints[keep]), ("descriptors", descriptors)):
            tables.execute(f"UPDATE {table} SET rows = ?, data = ? WHERE image_id = ?", (MOST, rows.tobytes(), image))
    tables.commit()
    tables.close()


def verify(database):
    return cpu_of("colmap", "exhaustive_matcher", "--database_path", database, "--SiftMatching.use_gpu", 0,
                  "--SiftMatching.num_threads", 1, "--random_seed", 0)  # fmt: skip


def colmap_database(images, database, camera):
    """CPU seconds of extraction, matching and verification."""
    extract = cpu_of("colmap", "feature_extractor", "--database_path", database, "--image_path", images,
                     "--ImageReader.single_camera", 1, "--ImageReader.camera_model", "SIMPLE_PINHOLE",
                     "--ImageReader.camera_params", camera, "--SiftExtraction.use_gpu", 0,
                     "--SiftExtraction.num_threads", 1, "--SiftExtraction.max_num_features", MOST)  # fmt: skip
    keep_largest(database)
    both = verify(database)
    with sqlite3.connect(database) as tables:
        tables.execute("DELETE FROM two_view_geometries")
    tables.close()
    alone = verify(database)
    return {"extract_cpu": extract, "match_cpu": both - alone, "verify_cpu": alone}


def octavo_database(program, images, database, camera, options):
    words = ["colmap", images, "--database", database, "--cameras", "one", "--camera-model", "simple-pinhole",
             "--camera-params", camera, "--device", "cpu", "--threads", 1, *options, "--max-features", MOST]  # fmt: skip
    first, second, *_ = sorted(path.name for path in images.iterdir())
    one = database.with_suffix(".pairs")
    one.write_text(f"{first} {second}\n")  # the extraction, and one of the pairs
    extract = cpu_of(program, *words, "--pairs", one)
    match = cpu_of(program, *words, "--pairs", "all")
    return {"extract_cpu": extract, "match_cpu": match, "verify_cpu": verify(database)}


def measure(call, scene, name):
    folder = call.work / scene / name.replace(" ", "")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "models").mkdir(parents=True)
    database, images = folder / "database.db", folder / "images"
    with np.load(call.root / scene / "cameras.npz") as truth:
        poses = zip(truth["rotations"], truth["translations"], strict=True)
        cameras = dict(itertools.islice(zip(truth["names"].tolist(), poses, strict=True), call.views))
        width, height = truth["size"].tolist()
        camera = f"{float(truth['focal'])},{width / 2},{height / 2}"
    images.mkdir()
    for image in cameras:
        (images / image).symlink_to((call.root / scene / "images" / image).resolve())
    if ARMS[name] is None:
        seconds = colmap_database(images, database, camera)
    else:
        seconds = octavo_database(call.octavo, images, database, camera, ARMS[name])
    tables = sqlite3.connect(database)
    keypoints, matches, inliers = (
        tables.execute(f"SELECT avg(rows) FROM {table}").fetchone()[0]
        for table in ("keypoints", "matches", "two_view_geometries")
    )
    tables.close()
    seconds["map_cpu"] = cpu_of(
        "colmap", "mapper", "--database_path", database, "--image_path", images, "--output_path", folder / "models",
        "--Mapper.ba_refine_focal_length", 0, "--Mapper.ba_refine_extra_params", 0, "--Mapper.multiple_models", 0,
        "--Mapper.extract_colors", 0, "--Mapper.num_threads", 1, "--random_seed", 0,
    )  # fmt: skip
    found, figures = read_model(folder / "models" / "0")
    errors = np.array([
        pose_error((*found[a], *found[b]), (*cameras[a], *cameras[b])) if a in found and b in found else np.inf
        for a, b in itertools.combinations(cameras, 2)
    ])  # fmt: skip
    return {
        **{f"AUC@{t:g}": area_under_recall(errors, t) for t in THRESHOLDS},
        **{
            "cameras": len(cameras),
            "size": [width, height],
            "keypoints": keypoints,
            "matches": matches,
            "inliers": inliers,
        },
        **figures,
        **seconds,
        "median_error": float(np.median(errors)),
    }


def table_of(results):
    """A row for each arm: means over the scenes."""
    lines = ["| | " + " | ".join(COLUMNS) + " |", "| --- |" + " --- |" * len(COLUMNS)]
    for name, scenes in results.items():
        means = [np.mean([scene[column] for scene in scenes.values()]) for column in COLUMNS]
        lines.append(
            f"| {name} | "
            + " | ".join(f"{mean:.{digits}f}" for mean, digits in zip(means, COLUMNS.values(), strict=True))
            + " |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes")
    parser.add_argument("--views", type=int, help="the first N of each scene; all otherwise")
    parser.add_argument("--arms", default=",".join(ARMS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--octavo", default=REPOSITORY / "build" / "release" / "bin" / "octavo")
    call = parser.parse_args()
    scenes = call.scenes.split(",") if call.scenes else sorted(folder.name for folder in call.root.iterdir())
    results = {name: {scene: measure(call, scene, name) for scene in scenes} for name in call.arms.split(",")}
    print(table_of(results))
    if call.markdown:
        call.markdown.write_text(table_of(results) + "\n")
    if call.json:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True)
        processors = [
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
        about = {
            "date": str(date.today()),
            "commit": commit.stdout.strip(),
            "command": f"bench/sfm/accuracy.py {call.root.parent.name}/{call.root.name} work --views {call.views} --arms '{call.arms}'",
            "device": f"one thread of {processors[0] if processors else platform.processor()}",
        }
        call.json.write_text(json.dumps({**about, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
