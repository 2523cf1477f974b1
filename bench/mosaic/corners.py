"""How far the corners of tiles are from where they should be."""

from pathlib import Path

import cv2
import numpy as np


def mapped(matrix, points):
    points = np.c_[points, np.ones(len(points))] @ matrix.T
    return points[:, :2] / points[:, 2:]


def tile_corners(size):
    width, height = size
    return np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])


def corner_rms(plan, truth):
    """Corners of the tiles that are placed, after the best homography from the plan's frame to the truth."""
    files = {tile["file"]: np.array(tile["image_from_tile"]).reshape(3, 3) for tile in truth["tiles"]}
    rays, wanted = [], []
    for image in plan["images"]:
        if image["status"] != "placed":
            continue
        frame = np.array(image["frame_from_image"])
        corners = np.c_[tile_corners(truth["size"]), np.ones(4)]
        rays.append(corners @ frame.T)
        wanted.append(mapped(files[Path(image["image"]).name], corners[:, :2]))
    rays, wanted = np.vstack(rays), np.vstack(wanted)
    points = (rays[:, :2] / rays[:, 2:]).astype(np.float64)
    best, _ = cv2.findHomography(points, wanted, 0)
    return float(np.sqrt(((mapped(best, points) - wanted) ** 2).sum(axis=1).mean()))
