"""The options as types, so that type checkers know their names and values. It is imported by type checkers alone.

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
    """Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated smoothing."""
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
    border: Literal["mirrored", "repeated"] | None
    """What Gaussian blurs read beyond the edges of the image: its pixels mirrored, or the last ones repeated."""
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
    grey_on: Literal["device", "host"] | None
    """Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a third
    of the bytes."""
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
    orientation: Literal["lowe", "pooled"] | None
    """Which gradients give a point its orientations: those of one window, after Lowe (2004), or of two windows,
    smoothed more, which other views of the point agree on more often."""
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
    round_grey: Flag
    """Round grey to whole numbers from 0 to 255, as the authors' pipeline does with colour."""
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
    """Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated smoothing."""
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
    border: Literal["mirrored", "repeated"] | None
    """What Gaussian blurs read beyond the edges of the image: its pixels mirrored, or the last ones repeated."""
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
    grey_on: Literal["device", "host"] | None
    """Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a third
    of the bytes."""
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
    orientation: Literal["lowe", "pooled"] | None
    """Which gradients give a point its orientations: those of one window, after Lowe (2004), or of two windows,
    smoothed more, which other views of the point agree on more often."""
    max_orientations: Whole
    """Keypoints at most that one point gives, one for each strong orientation."""


class FurtherSiftOptions(DeviceOptions, total=False):
    """The options of SIFT that OpenCV's has not."""

    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated smoothing."""
    smoothing: Literal["gaussian", "trilateral", "repeated"] | None
    """What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges steep,
    finds some times as many points and takes much longer. With it, what is not given has other values: no edge
    test, no contrast threshold, 3 layers, sigma 1.6, assumed blur 0.5, blurs cut off at 4 sigmas, rank response. Or
    one Gaussian kernel repeated, for a pyramid of differences without keypoints."""
    assumed_blur: Number
    """Blur that the camera left in the image, in pixels."""
    blur_truncate: Number
    """Where Gaussian blurs are cut off, in their sigmas: fewer are faster."""
    border: Literal["mirrored", "repeated"] | None
    """What Gaussian blurs read beyond the edges of the image: its pixels mirrored, or the last ones repeated."""
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
    grey_on: Literal["device", "host"] | None
    """Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a third
    of the bytes."""
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
    orientation: Literal["lowe", "pooled"] | None
    """Which gradients give a point its orientations: those of one window, after Lowe (2004), or of two windows,
    smoothed more, which other views of the point agree on more often."""
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
    trilateral_order: Literal["windows", "rows"] | None
    """Which pixels a GPU takes together: those with windows of one size, or neighbours in a row, which is slower.
    The result is the same, and a CPU has its own order."""


class VocabularyOptions(DeviceOptions, total=False):
    """The options of the training of a vocabulary."""

    words: Whole
    """The number of words."""
    max_rounds: Whole
    """Stop after N rounds even if the words still move."""
    seed: Whole
    """The number that chooses the first words."""


class RobustOptions(TypedDict, total=False):
    """The options of robust models."""

    method: Literal["magsac", "ransac", "prosac"] | None
    """Robust estimator: MAGSAC++ (2020), RANSAC or PROSAC."""
    threshold: Number
    """Largest error of an inlier, in pixels of B."""
    confidence: Number
    """Probability with which the best model is to be found."""
    max_iterations: Whole
    """Samples at most."""
    seed: Whole
    """Seed of the sampling; the same seed gives the same model."""


class StoredOptions(TypedDict, total=False):
    """The options of reading images as they are stored."""

    apply_exif_rotation: Flag
    """Turn the image as its EXIF data say."""
    max_pixels: Whole
    """Refuse images of more than N pixels, before memory is taken for them."""


class ReadOptions(TypedDict, total=False):
    """The options of reading images."""

    apply_exif_rotation: Flag
    """Turn the image as its EXIF data say."""
    max_pixels: Whole
    """Refuse images of more than N pixels, before memory is taken for them."""
    range: Literal["image", "full"] | None
    """The values of 16-bit and float images that become black and white: those that the image uses (without hot
    pixels, NaN and missing data), or the full range of their type."""
    black: Number
    """The value of 16-bit and float images that becomes black, in place of `range`; with `white`."""
    white: Number
    """The value that becomes white, above `black`."""


class WorkOptions(TypedDict, total=False):
    """The options of where work is done."""

    device: Text
    """Where to compute: a name that `octavo devices` lists, such as cuda:0, opencl:0 or cpu; auto takes the first
    conformant GPU, otherwise the CPU. Several GPUs share the images of an extraction: cuda:0,cuda:1, or cuda:all.
    The result is the same on all."""
    isa: Text
    """Instruction set of the cpu device; `octavo devices` lists those of this machine, auto takes the best."""
    threads: Whole
    """CPU threads; 0 uses every core."""
    gpu_memory: Whole
    """Memory of a GPU to use at most, in bytes; 0 uses what it has."""


class FeatureOptions(WorkOptions, total=False):
    """The options of features in a job."""

    detector: Text
    """The detector, "sift" or "foagdd"."""
    preset: Text
    """A preset of it."""
    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated smoothing."""
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
    border: Literal["mirrored", "repeated"] | None
    """What Gaussian blurs read beyond the edges of the image: its pixels mirrored, or the last ones repeated."""
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
    grey_on: Literal["device", "host"] | None
    """Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a third
    of the bytes."""
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
    orientation: Literal["lowe", "pooled"] | None
    """Which gradients give a point its orientations: those of one window, after Lowe (2004), or of two windows,
    smoothed more, which other views of the point agree on more often."""
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
    round_grey: Flag
    """Round grey to whole numbers from 0 to 255, as the authors' pipeline does with colour."""
    describe: Flag
    """Give corners orientations and descriptors, so that they can be matched."""
    descriptor_scale: Number
    """Blur of the image in which corners are described: the scale of the keypoints."""


class VideoOptions(TypedDict, total=False):
    """The options of frames of videos."""

    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth."""
    size: Whole
    """Reduce larger frames to this longest side. 0: no limit."""
    engine: Literal["auto", "cpu", "nvdec"] | None
    """Decode on the CPU or by the video engine of an NVIDIA GPU. auto: nvdec where the work is done on a CUDA
    device and the codec is exact (H.264, HEVC, VP9, AV1)."""
    fast: Flag
    """Decode faster, less exactly: without the loop filter and without the frames that no other frame is made of
    (B-frames)."""
    stored_luma: Flag
    """Keep the luma values of the file, 16 to 235 in most files, instead of stretching them to 0 to 255."""
    weave: Flag
    """Show both fields of interlaced frames, instead of the field that comes first."""
    patience: Number
    """End the decoder after this time without progress."""


class ClipOptions(TypedDict, total=False):
    """The options of decoding clips of which a job takes the frames."""

    engine: Literal["auto", "cpu", "nvdec"] | None
    """Decode on the CPU or by the video engine of an NVIDIA GPU. auto: nvdec where the work is done on a CUDA
    device and the codec is exact (H.264, HEVC, VP9, AV1)."""
    fast: Flag
    """Decode faster, less exactly: without the loop filter and without the frames that no other frame is made of
    (B-frames)."""
    weave: Flag
    """Show both fields of interlaced frames, instead of the field that comes first."""
    patience: Number
    """End the decoder after this time without progress."""


class SegmentOptions(TypedDict, total=False):
    """The options of segments that clips share."""

    min_seconds: Number
    """Report no shorter segments."""
    min_frames: Whole
    """Report no segment with fewer verified frames."""
    min_speed: Number
    """The smallest speed: seconds of the other clip for a second of the query."""
    max_speed: Number
    """The largest speed."""
    min_score: Number
    """Report no segment with a smaller score, -log10 of the expected number of false segments between two clips."""
    shake: Number
    """How far the image may move from frame to frame, as a share of its side: 0.15 finds film from a hand that
    shakes, and more false segments of clips of one place."""


class SignatureOptions(TypedDict, total=False):
    """The options of signatures."""

    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth."""
    max_features: Whole
    """Keep at most N features of a frame."""
    doubled: Flag
    """Search features in the doubled frame too, for small images in images."""
    words: Whole
    """Look each feature up under its W nearest words."""


class ConfigurationOptions(TypedDict, total=False):
    """The options of a configuration of `evaluate`."""

    detector: Text
    """The detector, "sift" or "foagdd"."""
    preset: Text
    """A preset of it."""
    first_octave: Whole
    """First octave: -1 works on the image doubled and finds small points too, 0 on the image as it is and is about
    four times faster."""
    max_octaves: Whole
    """Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated smoothing."""
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
    border: Literal["mirrored", "repeated"] | None
    """What Gaussian blurs read beyond the edges of the image: its pixels mirrored, or the last ones repeated."""
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
    grey_on: Literal["device", "host"] | None
    """Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a third
    of the bytes."""
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
    orientation: Literal["lowe", "pooled"] | None
    """Which gradients give a point its orientations: those of one window, after Lowe (2004), or of two windows,
    smoothed more, which other views of the point agree on more often."""
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
    round_grey: Flag
    """Round grey to whole numbers from 0 to 255, as the authors' pipeline does with colour."""
    describe: Flag
    """Give corners orientations and descriptors, so that they can be matched."""
    descriptor_scale: Number
    """Blur of the image in which corners are described: the scale of the keypoints."""
    ratio: Number
    """Keep a match only if its distance is below R times that of the second nearest; 1 keeps all."""
    mutual: Flag
    """Keep a match only if its point of A is the nearest of its point of B, too."""
    max_distance2: Whole
    """Drop matches whose descriptors are farther apart: the square of the distance, at most D."""
    distinct_radius: Number
    """Count keypoints at most this far apart as the same point: the second nearest is then the nearest one
    elsewhere. Features of views have 10, stored ones if it is given. 0: each for itself."""


class DescribeOptions(FeatureOptions, ReadOptions, total=False):
    """The options of `jobs.describe`."""


class MatchingOptions(DescribeOptions, RobustOptions, total=False):
    """The options of `jobs.match`."""

    ratio: Number
    """Keep a match only if its distance is below R times that of the second nearest; 1 keeps all."""
    mutual: Flag
    """Keep a match only if its point of A is the nearest of its point of B, too."""
    max_distance2: Whole
    """Drop matches whose descriptors are farther apart: the square of the distance, at most D."""
    distinct_radius: Number
    """Count keypoints at most this far apart as the same point: the second nearest is then the nearest one
    elsewhere. Features of views have 10, stored ones if it is given. 0: each for itself."""


class EvaluateOptions(MatchingOptions, total=False):
    """The options of `evaluate`."""


class AlignOptions(MatchingOptions, total=False):
    """The options of `align`."""

    blend: Literal["multiband", "mean"] | None
    """How the images are joined: along a seam that is hard to see; or half and half, so that what does not fit is
    seen twice."""
    exposure: Flag
    """Correct exposure, white balance and vignetting."""
    bands: Whole
    """Bands of the blending; 0: the images are cut at the seam. Small images have fewer."""


class MosaicOptions(MatchingOptions, total=False):
    """The options of `mosaic`."""

    model: Literal["auto", "similarity", "rotation", "affine", "homography"] | None
    """How the images are related: shift, turn and size (scans); a camera that turns about its centre; a flat scene
    seen from far, or from anywhere. auto: the simplest that explains the matches."""
    projection: Literal["auto", "plane", "cylinder", "sphere", "pannini", "stereographic"] | None
    """The surface on which the mosaic is drawn. auto: a plane for flat scenes and up to 90 degrees, a cylinder for
    wide panoramas, a sphere where they are high too. pannini: up to 240 degrees wide, verticals and lines to the
    centre stay straight. stereographic: a disc of up to 300 degrees around the centre; of a ring, a little
    planet."""
    distortion: Flag
    """Look for radial lens distortion, and use it where it explains the matches better."""
    exposure: Literal["auto", "on", "off"] | None
    """Correct exposure, white balance and vignetting. auto: not of values in a unit of their own, such as
    temperatures."""
    keep_redundant: Flag
    """Keep images that add nothing, because others show all of them: frames of a slow pan, further exposures of one
    place."""
    seams: Flag
    """Lead seams where the images agree; otherwise halfway between the images."""
    bands: Whole
    """Bands of the blending, fewer for small images; 0: images are cut at the seams."""
    crop: Flag
    """Cut the mosaic to the largest rectangle without empty places."""
    max_canvas: Whole
    """Refuse a mosaic of more than N pixels, before memory is taken for it."""
    image_memory: Whole
    """Memory for decoded images, in MiB. With less of it images are decoded more often."""


class PairOptions(DescribeOptions, total=False):
    """The options of `pairs`."""

    by: Literal["exhaustive", "sequential", "retrieval", "gps"] | None
    """Pair all images; each with the next ones by name; with those that look most alike (VLAD); with those that
    were taken nearest."""
    neighbours: Whole
    """Pair each image with the K most similar or nearest ones."""
    overlap: Whole
    """Pair each image with the N next ones."""
    quadratic: Flag
    """Pair each image also with those that are 1, 2, 4, 8 ... places further on, N of them, as COLMAP's quadratic
    overlap."""
    metres: Number
    """Leave out pairs that were taken farther apart."""
    size: Whole
    """Make images smaller whose longer side is above this. 0: never."""
    augment: Whole
    """Compare each image with the N most similar ones added to it. So images of one scene at very different sizes
    meet. 0: alone."""


class ColmapOptions(MatchingOptions, total=False):
    """The options of `colmap`."""

    cameras: Literal["model", "folder", "one", "image"] | None
    """Which images share a camera: those of one make, model, focal length and size by their EXIF data (without them
    each image has its own), those of one folder, all, or none."""
    camera_model: Literal["simple-pinhole", "pinhole", "simple-radial", "radial", "opencv", "opencv-fisheye", "full-opencv", "fov", "simple-radial-fisheye", "radial-fisheye", "thin-prism-fisheye"] | None
    """COLMAP's model of the cameras."""
    verify: Literal["none", "usac"] | None
    """Verify the matches by a fundamental matrix, so that the mapper can begin at once. By default COLMAP verifies
    them, since it knows the cameras."""
    guided: Flag
    """Match again within `threshold` of the epipolar lines, and verify these matches."""
    feature_memory: Whole
    """Memory for features while images are matched, in MiB; a keypoint takes 172 bytes. Beyond it features are read
    again from the database."""
    gpu_feature_memory: Whole
    """Memory of the GPU for features while images are matched, in MiB. Beyond it they are copied to the GPU
    again."""


class SfmOptions(ColmapOptions, total=False):
    """The options of `sfm`."""

    mapper: Text
    """What makes the model: colmap, glomap, pycolmap, the path of one of them, or auto: the first of these that is
    installed."""
    mapper_threads: Whole
    """Threads of the mapper; 0: all cores. With more than one, poses can change from run to run."""
    mapper_seed: Whole
    """Seed of the mapper's random numbers."""
    refine: Flag
    """Refine the keypoints of verified matches for the mapper: what one image shows around them is found again in
    the others."""
    gps: Flag
    """Move each model, so that it is in metres east, north and up, by the places of the EXIF data of its images."""
    panoramas: Literal["told", "2:1", "none"] | None
    """Which images are panoramas all around (equirectangular), and are cut into views: those whose XMP data (GPano)
    say so, also all others that are twice as wide as high, or none."""
    panorama_views: Whole
    """Views of a panorama around the horizon, evenly spread."""
    view_angle: Number
    """The angle that a view shows across and upright."""
    view_size: Whole
    """The sides of a view; 0: as many pixels as keep the resolution of the panorama."""
    view_poles: Flag
    """Also cut a view up and one down, which often show the sky and what holds the camera."""


class LocaliseOptions(ReadOptions, WorkOptions, total=False):
    """The options of `localise`."""

    mapper: Text
    """What makes the model: colmap, glomap, pycolmap, the path of one of them, or auto: the first of these that is
    installed."""
    mapper_threads: Whole
    """Threads of the mapper; 0: all cores. With more than one, poses can change from run to run."""
    mapper_seed: Whole
    """Seed of the mapper's random numbers."""
    refine: Flag
    """Refine the keypoints of verified matches for the mapper: what one image shows around them is found again in
    the others."""
    cameras: Literal["model", "folder", "one", "image"] | None
    """Which images share a camera: those of one make, model, focal length and size by their EXIF data (without them
    each image has its own), those of one folder, all, or none."""
    feature_memory: Whole
    """Memory for features while images are matched, in MiB; a keypoint takes 172 bytes. Beyond it features are read
    again from the database."""
    gpu_feature_memory: Whole
    """Memory of the GPU for features while images are matched, in MiB. Beyond it they are copied to the GPU
    again."""


class ExtractOptions(DescribeOptions, VideoOptions, total=False):
    """The options of `jobs.extract`."""


class FilterOptions(ReadOptions, WorkOptions, total=False):
    """The options of `jobs.filter`."""

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
    trilateral_order: Literal["windows", "rows"] | None
    """Which pixels a GPU takes together: those with windows of one size, or neighbours in a row, which is slower.
    The result is the same, and a CPU has its own order."""


class TrackOptions(FeatureOptions, VideoOptions, total=False):
    """The options of `video.keypoints`."""

    max_motion: Number
    """The largest distance that a point moves from a frame to the next, as a share of the longer side."""
    max_distance: Number
    """The largest Euclidean distance of the descriptors of a followed point."""
    tail: Whole
    """Draw the way of the last N frames behind each point."""


class CompareOptions(SegmentOptions, ClipOptions, WorkOptions, total=False):
    """The options of `video.compare`."""


class AffinityOptions(ClipOptions, WorkOptions, total=False):
    """The options of `video.affinity`."""

    measure: Literal["matches", "vlad"] | None
    """How similar two frames are: the number of features that match and agree, or the product of their VLADs."""
    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth."""
    max_features: Whole
    """Use at most N features of a frame."""


class TakeOptions(ClipOptions, WorkOptions, total=False):
    """The options of `video.takes`."""

    measure: Literal["matches", "vlad"] | None
    """How similar two frames are: the share of their features that match and agree, or the product of their VLADs.
    An archive has no VLADs, so with --index it is always matches."""
    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Compare F frames a second."""
    max_features: Whole
    """Use at most N features of a frame."""
    min_seconds: Number
    """Leave out shorter shots, such as clapper boards."""
    min_affinity: Number
    """The least similarity of two frames that show the same. 0: the limit that frames of different shots exceed by
    chance in one pair of all; by matches, any that is no chance."""
    max_gap: Number
    """The longest part of a take, between frames that show the same, that shows nothing of the other take."""
    min_share: Number
    """The share of the shorter of two takes that both show, in the mean, for groups of takes to be one scene."""


class PlaceOptions(ReadOptions, ClipOptions, WorkOptions, total=False):
    """The options of `video.places`."""

    max_frames: Whole
    """Match at most N frames of a shot. 0: all that show something else."""
    neighbours: Whole
    """Match each frame with the K most similar ones of other shots and images."""
    max_drawings: Whole
    """Draw the matches of at most N pairs on the page."""


class IndexOptions(ClipOptions, WorkOptions, total=False):
    """The options of `video.index`."""

    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth."""
    max_features: Whole
    """Keep at most N features of a frame."""


class SearchOptions(CompareOptions, total=False):
    """The options of `video.search`."""

    every: Whole
    """Take every N-th frame, beginning with the first. 0: by time, see `fps`."""
    fps: Number
    """Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth."""
    max_features: Whole
    """Keep at most N features of a frame."""
    doubled: Flag
    """Search features in the doubled frame too, for small images in images."""
    words: Whole
    """Look each feature up under its W nearest words."""


class DuplicateOptions(SegmentOptions, total=False):
    """The options of `video.duplicates`."""

    isa: Text
    """Instruction set of the CPU."""
    recurring: Whole
    """A segment that N clips or more have, which are no versions of each other, recurs: an intro, a jingle,
    credits."""


class ReportOptions(CompareOptions, total=False):
    """The options of `video.report`."""

    same_coverage: Number
    """Files are the same thing if this share of both lies within segments."""
    max_images: Whole
    """Show images of the N best pairs, for which their files are decoded; the others are rows."""


class ReviewOptions(CompareOptions, total=False):
    """The options of `video.review`."""

    port: Whole
    """The port of 127.0.0.1; 0: one that is free."""
    max_upload: Whole
    """The largest file that the page takes to search for it, in MB."""
    same_coverage: Number
    """Files are the same thing if this share of both lies within segments."""
