"""Follows the keypoints of a video from frame to frame. Usage: video_keypoints.py VIDEO OUTPUT"""

import sys

import cv2
import numpy as np

import octavo


def frames(file, count):
    video = cv2.VideoCapture(file)
    for _ in range(count):
        ok, frame = video.read()
        if not ok:
            return
        yield frame


shown = list(frames(sys.argv[1], 24))
extractor = octavo.Extractor(max_features=500, order="bgr")
matcher = octavo.Matcher(ratio=0.8)

before, moved = None, None
for number, features in enumerate(extractor.batch(shown)):
    if before is not None:
        matches = matcher.match(before, features)
        moved = before.xy[matches.a], features.xy[matches.b]
        distance = np.hypot(*(moved[1] - moved[0]).T)
        print(
            f"frame {number}: {len(matches)} of {len(features)} keypoints followed, median {np.median(distance):.2f} pixels"
        )
    before = features

image = shown[-1]
for p, q in zip(*moved):
    cv2.circle(image, np.rint(q).astype(int), 3, (90, 230, 90), 1, cv2.LINE_AA)
    cv2.line(image, np.rint(p).astype(int), np.rint(q).astype(int), (40, 60, 255), 2, cv2.LINE_AA)
cv2.imwrite(sys.argv[2], image)
