"""octavo inspect: its files as other programs read them. They show what octavo extract computes."""

import json
import math
import re
from collections import Counter

import cv2
import numpy as np
import pytest
from PIL import Image

from features import from_json

VERDICTS = ["unstable", "low contrast", "edge", "duplicate", "outside mask", "no orientation", "over budget", "kept"]


@pytest.fixture
def image(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    return "a.png"


@pytest.fixture
def inspect(octavo, image):
    """Inspects a.png into look/. Returns the contents of inspect.json."""

    def run(*options):
        octavo("inspect", image, "-o", "look", *options)
        return json.loads((octavo.folder / "look/inspect.json").read_text())

    return run


def opened(path):
    with Image.open(path) as image:
        image.load()
        return image


def strongest(squares):
    """The value farthest from 0 over the last two axes."""
    flat = squares.reshape(*squares.shape[:2], -1)
    return np.take_along_axis(flat, np.abs(flat).argmax(axis=2)[..., None], axis=2)[..., 0]


def test_files(octavo, inspect):
    output = inspect()
    look = octavo.folder / "look"
    octaves = [(o["octave"], o["width"], o["height"]) for o in output["octaves"]]
    assert octaves == [(-1, 320, 256), (0, 160, 128), (1, 80, 64), (2, 40, 32), (3, 20, 16)]
    expected = {"index.html", "inspect.json", "keypoints.png", "descriptor.png"}
    for octave, width, height in octaves:
        planes = [f"octave{octave}_blur{i}.png" for i in range(7)] + [
            f"octave{octave}_difference{i}.png" for i in range(6)
        ]
        planes += ["octave-1_image.png"] if octave == -1 else []
        expected |= {*planes, f"octave{octave}_candidates.png"}
        for name in planes:
            image = opened(look / name)
            assert (image.size, image.mode) == ((width, height), "L"), name
    assert {file.name for file in look.iterdir()} == expected
    assert {plane["file"] for plane in output["planes"]} == {
        name for name in expected if re.search(r"_(image|blur|diff)", name)
    }
    assert opened(look / "keypoints.png").size == (160, 128)
    drawn = opened(look / "octave0_candidates.png")
    assert drawn.mode == "RGB" and drawn.size[0] == 160 and drawn.size[1] > 128
    assert opened(look / "descriptor.png").mode == "RGB"


@pytest.mark.slow
def test_steps_of_the_trilateral_filter(octavo, inspect):
    """The steps of both schedules, computed again from the blurs of octave 0."""
    for schedule, sources in (("direct", [0] * 5), ("incremental", range(5))):
        output = inspect("--smoothing", "trilateral", "--trilateral-schedule", schedule, "--float")
        look = octavo.folder / "look"
        files = {(p["stage"], p["level"]): p for p in output["planes"] if p["octave"] == 0}
        plane = {at: cv2.imread(str(look / p["file"].replace(".png", ".tif")), -1) for at, p in files.items()}
        sigma_r, seen = 0.14 * output["contrast"], set()
        assert 0.2 < output["contrast"] < 1.3
        for image, source in enumerate(sources, start=1):
            blur = plane["blur", source].astype(float)
            gx, gy = np.zeros_like(blur), np.zeros_like(blur)
            gx[:, :-1], gy[:-1] = np.diff(blur, axis=1), np.diff(blur, axis=0)
            size = np.hypot(gx, gy)
            assert np.abs(plane["gradient", source] - size).max() < 1e-6

            # The filter does not compute windows that reach beyond 3 sigma.
            start = 1.6 * 2 ** (source / 3)
            sigma = np.sqrt((1.6 * 2 ** (image / 3)) ** 2 - start**2)
            widest = np.sqrt((1.6 * 2 ** (5 / 3)) ** 2 - 1.6**2) if schedule == "direct" else sigma
            region, most = np.zeros(blur.shape), int(np.ceil(np.log2(2 * np.floor(3 * widest))))
            for radius in range(1, min(most, 7) + 1):
                square = np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)
                alike = (cv2.dilate(size, square) <= size + sigma_r) & (cv2.erode(size, square) >= size - sigma_r)
                region[alike] = radius
            assert (
                plane["region", source] != region
            ).mean() < 0.001  # except where gradients differ by almost exactly sigma_r
            assert files["region", source]["white"] == max(1, region.max())

            half = (int(sigma) - 1) // 2
            assert (("smoothed_gradient", image) in plane) == (half > 0)
            if half > 0:
                sums = np.zeros((3, *blur.shape))
                padded = [np.pad(values, half, constant_values=np.nan) for values in (size, gx, gy)]
                for dy in range(2 * half + 1):
                    for dx in range(2 * half + 1):
                        near, x, y = (values[dy:, dx:][: blur.shape[0], : blur.shape[1]] for values in padded)
                        distance = (dy - half) ** 2 + (dx - half) ** 2
                        weight = np.exp(-distance / (2 * sigma**2) - (near - size) ** 2 / (2 * sigma_r**2))
                        sums += np.nan_to_num([weight, weight * x, weight * y])
                smoothed = np.hypot(sums[1], sums[2]) / sums[0]
                assert np.abs(plane["smoothed_gradient", image] - smoothed).max() < 1e-6
            assert (plane["detail", image] == plane["blur", image] - plane["blur", source]).all()
            seen |= {("gradient", source), ("region", source), ("detail", image)}
            seen |= {("smoothed_gradient", image)} if half > 0 else set()
        blurs = {("blur", i) for i in range(6)} | {("difference", i) for i in range(5)}
        assert set(plane) == seen | blurs
        assert ("smoothed_gradient", 5) in seen


def test_json_agrees_with_extract(octavo, inspect):
    for options in (
        [],
        ["--preset", "colmap"],
        ["--layers", 2, "--first-octave", 0],
        ["--max-features", 20, "--grid", 2],
    ):
        output = inspect(*options)
        keypoints = from_json(octavo("extract", "a.png", "--json", *options))
        kept = [c for c in output["candidates"] if c["verdict"] == "kept"]
        points = {(c["x"], c["y"], c["scale"]) for c in kept}
        # Both outputs hold floats: one with the fewest digits, the other as doubles.
        wanted = {tuple(row) for row in keypoints[:, :3].astype(np.float32)}
        assert {tuple(np.float32(point)) for point in points} == wanted
        assert (
            sum(c["keypoint_count"] for c in output["candidates"])
            == len(keypoints)
            == sum(o["keypoint_count"] for o in output["octaves"])
        )
        assert all((c["keypoint_count"] > 0) == (c["verdict"] == "kept") for c in output["candidates"])
        counted = Counter((c["octave"], c["verdict"]) for c in output["candidates"])
        for octave in output["octaves"]:
            assert list(octave["verdict_counts"]) == VERDICTS
            assert octave["verdict_counts"] == {v: counted[octave["octave"], v] for v in VERDICTS}
            assert len(octave["faint_counts"]) == output["options"]["layers"]


def test_json_has_the_keypoints_of_extract(octavo, inspect):
    for options in ([], ["--max-features", 20], ["--layers", 1, "--max-orientations", 3]):
        output = inspect(*options)
        keypoints = output["keypoints"]
        fields = ["x", "y", "scale", "orientation", "response"]
        rows = np.array([[k[field] for field in fields] for k in keypoints], np.float32)
        np.testing.assert_array_equal(
            rows, from_json(octavo("extract", "a.png", "--json", *options)).astype(np.float32)
        )
        octavo("extract", "a.png", "-o", ".", "--format", "npz", *options)
        archive = np.load(octavo.folder / "a.png.npz")
        assert [[k["octave"], k["layer"]] for k in keypoints] == archive["octave_layer"].tolist()
        given = Counter(k["candidate"] for k in keypoints)
        for i, c in enumerate(output["candidates"]):
            assert given[i] == c["keypoint_count"]
        for k in keypoints:
            c = output["candidates"][k["candidate"]]
            assert [c[f] for f in ("octave", "x", "y", "scale")] == [k[f] for f in ("octave", "x", "y", "scale")]
            assert abs(c["value"]) == k["response"]
        point = output["point"]
        assert all(np.float32(point[f]) == np.float32(keypoints[point["keypoint"]][f]) for f in fields)
        assert point["descriptor"] == archive["descriptors"][point["keypoint"]].tolist()


def test_ellipses(octavo, inspect):
    names = ["a11", "a12", "a21", "a22"]
    options = ["--preset", "lowe2004", "--affine"]
    output = inspect(*options)
    octavo("extract", "a.png", "-o", ".", "--format", "npz", *options)
    ellipses = np.load(octavo.folder / "a.png.npz")["ellipses"]
    np.testing.assert_array_equal(
        np.array([[k.get(n, 0) for n in names] for k in output["keypoints"]], np.float32), ellipses
    )
    assert (ellipses != 0).any()
    # The point has its ellipse too, and the page has the matrix of every keypoint that it holds.
    strongest = ellipses[output["point"]["keypoint"]].astype(float)
    assert [output["point"].get(n, 0) for n in names] == pytest.approx(strongest.tolist())
    page = (octavo.folder / "look" / "index.html").read_text()
    (matrices,) = re.findall(r'"matrix":(\[\[.*?\]\])', page)
    assert len(json.loads(matrices)) == len(ellipses)
    assert '"matrix"' not in json.dumps(inspect("--preset", "lowe2004"))


def test_json_on_the_standard_output(octavo, image):
    printed = octavo("inspect", image, "-o", "look", "--json")
    assert printed == (octavo.folder / "look/inspect.json").read_text()
    assert (octavo.folder / "look/index.html").exists()


def test_nothing_of_an_earlier_run_stays_and_nothing_else_goes(octavo, inspect, image):
    inspect("--packed", "--float")
    look = octavo.folder / "look"
    mine = {"notes.txt", "octave9_blur0.png", "holiday.png", "index.htm"}
    for name in mine:
        (look / name).write_text("mine")
    (octavo.folder / "outside.png").write_text("mine")
    output = inspect("--max-octaves", 1)
    names = {file.name for file in look.iterdir()}
    assert names == {*output["files"], *mine} and len(output["files"]) == len(set(output["files"]))
    assert {"octave-1_blur0.png", "index.html", "inspect.json", "descriptor.png"} < names
    assert not any("octave0" in name or name.endswith(".tif") or name == "packed.png" for name in names)

    # Entries of the list that inspect does not write, or that are not files, are ignored.
    (look / "octave7_blur0.png").mkdir()
    output["files"] += [
        "../outside.png",
        "notes.txt",
        str(look / "holiday.png"),
        "octave7_blur0.png",
        3,
        "octave9_blur0.png",
    ]
    (look / "inspect.json").write_text(json.dumps(output))
    inspect("--max-octaves", 1)
    assert {file.name for file in look.iterdir()} == names - {"octave9_blur0.png"} | {"octave7_blur0.png"}
    assert (octavo.folder / "outside.png").exists()
    for broken in ("", "{", "[]", '{"files": "notes.txt"}'):
        (look / "inspect.json").write_text(broken)
        inspect("--max-octaves", 1)
        assert (look / "notes.txt").exists()


@pytest.mark.parametrize("files", [(), ("--full", "--float")])
def test_stages_of_an_earlier_filter_do_not_stay(octavo, inspect, files):
    trilateral = inspect("--smoothing", "trilateral", "--first-octave", 0, "--max-octaves", 2, *files)
    look = octavo.folder / "look"
    stages = {plane["stage"] for plane in trilateral["planes"]}
    assert {"gradient", "region", "smoothed_gradient", "detail"} <= stages
    gaussian = inspect("--first-octave", 0, "--max-octaves", 2)
    assert {plane["stage"] for plane in gaussian["planes"]} == {"image", "blur", "difference"}
    assert {file.name for file in look.iterdir()} == {*gaussian["files"]}


def test_inputs_are_not_written_over(octavo, image):
    octavo("inspect", image, "-o", "look")
    look = octavo.folder / "look"
    before = {file.name: file.read_bytes() for file in look.iterdir()}
    sentence = octavo.error(2, "inspect", "look/octave0_blur0.png", "-o", "./look/")
    assert "look/octave0_blur0.png" in sentence and "--output" in sentence
    assert "keypoints.png" in octavo.error(2, "inspect", image, "-o", "look", "--mask", "look/keypoints.png")
    assert {file.name: file.read_bytes() for file in look.iterdir()} == before
    octavo("inspect", "look/octave0_blur0.png", "-o", "look2")


@pytest.mark.slow
def test_reasons_follow_the_options(octavo, inspect, texture):
    barred = cv2.line(texture(seed=3), (10, 120), (150, 30), 255, 5)  # with edges
    Image.fromarray(barred).save(octavo.folder / "a.png")
    output = inspect("--preset", "opencv")
    of = Counter(c["verdict"] for c in output["candidates"])
    assert of["edge"] > 0 and of["kept"] > 20 and not of["over budget"] and not of["outside mask"]
    for c in output["candidates"]:
        contrast, ratio = 3 * abs(c["value"]), c["curvature_ratio"]
        if c["verdict"] == "low contrast":
            assert contrast < 0.04
        if c["verdict"] in ("edge", "kept", "duplicate"):
            assert contrast > 0.0399
            assert (ratio is None or ratio > 9.99) if c["verdict"] == "edge" else 1 <= ratio < 10.01
    assert not Counter(c["verdict"] for c in inspect("--preset", "opencv", "--edge-threshold", 0)["candidates"])["edge"]
    assert not Counter(c["verdict"] for c in inspect("--preset", "opencv", "--contrast-threshold", 0)["candidates"])[
        "low contrast"
    ]
    budget = Counter(c["verdict"] for c in inspect("--preset", "opencv", "--max-features", 5)["candidates"])
    assert budget["over budget"] == of["kept"] - budget["kept"] > 0


def test_mask(octavo, inspect):
    mask = np.zeros((128, 160), np.uint8)
    mask[:, 80:] = 9
    Image.fromarray(mask).save(octavo.folder / "mask.png")
    output = inspect("--mask", "mask.png")
    outside = [c for c in output["candidates"] if c["verdict"] == "outside mask"]
    assert len(outside) > 5 and all(c["x"] < 79.5 for c in outside)
    assert all(c["x"] >= 79.5 for c in output["candidates"] if c["verdict"] == "kept")


def test_images_are_the_planes(octavo, inspect):
    """Bytes of an image are means of a blur's floats, or the strongest of a difference's, by the mapping in inspect.json."""
    Image.fromarray(np.tile(np.asarray(opened(octavo.folder / "a.png")), (4, 5))[:500, :700]).save(
        octavo.folder / "a.png"
    )
    output = inspect("--preset", "opencv", "--float", "--max-octaves", 3)
    look = octavo.folder / "look"
    planes = {}
    for plane in output["planes"]:
        name = plane["file"].removesuffix(".png")
        floats = cv2.imread(str(look / f"{name}.tif"), cv2.IMREAD_UNCHANGED)
        assert floats.dtype == np.float32 and floats.ndim == 2
        planes[plane["octave"], plane["stage"], plane.get("level")] = floats
        factor, image = plane["factor"], np.asarray(opened(look / plane["file"])).astype(float)
        assert max(image.shape) <= 512 and factor == -(-max(floats.shape) // 512)
        rows, columns = (size // factor for size in floats.shape)
        squares = floats[: rows * factor, : columns * factor].reshape(rows, factor, columns, factor).swapaxes(1, 2)
        small = strongest(squares) if plane["signed"] else squares.mean(axis=(2, 3))
        image = image[:rows, :columns]
        if plane["signed"]:
            assert plane["black"] == -plane["white"]
            assert np.mean(np.abs(floats) > plane["white"]) < 0.02
            expected = np.clip(128 + 127 * small / plane["white"], 1, 255)
        else:
            expected = 255 * (small - plane["black"]) / (plane["white"] - plane["black"])
        assert np.abs(image - expected).max() < 0.51, plane
    for octave in (-1, 0, 1):
        for i in range(5):
            difference = planes[octave, "blur", i + 1] - planes[octave, "blur", i]
            np.testing.assert_array_equal(difference, planes[octave, "difference", i])
        if octave < 1:
            half = planes[octave, "blur", 3][: 2 * (planes[octave, "blur", 3].shape[0] // 2) : 2, ::2]
            np.testing.assert_array_equal(half, planes[octave + 1, "blur", 0])


def test_full(octavo, inspect):
    Image.fromarray(np.zeros((300, 400), np.uint8)).save(octavo.folder / "a.png")
    inspect("--max-octaves", 2)
    assert opened(octavo.folder / "look/octave-1_blur0.png").size == (400, 300)
    output = inspect("--max-octaves", 2, "--full", "--packed")
    assert opened(octavo.folder / "look/octave-1_blur0.png").size == (800, 600)
    assert opened(octavo.folder / "look/packed.png").size == (1600, 1200)
    assert all(plane["factor"] == 1 for plane in output["planes"])
    assert output["point"] is None and output["candidates"] == []


def test_ece277(octavo, inspect):
    """4 octaves of 5 blurs and 4 differences at 2, 1, 1/2 and 1/4 of the image, and the image that they are made of."""
    output = inspect("--preset", "ece277")
    names = [
        f"octave{o}_{stage}{i}.png"
        for o in (-1, 0, 1, 2)
        for stage, n in (("blur", 5), ("difference", 4))
        for i in range(n)
    ]
    assert [plane["file"] for plane in output["planes"]] == ["octave-1_image.png", *names] and len(names) == 20 + 16
    doubled = np.asarray(opened(octavo.folder / "look/octave-1_image.png"))
    grey = np.asarray(opened(octavo.folder / "a.png").convert("L"), float)
    shown = 255 * (grey - grey.min()) / (grey.max() - grey.min())
    assert np.abs(doubled[::2, ::2] - shown).max() <= 1.5  # Pillow rounds grey
    sizes = [opened(octavo.folder / f"look/octave{o}_blur0.png").size for o in (-1, 0, 1, 2)]
    assert sizes == [(320, 256), (160, 128), (80, 64), (40, 32)]
    blurs = [plane["sigma"] * 2.0 ** plane["octave"] for plane in output["planes"] if plane["stage"] == "blur"]
    assert blurs == pytest.approx([2 ** (octave - 0.5 + level / 2) for octave in range(4) for level in range(5)])
    assert [sigma for octave in output["octaves"] for sigma in octave["sigmas"]] == pytest.approx(blurs)
    assert output["options"]["contrast_threshold"] == 0.06


@pytest.mark.parametrize("border", ["mirrored", "repeated"])
def test_tsp2023(octavo, inspect, image, border):
    """4 blurs of one repeated kernel and 3 differences in each octave, the first of which is the image; no keypoints."""
    output = inspect("--preset", "tsp2023", "--border", border, "--packed", "--float")
    look = octavo.folder / "look"
    octaves = [(o["octave"], o["width"], o["height"]) for o in output["octaves"]]
    assert octaves == [(o, 160 >> o, 128 >> o) for o in range(6)]
    blurs = [plane["sigma"] for plane in output["planes"] if plane["stage"] == "blur"]
    assert blurs == pytest.approx([0, 2**0.5, 2, 6**0.5] * 6, abs=0.001)
    # Of the whole way from the image: variances add up, and the third image has 4 pixels² of its octave.
    inputs = [(sum(4.0 * 4**i for i in range(o))) for o in range(6)]
    sigmas = [[(inputs[o] + level * 2 * 4**o) ** 0.5 for level in range(4)] for o in range(6)]
    for octave, expected in zip(output["octaves"], sigmas):
        assert octave["sigmas"] == pytest.approx(expected, abs=1e-6)
    assert (output["candidates"], output["keypoints"], output["point"]) == ([], [], None)
    weights = np.exp(-(np.arange(-3, 4) ** 2) / 4)
    weights /= weights.sum()
    assert [kernel["weights"] for kernel in output["kernels"]] == [[1.0]] + [pytest.approx(weights[3:], abs=1e-6)] * 3

    packed = cv2.imread(str(look / "packed.tif"), cv2.IMREAD_UNCHANGED)
    blur = cv2.imread(str(octavo.folder / image))[..., ::-1] @ np.array([0.2126, 0.7152, 0.0722]) / 255
    beyond = {"mirrored": cv2.BORDER_REFLECT_101, "repeated": cv2.BORDER_REPLICATE}[border]
    x = y = 0
    for _, width, height in octaves:
        for level, (left, top) in enumerate([(x, y), (x + width, y), (x, y + height)]):
            before, blur = blur, cv2.sepFilter2D(blur, -1, weights, weights, borderType=beyond)
            np.testing.assert_allclose(packed[top : top + height, left : left + width], blur - before, atol=1e-6)
            if level == 1:  # the third image
                halved = blur[::2, ::2]
        x, y, blur = x + width, y + height, halved

    text = octavo("inspect", image, "-o", "look", "--preset", "tsp2023")
    assert "blur 1      sigma 1.4142, 7 taps: 0.2" in text and "there are no keypoints" in text
    refused = octavo.error(2, "extract", image, "--preset", "tsp2023")
    assert (
        refused
        == 'octavo: --smoothing is "repeated", but must be gaussian or trilateral for keypoints: repeated makes a pyramid alone\n'
    )


def test_kernels(octavo, inspect, image):
    kernels = inspect("--preset", "ece277")["kernels"]
    assert [kernel["level"] for kernel in kernels] == [0, 1, 2, 3, 4]
    for kernel in kernels:
        centre, *sides = kernel["weights"]
        assert centre + 2 * sum(sides) == pytest.approx(1, abs=1e-6)
        assert sides == pytest.approx(
            [centre * math.exp(-(k**2) / (2 * kernel["sigma"] ** 2)) for k in range(1, len(sides) + 1)]
        )
    text = octavo("inspect", image, "-o", "look", "--preset", "ece277")
    assert "blur 0      sigma 1.0000, 9 taps: 0.3989 0.2420 0.0540 0.0044 0.0001\n" in text
    assert "octave -1   sigma of its blurs, in pixels of the image: 0.707 1.000 1.414 2.000 2.828\n" in text


def test_packed(octavo, inspect):
    """The image holds three differences of each octave, from the planes' floats, and the next octave in the free quarter."""
    inspect("--layers", 1, "--packed", "--float")
    look = octavo.folder / "look"
    packed = cv2.imread(str(look / "packed.tif"), cv2.IMREAD_UNCHANGED)
    assert packed.shape == (512, 640)
    assert opened(look / "packed.png").size == (640, 512)
    x = y = 0
    for octave, width, height in ((-1, 320, 256), (0, 160, 128), (1, 80, 64), (2, 40, 32)):
        for i, (left, top) in enumerate([(x, y), (x + width, y), (x, y + height)]):
            plane = cv2.imread(str(look / f"octave{octave}_difference{i}.tif"), cv2.IMREAD_UNCHANGED)
            np.testing.assert_array_equal(packed[top : top + height, left : left + width], plane)
        x, y = x + width, y + height
    assert "packed" in octavo("inspect", "a.png", "-o", "look", "--packed")  # says which differences are shown


def test_point(octavo, inspect):
    keypoints = json.loads(octavo("extract", "a.png", "--json"))["keypoints"]
    point = inspect()["point"]
    assert point["response"] == max(k["response"] for k in keypoints)
    octavo("extract", "a.png", "-o", ".", "--format", "npz")
    archive = np.load(octavo.folder / "a.png.npz")
    for x, y in ((20, 100), (130.5, 12)):
        point = inspect("--point", f"{x},{y}")["point"]
        nearest = np.argmin(np.hypot(archive["keypoints"][:, 0] - x, archive["keypoints"][:, 1] - y))
        assert (point["x"], point["y"]) == pytest.approx(tuple(archive["keypoints"][nearest, :2].tolist()))
        same = archive["keypoints"][:, 3] == np.float32(point["orientation"])
        assert any(list(d) == point["descriptor"] for d in archive["descriptors"][same].tolist())


def test_text(octavo, image):
    output = octavo("inspect", image, "-o", "look")
    lines = output.splitlines()
    assert lines[0].split()[:3] == ["octave", "pixels", "faint"] and "kept" in lines[0]
    assert lines[1].split()[:2] == ["-1", "320x256"]
    assert re.search(r"^page +look/index.html \(\d+\.\d MB\)$", output, re.MULTILINE)


def test_page_needs_no_network(octavo, image):
    octavo("inspect", image, "-o", "look")
    page = (octavo.folder / "look/index.html").read_text()
    assert not re.search(r"https?://|src=[\"'](?!data:)|@import|url\((?!data:|#)", page)
    assert len(page) < 2e6


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.slow
def test_page_of_very_many_candidates_is_bounded_and_says_so(octavo):
    random, size = np.random.default_rng(4), (1200, 900)
    noise = sum(
        cv2.resize(random.normal(size=(900 // k, 1200 // k)), size, interpolation=cv2.INTER_CUBIC) for k in (2, 3, 4, 6)
    )
    Image.fromarray(np.clip(128 + 25 * noise, 0, 255).astype(np.uint8)).save(octavo.folder / "noise.png")
    octavo("inspect", "noise.png", "-o", "look", "--contrast-threshold", 0.001)
    page = (octavo.folder / "look/index.html").read_text()
    assert len(page) < 10e6
    data, output = data_of(page), json.loads((octavo.folder / "look/inspect.json").read_text())
    held = len(data["candidates"]["x"])
    assert data["candidates"]["count"] == len(output["candidates"]) > 25000
    assert 19000 < held < 20500
    assert len(data["keypoints"]["x"]) == 5000 < data["keypoints"]["count"]
    assert 1000 <= len(data["keypoints"]["descriptor"]) <= 1001
    share = held / len(output["candidates"])  # the same share, the strongest, of every octave and verdict
    for octave in output["octaves"]:
        for v, name in enumerate(VERDICTS):
            all_of = sorted(
                abs(c["value"]) for c in output["candidates"] if (c["octave"], c["verdict"]) == (octave["octave"], name)
            )
            shown = [
                abs(x)
                for x, o, w in zip(*(data["candidates"][k] for k in ("value", "octave", "verdict")))
                if (o, w) == (octave["octave"], v)
            ]
            assert len(shown) == pytest.approx(share * len(all_of), rel=0.05, abs=21)
            assert not shown or min(shown) == pytest.approx(all_of[-len(shown)], abs=1e-5)


def test_a_name_that_could_end_the_script(octavo, texture):
    name = "a<\\script><b>&'.png"
    Image.fromarray(texture()).save(octavo.folder / name)
    octavo("inspect", name, "-o", "look")
    page = (octavo.folder / "look/index.html").read_text()
    assert data_of(page)["image"] == name


def test_flat_and_tiny_images(octavo):
    Image.new("RGB", (60, 50), (9, 90, 200)).save(octavo.folder / "flat.png")
    Image.new("L", (3, 1), 5).save(octavo.folder / "tiny.png")
    for name, octaves in (("flat.png", 4), ("tiny.png", 0)):
        octavo("inspect", name, "-o", name + ".look", "--packed")
        output = json.loads((octavo.folder / f"{name}.look/inspect.json").read_text())
        assert len(output["octaves"]) == octaves and output["point"] is None and output["candidates"] == []
        assert output["keypoints"] == []
        assert not (octavo.folder / f"{name}.look/descriptor.png").exists()


def test_an_image_of_more_than_16384_pixels_a_side(octavo, texture):
    """OpenCV's remap and warpAffine go no further."""
    Image.fromarray(np.tile(texture(500, 40), (1, 34))).save(octavo.folder / "a.png")
    octavo("inspect", "a.png", "-o", "look", "--full", "--point", "16900,20")
    look = octavo.folder / "look"
    output = json.loads((look / "inspect.json").read_text())
    octaves = {o["octave"]: (o["width"], o["height"]) for o in output["octaves"]}
    assert octaves[-1] == (34000, 80) and octaves[0] == (17000, 40)
    for octave, size in octaves.items():
        assert opened(look / f"octave{octave}_blur0.png").size == size
    assert opened(look / "keypoints.png").size == (17000, 40)
    assert output["point"]["x"] > 16384
    kept = np.asarray(opened(look / "keypoints.png").convert("RGB"))[:, 16384:].astype(int)
    assert (np.ptp(kept, axis=2) > 0).any(), "keypoints are drawn at the far end too"


def test_words_for_what_is_not_there(octavo):
    Image.new("L", (1, 1), 5).save(octavo.folder / "one.png")
    Image.new("L", (60, 50), 128).save(octavo.folder / "flat.png")
    output = octavo("inspect", "one.png", "-o", "look")
    assert re.match(
        r"no octaves: the image, 1x1 pixels, is too small; an octave needs 12 pixels each way, 4 with repeated smoothing\n",
        output,
    )
    assert "--point" not in output and "there are no keypoints" in output
    assert "there are no keypoints, so --point shows nothing" in octavo(
        "inspect", "flat.png", "-o", "look", "--point", "5,5"
    )
    assert np.unique(np.asarray(opened(octavo.folder / "look/octave0_blur2.png"))).tolist() == [128]


def test_bad_calls(octavo, image):
    assert "--output" in octavo.error(2, "inspect", image)
    assert '--point is "12", but must be X,Y' in octavo.error(2, "inspect", image, "-o", "look", "--point", "12")
    assert '"1,nan"' in octavo.error(2, "inspect", image, "-o", "look", "--point", "1,nan")
    assert "--point is 160,3" in octavo.error(2, "inspect", image, "-o", "look", "--point", "160,3")
    assert "--device" in octavo.error(2, "inspect", image, "-o", "look", "--device", "abacus")
    assert not (octavo.folder / "look").exists()
    assert "--layers is 9" in octavo.error(2, "inspect", image, "-o", "look", "--layers", 9)
    assert "nowhere.png" in octavo.error(1, "inspect", "nowhere.png", "-o", "look")
    Image.new("L", (4, 4)).save(octavo.folder / "mask.png")
    sentence = octavo.error(1, "inspect", image, "-o", "look", "--mask", "mask.png")
    assert "--mask mask.png is 4x4 pixels, but a.png is 160x128" in sentence
    assert not (octavo.folder / "look").exists()
    (octavo.folder / "file").touch()
    assert "file" in octavo.error(1, "inspect", image, "-o", "file")
