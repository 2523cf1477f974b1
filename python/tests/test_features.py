"""Features, matches, and that they are those of the program."""

import os
import pickle
import subprocess

import numpy as np
import pytest

import octavo


def test_columns_are_views(extractor, grey):
    f = extractor.extract(grey)
    for name in octavo.KEYPOINT.names:
        column = getattr(f, name)
        assert column.shape == (len(f),) and np.shares_memory(column, f.keypoints)
    assert np.shares_memory(f.xy, f.keypoints)
    assert np.array_equal(f.xy, np.stack([f.x, f.y], axis=1))
    assert f.ellipses is None
    expected = np.stack([np.cos(f.orientation), -np.sin(f.orientation), np.sin(f.orientation), np.cos(f.orientation)])
    assert np.allclose(f.affine.reshape(-1, 4).T, expected * f.scale, atol=1e-5)


def test_indexing(extractor, grey):
    f = extractor.extract(grey)
    assert f[3]["x"] == f.x[3] and f[-1]["y"] == f.y[-1]
    assert len(list(f)) == len(f)
    with pytest.raises(IndexError):
        f[len(f)]
    for index in (slice(2, 9), slice(None, None, 3), f.response > np.median(f.response), np.array([5, 1])):
        part = f[index]
        assert isinstance(part, octavo.Features)
        assert np.array_equal(part.keypoints, f.keypoints[index]) and np.array_equal(
            part.descriptors, f.descriptors[index]
        )
        assert part.xy.shape == (len(part), 2)
    assert f == f[:] and f != f[1:] and f != 5


def test_without_keypoints(extractor):
    f = extractor.extract(np.zeros((64, 64), np.uint8))
    assert len(f) == 0 and f.xy.shape == (0, 2) and f.descriptors.shape == (0, 128) and f.affine.shape == (0, 2, 2)
    assert len(octavo.match(f, f, device="cpu")) == 0
    assert len(extractor.extract(np.zeros((1, 1), np.uint8))) == 0


def test_pickle(extractor, grey):
    f = extractor.extract(grey)
    assert pickle.loads(pickle.dumps(f)) == f
    m = octavo.match(f, f, device="cpu")
    assert pickle.loads(pickle.dumps(m)) == m


def test_features_of_any_arrays():
    xy = np.array([[1.5, 2], [3, 4]])
    f = octavo.Features(xy)
    assert f.descriptors is None and np.array_equal(f.xy, xy) and np.all(f.scale == 0)
    f = octavo.Features([[1, 2, 3, 0.5, 7]], np.zeros((1, 128), np.uint8))
    assert f[0].tolist()[:5] == (1, 2, 3, 0.5, 7)
    for bad in ([1, 2], [[1]], [["a", "b"]], np.zeros((2, 9))):
        with pytest.raises(octavo.InvalidArgument):
            octavo.Features(bad)
    for bad in (np.zeros((1, 128), np.uint8), np.zeros((2, 64), np.uint8), np.zeros((2, 128))):
        with pytest.raises(octavo.InvalidArgument, match="must be 2 x 128 in uint8"):
            octavo.Features(xy, bad)


@pytest.mark.parametrize(
    "options", [{}, {"affine": True}, {"detector": "foagdd"}, {"detector": "foagdd", "describe": True}]
)
def test_save_and_load(tmp_path, texture, options):
    f = octavo.extract(texture(300, 200), device="cpu", **options)
    f.save(tmp_path / "f.npz")
    assert octavo.Features.load(tmp_path / "f.npz") == f
    assert (f.ellipses is not None) == ("affine" in options)


def test_damaged_files_are_named(tmp_path):
    with pytest.raises(octavo.FileError, match="cannot read '.*none.npz'.*No such file"):
        octavo.Features.load(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(OSError, match="bad.npz.*no NumPy archive"):
        octavo.Features.load(tmp_path / "bad.npz")
    np.savez(tmp_path / "other.npz", keypoints=np.zeros((3, 5), np.float32))
    with pytest.raises(octavo.FileError, match="no array 'descriptors'"):
        octavo.Features.load(tmp_path / "other.npz")
    np.savez(tmp_path / "short.npz", keypoints=np.zeros((3, 5), np.float32), descriptors=np.zeros((2, 128), np.uint8))
    with pytest.raises(octavo.FileError, match="must be 3 x 128"):
        octavo.Features.load(tmp_path / "short.npz")
    with pytest.raises(octavo.FileError, match="cannot write"):
        octavo.Features(np.zeros((0, 2))).save(tmp_path / "no folder" / "f.npz")


CASES = [
    ((), {}),
    (("--preset", "opencv"), {"preset": "opencv"}),
    (("--max-features", "40", "--grid", "2"), {"max_features": 40, "grid": 2}),
    (("--smoothing", "trilateral"), {"smoothing": "trilateral"}),
    (("--affine",), {"affine": True}),
    (("--upright", "--descriptor", "sift", "--layers", "3"), {"upright": True, "descriptor": "sift", "layers": 3}),
    (("--detector", "foagdd"), {"detector": "foagdd"}),
    (("--detector", "foagdd", "--describe"), {"detector": "foagdd", "describe": True}),
]


@pytest.mark.parametrize("arguments, options", CASES)
def test_bytes_are_those_of_the_program(tmp_path, program, colour, arguments, options):
    height, width, _ = colour.shape
    (tmp_path / "image.ppm").write_bytes(b"P6 %d %d 255\n" % (width, height) + colour.tobytes())
    command = [program, "extract", "image.ppm", "-o", "-", "--format", "npz", "--device", "cpu", *arguments]
    (tmp_path / "f.npz").write_bytes(subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout)
    features = octavo.extract(colour, device="cpu", **options)
    assert len(features) > 0
    assert octavo.Features.load(tmp_path / "f.npz") == features
    features.save(tmp_path / "ours.npz")
    with np.load(tmp_path / "ours.npz") as ours, np.load(tmp_path / "f.npz") as theirs:
        assert ours.files == theirs.files
        for name in ours.files:
            assert ours[name].dtype == theirs[name].dtype and np.array_equal(ours[name], theirs[name])


def test_matches(extractor, texture):
    image = texture(300, 200)
    a, b = extractor.extract(image), extractor.extract(image[:, 40:])
    matcher = octavo.Matcher(device="cpu")
    m = matcher.match(a, b)
    assert len(m) > 30 and m.pairs.shape == (len(m), 2) and np.shares_memory(m.a, m.records)
    moved = a.xy[m.a] - b.xy[m.b] - [40, 0]
    assert np.median(np.hypot(*moved.T)) < 0.5
    left, right = a.descriptors[m.a].astype(int), b.descriptors[m.b].astype(int)
    assert np.array_equal(np.sum((left - right) ** 2, axis=1), m.distance2)
    assert matcher.match(a.descriptors, b.descriptors) == m
    assert matcher.match_all(a, [b, a]) == [m, matcher.match(a, a)]
    assert isinstance(m[:5], octavo.Matches) and m[0]["a"] == m.a[0] and len(m[m.distance2 < 1000]) <= len(m)


def test_nearest_two_are_the_nearest(extractor, texture):
    a = extractor.extract(texture(seed=1)).descriptors
    b = extractor.extract(texture(seed=2)).descriptors
    index, distance2 = octavo.Matcher(device="cpu").nearest_two(a, b)
    all_distances = np.sum((a[:, None].astype(int) - b[None].astype(int)) ** 2, axis=2)
    order = np.argsort(all_distances, axis=1, kind="stable")[:, :2]
    assert np.array_equal(index, order)
    assert np.array_equal(distance2, np.take_along_axis(all_distances, order, axis=1))
    index, distance2 = octavo.Matcher(device="cpu").nearest_two(a, b[:1])
    assert np.all(index[:, 1] == -1) and np.all(distance2[:, 1] == 2**32 - 1)


def test_guides(extractor, texture):
    image = texture(300, 200)
    a, b = extractor.extract(image), extractor.extract(image[:, 40:])
    shift = [[1, 0, -40], [0, 1, 0], [0, 0, 1]]
    guided = octavo.match(a, b, homography=shift, radius=2, device="cpu")
    assert len(guided) > 0
    assert np.all(np.hypot(*(a.xy[guided.a] - [40, 0] - b.xy[guided.b]).T) <= 2)

    lines = octavo.match(a, b, fundamental=[[0, 0, 0], [0, 0, -1], [0, 1, 0]], device="cpu")
    assert np.all(np.abs(a.y[lines.a] - b.y[lines.b]) <= 3)
    for wrong in ({"homography": shift, "fundamental": shift}, {"homography": np.eye(2)}, {"radius": 3}):
        with pytest.raises(octavo.InvalidArgument):
            octavo.match(a, b, device="cpu", **wrong)
    with pytest.raises(octavo.InvalidOption, match="radius"):
        octavo.match(a, b, homography=shift, radius=-1, device="cpu")
    with pytest.raises(octavo.InvalidArgument, match="needs Features"):
        octavo.match(a.descriptors, b.descriptors, homography=shift, device="cpu")


def test_views_are_matched_by_distinct_keypoints(texture):
    image = texture(240, 200)
    features = octavo.extract(image, views="few", device="cpu")
    assert len(features) > 2 * len(octavo.extract(image, device="cpu"))
    matcher = octavo.Matcher(distinct_radius=10, device="cpu")
    matches = matcher.match(features, features)
    assert 0 < len(matches) < len(features) and np.all(matches.a == matches.b)
    assert np.array_equal(matcher.match_all(features, [features])[0].a, matches.a)
    with pytest.raises(octavo.InvalidArgument, match="places|where they are"):
        matcher.match(features.descriptors, features.descriptors)


def test_bad_descriptors(extractor, grey):
    rows = extractor.extract(grey).descriptors
    for bad in (rows.astype(np.float32) / 2, rows[:, :64], rows[0], rows.tolist(), None):
        with pytest.raises(octavo.InvalidArgument):
            octavo.match(rows, bad, device="cpu")
    without = octavo.extract(grey, detector="foagdd", device="cpu")
    with pytest.raises(octavo.InvalidArgument, match="describe=True"):
        octavo.match(without, without, device="cpu")


def test_a_save_that_is_interrupted_leaves_the_file(texture, tmp_path, monkeypatch):
    features = octavo.extract(texture(), device="cpu")
    file = tmp_path / "a.npz"
    features.save(file)
    before = file.read_bytes()

    def interrupted(stream, **arrays):
        stream.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", interrupted)
    with pytest.raises(KeyboardInterrupt):
        features.save(file)
    assert file.read_bytes() == before and os.listdir(tmp_path) == ["a.npz"]
