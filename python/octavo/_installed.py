"""The programs that are installed beside this Python."""

from __future__ import annotations

import os
import shutil
import sysconfig


def beside(program: str) -> str:
    """The path of a program among the scripts of this Python; empty: there is none."""
    return shutil.which(os.path.join(sysconfig.get_path("scripts"), program)) or ""


def decoder() -> str:
    """The program that decodes videos, unless the environment names another; empty: the library looks for it."""
    return "" if "OCTAVO_DECODER" in os.environ else beside("octavo-decode")
