"""Draws figure 37 of Stahl (2023) for Octavo: how many times as fast FOAGDD is on a GPU, by the size of the image.

usage: plot_foagdd.py PLOT.svg|PLOT.png RESULTS.json...

The results are those of bench_foagdd_on_gpu, of one thread of a CPU and of GPUs. Whole extractions count, on a GPU from
pinned memory. If several files hold the same measurement, the least time counts: other work on a machine makes medians
longer, never shorter. Stahl's own figures stand beside them: 66.03 s of sequential code and 20.70 ms of its port on a T4,
and the times of the port on an H100. The same files give the same bytes.
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullLocator

PORT_ON_H100 = {(512, 512): 5.09, (1280, 720): 20.1, (1920, 1080): 76.4}  # [ms] measured by us
STAHLS_SPEED_UP = ((512, 512), 66030 / 20.70)
# Of Okabe and Ito, which colour-blind readers can distinguish.
COLOURS = {"cuda": "#009E73", "opencl": "#0072B2"}
NAMES = {"cuda": "CUDA", "opencl": "OpenCL"}
MARKERS = {"chessboard": "s", "photograph": "o"}


def kind_of(name):
    return "photograph" if name.endswith(".pgm") else name


def read(files):
    """The least time of each device, kind of image and size."""
    times = {}
    for file in files:
        for row in json.loads(Path(file).read_text())["results"]:
            if row["device"] == "cpu" and row["threads"] != 1:
                continue
            key = (row["device"].split(":")[0], kind_of(row["image"]), (row["width"], row["height"]))
            time = row.get("extract_pinned_ms", row["extract_ms"])
            times[key] = min(times.get(key, time), time)
    return times


def lines(times):
    """The speed-ups by size, with label, colour, marker and style."""
    for device, kind in sorted({key[:2] for key in times if key[0] != "cpu"}):
        of_one = {size: time for (d, k, size), time in times.items() if (d, k) == (device, kind)}
        over_cpu = {s: times["cpu", kind, s] / t for s, t in of_one.items() if ("cpu", kind, s) in times}
        looks = (COLOURS[device], MARKERS.get(kind, "^"))
        yield f"{NAMES[device]} over one thread of a CPU, {kind}", over_cpu, *looks, "-"
        if device == "cuda" and kind == "photograph":
            over_port = {s: PORT_ON_H100[s] / t for s, t in of_one.items() if s in PORT_ON_H100}
            yield "CUDA over Stahl's port on the same GPU, photograph", over_port, "#D55E00", "o", "--"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    plot, times = Path(sys.argv[1]), read(sys.argv[2:])
    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 10})
    figure, axes = plt.subplots(figsize=(8, 6.2), layout="constrained")
    area = lambda size: size[0] * size[1] / 1e6
    for label, points, colour, marker, style in lines(times):
        sizes = sorted(points, key=area)
        axes.plot(
            [area(s) for s in sizes], [points[s] for s in sizes], color=colour, marker=marker, ls=style, label=label
        )
    size, speed_up = STAHLS_SPEED_UP
    label = "Stahl's port on a T4 over the sequential code that it was made from"
    axes.plot([area(size)], [speed_up], "D", color="#000000", label=label)
    sizes = sorted({key[2] for key in times}, key=area)
    axes.set(
        xlabel="size [pixel]", ylabel="times as fast", xscale="log", yscale="log", title="FOAGDD: speed-up by size"
    )
    axes.set_xticks([area(s) for s in sizes], [f"{w}×{h}" for w, h in sizes], rotation=30, ha="right")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(True, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False)
    figure.savefig(plot, metadata={"Date": None} if plot.suffix == ".svg" else None, dpi=120)


if __name__ == "__main__":
    main()
