"""octavo mosaic: images that overlap become one, and those that do not are named."""

import json

import cv2
import numpy as np
import pytest

FEATURES = ["--max-features", 1500]


def scene(width, height, seed=1):
    """Blobs of all sizes and colours."""
    random = np.random.default_rng(seed)
    sum = np.full((height, width, 3), 127.0)
    for sigma in (2, 5, 12):
        sum += cv2.GaussianBlur(random.normal(0, 60 * sigma, sum.shape), None, sigma)
    return np.clip(sum, 0, 255).astype(np.uint8)


def parts(folder, whole, places, name="part"):
    names = []
    for i, (x, y, width, height) in enumerate(places):
        names.append(f"{name}{i}.png")
        cv2.imwrite(str(folder / names[-1]), whole[y : y + height, x : x + width])
    return names


def test_parts_of_a_scene(octavo):
    whole = scene(480, 220)
    names = parts(octavo.folder, whole, [(0, 0, 220, 220), (260, 0, 220, 220), (130, 0, 220, 220)])
    files = ["-o", "all.tif", "--draw-graph", "graph.png", "--draw-seams", "seams.png"]
    output = json.loads(octavo("mosaic", *names, *files, "--json", *FEATURES))
    assert output["found"] and output["reason"] is None
    assert (output["model"], output["projection"], output["distortion"]) == ("similarity", "plane", False)
    assert [image["status"] for image in output["images"]] == ["placed"] * 3
    assert output["held_out"] < 0.3 and output["warnings"] == []
    used = [pair for pair in output["pairs"] if pair["status"] == "used"]
    assert {(pair["image_a"], pair["image_b"]) for pair in used} >= {(names[0], names[2]), (names[1], names[2])}
    assert all(pair["residual"] < 0.5 for pair in used)
    assert abs(output["canvas"]["width"] - 480) <= 1 and abs(output["canvas"]["height"] - 220) <= 1
    mosaic = cv2.imread(str(octavo.folder / "all.tif"), cv2.IMREAD_UNCHANGED)
    assert mosaic.shape == (output["canvas"]["height"], output["canvas"]["width"], 4)
    assert (mosaic[5:-5, 5:-5, 3] == 255).all()
    inner = np.s_[5:210, 5:470]
    assert np.abs(mosaic[..., :3][inner].astype(int) - whole[inner]).mean() < 3
    for image in ("graph.png", "seams.png"):
        assert cv2.imread(str(octavo.folder / image)).std() > 10


def test_a_pattern_in_a_corner_decides_nothing(octavo, photograph):
    """Behind the aloe hangs a printed cloth: a corner of it agrees with another corner, and the whole overlap does not."""
    wide = cv2.imread(str(photograph("aloeL.jpg")))[240:540, 100:1100]
    names = ["left.jpg", "middle.jpg", "right.jpg"]
    for name, x in zip(names, (0, 150, 300)):
        cv2.imwrite(str(octavo.folder / name), wide[:, x : x + 380])
    for some in (names, names[::2]):
        output = json.loads(octavo("mosaic", *some, "--json"))
        assert [image["status"] for image in output["images"]] == ["placed"] * len(some)
        assert abs(output["canvas"]["width"] - 680) <= 2


def test_outputs_are_different_files(octavo):
    names = parts(octavo.folder, scene(360, 200), [(0, 0, 220, 200), (140, 0, 220, 200)])
    for other in ("m.png", "./m.png"):
        assert "are the same file" in octavo.error(2, "mosaic", *names, "-o", "m.png", "--draw-seams", other, *FEATURES)
    assert not (octavo.folder / "m.png").exists()


def test_text_names_what_is_left_out(octavo):
    names = parts(octavo.folder, scene(360, 200), [(0, 0, 220, 200), (140, 0, 220, 200), (0, 0, 220, 200)])
    names += parts(octavo.folder, scene(200, 200, 2), [(0, 0, 200, 200)], "other")
    text = octavo("mosaic", *names, "-o", "all.png", *FEATURES)
    assert "images       2 of 4\n" in text and "model        similarity\n" in text
    assert "left out     part2.png: it is the same image as 'part0.png'\n" in text
    assert "left out     other0.png: it overlaps no other image: " in text
    assert cv2.imread(str(octavo.folder / "all.png"), cv2.IMREAD_UNCHANGED).shape[2] == 4


def test_a_cropped_mosaic_has_no_empty_places(octavo):
    names = parts(octavo.folder, scene(480, 260), [(0, 0, 250, 220), (120, 25, 250, 230), (230, 10, 250, 220)])
    files = ["-o", "all.png", "--draw-graph", "graph.png", "--draw-seams", "seams.png"]
    uncut = json.loads(octavo("mosaic", *names, "--json", *FEATURES))["canvas"]
    canvas = json.loads(octavo("mosaic", *names, *files, "--crop", "--json", *FEATURES))["canvas"]
    mosaic = cv2.imread(str(octavo.folder / "all.png"), cv2.IMREAD_UNCHANGED)
    assert mosaic.shape == (canvas["height"], canvas["width"], 4) and (mosaic[..., 3] == 255).all()
    # All columns, and the rows that all parts have.
    assert abs(canvas["width"] - 480) <= 2 and abs(canvas["height"] - 210) <= 2
    assert abs(canvas["top"] - uncut["top"] - 10) <= 2 and abs(canvas["left"] - uncut["left"]) <= 1
    assert cv2.imread(str(octavo.folder / "seams.png")).shape[0] < cv2.imread(str(octavo.folder / "graph.png")).shape[0]


def test_points_by_hand_join_blank_walls(octavo):
    folder = octavo.folder / "walls"
    folder.mkdir()
    for name, grey in (("left.png", 120), ("right.png", 140)):
        cv2.imwrite(str(folder / name), np.full((200, 300, 3), grey, np.uint8))
    assert octavo.call("mosaic", "walls").returncode == 1
    points = "# x and y in both\nleft.png 205 30 right.png 25 18\nwalls/right.png 110.5 158 left.png 290.5 170\n\n"
    (octavo.folder / "points.txt").write_text(points)
    output = json.loads(octavo("mosaic", "walls", "--points", "points.txt", "-o", "all.png", "--json"))
    assert (output["canvas"]["width"], output["canvas"]["height"]) == (480, 212)
    (pair,) = output["pairs"]
    assert pair["by_hand"] and (pair["status"], pair["inlier_count"]) == ("used", 2)
    assert "2 matches, 0.00 px, set by hand\n" in octavo("mosaic", "walls", "--points", "points.txt")
    (folder / "left.png").rename(folder / "to the left.png")
    (octavo.folder / "points.txt").write_text(points.replace("walls/", "").replace("left.png", '"to the left.png"'))
    assert "2 matches, 0.00 px, set by hand\n" in octavo("mosaic", "walls", "--points", "points.txt")
    (folder / "to the left.png").rename(folder / "left.png")
    (octavo.folder / "points.txt").write_text(
        points
        + "left.png 1 2 right.png 3\nleft.png 1 2 other.png 3 4\nleft.png 1 x right.png 3 4\nleft.png 1 2 left.png 3 4"
        + '\n"left.png 1 2 right.png 3 4'
    )
    done = octavo.call("mosaic", "walls", "--points", "points.txt", "--json")
    bad = [
        "line 5 of 'points.txt' has 5 words, but must have an image, x and y, and another image, x and y",
        "line 6 of 'points.txt' names 'other.png', which is not one of the images",
        "line 7 of 'points.txt' has 'x' where a number must be",
        "line 8 of 'points.txt' names 'left.png' twice, but must name two images",
        "line 9 of 'points.txt' has a quote without an end, or something right behind one",
    ]
    assert done.returncode == 1 and done.stderr.splitlines() == [f"octavo: {line}" for line in bad]
    assert json.loads(done.stdout)["problems"] == bad and json.loads(done.stdout)["found"]
    (octavo.folder / "points.txt").write_text("left.png 205 30 right.png 25 18")
    assert "have one point that is set by hand, but need two" in octavo.error(
        1, "mosaic", "walls", "--points", "points.txt"
    )
    assert "points.txt" in octavo.error(2, "mosaic", "walls", "--points", "points.txt", "-o", "points.txt")


def test_only_listed_pairs_are_matched(octavo):
    names = parts(octavo.folder, scene(460, 200), [(0, 0, 220, 200), (120, 0, 220, 200), (240, 0, 220, 200)])
    (octavo.folder / "pairs.txt").write_text(f"{names[2]} {names[1]}\n{names[2]} other.png\n")
    done = octavo.call("mosaic", *names, "--pairs", "pairs.txt", "--json", *FEATURES)
    assert done.returncode == 1 and "line 2 of 'pairs.txt' names 'other.png'" in done.stderr
    output = json.loads(done.stdout)
    assert [(pair["image_a"], pair["image_b"]) for pair in output["pairs"]] == [(names[1], names[2])]
    assert [image["status"] for image in output["images"]] == ["no_overlap", "placed", "placed"]


def test_two_panoramas(octavo):
    names = parts(octavo.folder, scene(460, 200), [(0, 0, 220, 200), (120, 0, 220, 200), (240, 0, 220, 200)])
    names += parts(octavo.folder, scene(360, 200, 2), [(0, 0, 220, 200), (140, 0, 220, 200)], "other")
    output = json.loads(octavo("mosaic", *names, "--json", *FEATURES))
    assert [image["status"] for image in output["images"]] == ["placed"] * 3 + ["second_panorama"] * 2
    assert output["images"][3]["reason"] == "it belongs to another panorama, with 'other1.png'"


def test_sixteen_bits_stay(octavo):
    whole = scene(360, 200).astype(np.uint16) * 250 + 77
    names = parts(octavo.folder, whole, [(0, 0, 220, 200), (140, 0, 220, 200)])
    octavo("mosaic", *names, "-o", "all.tif", *FEATURES)
    mosaic = cv2.imread(str(octavo.folder / "all.tif"), cv2.IMREAD_UNCHANGED)
    assert mosaic.dtype == np.uint16 and mosaic.shape[:2] == whole.shape[:2]
    assert np.abs(mosaic[..., :3].astype(int) - whole).mean() < 20  # 8 bits would be 64 off


def test_values_of_measurements_stay(octavo):
    kelvin = 273 + scene(360, 200)[..., 1].astype(np.float32) / 10
    kelvin[:, :120] += 15  # the tiles use other ranges
    bits10 = scene(360, 200)[..., 1].astype(np.uint16) * 4
    for whole, ending in ((kelvin, "tif"), (bits10, "tif"), (bits10, "png")):
        for i, x in enumerate((0, 140)):
            cv2.imwrite(str(octavo.folder / f"{i}.{ending}"), whole[10 * i :, x : x + 220])
        output = json.loads(octavo("mosaic", f"0.{ending}", f"1.{ending}", "-o", f"all.{ending}", "--json", *FEATURES))
        assert not output["exposure"]
        mosaic = cv2.imread(str(octavo.folder / f"all.{ending}"), cv2.IMREAD_UNCHANGED)
        assert mosaic.dtype == whole.dtype and mosaic.shape == (*whole.shape, 4)
        assert np.abs(mosaic[5:-5, 5:215, 0].astype(float) - whole[5:-5, 5:215]).mean() < np.ptp(whole) / 200
        nothing = mosaic[:8, 225:]
        assert (nothing[..., 3] == 0).all()
        if whole is kelvin:
            assert np.isnan(nothing[..., 0]).all()
    octavo("mosaic", "0.tif", "1.tif", "--exposure", "on", *FEATURES)


def test_missing_data_without_a_tag_are_holes(octavo):
    heights = 300 + scene(360, 200)[..., 1].astype(np.float32) / 10
    for i, x in enumerate((0, 140)):
        part = heights[:, x : x + 220].copy()
        if i == 0:
            part[60:110, 20:60] = part[60:110, 160:200] = -9999  # the other part shows the second hole
        cv2.imwrite(str(octavo.folder / f"{i}.tif"), part)
    octavo("mosaic", "0.tif", "1.tif", "-o", "all.tif", *FEATURES)
    mosaic = cv2.imread(str(octavo.folder / "all.tif"), cv2.IMREAD_UNCHANGED)
    assert np.isnan(mosaic[80:90, 30:50, 0]).all() and (mosaic[80:90, 30:50, 3] == 0).all()
    assert (mosaic[60:110, 160:200, 3] == 1).all()
    shown = mosaic[..., 3] == 1
    assert np.abs(mosaic[..., 0] - heights)[shown].max() < 3


@pytest.mark.parametrize("seed, reason", [(2, "no two images overlap"), (1, "the images are identical")])
def test_there_is_no_mosaic(octavo, seed, reason):
    names = parts(octavo.folder, scene(200, 160), [(0, 0, 200, 160)]) + parts(
        octavo.folder, scene(200, 160, seed), [(0, 0, 200, 160)], "b"
    )
    done = octavo.call("mosaic", *names, "-o", "all.tif", "--json", *FEATURES)
    assert (done.returncode, done.stderr) == (1, f"octavo: there is no mosaic: {reason}\n")
    output = json.loads(done.stdout)
    assert (output["found"], output["reason"]) == (False, reason)
    assert not (octavo.folder / "all.tif").exists()


def test_images_that_cannot_be_read_are_left_out(octavo):
    whole = scene(480, 220)
    names = parts(octavo.folder, whole, [(0, 0, 220, 220), (260, 0, 220, 220), (130, 0, 220, 220)])
    whole_file = (octavo.folder / names[0]).read_bytes()
    (octavo.folder / "empty.png").write_bytes(b"")
    (octavo.folder / "cut.png").write_bytes(whole_file[: len(whole_file) // 2])
    (octavo.folder / "text.jpg").write_text("no image")
    cv2.imwrite(str(octavo.folder / "dot.png"), whole[:1, :1])
    (octavo.folder / "nothing").mkdir()
    (octavo.folder / "more").mkdir()
    (octavo.folder / names[2]).rename(octavo.folder / "more" / names[2])
    places = [
        "gone.png",
        names[0],
        "nothing",
        "empty.png",
        "cut.png",
        "more",
        "dot.png",
        "text.jpg",
        names[1],
        "none*.png",
    ]
    done = octavo.call("mosaic", *places, "-o", "all.png", "--json", *FEATURES)
    assert done.returncode == 1
    output = json.loads(done.stdout)
    bad = [
        "nothing: the folder holds no images",
        "none*.png: no file matches",
        "gone.png",
        "empty.png",
        "cut.png",
        "text.jpg",
    ]
    assert len(output["problems"]) == len(bad)
    for problem, words in zip(output["problems"], bad):
        assert words in problem and f"octavo: {problem}\n" in done.stderr
    assert done.stderr.count("\n") == len(bad)
    statuses = {image["image"]: image["status"] for image in output["images"]}
    assert [file for file, status in statuses.items() if status == "failed"] == bad[2:]
    assert statuses["dot.png"] == "no_overlap"
    assert cv2.imread(str(octavo.folder / "all.png")).shape == (
        output["canvas"]["height"],
        output["canvas"]["width"],
        3,
    )
    assert abs(output["canvas"]["width"] - 480) <= 1


def test_one_readable_image_is_no_mosaic(octavo):
    names = parts(octavo.folder, scene(220, 200), [(0, 0, 220, 200)])
    (octavo.folder / "empty.png").write_bytes(b"")
    (octavo.folder / "nothing").mkdir()
    for places, sentence in (
        ([names[0], "empty.png"], "there is no mosaic: only one of the images can be read"),
        (["gone.png", "empty.png"], "there is no mosaic: no image can be read"),
        ([names[0], "nothing"], "a mosaic needs at least 2 images, but only one is found"),
        (["nothing"], "a mosaic needs at least 2 images, but none is found"),
    ):
        done = octavo.call("mosaic", *places, "-o", "all.png")
        assert done.returncode == 1 and done.stderr.endswith(f"octavo: {sentence}\n"), done.stderr
        assert not (octavo.folder / "all.png").exists()


def test_one_view_several_times_stays_as_it_is(octavo):
    random = np.random.default_rng(2)
    view = scene(300, 220).astype(float)
    for i, gain in enumerate((1, 0.8)):
        cv2.imwrite(str(octavo.folder / f"{i}.png"), np.clip(view * gain + random.normal(0, 3, view.shape), 0, 255))
    output = json.loads(octavo("mosaic", "0.png", "1.png", "--json", *FEATURES))
    assert (output["canvas"]["width"], output["canvas"]["height"]) == (300, 220)
    assert not output["distortion"] and output["vignetting"] == [0, 0]


def test_wrong_calls(octavo):
    names = parts(octavo.folder, scene(360, 200), [(0, 0, 220, 200), (140, 0, 220, 200)])
    for words, code, sentence in (
        ([names[0]], 2, "a mosaic needs at least 2 images, but only one is found"),
        ([*names, "-o", "all.xyz"], 2, ".xyz"),
        ([*names, "-o", names[0]], 2, names[0]),
        ([*names, "--bands", 9], 2, "--bands"),
        ([*names, "--max-canvas", 1000], 1, "more than the 1000 that are allowed"),
        (
            [*names, "--model", "similarity", "--projection", "sphere"],
            1,
            "the projection sphere is for a turning camera",
        ),
    ):
        done = octavo.call("mosaic", *words)
        assert done.returncode == code and sentence in done.stderr and done.stderr.count("\n") == 1, done.stderr
