"""Checks that the documentation says what is there.

Every relative link of a Markdown file leads to a file. A block of code below a line `<!-- quote: FILE -->` is that file,
word for word; with --write it is made so. And every option named in a table is one of the program's.

usage: check_docs.py ROOT [PROGRAM] [--write]      prints one line per fault; exit code 1 if there is one
"""

import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
QUOTE = re.compile(r"(<!-- quote: (\S+) -->\n```\w+\n)(.*?)(```\n)", re.DOTALL)
OPTION = re.compile(r"^\| `(--[a-z-]+)` \|", re.MULTILINE)
SUBCOMMANDS = re.compile(r"^Commands:\n((?:  .*\n)+)", re.MULTILINE)


def broken_links(page):
    return [f"{page}: no file {link}" for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]


def with_quotes(root, page):
    """The text of the page with each quotation as its file is now."""
    return QUOTE.sub(lambda match: match[1] + (root / match[2]).read_text() + match[4], page.read_text())


def options_of(*command):
    """The options of a command of the program and of all commands below it, as their manuals name them."""
    manual = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"--[a-z-]+", manual))
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
    known = options_of(arguments[1]) if len(arguments) == 2 else None
    faults = []
    for page in sorted([*root.glob("*.md"), *root.glob("docs/*.md")]):
        quoted = with_quotes(root, page)
        if quoted != page.read_text():
            if write:
                page.write_text(quoted)
            else:
                faults.append(f"{page}: a quotation differs from its file; check_docs.py --write mends it")
        faults += broken_links(page)
        if known is not None:
            faults += unknown_options(page, known)
    print("\n".join(faults) or "the documentation says what is there")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
