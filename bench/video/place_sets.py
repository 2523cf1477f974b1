"""Sets of clips and photographs of known places, for places.py.

Photographs of a place are copied as they are. Clips are rendered: a camera moves over a large photograph, or a part of a
clip is shown. Each clip is either of a broadcaster (960×540, a logo, a line of text below, some with bars above and
below) or of a user (320×240 at crf 36, 12 frames a second, another exposure, cropped, shaken). Broadcasts of several
places have a title card first and black between. All that is random comes from the seed.
"""

import json
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np

from rushes import OPENCV, PHOTOGRAPHS, WALLPAPERS

LARGE = "contents/images/2560x1600.jpg"
FPS = 12
BROADCAST, UPLOAD = (960, 540), (320, 240)


class Move:
    """A camera over a photograph: it goes from one place and zoom (x, y and width, as shares) to another."""

    def __init__(self, image, random, seconds=4.0):
        scale = 2400 / max(image.shape[:2])
        self.image = cv2.resize(
            image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        )
        self.count = int(seconds * FPS)
        # Both ends are near the middle of the photograph, so all moves over it show some of the same.
        self.ends = [(*random.uniform(0.38, 0.62, 2), random.uniform(0.45, 0.7)) for _ in range(2)]
        self.tilt = random.uniform(-0.12, 0.12, 2)
        self.shake = random.normal(0, 0.002, (self.count, 2))

    def frames(self, size):
        height, width = self.image.shape[:2]
        for i in range(self.count):
            share = i / max(1, self.count - 1)
            x, y, wide = (1 - share) * np.array(self.ends[0]) + share * np.array(self.ends[1])
            half = np.array([wide * width, wide * width * size[1] / size[0]]) / 2
            middle = np.array([x * width, y * height]) + self.shake[i] * width
            lean = 1 + self.tilt * (share - 0.5)
            corners = middle + half * np.array([[-1, -lean[0]], [1, -1 / lean[0]], [1, 1 / lean[1]], [-1, lean[1]]])
            target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
            matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
            yield cv2.warpPerspective(self.image, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)


class Part:
    """A part of a clip, from one second on."""

    def __init__(self, path, begin, seconds):
        self.path, self.begin, self.count = path, begin, int(seconds * FPS)

    def frames(self, size):
        video = cv2.VideoCapture(str(self.path))
        rate = video.get(cv2.CAP_PROP_FPS)
        wanted = [round((self.begin + i / FPS) * rate) for i in range(self.count)]
        at, frame = -1, None
        for number in wanted:
            while at < number:
                good, next_frame = video.read()
                if not good:
                    return
                at, frame = at + 1, next_frame
            scale = max(size[0] / frame.shape[1], size[1] / frame.shape[0])
            image = cv2.resize(
                frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            )
            top, left = (image.shape[0] - size[1]) // 2, (image.shape[1] - size[0]) // 2
            yield image[top : top + size[1], left : left + size[0]]


class Card:
    """The title card that all broadcasts have, or black."""

    def __init__(self, seconds, black=False):
        self.count, self.black = int(seconds * FPS), black

    def frames(self, size):
        image = np.full((size[1], size[0], 3), 0 if self.black else (96, 40, 12), np.uint8)
        if not self.black:
            for i, words in enumerate(["OCTAVO NEWS", "today at nine o'clock", "places of the world"]):
                cv2.putText(
                    image,
                    words,
                    (int(0.08 * size[0]), int((0.4 + 0.15 * i) * size[1])),
                    cv2.FONT_HERSHEY_DUPLEX,
                    size[0] / (480 if i == 0 else 800),
                    (255, 255, 255),
                    2,
                    cv2.LINE_AA,
                )
        for _ in range(self.count):
            yield image


def broadcast(random):
    """The look of a broadcast: a logo and a line of text, the same in all; bars in some."""
    logo = cv2.resize(cv2.imread(str(OPENCV / "LinuxLogo.jpg")), (90, 90), interpolation=cv2.INTER_AREA)
    bars = int(random.choice([0, 0, 66]))

    def look(image):
        image = image.copy()
        image[24:114, -130:-40] = logo
        band = image[420:460]
        band[:] = band // 3
        cv2.putText(
            image,
            "Breaking news: octavo.example tells where it was filmed",
            (30, 448),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.9,
            (255, 255, 255),
            2,
            cv2.LINE_AA,
        )
        if bars:
            image[:bars] = image[-bars:] = 0
        return image

    return look


def upload(random):
    """The look of an upload: another exposure, a part of the image, a mark of the site."""
    gain, shift, gamma = random.uniform(0.75, 1.2), random.uniform(-25, 25), random.uniform(0.7, 1.4)
    keep = random.uniform(0.8, 0.95)
    table = np.clip(255 * (np.arange(256) / 255) ** gamma * gain + shift, 0, 255).astype(np.uint8)
    mark = bool(random.integers(2))

    def look(image):
        wide, high = round(keep * image.shape[1]), round(keep * image.shape[0])
        image = table[cv2.resize(image[:high, :wide], UPLOAD, interpolation=cv2.INTER_AREA)]
        if mark:
            cv2.putText(image, "clips.example", (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2, cv2.LINE_AA)
        return image

    return look


def write(path, size, quality, look, parts):
    """Writes a clip. `parts` are (place or None, source). Returns the parts with a place: {"in", "out", "place"}."""
    coder = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-crf", str(quality), "-pix_fmt", "yuv420p"]
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{size[0]}x{size[1]}", "-r", str(FPS), "-i", "-"]
    process = subprocess.Popen(["ffmpeg", "-v", "error", "-y", *raw, *coder, str(path)], stdin=subprocess.PIPE)
    truth, at = [], 0
    for place, source in parts:
        first = at
        for image in source.frames(size):
            process.stdin.write((image if place is None else look(image)).tobytes())
            at += 1
        if place is not None:
            truth.append({"in": first / FPS, "out": at / FPS, "place": place})
    process.stdin.close()
    if process.wait() != 0:
        raise RuntimeError(f"ffmpeg cannot write {path}")
    return truth


# Of each set: photographs of opencv-doc that show one place; large photographs over which cameras move; parts of clips
# (name, first second, length) by places; and photographs of which there is one each.
SETS = {
    "tuning": {
        "photographs": {"graf": ["graf1.png", "graf3.png"], "aloe": ["aloeL.jpg", "aloeR.jpg"]},
        "moves": [
            "aitzgorri_by_Aitzol_Berasategi.jpg",
            "Bridge_by_Sander_Klootwijk.jpg",
            f"Autumn/{LARGE}",
            f"Path/{LARGE}",
        ],
        "clips": {"vtest": [("vtest", 5, 5), ("vtest", 50, 5)], "tree": [("tree", 0, 2), ("tree", 2.2, 2)]},
        "single": [
            "Wine_by_Jakkub_Mede.jpg",
            "umang_by_Abhishek_Mudgal.jpg",
            "analogpattern_by_Peter_Nerlich.jpg",
            f"ColdRipple/{LARGE}",
            f"EveningGlow/{LARGE}",
            f"Grey/{LARGE}",
        ],
        "single_of_opencv": [
            "chessboard.png",
            "sudoku.png",
            "cards.png",
            "building.jpg",
            "home.jpg",
            "baboon.jpg",
            "stuff.jpg",
            "fruits.jpg",
        ],
        "seed": 1,
    },
    "tuning-2": {
        "photographs": {
            "leuven": ["leuvenA.jpg", "leuvenB.jpg"],
            "basketball": ["basketball1.png", "basketball2.png"],
            "rubberwhale": ["rubberwhale1.png", "rubberwhale2.png"],
        },
        "moves": [
            "seeding_by_Clements_Engelhardt.jpg",
            "picosdeeuropa_by_Aitzol_Berasategi.jpg",
            "life_by_Aitzol_Berasategi.jpg",
            f"BytheWater/{LARGE}",
            f"ColorfulCups/{LARGE}",
            "Dragonfly_by_Bolly.jpg",
        ],
        "clips": {
            "city": [("city", 0, 2), ("city", 2.4, 2)],
            "carphone": [("carphone", 0, 2), ("carphone", 2, 2)],
            "megamind": [("megamind", 0.2, 1.7), ("megamind", 2, 1.6)],
            "v2": [("v2", 0.1, 2.9), ("v2", 3, 2.9)],
        },
        "single": [
            "free_by_Peter_Nerlich.jpg",
            "friends_by_Aitzol_Berasategi.jpg",
            "greentock_by_Peter_Nerlich.jpg",
            "sunset_by_Aitzol_Berasategi.jpg",
            "Picture_1A_by_freespace.jpg",
            f"FallenLeaf/{LARGE}",
            f"OneStandsOut/{LARGE}",
        ],
        "single_of_opencv": [
            "board.jpg",
            "digits.png",
            "notes.png",
            "left01.jpg",
            "messi5.jpg",
            "butterfly.jpg",
            "starry_night.jpg",
            "squirrel_cls.jpg",
            "apple.jpg",
            "licenseplate_motion.jpg",
        ],
        "seed": 2,
    },
    "report": {
        "photographs": {
            "stereo": ["left.jpg", "right.jpg"],
            "aloe": ["aloeL.jpg", "aloeR.jpg"],
            "leuven": ["leuvenA.jpg", "leuvenB.jpg"],
        },
        "moves": [
            "friends_by_Aitzol_Berasategi.jpg",
            "greentock_by_Peter_Nerlich.jpg",
            "umang_by_Abhishek_Mudgal.jpg",
            f"FallenLeaf/{LARGE}",
            f"EveningGlow/{LARGE}",
            f"Kite/{LARGE}",
            "Wine_by_Jakkub_Mede.jpg",
        ],
        "clips": {
            "bikes": [("bikes", 3.1, 2.2), ("bikes", 3.3, 1.9)],
            "bunny": [("bunny", 0, 2.6), ("bunny", 2.6, 2.6)],
            "burrow": [("trailer", 1, 4), ("trailer", 5.2, 4)],
            "meadow": [("trailer", 14.5, 4), ("trailer", 19.5, 4)],
            "v1": [("v1", 0.1, 2.3), ("v1", 2.5, 2.3)],
        },
        "single": [
            "aitzgorri_by_Aitzol_Berasategi.jpg",
            "Bridge_by_Sander_Klootwijk.jpg",
            "seeding_by_Clements_Engelhardt.jpg",
            "picosdeeuropa_by_Aitzol_Berasategi.jpg",
            "Picture_0B_by_freespace.jpg",
            f"Autumn/{LARGE}",
            f"Path/{LARGE}",
            f"BytheWater/{LARGE}",
            f"ColorfulCups/{LARGE}",
        ],
        "single_of_opencv": [
            "building.jpg",
            "home.jpg",
            "basketball1.png",
            "graf1.png",
            "rubberwhale1.png",
            "smarties.png",
            "aero1.jpg",
            "aero3.jpg",
            "orange.jpg",
            "apple.jpg",
            "chicky_512.png",
            "imageTextN.png",
            "HappyFish.jpg",
        ],
        "seed": 3,
    },
}


def large(name):
    image = cv2.imread(str((WALLPAPERS if "/" in name else PHOTOGRAPHS) / name), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(name)
    return image


class Rendering:
    """Makes the files of a set, one after the other, and collects their truth."""

    def __init__(self, folder, seed):
        self.folder, self.random, self.truth = folder, np.random.default_rng(seed), {}

    def photograph(self, place, file, name):
        shutil.copy(file, self.folder / name)
        self.truth[name] = [{"place": place}]

    def clip(self, name, is_upload, parts):
        look = (upload if is_upload else broadcast)(self.random)
        path = self.folder / name
        if not is_upload:
            self.truth[name] = write(path, BROADCAST, 23, look, parts)
            return
        resized = [(place, Shown(source, look)) for place, source in parts]
        self.truth[name] = write(path, UPLOAD, 36, lambda image: image, resized)

    def moves(self, names):
        """Over each photograph a broadcast and an upload; and a broadcast of all of them."""
        sources = {Path(name).parts[0].split("_")[0]: large(name) for name in names}
        for place, image in sources.items():
            self.clip(f"{place}-broadcast.mp4", False, [(None, Card(1)), (place, Move(image, self.random))])
            self.clip(f"{place}-upload.mp4", True, [(place, Move(image, self.random))])
        parts = [(None, Card(1.5))]
        for place, image in sources.items():
            parts += [(place, Move(image, self.random, 2.5)), (None, Card(0.5, black=True))]
        self.clip("news.mp4", False, parts)

    def parts(self, places, clips):
        for place, some in places.items():
            for i, (name, begin, seconds) in enumerate(some):
                self.clip(f"{place}-{i}.mp4", i == 1, [(place, Part(clips[name], begin, seconds))])

    def given(self, folder):
        """Photographs of places in folders. Of one with four and more the first is in a broadcast, the last in an upload."""
        for place in sorted(path for path in folder.iterdir() if path.is_dir()):
            files = sorted(path for path in place.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".ppm"))
            if len(files) >= 4:
                for file, is_upload in ((files.pop(0), False), (files.pop(), True)):
                    move = Move(cv2.imread(str(file)), self.random)
                    name = f"{place.name}-{'upload' if is_upload else 'broadcast'}.mp4"
                    self.clip(name, is_upload, [(place.name, move)])
            for file in files:
                self.photograph(place.name, file, f"{place.name}-{file.name}")


class Shown:
    """What an upload shows of a source."""

    def __init__(self, source, look):
        self.source, self.look = source, look

    def frames(self, _size):
        for image in self.source.frames((640, 480)):
            yield self.look(image)


def render(folder, name, clips, places=None):
    """Makes a set, once, and returns its truth: of each file its parts {"place"}, of clips with "in" and "out" [second]."""
    truth_file = folder / "truth.json"
    if truth_file.exists():
        return json.loads(truth_file.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    sources = SETS[name]
    rendering = Rendering(folder, sources["seed"])
    for place, files in sources["photographs"].items():
        for file in files:
            rendering.photograph(place, OPENCV / file, file)
    rendering.moves(sources["moves"])
    rendering.parts(sources["clips"], clips)
    if places:
        rendering.given(places)
    for file in sources["single"]:
        path = (WALLPAPERS if "/" in file else PHOTOGRAPHS) / file
        single = Path(file).parts[0].split("_")[0]
        rendering.photograph(single, path, single + path.suffix)
    for file in sources["single_of_opencv"]:
        rendering.photograph(file, OPENCV / file, file)
    truth_file.write_text(json.dumps(rendering.truth, indent=1) + "\n")
    return rendering.truth
