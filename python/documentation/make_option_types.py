"""Writes the options as types, python/octavo/_option_types.py, from the option tables of the installed package.

usage: make_option_types.py [--write]      prints the module, or writes it
"""

import sys
import textwrap
from pathlib import Path

import octavo._octavo

from octavo._options import OPENCV_NAMES

HEAD = '''"""The options as types, so that type checkers know their names and values. It is imported by type checkers alone.

Made from the option tables by python/documentation/make_option_types.py.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import numpy as np

Flag = bool | np.bool_ | None
"""None counts as not given, here and below."""
Whole = int | np.integer[Any] | None
Number = float | np.floating[Any] | np.integer[Any] | None
Text = str | None
'''

KINDS = {"flag": "Flag", "integer": "Whole", "number": "Number", "text": "Text"}

CLASSES = {
    "DeviceOptions": ("The options of devices.", ["device"], None),
    "DetectorOptions": ("The options of all detectors.", octavo._octavo.detectors, "DeviceOptions"),
    "SiftOptions": ("The options of SIFT.", ["sift"], "DeviceOptions"),
    "FurtherSiftOptions": ("The options of SIFT that OpenCV's has not.", ["sift"], "DeviceOptions"),
    "MatchOptions": ("The options of matching, but `ratio`.", ["match"], "DeviceOptions"),
    "TrilateralOptions": ("The options of the trilateral filter.", ["trilateral"], "DeviceOptions"),
    "VocabularyOptions": ("The options of the training of a vocabulary.", ["vocabulary"], "DeviceOptions"),
}
ARGUMENTS_OF_THEIR_OWN = {"device", "ratio"}


def type_of(options):
    """The type of an option that several tables may have."""
    if options[0]["kind"] != "choice":
        return KINDS[options[0]["kind"]]
    words = dict.fromkeys(word for one in options for word in one["words"])
    return f"Literal[{', '.join(f'{chr(34)}{word}{chr(34)}' for word in words)}] | None"


def members(tables, names, left_out):
    options = {}
    for name in names:
        for one in tables[name]["options"]:
            options.setdefault(one["name"], []).append(one)
    for name, same in options.items():
        if name in left_out:
            continue
        yield f"    {name}: {type_of(same)}"
        sentence = same[0]["sentence"].replace('"', "'")
        yield textwrap.indent("\n".join(textwrap.wrap(f'"""{sentence}"""', 112)), "    ")


def module():
    tables = octavo._octavo.option_tables()
    parts = [HEAD]
    for name, (sentence, names, base) in CLASSES.items():
        lines = [f"class {name}({base or 'TypedDict'}, total=False):", f'    """{sentence}"""', ""]
        of_opencv = set(OPENCV_NAMES.values()) if name == "FurtherSiftOptions" else set()
        parts.append("\n".join([*lines, *members(tables, names, ARGUMENTS_OF_THEIR_OWN | of_opencv)]) + "\n")
    return "\n\n".join(parts)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        (Path(__file__).parents[1] / "octavo" / "_option_types.py").write_text(module())
    else:
        sys.stdout.write(module())
