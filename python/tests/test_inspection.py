"""Inspections as arrays: planes are those of the pyramid, and candidates explain the features."""

import numpy as np
import pytest

import octavo


@pytest.fixture(scope="module")
def inspection(grey):
    return octavo.inspect(grey, device="cpu", max_features=40)


def points_of(records):
    """Refinement may move a point to another layer than that of its grid point."""
    return {(int(k["octave"]), float(k["x"]), float(k["y"]), float(k["scale"])) for k in records}


def test_planes_are_those_of_the_pyramid(grey, inspection):
    octaves = octavo.Pyramid(device="cpu", max_features=40).make(grey)
    assert [one.octave for one in inspection.octaves] == [one.octave for one in octaves]
    for stage, images in (("blur", "gaussians"), ("difference", "differences")):
        planes = [plane for plane in inspection.planes if plane.stage == stage]
        expected = [image for one in octaves for image in getattr(one, images)]
        assert len(planes) == len(expected) > 0
        for plane, image in zip(planes, expected, strict=True):
            assert plane.pixels.dtype == np.float32 and np.array_equal(plane.pixels, image), plane
    blur = next(plane for plane in inspection.planes if (plane.stage, plane.octave, plane.level) == ("blur", 0, 0))
    assert (blur.black, blur.white) != (0, 0) and blur.sigma == pytest.approx(octavo.Pyramid(device="cpu").sigma(0))


def test_kept_candidates_are_the_points_of_the_features(grey, inspection):
    assert inspection.features == octavo.extract(grey, device="cpu", max_features=40)
    kept = inspection.with_verdict("kept")
    assert points_of(kept) == points_of(inspection.features.keypoints)
    assert kept["keypoints"].sum() == len(inspection.features) == sum(one.keypoints for one in inspection.octaves)
    assert np.all(
        inspection.candidates["keypoints"][inspection.candidates["verdict"] != octavo.VERDICTS.index("kept")] == 0
    )


def test_counts_and_order_are_those_of_the_candidates(inspection):
    candidates = inspection.candidates
    for octave in inspection.octaves:
        of_octave = candidates[candidates["octave"] == octave.octave]
        counts = {word: int((of_octave["verdict"] == octavo.VERDICTS.index(word)).sum()) for word in octave.verdicts}
        assert counts == octave.verdicts and sum(counts.values()) == len(of_octave)
        assert len(octave.faint) == 4 and min(octave.faint) >= 0
    keys = [tuple(int(one[name]) for name in ("octave", "layer", "row", "column")) for one in candidates]
    assert keys == sorted(keys) and len(keys) > 40
    assert len(inspection.with_verdict("over budget")) > 0
    with pytest.raises(octavo.InvalidOption, match='verdict is "lost"'):
        inspection.with_verdict("lost")


def test_candidates_are_extreme_in_the_differences(inspection):
    planes = {(p.octave, p.level): p.pixels for p in inspection.planes if p.stage == "difference"}
    for one in inspection.candidates:
        octave, layer, row, column = (int(one[name]) for name in ("octave", "layer", "row", "column"))
        around = np.stack([planes[octave, layer + d][row - 1 : row + 2, column - 1 : column + 2] for d in (-1, 0, 1)])
        centre = around[1, 1, 1]
        assert centre in (around.max(), around.min()) and (around == centre).sum() == 1


def test_stages_choose_the_planes(grey):
    assert octavo.inspect(grey, device="cpu", stages=()).planes == []
    assert {p.stage for p in octavo.inspect(grey, device="cpu", stages="difference").planes} == {"difference"}
    trilateral = octavo.inspect(grey, device="cpu", smoothing="trilateral")
    assert {"gradient", "region", "detail", "blur", "difference"} <= {p.stage for p in trilateral.planes}
    with pytest.raises(octavo.InvalidOption, match='a stage is "blurs".*did you mean blur'):
        octavo.inspect(grey, device="cpu", stages=["blurs"])


def test_kernels_make_the_blurs(inspection):
    kernel = inspection.kernels[1]
    weights = np.concatenate([kernel.weights[:0:-1], kernel.weights]).astype(np.float64)
    assert weights.sum() == pytest.approx(1, abs=1e-6)
    first, second = (
        next(p.pixels for p in inspection.planes if (p.stage, p.octave, p.level) == ("blur", 0, level)).astype(
            np.float64
        )
        for level in (0, 1)
    )
    inner = len(weights)
    rows = np.apply_along_axis(lambda line: np.convolve(line, weights, "same"), 1, first)
    both = np.apply_along_axis(lambda line: np.convolve(line, weights, "same"), 0, rows)
    assert np.abs(both - second)[inner:-inner, inner:-inner].max() < 1e-5


def test_foagdd(grey):
    result = octavo.inspect(grey, detector="foagdd", device="cpu")
    assert result.features == octavo.extract(grey, detector="foagdd", device="cpu") and len(result.features) > 0
    assert result.responses.shape == (len(result.candidates), len(result.scales))
    assert np.array_equal(result.responses[:, 0], result.candidates["value"])
    first = result.scales[0]
    assert first.judged == first.below_threshold + first.not_highest + first.passed
    measures = {p.scale: p.pixels for p in result.planes if p.stage == "measure"}
    assert sorted(measures) == [one.scale for one in result.scales]
    rows, columns = result.candidates["row"], result.candidates["column"]
    for i, one in enumerate(result.scales):
        assert np.array_equal(measures[one.scale][rows, columns], result.responses[:, i])
    assert octavo.inspect(grey, device="cpu").responses.shape == (0, 0)


def test_masks_and_errors(grey):
    mask = np.zeros(grey.shape, bool)
    mask[:, : grey.shape[1] // 2] = True
    masked = octavo.inspect(grey, mask, device="cpu", stages=())
    assert masked.features == octavo.extract(grey, mask, device="cpu")
    outside = masked.with_verdict("outside mask")
    assert len(outside) > 0 and np.all(np.rint(outside["x"]) >= grey.shape[1] // 2)
    tiny = octavo.inspect(np.zeros((2, 2), np.uint8), device="cpu")
    assert tiny.octaves == [] and len(tiny.candidates) == 0 and tiny.planes == []
    with pytest.raises(octavo.UnknownOption, match="max_feature"):
        octavo.inspect(grey, max_feature=3)
    with pytest.raises(octavo.InvalidArgument):
        octavo.inspect(grey.astype(np.float64))
    with pytest.raises(octavo.InvalidOption, match="layers"):
        octavo.inspect(grey, layers=0)


def test_progress_may_stop_it(grey):
    def stop(stage, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        octavo.inspect(np.tile(grey, (8, 8)), device="cpu", progress=stop)


def test_filters_of_foagdd(grey):
    seen = octavo.inspect(grey, detector="foagdd", device="cpu", stages=())
    assert [(f.scale, f.direction) for f in seen.filters] == [(s, d) for s in (1, 2, 3) for d in range(8)]
    first = seen.filters[0].weights
    assert first.shape == (31, 31) and first[14, 15] > 0 and np.array_equal(first, -first[::-1])
    assert np.allclose(first.T, seen.filters[4].weights, atol=1e-7)  # direction 4 of 8 points to the right


def test_the_image_before_the_first_blur(grey, inspection):
    (image,) = [plane for plane in inspection.planes if plane.stage == "image"]
    assert (image.octave, image.level) == (-1, -1) and inspection.filters == []
    assert np.allclose(image.pixels[::2, ::2], grey / np.float32(255), atol=1e-6)
    assert [plane.stage for plane in octavo.inspect(grey, stages=["image"], device="cpu").planes] == ["image"]
