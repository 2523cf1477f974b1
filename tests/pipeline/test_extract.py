"""octavo extract: its files as other programs read them, and the effects of its options."""

import json

import numpy as np
import pytest
from PIL import Image

from features import from_colmap, from_json


@pytest.fixture
def image(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    return "a.png"


def test_json(octavo, image):
    output = json.loads(octavo("extract", image, "--json"))
    assert list(output) == ["image", "keypoints", "seconds"]
    assert output["image"] == image
    assert 0 < output["seconds"] < 600
    assert len(output["keypoints"]) > 20
    for keypoint in output["keypoints"]:
        assert list(keypoint) == ["x", "y", "scale", "orientation", "response"]
        assert -0.5 <= keypoint["x"] <= 159.5 and -0.5 <= keypoint["y"] <= 127.5
        assert keypoint["scale"] > 0 and keypoint["response"] > 0
        assert 0 <= keypoint["orientation"] < 2 * np.pi


def test_json_of_several_is_an_array(octavo, image, texture):
    Image.fromarray(texture(seed=2)).save(octavo.folder / "b.png")
    output = json.loads(octavo("extract", "a.png", "b.png", "--json"))
    assert [entry["image"] for entry in output] == ["a.png", "b.png"]
    (octavo.folder / "b.png").unlink()
    output = json.loads(octavo("extract", "*.png", "--json"))
    assert [entry["image"] for entry in output] == ["a.png"]


def test_files_agree(octavo, image):
    """COLMAP text, NumPy archive and JSON hold the same features."""
    for kind in ("colmap", "npz", "json"):
        octavo("extract", image, "--output", "out", "--format", kind)
    out = octavo.folder / "out"
    assert sorted(file.name for file in out.iterdir()) == [
        "a.png.json",
        "a.png.npz",
        "a.png.txt",
        "octavo-manifest.jsonl",
    ]

    archive = np.load(out / "a.png.npz", allow_pickle=False)
    assert sorted(archive.files) == ["descriptors", "keypoints", "octave_layer"]
    keypoints, octave_layer, descriptors = archive["keypoints"], archive["octave_layer"], archive["descriptors"]
    assert (keypoints.dtype, octave_layer.dtype, descriptors.dtype) == (np.float32, np.int32, np.uint8)
    count = len(keypoints)
    assert count > 20
    assert keypoints.shape == (count, 5) and octave_layer.shape == (count, 2) and descriptors.shape == (count, 128)
    assert octave_layer[:, 0].min() >= -1 and set(octave_layer[:, 1]) <= {1, 2, 3, 4}
    np.testing.assert_allclose(np.linalg.norm(descriptors.astype(float), axis=1), 512, atol=40)

    np.testing.assert_array_equal(from_json((out / "a.png.json").read_text()).astype(np.float32), keypoints)

    colmap_keypoints, colmap_descriptors = from_colmap(out / "a.png.txt")
    np.testing.assert_array_equal(colmap_descriptors, descriptors)
    np.testing.assert_allclose(colmap_keypoints[:, :2], keypoints[:, :2] + 0.5, atol=1e-3)
    np.testing.assert_allclose(colmap_keypoints[:, 2:], keypoints[:, 2:4], rtol=1e-4, atol=1e-6)


def test_default_format_is_colmap(octavo, image):
    octavo("extract", image, "--output", "out")
    assert [file.name for file in (octavo.folder / "out").glob("a.*")] == ["a.png.txt"]


def test_json_can_accompany_files(octavo, image):
    output = octavo("extract", image, "--output", "out", "--format", "npz", "--json")
    assert len(np.load(octavo.folder / "out/a.png.npz")["keypoints"]) == len(json.loads(output)["keypoints"])


def test_draw(octavo, image, texture):
    octavo("extract", image, "--output", "out", "--draw")
    with Image.open(octavo.folder / "out/a.png.keypoints.png") as drawn:
        assert (drawn.size, drawn.mode) == ((160, 128), "RGB")
        assert np.any(np.asarray(drawn) != np.asarray(Image.fromarray(texture()).convert("RGB")))


def test_a_target_of_keypoints(octavo, image):
    """The N strongest, whatever the threshold; the number of keypoints is what a user asks for."""

    def keypoints(*options):
        return json.loads(octavo("extract", image, "--json", "--device", "cpu", *options))["keypoints"]

    usual = len(keypoints("--contrast-threshold", 0.04))
    for target in (usual // 2, usual + 20):
        found = keypoints("--target-features", target)
        assert len(found) == target
        assert found == keypoints("--contrast-threshold", 0, "--max-features", target, "--rank", "response")
    assert len(keypoints("--target-features", 10**6)) == len(keypoints("--contrast-threshold", 0))
    for option in (["--contrast-threshold", 0.1], ["--max-features", 5]):
        message = octavo.error(2, "extract", image, "--target-features", 9, *option)
        assert f"{option[0]} has no effect with --target-features" in message


@pytest.mark.usefixtures("opencl")
def test_several_images_in_flight_on_several_gpus(octavo, texture):
    devices = json.loads(octavo("devices", "--json"))
    gpus = [device["name"] for device in devices if ":" in device["name"] and device["conformant"]]
    if not gpus:
        pytest.skip("lacks a GPU: neither CUDA nor OpenCL offers one")
    for seed in range(13):
        Image.fromarray(texture(seed=seed)).save(octavo.folder / f"{seed:02}.png")
    (octavo.folder / "05.png").write_bytes(b"no image")

    def outcome(device):
        done = octavo.call("extract", "*.png", "--json", "--device", device)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "05.png" in done.stderr
        return [(entry["image"], entry["keypoints"]) for entry in json.loads(done.stdout)]

    expected = outcome("cpu")
    assert [image for image, _ in expected] == [f"{seed:02}.png" for seed in range(13) if seed != 5]
    for device in (gpus[0], f"{gpus[0]},{gpus[0]}", gpus[0].split(":")[0] + ":all"):
        assert outcome(device) == expected


def test_output_that_is_a_file(octavo, image):
    (octavo.folder / "out").touch()
    assert "out" in octavo.error(1, "extract", image, "--output", "out")


def test_output_that_is_named_like_a_file(octavo, image):
    message = octavo.error(2, "extract", image, "--format", "npz", "--output", "a.npz")
    assert "a.npz" in message and "folder" in message
    assert not (octavo.folder / "a.npz").exists()
    (octavo.folder / "old.npz").mkdir()
    octavo("extract", image, "--format", "npz", "--output", "old.npz")
    assert (octavo.folder / "old.npz").is_dir()


def test_mask(octavo, image):
    everything = from_json(octavo("extract", image, "--json"))
    half = np.zeros((128, 160), np.uint8)
    half[:, :80] = 255
    colour = np.zeros((128, 160, 4), np.uint8)  # half of it is 1 in blue, 0 in red and green; alpha is 255
    colour[:, :80, 2], colour[:, :, 3] = 1, 255
    for mask in (half, half.astype(np.uint16) * 257, colour):
        Image.fromarray(mask).save(octavo.folder / "mask.png")
        kept = from_json(octavo("extract", image, "--json", "--mask", "mask.png"))
        assert 0 < len(kept) < len(everything)
        np.testing.assert_array_equal(kept, everything[np.floor(everything[:, 0] + 0.5) < 80])


def test_mask_of_another_size(octavo, image):
    Image.fromarray(np.full((100, 100), 255, np.uint8)).save(octavo.folder / "mask.png")
    sentence = octavo.error(1, "extract", image, "--mask", "mask.png")
    assert "mask" in sentence and "100" in sentence and "160" in sentence and "128" in sentence


def test_mask_that_cannot_be_read(octavo, image):
    assert "none.png" in octavo.error(1, "extract", image, "--mask", "none.png")


def test_budget(octavo, image):
    everything = from_json(octavo("extract", image, "--json"))
    ranks = {
        "response": lambda keypoints: keypoints[:, 4],
        "scale": lambda keypoints: keypoints[:, 2],
        "scaled-response": lambda keypoints: keypoints[:, 4] * np.minimum(keypoints[:, 2], 3),
    }
    for name, rank in ranks.items():
        best = octavo("extract", image, "--json", "--max-features", 10, "--rank", name)
        assert sorted(rank(from_json(best))) == sorted(rank(everything))[-10:]
    assert from_json(best).tolist() == from_json(octavo("extract", image, "--json", "--max-features", 10)).tolist()


def test_budget_of_points(octavo, image):
    """The points of an upright extraction, each with the keypoints that it has without a budget."""

    def found(*options):
        return json.loads(octavo("extract", image, "--json", *options))["keypoints"]

    def place(keypoint):
        return [keypoint[name] for name in ("x", "y", "scale")]

    best = [place(k) for k in found("--upright", "--max-features", 20)]
    four = ("--max-orientations", 4)
    expected = [k for k in found("--max-features", 0, *four) if place(k) in best]
    assert found("--max-points", 20, *four) == expected and len(expected) > 20
    assert found("--preset", "lowe2004", "--max-points", 9, "--rank", "scale") != []
    assert len(found("--preset", "sfm", "--max-features", 20)) == 20
    assert octavo.error(2, "extract", image, "--json", "--max-features", 9, "--max-points", 5) == (
        "octavo: --max-features has no effect with --max-points\n"
    )


def test_upright(octavo, image):
    keypoints = from_json(octavo("extract", image, "--json", "--upright"))
    assert len(keypoints) > 20 and np.all(keypoints[:, 3] == 0)


def test_rootsift(octavo, image):
    octavo("extract", image, "--output", ".", "--descriptor", "rootsift")
    _, descriptors = from_colmap(octavo.folder / "a.png.txt")
    np.testing.assert_allclose(np.linalg.norm(descriptors, axis=1), 512, atol=40)
    octavo("extract", image, "--output", ".", "--descriptor", "sift")
    assert np.any(from_colmap(octavo.folder / "a.png.txt")[1] != descriptors)


def test_first_octave(octavo, image):
    doubled, plain = (from_json(octavo("extract", image, "--json", "--first-octave", n)) for n in (-1, 0))
    assert doubled[:, 2].min() < 1.6 <= plain[:, 2].min()


def test_options_override_the_preset_in_any_order(octavo, image):
    def keypoints(*options):
        return from_json(octavo("extract", image, "--json", *options))

    lowe = keypoints("--preset", "lowe2004")
    assert len(lowe) < len(keypoints("--preset", "opencv"))
    before = keypoints("--contrast-threshold", "0.04", "--preset", "lowe2004")
    after = keypoints("--preset", "lowe2004", "--contrast-threshold", "0.04")
    np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(after, keypoints("--preset", "opencv", "--luma", "bt709"))
    np.testing.assert_array_equal(keypoints("--preset", "octavo"), keypoints())


def test_an_option_given_twice_takes_the_last(octavo, image):
    assert len(from_json(octavo("extract", image, "--json", "--max-features", 3, "--max-features", 5))) == 5


def test_every_device_gives_the_same_file(octavo, image):
    choices = [["--device", "reference"], []]
    for device in json.loads(octavo("devices", "--json")):
        choices += [
            ["--device", device["name"], "--isa", isa, "--threads", n] for isa in device["isas"] for n in (1, 7)
        ]
    assert len(choices) > 3
    files = set()
    for choice in choices:
        octavo("extract", image, "--output", "out", *choice)
        files.add((octavo.folder / "out/a.png.txt").read_bytes())
    assert len(files) == 1


def test_a_second_image_gives_what_it_gives_alone(octavo, image, texture):
    Image.fromarray(texture(200, 90, seed=5)).save(octavo.folder / "b.png")
    together = json.loads(octavo("extract", "a.png", "b.png", "--json"))
    for entry in together:
        assert entry["keypoints"] == json.loads(octavo("extract", entry["image"], "--json"))["keypoints"]


def test_grey_on_the_host(octavo):
    """A third of the bytes goes to a GPU, rounded: a colour image has nearly the keypoints that it has otherwise, a grey one the same."""
    pixels = np.random.default_rng(3).integers(0, 256, (12, 16, 3), np.uint8)
    Image.fromarray(pixels).resize((240, 180), Image.Resampling.BICUBIC).save(octavo.folder / "colour.png")
    Image.open(octavo.folder / "colour.png").convert("L").save(octavo.folder / "grey.png")
    of = {
        (name, where): json.loads(octavo("extract", f"{name}.png", "--json", "--grey-on", where))["keypoints"]
        for name in ("colour", "grey")
        for where in ("device", "host")
    }
    assert of["grey", "device"] == of["grey", "host"] and len(of["grey", "host"]) > 50
    assert of["colour", "device"] != of["colour", "host"]
    assert len(of["colour", "host"]) == pytest.approx(len(of["colour", "device"]), rel=0.1)
