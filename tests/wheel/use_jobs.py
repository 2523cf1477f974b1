"""Uses the jobs of the installed package as a program would, where there is nothing else, and prints one line about it.

Two photographs are aligned, joined as a mosaic and put into a database; frames of a clip are read, and the clip is found again.
The last word of the line is a digest of the image that octavo.align writes: that of use_program.py, the same on every system.

usage: use_jobs.py DATA      DATA is the folder of graf1.png, graf3.png and Megamind.avi, those of Debian's opencv-doc
"""

import hashlib
import sys
import tempfile
import time
from pathlib import Path

import octavo


def main():
    data = Path(sys.argv[1]).resolve()
    graf = [data / "graf1.png", data / "graf3.png"]
    began = time.perf_counter()
    octavo.read(graf[0])
    seconds = time.perf_counter() - began  # the first call imports octavo._jobs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        both = octavo.align(*graf, output=folder / "both.png")
        digest = hashlib.sha256((folder / "both.png").read_bytes()).hexdigest()[:16]
        again = octavo.align(octavo.read(graf[0]), octavo.read(graf[1]), draw=False)
        if not (again.homography.b_from_a == both.homography.b_from_a).all():
            sys.exit("use_jobs.py: arrays and files give two homographies")
        mosaic = octavo.mosaic(graf, draw=False)
        database = octavo.colmap(graf, folder / "database.db", max_features=500)
        features = octavo.jobs.extract(graf, folder / "features.h5", format="hloc", max_features=500)
        with octavo.video.frames(data / "Megamind.avi", fps=1) as frames:
            count = sum(1 for _ in frames)
        indexed = octavo.video.index(data / "Megamind.avi", folder / "archive")
        found = octavo.video.search(data / "Megamind.avi", folder / "archive").queries[0].found
        problems = database.problems + features.problems + indexed.problems + mosaic.problems
        if not mosaic.found or database.matches == 0 or count < 5 or len(found) != 1 or problems:
            sys.exit(f"use_jobs.py: {mosaic}, {database}, {count} frames, {found}, {problems}")
    print(
        f"jobs imported in {seconds:.2f} s, {both.homography.inlier_count} inliers, {database.matches} matches in a database, "
        f"{count} frames, found with the score {found[0].score:.0f}, digest {digest}"
    )


if __name__ == "__main__":
    main()
