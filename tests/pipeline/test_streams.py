"""The standard input and output as files, and lists of which one image or the output fails."""

import json
import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def image(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    return octavo.folder / "a.png"


def run(octavo, *arguments, **options):
    command = [octavo.path, *map(str, arguments)]
    return subprocess.run(command, cwd=octavo.folder, capture_output=True, timeout=600, **options)


def test_standard_input(octavo, image):
    done = run(octavo, "extract", "-", "--json", input=image.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    piped, named = json.loads(done.stdout), json.loads(octavo("extract", "a.png", "--json"))
    assert piped["image"] == "-" and piped["keypoints"] == named["keypoints"]


def test_standard_input_among_files(octavo, image):
    done = run(octavo, "extract", "a.png", "-", "-o", "out", input=image.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    out = octavo.folder / "out"
    assert sorted(path.name for path in out.iterdir()) == ["a.png.txt", "octavo-manifest.jsonl", "stdin.txt"]
    assert (out / "stdin.txt").read_bytes() == (out / "a.png.txt").read_bytes()


def test_names_that_json_cannot_hold(octavo, texture):
    photos = octavo.folder / "photos"
    photos.mkdir()
    for seed, name in ((1, b"a\xfe.png"), (2, b"a\xff.png")):
        Image.fromarray(texture(seed=seed)).save(octavo.folder / "one.png")
        os.rename(octavo.folder / "one.png", os.fsencode(photos) + b"/" + name)
    told = b"octavo: in the JSON U+FFFD stands for bytes that are not UTF-8, so that two names may look the same\n"
    calls = [["extract", "photos"], ["match", "photos"], ["pairs", "photos"], ["extract", "photos", "--estimate"]]
    calls.append(["mosaic", "photos", "-o", "a.png"])
    for call in calls:
        done = run(octavo, *call, "--json")
        assert done.stderr.count(told) == 1, call
        assert "a\N{REPLACEMENT CHARACTER}.png" in json.dumps(json.loads(done.stdout), ensure_ascii=False), call
        if "--estimate" not in call:
            assert told not in run(octavo, *call).stderr, call


def test_mask_from_the_standard_input(octavo, image):
    mask = np.zeros((128, 160), np.uint8)
    mask[:, :80] = 255
    Image.fromarray(mask).save(octavo.folder / "mask.png")
    done = run(octavo, "extract", "a.png", "--mask", "-", "--json", input=(octavo.folder / "mask.png").read_bytes())
    named = octavo("extract", "a.png", "--mask", "mask.png", "--json")
    assert json.loads(done.stdout)["keypoints"] == json.loads(named)["keypoints"]


def test_a_file_called_minus_is_named_by_its_folder(octavo, image):
    image.rename(octavo.folder / "-")
    assert octavo("extract", "./-").startswith("./-: ")


@pytest.mark.parametrize("content, word", [(b"", "empty"), (b"no image", "standard input"), (None, "empty")])
def test_standard_input_that_is_no_image(octavo, content, word):
    options = {"stdin": subprocess.DEVNULL} if content is None else {"input": content}
    done = run(octavo, "extract", "-", **options)
    assert done.returncode == 1 and word in done.stderr.decode() and done.stderr.count(b"\n") == 1


def test_standard_input_that_is_a_terminal(octavo):
    terminal, end = os.openpty()
    done = run(octavo, "extract", "-", stdin=end)
    os.close(end), os.close(terminal)
    assert done.returncode == 1 and b"terminal" in done.stderr


def test_the_standard_input_is_one_file(octavo, image):
    for arguments in (("-", "-"), ("-", "--mask", "-")):
        assert "more than once" in octavo.error(2, "extract", *arguments)


@pytest.mark.parametrize("kind, ending", [("colmap", "txt"), ("npz", "npz"), ("json", "json")])
def test_standard_output(octavo, image, kind, ending):
    octavo("extract", "a.png", "-o", "out", "--format", kind)
    expected = (octavo.folder / f"out/a.png.{ending}").read_bytes()
    done = run(octavo, "extract", "a.png", "-o", "-", "--format", kind)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")
    assert not (octavo.folder / "-").exists()


def test_filter_between_the_standard_streams(octavo, image):
    octavo("filter", "trilateral", "a.png", "-o", "smooth.png")
    done = run(octavo, "filter", "trilateral", "-", "-o", "-", input=image.read_bytes())
    expected = (octavo.folder / "smooth.png").read_bytes()
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")


def test_inspect_reads_the_standard_input(octavo, image):
    done = run(octavo, "inspect", "-", "-o", "look", "--json", input=image.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    piped, named = json.loads(done.stdout), json.loads(octavo("inspect", "a.png", "-o", "named", "--json"))
    assert (piped.pop("image"), named.pop("image")) == ("stdin", "a.png")
    assert piped == named and len(piped["keypoints"]) > 20
    mask = np.zeros((128, 160), np.uint8)
    Image.fromarray(mask).save(octavo.folder / "mask.png")
    done = run(
        octavo,
        "inspect",
        "a.png",
        "--mask",
        "-",
        "-o",
        "masked",
        "--json",
        input=(octavo.folder / "mask.png").read_bytes(),
    )
    assert done.returncode == 0 and json.loads(done.stdout)["keypoints"] == []
    assert "more than once" in octavo.error(2, "inspect", "-", "--mask", "-", "-o", "look")
    assert "--output -" in octavo.error(2, "inspect", "a.png", "-o", "-")
    assert not (octavo.folder / "-").exists()


@pytest.fixture
def moved(octavo, texture):
    """b.png is a.png moved by 5 and 3 pixels."""
    wide = texture(192, 160)
    Image.fromarray(wide[:150, :180]).save(octavo.folder / "a.png")
    Image.fromarray(wide[3:153, 5:185]).save(octavo.folder / "b.png")


def test_align_writes_the_blended_image(octavo, moved):
    octavo("align", "a.png", "b.png", "-o", "both.png")
    done = run(octavo, "align", "a.png", "-", "-o", "-", input=(octavo.folder / "b.png").read_bytes())
    assert done.returncode == 0 and done.stdout == (octavo.folder / "both.png").read_bytes()
    assert sorted(path.suffix for path in octavo.folder.iterdir()) == [".png"] * 6


def test_align_without_a_homography_writes_nothing(octavo, moved):
    Image.new("L", (40, 40), 128).save(octavo.folder / "flat.png")
    done = run(octavo, "align", "a.png", "flat.png", "-o", "-")
    assert (done.returncode, done.stdout) == (1, b"") and b"no homography" in done.stderr


def test_match_writes_its_image(octavo, moved):
    octavo("match", "a.png", "b.png", "-o", "lines.png", "--verify", "homography")
    done = run(octavo, "match", "a.png", "b.png", "-o", "-", "--verify", "homography")
    assert (done.returncode, done.stdout, done.stderr) == (0, (octavo.folder / "lines.png").read_bytes(), b"")


def test_match_writes_its_list(octavo, moved):
    octavo("match", "*.png", "-o", "matches.txt")
    done = run(octavo, "match", "*.png", "-o", "-")
    assert (done.returncode, done.stdout, done.stderr) == (0, (octavo.folder / "matches.txt").read_bytes(), b"")
    assert done.stdout.startswith(b"a.png b.png\n")


def test_json_has_no_place_beside_a_file_on_the_standard_output(octavo, moved):
    for call in (("align", "a.png", "b.png"), ("match", "a.png", "b.png"), ("match", "*.png")):
        assert "--json has no place there" in octavo.error(2, *call, "-o", "-", "--json")


@pytest.mark.parametrize(
    "call", ["extract a.png --format npz", "filter trilateral a.png", "align a.png b.png", "match a.png b.png"]
)
def test_bytes_are_not_written_to_a_terminal(octavo, moved, call):
    terminal, end = os.openpty()
    done = octavo.call(*call.split(), "-o", "-", stdout=end)
    os.close(end), os.close(terminal)
    assert done.returncode == 1 and "the standard output: it is a terminal" in done.stderr


def test_a_full_standard_output_is_an_error_of_every_command(octavo, moved):
    if not os.path.exists("/dev/full"):
        pytest.skip("lacks /dev/full")
    with open("/dev/full", "w") as full:
        for call in (
            "filter trilateral a.png -o -",
            "align a.png b.png -o -",
            "match a.png b.png -o -",
            "match *.png -o -",
            "match *.png --json",
        ):
            done = octavo.call(*call.split(), stdout=full)
            assert done.returncode == 1 and "No space left on device" in done.stderr, (call, done)


def test_standard_output_takes_one_file(octavo, image, texture):
    Image.fromarray(texture(seed=2)).save(octavo.folder / "b.png")
    for more in (("b.png",), ("--json",), ("--draw",), ("--skip-existing",)):
        assert "standard output" in octavo.error(2, "extract", "a.png", "-o", "-", *more)
    assert "one image" in octavo.error(2, "extract", "*.png", "-o", "-")


def test_standard_output_that_is_full(octavo, image):
    if not os.path.exists("/dev/full"):
        pytest.skip("lacks /dev/full")
    with open("/dev/full", "w") as full:
        for arguments in (("-o", "-"), ("--json",), ()):
            done = octavo.call("extract", "a.png", *arguments, stdout=full)
            assert done.returncode == 1 and "No space left on device" in done.stderr


def test_files_are_written_though_the_standard_output_is_closed(octavo, image, texture):
    for seed in range(3):
        Image.fromarray(texture(seed=seed)).save(octavo.folder / f"b{seed}.png")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = octavo.call("extract", "*.png", "-o", "out", stdout=pipe)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")
    assert len(list((octavo.folder / "out").glob("*.txt"))) == 4


def limited(kind, size):
    return lambda: resource.setrlimit(kind, (size, size))


@pytest.mark.slow
@pytest.mark.parametrize("enormous", ["enormous.png", "enormous.pgm"])
def test_an_image_without_memory_fails_alone(octavo, texture, enormous):
    """The second image of three cannot be extracted in the memory that there is."""
    names = ["1.png", enormous, "3.png"]
    Image.fromarray(texture(seed=1)).save(octavo.folder / names[0])
    Image.fromarray(np.tile(texture(500, 500), (18, 18))).save(octavo.folder / names[1])
    Image.fromarray(texture(320, 256, seed=3)).save(octavo.folder / names[2])
    call = ("extract", *names, "--json", "--draw", "-o", "out", "--device", "cpu", "--threads", 1)
    done = run(octavo, *call, preexec_fn=limited(resource.RLIMIT_AS, 1 << 30))
    error = done.stderr.decode()
    assert done.returncode == 1, error
    assert error.count("\n") == 1 and enormous in error and "OpenCV" not in error, error
    entries = json.loads(done.stdout)
    assert [entry["image"] for entry in entries] == [names[0], names[2]]
    for entry in entries:
        alone = json.loads(octavo("extract", entry["image"], "--json", "--device", "cpu"))
        assert entry["keypoints"] == alone["keypoints"] and len(alone["keypoints"]) > 20
    written = sorted(path.name for path in (octavo.folder / "out").iterdir())
    assert written == ["1.png.keypoints.png", "1.png.txt", "3.png.keypoints.png", "3.png.txt", "octavo-manifest.jsonl"]


@pytest.mark.slow
def test_every_limit_of_memory_leaves_a_whole_list(octavo, texture):
    """Somewhere between starting at all and having enough, every step of the work lacks memory once."""
    for i, shape in enumerate([(96, 80), (1400, 1000), (96, 80)]):
        Image.fromarray(np.tile(texture(*shape, seed=i), (1, 1))).save(octavo.folder / f"{i}.png")
    call = ("extract", "0.png", "1.png", "2.png", "--json", "-o", "out", "--draw", "--device", "cpu", "--threads", 1)
    outcomes = set()
    for megabytes in range(80, 700, 40):
        done = run(octavo, *call, preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20))
        if done.returncode == 127 or b"shared" in done.stderr:
            continue  # the program itself cannot be loaded
        assert done.returncode in (0, 1), (megabytes, done)
        assert b"OpenCV(" not in done.stderr and all(line.startswith(b"octavo: ") for line in done.stderr.splitlines())
        entries = json.loads(done.stdout) if done.stdout else []
        assert len(entries) + done.stderr.count(b"\n") == 3 or not done.stdout, (megabytes, done.stderr)
        outcomes.add(len(entries))
    assert 3 in outcomes and len(outcomes) > 1, outcomes


def test_every_file_that_cannot_be_written_is_named(octavo, texture):
    """A limit of the size of files stands for a full disk."""
    for name, size in (("a.png", (160, 128)), ("b.png", (24, 24)), ("c.png", (160, 128))):
        Image.fromarray(texture(*size)).save(octavo.folder / name)
    done = run(octavo, "extract", "a.png", "b.png", "c.png", "-o", "out", "--json",
               preexec_fn=limited(resource.RLIMIT_FSIZE, 4000))  # fmt: skip
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 1 and len(lines) == 2, lines
    for line, name in zip(lines, ("a.png", "c.png")):
        assert f"out/{name}.txt" in line and "File too large" in line
    assert [entry["image"] for entry in json.loads(done.stdout)] == ["b.png"]
    assert sorted(path.name for path in (octavo.folder / "out").iterdir()) == ["b.png.txt", "octavo-manifest.jsonl"]


@pytest.mark.parametrize(
    "call",
    [
        "extract pipe.png",
        "extract pipe.mp4 -o out",
        "extract a.png --mask pipe.png",
        "extract -",
        "video frames pipe.mp4",
        "video frames -",
        "video keypoints pipe.mp4 -o out.mp4",
        "video places pipe.mp4 a.png",
    ],
)
def test_a_request_to_end_ends_what_waits_for_a_writer(octavo, image, call):
    for name in ("pipe.png", "pipe.mp4"):
        os.mkfifo(octavo.folder / name)
    process = subprocess.Popen(
        [octavo.path, *call.split()], cwd=octavo.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.wait(timeout=20) == -signal.SIGTERM
    process.communicate()


def test_a_pipe_to_which_nobody_writes_is_given_up(octavo):
    os.mkfifo(octavo.folder / "pipe.mp4")
    assert "nothing was written to the pipe for 0.5 s" in octavo.error(
        1, "video", "frames", "pipe.mp4", "--patience", 0.5
    )


def test_names_with_a_line_break_take_one_line(octavo, image):
    image.rename(octavo.folder / "a\nb.png")
    lines = octavo("extract", "a\nb.png", "--device", "cpu").splitlines()
    assert len(lines) == 1 and lines[0].startswith("a b.png: ")
    lines = octavo("filter", "trilateral", "a\nb.png", "-o", "c\nd.png", "--device", "cpu").splitlines()
    assert len(lines) == 1 and lines[0].startswith("c d.png: ")
    octavo("video", "index", "a\nb.png", "--images", "--index", "archive", "--device", "cpu")
    assert octavo("video", "list", "--index", "archive").splitlines()[1].endswith("/a b.png")
    assert "\n  " + str(octavo.folder) + "/a b.png  " in octavo(
        "video", "search", "a\nb.png", "--index", "archive", "--device", "cpu"
    )
