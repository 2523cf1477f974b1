"""Descriptors of other detectors, matched as bytes."""

import pickle

import numpy as np
import pytest

import octavo


def descriptors(count, length, seed, noise_of=None):
    """Unit vectors, as those of ALIKED and XFeat, or the same with noise."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, length)) / np.sqrt(length)
    if noise_of is not None:
        rows = noise_of + 0.7 * rows
    return (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)


@pytest.mark.parametrize("length", [1, 64, 127, 128])
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_matches_are_those_of_the_rounded_numbers(length, device):
    b = descriptors(300, length, 1)
    a = descriptors(300, length, 2, b)[:200]
    scale = octavo.DescriptorScale.of(a, b)
    rounded = [np.rint((one.astype(np.float64) - scale.low) / scale.step) for one in (a, b)]
    assert min(map(np.min, rounded)) == 0 and max(map(np.max, rounded)) == 255
    squares = np.sum((rounded[0][:, None] - rounded[1][None]) ** 2, axis=2)
    order = np.argsort(squares, axis=1, kind="stable")[:, :2]
    index, distance2 = octavo.Matcher(device=device).nearest_two(scale.rows(a), scale.rows(b))
    assert np.array_equal(index, order) and np.array_equal(distance2, np.take_along_axis(squares, order, axis=1))


@pytest.mark.parametrize("length", [129, 256, 512])
def test_long_descriptors_are_matched_along_the_axes_in_which_they_differ(length):
    """Descriptors that lie near a plane of 100 dimensions, of which the axes lose nothing but what is rounded."""
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(length, length)))[0][:100]
    b = (descriptors(300, 100, 1) @ turn + 0.5).astype(np.float32)
    a = (descriptors(300, 100, 2, descriptors(300, 100, 1)) @ turn + 0.5).astype(np.float32)[:200]
    scale = octavo.DescriptorScale.of(a, b)
    again = pickle.loads(pickle.dumps(scale))
    assert again == scale != octavo.DescriptorScale.of(a, a) and str(length) in repr(scale)
    parts = [np.rint(np.rint(one.astype(np.float64) * 64 / scale.step) @ scale.axes.astype(np.int64) / 2**18
                     - scale.low / scale.step) for one in (a, b)]  # fmt: skip
    for part, one in zip(parts, (a, b)):
        assert np.array_equal(np.clip(part, 0, 255), again.rows(one))
    both = scale.rows(np.concatenate([a, b]))
    assert (both.min(), both.max()) == (0, 255)
    assert scale.loss(a, b) == 0
    found = [octavo.match(scale.rows(a), scale.rows(b), ratio=0.95, device=device) for device in ("cpu", "reference")]
    assert found[0] == found[1] and np.mean(found[0].a == found[0].b) > 0.99 and len(found[0]) > 150
    for wrong in (a[:, :128], a[:, :-1], np.zeros((1, 513))):
        with pytest.raises(octavo.InvalidArgument, match="numbers|512"):
            scale.rows(wrong)


def test_the_loss_is_told():
    b = descriptors(500, 64, 1)
    a = descriptors(500, 64, 2, b)
    assert octavo.DescriptorScale.of(a, b).loss(a, b) == 0
    exact = np.argmax(a.astype(np.float64) @ b.T, axis=1)
    coarse = octavo.DescriptorScale(float(a.min()), float(np.ptp(a)) / 3)
    index, _ = octavo.Matcher(device="cpu").nearest_two(coarse.rows(a), coarse.rows(b))
    assert 0 < coarse.loss(a, b) == np.mean(index[:, 0] != exact)
    assert coarse.loss(a[:0], b) == 0


def test_rules():
    a = descriptors(5, 32, 1)
    scale = octavo.DescriptorScale.of(a, a[:0])
    assert scale.rows(a).shape == (5, 128) and not scale.rows(a)[:, 32:].any()
    assert pickle.loads(pickle.dumps(scale)) == scale == eval(repr(scale)) != octavo.DescriptorScale(0, 1)
    features = octavo.Features(np.zeros((5, 2)), scale.rows(a))
    assert len(octavo.match(features, features, device="cpu")) == 5
    assert octavo.DescriptorScale.of(np.ones((3, 4))).rows(np.ones((3, 4))).max() == 0
    assert octavo.DescriptorScale(0, 1).rows([[-3, 999]])[0, :2].tolist() == [0, 255]
    for wrong, told in (
        (lambda: scale.rows(np.zeros((2, 256))), "have 256 numbers, but this rule is for 128"),
        (lambda: octavo.DescriptorScale.of(np.zeros((2, 3)), np.zeros((2, 4))), "several lengths"),
        (lambda: octavo.DescriptorScale(0, 1, np.zeros((256, 128))), "an array of 128"),
        (lambda: octavo.DescriptorScale(0, 1).rows(np.zeros((2, 513))), "D of at most 512"),
        (lambda: scale.rows(np.zeros(5)), r"the shape \(5,\)"),
        (lambda: octavo.DescriptorScale.of([[np.nan]]), "not finite"),
        (lambda: octavo.DescriptorScale.of(), "no descriptors"),
        (lambda: octavo.DescriptorScale.of([["a"]]), "must be numbers"),
        (lambda: octavo.DescriptorScale(0, 0), "step above 0"),
    ):
        with pytest.raises(octavo.InvalidArgument, match=told):
            wrong()
