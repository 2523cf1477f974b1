"""Writes a result with what it was measured on."""

import json
import platform
import subprocess
import sys
import time
from pathlib import Path


def record(file, result):
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    model = [
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    about = {
        "date": time.strftime("%Y-%m-%d"),
        "commit": commit.stdout.strip(),
        "command": " ".join(sys.argv),
        "device": f"{model[0] if model else platform.processor()}, {len(model)} threads",
    }
    Path(file).write_text(json.dumps(about | result, indent=1) + "\n")
