"""The pages of man have the text of the manuals, and are what man reads."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import Octavo
from test_call import COMMANDS

SCRIPT = Path(__file__).parents[2] / "cli" / "man" / "make_pages.sh"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of the pages."""
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([SCRIPT, Octavo(folder).path, folder, "2001-02-03"], check=True, timeout=60)
    return folder


def page_of(folder, command):
    return folder / f"{'-'.join(['octavo', *command.split()])}.1"


def shown(program, *arguments):
    if shutil.which(program) is None:
        pytest.skip(f"lacks {program}")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def condensed(text):
    """The text without spaces, so that lines may be broken elsewhere."""
    return re.sub(r"\s", "", text).lower()


def test_every_command_has_a_page(pages):
    assert {path.name for path in pages.iterdir()} == {page_of(pages, command).name for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_says_all_that_the_manual_says(octavo, pages, command):
    text = condensed(shown("man", "--warnings=w", "-E", "ascii", "-l", page_of(pages, command)))
    head, _, *lines = octavo("help", *command.split()).splitlines()
    assert condensed(head.replace(" - ", "-").partition("-")[2]) in text
    for line in lines:
        line = re.sub("^(Usage): ", "", line)
        line = re.sub(r"^(  [A-Z]+): ", r"\1 ", line)  # an argument and its words
        line = re.sub(r"^(\S.*):$", r"\1", line)
        assert condensed(line) in text, line


def test_pages_are_without_fault(pages):
    assert shown("mandoc", "-Tlint", *sorted(pages.iterdir())) == ""


def test_a_page_has_its_date_version_and_neighbours(pages):
    text = page_of(pages, "video").read_text()
    assert re.match(r'\.TH "OCTAVO\\-VIDEO" 1 "2001-02-03" "Octavo \d+\.\d+\.\d+" ', text)
    assert ".BR octavo (1) ,\n.BR octavo\\-video\\-frames (1) ,\n" in text
    assert text.endswith(".BR octavo\\-video\\-forget (1)\n")
