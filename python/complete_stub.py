"""Writes a stub of nanobind again with the element types that nanobind does not know, so that it passes `mypy --strict`.

usage: complete_stub.py STUB OUTPUT
"""

import re
import sys
from pathlib import Path

ELEMENTS = {
    "dict": "dict[str, Any]",
    "list": "list[Any]",
    "tuple": "tuple[Any, ...]",
    "NDArray": "NDArray[Any]",
    "PathLike": "PathLike[str]",
}


def completed(stub):
    bare = rf"\b({'|'.join(ELEMENTS)})\b(?!\[)"
    lines = []
    for line in stub.replace("\nfrom ", "\nfrom typing import Any\nfrom ", 1).splitlines():
        is_code = re.match(r"\s*(def |\w+: )", line) is not None  # neither imports nor documentation
        lines.append(re.sub(bare, lambda found: ELEMENTS[found[1]], line) if is_code else line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(completed(Path(sys.argv[1]).read_text()))
