"""Panoramas of a room whose cameras are known: a box with a photograph on each of its six sides."""

import cv2
import numpy as np
from PIL import Image

PHOTOGRAPHS = ("graf1.png", "building.jpg", "home.jpg", "baboon.jpg", "leuvenA.jpg", "starry_night.jpg")
ROOM = np.array([6.0, 4.0, 5.0])  # x right, y down, z ahead
WIDTH = 1200
# Places, and turns about the upright axis with a little roll [degree].
PLACES = np.array([[2.2, 2.1, 2.0], [2.9, 1.9, 2.3], [3.6, 2.2, 2.6], [3.3, 2.0, 3.2]])
TURNS = np.array([[0, 0], [35, 4], [140, -3], [250, 5]])


def rotation_of(yaw, roll):
    """From the room to the frame of a panorama so turned: x right, y down, z ahead, the middle of the image."""
    yaw, roll = np.radians([yaw, roll])
    about_y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    return (about_y @ about_z).T


def rotation(index):
    return rotation_of(*TURNS[index])


def walls_of(photograph):
    return [cv2.imread(str(photograph(name)), cv2.IMREAD_GRAYSCALE) for name in PHOTOGRAPHS]


def seen(centre, rays, walls):
    """What rays from a place see; their last axis is x, y, z in the room."""
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = np.concatenate([np.where(rays < 0, -centre / rays, np.inf),
                                    np.where(rays > 0, (ROOM - centre) / rays, np.inf)], -1)  # fmt: skip
    nearest = distances.argmin(-1)
    points = centre + rays * distances.min(-1)[..., None]
    image = np.zeros(rays.shape[:-1], np.uint8)
    for side, wall in enumerate(walls):
        a, b = [axis for axis in range(3) if axis != side % 3]
        columns = np.float32(points[..., a] / ROOM[a] * (wall.shape[1] - 1))
        rows = np.float32(points[..., b] / ROOM[b] * (wall.shape[0] - 1))
        shown = cv2.remap(wall, columns, rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        image[nearest == side] = shown[nearest == side]
    return image


def panorama_from(place, turn, walls, width):
    across, down = np.meshgrid(np.arange(width) + 0.5, np.arange(width // 2) + 0.5)
    longitude, latitude = 2 * np.pi * (across / width - 0.5), np.pi * (0.5 - 2 * down / width)
    rays = np.stack([np.cos(latitude) * np.sin(longitude), -np.sin(latitude), np.cos(latitude) * np.cos(longitude)], -1)
    return seen(place, rays @ turn, walls)


def panorama(index, walls, width=WIDTH):
    return panorama_from(PLACES[index], rotation(index), walls, width)


def photograph_from(centre, towards, walls, size=(480, 360), focal=416):
    """An ordinary photograph."""
    ahead = (towards - centre) / np.linalg.norm(towards - centre)
    right = np.cross([0, 1, 0], ahead)
    right /= np.linalg.norm(right)
    turn = np.array([right, np.cross(ahead, right), ahead])
    x, y = np.meshgrid(np.arange(size[0]) + 0.5 - size[0] / 2, np.arange(size[1]) + 0.5 - size[1] / 2)
    return seen(centre, np.stack([x / focal, y / focal, np.ones(x.shape)], -1) @ turn, walls)


GPANO = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" '
    'GPano:ProjectionType="equirectangular"{}/></rdf:RDF></x:xmpmeta>'
)
TOLD = GPANO.format("")


def save(image, file, xmp=TOLD, exif=None):
    """Writes a JPEG with this text as its XMP."""
    Image.fromarray(image).save(file, quality=95, **({"exif": exif} if exif else {}))
    if not xmp:
        return
    content = b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode()
    data = file.read_bytes()
    file.write_bytes(data[:2] + b"\xff\xe1" + (len(content) + 2).to_bytes(2, "big") + content + data[2:])


def matrix_of(quaternion):
    w, *v = quaternion
    x, y, z = v
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def errors_of(one, other, way, turn, other_turn):
    """[degree] Errors of the turn from one panorama of a report to another, and of the direction; the truth is the way in the
    room, and the rotations from the room."""
    found, other_found = matrix_of(one["rotation"]), matrix_of(other["rotation"])
    difference = other_found @ found.T @ (other_turn @ turn.T).T
    a, b = found @ (np.array(other["centre"]) - one["centre"]), turn @ way
    cosines = (np.trace(difference) - 1) / 2, a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))
