#!/usr/bin/env python3
"""Mosaics of tiles with known homographies: Octavo beside cv::Stitcher and PyPI's `stitching`.

usage: mosaics.py OCTAVO FOLDER RESULT.json [--images NAME ...] [--kinds KIND ...] [--programs octavo|peers|NAME ...] [--places]

An image of the list is named by what its row has as "source". The result is written after every mosaic. What is done
already is not done again: a run that was stopped is continued. A peer gets 2 minutes and 12 GiB of memory in a process
of its own.

Needs Python with OpenCV, NumPy and scikit-image, and `stitching` for its arm. Every mosaic is brought onto the truth
by a homography between SIFT keypoints of both (OpenCV's), the same way for all programs, and its colours by a factor and an
offset for each channel, since no program can know the brightness of the scene. PSNR and SSIM are those of the pixels of
the truth that a tile shows, and `covered` is the share of them that the mosaic shows; what it does not show does not
count in PSNR. Corner RMS: the corners of all tiles, where Octavo puts them, against the truth, after the one homography
that fits best [pixel of the truth].
"""

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from corners import corner_rms, mapped, tile_corners
from record import record
from tiles import cut

IMAGES = [
    "/usr/share/wallpapers/SafeLanding/contents/images/5120x2880.jpg",
    "/usr/share/wallpapers/Patak/contents/images/5120x2880.png",
    "/usr/share/wallpapers/Canopee/contents/images/3840x2160.png",
    "/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg",
    "/usr/share/backgrounds/picosdeeuropa_by_Aitzol_Berasategi.jpg",
]
KINDS = ["scan", "perspective", "turn"]
MOST_KEYPOINTS = 4000
MOST_SECONDS = 120
MOST_MEMORY = 12 << 30


def shown_by_tiles(truth, shape):
    mask = np.zeros(shape[:2], np.uint8)
    for tile in truth["tiles"]:
        corners = mapped(np.array(tile["image_from_tile"]).reshape(3, 3), tile_corners(truth["size"]))
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    # The reflected margin of the scene is no truth, and the outermost pixels are interpolated.
    return cv2.erode(mask, np.ones((9, 9)), borderValue=0) > 0


def described(image):
    # Without the blur noise has the most of the keypoints where an image is smooth.
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 2)
    return cv2.SIFT_create(MOST_KEYPOINTS, contrastThreshold=0.01).detectAndCompute(grey, None)


def compare(mosaic, alpha, scene, scene_described, shown):
    """PSNR, SSIM and the share that is covered; None if the mosaic cannot be brought onto the scene."""
    (points, a), (places, b) = described(mosaic), scene_described
    if len(points) < 20 or len(places) < 20:
        return None
    back = {m.queryIdx: m.trainIdx for m in cv2.BFMatcher().match(b, a)}
    pairs = [
        m
        for m, n in cv2.BFMatcher().knnMatch(a, b, k=2)
        if m.distance < 0.75 * n.distance and back[m.trainIdx] == m.queryIdx
    ]
    if len(pairs) < 20:
        return None
    there, here = np.float32([points[m.queryIdx].pt for m in pairs]), np.float32([places[m.trainIdx].pt for m in pairs])
    scene_from_mosaic, _ = cv2.findHomography(there, here, cv2.USAC_MAGSAC, 2)
    if scene_from_mosaic is None:
        return None
    size = scene.shape[1::-1]
    warped = cv2.warpPerspective(mosaic, scene_from_mosaic, size, flags=cv2.INTER_CUBIC).astype(float)
    inside = cv2.warpPerspective(alpha, scene_from_mosaic, size, flags=cv2.INTER_LINEAR)
    inside = cv2.erode(inside, np.ones((5, 5)), borderValue=0) > 250
    both = shown & inside
    if both.sum() < 1000:
        return None
    for channel in range(3):
        x, y = warped[..., channel][both], scene[..., channel][both].astype(float)
        line = np.polyfit(x, y, 1)
        warped[..., channel] = line[0] * warped[..., channel] + line[1]
    warped = np.clip(warped, 0, 255)
    error = ((warped - scene)[both] ** 2).mean()
    _, similarity = structural_similarity(warped, scene.astype(float), data_range=255, channel_axis=2, full=True)
    return {
        "psnr": float(10 * np.log10(255**2 / error)),
        "ssim": float(similarity[both].mean()),
        "covered": float(both.sum() / shown.sum()),
    }


def with_octavo(octavo, folder, files, is_drawn):
    out = folder / "octavo.tif"
    command = [
        octavo,
        "mosaic",
        *map(str, files),
        "--projection",
        "plane",
        "--json",
        *(["-o", str(out)] if is_drawn else []),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, None, {"failure": done.stderr.strip()}
    plan = json.loads(done.stdout)
    truth = json.loads((folder / "truth.json").read_text())
    about = {
        "placed": sum(image["status"] == "placed" for image in plan["images"]),
        "model": plan["model"],
        "distortion": plan["distortion"],
        "held_out": plan["held_out"],
        "corner_rms": corner_rms(plan, truth),
    }
    if not is_drawn:
        return None, None, about
    pixels = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
    return pixels[..., :3], pixels[..., 3], about


def with_opencv(mode, files):
    stitcher = cv2.Stitcher_create(mode)
    status, pixels = stitcher.stitch([cv2.imread(str(file)) for file in files])
    if status != cv2.Stitcher_OK:
        raise RuntimeError(f"status {status}")
    return pixels, len(stitcher.component())


def with_stitching(affine, files):
    import stitching

    # A plane, so that the result can be compared.
    stitcher = stitching.AffineStitcher() if affine else stitching.Stitcher(warper_type="plane")
    return stitcher.stitch([str(file) for file in files]), len(stitcher.images.names)


PEERS = {
    "cv::Stitcher scans": (with_opencv, cv2.Stitcher_SCANS),
    "cv::Stitcher panorama": (with_opencv, cv2.Stitcher_PANORAMA),
    "stitching affine": (with_stitching, True),
    "stitching plane": (with_stitching, False),
}


def in_peer(name, files, out):
    """The body of a peer's process: writes OUT.png, and OUT.json with what is told of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    run, argument = PEERS[name]
    try:
        pixels, placed = run(argument, files)
        cv2.imwrite(str(out.with_suffix(".png")), pixels)
        about = {"placed": placed}
    except Exception as error:  # a failure of a program is a result
        about = {"failure": str(error).strip().splitlines()[-1][:200] if str(error).strip() else type(error).__name__}
    out.with_suffix(".json").write_text(json.dumps(about))


def with_peer(name, folder, files):
    out = folder / "".join(letter if letter.isalnum() else "_" for letter in name)
    for ending in (".png", ".json"):
        out.with_suffix(ending).unlink(missing_ok=True)
    process = multiprocessing.get_context("spawn").Process(target=in_peer, args=(name, files, out))
    process.start()
    process.join(MOST_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        return None, None, {"failure": f"not done after {MOST_SECONDS} seconds"}
    if not out.with_suffix(".json").exists():
        return None, None, {"failure": f"its process ended with {process.exitcode}"}
    about = json.loads(out.with_suffix(".json").read_text())
    if "failure" in about:
        return None, None, about
    pixels = cv2.imread(str(out.with_suffix(".png")))
    return pixels, ((pixels > 0).any(axis=2) * 255).astype(np.uint8), about


def source_name(file):
    return Path(file).parts[4] if "wallpapers" in file else Path(file).stem


def arguments():
    parser = argparse.ArgumentParser(description="Mosaics of tiles with known homographies, see the head of this file.")
    parser.add_argument("octavo", metavar="OCTAVO")
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("result", metavar="RESULT.json", type=Path)
    parser.add_argument(
        "--images",
        nargs="+",
        choices=[source_name(file) for file in IMAGES],
        default=[source_name(file) for file in IMAGES],
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--programs", nargs="+", choices=["octavo", "peers", *PEERS], default=["octavo", "peers"])
    parser.add_argument(
        "--places", action="store_true", help="draw and compare no mosaic of Octavo: places and corners alone"
    )
    return parser.parse_args()


def main():
    asked = arguments()
    programs = [name for one in asked.programs for name in (PEERS if one == "peers" else [one])]
    rows = json.loads(asked.result.read_text())["rows"] if asked.result.exists() else []
    done = {(row["source"], row["kind"], row["program"]) for row in rows}
    for number, source in enumerate(IMAGES):
        for kind in KINDS:
            name = source_name(source)
            wanted = [program for program in programs if (name, kind, program) not in done]
            if name not in asked.images or kind not in asked.kinds or not wanted:
                continue
            place = asked.folder / f"{kind}{number}"
            truth = cut(source, place, kind, seed=10 * number + 1)
            files = [place / tile["file"] for tile in truth["tiles"]]
            scene = cv2.imread(str(place / "truth.png"))
            scene_described = None if asked.places else described(scene)
            shown = shown_by_tiles(truth, scene.shape)
            for program in wanted:
                begin = time.monotonic()
                pixels, alpha, about = (
                    with_octavo(asked.octavo, place, files, not asked.places)
                    if program == "octavo"
                    else with_peer(program, place, files)
                )
                row = {"source": name, "kind": kind, "tiles": len(files), "program": program, **about}
                row |= {"seconds": time.monotonic() - begin, "load": os.getloadavg()[0]}
                if pixels is not None:
                    row |= compare(pixels, alpha, scene, scene_described, shown) or {
                        "failure": "its result does not match the scene"
                    }
                rows.append(row)
                print(json.dumps(row), flush=True)
                record(asked.result, {"opencv": cv2.__version__, "rows": rows})


if __name__ == "__main__":
    main()
