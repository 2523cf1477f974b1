"""Calls of the program `octavo`, whose commands do what the wheel does not hold: files of images, databases, videos.

The program ends with the process that called it, also where that is killed: otherwise a job that is done again would run
twice at a time. Linux does this by the signal PR_SET_PDEATHSIG, which a small Python process asks for before it becomes the
program. A function that runs between fork and exec would be wrong in a process with threads, as those of Ray are.
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from typing import Any

from ._octavo import version
from .errors import FileError, InvalidArgument

# Its arguments: the parent's number, and the call. The parent may be gone before the signal is set.
_LAUNCHER = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class ProgramEnded(Exception):
    """The program was ended by a signal, and did not finish its work."""


@dataclass(frozen=True)
class Finished:
    """A call that has finished."""

    succeeded: bool
    """The exit code is 0. Otherwise it is 1: something failed."""
    output: str
    sentences: list[str]
    """What it says of errors, a sentence each."""


def flags_of(options: dict[str, Any]) -> list[str]:
    """Options as the command line takes them. True is a flag alone; False and None are left out."""
    flags: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        flags.append("--" + name.replace("_", "-"))
        if value is not True:
            flags.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return flags


@functools.cache
def find_program(named: str | None) -> str:
    """The path of the program on this machine: `named`, or that beside Python, or that on PATH.

    Raises FileError if there is none, or if it is of another version than this package, whose bytes might differ.
    """
    beside = os.path.join(sysconfig.get_path("scripts"), "octavo")
    program = shutil.which(named) if named else shutil.which(beside) or shutil.which("octavo")
    if program is None:
        place = f"'{named}' is no program" if named else "there is no program octavo beside Python or on PATH"
        raise FileError(f"cannot run octavo on {socket.gethostname()}: {place}; ./dev install PREFIX installs it")
    program = os.path.abspath(program)
    asked = subprocess.run([program, "--version"], capture_output=True, text=True)
    _require_end(asked.returncode)
    told = asked.stdout.partition("\n")[0]
    if told != f"octavo {version}":
        raise FileError(
            f"cannot use '{program}' on {socket.gethostname()}: it is {told!r}, but this package is 'octavo {version}'"
        )
    return program


def run_program(named: str | None, arguments: list[str], folder: str) -> Finished:
    """Runs the program in the folder, in which relative paths are meant.

    Raises InvalidArgument where the call is wrong, FileError where it cannot be made, and ProgramEnded.
    """
    program = find_program(named)
    if not os.path.isdir(folder):
        raise FileError(
            f"cannot run octavo in '{folder}': {socket.gethostname()} has no such folder; all machines need the same one"
        )
    launched = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), program, *arguments]
    done = subprocess.run(
        launched, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", cwd=folder
    )
    sentences = [line.removeprefix("octavo: ") for line in done.stderr.splitlines() if line]
    if done.returncode == 2:
        raise InvalidArgument("\n".join(sentences))
    _require_end(done.returncode)
    return Finished(done.returncode == 0, done.stdout, sentences)


def _require_end(code: int) -> None:
    """Raises ProgramEnded unless the program ended by itself: it catches some signals, and then adds 128."""
    number = -code if code < 0 else code - 128
    if number > 0:
        raise ProgramEnded(f"octavo was ended by {signal.Signals(number).name}")
