"""Writes what the wheel tells of its parts, for the folder .dist-info: sboms/octavo.cdx.json, a bill of materials (CycloneDX, PEP 770)
with versions, licences and sources, and licenses/parts/, the notices of each part and the licences that they name.

The parts are what parts.txt lists, Debian's packages of the shared libraries that the programs load, and what is compiled in; or, of a
wheel with the engine alone for another machine, Debian's packages that are unpacked for it. The licences are those of
docs/licences.md; what that page does not list, or lists under the GPL alone, is an error.

usage: list_parts.py ROOT OUTPUT PARTS PROGRAMS   PARTS is the folder of build_parts.sh, PROGRAMS that of octavo, octavo-decode and
                                                  octavo-encode; their libraries are found by LD_LIBRARY_PATH
       list_parts.py ROOT OUTPUT UNPACKED         the engine alone; UNPACKED holds the packages, and their names, sources and
                                                  versions in the file `packages`
"""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/structure"))
from check_licences import PAGE, is_gpl_alone, libraries_of, stem_of  # noqa: E402

# What every system with glibc 2.34 has, so that no wheel holds it.
OF_THE_SYSTEM = {"glibc", "gcc-12", "zlib"}
# What the page calls the code that is compiled in, and Debian's package of it.
COMPILED_IN = {
    "CLI11": "libcli11-dev",
    "nlohmann-json": "nlohmann-json3-dev",
    "xxHash": "libxxhash-dev",
    "Mustache": "libkainjow-mustache-dev",
    "Chart.js": "libjs-chart.js",
    "OpenCL headers": "opencl-c-headers",
    "nv-codec-headers": "libffmpeg-nvenc-dev",
    "Eigen": "libeigen3-dev",
}
# What the engine is linked to or has compiled in, by the names of the page, and Debian's packages of it.
OF_THE_ENGINE = {"libtbb": "libtbb12", "libhwy": "libhwy1", "OpenCL headers": "opencl-c-headers"}
# Of photographs of these packages the vocabulary and the codes of features were learned (bench/retrieval/). None is in the wheel.
PHOTOGRAPHS = {
    "lomiri-wallpapers": ("20.04.0-2", "CC-BY-4.0 AND CC-BY-SA-4.0 AND CC0-1.0"),
    "plasma-workspace": ("4:5.27.5-2", "GPL-2.0-or-later"),
    "opencv": ("4.6.0+dfsg-12", "Apache-2.0"),
}
COMMON_LICENCES = ("Apache-2.0", "GPL-3", "LGPL-2.1", "LGPL-3", "MPL-2.0")


@dataclass
class Part:
    """A source package of Debian, or a package of PyPI, of which the wheel contains something."""

    name: str
    version: str
    licence: str
    notice: Path
    contained: set[str] = field(default_factory=set)
    """Names of libraries, or of what is compiled in."""
    kind: str = "deb/debian"

    @property
    def purl(self):
        return f"pkg:{self.kind}/{quote(self.name)}@{quote(self.version)}" + (
            "?arch=source" if self.kind == "deb/debian" else ""
        )

    @property
    def source(self):
        if self.kind == "pypi":
            return f"https://pypi.org/project/{self.name}/{self.version}/"
        return f"https://snapshot.debian.org/package/{self.name}/{self.version}/"

    def component(self):
        return {
            "type": "library",
            "bom-ref": self.purl,
            "name": self.name,
            "version": self.version,
            "licenses": [{"expression": self.licence}],
            "purl": self.purl,
            "externalReferences": [{"type": "source-distribution", "url": self.source}],
            "properties": [{"name": "octavo:contains", "value": one} for one in sorted(self.contained)],
        }


def output_of(*call):
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout


def debian_part(package, contained, licence):
    """The part of an installed package."""
    name, version = (
        output_of("dpkg-query", "-W", "-f=${source:Package} ${source:Version}\n", package).splitlines()[0].split()
    )
    notice = Path("/usr/share/doc") / package.partition(":")[0] / "copyright"
    return Part(name, version, licence, notice, {contained})


def package_of(library):
    """The installed package that holds a file, which dpkg may know by its place before /usr was merged."""
    for path in (library, library.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(": ")[0]
    sys.exit(f"list_parts.py: no package of Debian holds {library}")


def loaded_by(programs):
    """The paths of the shared libraries that the programs load."""
    words = re.findall(r"=> (/\S+) \(", output_of("ldd", *programs))
    return {str(Path(word).resolve()) for word in words}


def parts_of(licences, parts, programs):
    """All parts, without those of the system."""
    found = []
    for line in (HERE / "parts.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, version, library = line.split()
            found.append(Part(name, version, licences[library], parts / "notices" / name, {library}))
    own = (str(programs.parents[1]), str(parts))
    for library in sorted(loaded_by([programs / name for name in ("octavo", "octavo-decode", "octavo-encode")])):
        if not library.startswith(own):
            stem = stem_of(Path(library).name)
            found.append(debian_part(package_of(library), stem, licences.get(stem)))
    found += [debian_part(package, name, licences[name]) for name, package in COMPILED_IN.items()]
    return [part for part in found if part.name not in OF_THE_SYSTEM]


def parts_of_engine(licences, unpacked):
    """The parts of an engine that is linked to unpacked packages."""
    sources = dict(line.split(maxsplit=1) for line in (unpacked / "packages").read_text().splitlines())
    notices = unpacked / "usr/share/doc"
    return [
        Part(*sources[package].split(), licences[name], notices / package / "copyright", {name})
        for name, package in OF_THE_ENGINE.items()
    ]


def part_nanobind(licences):
    nanobind = metadata.distribution("nanobind")
    texts = [file.locate() for file in nanobind.files if Path(file).name.startswith("LICENSE")]
    return Part("nanobind", nanobind.version, licences["nanobind"], Path(texts[0]), {"nanobind"}, kind="pypi")


def joined(parts):
    """One part for each package and licence, in the order of their names."""
    by_key = {}
    for part in parts:
        by_key.setdefault((part.name, part.licence or ""), part).contained.update(part.contained)
    return [by_key[key] for key in sorted(by_key)]


def photographs():
    """What was learned of photographs, and of which."""
    ancestors = []
    for name, (version, licence) in PHOTOGRAPHS.items():
        part = Part(name, version, licence, Path())
        ancestors.append(part.component() | {"type": "data"})
        ancestors[-1].pop("properties")
    return {
        "type": "data",
        "bom-ref": "vocabulary",
        "name": "vocabulary and codes of features",
        "licenses": [{"expression": "Apache-2.0"}],
        "pedigree": {"ancestors": ancestors},
    }


def bill(version, parts):
    own = f"pkg:pypi/octavo@{version}"
    components = [part.component() for part in parts] + [photographs()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": "octavo",
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
                "purl": own,
            }
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [one["bom-ref"] for one in components]}],
    }


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    root, output, *folders = (Path(word).resolve() for word in sys.argv[1:])
    rows = libraries_of((root / PAGE).read_text())
    licences = {name: row.licence for row in rows for name in row.names}
    licences |= {row.title: row.licence for row in rows}
    found = parts_of_engine(licences, *folders) if len(folders) == 1 else parts_of(licences, *folders)
    parts = joined([*found, part_nanobind(licences)])
    faults = [f"list_parts.py: {PAGE} lists no {name}" for part in parts if not part.licence for name in part.contained]
    faults += [
        f"list_parts.py: {part.name} is {part.licence}" for part in parts if part.licence and is_gpl_alone(part.licence)
    ]
    if faults:
        sys.exit("\n".join(faults))
    version = re.search(r"^project\(octavo VERSION ([0-9.]*)", (root / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    shutil.rmtree(output, ignore_errors=True)
    (output / "sboms").mkdir(parents=True)
    (output / "sboms/octavo.cdx.json").write_text(json.dumps(bill(version, parts), indent=1) + "\n")
    texts = output / "licenses/parts"
    texts.mkdir(parents=True)
    for part in parts:
        shutil.copyfile(part.notice, texts / f"{part.name}.txt")
    for name in COMMON_LICENCES:
        if any(name in part.licence for part in parts):  # LGPL-3 is an addition to GPL-3
            shutil.copyfile(Path("/usr/share/common-licenses") / name, texts / name)


if __name__ == "__main__":
    main()
