"""The outline of a box in a scene, by a homography of the matches."""

import cv2
import numpy as np


def main(data):
    box, scene = (cv2.imread(f"{data}/{name}", cv2.IMREAD_GRAYSCALE) for name in ("box.png", "box_in_scene.png"))
    sift = cv2.SIFT_create()
    of_box, rows_of_box = sift.detectAndCompute(box, None)
    of_scene, rows_of_scene = sift.detectAndCompute(scene, None)
    pairs = cv2.BFMatcher().knnMatch(rows_of_box, rows_of_scene, k=2)
    good = [one for one, other in pairs if one.distance < 0.7 * other.distance]
    here = np.float32([of_box[one.queryIdx].pt for one in good]).reshape(-1, 1, 2)
    there = np.float32([of_scene[one.trainIdx].pt for one in good]).reshape(-1, 1, 2)
    matrix, mask = cv2.findHomography(here, there, cv2.RANSAC, 5.0)
    height, width = box.shape
    outline = np.float32([[0, 0], [0, height - 1], [width - 1, height - 1], [width - 1, 0]]).reshape(-1, 1, 2)
    outline = cv2.perspectiveTransform(outline, matrix)
    cv2.polylines(scene, [np.int32(outline)], True, 255, 3, cv2.LINE_AA)
    cv2.drawMatches(box, of_box, scene, of_scene, good, None, matchesMask=mask.ravel().tolist(), flags=2)
    return {"inliers": int(mask.sum()), "outline": outline[:, 0]}
