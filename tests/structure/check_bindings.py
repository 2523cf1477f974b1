"""Checks that no lambda captures a structured binding by a capture default or by its name.

C++20 allows it, GCC does it, and Clang refuses it before version 16. Debian 12 has 14, by which `./dev fuzz` and
`./dev build --profile` build. `[name = name]` and `[&name = name]` are for every compiler.

usage: check_bindings.py ROOT     prints one line per capture; exit code 1 if there is one
"""

import re
import sys
from pathlib import Path

BINDING = re.compile(r"auto(?: const)?\s*&{0,2}\s*\[([\w\s,]+)\]\s*[=:{(]")
LAMBDA = re.compile(r"\[((?:[&=]|&?\w)[^\[\]]*)\]\s*(\([^{};]*?\))?\s*(?:mutable\s*)?(?:->[^{};]+)?\{")
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def end_of_block(text, begin):
    """Where the block ends that is open at `begin`."""
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth < 0:
            return place
    return len(text)


def end_of_binding(text, found):
    """Where the names of a binding end: with the block it stands in, or with the statement of its loop."""
    if found[0].endswith(":") or "for (" in text[text.rfind("\n", 0, found.start()) : found.start()]:
        opened = text.find("{", found.end())
        line = text.find(";\n", found.end())
        return line if opened < 0 or 0 <= line < opened else end_of_block(text, opened + 1)
    return end_of_block(text, found.end())


def captures_of(text):
    """The captured structured bindings of a file: lines and names."""
    text = NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    captures = []
    for binding in BINDING.finditer(text):
        names = re.findall(r"\w+", binding[1])
        end = end_of_binding(text, binding)
        for one in LAMBDA.finditer(text, binding.end(), end):
            body = text[one.end() : end_of_block(text, one.end())]
            own = f"{one[2] or ''} {' '.join(bound[1] for bound in BINDING.finditer(body))}"
            for name in names:
                is_made = re.search(rf"\b{name}\s*=", one[1]) or re.search(rf"\b{name}\b", own)
                if not is_made and re.search(rf"(?<![\w.>:]){name}\b", body):
                    captures.append((text.count("\n", 0, one.start()) + 1, name))
    return captures


def main(root):
    found = False
    for folder in ("include", "src", "cli", "bench", "python", "tests"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in {".h", ".cc", ".cu"}:
                continue
            for line, name in captures_of(file.read_text()):
                print(f"{file.relative_to(root)}:{line}: a lambda captures the structured binding {name}")
                found = True
    if not found:
        print("no lambda captures a structured binding, which Clang refuses before version 16")
    return int(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
