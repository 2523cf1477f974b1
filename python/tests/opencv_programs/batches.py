"""Features of several images at a time, in files, and the image of a collection that a query shows."""

import tempfile
from pathlib import Path

import cv2
import numpy as np


def main(data):
    names = ["box.png", "home.jpg", "graf1.png", "basketball1.png"]
    images = [cv2.imread(f"{data}/{name}") for name in names]
    sift = cv2.SIFT_create(400)
    keypoints = sift.detect(images)
    keypoints, rows = sift.compute(images, keypoints)
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "features.yml")
        storage = cv2.FileStorage(file, cv2.FILE_STORAGE_WRITE)
        for name, one in zip(names, rows):
            storage.write(name.split(".")[0], one)
        storage.release()
        settings = str(Path(folder) / "sift.yml")
        sift.write(settings)
        sift = cv2.SIFT_create()
        sift.read(settings)
        storage = cv2.FileStorage(file, cv2.FILE_STORAGE_READ)
        rows = [storage.getNode(name.split(".")[0]).mat() for name in names]
        storage.release()
    assert sift.getNFeatures() == 400
    matcher = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {"checks": 50})
    matcher.add(rows)
    matcher.train()
    scene = cv2.imread(f"{data}/box_in_scene.png")
    pairs = matcher.knnMatch(cv2.SIFT_create().detectAndCompute(scene, None)[1], k=2)
    images = [one.imgIdx for one, other in pairs if one.distance < 0.6 * other.distance]
    return {"images": len(keypoints), "best": names[np.bincount(images, minlength=len(names)).argmax()]}
