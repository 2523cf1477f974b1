"""Features of every image of a data set by COLMAP on the CPU, as NumPy archives that `octavo evaluate --features` reads.

usage: colmap_features.py ROOT OUTPUT [--max-features N] [--best]

Needs COLMAP's program; Debian's package colmap has version 3.8. --best adds domain-size pooling and affine shape. COLMAP
keeps whole layers of its pyramid, the coarsest first, until it has N points, and gives each up to two orientations, so that
there are more than N keypoints. Keypoints are x, y with (0, 0) at the first pixel's centre, scale, orientation, and as
response the scale: a budget of `octavo evaluate` then keeps the largest, which is COLMAP's own rule.
"""

import argparse
import os
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import numpy as np


def extract(root, output, most, best):
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "features.db"
        subprocess.run(
            ["colmap", "feature_extractor", "--database_path", database, "--image_path", root,
             "--SiftExtraction.use_gpu", "0", "--SiftExtraction.num_threads", "1",
             "--SiftExtraction.max_num_features", str(most),
             "--SiftExtraction.estimate_affine_shape", str(int(best)),
             "--SiftExtraction.domain_size_pooling", str(int(best))],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        tables = sqlite3.connect(database)
        names = dict(tables.execute("SELECT image_id, name FROM images"))
        for image, name in names.items():
            keypoints = read(tables, "keypoints", image, np.float32)
            descriptors = read(tables, "descriptors", image, np.uint8)
            target = output / f"{name}.npz"
            target.parent.mkdir(parents=True, exist_ok=True)
            np.savez(target, keypoints=as_similarities(keypoints), descriptors=descriptors.reshape(-1, 128))
        tables.close()


def read(tables, table, image, kind):
    rows, columns, data = tables.execute(
        f"SELECT rows, cols, data FROM {table} WHERE image_id = ?", (image,)
    ).fetchone()
    return np.frombuffer(data or b"", kind).reshape(rows, columns)


def as_similarities(keypoints):
    """x, y, a11, a12, a21, a22 to x, y, scale (the root of the ellipse's two axes' product), orientation, response."""
    if keypoints.shape[1] != 6:
        return np.zeros((0, 5), np.float32)
    x, y, a11, a12, a21, a22 = keypoints.T
    scale = np.sqrt(np.abs(a11 * a22 - a12 * a21))
    return np.column_stack([x - 0.5, y - 0.5, scale, np.arctan2(a21, a11), scale]).astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--max-features", type=int, default=8192)
    parser.add_argument("--best", action="store_true")
    call = parser.parse_args()
    extract(call.root, call.output, call.max_features, call.best)


if __name__ == "__main__":
    main()
