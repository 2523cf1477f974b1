#!/usr/bin/env python3
"""Mosaics of a camera that turns, through lenses of several formulas: how far apart Octavo puts what two images share.

usage: lenses.py OCTAVO FOLDER RESULT.json

The world is a sphere of 8 x 4 of Debian's wallpapers; one that looks like one before is left out. The views have 1280 x 960 pixels, noise, and are JPEG. A pinhole camera with a distortion of
Brown's has the radius f (t + k1 t^3 + k2 t^5) where t is the tangent of the angle from the axis; a fisheye f times the
angle, or 2 f times the sine of its half. Errors are the angles between the rays to which Octavo takes the two pixels of
one direction, times f [pixel].

Needs Python with OpenCV and NumPy.
"""

import argparse
import glob
import json
import math
import subprocess
from pathlib import Path

import cv2
import numpy as np

from record import record

PHOTOGRAPHS = ["/usr/share/backgrounds/*.jpg", "/usr/share/wallpapers/*/contents/images/*.jpg"]
WIDTH, HEIGHT = 1280, 960
UNIT = math.hypot(WIDTH, HEIGHT) / 2
# name: formula, f, k1, k2, degrees from view to view, number of views
LENSES = {
    "none": ("brown", 1000, 0, 0, 20, 7),
    "k1 -0.05": ("brown", 1000, -0.05, 0, 20, 7),
    "k1 +0.05": ("brown", 1000, 0.05, 0, 20, 7),
    "k1 -0.15": ("brown", 900, -0.15, 0, 20, 7),
    "k1 -0.28 k2 0.07": ("brown", 800, -0.28, 0.07, 20, 7),
    "fisheye, 65 degrees": ("angle", 1400, 0, 0, 15, 7),
    "fisheye, 102 degrees": ("angle", 900, 0, 0, 20, 7),
    "action camera, 149 degrees": ("angle", 615, 0, 0, 30, 6),
    "action camera, 155 degrees": ("sine", 640, 0, 0, 30, 6),
}


def radius_of_angles(lens):
    """The radius [pixel] of each of many angles [radian], as far as it grows and an image reaches."""
    formula, f, k1, k2 = lens[:4]
    angles = np.linspace(0, 1.45, 30000)
    t = np.tan(angles)
    radii = {"brown": f * (t + k1 * t**3 + k2 * t**5), "angle": f * angles, "sine": 2 * f * np.sin(angles / 2)}[formula]
    end = next((i for i in range(1, len(radii)) if radii[i] <= radii[i - 1] or radii[i] > 1.2 * UNIT), len(radii))
    return radii[:end], angles[:end]


def rays_of(pixels, lens):
    """Rays (3 x N) of pixels (2 x N) that are relative to the centre."""
    radii, angles = radius_of_angles(lens)
    r = np.hypot(*pixels)
    angle = np.interp(r, radii, angles)
    return np.vstack([pixels * np.where(r > 0, np.sin(angle) / np.maximum(r, 1e-9), 0), np.cos(angle)])


def pixels_of(rays, lens):
    """The opposite; NaN where the lens does not see."""
    radii, angles = radius_of_angles(lens)
    rho = np.hypot(rays[0], rays[1])
    r = np.interp(np.arctan2(rho, rays[2]), angles, radii, right=np.nan)
    return rays[:2] * np.where(rho > 0, r / np.maximum(rho, 1e-9), 0)


def sphere_of_photographs():
    tiles, thumbs = [], []
    for path in sorted(path for pattern in PHOTOGRAPHS for path in glob.glob(pattern)):
        image = cv2.imread(path)
        if image is None or len(tiles) == 32:
            continue
        scale = 1024 / min(image.shape[:2])
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        top, left = (image.shape[0] - 1024) // 2, (image.shape[1] - 1024) // 2
        image = image[top : top + 1024, left : left + 1024]
        thumb = cv2.resize(image, (16, 16), interpolation=cv2.INTER_AREA).astype(float)
        if image.std() > 25 and all(abs(thumb - other).mean() > 12 for other in thumbs):
            tiles.append(image)
            thumbs.append(thumb)
    if len(tiles) < 32:
        raise SystemExit(f"lenses.py: 32 different photographs are needed, not {len(tiles)}")
    return np.vstack([np.hstack(tiles[row * 8 : row * 8 + 8]) for row in range(4)])


def render(sphere, lens, folder):
    """Writes the views and returns the rotation of each, from rays of the camera to the world's."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    x, y = np.meshgrid(np.arange(WIDTH) - (WIDTH - 1) / 2, np.arange(HEIGHT) - (HEIGHT - 1) / 2)
    rays = rays_of(np.vstack([x.ravel(), y.ravel()]), lens)
    step, count = lens[4:]
    turns = {}
    for i in range(count):
        angles = [random.uniform(-4, 4), (i - (count - 1) / 2) * step, random.uniform(-3, 3)]
        pitch, yaw, roll = (cv2.Rodrigues(np.radians(a) * np.eye(3)[axis])[0] for axis, a in enumerate(angles))
        turn = yaw @ pitch @ roll
        world = turn @ rays
        u = (np.arctan2(world[0], world[2]) / (2 * np.pi) + 0.5) * sphere.shape[1]
        v = (np.arcsin(np.clip(world[1], -1, 1)) / np.pi + 0.5) * sphere.shape[0]
        places = [a.reshape(HEIGHT, WIDTH).astype(np.float32) for a in (u, v)]
        view = cv2.remap(sphere, *places, cv2.INTER_CUBIC, borderMode=cv2.BORDER_WRAP)
        path = folder / f"{i}.jpg"
        cv2.imwrite(str(path), np.clip(view + random.normal(0, 1.5, view.shape), 0, 255).astype(np.uint8))
        turns[str(path)] = turn
    return turns


def rays_of_mosaic(image, pixels):
    p = pixels / UNIT
    drawn = p / (1 - image["radial"] * (p**2).sum(0)) * UNIT
    rays = np.array(image["frame_from_image"]) @ np.vstack(
        [drawn[0] + (WIDTH - 1) / 2, drawn[1] + (HEIGHT - 1) / 2, np.ones(drawn.shape[1])]
    )
    return rays / np.linalg.norm(rays, axis=0)


def errors(placed, turns, lens):
    x, y = np.meshgrid(np.linspace(-WIDTH / 2, WIDTH / 2, 25), np.linspace(-HEIGHT / 2, HEIGHT / 2, 19))
    pixels = np.vstack([x.ravel(), y.ravel()])
    rays = rays_of(pixels, lens)
    found = []
    for a in placed:
        for b in placed:
            there = pixels_of(turns[b["image"]].T @ turns[a["image"]] @ rays, lens)
            seen = (abs(there[0]) < WIDTH / 2) & (abs(there[1]) < HEIGHT / 2)
            if a is not b and seen.any():
                apart = rays_of_mosaic(a, pixels[:, seen]) - rays_of_mosaic(b, there[:, seen])
                found.append(np.linalg.norm(apart, axis=0) * lens[1])
    return np.concatenate(found) if found else np.full(1, np.nan)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("octavo")
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", type=Path)
    args = parser.parse_args()
    sphere = sphere_of_photographs()
    rows = []
    for name, lens in LENSES.items():
        turns = render(sphere, lens, args.folder / name)
        told = json.loads(subprocess.run([args.octavo, "mosaic", *turns, "--json"], capture_output=True).stdout)
        placed = [image for image in told["images"] if image["status"] == "placed"]
        apart = errors(placed, turns, lens)
        rows.append(
            {
                "lens": name,
                "images": len(turns),
                "placed": len(placed),
                "model": told.get("model"),
                "radial": placed[0]["radial"] if placed else None,
                "held_out": told.get("held_out"),
                "rms": round(float(np.sqrt((apart**2).mean())), 3),
                "largest": round(float(apart.max()), 2),
                "warnings": told["warnings"],
            }
        )
        print(json.dumps(rows[-1]), flush=True)
    record(args.result, {"lenses": rows})


if __name__ == "__main__":
    main()
