"""The programs of docs/examples/python, the lines of Python in README.md and docs/python.md, and the API reference."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import octavo

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "python"


def run(example, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / example, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def opencv():
    return pytest.importorskip("cv2", reason="lacks opencv-python-headless")


def test_match_photographs(tmp_path, photograph, opencv):
    told = run("match_photographs.py", photograph("graf1.png"), photograph("graf3.png"), tmp_path / "matches.jpg")
    assert int(told.split(" matches, ")[1].split()[0]) > 200
    assert opencv.imread(str(tmp_path / "matches.jpg")).shape == (640, 1600, 3)


def test_panorama(tmp_path, photograph, opencv):
    told = run("panorama.py", photograph("graf1.png"), photograph("graf3.png"), tmp_path / "panorama.jpg")
    assert int(told.split()[0]) > 100
    assert min(opencv.imread(str(tmp_path / "panorama.jpg")).shape[:2]) >= 640


def test_video_keypoints(tmp_path, photograph, opencv):
    told = run("video_keypoints.py", photograph("vtest.avi"), tmp_path / "keypoints.jpg")
    assert len(told.splitlines()) == 23
    assert (tmp_path / "keypoints.jpg").stat().st_size > 10_000


@pytest.fixture
def jobs():
    pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")


@pytest.fixture
def film(photograph, tmp_path):
    """Makes a clip by FFmpeg."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("lacks ffmpeg, of Debian's package ffmpeg")

    def make(name, source, *arguments):
        file = tmp_path / name
        words = ["ffmpeg", "-v", "error", *arguments[0], "-i", photograph(source), *arguments[1], "-an", file]
        subprocess.run(words, check=True, timeout=60)
        return file

    return make


def test_align_photographs(tmp_path, photograph, jobs):
    told = run("align_photographs.py", photograph("graf1.png"), photograph("graf3.png"), tmp_path / "both.jpg")
    agree, matches = int(told.split()[0]), int(told.split()[2])
    assert 400 < agree < matches and octavo.read(tmp_path / "both.jpg").shape[2] == 3


def test_compare_descriptors(tmp_path, photograph, jobs):
    told = run("compare_descriptors.py", photograph("graf1.png"), tmp_path / "page.html").splitlines()
    assert [line.split(":")[0] for line in told[:2]] == ["perspective, sift", "perspective, rootsift"]
    assert int(told[0].split(": ")[1].split()[0]) > 100 and (tmp_path / "page.html").exists()


def test_search_clip(tmp_path, photograph, film, jobs):
    (tmp_path / "films").mkdir()
    for name in ("vtest.avi", "Megamind.avi"):
        (tmp_path / "films" / name).symlink_to(photograph(name))
    clip = film("clip.mp4", "vtest.avi", ["-ss", "20", "-t", "6"], ["-vf", "hflip,scale=480:-2", "-c:v", "mpeg4"])
    told = run("search_clip.py", tmp_path / "films", clip, tmp_path / "archive")
    assert told == "   0.00 to    6.00 s is   20.00 to   26.00 s of vtest.avi, mirrored\n"


@pytest.mark.slow
def test_find_takes(tmp_path, photograph, jobs):
    told = run("find_takes.py", tmp_path / "sheet.png", photograph("Megamind.avi"), photograph("Megamind_bugy.avi"))
    assert told.count("Megamind_bugy.avi") >= 2 and "s after the reference" in told
    assert (tmp_path / "sheet.png").exists() and (tmp_path / "sheet.png.otio").exists()


@pytest.mark.slow
def test_mosaic_of_video(tmp_path, film, jobs):
    way = "loop=-1:1,crop=520:420:x='min(t*150,600)':y=300"
    pan = film("pan.mp4", "aloeL.jpg", [], ["-vf", way, "-t", "4", "-r", "25", "-c:v", "mpeg4", "-q:v", "3"])
    told = run("mosaic_of_video.py", pan, tmp_path / "pan.jpg")
    height, width = octavo.read(tmp_path / "pan.jpg").shape[:2]
    assert "frames, " in told and abs(width - 1120) < 12 and abs(height - 420) < 12


def test_beside_pycolmap(tmp_path, texture, jobs):
    """Photographs of two planes at different depths, from a camera that moves sideways."""
    pytest.importorskip("pycolmap", reason="lacks pycolmap")
    near, far = texture(900, 300, seed=4), texture(900, 300, seed=5)
    (tmp_path / "photos").mkdir()
    for i in range(5):
        upper, lower = far[:, 30 * i : 30 * i + 640], near[:, 60 * i : 60 * i + 640]
        octavo.write(tmp_path / "photos" / f"{i}.png", np.concatenate([upper, lower]))
    told = run("beside_pycolmap.py", tmp_path / "photos", tmp_path / "model")
    assert "5 images and" in told and "colours (" in told


def test_score_photographs(photograph, opencv):
    told = run("score_photographs.py", photograph("graf1.png"), photograph("graf3.png"), photograph("H1to3p.xml"))
    assert "'low contrast'" in told and "the finest differences lie between -0." in told
    assert int(told.splitlines()[-1].split()[0]) > 200


def test_beside_pytorch():
    pytest.importorskip("torch", reason="lacks PyTorch")
    if not any(device.kind == "cuda" for device in octavo.devices()):
        pytest.skip("lacks a GPU with CUDA")
    assert "matches" in run("beside_pytorch.py")


def blocks_of(page):
    """The blocks of Python of a page, each compiled by itself, by their first words."""
    file = EXAMPLES.parents[2] / page
    if not file.exists():
        pytest.skip("lacks the checkout around the tests")
    blocks = re.findall(r"^```python\n(.*?)^```$", file.read_text(), re.DOTALL | re.MULTILINE)
    return {code.split("(")[0]: code for code in blocks}


@pytest.fixture
def pair(photograph):
    return {"octavo": octavo} | {f"image_{x}": octavo.read(photograph(f"graf{n}.png")) for x, n in (("a", 1), ("b", 3))}


def test_lines_of_the_readme(pair, opencv, jobs):
    (code,) = blocks_of("README.md").values()
    exec(code, pair)
    assert len(pair["matches"].a) > 200 and hasattr(pair["cv2"].SIFT_create(), "detectAndCompute")


def test_lines_of_the_page(pair, photograph, texture, film, jobs, opencv, tmp_path, monkeypatch):
    """One block after the other. What needs a mapper or a GPU is left out; beside_pycolmap.py and beside_pytorch.py have it."""
    monkeypatch.chdir(tmp_path)
    for name, n in (("left.jpg", 1), ("right.heic", 3)):
        octavo.write("image.jpg", octavo.read(photograph(f"graf{n}.png")))
        Path("image.jpg").rename(name)
    Path("scans").mkdir()
    scene = texture(400, 200)
    for n in range(3):
        octavo.write(f"scans/{n}.png", scene[:, 60 * n : 60 * n + 240])
    film("film.mp4", "Megamind.avi", ["-t", "3"], ["-vf", "scale=320:-2", "-c:v", "mpeg4"])
    film("clip.mp4", "Megamind.avi", ["-t", "3"], ["-vf", "hflip,scale=320:-2", "-c:v", "mpeg4"])
    octavo.video.index(["film.mp4"], "archive")
    random = np.random.default_rng(1)
    rows = {name: random.random((40, 64), np.float32) for name in ("a", "b")}
    Path("photos").mkdir()
    for name in ("a", "b"):
        octavo.write(f"photos/{name}.jpg", texture())
        rows[f"places_{name}"] = 100 * random.random((40, 2))
    for first, code in blocks_of("docs/python.md").items():
        if first.startswith("extractor = octavo.Extractor"):
            continue  # on a GPU
        if first.startswith("octavo.Extractor"):
            for line in code.splitlines():
                call, told = line.split("#")
                with pytest.raises(octavo.Error, match=re.escape(told.split(": ", 1)[1])):
                    exec(call, pair)
            continue
        names = pair | (rows if first.startswith("scale =") else {})
        exec("\n".join(line for line in code.splitlines() if "octavo.sfm(" not in line), names)
    assert Path("page.tif").exists()


def test_every_public_name_has_a_docstring_and_types():
    """The reference is made of them."""
    script = EXAMPLES.parents[2] / "python" / "documentation" / "make_reference.py"
    if not script.exists():
        pytest.skip("lacks the checkout around the tests")
    made = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("# Python reference\n") and "### octavo.extract\n" in made.stdout
