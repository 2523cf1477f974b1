"""octavo evaluate: its numbers are those of evaluate_in_numpy.py, and what is broken is named."""

import json
import re
import shutil
import sys

import cv2
import numpy as np
import pytest

import evaluate_in_numpy

SETTINGS = {
    "sift": (["--max-features", 300], 0.8, True),
    "root": (["--max-features", 400, "--descriptor", "rootsift"], 0.9, False),
}
WORDS = [
    *("--setting", "sift: --max-features 300"),
    *("--setting", "root: --max-features 400 --descriptor rootsift --ratio 0.9 --no-mutual"),
]


def about_centre(matrix, width, height):
    shift = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return shift @ np.array(matrix, float) @ np.linalg.inv(shift)


def turned(degrees, scale):
    c, s = scale * np.cos(np.radians(degrees)), scale * np.sin(np.radians(degrees))
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def write(path, picture):
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), picture)


def write_matrix(path, matrix):
    path.write_text("\n".join(" ".join(repr(float(x)) for x in row) for row in matrix) + "\n")


@pytest.fixture
def data(octavo, photograph):
    """A data set with a sequence of each layout; gives its truths by the names of the images B."""
    root, truths = octavo.folder / "data", {}
    box = cv2.resize(cv2.imread(str(photograph("box_in_scene.png"))), (320, 240), interpolation=cv2.INTER_AREA)
    home = cv2.resize(cv2.imread(str(photograph("home.jpg"))), (300, 220), interpolation=cv2.INTER_AREA)

    views = {2: turned(20, 1), 3: turned(-70, 0.8), 4: [[1, 0.3, 4], [0, 0.9, -6], [4e-4, -3e-4, 1]]}
    write(root / "v_box" / "1.png", box)
    for number, matrix in views.items():
        truth = about_centre(matrix, 320, 240)
        write(root / "v_box" / f"{number}.png", cv2.warpPerspective(box, truth, (310, 250), flags=cv2.INTER_AREA))
        write_matrix(root / "v_box" / f"H_1_{number}", truth)
        truths[f"v_box/{number}.png"] = truth

    write(root / "i_home" / "1.ppm", home)
    write(root / "i_home" / "2.ppm", cv2.convertScaleAbs(home, alpha=0.5, beta=10))
    write(root / "i_home" / "3.ppm", np.zeros_like(home))  # no keypoint, no match, no homography
    for number in (2, 3):
        write_matrix(root / "i_home" / f"H_1_{number}", np.eye(3))
        truths[f"i_home/{number}.ppm"] = np.eye(3)

    truth = about_centre(turned(5, 1.1), 300, 220)
    write(root / "oxford" / "home" / "img1.jpg", home)
    write(root / "oxford" / "home" / "img2.jpg", cv2.warpPerspective(home, truth, (300, 220)))
    write_matrix(root / "oxford" / "home" / "H1to2p", truth)
    truths["oxford/home/img2.jpg"] = truth

    write(root / "points" / "a.png", home)
    write(root / "points" / "b.png", cv2.warpPerspective(home, truth, (300, 220)))
    known = np.random.default_rng(1).uniform((20, 20), (280, 200), (600, 2))
    known = np.c_[known, evaluate_in_numpy.project(truth, known)]
    known = known[((known[:, 2:] > 0) & (known[:, 2:] < (299, 219))).all(axis=1)]
    (root / "points" / "correspondences.csv").write_text(
        "# x_a, y_a, x_b, y_b\n" + "\n".join(",".join(repr(float(x)) for x in row) for row in known)
    )
    truths["points/b.png"] = known
    return truths


def first_of(image):
    return {"v_box": "1.png", "i_home": "1.ppm", "home": "img1.jpg", "points": "a.png"}[image.split("/")[-2]]


def expected_pairs(octavo, settings, truths):
    """NumPy's numbers of every pair and setting, from Octavo's features."""
    told = {}
    for setting in settings:
        options, ratio, mutual = SETTINGS[setting["name"]]
        folder = octavo.folder / f"features_{setting['name']}"
        octavo("extract", "data", "--recursive", "--output", folder, "--format", "npz", *options)
        told[setting["name"]] = []
        for pair in setting["pairs"]:
            names = f"{pair['image'].rpartition('/')[0]}/{first_of(pair['image'])}", pair["image"]
            a, b = (dict(np.load(folder / f"{name}.npz")) for name in names)
            sizes = [cv2.imread(str(octavo.folder / "data" / name)).shape[1::-1] for name in names]
            if len(b["keypoints"]) == 0:
                continue  # NumPy has no minimum of nothing; test_nothing_in_common looks at these
            scores = evaluate_in_numpy.pair_scores(
                a, b, truths[pair["image"]], *sizes, ratio, mutual, pair.get("homography_b_from_a")
            )
            told[setting["name"]].append({"sequence": pair["sequence"], "image": pair["image"], **scores})
    return told


def assert_same(found, wanted, relative):
    """Equal, whole numbers exactly, others to so small a part."""
    assert found.keys() == wanted.keys()
    for key, value in wanted.items():
        if value is None or found[key] is None:
            assert found[key] is value, key
        else:
            np.testing.assert_allclose(found[key], value, rtol=relative, atol=0, err_msg=key)


def test_numbers_are_those_of_numpy(octavo, data):
    told = json.loads(octavo.call("evaluate", "data", "--json", *WORDS).stdout)
    assert list(told) == ["root", "thresholds", "settings", "problems"]
    assert (told["root"], told["thresholds"], told["problems"]) == ("data", list(range(1, 11)), [])
    assert [setting["name"] for setting in told["settings"]] == list(SETTINGS)
    expected = expected_pairs(octavo, told["settings"], data)
    for setting in told["settings"]:
        pairs = setting["pairs"]
        assert [pair["image"] for pair in pairs] == sorted(data, key=lambda name: (name.rpartition("/")[0], name))
        compared = [pair for pair in pairs if pair["image"] != "i_home/3.ppm"]
        for pair, wanted in zip(compared, expected[setting["name"]], strict=True):
            # Shares are quotients of the same whole numbers, hence the same; the corners' error is a sum of square
            # roots, to the last bits.
            if wanted.get("corner_error") is not None:
                wanted["corner_error"] = pytest.approx(wanted["corner_error"], rel=1e-9, abs=1e-9)
            assert pair == wanted
        good = [pair for pair in compared if pair["image"] in ("v_box/2.png", "oxford/home/img2.jpg")]
        assert all(pair["correct"][2] > 50 and pair["corner_error"] < 3 for pair in good)

        # Means: sums in another order differ in the last bits.
        folders = {"all": "", "illumination": "i_", "viewpoint": "v_"}
        assert list(setting["summary"]) == list(folders)
        for half, prefix in folders.items():
            of_half = [pair for pair in pairs if pair["sequence"].startswith(prefix)]
            assert_same(setting["summary"][half], evaluate_in_numpy.summary(of_half), 1e-12)
        for sequence in setting["sequences"]:
            name = sequence.pop("name")
            of_sequence = [pair for pair in pairs if pair["sequence"] == name]
            assert_same(sequence, evaluate_in_numpy.summary(of_sequence), 1e-12)


def test_nothing_in_common(octavo, data):
    told = json.loads(octavo.call("evaluate", "data/i_home", "--json", *WORDS).stdout)
    pair = told["settings"][0]["pairs"][1]
    assert pair["image"] == "3.ppm" and pair["keypoints_a"] > 50
    assert (pair["keypoints_b"], pair["matches"], pair["homography_b_from_a"], pair["corner_error"]) == (0, 0, None, None)
    assert pair["mma"] == pair["precision"] == [0] * 10 and pair["matching_score"] == pair["one_to_one"] == 0


def test_device_and_threads_do_not_matter(octavo, data):
    first = octavo.call("evaluate", "data", "--json", "--max-features", 100).stdout
    for options in (["--threads", 1], ["--device", "reference"]):
        assert octavo.call("evaluate", "data", "--json", "--max-features", 100, *options).stdout == first


def test_imported_features_are_octavos_own(octavo, data):
    """Octavo's features, written to files and read again, give the same numbers; a budget keeps the strongest."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    done = octavo.call("evaluate", "data", "--json", "--max-features", 150, "--features", "files=all")
    own, files = json.loads(done.stdout)["settings"]
    assert (own["name"], files["name"], files["features"]) == ("octavo", "files", "all")
    assert own["pairs"] == files["pairs"] and own["summary"] == files["summary"]
    # Both have too few keypoints in the black picture.
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and "files: 1 of " in lines[1] and "the fewest are 0 in i_home/3.ppm" in lines[1]


def test_features_as_others_write_them(octavo, data):
    """Packed, as floats, without response and octaves, columns first."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    for file in (octavo.folder / "all").rglob("*.npz"):
        found = np.load(file)
        keypoints, descriptors = found["keypoints"][:, :2].astype(float), np.asfortranarray(found["descriptors"].astype(np.float32))
        np.savez_compressed(file, keypoints=keypoints, descriptors=descriptors)
    own, files = json.loads(octavo("evaluate", "data", "--json", "--features", "files=all"))["settings"]
    assert own["pairs"] == files["pairs"]


def test_tables(octavo, data):
    told = octavo("evaluate", "data", "--per-sequence")
    wanted = json.loads(octavo("evaluate", "data", "--json"))["settings"][0]["summary"]["all"]
    row = re.search(r"All pairs \(7\)\. Keypoints.*\n.*\noctavo +(.*)\n", told)[1].split()
    assert row[:2] == ["7", f"{wanted['keypoints']:.0f}"] and row[2] == f"{100 * wanted['repeatability'][2]:.1f}"
    assert row[-2:] == [f"{100 * wanted['precision'][2]:.1f}", f"{100 * wanted['matching_score']:.1f}"]
    for title in ("illumination (2). Mean matching accuracy", "viewpoint (3). Homographies", "oxford/home (1)", "points (1)"):
        assert title in told
    assert max(map(len, told.splitlines())) <= 100


def test_page(octavo, data):
    setting = ["--setting", "plain:", "--setting", "root <1>: --descriptor rootsift"]
    octavo("evaluate", "data", *setting, "-o", "report.html", "--python", sys.executable)
    page = (octavo.folder / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.count("<svg") == 3 * 3 + 2
    for word in ("root &lt;1&gt;", "v_box", "Mean matching accuracy", "AUC@10", "Options of the settings"):
        assert word in page
    assert not re.search(r"<(script|link|img)\b", page)
    assert octavo.call("evaluate", "data", "-o", "none/report.html").returncode == 1


def test_page_without_matplotlib(octavo, data):
    done = octavo.call("evaluate", "data/v_box", "-o", "report.html", "--python", "no-such-python")
    assert done.returncode == 0 and re.fullmatch(r"octavo: warning: the page has no plots: .*no-such-python.*\n", done.stderr)
    assert "There are no plots" in (octavo.folder / "report.html").read_text()


def test_what_is_broken_is_named_and_the_rest_evaluated(octavo, data):
    whole = json.loads(octavo("evaluate", "data", "--json"))["settings"][0]["pairs"]
    root = octavo.folder / "data"
    (root / "v_box" / "H_1_2").unlink()
    (root / "v_box" / "3.png").write_bytes((root / "v_box" / "3.png").read_bytes()[:1000])
    (root / "v_box" / "H_1_5").write_text("1 0 0 0 1 0 0 0 1")
    (root / "v_box" / "H_1_4").write_text("1 0 0 0 1 0 0 zero 1")
    write(root / "i_home" / "2.ppm", np.full((50, 60, 3), 99, np.uint8))
    (root / "points" / "a.png").write_text("no picture")
    done = octavo.call("evaluate", "data", "--json")
    assert done.returncode == 1
    problems = done.stderr.splitlines()
    for file, words in {
        "v_box/2.png": "H_1_2 is missing",
        "v_box/3.png": "truncated|damaged",
        "v_box/H_1_5": "image 5 is missing",
        "v_box/H_1_4": "'zero' is not a number",
        "i_home/2.ppm": "sizes disagree: 300 × 220 and 60 × 50 pixels",
        "points/a.png": "is not a JPEG",
    }.items():
        line = [problem for problem in problems if file in problem]
        assert len(line) == 1 and line[0].startswith("octavo: ") and re.search(words, line[0]), (file, problems)
    assert len(problems) == 6
    told = json.loads(done.stdout)
    assert ["octavo: " + problem for problem in told["problems"]] == problems
    assert told["settings"][0]["pairs"] == [p for p in whole if p["image"] in ("i_home/3.ppm", "oxford/home/img2.jpg")]


def test_broken_features_are_named(octavo, data):
    """A pair that one setting cannot do counts for none."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    (octavo.folder / "all" / "v_box" / "2.png.npz").unlink()
    file = octavo.folder / "all" / "v_box" / "3.png.npz"
    file.write_bytes(file.read_bytes()[:-20])
    shutil.copy(octavo.folder / "all" / "v_box" / "1.png.npz", octavo.folder / "all" / "oxford" / "home" / "img2.jpg.npz")
    np.savez(octavo.folder / "all" / "points" / "b.png.npz", keypoints=np.zeros((3, 2)), descriptors=np.zeros((2, 128)))
    done = octavo.call("evaluate", "data", "--json", "--features", "files=all")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 4
    for words in (
        r"oxford/home/img2\.jpg\.npz': the sizes disagree: keypoint \d+ lies at",
        r"all/points/b\.png\.npz': descriptors has the shape \(2, 128\), but must have \(3, 128\)",
        r"all/v_box/2\.png\.npz': no such file",
        r"all/v_box/3\.png\.npz': the archive is truncated",
    ):
        assert any(re.search(words, line) for line in lines), (words, lines)
    for setting in json.loads(done.stdout)["settings"]:
        assert [pair["image"] for pair in setting["pairs"]] == ["i_home/2.ppm", "i_home/3.ppm", "v_box/4.png"]


@pytest.mark.parametrize(
    "exit_code, arguments, words",
    [
        (2, [], "ROOT is required"),
        (1, ["none"], "none"),
        (1, ["empty"], "there is no sequence in it"),
        (2, ["empty", "--setting", "no colon"], "'no colon' is not of the form 'NAME: OPTIONS'"),
        (2, ["empty", "--setting", "a: --layers nine"], "--setting: a: --layers: 'nine' is not a whole number"),
        (2, ["empty", "--setting", "a: --layers 9"], "--setting: a: --layers is 9, but must be between 1 and 8"),
        (2, ["empty", "--setting", "a: --detector fast"], "--setting: a: "),
        (2, ["empty", "--setting", "a:", "--setting", "a: --upright"], "two settings 'a'"),
        (2, ["empty", "--features", "x"], "'x' is not of the form 'NAME=DIR'"),
        (2, ["empty", "--features", "x=none"], "--features: x: there is no folder 'none'"),
        (2, ["empty", "--ratio", "2"], "--ratio is 2"),
        (2, ["robustness"], "IMAGE is required"),
        (2, ["robustness", "a.png", "--kinds", "fog"], "fog"),
        (1, ["robustness", "none.png"], "none.png"),
    ],
)
def test_bad_calls(octavo, exit_code, arguments, words):
    (octavo.folder / "empty").mkdir()
    assert words in octavo.call("evaluate", *arguments).stderr.splitlines()[0]
    assert octavo.call("evaluate", *arguments).returncode == exit_code


@pytest.fixture
def photo(octavo, photograph):
    picture = cv2.imread(str(photograph("box_in_scene.png")), cv2.IMREAD_GRAYSCALE)
    write(octavo.folder / "box.png", cv2.resize(picture, (256, 192), interpolation=cv2.INTER_AREA))
    return "box.png"


def test_robustness(octavo, photo):
    told = json.loads(octavo("evaluate", "robustness", photo, "--json"))
    assert list(told) == ["images", "thresholds", "settings", "problems"]
    curves = {curve["kind"]: curve["points"] for curve in told["settings"][0]["curves"]}
    assert list(curves) == ["rotation", "scale", "shear", "perspective", "noise", "blur", "contrast", "jpeg"]
    precision = {kind: [point["precision"][2] for point in points] for kind, points in curves.items()}
    correct = {kind: [point["correct"][2] for point in points] for kind, points in curves.items()}
    assert min(precision["rotation"]) > 0.9 and precision["jpeg"][-1] > 0.95 and precision["noise"][0] > 0.95
    for kind in ("shear", "perspective", "noise", "blur"):  # the stronger, the fewer
        assert correct[kind][0] > 1.5 * correct[kind][-1] > 0, kind
    assert correct["contrast"][0] < correct["contrast"][3] < correct["contrast"][4]
    assert correct["jpeg"][0] < correct["jpeg"][-1]
    for pair in told["settings"][0]["pairs"]:
        if pair["kind"] == "rotation":
            assert pair["corner_error"] < 1  # the truth is right to less than a pixel


def test_what_robustness_saves_evaluates_to_the_same_numbers(octavo, photo):
    """And again with the same seed; other noise with another."""
    options = ["--json", "--max-features", 200, "--kinds", "perspective,noise,scale"]
    made = json.loads(octavo.call("evaluate", "robustness", photo, "--save", "made", *options).stdout)
    again = json.loads(octavo.call("evaluate", "robustness", photo, *options).stdout)
    other = json.loads(octavo.call("evaluate", "robustness", photo, *options, "--noise-seed", 1).stdout)
    assert again == made
    read = json.loads(octavo.call("evaluate", "made", "--json", "--max-features", 200).stdout)

    def numbers(document, *left_out):
        pairs = document["settings"][0]["pairs"]
        return {p["image"]: {key: value for key, value in p.items() if key not in left_out} for p in pairs}

    extra = ("sequence", "photograph", "kind", "strength")
    assert numbers(read, *extra) == numbers(made, *extra)
    differing = {name.split("/")[0] for name, pair in numbers(made).items() if pair != numbers(other)[name]}
    assert differing == {"i_box_noise"}


def test_robustness_in_tables_and_on_a_page(octavo, photo, texture):
    write(octavo.folder / "texture.png", texture(64, 48))
    done = octavo.call("evaluate", "robustness", photo, "texture.png", "--kinds", "scale,jpeg", "--setting", "one:",
                       "--setting", "two: --upright", "-o", "page.html")  # fmt: skip
    # A quarter of the texture would be 16 × 12 pixels.
    assert done.returncode == 1
    assert re.search(r"octavo: v_texture_scale/2\.png: .*too small", done.stderr)
    assert "scale (factor)\nscale  MMA one  MMA two  precision one" in done.stdout
    assert "jpeg (quality)" in done.stdout
    page = (octavo.folder / "page.html").read_text()
    assert "Robustness" in page and "too small" in page
