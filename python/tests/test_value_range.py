"""Images whose values do not fill the range of their type."""

import warnings

import numpy as np
import pytest

import octavo


@pytest.fixture(scope="module")
def grey():
    """Blobs of 0 to 255."""
    y, x = np.mgrid[:200, :240]
    return np.rint(127.5 + 127.5 * np.sin(x / 6) * np.cos(y / 7) * np.cos(x * y / 4000)).astype(np.uint8)


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
    with pytest.warns(UserWarning, match="little contrast.* of 65535.*fit_range"):
        assert len(octavo.extract(grey.astype(np.uint16))) == 0
    with pytest.warns(UserWarning, match="all its samples are 7"):
        octavo.extract(np.full((50, 50), 7, np.uint8))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        octavo.extract(grey)


def test_the_hint_for_other_types_works(grey):
    with pytest.raises(octavo.InvalidArgument, match=r"int32.*octavo.fit_range\(image\)"):
        octavo.extract(grey.astype(np.int32))
