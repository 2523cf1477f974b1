"""octavo.cv2 beside OpenCV: the same calls, types and conventions, and nearly the same keypoints."""

import pickle
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
    with pytest.raises(octavo.InvalidOption, match="nOctaveLayers is 99"):
        ours.setNOctaveLayers(99)
    assert ours.getNOctaveLayers() == 3
    bytes_too = octavo.cv2.SIFT_create(descriptorType=cv2.CV_8U, device="cpu")
    assert bytes_too.descriptorType() == cv2.CV_8U
    with pytest.raises(octavo.InvalidOption, match="descriptorType"):
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


def test_arguments_are_those_of_opencv(images):
    for arguments in (
        (0, 3, 0.04, 10, 1.6),
        (7, 4, 0.03, 11.0, 1.5, True),
        (7, 4, 0.03, 11.0, 1.5, cv2.CV_8U, True),
        (-1,),
    ):
        ours, theirs = octavo.cv2.SIFT_create(*arguments, device="cpu"), cv2.SIFT_create(*arguments)
        for get in (
            "getNFeatures",
            "getNOctaveLayers",
            "getContrastThreshold",
            "getEdgeThreshold",
            "getSigma",
            "descriptorType",
        ):
            assert getattr(ours, get)() == getattr(theirs, get)(), (arguments, get)
    everything = octavo.cv2.SIFT_create(device="cpu").detect(images)
    assert len(octavo.cv2.SIFT_create(-1, device="cpu").detect(images)) == len(everything) > 100
    with pytest.raises(octavo.InvalidArgument, match="at most 7"):
        octavo.cv2.SIFT_create(0, 3, 0.04, 10, 1.6, 5, True, 1)


def test_errors_have_names_of_opencv():
    with pytest.raises(octavo.UnknownOption, match='SIFT_create has no option "nfeature"; did you mean nfeatures'):
        octavo.cv2.SIFT_create(nfeature=3)
    with pytest.raises(octavo.InvalidOption, match="^nfeatures is 'many', but must be a whole number") as caught:
        octavo.cv2.SIFT_create("many")
    assert caught.value.option == "nfeatures"
    with pytest.raises(octavo.InvalidOption, match="^max_octaves is"):
        octavo.cv2.SIFT_create(max_octaves=-7)


def test_without_precise_upscale_keypoints_are_where_opencv_has_them(images):
    ours, theirs = octavo.cv2.SIFT_create(enable_precise_upscale=False, device="cpu"), cv2.SIFT_create()
    a, b = arrays(ours.detect(images)), arrays(theirs.detect(images))
    apart = b[None, :, 0:2] - a[:, None, 0:2]
    near = np.hypot(*np.moveaxis(apart, 2, 0)).argmin(axis=1)
    moved = apart[np.arange(len(a)), near]
    assert np.all(np.abs(np.median(moved, axis=0)) < 0.02)
    precise = arrays(octavo.cv2.SIFT_create(device="cpu").detect(images))
    assert np.allclose(a[:, 0:2] - precise[:, 0:2], 0.25, atol=1e-4)
    keypoints, descriptors = ours.detectAndCompute(images)
    assert np.mean(np.all(ours.compute(images, keypoints)[1] == descriptors, axis=1)) > 0.98


def test_lists_of_images(images):
    sift = octavo.cv2.SIFT_create(30, device="cpu")
    several = [images, images[::-1].copy(), np.zeros((40, 40), np.uint8)]
    theirs = cv2.SIFT_create(30).detect(several)
    found = sift.detect(several)
    assert type(found) is type(theirs) and [type(one) for one in found] == [type(one) for one in theirs]
    assert np.array_equal(arrays(found[1]), arrays(sift.detect(several[1]))) and found[2] == ()
    keypoints, descriptors = sift.compute(several, found)
    assert len(keypoints[0]) == len(descriptors[0]) == len(found[0]) and descriptors[2] is None
    assert np.array_equal(sift.detectAndCompute(several)[1][1], sift.detectAndCompute(several[1])[1])
    masks = [np.zeros(one.shape[:2], np.uint8) for one in several]
    assert sift.detect(several, masks) == ((), (), ()) and sift.detect([]) == ()
    with pytest.raises(octavo.InvalidArgument, match="3 images need a list of 3 masks"):
        sift.detect(several, masks[:2])


def test_umat(images):
    sift = octavo.cv2.SIFT_create(50, device="cpu")
    keypoints, descriptors = sift.detectAndCompute(cv2.UMat(images), None)
    expected = sift.detectAndCompute(images, None)
    assert isinstance(descriptors, cv2.UMat) and np.array_equal(descriptors.get(), expected[1])
    assert np.array_equal(arrays(keypoints), arrays(expected[0]))
    assert isinstance(sift.compute(cv2.UMat(images), keypoints)[1], cv2.UMat)
    assert sift.detect(images, cv2.UMat(np.zeros(images.shape[:2], np.uint8))) == ()


def test_settings_are_written_and_read(tmp_path):
    ours = octavo.cv2.SIFT_create(9, 4, 0.03, 11, 1.5, descriptorType=cv2.CV_8U, device="cpu")
    theirs = cv2.SIFT_create(9, 4, 0.03, 11, 1.5, cv2.CV_8U, True)
    ours.write(str(tmp_path / "ours.yml"))
    theirs.write(str(tmp_path / "theirs.yml"))
    assert (tmp_path / "ours.yml").read_text() == (tmp_path / "theirs.yml").read_text()
    read = octavo.cv2.SIFT_create(device="cpu")
    read.read(tmp_path / "theirs.yml")
    other = cv2.SIFT_create()
    other.read(str(tmp_path / "ours.yml"))
    for sift in (read, other):
        assert (sift.getNFeatures(), sift.getNOctaveLayers(), sift.getSigma(), sift.descriptorType()) == (
            9,
            4,
            1.5,
            cv2.CV_8U,
        )
    storage = cv2.FileStorage("x.yml", cv2.FILE_STORAGE_WRITE | cv2.FILE_STORAGE_MEMORY)
    ours.write(storage, "sift")
    text = storage.releaseAndGetString()
    again = octavo.cv2.SIFT_create(device="cpu")
    storage = cv2.FileStorage(text, cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY)
    again.read(storage.getNode("sift"))
    assert again.getNFeatures() == 9 and again.clear() is None
    with pytest.raises(octavo.FileError, match="none"):
        again.read(tmp_path / "none.yml")


def test_pickle(images):
    sift = octavo.cv2.SIFT_create(20, device="cpu", enable_precise_upscale=False)
    assert np.array_equal(arrays(pickle.loads(pickle.dumps(sift)).detect(images)), arrays(sift.detect(images)))


def test_affine_features_are_those_of_opencv(images):
    ours = octavo.cv2.AffineFeature_create(octavo.cv2.SIFT_create(device="cpu"), 3)
    theirs = cv2.AffineFeature_create(cv2.SIFT_create(enable_precise_upscale=True), 3)
    keypoints, descriptors = ours.detectAndCompute(images, None)
    others, _ = theirs.detectAndCompute(images, None)
    tilts, rolls = ours.getViewParams()
    counts = [np.bincount([one.class_id for one in many], minlength=len(tilts)) for many in (keypoints, others)]
    assert len(counts[0]) == len(counts[1]) == len(tilts) == len(rolls)
    assert np.all(np.abs(counts[0] - counts[1]) <= 3 + 0.1 * counts[1])
    for view in range(len(tilts)):
        a = arrays([one for one in keypoints if one.class_id == view])[:, 0:2]
        b = arrays([one for one in others if one.class_id == view])[:, 0:2]
        nearest = np.hypot(*np.moveaxis(a[:, None] - b[None], 2, 0)).min(axis=1)
        assert np.mean(nearest < 0.5) > 0.85, view
    assert descriptors.shape == (len(keypoints), 128) and ours.descriptorType() == cv2.CV_32F
    again, computed = ours.compute(images, keypoints)
    assert len(again) == len(computed) > 0.99 * len(keypoints)
    assert ours.getDefaultName() == theirs.getDefaultName()
    ours.setViewParams([1], [0])
    assert np.array_equal(
        ours.detectAndCompute(images)[1], octavo.cv2.SIFT_create(device="cpu").detectAndCompute(images)[1]
    )
    with pytest.raises(octavo.InvalidArgument, match="backend is a SIFT, but must be a detector of octavo.cv2"):
        octavo.cv2.AffineFeature(cv2.SIFT_create())


def test_features_for_stitching_are_those_of_the_finder(images):
    sift = octavo.cv2.SIFT_create(50, device="cpu")
    mask = np.zeros(images.shape[:2], np.uint8)
    mask[:, :240] = 255
    one = octavo.cv2.detail.computeImageFeatures2(sift, images, mask)
    keypoints, descriptors = sift.detectAndCompute(images, mask)
    assert type(one) is cv2.detail.ImageFeatures and one.img_size == images.shape[1::-1]
    assert np.array_equal(arrays(one.getKeypoints()), arrays(keypoints))
    assert np.array_equal(one.descriptors.get(), descriptors)
    many = octavo.cv2.detail.computeImageFeatures(sift, [images, np.zeros((40, 40), np.uint8)])
    assert [(each.img_idx, len(each.getKeypoints())) for each in many] == [(0, 50), (1, 0)]
    of_opencv = octavo.cv2.detail.computeImageFeatures2(cv2.SIFT_create(), images)
    assert len(of_opencv.getKeypoints()) == len(cv2.SIFT_create().detect(images))


def test_bag_of_words(images):
    sift = octavo.cv2.SIFT_create(200, device="cpu")
    keypoints, descriptors = sift.detectAndCompute(images, None)
    bow = octavo.cv2.BOWImgDescriptorExtractor(sift, octavo.cv2.BFMatcher(device="cpu"))
    with pytest.raises(octavo.InvalidArgument, match="setVocabulary"):
        bow.compute(images, keypoints)
    words = descriptors[:40] + np.float32(0.25)
    bow.setVocabulary(words)
    rows = sift.compute(images, keypoints)[1]
    nearest = np.linalg.norm(rows[:, None] - words[None], axis=2).argmin(axis=1)
    assert np.allclose(bow.compute(images, keypoints), np.bincount(nearest, minlength=40)[None] / len(rows))
    assert bow.compute(images, []) is None and bow.descriptorSize() == 40


def test_other_names_are_those_of_opencv():
    assert (
        octavo.cv2.imread is cv2.imread and octavo.cv2.detail.leaveBiggestComponent is cv2.detail.leaveBiggestComponent
    )
    assert octavo.cv2.__version__ == cv2.__version__
    with pytest.raises(AttributeError):
        _ = octavo.cv2.SURF_make


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
