"""octavo colmap: the database is read, verified and mapped by COLMAP 3.8 (Debian) and by pycolmap."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from rendered_room import FOCAL, VIEWS, pose, save, write_views


@pytest.fixture(scope="module")
def views(photograph, tmp_path_factory):
    """A folder of views of one scene with known poses."""
    folder = tmp_path_factory.mktemp("views")
    write_views(photograph, folder)
    return folder


@pytest.fixture
def colmap(tmp_path):
    if shutil.which("colmap") is None:
        pytest.skip("lacks colmap, of Debian's package colmap")

    def call(command, *arguments):
        done = subprocess.run(
            ["colmap", command, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return call


@pytest.fixture
def pycolmap():
    module = pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
    module.logging.minloglevel = 2
    return module


def angle(rotation):
    return np.degrees(np.arccos(np.clip((np.trace(rotation) - 1) / 2, -1, 1)))


def require_true_poses(model, count=VIEWS):
    """The rotations between all pairs of views are the true ones, to a degree."""
    assert model.num_reg_images() == count
    assert model.compute_mean_reprojection_error() < 1
    found = {}
    for image in model.images.values():
        rigid = image.cam_from_world() if callable(image.cam_from_world) else image.cam_from_world
        found[int(image.name.split(".")[0])] = rigid.rotation.matrix()
    for a in range(count):
        for b in range(a):
            assert angle(found[a] @ found[b].T @ (pose(a)[0] @ pose(b)[0].T).T) < 1, (a, b)


def rows(database, query):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def test_colmap_maps_it_and_registers_another_image(octavo, colmap, pycolmap, views):
    names = [f"{i}.jpg" for i in range(VIEWS)]
    octavo("colmap", *(views / name for name in names[:-1]), "-d", "a.db")
    pairs = octavo.folder / "pairs.txt"

    def verify(some):
        pairs.write_text("".join(f"{a} {b}\n" for i, a in enumerate(some) for b in some[:i]))
        colmap("matches_importer", "--database_path", "a.db", "--match_list_path", pairs, "--SiftMatching.use_gpu", 0)

    before = rows(octavo.folder / "a.db", "SELECT * FROM matches")
    verify(names[:-1])
    assert rows(octavo.folder / "a.db", "SELECT * FROM matches") == before  # COLMAP takes Octavo's matches
    (octavo.folder / "model").mkdir()
    colmap("mapper", "--database_path", "a.db", "--image_path", views, "--output_path", "model")
    require_true_poses(pycolmap.Reconstruction(octavo.folder / "model" / "0"), VIEWS - 1)

    said = json.loads(octavo("colmap", views, "-d", "a.db", "--json"))
    assert [said[f"{name}_count"] for name in ("image", "extracted_image", "pair", "matched_pair")] == [
        VIEWS,
        1,
        15,
        VIEWS - 1,
    ]
    verify(names)
    (octavo.folder / "more").mkdir()
    colmap("image_registrator", "--database_path", "a.db", "--input_path", "model/0", "--output_path", "more")
    assert pycolmap.Reconstruction(octavo.folder / "more").num_reg_images() == VIEWS


@pytest.mark.parametrize("options", [["--verify", "usac"], ["--verify", "usac", "--guided", "--affine"], []])
def test_pycolmap_reads_and_maps_it(octavo, pycolmap, views, options):
    said = json.loads(octavo("colmap", views, "-d", "a.db", "--json", *options))
    assert said["problems"] == []
    file = octavo.folder / "a.db"
    if not options:
        pairs = octavo.folder / "pairs.txt"
        pairs.write_text("".join(f"{a}.jpg {b}.jpg\n" for a in range(VIEWS) for b in range(a)))
        pycolmap.verify_matches(str(file), str(pairs))
    database = pycolmap.Database.open(str(file))
    images = sorted(database.read_all_images(), key=lambda image: image.name)
    assert [image.name for image in images] == [f"{i}.jpg" for i in range(VIEWS)]
    cameras = database.read_all_cameras()
    assert len(cameras) == 1 and cameras[0].has_prior_focal_length
    assert cameras[0].params.tolist() == pytest.approx([FOCAL, 240, 180, 0])
    first, second = images[0].image_id, images[1].image_id
    geometry = database.read_two_view_geometry(first, second)
    assert len(geometry.inlier_matches) > 50
    if options:
        keypoints = [database.read_keypoints(i) for i in (first, second)]
        assert keypoints[0].shape[1] == (6 if "--affine" in options else 4)
        a, b = (
            np.c_[k[geometry.inlier_matches[:, side], :2], np.ones(len(geometry.inlier_matches))]
            for side, k in enumerate(keypoints)
        )
        lines = a @ geometry.F.T
        assert np.abs((b * lines).sum(1) / np.hypot(lines[:, 0], lines[:, 1])).max() < 3.01
    database.close()
    (octavo.folder / "model").mkdir()
    models = pycolmap.incremental_mapping(str(file), str(views), str(octavo.folder / "model"))
    require_true_poses(models[0])


@pytest.mark.slow
def test_a_killed_run_goes_on(octavo, texture, tmp_path):
    (tmp_path / "photos").mkdir()
    for i in range(12):
        Image.fromarray(texture(240, 180, seed=i // 2)).save(tmp_path / "photos" / f"{i:02}.png")
    octavo("colmap", "photos", "-d", "whole.db", "--verify", "usac")
    part = tmp_path / ".killed.db.part"
    kills = 0
    for delay in (0, 0.05, 0.1, 0.2, 0.3, 0.4):  # the first hits on a fast machine too
        run = subprocess.Popen([octavo.path, "colmap", "photos", "-d", "killed.db", "--verify", "usac"], cwd=tmp_path)
        while run.poll() is None and not part.exists():
            time.sleep(0.001)
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        kills += run.wait() == -signal.SIGKILL
    assert kills > 0
    octavo("colmap", "photos", "-d", "killed.db", "--verify", "usac", "--threads", 1)
    assert (tmp_path / "killed.db").read_bytes() == (tmp_path / "whole.db").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["killed.db", "photos", "whole.db"]
    octavo("colmap", "photos", "-d", "reference.db", "--verify", "usac", "--device", "reference")
    assert (tmp_path / "reference.db").read_bytes() == (tmp_path / "whole.db").read_bytes()


@pytest.mark.slow
def test_a_killed_run_loses_the_pairs_in_work_alone(octavo, texture, tmp_path):
    (tmp_path / "photos").mkdir()
    names = [f"{i:03}.png" for i in range(120)]  # so many that a busy machine sees the log grow before the last pair
    for i, name in enumerate(names):
        Image.fromarray(texture(320, 240, seed=i)).save(tmp_path / "photos" / name)
    (tmp_path / "pair.txt").write_text(f"{names[0]} {names[1]}\n")
    octavo("colmap", "photos", "-d", "a.db", "--pairs", "pair.txt")
    (tmp_path / "pairs.txt").write_text("".join(f"{names[0]} {name}\n" for name in names[1:]))
    call = ["colmap", "photos", "-d", "a.db", "--pairs", "pairs.txt", "--device", "reference"]
    log, sizes = tmp_path / ".a.db.part-wal", set()
    run = subprocess.Popen([octavo.path, *call], cwd=tmp_path)
    while run.poll() is None and len(sizes) < 5:  # the log grows with each transaction
        with contextlib.suppress(FileNotFoundError):
            sizes.add(log.stat().st_size)
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    ((count,),) = rows(tmp_path / ".a.db.part", "SELECT count(*) FROM matches")
    assert 1 < count < len(names) - 1  # all are pairs of one image
    octavo(*call)
    assert rows(tmp_path / "a.db", "SELECT count(*) FROM matches") == [(len(names) - 1,)]


@pytest.mark.usefixtures("opencl")
@pytest.mark.parametrize("memory", [1, 1024])
def test_a_gpu_gives_the_same_bytes(octavo, texture, tmp_path, memory):
    gpus = [
        device["name"]
        for device in json.loads(octavo("devices", "--json"))
        if device["kind"] in ("cuda", "opencl") and device["conformant"]
    ]
    if not gpus:
        pytest.skip("no GPU: neither CUDA nor OpenCL offers one")
    (tmp_path / "photos").mkdir()
    for i in range(6):
        Image.fromarray(texture(320, 240, seed=i // 2)).save(tmp_path / "photos" / f"{i}.png")
    octavo("colmap", "photos", "-d", "cpu.db", "--device", "cpu")
    for gpu in gpus:
        octavo("colmap", "photos", "-d", f"{gpu}.db", "--device", gpu, "--gpu-feature-memory", memory)
        assert (tmp_path / f"{gpu}.db").read_bytes() == (tmp_path / "cpu.db").read_bytes()


def test_places_are_priors_of_poses(octavo, texture, pycolmap, tmp_path):
    """In a database of COLMAP's own; without an altitude there is none, as in COLMAP."""
    pycolmap.Database.open(tmp_path / "a.db").close()
    for name, altitude in (("0.jpg", 12.5), ("1.jpg", None)):
        exif = Image.Exif()
        exif[271] = "Acme"
        degrees = tuple(map(IFDRational, (33, 51, 24)))
        exif.get_ifd(0x8825).update({1: "S", 2: degrees, 3: "E", 4: degrees})
        if altitude:
            exif.get_ifd(0x8825).update({5: b"\0", 6: IFDRational(25, 2)})
        Image.fromarray(texture()).save(tmp_path / name, exif=exif)
    octavo("colmap", "0.jpg", "1.jpg", "-d", "a.db")
    database = pycolmap.Database.open(tmp_path / "a.db")
    (prior,) = database.read_all_pose_priors()
    image = database.read_image_with_name("0.jpg")
    assert prior.corr_data_id == image.data_id
    assert prior.position == pytest.approx([-33.8566667, 33.8566667, 12.5], abs=1e-6)
    assert prior.coordinate_system == pycolmap.PosePriorCoordinateSystem.WGS84
    assert not prior.has_position_cov() and not prior.has_gravity()
    database.close()


def test_cameras(octavo, texture, tmp_path):
    for name, make, film in (
        ("a/1.jpg", "Acme", 28),
        ("a/2.jpg", "Acme", 28),
        ("b/3.jpg", "Acme", 35),
        ("b/4.jpg", "", 0),
        ("b/5.jpg", "", 0),
    ):
        (tmp_path / "p" / name).parent.mkdir(parents=True, exist_ok=True)
        save(texture(), tmp_path / "p" / name, make, film)

    def cameras(*options):
        (tmp_path / "a.db").unlink(missing_ok=True)
        octavo("colmap", "p", "--recursive", "-d", "a.db", "--pairs", "sequential:1", *options)
        assert len(rows(tmp_path / "a.db", "SELECT * FROM matches")) == 4
        return [camera for (camera,) in rows(tmp_path / "a.db", "SELECT camera_id FROM images ORDER BY name")]

    assert cameras() == [1, 1, 2, 3, 4]
    known = rows(tmp_path / "a.db", "SELECT model, width, height, params, prior_focal_length FROM cameras")
    diagonal = np.hypot(160, 128) / np.hypot(36, 24)
    assert [(row[0], row[1], row[2], row[4]) for row in known] == [
        (2, 160, 128, 1),
        (2, 160, 128, 1),
        (2, 160, 128, 0),
        (2, 160, 128, 0),
    ]
    lengths = [struct.unpack("4d", row[3]) for row in known]
    assert [length[0] for length in lengths] == pytest.approx([28 * diagonal, 35 * diagonal, 192, 192])
    assert lengths[0][1:] == (80, 64, 0)
    assert cameras("--cameras", "folder") == [1, 1, 2, 2, 2]
    assert cameras("--cameras", "one") == [1] * 5
    assert cameras("--cameras", "image") == [1, 2, 3, 4, 5]
    assert cameras("--cameras", "one", "--camera-model", "pinhole", "--camera-params", "150,151,80,64") == [1] * 5
    assert rows(tmp_path / "a.db", "SELECT model, params, prior_focal_length FROM cameras") == [
        (1, struct.pack("4d", 150, 151, 80, 64), 1)
    ]


@pytest.mark.parametrize("detector", [[], ["--affine"], ["--detector", "foagdd"]])
def test_upright_is_what_exif_says(octavo, texture, tmp_path, detector):
    """An image that is stored sideways matches the other, and its keypoints are places of the stored pixels."""
    (tmp_path / "p").mkdir()
    image = Image.fromarray(texture(160, 120))
    image.save(tmp_path / "p" / "a.png")
    exif = Image.Exif()
    exif[0x0112] = 6
    image.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "p" / "b.png", exif=exif)
    octavo("colmap", "p", "-d", "a.db", "--upright", *detector)
    assert rows(tmp_path / "a.db", "SELECT width, height FROM cameras ORDER BY camera_id") == [(160, 120), (120, 160)]
    a, b = (
        np.frombuffer(data, np.float32).reshape(count, -1)
        for count, data in rows(tmp_path / "a.db", "SELECT rows, data FROM keypoints ORDER BY image_id")
    )
    ((matches,),) = rows(tmp_path / "a.db", "SELECT data FROM matches")
    first, second = np.frombuffer(matches, np.uint32).reshape(-1, 2).T
    assert len(a) == len(b) and len(first) > 0.9 * len(a)
    assert np.allclose(b[second, 0], a[first, 1], atol=1e-3) and np.allclose(b[second, 1], 160 - a[first, 0], atol=1e-3)
    # The x axis of the upright image points up in the stored one.
    up = [0, -1] if detector == ["--affine"] else [3 * np.pi / 2]
    axes = b[:, [2, 4]] / np.hypot(b[:, 2], b[:, 4])[:, None] if detector == ["--affine"] else b[:, 3:]
    assert np.allclose(axes, up, atol=1e-6)


def test_what_fails_is_told(octavo, texture, tmp_path):
    (tmp_path / "p").mkdir()
    for i in range(3):
        Image.fromarray(texture(seed=i)).save(tmp_path / "p" / f"{i}.png")
    (tmp_path / "p" / "broken.png").write_bytes((tmp_path / "p" / "0.png").read_bytes()[:500])
    assert "broken.png" in octavo.error(1, "colmap", "p", "-d", "a.db")
    assert rows(tmp_path / "a.db", "SELECT name FROM images ORDER BY image_id") == [("0.png",), ("1.png",), ("2.png",)]
    (tmp_path / "pairs.txt").write_text("0.png 2.png\n0.png none.png\n")
    assert "none.png" in octavo.error(1, "colmap", "p/0.png", "p/2.png", "-d", "b.db", "--pairs", "pairs.txt")
    assert rows(tmp_path / "b.db", "SELECT pair_id FROM matches") == [(2147483647 + 2,)]
    assert "other options" in octavo.error(1, "colmap", "p/0.png", "-d", "b.db", "--max-features", 5)
    assert "--guided has no effect" in octavo.error(2, "colmap", "p", "-d", "c.db", "--guided")
    assert "--threshold has no effect" in octavo.error(2, "colmap", "p", "-d", "c.db", "--threshold", 2)
    assert "sequential" in octavo.error(2, "colmap", "p", "-d", "c.db", "--pairs", "sequential:x")
    assert "--camera-params has 2 numbers" in octavo.error(2, "colmap", "p", "-d", "c.db", "--camera-params", "1,2")
    assert '--database is "p/0.png"' in octavo.error(2, "colmap", "p", "-d", "p/0.png")
    octavo.error(1, "colmap", "p", "-d", "none/c.db")


def test_names_that_no_list_of_pairs_holds_and_copies_are_told(octavo, colmap, views):
    folder = octavo.folder / "p"
    folder.mkdir()
    names = [b"a b.jpg", b"#1.jpg", b"\xff\n'\".jpg", b"plain.jpg"]
    for index, name in enumerate(names):
        shutil.copy(views / f"{index}.jpg", os.fsencode(folder) + b"/" + name)
    Image.open(views / "3.jpg").save(folder / "copy.png")  # the same pixels in another file
    done = octavo.call("colmap", "p", "-d", "a.db", "--json")
    assert done.returncode == 0
    copies, lists = json.loads(done.stdout)["warnings"]
    assert copies == "'copy.png' and 'plain.jpg' are copies of one photograph, of which a model needs one"
    assert "cannot hold 3 names, such as '#1.jpg'" in lists
    assert copies in done.stderr and "octavo: COLMAP's lists of pairs" in done.stderr and "--verify usac" in done.stderr
    with contextlib.closing(sqlite3.connect(octavo.folder / "a.db")) as connection:
        connection.text_factory = bytes
        assert {name for (name,) in connection.execute("SELECT name FROM images")} == {*names, b"copy.png"}
    # The way that the sentence tells.
    verified = octavo.call("colmap", "p", "-d", "v.db", "--verify", "usac", "--json")
    assert json.loads(verified.stdout)["warnings"] == [copies]
    (octavo.folder / "model").mkdir()
    colmap("mapper", "--database_path", "v.db", "--image_path", "p", "--output_path", "model")
    images = (octavo.folder / "model" / "0" / "images.bin").read_bytes()
    assert all(name + b"\0" in images for name in names)


def test_a_database_of_a_later_colmap_is_added_to(octavo, pycolmap, texture, tmp_path):
    (tmp_path / "p").mkdir()
    for i in range(2):
        Image.fromarray(texture(seed=1)).save(tmp_path / "p" / f"{i}.png")
    octavo("colmap", "p/0.png", "-d", "a.db")
    pycolmap.Database.open(str(tmp_path / "a.db")).close()  # brings the tables up to date
    octavo("colmap", "p", "-d", "a.db")
    database = pycolmap.Database.open(str(tmp_path / "a.db"))
    assert (database.num_images(), database.num_frames(), database.num_rigs()) == (2, 2, 2)
    assert len(database.read_matches(1, 2)) > 50
    database.close()


HOLDER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
connection.execute("INSERT INTO images (name, camera_id) VALUES ('of_other.png', 1)")
print("locked", flush=True)
sys.stdin.readline()
time.sleep(float(sys.argv[3]))
connection.execute("COMMIT")
connection.close()  # at once: closing brings the log into the file, which is a change for the program
"""


def photos(octavo, texture, count):
    (octavo.folder / "p").mkdir()
    for i in range(count):
        Image.fromarray(texture(seed=i)).save(octavo.folder / "p" / f"{i}.png")


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
@pytest.mark.parametrize("lock", [pytest.param("BEGIN IMMEDIATE", marks=pytest.mark.slow), "BEGIN EXCLUSIVE"])
def test_a_writer_of_another_process_keeps_its_row(octavo, texture, lock, mode):
    """It is in the middle of a transaction when the program begins."""
    photos(octavo, texture, 2)
    octavo("colmap", "p/0.png", "-d", "a.db")
    file = octavo.folder / "a.db"
    rows(file, f"PRAGMA journal_mode = {mode}")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, file, lock, "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "locked\n"
    holder.stdin.write("\n")
    holder.stdin.close()
    octavo("colmap", "p", "-d", "a.db")
    assert holder.wait() == 0
    holder.stdout.close()
    assert rows(file, "SELECT name FROM images ORDER BY name") == [("0.png",), ("1.png",), ("of_other.png",)]
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_writer_of_another_process_that_comes_in_between_keeps_its_row(octavo, texture, mode):
    """It begins its transaction after the program has read the database, and ends it when the program waits to write."""
    photos(octavo, texture, 8)
    octavo("colmap", "p/0.png", "-d", "a.db")
    file, part = octavo.folder / "a.db", octavo.folder / ".a.db.part"
    rows(file, f"PRAGMA journal_mode = {mode}")
    run = subprocess.Popen(
        [octavo.path, "colmap", "p", "-d", "a.db", "--device", "reference"],
        cwd=octavo.folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    while run.poll() is None and not part.exists():
        time.sleep(0.001)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, file, "BEGIN IMMEDIATE", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "locked\n"
    while run.poll() is None and not (octavo.folder / ".a.db.new").exists():
        time.sleep(0.001)
    assert run.poll() is None  # it waits
    holder.communicate("\n")
    assert holder.returncode == 0
    said = run.communicate()[1]
    assert run.returncode == 1
    assert "a.db" in said and "another program has changed it since this job began; call again" in said
    assert rows(file, "SELECT name FROM images ORDER BY name") == [("0.png",), ("of_other.png",)]
    octavo("colmap", "p", "-d", "a.db")
    assert rows(file, "SELECT count(*) FROM images") == [(9,)]


def test_a_connection_that_stays_open_writes_to_the_database_and_not_to_a_file_without_a_name(octavo, texture):
    photos(octavo, texture, 2)
    octavo("colmap", "p/0.png", "-d", "a.db")
    with contextlib.closing(sqlite3.connect(octavo.folder / "a.db", isolation_level=None)) as other:
        assert other.execute("SELECT count(*) FROM images").fetchone() == (1,)
        octavo("colmap", "p", "-d", "a.db")
        assert other.execute("SELECT count(*) FROM images").fetchone() == (2,)
        other.execute("INSERT INTO images (name, camera_id) VALUES ('of_other.png', 1)")
    assert rows(octavo.folder / "a.db", "SELECT name FROM images ORDER BY name") == [
        ("0.png",),
        ("1.png",),
        ("of_other.png",),
    ]


def test_tables_of_a_later_version_are_refused(octavo, texture):
    photos(octavo, texture, 1)
    octavo("colmap", "p", "-d", "a.db")
    rows(octavo.folder / "a.db", "PRAGMA user_version = 99000")
    before = (octavo.folder / "a.db").read_bytes()
    assert "version 99000" in octavo.error(1, "colmap", "p", "-d", "a.db")
    assert (octavo.folder / "a.db").read_bytes() == before
