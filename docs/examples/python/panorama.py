"""Puts the second photograph onto the plane of the first. Usage: panorama.py A B OUTPUT"""

import sys

import numpy as np

from octavo import cv2  # this line was: import cv2

a, b = (cv2.imread(file) for file in sys.argv[1:3])
sift = cv2.SIFT_create(4000)
matcher = cv2.BFMatcher(sift.defaultNorm())
keypoints_a, descriptors_a = sift.detectAndCompute(a, None)
keypoints_b, descriptors_b = sift.detectAndCompute(b, None)

pairs = matcher.knnMatch(descriptors_b, descriptors_a, k=2)
good = [one for one, other in pairs if one.distance < 0.75 * other.distance]
from_b = np.float32([keypoints_b[one.queryIdx].pt for one in good])
to_a = np.float32([keypoints_a[one.trainIdx].pt for one in good])
a_from_b, inliers = cv2.findHomography(from_b, to_a, cv2.USAC_MAGSAC, 3)
print(f"{int(inliers.sum())} of {len(good)} matches fit")

height, width = b.shape[:2]
corners = cv2.perspectiveTransform(np.float32([[[0, 0], [width, 0], [width, height], [0, height]]]), a_from_b)[0]
low = np.floor(np.minimum(corners.min(axis=0), 0)).astype(int)
high = np.ceil(np.maximum(corners.max(axis=0), [a.shape[1], a.shape[0]])).astype(int)
shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], float)
size = tuple(int(side) for side in high - low)
canvas = cv2.warpPerspective(b, shift @ a_from_b, size)
first = cv2.warpPerspective(a, shift, size)
canvas[first.any(axis=2)] = first[first.any(axis=2)]
cv2.imwrite(sys.argv[3], canvas)
