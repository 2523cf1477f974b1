"""Checks that binaries that are linked on Debian 12 need no symbol of the C and C++ libraries that is younger than the wheel
allows (glibc 2.34, GCC 11), but those of which python/wheel/old_*.c gives the older version. Without it only the making of a
wheel, which takes an hour, finds them.

usage: check_symbols.py ROOT BINARY...   prints one line per fault; exit code 1 if there is one, 77 on another system
"""

import platform
import re
import subprocess
import sys
from pathlib import Path

LINKED_WITH = "2.36"  # glibc of Debian 12; a younger one gives other symbols younger versions
ALLOWED = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13)}
NEEDED = re.compile(r"\*UND\*.*\((GLIBC|GLIBCXX|CXXABI)_([0-9.]+)\) +(\w+)$", re.MULTILINE)
GIVEN = re.compile(r"__wrap_(\w+)\(")


def given_in(root):
    return {name for file in (root / "python/wheel").glob("old_*.c") for name in GIVEN.findall(file.read_text())}


def younger_of(table, given):
    """The symbols of a table of objdump that are younger than allowed, with their versions."""
    return [
        f"{name} of {library}_{version}"
        for library, version, name in NEEDED.findall(table)
        if tuple(map(int, version.split("."))) > ALLOWED[library] and name not in given
    ]


def main():
    if platform.libc_ver() != ("glibc", LINKED_WITH):
        print(f"skipped: this is no Debian 12 (glibc {LINKED_WITH}), on which wheels are linked")
        return 77
    root, *binaries = map(Path, sys.argv[1:])
    given, faults = given_in(root), []
    for binary in binaries:
        table = subprocess.run(["objdump", "-T", binary], check=True, capture_output=True, text=True).stdout
        faults += [f"{binary.name} needs {symbol}, younger than a wheel allows" for symbol in younger_of(table, given)]
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
