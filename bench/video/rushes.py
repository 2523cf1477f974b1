"""Rushes with known takes, rendered from clips and photographs.

A scene is a part of a clip without a cut, or a camera move over a large photograph before which an actor (a part of
another image) walks. A take is the scene once more: it begins elsewhere, has another length and speed, its camera
shakes, is turned and zoomed, and has another noise, exposure and gamma; in photographs the actor walks another way, and
the camera is up to 4 % of the image elsewhere. The takes of all scenes are shuffled into a few files. Between two
takes is nothing, black, colour bars, or a clapper board of 0.6 to 1.6 seconds. Some scenes have one take.

All that is random comes from the seed, so that a set can be rendered again.
"""

import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

WIDTH, HEIGHT, FPS = 640, 360, 25
PHOTOGRAPHS = Path("/usr/share/backgrounds")  # Debian's lomiri-wallpapers-16.04, CC BY, CC BY-SA and CC0
WALLPAPERS = Path("/usr/share/wallpapers")  # Debian's plasma-workspace-wallpapers
OPENCV = Path("/usr/share/doc/opencv-doc/examples/data")


class ClipScene:
    """A part of a clip."""

    def __init__(self, path, begin, seconds):
        video = cv2.VideoCapture(str(path))
        self.fps, self.frames = video.get(cv2.CAP_PROP_FPS), []
        video.set(cv2.CAP_PROP_POS_FRAMES, round(begin * self.fps))
        while len(self.frames) < seconds * self.fps:
            good, frame = video.read()
            if not good:
                break
            scale = max(WIDTH / frame.shape[1], HEIGHT / frame.shape[0])
            self.frames.append(
                cv2.resize(
                    frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
                )
            )
        self.seconds = len(self.frames) / self.fps

    def frame(self, seconds, camera, take):
        """What the camera sees: a 2×3 matrix from the middle of an image of 640×360 to the image."""
        image = self.frames[min(int(seconds * self.fps), len(self.frames) - 1)]
        return seen(image, camera, (image.shape[1] / 2, image.shape[0] / 2))


class PhotographScene:
    """A camera that moves over a photograph, with an actor."""

    seconds = 24

    def __init__(self, path, actor, random):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        scale = 2200 / max(image.shape[:2])
        self.image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        height, width = self.image.shape[:2]
        low, high = np.array([WIDTH, HEIGHT]) * 0.8, np.array([width, height]) - np.array([WIDTH, HEIGHT]) * 0.8
        self.begin, self.end = random.uniform(low, high), random.uniform(low, high)
        if random.random() < 0.4:  # a camera that hardly moves
            self.end = self.begin + random.uniform(-40, 40, 2)
        actor = cv2.imread(str(actor), cv2.IMREAD_COLOR)
        self.actor = cv2.resize(actor, (150, 220), interpolation=cv2.INTER_AREA)
        mask = np.zeros((220, 150), np.float32)
        cv2.ellipse(mask, (75, 110), (66, 100), 0, 0, 360, 1, -1)
        self.mask = cv2.GaussianBlur(mask, (0, 0), 4)[:, :, None]

    def frame(self, seconds, camera, take):
        share = seconds / self.seconds
        middle = self.begin + (self.end - self.begin) * share + take["aside"]
        image = seen(self.image, camera, middle)
        x = (0.1 + 0.9 * ((share * 1.5 + take["actor"][0]) % 1)) * WIDTH - 150
        y = 120 + 60 * take["actor"][1] + 20 * np.sin(3 * seconds)
        return with_actor(image, self.actor, self.mask, int(x), int(y))


def with_actor(image, actor, mask, x, y):
    left, right, top, bottom = max(x, 0), min(x + actor.shape[1], WIDTH), max(y, 0), min(y + actor.shape[0], HEIGHT)
    if left >= right or top >= bottom:
        return image
    part = slice(top - y, bottom - y), slice(left - x, right - x)
    weight, place = mask[part], image[top:bottom, left:right]
    image[top:bottom, left:right] = (weight * actor[part] + (1 - weight) * place).astype(np.uint8)
    return image


def seen(image, camera, middle):
    """The camera sees 640×360 pixels around the middle; it is zoomed, turned and moved by (zoom, angle, x, y)."""
    zoom, angle, x, y = camera
    cosine, sine = np.cos(angle) / zoom, np.sin(angle) / zoom
    matrix = np.array([[cosine, -sine, middle[0] + x], [sine, cosine, middle[1] + y]])
    matrix[:, 2] -= matrix[:, :2] @ (WIDTH / 2, HEIGHT / 2)
    return cv2.warpAffine(
        image, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT
    )


def new_take(scene, random):
    speed = random.choice([1.0, 1.0, random.uniform(0.8, 1.25)])
    longest = scene.seconds / speed
    seconds = min(longest, random.uniform(0.45, 1) * min(longest, 10))
    return {
        "start": random.uniform(0, scene.seconds - seconds * speed),
        "speed": float(speed),
        "seconds": round(seconds * FPS) / FPS,
        "zoom": random.uniform(1.06, 1.3),
        "angle": random.uniform(-0.05, 0.05),
        "shake": random.choice([0.0, 1.5, 4.0]),
        "noise": random.uniform(0, 8),
        "gain": random.uniform(0.7, 1.3),
        "gamma": random.uniform(0.75, 1.35),
        "aside": random.uniform(-0.04, 0.04, 2) * (WIDTH, HEIGHT),
        "actor": random.uniform(0, 1, 2),
    }


def frames_of_take(scene, take, random):
    levels = np.rint(255 * np.clip(take["gain"] * (np.arange(256) / 255) ** take["gamma"], 0, 1)).astype(np.uint8)
    # A field of noise that is larger than a frame; each frame takes another part of it.
    noise = np.rint(take["noise"] * random.standard_normal((HEIGHT + 64, WIDTH + 64, 3), np.float32)).astype(np.int8)
    shake = np.zeros(2)
    for n in range(round(take["seconds"] * FPS)):
        shake = 0.8 * shake + take["shake"] * random.normal(size=2)  # [pixel] a hand
        camera = take["zoom"], take["angle"] + 0.0008 * shake[0], *shake
        image = cv2.LUT(scene.frame(take["start"] + take["speed"] * n / FPS, camera, take), levels)
        y, x = random.integers(0, 64, 2)
        yield cv2.add(image, noise[y : y + HEIGHT, x : x + WIDTH], dtype=cv2.CV_8U)


def black(seconds, random):
    for _ in range(round(seconds * FPS)):
        yield random.integers(0, 8, (HEIGHT, WIDTH, 3), np.uint8)


def bars(seconds, random):
    """SMPTE's bars of 75 %."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    colours = [(191, 191, 191), (0, 191, 191), (191, 191, 0), (0, 191, 0), (191, 0, 191), (0, 0, 191), (191, 0, 0)]
    for i, colour in enumerate(colours):
        image[:, i * WIDTH // 7 : (i + 1) * WIDTH // 7] = colour
    for _ in range(round(seconds * FPS)):
        yield image


def clapper(seconds, random):
    """A board with the number of the take, in front of a wall; it is held by a hand."""
    number = random.integers(1, 99)
    wall = cv2.GaussianBlur(random.integers(60, 190, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.uint8), (0, 0), 2)
    wall = cv2.resize(wall, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    for n in range(round(seconds * FPS)):
        image = wall.copy()
        x, y = 160 + int(6 * np.sin(n / 5)), 90 + int(5 * np.cos(n / 7))
        cv2.rectangle(image, (x, y), (x + 320, y + 220), (25, 25, 25), -1)
        for i in range(8):
            cv2.rectangle(image, (x + 40 * i, y - 30), (x + 40 * i + 20, y), (240, 240, 240), -1)
        for line, text in enumerate(("PROD OCTAVO", f"SCENE {number // 7}", f"TAKE {number}")):
            cv2.putText(
                image,
                text,
                (x + 15, y + 60 + 60 * line),
                cv2.FONT_HERSHEY_SIMPLEX,
                1.3,
                (235, 235, 235),
                3,
                cv2.LINE_AA,
            )
        yield image


JUNK = {"black": (black, 0.4, 1.5), "bars": (bars, 0.8, 2.0), "clapper": (clapper, 0.6, 1.6)}


class Writer:
    """A file of rushes, and what it shows."""

    def __init__(self, path):
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "bgr24",
            "-s",
            f"{WIDTH}x{HEIGHT}",
            "-r",
            FPS,
            "-i",
            "-",
            "-an",
            "-c:v",
            "libx264",
            "-preset",
            "superfast",
            "-threads",
            "1",
            "-crf",
            "23",
            "-pix_fmt",
            "yuv420p",
            path,
        ]
        self.path, self.count, self.parts = path, 0, []
        self.program = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE)

    def add(self, frames, **facts):
        begin = self.count
        for frame in frames:
            self.program.stdin.write(frame.tobytes())
            self.count += 1
        self.parts.append({"in": begin / FPS, "out": self.count / FPS, **facts})

    def finish(self):
        self.program.stdin.close()
        if self.program.wait() != 0:
            raise SystemExit(f"ffmpeg cannot write {self.path}")


def render(folder, scenes, seed, files=3, single=3):
    """Renders rushes of the scenes {name: scene} that the function gives. The last `single` scenes have one take. Returns the truth: for each file
    its parts {"in", "out", "kind"} and of takes "scene", "start", "speed"."""
    truth_file = folder / "truth.json"
    if truth_file.exists():
        return json.loads(truth_file.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    scenes = scenes()
    names = list(scenes)
    plan = []
    for i, name in enumerate(names):
        takes = 1 if i >= len(names) - single else int(random.integers(2, 6))
        plan += [(name, new_take(scenes[name], random)) for _ in range(takes)]
    truth = {}
    order = random.permutation(len(plan))
    for number, part in enumerate(np.array_split(order, files)):
        writer = Writer(folder / f"rushes{number + 1}.mp4")
        for at in part:
            kind = random.choice(["nothing", "black", "bars", "clapper"], p=[0.35, 0.2, 0.15, 0.3])
            if kind != "nothing":
                make, low, high = JUNK[kind]
                writer.add(make(random.uniform(low, high), random), kind=str(kind))
            name, take = plan[at]
            writer.add(
                frames_of_take(scenes[name], take, random),
                kind="take",
                scene=name,
                start=take["start"],
                speed=take["speed"],
            )
        writer.finish()
        truth[writer.path.name] = writer.parts
    truth_file.write_text(json.dumps(truth, indent=1) + "\n")
    return truth
