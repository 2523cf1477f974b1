"""octavo sfm: models of scenes whose cameras are known, by COLMAP's mapper and pycolmap, and the page and JSON about them.

One scene is a rendered room, the other points in space."""

import itertools
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import cv2
import numpy as np
import pytest

import rendered_room
from posed_scene import NAMES, VIEWS, arc, make_cameras, poses_of

pytestmark = pytest.mark.skipif(shutil.which("colmap") is None, reason="lacks colmap, of Debian's package colmap")


@pytest.mark.slow
def test_model_and_page(scene, chromium):
    call = ("sfm", "photos", "--database", "d.db", "-o", "model", "--mapper", "colmap", "--json")
    report = json.loads(scene(*call))
    assert report["registered_image_count"] == VIEWS
    assert [image["image"] for image in report["images"]] == sorted(NAMES)
    failures = {image["image"]: image["failure"] for image in report["images"] if image["failure"]}
    assert failures == {"bare.png": "no_keypoints", "few.png": "few_inliers", "lone.png": "no_matches"}
    (model,) = report["models"]
    assert model["image_count"] == VIEWS
    assert 280 <= model["point_count"] <= 300
    assert 0.2 < model["mean_reprojection_error"] < 0.6
    assert sum(model["error_bins"]) == model["observation_count"]
    assert sum(model["track_lengths"]) == model["point_count"]
    assert sum(image["point_count"] for image in report["images"]) == model["observation_count"]

    # COLMAP's own count.
    folder = scene.folder / "model" / "sparse" / "0"
    told = subprocess.run(["colmap", "model_analyzer", "--path", folder], check=True, capture_output=True, text=True,
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})  # fmt: skip
    figures = dict(
        re.findall(
            r"(?:\] )?(Points|Observations|Mean track length|Mean reprojection error): ([\d.]+)",
            told.stdout + told.stderr,
        )
    )
    assert int(figures["Points"]) == model["point_count"]
    assert int(figures["Observations"]) == model["observation_count"]
    assert float(figures["Mean track length"]) == pytest.approx(model["mean_track_length"], abs=1e-4)

    true = dict(zip(NAMES, (rotation for rotation, _ in make_cameras(arc())), strict=False))
    found = dict(poses_of(folder))
    for a, b in itertools.combinations(found, 2):
        difference = found[b] @ found[a].T @ (true[b] @ true[a].T).T
        assert np.degrees(np.arccos(np.clip((np.trace(difference) - 1) / 2, -1, 1))) < 0.5

    # A second run maps again, with the same result; matches stay verified.
    again = json.loads(scene(*call))
    without_times = [
        {key: value for key, value in one.items() if not key.endswith("_seconds")} for one in (report, again)
    ]
    assert without_times[0] == without_times[1]
    assert "matches_importer" not in (scene.folder / "model" / "mapper.log").read_text()

    page = (scene.folder / "model" / "report.html").read_text()
    assert str(scene.folder) not in page and '"model/sparse/0"' in page and "/usr/bin" not in page

    chromium.get_log("browser")
    chromium.get((scene.folder / "model" / "report.html").as_uri())
    assert chromium.execute_script("return document.body.dataset.ready") == "yes"
    assert [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"] == []
    summary = chromium.execute_script("return document.getElementById('summary').textContent")
    assert f"{VIEWS} of {len(NAMES)} images registered" in summary
    assert len(chromium.execute_script("return [...document.querySelectorAll('#images tbody tr')]")) == len(NAMES)
    drawn = chromium.execute_script(
        "const c = document.querySelector('.points'); view.draw(); const gl = c.getContext('webgl');"
        "const p = new Uint8Array(4 * c.width * c.height); gl.readPixels(0, 0, c.width, c.height, gl.RGBA, gl.UNSIGNED_BYTE, p);"
        "const seen = new Set(); for (let i = 0; i < p.length; i += 4) seen.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]);"
        "return [...seen]")  # fmt: skip
    assert {160 << 16 | 90 << 8 | 40, 240 << 16 | 128 << 8 | 60} <= set(drawn)  # points and cameras


def require_room(folder, count):
    """The poses of a model of the room are the true ones, to a degree."""
    found = {int(name.split(".")[0]): rotation for name, rotation in poses_of(folder)}
    assert sorted(found) == list(range(count))
    for a, b in itertools.combinations(found, 2):
        true = rendered_room.pose(b)[0] @ rendered_room.pose(a)[0].T
        difference = found[b] @ found[a].T @ true.T
        assert np.degrees(np.arccos(np.clip((np.trace(difference) - 1) / 2, -1, 1))) < 1


def test_photographs_become_a_model_that_grows(octavo, photograph, texture):
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    rendered_room.write_views(photograph, photographs, 4)
    cv2.imwrite(str(photographs / "other.png"), texture())
    (photographs / "broken.jpg").write_bytes((photographs / "0.jpg").read_bytes()[:3000])
    call = ("sfm", "photos", "-o", "model", "--json")
    done = octavo.call(*call)
    assert done.returncode == 1
    assert "broken.jpg" in done.stderr
    report = json.loads(done.stdout)
    assert report["registered_image_count"] == 4
    assert "broken.jpg" in report["problems"][0]
    assert report["database"] == str(octavo.folder / "model" / "database.db")
    assert [image["image"] for image in report["images"] if image["failure"]] == ["other.png"]
    require_room(octavo.folder / "model" / "sparse" / "0", 4)

    (photographs / "broken.jpg").unlink()
    rendered_room.write_views(photograph, photographs, 5)
    report = json.loads(octavo(*call, "--pairs", "retrieval:4"))
    assert (report["registered_image_count"], report["problems"]) == (5, [])
    require_room(octavo.folder / "model" / "sparse" / "0", 5)
    assert len([pair for pair in report["pairs"] if pair["inlier_count"] >= 15]) == 10


@pytest.mark.slow
def test_pycolmap_verifies_and_maps(octavo, photograph):
    pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    rendered_room.write_views(photograph, photographs, 4)
    shutil.copy(photographs / "3.jpg", photographs / "3.jpeg")
    done = octavo.call("sfm", "photos", "--mapper", sys.executable, "-o", "model", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["mapper"], report["registered_image_count"]) == (0, "pycolmap", 5)
    copies = "'3.jpeg' and '3.jpg' are copies of one photograph, of which a model needs one"
    assert report["warnings"] == [copies]
    assert done.stderr == f"octavo: {copies}\n"
    assert copies in (octavo.folder / "model" / "report.html").read_text()
    require_room(octavo.folder / "model" / "sparse" / "0", 4)


@pytest.mark.parametrize("mapper", ["colmap", pytest.param(sys.executable, marks=pytest.mark.slow)])
def test_names_of_any_bytes(octavo, photograph, mapper):
    """COLMAP's lists of pairs can hold none of them; the models can."""
    if mapper != "colmap":
        pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    rendered_room.write_views(photograph, photographs, 4)
    names = [b"#0.jpg", b"# 1.jpg", b"2\n'\".jpg", b"\xff 3.jpg"]
    for number, name in enumerate(names):
        os.rename(os.fsencode(photographs / f"{number}.jpg"), os.fsencode(photographs) + b"/" + name)
    done = octavo.call("sfm", "photos", "-o", "model", "--mapper", mapper, "--json")
    assert done.returncode == 0 and re.fullmatch(r"octavo: in the JSON U\+FFFD stands for [^\n]*\n", done.stderr)
    report = json.loads(done.stdout)
    assert report["registered_image_count"] == 4
    assert {"#0.jpg", "# 1.jpg", "2\n'\".jpg"} < {image["image"] for image in report["images"]}
    images = (octavo.folder / "model" / "sparse" / "0" / "images.bin").read_bytes()
    assert all(name + b"\0" in images for name in names)
    assert sorted(path.name for path in (octavo.folder / "model").iterdir()) == [
        "database.db",
        "mapper.log",
        "report.html",
        "sparse",
    ]
    tables = sqlite3.connect(octavo.folder / "model" / "database.db")
    tables.text_factory = bytes
    assert sorted(name for (name,) in tables.execute("SELECT name FROM images")) == sorted(names)


@pytest.mark.slow
@pytest.mark.parametrize("verify", [[], ["--verify", "usac"]])
def test_glomap_of_pycolmap_maps(octavo, photograph, monkeypatch, verify):
    """The global mapper, which makes all poses at once."""
    pycolmap = pytest.importorskip("pycolmap", reason="lacks pycolmap, of tests/requirements.txt")
    assert hasattr(pycolmap, "global_mapping")
    photographs = octavo.folder / "photos"
    photographs.mkdir()
    rendered_room.write_views(photograph, photographs)
    # COLMAP 3.8 has no global mapper, so that of this Python is found.
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
    call = ("sfm", "photos", "--mapper", "glomap", "-o", "model", "--json", *verify)
    reports = [json.loads(octavo(*call)) for _ in range(2)]
    assert (reports[0]["mapper"], reports[0]["mapper_program"]) == (
        "glomap",
        os.path.dirname(sys.executable) + "/python3",
    )
    assert reports[0]["registered_image_count"] == rendered_room.VIEWS
    assert reports[0]["models"] == reports[1]["models"]
    assert "map_global" in (octavo.folder / "model" / "mapper.log").read_text()
    require_room(octavo.folder / "model" / "sparse" / "0", rendered_room.VIEWS)


def test_calls_that_are_refused(octavo, texture):
    (octavo.folder / "photos").mkdir()
    cv2.imwrite(str(octavo.folder / "photos" / "a.png"), texture())
    assert "--max-features has no effect with --database" in octavo.error(
        2, "sfm", "photos", "-o", "m", "--database", "d.db", "--max-features", 9)  # fmt: skip
    assert "--pairs has no effect with --database" in octavo.error(
        2, "sfm", "photos", "-o", "m", "--database", "d.db", "--pairs", "all"
    )
    assert "--seed has no effect without --verify usac" in octavo.error(2, "sfm", "photos", "-o", "m", "--seed", 3)
    assert "retrieval:0" in octavo.error(2, "sfm", "photos", "-o", "m", "--pairs", "retrieval:0")
    assert "there is no folder 'absent'" in octavo.error(1, "sfm", "absent", "-o", "m")
    assert "'photos/a.png' is neither a folder nor a video" in octavo.error(1, "sfm", "photos/a.png", "-o", "m")
    assert "absent.txt" in octavo.error(1, "sfm", "photos", "-o", "m", "--pairs", "absent.txt")
    (octavo.folder / "list.txt").write_text("a.png none.png\n")
    refused = "no pair is of these images: line 1 of 'list.txt' names 'none.png'"
    assert refused in octavo.error(1, "sfm", "photos", "-o", "above/m", "--pairs", "list.txt")
    assert refused in octavo.error(1, "colmap", "photos", "--database", "d.db", "--pairs", "list.txt")
    assert sorted(path.name for path in octavo.folder.iterdir()) == ["list.txt", "photos"]
    environment = {**os.environ, "PATH": str(octavo.folder)}
    done = subprocess.run(
        [octavo.path, "sfm", "photos", "-o", "m"], cwd=octavo.folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "no mapper is installed" in done.stderr and "apt install colmap" in done.stderr
    assert not (octavo.folder / "m").exists()


def fake_mapper(folder, text):
    file = folder / "mapper"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_failures(scene):
    call = ("sfm", "photos", "--database", "d.db", "-o", "model", "--mapper")
    assert "is not a program that can be started" in scene.error(1, *call, "./absent")
    assert "pip install pycolmap" in scene.error(1, *call, "./absent")
    fake_mapper(scene.folder, "echo working; echo all is lost >&2; echo ---; exit 3")
    assert re.search(
        r"failed \(exit code 3\): all is lost; its log is '.*mapper.log'", scene.error(1, *call, "./mapper")
    )
    assert "all is lost" in (scene.folder / "model" / "mapper.log").read_text()
    fake_mapper(scene.folder, "kill -SEGV $$")
    assert "a signal ended it: 11" in scene.error(1, *call, "./mapper")
    (scene.folder / "strange" / "sparse").mkdir(parents=True)
    assert "did not make it" in scene.error(1, *call[:-3], "-o", "strange", "--mapper", "./mapper")
    assert "no database" in scene.error(
        1, "sfm", "photos", "--database", "no.db", "-o", "model", "--mapper", "./mapper"
    )
    (scene.folder / "nothing").mkdir()
    assert "no image" in scene.error(1, "sfm", "nothing", "-o", "of_nothing", "--mapper", "./mapper")
    assert not (scene.folder / "of_nothing").exists()
    # No model: the page says what the images lack, whatever the mapper's last words are.
    for words in ("ERROR: failed to create sparse model", "so few points"):
        fake_mapper(scene.folder, f"[ $1 = mapper ] || exit 0; echo '{words}'; exit 1")
        (scene.folder / "model" / "report.html").unlink(missing_ok=True)
        done = scene.call(*call, "./mapper", "--json")
        assert done.returncode == 1
        assert re.search(
            rf"there is no model of \d+ images: the mapper .* failed \(exit code 1\): {words}; its log is",
            done.stderr,
        )
        report = json.loads(done.stdout)
        assert report["models"] == [] and words in report["mapper_failure"]
        assert (scene.folder / "model" / "report.html").exists()
        assert not (scene.folder / "model" / "sparse").exists()


def write_turns(photograph, folder):
    """What a camera sees of a photograph at infinity that turns before it."""
    wall = cv2.resize(cv2.imread(str(photograph("graf1.png"))), (960, 768))
    film = np.array([[600, 0, 240], [0, 600, 180], [0, 0, 1.0]])
    sky = np.array([[600, 0, 480], [0, 600, 384], [0, 0, 1.0]])
    folder.mkdir()
    for number, yaw in enumerate(np.radians((-12, -4, 4, 12))):
        turn = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
        view = cv2.warpPerspective(
            wall, film @ turn @ np.linalg.inv(sky), (480, 360), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )
        cv2.imwrite(str(folder / f"{number}.png"), view)


def test_a_camera_that_turns_gives_no_model(octavo, photograph):
    write_turns(photograph, octavo.folder / "photos")
    done = octavo.call("sfm", "photos", "-o", "model", "--json", "--cameras", "one")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["models"] == [] and all(pair["is_homography"] for pair in report["pairs"])
    assert {image["failure"] for image in report["images"]} == {"no_depth"}
    for told in (done.stderr, report["mapper_failure"]):
        assert "the camera only turned, the scene is flat" in told and "octavo mosaic joins" in told
        assert "mapper.log" in told


# What a mapper wrote without points: its cameras say nothing.
NO_POINTS = """[ $1 = mapper ] || exec colmap "$@"
[ "$2" = -h ] && exit 0
mkdir "$7/0" && cd "$7/0" && echo '1 SIMPLE_PINHOLE 640 480 600 320 240' > cameras.txt
printf '1 1 0 0 0 0 0 1 1 view0.png\\n\\n2 1 0 0 0 1 0 1 1 view1.png\\n\\n' > images.txt
echo '# none' > points3D.txt"""


def test_a_model_without_points_is_none(scene):
    call = ("sfm", "photos", "--database", "d.db", "-o", "model", "--mapper", "./mapper", "--json")
    fake_mapper(scene.folder, NO_POINTS)
    done = scene.call(*call)
    assert done.returncode == 1 and "the mapper colmap made none with points; its log is" in done.stderr
    report = json.loads(done.stdout)
    assert report["models"] == [] and report["registered_image_count"] == 0
    assert "made none with points" in report["mapper_failure"]
    assert not (scene.folder / "model" / "sparse").exists()


def test_doubtful_focal_lengths_are_warned_of(scene):
    fake_mapper(scene.folder, '[ "$1" = mapper ] && [ "$2" != -h ] && cp -r given "$7/0" || exec colmap "$@"')
    call = ("sfm", "photos", "--database", "d.db", "-o", "model", "--mapper")
    scene(*call, "colmap")  # warns of none
    given = scene.folder / "given"
    given.mkdir()
    subprocess.run(["colmap", "model_converter", "--input_path", scene.folder / "model" / "sparse" / "0", "--output_path",
                    given, "--output_type", "TXT"], check=True, capture_output=True)  # fmt: skip
    (given / "cameras.txt").write_text("1 SIMPLE_PINHOLE 640 480 6.5 320 240\n")
    done = scene.call(*call, "./mapper", "--json")
    assert (
        done.returncode == 0
        and "model 0: the focal lengths of 1 of 1 cameras are not between 0.1 and 10" in done.stderr
    )
    (warning,) = [one for one in json.loads(done.stdout)["warnings"] if "focal" in one]
    assert "'view0.png' 6.5 pixels" in warning


@pytest.mark.slow
def test_a_mapper_that_fails_leaves_the_models_of_before(scene):
    call = ("sfm", "photos", "--database", "d.db", "-o", "model", "--mapper")
    models = scene.folder / "model" / "sparse" / "0"
    scene(*call, "colmap")
    before = {path.name: path.read_bytes() for path in models.iterdir()}
    for end in ("echo 'the disk is full'; exit 1", "echo 'ERROR: failed to create sparse model'; exit 1",
                'mkdir "$7/0"; echo "ERROR: failed to create sparse model"; exit 1'):  # fmt: skip
        fake_mapper(scene.folder, f'[ "$2" = -h ] && exit 0; {end}')
        assert "failed (exit code 1)" in scene.error(1, *call, "./mapper")
        assert {path.name: path.read_bytes() for path in models.iterdir()} == before
        left = {path.name for path in (scene.folder / "model").iterdir()}
        assert not {"sparse.partial", "sparse.before", "verify.partial"} & left


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().split()[2] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_interruption_ends_the_mapper(scene):
    fake_mapper(scene.folder, '[ "$2" = -h ] && exit 0; sleep 60 & echo $! > "$(dirname "$0")/pid"; wait')
    words = [scene.path, "sfm", "photos", "--database", "d.db", "-o", "model", "--mapper", "./mapper"]
    process = subprocess.Popen(words, cwd=scene.folder, stderr=subprocess.PIPE)
    pid = scene.folder / "pid"
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.02)
    child = int(pid.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == -signal.SIGINT
    for _ in range(500):
        if not is_alive(child):
            return
        time.sleep(0.01)
    pytest.fail("the program that the mapper has started is alive")
