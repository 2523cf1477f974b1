"""octavo evaluate: its numbers are those of evaluate_in_numpy.py, and it names broken files."""

import base64
import json
import os
import re
import shutil

import cv2
import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains

import evaluate_in_numpy
from report_page import ReportPage

SETTINGS = {
    "sift": (["--max-features", 300], 0.8, True),
    "root": (["--max-features", 400, "--descriptor", "rootsift", "--affine"], 0.9, False),
}
WORDS = [
    *("--configuration", "sift: --max-features 300"),
    *("--configuration", "root: --max-features 400 --descriptor rootsift --affine --ratio 0.9 --no-mutual"),
]


CIRCUMSTANCES = ["octavo", "date", "exif_rotation", "covisible_only", "robust"]


def about_centre(matrix, width, height):
    shift = np.array([[1, 0, (width - 1) / 2], [0, 1, (height - 1) / 2], [0, 0, 1]])
    return shift @ np.array(matrix, float) @ np.linalg.inv(shift)


def turned(degrees, scale):
    c, s = scale * np.cos(np.radians(degrees)), scale * np.sin(np.radians(degrees))
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def write(path, image):
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), image)


def write_matrix(path, matrix):
    path.write_text("\n".join(" ".join(repr(float(x)) for x in row) for row in matrix) + "\n")


@pytest.fixture(scope="session")
def data_set(photograph, tmp_path_factory):
    """A folder with a sequence of each layout, and its truths by the names of the images B."""
    root, truths = tmp_path_factory.mktemp("data"), {}
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
    return root, truths


@pytest.fixture
def data(octavo, data_set):
    """A copy of the data set, data/. Returns its truths."""
    root, truths = data_set
    shutil.copytree(root, octavo.folder / "data")
    return truths


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
            output[configuration["name"]].append({"sequence": pair["sequence"], "image": pair["image_b"], **scores})
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
            assert found == {"sequence": found["sequence"], "image": image, **wanted}
            if image == "v_box/3.png":
                assert (
                    found["common_count_a"] > others[image]["common_count_a"]
                )  # the budget is spent on the common region
            assert (
                found["common_count_a"] >= 0.98 * found["keypoint_count_a"]
            )  # all except those between pixels at the border of the region
        for image in ("i_home/2.ppm", "points/b.png"):
            assert pairs[image] == others[image]


def test_covisible_parts_of_imported_features(octavo, data):
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    output = octavo.call(
        "evaluate",
        "data",
        "--json",
        "--covisible-only",
        "--max-features",
        150,
        "--rank",
        "response",
        "--features",
        "files=all",
    )
    own, files = json.loads(output.stdout)["configurations"]
    assert own["pairs"] == files["pairs"] and own["summary"] == files["summary"]


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


def test_imported_features_are_octavos_own(octavo, data):
    """Octavo's features, written to files and read again, give the same numbers; a budget keeps the strongest."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    done = octavo.call(
        "evaluate", "data", "--json", "--max-features", 150, "--rank", "response", "--features", "files=all"
    )
    own, files = json.loads(done.stdout)["configurations"]
    assert (own["name"], files["name"], files["features"]) == ("octavo", "files", "all")
    assert own["pairs"] == files["pairs"] and own["summary"] == files["summary"]
    # Both have too few keypoints in the black image.
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and "the fewest are 0 in 'data/i_home/3.ppm'" in lines[1]
    assert lines[1].startswith("octavo: warning: configuration 'files': 1 of 11 images have fewer than 150 keypoints")


def test_features_as_others_write_them(octavo, data):
    """Archives that are compressed, with floats of any size, without response and octaves, or in column order."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    for i, file in enumerate(sorted((octavo.folder / "all").rglob("*.npz"))):
        found = np.load(file)
        keypoints, descriptors = (
            found["keypoints"][:, :2].astype(float),
            np.asfortranarray(found["descriptors"].astype((np.float16, np.float32)[i % 2])),
        )
        np.savez_compressed(file, keypoints=keypoints, descriptors=descriptors)
    own, files = json.loads(octavo("evaluate", "data", "--json", "--features", "files=all"))["configurations"]
    for pair in files["pairs"]:  # keypoints without a scale have no regions
        if "corner_error" in pair:
            assert (pair["region_count_a"], pair["region_count_b"], pair["corresponding_region_counts"]) == (
                0,
                0,
                [0] * 6,
            )
    regions = ("region_count_a", "region_count_b", "corresponding_region_counts", "region_repeatability")
    own, files = (
        [{key: value for key, value in pair.items() if key not in regions} for pair in one["pairs"]]
        for one in (own, files)
    )
    assert own == files
    assert re.search(r"^files +6 +0( +-){7}$", octavo("evaluate", "data", "--features", "files=all"), re.M)


def test_features_without_descriptors_are_repeated_and_match_nothing(octavo, data):
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    for file in (octavo.folder / "all").rglob("*.npz"):
        np.savez(file, keypoints=np.load(file)["keypoints"], descriptors=np.zeros((0, 128), np.uint8))
    done = octavo.call(
        "evaluate", "data", "--json", "--max-features", 150, "--rank", "response", "--features", "files=all"
    )
    own, files = json.loads(done.stdout)["configurations"]
    assert done.returncode == 0 and own["pairs"] and len(own["pairs"]) == len(files["pairs"])
    for ours, theirs in zip(own["pairs"], files["pairs"]):
        assert (
            ours["repeatability"] == theirs["repeatability"]
            and ours["correspondence_share"] == theirs["correspondence_share"]
        )
        assert theirs["match_count"] == 0 and theirs.get("corner_error") is None


def test_tables(octavo, data):
    output = octavo("evaluate", "data", "--per-sequence")
    wanted = json.loads(octavo("evaluate", "data", "--json"))["configurations"][0]["summary"]["all"]
    row = re.search(r"All pairs \(7\)\. Keypoints.*\n.*\noctavo +(.*)\n", output)[1].split()
    assert row[:2] == ["7", f"{wanted['keypoints']:.0f}"] and row[2] == f"{100 * wanted['repeatability'][2]:.1f}"
    assert row[-2:] == [f"{100 * wanted['precision'][2]:.1f}", f"{100 * wanted['matching_score']:.1f}"]
    regions = re.search(r"All pairs \(7\)\. Regions.*\n.*\noctavo +(.*)\n", output)[1].split()
    assert (
        regions[:2] == ["6", f"{wanted['regions']:.0f}"] and regions[-1] == f"{wanted['corresponding_regions'][3]:.1f}"
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


def test_page(octavo, data, monkeypatch):
    configuration = ["--configuration", "plain:", "--configuration", "root <1>: --descriptor rootsift"]
    monkeypatch.setenv("PATH", "/no/such/folder")  # the page needs no other program
    octavo("evaluate", "data", *configuration, "-o", "report.html")
    page = (octavo.folder / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.count("<figure data-plot=") == 3 * 4 + 2
    for word in (
        "root &lt;1&gt;",
        "v_box",
        "Mean matching accuracy",
        "AUC@10",
        "Version, date and options",
        "--descriptor rootsift",
    ):
        assert word in page
    assert not re.search(r"<img\b|<script src|<link(?! rel=\"icon\" href=\"data:)", page)
    done = octavo.call("evaluate", "data", "-o", "none/report.html")
    assert (done.returncode, done.stdout) == (1, "") and "none/report.html': there is no folder 'none'" in done.stderr
    done = octavo.call("evaluate", "data", "-o", "report.pdf")
    assert (done.returncode, done.stdout) == (
        2,
        "",
    ) and '--output is "report.pdf", but must end in one of .html' in done.stderr


def test_page_in_a_browser(octavo, data, chromium):
    printed = octavo("evaluate", "data", "--json", "--configuration", "plain:", "--configuration", "root </script>: --descriptor rootsift",
                     "-o", "report.html")  # fmt: skip
    page = ReportPage(chromium, octavo.folder / "report.html")
    assert page.json == json.loads(printed)
    charts = page.charts()
    assert [chart["plot"] for chart in charts] == [*3 * ["matching_accuracy", "repeatability", "homography_accuracy", "region_repeatability"],
                                                   "matching_accuracy_by_sequence", "correct_by_sequence"]  # fmt: skip
    for chart in charts:
        assert [line["label"] for line in chart["lines"]] == ["plain", "root </script>"]
    configurations = page.json["configurations"]
    for group in ("all", "illumination", "viewpoint"):
        for plot, key in (("matching_accuracy", "matching_accuracy"), ("repeatability", "repeatability")):
            chart = page.chart(plot, group)
            assert (chart["y"]["min"], chart["y"]["max"]) == (0, 100) and chart["x"]["label"] == "threshold [pixel]"
            for line, configuration in zip(chart["lines"], configurations):
                shares = configuration["summary"][group][key]
                assert line["points"] == [[i + 1, pytest.approx(100 * share)] for i, share in enumerate(shares)]
        chart = page.chart("region_repeatability", group)
        assert chart["x"]["label"] == "overlap error"
        for line, configuration in zip(chart["lines"], configurations):
            shares = configuration["summary"][group]["region_repeatability"]
            assert line["points"] == [[(i + 1) / 10, pytest.approx(100 * share)] for i, share in enumerate(shares)]
        # The steps pass through the table's numbers.
        for line, configuration in zip(page.chart("homography_accuracy", group)["lines"], configurations):
            xs, ys = zip(*line["points"])
            assert list(xs) == sorted(xs) and (xs[0], xs[-1]) == (0, 10)
            for threshold, share in enumerate(configuration["summary"][group]["homography_accuracy"], 1):
                assert ys[sum(x <= threshold for x in xs) - 1] == pytest.approx(100 * share)
    by_sequence = page.chart("correct_by_sequence", "")
    # Sequences have no order: bars, not lines.
    assert (by_sequence["type"], by_sequence["y"]["type"]) == ("bar", "category")
    for line, configuration in zip(by_sequence["lines"], configurations):
        assert [x for x, _ in line["points"]] == [
            pytest.approx(sequence["correct_counts"][2]) for sequence in configuration["sequences"]
        ]
    share = 100 * configurations[0]["summary"]["all"]["matching_accuracy"][4]
    title, *lines = page.hover(0, 0, 4)
    assert title == "threshold [pixel]: 5" and len(lines) == 2
    assert lines[0].startswith("plain: ") and float(lines[0].split()[1]) == pytest.approx(share, rel=1e-3)
    bar = page.hover(12, 1, 2)
    assert bar[0] == configurations[0]["sequences"][2]["name"] and len(bar) == 3

    # The keys show the same values.
    assert page.keys(0, "ARROW_RIGHT")[0] == "threshold [pixel]: 1"
    assert page.keys(0, *5 * ["ARROW_RIGHT"]) == [title, *lines]
    assert page.keys(0, "END")[0] == "threshold [pixel]: 10"
    assert page.keys(0, "ESCAPE") == []


def test_the_best_are_marked(octavo, data, chromium):
    output = octavo(
        "evaluate",
        "data",
        "--configuration",
        "good:",
        "--configuration",
        "poor: --ratio 1 --no-mutual --layers 1",
        "-o",
        "page.html",
    )
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert "\u2605" not in output
    good, poor = (configuration["summary"]["all"] for configuration in page.json["configurations"])
    header, *rows = page.cells("#means-all table")
    assert [row[0] for row in rows] == ["good", "poor"]
    for name, key in (("repeatability", "repeatability"), ("precision", "precision"), ("correct", "correct")):
        values = [f"{(1 if key == 'correct' else 100) * summary[key][2]:.1f}" for summary in (good, poor)]
        best = max(map(float, values))
        shown = [row[header.index(name)] for row in rows]
        assert shown == [f"\u2605 {v}" if float(v) == best and len(set(values)) > 1 else v for v in values]
    for column in ("pairs", "keypoints", "matches"):  # more is not better
        assert not any("\u2605" in row[header.index(column)] for row in rows)
    weight = "return getComputedStyle(document.querySelector('td.best')).fontWeight"
    assert page.run(weight) == "700"
    # Ties: each pair's best corner error is the least one, and equal ones are all marked.
    header, *rows = page.cells("#pairs table")
    first = header.index("corner error good")
    for row, ours, theirs in zip(
        rows, *(configuration["pairs"] for configuration in page.json["configurations"]), strict=True
    ):
        numbers = [pair.get("corner_error") for pair in (ours, theirs)]
        if None in numbers:
            continue
        texts = [f"{number:.2f}" for number in numbers]
        assert row[first : first + 2] == [
            f"\u2605 {v}" if float(v) == min(map(float, texts)) and len(set(texts)) > 1 else v for v in texts
        ]


def test_the_conclusion_is_honest(octavo, data, chromium):
    octavo("evaluate", "data", "--configuration", "plain:", "--configuration", "twin:", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.one(".conclusion").text.endswith("no configuration is better than the others by more than chance.")
    assert "is best" not in page.one(".conclusion").text and not page.all("#means-all td.best, #conclusion td.best")
    octavo(
        "evaluate",
        "data",
        "--configuration",
        "good:",
        "--configuration",
        "poor: --ratio 1 --no-mutual",
        "-o",
        "page.html",
    )
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert re.match(r"good is best in .*precision \(\d+\.\d %\)", page.one(".conclusion").text)
    _, *rows = page.cells("#conclusion table")
    precision = {row[0]: row for row in rows}["precision"]
    means = [100 * configuration["summary"]["all"]["precision"][2] for configuration in page.json["configurations"]]
    mean, low, high = map(
        float, re.fullmatch(r"(\S+) \((\S+) to (\S+)\)", precision[2].replace("\u2212", "-")).groups()
    )
    assert mean == pytest.approx(means[1] - means[0], abs=0.06) and low <= mean <= high < 0
    octavo("evaluate", "data/v_box", "--configuration", "a:", "--configuration", "b: --upright", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.one(".conclusion").text.startswith("3 pairs are too few to tell which configuration is better.")


def write_sequences(octavo, texture, count, others):
    """Sequences of small images, each the same image under less and less light."""
    for sequence in range(count):
        folder = octavo.folder / "many" / f"i_{sequence:02}"
        for number in range(1, others + 2):
            write(folder / f"{number}.png", (texture(64, 56, seed=sequence) * (1 - 0.1 * number)).astype(np.uint8))
            write_matrix(folder / f"H_1_{number}", np.eye(3))


def test_a_large_data_set_stays_usable(octavo, texture, chromium):
    write_sequences(octavo, texture, 24, 5)
    octavo("evaluate", "many", "--configuration", "a:", "--configuration", "b: --ratio 0.6", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    folded = page.run(
        "return [...document.querySelectorAll('details')].map((d) => [d.querySelector('summary').textContent, d.open])"
    )
    assert folded[:3] == [["Plots of 24 sequences", False], ["120 pairs", False], ["24 sequences", False]]
    plots, pairs, sequences = page.all("details")[:3]
    drawn = "return [...arguments[0].querySelectorAll('canvas')].map((canvas) => Boolean(Chart.getChart(canvas)))"
    assert page.run(drawn, plots) == [False, False]
    plots.find_element("css selector", "summary").click()
    page.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert page.run(drawn, plots) == [True, True]

    # A part of the name finds the rows.
    pairs.find_element("css selector", "summary").click()
    names = "return [...arguments[0].querySelectorAll('tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[0].innerText)"
    assert len(page.run(names, pairs)) == 120
    field, count = (pairs.find_element("css selector", kind) for kind in ("input", "output"))
    field.send_keys("I_07/")
    assert page.run(names, pairs) == [f"i_07/{number}.png" for number in range(2, 7)] and count.text == "5 of 120 rows"
    # A link from an image shows its row, although the row was not found.
    link = page.run(
        "return [...document.querySelectorAll('.pair h3 a')].find((a) => !a.textContent.startsWith('i_07/'))"
    )
    page.run("arguments[0].click()", link)
    row = page.one("#" + link.get_attribute("href").split("#")[1])
    page.run("return new Promise((done) => setTimeout(done))")
    assert row.is_displayed() and field.get_attribute("value") == ""

    # A click on a header sorts by its column, the highest first, a second click the other way.
    sequences.find_element("css selector", "summary").click()
    header, *rows = page.cells("details:nth-of-type(2) table")
    column = header.index("correct a")
    correct = [sequence["correct_counts"][2] for sequence in page.json["configurations"][0]["sequences"]]
    assert [float(row[column].strip("\u2605 ")) for row in rows] == pytest.approx(correct, abs=0.06)
    button = sequences.find_elements("css selector", "th button")[column]
    for way in (-1, 1):
        button.click()
        header, *rows = page.cells("details:nth-of-type(2) table")
        shown = [float(row[column].strip("\u2605 ")) for row in rows]
        assert shown == sorted(shown, key=lambda value: way * value)
    assert page.width_on_a_phone() <= 390


def test_many_problems_are_folded(octavo, texture, chromium):
    write_sequences(octavo, texture, 12, 2)
    for sequence in range(12):
        (octavo.folder / "many" / f"i_{sequence:02}" / "3.png").write_bytes(b"")
    done = octavo.call("evaluate", "many", "-o", "page.html")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 12
    page = ReportPage(chromium, octavo.folder / "page.html")
    (note,) = page.all(".note")
    assert note.text == "There are 12 problems and 0 warnings. The list below has them all."
    summary = page.one("#conclusion details summary")
    assert summary.text == "12 problems and 0 warnings"
    summary.click()
    assert page.one("#conclusion pre").text.count("Not evaluated: ") == 12


def test_images_of_pairs(octavo, data, chromium):
    configurations = ["--configuration", "good:", "--configuration", "poor: --ratio 1 --no-mutual"]
    octavo("evaluate", "data", *configurations, "-o", "page.html")
    assert (octavo.folder / "page.html").stat().st_size < 5e6
    page = ReportPage(chromium, octavo.folder / "page.html")
    pairs = [[configuration["pairs"][i] for configuration in page.json["configurations"]] for i in range(len(data))]
    precision = {
        pair[0]["image_b"]: sum(s["precision"][2] for s in pair) / 2
        for pair in pairs
        if any(s["judged_count"] for s in pair)
    }
    order = sorted(precision.values(), reverse=True)
    sections = page.all(".pair")
    assert len(sections) == 3
    for section, rank, word in zip(sections, (0, len(order) // 2, -1), ("best", "median", "worst")):
        image = section.find_element("css selector", "h3").text
        assert f"The {word} pair of {len(order)}" in section.text and precision[image] in (
            order[rank],
            order[(len(order) - 1) // 2 if rank > 0 else rank],
        )
        counted = next(pair for pair in pairs if pair[0]["image_b"] == image)
        for figure, pair in zip(section.find_elements("css selector", "figure"), counted, strict=True):
            right, wrong = pair["correct_counts"][2], pair["judged_count"] - pair["correct_counts"][2]
            assert (
                f"{pair['matches']} match{'' if pair['matches'] == 1 else 'es'}, {right} right, {wrong} wrong"
                in figure.text
            )
            drawn = [
                len(figure.find_elements("css selector", f"line.{kind}")) for kind in ("right", "wrong", "unknown")
            ]
            assert drawn == [min(right, 100), min(wrong, 250), min(pair["match_count"] - pair["judged_count"], 50)]
        # The table of pairs leads to the image, and the image back.
        row = section.find_element("css selector", "h3 a").get_attribute("href").split("#")[1]
        assert page.one(f"#{row} a").text == image
        assert page.one(f"#{row} a").get_attribute("href").endswith("#" + section.get_attribute("id"))
    # The pointer near a line shows its error, and beside the images nothing.
    svg, caption = page.one(".matches svg"), page.one(".matches figcaption")
    place = (
        "const b = arguments[0].getBoundingClientRect(), l = arguments[0].querySelector('line'), s = b.width / arguments[0].viewBox.baseVal.width;"
        "return [l.x1.baseVal.value * s - b.width / 2, l.y1.baseVal.value * s - b.height / 2]"
    )
    page.run("arguments[0].scrollIntoView({ block: 'center' })", svg)
    x, y = page.run(place, svg)
    ActionChains(page.driver, duration=0).move_to_element_with_offset(svg, round(x) + 2, round(y)).perform()
    near = page.run("return [...document.querySelectorAll('line.near title')].map((title) => title.textContent)")
    assert len(near) == 1 and caption.text.endswith(f" · {near[0]}")
    assert re.fullmatch(r"error \d+\.\d px|not judged: .*", near[0])
    ActionChains(page.driver, duration=0).move_to_element(page.one("h1")).perform()
    assert near[0] not in caption.text and not page.all("line.near")
    # Right and wrong lines differ without colour too, and both images are there.
    look = "return [...document.querySelectorAll('line.right, line.wrong')].map((l) => getComputedStyle(l).strokeDasharray + getComputedStyle(l).stroke)"
    assert len(set(page.run(look))) == 2
    sizes = page.run(
        "return Promise.all([...document.querySelectorAll('svg image')].map(async (i) => { const p = new Image(); p.src = i.href.baseVal; await p.decode(); return [p.naturalWidth, p.naturalHeight]; }))"
    )
    assert len(sizes) == 6 and [320, 240] in sizes
    for count in (0, 1, 5):
        octavo("evaluate", "data/v_box", "--examples", count, "-o", "page.html")
        assert (octavo.folder / "page.html").read_text().count('<section class="pair"') == min(count, 3)
    assert "--examples" in octavo.error(2, "evaluate", "data/v_box", "--examples", -1)


def test_settings_and_definitions_on_the_page(octavo, data, chromium):
    octavo("evaluate", "data/v_box", "--max-features", 100, "--configuration", "a:", "--configuration", "b: --descriptor sift --ratio 0.9",
           "--configuration", "c: --detector foagdd", "-o", "page.html")  # fmt: skip
    page = ReportPage(chromium, octavo.folder / "page.html")
    _, a, b, c = page.cells("#configurations table")
    assert a[1] == "SIFT" and a[-1] == "max_features 100 (8192)"
    assert b[3] == "a" and sorted(b[-1].split(", ")) == ["descriptor sift (rootsift)", "ratio 0.9 (0.8)"]
    assert c[1] == "FOAGDD" and c[3] == "the defaults of FOAGDD" and "max_features 100" in c[-1] and "rho" not in c[-1]
    terms = [term.text for term in page.all("dt")]
    for table in page.all("#means-all table"):
        for word in table.find_element("css selector", "thead").text.split():
            word = re.sub(r"@\d+", "@t", word)
            assert (
                word
                in " ".join(terms) + " configuration pairs keypoints 1 2 3 4 5 6 7 8 9 10 px 0.1 0.2 0.3 0.4 0.5 0.6"
            ), word
    for link in page.all("nav a"):
        assert page.all("#" + link.get_attribute("href").split("#")[1])


def test_page_for_every_reader(octavo, data, chromium):
    """The page in dark mode, on a small screen, on paper, and without JavaScript."""
    octavo("evaluate", "data/v_box", "-o", "report.html")
    file = octavo.folder / "report.html"

    def looks(scheme):
        chromium.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        page = ReportPage(chromium, file)
        colours = page.run("""const axis = Chart.getChart(document.querySelector("canvas")).options.scales.x.title.color;
            const style = getComputedStyle(document.body); return [style.backgroundColor, style.color, axis]""")
        page.charts()
        return colours

    size = chromium.get_window_size()
    try:
        light, dark = looks("light"), looks("dark")
        assert light[0] == "rgb(255, 255, 255)" and all(a != b for a, b in zip(light, dark))
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 2, "mobile": True}
        )
        page = ReportPage(chromium, file)
        assert page.run("return document.documentElement.scrollWidth") <= 400
        assert all(
            width <= 400
            for width in page.run("return [...document.querySelectorAll('canvas')].map((c) => c.clientWidth)")
        )
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

        page = ReportPage(chromium, file)
        pdf = base64.b64decode(chromium.execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert pdf.startswith(b"%PDF") and len(pdf) > 20000
        assert not page.run("return document.documentElement.classList.contains('printing')")
        page.charts()

        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        chromium.get(file.as_uri())
        assert "need JavaScript" in chromium.find_element("css selector", "noscript").text
        cells = [cell.text for cell in chromium.find_elements("css selector", "tbody tr:first-child td")]
        assert cells[0] == "octavo" and any(re.fullmatch(r"\d+\.\d", cell) for cell in cells)
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        chromium.set_window_size(size["width"], size["height"])


def test_what_is_broken_is_named_and_the_rest_evaluated(octavo, data):
    whole = json.loads(octavo("evaluate", "data", "--json"))["configurations"][0]["pairs"]
    root = octavo.folder / "data"
    (root / "v_box" / "H_1_2").unlink()
    (root / "v_box" / "3.png").write_bytes((root / "v_box" / "3.png").read_bytes()[:1000])
    (root / "v_box" / "H_1_5").write_text("1 0 0 0 1 0 0 0 1")
    (root / "v_box" / "H_1_4").write_text("1 0 0 0 1 0 0 zero 1")
    write(root / "i_home" / "2.ppm", np.full((50, 60, 3), 99, np.uint8))
    (root / "points" / "a.png").write_text("no image")
    for name in ("1.ppm", "2.ppm"):
        shutil.copy(root / "i_home" / "3.ppm", root / "oxford" / name)
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
        "oxford": "images 1 and 2, but no homography H_1_2",
    }.items():
        line = [problem for problem in problems if f"'data/{file}': " in problem]
        assert len(line) == 1 and re.match(r"octavo: cannot (read|use) '", line[0]), (file, problems)
        assert re.search(words, line[0]), (file, problems)
    assert len(problems) == 7
    output = json.loads(done.stdout)
    assert ["octavo: " + problem for problem in output["problems"]] == problems
    assert output["configurations"][0]["pairs"] == [
        p for p in whole if p["image_b"] in ("i_home/3.ppm", "oxford/home/img2.jpg")
    ]


def test_broken_features_are_named(octavo, data):
    """A pair that fails for one configuration counts for no configuration."""
    octavo("extract", "data", "--recursive", "--output", "all", "--format", "npz")
    (octavo.folder / "all" / "v_box" / "2.png.npz").unlink()
    file = octavo.folder / "all" / "v_box" / "3.png.npz"
    file.write_bytes(file.read_bytes()[:-20])
    shutil.copy(
        octavo.folder / "all" / "v_box" / "1.png.npz", octavo.folder / "all" / "oxford" / "home" / "img2.jpg.npz"
    )
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
    for configuration in json.loads(done.stdout)["configurations"]:
        assert [pair["image_b"] for pair in configuration["pairs"]] == ["i_home/2.ppm", "i_home/3.ppm", "v_box/4.png"]


@pytest.mark.parametrize(
    "exit_code, arguments, words",
    [
        (2, [], "octavo evaluate needs ROOT"),
        (1, ["none"], "none"),
        (1, ["empty"], "there is no sequence in it"),
        (2, ["empty", "--configuration", "no colon"], '--configuration is "no colon", but must be of the form'),
        (
            2,
            ["empty", "--configuration", "a: --layers nine"],
            '--configuration: a: --layers is "nine", but must be a whole number',
        ),
        (
            2,
            ["empty", "--configuration", "a: --layers 9"],
            "--configuration: a: --layers is 9, but must be between 1 and 8",
        ),
        (2, ["empty", "--configuration", "a: --detector fast"], "--configuration: a: "),
        (
            2,
            ["empty", "--configuration", "a:", "--configuration", "a: --upright"],
            "--configuration: there is a configuration 'a' already",
        ),
        (
            2,
            ["empty", "--features", "a=empty", "--features", "a=empty"],
            "--features: there is a configuration 'a' already",
        ),
        (2, ["empty", "--configuration", "a: --bogus 3"], "--configuration: a: unknown option '--bogus'"),
        (2, ["empty", "--configuration", "a: bogus"], "--configuration: a: 'bogus' is no option"),
        (2, ["empty", "--features", "x"], '--features is "x", but must be of the form'),
        (2, ["empty", "--features", "x=none"], "--features: x: there is no folder 'none'"),
        (2, ["empty", "--ratio", "2"], "--ratio is 2"),
        (2, ["robustness"], "octavo evaluate robustness needs IMAGE"),
        (2, ["robustness", "a.png", "--kinds", "fog"], "fog"),
        (1, ["robustness", "none.png"], "none.png"),
    ],
)
def test_bad_calls(octavo, exit_code, arguments, words):
    (octavo.folder / "empty").mkdir()
    assert words in octavo.call("evaluate", *arguments).stderr.splitlines()[0]
    assert octavo.call("evaluate", *arguments).returncode == exit_code


def test_options_stand_behind_the_command(octavo):
    output = octavo.error(2, "evaluate", "--max-features", 5, "robustness", "a.png")
    assert output == "octavo: --max-features stands before robustness, but must stand behind it\n"


def test_settings_whose_names_are_not_text(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    name = os.fsdecode(b"\xe9")
    document = json.loads(
        octavo("evaluate", "robustness", "a.png", "--kinds", "blur", "--configuration", f"{name}:", "--json")
    )
    assert document["configurations"][0]["name"] == "\ufffd"


def test_corners_are_a_setting(octavo, texture):
    Image.fromarray(texture(320, 256)).save(octavo.folder / "a.png")
    arguments = ("evaluate", "robustness", "a.png", "--kinds", "noise", "--max-features", 50, "--json")
    sift, corners = ("--configuration", "sift:"), ("--configuration", "corners: --detector foagdd --corner-threshold 7")
    document = json.loads(octavo(*arguments, *sift, *corners))
    output = {configuration["name"]: configuration for configuration in document["configurations"]}
    assert output["sift"]["detector"] == "sift" and "layers" in output["sift"] and "rho" not in output["sift"]
    assert output["corners"]["detector"] == "foagdd" and output["corners"]["corner_threshold"] == 7
    alone = json.loads(octavo(*arguments, "--detector", "foagdd", "--corner-threshold", 7))["configurations"][0]
    assert alone["detector"] == "foagdd"
    pairs = output["corners"]["pairs"]
    assert alone["pairs"] == pairs != output["sift"]["pairs"]
    assert all(0 < pair["keypoint_count_a"] and 0 < pair["repeatability"][2] for pair in pairs)
    wrong = octavo.error(2, *arguments, "--configuration", "x: --detector foagdd --layers 4")
    assert "--configuration: x: --layers has no effect with --detector foagdd" in wrong
