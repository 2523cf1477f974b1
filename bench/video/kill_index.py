#!/usr/bin/env python3
"""Kills `octavo video index` at random moments, and restarts it each time.

Cuts pieces from the clips, indexes them once in one go, and then again and again into new archives, while SIGKILL ends
the program at random moments. After every kill the catalogue must be whole, and have only clips whose signatures are
there. When a run comes to its end, the archive must have the digest of the one that was made in one go, and its folder
the same files. Needs ffmpeg.

usage: kill_index.py [--kills N] [--seed S] [--pieces N] [--jobs N] PROGRAM CLIP...
"""

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cut(clips, pieces, folder):
    """Pieces of a second each, from different places of the clips."""
    made = []
    for number in range(pieces):
        piece = folder / f"{number}.avi"
        command = ["ffmpeg", "-v", "error", "-ss", f"{number / 2}", "-t", "1", "-i", clips[number % len(clips)], "-an"]
        subprocess.run([*command, "-vf", "scale=320:-2", "-c:v", "mpeg4", "-q:v", "4", piece], check=True)
        made.append(piece)
    return made


def files_of(archive):
    """The names of the files below an archive, but those that SQLite makes while the catalogue is open."""
    names = {str(path.relative_to(archive)) for path in archive.rglob("*") if path.is_file()}
    return names - {"catalogue.sqlite-wal", "catalogue.sqlite-shm"}


def digest_of(program, archive):
    printed = subprocess.run([program, "video", "list", "--index", archive, "--json"], check=True, capture_output=True)
    return json.loads(printed.stdout)["digest"]


def check_catalogue(archive):
    """Returns the number of clips of an archive whose indexing was killed."""
    if not (archive / "catalogue.sqlite").exists():
        return 0
    catalogue = sqlite3.connect(archive / "catalogue.sqlite", timeout=60)
    try:
        assert catalogue.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert catalogue.execute("PRAGMA foreign_key_check").fetchall() == []
        if catalogue.execute("PRAGMA user_version").fetchone() == (0,):
            return 0  # it was killed before there were tables
        clips = catalogue.execute("SELECT segment, segment_size FROM clip").fetchall()
    finally:
        catalogue.close()
    for segment, size in clips:
        file = archive / "segments" / segment[:2] / f"{segment}.signature"
        assert file.stat().st_size == size, f"{file} is not whole"
    return len(clips)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pieces", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("program")
    parser.add_argument("clips", nargs="+")
    call = parser.parse_args()
    moments = random.Random(call.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pieces = cut(call.clips, call.pieces, folder)
        index = [call.program, "video", "index", *pieces, "--device", "cpu", "--jobs", str(call.jobs), "--index"]
        begin = time.monotonic()
        subprocess.run([*index, folder / "whole"], check=True, stdout=subprocess.DEVNULL)
        duration = time.monotonic() - begin
        expected = digest_of(call.program, folder / "whole"), files_of(folder / "whole")

        kills = archives = most_between = 0
        while kills < call.kills:
            archive = folder / f"archive{archives}"
            archives += 1
            before = 0
            while True:
                run = subprocess.Popen([*index, archive], stdout=subprocess.DEVNULL)
                # Half of the moments are early, so that an archive is killed many times.
                limit = duration * moments.choice([0.2, 1.0])
                try:
                    code = run.wait(moments.uniform(0, limit) if kills < call.kills else None)
                    assert code == 0, f"the program ended with {code}"
                    break
                except subprocess.TimeoutExpired:
                    run.send_signal(signal.SIGKILL)
                    run.wait()
                    kills += 1
                clips = check_catalogue(archive)
                assert clips >= before, "a finished clip was lost"
                most_between = max(most_between, clips - before)
                before = clips
            assert (digest_of(call.program, archive), files_of(archive)) == expected, archive
    print(
        f"{kills} kills in {archives} archives of {call.pieces} clips, at most {most_between} clips between two kills: "
        f"each archive has the digest {expected[0]} of the one made in one go, and no file more"
    )


if __name__ == "__main__":
    sys.exit(main())
