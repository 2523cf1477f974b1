"""Recall and precision of `octavo pairs --by retrieval`: the share of the verified pairs that are among its pairs, and the
share of the 10 most similar images that are of the same photograph.

Real sets of many photographs that may be passed on are few, so the collection is cut from 20 photographs and drawings
of Debian's packages lomiri-wallpapers-16.04 and plasma-workspace-wallpapers, which trained no vocabulary
(docs/retrieval.md). A view is a window of 25 to 55 % of the width of its photograph, at any place, turned by up to 25
degrees, seen in perspective (each corner moved by up to 8 % of the window), 800 x 600 pixels, with its own gain,
gamma and noise, as a JPEG of quality 85. Views of a photograph that overlap are a scene seen twice; views of others
are distractors.

With --zooms the 11 views of a photograph show one place of it, in windows of 15 to 70 % of its width.

All pairs are matched and verified: `octavo match --verify homography` on the best 512 keypoints. A pair is verified if
at least 15 matches agree. The recall at K is the share of these pairs that are in the list with --neighbours K.

The verified pairs are kept in --verified FILE, which a later measurement of the same folder reads.

    .venv/bin/python bench/sfm/pairs_recall.py cut FOLDER [--views 50] [--zooms]
    .venv/bin/python bench/sfm/pairs_recall.py measure FOLDER --program build/release/bin/octavo [--verified FILE] [--json OUT]
"""

import argparse
import json
import re
import resource
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np

LOMIRI = Path("/usr/share/backgrounds")
PLASMA = Path("/usr/share/wallpapers")
PHOTOGRAPHS = [
    LOMIRI / "picosdeeuropa_by_Aitzol_Berasategi.jpg",
    LOMIRI / "aitzgorri_by_Aitzol_Berasategi.jpg",
    LOMIRI / "friends_by_Aitzol_Berasategi.jpg",
    LOMIRI / "Picture_0B_by_freespace.jpg",
    LOMIRI / "sunset_by_Aitzol_Berasategi.jpg",
    LOMIRI / "greentock_by_Peter_Nerlich.jpg",
    *(PLASMA / name / "contents/images/2560x1600.jpg" for name in ("EveningGlow", "OneStandsOut", "FallenLeaf")),
]
# Drawings, and two photographs of smooth or repeated things.
DRAWINGS = [
    LOMIRI / "analogpattern_by_Peter_Nerlich.jpg",
    *(PLASMA / name / "contents/images/2560x1600.jpg" for name in ("ColorfulCups", "Kite")),
    *(PLASMA / name / "contents/images/3840x2160.png" for name in ("Canopee", "Cluster", "Opal")),
    *(
        PLASMA / name / "contents/images" / f"5120x2880.{ending}"
        for name, ending in (
            ("SafeLanding", "jpg"),
            ("Flow", "jpg"),
            ("Altai", "png"),
            ("Patak", "png"),
            ("MilkyWay", "png"),
        )
    ),
]
SIZE = (800, 600)
LEAST_INLIERS = 15
ZOOMS = 11  # views of a place
NEIGHBOURS = (20, 50, 100)


def view_of(photograph, random, share, place=None):
    """A window of this share of the width, at a random place or near the given one; None if it does not fit."""
    height, width = photograph.shape[:2]
    w = share * width
    h = w * SIZE[1] / SIZE[0]
    angle = np.radians(random.uniform(-25, 25))
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = corners @ turn.T + random.uniform(-0.08, 0.08, (4, 2)) * w
    least, most = -corners.min(0), np.array([width, height]) - 1 - corners.max(0)
    if np.any(most < least):
        return None  # the turned window is larger than the photograph
    if place is None:
        corners += random.uniform(least, most)
    else:
        corners += np.clip(place * (width, height) + random.uniform(-0.25, 0.25, 2) * (w, h), least, most)
    target = np.array([[0, 0], [SIZE[0] - 1, 0], [SIZE[0] - 1, SIZE[1] - 1], [0, SIZE[1] - 1]])
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    view = cv2.warpPerspective(photograph, matrix, SIZE, flags=cv2.INTER_AREA).astype(np.float32) / 255
    view = np.clip(view, 0, 1) ** random.uniform(0.8, 1.25) * random.uniform(0.75, 1.2)
    view += random.normal(0, random.uniform(0, 0.015), view.shape)
    return np.rint(255 * np.clip(view, 0, 1)).astype(np.uint8)


def shares(zooms, made, random):
    """The width of the next window, as a share of that of the photograph."""
    return 0.15 * (0.7 / 0.15) ** (made / (ZOOMS - 1)) * random.uniform(0.9, 1) if zooms else random.uniform(0.25, 0.55)


def cut(folder, views, zooms):
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(19)
    for number, path in enumerate(PHOTOGRAPHS + DRAWINGS):
        photograph = cv2.imread(str(path))
        place = random.uniform(0.35, 0.65, 2) if zooms else None
        made = 0
        while made < (ZOOMS if zooms else views):
            view = view_of(photograph, random, shares(zooms, made, random), place)
            if view is not None:
                cv2.imwrite(str(folder / f"{number:02}-{made:03}.jpg"), view, [cv2.IMWRITE_JPEG_QUALITY, 85])
                made += 1


def verified_pairs(program, folder, file):
    if file and file.exists():
        return {frozenset(line.split()) for line in file.read_text().splitlines()}
    call = [program, "match", folder, "--verify", "homography", "--max-features", "512"]
    text = subprocess.run(call, stdout=subprocess.PIPE, text=True).stdout
    pairs = set()
    for a, b, inliers in re.findall(r"^(\S+) (\S+)  \d+ matches  (\d+) inliers$", text, re.MULTILINE):
        if int(inliers) >= LEAST_INLIERS:
            pairs.add(frozenset((a, b)))
    if file:
        file.write_text("".join(f"{' '.join(sorted(pair))}\n" for pair in sorted(map(sorted, pairs))))
    return pairs


def precision(pairs):
    """The share of the ten most similar images of each that are of the same photograph."""
    similar = {}
    for pair in pairs:
        for one, other in (("image_a", "image_b"), ("image_b", "image_a")):
            similar.setdefault(pair[one], []).append((-pair["cosine"], pair[other]))
    of_one = [
        [other.split("-")[0] == name.split("-")[0] for _, other in sorted(near)[:10]] for name, near in similar.items()
    ]
    return float(np.mean([np.mean(right) for right in of_one]))


def timed_pairs(program, folder, neighbours, options):
    """The pairs, and seconds of wall and CPU and the peak memory [MiB] of all children so far."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    call = [program, "pairs", folder, "--neighbours", str(neighbours), "--json", *options]
    found = json.loads(subprocess.run(call, stdout=subprocess.PIPE, check=True, text=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    pairs = [frozenset((pair["image_a"], pair["image_b"])) for pair in found["pairs"]]
    return pairs, {
        "precision_at_10": precision(found["pairs"]),
        "wall_seconds": time.monotonic() - start,
        "cpu_seconds": cpu,
        "search_seconds": found["search_seconds"],
        "peak_mib": after.ru_maxrss / 1024,
    }


def measure(program, folder, verified_file, options):
    count = len(list(folder.glob("*.jpg")))
    rows = []
    # The smallest job first: the peak memory is that of all so far.
    found = {k: timed_pairs(program, folder, k, options) for k in NEIGHBOURS if k < count}
    verified = verified_pairs(program, folder, verified_file)
    partners = {}
    for pair in verified:
        for one in pair:
            partners[one] = partners.get(one, 0) + 1
    for k, (pairs, cost) in found.items():
        right = len(verified & set(pairs))
        rows.append({"neighbours": k, "pairs": len(pairs), "recall": right / len(verified), **cost})
    of_other_photographs = sum(len({name.split("-")[0] for name in pair}) == 2 for pair in verified)
    return {
        "images": count,
        "all_pairs": count * (count - 1) // 2,
        "verified": len(verified),
        "verified_of_two_photographs": of_other_photographs,
        "partners_mean": float(np.mean(list(partners.values()))),
        "partners_most": max(partners.values()),
        "options": options,
        "rows": rows,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=("cut", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--views", type=int, default=50, help="of each photograph and drawing")
    parser.add_argument("--zooms", action="store_true", help="views of one place at several sizes")
    parser.add_argument("--program", default="build/release/bin/octavo")
    parser.add_argument("--verified", type=Path, help="file of the verified pairs: read, or written if there is none")
    parser.add_argument("--json", type=Path)
    call, options = parser.parse_known_args()  # the rest goes to octavo pairs
    if call.job == "cut":
        return cut(call.folder, call.views, call.zooms)
    result = measure(call.program, call.folder, call.verified, options)
    print(
        f"{result['images']} images, {result['all_pairs']} pairs, {result['verified']} verified, "
        f"{result['partners_mean']:.1f} an image ({result['partners_most']} at most)"
    )
    for row in result["rows"]:
        print(
            "K {neighbours:4}  {pairs:6} pairs  recall {recall:.4f}  precision {precision_at_10:.3f}  {wall_seconds:.1f} s, CPU {cpu_seconds:.1f} s, "
            "search {search_seconds:.2f} s, {peak_mib:.0f} MiB".format(**row)
        )
    if call.json:
        call.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
