"""Octavo: local features with one answer on every device.

It finds and describes the points of an image that can be recognised in another one (SIFT, FOAGDD corners), matches them
exactly, filters images trilaterally, and compares pictures as a whole. The same image and options give the same bytes on
the CPU, on CUDA and on OpenCL.

    import octavo

    a = octavo.extract(image_a)
    b = octavo.extract(image_b)
    matches = octavo.match(a, b)
    a.xy[matches.a], b.xy[matches.b]

`octavo.cv2.SIFT_create` is a twin of OpenCV's SIFT.
"""

from __future__ import annotations

from . import cv2 as cv2
from ._documentation import add_options as _add_options
from ._device_features import DeviceFeatures
from ._devices import (
    Device,
    MemoryEstimate,
    MissingDriver,
    Progress,
    SelftestResult,
    available_host_memory,
    devices,
    missing_drivers,
    selftest,
)
from .errors import DeviceUnavailable, Error, FileError, InvalidArgument, InvalidOption, OutOfMemory, UnknownOption
from ._extractor import Description, Extractor, extract
from ._features import DESCRIPTOR_LENGTH, KEYPOINT, Features
from ._inspection import CANDIDATE, VERDICTS, BlurKernel, InspectedOctave, InspectedScale, Inspection, StagePlane, inspect
from ._matcher import Matcher, match
from ._matches import MATCH, Matches
from ._options import OptionFacts, option_facts, presets
from ._pyramid import Pyramid, PyramidOctave
from ._retrieval import (
    FeatureQuantiser,
    VladEncoder,
    Vocabulary,
    VocabularyTraining,
    most_similar_pictures,
    train_vocabulary,
    vlad_product,
    vlad_similarity,
)
from ._scores import OVERLAP_ERRORS, PairScores, corner_error, covisible, score_pair
from ._octavo import version as __version__
from ._trilateral import Trilateral, trilateral

__all__ = [
    "CANDIDATE",
    "DESCRIPTOR_LENGTH",
    "KEYPOINT",
    "MATCH",
    "OVERLAP_ERRORS",
    "VERDICTS",
    "BlurKernel",
    "Description",
    "Device",
    "DeviceFeatures",
    "DeviceUnavailable",
    "Error",
    "Extractor",
    "FeatureQuantiser",
    "Features",
    "FileError",
    "InspectedOctave",
    "InspectedScale",
    "Inspection",
    "InvalidArgument",
    "InvalidOption",
    "Matcher",
    "Matches",
    "MemoryEstimate",
    "MissingDriver",
    "OptionFacts",
    "OutOfMemory",
    "PairScores",
    "Progress",
    "Pyramid",
    "PyramidOctave",
    "SelftestResult",
    "StagePlane",
    "Trilateral",
    "UnknownOption",
    "VladEncoder",
    "Vocabulary",
    "VocabularyTraining",
    "__version__",
    "available_host_memory",
    "corner_error",
    "covisible",
    "devices",
    "extract",
    "inspect",
    "match",
    "missing_drivers",
    "most_similar_pictures",
    "option_facts",
    "presets",
    "score_pair",
    "selftest",
    "train_vocabulary",
    "trilateral",
    "vlad_product",
    "vlad_similarity",
]

# For people, tracebacks and pickles these are parts of octavo itself.
for _name in __all__:
    if str(getattr(globals()[_name], "__module__", "")).startswith("octavo._"):
        globals()[_name].__module__ = "octavo"
_add_options()
