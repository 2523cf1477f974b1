"""A page for each command, from the manual that the program prints: its options as tables, its examples as code."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "structure"))
from check_docs import SUBCOMMANDS, groups_of  # noqa: E402

ARGUMENT = re.compile(r"^  (\S.*)\n((?:      .*\n)+)", re.MULTILINE)


def escaped(text):
    return re.sub(r"([*_<|\[\]])", r"\\\1", text)


def manual_of(program, command):
    return subprocess.run([program, "help", *command.split()], capture_output=True, text=True, check=True).stdout


def commands_of(program, command=""):
    """The command and those below it, each before its own."""
    found = [command]
    for block in SUBCOMMANDS.findall(manual_of(program, command)):
        for name in re.findall(r"^  ([a-z0-9]+)\b", block, re.MULTILINE):
            found += commands_of(program, f"{command} {name}".strip())
    return found


def file_of(command):
    return "-".join(["octavo", *command.split()]) + ".md"


def table_of(options):
    rows = ["| option | default | range | meaning |", "| --- | --- | --- | --- |"]
    rows += [f"| `{one.name}` | {one.default} | {one.range} | {escaped(one.meaning)} |" for one in options]
    return "\n".join(rows)


def text_of(footer):
    """What follows the options: headings, paragraphs, and rows of code or tables, which are indented."""
    out = []
    for block in re.split(r"\n{2,}", footer.strip("\n")):
        rows = []
        for number, line in enumerate([*block.split("\n"), ""]):
            if line.startswith(" "):
                rows.append(line[2:] if line.startswith("  ") else line)
                continue
            if rows:
                out.append("\n".join(["", "```text", *rows, "```", ""]))
                rows = []
            is_heading = number == 0 and re.fullmatch(r"[A-Z].{0,50}:", line)
            out.append(f"\n## {line[:-1]}\n" if is_heading else escaped(line))
        out.append("")
    return "\n".join(out)


def page_of(program, command):
    manual = manual_of(program, command)
    name = f"octavo {command}".strip()
    head, _, rest = manual.partition("\n\nUsage: ")
    usage, _, rest = rest.partition("\n\n")
    first, _, about = head.partition("\n")
    summary = escaped(first.partition(" - ")[2])
    parts = [f"# {name}\n\n{summary[0].upper()}{summary[1:]}.", escaped(about.strip()), f"```text\n{usage}\n```"]
    groups = groups_of(program, command)
    blocks = re.split(r"\n\n(?=\S)", rest)
    while blocks and (title := blocks[0].partition(":\n")[0]) in groups and blocks[0].startswith(f"{title}:\n  "):
        block = blocks[0].partition(":\n")[2] + "\n"
        if groups[title]:
            parts.append(f"## {title}\n\n{table_of(groups[title])}")
        elif title == "Commands":
            names = re.findall(r"^  (\S+) +(.*)$", block, re.MULTILINE)
            links = [f"* [{one}]({file_of(f'{command} {one}')}): {escaped(what)}" for one, what in names]
            parts.append("## Commands\n\n" + "\n".join(links))
        elif title == "Arguments":
            rows = [f"* `{one}`: {escaped(' '.join(what.split()))}" for one, what in ARGUMENT.findall(block)]
            parts.append("## Arguments\n\n" + "\n".join(rows))
        else:
            break
        blocks.pop(0)
    parts.append(text_of("\n\n".join(blocks)))
    schema = f"docs/schemas/{command.replace(' ', '-')}.json"
    if (ROOT / schema).exists():
        parts.append(f"[The schema of the JSON](../{schema}).")
    return "\n\n".join(part for part in parts if part) + "\n"


def write(program, folder):
    """Writes the pages. Returns their entries of the navigation."""
    folder.mkdir()
    commands = commands_of(program)
    for command in commands:
        (folder / file_of(command)).write_text(page_of(program, command))
    return [{f"octavo {command}".strip(): f"{folder.name}/{file_of(command)}"} for command in commands]
