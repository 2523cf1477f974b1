#!/usr/bin/env python3
"""Uses octavo.exe in Wine as people do, and compares what it gives with what this system's octavo gives.

    use_program.py WINE OCTAVO.EXE OCTAVO PHOTOGRAPHS

The same features, matches and images must come out, byte by byte, and wrong calls must fail as they do here. The folder of
PHOTOGRAPHS is that of Debian's opencv-doc.
"""

import json
import math
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAIRS = [
    ("graf1.png", "graf3.png"),
    ("box.png", "box_in_scene.png"),
    ("aloeL.jpg", "aloeR.jpg"),
    ("leuvenA.jpg", "leuvenB.jpg"),
]
TIME = 1_700_000_000
ODD = "Ünï 点 🦊 ^&!.png"  # a name of letters that no code page has


class Program:
    """octavo, in a folder of its own that holds the same images."""

    def __init__(self, words: list[str], folder: Path, photographs: Path) -> None:
        self.words, self.folder = words, folder
        (folder / "images").mkdir(parents=True)
        for name in {name for pair in PAIRS for name in pair}:
            shutil.copy(photographs / name, folder / "images" / name)
        shutil.copy(photographs / "graf1.png", folder / ODD)
        (folder / "cut.png").write_bytes((photographs / "graf1.png").read_bytes()[:5000])
        (folder / "pairs.txt").write_bytes(b"graf1.png graf3.png\r\nbox.png box_in_scene.png\r\n")
        (folder / "film.mp4").write_bytes(b"no film")
        for file in folder.rglob("*.*"):
            os.utime(file, (TIME, TIME))  # manifests tell it

    def run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*self.words, *words], cwd=self.folder, input=given, capture_output=True, check=False)

    def files(self) -> dict[str, bytes]:
        return {
            str(file.relative_to(self.folder)): file.read_bytes() for file in self.folder.rglob("*") if file.is_file()
        }


def check(condition: bool, what: str) -> None:
    print(("same: " if condition else "NOT THE SAME: ") + what, flush=True)
    if not condition:
        check.failed += 1


check.failed = 0


def untimed(printed: bytes) -> bytes:
    """What is printed without times, and with paths as they are written here."""
    return (
        re.sub(rb'"[a-z_]*seconds[a-z_]*":[-0-9.e+]+|[0-9.]+ m?s\b', b"", printed)
        .replace(rb"\\", b"/")
        .replace(b"\\", b"/")
    )


def near(ours: bytes, theirs: bytes) -> bool:
    """Whether two texts differ by nothing but numbers within 1e-12 of each other, since OpenCV's arithmetic is not
    prescribed."""
    number = re.compile(rb"-?[0-9]+\.[0-9]+(?:e[-+]?[0-9]+)?")
    if number.sub(b"#", ours) != number.sub(b"#", theirs):
        return False
    pairs = zip(number.findall(ours), number.findall(theirs), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-12) for a, b in pairs)


def compare(windows: Program, here: Program, *words: str, given: bytes = b"") -> None:
    """Both calls must end, print and write alike."""
    ours, theirs = (program.run(*words, given=given) for program in (here, windows))
    call = "octavo " + " ".join(words)
    check(theirs.returncode == ours.returncode, f"{call}: exit code {theirs.returncode}")
    is_same = near(untimed(ours.stdout), untimed(theirs.stdout))
    check(is_same, f"{call}: {len(ours.stdout)} bytes printed")
    if theirs.returncode != ours.returncode or not is_same:
        print(theirs.stderr.decode(errors="replace"), ours.stdout[:1000], theirs.stdout[:1000], sep="\n")


def compare_files(windows: Program, here: Program) -> None:
    ours, theirs = here.files(), windows.files()
    check(sorted(ours) == sorted(theirs), f"the names of {len(ours)} files")
    different = [name for name in ours if name in theirs and ours[name] != theirs[name]]
    for name in different[:2]:
        print(name, ours[name][:800], theirs[name][:800], sep="\n")
    check(not different, f"the bytes of {len(ours)} files, but for {different}")


def complains(windows: Program, code: int, part: str, *words: str) -> None:
    """The call must end with this exit code, and one line that says this."""
    ended = windows.run(*words)
    text = ended.stderr.decode(errors="replace")
    is_as_wanted = ended.returncode == code and part in text and text.count("\n") == 1
    check(is_as_wanted, f"octavo {' '.join(words)}: {code}: {text.strip()}")


def told(written: bytes) -> str:
    """What Wine's console has written, without the sequences by which it moves the cursor, and so without spaces."""
    return re.sub(rb"\x1b\[[?0-9;]*[A-Za-z]|\s", b"", written).decode(errors="replace")


def is_interrupted(windows: Program) -> None:
    """Ctrl-C on the keyboard of a console must end a job, by the exit code of Windows for it, of which Wine hands on the
    last byte."""
    began = time.monotonic()
    child, console = pty.fork()
    if child == 0:
        os.chdir(windows.folder)
        job = [
            "extract",
            "images",
            "--views",
            "many",
            "-o",
            "interrupted",
        ]  # commands that leave nothing have no handler
        os.execvp(windows.words[0], [*windows.words, *job])
    written, pressed = b"", False
    while time.monotonic() - began < 60:
        if select.select([console], [], [], 0.1)[0]:
            try:
                written += os.read(console, 65536)
            except OSError:  # it has ended
                break
        if not pressed and ("[" in told(written) or time.monotonic() - began > 10):
            pressed = True
            os.write(console, b"\x03")
    else:
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = told(written)[-80:]
    check(code == 0xC000013A & 0xFF and "octavo:interrupted" in text, f"Ctrl-C: {code}: {text}")


def main() -> int:
    wine, exe, octavo, photographs = sys.argv[1], *(str(Path(word).resolve()) for word in sys.argv[2:5])
    with tempfile.TemporaryDirectory() as folder:
        windows = Program([str(Path(wine).resolve()), exe], Path(folder) / "windows", Path(photographs))
        here = Program([octavo], Path(folder) / "here", Path(photographs))

        def both(*words: str, given: bytes = b"") -> None:
            compare(windows, here, *words, given=given)

        both("extract", "images", "-o", "text", "--json")
        both("extract", "images/*.png", "-o", "npz", "--format", "npz", "--draw")
        both("extract", ODD, "-o", "Füße", "--format", "json")
        both("extract", "-", "-o", "-", given=(here.folder / "images/box.png").read_bytes())
        both("describe", "images/graf1.png", "--keypoints", "npz/graf1.png.npz", "-o", "described.npz")
        both("match", "images", "--pairs", "pairs.txt", "-o", "matches.txt")
        for a, b in PAIRS:
            both("match", f"images/{a}", f"images/{b}", "--json")
            both("align", f"images/{a}", f"images/{b}", "-o", f"{Path(a).stem}.png", "--json")
        both("align", "images/graf1.png", ODD, "-o", "-")
        both("inspect", "images/box.png", "-o", "inspected")
        both("extract", "images", "-o", "text", "--skip-existing")
        compare_files(windows, here)

        tested = windows.run("selftest", "--json", "--device", "cpu")
        check(tested.returncode == 0, f"octavo selftest: {len(json.loads(tested.stdout))} digests as recorded")
        complains(windows, 1, "no such file", "match", "absent.png", ODD)
        complains(windows, 1, "truncated", "match", "cut.png", ODD)
        complains(windows, 1, "without", "extract", "film.mp4")
        complains(windows, 2, "--wrong", "extract", "images", "--wrong")
        complains(windows, 2, "mosaic", "mosaic", "images")
        is_interrupted(windows)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
