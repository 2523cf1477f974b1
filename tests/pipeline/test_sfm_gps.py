"""octavo sfm --gps: models in metres east, north and up, by places in EXIF data and databases. Another program's
geodesy (pycolmap.GPSTransform) makes the places and tells where cameras should be."""

import json
import os
import shutil
import sqlite3
import sys

import numpy as np
import pytest
from PIL import ExifTags, Image

import rendered_room
from posed_scene import NAMES, VIEWS, arc, make_cameras, write_database

pycolmap = pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
pytestmark = pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")

INNSBRUCK = (47.2692, 11.4041, 574.0)
SCALE = 8.0  # [m] a unit of the scene
# East, north, up of the scene's axes; no two are parallel.
TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
EARTH = pycolmap.GPSTransform(pycolmap.GPSTransformEllipsoid.WGS84)


def gps_of(places):
    """Latitudes, longitudes and altitudes of places in the scene."""
    metres = SCALE * np.array(list(places)) @ TURN.T
    return EARTH.enu_to_ellipsoid(metres, *INNSBRUCK)


def write_priors(file, gps):
    tables = sqlite3.connect(file)
    for image, place in enumerate(gps, start=1):
        tables.execute(
            "UPDATE images SET prior_tx = ?, prior_ty = ?, prior_tz = ? WHERE image_id = ?", (*map(float, place), image)
        )
    tables.commit()
    tables.close()


def metres_of(gps, origin):
    """East, north and up of places, from the origin that a report tells."""
    return EARTH.ellipsoid_to_enu(np.array(gps), origin["latitude"], origin["longitude"], origin["altitude"])


def centres_of(model):
    return {image.name: image.projection_center() for image in pycolmap.Reconstruction(model).images.values()}


CALL = ("sfm", "photos", "--database", "d.db", "-o", "model", "--gps")


@pytest.mark.slow
@pytest.mark.parametrize(
    "mapper", ["colmap", *(pytest.param(other, marks=pytest.mark.slow) for other in (sys.executable, "glomap"))]
)
def test_cameras_stand_at_their_places(scene, chromium, monkeypatch, mapper):
    if mapper == "glomap":
        monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
    gps = gps_of(arc())
    write_priors(scene.folder / "d.db", gps)
    report = json.loads(scene(*CALL, "--mapper", mapper, "--json"))
    (model,) = report["models"]
    found = model["gps"]
    assert (found["used_count"], found["doubts"]) == (VIEWS, [])
    assert [warning for warning in report["warnings"] if "copies" not in warning] == []
    assert [place["image"] for place in found["places"]] == NAMES[:VIEWS]
    assert found["rms_residual"] < 0.2
    expected = dict(zip(NAMES, metres_of(gps, found["origin"]), strict=False))
    centres = centres_of(scene.folder / "model" / "sparse" / "0")
    for place in found["places"]:
        name = place["image"]
        assert np.linalg.norm(centres[name] - expected[name]) < 0.3  # of 50 m
        assert place["residual"] == pytest.approx(list(centres[name] - expected[name]), abs=1e-4)
    # Poses too: what a camera saw ahead is in the direction that the scene has.
    moved = pycolmap.Reconstruction(scene.folder / "model" / "sparse" / "0")
    true = dict(zip(NAMES, make_cameras(arc()), strict=False))
    for image in moved.images.values():
        ahead = image.cam_from_world().rotation.matrix()[2]
        assert ahead @ (TURN @ true[image.name][0][2]) > 0.9999
    assert moved.compute_mean_reprojection_error() < 0.6
    assert json.loads((scene.folder / "model" / "sparse" / "0" / "gps.json").read_text()) == found

    text = scene(*CALL, "--mapper", mapper)  # again, with what the mapper has made of the database
    assert f"GPS residual      {found['rms_residual']:.2f} m, {VIEWS} of {VIEWS} places" in text
    if mapper != "colmap":
        return
    chromium.get((scene.folder / "model" / "report.html").as_uri())
    assert chromium.execute_script("return document.body.dataset.ready") == "yes"
    assert [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []
    words = chromium.execute_script("return document.getElementById('gps-summary').textContent")
    assert f"latitude {found['origin']['latitude']}°" in words and f"{VIEWS} of {VIEWS} places used" in words
    assert len(chromium.execute_script("return [...document.querySelectorAll('#gps tbody tr')]")) == VIEWS
    assert [axis["name"][:5] for axis in chromium.execute_script("return view.space.axes")] == ["east,", "north", "up"]
    # Without the option the model is the mapper's.
    report = json.loads(scene("sfm", "photos", "--database", "d.db", "-o", "model", "--json"))
    assert report["models"][0]["gps"] is None
    assert not (scene.folder / "model" / "sparse" / "0" / "gps.json").exists()


@pytest.mark.slow
def test_an_outlier_is_named(scene):
    gps = gps_of(arc())
    true = gps.copy()
    gps[2, 0] += 0.001  # 111 m to the north
    write_priors(scene.folder / "d.db", gps)
    done = scene.call(*CALL, "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    found = report["models"][0]["gps"]
    assert [place["image"] for place in found["places"] if not place["is_used"]] == [NAMES[2]]
    assert found["places"][2]["residual"] == pytest.approx([0, -111.2, 0], abs=0.5)
    warning, _ = report["warnings"]  # two images of the scene are copies
    assert warning.startswith(f"model 0: GPS places that miss the camera are not used: '{NAMES[2]}' by 111.")
    assert done.stderr.startswith(f"octavo: {warning}\n")
    assert warning in (scene.folder / "model" / "report.html").read_text()
    expected = dict(zip(NAMES, metres_of(true, found["origin"]), strict=False))
    for name, centre in centres_of(scene.folder / "model" / "sparse" / "0").items():
        assert np.linalg.norm(centre - expected[name]) < 0.3


@pytest.mark.slow
def test_cameras_on_a_line_are_doubted(scene):
    line = [np.array([x, 0, -6.0]) for x in np.linspace(-3, 3, VIEWS)]
    (scene.folder / "d.db").unlink()
    write_database(scene.folder / "d.db", line)
    write_priors(scene.folder / "d.db", gps_of(line))
    done = scene.call(*CALL, "--json")
    report = json.loads(done.stdout)
    (doubt,) = report["models"][0]["gps"]["doubts"]
    assert "the cameras stand nearly on a line" in doubt
    assert done.stderr.startswith(f"octavo: model 0: {doubt}\n")
    centres = centres_of(scene.folder / "model" / "sparse" / "0")
    assert np.linalg.norm(centres[NAMES[0]] - centres[NAMES[VIEWS - 1]]) == pytest.approx(6 * SCALE, rel=0.005)


@pytest.mark.slow
def test_images_without_places(scene):
    gps = gps_of(arc())
    write_priors(scene.folder / "d.db", gps[:2])
    told = scene.error(1, *CALL)
    assert (
        "--gps needs the latitude, longitude and altitude of 3 images, and the EXIF data in 'd.db' tell those of 2"
        in told
    )
    assert not (scene.folder / "model").exists()
    # Three images have one, of which one is in no model.
    tables = sqlite3.connect(scene.folder / "d.db")
    tables.execute("UPDATE images SET prior_tx = 47, prior_ty = 11, prior_tz = 600 WHERE name = 'lone.png'")
    tables.commit()
    done = scene.call(*CALL, "--json")
    assert done.returncode == 0
    doubt = "it is not in metres: 2 of its images have a place, and 3 are needed"
    assert done.stderr.startswith(f"octavo: model 0: {doubt}\n")
    found = json.loads(done.stdout)["models"][0]["gps"]
    assert (found["metres_from_mapper"], found["rms_residual"], found["doubts"]) == (None, None, [doubt])


@pytest.mark.slow
def test_places_of_exif_data(octavo, photograph):
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    rendered_room.write_views(photograph, photographs)
    poses = [rendered_room.pose(index) for index in range(rendered_room.VIEWS)]
    gps = gps_of([-rotation.T @ translation for rotation, translation in poses])
    told = octavo.error(1, "sfm", "photos", "-o", "model", "--gps")
    assert "3 images, and the EXIF data in 'photos' tell those of 0" in told
    assert not (octavo.folder / "model").exists()  # it is told before the work
    for index, (latitude, longitude, altitude) in enumerate(gps):
        file = photographs / f"{index}.jpg"
        with Image.open(file) as image:
            exif = image.getexif()
            exif.get_ifd(ExifTags.IFD.GPSInfo).update(
                {1: "N", 2: (latitude, 0, 0), 3: "E", 4: (longitude, 0, 0), 5: b"\0", 6: altitude}
            )
            image.save(file, quality=95, exif=exif)
    report = json.loads(octavo("sfm", "photos", "-o", "model", "--gps", "--json"))
    found = report["models"][0]["gps"]
    assert found["used_count"] == rendered_room.VIEWS
    assert found["rms_residual"] < 0.1
    centres = centres_of(octavo.folder / "model" / "sparse" / "0")
    for index, place in enumerate(metres_of(gps, found["origin"])):
        assert np.linalg.norm(centres[f"{index}.jpg"] - place) < 0.2
