"""The rate and the memory of `octavo video index` on one core: by codec, size of the frames, and length.

usage: index_rates.py make CLIPS [--frames 750]   makes the clips, with ffmpeg
       index_rates.py run CLIPS [--octavo PROGRAM] [--core 0] [--rounds 3] [--only-memory] [--json FILE --machine TEXT]

The subjects are those of rates.py, at 25 frames a second: people before a camera that stands still, and a window that
moves over a photograph. octavo and its decoder, a process of its own, are bound to the same core, and the time is that
of the whole command: start, decoding, features, catalogue. The median of the rounds counts, so other work must not run
on that core.

The memory is the peak of the resident memory (VmHWM of /proc) of both processes. For the memory by length, `street` as
MPEG-4 SD is repeated 1, 10 and 60 times. --only-memory measures nothing else; other work on the core does no harm then.
"""

import argparse
import datetime
import json
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from rates import PHOTOGRAPH, SIZES, STREET

X264 = ["-c:v", "libx264", "-preset", "medium", "-crf", "23"]
X265 = ["-c:v", "libx265", "-preset", "medium", "-crf", "26", "-x265-params", "log-level=error"]
# (codec, size): the file's ending and the encoder
FORMATS = {
    ("MPEG-2", "SD"): ("mpg", ["-c:v", "mpeg2video", "-q:v", "4", "-bf", "2"]),
    ("MPEG-4", "SD"): ("avi", ["-c:v", "mpeg4", "-q:v", "4", "-bf", "2"]),
    ("H.264", "SD"): ("mp4", X264),
    ("H.264", "720p"): ("mp4", X264),
    ("H.264", "1080p"): ("mp4", X264),
    ("HEVC", "720p"): ("mp4", X265),
}
LENGTHS = [1, 10, 60]


def file_of(folder, subject, codec, size):
    return folder / f"{subject}-{codec}-{size}.{FORMATS[codec, size][0]}"


def make(call):
    call.clips.mkdir(parents=True, exist_ok=True)
    for (codec, size), (_, encoder) in FORMATS.items():
        width, height = SIZES[size]
        scale = height / 1080
        pan = f"scale={2 * round(1544 * scale)}:-2,crop={width}:{height}:n*{scale}:n*{scale / 2},setsar=1"
        sources = {
            "street": ["-r", "25", "-i", STREET, "-vf", f"scale={width}:{height},setsar=1"],
            "pan": ["-r", "25", "-loop", "1", "-i", PHOTOGRAPH, "-vf", pan],
        }
        for subject, source in sources.items():
            target = file_of(call.clips, subject, codec, size)
            command = [
                "ffmpeg",
                "-v",
                "error",
                "-y",
                *source,
                "-frames:v",
                call.frames,
                "-pix_fmt",
                "yuv420p",
                "-an",
                *encoder,
                target,
            ]
            subprocess.run(list(map(str, command)), check=True)
            print(target)
    for times in LENGTHS:
        target = call.clips / f"{times}-times.avi"
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-stream_loop",
            times - 1,
            "-i",
            file_of(call.clips, "street", "MPEG-4", "SD"),
            "-c",
            "copy",
            target,
        ]
        subprocess.run(list(map(str, command)), check=True)
        print(target)


def peak_mebibytes(process):
    """Peak of the resident memory so far; none if the process has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(found[1]) / 1024 if found else None


def descendants(process):
    """The processes that this one and its threads started, and those that they started."""
    found = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += [each for child in children for each in (child, *descendants(child))]
    return found


def measure(call, clip):
    """Seconds of the whole command, seconds of the clip, and the peaks of octavo and of its decoder [MiB]."""
    archive = Path(tempfile.mkdtemp(prefix="index-rates-"))
    try:
        command = [
            "taskset",
            "-c",
            call.core,
            call.octavo,
            "video",
            "index",
            clip,
            "--index",
            archive,
            "--device",
            "cpu",
            "--jobs",
            1,
            "--patience",
            3600,
            "--json",
        ]
        begin = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(list(map(str, command)), stdout=output)  # taskset becomes octavo
            own = decoder = 0.0
            while process.poll() is None:
                own = max(own, peak_mebibytes(process.pid) or 0)
                decoder = max([decoder, *(peak_mebibytes(child) or 0 for child in descendants(process.pid))])
                time.sleep(0.02)
            seconds = time.monotonic() - begin
            if process.returncode:
                raise SystemExit(f"{' '.join(map(str, command))} failed")
            output.seek(0)
            (indexed,) = json.load(output)["clips"]
    finally:
        shutil.rmtree(archive)
    return {"seconds": seconds, "clip_seconds": indexed["facts"]["seconds"], "octavo_mib": own, "decoder_mib": decoder}


def median(call, clip):
    """The round in the middle, by time; the peaks are the highest of all."""
    rounds = sorted((measure(call, clip) for _ in range(call.rounds)), key=lambda one: one["seconds"])
    seconds = statistics.median(one["seconds"] for one in rounds)
    peaks = {key: round(max(one[key] for one in rounds), 1) for key in ("octavo_mib", "decoder_mib")}
    length = rounds[0]["clip_seconds"]
    return {
        "clip_seconds": round(length, 2),
        "seconds": round(seconds, 3),
        "times_real_time": round(length / seconds, 1),
        **peaks,
    }


def run(call):
    rates = [
        {"codec": codec, "size": size, "subject": subject, **median(call, file_of(call.clips, subject, codec, size))}
        for codec, size in ([] if call.only_memory else FORMATS)
        for subject in ("street", "pan")
    ]
    lengths = [{"times": times, **measured(call, call.clips / f"{times}-times.avi")} for times in LENGTHS]
    result = {
        "machine": call.machine,
        "date": datetime.date.today().isoformat(),
        "version": subprocess.run(
            [call.octavo, "--version"], check=True, capture_output=True, text=True
        ).stdout.strip(),
        "command": f"bench/video/index_rates.py run, one core; the median of {call.rounds} rounds",
        "rates": rates,
        "lengths": lengths,
    }
    if call.json:
        call.json.write_text(json.dumps(result, indent=1) + "\n")
    print_tables(result)


def measured(call, clip):
    """One round: long clips are for the memory."""
    one = measure(call, clip)
    return {key: round(value, 1) for key, value in one.items()}


def print_table(titles, rows):
    print("\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in [titles, ["---"] * len(titles), *rows]))


def print_tables(result):
    memory = ["octavo [MiB]", "decoder [MiB]"]

    def peaks(row):
        return [f"{row['octavo_mib']:.0f}", f"{row['decoder_mib']:.0f}"]

    print_table(
        ["codec", "size", "subject", "times real time", *memory],
        [
            [row["codec"], row["size"], row["subject"], f"{row['times_real_time']:.0f}", *peaks(row)]
            for row in result["rates"]
        ],
    )
    print()
    print_table(
        ["length [s]", "seconds", *memory],
        [[f"{row['clip_seconds']:.0f}", f"{row['seconds']:.1f}", *peaks(row)] for row in result["lengths"]],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="job", required=True)
    making = commands.add_parser("make")
    making.add_argument("clips", type=Path)
    making.add_argument("--frames", type=int, default=750)
    making.set_defaults(job=make)
    running = commands.add_parser("run")
    running.add_argument("clips", type=Path)
    running.add_argument("--octavo", default="build/release/bin/octavo")
    running.add_argument("--core", type=int, default=0)
    running.add_argument("--rounds", type=int, default=3)
    running.add_argument("--only-memory", action="store_true")
    running.add_argument("--json", type=Path)
    running.add_argument("--machine", default="")
    running.set_defaults(job=run)
    call = parser.parse_args()
    call.job(call)


if __name__ == "__main__":
    main()
