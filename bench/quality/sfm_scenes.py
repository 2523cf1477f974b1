"""Images of scenes with depth whose cameras are known, for measuring structure from motion.

usage: sfm_scenes.py OUTPUT [--set training|report|all] [--scenes A,B] [--views N] [--size WxH]

OUTPUT gets SET/SCENE/images/*.png and SET/SCENE/cameras.npz: `names`, `rotations` (N×3×3) and `translations` (N×3),
which map a point of the scene to the camera (x right, y down, z ahead), `focal` and `size` [pixel]. The principal point is the
middle of the image. Scenes of the two sets share no photograph. The same call always makes the same images.

A scene is made of photographs of Debian's packages (make_pairs.py). One is laid on the ground, a smooth relief of
hills. Boxes stand on it, turned in all three directions; their faces show parts of another one, so that one hides the
other and depth changes by steps as well as smoothly. The cameras stand on a dome, look at places near the middle, and
differ in distance and roll. Beyond its edge the ground's photograph goes on mirrored.

Rays are cast through 3 × 3 places of every pixel. The textures have about as many pixels as there are rays: each is
reduced to the size at which its nearest camera sees it. Lens, noise, mosaic of colours, tones, sharpening and JPEG are
those of make_pairs.py, drawn for every image anew, with less light and more noise.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from make_pairs import SETS, develop, linear, random, shrink, usual_camera

SIZE = 1000, 750  # pixels of an image, unless the call says otherwise
FOCAL = 2600.0  # [pixel]: a long lens, which makes cameras harder to find
VIEWS = 10
SAMPLES = 3  # rays a pixel and direction

# The photograph on the ground and the one on the boxes.
SCENES = {
    "training": {
        "dragonfly": ("dragonfly", "wood"),
        "brook": ("brook", "jetty"),
        "drum": ("drum", "brook"),
        "dandelion": ("dandelion", "dragonfly"),
        "wood": ("wood", "drum"),
    },
    "report": {
        "mountain": ("mountain", "leaf"),
        "autumn": ("autumn", "clock"),
        "sunset": ("sunset", "moss"),
        "clock": ("clock", "dogs"),
        "fig": ("fig", "boats"),
    },
}


class Ground:
    """z = h(x, y), 4 units wide: hills and hollows h, the sum of waves, seen from above (z > h)."""

    WIDTH = 4.0

    def __init__(self, light, rng):
        self.texture, self.per_unit = light, light.shape[1] / self.WIDTH
        length = rng.uniform(0.9, 2.2, 6)
        angle = rng.uniform(0, 2 * np.pi, 6)
        self.wave = 2 * np.pi / length * np.array([np.cos(angle), np.sin(angle)])  # 2×6
        self.amplitude = 0.018 * length * rng.uniform(0.5, 1.0, 6)
        self.phase = rng.uniform(0, 2 * np.pi, 6)

    def height(self, x, y):
        total = np.zeros_like(x)
        for (u, v), amplitude, phase in zip(self.wave.T, self.amplitude, self.phase, strict=True):
            total += x.dtype.type(amplitude) * np.sin(x.dtype.type(u) * x + x.dtype.type(v) * y + x.dtype.type(phase))
        return total

    def cast(self, origin, rays):
        """Distance along each ray (… × 3) in units of its length. Slopes are low, so that the iteration converges."""
        x, y, z = origin.astype(rays.dtype)
        right, up, ahead = np.moveaxis(rays, -1, 0).copy()
        t = -z / ahead
        for _ in range(7 if rays.dtype == np.float32 else 20):
            t = (self.height(x + t * right, y + t * up) - z) / ahead
        return np.where(t > 0, t, np.inf)

    def places(self, points):
        """Pixels of the texture that points of the surface show."""
        middle = np.array(self.texture.shape[1::-1]) / 2 - 0.5
        return points[..., :2] * self.per_unit * np.array([1, -1]) + middle


class Face:
    """A rectangle: its corner and two sides, at right angles [unit]; its texture begins at `start` [pixel]."""

    def __init__(self, light, corner, sides, per_unit, start):
        self.texture, self.per_unit, self.start = light, per_unit, start
        self.corner, self.sides = corner, np.array(sides)
        self.lengths = np.linalg.norm(self.sides, axis=1)
        self.directions = self.sides / self.lengths[:, None]
        self.normal = np.cross(*self.directions)

    def corners(self):
        first, second = self.sides
        return self.corner + np.array([0 * first, first, first + second, second])

    def cast(self, origin, rays):
        kind = rays.dtype
        with np.errstate(divide="ignore", invalid="ignore"):
            t = kind.type((self.corner - origin) @ self.normal) / (rays @ self.normal.astype(kind))
            along = self.along(origin.astype(kind) + t[..., None] * rays)
        inside = (t > 0) & ((along >= 0) & (along <= self.lengths.astype(kind))).all(axis=-1)
        return np.where(inside, t, kind.type(np.inf))

    def along(self, points):
        return (points - self.corner.astype(points.dtype)) @ self.directions.T.astype(points.dtype)

    def places(self, points):
        return self.along(points) * self.per_unit + self.start


def turn(axis, angle):
    return cv2.Rodrigues(np.array(axis, float) / np.linalg.norm(axis) * angle)[0]


def make_boxes(light, ground, rng):
    """Nine boxes; each of their faces shows another part of the photograph."""
    faces = []
    for cell in range(9):
        centre = np.array([cell % 3 - 1, (cell // 3 - 1) * 0.75]) * 1.05 + rng.uniform(-0.2, 0.2, 2)
        lengths = rng.uniform((0.25, 0.25, 0.15), (0.6, 0.6, 0.55))
        axes = (turn((0, 0, 1), rng.uniform(0, 2 * np.pi)) @ turn(rng.normal(size=3), rng.uniform(0, 0.3))).T
        foot = np.array([*centre, ground.height(*centre) - 0.05])
        middle = foot + np.array([0, 0, lengths[2] / 2])
        for side in range(3):
            for sign in (-1, 1):
                first, second = (axes[i] * lengths[i] for i in ((side + 1) % 3, (side + 2) % 3))
                if sign > 0:
                    first, second = second, first
                corner = middle - sign * axes[side] * lengths[side] / 2 - (first + second) / 2
                per_unit = ground.per_unit * min(1.0, 0.45 * min(light.shape[:2]) / ground.per_unit / lengths.max())
                used = per_unit * np.linalg.norm([first, second], axis=1)
                room = np.array(light.shape[1::-1]) - used - 1
                faces.append(Face(light, corner, (first, second), per_unit, rng.uniform(0, 1, 2) * room))
    return faces


def make_cameras(rng, views):
    """Rotations and translations of cameras on a dome, which look down at places near the middle."""
    rotations, translations = [], []
    for number in range(views):
        around = 2 * np.pi * number * 0.381966 + rng.uniform(-0.3, 0.3)  # the golden angle spreads them evenly
        from_zenith = np.radians(5 + 30 * np.sqrt((number + 0.5) / views))
        aside = np.sin(from_zenith)
        outwards = np.array([np.cos(around) * aside, np.sin(around) * aside, np.cos(from_zenith)])
        target = np.array([*rng.uniform(-0.45, 0.45, 2), 0.1])
        place = target + rng.uniform(5.2, 8.5) * outwards
        ahead = (target - place) / np.linalg.norm(target - place)
        right = np.cross(ahead, (0.0, 1.0, 0.0))
        right /= np.linalg.norm(right)
        rotation = turn((0, 0, 1), np.radians(rng.uniform(-25, 25))) @ np.array([right, np.cross(ahead, right), ahead])
        rotations.append(rotation)
        translations.append(-rotation @ place)
    return np.array(rotations), np.array(translations)


class Scene:
    def __init__(self, which, name, views=VIEWS, size=SIZE):
        self.size, self.middle = size, (np.array(size) - 1) / 2
        ground, boxes = (linear(SETS[which][photograph][0]) for photograph in SCENES[which][name])
        rng = random("sfm", which, name)
        ground = Ground(ground, rng)
        self.name = name
        self.surfaces = [ground, *make_boxes(boxes, ground, rng)]
        self.rotations, self.translations = make_cameras(rng, views)

    def origin(self, view):
        return -self.rotations[view].T @ self.translations[view]

    def rays(self, view, pixels):
        """Directions of the rays through pixels (… × 2); their z in the camera is 1, so distances are depths."""
        inverse = np.linalg.inv(np.array([[FOCAL, 0, self.middle[0]], [0, FOCAL, self.middle[1]], [0, 0, 1]]))
        matrix = (self.rotations[view].T @ inverse).astype(pixels.dtype)
        return pixels @ matrix[:, :2].T + matrix[:, 2]

    def cast(self, view, rays, frame=lambda surface: ...):
        """Depth of what each ray meets first, and the number of its surface. `frame` tells which part of an array of
        rays can meet a surface."""
        origin = self.origin(view)
        depth, which = np.full(rays.shape[:-1], np.inf, rays.dtype), np.full(rays.shape[:-1], -1)
        for number, surface in enumerate(self.surfaces):
            part = frame(surface)
            t = surface.cast(origin, rays[part])
            nearer = t < depth[part]
            depth[part][nearer], which[part][nearer] = t[nearer], number
        return depth, which

    def frame(self, view, surface):
        """The part of the image's rays that can meet the surface."""
        if isinstance(surface, Ground):
            return ...
        corners = (self.project(view, surface.corners())[0] + 0.5) * SAMPLES
        low, high = np.clip(
            [corners.min(axis=0) - 1, corners.max(axis=0) + 2], 0, np.array(self.size) * SAMPLES
        ).astype(int)
        return slice(low[1], high[1]), slice(low[0], high[0])

    def points(self, view, pixels):
        """The points of the scene that pixels (… × 2, float64) show."""
        rays = self.rays(view, pixels)
        return self.origin(view) + self.cast(view, rays)[0][..., None] * rays

    def project(self, view, points):
        """Pixels of points, and their depths."""
        seen = points @ self.rotations[view].T + self.translations[view]
        return FOCAL * seen[..., :2] / seen[..., 2:] + self.middle, seen[..., 2]

    def light(self, view, blur):
        """The light on each pixel: the mean over its square, after the lens's Gaussian blur [pixel]."""
        width, height = self.size
        at = ((np.arange(length * SAMPLES) + 0.5) / SAMPLES - 0.5 for length in self.size)
        pixels = np.stack(np.meshgrid(*at), axis=-1).astype(np.float32)
        rays = self.rays(view, pixels)
        depth, which = self.cast(view, rays, lambda surface: self.frame(view, surface))
        points = self.origin(view).astype(np.float32) + depth[..., None] * rays
        fine = np.zeros((*which.shape, 3), np.float32)
        for number, surface in enumerate(self.surfaces):
            shows = which == number
            if not shows.any():
                continue
            pixels_a_sample = surface.per_unit * float(np.quantile(depth[shows], 0.1)) / FOCAL / SAMPLES
            reduction = max(1, int(pixels_a_sample))
            rows, columns = np.nonzero(shows)
            box = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
            places = ((surface.places(points[box]) + 0.5) / reduction - 0.5).astype(np.float32)
            places[~shows[box]] = 0
            texture = shrink(surface.texture, reduction)
            seen = cv2.remap(texture, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            fine[box][shows[box]] = seen[shows[box]]
        fine = cv2.GaussianBlur(fine, (0, 0), blur * SAMPLES)
        return cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)


def make_scene(which, name, folder, views, size):
    scene = Scene(which, name, views, size)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    names = [f"{view:02}.png" for view in range(views)]
    for view, file in enumerate(names):
        rng = random("sfm", name, view)
        camera = {**usual_camera(rng), "exposure": rng.uniform(0.4, 1.1), "photon": 10 ** rng.uniform(-3.6, -2.7)}
        cv2.imwrite(str(folder / "images" / file), develop(scene.light(view, camera["blur"]), camera, rng))
    poses = {"rotations": scene.rotations, "translations": scene.translations}
    np.savez(folder / "cameras.npz", names=names, focal=FOCAL, size=size, **poses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--set", choices=[*SCENES, "all"], default="all")
    parser.add_argument("--scenes", help="names, separated by commas; all of the set otherwise")
    parser.add_argument("--views", type=int, default=VIEWS)
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), default=SIZE)
    call = parser.parse_args()
    cv2.setNumThreads(1)
    for which in SCENES if call.set == "all" else [call.set]:
        for name in call.scenes.split(",") if call.scenes else SCENES[which]:
            make_scene(which, name, call.output / which / name, call.views, call.size)
            print(which, name, flush=True)


if __name__ == "__main__":
    main()
