"""Features of other detectors in databases of COLMAP, models, and hloc's files: RootSIFT, turned and cut to other lengths."""

import pickle
import sqlite3

import numpy as np
import pytest

import octavo

OPTIONS = {"ratio": 0.9, "device": "cpu"}


def described(image, length):
    """Places, and descriptors of length 1: the parts of RootSIFT along `length` directions, negative ones too."""
    found = octavo.extract(image, max_features=1500, device="cpu")
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(max(length, 128),) * 2))[0][:128, :length]
    rows = found.descriptors.astype(np.float64) @ turn
    return found.xy.copy(), (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)


@pytest.fixture(scope="module")
def views(photograph):
    """What a camera that moves sideways sees of two photographs, of which one is nearer."""
    far, near = (octavo.read(photograph(name)) for name in ("graf1.png", "building.jpg"))
    return {
        f"of a/{i}.png": np.concatenate([far[100:400, 30 * i : 30 * i + 560], near[:300, 60 * i : 60 * i + 560]])
        for i in range(5)
    }


@pytest.fixture(scope="module")
def photographs(views, tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    (folder / "of a").mkdir()
    for name, image in views.items():
        octavo.write(folder / name, image)
    return folder


@pytest.fixture(scope="module", params=[64, 256])
def learned(request, views):
    return {name: described(image, request.param) for name, image in views.items()}


@pytest.fixture
def jobs():
    pytest.importorskip("octavo._jobs", reason="the package is built without its jobs")
    return octavo.jobs


def rows_of(database, question):
    with sqlite3.connect(database) as connection:
        return connection.execute(question).fetchall()


def matches_in(database, table, first, second):
    ids = dict(rows_of(database, "SELECT name, image_id FROM images"))
    pair = 2147483647 * ids[first] + ids[second]
    ((data,),) = rows_of(database, f"SELECT data FROM {table} WHERE pair_id = {pair}")
    return np.frombuffer(data, np.uint32).reshape(-1, 2)


def test_a_model(tmp_path, photographs, learned, jobs):
    pycolmap = pytest.importorskip("pycolmap", reason="lacks pycolmap")
    given = octavo.OtherFeatures(learned)
    models = octavo.sfm(
        photographs, tmp_path / "model", features=given, recursive=True, mapper="pycolmap", cameras="one", **OPTIONS
    )
    assert (models.problems, models.registered) == ([], 5), models.failure
    model = models.models[0]
    assert len(model.model.points) > 300 and model.mean_error < 1
    names = list(learned)
    assert [image.name for image in models.images] == names
    database = pycolmap.Database.open(tmp_path / "model" / "database.db")
    for image in database.read_all_images():
        keypoints = database.read_keypoints(image.image_id)
        places = (
            np.array([[k.x, k.y] for k in keypoints]) if not isinstance(keypoints, np.ndarray) else keypoints[:, :2]
        )
        assert np.array_equal(np.float32(places), learned[image.name][0] + np.float32(0.5))
    database.close()
    for one, other in ((0, 1), (1, 4)):
        a, b = given[names[one]], given[names[other]]
        expected = octavo.match(a, b, **OPTIONS)
        assert np.array_equal(
            matches_in(tmp_path / "model" / "database.db", "matches", names[one], names[other]), expected.pairs
        )
        agree = octavo.geometry.fundamental(a.xy[expected.a], b.xy[expected.b]).inliers
        assert agree.sum() > 100


def test_a_database_goes_on(tmp_path, photographs, learned, jobs):
    """By the same rule, in one call and in many, and in shards."""
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    given = octavo.OtherFeatures(learned)
    options = {"recursive": True, "verify": "usac", "cameras": "one", **OPTIONS}
    done = octavo.colmap(photographs, whole, features=given, **options)
    assert (done.images, done.extracted, done.pairs, done.verified, done.problems) == (5, 5, 10, 10, [])
    assert set(rows_of(whole, "SELECT cols FROM keypoints")) == {(2,)}
    assert set(rows_of(whole, "SELECT cols, rows FROM descriptors")) <= {(128, len(one)) for one in given.values()}
    names = list(learned)
    few = octavo.OtherFeatures({name: learned[name] for name in names[:3]}, given.scale)
    done = octavo.colmap(photographs, parts, features=few, **options)
    assert (done.images, done.pairs, done.failed) == (3, 3, 2)
    assert "there are no features of 'of a/3.png'" in done.problems[0]
    rest = octavo.OtherFeatures({name: learned[name] for name in names[3:]}, pickle.loads(pickle.dumps(given)).scale)
    done = octavo.colmap(photographs, parts, features=rest, **options)
    assert (done.images, done.extracted, done.pairs, done.matched) == (5, 2, 10, 7)
    for question in ("SELECT * FROM keypoints", "SELECT * FROM matches", "SELECT * FROM two_view_geometries"):
        assert rows_of(parts, question) == rows_of(whole, question)
    another = octavo.OtherFeatures(learned, octavo.DescriptorScale.of(2 * learned[names[0]][1]))
    for call in (lambda: octavo.colmap(photographs, parts, features=another, **options),
                 lambda: octavo.colmap(photographs, parts, **options)):  # fmt: skip
        with pytest.raises(octavo.FileError, match="other options of features"):
            call()
    for of in ("features", "matches"):
        source = {"features": given if of == "features" else tmp_path / "features.db"}
        for n in (1, 2):
            octavo.colmap(photographs, tmp_path / f"{of}{n}.db", shard=f"{n}/2", **source, **options)
        base = [] if of == "features" else [tmp_path / "features.db"]
        jobs.merge(tmp_path / f"{of}.db", [*base, tmp_path / f"{of}1.db", tmp_path / f"{of}2.db"])
    assert (tmp_path / "matches.db").read_bytes() == whole.read_bytes()


def test_files_of_hloc(tmp_path, photographs, learned, jobs):
    h5py = pytest.importorskip("h5py", reason="lacks h5py")
    with h5py.File(tmp_path / "features.h5", "w") as file:
        for name, (keypoints, descriptors) in learned.items():
            group = file.create_group(name)
            group["keypoints"], group["descriptors"] = keypoints, descriptors.T
            group["image_size"], group["scores"] = [560, 600], np.arange(len(keypoints), dtype=np.float16)
    given = octavo.OtherFeatures.read(tmp_path / "features.h5")
    same = octavo.OtherFeatures(learned)
    assert given.scale == same.scale and list(given) == list(same) and "5 images" in repr(given)
    one = given["of a/1.png"]
    assert np.array_equal(one.xy, learned["of a/1.png"][0]) and one.response[7] == 7
    assert np.array_equal(one.descriptors, same["of a/1.png"].descriptors)
    matched = jobs.match(
        photographs, output=tmp_path / "matches.h5", features=given, recursive=True, pairs="sequential:1", **OPTIONS
    )
    assert (matched.pairs, matched.problems) == (4, [])
    (places_a, a), (_, b) = learned["of a/0.png"], learned["of a/1.png"]
    with h5py.File(tmp_path / "matches.h5") as file:
        group = file["of a-0.png/of a-1.png"]
        partners, scores = group["matches0"][()], group["matching_scores0"][()]
    assert len(partners) == len(places_a)
    expected = octavo.match(same["of a/0.png"], same["of a/1.png"], **OPTIONS)
    assert np.array_equal(np.flatnonzero(partners >= 0), expected.a) and np.array_equal(
        partners[expected.a], expected.b
    )
    cosines = np.einsum("ij,ij->i", a[expected.a], b[expected.b])
    assert len(expected) > 300 and np.abs(scores[expected.a] - (1 + cosines) / 2).max() < 0.02
    verified = []
    jobs.match(photographs, features=same, recursive=True, pairs="sequential:1", verify="essential", camera=700,
               take=lambda *pair: verified.append(pair[3].sum()), **OPTIONS)  # fmt: skip
    assert min(verified) > 100


def test_what_is_wrong_is_told(tmp_path, photographs, views, jobs):
    name = "of a/0.png"
    points, rows = np.ones((4, 2)), np.eye(4, 8)
    right = octavo.OtherFeatures({name: (points, rows)})
    assert len(right) == 1 and name in right and right == pickle.loads(pickle.dumps(right))
    assert len(octavo.OtherFeatures({"none": (np.zeros((0, 2)), np.zeros((0, 8))), name: (points, rows)})["none"]) == 0
    folder, database = photographs / "of a", tmp_path / "a.db"
    (tmp_path / "video.mp4").write_bytes(b"")
    (tmp_path / "no.h5").write_bytes(b"none")
    for call, error, told in (
        (lambda: octavo.OtherFeatures([points]), octavo.WrongType, "a mapping from names of images"),
        (lambda: octavo.OtherFeatures({3: (points, rows)}), octavo.WrongType, "the name of an image is 3"),
        (lambda: octavo.OtherFeatures({}), octavo.InvalidArgument, "no descriptors"),
        (lambda: octavo.OtherFeatures({name: points}), octavo.InvalidArgument, r"'of a/0.png': .*\(keypoints, desc"),
        (lambda: octavo.OtherFeatures({name: (np.ones((4, 6)), rows)}), octavo.InvalidArgument, r"N x 2 to N x 5"),
        (lambda: octavo.OtherFeatures({name: (points, rows.T)}), octavo.InvalidArgument, r"\(8, 4\), .* 4 x D.*transpose"),
        (lambda: octavo.OtherFeatures({name: (points, rows[:3])}), octavo.InvalidArgument, "4 x D, a row for each"),
        (lambda: octavo.OtherFeatures({name: (points, np.ones((4, 513)))}), octavo.InvalidArgument, "at most 512"),
        (lambda: octavo.OtherFeatures({name: (points, rows * np.nan)}), octavo.InvalidArgument, "'of a/0.png': .*finite"),
        (lambda: octavo.OtherFeatures({name: (points * np.inf, rows)}), octavo.InvalidArgument, "x of a keypoint is not"),
        (
            lambda: octavo.OtherFeatures({"b": (points, rows), name: (points, rows[:, :7])}),
            octavo.InvalidArgument,
            "'of a/0.png': descriptors have 7 numbers, but those of 'b' 8",
        ),
        (
            lambda: octavo.OtherFeatures({name: (points, np.ones((4, 200)))}, right.scale),
            octavo.InvalidArgument,
            "'of a/0.png': descriptors have 200 numbers",
        ),
        (lambda: octavo.OtherFeatures.read(tmp_path / "no.h5"), octavo.FileError, "no.h5"),
        (lambda: octavo.OtherFeatures.read(3), octavo.WrongType, "must be a path"),
        (lambda: octavo.sfm(folder, tmp_path / "m", features={}), octavo.WrongType, "must be octavo.OtherFeatures or None"),
        (lambda: octavo.colmap(folder, database, features=right, layers=3), octavo.InvalidArgument, "nothing is extracted"),
        (lambda: octavo.jobs.match(folder, features=right, preset="best"), octavo.InvalidArgument, "nothing is extracted"),
        (lambda: octavo.sfm(folder, tmp_path / "m", features=right, mask="m"), octavo.InvalidArgument, "nothing is extr"),
        (lambda: octavo.sfm(folder, tmp_path / "m", features=right, database="d"), octavo.InvalidArgument, "features and"),
        (lambda: octavo.sfm(tmp_path / "video.mp4", tmp_path / "m", features=right), octavo.InvalidArgument, "of a video"),
    ):  # fmt: skip
        with pytest.raises(error, match=told) as caught:
            call()
        assert isinstance(caught.value, octavo.Error)
    problems = octavo.colmap(folder, database, features=right, device="cpu").problems
    assert len(problems) == 5
    assert problems[0].startswith("there are no features of '0.png', but of 'of a/0.png': names are paths below")
    outside = octavo.OtherFeatures({"0.png": ([[560, 3], [601, 3]], rows[:2])})
    (problem,) = octavo.colmap(folder / "0.png", database, features=outside, device="cpu").problems
    assert "(601, 3), but the image is 560 × 600 as it is stored" in problem


def test_a_model_takes_no_photographs_that_octavo_would_describe(tmp_path, photographs, learned, jobs):
    pytest.importorskip("pycolmap", reason="lacks pycolmap")
    octavo.sfm(photographs, tmp_path / "model", features=octavo.OtherFeatures(learned), recursive=True,
               pairs="sequential:2", mapper="pycolmap", cameras="one", **OPTIONS)  # fmt: skip
    octavo.write(tmp_path / "new.png", np.zeros((600, 560), np.uint8))
    with pytest.raises(octavo.FileError, match="model/database.db' were given, so Octavo cannot make"):
        octavo.localise(tmp_path / "new.png", tmp_path / "model", tmp_path / "more", mapper="pycolmap", device="cpu")
