"""octavo sfm --model: photographs of a room get poses in a model of it, by COLMAP and by pycolmap; the model stays."""

import itertools
import json
import shutil
import sqlite3
import sys

import cv2
import numpy as np
import pytest

import rendered_room
from conftest import Octavo
from posed_scene import poses_of, rotation_of
from test_sfm import fake_mapper

pytestmark = pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")
NEW = (2, 4)  # of the views of the room


@pytest.fixture(scope="module")
def room(photograph, tmp_path_factory):
    """`photos` with four views, their model `model`, and `new` with two others and a photograph of something else."""
    folder = tmp_path_factory.mktemp("room")
    photos, new = folder / "photos", folder / "new"
    photos.mkdir()
    new.mkdir()
    rendered_room.write_views(photograph, photos)
    for number in NEW:
        (photos / f"{number}.jpg").rename(new / f"{number}.jpg")
    shutil.copy(photograph("fruits.jpg"), new / "other.jpg")
    Octavo(folder)("sfm", "photos", "-o", "model", "--mapper", "colmap", "--max-features", 4000)
    return folder


@pytest.fixture
def octavo(room, tmp_path):
    for name in ("model", "new", "photos"):
        (tmp_path / name).symlink_to(room / name)
    before = content_of(room / "model")
    yield Octavo(tmp_path)
    assert content_of(room / "model") == before  # whatever a test does


def content_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def mapper_of(name):
    if name == "pycolmap":
        pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
        return sys.executable
    return name


def angle_of(rotation):
    return np.degrees(np.arccos(np.clip((np.trace(rotation) - 1) / 2, -1, 1)))


@pytest.mark.parametrize("mapper", ["colmap", pytest.param("pycolmap", marks=pytest.mark.slow)])
def test_photographs_get_poses_and_the_model_stays(octavo, room, mapper):
    call = ("sfm", "new", "--model", "model", "-o", "out", "--mapper", mapper_of(mapper))
    report = json.loads(octavo(*call, "--json"))
    out = octavo.folder / "out"
    assert (report["mapper"], report["registered_image_count"], report["problems"]) == (mapper, 2, [])
    assert report["database"] == str(out / "database.db")
    images = {image["image"]: image for image in report["images"]}
    assert set(images) == {"2.jpg", "4.jpg", "other.jpg"}
    other = images["other.jpg"]
    assert other["failure"] in ("no_matches", "few_inliers") and other["reason"]
    assert other["centre"] is other["rotation"] is other["camera"] is None

    found = dict(poses_of(out / "sparse" / "0"))
    assert set(found) == {f"{number}.jpg" for number in range(rendered_room.VIEWS)}
    for a, b in itertools.combinations(range(rendered_room.VIEWS), 2):
        true = rendered_room.pose(b)[0] @ rendered_room.pose(a)[0].T
        assert angle_of(found[f"{b}.jpg"] @ found[f"{a}.jpg"].T @ true.T) < 1
    before = dict(poses_of(shutil.copytree(room / "model" / "sparse" / "0", octavo.folder / "text")))
    assert all((found[name] == before[name]).all() for name in before)

    # Places: those of the model are the true ones but for a similarity, which the new ones fit.
    centres = np.array([images[f"{number}.jpg"]["centre"] for number in NEW])
    true = np.array([-rotation.T @ shift for rotation, shift in map(rendered_room.pose, NEW)])
    for number in NEW:
        image = images[f"{number}.jpg"]
        assert np.abs(rotation_of(np.array(image["rotation"])) - found[f"{number}.jpg"]).max() < 1e-9
        assert image["camera"]["width"] == rendered_room.SIZE[0]
        assert image["point_count"] > 100 and image["reprojection_error"] < 1
        assert image["failure"] is None and image["reason"] is None
    turn = found["2.jpg"].T @ rendered_room.pose(2)[0]
    way, true_way = centres[1] - centres[0], turn @ (true[1] - true[0])
    assert way @ true_way / np.linalg.norm(way) / np.linalg.norm(true_way) > np.cos(np.radians(2))

    # The same call again finds the features and the matches, and gives the same.
    again = json.loads(octavo(*call, "--json"))
    assert again["images"] == report["images"]
    text = octavo(*call)
    assert "registered          2 of 3 photographs" in text and "not registered      other.jpg: " in text
    assert (out / "report.html").exists()
    assert {path.name for path in out.iterdir()} == {
        "database.db",
        "mapper.log",
        "model.json",
        "report.html",
        "sparse",
    }


@pytest.mark.slow
def test_pairs_and_cameras(octavo, photograph):
    """A photograph of another camera, and fewer pairs than images of the model."""
    walls = [
        cv2.imread(str(photograph(name)), cv2.IMREAD_GRAYSCALE) for name in ("graf1.png", "building.jpg", "home.jpg")
    ]
    rendered_room.save(rendered_room.view(2, walls)[20:340], octavo.folder / "cut.jpg", make=None)
    call = ("sfm", "cut.jpg", "--model", "model", "--json", "-o")
    (image,) = json.loads(octavo(*call, "out", "--pairs", "retrieval:3"))["images"]
    assert image["matched_pair_count"] == 3
    assert (image["camera"]["width"], image["camera"]["height"]) == (480, 320)
    assert image["camera"]["parameters"][0] == pytest.approx(rendered_room.FOCAL, rel=0.1)
    (image,) = json.loads(octavo(*call, "all", "--pairs", "all", "--cameras", "image"))["images"]
    assert image["matched_pair_count"] == 4
    (octavo.folder / "pairs.txt").write_text("3.jpg cut.jpg\n0.jpg 1.jpg\ncut.jpg none.jpg\n")
    done = octavo.call(*call, "listed", "--pairs", "pairs.txt")
    assert "none.jpg" in done.stderr
    (image,) = json.loads(done.stdout)["images"]
    assert image["matched_pair_count"] == 1
    done = octavo.call(*call, "one", "--cameras", "one")  # the database has no camera of all
    assert json.loads(done.stdout)["registered_image_count"] == 1


@pytest.mark.slow
def test_masks_are_of_the_new_photographs(octavo):
    """They hide the left half; the model and its images have none."""
    image = cv2.imread(str(octavo.folder / "new" / "2.jpg"))
    mask = np.full(image.shape[:2], 255, np.uint8)
    half = mask.shape[1] // 2
    mask[:, :half] = 0
    (octavo.folder / "masks").mkdir()
    cv2.imwrite(str(octavo.folder / "masks" / "2.jpg.png"), mask)
    done = octavo.call("sfm", "new/2.jpg", "--model", "model", "-o", "out", "--mask", "masks", "--json")
    assert json.loads(done.stdout)["registered_image_count"] == 1
    assert "have no mask" not in done.stderr
    tables = sqlite3.connect(octavo.folder / "out" / "database.db")
    (rows, columns, data), = tables.execute(
        "SELECT rows, cols, data FROM keypoints NATURAL JOIN images WHERE name = '2.jpg'")  # fmt: skip
    tables.close()
    assert rows > 50 and (np.frombuffer(data, np.float32).reshape(rows, columns)[:, 0] >= half - 1).all()
    # Another call adds one without a mask.
    assert json.loads(octavo("sfm", "new/4.jpg", "--model", "model", "-o", "out", "--json"))["images"]


def test_a_doubtful_pose_is_told(octavo):
    """A photograph that is cut on one side has its principal point elsewhere than in its middle."""
    cv2.imwrite(str(octavo.folder / "side.png"), cv2.imread(str(octavo.folder / "new" / "2.jpg"))[:, 160:])
    done = octavo.call("sfm", "side.png", "new/4.jpg", "--model", "model", "-o", "out", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["registered_image_count"]) == (0, 2)
    (warning,) = report["warnings"]
    assert "the pose of 'side.png' is doubtful: its reprojection error is " in warning and warning in done.stderr


@pytest.mark.slow
def test_a_run_adds_to_the_one_before(octavo):
    call = ("--model", "model", "-o", "out", "--json")
    octavo("sfm", "new/2.jpg", *call)
    report = json.loads(octavo("sfm", "new/4.jpg", *call))
    assert [image["image"] for image in report["images"]] == ["4.jpg"]
    names = {name for name, _ in poses_of(octavo.folder / "out" / "sparse" / "0")}
    assert names == {f"{number}.jpg" for number in range(rendered_room.VIEWS)}


@pytest.mark.slow
def test_photographs_that_fail(octavo):
    broken = octavo.folder / "broken.jpg"
    broken.write_bytes((octavo.folder / "new" / "2.jpg").read_bytes()[:3000])
    done = octavo.call("sfm", broken, "new/2.jpg", "--model", "model", "-o", "out", "--json")
    assert done.returncode == 1 and done.stderr.count("broken.jpg") == 1
    report = json.loads(done.stdout)
    assert report["registered_image_count"] == 1 and len(report["problems"]) == 1
    assert [image["image"] for image in report["images"]] == ["2.jpg"] and "broken.jpg" in report["problems"][0]
    done = octavo.call("sfm", "new/other.jpg", "--model", "model", "-o", "none")
    assert done.returncode == 1
    assert "none of 1 photographs is registered; 'none/report.html' tells what each lacks" in done.stderr


def test_names_of_the_model_are_refused(octavo, photograph):
    (octavo.folder / "mine").mkdir()
    shutil.copy(photograph("fruits.jpg"), octavo.folder / "mine" / "3.jpg")
    for _ in range(2):
        assert "mine/3.jpg has the name of an image of the model" in octavo.error(
            2, "sfm", "mine", "--model", "model", "-o", "out"
        )
    assert "would have the same name" in octavo.error(2, "sfm", "new/2.jpg", "new", "mine/3.jpg", "photos/3.jpg",
                                                      "--model", "model", "-o", "out")  # fmt: skip


@pytest.mark.slow
def test_models_that_are_refused(octavo, room):
    call = ("sfm", "new", "-o", "out", "--model")
    assert "there is no model in 'absent'" in octavo.error(1, *call, "absent")
    (octavo.folder / "bare" / "sparse").mkdir(parents=True)
    assert "there is no model in 'bare'" in octavo.error(1, *call, "bare")
    shutil.copytree(room / "model", octavo.folder / "other")
    (octavo.folder / "other" / "database.db").rename(octavo.folder / "d.db")
    assert "there is no database 'other/database.db' of the model" in octavo.error(1, *call, "other")
    tables = sqlite3.connect(octavo.folder / "d.db")
    tables.execute("PRAGMA journal_mode = WAL")
    tables.execute("UPDATE octavo SET value = replace(value, 'ratio', 'rato') WHERE name = 'settings'")
    tables.commit()
    assert "another program has the database 'd.db' open" in octavo.error(1, *call, "other", "--database", "d.db")
    tables.close()
    assert "options that this version of Octavo does not have" in octavo.error(1, *call, "other", "--database", "d.db")
    assert not (octavo.folder / "out").exists()
    tables = sqlite3.connect(octavo.folder / "d.db")
    tables.execute("DELETE FROM octavo WHERE name = 'settings'")
    tables.commit()
    tables.close()
    assert "Octavo did not make the database 'd.db'" in octavo.error(1, *call, "other", "--database", "d.db")
    assert not (octavo.folder / "out").exists()
    assert "--output is the model 'other', which stays as it is" in octavo.error(
        2, "sfm", "new", "--model", "other", "-o", "other"
    )
    assert "absent.txt" in octavo.error(1, *call, "model", "--pairs", "absent.txt")
    assert not (octavo.folder / "out").exists()
    # A folder with photographs of another model.
    octavo("sfm", "new/2.jpg", "--model", "model", "-o", "made")
    sized = sqlite3.connect(octavo.folder / "d.db")
    sized.execute("UPDATE images SET name = '9.jpg' WHERE name = '0.jpg'")
    sized.commit()
    sized.close()
    assert "is not of this model, or the model has changed since" in octavo.error(
        1, "sfm", "new", "-o", "made", "--model", "other", "--database", "d.db")  # fmt: skip
    points = octavo.folder / "other" / "sparse" / "0" / "points3D.bin"
    points.write_bytes(points.read_bytes()[:1000])
    assert "points3D.bin" in octavo.error(1, *call, "other", "--database", "d.db")


def test_calls_that_do_not_fit(octavo):
    call = ("sfm", "new", "--model", "model", "-o", "out")
    for option in (["--max-features", 9], ["--ratio", 0.7], ["--verify", "usac"], ["--camera-model", "opencv"],
                   ["--max-frames", 9]):  # fmt: skip
        assert f"{option[0]} has no effect with --model" in octavo.error(2, *call, *option)
    assert "retrieval:K or those of a file" in octavo.error(2, *call, "--pairs", "sequential:3")
    assert "--range" in octavo.error(2, *call, "--range", "full")
    assert "unless --model is given" in octavo.error(2, "sfm", "new", "photos", "-o", "out")
    assert not (octavo.folder / "out" / "sparse").exists()


@pytest.mark.slow
def test_a_mapper_that_fails(octavo):
    fake_mapper(octavo.folder, '[ "$2" = -h ] && exit 0; echo all is lost; exit 3')
    call = ("sfm", "new", "--model", "model", "-o", "out", "--mapper")
    assert "failed (exit code 3): all is lost" in octavo.error(1, *call, "./mapper")
    # The same call goes on with another.
    assert "2 of 3" in octavo(*call, "colmap")


def test_a_folder_that_cannot_be_made(octavo):
    (octavo.folder / "file").write_text("")
    assert "file" in octavo.error(1, "sfm", "new", "--model", "model", "-o", "file/out")
