"""Whether SIFT of standard-definition video is faster than the video, by device and number of keypoints.

usage: real_time.py [--octavo PROGRAM] [--devices cpu@1,cpu,cuda:0] [--points 250,500,1000,2000,4000]
                    [--first-octaves=-1,0] [--frames 250] [--rounds 3] [--json FILE] [--machine TEXT]

It needs the program and nothing else: the clip is made here. A window of 720x576 moves over a dead-leaves image (discs of
random greys that cover each other, their radii as r^-3: Lee, Mumford and Huang, IJCV 2001), which has the statistics of
photographs. The program encodes it, as H.264 if its FFmpeg can. A run decodes every frame, extracts and describes that
many keypoints; it follows and draws none. The best of the rounds counts. The time is that of the whole pipeline, in which
decoding runs beside extraction. Without --devices: the CPU on one thread and on all, and every GPU.
"""

import argparse
import datetime
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

WIDTH, HEIGHT, RATE = 720, 576, 25
LARGEST, SMALLEST = 120, 2  # [pixel] radii of the discs


def dead_leaves(width, height, seed=1):
    """Rows of greys. A disc covers those before it."""
    dice = random.Random(seed)
    rows = [bytearray(128 for _ in range(width)) for _ in range(height)]
    for _ in range(20000):
        share = dice.random()
        radius = (share * LARGEST**-2 + (1 - share) * SMALLEST**-2) ** -0.5
        x, y, grey = dice.uniform(0, width), dice.uniform(0, height), dice.randrange(16, 236)
        for row in range(max(0, int(y - radius)), min(height, int(y + radius) + 1)):
            half = max(0.0, radius * radius - (row - y) ** 2) ** 0.5
            left, right = max(0, int(x - half)), min(width, int(x + half))
            rows[row][left:right] = bytes([grey]) * max(0, right - left)
    return rows


def frames(count):
    """The clip as YUV4MPEG2: the window moves by 2 pixels a frame, and back."""
    rows = dead_leaves(WIDTH + 500, HEIGHT + 250)
    grey = bytes([128]) * (WIDTH * HEIGHT // 2)
    yield f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{RATE}:1 Ip A1:1 C420jpeg\n".encode()
    for frame in range(count):
        x = abs((2 * frame + 500) % 1000 - 500)
        y = x // 2
        yield b"FRAME\n" + b"".join(bytes(row[x : x + WIDTH]) for row in rows[y : y + HEIGHT]) + grey


def make(octavo, clip, count):
    command = [octavo, "video", "keypoints", "-", "-o", clip, "--max-features", "1", "--no-tracks", "--device", "cpu"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as program:
        for part in frames(count):
            program.stdin.write(part)
        program.stdin.close()
    if program.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed")


def devices_of(octavo):
    listed = json.loads(subprocess.run([octavo, "devices", "--json"], check=True, capture_output=True).stdout)
    return ["cpu@1", "cpu", *(one["name"] for one in listed if one["kind"] in ("cuda", "opencl") and one["conformant"])]


def measure(octavo, clip, device, points, first_octave, rounds):
    name, _, threads = device.partition("@")
    command = [octavo, "video", "keypoints", clip, "--json", "--no-tracks", "--device", name, "--max-features", points]
    command += [f"--first-octave={first_octave}", *(["--threads", threads] if threads else [])]
    reports = [
        json.loads(subprocess.run([*map(str, command)], check=True, capture_output=True).stdout) for _ in range(rounds)
    ]
    best = max(reports, key=lambda report: report["frames_per_second"])
    stages = best["per_frame"]
    return {
        "device": device,
        "first_octave": first_octave,
        "points": points,
        "keypoints_per_frame": round(stages["keypoint_count"], 1),
        "frames_per_second": round(best["frames_per_second"], 1),
        "times_real_time": round(best["frames_per_second"] / RATE, 2),
        "decode_ms": round(1000 * stages["decode_seconds"], 3),
        "extract_ms": round(1000 * stages["extract_seconds"], 3),
    }


def print_table(rows):
    points = list(dict.fromkeys(row["points"] for row in rows))
    print("| device | first octave | " + " | ".join(map(str, points)) + " |\n" + "| --- " * (2 + len(points)) + "|")
    for key in dict.fromkeys((row["device"], row["first_octave"]) for row in rows):
        cells = [
            f"{row['times_real_time']:.1f}" if row["times_real_time"] < 10 else f"{row['times_real_time']:.0f}"
            for row in rows
            if (row["device"], row["first_octave"]) == key
        ]
        print("| " + " | ".join([*map(str, key), *cells]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--octavo", default="build/release/bin/octavo")
    parser.add_argument("--devices")
    parser.add_argument("--points", default="250,500,1000,2000,4000")
    parser.add_argument("--first-octaves", default="-1,0")
    parser.add_argument("--frames", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--machine", default="")
    call = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "sd.mp4"
        make(call.octavo, clip, call.frames)
        rows = [
            measure(call.octavo, clip, device, int(points), int(octave), call.rounds)
            for device in (call.devices.split(",") if call.devices else devices_of(call.octavo))
            for octave in call.first_octaves.split(",")
            for points in call.points.split(",")
        ]
    print_table(rows)
    if call.json:
        told = {
            "machine": call.machine,
            "load_before": round(load, 2),
            "date": datetime.date.today().isoformat(),
            "version": subprocess.run(
                [call.octavo, "--version"], check=True, capture_output=True, text=True
            ).stdout.strip(),
            "command": f"bench/video/real_time.py --frames {call.frames} --rounds {call.rounds}",
            "frame": [WIDTH, HEIGHT],
            "rate": RATE,
            "results": rows,
        }
        call.json.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
