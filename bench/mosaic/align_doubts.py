#!/usr/bin/env python3
"""Whether octavo align is sure where it is right, and in doubt where it is wrong.

usage: align_doubts.py OCTAVO RESULT.json [--kinds KIND ...] [--keep FOLDER]

Pairs with a known truth are made of photographs of Debian's opencv-doc and lomiri-wallpapers-16.04. The images of some
have a homography (KINDS "right"): windows of one photograph, copies that a camera, a print or an editor changed, a
picture within another. Others have nothing in common ("wrong"), or a thing that is no scene: two photographs, two parts
of one, two pages in one font, two walls of one kind, one sticker or caption on two scenes. The same call makes the same
pairs. `octavo align A B --json` is right if the mean distance of a grid of A from the truth in B is at most 8 pixels.
Outcomes: wrong and sure, wrong and doubted (it has warnings), none (no homography), right and doubted, right. --keep
leaves the images in a folder.
"""

import argparse
import json
import subprocess
import tempfile
import zlib
from pathlib import Path

import cv2
import numpy as np

from record import record

DATA = Path("/usr/share/doc/opencv-doc/examples/data")
BACKGROUNDS = Path("/usr/share/backgrounds")
WIDTH = 700
MOST_ERROR = 8  # [pixel] of B
PHOTOGRAPHS = {
    "home": DATA / "home.jpg",
    "graf": DATA / "graf1.png",
    "building": DATA / "building.jpg",
    "fruits": DATA / "fruits.jpg",
    "aloe": DATA / "aloeL.jpg",
    "leuven": DATA / "leuvenA.jpg",
    "messi": DATA / "messi5.jpg",
    "starry": DATA / "starry_night.jpg",
    "mountain": BACKGROUNDS / "picosdeeuropa_by_Aitzol_Berasategi.jpg",
    "brook": BACKGROUNDS / "life_by_Aitzol_Berasategi.jpg",
    "clock": BACKGROUNDS / "greentock_by_Peter_Nerlich.jpg",
    "bridge": BACKGROUNDS / "Bridge_by_Sander_Klootwijk.jpg",
}
STICKERS = ["baboon.jpg", "chicky_512.png", "box.png", "sudoku.png"]
SAME = np.eye(3)


def generator(*names):
    return np.random.default_rng(zlib.crc32(" ".join(map(str, names)).encode()))


def read(name):
    image = cv2.imread(str(PHOTOGRAPHS[name]))
    return cv2.resize(image, (WIDTH, WIDTH * image.shape[0] // image.shape[1]), interpolation=cv2.INTER_AREA)


def shift(x, y):
    return np.array([[1.0, 0, x], [0, 1, y], [0, 0, 1]])


# Right pairs: each function makes A, B and b_from_a of a photograph.


def window(image, name, share):
    """The left and the right part, which is turned a little; both show `share` of the width."""
    height, width = image.shape[:2]
    part = int(width * (1 + share) / 2)
    a, b = image[:, :part], image[:, width - part :]
    turn = np.vstack([cv2.getRotationMatrix2D((part / 2, height / 2), generator(name).uniform(-8, 8), 1), [0, 0, 1]])
    b = cv2.warpPerspective(b, turn, (part, height), borderMode=cv2.BORDER_REFLECT)
    return a, b, turn @ shift(part - width, 0)


def small_copy(image, name):
    height, width = image.shape[:2]
    b = cv2.resize(image, (width // 6, height // 6), interpolation=cv2.INTER_AREA)
    x, y = b.shape[1] / width, b.shape[0] / height
    return image, b, np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])


def aside(image, name):
    """Seen from aside: one edge has a third of the length of the other."""
    height, width = image.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    seen = np.float32([[0, 0], [width * 0.45, height / 3], [width * 0.45, height * 2 / 3], [0, height]])
    h = cv2.getPerspectiveTransform(corners, seen)
    return image, cv2.warpPerspective(image, h, (width, height), flags=cv2.INTER_AREA), h


def jpeg(image, quality):
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def noisy(image, name, sigma=40):
    return np.clip(image + generator("noise", name).normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def inset(image, name):
    """The photograph within another one, in another shape."""
    b = read("fruits" if name != "fruits" else "home")
    height, width = image.shape[:2]
    b[90:330, 180:380] = cv2.resize(image, (200, 240), interpolation=cv2.INTER_AREA)
    x, y = 200 / width, 240 / height
    return image, b, np.array([[x, 0, 180 + (x - 1) / 2], [0, y, 90 + (y - 1) / 2], [0, 0, 1]])


def turned(image, name):
    height, width = image.shape[:2]
    return image, image[::-1, ::-1], np.array([[-1.0, 0, width - 1], [0, -1, height - 1], [0, 0, 1]])


RIGHT = {
    "half overlap": lambda image, name: window(image, name, 0.5),
    "overlap of 12 %": lambda image, name: window(image, name, 0.12),
    "turned by 180°": turned,
    "a sixth in size": small_copy,
    "from aside": aside,
    "blurred": lambda image, name: (image, cv2.GaussianBlur(image, (0, 0), 4), SAME),
    "noisy": lambda image, name: (image, noisy(image, name), SAME),
    "JPEG of quality 5": lambda image, name: (image, jpeg(image, 5), SAME),
    "negative": lambda image, name: (image, 255 - image, SAME),
    "within another": inset,
}


# Wrong pairs: each function makes A and B of two photographs that have nothing in common, or of their names alone.


def halves(a, b, names):
    middle = a.shape[1] // 2
    return a[:, : middle - 8], a[:, middle + 8 :]


def stickers(a, b, names):
    """One picture at different places of both."""
    random = generator("sticker", *names)
    sticker = cv2.imread(str(DATA / STICKERS[random.integers(len(STICKERS))]))
    side = int(random.integers(90, 180))
    for image in (a, b):
        x, y = random.integers(0, image.shape[1] - side), random.integers(0, image.shape[0] - side)
        image[y : y + side, x : x + side] = cv2.resize(sticker, (side, side), interpolation=cv2.INTER_AREA)
    return a, b


def captions(a, b, names):
    height = min(a.shape[0], b.shape[0])
    a, b = a[:height], b[:height]
    for image in (a, b):
        cv2.rectangle(image, (0, height - 50), (360, height), (255, 255, 255), -1)
        cv2.putText(image, "Archive 2026", (14, height - 14), cv2.FONT_HERSHEY_DUPLEX, 1.3, (0, 0, 0), 2, cv2.LINE_AA)
    return a, b


def page(*names):
    """Words of random letters in one font."""
    random, image = generator("page", *names), np.full((700, 560, 3), 250, np.uint8)
    for y in range(50, 680, 26):
        line = " ".join("".join(random.choice(list("abdeghiklmnoprstuvw"), random.integers(2, 8))) for _ in range(12))
        cv2.putText(image, line[:44], (30, y), cv2.FONT_HERSHEY_COMPLEX_SMALL, 0.75, (20, 20, 20), 1, cv2.LINE_AA)
    return image


def bricks(*names):
    random, image = generator("bricks", *names), np.full((480, 640, 3), 190, np.uint8)
    for row in range(20):
        for column in range(-1, 11):
            x, y = column * 64 + row % 2 * 32, row * 24
            colour = (np.array([50, 70, 140]) + random.integers(-25, 25, 3)).tolist()
            cv2.rectangle(image, (x + 2, y + 2), (x + 61, y + 21), colour, -1)
    return noisy(image, names, 7)


WRONG = {
    "two photographs": lambda a, b, names: (a, b),
    "halves of one": halves,
    "one sticker": stickers,
    "one caption": captions,
    "pages in one font": lambda a, b, names: (page(names, 1), page(names, 2)),
    "walls of bricks": lambda a, b, names: (bricks(names, 1), bricks(names, 2)),
}


def pairs_of(kind):
    """The pairs of a kind: their name, A, B and b_from_a or None."""
    names = list(PHOTOGRAPHS)
    for i, name in enumerate(names):
        if kind in RIGHT:
            yield name, *RIGHT[kind](read(name), name)
        else:
            other = names[(i + 5) % len(names)]
            yield f"{name} {other}", *WRONG[kind](read(name), read(other), (name, other)), None


def error_of(found, truth, size_a, size_b):
    """The mean distance [pixel] of a grid of A from the truth, where B shows it."""
    grid = np.stack(np.meshgrid(np.linspace(0, size_a[0] - 1, 15), np.linspace(0, size_a[1] - 1, 15)), -1)
    grid = grid.reshape(-1, 1, 2)
    right, ours = (cv2.perspectiveTransform(grid, np.array(h, float).reshape(3, 3))[:, 0] for h in (truth, found))
    shown = ((right >= 0) & (right < size_b)).all(axis=1)
    return float(np.linalg.norm(right - ours, axis=1)[shown].mean())


def outcome(octavo, folder, name, a, b, truth):
    files = [str(folder / f"{name}_{letter}.png".replace(" ", "-")) for letter in "ab"]
    for file, image in zip(files, (a, b), strict=True):
        cv2.imwrite(file, image)
    done = subprocess.run([octavo, "align", *files, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"{name}: {done.stderr}")
    told = json.loads(done.stdout)
    pair = {"pair": name, "inlier_count": told["inlier_count"], "warning_kinds": told["warning_kinds"]}
    if told["homography"] is None:
        return pair | {"outcome": "none"}
    is_right = False
    if truth is not None:
        pair["error"] = round(error_of(told["homography"], truth, a.shape[1::-1], b.shape[1::-1]), 2)
        is_right = pair["error"] <= MOST_ERROR
    doubted = " and doubted" if told["warning_kinds"] else "" if is_right else " and sure"
    return pair | {"outcome": ("right" if is_right else "wrong") + doubted}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("octavo")
    parser.add_argument("result")
    parser.add_argument("--kinds", nargs="+", choices=[*RIGHT, *WRONG], default=[*RIGHT, *WRONG])
    parser.add_argument("--keep", type=Path)
    call = parser.parse_args()
    kinds = []
    with tempfile.TemporaryDirectory() as made:
        folder = call.keep or Path(made)
        folder.mkdir(exist_ok=True)
        for kind in call.kinds:
            pairs = [outcome(call.octavo, folder, *pair) for pair in pairs_of(kind)]
            counts = dict.fromkeys(("wrong and sure", "wrong and doubted", "none", "right and doubted", "right"), 0)
            for pair in pairs:
                counts[pair["outcome"]] += 1
            print(kind, counts, flush=True)
            kinds.append({"kind": kind, "has_homography": kind in RIGHT, "counts": counts, "pairs": pairs})
    record(call.result, {"most_error": MOST_ERROR, "kinds": kinds})


if __name__ == "__main__":
    main()
