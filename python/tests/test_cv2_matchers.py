"""The matchers of octavo.cv2 give OpenCV's matches, in its order, also among equal distances."""

import numpy as np
import pytest

import octavo

cv2 = pytest.importorskip("cv2", reason="lacks opencv-python-headless")


def told(matches):
    """Matches as tuples, nested as OpenCV nests them."""
    if isinstance(matches, cv2.DMatch):
        return matches.queryIdx, matches.trainIdx, matches.imgIdx, matches.distance
    assert type(matches) is tuple
    return tuple(told(one) for one in matches)


def of_any_order(matches):
    """OpenCV sorts those within a radius by distance alone, and keeps empty ones at the end."""
    return [sorted(many, key=lambda one: (one[3], one[2], one[1])) for many in told(matches) if many]


@pytest.fixture(params=[2, 3, 16, 256])
def sets(request):
    """Queries and train descriptors with few or many equal distances."""
    random = np.random.default_rng(request.param)
    queries, trains = (random.integers(0, request.param, (n, 128)) for n in (23, 31))
    trains[:5], trains[-1] = queries[:5], queries[0]
    return queries, trains


@pytest.mark.parametrize("norm", [cv2.NORM_L2, cv2.NORM_L2SQR])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_matches_are_those_of_opencv(sets, dtype, norm):
    queries, trains = (one.astype(dtype) for one in sets)
    ours, theirs = octavo.cv2.BFMatcher(norm, device="cpu"), cv2.BFMatcher(norm)
    mask = (np.random.default_rng(0).random((23, 31)) < 0.4).astype(np.uint8)
    mask[0] = 0
    radius = float(np.median([one.distance for one in theirs.match(queries, trains)]) * 1.1)
    for match in (
        lambda matcher: matcher.match(queries, trains),
        lambda matcher: matcher.match(queries, trains, mask),
        lambda matcher: matcher.knnMatch(queries, trains, k=1),
        lambda matcher: matcher.knnMatch(queries, trains, 2),
        lambda matcher: matcher.knnMatch(queries, trainDescriptors=trains, k=5),
        lambda matcher: matcher.knnMatch(queries, trains, 40),
        lambda matcher: matcher.knnMatch(queries, trains, 2, mask),
        lambda matcher: matcher.knnMatch(queries, trains, 2, mask, True),
    ):
        assert told(match(ours)) == told(match(theirs))
    for match in (
        lambda matcher: matcher.radiusMatch(queries, trains, radius),
        lambda matcher: matcher.radiusMatch(queries, trains, radius, mask, compactResult=True),
    ):
        assert of_any_order(match(ours)) == of_any_order(match(theirs))


def test_matches_with_those_that_were_added_are_those_of_opencv(sets):
    queries, trains = (one.astype(np.float32) for one in sets)
    ours, theirs = octavo.cv2.BFMatcher(device="cpu"), cv2.BFMatcher()
    assert ours.empty() and ours.match(queries) == ()
    added = [trains, queries, trains[3:]]
    random = np.random.default_rng(0)
    masks = [(random.random((23, len(one))) < 0.5).astype(np.uint8) for one in added]
    for matcher in (ours, theirs):
        matcher.add(added)
        matcher.train()
    for match in (
        lambda matcher: matcher.match(queries),
        lambda matcher: matcher.match(queries, masks),
        lambda matcher: matcher.match(queries, masks=masks),
        lambda matcher: matcher.knnMatch(queries, 3),
        lambda matcher: matcher.knnMatch(queries, k=2, masks=masks, compactResult=True),
    ):
        assert told(match(ours)) == told(match(theirs))
    assert of_any_order(ours.radiusMatch(queries, 20.0)) == of_any_order(theirs.radiusMatch(queries, 20.0))
    assert [one.shape for one in ours.getTrainDescriptors()] == [one.shape for one in theirs.getTrainDescriptors()]
    assert ours.clone(True).empty() and told(ours.clone().match(queries)) == told(ours.match(queries))
    ours.clear()
    assert ours.empty()


def test_cross_checked_matches_are_those_of_opencv(sets):
    queries, trains = (one.astype(np.float32) for one in sets)
    ours, theirs = octavo.cv2.BFMatcher(crossCheck=True, device="cpu"), cv2.BFMatcher(crossCheck=True)
    assert told(ours.match(queries, trains)) == told(theirs.match(queries, trains))
    assert told(ours.knnMatch(queries, trains, 1)) == told(theirs.knnMatch(queries, trains, 1))
    with pytest.raises(octavo.InvalidArgument, match="must be 1"):
        ours.knnMatch(queries, trains, 2)
    with pytest.raises(octavo.InvalidArgument, match="no mask"):
        ours.match(queries, trains, np.ones((23, 31), np.uint8))


def test_photographs(photograph):
    a, b = (cv2.imread(str(photograph(name))) for name in ("graf1.png", "graf3.png"))
    sift = octavo.cv2.SIFT_create(device="cpu")
    of_a, of_b = (sift.detectAndCompute(one, None)[1] for one in (a, b))
    assert told(octavo.cv2.BFMatcher(device="cpu").knnMatch(of_a, of_b, 2)) == told(
        cv2.BFMatcher().knnMatch(of_a, of_b, 2)
    )


def test_flann_is_exact(sets):
    queries, trains = (one.astype(np.float32) for one in sets)
    parameters = {"algorithm": 1, "trees": 5}, {"checks": 50}
    found = octavo.cv2.FlannBasedMatcher(*parameters, device="cpu").knnMatch(queries, trains, k=2)
    assert told(found) == told(cv2.BFMatcher().knnMatch(queries, trains, k=2))
    assert type(cv2.FlannBasedMatcher(*parameters).knnMatch(queries, trains, k=2)) is tuple


def test_nothing_to_match():
    rows, none = np.zeros((3, 128), np.float32), np.zeros((0, 128), np.float32)
    matcher = octavo.cv2.BFMatcher(device="cpu")
    assert told(matcher.knnMatch(rows, none, 2)) == told(cv2.BFMatcher().knnMatch(rows, none, 2))
    assert matcher.match(none, rows) == matcher.match(None, rows) == matcher.knnMatch(none, rows, 2) == ()


def test_wrong_arguments_are_told():
    rows = np.zeros((3, 128), np.float32)
    matcher = octavo.cv2.BFMatcher(device="cpu")
    for wrong, told_is in (
        (lambda: matcher.match(rows, rows[:, :64]), "cv2.BFMatcher cannot match these descriptors"),
        (lambda: octavo.cv2.BFMatcher(cv2.NORM_HAMMING).match(rows, rows), "cannot match these descriptors"),
        (lambda: octavo.cv2.DescriptorMatcher_create("Brute"), "'Brute': Unknown matcher"),
        (lambda: matcher.knnMatch(rows, rows, 0), "k is 0"),
        (lambda: matcher.knnMatch(rows, rows), "k is not given"),
        (lambda: matcher.knnMatch(rows, rows, 2, wrong=1), "no argument 'wrong'"),
        (lambda: matcher.match(rows, rows, np.ones((3, 4), np.uint8)), "the masks are"),
        (lambda: matcher.match(rows, rows, np.ones((4, 3), np.uint8)), "the mask has 4 rows"),
    ):
        with pytest.raises(octavo.InvalidArgument, match=told_is):
            wrong()


@pytest.mark.parametrize(
    ("dtype", "columns", "norm"),
    [
        (np.uint8, 32, cv2.NORM_HAMMING),
        (np.float32, 128, cv2.NORM_L1),
        (np.float32, 64, cv2.NORM_L2),
        (np.float32, 128, cv2.NORM_L2),
    ],
)
def test_descriptors_of_others_are_matched_by_opencv(dtype, columns, norm):
    random = np.random.default_rng(columns)
    queries, trains = ((random.random((n, columns)) * 255).astype(dtype) for n in (23, 31))
    ours, theirs = octavo.cv2.BFMatcher(norm, device="cpu"), cv2.BFMatcher(norm)
    assert told(ours.knnMatch(queries, trains, k=3)) == told(theirs.knnMatch(queries, trains, k=3))
    for matcher in (ours, theirs):
        matcher.add([trains, queries])
    assert told(ours.match(queries)) == told(theirs.match(queries))


def test_flann_of_binary_descriptors_is_that_of_opencv():
    rows = np.random.default_rng(1).integers(0, 256, (40, 32), np.uint8)
    lsh = {"algorithm": 6, "table_number": 6, "key_size": 12, "multi_probe_level": 1}, {"checks": 50}
    assert all(one.queryIdx == one.trainIdx for one in octavo.cv2.FlannBasedMatcher(*lsh).match(rows, rows))


@pytest.mark.parametrize("name", ["BruteForce", "BruteForce-SL2", "FlannBased", "BruteForce-Hamming", "BruteForce-L1"])
def test_matchers_by_name(name):
    rows = np.random.default_rng(2).integers(0, 256, (9, 128), np.uint8)
    rows = rows if "Hamming" in name else rows.astype(np.float32)
    ours, theirs = octavo.cv2.DescriptorMatcher.create(name), cv2.DescriptorMatcher_create(name)
    assert told(ours.match(rows, rows[::-1].copy())) == told(theirs.match(rows, rows[::-1].copy()))
    assert isinstance(ours, octavo.cv2.DescriptorMatcher) == (name in ("BruteForce", "BruteForce-SL2", "FlannBased"))


def test_matchers_are_written_as_those_of_opencv(tmp_path):
    parameters = {"algorithm": 1, "trees": 5}, {"checks": 50}
    ours, theirs = octavo.cv2.FlannBasedMatcher(*parameters), cv2.FlannBasedMatcher(*parameters)
    for method in ("write", "save"):
        for matcher, name in ((ours, "ours.yml"), (theirs, "theirs.yml")):
            getattr(matcher, method)(str(tmp_path / name))
        assert (tmp_path / "ours.yml").read_bytes() == (tmp_path / "theirs.yml").read_bytes()
    ours.read(str(tmp_path / "theirs.yml"))
    assert ours.getDefaultName() == theirs.getDefaultName()


def test_octavo_matches_floats_that_are_whole_numbers(grey):
    features = octavo.extract(grey, device="cpu")
    floats = features.descriptors.astype(np.float32)
    assert octavo.match(floats, floats, device="cpu") == octavo.match(features, features, device="cpu")
    for wrong in (floats + 0.25, floats - 1, floats * np.nan, floats + 256):
        with pytest.raises(octavo.InvalidArgument, match="whole numbers from 0 to 255"):
            octavo.match(floats, wrong, device="cpu")
