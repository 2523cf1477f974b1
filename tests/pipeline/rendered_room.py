"""Photographs of a room whose cameras are known: three walls with a photograph each."""

import cv2
import numpy as np
from PIL import Image

SIZE = (480, 360)
FILM = 30  # [mm] on film: 416 pixels for a diagonal of 600
FOCAL = FILM * 600 / np.hypot(36, 24)
VIEWS = 6


def pose(index):
    """World to camera: rotation and translation of a view into the corner of a room."""
    centre = np.array([3.0 + 0.25 * index, 2.4 + 0.1 * (index % 2), 3.6 - 0.2 * index])
    forward = np.array([0.7, 0.8, 0.7]) - centre
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(forward, right), forward])
    return rotation, -rotation @ centre


def view(index, walls):
    """What the camera sees of the three walls x = 0, y = 0 and z = 0, each with a photograph on 4 × 4 units."""
    rotation, translation = pose(index)
    centre = -rotation.T @ translation
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    ray = np.stack([(x - (SIZE[0] - 1) / 2) / FOCAL, (y - (SIZE[1] - 1) / 2) / FOCAL, np.ones(x.shape)], -1) @ rotation
    with np.errstate(divide="ignore"):
        distance = np.where(ray < -1e-9, -centre / ray, np.inf)
    nearest = distance.argmin(-1)
    point = centre + ray * distance.min(-1)[..., None]
    image = np.zeros(x.shape, np.uint8)
    for axis, wall in enumerate(walls):
        along, up = (np.delete(point, axis, -1)[..., i] for i in (0, 1))
        columns, rows = (np.float32(place / 4 * side) for place, side in ((along, wall.shape[1]), (up, wall.shape[0])))
        seen = cv2.remap(wall, columns, rows, cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        image[nearest == axis] = seen[nearest == axis]
    return image


def save(image, file, make="Acme", film=FILM):
    exif = Image.Exif()
    if make:
        exif[271], exif[272] = make, "One"
        exif.get_ifd(0x8769)[0xA405] = film
    Image.fromarray(image).save(file, quality=95, exif=exif)


def write_views(photograph, folder, count=VIEWS):
    """Writes the views as 0.jpg, 1.jpg … `photograph` is the fixture."""
    walls = [
        cv2.imread(str(photograph(name)), cv2.IMREAD_GRAYSCALE) for name in ("graf1.png", "building.jpg", "home.jpg")
    ]
    for index in range(count):
        save(view(index, walls), folder / f"{index}.jpg")
