"""Checks that the includes of a source tree point down, as docs/architecture.md describes.

src/CMakeLists.txt lists the wings, and says which others each of them uses. The CMakeLists.txt of a wing lists its rooms in
the order in which data walks through them; a wing without rooms is a room itself. Each file of src/ belongs to its room, each
public header to the room whose octavo_library() names it among its HEADERS. A file may include its own room, public headers of
the rooms above its own in that list and of the wings that its wing uses, and private headers of those that its own library
links, directly or not. Files of one device never include files of another. Command line, tests and benchmarks may include what
they link, the command line no private headers of the engine. One file alone includes each of the libraries that take long to
compile, CLI11 and nlohmann-json; benchmarks that do without the other wings may too. No file includes itself, directly or
through others. An instruction set is chosen by device/cpu_isa.h alone, so that --isa and the tests reach every choice. What makes
results solves its equations by Eigen.

usage: check_includes.py ROOT        prints one line per offence; exit code 1 if there is one
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# A file whose name ends in one of these words is for that device only. Other files may use them all.
DEVICES = {"reference", "cpu", "gpu", "cuda", "opencl"}

# The public header that programs compile with a library of their own: the others include none.
HEADER_FOR = {"opencv.h": "opencv2/"}

# The private header of the engine that the command line may include.
HEADER_OF_COMMAND_LINE = PurePosixPath("src/engine/core/stopwatch.h")

# The example of a room; tests/pipeline/test_added_detector.py puts it there, and checks it there.
EXAMPLE = PurePosixPath("docs/examples/peaks")

# The libraries that one file hides from the others, since they take long to compile.
HIDDEN = {
    "CLI/": PurePosixPath("cli/parse.cc"),
    "nlohmann/": PurePosixPath("src/io/json/json.cc"),
    "httplib": PurePosixPath("src/io/http/local_server.cc"),
}

# What no file of these folders may call, and why.
FORBIDDEN = [
    # Other ways to choose among the instruction sets of the CPU.
    (
        re.compile(r'\bHWY_DYNAMIC_\w+|__builtin_cpu_\w+|\btarget(?:_clones)?\("'),
        ("src/",),
        "device/cpu_isa.h chooses the instruction set",
    ),
    # OpenCV may have LAPACK and BLAS, whose sums depend on the library that is installed and on its threads.
    (
        re.compile(r"\bcv::(?:solve|invert|gemm|mulTransposed|PCA)\b"),
        ("src/io/", "src/multiview/", "src/video/"),
        "results would depend on the LAPACK that OpenCV has; Eigen's do not",
    ),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
WING = re.compile(r"^\s*octavo_wing\((\w+)(?:\s+USES\s+([\w\s]+))?\)", re.MULTILINE)
ROOM = re.compile(r"^\s*add_subdirectory\((\w+)\)", re.MULTILINE)
LIBRARY = {"octavo_library", "target_link_libraries"}  # the commands that say what a room's library links
COMMAND = re.compile(r"^\s*(\w+)\(([^)]*)\)", re.MULTILINE)
HEADER = re.compile(r"([\w/]+\.h)\b")
LINK = re.compile(r"\boctavo::(\w+)")
COMMENT = re.compile(r"#.*")


@dataclass(frozen=True)
class Include:
    line: int
    quoted: bool
    name: str


class Tree:
    """The files of a source tree, what each includes, and what each room links."""

    def __init__(self, root):
        self.root = Path(root)
        cmake = self._cmake(PurePosixPath("src"))
        self.uses = {wing: set(names.split()) for wing, names in WING.findall(cmake)}
        self.folders = {room: folder for wing in self.uses for room, folder in self._rooms(wing)}
        self.rooms = list(self.folders)
        self._home_of_public_header = {
            name: room for room, folder in self.folders.items() for name in self._public_headers(folder)
        }
        self.files = sorted(
            PurePosixPath(path.relative_to(self.root).as_posix())
            for top in ("include", "src", "cli", "bench", "tests", "docs")
            for path in (self.root / top).rglob("*")
            if path.suffix in {".h", ".cc"} and self.root / EXAMPLE not in path.parents
        )
        self.includes = {file: self._includes(file) for file in self.files}
        self.forbidden = [
            (file, call, reason)
            for file in self.files
            for pattern, folders, reason in FORBIDDEN
            if file.as_posix().startswith(folders)
            for call in pattern.findall((self.root / file).read_text())
        ]
        self._links = {room: self._links_of(folder, LIBRARY) for room, folder in self.folders.items()}

    def _cmake(self, folder):
        path = self.root / folder / "CMakeLists.txt"
        return COMMENT.sub("", path.read_text()) if path.exists() else ""

    def _rooms(self, wing):
        folder = PurePosixPath("src") / wing
        return [(room, folder / room) for room in ROOM.findall(self._cmake(folder))] or [(wing, folder)]

    def wing(self, room):
        return self.folders[room].parts[1]

    def may_use(self, room, other):
        """Whether data walks from the room `other` to `room`."""
        if self.wing(room) == self.wing(other):
            return self.rooms.index(other) <= self.rooms.index(room)
        return self.wing(other) in self.uses[self.wing(room)]

    def _public_headers(self, directory):
        """The headers that the room's octavo_library() names."""
        calls = COMMAND.findall(self._cmake(directory))
        return {name for command, text in calls if command == "octavo_library" for name in HEADER.findall(text)}

    def _links_of(self, directory, commands=None):
        """The rooms whose libraries the nearest CMakeLists.txt makes, or names in `commands`. A wing is all of its rooms, and
        those of the wings that it uses."""
        while not (self.root / directory / "CMakeLists.txt").exists() and directory != PurePosixPath("."):
            directory = directory.parent
        calls = COMMAND.findall(self._cmake(directory))
        names = {name for command, text in calls if not commands or command in commands for name in LINK.findall(text)}
        names |= {text.split()[0] for command, text in calls if command == "octavo_library"}
        wings = {"engine" if name == "octavo" else name for name in names} & set(self.uses)
        wings |= {used for wing in wings for used in self.uses[wing]}
        return names & set(self.rooms) | {room for room in self.rooms if self.wing(room) in wings}

    def _includes(self, file):
        text = (self.root / file).read_text()
        return [
            Include(text.count("\n", 0, match.start(1)) + 1, match[1] == '"', match[2])
            for match in INCLUDE.finditer(text)
        ]

    def resolve(self, file, include):
        """The file of this tree that an include names, or None."""
        for base in (
            PurePosixPath("src"),
            PurePosixPath("include"),
            PurePosixPath("."),
            PurePosixPath("tests"),
            file.parent,
        ):
            candidate = base / include.name
            if (self.root / candidate).is_file():
                return candidate
        return None

    def home(self, file):
        """The room that a file belongs to; None for command line, tests and benchmarks."""
        if file.parts[0] == "src" and not is_test(file):
            return next((room for room, folder in self.folders.items() if folder in file.parents), None)
        if file.parts[:2] == ("include", "octavo"):
            return self._home_of_public_header.get(file.relative_to("include/octavo").as_posix())
        return None

    def linked(self, file):
        """The rooms that a file may use by what its CMakeLists.txt links, and what those link in turn."""
        home = self.home(file)
        reached, waiting = set(), list(self._links_of(file.parent) if home is None else self._links[home])
        while waiting:
            room = waiting.pop()
            if room not in reached:
                reached.add(room)
                waiting.extend(self._links[room])
        return reached


def is_test(file):
    """Whether this file of src/ stands in a room without being a part of its library."""
    return file.stem.endswith("_test")


def device_of(file):
    ending = file.stem.rpartition("_")[2]
    return ending if ending in DEVICES else None


def offence_of(tree, file, include):
    """Why this include is wrong, or None."""
    public = file.parts[0] == "include"
    for library, only in HIDDEN.items():
        if include.name.startswith(library) and file != only and file.parts[0] != "bench":
            return f"only {only} includes it"
    if not include.quoted:
        own_library = include.name.startswith(HEADER_FOR.get(file.name, "/"))
        if public and not own_library and not re.fullmatch(r"[a-z_]+", include.name):
            return "a public header includes the standard library and public headers only"
        return None
    target = tree.resolve(file, include)
    if include.name.rpartition("/")[2] in HEADER_FOR and file.parts[0] in {"include", "src"} and not is_test(file):
        return "only programs include a header for their own library"
    if ".." in include.name:
        return "it climbs; name it from src/"
    if target is None:
        return "there is no such file"
    if public and target.parts[0] != "include":
        return "a public header includes public headers only"

    home, target_home = tree.home(file), tree.home(target)
    if target_home is None:
        beside = home is None and file.parts[0] == target.parts[0]
        shares_a_test = file.parts[0] == "docs" and is_test(file) and target.parts[0] == "tests"
        return None if beside or shares_a_test else "nothing includes this from outside"
    if home == target_home:
        mine, theirs = device_of(file), device_of(target)
        implements = theirs == "gpu" and mine in {"cuda", "opencl"}  # the interface of a GPU and its drivers
        if mine and theirs and mine != theirs and not implements:
            return f"it goes sideways, from the device {mine} to {theirs}"
        return None
    if home is not None and not tree.may_use(home, target_home):
        return f"it does not point down, from {home} to {target_home}"
    if home == "maths":
        return "maths includes only itself"
    if file.parts[0] == "cli" and target.parts[:2] == ("src", "engine") and target != HEADER_OF_COMMAND_LINE:
        return f"the command line uses the public headers of the engine and {HEADER_OF_COMMAND_LINE} only"
    types_only = home is not None and target.parts[0] == "include"  # the linker checks the rest
    if not types_only and target_home not in tree.linked(file):
        return f"its CMakeLists.txt does not link octavo::{target_home}"
    return None


def cycles(tree):
    """Every include cycle, as the list of its files, each found once."""
    state, path, found = {}, [], []

    def visit(file):
        state[file] = "open"
        path.append(file)
        for include in tree.includes.get(file, []):
            target = tree.resolve(file, include) if include.quoted else None
            if target is None:
                continue
            if state.get(target) == "open":
                found.append(path[path.index(target) :] + [target])
            elif target not in state:
                visit(target)
        path.pop()
        state[file] = "done"

    for file in tree.files:
        if file not in state:
            visit(file)
    return found


def check(root):
    """One sentence per offence in the tree at `root`."""
    tree = Tree(root)
    if not tree.rooms:
        return ["src/CMakeLists.txt: names no wing"]
    offences = []
    for file in tree.files:
        if file.parts[0] == "include" and tree.home(file) is None:
            offences.append(f"{file}: no octavo_library() of src/ names it among its HEADERS")
            continue
        if file.parts[0] == "src" and not any(folder in file.parents for folder in tree.folders.values()):
            offences.append(f"{file}: it is in no room that a CMakeLists.txt names")
            continue
        for include in tree.includes[file]:
            reason = offence_of(tree, file, include)
            if reason:
                offences.append(f'{file}:{include.line}: "{include.name}": {reason}')
    offences += [f"{file}: {call}: {reason}" for file, call, reason in tree.forbidden]
    offences += ["cycle: " + " -> ".join(map(str, cycle)) for cycle in cycles(tree)]
    return offences


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    offences = check(sys.argv[1])
    print("\n".join(offences) or "every include points down")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
