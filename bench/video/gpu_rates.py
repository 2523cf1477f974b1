"""The rate of `octavo video index` on a GPU, with and without NVDEC, and whether it gives the same index everywhere.

usage: gpu_rates.py make CLIPS [--seconds 120] [--copies 16]     makes the clips, with ffmpeg
       gpu_rates.py check CLIPS [--octavo PROGRAM] [--devices cpu,cuda:0,opencl:0] [--json FILE --machine TEXT]
       gpu_rates.py run CLIPS [--octavo PROGRAM] [--jobs 1,4,8,16] [--ways cpu/cpu,cuda:0/cpu,cuda:0/nvdec]
                    [--sizes SD,720p,1080p] [--rounds 3] [--json FILE --machine TEXT]
       gpu_rates.py table FILE...                                prints the tables of such files

The clips are made beforehand, so that a machine without ffmpeg can run them.

`check` indexes the short clips of CLIPS/variety on each device, decoded by the CPU and by NVDEC, and compares the
digests of the signatures with those of the CPU. It prints a line for each clip with the decoders that did the work, and
ends with 1 if a digest differs. A device that the machine lacks is named, and is no failure.

`run` indexes the long clips of one size at a time into a new archive, N clips at a time (--jobs). Its rate is the
length of the clips divided by the wall time of the whole program, from its start to its end: hours of video an hour. The
best of the rounds counts: other work on a machine makes times longer, never shorter. A way is DEVICE/ENGINE.

The long clips have two subjects, as SD (720x576), 720p and 1080p, H.264 (x264, preset medium, CRF 23), 25 frames a second:
`street` is vtest.avi of Debian's opencv-doc, people before a camera that stands still, repeated and enlarged; `pan` is a
window that moves over a photograph (aitzgorri of Debian's lomiri-wallpapers-16.04), there and back. Their copies differ
in a comment of the container, so that the archive takes each for a clip of its own.
"""

import argparse
import datetime
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = {"SD": (720, 576), "720p": (1280, 720), "1080p": (1920, 1080)}
STREET = Path("/usr/share/doc/opencv-doc/examples/data/vtest.avi")
PHOTOGRAPH = Path("/usr/share/backgrounds/aitzgorri_by_Aitzol_Berasategi.jpg")  # 3088x2056
X264 = ["-c:v", "libx264", "-preset", "medium", "-crf", "23", "-pix_fmt", "yuv420p"]

# The endings and encoders of the short clips. What NVDEC leaves to the CPU is among them.
VARIETY = {
    "h264.mp4": X264,
    "h264.mkv": X264,
    "h264.ts": X264,
    "h264-baseline.mp4": [*X264, "-profile:v", "baseline"],
    "h264-open-gop.mp4": [*X264, "-x264-params", "open-gop=1:keyint=20:bframes=5:b-pyramid=normal"],
    "h264-full-range.mp4": [*X264[:-1], "yuvj420p"],
    "h264-anamorphic.mp4": [*X264, "-vf", "setsar=16/15"],
    "h264-cropped.mp4": [*X264, "-vf", "crop=634:350"],
    "h264-interlaced.mp4": [*X264, "-flags", "+ildct+ilme", "-x264-params", "tff=1"],
    "h264-422.mp4": [*X264[:-1], "yuv422p"],
    "hevc.mp4": ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p"],
    "hevc-10-bits.mp4": ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-pix_fmt", "yuv420p"],
    "vp9-alt-ref.webm": [
        "-c:v",
        "libvpx-vp9",
        "-deadline",
        "good",
        "-cpu-used",
        "5",
        "-auto-alt-ref",
        "1",
        "-lag-in-frames",
        "16",
    ],
    "av1.mkv": ["-c:v", "libsvtav1", "-preset", "10", "-pix_fmt", "yuv420p"],
    "av1.mp4": ["-c:v", "libsvtav1", "-preset", "10", "-pix_fmt", "yuv420p"],
    "av1-10-bits.mkv": ["-c:v", "libsvtav1", "-preset", "10", "-pix_fmt", "yuv420p10le"],
    "mpeg2.mpg": ["-c:v", "mpeg2video", "-q:v", "4"],
    "mpeg4.avi": ["-c:v", "mpeg4", "-q:v", "4"],
}


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], check=True)


def make(arguments):
    variety = arguments.clips / "variety"
    variety.mkdir(parents=True, exist_ok=True)
    for name, encoder in VARIETY.items():
        ffmpeg("-i", STREET, "-t", 8, "-vf", "scale=640:360,setsar=1", *encoder, variety / name)
        print(variety / name)
    ffmpeg("-i", variety / "h264.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90", variety / "h264-rotated.mp4")
    print(variety / "h264-rotated.mp4")
    for name, (width, height) in SIZES.items():
        scale = height / 1080
        # There and back within the photograph, 4 pixels a frame at 1080p.
        x = f"abs(mod(n*{4 * scale}\\,2*(in_w-out_w))-(in_w-out_w))"
        y = f"abs(mod(n*{2 * scale}\\,2*(in_h-out_h))-(in_h-out_h))"
        pan = f"scale={2 * round(1544 * scale)}:-2,crop={width}:{height}:{x}:{y},setsar=1"
        sources = {
            "street": ["-stream_loop", -1, "-r", 25, "-i", STREET, "-vf", f"scale={width}:{height},setsar=1"],
            "pan": ["-r", 25, "-loop", 1, "-i", PHOTOGRAPH, "-vf", pan],
        }
        folder = arguments.clips / name
        folder.mkdir(exist_ok=True)
        for subject, source in sources.items():
            first = folder / f"{subject}-00.mp4"
            ffmpeg(*source, "-t", arguments.seconds, *X264, first)
            for copy in range(1, (arguments.copies + 1) // 2):
                ffmpeg(
                    "-i", first, "-c", "copy", "-metadata", f"comment=copy {copy}", folder / f"{subject}-{copy:02}.mp4"
                )
            print(first, "and its copies")


def index(octavo, clips, device, engine, jobs):
    """The report of an index of these clips in a new archive, and the wall time; or the reason why there is none."""
    folder = Path(tempfile.mkdtemp(prefix="octavo_gpu_rates_"))
    try:
        command = [octavo, "video", "index", *clips, "--index", folder / "archive", "--json"]
        command += ["--device", device, "--engine", engine, "--jobs", jobs]
        since = time.perf_counter()
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        seconds = time.perf_counter() - since
        if done.returncode != 0:
            return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
        return json.loads(done.stdout), seconds
    finally:
        shutil.rmtree(folder)


def version_of(octavo):
    return subprocess.run([octavo, "--version"], check=True, capture_output=True, text=True).stdout.strip()


def write(arguments, command, **results):
    result = {
        "machine": arguments.machine,
        "date": datetime.date.today().isoformat(),
        "version": version_of(arguments.octavo),
        "command": command,
        **results,
    }
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    return result


def check(arguments):
    clips = sorted((arguments.clips / "variety").iterdir())
    signatures, decoders, missing = {}, {}, {}
    ways = [(device, engine) for device in arguments.devices.split(",") for engine in ("cpu", "nvdec", "auto")]
    for device, engine in ways:
        way = f"{device}/{engine}"
        report, problem = index(arguments.octavo, clips, device, engine, 4)
        if report is None:
            missing[way] = problem
            print(f"{way}: {problem}", file=sys.stderr)
            continue
        for clip in report["clips"]:
            name = Path(clip["clip"]).name
            signatures.setdefault(name, {})[way] = clip["facts"]["signature_digest"]
            decoders.setdefault(name, {})[way] = clip["facts"]["decoder"]
    rows = []
    for name, digests in sorted(signatures.items()):
        # MPEG-2 and MPEG-4 are not exact: what NVDEC makes of them if it is asked for is another matter.
        compared = {
            way: digest for way, digest in digests.items() if not (name.startswith("mpeg") and way.endswith("/nvdec"))
        }
        rows.append(
            {"clip": name, "same": len(set(compared.values())) == 1, "digests": digests, "decoders": decoders[name]}
        )
        print(f"{'same  ' if rows[-1]['same'] else 'DIFFER'} {name}: {'; '.join(sorted(set(decoders[name].values())))}")
    write(arguments, "bench/video/gpu_rates.py check", missing=missing, results=rows)
    sys.exit(0 if rows and all(row["same"] for row in rows) else 1)


def run(arguments):
    rows = []
    for size in arguments.sizes.split(","):
        clips = sorted((arguments.clips / size).iterdir())
        for way in arguments.ways.split(","):
            device, engine = way.split("/")
            for jobs in map(int, arguments.jobs.split(",")):
                # A job has some clips to do, but one at a time need not do them all.
                chosen = clips[: max(2, min(len(clips), 2 * jobs))]
                chosen = chosen if jobs > 1 else [clips[0], clips[-1]]
                best = None
                for _ in range(arguments.rounds):
                    report, seconds = index(arguments.octavo, chosen, device, engine, jobs)
                    if report is None:
                        print(f"{size}, {way}, {jobs} at a time: {seconds}", file=sys.stderr)
                        break
                    if best is None or seconds < best[1]:
                        best = report, seconds
                if best is None:
                    continue
                report, seconds = best
                rows.append(
                    {
                        "size": size,
                        "device": device,
                        "engine": engine,
                        "decoders": sorted({clip["facts"]["decoder"] for clip in report["clips"]}),
                        "jobs": jobs,
                        "clips": len(chosen),
                        "clip_seconds": round(report["summary"]["clip_seconds"], 2),
                        "seconds": round(seconds, 3),
                        "hours_per_hour": round(report["summary"]["clip_seconds"] / seconds, 1),
                    }
                )
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    command = f"bench/video/gpu_rates.py run; the best of {arguments.rounds} rounds, wall time of the whole program"
    print_table([write(arguments, command, results=rows)])


def print_table(results):
    """Hours of video an hour: a row for each size and way, a column for each number of clips at a time."""
    rows = [row for result in results for row in result["results"] if "hours_per_hour" in row]
    columns = sorted({row["jobs"] for row in rows})
    cells = {}
    for row in rows:
        cells.setdefault((row["size"], row["device"], row["engine"]), {})[row["jobs"]] = f"{row['hours_per_hour']:.0f}"
    print("| frames | device | decoded by | " + " | ".join(f"{jobs} at a time" for jobs in columns) + " |")
    print("| --- " * (3 + len(columns)) + "|")
    for key, found in cells.items():
        print("| " + " | ".join([*key, *(found.get(column, "") for column in columns)]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="job", required=True)
    making = commands.add_parser("make")
    making.add_argument("clips", type=Path)
    making.add_argument("--seconds", type=int, default=120)
    making.add_argument("--copies", type=int, default=16)
    making.set_defaults(job=make)
    for job, more in (
        (check, {"--devices": "cpu,cuda:0,opencl:0"}),
        (run, {"--jobs": "1,4,8,16", "--ways": "cpu/cpu,cuda:0/cpu,cuda:0/nvdec", "--sizes": ",".join(SIZES)}),
    ):
        measuring = commands.add_parser(job.__name__)
        measuring.add_argument("clips", type=Path)
        measuring.add_argument("--octavo", default="build/release/bin/octavo")
        for name, default in more.items():
            measuring.add_argument(name, default=default)
        measuring.add_argument("--rounds", type=int, default=3)
        measuring.add_argument("--json", type=Path)
        measuring.add_argument("--machine", default="")
        measuring.set_defaults(job=job)
    printing = commands.add_parser("table")
    printing.add_argument("files", type=Path, nargs="+")
    printing.set_defaults(job=lambda arguments: print_table([json.loads(file.read_text()) for file in arguments.files]))
    arguments = parser.parse_args()
    arguments.job(arguments)


if __name__ == "__main__":
    main()
