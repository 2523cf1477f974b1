"""Figure 5 of Fassold and Rosner (2015): two rows of key frames, the same scenes in two clips of rushes.

The figure has no numbers. What it shows is tested as structure on a rendered pair, every fifth frame as in the paper: two
scenes, shot again in the other order, by a camera that begins elsewhere and is nearer, with noise. The affinity matrix has a
diagonal where the scenes agree and nothing where they do not; the takes are two rows of two, whose times agree."""

import json
import subprocess

import numpy as np
import pytest
from PIL import Image

pytestmark = pytest.mark.usefixtures("ffmpeg")

RATE, SECONDS, LATER = 10, 5, 1.0  # frames a second, of a scene, by which the second take begins later
PAN = {"building.jpg": (60, 40), "aloeL.jpg": (70, 50)}  # pixels a second that the window moves over the photograph


def render(folder, name, scenes, begin, zoom, noise, photograph):
    """A clip of windows that move over photographs, one after the other."""
    inputs, graph = [], []
    hold = f"loop=-1:1,trim=duration={SECONDS}"  # each photograph is decoded once
    for i, scene in enumerate(scenes):
        x, y = PAN[scene]
        inputs += ["-framerate", RATE, "-i", photograph(scene)]
        window = f"crop={round(320 / zoom)}:{round(240 / zoom)}:20+{x}*(t+{begin}):20+{y}*(t+{begin})"
        graph.append(f"[{i}:v]scale=-2:700,{hold},{window},scale=320:240,{noise},setsar=1,format=yuv420p[p{i}]")
    graph.append("".join(f"[p{i}]" for i in range(len(scenes))) + f"concat=n={len(scenes)}")
    command = ["ffmpeg", "-v", "error", *inputs, "-filter_complex", ";".join(graph), "-c:v", "mpeg4", "-q:v", 3]
    subprocess.run([*map(str, command), folder / name], check=True, timeout=120)


@pytest.fixture(scope="module")
def rushes(photograph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figure-5")
    scenes = list(PAN)
    render(folder, "first.avi", scenes, 0, 1, "null", photograph)
    render(folder, "second.avi", scenes[::-1], LATER, 1.15, "noise=alls=5:all_seed=1", photograph)
    return folder / "first.avi", folder / "second.avi"


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["matches", "vlad"])
def test_the_affinities_are_two_diagonals(octavo, rushes, measure):
    octavo("video", "affinity", *rushes, "--every", 5, "--measure", measure, "--data", "a.npz", "-o", "a.png")
    with np.load(octavo.folder / "a.npz") as data:
        affinity, first, second = (data[name] for name in ("affinity", "seconds_a", "seconds_b"))
    half = SECONDS * RATE // 5
    assert affinity.shape == (2 * half, 2 * half)
    blocks = affinity.reshape(2, half, 2, half).transpose(0, 2, 1, 3)
    same = np.concatenate([blocks[0, 1], blocks[1, 0]])  # the second clip has the scenes in the other order
    others = np.concatenate([blocks[0, 0], blocks[1, 1]])
    assert same.max(axis=1).mean() > 4 * others.max(axis=1).mean(), "blocks: a scene is like itself"
    for begin_a, begin_b in ((0, half), (half, 0)):
        shared = range(round(LATER * RATE / 5), half)  # the frames of the first take that the second one shows too
        best = [affinity[begin_a + i, begin_b : begin_b + half].argmax() for i in shared]
        at_a, at_b = (
            first[begin_a + np.array(shared)] - first[begin_a],
            second[begin_b + np.array(best)] - second[begin_b],
        )
        assert np.abs(at_a - at_b - LATER).mean() <= 0.5, "a diagonal, at the offset of the takes"
        assert np.corrcoef(shared, best)[0, 1] > 0.9 and len(set(best)) >= len(best) - 2, (
            "which goes on, frame by frame"
        )
    assert Image.open(octavo.folder / "a.png").mode == "RGB"


def test_the_takes_are_two_rows_of_two(octavo, rushes):
    found = json.loads(octavo("video", "takes", *rushes, "--every", 5, "--json", "-o", "sheet.png"))
    assert len(found["scenes"]) == 2 and found["left_out_shots"] == []
    of_scene = [[take["clip"].rsplit("/", 1)[-1] for take in scene["takes"]] for scene in found["scenes"]]
    assert sorted(map(sorted, of_scene)) == [["first.avi", "second.avi"]] * 2
    begins = {"first.avi": [], "second.avi": []}
    for scene in found["scenes"]:
        for i, take in enumerate(scene["takes"]):
            begins[take["clip"].rsplit("/", 1)[-1]].append(take["in"])
            if i == scene["reference_index"]:
                continue
            assert take["score"] > 0.3 and take["alignment"]
            assert abs(take["offset_seconds"]) == pytest.approx(LATER, abs=0.5)
    assert [np.argsort(order).tolist() for order in begins.values()] in ([[0, 1], [1, 0]], [[1, 0], [0, 1]])
    assert np.asarray(Image.open(octavo.folder / "sheet.png")).std() > 20
