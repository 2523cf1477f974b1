"""octavo describe: descriptors of keypoints from files."""

import json

import cv2
import numpy as np
import pytest

import features


@pytest.fixture
def image(octavo, texture):
    cv2.imwrite(str(octavo.folder / "a.png"), texture())
    return "a.png"


@pytest.fixture
def found(octavo, image):
    """The extraction of the image as an archive of NumPy."""
    octavo("extract", image, "-o", "found", "--format", "npz")
    return np.load(octavo.folder / "found" / "a.png.npz")


def described(octavo, *arguments):
    octavo("describe", "a.png", "-o", "out.npz", *arguments)
    return np.load(octavo.folder / "out.npz")


def same(first, second):
    return all((first[name] == second[name]).all() for name in ("keypoints", "octave_layer", "descriptors"))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_keypoints_of_an_extraction_give_its_descriptors(octavo, found, device):
    again = described(octavo, "--keypoints", "found/a.png.npz", "--device", device)
    assert len(again["keypoints"]) > 50
    assert same(again, found)
    assert (again["input"] == np.arange(len(found["keypoints"]))).all() and again["input"].dtype == np.int32
    assert again["left_out"].shape == (0,)


def test_formats_of_keypoints(octavo, image, found):
    octavo("extract", image, "-o", "found", "--format", "colmap")
    octavo("extract", image, "-o", "found", "--format", "json")
    np.savez_compressed(octavo.folder / "five.npz", keypoints=found["keypoints"].astype(np.float64))
    for name in ("found/a.png.txt", "found/a.png.json", "five.npz"):
        again = described(octavo, "--keypoints", name)
        assert again["keypoints"].shape == found["keypoints"].shape
        assert (again["input"] == np.arange(len(found["keypoints"]))).all()
        # These formats have no layers, and COLMAP's rounds: a point between two layers, or a pixel, may move.
        equal = (again["descriptors"] == found["descriptors"]).all(axis=1)
        assert equal.mean() > 0.98 or name.endswith(".txt")
        near = np.abs(again["descriptors"].astype(int) - found["descriptors"]).max(axis=1) <= 2
        assert near.mean() > 0.98


def test_order_is_kept_and_what_is_left_out_is_named(octavo, found):
    keypoints = np.flipud(found["keypoints"])[:20].copy()
    expected = np.flipud(found["descriptors"])[:20]
    keypoints[3, 0] = 160
    keypoints[7, 2] = 0.01
    keypoints[9, 2] = 1e6
    np.savez(octavo.folder / "some.npz", keypoints=keypoints, octave_layer=np.flipud(found["octave_layer"])[:20])
    done = octavo.call("describe", "a.png", "--keypoints", "some.npz", "-o", "out.npz", "--json")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "octavo: some.npz: keypoint 3 lies outside the image, and is left out",
        "octavo: some.npz: keypoint 7 has a scale below those of the finest level of the scale space, and is left out",
        "octavo: some.npz: keypoint 9 has a scale above those of the coarsest level of the scale space, "
        "and is left out",
    ]
    out = np.load(octavo.folder / "out.npz")
    kept = [i for i in range(20) if i not in (3, 7, 9)]
    assert out["input"].tolist() == kept and out["left_out"].tolist() == [3, 7, 9]
    assert (out["descriptors"] == expected[kept]).all() and (out["keypoints"] == keypoints[kept]).all()
    document = json.loads(done.stdout)
    assert [one["input"] for one in document["keypoints"]] == kept
    assert [one["input"] for one in document["left_out"]] == [3, 7, 9]
    assert document["left_out"][0]["reason"] == "lies outside the image"


def test_many_left_out_are_counted(octavo, image):
    np.savez(octavo.folder / "far.npz", keypoints=np.full((40, 3), 1000.0))
    done = octavo.call("describe", image, "--keypoints", "far.npz")
    assert done.returncode == 0 and done.stdout.startswith("a.png: 0 descriptors of 40 keypoints, ")
    lines = done.stderr.splitlines()
    assert len(lines) == 11 and lines[-1] == "octavo: far.npz: 30 further keypoints are left out"


def test_orientations_of_the_image(octavo, image):
    octavo("extract", image, "-o", "four", "--format", "npz", "--max-orientations", 4)
    found = np.load(octavo.folder / "four" / "a.png.npz")
    # Each place once, without an angle.
    places, first = np.unique(found["keypoints"][:, :3], axis=0, return_index=True)
    order = np.sort(first)
    levels = found["octave_layer"][order]
    np.savez(octavo.folder / "places.npz", keypoints=found["keypoints"][order, :3], octave_layer=levels)
    out = described(octavo, "--keypoints", "places.npz", "--orient", "--max-orientations", 4)
    assert len(places) < len(found["keypoints"])
    assert (out["descriptors"] == found["descriptors"]).all()
    assert (out["keypoints"][:, :4] == found["keypoints"][:, :4]).all()
    assert (found["keypoints"][order][out["input"], 0] == out["keypoints"][:, 0]).all()
    one = described(octavo, "--keypoints", "places.npz", "--orient", "--max-orientations", 1)
    assert one["input"].tolist() == list(range(len(places)))
    upright = described(octavo, "--keypoints", "places.npz", "--orient", "--upright")
    assert (upright["keypoints"][:, 3] == 0).all() and upright["input"].tolist() == list(range(len(places)))


def test_keypoints_of_opencv(octavo, image):
    """A keypoint of OpenCV has size 2σ and an angle in degrees. The descriptors agree with those of its compute."""
    grey = cv2.imread(str(octavo.folder / image), cv2.IMREAD_GRAYSCALE)
    sift = cv2.SIFT_create(enable_precise_upscale=True)
    keypoints, expected = sift.detectAndCompute(grey, None)
    rows = [[*k.pt, k.size / 2, np.radians(k.angle)] for k in keypoints]
    np.savez(octavo.folder / "cv.npz", keypoints=np.array(rows, np.float32))
    out = described(octavo, "--keypoints", "cv.npz", "--preset", "opencv")
    assert len(out["input"]) > 0.95 * len(keypoints)
    distance = np.linalg.norm(out["descriptors"].astype(float) - expected[out["input"]], axis=1)
    assert np.median(distance) < 40  # of a length of 512


def test_colmap_text_and_standard_output(octavo, found):
    octavo("describe", "a.png", "--keypoints", "found/a.png.npz", "-o", "out.txt")
    keypoints, descriptors = features.from_colmap(octavo.folder / "out.txt")
    assert (descriptors == found["descriptors"]).all()
    assert np.allclose(keypoints[:, :2], found["keypoints"][:, :2] + 0.5)
    with open(octavo.folder / "streamed.npz", "wb") as stream:
        done = octavo.call("describe", "a.png", "--keypoints", "found/a.png.npz", "-o", "-", stdout=stream)
    assert done.returncode == 0
    assert same(np.load(octavo.folder / "streamed.npz"), found)


def test_corners_are_described_at_their_scale(octavo, image):
    octavo("extract", image, "-o", "found", "--format", "npz", "--detector", "foagdd", "--describe")
    found = np.load(octavo.folder / "found" / "a.png.npz")
    assert len(found["keypoints"]) > 0
    again = described(octavo, "--keypoints", "found/a.png.npz", "--detector", "foagdd")
    assert same(again, found)


def write_json(folder, name, value):
    (folder / name).write_text(value if isinstance(value, str) else json.dumps(value))


KEYPOINT = {"x": 1, "y": 2, "scale": 3}


@pytest.mark.parametrize(
    "content, reason",
    [
        ("{", "it is not JSON, or it is truncated"),
        ("", "it is not JSON, or it is truncated"),
        ({"points": []}, 'it must be an object with a list "keypoints"'),
        ([{"keypoints": []}] * 2, "it is a list of 2 images, but must hold the keypoints of one"),
        ({"keypoints": [KEYPOINT, {"x": 1, "y": 2}]}, 'keypoint 1 has no "scale"'),
        ({"keypoints": [{**KEYPOINT, "x": "left"}]}, '"x" of keypoint 0 is not a number'),
        ({"keypoints": [{**KEYPOINT, "y": 1e39}]}, '"y" of keypoint 0 is beyond the range of floats'),
        ({"keypoints": [{**KEYPOINT, "layer": 1.5}]}, '"layer" of keypoint 0 is not a whole number of 32 bits'),
        ({"keypoints": [7]}, "keypoint 0 is not an object"),
    ],
)
def test_wrong_json(octavo, image, content, reason):
    write_json(octavo.folder, "k.json", content)
    assert octavo.error(1, "describe", image, "--keypoints", "k.json") == f"octavo: cannot read 'k.json': {reason}\n"


def test_wrong_files(octavo, image):
    np.savez(octavo.folder / "two.npz", keypoints=np.ones((4, 2)))
    np.savez(octavo.folder / "nan.npz", keypoints=np.array([[1, 1, 2], [1, np.nan, 2]]))
    np.savez(octavo.folder / "none.npz", points=np.ones((4, 3)))
    for name, reason in (
        ("two.npz", "keypoints has the shape (4, 2), but must have three or more columns"),
        ("nan.npz", "keypoints holds a number that is not finite in row 1"),
        ("none.npz", "it holds no array 'keypoints'"),
        ("gone.npz", "gone.npz"),
        ("a.png", "the name of a file of keypoints ends in .npz, .txt or .json"),
    ):
        assert reason in octavo.error(1, "describe", image, "--keypoints", name)
    write_json(octavo.folder, "k.json", {"keypoints": [KEYPOINT]})
    assert "must end in .npz or .txt" in octavo.error(2, "describe", image, "--keypoints", "k.json", "-o", "o.json")
    assert "two.npz" in octavo.error(2, "describe", image, "--keypoints", "two.npz", "-o", "two.npz")
    assert "needs --keypoints" in octavo.error(2, "describe", image)
    call = ("describe", image, "--keypoints", "k.json")
    assert "unknown option '--max-features'" in octavo.error(2, *call, "--max-features", 3)
    assert "no.png" in octavo.error(1, "describe", "no.png", "--keypoints", "k.json")


def test_estimate(octavo, image):
    write_json(octavo.folder, "k.json", {"keypoints": [KEYPOINT]})
    call = ("describe", image, "--keypoints", "k.json", "--device", "cpu")
    document = json.loads(octavo(*call, "--estimate", "--json"))
    (device,) = document["devices"]
    assert (document["width"], document["height"]) == (160, 128) and device["fits"]
    assert 0 < device["least"]["host_bytes"] <= device["usual"]["host_bytes"] < 30 << 20
