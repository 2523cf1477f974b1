"""The rate of `octavo video keypoints`: by size of the frames, number of points, device and threads.

usage: rates.py make CLIPS [--frames 250]          makes the clips, with ffmpeg
       rates.py run CLIPS [--octavo PROGRAM] [--devices cpu,cuda] [--threads 1,2] [--points 256,1000,2000]
                [--first-octaves=-1,0] [--rounds 3] [--json FILE --machine TEXT]
       rates.py table FILE...                      prints the tables of such files

The clips are made beforehand, so that a machine without ffmpeg can run them. There are two subjects, each as SD (720x576),
720p and 1080p, H.264 (x264, preset medium, CRF 23), 25 frames a second: `street`
is vtest.avi of Debian's opencv-doc, people before a camera that stands still, enlarged for the larger sizes; `pan` is a
window that moves over a photograph (aitzgorri of Debian's lomiri-wallpapers-16.04), by 4 pixels a frame at 1080p, so that
1080p has its own detail.

A run decodes every frame in full size, extracts and describes that many points, and follows them. It draws nothing. The
best of the rounds counts: other work on a machine makes times longer, never shorter. Threads are those of the extraction
and the matching; the decoder is a process besides them. On GPUs --threads has no effect and is not given.
"""

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path

SIZES = {"SD": (720, 576), "720p": (1280, 720), "1080p": (1920, 1080)}
STREET = Path("/usr/share/doc/opencv-doc/examples/data/vtest.avi")
PHOTOGRAPH = Path("/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg")  # 3088x2056
STAGES = ("decode", "extract", "match")


def make(arguments):
    arguments.clips.mkdir(parents=True, exist_ok=True)
    encoder = [
        "-frames:v",
        str(arguments.frames),
        "-c:v",
        "libx264",
        "-preset",
        "medium",
        "-crf",
        "23",
        "-pix_fmt",
        "yuv420p",
    ]
    for name, (width, height) in SIZES.items():
        # The photograph is reduced with the window, which then shows the same part of it in every size.
        scale = height / 1080
        pan = f"scale={2 * round(1544 * scale)}:-2,crop={width}:{height}:n*{4 * scale}:n*{2 * scale},setsar=1"
        sources = {
            "street": ["-r", "25", "-i", STREET, "-vf", f"scale={width}:{height},setsar=1"],
            "pan": ["-r", "25", "-loop", "1", "-i", PHOTOGRAPH, "-vf", pan],
        }
        for subject, source in sources.items():
            file = arguments.clips / f"{subject}-{name}.mp4"
            subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *encoder, file], check=True)
            print(file)


def measure(arguments, clip, options):
    """The report of the fastest of the rounds."""
    command = [arguments.octavo, "video", "keypoints", clip, "--json", *map(str, options)]
    reports = [
        json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) for _ in range(arguments.rounds)
    ]
    return max(reports, key=lambda report: report["frames_per_second"])


def run(arguments):
    rows = []
    for device in arguments.devices.split(","):
        for threads in arguments.threads.split(",") if device == "cpu" else [None]:
            for first_octave in arguments.first_octaves.split(","):
                for points in arguments.points.split(","):
                    for subject in arguments.subjects.split(","):
                        for name in SIZES:
                            options = ["--device", device, "--max-features", points, f"--first-octave={first_octave}"]
                            options += ["--threads", threads] if threads else []
                            report = measure(arguments, arguments.clips / f"{subject}-{name}.mp4", options)
                            stages = report["per_frame"]
                            rows.append(
                                {
                                    "device": report["device"],
                                    "threads": int(threads) if threads else None,
                                    "first_octave": int(first_octave),
                                    "points": int(points),
                                    "subject": subject,
                                    "size": name,
                                    "frames": report["frame_count"],
                                    "keypoints_per_frame": round(stages["keypoint_count"], 1),
                                    "followed": round(report["tracking"]["followed_share"], 3),
                                    "frames_per_second": round(report["frames_per_second"], 1),
                                    "ms_per_frame": {
                                        stage: round(1000 * stages[f"{stage}_seconds"], 2) for stage in STAGES
                                    },
                                }
                            )
                            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    result = {
        "machine": arguments.machine,
        "date": datetime.date.today().isoformat(),
        "version": subprocess.run(
            [arguments.octavo, "--version"], check=True, capture_output=True, text=True
        ).stdout.strip(),
        "command": f"bench/video/rates.py; the best of {arguments.rounds} rounds",
        "results": rows,
    }
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    print_table([result])


def print_table(results):
    """Frames a second: a row for each device, first octave and number of points, a column for each clip."""
    rows = [row for result in results for row in result["results"]]
    columns = list(dict.fromkeys((row["size"], row["subject"]) for row in rows))
    columns.sort(key=lambda column: list(SIZES).index(column[0]))
    cells = {}
    for row in rows:
        device = row["device"] + (f", {row['threads']} threads" if row["threads"] else "")
        key = (device.replace("1 threads", "1 thread"), row["first_octave"], row["points"])
        cells.setdefault(key, {})[row["size"], row["subject"]] = f"{row['frames_per_second']:.0f}"
    print("| device | first octave | points | " + " | ".join(" ".join(column) for column in columns) + " |")
    print("| --- " * (3 + len(columns)) + "|")
    for key, found in cells.items():
        print("| " + " | ".join([*map(str, key), *(found.get(column, "") for column in columns)]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="job", required=True)
    making = commands.add_parser("make")
    making.add_argument("clips", type=Path)
    making.add_argument("--frames", type=int, default=250)
    making.set_defaults(job=make)
    running = commands.add_parser("run")
    running.add_argument("clips", type=Path)
    running.add_argument("--octavo", default="build/release/bin/octavo")
    running.add_argument("--devices", default="cpu")
    running.add_argument("--threads", default="1,2")
    running.add_argument("--points", default="256,1000,2000")
    running.add_argument("--first-octaves", default="-1,0")
    running.add_argument("--subjects", default="street,pan")
    running.add_argument("--rounds", type=int, default=3)
    running.add_argument("--json", type=Path)
    running.add_argument("--machine", default="")
    running.set_defaults(job=run)
    printing = commands.add_parser("table")
    printing.add_argument("files", type=Path, nargs="+")
    printing.set_defaults(job=lambda arguments: print_table([json.loads(file.read_text()) for file in arguments.files]))
    arguments = parser.parse_args()
    arguments.job(arguments)


if __name__ == "__main__":
    main()
