"""Every command of README and docs is run, or is in the list of those that are only parsed, with a reason.

A block of code is run line by line in a folder with the files that it names (manual_inputs.py). So is a command in running text
that names what it works on; of one that does not, such as `octavo colmap --verify usac`, command and options must be there.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from detector_page import follow
from manual import PAGES, ROOT, Block, blocks_of, name_of, operands_of, spans_of
from manual_inputs import inputs  # noqa: F401

# Commands that are called where no file is. The program must accept the call: exit code 2 is a fault.
PARSED = {
    r"^octavo sfm ": "needs a mapper, and minutes",
    r"^octavo export out/undistorted ": "needs what COLMAP's image_undistorter writes",
    r"/dev/video0|-i raw ": "needs a camera",
    r"^octavo video review ": "serves a page until it is stopped",
    r"^octavo bench (extract|report|pyramid|filter) ": "measures for minutes; test_bench.py has short calls",
}
# Commands that take many seconds.
SLOW = r"index \$data|data/Megamind|--smoothing trilateral|^octavo selftest|^octavo bench match|^octavo evaluate (robustness|crops)|--shard|^octavo video|clip\.mp4|pan\.mp4"
# What stands for a file, or differs between machines.
STANDS_FOR = {
    r"\bPHOTO\.\.\.": "photos/*.jpg",
    r"\bPHOTO\b": "photo.jpg",
    r"\bLEFT RIGHT\b": "left.jpg right.jpg",
    r"\bLABELLED\b": "labelled",
    r"\bOPTIONS\b": "",
    r"\bCOMMAND\b": "extract",
    r"(?<=\s)/(?=(films|photographs|data)\b)": "",
    r"--device cuda:0": "--device cpu",
    r",cuda:0\b": "",
    r"--detector peaks": "--detector foagdd",  # test_added_detector.py builds the detector of the worked example
    r"--array=\S+|--dependency=\S+": "",
}
SHARDS = 8


def written(command):
    """The command as this machine can run it. `--shard 3/8` stands for each of the eight."""
    for pattern, word in STANDS_FOR.items():
        command = re.sub(pattern, word, command)
    if " --shard 3/8" in command:
        command = re.sub(r"\s#.*", "", command)
        return "; ".join(command.replace("-3", f"-{i}").replace("3/8", f"{i}/8") for i in range(1, SHARDS + 1))
    return command


def is_parsed(command):
    return any(re.search(pattern, command) for pattern in PARSED)


@pytest.fixture(scope="module")
def program():
    return os.environ.get("OCTAVO_PROGRAM") or pytest.fail("OCTAVO_PROGRAM does not name the program to test")


@pytest.fixture(scope="module")
def shell(program, tmp_path_factory):
    """Runs a line as a user's shell does. Returns its exit code, those of `octavo` in it, and what the error stream has."""
    tools = tmp_path_factory.mktemp("tools")
    codes = tools / "codes"
    scripts = {
        "octavo": f'{Path(program).resolve()} "$@"; code=$?; echo $code >> {codes}; exit $code',
        "sbatch": 'while [ "$1" != --wrap ]; do shift; done; SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 sh -e -c "$2"',
        "ffplay": "cat > /dev/null",
    }
    for name, script in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)

    def run(folder, line):
        codes.unlink(missing_ok=True)
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", line],
            cwd=folder,
            env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
        )
        ran = [int(code) for code in codes.read_text().split()] if codes.exists() else []
        return done.returncode, ran, done.stderr.strip()[-500:]

    return run


def help_of(program, words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def manuals(program):
    """The manual of each command, by its words."""

    def below(words):
        text = help_of(program, words)
        found = {words: text}
        listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
        for name in re.findall(r"^  ([a-z]+)\b", listed[1] if listed else "", re.MULTILINE):
            found |= below((*words, name))
        return found

    return below(())


def parts_of(command, manuals):
    """The name of a command in words, and the words behind it."""
    words = command.split()[1:]
    length = max(n for n in range(len(words) + 1) if tuple(words[:n]) in manuals)
    return tuple(words[:length]), words[length:]


def is_mention(span, manuals):
    """`octavo colmap --verify usac` and `octavo match A B` speak of a command; they are no whole call."""
    rest = parts_of(span, manuals)[1]
    return not operands_of(rest) or any(re.fullmatch(r"[A-Z]+\W*", word) for word in rest)


def unknown_in_mention(span, manuals):
    """Whether a command is spoken of that is not there, or that has not this option."""
    name, rest = parts_of(span, manuals)
    options = [word for word in rest if word.startswith("-")]
    has = all(re.search(rf"(?<![\w-]){option}(?![\w-])", manuals[name]) for option in options)
    if name == () and rest[:1] not in (["COMMAND"], ["--help"], ["--version"]):
        return True
    return not has


def is_known_to_dev(words):
    """Whether a line of the manual of ./dev has these words: "build [PRESET]" has `build` and `build release`."""
    manual = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    for line in re.findall(r"^  [a-z].*$", manual, re.MULTILINE):
        form = line[2:19] if line[18:19] == " " else line  # longer ones have their meaning below
        parts = []
        for part in form.split():
            word = part.strip("[]")
            parts.append(rf" {re.escape(word)}" if word.replace("-", "").islower() else r" \S+")
            if part.startswith("["):
                parts[-1] = f"(?:{parts[-1]})?"
        if re.fullmatch("".join(parts), " " + " ".join(words)):
            return True
    return False


def blocks_with_spans(page, manuals):
    yield from blocks_of(page)
    for span in spans_of(page):
        if span.startswith("./dev ") or not is_mention(span, manuals):
            yield Block(name_of(page), (span,))


def is_assignment(command):
    return re.match(r"\w+=\S+$", command) is not None


def faults_of(block, variables, shell, supply, empty):
    """Runs the commands of a block in their order, in a folder with what they name."""
    commands = [written(command) for command in block.commands]
    folder = supply("\n".join(command for command in commands if not is_parsed(command)))
    faults = []
    for original, command in zip(block.commands, commands):
        if is_assignment(command):
            continue
        if original.startswith("./dev "):
            for call in re.sub(r"\s#.*", "", original).split("&&"):
                if not is_known_to_dev(call.split()[1:]):
                    faults.append(f"{block.place}: {call}: ./dev has no such command")
        elif is_parsed(command):
            _, ran, told = shell(empty, command)
            if not ran or 2 in ran:
                faults.append(f"{block.place}: {original}: is not accepted: {told}")
        else:
            code, ran, told = shell(folder, variables + command)
            if code != 0 or (not ran and not command.startswith("ffmpeg ")):
                faults.append(f"{block.place}: {original}: exit code {code}: {told}")
    return faults


def check(page, slow, manuals, shell, supply, empty):
    faults, variables = [], ""
    for block in blocks_with_spans(page, manuals):
        variables += "".join(f"{command}\n" for command in block.commands if is_assignment(command))
        if any(re.search(SLOW, command) for command in block.commands) == slow:
            faults += faults_of(block, variables, shell, supply, empty)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands(page, manuals, shell, inputs, tmp_path):  # noqa: F811
    check(page, False, manuals, shell, inputs, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_slow_commands(page, manuals, shell, inputs, tmp_path):  # noqa: F811
    check(page, True, manuals, shell, inputs, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_that_are_mentioned_are_there(page, manuals):
    spans = [span for span in spans_of(page) if span.startswith("octavo ") and is_mention(span, manuals)]
    assert [span for span in spans if unknown_in_mention(span, manuals)] == []


@pytest.mark.parametrize("pattern", PARSED)
def test_each_reason_is_used(pattern):
    commands = [command for page in PAGES for block in blocks_of(page) for command in block.commands]
    commands += [span for page in PAGES for span in spans_of(page)]
    assert any(re.search(pattern, command) for command in commands)


def test_the_example_of_a_detector_is_added_by_the_letter(tmp_path):
    """test_added_detector.py builds it, which takes minutes."""
    for folder in ("docs/examples/peaks", "include/octavo", "src/engine", "tests/conformance"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    follow(tmp_path)
    assert (tmp_path / "include/octavo/peaks.h").is_file()
