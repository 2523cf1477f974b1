"""When, where and how a record of these benchmarks was made."""

import datetime
import os
import platform
import subprocess
import sys
from pathlib import Path


def processor():
    names = [
        line.split(": ", 1)[1]
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def commit():
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return done.stdout.strip() or "unknown"


def circumstances():
    return {
        "date": datetime.date.today().isoformat(),
        "machine": processor(),
        "commit": commit(),
        "command": " ".join([f"bench/python/{Path(sys.argv[0]).name}", *sys.argv[1:]]),
    }
