"""Writes the options as types, python/octavo/_option_types.py, from the option tables of the installed package.

usage: make_option_types.py [--write]      prints the module, or writes it
"""

import sys
import textwrap
from pathlib import Path

import octavo._jobs
import octavo._octavo

from octavo._options import OPENCV_NAMES

HEAD = '''"""The options as types, so that type checkers know their names and values. It is imported by type checkers alone.

Made from the option tables by python/documentation/make_option_types.py.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import numpy as np

# fmt: off
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
    "RobustOptions": ("The options of robust models.", ["robust"], None),
    "StoredOptions": ("The options of reading images as they are stored.", ["read"], None),
    "ReadOptions": ("The options of reading images.", ["read"], None),
    "WorkOptions": ("The options of where work is done.", ["device"], None),
    "FeatureOptions": ("The options of features in a job.", octavo._octavo.detectors, "WorkOptions"),
    "VideoOptions": ("The options of frames of videos.", ["video"], None),
    "ClipOptions": ("The options of decoding clips of which a job takes the frames.", ["video"], None),
    "SegmentOptions": ("The options of segments that clips share.", ["segment"], None),
    "SignatureOptions": ("The options of signatures.", ["signature"], None),
    "ConfigurationOptions": (
        "The options of a configuration of `evaluate`.",
        [*octavo._octavo.detectors, "match"],
        None,
    ),
    "DescribeOptions": ("", [], "FeatureOptions, ReadOptions"),
    "MatchingOptions": ("", ["match"], "DescribeOptions, RobustOptions"),
    "EvaluateOptions": ("", [], "MatchingOptions"),
    "AlignOptions": ("", ["blend"], "MatchingOptions"),
    "MosaicOptions": ("", ["mosaic"], "MatchingOptions"),
    "PairOptions": ("", ["pairs"], "DescribeOptions"),
    "ColmapOptions": ("", ["colmap"], "MatchingOptions"),
    "SfmOptions": ("", ["sfm", "panorama"], "ColmapOptions"),
    "LocaliseOptions": ("", ["sfm", "colmap"], "ReadOptions, WorkOptions"),
    "ExtractOptions": ("", [], "DescribeOptions, VideoOptions"),
    "FilterOptions": ("", ["trilateral"], "ReadOptions, WorkOptions"),
    "TrackOptions": ("", ["track"], "FeatureOptions, VideoOptions"),
    "CompareOptions": ("", [], "SegmentOptions, ClipOptions, WorkOptions"),
    "AffinityOptions": ("", ["affinity"], "ClipOptions, WorkOptions"),
    "TakeOptions": ("", ["takes"], "ClipOptions, WorkOptions"),
    "PlaceOptions": ("", ["places"], "ReadOptions, ClipOptions, WorkOptions"),
    "IndexOptions": ("", ["signature"], "ClipOptions, WorkOptions"),
    "SearchOptions": ("", ["signature"], "CompareOptions"),
    "DuplicateOptions": ("", ["recurring"], "SegmentOptions"),
    "ReportOptions": ("", ["report"], "CompareOptions"),
    "ReviewOptions": ("", ["review", "report"], "CompareOptions"),
}
# Options of a table that a class has not, since they are arguments of their own, or of another class.
OF_FRAMES = {"every", "fps", "size", "stored_luma"}
OF_READING = {"range", "black", "white", "max_pixels"}
LEFT_OUT = {
    "StoredOptions": OF_READING - {"max_pixels"},
    "WorkOptions": set(),
    "MatchingOptions": set(),
    "ConfigurationOptions": set(),
    "ClipOptions": OF_FRAMES | OF_READING,
    "VideoOptions": OF_READING,
    "IndexOptions": {"doubled", "words"},
    "LocaliseOptions": {"gps", "camera_model", "verify", "guided"},
    "ReportOptions": {"exact_ends"},
    "ReviewOptions": {"exact_ends", "max_images"},
}
ARGUMENTS_OF_THEIR_OWN = {"device", "ratio"}

# The functions of the classes that have options of several kinds.
FUNCTIONS = {
    "DescribeOptions": "jobs.describe",
    "MatchingOptions": "jobs.match",
    "EvaluateOptions": "evaluate",
    "AlignOptions": "align",
    "MosaicOptions": "mosaic",
    "PairOptions": "pairs",
    "ColmapOptions": "colmap",
    "SfmOptions": "sfm",
    "LocaliseOptions": "localise",
    "ExtractOptions": "jobs.extract",
    "FilterOptions": "jobs.filter",
    "TrackOptions": "video.keypoints",
    "CompareOptions": "video.compare",
    "AffinityOptions": "video.affinity",
    "TakeOptions": "video.takes",
    "PlaceOptions": "video.places",
    "IndexOptions": "video.index",
    "SearchOptions": "video.search",
    "DuplicateOptions": "video.duplicates",
    "ReportOptions": "video.report",
    "ReviewOptions": "video.review",
}
OF_A_DETECTOR = [
    "    detector: Text",
    '    """The detector, "sift" or "foagdd"."""',
    "    preset: Text",
    '    """A preset of it."""',
]
FURTHER = {
    "FeatureOptions": OF_A_DETECTOR,
    "ConfigurationOptions": OF_A_DETECTOR,
    "DuplicateOptions": ["    isa: Text", '    """Instruction set of the CPU."""'],
}  # fmt: skip


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
    tables = {**octavo._octavo.option_tables(), **octavo._jobs.option_tables()}
    parts = [HEAD]
    for name, (sentence, names, base) in CLASSES.items():
        sentence = sentence or f"The options of `{FUNCTIONS[name]}`."
        lines = [f"class {name}({base or 'TypedDict'}, total=False):", f'    """{sentence}"""', ""]
        of_opencv = set(OPENCV_NAMES.values()) if name == "FurtherSiftOptions" else set()
        own = FURTHER.get(name, []) + list(
            members(tables, names, LEFT_OUT.get(name, ARGUMENTS_OF_THEIR_OWN) | of_opencv)
        )
        parts.append("\n".join([*lines, *own]).rstrip() + "\n")
    return "\n\n".join(parts)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        (Path(__file__).parents[1] / "octavo" / "_option_types.py").write_text(module())
    else:
        sys.stdout.write(module())
