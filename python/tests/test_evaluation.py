"""Evaluations: the numbers of the program, from Python."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import octavo

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

CONFIGURATIONS = {"sift": {}, "root": {"descriptor": "rootsift", "layers": 4}}
WORDS = ("--configuration", "sift:", "--configuration", "root: --descriptor rootsift --layers 4")


@pytest.fixture(scope="module")
def data(tmp_path_factory, texture):
    """A data set of two sequences."""
    folder = tmp_path_factory.mktemp("data")
    octavo.write(folder / "wall.png", texture(320, 240))
    octavo.evaluate_robustness(
        folder / "wall.png", kinds=["rotation", "noise"], made=folder / "made", max_features=50, device="cpu"
    )
    return folder


def assert_same_report(python, program):
    """All but the words of the options."""
    told, expected = json.loads(python), json.loads(program)
    for one in (*told["configurations"], *expected["configurations"]):
        one.pop("arguments", None)
        for pair in one["pairs"]:
            for name in [name for name in pair if name.endswith("seconds")]:
                del pair[name]
        for case in one.get("cases", []):
            del case["seconds"]
    assert told == expected


def assert_same_pairs(mine, told):
    """The arrays of a configuration are the numbers of the JSON."""
    pairs = told["pairs"]
    assert len(pairs) == len(mine.matches) > 0
    for attribute, name in (
        ("repeatability", "repeatability"),
        ("correspondence_share", "correspondence_share"),
        ("matching_accuracy", "matching_accuracy"),
        ("matches", "match_count"),
        ("correct", "correct_counts"),
        ("precision", "precision"),
        ("matching_score", "matching_score"),
        ("region_repeatability", "region_repeatability"),
    ):
        assert np.array_equal(getattr(mine, attribute), [pair[name] for pair in pairs]), name
    assert np.array_equal(mine.keypoints[:, 1], [pair["keypoint_count_b"] for pair in pairs])
    assert mine.homographies.shape == (len(pairs), 3, 3)
    found = [i for i, pair in enumerate(pairs) if pair["homography"]]
    assert np.array_equal(mine.homographies[found], [pairs[i]["homography"] for i in found])
    assert np.array_equal(mine.corner_errors[found], [pairs[i]["corner_error"] for i in found])


def assert_same_means(means, told):
    assert (means.pairs, means.keypoints) == (told["pair_count"], told["keypoint_count"])
    for attribute, name in (
        ("repeatability", "repeatability"),
        ("correct", "correct_counts"),
        ("homography_accuracy", "homography_accuracy"),
        ("homography_auc", "homography_auc"),
        ("corresponding_regions", "corresponding_region_counts"),
    ):
        assert np.array_equal(getattr(means, attribute), told[name]), name


def test_a_data_set(tmp_path, data, octavo_program):
    call = ("evaluate", data / "made", *WORDS, "--max-features", 200, "--device", "cpu", "--covisible-only")
    program = octavo_program(*call, "--json")
    of = octavo.evaluate(
        data / "made",
        CONFIGURATIONS,
        max_features=200,
        device="cpu",
        covisible_only=True,
        page=tmp_path / "page.html",
        examples=1,
    )
    assert_same_report(of.json, program)
    assert of.tables == octavo_program(*call)
    assert "<html" in (tmp_path / "page.html").read_text() and of.problems == []
    told = {one["name"]: one for one in json.loads(program)["configurations"]}
    assert list(of.configurations) == ["sift", "root"]
    for name, one in of.configurations.items():
        assert_same_pairs(one, told[name])
        assert set(one.means) == {"all", "illumination", "viewpoint"}
        for group, means in one.means.items():
            assert_same_means(means, told[name]["summary"][group])
        assert [means.pairs for means in one.sequences.values()] == [s["pair_count"] for s in told[name]["sequences"]]
    assert [str(pair.image_b) for pair in of.pairs] == [pair["image_b"] for pair in told["root"]["pairs"]]
    assert of.configurations["root"].arguments == "descriptor='rootsift', layers=4"


def test_refined_places(data, octavo_program):
    call = ("evaluate", data / "made", "--max-features", 200, "--device", "cpu", "--refine", "--json")
    of = octavo.evaluate(data / "made", max_features=200, device="cpu", refine=True)
    assert_same_report(of.json, octavo_program(*call))
    plain = octavo.evaluate(data / "made", max_features=200, device="cpu").configurations["octavo"]
    refined = of.configurations["octavo"]
    assert np.array_equal(refined.repeatability, plain.repeatability)
    assert refined.correct[:, 0].sum() > plain.correct[:, 0].sum()


def test_features_of_others(tmp_path, data):
    octavo.jobs.extract(data / "made", tmp_path, recursive=True, format="npz", device="cpu", max_features=100)
    of = octavo.evaluate(data / "made", {"here": {}, "there": tmp_path}, max_features=100, device="cpu")
    here, there = of.configurations.values()
    assert np.array_equal(here.correct, there.correct) and here.correct.any()


def test_robustness(tmp_path, data, octavo_program):
    call = ("evaluate", "robustness", data / "wall.png", "--kinds", "noise,scale", "--noise-seed", 3)
    program = octavo_program(*call, *WORDS, "--max-features", 100, "--device", "cpu", "--json")
    of = octavo.evaluate_robustness(
        data / "wall.png", CONFIGURATIONS, kinds=["noise", "scale"], noise_seed=3, max_features=100, device="cpu"
    )
    assert_same_report(of.json, program)
    for one, told in zip(of.configurations.values(), json.loads(program)["configurations"], strict=True):
        assert_same_pairs(one, told)
        for curve in told["curves"]:
            assert of.strengths[curve["kind"]] == [point["strength"] for point in curve["points"]]
            for means, point in zip(one.curves[curve["kind"]], curve["points"], strict=True):
                assert_same_means(means, point)
    assert {(pair.kind, pair.strength) for pair in of.pairs} >= {("noise", 2.0), ("scale", 4.0)}


def test_crops(data, octavo_program):
    call = ("evaluate", "crops", data / "wall.png", "--crop-sizes", "64x80", "--changes", "clean,noise:9")
    program = octavo_program(*call, *WORDS, "--device", "cpu", "--json")
    of = octavo.evaluate_crops(
        data / "wall.png", CONFIGURATIONS, sizes=[(64, 80)], changes=["clean", "noise:9"], device="cpu"
    )
    assert_same_report(of.json, program)
    for one, told in zip(of.configurations.values(), json.loads(program)["configurations"], strict=True):
        assert one.correct.tolist() == [pair["correct_count"] for pair in told["pairs"]]
        assert one.total_matches.tolist() == [case["match_count"] for case in told["cases"]]
        assert one.precision.tolist() == [case["precision"] for case in told["cases"]]
        assert one.seconds.shape == (2, 3)
    assert [(case.size, case.change, case.strength) for case in of.cases][1] == ((64, 80), "noise", 9.0)


def test_corners(tmp_path, octavo_program):
    image = np.full((80, 80), 40, np.uint8)
    image[20:60, 20:60] = 200
    octavo.write(tmp_path / "square.png", image)
    (tmp_path / "square.corners.txt").write_text("20 20\n59 20\n20 59\n59 59\n70 70\n")
    program = octavo_program("evaluate", "corners", tmp_path, "--detector", "foagdd", "--device", "cpu", "--json")
    of = octavo.evaluate_corners(tmp_path, detector="foagdd", device="cpu")
    told, expected = json.loads(of.json), json.loads(program)
    assert told == expected
    total = of.configurations["octavo"].total
    assert (total.labelled, total.matched) == (5, expected["configurations"][0]["summary"]["matched_count"])
    assert [str(image) for image in of.images] == ["square.png"] and total.recall == total.matched / 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"configurations": {"a": {"layers": 9}}}, "layers"),
        ({"configurations": {"a": {"layer": 3}}}, "layers"),
        ({"configurations": {"a": "none"}}, "no such folder"),
        ({"configurations": ["a"]}, "must be a dictionary"),
        ({"configurations": {"a": 3}}, "must be a dictionary"),
        ({"rati": 0.8}, "ratio"),
        ({"configurations": {"a": {"layers": 4}, "b": {"detector": "foagdd"}}, "layers": 3}, "layers has no effect"),
        ({"page": "none/page.html"}, "none"),
        ({"root": "nowhere"}, "nowhere"),
    ],
)
def test_what_is_wrong_is_told(data, options, words):
    with pytest.raises(octavo.Error, match=words):
        octavo.evaluate(**{"root": data / "made", "device": "cpu", **options})


def test_an_interruption(tmp_path, photograph):
    for i in range(6):
        os.symlink(photograph("graf1.png"), tmp_path / f"{i}.png")
    page = tmp_path / "page.html"
    pressed = []

    def press():
        time.sleep(1)
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        octavo.evaluate_robustness(tmp_path, device="cpu", page=page)
    assert time.process_time() - pressed[0] < 3 and not page.exists()
