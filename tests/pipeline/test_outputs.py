"""No command writes over a file that it reads, and none leaves half a file behind."""

import os
import resource
import subprocess

import pytest
from PIL import Image


@pytest.fixture
def images(octavo, texture):
    """a.png and b.png, which overlap."""
    whole = texture(200, 160)
    for name, pixels in (("a.png", whole[:, :160]), ("b.png", whole[:, 20:])):
        Image.fromarray(pixels).save(octavo.folder / name)
    return octavo.folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [
        ("align", "a.png", "b.png", "-o", "a.png"),
        ("align", "a.png", "out.matches.png", "-o", "out.png"),
        ("align", "out.checkerboard.png", "b.png", "-o", "out.png"),
        ("match", "a.png", "b.png", "-o", "b.png"),
        ("match", "a.png", "b.png", "-o", "link.png"),
        ("filter", "trilateral", "a.png", "-o", "./a.png"),
        ("filter", "trilateral", "link.png", "-o", "a.png"),
        ("extract", "a.png", "a.png.keypoints.png", "-o", ".", "--draw"),
        ("extract", "a.png", "--mask", "a.png.keypoints.png", "-o", ".", "--draw"),
        ("extract", "a.png", "a.png.json", "-o", ".", "--format", "json"),
        ("bench", "report", "page.html", "-o", "page.html"),
        ("evaluate", "robustness", "page.html", "-o", "page.html"),
        ("evaluate", "crops", "page.html", "-o", "page.html"),
    ],
)
def test_no_command_writes_over_what_it_reads(octavo, images, arguments):
    for name in ("out.matches.png", "out.checkerboard.png", "a.png.keypoints.png", "a.png.json", "page.html"):
        (images / name).write_bytes((images / "b.png").read_bytes())
    (images / "link.png").symlink_to("a.png")
    before = contents(images)
    sentence = octavo.error(2, *arguments)
    assert "--output is " in sentence and "this file is read too" in sentence
    assert contents(images) == before


@pytest.mark.parametrize(
    "arguments, result",
    [
        (("extract", "a.png", "-o", ".", "--format", "json"), "a.png.json"),
        (("extract", "a.png", "-o", "."), "a.png.txt"),
        (("bench", "report", "a.png", "--devices", "cpu@1", "--sizes", "64x64", "--max-features", "all", "--rounds", 1,
          "-o", "page.html"), "page.html"),
        (("inspect", "a.png", "-o", "look"), "look/index.html"),
    ],
)  # fmt: skip
def test_a_file_without_room_stays_as_it_was(octavo, images, arguments, result):
    """A limit of the size of files stands for a full disk."""
    octavo(*arguments)
    before = (images / result).read_bytes()
    assert len(before) > 3000

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

    command = [octavo.path, *map(str, arguments)]
    done = subprocess.run(command, cwd=images, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 1 and "File too large" in done.stderr
    assert (images / result).read_bytes() == before
    assert not list(images.rglob(".*"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("align", "a.png", "b.png", "-o"),
        ("match", "a.png", "b.png", "-o"),
        ("filter", "trilateral", "a.png", "-o"),
        ("bench", "report", "a.png", "-o"),
        ("evaluate", "robustness", "a.png", "-o"),
        ("evaluate", "crops", "a.png", "-o"),
        ("evaluate", "a", "-o"),
    ],
)
def test_the_name_of_a_file_is_checked_before_the_work(octavo, tmp_path, arguments):
    """The inputs do not exist, but the error is about the output."""
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "folder.html").mkdir()
    ending = "html" if "bench" in arguments or "evaluate" in arguments else "png"
    for name, reason in (
        (f"none/x.{ending}", "there is no folder 'none'"),
        (f"folder.{ending}", "it is a folder"),
        (f"{'x' * 300}.{ending}", "name too long"),
    ):
        sentence = octavo.error(1, *arguments, name)
        assert f"cannot write '{name}': " in sentence and reason in sentence
    assert f'--output is "x.xyz", but must end in one of .{ending}, ' in octavo.error(2, *arguments, "x.xyz")


@pytest.mark.parametrize(
    ("option", "arguments"),
    [
        ("--contact-sheet", ("video", "frames", "a.mp4")),
        ("--image", ("video", "compare", "a.mp4", "b.mp4")),
        ("--data", ("video", "affinity", "a.mp4", "b.mp4")),
        ("--output", ("video", "affinity", "a.mp4", "b.mp4")),
        ("--draw-graph", ("mosaic", "a.png", "b.png", "-o", "m.png")),
        ("--draw-seams", ("mosaic", "a.png", "b.png", "-o", "m.png")),
        ("--image", ("pairs", "a.png", "b.png", "-o", "p.txt")),
    ],
)
def test_an_error_of_a_name_names_the_option_that_has_it(octavo, images, arguments, option):
    for name in ("a.mp4", "b.mp4"):
        (images / name).touch()
    assert f'{option} is "x.xyz", but must end in one of ' in octavo.error(2, *arguments, option, "x.xyz")
    if "a.png" in arguments:
        assert f'{option} is "a.png", but this file is read too' in octavo.error(2, *arguments, option, "a.png")


@pytest.mark.parametrize(
    "arguments",
    [("extract", "a.png", "-o"), ("inspect", "a.png", "-o"), ("evaluate", "robustness", "a.png", "--images")],
)
def test_a_folder_is_checked_before_the_work(octavo, tmp_path, arguments):
    (tmp_path / "file").touch()
    sentence = octavo.error(1, *arguments, "file/folder")
    assert "cannot write to the folder 'file/folder': 'file' is not a folder" in sentence


def test_a_format_without_colours_is_refused_before_the_work(octavo, images):
    assert "must end in one of" in octavo.error(2, "match", "a.png", "b.png", "-o", "x.pgm")


def test_what_a_killed_run_left_is_cleared(octavo, images):
    (images / ".a.png.txt.part").write_bytes(b"half")
    octavo("extract", "a.png", "-o", ".")
    assert (images / "a.png.txt").exists() and not list(images.glob(".*"))


def test_an_error_stream_that_takes_nothing_does_not_end_the_program(octavo, images):
    if not os.path.exists("/dev/full"):
        pytest.skip("lacks /dev/full")
    with open("/dev/full", "w") as full:
        done = octavo.call("extract", "missing.png", "a.png", stderr=full)
        assert done.returncode == 1 and done.stdout.startswith("a.png: ")
        assert octavo.call("extract", "--layers", 99, "a.png", stderr=full).returncode == 2
    command = f'"{octavo.path}" extract missing.png a.png 2>&-'
    done = subprocess.run(command, shell=True, cwd=images, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "a.png: " in done.stdout


def test_pages_say_nothing_of_the_folders_above_what_they_show(octavo, texture):
    """The paths of a call are whole ones; pages are given to others."""
    place = octavo.folder / "ours & theirs"
    place.mkdir()
    Image.fromarray(texture(160, 128)).save(place / "a.png")
    (place / "a.corners.txt").write_text("50 40\n")
    (place / "cut off.png").write_bytes((place / "a.png").read_bytes()[:500])
    (octavo.folder / "points").mkdir()
    octavo("extract", place / "a.png", "-o", octavo.folder / "points", "--format", "npz")
    quick = ("--changes", "clean", "--crop-sizes", "64x48")
    calls = {
        "corners": ("evaluate", "corners", place, "--detector", "foagdd", "--features", f"f={octavo.folder / 'points'}"),
        "robustness": ("evaluate", "robustness", place, "--kinds", "mirror"),
        "crops": ("evaluate", "crops", place / "a.png", place / "cut off.png", *quick),
        "bench": ("bench", "report", place / "a.png", "--devices", "cpu@1", "--sizes", "80x64", "--max-features", 20,
                  "--rounds", 1, "--warmup", 0),
        "pyramid": ("bench", "pyramid", place / "a.png", "--sizes", "80x64", "--rounds", 1, "--warmup", 0),
        "inspect": ("inspect", place / "a.png"),
    }  # fmt: skip
    for name, call in calls.items():
        output = octavo.folder / (name if name == "inspect" else f"{name}.html")
        done = octavo.call(*call, "-o", output)
        assert output.exists(), done
        for file in [output] if output.is_file() else [*output.glob("*.html"), *output.glob("*.json")]:
            text = file.read_text()
            assert "a.png" in text, file
            assert str(octavo.folder) not in text, file
