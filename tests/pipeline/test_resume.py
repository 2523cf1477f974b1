"""Extraction that is interrupted and done again: the same bytes as one run, whatever happens in between."""

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time

import numpy as np
import pytest
from PIL import Image

KILLS = int(os.environ.get("OCTAVO_KILLS", "200"))  # more for a run overnight
SEED = os.environ.get("OCTAVO_KILLS_SEED", "0")  # another one kills at other moments
LONGEST = 120  # seconds; then a slow program has been killed often enough


@pytest.fixture
def photos(octavo, texture):
    """The folder photos/ with six small images."""
    folder = octavo.folder / "photos"
    folder.mkdir()
    for seed in range(6):
        Image.fromarray(texture(64, 56, seed=seed)).save(folder / f"{seed}.png")
    return folder


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def extract(octavo, *arguments, output="out"):
    return octavo("extract", "photos", "--output", output, "--device", "cpu", *arguments)


def done(printed):
    return [line.rpartition(": ")[0] for line in printed.splitlines() if "keypoints" in line]


def test_what_is_up_to_date_is_skipped(octavo, photos):
    first = extract(octavo)
    assert len(done(first)) == 6 and "up to date" not in first
    before = {path: path.stat().st_ino for path in (octavo.folder / "out").iterdir()}
    assert extract(octavo, "--skip-existing") == "6 images are up to date\n"
    for path, number in before.items():
        assert path.name == "octavo-manifest.jsonl" or path.stat().st_ino == number, "nothing was written again"
    assert len(done(extract(octavo))) == 6, "without the option everything is done anew"


def test_what_is_missing_or_changed_is_done(octavo, photos, texture):
    out = octavo.folder / "out"
    extract(octavo)
    whole = contents(out)
    (out / "0.png.txt").unlink()
    damaged = bytearray(whole["1.png.txt"])
    damaged[len(damaged) // 2] ^= 1
    (out / "1.png.txt").write_bytes(damaged)
    (out / "2.png.txt").write_bytes(whole["2.png.txt"][:-10])
    printed = extract(octavo, "--skip-existing")
    assert done(printed) == ["photos/0.png", "photos/1.png", "photos/2.png"]
    assert printed.endswith("3 images are up to date\n")
    assert contents(out) == whole

    Image.fromarray(texture(64, 56, seed=17)).save(photos / "3.png")
    os.utime(photos / "4.png")
    Image.fromarray(texture(64, 56, seed=18)).save(photos / "6.png")
    assert done(extract(octavo, "--skip-existing")) == ["photos/3.png", "photos/6.png"]
    (photos / "5.png").unlink()
    assert done(extract(octavo, "--skip-existing")) == []
    assert (out / "5.png.txt").read_bytes() == whole["5.png.txt"], "results of images that are gone stay"


@pytest.mark.parametrize(
    "options, changed",
    [
        (("--descriptor", "sift"), True),
        (("--max-features", "5"), True),
        (("--detector", "foagdd", "--describe"), True),
        (("--draw",), True),
        (("--mask", "mask.png"), True),
        (("--no-exif-rotation",), True),
        (("--format", "npz"), True),
        (("--threads", "1"), False),
        (("--device", "reference"), False),
        (("--max-features", "8192"), False),
        (("--max-pixels", "100000"), False),
    ],
)
def test_options_that_change_the_bytes_are_noticed(octavo, photos, options, changed):
    mask = np.zeros((56, 64), np.uint8)
    mask[:, :40] = 255
    Image.fromarray(mask).save(octavo.folder / "mask.png")
    extract(octavo)
    assert len(done(extract(octavo, "--skip-existing", *options))) == (6 if changed else 0)
    assert done(extract(octavo, "--skip-existing", *options)) == []
    if "--mask" in options:
        Image.fromarray(255 - mask).save(octavo.folder / "mask.png")
        assert len(done(extract(octavo, "--skip-existing", *options))) == 6


def test_formats_do_not_disturb_each_other(octavo, photos):
    for kind in ("colmap", "npz", "json"):
        extract(octavo, "--format", kind)
    for kind in ("colmap", "npz", "json"):
        assert done(extract(octavo, "--format", kind, "--skip-existing")) == []


def test_json_of_skipped_images(octavo, photos, texture):
    everything = json.loads(extract(octavo, "--json"))
    Image.fromarray(texture(64, 56, seed=17)).save(photos / "2.png")
    entries = json.loads(extract(octavo, "--skip-existing", "--json"))
    assert [entry["image"] for entry in entries] == [f"photos/{i}.png" for i in range(6)]
    for i, entry in enumerate(entries):
        if i == 2:
            assert "skipped" not in entry and len(entry["keypoints"]) > 0
        else:
            expected = {"image": f"photos/{i}.png", "skipped": True, "keypoint_count": len(everything[i]["keypoints"])}
            assert entry == expected
    one = json.loads(octavo("extract", "photos/1.png", "--output", "out", "--skip-existing", "--json"))
    assert one == entries[1]


def test_manifest(octavo, photos):
    extract(octavo, "--draw", "--format", "npz")
    out = octavo.folder / "out"
    lines = [json.loads(line) for line in (out / "octavo-manifest.jsonl").read_text().splitlines()]
    assert lines[0] == {"octavo_manifest": 2}
    settings = {line["settings"]: line["values"] for line in lines if "values" in line}
    assert sorted(values["format"] for values in settings.values()) == ["drawing", "npz"]
    assert all(values["detector"] == "sift" and "contrast_threshold" in values for values in settings.values())
    files = {line["file"]: line for line in lines if "file" in line}
    assert sorted(files) == sorted(path.name for path in out.iterdir() if path.name != "octavo-manifest.jsonl")
    for name, line in files.items():
        assert line["size"] == (out / name).stat().st_size and line["settings"] in settings
        source = photos / name[:5]
        assert line["source"]["file"] == f"../photos/{source.name}"
        assert (line["source"]["size"], line["source"]["modified"]) == (
            source.stat().st_size,
            source.stat().st_mtime_ns,
        )
    for i in range(6):
        assert files[f"{i}.png.npz"]["keypoint_count"] == len(np.load(out / f"{i}.png.npz")["keypoints"])


def test_drawings_are_no_images_of_the_next_run(octavo, photos):
    first = octavo("extract", "photos", "--output", "photos", "--draw")
    before = contents(photos)
    second = octavo("extract", "photos", "--output", "photos", "--draw")
    assert done(second) == done(first) == [f"photos/{i}.png" for i in range(6)]
    assert second.endswith("6 images are results of an earlier run and left out\n")
    assert contents(photos) == before
    names = sorted(str(path.relative_to(octavo.folder)) for path in photos.glob("*.png"))
    assert done(octavo("extract", *names, "--output", "photos", "--draw")) == done(first)
    # An image of the user's own in the place of a drawing is an image again, and is never written over.
    shutil.copy(photos / "1.png", photos / "0.png.keypoints.png")
    assert "this file is read too" in octavo.error(2, "extract", "photos", "--output", "photos", "--draw")
    assert (photos / "0.png.keypoints.png").read_bytes() == (photos / "1.png").read_bytes()


def test_two_runs_at_a_time(octavo, photos):
    extract(octavo, output="expected")
    halves = [["photos/0.png", "photos/1.png", "photos/2.png"], ["photos/3.png", "photos/4.png", "photos/5.png"]]
    for _ in range(5):
        runs = [
            subprocess.Popen([octavo.path, "extract", *half, "-o", "out", "--device", "cpu"], cwd=octavo.folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for half in (*halves, [*halves[1], *halves[0]])
        ]  # fmt: skip
        for run in runs:
            assert run.communicate()[1] == b"" and run.returncode == 0
        assert contents(octavo.folder / "out") == contents(octavo.folder / "expected")
        shutil.rmtree(octavo.folder / "out")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_list_after_an_image(octavo, photos, texture, number):
    large = np.tile(texture(320, 256), (3, 4))
    for i in range(60):
        Image.fromarray(np.roll(large, 7 * i, axis=1)).save(photos / f"large{i:02}.png")
    command = [octavo.path, "extract", "photos", "-o", "out", "--device", "cpu", "--json"]
    with open(octavo.folder / "errors", "w") as errors:
        run = subprocess.Popen(command, cwd=octavo.folder, stdout=subprocess.PIPE, stderr=errors, text=True)
    first = run.stdout.readline()
    run.send_signal(number)
    entries = json.loads(first + run.stdout.read())
    assert run.wait() == -number
    errors = (octavo.folder / "errors").read_text()
    assert 1 <= len(entries) < 66
    assert f"interrupted before image {len(entries) + 1} of 66" in errors and "--skip-existing" in errors
    assert sorted(contents(octavo.folder / "out")) == sorted(
        [f"{os.path.basename(entry['image'])}.txt" for entry in entries] + ["octavo-manifest.jsonl"]
    )


def duration(command, folder):
    begin = time.monotonic()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin


def is_killed(command, folder, number, delay):
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        run.wait(delay)
    except subprocess.TimeoutExpired:
        run.send_signal(number)
    assert run.wait() in (0, -number)
    return run.returncode != 0


@pytest.mark.slow
def test_kills(octavo, photos):
    """The files are whole after every kill, and in the end those of one run that nothing interrupted."""
    # The two kinds of descriptors have files of the same size.
    kinds = [["--descriptor", "sift"], ["--descriptor", "rootsift"]]
    common = ["--format", "npz", "--draw", "--device", "cpu", "--threads", "1"]

    def command(kind, output, *more):
        return [octavo.path, "extract", "photos", "-o", output, *common, *kind, *more]

    expected = []
    for i, kind in enumerate(kinds):
        whole = duration(command(kind, f"expected{i}"), octavo.folder)
        expected.append(contents(octavo.folder / f"expected{i}"))
    start = duration([octavo.path, "--version"], octavo.folder)
    kills, runs, deadline, failures = [0], [0], time.monotonic() + LONGEST, []

    def torture(lane):
        rng = random.Random(f"{SEED} {lane}")
        out = octavo.folder / f"out{lane}"
        while kills[0] < KILLS and time.monotonic() < deadline and not failures:
            last = rng.randrange(2)
            shutil.rmtree(out, ignore_errors=True)
            for _ in range(rng.randrange(1, 12)):
                number = rng.choices([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], [8, 1, 1])[0]
                arguments = command(rng.choice(kinds), out.name, *rng.choice([[], ["--skip-existing"]]))
                kills[0] += is_killed(arguments, octavo.folder, number, rng.uniform(0.8 * start, 1.1 * whole))
                for name, content in contents(out).items() if out.exists() else ():
                    if name == "octavo-manifest.jsonl":
                        assert content.endswith(b"\n") and all(map(json.loads, content.splitlines()))
                    elif not name.startswith("."):
                        assert content in [files[name] for files in expected], f"{name} is not whole"
            subprocess.run(command(kinds[last], out.name, "--skip-existing"), cwd=octavo.folder,
                           stdout=subprocess.DEVNULL, check=True)  # fmt: skip
            assert contents(out) == expected[last]
            runs[0] += 1

    def guarded(lane):
        try:
            torture(lane)
        except BaseException as failure:
            failures.append(failure)

    lanes = [threading.Thread(target=guarded, args=(lane,)) for lane in range(2)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    if failures:
        raise failures[0]
    print(f"{kills[0]} kills, {runs[0]} runs to the end")
    assert kills[0] >= KILLS / 10 and runs[0] > 0


@pytest.mark.slow
def test_kills_of_inspections(octavo, photos):
    """Every image, document and page under its final name is whole after every kill."""
    command = [octavo.path, "inspect", "photos/0.png", "-o", "look", "--device", "cpu", "--threads", "1"]
    whole = duration(command, octavo.folder)
    rng = random.Random(SEED)
    look = octavo.folder / "look"
    kills = 0
    while kills < min(KILLS, 60):
        if rng.randrange(4) == 0:
            shutil.rmtree(look, ignore_errors=True)
        kills += is_killed(command, octavo.folder, signal.SIGKILL, rng.uniform(0.3, 1) * whole)
        for path in look.glob("*") if look.exists() else ():
            if path.name.startswith("."):
                assert path.name.endswith(".part")
            elif path.suffix == ".png":
                with Image.open(path) as image:
                    image.load()
            elif path.suffix == ".json":
                json.loads(path.read_text())
            else:
                assert path.suffix == ".html" and path.read_text().rstrip().endswith("</html>")
    octavo(*command[1:])
    assert not list(look.glob(".*")), "the next run clears what a killed one left"
