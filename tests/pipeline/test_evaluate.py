"""octavo evaluate: its numbers are those of evaluate_in_numpy.py."""

import json
import re

import cv2
import numpy as np
import pytest

import evaluate_in_numpy
from evaluate_data import CIRCUMSTANCES, write

SETTINGS = {
    "sift": (["--max-features", 300], 0.8, True),
    "root": (["--max-features", 400, "--descriptor", "rootsift", "--affine"], 0.9, False),
}
WORDS = [
    *("--configuration", "sift: --max-features 300"),
    *("--configuration", "root: --max-features 400 --descriptor rootsift --affine --ratio 0.9 --no-mutual"),
]


def first_of(image):
    return {"v_box": "1.png", "i_home": "1.ppm", "home": "img1.jpg", "points": "a.png"}[image.split("/")[-2]]


def expected_pairs(octavo, configurations, truths):
    """NumPy's numbers of every pair and configuration, from Octavo's features."""
    output = {}
    for configuration in configurations:
        options, ratio, mutual = SETTINGS[configuration["name"]]
        folder = octavo.folder / f"features_{configuration['name']}"
        octavo("extract", "data", "--recursive", "--output", folder, "--format", "npz", *options)
        output[configuration["name"]] = []
        for pair in configuration["pairs"]:
            names = f"{pair['image_b'].rpartition('/')[0]}/{first_of(pair['image_b'])}", pair["image_b"]
            a, b = (dict(np.load(folder / f"{name}.npz")) for name in names)
            sizes = [cv2.imread(str(octavo.folder / "data" / name)).shape[1::-1] for name in names]
            if len(b["keypoints"]) == 0:
                continue  # NumPy has no minimum of an empty array; test_nothing_in_common tests these pairs
            scores = evaluate_in_numpy.pair_scores(
                a, b, truths[pair["image_b"]], *sizes, ratio, mutual, pair.get("homography")
            )
            images = dict(zip(("image_a", "image_b"), names))
            output[configuration["name"]].append({"sequence": pair["sequence"], **images, **scores})
    return output


def assert_same(found, wanted, relative):
    """Expects equal keys, and numbers that agree to the relative error `relative`."""
    assert found.keys() == wanted.keys()
    for key, value in wanted.items():
        if value is None or found[key] is None:
            assert found[key] is value, key
        else:
            np.testing.assert_allclose(found[key], value, rtol=relative, atol=0, err_msg=key)


def test_numbers_are_those_of_numpy(octavo, data):
    output = json.loads(octavo.call("evaluate", "data", "--json", *WORDS).stdout)
    assert list(output) == [
        "root",
        *CIRCUMSTANCES,
        "thresholds",
        "overlap_errors",
        "configurations",
        "problems",
        "warnings",
    ]
    assert (output["root"], output["thresholds"], output["problems"]) == ("data", list(range(1, 11)), [])
    assert [configuration["name"] for configuration in output["configurations"]] == list(SETTINGS)
    expected = expected_pairs(octavo, output["configurations"], data)
    for configuration in output["configurations"]:
        pairs = configuration["pairs"]
        assert [pair["image_b"] for pair in pairs] == sorted(data, key=lambda name: (name.rpartition("/")[0], name))
        compared = [pair for pair in pairs if pair["image_b"] != "i_home/3.ppm"]
        for pair, wanted in zip(compared, expected[configuration["name"]], strict=True):
            # Shares are quotients of the same whole numbers, so they are equal. The corners' error is a sum of square
            # roots, whose last bits may differ.
            if wanted.get("corner_error") is not None:
                wanted["corner_error"] = pytest.approx(wanted["corner_error"], rel=1e-9, abs=1e-9)
            assert pair == wanted
        good = [pair for pair in compared if pair["image_b"] in ("v_box/2.png", "oxford/home/img2.jpg")]
        assert all(pair["correct_counts"][2] > 50 and pair["corner_error"] < 3 for pair in good)

        # The last bits of means may differ, since the sums have another order.
        folders = {"all": "", "illumination": "i_", "viewpoint": "v_"}
        assert list(configuration["summary"]) == list(folders)
        for half, prefix in folders.items():
            of_half = [pair for pair in pairs if pair["sequence"].startswith(prefix)]
            assert_same(configuration["summary"][half], evaluate_in_numpy.summary(of_half), 1e-12)
        for sequence in configuration["sequences"]:
            name = sequence.pop("name")
            of_sequence = [pair for pair in pairs if pair["sequence"] == name]
            assert_same(sequence, evaluate_in_numpy.summary(of_sequence), 1e-12)


@pytest.mark.slow
def test_covisible_features_are_those_of_masks(octavo, data):
    """Masks of the region that both images show, computed by NumPy and given to `octavo extract`, give the same numbers."""
    output = json.loads(octavo.call("evaluate", "data", "--json", "--covisible-only", *WORDS).stdout)
    plain = json.loads(octavo.call("evaluate", "data", "--json", *WORDS).stdout)
    assert output["covisible_only"] and not plain["covisible_only"]
    for configuration, unmasked in zip(output["configurations"], plain["configurations"], strict=True):
        options, ratio, mutual = SETTINGS[configuration["name"]]
        pairs, others = ({pair["image_b"]: pair for pair in one["pairs"]} for one in (configuration, unmasked))
        for image in ("v_box/3.png", "v_box/4.png", "oxford/home/img2.jpg"):
            truth, names = data[image], (f"{image.rpartition('/')[0]}/{first_of(image)}", image)
            sizes = [cv2.imread(str(octavo.folder / "data" / name)).shape[1::-1] for name in names]
            features = []
            for name, matrix, one, other in zip(names, (truth, np.linalg.inv(truth)), sizes, sizes[::-1]):
                write(octavo.folder / "mask.png", evaluate_in_numpy.covisible(matrix, one, other) * np.uint8(255))
                octavo("extract", f"data/{name}", "--mask", "mask.png", "-o", "masked", "--format", "npz", *options)
                features.append(dict(np.load(octavo.folder / "masked" / f"{name.rpartition('/')[2]}.npz")))
            found = pairs[image]
            wanted = evaluate_in_numpy.pair_scores(*features, truth, *sizes, ratio, mutual, found["homography"])
            wanted["corner_error"] = pytest.approx(wanted["corner_error"], rel=1e-9, abs=1e-9)
            assert found == {"sequence": found["sequence"], "image_a": found["image_a"], "image_b": image, **wanted}
            if image == "v_box/3.png":
                assert (
                    found["common_count_a"] > others[image]["common_count_a"]
                )  # the budget is spent on the common region
            assert (
                found["common_count_a"] >= 0.98 * found["keypoint_count_a"]
            )  # all except those between pixels at the border of the region
        for image in ("i_home/2.ppm", "points/b.png"):
            assert pairs[image] == others[image]


def test_circumstances(octavo, data):
    options = ["--method", "ransac", "--threshold", 2, "--confidence", 0.9, "--max-iterations", 50, "--seed", 3]
    output = json.loads(octavo("evaluate", "data/v_box", "--json", "--no-exif-rotation", *options, "--configuration",
                             "a:  --upright "))  # fmt: skip
    assert output["octavo"] == octavo.call("--version").stdout.split()[1]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", output["date"])
    assert (output["exif_rotation"], output["covisible_only"]) == (False, False)
    assert output["robust"] == {"method": "ransac", "threshold": 2, "confidence": 0.9, "max_iterations": 50, "seed": 3}
    assert (output["configurations"][0]["arguments"], output["configurations"][0]["upright"]) == ("--upright", True)


def test_no_pairs_have_no_numbers(octavo, data):
    for number in (2, 3, 4):
        (octavo.folder / "data" / "v_box" / f"{number}.png").write_bytes(b"")
    done = octavo.call("evaluate", "data/v_box", "--json", *WORDS)
    assert done.returncode == 1
    for configuration in json.loads(done.stdout)["configurations"]:
        assert configuration["pairs"] == configuration["sequences"] == []
        numbers = configuration["summary"]["all"]
        assert (numbers.pop("pair_count"), numbers.pop("homography_count")) == (0, 0)
        assert len(numbers) == 13 and set(numbers.values()) == {None}
    done = octavo.call("evaluate", "data/v_box", *WORDS, "-o", "page.html")
    assert re.search(r"^sift +0( +-){7}$", done.stdout, re.M) and re.search(r"^root( +-){10}$", done.stdout, re.M)
    assert "0.0" not in done.stdout and "<figure" not in (octavo.folder / "page.html").read_text()


def test_correspondences_that_judge_nothing_are_warned_of(octavo, data):
    """The only known point lies in a corner of the image, where no keypoint is found."""
    (octavo.folder / "data" / "points" / "correspondences.csv").write_text("299,219,299,219\n")
    done = octavo.call("evaluate", "data/points", "--json")
    assert done.returncode == 0
    (warning,) = json.loads(done.stdout)["warnings"]
    assert done.stderr == f"octavo: warning: {warning}\n"
    assert "configuration 'octavo': 'data/points/b.png': no known point is near enough" in warning
    assert "0 stands for repeatability, MMA, precision" in warning


def test_nothing_in_common(octavo, data):
    output = json.loads(octavo.call("evaluate", "data/i_home", "--json", *WORDS).stdout)
    pair = output["configurations"][0]["pairs"][1]
    assert pair["image_b"] == "3.ppm" and pair["keypoint_count_a"] > 50
    assert (pair["keypoint_count_b"], pair["match_count"], pair["homography"], pair["corner_error"]) == (
        0,
        0,
        None,
        None,
    )
    assert (
        pair["matching_accuracy"] == pair["precision"] == [0] * 10
        and pair["matching_score"] == pair["correspondence_share"] == 0
    )


def test_device_and_threads_do_not_matter(octavo, data):
    def output(*options):
        document = json.loads(octavo.call("evaluate", "data", "--json", "--max-features", 100, *options).stdout)
        return {key: value for key, value in document.items() if key != "date"}

    first = output()
    for options in (["--threads", 1], ["--device", "reference"]):
        assert output(*options) == first


def test_tables(octavo, data):
    output = octavo("evaluate", "data", "--per-sequence")
    wanted = json.loads(octavo("evaluate", "data", "--json"))["configurations"][0]["summary"]["all"]
    row = re.search(r"All pairs \(7\)\. Keypoints.*\n.*\noctavo +(.*)\n", output)[1].split()
    assert row[:2] == ["7", f"{wanted['keypoint_count']:.0f}"] and row[2] == f"{100 * wanted['repeatability'][2]:.1f}"
    assert row[-2:] == [f"{100 * wanted['precision'][2]:.1f}", f"{100 * wanted['matching_score']:.1f}"]
    regions = re.search(r"All pairs \(7\)\. Regions.*\n.*\noctavo +(.*)\n", output)[1].split()
    assert (
        regions[:2] == ["6", f"{wanted['region_count']:.0f}"]
        and regions[-1] == f"{wanted['corresponding_region_counts'][3]:.1f}"
    )
    assert regions[2:-1] == [f"{100 * share:.1f}" for share in wanted["region_repeatability"]]
    for title in (
        "illumination (2). Mean matching accuracy",
        "viewpoint (3). Homographies",
        "oxford/home (1)",
        "points (1)",
    ):
        assert title in output
    assert max(map(len, output.splitlines())) <= 100
