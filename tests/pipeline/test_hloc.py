"""hloc's HDF5: features and matches that its importer accepts, and those of other programs.

The readers here restate the rules of hloc's (hloc/utils/io.py, hloc/triangulation.py): keypoints of an image are the data
set NAME/keypoints; matches of a pair stand in the group "A/B", or "B/A" with the columns exchanged, with - for / in
names; -1 in matches0 is no match. COLMAP's origin is half a pixel away.
"""

import json
import resource
import signal
import subprocess

import h5py
import numpy as np
import pytest
from PIL import Image


def names_in(path):
    names = set()
    with h5py.File(path, "r") as file:
        file.visititems(
            lambda _, item: names.add(item.parent.name.strip("/")) if isinstance(item, h5py.Dataset) else None
        )
    return names


def group_of(a, b):
    return "/".join(name.replace("/", "-") for name in (a, b))


def matches_of(path, a, b):
    with h5py.File(path, "r") as file:
        reverse = group_of(a, b) not in file
        pair = file[group_of(b, a) if reverse else group_of(a, b)]
        partners, scores = pair["matches0"][()], pair["matching_scores0"][()]
    assert partners.dtype == np.int32 and scores.dtype == np.float32 and len(partners) == len(scores)
    index = np.flatnonzero(partners != -1)
    matches = np.stack([index, partners[index]], -1)
    return (matches[:, ::-1] if reverse else matches), scores[index]


@pytest.fixture
def photos(octavo, texture):
    (octavo.folder / "photos" / "below").mkdir(parents=True)
    image = texture(220, 180)
    Image.fromarray(image[:150, :200]).save(octavo.folder / "photos" / "a.png")
    Image.fromarray(image[6:170, 8:210]).save(octavo.folder / "photos" / "below" / "b.png")
    return "photos"


def test_features_have_hlocs_layout(octavo, photos):
    octavo("extract", photos, "--recursive", "-o", "features.h5", "--format", "hloc")
    octavo("extract", photos, "--recursive", "-o", "features", "--format", "npz")
    assert names_in(octavo.folder / "features.h5") == {"a.png", "below/b.png"}
    with h5py.File(octavo.folder / "features.h5", "r") as file:
        for name, size in (("a.png", (200, 150)), ("below/b.png", (202, 164))):
            group, npz = file[name], np.load(octavo.folder / "features" / f"{name}.npz")
            assert {key: group[key].dtype for key in group} == {
                **dict.fromkeys(("keypoints", "descriptors", "scores", "scales", "oris"), np.float32),
                "image_size": np.int32,
            }
            assert tuple(group["image_size"][()]) == size
            assert group["keypoints"].attrs["uncertainty"] == 1.0
            assert np.array_equal(group["keypoints"][()], npz["keypoints"][:, :2])
            for key, column in (("scales", 2), ("oris", 3), ("scores", 4)):
                assert np.array_equal(group[key][()], npz["keypoints"][:, column])
            descriptors = group["descriptors"][()]
            assert np.allclose(np.linalg.norm(descriptors, axis=0), 1, atol=1e-5)
            bytes_ = npz["descriptors"].astype(float)
            assert np.allclose(descriptors.T, bytes_ / np.linalg.norm(bytes_, axis=1, keepdims=True), atol=1e-6)


def test_matches_are_those_of_the_images(octavo, photos):
    octavo("extract", photos, "--recursive", "-o", "features.h5", "--format", "hloc")
    octavo("match", "features.h5", "-o", "matches.h5")
    (found,) = json.loads(octavo("match", photos, "--recursive", "--json"))
    wanted = [(match["a"], match["b"]) for match in found["matches"]]
    matches, scores = matches_of(octavo.folder / "matches.h5", "a.png", "below/b.png")
    assert [tuple(row) for row in matches] == wanted and len(wanted) > 30
    cosines = 1 - np.array([match["distance"] for match in found["matches"]]) ** 2 / (2 * 512**2)
    assert np.allclose(scores, (1 + cosines) / 2, atol=1e-6)
    turned, _ = matches_of(octavo.folder / "matches.h5", "below/b.png", "a.png")
    assert [(b, a) for a, b in turned] == wanted
    octavo("match", "features.h5", "-o", "matches.txt")  # the same for COLMAP
    assert (octavo.folder / "matches.txt").read_text().splitlines()[1:-1] == [f"{a} {b}" for a, b in wanted]


def test_a_file_is_extended_and_has_the_same_bytes_again(octavo, photos):
    call = ["extract", "-o", "features.h5", "--format", "hloc"]
    octavo(*call, "photos/a.png")
    first = (octavo.folder / "features.h5").read_bytes()
    (octavo.folder / "features.h5").unlink()
    octavo(*call, "photos/a.png", "--threads", 1)
    assert (octavo.folder / "features.h5").read_bytes() == first
    octavo(*call, photos, "--recursive", "--skip-existing")
    assert names_in(octavo.folder / "features.h5") == {"a.png", "below/b.png"}
    found = json.loads(octavo(*call, photos, "--recursive", "--skip-existing", "--json"))
    assert [image.get("skipped") for image in found] == [True, True]
    found = json.loads(octavo(*call, photos, "--recursive", "--skip-existing", "--json", "--upright"))
    assert [image.get("skipped") for image in found] == [None, None]


def test_features_of_other_programs(octavo, photos):
    """hloc stores halves, without scales and orientations, in the newest version of the format."""
    random = np.random.default_rng(1)
    descriptors = random.random((128, 40))
    descriptors /= np.linalg.norm(descriptors, axis=0)
    with h5py.File(octavo.folder / "other.h5", "w", libver="latest") as file:
        for name in ("x/1.jpg", "x/2.jpg"):
            group = file.create_group(name)
            group["keypoints"] = (100 * random.random((40, 2))).astype(np.float16)
            group["descriptors"] = descriptors.astype(np.float16)
            group["keypoints"].attrs["uncertainty"] = np.float32(1.5)
    octavo("match", "other.h5", "-o", "matches.h5")
    matches, _ = matches_of(octavo.folder / "matches.h5", "x/1.jpg", "x/2.jpg")
    assert [tuple(row) for row in matches] == [(i, i) for i in range(40)]
    assert octavo("pairs", "--features", "other.h5", "-o", "-") == "x/1.jpg x/2.jpg\n"


@pytest.mark.parametrize("part", [0.01, 0.3, 0.7, 0.99])
def test_a_cut_file_is_refused(octavo, photos, part):
    octavo("extract", photos, "--recursive", "-o", "features.h5", "--format", "hloc")
    whole = (octavo.folder / "features.h5").read_bytes()
    (octavo.folder / "features.h5").write_bytes(whole[: int(part * len(whole))])
    assert "features.h5" in octavo.error(1, "match", "features.h5", "-o", "matches.txt")


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["-o", "features"], ".h5"),
        (["-o", "features.h5", "--draw"], "--draw needs a folder"),
        (["-o", "features.h5", "--detector", "foagdd"], "--format hloc holds descriptors"),
        (["-o", "-"], "--format hloc needs a file"),
    ],
)
def test_a_wrong_call_has_a_sentence(octavo, photos, options, sentence):
    assert sentence in octavo.error(2, "extract", "photos/a.png", "--format", "hloc", *options)


def test_an_interrupted_run_keeps_what_is_done(octavo, texture):
    image = Image.fromarray(texture(450, 350)).resize((900, 700))
    for i in range(12):
        image.rotate(90 * i, expand=True).save(octavo.folder / f"{i:02}.png")
    call = [octavo.path, "extract", ".", "-o", "features.h5", "--format", "hloc", "--skip-existing"]
    process = subprocess.Popen(call, cwd=octavo.folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("./00.png")
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == -signal.SIGINT
    done = names_in(octavo.folder / "features.h5")
    assert "00.png" in done and len(done) < 12
    octavo(*call[1:])
    assert len(names_in(octavo.folder / "features.h5")) == 12


def test_images_that_are_lost_with_a_file_are_named(octavo, texture):
    for i in range(8):
        Image.fromarray(texture(220, 180, seed=i)).save(octavo.folder / f"{i}.png")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    call = [octavo.path, "extract", ".", "-o", "features.h5", "--format", "hloc"]
    done = subprocess.run(call, cwd=octavo.folder, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 1
    failed = {line.split(":")[1].strip() for line in done.stderr.splitlines()}
    assert {f"./{i}.png" for i in range(8)} <= failed, done.stderr
    assert not (octavo.folder / "features.h5").exists()
