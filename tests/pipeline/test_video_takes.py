"""octavo video takes: the takes of scenes in rushes; and the scores of bench/video."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "video"))
import take_scores

needs_ffmpeg = pytest.mark.usefixtures("ffmpeg")

SIZE = "320x240"
PARTS = {
    # Two takes of a street, the second one later, zoomed and brighter; black, and another scene; then a very short shot.
    "rushes1.avi": [
        ("vtest.avi", 20, 5, "null"),
        ("black", 0, 1, ""),
        ("Megamind.avi", 0.2, 2.5, "null"),
        ("vtest.avi", 40, 1, "null"),
    ],
    "rushes2.avi": [("vtest.avi", 21.5, 4, "crop=iw*0.85:ih*0.85,eq=brightness=0.06,noise=alls=6:all_seed=1")],
}


def make(folder, name, parts, photograph):
    inputs, graph = [], []
    for i, (source, begin, seconds, image) in enumerate(parts):
        if source == "black":
            inputs += ["-f", "lavfi", "-t", str(seconds), "-i", f"color=black:s={SIZE}:r=10"]
            image = "null"
        else:
            inputs += ["-ss", str(begin), "-t", str(seconds), "-i", photograph(source)]
        graph.append(f"[{i}:v]{image},fps=10,scale={SIZE.replace('x', ':')},setsar=1,format=yuv420p[p{i}]")
    graph.append("".join(f"[p{i}]" for i in range(len(parts))) + f"concat=n={len(parts)}")
    command = [
        "ffmpeg",
        "-v",
        "error",
        *inputs,
        "-filter_complex",
        ";".join(graph),
        "-c:v",
        "mpeg4",
        "-q:v",
        "4",
        folder / name,
    ]
    subprocess.run(list(map(str, command)), check=True, timeout=60)


@pytest.fixture(scope="session")
def rushes(photograph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rushes")
    for name, parts in PARTS.items():
        make(folder, name, parts, photograph)
    make(folder, "black.avi", [("black", 0, 3, "")], photograph)
    return folder


def near(seconds):
    """ffmpeg begins a part up to two frames of a tenth of a second from the time that it is asked for."""
    return pytest.approx(seconds, abs=0.25)


def spans(scene):
    return [(Path(take["clip"]).name, take["in"], take["out"]) for take in scene["takes"]]


@needs_ffmpeg
def test_scenes_and_takes_are_found(octavo, rushes):
    files = [rushes / name for name in PARTS]
    found = json.loads(octavo("video", "takes", *files, "--json", "-o", "sheet.png", "--device", "cpu"))
    assert found["clips"] == list(map(str, files))
    assert len(found["scenes"]) == 2
    street, other = found["scenes"]
    assert spans(street) == [("rushes1.avi", 0, near(5)), ("rushes2.avi", 0, near(4))]
    assert spans(other) == [("rushes1.avi", near(6), near(8.6))]
    assert [(part["in"], part["out"], part["reason"]) for part in found["left_out_shots"]] == [
        (near(5), near(6), "black"),
        (near(8.6), near(9.6), "short"),
    ]
    take = street["takes"][1 - street["reference_index"]]
    # The camera stands still, so only those who walk tell the time.
    assert abs(take["offset_seconds"]) == pytest.approx(1.5, abs=1)
    assert all(
        one["exact_cuts"] and one["score"] > 0.5 and one["in"] <= one["key_seconds"] < one["out"]
        for one in street["takes"]
    )
    assert other["takes"][0]["score"] == 0 and other["takes"][0]["alignment"] == []
    sheet = Image.open(octavo.folder / "sheet.png")
    assert sheet.mode == "RGB" and sheet.width > 1000 and np.asarray(sheet).std() > 20


@needs_ffmpeg
def test_every_nth_frame_is_compared(octavo, rushes):
    files = [rushes / name for name in PARTS]
    found = [json.loads(octavo("video", "takes", *files, "--json", "--every", every)) for every in ("3", "5")]
    assert found[0] != found[1]
    for one in found:
        assert [len(scene["takes"]) for scene in one["scenes"]] == [2, 1]
        assert 0 < one["min_affinity"] < 0.25
    octavo("video", "affinity", *files, "--every", "3", "--no-segments", "--data", "every.npz")
    with np.load(octavo.folder / "every.npz") as data:
        # 10 frames a second
        assert data["seconds_b"] == pytest.approx(0.3 * np.arange(len(data["seconds_b"])))


@needs_ffmpeg
def test_the_table(octavo, rushes):
    printed = octavo("video", "takes", *(rushes / name for name in PARTS), "--device", "cpu")
    assert printed.endswith("\n2 scenes, 3 takes\n") and printed.count("scene ") == 2 and printed.count(" * ") == 2


@needs_ffmpeg
def test_an_archive_gives_the_same_scenes(octavo, rushes):
    octavo("video", "index", *(rushes / name for name in PARTS), "--index", "archive", "--device", "cpu")
    found = json.loads(octavo("video", "takes", "--index", "archive", "--json"))
    assert [len(scene["takes"]) for scene in found["scenes"]] == [2, 1]
    assert spans(found["scenes"][0])[0] == ("rushes1.avi", 0, near(5))
    rough = json.loads(octavo("video", "takes", "--index", "archive", "--json", "--rough-cuts"))
    assert [len(scene["takes"]) for scene in rough["scenes"]] == [2, 1]
    assert not rough["scenes"][0]["takes"][0]["exact_cuts"]


@needs_ffmpeg
def test_shards_give_the_takes_of_one_archive(octavo, rushes):
    clips = [rushes / name for name in PARTS]
    for archive, shard in (("whole", "1/1"), ("part-1", "1/2"), ("part-2", "2/2")):
        octavo("video", "index", *clips, "--index", archive, "--shard", shard, "--device", "cpu")
    octavo("merge", "merged", "part-1", "part-2")
    whole, merged = (octavo("video", "takes", "--index", name, "--json") for name in ("whole", "merged"))
    assert merged == whole
    assert octavo("video", "takes", "--index", "part-2", "--index", "part-1", "--json") == whole


def test_a_file_of_the_archive_that_is_gone_leaves_the_takes(octavo, rushes):
    for name in PARTS:
        shutil.copy(rushes / name, octavo.folder / name)
    octavo("video", "index", *PARTS, "--index", "archive", "--device", "cpu")
    (octavo.folder / "rushes2.avi").unlink()
    done = octavo.call("video", "takes", "--index", "archive", "--json", "-o", "sheet.png")
    assert done.returncode == 1 and "rushes2.avi' is gone or has changed" in done.stderr
    assert [len(scene["takes"]) for scene in json.loads(done.stdout)["scenes"]] == [2, 1]
    assert np.asarray(Image.open(octavo.folder / "sheet.png")).std() > 20


@needs_ffmpeg
@pytest.mark.parametrize("cuts", [[], ["--rough-cuts"]])
def test_a_damaged_file_of_the_archive_leaves_the_sheet(octavo, rushes, cuts):
    """A file that is damaged behind its stamp lacks its images. One without a take is not missed."""
    names = [*PARTS, "black.avi"]
    for name in names:
        shutil.copy(rushes / name, octavo.folder / name)
    octavo("video", "index", *names, "--index", "archive", "--device", "cpu")
    (octavo.folder / "black.avi").unlink()
    damaged = octavo.folder / "rushes2.avi"
    stamp = damaged.stat()
    damaged.write_bytes(bytes(stamp.st_size))
    os.utime(damaged, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    done = octavo.call("video", "takes", "--index", "archive", "--json", "-o", "sheet.png", *cuts)
    assert done.returncode == 1
    assert done.stderr.count(f"cannot read '{damaged}'") == done.stderr.count("octavo: ") == 1
    assert [len(scene["takes"]) for scene in json.loads(done.stdout)["scenes"]] == [2, 1]
    assert np.asarray(Image.open(octavo.folder / "sheet.png")).std() > 20


@needs_ffmpeg
def test_one_clip_and_junk_alone(octavo, rushes):
    found = json.loads(octavo("video", "takes", rushes / "rushes2.avi", "--json", "--device", "cpu"))
    assert [len(scene["takes"]) for scene in found["scenes"]] == [1]
    printed = octavo("video", "takes", rushes / "black.avi", "-o", "sheet.png", "--device", "cpu")
    assert "black" in printed and printed.endswith("0 scenes, 0 takes\n")
    assert not (octavo.folder / "sheet.png").exists()


@needs_ffmpeg
def test_a_file_that_fails_does_not_stop_the_others(octavo, rushes):
    done = octavo.call("video", "takes", "none.avi", rushes / "rushes2.avi", "--json", "--device", "cpu")
    assert (done.returncode, done.stderr) == (1, "octavo: cannot read 'none.avi': no such file\n")
    assert len(json.loads(done.stdout)["scenes"]) == 1


@needs_ffmpeg
def test_wrong_calls(octavo, rushes):
    clip = rushes / "rushes2.avi"
    for arguments, code in (
        ([], 2),
        (["-"], 2),
        ([clip, "--index", "archive"], 2),
        ([clip, "--min-share", "0"], 2),
        ([clip, "--min-seconds", "-1"], 2),
        ([clip, "--fps", "100"], 2),
        ([clip, "--rough-cuts"], 2),
        ([clip, "-o", "sheet.txt"], 2),
        ([clip, "-o", clip], 2),
        (["none.avi"], 1),
        (["--index", "none", "--measure", "vlad"], 2),
        (["--index", "none", "--every", "5"], 2),
        (["--index", "none"], 1),
        ([clip, "-o", "none/sheet.png"], 1),
    ):
        done = octavo.call("video", "takes", *arguments)
        assert done.returncode == code and done.stderr.startswith("octavo: "), arguments
    assert not list(octavo.folder.iterdir())


def take(scene, begin, end, start=0.0, speed=1.0):
    return {"in": begin, "out": end, "kind": "take", "scene": scene, "start": start, "speed": speed}


TRUTH = {
    "a": [take("x", 0, 4), {"in": 4, "out": 5, "kind": "bars"}, take("y", 5, 9)],
    "b": [take("x", 0, 4, start=2.0)],
}


def scored(found):
    return take_scores.assigned_and_pairs(take_scores.moments(TRUTH, found))


def shot(scene, begin, end):
    return {"in": begin, "out": end, "scene": scene}


def test_scores_of_the_truth_are_perfect():
    scores = scored({"a": [shot(1, 0, 4), shot(2, 5, 9)], "b": [shot(1, 0, 4)]})
    assert (
        scores["assigned"] == scores["precision"] == scores["recall"] == scores["f1"] == 1 and scores["junk_kept"] == 0
    )
    assert scores["take_seconds"] == pytest.approx(12) and scores["junk_seconds"] == pytest.approx(1)


def test_scores_of_scenes_that_are_apart_or_together():
    apart = scored({"a": [shot(1, 0, 4), shot(2, 5, 9)], "b": [shot(3, 0, 4)]})
    assert (apart["assigned"], apart["precision"], apart["recall"], apart["f1"]) == (pytest.approx(8 / 12), 1, 0, 0)
    together = scored({"a": [shot(1, 0, 9)], "b": [shot(1, 0, 4)]})
    # Pairs of seconds that are together: 4·4 of x, 4·4 of x and y twice, and those with the bars: 1·12.
    assert (together["assigned"], together["recall"]) == (pytest.approx(8 / 12), 1)
    assert together["precision"] == pytest.approx(16 / (3 * 16 + 12)) and together["junk_kept"] == 1
    assert scored({})["recall"] == 0


def test_ends_and_alignment():
    assert take_scores.ends_found(TRUTH, {"a": [shot(1, 0, 4.03)], "b": []}, 0.04) == pytest.approx(2 / 6)
    pairs = [("b", 1.0, "a", 3.0), ("b", 1.0, "a", 2.5), ("b", 1.0, "a", 6.0)]
    assert take_scores.alignment_errors(TRUTH, pairs) == pytest.approx([0, 0.5])
    # The scene's second 5.5 is not in the take of a, which ends with the 4th.
    outside = [("b", 3.5, "a", 3.9)]
    assert take_scores.alignment_errors(TRUTH, pairs + outside, shown=True) == pytest.approx([0, 0.5])
    assert take_scores.alignment_errors(TRUTH, outside) == pytest.approx([1.6])


def test_the_assignment_is_the_best_of_all():
    random = np.random.default_rng(5)
    for rows, columns in itertools.product(range(1, 5), range(1, 5)):
        values = random.integers(0, 9, (rows, columns)) * (random.random((rows, columns)) < 0.7)
        table = {(r, c): int(values[r, c]) for r in range(rows) for c in range(columns) if values[r, c] > 0}
        wide = values if rows <= columns else values.T
        best = max(
            sum(wide[r, c] for r, c in enumerate(order))
            for order in itertools.permutations(range(wide.shape[1]), wide.shape[0])
        )
        assert take_scores.best_assignment(table) == best
