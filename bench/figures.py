"""Which figures of the documentation are older than the code that they speak of.

usage: figures.py [ROOT]

A figure is a file of bench/results that a page names (tests/structure/check_docs.py finds those that none does). Its code is that of the rooms that words of its name stand for. A line
has the number of commits to this code since the file's commit (or its date, where it names no commit), the file and the
pages; the oldest stand first. Files without date, command or machine are listed behind.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOMS = {
    "foagdd": ["src/engine/foagdd"],
    "trilateral": ["src/engine/trilateral"],
    "match": ["src/engine/match"],
    "mosaic": ["src/multiview/mosaic"],
    "align": ["src/multiview/align", "src/multiview/refine"],
    "sfm": ["src/multiview/sfm", "src/multiview/colmap", "src/multiview/refine"],
    "colmap": ["src/multiview/colmap"],
    "pairs": ["src/multiview/pairs", "src/engine/retrieval"],
    "video": ["src/video"],
    "python": ["python"],
    "ray": ["python/octavo"],
    "twin": ["python/octavo/cv2"],
    "wheel": ["python/wheel"],
}
USUAL = ["src/engine/sift", "src/engine/scale_space"]


def git(root, *words):
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def commits_since(root, record, rooms):
    found = re.match(r"[0-9a-f]{7,40}", str(record.get("commit", "")))
    since = [f"{found[0]}..HEAD"] if found else [f"--since={record.get('date', '1970-01-01')}", "HEAD"]
    listed = git(root, "rev-list", *since, "--", *rooms)
    return None if listed is None else len(listed.split())


def main(root):
    pages = defaultdict(list)
    for page in [root / "README.md", *sorted((root / "docs").glob("**/*.md"))]:
        text = page.read_text()
        # "…-on-report.json" has the date of the file that is named before it.
        for name in sorted({file.name for file in (root / "bench/results").glob("*.json")}):
            if name in text or f"…{name[10:]}" in text:
                pages[name].append(page.relative_to(root).as_posix())
    ages, incomplete = [], []
    for file in sorted((root / "bench/results").glob("*.json")):
        record = json.loads(file.read_text())
        missing = [key for key in ("date", "command") if key not in record]
        missing += [] if {"machine", "device", "cpu"} & record.keys() else ["machine"]
        if missing:
            incomplete.append(f"{file.name}: {', '.join(missing)}")
        if file.name not in pages:
            continue
        rooms = [room for word, of_word in ROOMS.items() if word in file.name for room in of_word] or USUAL
        age = commits_since(root, record, rooms)
        ages.append((age if age is not None else 10**6, file.name))
    for age, name in sorted(ages, reverse=True):
        told = "commit unknown" if age == 10**6 else f"{age} commits"
        print(f"{told:>16}  {name}  {', '.join(pages[name])}")
    for one in incomplete:
        print(f"{'lacks':>16}  {one}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
