"""Checks that docs/licences.md lists every library that the binaries need, that CMake looks for, and that the Python
package depends on; that the libraries it lists for a binary are needed by it; and that none is under the GPL alone.

A wheel needs what it holds, whichever of its libraries loads it. FFmpeg's libraries say themselves under which licence they were
built: none in a wheel may be under the GPL.

usage: check_licences.py ROOT [BINARY=FILE...]   BINARY is a word of the column "in", such as liboctavo; a FILE *.whl is a wheel; prints
                                                 one line per fault; exit code 1 if there is one
"""

import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

PAGE = "docs/licences.md"
ROW = re.compile(r"^\| (.+?) \| (.*?) ?\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
FOLDERS = "src", "cli", "python", "cmake"
# CMake's own, those of the tests, and Octavo's.
OTHERS = {
    "PkgConfig",
    "Python3",
    "GTest",
    "ZLIB",
    "octavo",
    "hwy/detect_targets.h",
    "hwy/ops/set_macros-inl.h",
    "opencv2/core/version.hpp",
}
FOUND = re.compile(r"^ *find_(package|path|library|file)\((.*)\)", re.MULTILINE)
GPL_IN_FFMPEG = re.compile(rb"\blib\w+ license: (?:nonfree|GPL)[^\0]*")
MODULES = re.compile(r"^ *pkg_check_modules\(\w+(?: [A-Z_]+)* (.*)\)", re.MULTILINE)


@dataclass(frozen=True)
class Library:
    """A row of the tables."""

    title: str
    names: tuple[str, ...]
    sought: tuple[str, ...]
    licence: str
    binaries: tuple[str, ...]
    may_be_absent: bool


def words_of(cell):
    return tuple(re.findall(r"`([^`]+)`", cell))


def libraries_of(page):
    rows = [row for row in ROW.findall(page) if row[0] not in ("library", "---")]
    return [
        Library(
            name,
            words_of(name),
            words_of(sought),
            licence,
            words_of(binaries) or (binaries,),
            "may be absent" in purpose,
        )
        for name, sought, licence, binaries, purpose in rows
    ]


def is_gpl_alone(licence):
    """Whether every choice that the licence gives is the GPL or AGPL without an exception."""
    return all(re.search(r"\bA?GPL-", choice) and " WITH " not in choice for choice in licence.split(" OR "))


def sought_in(cmake):
    """What a CMake file looks for."""
    sought = set()
    for kind, arguments in FOUND.findall(cmake):
        words = arguments.split()
        names = words[:1] if kind == "package" else words[1:2] if words[1] != "NAMES" else words[2:]
        sought |= {name for name in names if not name.isupper() or kind == "package"}
    for modules in MODULES.findall(cmake):
        sought |= {re.split("[<>=]", module)[0] for module in modules.split()}
    return {name for name in sought if "$" not in name} - OTHERS


def sought_by(root):
    files = [root / "CMakeLists.txt"]
    for folder in FOLDERS:
        files += [*root.glob(f"{folder}/**/CMakeLists.txt"), *root.glob(f"{folder}/**/*.cmake")]
    return set().union(*(sought_in(file.read_text()) for file in files))


def stem_of(soname):
    """The name without version: libtbb of libtbb.so.12, and of the libtbb-4d79fbbd.so.12.8 in a wheel."""
    return re.sub(r"(-[0-9a-f]{8}|-x86-64|-aarch64)?\.so.*", "", soname)


def needed_by(binary):
    lines = subprocess.run(
        ["readelf", "--dynamic", "--wide", binary], check=True, capture_output=True, text=True
    ).stdout
    return {stem_of(name) for name in re.findall(r"\(NEEDED\).*\[(.*)\]", lines)} - {"liboctavo"}


def held_by(wheel):
    """The libraries in the wheel, without Octavo's own, and the faults of what they say of themselves."""
    names, faults = set(), []
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if ".so" not in name or ".libs/" not in name:
                continue
            names.add(stem_of(name.rpartition("/")[2]))
            faults += [f"{name}: {one.decode()}" for one in GPL_IN_FFMPEG.findall(archive.read(name))]
    return names - {"liboctavo", "liboctavo_apps"}, faults


def faults_of_binary(libraries, name, needed):
    listed = [library for library in libraries if name in library.binaries]
    if not listed:
        return [f"{PAGE}: lists nothing in {name}"]
    always = [library for library in libraries if library.binaries == ("all",)]
    known = {word for library in listed + always for word in library.names}
    faults = [f"{PAGE}: lists no {word} in {name}" for word in sorted(needed - known)]
    # One of its names is enough: distributions give libhdf5 different ones.
    certain = [library.names for library in listed if library.names and not library.may_be_absent]
    return faults + [f"{PAGE}: {name} does not need {names[0]}" for names in certain if not needed.intersection(names)]


def faults_of_page(text, sought, dependencies):
    libraries = libraries_of(text)
    listed = {word for library in libraries for word in library.sought}
    faults = [f"{PAGE}: lists no {word}, which CMake looks for" for word in sorted(sought - listed)]
    faults += [f"{PAGE}: CMake does not look for {word}" for word in sorted(listed - sought)]
    faults += [
        f"{PAGE}: names no {word}, which the Python package needs" for word in dependencies if f"`{word}`" not in text
    ]
    faults += [f"{PAGE}: {one.licence}" for one in libraries if is_gpl_alone(one.licence)]
    return faults


def dependencies_of(pyproject):
    lists = re.findall(r"^(?:dependencies|ray) = \[(.*)\]$", pyproject, re.MULTILINE)
    return [name for names in lists for name in re.findall(r'"([\w-]+)', names)]


def opened_at_run_time(root):
    """The libraries that the sources name."""
    files = [file for file in root.glob("src/**/*.cc") if not file.name.endswith("_test.cc")]
    return {name for file in files for name in re.findall(r'"(lib\w+)\.so', file.read_text())}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    text = (root / PAGE).read_text()
    faults = faults_of_page(text, sought_by(root), dependencies_of((root / "pyproject.toml").read_text()))
    faults += [f"{PAGE}: names no {name}" for name in sorted(opened_at_run_time(root)) if f"`{name}`" not in text]
    for argument in sys.argv[2:]:
        name, _, binary = argument.partition("=")
        needed, of_itself = held_by(binary) if binary.endswith(".whl") else (needed_by(binary), [])
        faults += faults_of_binary(libraries_of(text), name, needed) + of_itself
    print("\n".join(faults) or "the licences of all libraries are listed")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
