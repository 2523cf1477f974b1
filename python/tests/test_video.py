"""Videos from Python: what the program tells, as objects."""

import contextlib
import copy
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest

import octavo

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")


@pytest.fixture(scope="module")
def films(photograph, tmp_path_factory):
    """Two clips of some seconds, a part of one of them, and a file that is none."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("lacks ffmpeg, of Debian's package ffmpeg")
    folder = tmp_path_factory.mktemp("films")
    for name, source, begin, seconds in (
        ("long.avi", "vtest.avi", 20, 6), ("part.avi", "vtest.avi", 22, 3), ("other.avi", "Megamind.avi", 0, 4),
    ):  # fmt: skip
        command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", photograph(source), "-an"]
        subprocess.run([*command, "-c:v", "mpeg4", "-q:v", "4", folder / name], check=True, timeout=60)
    (folder / "broken.mp4").write_bytes(b"no clip")
    return folder


def spans(segments):
    return [(one.query_in, one.query_out, one.other_in, one.other_out, one.speed) for one in segments]


def told_spans(segments, names):
    query, other = names
    keys = (f"in_{query}", f"out_{query}", f"in_{other}", f"out_{other}", "speed")
    return [tuple(one[key] for key in keys) for one in segments]


def test_frames(tmp_path, films, octavo_program):
    told = json.loads(octavo_program("video", "frames", films / "long.avi", "--every", 10, "--json"))
    with octavo.video.frames(films / "long.avi", every=10, size=0) as frames:
        taken = list(frames)
        assert (frames.facts.codec, frames.facts.width, frames.facts.height) == ("mpeg4", 768, 576)
        assert frames.seconds == pytest.approx(6, abs=0.11) and frames.warnings == []
    assert [(frame.index, frame.seconds) for frame in taken] == [
        (one["index"], one["seconds"]) for one in told["frames"]
    ]
    assert taken[0].image.shape == (576, 768, 3) and taken[0].image.dtype == np.uint8
    with octavo.video.frames(films / "long.avi") as frames:
        facts = frames.facts
        assert repr(frames) == f"Frames('{films / 'long.avi'}', 768 x 576, mpeg4)"
    assert repr(frames) == f"Frames('{films / 'long.avi'}', closed)"
    assert (facts.codec, facts.width) == ("mpeg4", 768), "facts outlive the video"
    with pytest.raises(octavo.InvalidArgument, match="closed"):
        frames.facts  # noqa: B018
    seen = []
    with octavo.video.frames(films / "long.avi", every=1, size=64) as frames:
        lanes = [threading.Thread(target=lambda: seen.extend(frame.index for frame in frames)) for _ in range(3)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
    assert sorted(seen) == list(range(60)), "threads share the frames"
    grey = next(octavo.video.frames(films / "long.avi", grey=True, size=0))
    octavo.video.export_frames(films / "long.avi", output=tmp_path / "frames", grey=True, size=0)
    assert np.array_equal(grey.image, octavo.read(sorted((tmp_path / "frames").iterdir())[0]))
    with pytest.raises(octavo.FileError, match=r"broken\.mp4"):
        octavo.video.frames(films / "broken.mp4")


@pytest.mark.slow
def test_two_clips(tmp_path, films, octavo_program):
    part, long = films / "part.avi", films / "long.avi"
    told = json.loads(octavo_program("video", "compare", part, long, "--json", "--device", "cpu"))
    found = octavo.video.compare(part, long, image=tmp_path / "best.png", device="cpu")
    assert spans(found.segments) == told_spans(told["segments"], "ab") and len(found.segments) == 1
    assert found.segments[0].other_from_query.shape == (2, 3) and (tmp_path / "best.png").exists()
    assert found.query_seconds == pytest.approx(3, abs=0.11)
    octavo_program(
        "video", "affinity", part, long, "-o", tmp_path / "program.png", "--data", tmp_path / "a.npz", "--device", "cpu"
    )
    affinity = octavo.video.affinity(part, long, device="cpu")
    assert np.array_equal(affinity.draw(), octavo.read(tmp_path / "program.png"))
    assert np.array_equal(copy.copy(affinity).draw(), affinity.draw()) and copy.deepcopy(affinity) == affinity
    with np.load(tmp_path / "a.npz") as data:
        assert np.array_equal(affinity.matrix, data["affinity"]) and np.array_equal(
            affinity.seconds_a, data["seconds_a"]
        )
    with pytest.raises(octavo.UnknownOption, match='compare has no option "fps"'):
        octavo.video.compare(part, long, fps=3)
    with pytest.raises(octavo.InvalidOption, match="fps is 1.0, but has no effect unless every is 0"):
        octavo.video.frames(part, fps=1, every=2)


def test_an_archive(tmp_path, films, octavo_program):
    octavo_program("video", "index", films, "--index", tmp_path / "program", "--device", "cpu", code=1)
    told = []
    done = octavo.video.index(films, tmp_path / "python", device="cpu", progress=lambda *step: told.append(step))
    digest = json.loads(octavo_program("video", "list", "--index", tmp_path / "program", "--json"))["digest"]
    archive = octavo.video.Archive(tmp_path / "python")
    assert done.digest == archive.digest == digest and len(archive) == 3
    assert sorted((clip.file.name, clip.outcome) for clip in done.clips) == [
        ("broken.mp4", "failed"), ("long.avi", "indexed"), ("other.avi", "indexed"), ("part.avi", "indexed"),
    ]  # fmt: skip
    assert len(done.problems) == 1 and "broken.mp4" in done.problems[0]
    assert {one.outcome for one in octavo.video.index(films, tmp_path / "python", device="cpu").clips} == {
        "unchanged", "failed_before",
    }  # fmt: skip

    query = ("--index", tmp_path / "python", "--json", "--device", "cpu")
    told = json.loads(octavo_program("video", "search", films / "part.avi", *query))
    found = octavo.video.search([films / "part.avi", films / "broken.mp4"], tmp_path / "python", device="cpu")
    assert [spans(one.segments) for one in found.queries[0].found] == [
        told_spans(one["segments"], ("query", "clip")) for one in told["found_clips"]
    ]
    assert {one.clip.files[0].name for one in found.queries[0].found} == {"part.avi", "long.avi"}
    assert len(found.queries) == 1 and "broken.mp4" in found.problems[0]

    pairs = octavo.video.duplicates(tmp_path / "python").pairs
    assert {pairs[0].a.files[0].name, pairs[0].b.files[0].name} == {"part.avi", "long.avi"} and len(pairs) == 1
    archive.set_verdict(films / "part.avi", films / "long.avi", "different")
    again = octavo.video.duplicates(tmp_path / "python")
    assert (again.pairs, again.left_out) == ([], 1)
    assert octavo.video.duplicates(tmp_path / "python", all=True).pairs[0].verdict == "different"
    archive.set_verdict(films / "part.avi", films / "long.avi", None)
    files = octavo.video.report(
        tmp_path / "python",
        output=tmp_path / "page.html",
        csv=tmp_path / "table.csv",
        edl=tmp_path / "edl",
        device="cpu",
    ).files
    assert files == [tmp_path / "page.html", tmp_path / "table.csv", tmp_path / "edl"]
    assert "part.avi" in (tmp_path / "table.csv").read_text()
    kinds = {name: tmp_path / f"clips.{name}" for name in ("json", "otio", "fcpxml")}
    octavo.video.report(tmp_path / "python", films / "part.avi", device="cpu", **kinds)
    assert "part.avi" in kinds["json"].read_text() and "<fcpxml" in kinds["fcpxml"].read_text()
    assert json.loads(kinds["otio"].read_text()) and any((tmp_path / "edl").iterdir())
    enough, pages = threading.Event(), []

    def visit(address):
        with urllib.request.urlopen(address) as page:
            pages.append(page.read().decode())
        enough.set()

    reviewed = octavo.video.review(tmp_path / "python", ready=visit, until=enough.is_set, device="cpu")
    assert reviewed.problems == [] and "<html" in pages[0]

    def give_up(address):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        octavo.video.review(tmp_path / "python", ready=give_up, device="cpu")
    with pytest.raises(octavo.InvalidOption, match="port"):
        octavo.video.review(tmp_path / "python", port=-1)
    octavo.video.index(films / "long.avi", tmp_path / "second", device="cpu")
    several = octavo.video.search(
        films / "part.avi",
        [tmp_path / "python", tmp_path / "second"],
        images=tmp_path / "images",
        negative=True,
        device="cpu",
    )
    assert {one.clip.files[0].name for one in several.queries[0].found} == {"part.avi", "long.avi"}
    assert any((tmp_path / "images").glob("part*.png"))
    with pytest.raises(octavo.Error, match="is given twice"):
        octavo.video.duplicates([tmp_path / "python", tmp_path / "python"])
    assert archive.forget(films / "part.avi") and not archive.forget(films / "part.avi") and len(archive) == 2
    with pytest.raises(octavo.FileError, match="is not a clip of the archive"):
        archive.set_verdict(films / "part.avi", films / "long.avi", "same")
    with pytest.raises(octavo.InvalidArgument, match="only a shard has one"):
        octavo.video.search(films / "part.avi", tmp_path / "python", output=tmp_path / "x.json")
    with pytest.raises(octavo.FileError, match="there is no archive"):
        octavo.video.Archive(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "index",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("compare", "search", "duplicates", "takes", "affinity")
        ),
    ],
)
def test_an_interruption(tmp_path, photograph, name):
    """Ctrl-C ends work on a street, whose frames are all alike, within a second or so: it is long in every step."""
    street = photograph("vtest.avi")
    if name in ("search", "duplicates"):
        octavo.video.index([street, photograph("tree.avi")], tmp_path / "archive", device="cpu")
    work = {
        "compare": lambda: octavo.video.compare(street, street, device="cpu"),
        "index": lambda: octavo.video.index(street.parent, tmp_path / "new", device="cpu"),
        "search": lambda: octavo.video.search(street, tmp_path / "archive", device="cpu"),
        "duplicates": lambda: octavo.video.duplicates(tmp_path / "archive", exact_ends=True),
        "takes": lambda: octavo.video.takes([street, photograph("tree.avi")], device="cpu"),
        "affinity": lambda: octavo.video.affinity(street, fps=5, device="cpu"),
    }[name]
    for seconds in (0.3, 1.5, 4):
        slept, ended = [], []

        def press(slept=slept):
            slept.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(seconds, press)
        timer.start()
        with contextlib.suppress(KeyboardInterrupt):
            work()
            ended.append(True)
            timer.cancel()
            timer.join()
            if slept:  # the work was just done
                time.sleep(1)
        if ended:
            return
        assert time.process_time() - slept[0] < 3, "a second of two cores, and what a slow machine takes"


@pytest.mark.slow
def test_takes_and_places(tmp_path, films, octavo_program):
    clips = [films / "part.avi", films / "long.avi", films / "other.avi"]
    told = json.loads(octavo_program("video", "takes", *clips, "--json", "--device", "cpu"))
    found = octavo.video.takes(clips, sheet=tmp_path / "sheet.png", otio=tmp_path / "takes.otio", device="cpu")
    assert [[take.shot.clip for take in scene.takes] for scene in found.scenes] == [
        [clips.index(type(clips[0])(take["clip"])) for take in scene["takes"]] for scene in told["scenes"]
    ]
    assert (
        len(found.scenes) >= 1
        and (tmp_path / "sheet.png").exists()
        and json.loads((tmp_path / "takes.otio").read_text())
    )
    assert {part.reason for part in found.left_out} <= {"short", "black", "flat", "title", "bars"}
    of_archive = octavo.video.index(clips, tmp_path / "archive", device="cpu")
    assert of_archive.problems == []
    for archive in (octavo.video.Archive(tmp_path / "archive"), tmp_path / "archive"):
        assert octavo.video.takes(archive=archive, rough_cuts=True).scenes
    octavo.video.index(clips[:1], tmp_path / "other", device="cpu")
    both = octavo.video.takes(archive=[tmp_path / "archive", tmp_path / "other"], rough_cuts=True)
    assert len(both.files) == 3

    places = octavo.video.places(clips, output=tmp_path / "places.html", device="cpu")
    joined = [{places.files[places.members[i].file].name for i in place.members} for place in places.places]
    assert joined == [{"part.avi", "long.avi"}] and (tmp_path / "places.html").exists()


def test_places_of_an_archive(tmp_path, photograph):
    images = [photograph(name) for name in ("fruits.jpg", "leuvenA.jpg", "leuvenB.jpg")]
    octavo.video.index(images[:2], tmp_path / "archive", device="cpu")
    again = pickle.loads(pickle.dumps(octavo.video.Archive(tmp_path / "archive")))
    assert again.digest == octavo.video.Archive(tmp_path / "archive").digest
    for wrong in (lambda: again.clip(3), lambda: again.forget(None), lambda: again.set_verdict("a", "b", 3)):
        with pytest.raises(octavo.WrongType, match="but must be a (path|string)"):
            wrong()
    for archive in (octavo.video.Archive(tmp_path / "archive"), tmp_path / "archive", [tmp_path / "archive"]):
        found = octavo.video.places(images[1:], archive=archive, device="cpu")
        assert found.files == sorted(images) and [place.members for place in found.places] == [[1, 2]]
    with pytest.raises(octavo.InvalidArgument, match="give one of the two"):
        octavo.video.places()


def test_keypoints_are_drawn(tmp_path, films):
    film = octavo.video.keypoints(films / "part.avi", output=tmp_path / "points.mp4", max_features=100, device="cpu")
    assert film.frames == 30 and film.error == ""
    with octavo.video.frames(tmp_path / "points.mp4", every=1, size=0) as frames:
        assert [frame.image.shape for frame in frames] == [(576, 768, 3)] * 30


def test_a_review_that_is_terminated_leaves_no_files(tmp_path, films):
    octavo.video.index(films / "part.avi", tmp_path / "archive", device="cpu")
    (tmp_path / "own").mkdir()
    code = (
        "import octavo, os, signal, sys\n"
        "octavo.video.review(sys.argv[1], ready=lambda _: os.kill(os.getpid(), signal.SIGTERM), device='cpu')\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path / "own")}
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "archive"], env=environment, timeout=60, check=False)
    assert done.returncode == 128 + signal.SIGTERM and os.listdir(tmp_path / "own") == []
