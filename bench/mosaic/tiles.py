"""Tiles cut from a large image by known homographies, with gain, white balance, noise and vignetting.

The large image is the truth: a point of a tile, mapped by the tile's homography, is a point of it. Three kinds:

    scan         the tiles are shifted, and turned by up to 3 degrees
    perspective  their corners are moved by up to 5 % of their sides too: a flat scene, photographed from anywhere
    turn         a camera with a focal length of 1.2 times the tile's width turns about its centre before the image
"""

import json
from pathlib import Path

import cv2
import numpy as np


def grid(shape, rows, columns, size, overlap):
    """Centres of tiles, so that neighbours share this part of their sides."""
    height, width = shape[:2]
    step = np.array(size) * (1 - overlap)
    middle = np.array([width / 2, height / 2])
    for row in range(rows):
        for column in range(columns):
            yield middle + (np.array([column, row]) - [(columns - 1) / 2, (rows - 1) / 2]) * step


def homography(kind, centre, size, shape, rng):
    """image_from_tile."""
    width, height = size
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    if kind == "turn":
        focal = 1.2 * width
        middle = np.array([shape[1] / 2, shape[0] / 2])
        ray = np.append((centre - middle) / focal, 1)
        yaw, pitch = np.arctan2(ray[0], ray[2]), -np.arctan2(ray[1], np.hypot(ray[0], ray[2]))
        rotation = cv2.Rodrigues(np.array([0, yaw, 0.0]))[0] @ cv2.Rodrigues(np.array([pitch, 0, 0.0]))[0]
        rotation = rotation @ cv2.Rodrigues(np.array([0, 0, np.deg2rad(rng.uniform(-2, 2))]))[0]
        camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        plane = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
        return plane @ rotation @ np.linalg.inv(camera)
    angle = np.deg2rad(rng.uniform(-3, 3))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (corners - corners.mean(axis=0)) @ turn.T + centre
    if kind == "perspective":
        moved += rng.uniform(-0.05, 0.05, (4, 2)) * [width, height]
    return cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32)).astype(float)


def tile(image, image_from_tile, size, rng, gain=(-0.35, 0), vignetting=0.3, noise=2.0):
    """A tile as 8-bit BGR. Its colours are multiplied by exp of a number of the range `gain`, so that none is clipped."""
    width, height = size
    pixels = cv2.warpPerspective(
        image, image_from_tile, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT
    )
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    radius2 = (x**2 + y**2) / (np.hypot(width, height) / 2) ** 2
    factor = np.exp(rng.uniform(*gain) + rng.uniform(-0.03, 0, 3))
    pixels = pixels.astype(float) * factor * np.exp(-vignetting * radius2)[..., None]
    pixels += rng.normal(0, noise, pixels.shape)
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)


def cut(file, folder, kind, rows=3, columns=4, size=(800, 600), overlap=0.3, seed=1, **changes):
    """Writes the tiles as PNG and truth.json, and returns the truth."""
    rng = np.random.default_rng(seed)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    image = cv2.imread(str(file), cv2.IMREAD_COLOR)
    need = np.array(size) * (np.array([columns, rows]) * (1 - overlap) + overlap) * 1.15
    scale = max(need[0] / image.shape[1], need[1] / image.shape[0], 0.01)
    # An image that is larger than needed is made smaller: its finest details then are as sharp as those of a camera.
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    truth = {"source": str(file), "kind": kind, "seed": seed, "size": size, "tiles": []}
    for i, centre in enumerate(grid(image.shape, rows, columns, size, overlap)):
        matrix = homography(kind, centre, size, image.shape, rng)
        name = f"tile{i:03}.png"
        cv2.imwrite(str(folder / name), tile(image, matrix, size, rng, **changes))
        truth["tiles"].append({"file": name, "image_from_tile": matrix.ravel().tolist()})
    cv2.imwrite(str(folder / "truth.png"), image)
    (folder / "truth.json").write_text(json.dumps(truth))
    return truth
