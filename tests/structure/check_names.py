"""Checks that files of a folder have no names of unnamed namespaces in common, and that no two types have one name.

The build compiles files of a folder together (cmake/OctavoTargets.cmake). Then a function of one file's unnamed namespace
is an overload of a function of another's, and a call may choose it in silence. A second constant or type of the same name
is an error of the compiler only if both files come together, which changes with every new file. Two types of one name in one namespace break C++'s rule of one definition: no compiler sees
both, and the linker takes the constructors and vectors of one for those of the other, so that a program crashes.

usage: check_names.py ROOT        prints one line per name; exit code 1 if there is one
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.DOTALL | re.MULTILINE)
# What stands at the begin of a line: a function, a constant or a variable, or a type.
NOT_A_NAME = r"(?!return|using|namespace|template|static_assert|friend|case|class|struct|enum)"
FUNCTION_OR_VALUE = re.compile(rf"^(?:\[\[\w+\]\] )?{NOT_A_NAME}[A-Za-z][\w:<>,*& ]*?[\s*&](\w+)(?:\(|;| =|\{{|\[)")
TYPE = re.compile(r"^(?:class|struct|enum class|enum) (\w+)")
NAMESPACE = re.compile(r"^(?:inline )?namespace (?:OCTAVO_\w+ )?([\w:]*) ?\{", re.MULTILINE)
END_OF_NAMESPACE = re.compile(r"^\}  // namespace", re.MULTILINE)
DEFINITION = re.compile(
    r"^(?:class|struct|enum class|enum) (?:OCTAVO_\w+ )?(\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE
)
# Files that cmake compiles alone.
ALONE = re.compile(r'HWY_TARGET_INCLUDE|_maths\.h"')


def names_of(text):
    """The names in the unnamed namespaces of a file."""
    names = set()
    for space in UNNAMED.finditer(text):
        for line in space[1].splitlines():
            found = FUNCTION_OR_VALUE.match(line) or TYPE.match(line)
            if found:
                names.add(found[1])
    return names


def common_names(folder):
    """The names that several files of a library have, and the files of each."""
    files = defaultdict(list)
    for file in sorted(folder.glob("*.cc")):
        text = file.read_text()
        if not file.stem.endswith("_test") and not ALONE.search(text):
            for name in names_of(text):
                files[name].append(file.name)
    return {name: those for name, those in sorted(files.items()) if len(those) > 1}


def types_of(text):
    """The types that a file defines outside of unnamed namespaces, with their namespaces."""
    marks = [
        (found.start(), kind, found)
        for kind in (NAMESPACE, END_OF_NAMESPACE, DEFINITION)
        for found in kind.finditer(text)
    ]
    spaces, types = [], set()
    for _, kind, found in sorted(marks, key=lambda mark: mark[0]):
        if kind is NAMESPACE:
            spaces.append(found[1])
        elif kind is END_OF_NAMESPACE:
            spaces.pop()
        elif "" not in spaces:
            types.add("::".join([*spaces, found[1]]))
    return types


def common_types(root):
    """The types that several files of a source tree define, and the files of each."""
    files = defaultdict(list)
    for folder in ("include", "src", "cli"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in {".h", ".cc"} and not file.stem.endswith("_test"):
                for name in types_of(file.read_text()):
                    files[name].append(str(file.relative_to(root)))
    return {name: those for name, those in sorted(files.items()) if len(those) > 1}


def main(root):
    found = [
        f"{folder.relative_to(root)}: {name} is in {', '.join(files)}"
        for folder in sorted((Path(root) / "src").rglob("*"))
        if (folder / "CMakeLists.txt").exists()
        for name, files in common_names(folder).items()
    ]
    found += [f"the type {name} is in {', '.join(files)}" for name, files in common_types(Path(root)).items()]
    print("\n".join(found) or "every name of an unnamed namespace is in one file of its folder, every type in one file")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
