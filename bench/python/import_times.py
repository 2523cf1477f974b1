"""Measures the time of imports, each in a new process: of the package, of its names, which need NumPy, and of others.

usage: import_times.py [--rounds N] [--json FILE]

The contenders take turns within each round. The figures are medians over the rounds, of the wall and of the processor.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from circumstances import circumstances

IMPORTS = {
    "octavo": ("", "import octavo"),
    "octavo's names": ("", "from octavo import Extractor"),
    "numpy": ("", "import numpy"),
    "octavo's names after numpy": ("import numpy", "from octavo import Extractor"),
    "cv2": ("", "import cv2"),
}


def times_of(before, statement):
    """Of the wall and of the processor [millisecond]."""
    code = (
        f"{before}\nimport time\nw, p = time.perf_counter(), time.process_time()\n{statement}\n"
        "print(1000 * (time.perf_counter() - w), 1000 * (time.process_time() - p))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return [float(number) for number in told.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    samples = {name: [] for name in IMPORTS}
    for number in range(arguments.rounds + 1):  # the first round warms up
        for name, (before, statement) in IMPORTS.items():
            times = times_of(before, statement)
            if number > 0:
                samples[name].append(times)
    medians = {
        name: {
            kind: round(statistics.median(sample[i] for sample in of), 1)
            for i, kind in enumerate(("wall_ms", "cpu_ms"))
        }
        for name, of in samples.items()
    }
    text = json.dumps({**circumstances(), "rounds": arguments.rounds, "import": medians}, indent=1)
    if arguments.json:
        arguments.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
