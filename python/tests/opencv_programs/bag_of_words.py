"""Photographs as histograms of visual words: is a half of a photograph most like its other half?"""

import cv2
import numpy as np


def main(data):
    photographs = [
        cv2.imread(f"{data}/{name}", cv2.IMREAD_GRAYSCALE)
        for name in ("home.jpg", "building.jpg", "fruits.jpg", "graf1.png")
    ]
    halves = [one[:, part::2] for one in photographs for part in (0, 1)]
    sift = cv2.SIFT_create(500)
    trainer = cv2.BOWKMeansTrainer(60, (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.1))
    for one in photographs:
        trainer.add(sift.detectAndCompute(one, None)[1])
    words = trainer.cluster()
    bow = cv2.BOWImgDescriptorExtractor(sift, cv2.FlannBasedMatcher({"algorithm": 1, "trees": 5}, {}))
    bow.setVocabulary(words)
    histograms = np.concatenate([bow.compute(one, sift.detect(one)) for one in halves])
    assert histograms.shape == (len(halves), bow.descriptorSize()) and histograms.dtype == np.float32
    assert np.allclose(histograms.sum(axis=1), 1, atol=1e-3) and bow.descriptorType() == cv2.CV_32F
    assert np.array_equal(bow.getVocabulary(), words)
    apart = np.linalg.norm(histograms[:, None] - histograms[None], axis=2) + 9 * np.eye(len(halves))
    return {"right": int(sum(nearest == i ^ 1 for i, nearest in enumerate(apart.argmin(axis=1))))}
