"""Parts of one film of a still camera, each searched in the others: no two show one time, and features match at all times.

usage: other_times.py FOLDER FILM --octavo build/release/bin/octavo [--seconds 10] [--json FILE]

FOLDER keeps the parts, which are made once with ffmpeg. Those of the archive are smaller. The queries are the parts
as they are, half as fast, twice as fast, and cut and mirrored. A segment is right if the middle of it is one time of the
film in both, up to 0.6 s; each query should have one such segment. All others are false.
"""

import argparse
import datetime
import json
import platform
import shutil
import subprocess
from pathlib import Path

FORMS = {  # how many seconds of the query one of the film takes, and the filters
    "as it is": (1, "null"),
    "half as fast": (2, "setpts=2*PTS"),
    "twice as fast": (0.5, "setpts=PTS/2"),
    "cut and mirrored": (1, "crop=iw*0.7:ih*0.7,hflip"),
}
MOST_APART = 0.6  # [second]


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout


def length_of(film):
    return float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", film))


def part(film, begin, seconds, filters, target):
    if not target.exists():
        run("ffmpeg", "-v", "error", "-ss", begin, "-t", seconds, "-i", film, "-an", "-vf", filters,
            "-c:v", "libx264", "-crf", 26, target)  # fmt: skip
    return target


def judge(answer, begin, pace, begins):
    """How many segments show one time of the film, and how many two."""
    right = false = 0
    for clip in answer["found_clips"]:
        for one in clip["segments"]:
            of_query = begin + (one["in_query"] + one["out_query"]) / 2 / pace
            of_clip = begins[Path(clip["clip"]).name] + (one["in_clip"] + one["out_clip"]) / 2
            right += abs(of_query - of_clip) < MOST_APART
            false += abs(of_query - of_clip) >= MOST_APART
    return right, false


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("film", type=Path)
    parser.add_argument("--octavo", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=10, help="of a part (default: 10)")
    parser.add_argument("--json", type=Path)
    call = parser.parse_args()
    (call.folder / "parts").mkdir(parents=True, exist_ok=True)
    count = int(length_of(call.film) / call.seconds)
    begins = {f"{i}.mp4": i * call.seconds for i in range(count)}
    parts = [
        part(call.film, begin, call.seconds, "scale=480:-2", call.folder / "parts" / name)
        for name, begin in begins.items()
    ]
    archive = call.folder / "archive"
    shutil.rmtree(archive, ignore_errors=True)
    run(call.octavo, "video", "index", *parts, "--index", archive)
    rows = {}
    for form, (pace, filters) in FORMS.items():
        found = false = 0
        for name, begin in begins.items():
            query = part(call.film, begin, call.seconds, filters, call.folder / f"{form} {name}")
            answer = json.loads(run(call.octavo, "video", "search", query, "--index", archive, "--json"))
            of_query = judge(answer, begin, pace, begins)
            found += of_query[0] > 0
            false += of_query[1]
        rows[form] = {"queries": count, "found": found, "false": false, "pairs_of_two_times": count * (count - 1)}
        print(f"{form:<18}{found} of {count} found, {false} false segments of {count * (count - 1)} pairs")
    if call.json:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "film": call.film.name,
            "seconds": call.seconds,
            "forms": rows,
        }
        call.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
