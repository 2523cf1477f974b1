"""Tables of what bench_foagdd_on_gpu recorded: milliseconds by component and size, in Markdown.

usage: tabulate_foagdd.py RESULTS.json...

There is one table for each image and device. If several files hold the same measurement, the least time counts: other
work on a machine makes medians longer, never shorter.
"""

import json
import sys
from collections import defaultdict

STAGES = {
    "upload": "upload",
    "extension": "grey, extension",
    "responses": "responses",
    "measures": "first measure",
    "candidates": "suppression",
    "verification": "remaining scales",
    "download": "download",
    "selection": "to features",
}
WHOLE = {
    "device_ms": "on the device",
    "extract_pinned_ms": "whole, pinned",
    "extract_ms": "whole",
    "pipelined_ms": "in flight",
}


def label(stage, row):
    return "responses and first measure" if stage == "measures" and "responses" not in row["stages"] else STAGES[stage]


def lines_of(row):
    """Label and milliseconds, in order. Filters are made once for a detector, and are no part of the whole."""
    if "filters_ms" in row:
        yield "filters, once", row["filters_ms"]
    for stage, milliseconds in row["stages"].items():
        yield label(stage, row), milliseconds
    for key, name in WHOLE.items():
        if key in row:
            yield name, row[key]


def text(milliseconds):
    return (
        f"{milliseconds:.1f}"
        if milliseconds >= 9.95
        else f"{milliseconds:.2f}"
        if milliseconds >= 0.995
        else f"{milliseconds:.3f}"
    )


def device_of(row):
    if row["device"] != "cpu":
        return row["device"]
    return f"cpu, {row['threads']} thread{'s' if row['threads'] > 1 else ''}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tables = defaultdict(dict)
    for file in sys.argv[1:]:
        with open(file) as opened:
            rows = json.load(opened)["results"]
        for row in rows:
            kind = row["image"].split("_")[0]
            sizes = tables[kind, device_of(row)]
            times = sizes.setdefault((row["width"], row["height"]), {"corners": row["corners"]})
            for name, milliseconds in lines_of(row):
                times[name] = min(times.get(name, milliseconds), milliseconds)
    for (kind, device), sizes in tables.items():
        print(f"\n| {kind}, {device} | " + " | ".join(f"{width}×{height}" for width, height in sizes) + " |")
        print("| --- |" + " --- |" * len(sizes))
        columns = list(sizes.values())
        for name in columns[0]:
            cells = (str(times[name]) if name == "corners" else text(times[name]) for times in columns)
            print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
