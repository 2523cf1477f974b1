"""Checks that the documentation agrees with the files and the program.

Every relative link of a Markdown file leads to a file, and its #anchor to a heading there. docs/index.md names every page of
docs/ and docs/experiments/, and README.md names docs/index.md. A block of code below a line `<!-- quote: FILE -->` is that
file, word for word. The table below a line `<!-- options: COMMAND: GROUP, GROUP -->` says what the command's manual says of
the options of these groups, and in a table below `<!-- defaults: COMMAND -->` the second column has the defaults of that
manual. --write updates quotations and tables of options. Every option named in a table is one of the program's. A page, or the table
of bench/results/README.md, names each record of bench/results: others are of no use.

usage: check_docs.py ROOT [PROGRAM] [--write]      prints one line per fault; exit code 1 if there is one
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
QUOTE = re.compile(r"(<!-- quote: (\S+) -->\n```\w+\n)(.*?)(```\n)", re.DOTALL)
OPTION = re.compile(r"^\| `(--[a-z0-9-]+)` \|", re.MULTILINE)
SUBCOMMANDS = re.compile(r"^Commands:\n((?:  .*\n)+)", re.MULTILINE)
OPTIONS = re.compile(r"(<!-- options: ([a-z ]+): ([^>]+) -->\n)((?:\|.*\n)*)")
DEFAULTS = re.compile(r"<!-- defaults: ([a-z ]+) -->\n((?:\|.*\n)*)")
GROUP = re.compile(r"^(\S.*):\n((?:  .*\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^  (?:-\w, )?(--[a-z0-9-]+)(?: (.*))?\n((?:      .*\n)+)", re.MULTILINE)


def anchors_of(text):
    """The names that GitHub gives to the headings of a page: small letters, hyphens for blanks, no other signs; of equal ones
    the later have a number."""
    names = []
    for heading in HEADING.findall(FENCED.sub("", text)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w -]", "", shown.lower()).replace(" ", "-")
        before = sum(re.fullmatch(rf"{re.escape(name)}(-\d+)?", other) is not None for other in names)
        names.append(f"{name}-{before}" if before else name)
    return names


def links_of(text):
    return [link for link, _ in LINK.findall(text)]


def broken_links(page):
    faults = []
    for link, anchor in LINK.findall(FENCED.sub("", page.read_text())):
        target = page.parent / link if link else page
        if not target.exists():
            faults.append(f"{page}: no file {link}")
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target.read_text()):
            faults.append(f"{page}: no heading #{anchor} in {link or 'this page'}")
    return faults


def pages_of(root):
    return sorted([*root.glob("docs/*.md"), *root.glob("docs/experiments/*.md")])


def unnamed_pages(root):
    index = root / "docs/index.md"
    named = links_of(index.read_text())
    pages = [path.relative_to(index.parent).as_posix() for path in pages_of(root) if path != index]
    faults = [f"docs/index.md: does not name {page}" for page in pages if page not in named]
    if "docs/index.md" not in links_of((root / "README.md").read_text()):
        faults.append("README.md: does not name docs/index.md")
    return faults


def unnamed_records(root):
    """A page may write "…-name.json" for a record of the date that it names before."""
    folder = root / "bench/results"
    pages = [page.read_text() for page in [root / "README.md", *pages_of(root), folder / "README.md"] if page.exists()]
    text = "\n".join(pages)
    return [
        f"bench/results/README.md: does not name {file.stem}, nor does another page"
        for file in sorted(folder.glob("*.json"))
        if not re.search(rf"{file.stem}(?![\w-])|…{re.escape(file.name[10:])}", text)
    ]


def with_quotes(root, page):
    """The text of the page with each quotation as its file is now."""
    return QUOTE.sub(lambda match: match[1] + (root / match[2]).read_text() + match[4], page.read_text())


@dataclass(frozen=True)
class Option:
    """An option as a manual has it, each part as a table of Markdown writes it."""

    name: str
    default: str
    range: str
    meaning: str

    def row(self):
        return f"| `{self.name}` | {self.default} | {self.range} | {self.meaning} |".replace("  ", " ")


def in_markdown(value):
    """A number with a minus and spaces between thousands; a word as code; "bt709 (foagdd: bt601)" with both words so."""
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        whole, point, fraction = value.partition(".")
        digits = f"{int(whole):,}".replace(",", " ") if abs(int(whole)) >= 100_000 else whole
        return (digits + point + fraction).replace("-", "\u2212")
    if " " in value and "(" not in value:
        return value
    return re.sub(r"[\w.-]+(?![\w.:-])", lambda word: f"`{word[0]}`", value)


def option_of(name, value, text):
    """From "--rank", "response|scale" and the lines below them, to an Option."""
    while value.endswith("|"):  # the words take more lines
        more, _, text = text.lstrip().partition("\n")
        value += more.strip()
    text = re.sub(r"\s+", " ", text).strip()
    text, _, default = text.partition(" Default: ")
    text, _, bounds = text.partition(" Range: ")
    numbers = re.match(r"(\S+) to ([^ ,]+?)(?:, or (\S+?))?\.$", bounds)
    if numbers:
        limits = f"{in_markdown(numbers[1])} \u2026 {in_markdown(numbers[2])}"
        limits += f", or {in_markdown(numbers[3])}" if numbers[3] else ""
    else:
        limits = " ".join(f"`{word}`" for word in value.split("|")) if "|" in value else ""
    return Option(name, in_markdown(default.removesuffix(".")) if value else "off", limits, text)


def groups_of(program, command):
    """The options of a command's manual, by group."""
    manual = subprocess.run([program, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    groups = {}
    for title, entries in GROUP.findall(manual):
        groups[title] = [option_of(name, value, text) for name, value, text in ENTRY.findall(entries)]
    return groups


def with_tables(program, text):
    """The text of a page with each table of options as the program has it now."""

    def table(match):
        groups = groups_of(program, match[2])
        options = [option for group in match[3].split(", ") for option in groups[group]]
        rows = ["| option | default | range | meaning |", "| --- | --- | --- | --- |", *(one.row() for one in options)]
        return match[1] + "\n".join(rows) + "\n"

    return OPTIONS.sub(table, text)


def wrong_defaults(program, page):
    faults = []
    for command, table in DEFAULTS.findall(page.read_text()):
        known = {one.name: one for group in groups_of(program, command).values() for one in group}
        for name, default in re.findall(r"^\| `(--[a-z0-9-]+)` \| (.*?) ?\|", table, re.MULTILINE):
            if name not in known:
                faults.append(f"{page}: octavo {command} has no {name}")
            elif default != known[name].default:
                faults.append(f"{page}: the default of {name} is {known[name].default}, not {default}")
    return faults


def options_of(*command):
    """The options of a command of the program and of all commands below it, as their manuals name them."""
    manual = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"--[a-z0-9-]+", manual))
    for commands in SUBCOMMANDS.findall(manual):
        for name in re.findall(r"^  ([a-z]+)\b", commands, re.MULTILINE):
            options |= options_of(*command, name)
    return options


def unknown_options(page, known):
    return [f"{page}: no command has {option}" for option in OPTION.findall(page.read_text()) if option not in known]


def main():
    write = "--write" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    root = Path(arguments[0])
    program = arguments[1] if len(arguments) == 2 else None
    known = options_of(program) if program else None
    faults = unnamed_pages(root) + unnamed_records(root)
    for page in [*sorted(root.glob("*.md")), *pages_of(root)]:
        text = with_quotes(root, page)
        text = with_tables(program, text) if program else text
        if text != page.read_text():
            if write:
                page.write_text(text)
            else:
                faults.append(
                    f"{page}: a quotation or a table of options is out of date; check_docs.py --write mends it"
                )
        faults += broken_links(page)
        if known is not None:
            faults += unknown_options(page, known) + wrong_defaults(program, page)
    print("\n".join(faults) or "the documentation says what is there")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
