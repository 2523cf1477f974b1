"""octavo match: exact nearest neighbours, checked by NumPy."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational


@pytest.fixture
def pair(octavo, texture):
    """An image, and the same moved by 7 and 5 pixels with some noise."""
    image = texture(192, 160)
    noise = np.random.default_rng(1).integers(-3, 4, (150, 180))
    Image.fromarray(image[:150, :180]).save(octavo.folder / "a.png")
    moved = np.clip(image[5:155, 7:187].astype(int) + noise, 0, 255).astype(np.uint8)
    Image.fromarray(moved).save(octavo.folder / "b.png")
    return "a.png", "b.png"


@pytest.fixture
def descriptors(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    return [np.load(octavo.folder / f"{name}.npz")["descriptors"].astype(np.int64) for name in pair]


def expected(descriptors, ratio=0.8, mutual=True, limit=np.inf):
    """The expected matches, by brute force."""
    a, b = descriptors
    distance2 = (a**2).sum(1)[:, None] + (b**2).sum(1)[None, :] - 2 * a @ b.T
    found = []
    for i, row in enumerate(distance2):
        j, second = np.argsort(row, kind="stable")[:2]
        passes = ratio == 1 or row[j] * 10**8 < round(ratio * 10**4) ** 2 * row[second]
        if passes and row[j] <= limit**2 and (not mutual or np.argmin(distance2[:, j]) == i):
            found.append((i, int(j), int(row[j])))
    return found


@pytest.mark.parametrize(
    "options, meaning",
    [
        ([], {}),
        (["--ratio", "0.6"], {"ratio": 0.6}),
        (["--ratio", "1"], {"ratio": 1}),
        (["--no-mutual"], {"mutual": False}),
        (["--ratio", "1", "--no-mutual"], {"ratio": 1, "mutual": False}),
        (["--max-distance2", "6400"], {"limit": 80}),
    ],
)
def test_matches_are_those_of_brute_force(octavo, pair, descriptors, options, meaning):
    output = json.loads(octavo("match", *pair, "--json", *options))
    found = [(match["a"], match["b"], round(match["distance"] ** 2)) for match in output["matches"]]
    assert found == expected(descriptors, **meaning)
    assert len(found) > 10


def test_json(octavo, pair):
    output = json.loads(octavo("match", *pair, "--json"))
    assert list(output) == ["image_a", "image_b", "keypoint_count_a", "keypoint_count_b", "match_seconds", "matches"]
    points = [json.loads(octavo("extract", name, "--json"))["keypoints"] for name in pair]
    assert [output["keypoint_count_a"], output["keypoint_count_b"]] == [len(points[0]), len(points[1])]
    moves = []
    for match in output["matches"]:
        assert list(match) == ["a", "b", "distance", "x_a", "y_a", "x_b", "y_b"]
        assert (match["x_a"], match["y_a"]) == (points[0][match["a"]]["x"], points[0][match["a"]]["y"])
        assert (match["x_b"], match["y_b"]) == (points[1][match["b"]]["x"], points[1][match["b"]]["y"])
        moves.append((match["x_a"] - match["x_b"], match["y_a"] - match["y_b"]))
    np.testing.assert_allclose(np.median(moves, axis=0), (7, 5), atol=0.05)


def test_text_and_image(octavo, pair):
    output = octavo("match", *pair, "-o", "lines.png")
    count = len(json.loads(octavo("match", *pair, "--json"))["matches"])
    assert f"matches      {count}\n" in output and "lines.png" in output
    with Image.open(octavo.folder / "lines.png") as drawn:
        assert drawn.mode == "RGB" and drawn.width >= 360 and drawn.height >= 150


def test_image_that_cannot_be_written(octavo, pair):
    assert "none/lines.png" in octavo.error(1, "match", *pair, "-o", "none/lines.png")
    assert "lines.xyz" in octavo.error(2, "match", *pair, "-o", "lines.xyz")


def test_images_without_keypoints(octavo):
    Image.new("L", (40, 40), 128).save(octavo.folder / "flat.png")
    done = octavo.call("match", "flat.png", "flat.png", "--json")
    output = json.loads(done.stdout)
    assert (done.returncode, output["keypoint_count_a"], output["keypoint_count_b"], output["matches"]) == (0, 0, 0, [])
    assert done.stderr == "octavo: flat.png: no keypoints: all its samples are 128\n" * 2
    octavo("match", "flat.png", "flat.png", "-o", "lines.png")


def test_matcher_ignores_device_and_threads(octavo, pair):
    matches = [
        json.loads(octavo("match", *pair, "--json", *options))["matches"]
        for options in ([], ["--threads", "1"], ["--threads", "7"], ["--device", "reference"])
    ]
    assert all(other == matches[0] for other in matches)


def matches_of(text):
    return [(match["a"], match["b"]) for match in json.loads(text)["matches"]]


def test_stored_features_have_the_matches_of_their_images(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    expected = matches_of(octavo("match", *pair, "--json"))
    for inputs in (("a.png.npz", "b.png.npz"), ("a.png", "b.png.npz"), ("a.png.npz", "b.png")):
        assert matches_of(octavo("match", *inputs, "--json")) == expected, inputs
    with np.load(octavo.folder / "a.png.npz") as stored:
        np.savez_compressed(
            octavo.folder / "packed.npz", keypoints=stored["keypoints"][:, :2], descriptors=stored["descriptors"]
        )
    assert matches_of(octavo("match", "packed.npz", "b.png.npz", "--json")) == expected


def test_stored_features_are_drawn_on_their_images(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    octavo("match", *pair, "-o", "expected.png")
    octavo("match", "a.png.npz", "b.png.npz", "--image-a", "a.png", "--image-b", "b.png", "-o", "lines.png")
    octavo("match", "a.png", "b.png.npz", "--image-b", "b.png", "-o", "mixed.png")
    expected = (octavo.folder / "expected.png").read_bytes()
    assert (octavo.folder / "lines.png").read_bytes() == expected == (octavo.folder / "mixed.png").read_bytes()


def test_options_without_effect_on_stored_features_are_refused(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    both = ("a.png.npz", "b.png.npz")
    assert "options of detectors have no effect" in octavo.error(2, "match", *both, "--max-features", 100)
    assert "--image-a" in octavo.error(2, "match", *both, "-o", "lines.png")
    assert "--image-a" in octavo.error(2, "match", *both, "--image-a", "a.png")
    assert "--image-a" in octavo.error(2, "match", *pair, "--image-a", "a.png", "-o", "lines.png")
    assert "no effect" not in octavo("match", "a.png.npz", "b.png", "--max-features", 100)


def test_features_of_colmap_have_the_matches_of_their_images(octavo, pair):
    octavo("extract", *pair, "--output", ".", "--format", "colmap")
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    stored, text = (
        json.loads(octavo("match", f"a.png.{ending}", f"b.png.{ending}", "--json")) for ending in ("npz", "txt")
    )
    assert matches_of(json.dumps(text)) == matches_of(json.dumps(stored)) and len(text["matches"]) > 10
    for one, other in zip(text["matches"], stored["matches"]):
        for key in ("x_a", "y_a", "x_b", "y_b"):
            assert abs(one[key] - other[key]) < 1e-4 and one["distance"] == other["distance"]
    mixed = octavo("match", "a.png.txt", "b.png", "--json")
    assert matches_of(mixed) == matches_of(json.dumps(stored))
    octavo("match", *pair, "-o", "expected.png")
    octavo("match", "a.png.txt", "b.png.txt", "--image-a", "a.png", "--image-b", "b.png", "-o", "lines.png")
    assert (octavo.folder / "lines.png").read_bytes() == (octavo.folder / "expected.png").read_bytes()


def test_wrong_features_of_colmap_are_named(octavo, pair):
    (octavo.folder / "bad.txt").write_text("2 128\n1 2 3 4\n")
    assert "'bad.txt': line 2 has 4 numbers, but must have 132" in octavo.error(1, "match", "bad.txt", "b.png")


def test_damaged_features_are_named(octavo, pair):
    (octavo.folder / "bad.npz").write_bytes(b"PK\x03\x04 nothing")
    assert "bad.npz" in octavo.error(1, "match", "bad.npz", "b.png")


def test_an_image_from_the_standard_input(octavo, pair):
    with open(octavo.folder / "b.png", "rb") as stream:
        done = subprocess.run(
            [octavo.path, "match", "a.png", "-", "--json"],
            cwd=octavo.folder,
            stdin=stream,
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert matches_of(done.stdout) == matches_of(octavo("match", *pair, "--json"))
    assert "-" in octavo.error(2, "match", "-", "-")


@pytest.fixture
def photos(octavo, texture):
    """Four images of one texture, each moved by 6 pixels from the one before."""
    image = texture(192, 160)
    folder = octavo.folder / "photos"
    folder.mkdir()
    for i in range(4):
        Image.fromarray(image[:150, 6 * i : 6 * i + 160]).save(folder / f"{i}.png")
    return "photos"


def pairs_of(text):
    """The pairs of COLMAP's list of matches, read as its importer does."""
    pairs, lines = {}, iter(text.splitlines())
    for line in lines:
        a, b = line.split()
        pairs[a, b] = []
        for match in lines:
            if not match:
                break
            pairs[a, b].append(tuple(map(int, match.split())))
    return pairs


def test_a_folder_gives_colmaps_list_of_all_pairs(octavo, photos):
    output = octavo("match", photos, "-o", "matches.txt")
    pairs = pairs_of((octavo.folder / "matches.txt").read_text())
    names = [f"{i}.png" for i in range(4)]
    assert list(pairs) == [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    for (a, b), matches in pairs.items():
        assert matches == matches_of(octavo("match", f"photos/{a}", f"photos/{b}", "--json"))
        assert f"{a} {b}  {len(matches)} matches\n" in output
    assert "pairs        6\n" in output and "matches.txt" in output


def test_json_of_a_folder(octavo, photos):
    output = json.loads(octavo("match", photos, "--json", "--pairs", "sequential:1"))
    assert [(one["image_a"], one["image_b"]) for one in output] == [
        ("0.png", "1.png"),
        ("1.png", "2.png"),
        ("2.png", "3.png"),
    ]
    alone = json.loads(octavo("match", "photos/1.png", "photos/2.png", "--json"))
    assert output[1]["matches"] == alone["matches"] and output[1]["keypoint_count_a"] == alone["keypoint_count_a"]


def test_folders_of_features_patterns_and_two_folders(octavo, photos):
    octavo("match", photos, "-o", "expected.txt")
    expected = (octavo.folder / "expected.txt").read_text()
    octavo("extract", photos, "--output", "features", "--format", "npz")
    octavo("match", "features", "-o", "stored.txt")
    assert (octavo.folder / "stored.txt").read_text() == expected
    octavo("match", "photos/[0-3].png", "-o", "pattern.txt")
    assert (octavo.folder / "pattern.txt").read_text() == expected
    output = json.loads(octavo("match", "photos/1.png", photos, "--json"))
    assert [(one["image_a"], one["image_b"]) for one in output] == [
        ("1.png", "0.png"),
        ("1.png", "2.png"),
        ("1.png", "3.png"),
    ]


def test_folders_of_features_for_colmap(octavo, photos):
    octavo("match", photos, "-o", "expected.txt")
    octavo("extract", photos, "--output", "features", "--format", "colmap")
    (octavo.folder / "features/notes.txt").write_text("no features")
    octavo("match", "features", "-o", "features/matches.txt")
    for _ in range(2):  # the list in the folder is no features
        octavo("match", "features", "-o", "stored.txt")
        assert (octavo.folder / "stored.txt").read_text() == (octavo.folder / "expected.txt").read_text()
    octavo("extract", photos, "--output", "features", "--format", "npz")
    assert "have the same name" in octavo.error(2, "match", "features")
    octavo("match", "features/*.npz", "-o", "stored.txt")
    assert (octavo.folder / "stored.txt").read_text() == (octavo.folder / "expected.txt").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_the_pairs_that_are_done(octavo, photos, number):
    """The list of an interrupted run is the beginning of that of a whole one."""
    octavo("match", photos, "-o", "expected.txt")
    names = [f"{i}.png" for i in range(4)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    expected = pairs_of((octavo.folder / "expected.txt").read_text())
    # A pipe that is not read stops the program after a pair. It is small before the program begins, which is quick.
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    command = [octavo.path, "match", photos, "-o", "matches.txt", "--json"]
    with (
        open(reading, "rb") as stream,
        subprocess.Popen(command, cwd=octavo.folder, stdout=writing, stderr=subprocess.PIPE) as program,
    ):
        os.close(writing)
        part = octavo.folder / ".matches.txt.part"
        deadline = time.monotonic() + 60
        while not (part.exists() and part.stat().st_size > 0) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not (octavo.folder / "matches.txt").exists()
        program.send_signal(number)
        time.sleep(0.5)  # a thread of the program takes the signal; before that it must not go on
        output = stream.read()
        _, errors = program.communicate(timeout=60)
    done = json.loads(output)
    assert program.returncode == -number and 0 < len(done) < 6, errors
    assert errors.decode() == f"octavo: interrupted after {len(done)} of 6 pairs, which 'matches.txt' has\n"
    found = pairs_of((octavo.folder / "matches.txt").read_text())
    assert list(found) == pairs[: len(done)] and not part.exists()
    assert all(found[pair] == expected[pair] for pair in found)


def test_a_run_without_a_pair_replaces_no_list(octavo, photos):
    (octavo.folder / "matches.txt").write_text("older")
    done = octavo.call("match", photos, "-o", "matches.txt", "--verify", "essential")  # no focal length is known
    assert done.returncode == 1 and "needs --camera" in done.stderr
    assert (octavo.folder / "matches.txt").read_text() == "older"
    assert "file " not in done.stdout


def test_the_list_is_complete_where_the_standard_output_is_closed(octavo, photos):
    octavo("match", photos, "-o", "expected.txt")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = octavo.call("match", photos, "-o", "matches.txt", stdout=pipe)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")
    assert (octavo.folder / "matches.txt").read_text() == (octavo.folder / "expected.txt").read_text()


def test_a_list_that_has_no_room_leaves_the_old_one(octavo, photos):
    """A limit of the size of files stands for a full disk."""
    (octavo.folder / "matches.txt").write_text("old")
    done = subprocess.run([octavo.path, "match", photos, "-o", "matches.txt"], cwd=octavo.folder, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))  # fmt: skip
    assert done.returncode == 1 and "cannot write 'matches.txt': File too large" in done.stderr
    assert (octavo.folder / "matches.txt").read_text() == "old" and not (octavo.folder / ".matches.txt.part").exists()


def test_a_list_of_pairs(octavo, photos):
    (octavo.folder / "pairs.txt").write_text("# mine\n2.png 0.png\n1.png 3.png\n0.png 2.png\n")
    octavo("match", photos, "--pairs", "pairs.txt", "-o", "matches.txt")
    assert list(pairs_of((octavo.folder / "matches.txt").read_text())) == [("1.png", "3.png"), ("2.png", "0.png")]
    (octavo.folder / "pairs.txt").write_text("0.png 1.png\n0.png none.png\n")
    assert "line 2 of 'pairs.txt' names 'none.png'" in octavo.error(
        1, "match", photos, "--pairs", "pairs.txt", "-o", "matches.txt"
    )
    assert list(pairs_of((octavo.folder / "matches.txt").read_text())) == [("0.png", "1.png")]


def test_pairs_that_look_alike(octavo, photos):
    octavo("pairs", photos, "--neighbours", 1, "-o", "pairs.txt")
    octavo("match", photos, "--pairs", "pairs.txt", "-o", "listed.txt")
    octavo("match", photos, "--pairs", "retrieval:1", "-o", "chosen.txt")
    assert (octavo.folder / "chosen.txt").read_text() == (octavo.folder / "listed.txt").read_text()
    octavo("extract", photos, "--output", "features", "--format", "npz", "--max-features", 300)
    chosen = json.loads(octavo("match", "features", "--pairs", "retrieval:1", "--json"))
    assert 2 <= len(chosen) <= 3 and all(one["image_a"].endswith(".png") for one in chosen)
    for text in ("retrieval:x", "sequential:0"):
        assert f'--pairs is "{text}", but must have a whole number' in octavo.error(2, "match", photos, "--pairs", text)


def test_an_image_that_cannot_be_read_fails_alone(octavo, photos):
    (octavo.folder / "photos/1.png").write_bytes(b"nothing")
    assert "1.png" in octavo.error(1, "match", photos, "-o", "matches.txt")
    assert list(pairs_of((octavo.folder / "matches.txt").read_text())) == [
        ("0.png", "2.png"),
        ("0.png", "3.png"),
        ("2.png", "3.png"),
    ]


def test_calls_of_many_images_that_are_wrong(octavo, photos):
    assert "--pairs" in octavo.error(2, "match", photos, "photos/1.png", "--pairs", "sequential:2")
    assert "B is missing" in octavo.error(2, "match", "photos/1.png")
    assert "--recursive" in octavo.error(2, "match", "photos/1.png", "photos/2.png", "--recursive")
    assert ".txt" in octavo.error(2, "match", photos, "-o", "matches.png")
    (octavo.folder / "features").mkdir()
    for name in ("a.npz", "b.npz"):  # 2 x 4000 x 156 bytes
        np.savez(
            octavo.folder / "features" / name,
            keypoints=np.zeros((4000, 2), np.float32),
            descriptors=np.zeros((4000, 128), np.uint8),
        )
    assert "allow more with --feature-memory" in octavo.error(1, "match", "features", "--feature-memory", 1)
    (octavo.folder / "empty").mkdir()
    assert "'empty' contains no image and no features" in octavo.error(1, "match", "empty")
    (octavo.folder / "none.txt").write_text("")
    (octavo.folder / "before.txt").write_text("before")
    for call, reason in (
        (["features/*a.npz"], "one image alone has no pair: 'features/a.npz'"),
        (["features", "--pairs", "none.txt"], "there are no pairs of these images"),
    ):
        done = octavo.call("match", *call, "-o", "before.txt")
        assert done.returncode == 1 and reason in done.stderr
        assert (octavo.folder / "before.txt").read_text() == "before"


def two_views(random, count=300):
    """Pixels of points in a box, seen by two cameras, and the pose of the second one."""
    angle = 0.15
    rotation = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    translation = np.array([-1, 0.1, 0.2])
    points = random.uniform([-2, -2, 4], [2, 2, 8], (count, 3))
    pixels = [800 * p[:, :2] / p[:, 2:] + (500, 400) for p in (points, points @ rotation.T + translation)]
    return *pixels, rotation, translation / np.linalg.norm(translation)


@pytest.fixture
def views(octavo):
    """Stored features of two views; each tenth keypoint of B is at a wrong place."""
    random = np.random.default_rng(0)
    a, b, rotation, translation = two_views(random)
    b = b + random.normal(0, 0.3, b.shape)
    b[::10] = random.uniform(0, 800, b[::10].shape)
    descriptors = random.integers(0, 256, (len(a), 128), dtype=np.uint8)
    for name, points in (("a", a), ("b", b)):
        np.savez(octavo.folder / f"{name}.npz", keypoints=points.astype(np.float32), descriptors=descriptors)
    return a, b, rotation, translation


def test_essential_matrix(octavo, views):
    _, _, rotation, translation = views
    call = ("match", "a.npz", "b.npz", "--verify", "essential", "--camera", "800,800,500,400", "--threshold", 2)
    output = json.loads(octavo(*call, "--json"))
    found = output["verification"]
    assert list(found) == [
        "model",
        "inlier_count",
        "reason",
        "reprojection_error",
        "essential_matrix",
        "rotation_b_from_a",
        "translation_b_from_a",
        "in_front_count",
        "median_ray_angle",
        "warnings",
        "warning_kinds",
    ]
    assert found["model"] == "essential" and 255 <= found["inlier_count"] <= 280 and found["reason"] is None
    measured = np.array(found["rotation_b_from_a"])
    assert np.arccos(np.clip((np.trace(measured @ rotation.T) - 1) / 2, -1, 1)) < 0.005
    assert np.dot(found["translation_b_from_a"], translation) > np.cos(0.03)
    assert 0.1 < found["median_ray_angle"] < 0.4 and found["warnings"] == []
    matrix, inverse = found["essential_matrix"], np.linalg.inv(np.array([[800, 0, 500], [0, 800, 400], [0, 0, 1]]))
    for match in output["matches"]:
        line = inverse.T @ matrix @ inverse @ (match["x_a"], match["y_a"], 1)
        error = abs(line @ (match["x_b"], match["y_b"], 1)) / np.hypot(*line[:2])
        assert match["inlier"] == (error <= 2)
    assert (
        octavo(*call, "--seed", 3, "--json").split('"verification"')[1]
        == octavo(*call, "--seed", 3, "--json").split('"verification"')[1]
    )
    text = octavo(*call)
    assert f"inliers      {found['inlier_count']}\n" in text and "rotation B from A" in text and "ray angle" in text


@pytest.mark.parametrize("model, inliers", [("homography", 200), ("fundamental", 255)])
def test_other_models(octavo, views, model, inliers):
    done = octavo.call("match", "a.npz", "b.npz", "--verify", model, "--json")
    found = json.loads(done.stdout)["verification"]
    if model == "fundamental":
        assert done.returncode == 0 and found["inlier_count"] >= inliers
    else:
        assert found["inlier_count"] < inliers  # the scene is no plane
    assert found["model"] == model and "rotation_b_from_a" not in found
    assert found["inlier_count"] == sum(match["inlier"] for match in json.loads(done.stdout)["matches"])


def test_a_model_of_few_pairs_is_doubted(octavo):
    """Seven pairs agree with a homography, and ten with nothing."""
    random = np.random.default_rng(3)
    descriptors = random.integers(0, 256, (17, 128), dtype=np.uint8)
    seven = random.uniform(50, 700, (7, 2))
    for name in ("a", "b"):
        keypoints = np.vstack([seven, random.uniform(0, 800, (10, 2))]).astype(np.float32)
        np.savez(octavo.folder / f"{name}.npz", keypoints=keypoints, descriptors=descriptors)
    call = ("match", "a.npz", "b.npz", "--verify", "homography")
    found = json.loads(octavo(*call, "--json"))["verification"]
    assert found["inlier_count"] >= 7 and found["warning_kinds"] == ["few_inliers"]
    assert found["warnings"][0].startswith(f"only {found['inlier_count']} of ")
    assert f"warning      {found['warnings'][0]}\n" in octavo(*call)
    (octavo.folder / "both").mkdir()
    for name in ("a", "b"):
        (octavo.folder / f"{name}.npz").rename(octavo.folder / "both" / f"{name}.npz")
    text = octavo("match", "both", "--verify", "homography")
    assert " inliers  few_inliers\n" in text and "doubtful     1\n" in text


def with_exif(octavo, name, ending="jpg", **entries):
    """Saves the image NAME.png in another format, with these entries of the photograph's directory."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make.value] = "Octavo"  # Pillow writes no block to AVIF without an entry in the first directory
    exif.get_ifd(ExifTags.IFD.Exif).update({ExifTags.Base[key].value: value for key, value in entries.items()})
    with Image.open(octavo.folder / f"{name}.png") as image:
        image.convert("RGB").save(octavo.folder / f"{name}.{ending}", exif=exif, quality=95)


def test_essential_matrix_with_the_focal_length_of_exif(octavo, pair):
    """The images have 180 x 150 pixels, 234.31 in the diagonal; that of film is 43.267 mm."""
    call = ("--verify", "essential", "--json")
    with_exif(octavo, "a", FocalLengthIn35mmFilm=50)
    with_exif(
        octavo,
        "b",
        FocalLength=IFDRational(6, 1),
        FocalPlaneXResolution=IFDRational(500, 1),
        FocalPlaneResolutionUnit=3,
    )
    given = octavo.call(
        "match", "a.jpg", "b.jpg", *call, "--camera", np.hypot(180, 150) / np.hypot(36, 24) * 50, "--camera-b", 300
    )
    found = octavo.call("match", "a.jpg", "b.jpg", *call)
    assert found.returncode == given.returncode and json.loads(found.stdout)["verification"]["inlier_count"] > 10
    np.testing.assert_allclose(
        json.loads(found.stdout)["verification"]["essential_matrix"],
        json.loads(given.stdout)["verification"]["essential_matrix"],
        atol=1e-9,
    )
    (octavo.folder / "photos").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (octavo.folder / name).rename(octavo.folder / "photos" / name)
    many = json.loads(octavo("match", "photos", *call))
    assert many[0]["verification"]["inlier_count"] == json.loads(found.stdout)["verification"]["inlier_count"]


@pytest.mark.parametrize("ending", ["webp", "avif"])
def test_focal_lengths_of_other_formats(octavo, pair, ending):
    if ending == "avif":
        with_exif(octavo, "a", ending)
        if "libheif" in octavo.call("extract", "a.avif").stderr:
            pytest.skip("this build lacks libheif")
    for name in ("a", "b"):
        with_exif(octavo, name, ending, FocalLengthIn35mmFilm=50)
    call = ("match", f"a.{ending}", f"b.{ending}", "--verify", "essential", "--json")
    found, given = (
        octavo.call(*call, *more) for more in ((), ("--camera", np.hypot(180, 150) / np.hypot(36, 24) * 50))
    )
    verification = json.loads(found.stdout)["verification"]
    assert verification["inlier_count"] > 10
    np.testing.assert_allclose(
        verification["essential_matrix"], json.loads(given.stdout)["verification"]["essential_matrix"], atol=1e-9
    )


def test_images_without_a_focal_length_in_exif(octavo, pair):
    with_exif(octavo, "a", FocalLengthIn35mmFilm=50)
    with_exif(octavo, "b", FocalLengthIn35mmFilm=0)
    call = ("--verify", "essential")
    error = octavo.error(2, "match", "a.jpg", "b.jpg", *call)
    assert "--camera" in error and "EXIF" in error and "b.jpg" in error
    octavo("match", "a.jpg", "b.jpg", *call, "--camera-b", 300)
    octavo("extract", "a.jpg", "b.jpg", "--output", ".", "--format", "npz")
    assert "--camera" in octavo.error(2, "match", "a.jpg.npz", "b.jpg", *call)
    assert "EXIF data of b.jpg" in octavo.error(2, "match", "a.jpg.npz", "b.jpg", *call, "--image-a", "a.jpg")
    done = octavo.call("match", "*.jpg", *call)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "b.jpg" in done.stderr


def test_inliers_of_a_folder_are_those_of_its_pairs(octavo, photos):
    octavo("match", photos, "--verify", "homography", "-o", "matches.txt")
    for (a, b), matches in pairs_of((octavo.folder / "matches.txt").read_text()).items():
        alone = json.loads(octavo("match", f"photos/{a}", f"photos/{b}", "--verify", "homography", "--json"))
        assert matches == [(match["a"], match["b"]) for match in alone["matches"] if match["inlier"]]
        assert len(matches) > 10


def test_wrong_calls_of_verification(octavo, pair):
    assert "--verify" in octavo.error(2, "match", *pair, "--threshold", 2)
    assert "--verify essential" in octavo.error(2, "match", *pair, "--camera", 800)
    assert "--camera" in octavo.error(2, "match", *pair, "--verify", "essential")
    octavo("extract", *pair, "--output", ".", "--format", "npz")
    assert "FX,FY,CX,CY" in octavo.error(2, "match", "a.png.npz", "b.png", "--verify", "essential", "--camera", 800)
    for words in ("800,800", "0", "nan", "-5", "800,800,1,x"):
        assert "--camera" in octavo.error(2, "match", *pair, "--verify", "essential", f"--camera={words}")


def test_images_without_the_model(octavo, pair):
    Image.new("L", (40, 40), 128).save(octavo.folder / "flat.png")
    done = octavo.call("match", "a.png", "flat.png", "--verify", "fundamental", "--json")
    assert done.returncode == 1 and "a fundamental matrix needs at least 8 pairs" in done.stderr
    verification = json.loads(done.stdout)["verification"]
    assert verification["fundamental_matrix"] is None and verification["inlier_count"] == 0
