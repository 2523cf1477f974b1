"""Checks what a shared library exports: names of the namespace octavo and nothing else, with a version, and which
libraries it needs.

usage: exports.py LIBRARY SONAME VERSION NEEDED...   NEEDED are regular expressions of names; exit code 1 if one is wrong
"""

import re
import subprocess
import sys

OF_OCTAVO = re.compile(r"(typeinfo for |typeinfo name for |vtable for |)octavo::")


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def main(library, soname, version, *needed):
    faults, exported = [], 0
    for line in lines_of("nm", "-D", "-C", "--with-symbol-versions", "--defined-only", library):
        name = line.split(" ", 2)[2]
        if name == version or name == f"{version}@@{version}":
            continue  # the version itself
        exported += 1
        if not OF_OCTAVO.match(name):
            faults.append(f"exports {name}")
        elif not name.endswith(f"@@{version}"):
            faults.append(f"exports without the version {version}: {name}")
        elif re.match(r"octavo::N_[A-Z0-9_]+::", name):
            faults.append(f"exports the code of one instruction set: {name}")
    if exported == 0:
        faults.append("exports nothing")
    for line in lines_of("readelf", "--dynamic", "--wide", library):
        match = re.search(r"\(NEEDED\).*\[(.*)\]", line)
        if match and not any(re.fullmatch(pattern, match[1]) for pattern in needed):
            faults.append(f"needs {match[1]}")
        if (match := re.search(r"\(SONAME\).*\[(.*)\]", line)) and match[1] != soname:
            faults.append(f"has the soname {match[1]}, not {soname}")
    print("\n".join(f"{library} {fault}" for fault in faults) or f"{library} exports {exported} names of octavo")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
