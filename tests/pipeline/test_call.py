"""The command line: manuals, version, and wrong calls."""

import functools
import os
import re
import shlex
import shutil
import subprocess

import pytest

from conftest import Octavo

COMMANDS = [
    *(
        "",
        "extract",
        "describe",
        "match",
        "pairs",
        "align",
        "colmap",
        "mosaic",
        "sfm",
        "export",
        "evaluate",
        "evaluate corners",
        "evaluate robustness",
        "evaluate crops",
    ),
    *("filter", "filter trilateral", "inspect", "video", "video frames", "video keypoints"),
    *(
        "video index",
        "video list",
        "video forget",
        "video search",
        "video duplicates",
        "video report",
        "video review",
        "video verdict",
        "video compare",
        "video affinity",
        "video takes",
        "video places",
    ),
    *(
        "merge",
        "devices",
        "selftest",
        "bench",
        "bench extract",
        "bench filter",
        "bench match",
        "bench pyramid",
        "bench report",
    ),
    "completion",
    "help",
]

# The operands of each command, as words. None of the files exists.
OPERANDS = {
    "extract": ["no.png"],
    "describe": ["no.png", "--keypoints", "no.npz"],
    "match": ["no.png", "no.png"],
    "pairs": ["no.png", "-o", "pairs.txt"],
    "align": ["no.png", "no.png"],
    "colmap": ["no.png", "-d", "no.db"],
    "mosaic": ["no.png", "no2.png"],
    "sfm": ["no.png", "-o", "out"],
    "export": ["no.png", "-o", "out", "--to", "ply"],
    "inspect": ["no.png", "-o", "out"],
    "evaluate": ["no.png"],
    "evaluate corners": ["no.png"],
    "evaluate robustness": ["no.png"],
    "evaluate crops": ["no.png"],
    "filter trilateral": ["no.png", "-o", "out.png"],
    "video frames": ["no.png.mp4"],
    "video keypoints": ["no.png.mp4"],
    "video compare": ["no.png.mp4", "no.png.mp4"],
    "video index": ["no.png.mp4", "--index", "archive"],
    "video report": ["--index", "no.png", "-o", "out.html"],
    "video review": ["--index", "no.png"],
    "video takes": ["no.png.mp4"],
    "video places": ["no.png"],
    "bench extract": ["no.png"],
    "bench filter": ["no.png"],
    "bench pyramid": ["no.png"],
}
# The operands with which an option has an effect, where these are others.
OPERANDS_OF = {
    ("match", "--feature-memory"): ["no.png*"],
    **{("mosaic", option): ["no.png", "no2.png", "-o", "out.png"] for option in ("--bands", "--image-memory")},
    **{("extract", option): ["no.png.mp4"] for option in ("--every", "--fps", "--size")},
    ("sfm", "--max-frames"): ["no.png.mp4", "-o", "out"],
    **{("inspect", option): ["no.png.mp4", "-o", "out"] for option in ("--frame", "--time", "--size")},
}
# What an option needs to have an effect.
NEEDED = {
    ("match", "--threshold"): ["--verify", "homography"],
    ("match", "--confidence"): ["--verify", "homography"],
    ("match", "--max-iterations"): ["--verify", "homography"],
    **{
        (command, option): ["--verify", "usac"]
        for command in ("colmap", "sfm")
        for option in ("--threshold", "--confidence", "--max-iterations", "--seed", "--method")
    },
    ("describe", "--max-orientations"): ["--orient"],
    ("pairs", "--overlap"): ["--by", "sequential"],
    ("pairs", "--metres"): ["--by", "gps"],
    ("align", "--bands"): ["-o", "out.png"],
    "--grid": ["--max-features", 9],
    "--trilateral-truncate": ["--smoothing", "trilateral"],
    **{(command, "--trilateral-truncate"): [] for command in ("filter trilateral", "bench filter")},
    "--pool-from": ["--pool", 3],
    "--pool-to": ["--pool", 3],
    ("evaluate", "--examples"): ["-o", "out.html"],
    ("video keypoints", "--tail"): ["-o", "out.mp4"],
    ("video places", "--max-drawings"): ["-o", "out.html"],
    ("bench extract", "--in-flight"): ["--mode", "throughput"],
    ("bench extract", "--stream"): ["--mode", "throughput"],
}
FOAGDD = ["--directions", "--verify-scales", "--rho", "--window", "--corner-threshold"]  # SIFT has no such options


def commands_of(manual):
    section = re.search(r"^Commands:\n((?:  \S.*\n)+)", manual, re.MULTILINE)
    return re.findall(r"^  (\S+)", section[1], re.MULTILINE) if section else []


def options_of(manual):
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", manual, re.MULTILINE)


def ranges_of(manual):
    """(option, lowest, highest) for every range that a manual names."""
    text = r"^  (?:-\w, )?(--[\w-]+) .*\n((?:      .*\n)+)"
    for option, words in re.findall(text, manual, re.MULTILINE):
        found = re.search(r"Range: (-?[\d.]*\d) to (-?[\d.]*\d)", re.sub(r"\s+", " ", words))
        if found:
            yield option, found[1], found[2]


@pytest.fixture(scope="module")
def manual(tmp_path_factory):
    """The manual of a command."""
    octavo = Octavo(tmp_path_factory.mktemp("manuals"))
    return functools.cache(lambda command: octavo(*command.split(), "--help"))


def test_every_command_is_known_here(manual):
    found = [""]
    for command in found:
        found += [f"{command} {child}".strip() for child in commands_of(manual(command))]
    assert sorted(found) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_manual(octavo, manual, command):
    text = manual(command)
    assert text.startswith(f"octavo {command}".strip() + " - ")
    for part in ("Usage: octavo", "Options:\n", "  -h, --help\n", "\nExamples:\n", "\nExit codes:\n  0  "):
        assert part in text
    assert max(map(len, text.splitlines())) <= 80
    assert "\n\n\n" not in text
    assert text == octavo(*command.split(), "-h")


def test_help_prints_the_manual_of_a_command(octavo, manual):
    for command in COMMANDS:
        assert octavo("help", *command.split()) == manual(command)


def test_help_of_an_unknown_command_lists_those_that_are_there(octavo):
    commands = "extract, filter, match, pyramid and report"
    assert octavo.error(2, "help", "bench", "frob") == f"octavo: unknown command 'frob'; octavo bench has {commands}\n"
    assert octavo.error(2, "help", "extarct") == "octavo: unknown command 'extarct'; did you mean extract?\n"
    assert octavo.error(2, "help", "merge", "x") == "octavo: unknown command 'x'; octavo merge has no commands\n"


def test_manuals_name_every_option(octavo, manual):
    for command in COMMANDS:
        offered = octavo("completion", "--line", *command.split(), "--").splitlines()
        words = {line.split("\t")[0] for line in offered[1:]}
        assert {word for word in words if word.startswith("--")} == set(options_of(manual(command))), command


@pytest.mark.parametrize(
    "command, options",
    [
        (
            "extract",
            "--output --format --max-features --rank --grid --descriptor --upright --mask --preset --first-octave "
            "--device --isa --threads --draw --json --recursive --contrast-threshold --edge-threshold --layers --sigma "
            "--max-octaves --max-orientations --luma --assumed-blur",
        ),
        (
            "describe",
            "--keypoints --orient --output --json --estimate --detector --preset --descriptor --upright "
            "--max-orientations --first-octave --layers --sigma --luma --device --isa --threads",
        ),
        ("match", "--output --json --ratio --no-mutual --max-distance2 --device --threads"),
        (
            "pairs",
            "--by --neighbours --overlap --quadratic --metres --size --features --image --output --json --device",
        ),
        ("align", "--output --json --ratio --no-mutual --threshold --method --confidence --seed --threads"),
        (
            "mosaic",
            "--output --json --model --projection --bands --max-canvas --no-seams --draw-graph --draw-seams --threads",
        ),
        (
            "evaluate",
            "--configuration --features --per-sequence --json --output --max-features --ratio --threshold --threads",
        ),
        ("evaluate corners", "--tolerance --features --per-image --json --detector --threads"),
        ("evaluate robustness", "--kinds --images --noise-seed --configuration --json --output --max-features --ratio"),
        (
            "evaluate crops",
            "--crop-sizes --changes --size --noise-seed --configuration --json --output --max-features --ratio",
        ),
        (
            "inspect",
            "--output --mask --point --packed --full --float --preset --layers --max-features --device --threads",
        ),
        (
            "filter trilateral",
            "--output --spatial-sigma --trilateral-window --luma --no-exif-rotation --device --isa --threads",
        ),
        ("devices", "--json"),
        ("selftest", "--device --isa --threads --json"),
        ("bench extract", "--rounds --warmup --json --sizes --mode --in-flight --stream --threads --preset"),
        ("bench filter", "--rounds --warmup --json --sizes --spatial-sigma --trilateral-window --threads --device"),
        ("bench match", "--rounds --warmup --json --descriptor-counts --seed --threads"),
        ("bench pyramid", "--rounds --warmup --json --sizes --grey-on --output --preset --luma --threads"),
    ],
)
def test_promised_options(manual, command, options):
    assert set(options.split()) <= set(options_of(manual(command)))


@pytest.fixture(scope="module")
def first_command(manual):
    """The first command that names a range. Commands share their tables of options."""
    named = [(found, command) for command in OPERANDS for found in ranges_of(manual(command))]
    return dict(reversed(named))


def operands_of(command, option):
    """The operands and options with which an option of a command has an effect."""
    operands = OPERANDS_OF.get((command, option), OPERANDS[command])
    operands = operands + (["--detector", "foagdd"] if option in FOAGDD else [])
    if option == "--descriptor-scale":
        operands = (
            operands
            + ["--detector", "foagdd"]
            + (["--describe"] if command in ("extract", "inspect", "bench extract", "evaluate corners") else [])
        )
    needed = NEEDED.get((command, option), NEEDED.get(option, []))
    if "gpu" not in option and command != "video frames" and "--by" not in needed:
        operands = operands + ["--device", "cpu"]  # no search for devices
    return operands + needed


def must_be_outside(octavo, command, option, lowest, highest, outside):
    value = f"{outside:.12g}" if outside == int(outside) else f"{outside:.6g}"
    sentence = octavo.error(2, *command.split(), option, value, *operands_of(command, option))
    assert option in sentence and value in sentence, sentence
    for bound in (lowest, highest):
        assert f"{float(bound):.6g}" in sentence or bound in sentence, sentence


@pytest.mark.slow
@pytest.mark.parametrize("command", OPERANDS)
def test_ranges_in_the_manual_are_those_of_the_program(octavo, manual, command, first_command):
    ranges = list(ranges_of(manual(command)))
    assert len(ranges) >= (0 if command == "export" else 3 if "filter" in command or "video" in command else 10)
    for option, lowest, highest in ranges:
        if first_command[option, lowest, highest] != command:
            continue
        for inside in (lowest, highest):  # the options are right, but the files do not exist
            shutil.rmtree(octavo.folder / "archive", ignore_errors=True)  # archives and databases keep their settings
            (octavo.folder / "no.db").unlink(missing_ok=True)
            done = octavo.call(*command.split(), option, inside, *operands_of(command, option))
            assert done.returncode == 1 and "no.png" in done.stderr, done
        for outside in (float(lowest) - 1, float(highest) + 1):
            if option != "--edge-threshold" or outside != 0:  # the value 0 switches the test off
                must_be_outside(octavo, command, option, lowest, highest, outside)


@pytest.mark.slow
@pytest.mark.parametrize("command", OPERANDS)
def test_shared_options_have_their_ranges_in_every_command(octavo, manual, command, first_command):
    for option, lowest, highest in ranges_of(manual(command)):
        if first_command[option, lowest, highest] != command:
            must_be_outside(octavo, command, option, lowest, highest, float(highest) + 1)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        # commands and arguments
        ("", "no command given (see octavo --help)"),
        ("bench", "no job given (see octavo bench --help)"),
        ("filter", "no filter given (see octavo filter --help)"),
        ("extrakt a.png", "unknown command 'extrakt'; did you mean extract?"),
        ("panorama", "unknown command 'panorama'; octavo has extract, describe, match, pairs, align, colmap, sfm, export, mosaic, evaluate, filter, inspect, video, merge, devices, "
                     "selftest, bench, completion and help"),
        ("bench extrakt", "unknown command 'extrakt'; did you mean extract?"),
        ("mosiac a.png b.png -o m.png", "unknown command 'mosiac'; did you mean mosaic?"),
        ("video serch a.mp4 --index DIR", "unknown command 'serch'; did you mean search?"),
        ("--bogus mosiac", "unknown option '--bogus' of octavo (see octavo --help)"),
        ("filter nosuch", "unknown command 'nosuch'; octavo filter has trilateral"),
        ("filter nosuch x.png", "unknown command 'nosuch'; octavo filter has trilateral"),
        ("evaluate robustnes x.png", "unknown command 'robustnes'; did you mean robustness?"),
        ("evaluate", "octavo evaluate needs ROOT (see octavo evaluate --help)"),
        ("extract", "octavo extract needs IMAGE (see octavo extract --help)"),
        ("match a.png", "B is missing: one image alone has no pair"),
        ("align", "octavo align needs A and B (see octavo align --help)"),
        ("filter trilateral a.png", "octavo filter trilateral needs --output (see octavo filter trilateral --help)"),
        ("align a.png b.png c.png", "'c.png' is one argument too many: octavo align takes A and B"),
        ("devices cpu", "'cpu' is one argument too many: octavo devices takes none"),
        ("bench match a.png b.png c.png", "3 of IMAGE are given, but octavo bench match takes at most 2"),
        ("bench match a.png", "one IMAGE is given, but must be two or none"),
        # options
        ("--verbose", "unknown option '--verbose' of octavo (see octavo --help)"),
        ("--versio", "unknown option '--versio' of octavo; did you mean --version?"),
        ("extract --max-feature 3 a.png", "unknown option '--max-feature' of octavo extract; did you mean --max-features?"),
        ("extract --max_features=3 a.png", "unknown option '--max_features' of octavo extract; did you mean --max-features?"),
        ("extract a.png -x", "unknown option '-x' of octavo extract (see octavo extract --help)"),
        ("devices --device cpu", "unknown option '--device' of octavo devices (see octavo devices --help)"),
        ("bench report a.png --device cpu", "unknown option '--device' of octavo bench report; did you mean --devices?"),
        ("inspect a.png --outptu x", "unknown option '--outptu' of octavo inspect; did you mean --output?"),
        ("evaluate --json corners a", "--json stands before corners, but must stand behind it"),
        ("evaluate corners a --json --per-image", "--per-image has no effect with --json"),
        ("evaluate --json crops a.png", "--json stands before crops, but must stand behind it"),
        ("evaluate --json robustness a.png", "--json stands before robustness, but must stand behind it"),
        # values
        ("extract a.png --output", "--output has no value, but needs DIR"),
        ("extract a.png --rank", "--rank has no value, but needs response|scale|scaled-response"),
        ("extract a.png --threads", "--threads has no value, but needs N"),
        ("extract a.png --json=maybe", "--json takes no value"),
        ("extract ''", 'IMAGE is "", but must be the name of a file'),
        ("extract a.png -o ''", '--output is "", but must be the name of a folder'),
        ("extract a.png --mask ''", '--mask is "", but must be the name of a file'),
        ("match '' b.png", 'A is "", but must be the name of a file'),
        ("match a.png b.png -o ''", '--output is "", but must be the name of a file'),
        ("evaluate ''", 'ROOT is "", but must be the name of a folder'),
        ("extract a.png --threads two", '--threads is "two", but must be a whole number'),
        ("extract a.png --threads 1.5", '--threads is "1.5", but must be a whole number'),
        ("extract a.png --threads 5x", '--threads is "5x", but must be a whole number'),
        ("extract a.png --threads ''", '--threads is "", but must be a whole number'),
        ("extract a.png --threads -1", "--threads is -1, but must be between 0 and 1024"),
        ("extract a.png --threads 99999999999", "--threads is 99999999999, but must be between 0 and 1024"),
        ("extract a.png --threads 99999999999999999999", "--threads is 99999999999999999999, but must be between 0 and 1024"),
        ("extract a.png --sigma wide", '--sigma is "wide", but must be a number'),
        ("extract a.png --sigma 1.6px", '--sigma is "1.6px", but must be a number'),
        ("extract a.png --sigma 1e400", "--sigma is 1e400, but must be between 0.8 and 4"),
        ("extract a.png --sigma ' 2'", '--sigma is " 2", but must be a number'),
        ("extract a.png --contrast-threshold nan", "--contrast-threshold is nan, but must be between 0 and 1"),
        ("extract a.png --gpu-memory -1", "--gpu-memory is -1, but must be between 0 and 2147483647"),
        ("extract a.png --gpu-memory 1x", '--gpu-memory is "1x", but must be a whole number'),
        ("bench match --seed -1", "--seed is -1, but must be between 0 and 4294967295"),
        ("bench extract a.png --rounds 0", "--rounds is 0, but must be between 1 and 1000000"),
        ("bench report a.png --seconds -1", "--seconds is -1, but must be between 0 and 1000000"),
        ("bench match --descriptor-counts 100,many", '--descriptor-counts is "many", but must be a whole number'),
        ("bench match --descriptor-counts 0", "--descriptor-counts is 0, but must be between 1 and 1000000"),
        ("bench extract a.png --sizes 640", '--sizes is "640", but must be WxH with sides of 1 to 65535 pixels, such as 640x480'),
        ("bench extract a.png --sizes 640x480,2", '--sizes is "2", but must be WxH'),
        ("bench extract a.png --sizes 0x480", '--sizes is "0x480", but must be WxH'),
        ("bench report a.png --max-features 0", '--max-features is "0", but must be a whole number above 0, or all'),
        ("inspect a.png -o x --point 3", '--point is "3", but must be X,Y in pixels, such as 310,122.5'),
        ("extract a.png --smoothing none", '--smoothing is "none", but must be one of gaussian, trilateral'),
        ("extract a.png --rank scales", '--rank is "scales", but must be one of response, scale, scaled-response; did you mean scale?'),
        ("extract a.png -o x --format jsn", '--format is "jsn", but must be one of colmap, npz, json, hloc; did you mean json?'),
        ("extract a.png --preset colmpa", '--preset is "colmpa", but must be one of octavo, best, sfm, wide, signature, lowe2004, opencv, colmap, ece277, '
                                          "mizuno2015, tsp2023; did you mean colmap?"),
        ("extract a.png --detector fogdd", '--detector is "fogdd", but must be one of sift, foagdd; did you mean foagdd?'),
        ("align a.png b.png --method magsc", "did you mean magsac?"),
        ("filter trilateral a.png -o b.png --trilateral-window round", '--trilateral-window is "round", but must be one of power-of-two, certified'),
        ("bench extract a.png --mode fast", '--mode is "fast", but must be one of latency, throughput'),
        ("evaluate robustness a.png --kinds rotate", '--kinds is "rotate", but must be one of rotation, '),
        ("evaluate robustness a.png --kinds rotate", "did you mean rotation?"),
        ("completion tcsh", 'SHELL is "tcsh", but must be one of bash, zsh, fish'),
        ("extract a.png --device cup", "did you mean cpu?"),
        ("extract a.png --device ''", '--device is "", but this machine has auto, '),
        ("extract a.png --isa portble", "did you mean portable?"),
        ("extract a.png --isa mmx", '--isa is "mmx", but this machine has auto, '),
        ("bench report a.png --devices abacus", '--devices is "abacus", but this machine has auto, '),
        ("bench report a.png --devices cpu@x", '--devices is "cpu@x", but needs a whole number of threads from 1 to 1024'),
        ("match a.png b.png --ratio 1.01", "--ratio is 1.01, but must be between 0.0001 and 1"),
        ("match a.png b.png --max-distance2 -1", "--max-distance2 is -1, but must be between 0 and 4294967295"),
        ("align a.png b.png --confidence 1", "--confidence is 1, but must be between"),
        # configurations, which are command lines within the command line
        ("evaluate crops a.png --changes nois:5", '--changes is "nois", but must be one of clean, noise, '),
        ("evaluate crops a.png --changes noise", '--changes is "noise", but must be clean or NAME:STRENGTH, such as noise:15'),
        ("evaluate crops a.png --changes jpeg:101", "--changes is 101, but must be between 1 and 100"),
        ("evaluate crops a.png --crop-sizes 15x100", '--crop-sizes is "15x100", but must have sides of 16 to 65535 pixels'),
        ("evaluate robustness a.png --configuration x", "--configuration is \"x\", but must be of the form 'NAME: OPTIONS'"),
        ("evaluate robustness a.png --configuration 'x: --layer 3'", "--configuration: x: unknown option '--layer'; did you mean --layers?"),
        ("evaluate robustness a.png --configuration 'x: --layers 99'", "--configuration: x: --layers is 99, but must be between 1 and 8"),
        ("evaluate robustness a.png --configuration 'x: --grid 4'", "--configuration: x: --grid has no effect without --max-features"),
        ("evaluate a --features x", "--features is \"x\", but must be of the form 'NAME=DIR'"),
    ],
)  # fmt: skip
def test_wrong_call(octavo, arguments, sentence):
    assert sentence in octavo.error(2, *shlex.split(arguments))


def test_a_file_that_looks_like_an_option(octavo):
    (octavo.folder / "-a.png").write_bytes(b"no image")
    assert "'-a.png' is taken for an option: the file is './-a.png'" in octavo.error(2, "extract", "-a.png")


@pytest.mark.parametrize(
    "arguments, circumstance",
    [
        ("extract a.png --grid 4 --max-features 0", "without --max-features"),
        ("extract a.png --max-features 0 --rank scale", "without --max-features"),
        ("extract a.png --preset opencv --rank scale", "without --max-features"),
        ("extract a.png --detector foagdd --grid 4", "without --max-features"),
        ("extract a.png --trilateral-range gradients", "without --smoothing trilateral"),
        ("inspect a.png -o x --trilateral-window certified", "without --smoothing trilateral"),
        ("match a.png b.png --trilateral-schedule direct --smoothing gaussian", "without --smoothing trilateral"),
        ("extract a.png --max-orientations 2 --upright", "with --upright"),
        ("extract a.png --detector foagdd --upright", "with --detector foagdd without --describe"),
        ("extract a.png --detector foagdd --layers 3", "with --detector foagdd"),
        ("extract a.png --directions 4", "with --detector sift"),
        ("match a.png b.png --preset colmap --detector foagdd", "with --detector foagdd"),
        ("extract a.png --format json", "without --output"),
        ("describe a.png --keypoints a.npz --upright", "without --orient"),
        ("describe a.png --keypoints a.npz --max-orientations 2", "without --orient"),
        ("extract a.png --draw", "without --output"),
        ("extract a.png --device reference --isa portable", "with --device reference"),
        ("extract a.png --threads 2 --device reference", "with --device reference"),
        ("extract a.png --isa portable --device opencl:0", "with --device opencl:0"),
        ("extract a.png --device cuda:0,cuda:1 --isa portable", "with --device cuda:0,cuda:1"),
        ("extract a.png --gpu-memory 100 --device cpu", "with --device cpu"),
        ("bench match --layers 2", "without IMAGE"),
        ("bench match --no-exif-rotation", "without IMAGE"),
        ("bench pyramid --no-exif-rotation", "without IMAGE"),
        ("bench pyramid --preset tsp2023 --assumed-blur 1", "with --smoothing repeated"),
        ("bench match a.png b.png --descriptor-counts 3", "with IMAGE"),
        ("bench match a.png b.png --seed 3", "with IMAGE"),
        ("bench match --ratio 0.7", "without --job match"),
        ("bench extract a.png --stream 3", "with --mode latency"),
        ("bench report a.png --max-features all --grid 4", "with --max-features all"),
        ("bench report a.png --trilateral-range gradients", "without --smoothing trilateral"),
        ("bench filter a.png --device cpu -o a.html", "with --output"),
        ("bench filter a.png --threads 1 --devices cpu", "with --devices"),
        ("bench filter a.png --trilateral-order rows --devices cpu", "with --devices"),
        ("evaluate a --json --per-sequence", "with --json"),
        ("evaluate a --grid 4", "without --max-features"),
        ("evaluate robustness a.png --kinds rotation --noise-seed 3", "without the change noise"),
        ("evaluate crops a.png --changes clean --noise-seed 3", "without the change noise"),
        ("evaluate crops a.png --examples 2", "without --output"),
        ("devices --json --isas", "with --isas"),
        ("extract a.png --target-features 9 --contrast-threshold 0.1", "with --target-features"),
        ("extract a.png --target-features 9 --max-features 9", "with --target-features"),
        ("extract a.png --target-features 9 --rank scale", "with --target-features"),
        ("extract a.png --target-features 9 --grid 4", "with --target-features"),
        ("extract a.png --recursive", "without a folder"),
        ("extract a.mp4 --no-exif-rotation", "with a video"),
        ("inspect a.mp4 -o x --no-exif-rotation", "with a video"),
        ("colmap a.png -d a.db --recursive", "without a folder"),
        ("colmap a.png -d a.db --device cpu --gpu-feature-memory 100", "with --device cpu"),
        ("pairs a.png --json --by exhaustive --device cpu", "without --by retrieval"),
        ("pairs a.png --json --by sequential --max-pixels 9", "without --by retrieval"),
        ("pairs --features a --json --no-exif-rotation", "with --features"),
        ("pairs --features a.h5 --json --recursive", "with --features of one file"),
        ("video keypoints a.mp4 --tail 3", "without --output"),
        ("mosaic a.png b.png --bands 3", "without --output"),
        ("mosaic a.png b.png --no-seams", "without --output or --draw-seams"),
        ("video report --index a --csv a.csv --device cpu", "without clips and -o"),
        ("video report --index a --csv a.csv --patience 3", "without clips, -o and --exact-ends"),
        ("video takes --index a --rough-cuts --patience 3", "with --rough-cuts and without --output"),
        ("evaluate a --luma bt601 --configuration 'x: --preset opencv --luma bt709'", "with --configuration: no configuration uses this value"),
        ("evaluate a --luma bt709 --configuration 'x: --preset opencv' --configuration y:", "on --configuration 'x: --preset opencv', which sets it too: give it there"),
        ("evaluate a --luma bt709 --configuration 'x: --detector foagdd'", "on --configuration 'x: --detector foagdd', which sets it too: give it there"),
        ("evaluate a --layers 3 --configuration 'x: --detector foagdd'", "with --configuration: no configuration uses this value"),
        ("evaluate a --grid 4 --configuration x:", "with --configuration: no configuration uses this value"),
        ("evaluate a --ratio 0.7 --configuration 'x: --ratio 0.8'", "with --configuration: no configuration uses this value"),
        ("evaluate a --preset colmap --configuration 'x: --preset opencv'", "with --configuration: no configuration uses this value"),
        ("evaluate crops a --edge-threshold 9 --configuration 'x: --smoothing trilateral'", "on --configuration 'x: --smoothing trilateral', which sets it too: give it there"),
    ],
)  # fmt: skip
def test_an_option_without_effect_is_refused(octavo, arguments, circumstance):
    sentence = octavo.error(2, *shlex.split(arguments))
    assert re.fullmatch(rf"octavo: --[\w-]+ has no effect {circumstance}\n", sentence), sentence


@pytest.mark.parametrize(
    "arguments",
    [
        "extract no.png --grid 4 --max-features 100",
        "extract no.png --rank response --preset colmap",
        "extract no.png --trilateral-range gradients --preset mizuno2015",
        "extract no.png --detector foagdd --upright --describe",
        "extract no.png --isa portable --threads 2 --gpu-memory 100",  # auto may take the cpu or a GPU
        "extract no.png --threads 2 --device cpu --isa portable",
        "extract no.png --max-orientations 2",
        "extract no.png --layers 99 --layers 3",  # the last one counts
        "extract no.png --threads +2",
        "extract --json=true no.png",
        "extract -- no.png",
        "bench report no.png --max-features 100,all --grid 4",
        "evaluate no.png --grid 4 --configuration 'x: --max-features 100'",
        "evaluate no.png --max-features 100 --configuration 'x: --preset opencv --grid 4'",
        "evaluate no.png --layers 3 --ratio 0.7 --configuration 'x: --detector foagdd' --configuration y:",
        "evaluate no.png --luma bt601 --configuration 'x: --preset opencv'",  # it has the same one
        "extract no.png* --recursive",
        "extract no.png.mp4 --mask no.png --no-exif-rotation --max-pixels 9",
    ],
)
def test_an_option_with_effect_is_taken(octavo, arguments):
    """The call is right, but the file does not exist."""
    assert "no.png" in octavo.error(1, *shlex.split(arguments))


def test_the_manual_says_what_an_option_needs(manual):
    def text_of(command, option):
        text = re.search(rf"^  (?:-\w, )?{option}\b.*\n((?:      .*\n)+)", manual(command), re.MULTILINE)[1]
        return re.sub(r"\s+", " ", text)

    assert "Only with --max-features." in text_of("extract", "--grid")
    assert "Only with --smoothing trilateral." in text_of("inspect", "--trilateral-range")
    assert "Not with --upright." in text_of("match", "--max-orientations")
    assert "Only with --describe." in text_of("extract", "--descriptor-scale")
    assert "--describe" not in text_of("match", "--descriptor-scale")  # this command always describes


def test_version(octavo):
    assert octavo("--version") == f"octavo {os.environ['OCTAVO_VERSION']}\n"


def test_the_program_does_not_load_all_codecs_of_opencv(octavo):
    """Debian's imgcodecs loads GDAL and about 100 more libraries, which takes longer than a small job."""
    loaded = subprocess.run(["ldd", octavo.path], capture_output=True, text=True, check=True).stdout
    assert "libopencv_core" in loaded and not re.search("libopencv_imgcodecs|libgdal", loaded)


def test_full_disk_is_noticed(octavo):
    if not os.path.exists("/dev/full"):
        pytest.skip("lacks /dev/full")
    with open("/dev/full", "w") as full:
        for arguments in (["devices"], ["--help"], ["completion", "bash"]):
            done = octavo.call(*arguments, stdout=full)
            assert done.returncode == 1
            assert re.fullmatch("octavo: cannot write to [^\n]+\n", done.stderr)


@pytest.mark.parametrize(
    "call, option, value",
    [
        (("bench", "match", "--descriptor-counts", "10,,20"), "--descriptor-counts", "10,,20"),
        (("bench", "extract", "no.png", "--sizes", "64x64,"), "--sizes", "64x64,"),
        (("bench", "filter", "no.png", "--sizes", ",64x64"), "--sizes", ",64x64"),
        (("bench", "report", "no.png", "--sizes", "64x64,,80x80"), "--sizes", "64x64,,80x80"),
        (("bench", "report", "no.png", "--max-features", "5,,all"), "--max-features", "5,,all"),
        (("bench", "report", "no.png", "--devices", ","), "--devices", ","),
        (("evaluate", "robustness", "no.png", "--kinds", "noise,"), "--kinds", "noise,"),
        (("match", "a.png", "b.png", "--verify", "essential", "--camera", "1,,2,3"), "--camera", "1,,2,3"),
        (("match", "a.png", "b.png", "--verify", "essential", "--camera", 9, "--camera-b", ""), "--camera-b", ""),
    ],
)
def test_an_empty_entry_of_a_list_is_refused(octavo, call, option, value):
    sentence = f'octavo: {option} is "{value}", but must have an entry before and after each comma\n'
    assert octavo.error(2, *call) == sentence


def test_an_empty_name_in_a_list_of_devices_is_refused(octavo):
    sentence = 'octavo: --device is ",cuda:0", but must have a device before and after each comma\n'
    assert octavo.error(2, "extract", "no.png", "--device", ",cuda:0") == sentence


def test_of_a_list_that_is_given_twice_the_last_counts(octavo):
    output = octavo(
        "bench", "match", "--descriptor-counts", "10,20", "--descriptor-counts", "30", "--rounds", 1, "--warmup", 0
    )
    assert "30 x 30" in output and "10 x 10" not in output
