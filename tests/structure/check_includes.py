"""Checks that the includes of a source tree point down, as docs/architecture.md describes.

src/CMakeLists.txt lists the folders in the order in which data walks through them. Each file of src/ belongs to its
folder, each public header to the folder whose octavo_library() names it among its HEADERS. A file may include its own
folder, public headers of the folders above its own in that list, and private headers of those that its own library
links, directly or not. Files of one device never include files of another. Command line, tests and benchmarks may
include what they link, the command line only public headers and json/json.h. One file alone includes each of the
libraries that take long to compile, CLI11 and nlohmann-json; benchmarks that do without the applications may too. No file
includes itself, directly or through others. An instruction set is chosen by device/cpu_isa.h alone, so that --isa
and the tests reach every choice.

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

# The private header that the command line may include.
HEADER_OF_COMMAND_LINE = PurePosixPath("src/json/json.h")

# The example of a folder of src/; tests/pipeline/test_added_detector.py puts it there, and checks it there.
EXAMPLE = PurePosixPath("docs/examples/peaks")

# The libraries that one file hides from the others, since they take long to compile.
HIDDEN = {"CLI/": PurePosixPath("cli/parse.cc"), "nlohmann/": PurePosixPath("src/json/json.cc")}

# Other ways to choose among the instruction sets of the CPU.
OTHER_DISPATCH = re.compile(r'\bHWY_DYNAMIC_\w+|__builtin_cpu_\w+|\btarget(?:_clones)?\("')

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
# A folder of src/CMakeLists.txt, or the layer (engine, apps) that the folders below belong to.
FOLDER_OR_LAYER = re.compile(r"^\s*(add_subdirectory|set)\((?:OCTAVO_LAYER )?(\w+)\)", re.MULTILINE)
LIBRARY = {"octavo_library", "target_link_libraries"}  # the commands that say what a folder's library links
COMMAND = re.compile(r"^\s*(\w+)\(([^)]*)\)", re.MULTILINE)
HEADER = re.compile(r"\b(\w+\.h)\b")
LINK = re.compile(r"\boctavo::(\w+)")
COMMENT = re.compile(r"#.*")


@dataclass(frozen=True)
class Include:
    line: int
    quoted: bool
    name: str


class Tree:
    """The files of a source tree, what each includes, and what each folder links."""

    def __init__(self, root):
        self.root = Path(root)
        self.folders, self._layers = self._folders_and_layers()
        self._home_of_public_header = {
            name: folder for folder in self.folders for name in self._public_headers(PurePosixPath("src") / folder)
        }
        self.files = sorted(
            PurePosixPath(path.relative_to(self.root).as_posix())
            for top in ("include", "src", "cli", "bench", "tests", "docs")
            for path in (self.root / top).rglob("*")
            if path.suffix in {".h", ".cc"} and self.root / EXAMPLE not in path.parents
        )
        self.includes = {file: self._includes(file) for file in self.files}
        self.other_dispatches = {
            file: OTHER_DISPATCH.findall((self.root / file).read_text())
            for file in self.files
            if file.parts[0] == "src"
        }
        self._links = {folder: self._links_of(PurePosixPath("src") / folder, LIBRARY) for folder in self.folders}

    def _cmake(self, folder):
        path = self.root / folder / "CMakeLists.txt"
        return COMMENT.sub("", path.read_text()) if path.exists() else ""

    def _folders_and_layers(self):
        """The folders in their order, and the folders of each umbrella: octavo is the engine, apps are the rest."""
        folders, layers, layer = [], {"octavo": set(), "apps": set()}, "octavo"
        for command, name in FOLDER_OR_LAYER.findall(self._cmake(PurePosixPath("src"))):
            if command == "set":
                layer = "octavo" if name == "engine" else name
            else:
                folders.append(name)
                layers[layer].add(name)
        return folders, layers

    def _public_headers(self, directory):
        """The headers that the folder's octavo_library() names."""
        calls = COMMAND.findall(self._cmake(directory))
        return {name for command, text in calls if command == "octavo_library" for name in HEADER.findall(text)}

    def _links_of(self, directory, commands=None):
        """The folders whose libraries the nearest CMakeLists.txt makes, or names in `commands`."""
        while not (self.root / directory / "CMakeLists.txt").exists() and directory != PurePosixPath("."):
            directory = directory.parent
        calls = COMMAND.findall(self._cmake(directory))
        names = {name for command, text in calls if not commands or command in commands for name in LINK.findall(text)}
        names |= {text.split()[0] for command, text in calls if command == "octavo_library"}
        for umbrella, folders in self._layers.items():
            if umbrella in names:
                names |= folders
        return names & set(self.folders)

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
        """The folder of src/ whose library a file belongs to; None for command line, tests and benchmarks."""
        if file.parts[0] == "src" and not is_test(file):
            return file.parts[1]
        if file.parts[:2] == ("include", "octavo"):
            return self._home_of_public_header.get(file.name)
        return None

    def linked(self, file):
        """The folders that a file may use by what its CMakeLists.txt links, and what those link in turn."""
        home = self.home(file)
        reached, waiting = set(), list(self._links_of(file.parent) if home is None else self._links[home])
        while waiting:
            folder = waiting.pop()
            if folder not in reached:
                reached.add(folder)
                waiting.extend(self._links[folder])
        return reached


def is_test(file):
    """Whether this file of src/ stands in a library's folder without being a part of the library."""
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
    if home is not None and tree.folders.index(home) < tree.folders.index(target_home):
        return f"it points up, from {home} to {target_home}"
    if home == "maths":
        return "maths includes only itself"
    if file.parts[0] == "cli" and target.parts[0] != "include" and target != HEADER_OF_COMMAND_LINE:
        return f"the command line uses the public headers and {HEADER_OF_COMMAND_LINE} only"
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
    if not tree.folders:
        return ["src/CMakeLists.txt: names no folder"]
    offences = []
    for file in tree.files:
        if file.parts[0] == "include" and tree.home(file) not in tree.folders:
            offences.append(f"{file}: no octavo_library() of src/ names it among its HEADERS")
            continue
        if file.parts[0] == "src" and file.parts[1] not in tree.folders:
            offences.append(f"{file}: its folder is not in src/CMakeLists.txt")
            continue
        for include in tree.includes[file]:
            reason = offence_of(tree, file, include)
            if reason:
                offences.append(f'{file}:{include.line}: "{include.name}": {reason}')
    for file, names in tree.other_dispatches.items():
        offences += [f"{file}: {name}: device/cpu_isa.h chooses the instruction set" for name in names]
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
