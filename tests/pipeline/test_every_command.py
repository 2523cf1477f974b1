"""Rules that hold for every command, by a table of calls (every_command.py)."""

import os
import shlex
import signal
import subprocess

import pytest

from every_command import CALLS, every, inputs, words_of  # noqa: F401


def by_shell(octavo, words, rest):
    """Runs a call with what a shell makes of its streams. Returns the exit code and the error stream."""
    command = f"{shlex.join([octavo.path, *words])} {rest}"
    done = subprocess.run(["bash", "-c", command], cwd=octavo.folder, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_standard_output_is_an_error(every, name):  # noqa: F811
    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    code, stderr = by_shell(every, words_of(name), ">&-")
    last = stderr.splitlines()[-1] if stderr else ""
    assert (code, last) == (1, "octavo: cannot write to the standard output: Bad file descriptor"), stderr


@pytest.mark.parametrize("name", CALLS)
def test_an_output_whose_reader_has_ended_ends_quietly(every, name):  # noqa: F811
    """As `| head` does. What goes to files is written all the same."""
    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = every.call(*words_of(name), stdout=pipe)
    told = (": no keypoints: ", " are copies of one photograph, ", "warning: ")
    complaints = [line for line in done.stderr.splitlines() if not any(words in line for words in told)]
    assert (done.returncode, complaints) == (-signal.SIGPIPE, []), done
    out = [path for path in every.folder.iterdir() if path.name.startswith("out")]
    assert bool(out) == ("OUT" in CALLS[name])
