"""Two photographs of a wall from far aside: affine views, and a homography of their matches."""

import cv2
import numpy as np


def main(data):
    a, b = (cv2.imread(f"{data}/{name}", cv2.IMREAD_GRAYSCALE)[::2, ::2].copy() for name in ("graf1.png", "graf3.png"))
    detector = cv2.AffineFeature_create(cv2.SIFT_create())
    of_a, rows_of_a = detector.detectAndCompute(a, None)
    of_b, rows_of_b = detector.detectAndCompute(b, None)
    matcher = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {})
    pairs = matcher.knnMatch(rows_of_a, trainDescriptors=rows_of_b, k=2)
    good = [two[0] for two in pairs if len(two) == 2 and two[0].distance < two[1].distance * 0.75]
    here = np.float32([of_a[one.queryIdx].pt for one in good])
    there = np.float32([of_b[one.trainIdx].pt for one in good])
    matrix, mask = cv2.findHomography(here, there, cv2.RANSAC, 5.0)
    corner = cv2.perspectiveTransform(np.float32([[[200, 160]]]), matrix)[0]
    return {"inliers": int(mask.sum()), "centre": corner}
