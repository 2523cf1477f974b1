"""Finds the places of clips and photographs that place_sets.py makes, and measures how well.

usage: places.py FOLDER --octavo build/release/bin/octavo [--places FOLDER] [--sets NAME...] [--json FILE] [-- OPTION...]

FOLDER keeps the clips (clips.py) and the sets, which are made once. --places names a folder with a folder of
photographs for each place, for each set: FOLDER/report/church/*.jpg. What follows -- are options of octavo video places. The
sets `tuning` are there to choose the program's parameters on; `report` has other photographs and clips.
Needs NumPy and OpenCV (tests/requirements.txt), ffmpeg, and Debian's packages opencv-doc, lomiri-wallpapers-16.04 and
plasma-workspace-wallpapers.

An item is a photograph, or a part of a clip that shows one place. Two items of different files are found together if a
place has a member of each; a member is of the item that it has most of its time in common with. The precision is the
share of pairs that are found together that are of one place, the recall the share of pairs of one place that are found
together.
"""

import argparse
import datetime
import itertools
import json
import os
import platform
import subprocess
import time
from pathlib import Path

from clips import fetch
from place_sets import SETS, render


def item_of(member, truth):
    """The item that a member of a place is of, (file, number); none for one of a card or of black."""
    name = Path(member["file"]).name
    parts = truth[name]
    if "in" not in member:
        return name, 0
    common = [min(member["out"], part["out"]) - max(member["in"], part["in"]) for part in parts]
    best = max(range(len(parts)), key=lambda i: common[i])
    return (name, best) if common[best] > 0 else None


def scores(truth, found):
    place_of = {(name, i): part["place"] for name, parts in truth.items() for i, part in enumerate(parts)}
    pairs_of = lambda items: {pair for pair in itertools.combinations(sorted(items), 2) if pair[0][0] != pair[1][0]}
    true = {pair for pair in pairs_of(place_of) if place_of[pair[0]] == place_of[pair[1]]}
    together, strays = set(), 0
    for place in found["places"]:
        items = [item_of(member, truth) for member in place["members"]]
        strays += items.count(None)
        together |= pairs_of({item for item in items if item})
    right = together & true
    return {
        "items": len(place_of),
        "files": len(truth),
        "true_pairs": len(true),
        "found_pairs": len(together),
        "precision": len(right) / len(together) if together else 1.0,
        "recall": len(right) / len(true) if true else 1.0,
        "cards_in_places": strays,
        "wrong": sorted(f"{a[0]} {a[1]} - {b[0]} {b[1]}" for a, b in together - true),
        "missed": sorted(f"{a[0]} {a[1]} - {b[0]} {b[1]}" for a, b in true - together),
    }


def measure(call, folder, truth):
    begin, before = time.monotonic(), os.times()
    command = [call.octavo, "video", "places", *sorted(folder / name for name in truth), "--json", *call.options]
    printed = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    row = {**scores(truth, printed), "places": len(printed["places"]), "doubtful": len(printed["doubtful"])}
    return {**row, "seconds": round(time.monotonic() - begin, 1), "cpu_seconds": round(cpu, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--octavo", type=Path, help="the program; without it the sets are made alone")
    parser.add_argument("--places", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("options", nargs="*", help="of octavo video places, after --")
    call = parser.parse_args()
    clips, rows = fetch(call.folder / "clips"), {}
    for name in call.sets:
        places = call.places / name if call.places and (call.places / name).is_dir() else None
        truth = render(call.folder / name, name, clips, places)
        if not call.octavo:
            continue
        rows[name] = row = measure(call, call.folder / name, truth)
        print(
            f"{name:8} {row['files']:3} files {row['items']:3} items {row['true_pairs']:4} pairs  precision {row['precision']:.3f} "
            f"recall {row['recall']:.3f}  {row['seconds']:.0f} s, {row['cpu_seconds']:.0f} s of CPU"
        )
    if call.json:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "options": call.options,
            "results": rows,
        }
        call.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
