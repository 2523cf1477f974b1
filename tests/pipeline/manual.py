"""The shell commands of README and docs: those in blocks of code, and those in running text."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
SHELL = ("", "sh", "bash", "console")
COMMAND = re.compile(r"(?:^|[|;&'] ?|\bdo )(?:octavo|\./dev) ")
HELPER = re.compile(r"(?:\w+=\S+|ffmpeg .*)$")  # lines that the commands below them need
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@dataclass(frozen=True)
class Block:
    """Commands that follow each other, and where they stand."""

    place: str
    commands: tuple


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def parted(text):
    """Blocks of code as (language, first line, lines), and the text without them."""
    blocks, prose = [], []
    block = None  # the lines of the block that is open
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
            block = [] if fenced else None
            if fenced:
                blocks.append((line[3:], number + 1, block))
        elif fenced:
            block.append(line)
        elif line.startswith("    "):
            if block is None:
                block = []
                blocks.append(("", number, block))
            block.append(line[4:])
        else:
            block = None if line else block  # an empty line does not end a block
            prose.append(line)
    return blocks, "\n".join(prose)


def joined(lines):
    r"""Lines with those behind a `\` at their end."""
    return re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()


def blocks_of(page):
    found = []
    for language, number, lines in parted(page.read_text())[0]:
        if language in SHELL:
            lines = [line.strip() for line in joined(lines)]
            commands = tuple(line for line in lines if COMMAND.search(line) or HELPER.match(line))
            if commands:
                found.append(Block(f"{name_of(page)}:{number}", commands))
    return found


def spans_of(page):
    """The commands in running text, each once."""
    spans = [re.sub(r"\s+", " ", span) for span in SPAN.findall(parted(page.read_text())[1])]
    return sorted({span for span in spans if re.match(r"(octavo|\./dev) \S", span)})


def operands_of(words):
    """Those words that are no options, and follow none."""
    return [word for before, word in zip(["", *words], words) if not (word.startswith("-") or before.startswith("-"))]
