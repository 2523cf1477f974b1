#!/usr/bin/env python3
"""Mosaics of tiles with known homographies: Octavo beside cv::Stitcher and PyPI's `stitching`.

usage: mosaics.py OCTAVO FOLDER RESULT.json [PICTURES]

PICTURES: only the first so many of the list.

Needs Python with OpenCV, NumPy and scikit-image, and `stitching` for its arm. Every mosaic is brought onto the truth
by a homography between SIFT keypoints of both (OpenCV's), the same for all programs, and its colours by a factor and an
offset for each channel, since no program can know the brightness of the scene. PSNR and SSIM are those of the pixels of
the truth that a tile shows, and `covered` is the share of them that the mosaic shows; what it does not show does not
count in PSNR. Corner RMS: the corners of all tiles, where Octavo puts them, against the truth, after the one homography
that fits best [pixel of the truth].
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from skimage.metrics import structural_similarity

from record import record
from tiles import cut

PICTURES = [
    "/usr/share/wallpapers/SafeLanding/contents/images/5120x2880.jpg",
    "/usr/share/wallpapers/Patak/contents/images/5120x2880.png",
    "/usr/share/wallpapers/Canopee/contents/images/3840x2160.png",
    "/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg",
    "/usr/share/backgrounds/picosdeeuropa_by_Aitzol_Berasategi.jpg",
]
KINDS = ["scan", "perspective", "turn"]


def mapped(matrix, points):
    points = np.c_[points, np.ones(len(points))] @ matrix.T
    return points[:, :2] / points[:, 2:]


def tile_corners(size):
    width, height = size
    return np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])


def corner_rms(plan, truth):
    """Corners of the tiles that are placed, after the best homography from the plan's frame to the truth."""
    files = {tile["file"]: np.array(tile["picture_from_tile"]).reshape(3, 3) for tile in truth["tiles"]}
    rays, wanted = [], []
    for picture in plan["pictures"]:
        if picture["fate"] != "placed":
            continue
        frame = np.array(picture["frame_from_picture"]).reshape(3, 3)
        corners = np.c_[tile_corners(truth["size"]), np.ones(4)]
        rays.append(corners @ frame.T)
        wanted.append(mapped(files[Path(picture["file"]).name], corners[:, :2]))
    rays, wanted = np.vstack(rays), np.vstack(wanted)
    points = (rays[:, :2] / rays[:, 2:]).astype(np.float64)
    best, _ = cv2.findHomography(points, wanted, 0)
    return float(np.sqrt(((mapped(best, points) - wanted) ** 2).sum(axis=1).mean()))


def shown_by_tiles(truth, shape):
    mask = np.zeros(shape[:2], np.uint8)
    for tile in truth["tiles"]:
        corners = mapped(np.array(tile["picture_from_tile"]).reshape(3, 3), tile_corners(truth["size"]))
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    # The reflected margin of the scene is no truth, and the outermost pixels are interpolated.
    return cv2.erode(mask, np.ones((9, 9)), borderValue=0) > 0


def compare(mosaic, alpha, scene, shown):
    """PSNR, SSIM and the share that is covered; None if the mosaic cannot be brought onto the scene."""
    sift = cv2.SIFT_create(20000)
    grey = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (mosaic, scene)]
    (points, a), (places, b) = (sift.detectAndCompute(picture, None) for picture in grey)
    pairs = [m for m, n in cv2.BFMatcher().knnMatch(a, b, k=2) if m.distance < 0.75 * n.distance]
    if len(pairs) < 20:
        return None
    scene_from_mosaic, _ = cv2.findHomography(np.float32([points[m.queryIdx].pt for m in pairs]), np.float32([places[m.trainIdx].pt for m in pairs]), cv2.USAC_MAGSAC, 2)
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
    return {"psnr": float(10 * np.log10(255**2 / error)), "ssim": float(similarity[both].mean()), "covered": float(both.sum() / shown.sum())}


def with_octavo(octavo, folder, files):
    out = folder / "octavo.tif"
    command = [octavo, "mosaic", *map(str, files), "-o", str(out), "--projection", "plane", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, None, {"failure": done.stderr.strip()}
    plan = json.loads(done.stdout)
    truth = json.loads((folder / "truth.json").read_text())
    pixels = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
    about = {
        "placed": sum(picture["fate"] == "placed" for picture in plan["pictures"]),
        "model": plan["model"],
        "distortion": plan["distortion"],
        "withheld": plan["withheld"],
        "corner_rms": corner_rms(plan, truth),
    }
    return pixels[..., :3], pixels[..., 3], about


def with_opencv(mode, files):
    stitcher = cv2.Stitcher_create(mode)
    status, pixels = stitcher.stitch([cv2.imread(str(file)) for file in files])
    if status != cv2.Stitcher_OK:
        return None, None, {"failure": f"status {status}"}
    alpha = ((pixels > 0).any(axis=2) * 255).astype(np.uint8)
    return pixels, alpha, {"placed": len(stitcher.component())}


def with_stitching(affine, files):
    import stitching

    # A plane, so that the result can be compared.
    stitcher = stitching.AffineStitcher() if affine else stitching.Stitcher(warper_type="plane")
    pixels = stitcher.stitch([str(file) for file in files])
    alpha = ((pixels > 0).any(axis=2) * 255).astype(np.uint8)
    return pixels, alpha, {"placed": len(stitcher.images.names) if hasattr(stitcher.images, "names") else None}


def main():
    octavo, folder, result = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    pictures = PICTURES[: int(sys.argv[4])] if len(sys.argv) > 4 else PICTURES
    rows = []
    for number, source in enumerate(pictures):
        for kind in KINDS:
            place = folder / f"{kind}{number}"
            truth = cut(source, place, kind, seed=10 * number + 1)
            files = [place / tile["file"] for tile in truth["tiles"]]
            scene = cv2.imread(str(place / "truth.png"))
            shown = shown_by_tiles(truth, scene.shape)
            programs = {
                "octavo": lambda: with_octavo(octavo, place, files),
                "cv::Stitcher scans": lambda: with_opencv(cv2.Stitcher_SCANS, files),
                "cv::Stitcher panorama": lambda: with_opencv(cv2.Stitcher_PANORAMA, files),
                "stitching affine": lambda: with_stitching(True, files),
                "stitching plane": lambda: with_stitching(False, files),
            }
            for program, run in programs.items():
                begin = time.monotonic()
                try:
                    pixels, alpha, about = run()
                except Exception as error:  # a failure of a program is a result
                    pixels, alpha, about = None, None, {"failure": str(error).strip().splitlines()[-1][:200]}
                row = {"source": Path(source).parts[4] if "wallpapers" in source else Path(source).stem, "kind": kind, "tiles": len(files), "program": program, **about, "seconds": time.monotonic() - begin}
                if pixels is not None:
                    row |= compare(pixels, alpha, scene, shown) or {"failure": "its result does not match the scene"}
                rows.append(row)
                print(json.dumps(row), flush=True)
            record(result, {"opencv": cv2.__version__, "rows": rows})


if __name__ == "__main__":
    main()
