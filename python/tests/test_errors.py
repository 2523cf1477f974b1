"""Every error is an octavo.Error that says what to give, and what it says works."""

import re

import numpy as np
import pytest

import octavo

SQUARE = np.eye(3)

CALLS = {
    "detector is 500, .*pass max_features=500": lambda f: octavo.Extractor(500),
    "detector is 'fast|\"fast\"": lambda f: octavo.Extractor("fast"),
    'no option "nfeature"; did you mean max_features, which is OpenCV\'s nfeatures': lambda f: octavo.Extractor(nfeature=3),
    'no option "max_feature"; did you mean max_features': lambda f: octavo.extract(f, max_feature=3),
    "preset is 5, but must be a string": lambda f: octavo.Extractor(preset=5),
    'preset is "opncv".*did you mean opencv': lambda f: octavo.Extractor(preset="opncv"),
    'device is "cup".*did you mean cpu': lambda f: octavo.Extractor(device="cup"),
    "device is 5, but must be a string": lambda f: octavo.Extractor(device=5),
    'order is "gbr".*did you mean bgr': lambda f: octavo.Extractor(order="gbr"),
    "order is 5": lambda f: octavo.Pyramid(order=5),
    'range is "ful".*did you mean full': lambda f: octavo.Trilateral(range="ful"),
    "range is 5": lambda f: octavo.Extractor(range=5),
    "black is 'a', but must be a number": lambda f: octavo.Extractor(black="a"),
    "progress must be a function": lambda f: octavo.Matcher(progress=5),
    'ticket is \'x\', but must be a whole number': lambda f: octavo.Extractor(device="cpu").collect("x"),
    'keep is "gpu", but must be one of host, device': lambda f: octavo.Extractor(device="cpu").submit(f, keep="gpu"),
    "errors is 5": lambda f: list(octavo.Extractor(device="cpu").batch([f], errors=5)),
    "images are an int": lambda f: list(octavo.Extractor(device="cpu").batch(5)),
    "fewer masks": lambda f: list(octavo.Extractor(device="cpu").batch([f, f], [None])),
    "stream is 'x'": lambda f: octavo.Extractor(device="cpu").extract(f, stream="x"),
    "keypoints is -1, but must be at least 0": lambda f: octavo.Extractor(device="cpu").estimate_description(f, -1),
    "orientation_from is": lambda f: octavo.Extractor(device="cpu").describe(f, [[1, 2, 3]], "mage"),
    "the homography must be numbers": lambda f: octavo.corner_error(SQUARE, "a", (3, 4)),
    "size_a is 3, but must be": lambda f: octavo.corner_error(SQUARE, SQUARE, 3),
    "the fundamental must be numbers": lambda f: octavo.match(f, f, fundamental="a"),
    "stages are an int": lambda f: octavo.inspect(f, stages=5),
    "no options of 'sitf'.*did you mean sift": lambda f: octavo.option_facts("sitf"),
    "level is 'a'": lambda f: octavo.Pyramid(device="cpu").sigma("a"),
    "the file is an int, but must be a path": lambda f: octavo.Features.load(5),
    "the file is a list": lambda f: octavo.Vocabulary.load([]),
    "pairs are of the shape": lambda f: octavo.Matches.of("a"),
    "words is 'a'": lambda f: octavo.FeatureQuantiser("a"),
    "white is 'a'": lambda f: octavo.fit_range(f, white="a"),
    "samples of the image must be numbers": lambda f: octavo.fit_range("a"),
    "the image is an octavo.Extractor, but must be an array": lambda f: octavo.extract(octavo.Extractor()),
    "descriptors are None, but must be octavo.Features": lambda f: octavo.match(octavo.extract(f), None),
    "descriptors are 'a', but must be octavo.Features": lambda f: octavo.train_vocabulary("a"),
    "features are an int": lambda f: octavo.DeviceFeatures(5),
    "n is -1": lambda f: octavo.Matcher(device="cpu").estimate(-1, 5),
    "no presets of 'match'; detectors are sift, foagdd": lambda f: octavo.presets("match"),
    "`black` and `white` have no effect on an image of uint8": lambda f: octavo.extract(f, black=10, white=50),
    "records are None, but must be an array of octavo.MATCH": lambda f: octavo.Matches(None),
    "index is 'a', but must be": lambda f: octavo.extract(f, device="cpu")["a"],
    "the mask is int64.*pass mask != 0": lambda f: octavo.extract(f, (f > 9).astype(np.int64), device="cpu"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*have no description")
@pytest.mark.parametrize(
    "taken",
    [octavo.Features, lambda points: octavo.Extractor(device="cpu").describe(np.zeros((99, 99), np.uint8), points)],
    ids=["Features", "describe"],
)
def test_the_shapes_of_keypoints_that_are_told_are_those_that_are_taken(taken):
    for points in (np.zeros(3), np.zeros((3, 1)), np.zeros((3, 6)), np.zeros((2, 3, 4)), [["a"] * 3]):
        with pytest.raises(octavo.InvalidArgument, match="N x . to N x .") as caught:
            taken(points)
        least, most = map(int, re.findall("N x ([0-9])", str(caught.value)))
        for columns in range(1, 7):
            if least <= columns <= most:
                taken(np.ones((3, columns)))
                continue
            with pytest.raises(octavo.InvalidArgument):
                taken(np.ones((3, columns)))


TAKE_DESCRIPTORS = {
    "match": lambda rows: octavo.match(rows, np.zeros((4, 128), np.uint8), device="cpu"),
    "match, second": lambda rows: octavo.match(np.zeros((4, 128), np.uint8), rows, device="cpu"),
    "match_all": lambda rows: octavo.Matcher(device="cpu").match_all(rows, [rows]),
    "nearest_two": lambda rows: octavo.Matcher(device="cpu").nearest_two(rows, rows),
    "train_vocabulary": lambda rows: octavo.train_vocabulary(rows, words=2, device="cpu"),
    "encode": lambda rows: octavo.VladEncoder(device="cpu").encode(rows),
    "quantise": lambda rows: octavo.FeatureQuantiser(device="cpu").quantise(rows),
}


@pytest.mark.parametrize("call", TAKE_DESCRIPTORS)
@pytest.mark.parametrize("shape", [(4, 64), (4, 256), (128,), (2, 3, 4), (0,)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_descriptors_of_another_length_are_told_by_both(call, shape, dtype):
    with pytest.raises(octavo.InvalidArgument, match=r"must be N x 128; octavo.DescriptorScale") as caught:
        TAKE_DESCRIPTORS[call](np.zeros(shape, dtype))
    assert f"of the shape {shape}, but" in str(caught.value)


@pytest.mark.parametrize("sentence", CALLS)
def test_every_error_is_one_of_octavo(grey, sentence):
    with pytest.raises(octavo.Error, match=sentence) as caught:
        CALLS[sentence](grey)
    assert isinstance(caught.value, (ValueError, TypeError, RuntimeError))


IMAGE = np.zeros((64, 80, 3), np.uint8)
WITH_ARRAYS = [
    lambda: octavo.draw_matches(IMAGE, IMAGE, IMAGE, IMAGE, IMAGE),
    lambda: octavo.write(IMAGE, "x.png"),
    lambda: octavo.jobs.extract([IMAGE], "out"),
    lambda: octavo.align(IMAGE, IMAGE, mask=IMAGE),
    lambda: octavo.evaluate("set", configurations=IMAGE),
    lambda: octavo.Extractor(max_features=IMAGE),
    lambda: octavo.Extractor(preset=IMAGE),
    lambda: octavo.Extractor(IMAGE),
    lambda: octavo.option_facts(IMAGE),
    lambda: octavo.corner_error(SQUARE, SQUARE, IMAGE),
]


@pytest.mark.parametrize("call", WITH_ARRAYS)
def test_an_array_at_a_wrong_place_is_told_by_its_shape(call):
    with pytest.raises(octavo.Error, match=r"an array of \(64, 80, 3\)") as caught:
        call()
    assert len(str(caught.value)) < 250 and "\n" not in str(caught.value)


def test_a_long_value_is_told_in_part():
    with pytest.raises(octavo.WrongType, match="mask is .*…, but must be a path or None") as caught:
        octavo.align(IMAGE, IMAGE, mask=["one"] * 1000)
    assert len(str(caught.value)) < 200


TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint32, np.uint64, np.float16, np.float64, bool]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scale", [1, 100])
def test_what_the_hint_for_a_type_says_gives_keypoints(grey, dtype, scale):
    if scale > 1 and dtype in (bool, np.int8, np.int16, np.float16):
        pytest.skip("such values have no room in the type")
    image = (
        (grey > 127)
        if dtype is bool
        else (grey.astype(np.int64) * scale // (2 if dtype is np.int8 else 1)).astype(dtype)
    )
    with pytest.raises(octavo.InvalidArgument) as caught:
        octavo.extract(image, device="cpu")
    hint = re.search(r"(pass|convert it:) (.*)$", str(caught.value))[2].split(", or ")[0]
    converted = eval(hint, {"image": image, "numpy": np, "octavo": octavo})
    found = octavo.extract(converted, device="cpu")
    assert len(found) > 20, hint
    if scale == 1 and dtype not in (bool, np.int8):
        assert found == octavo.extract(grey, device="cpu")


def test_floats_of_0_to_255_are_taken_or_told(grey):
    image = grey.astype(np.float32)
    assert len(octavo.extract(image, device="cpu")) > 50
    with pytest.raises(octavo.InvalidArgument, match='between 0 and 1; range="image" takes'):
        octavo.extract(image, range="full", device="cpu")


def test_the_mask_of_a_masked_array_is_a_mask(extractor, grey, colour):
    mask = np.zeros(grey.shape, bool)
    mask[:, 80:] = True
    expected = extractor.extract(grey, ~mask)
    masked = np.ma.MaskedArray(grey, mask)
    assert 0 < len(expected) < len(extractor.extract(grey)) and extractor.extract(masked) == expected
    assert extractor.collect(extractor.submit(masked)) == next(iter(extractor.batch([masked]))) == expected
    assert extractor.extract_timed(masked)[0] == octavo.inspect(masked, device="cpu").features == expected
    both = mask.copy()
    both[:60] = True
    assert extractor.extract(masked, np.arange(128)[:, None] + np.zeros(grey.shape, int) >= 60) == extractor.extract(
        grey, ~both
    )
    of_colour = np.ma.MaskedArray(colour, np.stack([mask, mask, mask], axis=-1))
    assert extractor.extract(of_colour) == extractor.extract(colour, ~mask)
    assert len(extractor.extract(np.ma.MaskedArray(grey))) == len(extractor.extract(grey))
    with pytest.raises(octavo.InvalidArgument, match="the mask is"):
        extractor.extract(masked, np.ones((3, 3), bool))
    missing = np.where(mask, np.float32(-9999), grey.astype(np.float32) + 1000)
    fitted = octavo.fit_range(np.ma.MaskedArray(missing, mask))
    assert 0.9 < fitted[~mask].max() <= 1 and fitted[~mask].min() < 0.1
