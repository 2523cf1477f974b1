"""The first frame of a clip is found again in the frames after it."""

import cv2
import numpy as np


def main(data):
    clip = cv2.VideoCapture(f"{data}/Megamind.avi")
    clip.set(cv2.CAP_PROP_POS_FRAMES, 100)
    sift, matcher = cv2.SIFT_create(1000), cv2.DescriptorMatcher_create("BruteForce")
    first, moved = None, []
    for _ in range(5):
        is_there, frame = clip.read()
        if not is_there:
            break
        keypoints, rows = sift.detectAndCompute(frame, None)
        if first is None:
            first = keypoints
            matcher.add([rows])
            matcher.train()
            continue
        pairs = matcher.knnMatch(rows, k=2)
        good = [one for one, other in pairs if one.distance < 0.8 * other.distance]
        now = np.float32([keypoints[one.queryIdx].pt for one in good])
        then = np.float32([first[one.trainIdx].pt for one in good])
        matrix, _ = cv2.findHomography(then, now, cv2.RANSAC, 2.5)
        cv2.drawKeypoints(frame, [keypoints[one.queryIdx] for one in good], None, (255, 0, 0))
        moved.append(cv2.perspectiveTransform(np.float32([[[360, 264]]]), matrix)[0, 0])
    return {"frames": len(moved), "centre": np.array(moved)}
