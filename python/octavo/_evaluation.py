"""How good features and matches are: configurations, compared on images whose relation is known."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._checks import items_of, size_of, told
from ._jobs_module import Progress, call, checked, listed, words
from ._photographs import Path, Places
from .errors import WrongType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._jobs import Corners, Crops, Evaluation, Robustness
    from ._option_types import ConfigurationOptions, EvaluateOptions

    Configurations = Mapping[str, ConfigurationOptions | Path]
    """By their names: options, or a folder of features of another program."""


@checked
def evaluate(
    root: Path,
    configurations: Configurations | None = None,
    *,
    refine: bool = False,
    covisible_only: bool = False,
    page: Path | None = None,
    examples: int = 3,
    progress: Progress | None = None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """Compares configurations on a data set whose truth is known, such as HPatches, as `octavo evaluate` does.

    `root` is a folder in one of the layouts that `octavo evaluate --help` lists. `configurations` are, by their names, the options
    that distinguish them from `options`, or a folder with the features of another program: `{"sift": {}, "root": {"descriptor":
    "rootsift"}, "theirs": "npz"}`; without any there is one, "octavo". All have one budget, `max_features`. The result has NumPy
    arrays of all pairs, and their means. With `refine` matches are judged by their refined places (`refine_matches`). `page` is an HTML file with tables and plots, and the matches of some `examples`. With
    `covisible_only` keypoints outside of what both images show do not count. Options are those of reading, detectors, matching,
    robust models and devices. Raises FileError and InvalidOption.
    """
    arguments = (root, _settings(configurations), refine, covisible_only, examples, page, options)
    return call("evaluate", *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def evaluate_robustness(
    images: Places,
    configurations: Configurations | None = None,
    *,
    refine: bool = False,
    kinds: Sequence[str] | str = (),
    noise_seed: int = 0,
    made: Path | None = None,
    page: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[EvaluateOptions],
) -> Robustness:
    """Compares configurations on photographs that are rotated, scaled, blurred ..., as `octavo evaluate robustness` does.

    `kinds` are those of the changes, by default all: "rotation", "scale", "shear", "perspective", "mirror", "noise", "blur",
    "contrast", "brightness", "jpeg". `made` is a folder for the images, as a data set for `evaluate`. The others are those of
    `evaluate`. Raises FileError and InvalidOption.
    """
    arguments = (
        _settings(configurations),
        refine,
        words("kinds", kinds),
        noise_seed,
        made,
        page,
        options,
    )
    return call("evaluate_robustness", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def evaluate_crops(
    images: Places,
    configurations: Configurations | None = None,
    *,
    sizes: Sequence[tuple[int, int]] = ((100, 100),),
    changes: Sequence[str] = (),
    noise_seed: int = 0,
    size: int = 0,
    examples: int = 1,
    page: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[EvaluateOptions],
) -> Crops:
    """Compares configurations on photographs and their centres, cut out and changed, as `octavo evaluate crops` does.

    `sizes` are widths and heights of the crops [pixel], `changes` "clean" or a change and its strength, such as "noise:15".
    Photographs whose longer side is above `size` are reduced to it; 0: none. `page` shows the matches of so many `examples` of each crop
    and change. The others are those of `evaluate`. Raises FileError
    and InvalidOption.
    """
    crops = [size_of("a size", size) for size in items_of("sizes", sizes)]
    arguments = (_settings(configurations), crops, words("changes", changes), noise_seed, size, examples, page, options)
    return call("evaluate_crops", listed(images, "images"), *arguments, progress=progress)  # type: ignore[no-any-return]


@checked
def evaluate_corners(
    root: Path,
    configurations: Configurations | None = None,
    *,
    tolerance: float = 4,
    page: Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[EvaluateOptions],
) -> Corners:
    """Compares corners with those that a person has labelled, as `octavo evaluate corners` does.

    `root` has images, and beside each NAME.png a file NAME.corners.txt. `tolerance` is that of a match [pixel]. `configurations`
    are those of `evaluate`, without matching. Options are those of reading, detectors and devices. Raises FileError and
    InvalidOption.
    """
    arguments = (_settings(configurations), tolerance, page, options)
    return call("evaluate_corners", root, *arguments, progress=progress)  # type: ignore[no-any-return]


def _settings(configurations: Any) -> dict[str, dict[str, Any] | str]:
    if not isinstance(configurations, (Mapping, type(None))):
        raise WrongType(
            f"configurations must be a dictionary of options or folders by names, not {told(configurations)}"
        )
    settings: dict[str, dict[str, Any] | str] = {}
    for name, one in (configurations or {}).items():
        if isinstance(one, (str, bytes, os.PathLike)):
            settings[str(name)] = os.fsdecode(one)
        elif isinstance(one, Mapping):
            settings[str(name)] = dict(one)
        else:
            raise WrongType(f"the configuration {name!r} must be a dictionary of options, or a folder, not {told(one)}")
    return settings
