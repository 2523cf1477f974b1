"""The fundamental matrix of a stereo pair, and how far its points lie from their epipolar lines."""

import cv2
import numpy as np


def main(data):
    a, b = (cv2.imread(f"{data}/{name}", cv2.IMREAD_GRAYSCALE)[::2, ::2].copy() for name in ("aloeL.jpg", "aloeR.jpg"))
    sift = cv2.SIFT_create()
    of_a, rows_of_a = sift.detectAndCompute(a, None)
    of_b, rows_of_b = sift.detectAndCompute(b, None)
    flann = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    good = [one for one, other in flann.knnMatch(rows_of_a, rows_of_b, k=2) if one.distance < 0.8 * other.distance]
    here = np.int32([of_a[one.queryIdx].pt for one in good])
    there = np.int32([of_b[one.trainIdx].pt for one in good])
    matrix, mask = cv2.findFundamentalMat(here, there, cv2.FM_LMEDS)
    here, there = here[mask.ravel() == 1], there[mask.ravel() == 1]
    lines = cv2.computeCorrespondEpilines(there.reshape(-1, 1, 2), 2, matrix).reshape(-1, 3)
    apart = np.abs(np.sum(lines * np.column_stack([here, np.ones(len(here))]), axis=1))
    return {"inliers": len(here), "is_near": bool(np.median(apart) < 1), "slope": np.abs(lines[:, 0]).max()}
