"""octavo.cv2 beside OpenCV: the same calls, types and conventions, and nearly the same keypoints."""

import threading

import numpy as np
import pytest

import octavo

cv2 = pytest.importorskip("cv2", reason="lacks opencv-python-headless")


@pytest.fixture(scope="module")
def images(texture):
    """A photograph-like image in blue, green and red."""
    return np.stack([texture(480, 360, seed) for seed in (5, 6, 7)], axis=-1)


def arrays(keypoints):
    return np.array([[*k.pt, k.size, k.angle, k.response, k.octave] for k in keypoints])


def test_keypoints_are_those_of_opencv(images):
    ours, descriptors = octavo.cv2.SIFT_create(device="cpu").detectAndCompute(images, None)
    theirs, other_descriptors = cv2.SIFT_create(enable_precise_upscale=True).detectAndCompute(images, None)
    assert type(ours) is type(theirs) and isinstance(ours[0], cv2.KeyPoint)
    assert descriptors.dtype == other_descriptors.dtype and descriptors.shape == (len(ours), 128)
    a, b = arrays(ours), arrays(theirs)
    distance = np.hypot(a[:, None, 0] - b[None, :, 0], a[:, None, 1] - b[None, :, 1])
    turn = np.abs((a[:, None, 3] - b[None, :, 3] + 180) % 360 - 180)
    partner = (distance < 0.5) & (np.abs(np.log(a[:, None, 2] / b[None, :, 2])) < np.log(1.1)) & (turn < 5)
    assert partner.any(axis=1).mean() > 0.9 and partner.any(axis=0).mean() > 0.9
    i, j = partner.any(axis=1).nonzero()[0], partner.argmax(axis=1)[partner.any(axis=1)]
    octave_and_layer = a[i, 5].astype(int) & 0xFFFF, b[j, 5].astype(int) & 0xFFFF
    assert np.mean(octave_and_layer[0] == octave_and_layer[1]) > 0.95
    difference = np.linalg.norm(descriptors[i] - other_descriptors[j], axis=1)
    assert np.median(difference) < 60  # of a length of 512


def test_detect_and_compute_are_the_same_as_both_at_once(images):
    sift = octavo.cv2.SIFT_create(200, device="cpu")
    keypoints, descriptors = sift.detectAndCompute(images, None)
    assert np.array_equal(arrays(sift.detect(images)), arrays(keypoints))
    again, computed = sift.compute(images, keypoints)
    assert np.array_equal(arrays(again), arrays(keypoints))
    assert np.mean(np.all(computed == descriptors, axis=1)) > 0.99  # an angle in degrees is rounded once more


def test_channels_are_blue_green_red(images):
    sift = octavo.cv2.SIFT_create(device="cpu")
    expected = octavo.extract(np.ascontiguousarray(images[..., ::-1]), preset="opencv", max_features=0, device="cpu")
    _, descriptors = sift.detectAndCompute(images, None)
    assert np.array_equal(descriptors, expected.descriptors)
    with_alpha = np.concatenate([images, images[..., :1]], axis=-1)
    assert np.array_equal(sift.detectAndCompute(with_alpha, None)[1], descriptors)


def test_masks(images):
    mask = np.zeros(images.shape[:2], np.uint8)
    mask[:, 240:] = 255
    found = arrays(octavo.cv2.SIFT_create(50, device="cpu").detect(images, mask))
    assert len(found) == 50 and np.all(found[:, 0] >= 239.5)  # OpenCV applies its budget before the mask


def test_nothing_found():
    sift = octavo.cv2.SIFT_create(device="cpu")
    assert sift.detectAndCompute(np.zeros((64, 64), np.uint8), None) == ((), None)
    assert sift.compute(np.zeros((64, 64), np.uint8), ()) == ((), None)
    with pytest.raises(octavo.InvalidArgument, match="imread"):
        sift.detect(None)


def test_settings():
    ours, theirs = octavo.cv2.SIFT_create(device="cpu"), cv2.SIFT_create()
    for get in ("defaultNorm", "descriptorSize", "descriptorType", "empty", "getDefaultName", "getNFeatures",
                "getNOctaveLayers", "getContrastThreshold", "getEdgeThreshold", "getSigma"):  # fmt: skip
        assert getattr(ours, get)() == getattr(theirs, get)(), get
    ours.setNFeatures(7)
    ours.setSigma(1.7)
    assert (ours.getNFeatures(), ours.getSigma()) == (7, 1.7)
    with pytest.raises(octavo.InvalidOption, match="layers is 99"):
        ours.setNOctaveLayers(99)
    assert ours.getNOctaveLayers() == 3
    bytes_too = octavo.cv2.SIFT_create(descriptorType=cv2.CV_8U, device="cpu")
    assert bytes_too.descriptorType() == cv2.CV_8U
    with pytest.raises(octavo.InvalidArgument, match="descriptorType"):
        octavo.cv2.SIFT_create(descriptorType=6)
    with pytest.raises(octavo.UnknownOption):
        octavo.cv2.SIFT_create(nFeature=5)


def test_setters_of_two_threads_lose_nothing():
    sift = octavo.cv2.SIFT_create(device="cpu")

    def set_layers():
        for layers in [2, 4] * 50:
            sift.setNOctaveLayers(layers)

    thread = threading.Thread(target=set_layers)
    thread.start()
    for number in range(101):
        sift.setNFeatures(number)
    thread.join()
    assert (sift.getNFeatures(), sift.getNOctaveLayers()) == (100, 4)


def test_keypoints_both_ways(images):
    features = octavo.extract(images, max_features=300, device="cpu")
    again = octavo.cv2.from_keypoints(octavo.cv2.to_keypoints(features))
    for name in ("x", "y", "scale", "response", "octave", "layer"):
        assert np.array_equal(getattr(again, name), getattr(features, name)), name
    assert np.allclose(again.orientation, features.orientation, atol=1e-6)


def test_a_program_works_by_changing_one_line(images):
    def program(sift):
        a, of_a = sift.detectAndCompute(images, None)
        b, of_b = sift.detectAndCompute(np.roll(images, 17, axis=1), None)
        pairs = cv2.BFMatcher(sift.defaultNorm()).knnMatch(of_a, of_b, k=2)
        good = [one for one, other in pairs if one.distance < 0.75 * other.distance]
        return np.median([np.subtract(b[one.trainIdx].pt, a[one.queryIdx].pt) for one in good], axis=0)

    for sift in (cv2.SIFT_create(), octavo.cv2.SIFT_create(device="cpu")):
        assert np.allclose(program(sift), [17, 0], atol=0.1)
