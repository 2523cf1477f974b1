"""Draws times and speed-ups of `octavo bench report --json`: figures 3 and 4 of Fassold and Rosner (2015).

Left: the mean time of each implementation. Right: how many times as fast each GPU is as each of the others. Bars are
standard deviations: of the runs, and of a ratio m1/m2 its size times the root of (s1/m1)² + (s2/m2)². Of older records,
which have quartiles in place of runs, the median counts, and the distance of the quartiles over 1.349 as the deviation.
A single run has no bar. The same file gives the same bytes.

usage: plot_speedup.py REPORT.json PLOT.svg|PLOT.png

Several sizes at one number of keypoints are drawn by size, several numbers at one size by keypoints.
"""

import argparse
import json
import math
import statistics
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullLocator

# The palette of Okabe and Ito, which colour-blind readers can distinguish.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^vDPX"


class Time(NamedTuple):
    mean: float  # [ms]
    deviation: float


def time_of(row):
    runs = row.get("runs_ms") or [1000 * seconds for seconds in row.get("run_seconds", [])]
    if runs:
        return Time(statistics.fmean(runs), statistics.stdev(runs) if len(runs) > 1 else 0.0)
    return Time(row["median_ms"], (row["q3_ms"] - row["q1_ms"]) / 1.349)


def read(report):
    """The times by implementation and place: a size (megapixels and name) or a number of keypoints."""
    rows = report["results"]
    by_size = len({(row["width"], row["height"]) for row in rows}) > 1
    if by_size and len({row["max_features"] for row in rows}) > 1:
        raise SystemExit("the report has several sizes and several numbers of keypoints: give one of them")
    times = {}
    for row in rows:
        asked = row["max_features"] or row.get("keypoint_count", row.get("keypoints"))  # OpenCV may give a few more
        place = row["width"] * row["height"] / 1e6 if by_size else asked
        name = f"{row['width']}×{row['height']}" if by_size else f"{place:,}".replace(",", " ")
        of_one = times.setdefault(row.get("implementation", row.get("contender")), {})
        of_one[place, name] = time_of(row)
    times.pop("reference, 1 thread", None)
    return by_size, times


def ratio(one, other):
    """How many times `other` is as fast as `one`."""
    value = one.mean / other.mean
    return Time(value, value * math.hypot(one.deviation / one.mean, other.deviation / other.mean))


def speed_ups(times):
    """Of each GPU over each other implementation, by its places."""
    gpus = [name for name in times if name.startswith(("cuda", "opencl"))]
    rest = [name for name in times if name not in gpus]
    return {
        (gpu, other): {place: ratio(times[other][place], times[gpu][place]) for place in times[gpu] if place in times[other]}
        for gpu in gpus
        for other in rest
    }  # fmt: skip


def draw_line(axes, points, colour, marker, label, style="-"):
    xs, values = [x for x, _ in points], list(points.values())
    axes.errorbar(
        xs, [v.mean for v in values], [v.deviation for v in values], color=colour, marker=marker, linestyle=style,
        markersize=4, linewidth=1.2, capsize=2.5, label=label,
    )  # fmt: skip


def dress(axes, title, label, ticks, scale):
    axes.set(title=title, xlabel=label, xscale="log", yscale=scale)
    axes.set_xticks([x for x, _ in ticks], [name for _, name in ticks], rotation=30, ha="right")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(True, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)


def draw(report, file):
    by_size, times = read(report)
    ticks = sorted({place for of_one in times.values() for place in of_one})
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.6), layout="constrained")
    style_of = {name: (COLOURS[i % 7], MARKERS[i % 7]) for i, name in enumerate(times)}
    for name, points in times.items():
        draw_line(left, points, *style_of[name], name)
    for (gpu, other), points in speed_ups(times).items():
        draw_line(right, points, *style_of[other], f"{gpu} over {other}", "-" if gpu.startswith("cuda") else ":")
    label = "size [pixel]" if by_size else "keypoints"
    dress(left, "time of an extraction [ms]", label, ticks, "log")
    dress(right, "speed-up", label, ticks, "log")
    for axes in (left, right):
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.26), ncols=2, fontsize=8, frameon=False)
    numbers = {row["max_features"] for row in report["results"]}
    sizes = {f"{row['width']}×{row['height']}" for row in report["results"]}
    constant = f"{numbers.pop()} keypoints" if by_size else sizes.pop()
    gpu = f"{report['device']}, " if "device" in report else ""
    figure.suptitle(f"SIFT from host memory to host memory, {constant} ({gpu}{report['machine']})", fontsize=10.5)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("plot", type=Path)
    call = parser.parse_args()
    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 10, "axes.titlesize": 10.5})
    draw(json.loads(call.report.read_text()), call.plot)


if __name__ == "__main__":
    main()
