"""Finds the takes of rushes that rushes.py renders, and of uploads of one film (uploads.py), and measures how well
(take_scores.py has the definitions).

usage: takes.py FOLDER --octavo build/release/bin/octavo [--sets tuning report] [--json FILE] [-- OPTION...]

FOLDER keeps the clips (clips.py) and the rushes, which are made once. What follows -- are options of octavo video takes.
The sets `tuning` are there to
choose the program's parameters on; `report` has other clips and other photographs. Of the sets of uploads the first one
is to choose on too, the others are to report. Needs
NumPy and OpenCV (tests/requirements.txt), ffmpeg, and Debian's packages opencv-doc, lomiri-wallpapers-16.04 and
plasma-workspace-wallpapers.
"""

import argparse
import datetime
import json
import platform
import subprocess
import time
from pathlib import Path

import numpy as np

import take_scores
from clips import fetch
from rushes import FPS, OPENCV, PHOTOGRAPHS, WALLPAPERS, ClipScene, PhotographScene, render
from uploads import render_uploads

# Of clips: the name, and first second and length of a part without a cut. Of photographs: the file, below
# /usr/share/backgrounds or /usr/share/wallpapers. The last three of each set have one take.
LARGE = "contents/images/2560x1600.jpg"
SOURCES = {
    "tuning": {
        "clips": [("vtest", 5, 20), ("megamind", 0.2, 3.4), ("megamind", 8.4, 2.7)],
        "photographs": [
            "picosdeeuropa_by_Aitzol_Berasategi.jpg",
            "life_by_Aitzol_Berasategi.jpg",
            "Wine_by_Jakkub_Mede.jpg",
            f"EveningGlow/{LARGE}",
            "greentock_by_Peter_Nerlich.jpg",
            f"FallenLeaf/{LARGE}",
            "Dragonfly_by_Bolly.jpg",
            f"OneStandsOut/{LARGE}",
            "Bridge_by_Sander_Klootwijk.jpg",
        ],
        "actors": ["messi5.jpg", "baboon.jpg"],
        "seeds": [1, 2],
    },
    "report": {
        "clips": [("tree", 0, 14), ("city", 0, 4.4), ("v2", 0, 6), ("bunny", 0, 5.2)],
        "photographs": [
            "aitzgorri_by_Aitzol_Berasategi.jpg",
            "friends_by_Aitzol_Berasategi.jpg",
            "seeding_by_Clements_Engelhardt.jpg",
            "sunset_by_Aitzol_Berasategi.jpg",
            f"Autumn/{LARGE}",
            f"ColdRipple/{LARGE}",
            f"Path/{LARGE}",
            f"BytheWater/{LARGE}",
            "Picture_1A_by_freespace.jpg",
            f"ColorfulCups/{LARGE}",
        ],
        "actors": ["fruits.jpg", "butterfly.jpg"],
        "seeds": [11, 12, 13],
    },
}
# Shots of the films whose uploads are compared: the name of a clip, first second, length.
FILMS = {
    "uploads-tuning": {
        "shots": [
            ("trailer", 0.4, 9.2),
            ("trailer", 14.3, 10),
            ("trailer", 25, 6.6),
            ("trailer", 41.3, 2.3),
            ("trailer", 44.4, 2.7),
            ("vtest", 5, 9),
            ("v1", 0.1, 4.8),
        ],
        "seeds": [21, 22],
    },
    "uploads-report": {
        "shots": [
            ("megamind", 0.2, 3.8),
            ("megamind", 8.4, 2.8),
            ("bikes", 3.1, 2.3),
            ("bikes", 7.5, 2.1),
            ("carphone", 0, 4),
            ("bunny", 0, 5.2),
            ("city", 0, 4.4),
            ("v2", 0.1, 5.9),
        ],
        "seeds": [31, 32, 33],
    },
}


def scenes_of(sources, clips, seed):
    random = np.random.default_rng(seed)
    scenes = {f"{name} {begin}": ClipScene(clips[name], begin, seconds) for name, begin, seconds in sources["clips"]}
    for i, file in enumerate(sources["photographs"]):
        path = (WALLPAPERS if "/" in file else PHOTOGRAPHS) / file
        scenes[Path(file).parts[0].split("_")[0]] = PhotographScene(
            path, OPENCV / sources["actors"][i % len(sources["actors"])], random
        )
    return scenes


def found_shots(printed):
    """{clip: shots with their scenes}, the pairs of times of takes and their references, and the offsets (clip, in,
    clip and in of the reference, offset, whether it is told to be exact)."""
    shots, aligned, offsets = {}, [], []
    for number, scene in enumerate(printed["scenes"]):
        reference = scene["takes"][scene["reference_index"]]
        for take in scene["takes"]:
            clip = Path(take["clip"]).name
            shots.setdefault(clip, []).append({"in": take["in"], "out": take["out"], "scene": number})
            of_reference = Path(reference["clip"]).name
            aligned += [(clip, at, of_reference, there) for at, there in take["alignment"]]
            if take is not reference and take["offset_seconds"] is not None:
                exact = take.get("exact_offset", False)
                offsets.append((clip, take["in"], of_reference, reference["in"], take["offset_seconds"], exact))
    return shots, aligned, offsets


def measure(call, folder, truth):
    files = [folder / name for name in truth]
    begin = time.monotonic()
    command = [call.octavo, "video", "takes", *files, "--json", "--patience", "3600", *call.options]
    printed = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)
    seconds = time.monotonic() - begin
    shots, aligned, offsets = found_shots(printed)
    errors, shown = take_scores.alignment_errors(truth, aligned), take_scores.alignment_errors(truth, aligned, True)
    # The ends of junk are there too: a cut is one whether a take or a clapper board begins.
    ends = {clip: list(some) for clip, some in shots.items()}
    for part in printed["left_out_shots"]:
        ends.setdefault(Path(part["clip"]).name, []).append(part)
    takes = [part for parts in truth.values() for part in parts if part["kind"] == "take"]
    return {
        "true_takes": len(takes),
        "true_scenes": len({part["scene"] for part in takes}),
        "found_scenes": len(printed["scenes"]),
        "found_takes": sum(len(some) for some in shots.values()),
        **take_scores.assigned_and_pairs(take_scores.moments(truth, shots)),
        "ends": take_scores.ends_found(truth, ends, 1.01 / FPS),
        "alignment_median": float(np.median(errors)) if errors else None,
        "alignment_90": float(np.quantile(errors, 0.9)) if errors else None,
        "pairs": len(errors),
        "alignment_median_of_shown": float(np.median(shown)) if shown else None,
        "pairs_shown": len(shown),
        **take_scores.offset_shares(truth, offsets),
        "seconds": seconds,
    }


def tabulate(rows):
    print(
        f"{'set':12} {'takes':>5} {'scenes':>6} {'found':>5} {'assigned':>8} {'precision':>9} {'recall':>6} {'F1':>6} "
        f"{'junk kept':>9} {'ends':>5} {'aligned':>12} {'shown':>5} {'offsets':>14} {'s':>5}"
    )
    for name, row in rows.items():
        print(
            f"{name:12} {row['true_takes']:5} {row['true_scenes']:6} {row['found_scenes']:5} {row['assigned']:8.3f} {row['precision']:9.3f} "
            f"{row['recall']:6.3f} {row['f1']:6.3f} {row['junk_kept']:9.3f} {row['ends']:5.2f} "
            f"{row['alignment_median'] or 0:5.2f} {row['alignment_90'] or 0:6.2f} {row['alignment_median_of_shown'] or 0:5.2f} "
            f"{row['offsets_right']:3}/{row['exact_right']:3}/{row['exact']:3}/{row['offsets']:3} {row['seconds']:5.0f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--octavo", type=Path, help="the program; without it the rushes are made alone")
    sources = {**SOURCES, **FILMS}
    parser.add_argument("--sets", nargs="+", default=list(sources), choices=list(sources))
    parser.add_argument("--json", type=Path)
    parser.add_argument("options", nargs="*", help="of octavo video takes, after --")
    call = parser.parse_args()
    clips, rows = fetch(call.folder / "clips"), {}
    for name in call.sets:
        for seed in sources[name]["seeds"]:
            folder = call.folder / f"{name}-{seed}"
            if name in FILMS:
                truth = render_uploads(folder, FILMS[name]["shots"], clips, seed)
            else:
                truth = render(folder, lambda: scenes_of(SOURCES[name], clips, seed), seed)
            if call.octavo:
                rows[folder.name] = measure(call, folder, truth)
    if rows:
        tabulate(rows)
    if call.json:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "options": call.options,
            "sources": {name: sources[name] for name in call.sets},
            "results": rows,
        }
        call.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
