"""Images by their paths, geometry and the jobs on files: what the program writes, from Python."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import octavo

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

WALL = np.array([[0.9, 0.2, 30], [-0.1, 1.1, -20], [1e-4, -2e-4, 1]])


def points_of_a_plane(outliers=0):
    random = np.random.default_rng(3)
    a = random.uniform(0, 600, (80, 2))
    b = np.column_stack([a, np.ones(len(a))]) @ WALL.T
    b = b[:, :2] / b[:, 2:]
    b[:outliers] = random.uniform(0, 600, (outliers, 2))
    return a, b


def test_images_are_read_as_they_are_stored(tmp_path, photograph):
    cv2 = pytest.importorskip("cv2", reason="lacks opencv-python-headless")
    path = photograph("graf1.png")
    assert np.array_equal(octavo.read(path), cv2.imread(str(path))[..., ::-1])
    for name, image in (
        ("grey.pgm", np.arange(300, dtype=np.uint8).reshape(15, 20)),
        ("deep.png", np.arange(300, dtype=np.uint16).reshape(15, 20) * 4),
        ("kelvin.tif", np.linspace(270, 300, 300, dtype=np.float32).reshape(15, 20)),
    ):
        octavo.write(tmp_path / name, image)
        back = octavo.read(tmp_path / name)
        assert back.dtype == image.dtype and np.array_equal(back, image), name
    reversed_colours = octavo.read(path)[..., ::-1]
    octavo.write(tmp_path / "bgr.png", reversed_colours)
    assert np.array_equal(octavo.read(tmp_path / "bgr.png"), reversed_colours)
    assert octavo.camera_facts(path).orientation == 1 and octavo.camera_facts(path).place is None


def test_a_jpeg_that_lacks_its_last_marker_is_a_warning(tmp_path, photograph):
    whole = photograph("graf1.png")
    octavo.write(tmp_path / "whole.jpg", octavo.read(whole))
    (tmp_path / "cut.jfif").write_bytes((tmp_path / "whole.jpg").read_bytes()[:-2])
    with pytest.warns(UserWarning, match=r"cut\.jfif': it lacks its last marker") as warned:
        image = octavo.read(tmp_path / "cut.jfif")
    assert warned[0].filename == __file__
    assert np.array_equal(image, octavo.read(tmp_path / "whole.jpg"))
    with pytest.warns(UserWarning, match="lacks its last marker") as warned:
        octavo.jobs.extract(tmp_path / "cut.jfif", tmp_path / "out", device="cpu")
    assert warned[0].filename == __file__


def test_features_of_a_file_are_those_of_its_array(tmp_path, photograph, octavo_program):
    octavo_program("extract", photograph("graf1.png"), "-o", tmp_path, "--format", "npz", "--device", "cpu")
    features = octavo.extract(octavo.read(photograph("graf1.png")), device="cpu")
    assert octavo.read_features(tmp_path / "graf1.png.npz") == features
    done = octavo.jobs.extract(photograph("graf1.png"), tmp_path / "again", format="npz", device="cpu")
    assert (done.images, done.problems) == (1, [])
    assert (tmp_path / "again" / "graf1.png.npz").read_bytes() == (tmp_path / "graf1.png.npz").read_bytes()


def test_models_of_two_views():
    a, b = points_of_a_plane(outliers=20)
    model = octavo.geometry.homography(a, b, threshold=1)
    assert model.found and np.allclose(model.b_from_a, WALL, atol=1e-6)
    assert model.inliers.dtype == bool and model.inliers[20:].all() and model.inlier_count == model.inliers.sum()
    assert model.warnings == [] and octavo.geometry.homography(a[-6:], b[-6:]).warnings[0].kind == "few_inliers"
    assert not octavo.geometry.homography(a[:3], b[:3]).found
    assert "needs at least 4 pairs" in octavo.geometry.homography(a[:3], b[:3]).reason
    assert octavo.geometry.homography(a[:, None], b[:, None]).found, "OpenCV's shape of points"

    # Two cameras before a cloud of points.
    random = np.random.default_rng(5)
    cloud = random.uniform([-2, -2, 4], [2, 2, 8], (120, 3))
    camera = np.array([[700.0, 0, 320], [0, 710, 240], [0, 0, 1]])
    turn = np.array([[np.cos(0.1), 0, np.sin(0.1)], [0, 1, 0], [-np.sin(0.1), 0, np.cos(0.1)]])
    shift = np.array([0.8, 0.1, 0.1])
    seen = [points @ camera.T for points in (cloud, cloud @ turn.T + shift)]
    a, b = (points[:, :2] / points[:, 2:] for points in seen)
    pose = octavo.geometry.essential(a, b, camera)
    assert pose.found and pose.in_front_count == 120
    assert np.allclose(pose.rotation_b_from_a, turn, atol=1e-4)
    assert np.allclose(pose.translation_b_from_a, shift / np.linalg.norm(shift), atol=1e-3)
    fundamental = octavo.geometry.fundamental(a, b)
    lines = np.column_stack([a, np.ones(120)]) @ fundamental.b_from_a.T
    assert np.abs((lines * np.column_stack([b, np.ones(120)])).sum(axis=1)).max() < 1e-3


def test_refined_matches(tmp_path, photograph, octavo_program):
    a, b = octavo.read(photograph("graf1.png")), octavo.read(photograph("graf3.png"))
    of_a, of_b = (octavo.extract(image, max_features=800, device="cpu") for image in (a, b))
    matches = octavo.match(of_a, of_b, device="cpu")
    refined, moved = octavo.refine_matches(a, of_a, b, of_b, matches)
    assert 0.5 * len(matches) < moved <= len(matches)
    assert np.array_equal(refined.descriptors, of_b.descriptors)
    still = np.setdiff1d(np.arange(len(of_b)), matches.b)
    assert refined[still] == of_b[still]
    found = json.loads(octavo_program("match", photograph("graf1.png"), photograph("graf3.png"), "--refine", "--json",
                                      "--max-features", "800", "--device", "cpu"))  # fmt: skip
    told = np.array([[match["x_b"], match["y_b"]] for match in found["matches"]], np.float32)
    assert np.array_equal(told, refined.xy[matches.b].astype(np.float32))
    with pytest.raises(octavo.InvalidArgument):
        octavo.refine_matches(a, of_a[:1], b, of_b, matches)


def test_alignment(tmp_path, photograph, octavo_program):
    a, b = photograph("graf1.png"), photograph("graf3.png")
    told = json.loads(octavo_program("align", a, b, "-o", tmp_path / "program.png", "--json", "--device", "cpu"))
    of_files = octavo.align(a, b, output=tmp_path / "python.png", device="cpu")
    of_arrays = octavo.align(octavo.read(a), octavo.read(b), device="cpu")
    for one in (of_files, of_arrays):
        assert np.array_equal(one.homography.b_from_a, told["homography"])
        assert (len(one.matches), one.homography.inlier_count) == (told["match_count"], told["inlier_count"])
    assert [file.name for file in of_files.files] == [
        Path(file).name.replace("program", "python") for file in told["files"]
    ]
    assert (tmp_path / "python.png").read_bytes() == (tmp_path / "program.png").read_bytes()
    assert np.array_equal(of_arrays.image, octavo.read(tmp_path / "program.png")) and of_files.image is None
    drawn = octavo.draw_matches(
        octavo.read(a),
        of_arrays.features_a,
        octavo.read(b),
        of_arrays.features_b,
        of_arrays.matches,
        of_arrays.homography.inliers,
    )
    assert np.array_equal(drawn, octavo.read(tmp_path / "program.inliers.png"))
    none = octavo.align(octavo.read(a), np.zeros((100, 100), np.uint8), device="cpu", retry=False)
    assert not none.homography.found and none.homography.reason and none.image is None


def test_what_a_mask_hides_sets_no_range(tmp_path, texture, octavo_program):
    """Of 16 bits: a bright border that the mask hides must not darken what it shows."""
    wide = np.full((200, 300), 60000, np.uint16)
    wide[20:180, 20:280] = texture(260, 160).astype(np.uint16) * 4
    mask = np.zeros(wide.shape, np.uint8)
    mask[20:180, 20:280] = 255
    octavo.write(tmp_path / "a.png", wide)
    octavo.write(tmp_path / "mask.png", mask)
    call = (
        "align",
        tmp_path / "a.png",
        tmp_path / "a.png",
        "--mask",
        tmp_path / "mask.png",
        "--json",
        "--device",
        "cpu",
    )
    told = json.loads(octavo_program(*call))
    for a in (tmp_path / "a.png", wide):
        both = octavo.align(a, a, mask=tmp_path / "mask.png", device="cpu", draw=False)
        assert len(both.features_a) == told["keypoint_count_a"] > 50
    assert octavo.draw_keypoints(wide, both.features_a).shape == (200, 300, 3)


def test_mosaic(tmp_path, photograph, octavo_program):
    whole = octavo.read(photograph("home.jpg"))
    parts = [whole[:, :300], whole[:, 212:]]
    for i, part in enumerate(parts):
        octavo.write(tmp_path / f"{i}.png", part)
    octavo_program("mosaic", tmp_path / "0.png", tmp_path / "1.png", "-o", tmp_path / "program.tif", "--device", "cpu")
    of_files = octavo.mosaic([tmp_path / "0.png", tmp_path / "1.png"], output=tmp_path / "python.tif", device="cpu")
    drawings = [tmp_path / "graph.png", tmp_path / "seams.png"]
    of_arrays = octavo.mosaic(parts, device="cpu", draw_graph=drawings[0], draw_seams=drawings[1])
    assert of_arrays.files == drawings and all(octavo.read(file).ndim == 3 for file in drawings)
    assert (tmp_path / "python.tif").read_bytes() == (tmp_path / "program.tif").read_bytes()
    assert of_files.files == [tmp_path / "python.tif"] and of_files.image is None
    assert np.array_equal(of_arrays.image, octavo.read(tmp_path / "program.tif"))
    assert [(image.name, image.status) for image in of_arrays.images] == [("array 0", "placed"), ("array 1", "placed")]
    assert of_arrays.pairs[0].status == "used" and of_arrays.size == of_arrays.image.shape[1::-1]


def test_a_collection(tmp_path, photograph, octavo_program):
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("graf1.png", "graf3.png", "home.jpg"):
        (folder / name).symlink_to(photograph(name))
    (folder / "broken.png").write_bytes(b"none")
    chosen = octavo.pairs(folder, neighbours=1, device="cpu")
    assert chosen.names == ["broken.png", "graf1.png", "graf3.png", "home.jpg"]
    assert [1, 2] in chosen.pairs.tolist() and [problem.split(":")[0] for problem in chosen.problems] == [
        f"cannot read '{folder}/broken.png'"
    ]
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.txt").write_text("a b\n")
    nothing = octavo.pairs(tmp_path / "empty", output=tmp_path / "list.txt", device="cpu")
    assert len(nothing.pairs) == 0 and nothing.problems and (tmp_path / "list.txt").read_text() == "a b\n"
    octavo_program("colmap", folder, "-d", tmp_path / "program.db", "--max-features", 300, "--device", "cpu", code=1)
    done = octavo.colmap(folder, tmp_path / "python.db", max_features=300, device="cpu")
    assert (tmp_path / "python.db").read_bytes() == (tmp_path / "program.db").read_bytes()
    assert (done.images, done.pairs, done.failed) == (3, 3, 1)
    seen = []
    matched = octavo.jobs.match(
        folder, verify="homography", max_features=500, device="cpu", take=lambda *pair: seen.append(pair)
    )
    assert matched.pairs == len(seen) == 3 and matched.matches == sum(len(matches) for _, _, matches, _ in seen)
    best = max(seen, key=lambda pair: pair[3].sum())
    assert best[:2] == ("graf1.png", "graf3.png")

    def give_up(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        octavo.jobs.match(folder, max_features=500, device="cpu", take=give_up)


def test_a_model_of_cameras(tmp_path, texture):
    """A mapper is needed: COLMAP. The scene is a plane that is seen by a camera that moves sideways."""
    if shutil.which("colmap") is None:
        pytest.skip("lacks colmap, of Debian's package colmap")
    wide = texture(900, 500, seed=4)
    (tmp_path / "photos").mkdir()
    for i in range(4):
        octavo.write(tmp_path / "photos" / f"{i}.png", wide[:, 60 * i : 60 * i + 640])
    models = octavo.sfm(tmp_path / "photos", tmp_path / "model", device="cpu", max_features=1500)
    assert [image.name for image in models.images] == ["0.png", "1.png", "2.png", "3.png"]
    assert (tmp_path / "model" / "report.html").exists()
    (tmp_path / "empty").mkdir()
    nothing = octavo.sfm(tmp_path / "empty", tmp_path / "none", device="cpu")
    assert nothing.images == [] and nothing.problems
    if not models.models:  # a plane may not suffice for the mapper, which then says so
        assert models.failure and all(image.reason for image in models.images)
        return
    model = models.models[0].model
    assert model.points.shape[1] == 3 and len(model.colours) == len(model.errors) == len(model.points)
    octavo.write(tmp_path / "new.png", wide[:, 100:740])
    new = octavo.localise(tmp_path / "new.png", tmp_path / "model", tmp_path / "more", cameras="one", device="cpu")
    assert [image.name for image in new.images] == ["new.png"] and new.registered == len(new.poses) <= 1
    octavo.write(tmp_path / "nothing.png", np.zeros((500, 640), np.uint8))
    masked = octavo.localise(
        tmp_path / "new.png", tmp_path / "model", tmp_path / "masked", mask=tmp_path / "nothing.png",
        feature_memory=64, device="cpu",
    )  # fmt: skip
    assert masked.registered == 0 and masked.images[0].keypoints == 0
    files = octavo.export_model(
        tmp_path / "model", tmp_path / "out", ["ply", "transforms"], photographs=tmp_path / "photos"
    ).files
    assert set(files) == {"ply", "transforms"} and files["ply"][0].read_bytes().startswith(b"ply")
    again = octavo.read_model(models.models[0].folder)
    assert np.array_equal(again.points, model.points) and set(again.images) == set(model.images)


def test_one_range_of_values(tmp_path, texture, octavo_program):
    """Two halves of a scale: with a range each they look alike, with one they do not."""
    (tmp_path / "photos").mkdir()
    for i in range(2):
        octavo.write(tmp_path / "photos" / f"{i}.png", texture(seed=i).astype(np.uint16) * 60 + 20000 * i)
    for one_range, flags in ((True, ["--one-range"]), (False, [])):
        octavo_program("extract", tmp_path / "photos", "-o", tmp_path / "program", "--device", "cpu", *flags)
        octavo.jobs.extract(tmp_path / "photos", tmp_path / "python", one_range=one_range, device="cpu")
        for name in ("0.png.txt", "1.png.txt"):
            assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()


def test_a_calibrated_pair(tmp_path, photograph):
    folder = photograph("graf1.png").parent
    octavo.jobs.extract([folder / "aloeL.jpg", folder / "aloeR.jpg"], tmp_path, format="npz", device="cpu")
    taken = []
    matched = octavo.jobs.match(
        tmp_path, verify="essential", camera=(1300, 1300, 640, 555), take=lambda *pair: taken.append(pair), device="cpu"
    )
    assert (matched.pairs, matched.problems) == (1, []) and taken[0][3].sum() > 300


def test_a_list_of_matches_that_is_interrupted(tmp_path, texture):
    """Ctrl-C leaves the pairs that are done, as it does for the program."""
    for i in range(12):
        octavo.write(tmp_path / f"{i:02}.png", texture(400, 300, seed=i // 2))

    def press(a, b, *_):
        if (a, b) == ("02.png", "03.png"):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)

    with pytest.raises(KeyboardInterrupt):
        octavo.jobs.match(tmp_path, output=tmp_path / "matches.txt", take=press, device="cpu")
    lines = (tmp_path / "matches.txt").read_text().splitlines()
    assert "00.png 01.png" in lines and "02.png 03.png" in lines and "10.png 11.png" not in lines


def test_files_of_features_and_images(tmp_path, photograph, texture):
    octavo.write(tmp_path / "a.pgm", texture())
    features = octavo.extract(texture(), device="cpu")
    features.save(tmp_path / "points.npz")
    assert octavo.read_features(tmp_path / "points.npz") == features
    done = octavo.jobs.describe(
        [(tmp_path / "a.pgm", tmp_path / "points.npz", tmp_path / "described.npz")], device="cpu"
    )
    assert (done.done, done.failed) == (1, 0) and len(octavo.read_features(tmp_path / "described.npz")) == len(features)
    octavo.jobs.filter([(tmp_path / "a.pgm", tmp_path / "smooth.pgm")], device="cpu")
    assert np.array_equal(octavo.read(tmp_path / "smooth.pgm"), octavo.trilateral(texture(), device="cpu"))
    looked = octavo.jobs.inspect(tmp_path / "a.pgm", tmp_path / "look", device="cpu", point=(20, 20))
    assert (looked.folder / "index.html").exists() and json.loads(looked.json)
    for part in (1, 2):
        octavo.jobs.extract(tmp_path / "a.pgm", tmp_path / f"part{part}", shard=f"{part}/2", device="cpu")
    merged = octavo.jobs.merge(tmp_path / "merged", [tmp_path / "part1", tmp_path / "part2"])
    assert (merged.kind, merged.shards, merged.items) == ("features", 2, 1)


def test_items_that_fail_are_counted_apart(tmp_path, texture):
    octavo.write(tmp_path / "a.pgm", texture())
    (tmp_path / "b.pgm").write_text("no image")
    for files, done, failed in ((["a.pgm", "b.pgm"], 1, 1), (["none.pgm"], 0, 1)):
        summary = octavo.jobs.extract([tmp_path / name for name in files], tmp_path / "out", device="cpu")
        assert (summary.done, summary.failed, len(summary.problems)) == (done, failed, 1)
    filtered = octavo.jobs.filter([(tmp_path / f"{name}.pgm", tmp_path / f"{name}.png") for name in "ab"], device="cpu")
    assert (filtered.done, filtered.failed, len(filtered.problems)) == (1, 1, 1)


def test_what_is_wrong_is_told(tmp_path, photograph):
    graf = photograph("graf1.png")
    for call, error, words in (
        (lambda: octavo.read("/no/such.png"), octavo.FileError, "/no/such.png"),
        (lambda: octavo.read(graf, range="full"), octavo.UnknownOption, 'read has no option "range"'),
        (lambda: octavo.align(graf, graf, treshold=2), octavo.UnknownOption, "did you mean threshold"),
        (lambda: octavo.align(graf, graf, threshold=-1), octavo.InvalidOption, "threshold"),
        (lambda: octavo.align(graf), octavo.WrongType, "missing a required argument: 'b'"),
        (lambda: octavo.align(graf, 3), octavo.InvalidArgument, "the image is an int"),
        (lambda: octavo.align(graf, graf, mask=3), octavo.WrongType, "mask is 3, but must be a path or None"),
        (lambda: octavo.align(graf, graf, detector="surf"), octavo.InvalidOption, "sift"),
        (lambda: octavo.mosaic([graf]), octavo.InvalidOption, "at least 2 images"),
        (lambda: octavo.mosaic(octavo.read(graf)), octavo.InvalidArgument, "a list of files or of arrays"),
        (lambda: octavo.jobs.extract(3, tmp_path), octavo.WrongType, "images must be a path or a list"),
        (lambda: octavo.jobs.extract(graf, tmp_path, format="xml"), octavo.InvalidOption, "format"),
        (lambda: octavo.jobs.extract(graf, tmp_path, shard="9/2"), octavo.InvalidOption, "shard"),
        (lambda: octavo.geometry.homography([[1, 2]], [[1, 2, 3]]), octavo.InvalidArgument, "must be N x 2"),
        (lambda: octavo.geometry.homography([[1, 2]], [[1, 2], [3, 4]]), octavo.InvalidArgument, "1 points of a but 2"),
        (lambda: octavo.geometry.essential([[1, 2]], [[1, 2]], 500), octavo.InvalidArgument, "camera_a has the shape"),
        (lambda: octavo.sfm("/no/such", tmp_path / "m"), octavo.FileError, "/no/such"),
        (lambda: octavo.mosaic(f"{tmp_path}/*.typo"), octavo.Error, r"none is found: .*\.typo"),
        (lambda: octavo.pairs(), octavo.InvalidArgument, "of images or of features"),
        (lambda: octavo.mosaic([graf, octavo.read(graf)]), octavo.InvalidArgument, "files or arrays, not both"),
        (lambda: octavo.jobs.extract([3], tmp_path), octavo.WrongType, "images must be paths, but one is 3"),
        (lambda: octavo.jobs.extract(graf, tmp_path, format=3), octavo.WrongType, "format is 3, but must be a string"),
        (
            lambda: octavo.jobs.filter([("a",)]),
            octavo.WrongType,
            r"tuples of paths, \(image, output\), but one is \('a',\)",
        ),
        (
            lambda: octavo.jobs.inspect(graf, tmp_path, point=3),
            octavo.InvalidArgument,
            r"point is 3, but must be \(x, y\)",
        ),
        (
            lambda: octavo.draw_keypoints("a.png", octavo.Features([[1, 2]])),
            octavo.InvalidArgument,
            "read the file first",
        ),
        (lambda: octavo.jobs.inspect(graf, tmp_path, frame=1, time=2.0), octavo.InvalidArgument, "frame or time"),
        (lambda: octavo.draw_keypoints(octavo.read(graf), 3), octavo.WrongType, "must be octavo.Features"),
        (lambda: octavo.video.takes(), octavo.InvalidArgument, "of clips or of an archive"),
        (lambda: octavo.video.search(graf, tmp_path), octavo.FileError, "no archive"),
        (lambda: octavo.jobs.match(graf, camera=900), octavo.InvalidArgument, "camera has no effect"),
        (lambda: octavo.jobs.match(graf, verify="essential", camera=(1, 2)), octavo.InvalidOption, "camera is 1,2"),
        (lambda: octavo.jobs.extract(graf, tmp_path, one_range=True, range="full"), octavo.InvalidOption, "one_range"),
        (lambda: octavo.colmap(graf, tmp_path / "d", features="f"), octavo.InvalidArgument, "without a shard"),
        (lambda: octavo.sfm(tmp_path, "m", database="d", layers=4), octavo.InvalidArgument, "nothing is extracted"),
        (lambda: octavo.pairs(graf, by="sequential", image="i.png"), octavo.InvalidArgument, "image shows likeness"),
        (lambda: octavo.video.keypoints(graf, codec="av1"), octavo.InvalidOption, "codec"),
        (lambda: octavo.video.report("a", csv="c.csv", negative=True), octavo.InvalidArgument, "without clips"),
        (lambda: octavo.video.duplicates("a", found="f", reversed=True), octavo.InvalidArgument, "nothing is compared"),
    ):
        with pytest.raises(error, match=words) as caught:
            call()
        assert isinstance(caught.value, octavo.Error)
    lost = octavo.jobs.extract([graf, "/no/such.png"], tmp_path / "features", device="cpu")
    assert lost.problems == ["cannot read '/no/such.png': no such file"] and (tmp_path / "features").exists()


def test_progress(tmp_path, photograph):
    told = []
    octavo.jobs.extract(photograph("graf1.png"), tmp_path, device="cpu", progress=lambda *step: told.append(step))
    assert told and all(isinstance(stage, str) and (done <= total or total == 0) for stage, done, total in told)
    assert told[-1][1:] == (1, 1)

    def give_up(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        octavo.align(photograph("graf1.png"), photograph("graf3.png"), device="cpu", progress=give_up)
    tqdm = pytest.importorskip("tqdm", reason="lacks tqdm")
    bars = []

    class Bar(tqdm.tqdm):
        def __init__(self):
            super().__init__()
            bars.append(self)

    octavo.jobs.extract(photograph("graf1.png"), tmp_path / "again", device="cpu", progress=Bar)
    assert [bar.n == bar.total > 0 for bar in bars] == [True]


@pytest.mark.parametrize("name", ["extract", "mosaic"])
def test_an_interruption(tmp_path, photograph, name):
    """Ctrl-C ends a job soon, and what it has written is whole."""
    folder = photograph("graf1.png").parent
    files = sorted(folder.glob("*.jpg"))[:12]
    work = {
        "extract": lambda: octavo.jobs.extract(files * 1, tmp_path / "out", device="cpu", format="npz"),
        "mosaic": lambda: octavo.mosaic(files, output=tmp_path / "out.png", device="cpu"),
    }[name]
    pressed = []

    def press():
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.15, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
        time.sleep(5)  # the work was done before: the signal comes here, and nothing is tested
    timer.join()
    assert time.process_time() - pressed[0] < 5
    assert not (tmp_path / "out.png").exists()
    for file in (tmp_path / "out").glob("*.npz"):
        assert octavo.read_features(file) is not None


def test_names_of_any_bytes(tmp_path, texture):
    """A file name on Linux need not be a text in UTF-8."""
    folder = os.fsencode(tmp_path / "photos")
    os.mkdir(folder)
    octavo.write(tmp_path / "a.pgm", texture())
    shutil.copy(tmp_path / "a.pgm", folder + b"/caf\xe9.pgm")
    with open(folder + b"/none\xe9.pgm", "wb") as stream:
        stream.write(b"no image")
    told = []
    done = octavo.jobs.extract(folder, tmp_path / "out", device="cpu", progress=lambda *step: told.append(step))
    assert done.images == 2 and len(done.problems) == 1 and "none\udce9.pgm" in done.problems[0]
    assert told
    assert octavo.jobs.extract([folder + b"/caf\xe9.pgm"], tmp_path / "one", device="cpu").problems == []


def test_options_of_jobs_are_described():
    assert {one.name for one in octavo.option_facts("blend")} == {"blend", "exposure", "bands"}
    assert next(one for one in octavo.option_facts("robust") if one.name == "threshold").unit == "pixel"
    with pytest.raises(octavo.InvalidArgument, match="there are no options of 'mosaik'.*did you mean mosaic"):
        octavo.option_facts("mosaik")


def test_the_module_is_imported_with_its_first_use():
    code = "import octavo, sys; octavo.extract; octavo.align; octavo.video.search; print('octavo._jobs' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
    assert b"octavo._" not in pickle.dumps(octavo.align)


def test_a_camera_with_a_skew_or_another_scale_is_refused():
    points = np.random.default_rng(1).uniform(0, 500, (40, 2))
    good = np.array([[500, 0, 250], [0, 500, 250], [0, 0, 1]])
    octavo.geometry.essential(points, points + 1, good)
    for change in ((0, 1, 60), (1, 0, 5), (2, 2, 2), (2, 0, 1)):
        bad = good.copy()
        bad[change[:2]] = change[2]
        with pytest.raises(octavo.InvalidArgument, match="camera_a must be fx 0 cx"):
            octavo.geometry.essential(points, points + 1, bad)
    with pytest.raises(octavo.InvalidArgument, match="camera_a"):
        octavo.geometry.essential(points, points + 1, good.T)


def test_floats_that_an_image_file_cannot_hold_are_refused(texture, tmp_path):
    image = texture().astype(np.float32)
    for name in ("a.png", "a.jpg"):
        for wrong in (image, image / 255 - 1, np.where(image > 100, np.nan, 0).astype(np.float32)):
            with pytest.raises(octavo.InvalidArgument, match="floats must be 0 to 1"):
                octavo.write(tmp_path / name, wrong)
    octavo.write(tmp_path / "a.tif", image)
    assert (octavo.read(tmp_path / "a.tif") == image).all()
    octavo.write(tmp_path / "a.png", image / 255)
    assert not (tmp_path / "a.jpg").exists()


def test_an_image_of_floats_keeps_its_values(texture):
    """Those of the images, as a TIFF has them."""
    wide = texture(500, 200, seed=2).astype(np.float32)
    for scale in (1 / 255, 1, 20):
        parts = [scale * wide[:, :300], scale * wide[:, 150:450]]
        for joined in (octavo.align(*parts, device="cpu"), octavo.mosaic(parts, device="cpu")):
            assert joined.image.dtype == np.float32
            assert np.allclose(joined.image[20:180, 20:130, 0], parts[0][20:180, 20:130], atol=2 * scale)


def test_points_that_are_no_numbers_are_refused():
    points = np.random.default_rng(1).uniform(0, 500, (40, 2))
    for wrong, words in ((points + 1j, "must be numbers"), (np.ma.masked_greater(points, 400), "some are masked")):
        with pytest.raises(octavo.InvalidArgument, match=words):
            octavo.geometry.homography(wrong, points)
    assert octavo.geometry.homography(np.ma.masked_greater(points, 600), points).found


def test_copies_of_a_pair_prove_nothing():
    random = np.random.default_rng(1)
    a, b = (np.repeat(random.uniform(0, 600, (8, 2)), 50, axis=0) for _ in "ab")
    assert not octavo.geometry.fundamental(a, b).found
    assert not octavo.geometry.essential(a, b, (700, 700, 320, 240)).found
    few = octavo.geometry.fundamental(np.repeat(a[::50][:4], 9, axis=0), np.repeat(b[::50][:4], 9, axis=0))
    assert "needs at least 8 pairs, but only 4 are different" in few.reason


@pytest.mark.slow
def test_names_in_a_locale_with_other_letters(tmp_path):
    """In Turkish the C library has no small letter for I; in German it reads 0,5 for a half."""
    environment = {**os.environ, "LOCPATH": str(tmp_path)}
    for name in ("tr_TR", "de_DE"):
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", name, "-f", "UTF-8", tmp_path / f"{name}.UTF-8"], capture_output=True, check=False
        )
        if not made or made.returncode > 1:
            pytest.skip("lacks localedef and its sources, of Debian's package locales")
        code = (
            f"import locale\nlocale.setlocale(locale.LC_ALL, '{name}.UTF-8')\n"
            "import numpy as np, octavo\n"
            "image = np.arange(600, dtype=np.float32).reshape(20, 30)\n"
            "octavo.write('A.TIF', image)\n"
            "assert (octavo.read('A.TIF') == image).all()\n"
            "assert octavo.jobs.extract('.', 'out', format='json', device='cpu').images >= 1\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=tmp_path, timeout=120)
