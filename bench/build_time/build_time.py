"""Prints what a build spent its time on: rooms (the folders of the sources), files, and headers.

BUILD is a folder that Ninja has built in. Seconds of files are CPU seconds where cpu_seconds.sh was the compiler's
launcher, otherwise they are wall seconds of Ninja's log, of the last time that each file was made. Headers have a table
where clang was asked for -ftime-trace. Their seconds are the part of a file's seconds that the trace gives to parsing
them, without templates that are instantiated at the end of a file and without code generation. What a precompiled
header holds is parsed once, for that header.

usage: build_time.py BUILD [--top N]
"""

import argparse
import json
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

# Where headers are looked for. Their names in #include begin behind it.
SYSTEM = re.compile(r".*/include/(?:[^/]+-linux-gnu/)?(?:c\+\+/\d+/)?")
PRECOMPILED = re.compile(r"CMakeFiles/([^/]+)\.dir/cmake_pch\.hxx.*")


@dataclass(frozen=True)
class Step:
    """What a command of the build made: an object, or what else Ninja's log names. `file` is the object's source."""

    file: str
    seconds: float
    output: Path


@dataclass
class HeaderCost:
    """The seconds of a header over all files, with what it includes (total) and without (own); and how many files."""

    total: float = 0.0
    own: float = 0.0
    files: int = 0


class Build:
    """The folder of a build, and that of its sources."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        cache = (self.folder / "CMakeCache.txt").read_text()
        self.sources = Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE)[1])
        commands = json.loads((self.folder / "compile_commands.json").read_text())
        self.compiled = {re.search(r" -o (\S+)", one["command"])[1]: one["file"] for one in commands}

    def name(self, path):
        """A path as people know it: that in the build or in the sources, or as it stands in an #include."""
        path = Path(os.path.normpath(path))
        for folder in (self.folder, self.sources):
            if path.is_relative_to(folder):
                return PRECOMPILED.sub(r"precompiled headers/\1", str(path.relative_to(folder)))
        return SYSTEM.sub("", str(path))

    def traces(self, steps):
        """The text of clang's trace of each step that has one, and the seconds of the step."""
        files = [(step.output.with_suffix(".json"), step.seconds) for step in steps]
        return [(file.read_text(), seconds) for file, seconds in files if file.exists()]

    def log(self):
        """The wall seconds of the last time that Ninja made each output, or the first of the outputs of a command."""
        seconds, commands = {}, {}
        for line in (self.folder / ".ninja_log").read_text().splitlines():
            if line.startswith("#"):
                continue
            start, end, _, output, command = line.split("\t")
            seconds[output] = (int(end) - int(start)) / 1000
            commands[output] = command
        first = {command: output for output, command in reversed(commands.items())}
        is_there = {
            output: (self.folder / output).exists() and (output in self.compiled or not output.endswith(".o"))
            for output in first.values()
        }  # objects of an earlier configuration may lie there still
        return {output: seconds[output] for output, there in is_there.items() if there}

    def cpu_seconds(self):
        """What cpu_seconds.sh wrote, by output."""
        files = {output: self.folder / f"{output}.seconds" for output in self.compiled}
        texts = {output: file.read_text() for output, file in files.items() if file.exists()}
        return {output: sum(map(float, text.split())) for output, text in texts.items()}

    def steps(self):
        """The steps, and what their seconds are."""
        seconds, kind = self.cpu_seconds(), "CPU seconds of the compiler"
        if not seconds:
            seconds, kind = self.log(), "wall seconds of each step, while others ran beside it"
        return [
            Step(self.name(self.compiled.get(output, self.folder / output)), spent, self.folder / output)
            for output, spent in seconds.items()
        ], kind


def room_of(file):
    """The room of src/, the folder of bench/ or tests/, or the folder at the top, that a file belongs to."""
    parts = Path(file).parts[:-1]
    if not parts:
        return "."
    depth = {"src": 3, "bench": 2, "tests": 2, "docs": 2}.get(parts[0], 1)
    return "/".join(parts[:depth])


def header_costs(traces, name):
    """The HeaderCost of each header, from traces of clang, each with the seconds of its file.

    The total of a header that is open already, as when it includes itself, does not grow.
    """
    costs = defaultdict(HeaderCost)
    for trace, spent in traces:
        events = json.loads(trace)["traceEvents"]
        scale = spent / next(one["dur"] for one in events if one["name"] == "ExecuteCompiler")
        sources = [one for one in events if one["name"] == "Source"]
        open_events, files = [], set()
        for event in sorted(sources, key=lambda one: (one["ts"], -one["dur"])):
            while open_events and open_events[-1][0] <= event["ts"]:
                open_events.pop()
            header, seconds = name(event["args"]["detail"]), event["dur"] * scale
            cost = costs[header]
            cost.own += seconds
            if open_events:
                costs[open_events[-1][1]].own -= seconds
            if all(header != other for _, other in open_events):
                cost.total += seconds
            files.add(header)
            open_events.append((event["ts"] + event["dur"], header))
        for header in files:
            costs[header].files += 1
    return costs


def table(title, columns, rows, top):
    """The first rows as text, numbers before names; and how many are left out."""
    lines = ["", title, "".join(f"{column:>9}" for column in columns[:-1]) + f"  {columns[-1]}"]
    for *numbers, text in rows[:top]:
        cells = (f"{one:9.1f}" if isinstance(one, float) else f"{one:9}" for one in numbers)
        lines.append("".join(cells) + f"  {text}")
    if len(rows) > top:
        lines.append(f"{'':9}  and {len(rows) - top} more")
    return lines


def report(build, top):
    """The text about a build."""
    steps, kind = build.steps()
    rooms, tests, counts, files = Counter(), Counter(), Counter(), Counter()
    for step in steps:
        room = room_of(step.file)
        rooms[room] += step.seconds
        files[step.file] += step.seconds
        counts[room] += 1
        if Path(step.file).stem.endswith("_test"):
            tests[room] += step.seconds
    lines = [f"{sum(rooms.values()):.1f} s in {len(steps)} steps: {kind}"]
    rows = [(seconds, float(tests[room]), counts[room], room) for room, seconds in rooms.most_common()]
    title = "Rooms; `tests`: the seconds of unit tests among them"
    lines += table(title, ("seconds", "tests", "steps", "room"), rows, len(rows))
    lines += table("Files", ("seconds", "file"), [(seconds, file) for file, seconds in files.most_common()], top)
    costs = header_costs(build.traces(steps), build.name)
    if costs:
        ranked = sorted(costs.items(), key=lambda item: -item[1].total)
        rows = [(cost.total, cost.own, cost.files, header) for header, cost in ranked]
        title = "Headers; `total`: with what each includes; `own`: without; `files` that parse it for 0.5 ms or more"
        lines += table(title, ("total", "own", "files", "header"), rows, top)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--top", type=int, default=40)
    arguments = parser.parse_args()
    print(report(Build(arguments.build), arguments.top))


if __name__ == "__main__":
    main()
