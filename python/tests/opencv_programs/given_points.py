"""Descriptors at corners of FAST and on a grid, and the nearest of one among those of the image moved aside."""

import cv2
import numpy as np


def main(data):
    a = cv2.imread(f"{data}/home.jpg", cv2.IMREAD_GRAYSCALE)
    b = np.roll(a, 16, axis=1)
    sift = cv2.SIFT_create()
    corners = cv2.FastFeatureDetector_create(60).detect(a, None)
    kept, rows = sift.compute(a, corners)
    grid = [cv2.KeyPoint(x, y, 16) for y in range(32, a.shape[0] - 32, 16) for x in range(32, a.shape[1] - 32, 16)]
    on_grid, rows_of_a = sift.compute(a, grid)
    _, rows_of_b = sift.compute(b, grid)
    assert rows.shape == (len(kept), 128) and len(on_grid) == len(rows_of_a) == len(rows_of_b)
    found = cv2.BFMatcher(cv2.NORM_L2, crossCheck=True).match(rows_of_a, rows_of_b)
    aside = [on_grid[one.trainIdx].pt[0] - on_grid[one.queryIdx].pt[0] for one in found]
    return {"corners": len(kept), "grid": len(on_grid), "aside": float(np.median(aside))}
