"""What a mask or alpha hides counts nowhere: no keypoint, match, inlier or seam of any command lies there."""

import json
import shutil
import sqlite3

import cv2
import numpy as np
import pytest
from PIL import Image

from test_mosaic import scene

SIZE = (260, 220)
FEATURES = ["--max-features", 800]
KINDS = ("folder", "file", "alpha")


def hidden_part(x, y):
    """The same part of both images, so that one file is the mask of all: a band and a corner."""
    x, y = np.asarray(x), np.asarray(y)
    return ((x >= 150) & (x < 190)) | ((x < 60) & (y < 50))


def hides(places):
    """Whether the pixel next to each place is hidden."""
    places = np.floor(np.asarray(places, float).reshape(-1, 2) + 0.5)
    return hidden_part(places[:, 0], places[:, 1])


@pytest.fixture(params=KINDS)
def pair(octavo, request):
    """Two images that overlap, a.png and b.png in the folder i, and the options that name their masks."""
    whole = scene(360, 220)
    images = octavo.folder / "i"
    images.mkdir()
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    mask = np.where(hidden_part(columns, rows), 0, 255).astype(np.uint8)
    for name, x in (("a.png", 0), ("b.png", 100)):
        pixels = whole[:, x : x + SIZE[0]]
        if request.param == "alpha":
            pixels = np.dstack([pixels, mask])
        cv2.imwrite(str(images / name), pixels)
    if request.param == "alpha":
        return []
    if request.param == "file":
        cv2.imwrite(str(octavo.folder / "mask.png"), mask)
        return ["--mask", "mask.png"]
    masks = octavo.folder / "masks"
    masks.mkdir()
    cv2.imwrite(str(masks / "a.png.png"), mask)
    cv2.imwrite(str(masks / "b.png"), mask)
    return ["--mask", "masks"]


def places_of(output):
    return np.array([[point["x"], point["y"]] for point in output["keypoints"]])


def without_masks(octavo):
    """Keypoints of the same image without its mask: some are where it hides."""
    cv2.imwrite(str(octavo.folder / "plain.png"), cv2.imread(str(octavo.folder / "i/a.png")))
    return places_of(json.loads(octavo("extract", "plain.png", "--json", *FEATURES)))


def test_extract_and_inspect(octavo, pair):
    everything = without_masks(octavo)
    assert hides(everything).sum() > 20
    kept = places_of(json.loads(octavo("extract", "i/a.png", *pair, "--json", *FEATURES)))
    assert len(kept) > 50 and not hides(kept).any()
    octavo("inspect", "i/a.png", *pair, "-o", "look", *FEATURES)
    told = json.loads((octavo.folder / "look/inspect.json").read_text())
    assert sum(octave["verdict_counts"]["outside mask"] for octave in told["octaves"]) > 20
    assert len(told["keypoints"]) > 50 and not hides(places_of(told)).any()


def test_match(octavo, pair):
    for call in (("i/a.png", "i/b.png"), ("i",)):
        told = json.loads(octavo("match", *call, *pair, "--verify", "homography", "--json", *FEATURES))
        (told,) = told if isinstance(told, list) else (told,)
        assert told["verification"]["inlier_count"] > 20
        for x, y in (("x_a", "y_a"), ("x_b", "y_b")):
            assert not hides([[match[x], match[y]] for match in told["matches"]]).any()


def test_stored_matches(octavo, pair):
    octavo("extract", "i", *pair, "-o", "f", "--format", "npz", *FEATURES)
    for name in ("a.png", "b.png"):
        assert not hides(np.load(octavo.folder / f"f/{name}.npz")["keypoints"][:, :2]).any()


def test_colmap(octavo, pair):
    octavo("colmap", "i", *pair, "--database", "d.db", *FEATURES)
    tables = sqlite3.connect(octavo.folder / "d.db")
    for rows, columns, blob in tables.execute("SELECT rows, cols, data FROM keypoints"):
        places = np.frombuffer(blob, np.float32).reshape(rows, columns)[:, :2] - 0.5
        assert rows > 50 and not hides(places).any()
    assert tables.execute("SELECT sum(rows) FROM matches").fetchone()[0] > 20


def test_align(octavo, pair):
    told = json.loads(octavo("align", "i/a.png", "i/b.png", *pair, "-o", "both.png", "--json", *FEATURES))
    homography = np.array(told["homography"])
    assert np.abs(homography / homography[2, 2] - [[1, 0, -100], [0, 1, 0], [0, 0, 1]]).max() < 0.5
    both = cv2.imread(str(octavo.folder / "both.png"), cv2.IMREAD_UNCHANGED)
    check_joined(both)


def check_joined(joined):
    """Nothing of a hidden part is shown: what the other image shows there is, or it is transparent."""
    joined = joined[:220, :360]
    rows, columns = np.mgrid[:220, :360]
    in_a, in_b = columns < 260, columns >= 100
    nowhere = (~in_a | hidden_part(columns, rows)) & (~in_b | hidden_part(columns - 100, rows))
    inner = cv2.erode(nowhere.astype(np.uint8), np.ones((5, 5))).astype(bool)
    shown = cv2.erode((~nowhere).astype(np.uint8), np.ones((5, 5))).astype(bool)
    assert inner.sum() > 1000
    assert (joined[inner, 3] == 0).all()
    assert (joined[shown, 3] == 255).all()


def test_mosaic(octavo, pair):
    octavo("mosaic", "i", *pair, "-o", "m.png", "--model", "similarity", *FEATURES)
    mosaic = cv2.imread(str(octavo.folder / "m.png"), cv2.IMREAD_UNCHANGED)
    check_joined(mosaic)


def test_a_moving_thing_is_no_match(octavo):
    """Both images show the same logo at the same place: without masks it is what fits."""
    logo = scene(120, 120, 9)
    (octavo.folder / "masks").mkdir()
    for name, seed in (("a.png", 1), ("b.png", 2)):
        image = scene(*SIZE, seed)
        image[50:170, 70:190] = logo
        cv2.imwrite(str(octavo.folder / name), image)
        mask = np.full(SIZE[::-1], 255, np.uint8)
        mask[46:174, 66:194] = 0
        cv2.imwrite(str(octavo.folder / f"masks/{name}.png"), mask)
    assert json.loads(octavo("align", "a.png", "b.png", "--json", *FEATURES))["inlier_count"] > 20
    done = octavo.call("align", "a.png", "b.png", "--mask", "masks", "--json", *FEATURES)
    assert done.returncode == 1 and json.loads(done.stdout)["homography"] is None


def test_sfm_takes_masks(octavo, pair):
    if shutil.which("colmap") is None:
        pytest.skip("lacks colmap, of Debian's package colmap")
    octavo.call("sfm", "i", *pair, "-o", "model", "--mapper", "colmap", *FEATURES)  # two flat images give no model
    tables = sqlite3.connect(octavo.folder / "model/database.db")
    for rows, columns, blob in tables.execute("SELECT rows, cols, data FROM keypoints"):
        assert rows > 50 and not hides(np.frombuffer(blob, np.float32).reshape(rows, columns)[:, :2] - 0.5).any()


@pytest.fixture
def images(octavo):
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(octavo.folder / name), scene(*SIZE))
    (octavo.folder / "masks").mkdir()
    return octavo


CALLS = (
    ("extract", "a.png", "b.png"),
    ("match", "a.png", "b.png"),
    ("colmap", ".", "--database", "d.db"),
    ("align", "a.png", "b.png"),
    ("mosaic", "a.png", "b.png"),
)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_missing_masks(images, call):
    sentence = images.error(1, *call, "--mask", "masks", *FEATURES)
    assert "the folder 'masks' has a mask of no image: that of 'a.png' would be 'masks/a.png.png'" in sentence
    assert "none.png" in images.error(1, *call, "--mask", "none.png", *FEATURES)
    cv2.imwrite(str(images.folder / "masks/a.png.png"), np.full(SIZE[::-1], 255, np.uint8))
    told = images.call(*call, "--mask", "masks", *FEATURES).stderr
    assert "warning: 1 of 2 images have no mask and count as a whole: that of 'b.png'" in told, told


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_masks_of_another_size(images, call):
    cv2.imwrite(str(images.folder / "masks/a.png.png"), np.full((9, 8), 255, np.uint8))
    done = images.call(*call, "--mask", "masks", *FEATURES)
    assert done.returncode == 1
    assert "masks/a.png.png is 8x9 pixels, but " in done.stderr and "a.png is 260x220" in done.stderr, done.stderr


def test_masks_are_of_stored_features(images):
    images("extract", "a.png", "b.png", "-o", "f", "--format", "npz", *FEATURES)
    assert "--mask" in images.error(2, "match", "f/a.png.npz", "f/b.png.npz", "--mask", "masks")


def test_a_changed_mask_is_a_new_result(images):
    call = ("extract", "a.png", "b.png", "--mask", "masks", "-o", "f", "--skip-existing", "--json", *FEATURES)
    masks = images.folder / "masks"
    for name in ("a", "b"):
        cv2.imwrite(str(masks / f"{name}.png.png"), np.full(SIZE[::-1], 255, np.uint8))
    images(*call)
    assert [item.get("skipped", False) for item in json.loads(images(*call))] == [True, True]
    half = np.full(SIZE[::-1], 255, np.uint8)
    half[:, :130] = 0
    cv2.imwrite(str(masks / "b.png.png"), half)
    told = json.loads(images(*call))
    assert [item.get("skipped", False) for item in told] == [True, False]
    assert (places_of(told[1])[:, 0] > 129).all()


def test_a_database_keeps_its_masks(images):
    call = ("colmap", ".", "--database", "d.db", *FEATURES)
    images(*call)
    for name in ("a", "b"):
        cv2.imwrite(str(images.folder / f"masks/{name}.png.png"), np.full(SIZE[::-1], 255, np.uint8))
    assert "other options" in images.error(1, *call, "--mask", "masks")


@pytest.mark.parametrize("options", [[], ["--upright"]])
def test_masks_of_a_database_are_of_stored_pixels(octavo, options):
    """An image that EXIF data turn, and a mask of the pixels as they are stored, as COLMAP reads both."""
    exif = Image.Exif()
    exif[0x0112] = 6
    (octavo.folder / "i").mkdir()
    (octavo.folder / "masks").mkdir()
    Image.fromarray(scene(*SIZE)).save(octavo.folder / "i/a.jpg", exif=exif)
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    Image.fromarray(np.where(hidden_part(columns, rows), 0, 255).astype(np.uint8)).save(
        octavo.folder / "masks/a.jpg.png"
    )
    octavo("colmap", "i", "--mask", "masks", "--database", "d.db", *options, *FEATURES)
    ((rows, columns, blob),) = sqlite3.connect(octavo.folder / "d.db").execute("SELECT rows, cols, data FROM keypoints")
    assert rows > 50 and not hides(np.frombuffer(blob, np.float32).reshape(rows, columns)[:, :2] - 0.5).any()
