"""octavo pairs: which images are matched."""

import json

import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational


def pairs_of(text):
    return [tuple(line.split()) for line in text.splitlines()]


@pytest.fixture
def collection(octavo, texture):
    """Two scenes of three overlapping views each, in a folder with another one below it."""
    folder = octavo.folder / "photos"
    (folder / "below").mkdir(parents=True)
    for scene in (1, 2):
        image = texture(260, 200, seed=scene)
        for view in range(3):
            name = f"{scene}-{view}.png" if view < 2 else f"below/{scene}-{view}.png"
            Image.fromarray(image[8 * view : 8 * view + 180, 12 * view : 12 * view + 230]).save(folder / name)
    return folder


NAMES = ["1-0.png", "1-1.png", "2-0.png", "2-1.png", "below/1-2.png", "below/2-2.png"]
SCENES = {
    ("1-0.png", "1-1.png"),
    ("1-0.png", "below/1-2.png"),
    ("1-1.png", "below/1-2.png"),
    ("2-0.png", "2-1.png"),
    ("2-0.png", "below/2-2.png"),
    ("2-1.png", "below/2-2.png"),
}


def test_images_that_look_alike_are_pairs(octavo, collection):
    octavo("pairs", "photos", "--recursive", "--neighbours", 2, "-o", "pairs.txt", "--image", "similar.png")
    pairs = pairs_of((octavo.folder / "pairs.txt").read_text())
    assert set(pairs) == SCENES and pairs == sorted(pairs)
    assert Image.open(octavo.folder / "similar.png").size == (72, 72)


def test_images_of_one_scene_are_augmented_by_each_other(octavo, collection):
    def similarities(*options):
        told = json.loads(octavo("pairs", "photos", "--recursive", "--neighbours", 5, "--json", *options))["pairs"]
        return {(pair["image_a"], pair["image_b"]): pair["cosine"] for pair in told}

    alone, augmented = similarities("--augment", 0), similarities("--augment", 2)
    assert len(alone) == len(augmented) == 15
    assert all(augmented[pair] > alone[pair] for pair in SCENES)
    assert "--augment has no effect" in octavo.error(2, "pairs", "photos", "--by", "sequential", "--augment", 1)


def test_stored_features_threads_and_reference_give_the_same_list(octavo, collection):
    call = [
        "pairs",
        "photos",
        "--recursive",
        "--neighbours",
        1,
        "--size",
        0,
        "--max-features",
        200,
        "--grid",
        4,
        "-o",
        "-",
    ]
    wanted = octavo(*call)
    assert octavo(*call, "--threads", 1) == wanted
    assert octavo(*call, "--device", "reference") == wanted
    octavo("extract", "photos", "--recursive", "-o", "features", "--format", "npz", "--max-features", 200, "--grid", 4)
    assert octavo("pairs", "--features", "features", "--recursive", "--neighbours", 1, "-o", "-") == wanted


def test_json_tells_similarities_and_lonely_images(octavo, collection):
    Image.new("L", (64, 64)).save(collection / "black.png")
    done = octavo.call("pairs", "photos", "--neighbours", 1, "--json")
    assert done.returncode == 0 and done.stderr == "octavo: photos/black.png: the image has no features\n"
    found = json.loads(done.stdout)
    assert (found["by"], found["image_count"], found["unpaired"]) == ("retrieval", 5, ["black.png"])
    assert [(pair["image_a"], pair["image_b"]) for pair in found["pairs"]] == [
        ("1-0.png", "1-1.png"),
        ("2-0.png", "2-1.png"),
    ]
    assert all(0.3 < pair["cosine"] < 1 for pair in found["pairs"])
    assert found["extract_seconds"] > 0 and found["search_seconds"] >= 0
    assert (found["problems"], found["warnings"]) == ([], ["photos/black.png: the image has no features"])


def test_exhaustive_and_sequential(octavo, collection):
    everything = [(a, b) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]]
    call = ["pairs", "photos", "--recursive", "-o", "-"]
    assert pairs_of(octavo(*call, "--by", "exhaustive")) == everything
    sequential = pairs_of(octavo(*call, "--by", "sequential", "--overlap", 2, "--quadratic"))
    assert sequential == [(a, b) for a, b in everything if NAMES.index(b) - NAMES.index(a) in (1, 2)]
    sequential = pairs_of(octavo(*call, "--by", "sequential", "--overlap", 3, "--quadratic"))
    assert sequential == [(a, b) for a, b in everything if NAMES.index(b) - NAMES.index(a) in (1, 2, 3, 4)]


def test_the_next_image_by_name_is_that_of_the_next_number(octavo, texture):
    (octavo.folder / "photos").mkdir()
    for number in (1, 2, 9, 10, 100):
        Image.fromarray(texture(64, 48, seed=number)).save(octavo.folder / "photos" / f"img{number}.png")
    next_ones = [
        ("img1.png", "img2.png"),
        ("img10.png", "img100.png"),
        ("img10.png", "img9.png"),
        ("img2.png", "img9.png"),
    ]
    assert pairs_of(octavo("pairs", "photos", "-o", "-", "--by", "sequential", "--overlap", 1)) == next_ones
    matched = json.loads(octavo("match", "photos", "--json", "--pairs", "sequential:1"))
    assert [(pair["image_a"], pair["image_b"]) for pair in matched] == next_ones


def test_images_that_were_taken_near_each_other(octavo, texture):
    def degrees(value):
        return tuple(IFDRational(part, 10000) for part in (int(value) * 10000, round((value % 1) * 600000), 0))

    for name, latitude in (("a", 47.0), ("b", 47.0002), ("c", 47.01), ("d", None)):
        exif = Image.Exif()
        if latitude is not None:
            exif[0x8825] = {1: "N", 2: degrees(latitude), 3: "E", 4: degrees(11.0)}
        Image.fromarray(texture()).save(octavo.folder / f"{name}.jpg", exif=exif)
    done = octavo.call("pairs", ".", "--by", "gps", "--json")
    assert done.returncode == 0
    assert done.stderr == "octavo: ./d.jpg: the EXIF data do not tell the place (GPS)\n"
    found = json.loads(done.stdout)
    (pair,) = found["pairs"]
    assert (pair["image_a"], pair["image_b"], found["unpaired"]) == ("a.jpg", "b.jpg", ["c.jpg", "d.jpg"])
    assert pair["metres"] == pytest.approx(22.24, abs=0.2)  # 0.0002 degrees of the meridian at 47 degrees
    assert "3 of the 4 images tell their places (GPS), and no two are within 1 metres" in octavo.call(
        "pairs", ".", "--by", "gps", "--metres", 1, "-o", "-"
    ).stderr  # fmt: skip
    nearest = octavo.call("pairs", ".", "--by", "gps", "--metres", 2000, "--neighbours", 1, "-o", "-")
    assert pairs_of(nearest.stdout) == [("a.jpg", "b.jpg"), ("b.jpg", "c.jpg")]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (["photos", "--by", "gps"], "none of the 4 images tells its place (GPS)"),
        (["photos/1-0.png", "--by", "sequential"], "a pair needs two images, and there is 1"),
        (["photos/1-0.png", "--by", "exhaustive"], "a pair needs two images, and there is 1"),
        (["flat"], "fewer than two of the 2 images have features"),
    ],
)
def test_a_list_without_pairs_is_no_list(octavo, collection, call, sentence):
    (octavo.folder / "flat").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("L", (90, 90), 128).save(octavo.folder / "flat" / name)
    before = octavo.folder / "before.txt"
    before.write_text("a.png b.png\n")
    for output in (["-o", "before.txt"], ["-o", "-"], ["--json"]):
        done = octavo.call("pairs", *call, *output)
        assert done.returncode == 1 and f"octavo: there are no pairs: {sentence}\n" in done.stderr
        if output == ["--json"]:
            assert sentence in json.loads(done.stdout)["problems"][-1]
        else:
            assert done.stdout == "" and before.read_text() == "a.png b.png\n"


def test_a_merge_without_pairs_writes_no_list(octavo):
    (octavo.folder / "flat").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("L", (90, 90), 128).save(octavo.folder / "flat" / name)
    octavo.call("pairs", "flat", "-o", "part", "--shard", "1/1")
    assert "there are no pairs" in octavo.error(1, "merge", "pairs.txt", "part")
    assert not (octavo.folder / "pairs.txt").exists()


def test_octavo_match_reads_the_list(octavo, collection):
    octavo("pairs", "photos", "--neighbours", 1, "-o", "pairs.txt")
    found = json.loads(octavo("match", "photos", "--pairs", "pairs.txt", "--json"))
    assert [(pair["image_a"], pair["image_b"]) for pair in found] == [("1-0.png", "1-1.png"), ("2-0.png", "2-1.png")]


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["photos"], "no output given: -o or --json"),
        (["-o", "pairs.txt"], "no images given, and no --features"),
        (["photos", "--features", "photos", "--json"], "exclude each other"),
        (["photos", "--json", "--overlap", 3], "--overlap has no effect without --by sequential"),
        (["photos", "--json", "--by", "gps", "--max-features", 9], "--max-features has no effect"),
        (["photos", "--json", "--by", "exhaustive", "--image", "a.png"], "--image has no effect"),
        (["photos", "-o", "pairs.csv"], ".txt"),
        (["--features", "photos", "--json", "--by", "gps"], "needs the images"),
        (["photos", "-o", "-", "--json"], "--json has no place there"),
    ],
)
def test_a_wrong_call_has_a_sentence(octavo, collection, options, sentence):
    assert sentence in octavo.error(2, "pairs", *options)


def test_an_image_that_fails_and_a_name_with_a_blank(octavo, collection):
    (collection / "broken.png").write_bytes((collection / "1-0.png").read_bytes()[:500])
    assert "broken.png" in octavo.error(1, "pairs", "photos", "--neighbours", 1, "-o", "pairs.txt")
    assert len(pairs_of((octavo.folder / "pairs.txt").read_text())) == 2
    (collection / "broken.png").unlink()
    (collection / "1-0.png").rename(collection / "a b.png")
    done = octavo.call("pairs", "photos", "--by", "exhaustive", "-o", "pairs.txt")
    assert done.returncode == 0 and "have names in quotes, which COLMAP and hloc do not read" in done.stderr
    listed = (octavo.folder / "pairs.txt").read_text()
    assert '"a b.png"' in listed
    # The list is read by each command that takes one.
    octavo("match", "photos", "--pairs", "pairs.txt", "-o", "matches.h5", "--device", "cpu")
    assert octavo.call("colmap", "photos", "--pairs", "pairs.txt", "-d", "a.db", "--device", "cpu").returncode == 0
    done = octavo.call("match", "photos", "--pairs", "pairs.txt", "-o", "m.txt", "--device", "cpu")
    assert (
        done.returncode == 1 and "the name 'a b.png' contains a blank, which COLMAP's lists cannot hold" in done.stderr
    )


def test_a_list_stays_where_no_image_is_found(octavo):
    (octavo.folder / "empty").mkdir()
    (octavo.folder / "kept.txt").write_text("a.png b.png\n")
    assert "there is no such file" in octavo.error(1, "pairs", "missing", "-o", "kept.txt")
    assert "the folder holds no images" in octavo.error(1, "pairs", "empty", "-o", "kept.txt")
    assert (octavo.folder / "kept.txt").read_text() == "a.png b.png\n"
