"""Which arrays are taken, that their layout does not change the result, and what the errors say."""

import mmap
import subprocess
import sys

import numpy as np
import pytest

import octavo


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("channels", [0, 1, 2, 3, 4])
def test_types_and_channels(extractor, grey, dtype, channels):
    scale = {np.uint8: 1, np.uint16: 257, np.float32: 1 / 255}[dtype]
    image = (grey * dtype(scale)).astype(dtype)
    if channels:
        image = np.stack([image] * channels, axis=-1)
    if channels in (2, 4):
        image[..., -1] = 255 * scale  # alpha
    features = extractor.extract(image)
    assert len(features) > 50
    assert features.keypoints.dtype == octavo.KEYPOINT
    assert features.descriptors.shape == (len(features), 128)
    assert features.descriptors.dtype == np.uint8


LAYOUTS = {
    "upside down": lambda a: a[::-1],
    "mirrored": lambda a: a[:, ::-1],
    "every second row": lambda a: a[::2],
    "every second column": lambda a: a[:, ::2],
    "a part": lambda a: a[3:-5, 7:-2],
    "transposed": lambda a: a.swapaxes(0, 1),
    "columns first": np.asfortranarray,
    "one row many times": lambda a: np.broadcast_to(a[5], a.shape),
    "one row many times, reversed": lambda a: np.broadcast_to(a[5], a.shape)[..., ::-1],
    "an odd address": lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].reshape(a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("image", ["grey", "colour"])
def test_layout_does_not_matter(extractor, request, layout, image):
    array = LAYOUTS[layout](request.getfixturevalue(image))
    assert extractor.extract(array) == extractor.extract(np.ascontiguousarray(array))


def test_reversed_channels_are_read_in_their_order(extractor, colour):
    assert extractor.extract(colour[..., ::-1]) == extractor.extract(np.ascontiguousarray(colour[..., ::-1]))
    assert extractor.extract(colour[..., ::-1]) != extractor.extract(colour)


def test_order_of_channels(extractor, colour):
    bgr = np.ascontiguousarray(colour[..., ::-1])
    expected = extractor.extract(colour)
    with_order = octavo.Extractor(device="cpu", order="bgr")
    assert (
        with_order.extract(bgr)
        == with_order.extract(colour[..., ::-1])
        == extractor.extract(bgr[..., ::-1])
        == expected
    )
    assert octavo.extract(bgr, order="bgr", device="cpu") == expected
    opaque = np.concatenate([bgr, np.full_like(bgr[..., :1], 255)], axis=-1)
    assert with_order.extract(opaque) == expected
    smooth = octavo.trilateral(colour, device="cpu")
    assert np.array_equal(octavo.trilateral(bgr, device="cpu", order="bgr"), smooth[..., ::-1])
    assert np.array_equal(octavo.trilateral(bgr[..., ::-1], device="cpu"), smooth)
    with pytest.raises(octavo.InvalidOption, match="order is .gbr., but must be one of rgb, bgr"):
        octavo.Extractor(order="gbr")


def test_rows_are_not_copied(extractor):
    """Rows lie 16 MiB apart: the memory between them stays untouched."""
    with mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        array = np.lib.stride_tricks.as_strided(np.frombuffer(memory, np.uint8), (64, 48), (1 << 24, 1))
        assert len(extractor.extract(array)) == 0
        del array


def test_read_only(extractor, grey):
    locked = grey.copy()
    locked.flags.writeable = False
    assert extractor.extract(locked) == extractor.extract(grey)
    assert extractor.extract(memoryview(grey)) == extractor.extract(grey)


REFUSED = {
    "float64": (
        lambda a: a / 255,
        r"float64, but must be uint8, uint16 or float32; convert it: image\.astype\(numpy\.float32\)",
    ),
    "float16": (lambda a: (a / 255).astype(np.float16), "float16"),
    "int32": (lambda a: a.astype(np.int32), "int32, but must be"),
    "complex": (lambda a: a.astype(np.complex64), "complex64"),
    "bool": (lambda a: a > 127, r"bool.*image\.astype\(numpy\.uint8\) \* 255"),
    "objects": (lambda a: a.astype(object), "array of Python objects"),
    "texts": (lambda a: a.astype("U"), "array of <U"),
    "other byte order": (lambda a: a.astype(">u2"), "order of another machine"),
    "records": (lambda a: np.zeros(a.shape, [("v", np.uint16), ("w", np.uint8)])["v"], "ascontiguousarray"),
    "CHW": (lambda a: np.stack([a] * 3), r"channels x height x width.*image\.transpose\(1, 2, 0\)"),
    "5 channels": (lambda a: np.stack([a] * 5, axis=-1), "with 1 to 4 channels"),
    "0 channels": (lambda a: a[..., None][..., :0], "with 1 to 4 channels"),
    "1 axis": (lambda a: a[0], r"shape \(160,\), but must be height x width"),
    "4 axes": (lambda a: a[None, ..., None], "must be height x width"),
    "0 axes": (lambda a: a[0, 0], "must be"),
    "no rows": (lambda a: a[:0], "no pixels"),
    "no columns": (lambda a: a[:, :0], "no pixels"),
    "too long": (lambda a: np.broadcast_to(a[:1, :1], (1, 1 << 23)), "at most 4194304"),
    "huge": (lambda a: np.broadcast_to(a[0, 0], (2, 1 << 40)), "too large"),
    "NaN": (lambda a: np.full(a.shape, np.nan, np.float32), "missing, infinite or not numbers"),
    "None": (lambda a: None, "NoneType"),
    "a list": (lambda a: a.tolist(), "list"),
    "a name": (lambda a: "photo.jpg", "read the file first"),
    "a number": (lambda a: 5, "int"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(extractor, grey, case):
    make, sentence = REFUSED[case]
    with pytest.raises(octavo.InvalidArgument, match=sentence) as caught:
        extractor.extract(make(grey))
    assert isinstance(caught.value, ValueError)
    assert len(extractor.extract(grey)) > 0  # it can be used again


def test_pillow_is_told_how(extractor, grey):
    class Image:
        __array_interface__ = property(lambda self: grey.__array_interface__)

    with pytest.raises(octavo.InvalidArgument, match=r"pass numpy\.asarray\(image\)"):
        extractor.extract(Image())


def test_masks(extractor, grey):
    mask = np.zeros(grey.shape, np.uint8)
    mask[:, 80:] = 255
    right = extractor.extract(grey, mask)
    assert 0 < len(right) < len(extractor.extract(grey))
    assert np.all(np.rint(right.x) >= 80)
    assert extractor.extract(grey, mask > 0) == right
    assert extractor.extract(grey, mask[::-1][::-1]) == right
    for bad, sentence in (
        (mask[1:], "the mask is 160×127 pixels"),
        (mask.astype(np.uint16), "one channel of 8 bits"),
        (mask.astype(np.float32), "one channel of 8 bits"),
        (np.stack([mask] * 3, axis=-1), "one channel of 8 bits"),
        (mask.tolist(), "the mask is a list"),
    ):
        with pytest.raises(octavo.InvalidArgument, match=sentence):
            extractor.extract(grey, bad)


def test_an_array_is_kept_during_the_call(extractor, texture):
    expected = extractor.extract(texture())
    assert extractor.extract(texture()) == expected  # the only reference is the call's


def test_results_outlive_the_extractor(grey):
    features = octavo.Extractor(device="cpu").extract(grey)
    keypoints, descriptors = features.keypoints, features.descriptors
    copies = keypoints.copy(), descriptors.copy()
    del features
    for _ in range(20):
        octavo.Extractor(device="cpu").extract(grey)
    assert np.array_equal(keypoints, copies[0]) and np.array_equal(descriptors, copies[1])


def test_import_is_quiet():
    done = subprocess.run([sys.executable, "-W", "error", "-c", "import octavo"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("channels", [2, 4])
def test_what_alpha_hides_has_no_keypoints(texture, kind, channels):
    grey = texture()
    full = 1 if kind is np.float32 else np.iinfo(kind).max
    pixels = (grey / 255 * full).astype(kind)
    opaque = np.full(grey.shape, full, kind)
    half = opaque.copy()
    half[:, : grey.shape[1] // 2] = 0.49 * full
    image = np.stack([pixels] * (channels - 1) + [half], axis=-1)
    found = octavo.extract(image, device="cpu")
    assert found == octavo.extract(np.ascontiguousarray(image), half >= full / 2, device="cpu")
    assert len(found) and (found.x > grey.shape[1] // 2 - 1).all()
    whole = np.stack([pixels] * (channels - 1) + [opaque], axis=-1)
    assert len(octavo.extract(whole, device="cpu")) > len(found)
    left = np.zeros(grey.shape, np.uint8)
    left[: grey.shape[0] // 2] = 255
    both = octavo.extract(image, left, device="cpu")
    assert len(both) < len(found) and (both.y < grey.shape[0] // 2 + 1).all()
