"""octavo sfm of panoramas of a room whose cameras are known: views are cut, and the poses of each panorama told together."""

import itertools
import json
import shutil
import sqlite3
import sys

import cv2
import numpy as np
import pytest
from PIL import Image

import rendered_panoramas as room

pytestmark = pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")
COUNT = len(room.PLACES)
NAMES = [f"p{index}.jpg" for index in range(COUNT)]
FEW = ("--max-features", "1200")  # it saves time
VIEWS = [f"yaw{round(45 * index):03}.jpg" for index in range(8)]


@pytest.fixture(scope="module")
def walls(photograph):
    return room.walls_of(photograph)


@pytest.fixture(scope="module")
def folder(walls, tmp_path_factory):
    """Panoramas that say so."""
    place = tmp_path_factory.mktemp("panoramas")
    for index, name in enumerate(NAMES):
        room.save(room.panorama(index, walls), place / name)
    return place


def check_poses(panoramas):
    """Turns from one panorama to another, and the directions between them, are those of the truth."""
    for one, other in itertools.permutations(panoramas, 2):
        a, b = int(one["image"][1]), int(other["image"][1])
        way = room.PLACES[b] - room.PLACES[a]
        assert max(room.errors_of(one, other, way, room.rotation(a), room.rotation(b))) < 1


@pytest.mark.slow
@pytest.mark.parametrize("mapper", ["colmap", pytest.param(sys.executable, marks=pytest.mark.slow)])
def test_poses_of_panoramas_are_told_together(octavo, folder, mapper, chromium):
    call = ("sfm", folder, "-o", "model", "--mapper", mapper, *FEW)
    report = json.loads(octavo(*call, "--json"))
    model = octavo.folder / "model"
    assert report["folder"] == str(model / "images")
    assert [image["image"] for image in report["images"]] == [f"{name}/{view}" for name in NAMES for view in VIEWS]
    panoramas = report["panoramas"]
    assert [one["image"] for one in panoramas] == NAMES
    for one in panoramas:
        assert (one["model_index"], one["doubts"], one["disagreeing_views"]) == (0, [], [])
        assert one["registered_view_count"] >= 6
        assert one["rotation_spread"] < 1
        assert one["centre_spread"] < 0.05 * one["nearest_distance"]
    check_poses(panoramas)
    # No pair is within a panorama.
    for pair in report["pairs"]:
        assert len({pair[side].split("/")[0] for side in ("image_a", "image_b")}) == 2
    # The views have one camera, whose focal length is known: 90 degrees.
    size = Image.open(model / "images" / NAMES[0] / VIEWS[0]).size
    assert size == (382, 382)
    tables = sqlite3.connect(model / "database.db")
    [(kind, width, height, parameters, prior)] = tables.execute(
        "SELECT model, width, height, params, prior_focal_length FROM cameras"
    )
    tables.close()
    assert (kind, width, height, prior) == (0, 382, 382, 1)
    assert np.frombuffer(parameters) == pytest.approx([191] * 3)

    # The same call again takes the views as they are.
    times = {file: file.stat().st_mtime_ns for file in (model / "images").rglob("*.jpg") if file.is_file()}
    text = octavo(*call)
    assert times == {file: file.stat().st_mtime_ns for file in (model / "images").rglob("*.jpg") if file.is_file()}
    assert "panorama            p0.jpg: " in text and " views at " in text and "% of" in text
    if mapper != "colmap":
        return
    chromium.get((model / "report.html").as_uri())
    assert [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []
    rows = chromium.execute_script(
        "return [...document.querySelectorAll('#panoramas tbody tr')].map((row) => row.innerText)"
    )
    assert len(rows) == COUNT and rows[0].startswith("p0.jpg") and "of 8" in rows[0]


@pytest.mark.slow
def test_a_view_shows_its_direction(octavo, folder, walls):
    options = ("--view-angle", "60", "--view-size", "200", "--view-poles", "--pairs", "sequential:1")
    octavo.call("sfm", folder, "-o", "model", *options, *FEW)
    views = octavo.folder / "model" / "images" / "p1.jpg"
    assert sorted(path.stem for path in views.glob("*.jpg")) == ["down", "up", *(view[:-4] for view in VIEWS)]
    x, y = np.meshgrid(np.arange(200) - 99.5, np.arange(200) - 99.5)
    rays = np.stack([x, y, np.full(x.shape, 100 / np.tan(np.radians(30)))], -1)
    for name, yaw in (("yaw000", 0), ("yaw090", 90), ("yaw315", -45)):
        turn = np.radians(yaw)
        about_y = np.array([[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]])
        true = room.seen(room.PLACES[1], rays @ about_y.T @ room.rotation(1), walls)
        cut = cv2.imread(str(views / f"{name}.jpg"), cv2.IMREAD_GRAYSCALE)
        likeness = np.corrcoef(cv2.GaussianBlur(true, (0, 0), 1.5).ravel(), cv2.GaussianBlur(cut, (0, 0), 1.5).ravel())
        assert likeness[0, 1] > 0.98, name


@pytest.mark.slow
def test_other_photographs_go_along(octavo, folder, walls):
    photos = octavo.folder / "photos"
    (photos / "more").mkdir(parents=True)
    for name in NAMES[:3]:
        shutil.copy(folder / name, photos / name)
    centre = np.array([2.6, 2.0, 2.4])
    for index in range(2):
        image = room.photograph_from(centre + [0.3 * index, 0, 0], np.array([1.5, 2.0, 5.0]), walls)
        room.save(image, photos / "more" / f"{index}.jpg", xmp="")
    report = json.loads(octavo("sfm", photos, "-o", "model", "--recursive", "--json", *FEW))
    images = {image["image"]: image for image in report["images"]}
    assert len(images) == 3 * 8 + 2
    assert images["more/0.jpg"]["model_index"] == images["more/1.jpg"]["model_index"] == 0
    assert (octavo.folder / "model" / "images" / "more" / "0.jpg").resolve() == photos / "more" / "0.jpg"
    assert [one["image"] for one in report["panoramas"]] == NAMES[:3]
    check_poses(report["panoramas"])


@pytest.mark.slow
def test_pairs_are_of_whole_panoramas(octavo, folder):
    def linked(*pairs):
        report = json.loads(octavo.call("sfm", folder, "-o", f"model{pairs[1][:3]}", *pairs, "--json").stdout)
        return {tuple(pair[side].split("/")[0] for side in ("image_a", "image_b")) for pair in report["pairs"]}

    few = ("--panorama-views", "5", "--max-features", "800")
    assert linked("--pairs", "sequential:1", *few) == set(zip(NAMES, NAMES[1:], strict=False))
    (octavo.folder / "list.txt").write_text("p0.jpg p3.jpg\n")
    assert linked("--pairs", "list.txt", *few) == {("p0.jpg", "p3.jpg")}
    alike = linked("--pairs", "retrieval:2", *few)
    assert len(alike) >= 3 and all(a != b for a, b in alike)


@pytest.mark.slow
def test_a_broken_panorama_is_told(octavo, folder, walls):
    """The left half of one panorama is from elsewhere, so that half of its views stand there."""
    photos = octavo.folder / "photos"
    shutil.copytree(folder, photos)
    broken = room.panorama(3, walls)
    elsewhere = room.panorama_from(room.PLACES[3] + [-1.2, 0, -1.5], room.rotation(3), walls, room.WIDTH)
    broken[:, : room.WIDTH // 2] = elsewhere[:, : room.WIDTH // 2]
    room.save(broken, photos / "p3.jpg")
    done = octavo.call("sfm", photos, "-o", "model", "--json", *FEW)
    report = json.loads(done.stdout)
    last = report["panoramas"][3]
    assert 1 <= len(last["disagreeing_views"]) < last["registered_view_count"]
    (doubt,) = last["doubts"]
    assert f"views of the panorama 'p3.jpg' disagree with the others: '{last['disagreeing_views'][0]}'" in doubt
    assert doubt in report["warnings"] and doubt in done.stderr
    assert all(one["doubts"] == [] for one in report["panoramas"][:3])


def few_photographs(octavo, walls, xmp=""):
    photos = octavo.folder / "photos"
    photos.mkdir()
    room.save(room.panorama(0, walls, 400), photos / "a.jpg", xmp=xmp)
    room.save(room.panorama(1, walls, 400), photos / "b.jpg", xmp=xmp)
    return photos


def names_of(octavo, *call):
    return {image["image"] for image in json.loads(octavo.call(*call, "--json").stdout)["images"]}


@pytest.mark.slow
def test_which_images_are_panoramas(octavo, walls):
    photos = few_photographs(octavo, walls)
    Image.fromarray(room.panorama(2, walls, 400)[:100]).save(photos / "c.png")
    assert names_of(octavo, "sfm", photos, "-o", "m1") == {"a.jpg", "b.jpg", "c.png"}
    assert not (octavo.folder / "m1" / "images").exists()
    call = ("sfm", photos, "-o", "m2", "--panoramas", "2:1", "--panorama-views", "5")
    found = names_of(octavo, *call)
    assert found == {"c.png", *(f"{name}/yaw{72 * i:03}.jpg" for name in ("a.jpg", "b.jpg") for i in range(5))}
    # Views of an earlier call are no photographs, also where they are below these.
    call_below = ("sfm", photos, "-o", photos / "model", "--recursive", *call[4:])
    assert names_of(octavo, *call_below) == names_of(octavo, *call_below) == found
    shutil.rmtree(photos / "model")
    # Models of other images are not mixed.
    message = octavo.error(1, *call[:-1], "6")
    assert "images' is there, and has views of other options for panoramas: give another folder" in message
    message = octavo.error(1, "sfm", photos, "-o", "m2", "--panoramas", "none")
    assert "images' is there, and has views of panoramas, of which there are none now" in message
    message = octavo.error(1, "sfm", photos, "-o", "m1", "--panoramas", "2:1")
    assert "m1/database.db' has the panorama 'a.jpg' as an ordinary photograph: give another folder" in message
    room.save(room.panorama(3, walls, 400), photos / "a.jpg", xmp="")
    message = octavo.error(1, *call)
    assert "a.jpg' is there, and has the views of another panorama" in message


def test_views_keep_depth_and_place(octavo, walls):
    """16 bits stay, and GPS and make; a mask, or alpha, hides what it hides."""
    photos = octavo.folder / "photos"
    (octavo.folder / "masks").mkdir()
    photos.mkdir()
    exif = Image.Exif()
    exif[271] = "Acme"
    exif.get_ifd(0x8825).update({1: "N", 2: (47.0, 16.0, 9.0), 3: "E", 4: (11.0, 24.0, 15.0), 5: 0, 6: 574.0})
    room.save(room.panorama(0, walls, 400), photos / "a.jpg", exif=exif)
    cv2.imwrite(str(photos / "b.png"), np.uint16(257) * room.panorama(1, walls, 400))
    room.save(room.panorama(2, walls, 400), photos / "c.jpg")
    mask = np.full((200, 400), 255, np.uint8)
    mask[:, 200:] = 0  # what lies to the right
    cv2.imwrite(str(octavo.folder / "masks" / "c.jpg.png"), mask)
    octavo.call("sfm", photos, "-o", "model", "--panoramas", "2:1", "--mask", "masks")
    images = octavo.folder / "model" / "images"
    view = Image.open(images / "a.jpg" / "yaw045.jpg")
    assert view.getexif()[271] == "Acme" and view.getexif().get_ifd(0x8825)[6] == 574.0
    deep = cv2.imread(str(images / "b.png" / "yaw045.png"), cv2.IMREAD_UNCHANGED)
    assert deep.dtype == np.uint16 and deep.shape == (127, 127) and deep.max() > 40000
    hidden = np.array(Image.open(images / "c.jpg" / "yaw090.png"))[..., -1]
    shown = np.array(Image.open(images / "c.jpg" / "yaw270.png"))[..., -1]
    assert (hidden == 0).all() and (shown == 255).all()
    tables = sqlite3.connect(octavo.folder / "model" / "database.db")
    counts = dict(tables.execute("SELECT name, rows FROM images JOIN keypoints USING (image_id)"))
    tables.close()
    assert counts["c.jpg/yaw090.png"] == 0 and counts["c.jpg/yaw270.png"] > 50


def test_unfit_panoramas_fail_alone(octavo, walls):
    photos = few_photographs(octavo, walls, xmp=room.TOLD)
    room.save(room.panorama(2, walls, 400)[:150], photos / "flat.jpg")
    part = ' GPano:FullPanoWidthPixels="800" GPano:CroppedAreaImageWidthPixels="400"'
    room.save(room.panorama(2, walls, 400), photos / "part.jpg", xmp=room.GPANO.format(part))
    done = octavo.call("sfm", photos, "-o", "model", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert {image["image"].split("/")[0] for image in report["images"]} == {"a.jpg", "b.jpg"}
    part, flat = sorted(report["problems"], key=lambda problem: "flat" in problem)
    assert flat.endswith("flat.jpg' says that it is a panorama all around, but is 400x150 pixels, and not twice as wide "
                         "as high")  # fmt: skip
    assert "part.jpg' is a part of a panorama, as its XMP data (GPano) say" in part


def test_wrong_calls(octavo, walls):
    photos = few_photographs(octavo, walls)
    call = ("sfm", photos, "-o", "model")
    assert "--view-size is 8" in octavo.error(2, *call, "--view-size", "8")
    message = octavo.error(2, *call, "--panoramas", "none", "--view-angle", "60")
    assert "--view-angle has no effect with --panoramas none" in message
    message = octavo.error(2, *call, "--database", "d.db", "--panoramas", "2:1")
    assert "--panoramas has no effect with --database" in message
    assert not (octavo.folder / "model").exists()
