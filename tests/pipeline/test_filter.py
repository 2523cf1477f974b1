"""octavo filter: the result is an image of the same kind as the input."""

import cv2
import numpy as np
import pytest

LUMA = {"bt709": np.array([0.0722, 0.7152, 0.2126]), "bt601": np.array([0.114, 0.587, 0.299])}  # blue, green, red


@pytest.fixture
def filtered(octavo):
    """The program's result for an image that OpenCV writes, as OpenCV reads it."""

    def run(image, *options, ending=".png"):
        cv2.imwrite(str(octavo.folder / f"in{ending}"), image)
        output = octavo("filter", "trilateral", f"in{ending}", "-o", f"out{ending}", *options)
        assert output.startswith(f"out{ending}: {image.shape[1]}x{image.shape[0]}, ") and output.endswith(" ms\n")
        out = cv2.imread(str(octavo.folder / f"out{ending}"), cv2.IMREAD_UNCHANGED)
        assert (out.shape, out.dtype) == (image.shape, image.dtype)
        return out

    return run


def noisy(texture, seed=3):
    random = np.random.default_rng(seed)
    return np.clip(texture() / 255 * 0.8 + 0.1 + random.normal(0, 0.01, texture().shape), 0, 1)


def roughness(image):
    return np.abs(np.diff(image.astype(float), axis=1)).mean()


@pytest.mark.parametrize(
    "depth, ending", [(np.uint8, ".png"), (np.uint16, ".png"), (np.uint16, ".pgm"), (np.float32, ".tif")]
)
def test_depths(filtered, texture, depth, ending):
    top = 1 if depth == np.float32 else np.iinfo(depth).max
    image = (noisy(texture) * top).astype(depth)
    out = filtered(image, ending=ending)
    assert roughness(out) < 0.97 * roughness(image)  # most of the roughness comes from slopes, which stay
    assert np.abs(out.astype(float) - image).max() < 0.2 * top
    # All depths hold the same image.
    grey = filtered((noisy(texture) * 255).astype(np.uint8))
    assert np.abs(out / top - grey / 255).max() < 0.02


@pytest.mark.parametrize("luma", LUMA)
def test_colour_keeps_its_chroma(filtered, texture, luma):
    base = 60 + noisy(texture) * 130
    image = np.stack([base - 30, base, base + 40], axis=2).round().astype(np.uint8)
    out = filtered(image, "--luma", luma, "--spatial-sigma", 2)
    assert out.min() > 0 and out.max() < 255  # nothing was clipped
    before, after = (p.astype(float) for p in (image, out))
    for a, b in ((0, 1), (1, 2)):
        assert np.abs((after[..., a] - after[..., b]) - (before[..., a] - before[..., b])).max() <= 1
    grey = (before @ LUMA[luma] / 255).astype(np.float32)
    expected = filtered(grey, "--spatial-sigma", 2, ending=".tif")
    assert np.abs(after @ LUMA[luma] / 255 - expected).max() < 1 / 255


def test_alpha_stays(filtered, texture):
    grey = (noisy(texture) * 255).astype(np.uint8)
    alpha = np.arange(grey.size, dtype=np.uint8).reshape(grey.shape)
    out = filtered(np.dstack([grey, grey, grey, alpha]))
    assert (out[..., 3] == alpha).all() and (out[..., :3] != grey[..., None]).any()


def test_flat_images_and_single_pixels_stay(filtered):
    for shape in ((40, 60), (1, 1), (40, 60, 3)):
        image = np.full(shape, 77, np.uint8)
        for sigma in (0.5, 32):
            assert (filtered(image, "--spatial-sigma", sigma) == image).all()


def test_devices_and_threads_agree(octavo, filtered, texture):
    image = (noisy(texture) * 65535).astype(np.uint16)
    expected = filtered(image, "--device", "reference", "--spatial-sigma", 3.1)
    for options in (["--threads", 1], ["--threads", 2], ["--trilateral-window", "power-of-two"]):
        assert (filtered(image, "--device", "cpu", "--spatial-sigma", 3.1, *options) == expected).all()
    assert (filtered(image, "--spatial-sigma", 3.1, "--trilateral-window", "certified") != expected).any()


def test_what_cannot_be_read_or_written(octavo, texture):
    broken = np.full((20, 30), np.nan, np.float32)
    cv2.imwrite(str(octavo.folder / "nan.tif"), broken)
    assert "nan.tif" in octavo.error(1, "filter", "trilateral", "nan.tif", "-o", "out.png")
    cv2.imwrite(str(octavo.folder / "a.png"), texture())
    assert "out.gif" in octavo.error(2, "filter", "trilateral", "a.png", "-o", "out.gif")
    assert "no/out.png" in octavo.error(1, "filter", "trilateral", "a.png", "-o", "no/out.png")
    assert not list(octavo.folder.glob("out*"))
