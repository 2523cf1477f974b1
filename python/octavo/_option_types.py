"""The options as types, so that type checkers know their names and values. It is imported by type checkers alone.

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


class DeviceOptions(TypedDict, total=False):
    """The options of devices."""

    isa: Text
    """Instruction set of the cpu device; `octavo devices` lists those of this machine, auto takes the best."""
    threads: Whole
    """CPU threads; 0 uses every core."""
    gpu_memory: Whole
    """Memory of a GPU to use at most, in bytes; 0 uses what it has."""


class DetectorOptions(DeviceOptions, total=False):
    """The options of all detectors."""

    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels."""
    smoothing: Literal["gaussian", "trilateral", "repeated"] | None
    """What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges steep,
    finds some times as many points and takes much longer. With it, what is not given has other values: no edge
    test, no contrast threshold, 3 layers, sigma 1.6, assumed blur 0.5, blurs cut off at 4 sigmas, rank response. Or
    one Gaussian kernel repeated, for a pyramid of differences without keypoints."""
    layers: Whole
    """Scales per octave at which extrema are sought."""
    sigma: Number
    """Blur of each octave's first image, in pixels of the octave; with repeated smoothing, of its one kernel."""
    assumed_blur: Number
    """Blur that the camera left in the image, in pixels."""
    blur_truncate: Number
    """Where Gaussian blurs are cut off, in their sigmas: fewer are faster."""
    trilateral_schedule: Literal["direct", "incremental"] | None
    """What an image of trilateral smoothing is filtered from: the first of its octave, or the one before it."""
    trilateral_range: Literal["contrast", "gradients"] | None
    """What differences trilateral smoothing takes for small ones: by the contrast of the image, which the contrast
    threshold follows too, or by the steepest of its edges, as in the sources."""
    trilateral_window: Literal["power-of-two", "certified"] | None
    """How large its windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, as in
    the sources, or F."""
    trilateral_truncate: Number
    """Where its windows are cut off, in sigmas. The sources have no such limit; beyond 5.77 a pixel has less than
    2^-24 of the weight of the centre. The time grows with the square."""
    contrast_threshold: Number
    """Drop a point if its contrast times the layers is below T, images being 0 to 1."""
    edge_threshold: Number
    """Drop a point on an edge: the largest ratio of principal curvatures, or 0 for no edge test."""
    luma: Literal["bt709", "bt601"] | None
    """Weights that turn colour into grey; bt601 are OpenCV's."""
    views: Literal["none", "few", "many"] | None
    """Also find points in views of the image that are compressed in one direction, after Morel and Yu (2009): 14
    few, 28 many. For planes seen from aside, at 5 or 9 times the time."""
    target_features: Whole
    """Keep the N strongest points, whatever their contrast: the contrast threshold is the one that gives N. 0: by
    `contrast_threshold` and `max_features`."""
    max_features: Whole
    """Keep the N best points; 0 keeps all."""
    max_points: Whole
    """Keep the N best points with all their orientations, as COLMAP counts a budget: `max_features` counts each
    orientation of a point. 0: by `max_features`."""
    rank: Literal["response", "scale", "scaled-response"] | None
    """Which points are best: the strongest, the largest, or those of the greatest response times scale, where a
    scale above 3 pixels counts as 3."""
    grid: Whole
    """Share `max_features` among G by G cells of the image, so that points do not crowd."""
    descriptor: Literal["sift", "rootsift"] | None
    """Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012)."""
    pool: Whole
    """Average each descriptor over windows of N sizes, after Dong and Soatto (2015): matches more points that look
    different in size, and takes longer. 0: one window."""
    pool_from: Number
    """The smallest of these windows, in units of the usual one."""
    pool_to: Number
    """The largest of these windows, in units of the usual one."""
    affine: Flag
    """Fit an ellipse to each point, after Mikolajczyk and Schmid (2004), and describe what is in it: matches more
    where the viewpoint changes much."""
    upright: Flag
    """One keypoint per point, orientation 0: for images that are not rotated."""
    max_orientations: Whole
    """Keypoints at most that one point gives, one for each strong orientation."""
    directions: Whole
    """Directions in which the image is filtered, at most 9 with a window of 3. The measure of a corner grows with
    the contrast to the power 2K - 2: another K wants another threshold."""
    verify_scales: Whole
    """Scales at which a corner must exceed the threshold; 2 gives what the authors' published code gives, 3 what
    their paper says."""
    rho: Number
    """How much longer than wide the filters are."""
    window: Whole
    """Diameter of the disc by which a pixel is judged, an odd number of pixels."""
    corner_threshold: Number
    """Drop a corner if its response is not above T: the logarithm to base 10 of its measure."""
    describe: Flag
    """Give corners orientations and descriptors, so that they can be matched."""
    descriptor_scale: Number
    """Blur of the image in which corners are described: the scale of the keypoints."""


class SiftOptions(DeviceOptions, total=False):
    """The options of SIFT."""

    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels."""
    smoothing: Literal["gaussian", "trilateral", "repeated"] | None
    """What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges steep,
    finds some times as many points and takes much longer. With it, what is not given has other values: no edge
    test, no contrast threshold, 3 layers, sigma 1.6, assumed blur 0.5, blurs cut off at 4 sigmas, rank response. Or
    one Gaussian kernel repeated, for a pyramid of differences without keypoints."""
    layers: Whole
    """Scales per octave at which extrema are sought."""
    sigma: Number
    """Blur of each octave's first image, in pixels of the octave; with repeated smoothing, of its one kernel."""
    assumed_blur: Number
    """Blur that the camera left in the image, in pixels."""
    blur_truncate: Number
    """Where Gaussian blurs are cut off, in their sigmas: fewer are faster."""
    trilateral_schedule: Literal["direct", "incremental"] | None
    """What an image of trilateral smoothing is filtered from: the first of its octave, or the one before it."""
    trilateral_range: Literal["contrast", "gradients"] | None
    """What differences trilateral smoothing takes for small ones: by the contrast of the image, which the contrast
    threshold follows too, or by the steepest of its edges, as in the sources."""
    trilateral_window: Literal["power-of-two", "certified"] | None
    """How large its windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, as in
    the sources, or F."""
    trilateral_truncate: Number
    """Where its windows are cut off, in sigmas. The sources have no such limit; beyond 5.77 a pixel has less than
    2^-24 of the weight of the centre. The time grows with the square."""
    contrast_threshold: Number
    """Drop a point if its contrast times the layers is below T, images being 0 to 1."""
    edge_threshold: Number
    """Drop a point on an edge: the largest ratio of principal curvatures, or 0 for no edge test."""
    luma: Literal["bt709", "bt601"] | None
    """Weights that turn colour into grey; bt601 are OpenCV's."""
    views: Literal["none", "few", "many"] | None
    """Also find points in views of the image that are compressed in one direction, after Morel and Yu (2009): 14
    few, 28 many. For planes seen from aside, at 5 or 9 times the time."""
    target_features: Whole
    """Keep the N strongest points, whatever their contrast: the contrast threshold is the one that gives N. 0: by
    `contrast_threshold` and `max_features`."""
    max_features: Whole
    """Keep the N best points; 0 keeps all."""
    max_points: Whole
    """Keep the N best points with all their orientations, as COLMAP counts a budget: `max_features` counts each
    orientation of a point. 0: by `max_features`."""
    rank: Literal["response", "scale", "scaled-response"] | None
    """Which points are best: the strongest, the largest, or those of the greatest response times scale, where a
    scale above 3 pixels counts as 3."""
    grid: Whole
    """Share `max_features` among G by G cells of the image, so that points do not crowd."""
    descriptor: Literal["sift", "rootsift"] | None
    """Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012)."""
    pool: Whole
    """Average each descriptor over windows of N sizes, after Dong and Soatto (2015): matches more points that look
    different in size, and takes longer. 0: one window."""
    pool_from: Number
    """The smallest of these windows, in units of the usual one."""
    pool_to: Number
    """The largest of these windows, in units of the usual one."""
    affine: Flag
    """Fit an ellipse to each point, after Mikolajczyk and Schmid (2004), and describe what is in it: matches more
    where the viewpoint changes much."""
    upright: Flag
    """One keypoint per point, orientation 0: for images that are not rotated."""
    max_orientations: Whole
    """Keypoints at most that one point gives, one for each strong orientation."""


class FurtherSiftOptions(DeviceOptions, total=False):
    """The options of SIFT that OpenCV's has not."""

    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels."""
    smoothing: Literal["gaussian", "trilateral", "repeated"] | None
    """What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges steep,
    finds some times as many points and takes much longer. With it, what is not given has other values: no edge
    test, no contrast threshold, 3 layers, sigma 1.6, assumed blur 0.5, blurs cut off at 4 sigmas, rank response. Or
    one Gaussian kernel repeated, for a pyramid of differences without keypoints."""
    assumed_blur: Number
    """Blur that the camera left in the image, in pixels."""
    blur_truncate: Number
    """Where Gaussian blurs are cut off, in their sigmas: fewer are faster."""
    trilateral_schedule: Literal["direct", "incremental"] | None
    """What an image of trilateral smoothing is filtered from: the first of its octave, or the one before it."""
    trilateral_range: Literal["contrast", "gradients"] | None
    """What differences trilateral smoothing takes for small ones: by the contrast of the image, which the contrast
    threshold follows too, or by the steepest of its edges, as in the sources."""
    trilateral_window: Literal["power-of-two", "certified"] | None
    """How large its windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, as in
    the sources, or F."""
    trilateral_truncate: Number
    """Where its windows are cut off, in sigmas. The sources have no such limit; beyond 5.77 a pixel has less than
    2^-24 of the weight of the centre. The time grows with the square."""
    luma: Literal["bt709", "bt601"] | None
    """Weights that turn colour into grey; bt601 are OpenCV's."""
    views: Literal["none", "few", "many"] | None
    """Also find points in views of the image that are compressed in one direction, after Morel and Yu (2009): 14
    few, 28 many. For planes seen from aside, at 5 or 9 times the time."""
    target_features: Whole
    """Keep the N strongest points, whatever their contrast: the contrast threshold is the one that gives N. 0: by
    `contrast_threshold` and `max_features`."""
    max_points: Whole
    """Keep the N best points with all their orientations, as COLMAP counts a budget: `max_features` counts each
    orientation of a point. 0: by `max_features`."""
    rank: Literal["response", "scale", "scaled-response"] | None
    """Which points are best: the strongest, the largest, or those of the greatest response times scale, where a
    scale above 3 pixels counts as 3."""
    grid: Whole
    """Share `max_features` among G by G cells of the image, so that points do not crowd."""
    descriptor: Literal["sift", "rootsift"] | None
    """Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012)."""
    pool: Whole
    """Average each descriptor over windows of N sizes, after Dong and Soatto (2015): matches more points that look
    different in size, and takes longer. 0: one window."""
    pool_from: Number
    """The smallest of these windows, in units of the usual one."""
    pool_to: Number
    """The largest of these windows, in units of the usual one."""
    affine: Flag
    """Fit an ellipse to each point, after Mikolajczyk and Schmid (2004), and describe what is in it: matches more
    where the viewpoint changes much."""
    upright: Flag
    """One keypoint per point, orientation 0: for images that are not rotated."""
    max_orientations: Whole
    """Keypoints at most that one point gives, one for each strong orientation."""


class MatchOptions(DeviceOptions, total=False):
    """The options of matching, but `ratio`."""

    mutual: Flag
    """Keep a match only if its point of A is the nearest of its point of B, too."""
    max_distance2: Whole
    """Drop matches whose descriptors are farther apart: the square of the distance, at most D."""
    distinct_radius: Number
    """Count keypoints at most this far apart as the same point: the second nearest is then the nearest one
    elsewhere. Features of views have 10, stored ones if it is given. 0: each for itself."""


class TrilateralOptions(DeviceOptions, total=False):
    """The options of the trilateral filter."""

    spatial_sigma: Number
    """How far pixels count: the deviation of the spatial weights. From 3 on the gradients are smoothed too, as in
    the sources."""
    trilateral_window: Literal["power-of-two", "certified"] | None
    """How large windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to each side, as in the
    sources, or F."""
    trilateral_truncate: Number
    """Where windows are cut off, in sigmas. Beyond 5.77 a pixel has less than 2^-24 of the weight of the centre;
    the sources have no such limit. The time grows with the square."""
    luma: Literal["bt709", "bt601"] | None
    """Weights that turn colour into luma; bt601 are OpenCV's."""


class VocabularyOptions(DeviceOptions, total=False):
    """The options of the training of a vocabulary."""

    words: Whole
    """The number of words."""
    max_rounds: Whole
    """Stop after N rounds even if the words still move."""
    seed: Whole
    """The number that chooses the first words."""
