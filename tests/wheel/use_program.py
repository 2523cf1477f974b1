"""Uses the program of the installed package as a user would, where there is nothing else, and prints one line about it.

The command is the one that pip put beside Python; then a copy of the package's files, in another folder, is started itself. Two
photographs are aligned, and a clip is decoded, drawn, encoded and found again. The last word of the line is a digest of the image that
`octavo align` writes: the same on every system.

usage: use_program.py DATA      DATA is the folder of graf1.png, graf3.png and Megamind.avi, those of Debian's opencv-doc
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"use_program.py: {program} {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def aligned(program, data, folder):
    """The number of inliers of two photographs, and a digest of the drawing of both."""
    told = run(program, "align", data / "graf1.png", data / "graf3.png", "-o", folder / "both.png", "--json")
    return json.loads(told)["inlier_count"], hashlib.sha256((folder / "both.png").read_bytes()).hexdigest()[:16]


def found(program, data, folder):
    """[second] The length of a clip that is found, after it was drawn on and encoded anew."""
    (folder / "clips").mkdir(exist_ok=True)
    shutil.copy(data / "Megamind.avi", folder / "clips")
    run(program, "video", "keypoints", data / "Megamind.avi", "-o", folder / "drawn.mp4", "--max-features", "100")
    run(program, "video", "index", folder / "clips", "--index", folder / "archive")
    told = json.loads(run(program, "video", "search", folder / "drawn.mp4", "--index", folder / "archive", "--json"))
    segments = [one for clip in told["found_clips"] for one in clip["segments"]]
    if not segments:
        sys.exit("use_program.py: the clip is not found")
    return max(one["out_query"] - one["in_query"] for one in segments)


def main():
    data = Path(sys.argv[1]).resolve()
    command = Path(sysconfig.get_path("scripts")) / "octavo"
    told = run(command, "--version").split("\n")[0]
    if told != f"octavo {metadata.version('octavo')}":
        sys.exit(f"use_program.py: {command} is {told}")
    packages = Path(metadata.distribution("octavo").locate_file(""))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = aligned(command, data, folder), found(command, data, folder)
        for part in ("octavo", "octavo.libs"):
            shutil.copytree(packages / part, folder / "unpacked" / part)
        os.chdir(folder)
        alone = Path("unpacked/octavo/bin/octavo")
        if (aligned(alone, data, folder), found(alone, data, folder)) != results:
            sys.exit("use_program.py: the files alone do not give what the command gives")
    (inliers, digest), seconds = results
    print(f"{told}: {inliers} inliers, {seconds:.2f} s found in a clip, digest {digest}")


if __name__ == "__main__":
    main()
