"""Compiles a file, quickly, unless a finished build has its object already: made by the same command, of files with the
same bytes.

usage: take_object.py SOURCE FINISHED_SOURCE FINISHED_BUILD COMPILER ARGUMENT...

CMake's launcher of a compiler, in a build of SOURCE as the folder octavo/ of another project. Builds are those of Ninja.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = "octavo"


class Counterparts:
    """The names of files of this build and of the finished one."""

    def __init__(self, source, finished_source, finished_build):
        self.pairs = [(f"{Path.cwd()}/{FOLDER}", finished_build), (source, finished_source)]

    def finished(self, argument):
        for here, there in self.pairs:
            argument = argument.replace(here, there)
        return argument.removeprefix(f"{FOLDER}/")

    def here(self, name):
        for here, there in self.pairs:
            if name.startswith(f"{there}/"):
                return here + name.removeprefix(there)
        return name


def without_dependencies(command):
    """The command, without -MD -MT NAME -MF NAME, which a database of commands has not."""
    words = iter(command)
    kept = []
    for word in words:
        if word in ("-MT", "-MF"):
            next(words)
        elif word != "-MD":
            kept.append(word)
    return kept


def command_of(finished_build, made):
    commands = json.loads((finished_build / "compile_commands.json").read_text())
    return next((shlex.split(one["command"]) for one in commands if f" -o {made} " in one["command"]), None)


def inputs_of(finished_build, made):
    """What the object was made of, if none of it is newer."""
    listed = subprocess.run(["ninja", "-C", finished_build, "-t", "deps", made], capture_output=True, text=True).stdout
    head, *names = [line.strip() for line in listed.splitlines() if line and not line.startswith("ninja: ")] or [""]
    if not head.endswith("(VALID)"):
        return []
    inputs = [os.path.join(finished_build, name) for name in names]
    made_at = (finished_build / made).stat().st_mtime_ns
    return inputs if all(os.path.exists(name) and os.stat(name).st_mtime_ns <= made_at for name in inputs) else []


def is_alike(there, counterparts):
    """Whether the input of the finished build and that of this one are the same, but for the names of folders."""
    there = there.removesuffix(".gch")  # a precompiled header is as its text, which includes the system's files alone
    here = counterparts.here(there)
    if there == here:
        return True
    if not os.path.exists(here):
        return False
    one, other = Path(there).read_bytes(), Path(here).read_bytes()
    return one == other or one == counterparts.finished(other.decode()).encode()


def take(command, counterparts, finished_build):
    """Whether the object and its list of dependencies could be taken."""
    if "-o" not in command or "-MF" not in command or not (finished_build / "compile_commands.json").exists():
        return False
    target, list_of_inputs = (command[command.index(flag) + 1] for flag in ("-o", "-MF"))
    made = counterparts.finished(target)
    if without_dependencies([counterparts.finished(word) for word in command]) != command_of(finished_build, made):
        return False
    inputs = inputs_of(finished_build, made)
    if not inputs or not all(is_alike(name, counterparts) for name in inputs):
        return False
    shutil.copyfile(finished_build / made, target)
    Path(list_of_inputs).write_text(f"{target}: " + " ".join(counterparts.here(name) for name in inputs) + "\n")
    return True


def main():
    source, finished_source, finished_build, *command = sys.argv[1:]
    if not take(command, Counterparts(source, finished_source, finished_build), Path(finished_build)):
        os.execvp(command[0], command if "-O0" in command else [*command, "-O1"])  # time is short here


main()
