"""octavo export: what it writes is read by OpenCV and pycolmap, or projected by the conventions that the programs document."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import cv2
import numpy as np
import pytest
from PIL import Image

pycolmap = pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
pytestmark = pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")

SIZE = (320, 240)
VIEWS = 4
PARAMETERS = {
    "SIMPLE_PINHOLE": [300, 160, 120],
    "PINHOLE": [300, 310, 150, 125],
    "SIMPLE_RADIAL": [300, 160, 120, 0.05],
    "RADIAL": [300, 160, 120, 0.05, -0.02],
    "OPENCV": [300, 300, 162, 119, 0.05, -0.02, 0.003, -0.002],
    "OPENCV_FISHEYE": [300, 310, 162, 119, 0.05, -0.02, 0.01, -0.005],
    "SIMPLE_RADIAL_FISHEYE": [300, 160, 120, 0.05],
    "RADIAL_FISHEYE": [300, 160, 120, 0.05, -0.02],
    "FOV": [300, 310, 160, 120, 0.5],
    "FULL_OPENCV": [300, 310, 160, 120, 0.05, -0.02, 0.003, -0.002, 0, 0, 0, 0],
}


def make_model(folder, camera_model="SIMPLE_RADIAL", cameras=1, views=VIEWS, form="binary"):
    """Writes a model whose observations are exact, and returns it. Its images are a.png, b.png …"""
    pycolmap.set_random_seed(3)
    options = pycolmap.SyntheticDatasetOptions()
    options.num_rigs, options.num_cameras_per_rig, options.num_frames_per_rig = cameras, 1, views // cameras
    options.num_points3D = 60
    options.camera_width, options.camera_height = SIZE
    options.camera_model_id = getattr(pycolmap.CameraModelId, camera_model)
    options.camera_params = PARAMETERS[camera_model]
    model = pycolmap.synthesize_dataset(options)
    for image, letter in zip(sorted(model.images), "abcdefgh", strict=False):
        model.images[image].name = f"{letter}.png"
    random = np.random.default_rng(1)
    for point in model.points3D.values():
        point.color = random.integers(0, 256, 3).astype(np.uint8)
    folder.mkdir(parents=True)
    getattr(model, f"write_{form}")(str(folder))
    return model


def write_photos(folder, model):
    folder.mkdir()
    random = np.random.default_rng(2)
    for image in model.images.values():
        cv2.imwrite(str(folder / image.name), random.integers(0, 256, (SIZE[1], SIZE[0], 3)).astype(np.uint8))


@pytest.fixture
def made(octavo):
    """Makes a model and its photographs in the folder of the program."""

    def make(camera_model="SIMPLE_RADIAL", **settings):
        model = make_model(octavo.folder / "model", camera_model, **settings)
        write_photos(octavo.folder / "photos", model)
        return model

    return make


def by_name(model):
    return {image.name: image for image in model.images.values()}


def world_points(model):
    return np.array([model.points3D[point].xyz for point in sorted(model.points3D)])


def test_points_and_cameras_of_ply(octavo, made):
    model = made("PINHOLE")
    report = json.loads(octavo("export", "model", "-o", "out", "--to", "ply", "--json"))
    assert report == {
        "model": str(octavo.folder / "model"),
        "image_count": VIEWS,
        "point_count": 60,
        "made": [
            {"form": "ply", "files": [str(octavo.folder / "out" / f"{name}.ply") for name in ("points", "cameras")]}
        ],
        "problems": [],
        "warnings": [],
    }
    places, _, colours = cv2.loadPointCloud(str(octavo.folder / "out" / "points.ply"))
    assert places.reshape(-1, 3) == pytest.approx(world_points(model), rel=1e-6)
    true = np.array([model.points3D[point].color for point in sorted(model.points3D)])
    assert np.round(colours.reshape(-1, 3) * (255 if colours.max() <= 1 else 1)) == pytest.approx(true)

    vertices, triangles, *_ = cv2.loadMesh(str(octavo.folder / "out" / "cameras.ply"))
    vertices = vertices.reshape(-1, 5, 3)
    assert len(vertices) == VIEWS
    assert len(triangles) == 6 * VIEWS and {len(one.ravel()) for one in triangles} == {3}
    for (centre, *corners), image in zip(
        vertices, (model.images[image] for image in sorted(model.images)), strict=True
    ):
        assert centre == pytest.approx(image.projection_center(), abs=1e-5)
        ends = [image.project_point(corner.astype(float)) for corner in corners]
        assert np.array(ends) == pytest.approx(np.array([(0, 0), (320, 0), (320, 240), (0, 240)]), abs=1e-2)


def projected(frame, meta, points):
    """Pixels of points by transforms.json: cameras look along −z, with y up. OpenCV distorts them."""
    value = {**meta, **frame}
    camera_from_world = np.diag([1, -1, -1, 1]) @ np.linalg.inv(np.array(frame["transform_matrix"], float))
    turn, _ = cv2.Rodrigues(camera_from_world[:3, :3])
    matrix = np.array([[value["fl_x"], 0, value["cx"]], [0, value["fl_y"], value["cy"]], [0, 0, 1.0]])
    move = np.ascontiguousarray(camera_from_world[:3, 3:])
    is_fisheye = meta["camera_model"] == "OPENCV_FISHEYE"
    keys = ("k1", "k2", "k3", "k4") if is_fisheye else ("k1", "k2", "p1", "p2")
    terms = np.array([value.get(key, 0.0) for key in keys], float)
    project = cv2.fisheye.projectPoints if is_fisheye else cv2.projectPoints
    pixels, _ = project(points[:, None], turn, move, matrix, terms)
    return pixels.reshape(-1, 2)


def require_pixels(file, model, folder):
    """The pixels of transforms.json are those of the model, and its images are there."""
    meta = json.loads(file.read_text())
    images = by_name(model)
    points = world_points(model)
    for frame in meta["frames"]:
        path = os.path.normpath(file.parent / frame["file_path"])
        assert os.path.samefile(os.path.dirname(path), folder) and os.path.isfile(path)
        image = images[os.path.basename(path)]
        size = {**meta, **frame}
        assert (size["w"], size["h"]) == (image.camera.width, image.camera.height)
        true = np.array([image.project_point(point) for point in points])
        assert projected(frame, meta, points) == pytest.approx(true, abs=1e-3)
    return meta


@pytest.mark.parametrize("cameras", [1, 2])
@pytest.mark.parametrize("camera_model", [name for name in PARAMETERS if name not in ("FOV", "FULL_OPENCV")])
def test_transforms_project_as_the_model(octavo, made, camera_model, cameras):
    model = made(camera_model, cameras=cameras)
    octavo("export", "model", "-o", "out", "--photos", "photos", "--to", "ply,transforms")
    meta = require_pixels(octavo.folder / "out" / "transforms.json", model, octavo.folder / "photos")
    assert [os.path.basename(frame["file_path"]) for frame in meta["frames"]] == ["a.png", "b.png", "c.png", "d.png"]
    assert (octavo.folder / "out" / meta["ply_file_path"]).exists()
    kind = "OPENCV_FISHEYE" if "FISHEYE" in camera_model else "PINHOLE" if "PINHOLE" in camera_model else "OPENCV"
    assert (meta["camera_model"], meta.get("is_fisheye", False)) == (kind, kind == "OPENCV_FISHEYE")
    assert ("fl_x" in meta) == (cameras == 1) == ("fl_x" not in meta["frames"][0])


@pytest.mark.parametrize("camera_model", ["FOV", "FULL_OPENCV"])
def test_cameras_that_transforms_cannot_express(octavo, made, camera_model):
    made(camera_model)
    call = ("export", "model", "-o", "out", "--photos", "photos", "--to")
    told = octavo.error(1, *call, "ply,transforms")
    assert f"nothing like the camera model {camera_model}: export --to undistorted first" in told
    assert not (octavo.folder / "out").exists()
    octavo(*call, "undistorted")
    octavo("export", "out/undistorted", "-o", "pinhole", "--to", "transforms")
    flat = octavo.folder / "out" / "undistorted"
    meta = require_pixels(
        octavo.folder / "pinhole" / "transforms.json", pycolmap.Reconstruction(flat / "sparse"), flat / "images"
    )
    assert meta["camera_model"] == "PINHOLE"


def test_transforms_of_two_kinds_of_cameras(octavo, made):
    model = made("SIMPLE_RADIAL", cameras=2)
    file = octavo.folder / "model" / "cameras.bin"
    data = bytearray(file.read_bytes())
    data[12] = 8  # SIMPLE_RADIAL_FISHEYE, which has as many parameters
    file.write_bytes(data)
    told = octavo.error(1, "export", "model", "-o", "out", "--photos", "photos", "--to", "transforms")
    assert "cannot hold the camera models SIMPLE_RADIAL_FISHEYE and SIMPLE_RADIAL together" in told
    assert len(model.cameras) == 2


def bundle_errors(folder):
    """The distances of the keypoints in bundle.out from the pixels that Bundler's manual says, and the names of the list."""
    lines = (folder / "bundle.out").read_text().splitlines()
    assert lines[0].startswith("# Bundle file v0.3")
    numbers = iter(" ".join(lines[1:]).split())

    def take(count):
        return np.array([float(next(numbers)) for _ in range(count)])

    cameras, points = map(int, take(2))
    poses = [(take(3), take(9).reshape(3, 3), take(3)) for _ in range(cameras)]
    errors = []
    for _ in range(points):
        place, _colour = take(3), take(3)
        for _ in range(int(next(numbers))):
            camera, _key, x, y = take(4)
            (focal, k1, k2), rotation, translation = poses[int(camera)]
            seen = rotation @ place + translation
            flat = -seen[:2] / seen[2]
            square = flat @ flat
            errors.append(np.hypot(*(focal * (1 + k1 * square + k2 * square**2) * flat - (x, y))))
    names = (folder / "list.txt").read_text().splitlines()
    assert len(names) == cameras == VIEWS
    return np.array(errors), names


def test_bundler(octavo, made):
    made("RADIAL")
    octavo("export", "model", "-o", "out", "--to", "bundler")
    errors, names = bundle_errors(octavo.folder / "out" / "bundler")
    assert len(errors) > 150 and errors.max() < 0.01
    assert sorted(names) == ["a.png", "b.png", "c.png", "d.png"]
    assert {path.name for path in (octavo.folder / "out" / "bundler").iterdir()} == {"bundle.out", "list.txt"}


def test_bundler_of_cameras_that_it_lacks(octavo, made):
    made("OPENCV")
    call = ("export", "model", "-o", "out", "--to", "bundler")
    assert "--photos is missing" in octavo.call(*call).stderr
    done = octavo.call(*call, "--photos", "photos", "--json")
    assert done.returncode == 0
    warning, of_middle = json.loads(done.stdout)["warnings"]
    assert "may be 2.2 off" in of_middle  # COLMAP leaves the principal point aside of the middle
    assert "nothing like the camera model OPENCV: its files are of the undistorted images" in warning
    assert [one["form"] for one in json.loads(done.stdout)["made"]] == ["undistorted", "bundler"]
    errors, names = bundle_errors(octavo.folder / "out" / "bundler")
    assert errors.max() < 0.01
    assert all((octavo.folder / "out" / "undistorted" / "images" / name).exists() for name in names)


def test_bundler_has_one_focal_length(octavo, made):
    made("PINHOLE")
    done = octavo.call("export", "model", "-o", "out", "--to", "bundler")
    assert (done.returncode, "may be 14.5 off" in done.stderr) == (0, True), done.stderr


@pytest.mark.parametrize("mapper", ["colmap", sys.executable])
def test_undistorted(octavo, made, mapper):
    model = made("OPENCV")
    os.rename(octavo.folder / "photos" / "b.png", octavo.folder / "photos" / "b b'\".png")
    image = by_name(model)["b.png"]
    image.name = "b b'\".png"
    model.write_binary(str(octavo.folder / "model"))
    text = octavo("export", "model", "-o", "out", "--photos", "photos", "--to", "undistorted", "--mapper", mapper)
    folder = octavo.folder / "out" / "undistorted"
    assert f"undistorted         {folder}\n" in text
    flat = pycolmap.Reconstruction(folder / "sparse")
    assert {camera.model.name for camera in flat.cameras.values()} == {"PINHOLE"}
    assert set(by_name(flat)) == {"a.png", "b b'\".png", "c.png", "d.png"}
    for image in flat.images.values():
        with Image.open(folder / "images" / image.name) as photo:
            assert photo.size == (image.camera.width, image.camera.height)
    assert flat.compute_mean_reprojection_error() < 0.01
    log = (octavo.folder / "out" / "export.log").read_text()
    assert ("image_undistorter" in log) == (mapper == "colmap")
    assert not (octavo.folder / "out" / "undistorted.partial").exists()


def test_bundler_that_cannot_be_made(octavo, made):
    model = made("RADIAL")
    call = ("export", "model", "-o", "out", "--to", "bundler")
    told = octavo.error(1, *call, "--mapper", sys.executable)
    assert "bundler needs the program COLMAP" in told and "apt install colmap" in told
    by_name(model)["b.png"].name = "b b.png"
    model.write_binary(str(octavo.folder / "model"))
    assert "cannot hold the name 'b b.png'" in octavo.error(1, *call)
    assert not (octavo.folder / "out").exists()


def test_names_of_any_bytes(octavo, made):
    made("PINHOLE")
    file = octavo.folder / "model" / "images.bin"
    file.write_bytes(file.read_bytes().replace(b"b.png\0", b"\xff.png\0").replace(b"c.png\0", b"#\n.pn\0"))
    photos = os.fsencode(octavo.folder / "photos")
    os.rename(photos + b"/b.png", photos + b"/\xff.png")
    os.rename(photos + b"/c.png", photos + b"/#\n.pn")
    done = subprocess.run(
        [octavo.path, "export", "model", "-o", "out", "--photos", "photos", "--to", "transforms"],
        cwd=octavo.folder,
        capture_output=True,
    )
    assert done.returncode == 1
    assert b".png' is not UTF-8, which JSON needs" in done.stderr
    paths = [
        frame["file_path"] for frame in json.loads((octavo.folder / "out" / "transforms.json").read_text())["frames"]
    ]
    assert sorted(paths) == ["../photos/#\n.pn", "../photos/a.png", "../photos/d.png"]


def test_photographs_that_are_missing(octavo, made):
    made("OPENCV")
    call = ("export", "model", "-o", "out", "--to", "transforms,undistorted")
    assert "--photos is missing" in octavo.error(2, *call)
    assert "there is no folder 'none'" in octavo.error(1, *call, "--photos", "none")
    (octavo.folder / "photos" / "b.png").unlink()
    done = octavo.call(*call, "--photos", "photos", "--json")
    assert done.returncode == 1
    problems = json.loads(done.stdout)["problems"]
    assert problems[0] == "the image 'b.png' of the model is not in 'photos'"
    frames = json.loads((octavo.folder / "out" / "transforms.json").read_text())["frames"]
    assert [os.path.basename(frame["file_path"]) for frame in frames] == ["a.png", "c.png", "d.png"]
    assert {path.name for path in (octavo.folder / "out" / "undistorted" / "images").iterdir()} == {
        "a.png",
        "c.png",
        "d.png",
    }
    # One that cannot be read.
    (octavo.folder / "photos" / "b.png").write_bytes(b"no image")
    done = octavo.call(*call, "--photos", "photos")
    assert done.returncode == 1
    assert "the image 'b.png' was not undistorted" in done.stderr and "export.log" in done.stderr
    (octavo.folder / "empty").mkdir()
    done = octavo.call(*call, "--photos", "empty")
    assert (done.returncode, "none of the model's images is in 'empty'" in done.stderr) == (1, True)


def test_files_of_others_stay(octavo, made):
    made("PINHOLE")
    call = ("export", "model", "-o", "out", "--photos", "photos", "--to")
    (octavo.folder / "out").mkdir()
    (octavo.folder / "out" / "transforms.json").write_text("mine")
    told = octavo.error(1, *call, "ply,transforms")
    assert "'out/transforms.json' is there, and octavo export did not make it" in told
    assert {path.name for path in (octavo.folder / "out").iterdir()} == {"transforms.json"}
    octavo(*call, "ply")
    assert "did not make it" in octavo.error(1, *call, "transforms")
    assert (octavo.folder / "out" / "transforms.json").read_text() == "mine"
    octavo(*call, "ply")  # its own are replaced
    (octavo.folder / "out" / "export.json").write_text('{"of": "another program"}')
    assert "'out/export.json' is damaged, or Octavo did not make it" in octavo.error(1, *call, "ply")
    (octavo.folder / "out" / "export.json").write_text('{"files": 3}')
    assert "did not make it" in octavo.error(1, *call, "ply")


def test_which_model_is_taken(octavo):
    for number, (views, form) in enumerate([(2, "binary"), (4, "text"), (3, "binary")]):
        make_model(octavo.folder / "model" / "sparse" / str(number), views=views, form=form)
    for place in ("model", "model/sparse"):
        report = json.loads(octavo("export", place, "-o", "out", "--to", "ply", "--json"))
        assert (report["image_count"], report["model"]) == (
            4,
            str(octavo.folder / place / ("sparse/1" if place == "model" else "1")),
        )
    report = json.loads(octavo("export", "model/sparse/2", "-o", "out", "--to", "ply", "--json"))
    assert report["image_count"] == 3
    (octavo.folder / "empty").mkdir()
    for place in ("empty", "absent"):
        assert f"there is no model in '{place}'" in octavo.error(1, "export", place, "-o", "new", "--to", "ply")
    assert not (octavo.folder / "new").exists()


def test_a_model_without_points_is_refused(octavo):
    model = octavo.folder / "bare" / "sparse" / "0"
    model.mkdir(parents=True)
    (model / "cameras.txt").write_text("1 SIMPLE_PINHOLE 640 480 600 320 240\n")
    (model / "images.txt").write_text("1 1 0 0 0 0 0 1 1 a.png\n\n")
    (model / "points3D.txt").write_text("# none\n")
    for place, sentence in (("bare", "with one that has points"), ("bare/sparse/0", "has 0 points, and without 5")):
        assert sentence in octavo.error(1, "export", place, "-o", "new", "--to", "ply")
    assert not (octavo.folder / "new").exists()
    make_model(octavo.folder / "bare" / "sparse" / "1", views=2)
    report = json.loads(octavo("export", "bare", "-o", "new", "--to", "ply", "--json"))
    assert report["model"] == str(octavo.folder / "bare" / "sparse" / "1")


def test_calls_that_are_refused(octavo, made):
    made("PINHOLE")
    assert '--to is "obj", but must be ply, transforms, bundler or undistorted' in octavo.error(
        2, "export", "model", "-o", "out", "--to", "ply,obj"
    )
    assert "--to" in octavo.error(2, "export", "model", "-o", "out")
    file = octavo.folder / "model" / "images.bin"
    file.write_bytes(file.read_bytes().replace(b"b.png\0", b"../ab\0"))
    assert "the image '../ab' of the model is outside" in octavo.error(
        1, "export", "model", "-o", "out", "--photos", "photos", "--to", "undistorted"
    )


def test_colmap_that_fails(octavo, made):
    made("PINHOLE")
    call = ("export", "model", "-o", "out", "--photos", "photos", "--to", "undistorted")
    environment = {**os.environ, "PATH": str(octavo.folder)}
    done = subprocess.run([octavo.path, *call], cwd=octavo.folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no mapper is installed" in done.stderr and "apt install colmap" in done.stderr
    assert not (octavo.folder / "out").exists()
    octavo(*call)
    program = octavo.folder / "colmap"
    program.write_text("#!/bin/sh\necho the disk is full >&2; exit 3\n")
    program.chmod(0o755)
    told = octavo.error(1, *call, "--mapper", "./colmap")
    assert "colmap failed (exit code 3): the disk is full; its log is" in told
    assert {path.name for path in (octavo.folder / "out").iterdir()} == {"export.json", "export.log", "undistorted"}
    assert pycolmap.Reconstruction(octavo.folder / "out" / "undistorted" / "sparse").num_images() == VIEWS


def test_interruption_ends_colmap(octavo, made):
    made("OPENCV")
    program = octavo.folder / "colmap"
    program.write_text('#!/bin/sh\necho $$ > "$(dirname "$0")/pid"; sleep 60\n')
    program.chmod(0o755)
    words = [
        octavo.path,
        "export",
        "model",
        "-o",
        "out",
        "--photos",
        "photos",
        "--to",
        "undistorted",
        "--mapper",
        "./colmap",
    ]
    process = subprocess.Popen(words, cwd=octavo.folder, stderr=subprocess.PIPE, text=True)
    pid = octavo.folder / "pid"
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == -signal.SIGINT
    assert process.stderr.read().endswith("octavo: interrupted\n")
    assert not os.path.exists(f"/proc/{pid.read_text().strip()}")
    assert {path.name for path in (octavo.folder / "out").iterdir()} == {"export.json", "export.log"}
