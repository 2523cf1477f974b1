"""Images whose values do not fill the range of their type."""

import os
import subprocess
import warnings

import numpy as np
import pytest

import octavo


@pytest.fixture(scope="module")
def grey():
    """Blobs of 0 to 255."""
    y, x = np.mgrid[:200, :240]
    return np.rint(127.5 + 127.5 * np.sin(x / 6) * np.cos(y / 7) * np.cos(x * y / 4000)).astype(np.uint8)


DIM = {
    "10 bits": lambda a: (a.astype(np.uint32) * 1023 // 255).astype(np.uint16),
    "kelvin": lambda a: a.astype(np.float32) / 10 + 273,
    "no data": lambda a: np.where(np.arange(a.size).reshape(a.shape) < 500, np.float32(-9999), a),
    "hot pixel": lambda a: np.where(np.arange(a.size).reshape(a.shape) == 777, np.float32(1e6), a / np.float32(255)),
    "nan": lambda a: np.where(np.arange(a.size).reshape(a.shape) < 500, np.float32(np.nan), a / np.float32(255)),
}


@pytest.mark.parametrize("dim", DIM.values(), ids=DIM)
def test_arrays_have_the_features_of_their_files(grey, dim, tmp_path):
    image = dim(grey)
    wanted = octavo.extract(octavo.fit_range(image))
    assert len(wanted) == pytest.approx(len(octavo.extract(grey)), rel=0.05)
    extractor = octavo.Extractor()
    assert (
        octavo.extract(image)
        == wanted
        == extractor.collect(extractor.submit(image))
        == extractor.extract_timed(image)[0]
    )
    assert next(iter(extractor.batch([image]))) == wanted == octavo.inspect(image, stages=()).features
    assert extractor.describe(image, wanted).features == wanted
    program = os.environ.get("OCTAVO_PROGRAM")
    cv2 = pytest.importorskip("cv2")
    if program is None:
        pytest.skip("OCTAVO_PROGRAM names no program")
    cv2.imwrite(str(tmp_path / "dim.tif"), image)
    subprocess.run(
        [program, "extract", "dim.tif", "-o", ".", "--format", "npz"], cwd=tmp_path, check=True, capture_output=True
    )
    assert octavo.Features.load(tmp_path / "dim.tif.npz") == wanted


def test_the_range_is_an_option(grey):
    dim = DIM["10 bits"](grey)
    full = octavo.Extractor(range="full")
    assert len(full.extract(grey)) > 100
    with pytest.warns(UserWarning, match='little contrast.* of 65535; range="image" takes'):
        assert len(full.extract(dim)) == 0
    given = octavo.extract(dim, black=0, white=2046)
    assert given == full.extract(octavo.fit_range(dim, 0, 2046)) != octavo.extract(dim)
    with pytest.raises(octavo.InvalidArgument, match="between 0 and 1"):
        full.extract(DIM["kelvin"](grey))
    with pytest.raises(octavo.InvalidArgument, match="all samples of the image are missing"):
        octavo.extract(np.full((50, 50), np.nan, np.float32))
    with pytest.raises(octavo.InvalidOption, match="range is .ful., but must be one of image, full"):
        octavo.extract(grey, range="ful")
    with pytest.raises(octavo.InvalidOption, match="white is 5, but must be above `black`, 7"):
        octavo.Pyramid(black=7, white=5)
    with pytest.raises(octavo.InvalidOption, match="must be image beside"):
        octavo.Trilateral(range="full", white=5)


def test_what_the_mask_leaves_out_does_not_count(grey):
    dim = DIM["10 bits"](grey)
    dim[:, :40] = 60000
    mask = np.ones(grey.shape, bool)
    mask[:, :40] = False
    assert octavo.extract(dim, mask) == octavo.extract(octavo.fit_range(dim, mask=mask), mask)


def test_filtered_images_and_pyramids_are_of_the_range(grey):
    kelvin = DIM["kelvin"](grey)
    smooth = octavo.trilateral(kelvin, black=273, white=298.5)
    assert smooth.dtype == np.float32
    assert smooth == pytest.approx(octavo.trilateral(octavo.fit_range(kelvin, 273, 298.5)) * 25.5 + 273, abs=0.01)
    assert octavo.trilateral(kelvin) == pytest.approx(smooth, abs=0.5)
    levels = [
        pyramid.make(image)[0].gaussians[0]
        for pyramid in [octavo.Pyramid()]
        for image in (kelvin, octavo.fit_range(kelvin))
    ]
    assert np.array_equal(*levels)


@pytest.mark.parametrize(
    "dim",
    [
        lambda a: (a.astype(np.uint32) * 1023 // 255).astype(np.uint16),
        lambda a: a.astype(np.int32),
        lambda a: a.astype(np.float64) / 10 + 273,
        lambda a: np.where(np.arange(a.size).reshape(a.shape) < 500, -9999, a.astype(np.int16)),
        lambda a: np.where(np.arange(a.size).reshape(a.shape) == 777, np.float32(1e6), a / np.float32(255)),
        lambda a: np.where(np.arange(a.size).reshape(a.shape) < 500, np.nan, a / np.float32(255)),
    ],
    ids=["10 bits", "int32", "kelvin", "no data", "hot pixel", "nan"],
)
def test_dim_images_have_the_keypoints_of_bright_ones(grey, dim):
    wanted = len(octavo.extract(grey))
    assert wanted > 100
    assert len(octavo.extract(octavo.fit_range(dim(grey)))) == pytest.approx(wanted, rel=0.05)


def test_the_range_may_be_given(grey):
    mapped = octavo.fit_range(grey.astype(np.float32), 0, 510)
    assert mapped.dtype == np.float32 and mapped == pytest.approx(grey / 510)
    assert np.array_equal(octavo.fit_range(grey), grey)
    masked = octavo.fit_range(grey.astype(np.uint16) + 20000, mask=grey > 100)
    assert masked.max() == 65535 and (masked[grey < 100] == 0).all()
    with pytest.raises(octavo.InvalidArgument, match="range"):
        octavo.fit_range(grey.astype(np.uint16), 5, 5)


def test_no_keypoints_are_warned_of(grey):
    with pytest.warns(UserWarning, match="all its samples are 7") as warned:
        octavo.extract(np.full((50, 50), 7, np.uint8))
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        octavo.extract(grey)


def test_luma_of_a_frame(grey):
    """NV12 as OpenCV and PyAV give it: rows of luma, then half as many rows of chroma."""
    limited = np.rint(16 + grey * (219 / 255)).astype(np.uint8)
    frame = np.vstack([limited, np.full((100, 240), 128, np.uint8)])
    luma = octavo.fit_range(frame[:200], 16, 235)
    assert luma.dtype == np.uint8 and np.abs(luma.astype(int) - grey).max() <= 1
    full = np.vstack([grey, np.full((100, 240), 128, np.uint8)])
    assert octavo.extract(full[:200]) == octavo.extract(grey)
