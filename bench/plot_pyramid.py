"""Draws the plot of tsp (2023): the time of every iteration of a pyramid, with the average.

usage: plot_pyramid.py PLOT.svg|PLOT.png PYRAMID.json [--with-upload]

PYRAMID.json is what `octavo bench pyramid --json` prints. tsp's times begin when the image is on the GPU, so of a GPU the
iterations without the upload are drawn, by its own clock; --with-upload draws those from host memory. The CPU has no upload.
The same file gives the same bytes.
"""

import argparse
import json
import statistics
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def drawn(report, with_upload):
    """The entries to draw: of a GPU those without the upload, or with it; of the CPU all."""
    alone = [entry for entry in report["pyramids"] if not entry["whole"]]
    return alone if alone and not with_upload else [entry for entry in report["pyramids"] if entry["whole"]]


def draw(report, entries, file):
    figure, panels = plt.subplots(
        len(entries), 1, figsize=(8, 1 + 2.6 * len(entries)), layout="constrained", squeeze=False
    )
    for axes, entry in zip(panels[:, 0], entries, strict=True):
        times = [1000 * seconds for seconds in entry["run_seconds"]]
        average = statistics.fmean(times)
        axes.plot(range(1, len(times) + 1), times, ".", color="#0072B2", markersize=3, label="one iteration")
        axes.axhline(average, color="#D55E00", linewidth=1.4, label=f"average {average:.3f} ms")
        axes.set(title=entry["name"], xlabel="iteration", ylabel="time [ms]", xlim=(0, len(times) + 1))
        axes.grid(True, color="#dddddd", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.legend(loc="upper right", fontsize=8)
    figure.suptitle(f"grey, blurs and differences on {report['device']} ({report['machine']})", fontsize=10.5)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plot", type=Path)
    parser.add_argument("pyramid", type=Path)
    parser.add_argument("--with-upload", action="store_true")
    call = parser.parse_args()
    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 10, "axes.titlesize": 10})
    report = json.loads(call.pyramid.read_text())
    draw(report, drawn(report, call.with_upload), call.plot)


if __name__ == "__main__":
    main()
