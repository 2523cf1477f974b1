"""The command line: manuals, version, and wrong calls."""

import os
import re

import pytest

COMMANDS = [
    *("", "extract", "match", "align", "evaluate", "evaluate robustness", "filter", "filter trilateral", "inspect"),
    *("devices", "selftest", "bench", "bench extract", "bench filter", "bench match", "bench report", "completion"),
]

# The operands of each command, as words. None of the files exists.
OPERANDS = {
    "extract": ["no.png"],
    "match": ["no.png", "no.png"],
    "align": ["no.png", "no.png"],
    "inspect": ["no.png", "-o", "out"],
    "evaluate": ["no.png"],
    "evaluate robustness": ["no.png"],
    "filter trilateral": ["no.png", "-o", "out.png"],
    "bench extract": ["no.png"],
    "bench filter": ["no.png"],
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


def test_every_command_is_known_here(octavo):
    found = [""]
    for command in found:
        found += [f"{command} {child}".strip() for child in commands_of(octavo(*command.split(), "--help"))]
    assert sorted(found) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_manual(octavo, command):
    manual = octavo(*command.split(), "--help")
    assert manual.startswith(f"octavo {command}".strip() + " - ")
    for part in ("Usage: octavo", "Options:\n", "  -h, --help\n", "\nExamples:\n", "\nExit codes:\n  0  "):
        assert part in manual
    assert max(map(len, manual.splitlines())) <= 80
    assert "\n\n\n" not in manual
    assert manual == octavo(*command.split(), "-h")


@pytest.mark.parametrize("command", COMMANDS)
def test_manual_names_every_option(octavo, command):
    manual = octavo(*command.split(), "--help")
    script = octavo("completion", "bash")
    words = re.search(rf"'octavo{' ' + command if command else ''}'\) options='([^']*)'", script)[1]
    assert {word for word in words.split() if word.startswith("--")} == set(options_of(manual))


@pytest.mark.parametrize(
    "command, options",
    [
        (
            "extract",
            "--output --format --max-features --rank --grid --descriptor --upright --mask --preset --first-octave "
            "--device --isa --threads --draw --json --recursive --contrast-threshold --edge-threshold --layers --sigma "
            "--max-octaves --max-orientations --luma --assumed-blur",
        ),
        ("match", "--output --json --ratio --no-mutual --max-distance --device --threads"),
        ("align", "--output --json --ratio --no-mutual --threshold --method --confidence --seed --threads"),
        ("evaluate", "--setting --features --per-sequence --json --output --max-features --ratio --threshold --threads"),
        ("evaluate robustness", "--kinds --save --noise-seed --setting --json --output --max-features --ratio"),
        ("inspect", "--output --mask --point --packed --full --float --preset --layers --max-features --device --threads"),
        ("filter trilateral", "--output --sigma --window --luma --no-exif-rotation --device --isa --threads"),
        ("devices", "--json"),
        ("selftest", "--device --isa --threads --json"),
        ("bench extract", "--rounds --warmup --json --resize --mode --in-flight --stream --threads --preset"),
        ("bench filter", "--rounds --warmup --json --resize --sigma --window --threads --device"),
        ("bench match", "--rounds --warmup --json --sizes --seed --threads"),
    ],
)
def test_promised_options(octavo, command, options):
    assert set(options.split()) <= set(options_of(octavo(*command.split(), "--help")))


@pytest.mark.parametrize("command", OPERANDS)
def test_ranges_in_the_manual_are_those_of_the_program(octavo, command):
    ranges = list(ranges_of(octavo(*command.split(), "--help")))
    assert len(ranges) >= (3 if "filter" in command else 10)
    for option, lowest, highest in ranges:
        operands = OPERANDS[command] + (["--detector", "foagdd"] if option in FOAGDD else [])
        if option == "--descriptor-scale":
            operands = operands + ["--detector", "foagdd"] + (["--describe"] if "extract" in command else [])
        for inside in (lowest, highest):  # the options are right, but the files do not exist
            assert "no.png" in octavo.error(1, *command.split(), option, inside, *operands)
        for outside in (float(lowest) - 1, float(highest) + 1):
            if option == "--edge-threshold" and outside == 0:
                continue  # the value 0 switches the test off
            value = f"{outside:.12g}" if outside == int(outside) else f"{outside:.6g}"
            sentence = octavo.error(2, *command.split(), option, value, *operands)
            assert option in sentence and value in sentence, sentence
            for bound in (lowest, highest):
                assert f"{float(bound):.6g}" in sentence or bound in sentence, sentence


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], ["no command", "octavo --help"]),
        (["bench"], ["no job", "octavo bench --help"]),
        (["extrakt", "a.png"], ["unknown command", "extrakt"]),
        (["--verbose"], ["unknown", "--verbose"]),
        (["bench", "extrakt"], ["extrakt"]),
        (["extract"], ["IMAGE"]),
        (["filter"], ["no filter", "octavo filter --help"]),
        (["filter", "median", "a.png"], ["median"]),
        (["filter", "trilateral", "a.png"], ["--output"]),
        (["filter", "trilateral", "a.png", "-o", "b.png", "--window", "round"], ["--window", "round", "certified"]),
        (["match", "a.png"], ["B"]),
        (["align"], ["A"]),
        (["align", "a.png", "b.png", "c.png"], ["c.png"]),
        (["extract", "a.png", "--unknown"], ["--unknown"]),
        (["extract", "a.png", "--output"], ["--output"]),
        (["extract", "a.png", "--smoothing", "none"], ["--smoothing", "none", "gaussian", "trilateral"]),
        (["extract", "a.png", "--rank", "size"], ["--rank", "size", "response", "scale"]),
        (["extract", "a.png", "--format", "xml"], ["--format", "xml", "colmap", "npz", "json"]),
        (["extract", "a.png", "--preset", "vlfeat"], ["--preset", "vlfeat", "lowe2004", "opencv", "colmap", "ece277", "mizuno2015"]),
        (["extract", "a.png", "--threads", "two"], ["--threads", "two"]),
        (["extract", "a.png", "--threads", "1.5"], ["--threads", "1.5"]),
        (["extract", "a.png", "--threads", "99999999999"], ["--threads", "99999999999"]),
        (["extract", "a.png", "--sigma", "wide"], ["--sigma", "wide"]),
        (["extract", "a.png", "--contrast-threshold", "nan"], ["--contrast-threshold", "nan"]),
        (["extract", "a.png", "--max-features", "-1"], ["--max-features", "-1"]),
        (["extract", "a.png", "--device", "abacus"], ["--device", "abacus", "reference"]),
        (["extract", "a.png", "--isa", "mmx"], ["--isa", "mmx"]),
        (["extract", "a.png", "--format", "npz"], ["--format", "--output"]),
        (["extract", "a.png", "--draw"], ["--draw", "--output"]),
        (["match", "a.png", "b.png", "--ratio", "0"], ["--ratio", "0"]),
        (["match", "a.png", "b.png", "--ratio", "1.01"], ["--ratio", "1.01"]),
        (["match", "a.png", "b.png", "--max-distance", "nan"], ["--max-distance is nan", "2886"]),
        (["match", "a.png", "b.png", "--preset", "colmap", "--detector", "foagdd"], ["--preset", "no use", "foagdd"]),
        (["align", "a.png", "b.png", "--threshold", "0"], ["--threshold", "0"]),
        (["align", "a.png", "b.png", "--confidence", "1"], ["--confidence", "1"]),
        (["bench", "extract", "a.png", "--resize", "640"], ["--resize", "640", "WxH"]),
        (["bench", "extract", "a.png", "--resize", "0x480"], ["--resize", "0x480"]),
        (["bench", "extract", "a.png", "--resize", "640x480,2"], ["--resize", "'2'", "WxH"]),
        (["bench", "extract", "a.png", "--mode", "fast"], ["--mode", "fast", "latency", "throughput"]),
        (["bench", "extract", "a.png", "--rounds", "0"], ["--rounds", "0"]),
        (["bench", "match", "--sizes", "100,many"], ["--sizes", "many"]),
        (["bench", "match", "--sizes", "0"], ["--sizes", "0"]),
        (["bench", "match", "a.png"], ["IMAGE", "two"]),
        (["completion", "fish"], ["SHELL", "fish", "bash", "zsh"]),
    ],
)
def test_wrong_call(octavo, arguments, words):
    sentence = octavo.error(2, *arguments)
    for word in words:
        assert word in sentence


def test_version(octavo):
    assert octavo("--version") == f"octavo {os.environ['OCTAVO_VERSION']}\n"


def test_full_disk_is_noticed(octavo):
    if not os.path.exists("/dev/full"):
        pytest.skip("lacks /dev/full")
    with open("/dev/full", "w") as full:
        for arguments in (["devices"], ["--help"], ["completion", "bash"]):
            done = octavo.call(*arguments, stdout=full)
            assert done.returncode == 1
            assert re.fullmatch("octavo: cannot write to [^\n]+\n", done.stderr)
