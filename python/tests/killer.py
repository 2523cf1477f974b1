"""Kills processes of a cluster of Ray on this machine while they work."""

import os
import random
import signal
import threading
from pathlib import Path

SEED = os.environ.get("OCTAVO_KILLS_SEED", "0")  # another one kills at other moments


def children(of):
    """The processes that a process began, and those that these began, with their parents."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
    found = {of}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {child: parents[child] for child in found - {of}}


def named(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


class Killer(threading.Thread):
    """Kills up to four processes at random moments: descendants of this one whose names begin with one of `names`, but for
    their forks, which have their names: where one of these dies, the file that it reads is one that cannot be read."""

    def __init__(self, names, seed):
        super().__init__()
        self.kills, self.ends = 0, threading.Event()
        self._names, self._random = names, random.Random(f"{SEED} {seed}")

    def run(self):
        while not self.ends.wait(self._random.uniform(0, 0.3)) and self.kills < 4:
            at_work = [
                process
                for process, parent in children(os.getpid()).items()
                if named(process).startswith(self._names) and not named(parent).startswith(self._names)
            ]
            if at_work:
                os.kill(self._random.choice(sorted(at_work)), signal.SIGKILL)
                self.kills += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.join()
