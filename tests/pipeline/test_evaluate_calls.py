"""octavo evaluate names what is broken, and what is wrong in a call."""

import json
import os
import re
import shutil

import numpy as np
import pytest
from PIL import Image

from evaluate_data import write


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
            '--configuration is "a", but there is one of this name already',
        ),
        (
            2,
            ["empty", "--features", "a=empty", "--features", "a=empty"],
            '--features is "a", but there is one of this name already',
        ),
        (2, ["empty", "--configuration", "a: --bogus 3"], "--configuration: a: unknown option '--bogus'"),
        (2, ["empty", "--configuration", "a: bogus"], "--configuration: a: 'bogus' is no option"),
        (2, ["empty", "--features", "x"], '--features is "x", but must be of the form'),
        (2, ["empty", "--features", "x=none"], '--features is "none", but there is no such folder'),
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
    octavo.told.append("U+FFFD stands for bytes that are not UTF-8")
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
