"""Draws what grid.py measured, by transformation: the share of segments that is found, and the errors of their ends.

usage: plot_grid.py GRID.json PLOT.svg

Left: recall, with the number of true segments beside it. Right: a point for each found segment, the worst error of its
four ends in frames of the slower clip. Errors of more than 2 frames are red. The scale is linear up to 2 frames and
logarithmic beyond.
"""

import argparse
import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# The palette of Okabe and Ito, which colour-blind readers can distinguish.
EXACT, INEXACT, BAR = "#0072B2", "#D55E00", "#56B4E9"
TOLERANCE = 2.01  # [frame]; 0.01 for rounded times


def errors_of(record):
    """Of each transformation the worst errors of the found segments, none for a segment that is missed."""
    of_name = {}
    for copy in record["details"]:
        rows = of_name.setdefault(copy["transformation"], [])
        rows += [max(map(abs, row["errors"].values())) if row["found"] else None for row in copy["true"]]
    return of_name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grid", type=Path)
    parser.add_argument("plot", type=Path)
    call = parser.parse_args()
    of_name = errors_of(json.loads(call.grid.read_text()))
    plt.rcParams["svg.hashsalt"] = "octavo"  # the same file each time
    figure, (recall, ends) = plt.subplots(1, 2, sharey=True, figsize=(9, 0.27 * len(of_name) + 1), layout="constrained")
    for y, rows in enumerate(of_name.values()):
        found = [error for error in rows if error is not None]
        recall.barh(y, len(found) / len(rows), color=BAR)
        recall.text(0.02, y, f"{len(found)} of {len(rows)}", va="center", fontsize=8)
        for is_exact, colour in ((True, EXACT), (False, INEXACT)):
            some = [error for error in found if (error <= TOLERANCE) == is_exact]
            ends.plot(some, [y] * len(some), "o", color=colour, alpha=0.5, markersize=5)
    recall.set_yticks(range(len(of_name)), of_name)
    recall.set_ylim(len(of_name) - 0.5, -0.5)
    recall.set(xlim=(0, 1), xlabel="recall")
    recall.axvline(0.95, color="#444444", linewidth=1, linestyle=":")
    ends.set_xscale("symlog", linthresh=2)
    ends.set_xticks([0, 1, 2, 5, 10, 20], ["0", "1", "2", "5", "10", "20"])
    ends.set(xlim=(-0.1, 25), xlabel="worst error of the ends of a segment [frame]")
    ends.axvline(2, color="#444444", linewidth=1, linestyle=":")
    ends.grid(axis="y", alpha=0.3)
    figure.savefig(call.plot, metadata={"Date": None})


if __name__ == "__main__":
    main()
