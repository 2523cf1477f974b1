"""Matches two photographs of one scene and draws the matches. Usage: match_photographs.py A B OUTPUT"""

import sys

import cv2
import numpy as np

import octavo

a, b = (cv2.imread(file) for file in sys.argv[1:3])  # blue, green, red

extractor = octavo.Extractor(max_features=4000, order="bgr")
of_a, of_b = extractor.extract(a), extractor.extract(b)
matches = octavo.match(of_a, of_b, ratio=0.75)

homography, inliers = cv2.findHomography(of_a.xy[matches.a], of_b.xy[matches.b], cv2.USAC_MAGSAC, 3)
good = matches[inliers.ravel() > 0]
print(f"{len(of_a)} and {len(of_b)} keypoints, {len(matches)} matches, {len(good)} of them fit the homography")

height = max(a.shape[0], b.shape[0])
both = np.zeros((height, a.shape[1] + b.shape[1], 3), np.uint8)
both[: a.shape[0], : a.shape[1]], both[: b.shape[0], a.shape[1] :] = a, b
for p, q in zip(of_a.xy[good.a][::8], of_b.xy[good.b][::8] + [a.shape[1], 0]):
    cv2.line(both, np.rint(p).astype(int), np.rint(q).astype(int), (90, 230, 90), 1, cv2.LINE_AA)
cv2.imwrite(sys.argv[3], both)
