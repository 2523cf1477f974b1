"""How many times as fast two GPUs are as one, in every mode of bench_extract_on_gpu.

usage: two_gpus.py BENCH IMAGE... [--devices cuda:0 cuda:1] [--in-flight 4] [--turns 3] [--stream 300] [--rounds 10]
                   [--json FILE --machine TEXT]

BENCH is the program bench_extract_on_gpu; the images are PGM. One device and all devices are measured in turns, since the host's
times change from run to run; the smallest time of each counts. Milliseconds of an image, with so many images in flight for each
device. pipelined: the caller's thread copies the pixels; lent: a thread of each device does; kept: features stay on the device.
"""

import argparse
import datetime
import json
import subprocess
import tempfile
from pathlib import Path

MODES = ("pipelined_ms", "pipelined_lent_ms", "pipelined_kept_ms", "pipelined_kept_lent_ms")


def measure(call, devices):
    """The rows of a run: by image and first octave."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        command = [
            call.bench,
            "--device",
            ",".join(devices),
            "--in-flight",
            call.in_flight * len(devices),
            "--images",
            call.stream,
        ]
        subprocess.run([*map(str, command), "--rounds", str(call.rounds), "--json", file, *call.images], check=True)
        return {(row["image"], row["first_octave"]): row for row in json.loads(file.read_text())["results"]}


def smallest(runs, key, mode):
    return min(run[key][mode] for run in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("images", nargs="+")
    parser.add_argument("--devices", nargs="+", default=["cuda:0", "cuda:1"])
    parser.add_argument("--in-flight", type=int, default=4)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--stream", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--machine", default="")
    call = parser.parse_args()
    call.bench = call.bench.resolve()
    one, all_ = [], []
    for _ in range(call.turns):
        one.append(measure(call, call.devices[:1]))
        all_.append(measure(call, call.devices))
    rows = []
    for image, first_octave in one[0]:
        for mode in MODES:
            key = image, first_octave
            if mode not in one[0][key]:
                continue
            before, after = smallest(one, key, mode), smallest(all_, key, mode)
            facts = {"image": image, "first_octave": first_octave, "mode": mode.removesuffix("_ms")}
            rows.append({**facts, "one_ms": before, "all_ms": after, "times": round(before / after, 2)})
            print(json.dumps(rows[-1]), flush=True)
    if call.json:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True
        ).stdout.strip()
        names = " ".join(Path(image).name for image in call.images)
        command = f"bench/gpu/two_gpus.py {call.bench.name} {names} --devices {' '.join(call.devices)} --in-flight {call.in_flight} --turns {call.turns} --stream {call.stream} --rounds {call.rounds}"
        facts = {
            "date": str(datetime.date.today()),
            "machine": call.machine,
            "commit": commit,
            "command": command,
            "rows": rows,
        }
        call.json.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
