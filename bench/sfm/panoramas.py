"""How layouts of a panorama's views do: which views are registered, and the errors of the panoramas' poses.

usage: panoramas.py WORK [--octavo PROGRAM] [--layouts 8x90,6x90,...] [--max-features N] [--sets N]

Renders five panoramas of a room whose ceiling, floor and one wall have no texture, turned at random in each of several sets,
and makes a model of each set with each layout: views around the horizon x their angle. Errors are of all pairs of panoramas in
the first models: of the turn from one to the other and of the direction, in degrees. Needs opencv-doc's photographs and COLMAP.
"""

import argparse
import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "pipeline"))

import rendered_panoramas as room  # noqa: E402

PHOTOGRAPHS = Path("/usr/share/doc/opencv-doc/examples/data")
WITHOUT_TEXTURE = 0, 1, 4  # a wall, ceiling, floor
PLACES = np.array([[0.8, 2.1, 0.8], [2.9, 1.8, 2.0], [5.2, 2.2, 2.6], [3.3, 2.0, 4.2], [0.9, 1.9, 3.9]])


def turns_of(number):
    """Yaw and roll of each panorama of a set."""
    return np.random.default_rng(number).uniform([0, -5], [360, 5], (len(PLACES), 2))


def render(folder, turns):
    walls = room.walls_of(lambda name: PHOTOGRAPHS / name)
    for side in WITHOUT_TEXTURE:
        walls[side] = np.full_like(walls[side], 120)
    folder.mkdir(parents=True, exist_ok=True)
    for index, (place, turn) in enumerate(zip(PLACES, turns, strict=True)):
        room.save(room.panorama_from(place, room.rotation_of(*turn), walls, 1600), folder / f"p{index}.jpg")


def errors_of(panoramas, turns):
    """Of the turn and of the direction of each pair."""
    errors = []
    for one, other in itertools.permutations((one for one in panoramas if one["model_index"] == 0), 2):
        a, b = int(one["image"][1]), int(other["image"][1])
        rotations = room.rotation_of(*turns[a]), room.rotation_of(*turns[b])
        errors.append(room.errors_of(one, other, PLACES[b] - PLACES[a], *rotations))
    return errors


def measure(call, layout):
    """A row of the table: the sums over the sets, and the medians and the greatest errors."""
    views, angle = layout.split("x")
    counts, errors, spreads = np.zeros(4, int), [], []
    for number in range(call.sets):
        model = call.work / "model"
        shutil.rmtree(model, ignore_errors=True)
        command = [call.octavo, "sfm", call.work / str(number), "-o", model, "--mapper", "colmap", "--json",
                   "--max-features", call.max_features, "--panorama-views", views, "--view-angle", angle]  # fmt: skip
        report = json.loads(subprocess.run(command, check=False, capture_output=True, text=True).stdout)
        inside = [one for one in report["panoramas"] if one["model_index"] == 0]
        counts += len(report["pairs"]), report["registered_image_count"], len(report["images"]), len(inside)
        if len(inside) > 1:
            errors += errors_of(inside, turns_of(number))
        spreads += [
            one["centre_spread"] / one["nearest_distance"] for one in inside if one["registered_view_count"] > 1
        ]
    pairs, registered, all_views, together = counts
    (turn, direction), (most_turn, most_direction) = np.median(errors, 0), np.max(errors, 0)
    return (
        f"| {views} × {angle}° | {pairs} | {registered} of {all_views} | {together} of {len(PLACES) * call.sets} | "
        f"{turn:.2f}°, {most_turn:.2f}° | {direction:.2f}°, {most_direction:.2f}° | "
        f"{100 * np.median(spreads):.1f} %, {100 * max(spreads):.1f} % |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--octavo", default=str(REPOSITORY / "build/release/bin/octavo"))
    parser.add_argument("--layouts", default="5x90,6x75,6x90,8x75,8x90,8x100,12x90")
    parser.add_argument("--max-features", default="800")
    parser.add_argument("--sets", type=int, default=4)
    call = parser.parse_args()
    for number in range(call.sets):
        render(call.work / str(number), turns_of(number))
    print("| views | pairs with matches | registered | panoramas | turn | direction | spread of places |")
    print("| --- " * 7 + "|")
    for layout in call.layouts.split(","):
        print(measure(call, layout), flush=True)


if __name__ == "__main__":
    main()
