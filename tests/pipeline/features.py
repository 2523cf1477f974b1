"""Keypoints as arrays of x, y, scale, orientation, response, and the agreement of two sets of them."""

import json

import numpy as np


def from_json(text):
    keypoints = json.loads(text)["keypoints"]
    return np.array([[k["x"], k["y"], k["scale"], k["orientation"], k["response"]] for k in keypoints]).reshape(-1, 5)


def from_colmap(path):
    """An independent reader of COLMAP's text format: keypoints (x, y, scale, orientation) and descriptors."""
    lines = path.read_text().splitlines()
    count, length = map(int, lines[0].split())
    assert length == 128 and len(lines) == count + 1
    rows = [line.split() for line in lines[1:]]
    assert all(len(row) == 4 + 128 for row in rows)
    keypoints = np.array([[float(word) for word in row[:4]] for row in rows]).reshape(-1, 4)
    descriptors = np.array([[int(word) for word in row[4:]] for row in rows]).reshape(-1, 128)
    return keypoints, descriptors


def share_with_partner(keypoints, others, pixels=0.5, factor=1.1):
    """The share of the keypoints that have one of the others within the given distance [pixel] and factor of scale."""
    distance = np.hypot(*(keypoints[:, None, i] - others[None, :, i] for i in (0, 1)))
    ratio = np.abs(np.log(keypoints[:, None, 2] / others[None, :, 2]))
    return np.mean(np.any((distance <= pixels) & (ratio <= np.log(factor)), axis=1))
