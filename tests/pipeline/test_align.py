"""octavo align: from two photographs it makes four images and the homography."""

import json
import re
import subprocess
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from PIL import Image

from conftest import PHOTOGRAPHS


def corners(width, height):
    return np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)


def project(homography, points):
    mapped = np.c_[points, np.ones(len(points))] @ homography.T
    return mapped[:, :2] / mapped[:, 2:]


def corner_error(homography, truth, width, height):
    points = corners(width, height)
    return np.hypot(*(project(homography, points) - project(truth, points)).T).mean()


def h1to3p():
    numbers = ElementTree.parse(PHOTOGRAPHS / "H1to3p.xml").findtext("H13/data").split()
    return np.array(numbers, float).reshape(3, 3)


@pytest.fixture
def graf(photograph):
    return photograph("graf1.png"), photograph("graf3.png")


def test_graf(octavo, graf):
    output = json.loads(octavo("align", *graf, "--preset", "opencv", "-o", "out.png", "--json"))
    assert list(output) == [
        "image_a",
        "image_b",
        "keypoint_count_a",
        "keypoint_count_b",
        "views",
        "retried",
        "match_count",
        "inlier_count",
        "reprojection_error",
        "homography",
        "warnings",
        "warning_kinds",
        "files",
    ]
    assert [output["image_a"], output["image_b"]] == [str(file) for file in graf]
    assert output["warnings"] == []  # a plane
    assert output["keypoint_count_a"] > 1000 and output["keypoint_count_b"] > 1000
    assert (
        50
        < output["inlier_count"]
        < output["match_count"]
        < min(output["keypoint_count_a"], output["keypoint_count_b"])
    )
    assert 0 < output["reprojection_error"] < 3
    with Image.open(graf[0]) as a, Image.open(graf[1]) as b:
        size_a, size_b = a.size, b.size
    homography = np.array(output["homography"])
    assert homography[2, 2] == 1
    assert corner_error(homography, h1to3p(), *size_a) < 5

    sizes = {}
    for name in ("out.png", "out.matches.png", "out.inliers.png", "out.checkerboard.png"):
        image = cv2.imread(str(octavo.folder / name), cv2.IMREAD_UNCHANGED)
        assert image is not None and image.std() > 10, name
        sizes[name] = image.shape[1::-1]
    assert sorted(output["files"]) == sorted(sizes)
    assert sizes["out.checkerboard.png"] == size_a
    warped = project(np.linalg.inv(homography), corners(*size_b))
    low = np.minimum(warped.min(axis=0), 0)
    high = np.maximum(warped.max(axis=0), np.array(size_a) - 1)
    np.testing.assert_allclose(sizes["out.png"], high - low + 1, atol=2)


def test_warped_image_lies_on_the_other(octavo, graf):
    """In the region of both images the checkerboard shows one painting, with the grey levels of graf1."""
    octavo("align", *graf, "-o", "out.png")
    board = cv2.imread(str(octavo.folder / "out.checkerboard.png"), cv2.IMREAD_GRAYSCALE).astype(float)
    a = cv2.imread(str(graf[0]), cv2.IMREAD_GRAYSCALE).astype(float)
    middle = np.s_[200:440, 250:550]
    assert np.corrcoef(board[middle].ravel(), a[middle].ravel())[0, 1] > 0.8


def test_text(octavo, graf):
    output = octavo("align", *graf, "--max-features", 3000, "-o", "out.png")
    numbers = dict(re.findall(r"^(\S.*?\S)  +(\S+)", output, re.MULTILINE))
    wanted = json.loads(octavo("align", *graf, "--max-features", 3000, "--json"))
    assert numbers["keypoints A"] == str(wanted["keypoint_count_a"])
    assert numbers["keypoints B"] == str(wanted["keypoint_count_b"])
    assert numbers["matches"] == str(wanted["match_count"])
    assert numbers["inliers"] == str(wanted["inlier_count"])
    assert float(numbers["reprojection error"]) == pytest.approx(wanted["reprojection_error"], abs=1e-3)
    matrix = re.search(r"homography B from A((?:\s+\S+){9})", output)[1].split()
    np.testing.assert_allclose(np.array(matrix, float).reshape(3, 3), wanted["homography"], rtol=1e-6)
    for name in ("out.png", "out.matches.png", "out.inliers.png", "out.checkerboard.png"):
        assert re.search(rf"image +{name}$", output, re.MULTILINE)


def test_leuven(octavo, photograph):
    pair = photograph("leuvenA.jpg"), photograph("leuvenB.jpg")  # a building with depth, from two places
    output = json.loads(octavo("align", *pair, "--json"))
    assert output["inlier_count"] > 100 and output["reprojection_error"] < 2
    assert "parallax" in output["warning_kinds"]


def test_known_movement(octavo, texture):
    """An image and its warp by a known homography: octavo align finds this homography."""
    truth = np.array([[0.95, 0.12, 8], [-0.08, 1.02, 12], [1e-4, -5e-5, 1]])
    image = texture(320, 240)
    warped = cv2.warpPerspective(image, truth, (320, 240), flags=cv2.INTER_CUBIC)
    Image.fromarray(image).save(octavo.folder / "a.png")
    Image.fromarray(warped).save(octavo.folder / "b.png")
    output = json.loads(octavo("align", "a.png", "b.png", "--json"))
    assert corner_error(np.array(output["homography"]), truth, 320, 240) < 1


def seen_from_aside(photograph):
    """A photograph, the same as a plane that is compressed seven times, and the homography between them."""
    image = cv2.resize(cv2.imread(str(photograph("baboon.jpg"))), (480, 480), interpolation=cv2.INTER_AREA)
    turn = np.array([[0.8, -0.6, 150], [0.6, 0.8, -90], [0, 0, 1]])
    tilt = np.array([[1 / 7, 0, 60], [0, 1, 60], [2e-4, 1e-4, 1]])
    truth, size = tilt @ turn, (160, 620)
    finer = np.array([[4, 0, 1.5], [0, 4, 1.5], [0, 0, 1]])
    samples = cv2.warpPerspective(image, finer @ truth, (4 * size[0], 4 * size[1]))
    return image, cv2.resize(samples, size, interpolation=cv2.INTER_AREA), truth


@pytest.mark.slow
def test_a_plane_seen_from_aside(octavo, photograph):
    """Plain features do not align it; views do, by themselves, and say so."""
    a, b, truth = seen_from_aside(photograph)
    cv2.imwrite(str(octavo.folder / "a.png"), a)
    cv2.imwrite(str(octavo.folder / "b.png"), b)
    plain = json.loads(octavo.call("align", "a.png", "b.png", "--no-retry", "--json").stdout)
    assert plain["views"] == "none" and (plain["homography"] is None or plain["warnings"])
    found = json.loads(octavo("align", "a.png", "b.png", "-o", "out.png", "--json"))
    assert found["views"] == "few" and found["warnings"] == []
    assert found["retried"] and not plain["retried"]
    assert corner_error(np.array(found["homography"]), truth, 480, 480) < 2
    assert "retried             yes\nviews               few\n" in octavo("align", "a.png", "b.png")
    matched = json.loads(octavo("match", "a.png", "b.png", "--views", "few", "--verify", "homography", "--json"))
    assert matched["verification"]["inlier_count"] > 30
    assert corner_error(np.array(matched["verification"]["homography"]), truth, 480, 480) < 5
    octavo("extract", "a.png", "--preset", "wide", "-o", "features")
    assert "views" in octavo.error(2, "inspect", "a.png", "--views", "few", "-o", "inspected")


def test_an_image_with_itself(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    output = json.loads(octavo("align", "a.png", "a.png", "--json"))
    np.testing.assert_allclose(np.array(output["homography"]), np.eye(3), atol=1e-3)
    assert output["inlier_count"] == output["match_count"] and output["warnings"] == []


def test_seed_gives_the_same_answer(octavo, graf):
    options = ["--max-features", 2000, "--seed", 5, "--json"]
    assert octavo("align", *graf, *options) == octavo("align", *graf, *options)


@pytest.mark.parametrize("method", ["magsac", "ransac", "prosac"])
def test_methods(octavo, graf, method):
    output = json.loads(octavo("align", *graf, "--method", method, "--json"))
    assert corner_error(np.array(output["homography"]), h1to3p(), 800, 640) < 5


def test_images_that_do_not_fit(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    Image.new("L", (100, 100), 128).save(octavo.folder / "b.png")
    done = octavo.call("align", "a.png", "b.png", "-o", "out.png", "--json")
    assert done.returncode == 1
    why, none = done.stderr.splitlines()
    assert why == "octavo: b.png: no keypoints: all its samples are 128"
    assert re.fullmatch(r"octavo: no homography maps a\.png to b\.png: .+", none)
    output = json.loads(done.stdout)
    assert (output["match_count"], output["inlier_count"], output["reprojection_error"], output["homography"]) == (
        0,
        0,
        None,
        None,
    )
    assert [file.name for file in sorted(octavo.folder.glob("out*"))] == ["out.matches.png"]


@pytest.mark.slow
def test_a_wrong_homography_whose_inliers_lie_evenly_is_none(octavo, photograph):
    done = octavo.call("align", photograph("graf1.png"), photograph("home.jpg"), "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["homography"] is None


@pytest.mark.parametrize(
    "names", [("box.png", "box_in_scene.png"), ("rubberwhale1.png", "rubberwhale2.png"), ("left01.jpg", "left02.jpg")]
)
def test_planes_and_still_cameras_are_not_warned_of(octavo, photograph, names):
    output = json.loads(octavo("align", *map(photograph, names), "--json"))
    assert output["warnings"] == [] and output["inlier_count"] > 50


@pytest.mark.parametrize(
    "names, kind",
    [
        (("aloeL.jpg", "aloeR.jpg"), "parallax"),
        pytest.param(("left01.jpg", "right01.jpg"), "parallax", marks=pytest.mark.slow),
        (("sudoku.png", "home.jpg"), "few_inliers"),
    ],
)
def test_pairs_that_are_no_plane_are_warned_of(octavo, photograph, names, kind):
    done = octavo.call("align", *map(photograph, names), "--max-features", 2000, "--json")
    output = json.loads(done.stdout)
    if output["homography"] is None:
        assert done.returncode == 1 and output["warnings"] == []
        return
    assert done.returncode == 0 and done.stderr == ""
    assert kind in output["warning_kinds"]
    text = octavo("align", *map(photograph, names), "--max-features", 2000)
    for warning in output["warnings"]:
        assert f"warning             {warning}\n" in text


def two_scenes(photograph, names=("home.jpg", "fruits.jpg")):
    return [cv2.resize(cv2.imread(str(photograph(name))), (600, 450)) for name in names]


def kinds_of(octavo, a, b, options=("--no-retry",)):
    for name, image in (("a.png", a), ("b.png", b)):
        cv2.imwrite(str(octavo.folder / name), image)
    return json.loads(octavo("align", "a.png", "b.png", *options, "--json"))["warning_kinds"]


def test_a_poster_in_two_scenes_is_warned_of(octavo, photograph):
    """Its homography tells nothing of the scenes."""
    a, b = two_scenes(photograph)
    poster = cv2.resize(cv2.imread(str(photograph("baboon.jpg"))), (130, 130), interpolation=cv2.INTER_AREA)
    a[40:170, 60:190] = poster
    b[110:240, 160:290] = poster
    assert kinds_of(octavo, a, b) == ["local"]


@pytest.mark.slow
def test_a_retry_still_warns_of_a_poster(octavo, photograph):
    """It seeks matches near their places, where some agree by chance beside the poster."""
    a, b = two_scenes(photograph, ["messi5.jpg", "starry_night.jpg"])
    poster = cv2.resize(cv2.imread(str(photograph("chicky_512.png"))), (150, 150), interpolation=cv2.INTER_AREA)
    a[20:170, 430:580] = poster
    b[280:430, 200:350] = poster
    assert "local" in kinds_of(octavo, a, b, [])


def test_what_stands_at_the_same_pixels_is_warned_of(octavo, photograph):
    """A caption under two scenes, and not under two exposures of one."""
    a, b = two_scenes(photograph)
    for image in (a, b):
        image[400:] = 20
        cv2.putText(image, "2026-11-29 CAMERA 4 - WALL", (10, 435), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (230, 230, 230), 2)
    assert "watermark" in kinds_of(octavo, a, b)
    assert "stands at the same pixels of both images" in octavo("align", "a.png", "b.png", "--no-retry")
    assert kinds_of(octavo, a, cv2.convertScaleAbs(a, alpha=0.5)) == []


def test_a_mirror_image_is_turned_over(octavo, photograph):
    image = cv2.resize(cv2.imread(str(photograph("home.jpg"))), (400, 300), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(octavo.folder / "a.png"), image)
    cv2.imwrite(str(octavo.folder / "b.png"), image[:, ::-1])
    output = json.loads(octavo("align", "a.png", "b.png", "-o", "out.png", "--json"))
    assert output["warning_kinds"] == ["mirrored"] and output["retried"] and output["views"] == "none"
    truth = np.array([[-1, 0, 399], [0, 1, 0], [0, 0, 1]])
    assert corner_error(np.array(output["homography"]), truth, 400, 300) < 0.1
    both = cv2.imread(str(octavo.folder / "out.checkerboard.png")).astype(float)
    assert np.abs(both - image).mean() < 2
    plain = octavo.call("align", "a.png", "b.png", "--no-retry", "--json")
    assert "mirrored" not in json.loads(plain.stdout)["warning_kinds"]


@pytest.mark.parametrize("degrees", [20, 35])
def test_a_turned_camera_is_not_warned_of(octavo, photograph, degrees):
    """Of the image a part of 40 or 15 percent is seen in both."""
    image = cv2.resize(cv2.imread(str(photograph("starry_night.jpg")), cv2.IMREAD_GRAYSCALE), (600, 480))
    angle, camera = np.deg2rad(degrees), np.array([[700, 0, 299.5], [0, 700, 239.5], [0, 0, 1]])
    turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
    warped = cv2.warpPerspective(image, camera @ turn @ np.linalg.inv(camera), (600, 480), flags=cv2.INTER_CUBIC)
    cv2.imwrite(str(octavo.folder / "a.png"), image)
    cv2.imwrite(str(octavo.folder / "b.png"), warped)
    output = json.loads(octavo("align", "a.png", "b.png", "-o", "out.png", "--json"))
    assert output["warnings"] == []


def test_outside_the_images_it_is_transparent_or_white(octavo, graf):
    octavo("align", *graf, "--max-features", 3000, "-o", "out.png")
    both = cv2.imread(str(octavo.folder / "out.png"), cv2.IMREAD_UNCHANGED)
    assert both.shape[2] == 4
    nothing = both[..., 3] == 0
    assert 0.02 < nothing.mean() < 0.5 and (both[nothing][:, :3] == 255).all()
    for side in (both[:2], both[-2:], both[:, :2], both[:, -2:]):
        assert side[..., 3].any()  # the canvas ends where the images end; a corner may be narrower than a pixel
    octavo("align", *graf, "--max-features", 3000, "-o", "out.jpg")
    jpeg = cv2.imread(str(octavo.folder / "out.jpg"))
    assert jpeg.shape[:2] == both.shape[:2] and jpeg[nothing].min(axis=-1).mean() > 245


def test_an_image_from_the_standard_input(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    with open(octavo.folder / "a.png", "rb") as stream:
        done = subprocess.run(
            [octavo.path, "align", "a.png", "-", "--json"],
            cwd=octavo.folder,
            stdin=stream,
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) | {"image_b": "a.png"} == json.loads(octavo("align", "a.png", "a.png", "--json"))


@pytest.fixture
def halves(octavo, photograph):
    """Two parts of a photograph, 16 bits deep, the second darker by a factor of 0.7; returns the photograph."""
    whole = cv2.imread(str(photograph("graf1.png"))).astype(np.uint16) * 200 + 1234
    cv2.imwrite(str(octavo.folder / "a.png"), whole[:, :500])
    cv2.imwrite(str(octavo.folder / "b.png"), (whole[:, 300:] * 0.7).astype(np.uint16))
    return whole


def difference(octavo, whole):
    both = cv2.imread(str(octavo.folder / "both.png"), cv2.IMREAD_UNCHANGED)
    assert both.dtype == np.uint16 and both.shape[2] == 4
    height, width = whole.shape[:2]
    assert abs(both.shape[0] - height) <= 2 and abs(both.shape[1] - width) <= 2
    inner = np.s_[4 : height - 4, 4 : width - 4, :3]
    return np.sqrt(np.mean((both[inner].astype(float) - whole[inner]) ** 2)) / 257


def test_seam_and_exposure_are_not_seen(octavo, halves):
    octavo("align", "a.png", "b.png", "-o", "both.png")
    assert difference(octavo, halves) < 4
    both = cv2.imread(str(octavo.folder / "both.png"), cv2.IMREAD_UNCHANGED)
    np.testing.assert_array_equal(both[100:500, 20:200, 3], 65535)
    assert np.abs(both[100:500, 50:200, :3].astype(float) - halves[100:500, 50:200]).max() < 257  # A is kept
    board = cv2.imread(str(octavo.folder / "both.checkerboard.png"), cv2.IMREAD_UNCHANGED)
    assert board.dtype == np.uint16 and board.shape == (halves.shape[0], 500, 3)
    octavo("align", "a.png", "b.png", "-o", "both.png", "--no-exposure", "--bands", 0)
    assert difference(octavo, halves) > 10


def test_the_mean_is_half_and_half(octavo, halves):
    octavo("align", "a.png", "b.png", "-o", "both.png", "--blend", "mean")
    both = cv2.imread(str(octavo.folder / "both.png"), cv2.IMREAD_UNCHANGED).astype(float)
    middle = np.s_[100:500, 320:480, :3]
    assert both[middle].mean() == pytest.approx(halves[middle].mean() * 0.85, rel=0.01)


@pytest.mark.parametrize(
    "options, told",
    [
        (["--blend", "mean"], "--output"),
        (["-o", "out.png", "--blend", "mean", "--bands", 3], "--blend multiband"),
        (["-o", "out.png", "--blend", "mean", "--no-exposure"], "--blend multiband"),
        (["-o", "out.png", "--bands", 9], "--bands"),
    ],
)
def test_options_of_blending_without_effect_are_refused(octavo, halves, options, told):
    assert told in octavo.error(2, "align", "a.png", "b.png", *options)
