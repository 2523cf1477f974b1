"""All names of the package, which is imported with the first of them."""

from __future__ import annotations

from ._descriptor_scale import DescriptorScale
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
from ._documentation import add_options
from ._evaluation import evaluate, evaluate_corners, evaluate_crops, evaluate_robustness
from ._extractor import Description, Extractor, extract
from ._features import DESCRIPTOR_LENGTH, KEYPOINT, Features
from ._inspection import (
    CANDIDATE,
    VERDICTS,
    BlurKernel,
    DirectionalFilter,
    InspectedOctave,
    InspectedScale,
    Inspection,
    StagePlane,
    inspect,
)
from ._matcher import Matcher, match
from ._matches import MATCH, Matches
from ._options import OptionFacts, option_facts, presets
from ._other_features import OtherFeatures
from ._photographs import (
    align,
    camera_facts,
    colmap,
    draw_keypoints,
    draw_matches,
    export_model,
    localise,
    mosaic,
    pairs,
    read,
    read_features,
    read_model,
    refine_matches,
    sfm,
    write,
)
from ._pyramid import Pyramid, PyramidOctave
from ._retrieval import (
    FeatureQuantiser,
    VladEncoder,
    Vocabulary,
    VocabularyTraining,
    most_similar_images,
    train_vocabulary,
    vlad_product,
    vlad_similarity,
)
from ._scores import OVERLAP_ERRORS, PairScores, corner_error, covisible, score_pair
from ._trilateral import Trilateral, trilateral
from ._value_range import fit_range
from .errors import (
    DeviceUnavailable,
    Error,
    FileError,
    InvalidArgument,
    InvalidOption,
    OutOfMemory,
    UnknownOption,
    WrongType,
)

__all__ = [
    "CANDIDATE",
    "DESCRIPTOR_LENGTH",
    "KEYPOINT",
    "MATCH",
    "OVERLAP_ERRORS",
    "VERDICTS",
    "BlurKernel",
    "Description",
    "DescriptorScale",
    "Device",
    "DeviceFeatures",
    "DeviceUnavailable",
    "DirectionalFilter",
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
    "OtherFeatures",
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
    "WrongType",
    "align",
    "available_host_memory",
    "camera_facts",
    "colmap",
    "corner_error",
    "covisible",
    "devices",
    "draw_keypoints",
    "draw_matches",
    "evaluate",
    "evaluate_corners",
    "evaluate_crops",
    "evaluate_robustness",
    "export_model",
    "extract",
    "fit_range",
    "inspect",
    "localise",
    "match",
    "missing_drivers",
    "mosaic",
    "most_similar_images",
    "option_facts",
    "pairs",
    "presets",
    "read",
    "read_features",
    "read_model",
    "refine_matches",
    "score_pair",
    "selftest",
    "sfm",
    "train_vocabulary",
    "trilateral",
    "vlad_product",
    "vlad_similarity",
    "write",
]

# For people, tracebacks and pickles these are parts of octavo itself.
for _name in __all__:
    if str(getattr(globals()[_name], "__module__", "")).startswith("octavo._"):
        globals()[_name].__module__ = "octavo"
add_options()
