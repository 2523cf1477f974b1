#!/usr/bin/env python3
"""How exactly a tile's place can be known at all: the bound of Cramér and Rao, from the truth.

usage: bound.py FOLDER ...

FOLDER: one of mosaics.py, with truth.json and truth.png. For each tile the gradients of the truth in its overlaps with all
other tiles, whose places are taken as known, give the information on its place; gain, offset, and a shade that is linear in
x and y are free for each pair. Tiles of the kind `scan` have 4 numbers, others 8. Told is the root mean square of its
corners' standard deviations [pixel of the truth].
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from corners import mapped, tile_corners

UNIT = 500  # [pixel] so that all numbers are of one size
# The noise of tiles.tile has σ = 2 in each channel. Grey is a weighted mean of channels, which has 0.67 of it; darker tiles
# are brightened, by 1.4 at most; and both tiles have noise.
DEVIATION = 2 * 0.67 * 1.4 * np.sqrt(2)


def moves(kind, x, y):
    """The derivatives of a point's place by the numbers of the model: two rows of arrays."""
    one, nil = np.ones_like(x), np.zeros_like(x)
    if kind == "scan":
        return np.array([[one, nil, x, -y], [nil, one, y, x]])
    return np.array([[one, nil, x, y, nil, nil, x * x, x * y], [nil, one, nil, nil, x, y, x * y, y * y]])


def information(kind, grey, gradients, overlap, centre):
    rows, columns = np.nonzero(overlap)
    x, y = (columns - centre[0]) / UNIT, (rows - centre[1]) / UNIT
    along = moves(kind, x, y)
    jacobian = (gradients[0][rows, columns] * along[0] + gradients[1][rows, columns] * along[1]).T
    colours = np.linalg.qr(np.stack([np.ones_like(x), grey[rows, columns] / 255, x, y], axis=1))[0]
    jacobian -= colours @ (colours.T @ jacobian)
    return jacobian.T @ jacobian / DEVIATION**2


def bounds(folder):
    grey = cv2.cvtColor(cv2.imread(str(folder / "truth.png")), cv2.COLOR_BGR2GRAY).astype(float)
    gradients = [cv2.Sobel(grey, cv2.CV_64F, *order, ksize=3) / 8 for order in ((1, 0), (0, 1))]
    truth = json.loads((folder / "truth.json").read_text())
    corners, shown = [], []
    for tile in truth["tiles"]:
        corners.append(mapped(np.array(tile["image_from_tile"]).reshape(3, 3), tile_corners(truth["size"])))
        mask = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(corners[-1]).astype(np.int32), 1)
        shown.append(mask > 0)
    for i, own in enumerate(corners):
        centre = own.mean(axis=0)
        overlaps = [shown[i] & other for k, other in enumerate(shown) if k != i and (shown[i] & other).any()]
        known = sum(information(truth["kind"], grey, gradients, overlap, centre) for overlap in overlaps)
        along = np.moveaxis(moves(truth["kind"], *((own - centre) / UNIT).T), 2, 0)
        yield float(np.sqrt(np.mean([np.trace(one @ np.linalg.inv(known) @ one.T) for one in along])))


def main():
    for folder in map(Path, sys.argv[1:]):
        print(folder, " ".join(f"{bound:.3f}" for bound in bounds(folder)))


if __name__ == "__main__":
    main()
