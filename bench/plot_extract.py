"""Draws what bench_extract_on_gpu measured: time against the size of the image and against the number of keypoints.

Each image has two panels: the work on the device alone, and whole extractions from host memory to host memory with
the time per image with several in flight. Times of other systems, from bench/anchors.csv, are marked at the sizes at
which they were measured. The same files give the same bytes.

usage: plot_extract.py JSON... --output FOLDER [--first-octave 0] [--format png]

If several files hold the same measurement, the least of each time counts: other work on a machine makes medians longer,
never shorter. Measurements with a budget are left out. The images are extract_by_size and extract_by_points.
"""

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

ANCHORS = Path(__file__).with_name("anchors.csv")
NAMES = {"cuda": "CUDA", "opencl": "OpenCL", "cpu": "CPU", "reference": "reference"}
# The palette of Okabe and Ito, which colour-blind readers can distinguish. The markers distinguish devices without
# colour.
STYLES = {"cuda": ("#009E73", "o"), "opencl": ("#0072B2", "s"), "cpu": ("#D55E00", "^"), "reference": ("#CC79A7", "v")}
ANCHOR_MARKERS = "DPX*"
TIMES = ("device_ms", "extract_ms", "pipelined_ms")


def kind_of(device):
    return device.split(":")[0]


def label_of(row):
    kind, several = kind_of(row["device"]), row["device"].count(",") + 1
    hardware = row["hardware"] if several == 1 else f"{several} × {row['hardware']}"
    return f"Octavo, {NAMES[kind]}: {hardware}"


def hardware_of(report, device):
    """A short description of the first of a row's devices, from the report."""
    if kind_of(device) in ("cpu", "reference"):
        return f"{report['cores']} threads of {report['machine']}"
    described = dict(text.split(": ", 1) for text in report["devices"])
    return described.get(device.split(",")[0], device).split(",")[0]


def read_rows(files, section, first_octave):
    """The rows of a section of all reports, with their hardware, and the least times of those that are the same."""
    rows = {}
    for file in files:
        report = json.loads(Path(file).read_text())
        for row in report.get(section, []):
            if row["first_octave"] == first_octave and "max_features" not in row:
                key = (row["device"], row["image"], row.get("contrast_threshold"))
                known = rows.get(key, row)
                least = {
                    name: min(row[name], known.get(name, row[name])) for name in TIMES if row.get(name) is not None
                }
                rows[key] = known | row | least | {"hardware": hardware_of(report, row["device"])}
    return list(rows.values())


def read_anchors(first_octave):
    with ANCHORS.open() as file:
        rows = [row for row in csv.DictReader(file) if int(row["first_octave"]) == first_octave]
    numbers = ("width", "height", "keypoints", "device_ms", "extract_ms")
    return [row | {name: float(row[name]) for name in numbers if row[name]} for row in rows]


def megapixels(row):
    return row["width"] * row["height"] / 1e6


def keypoints(row):
    return row["keypoints"]


def draw_lines(axes, rows, x_of, measured, style, suffix=""):
    by_label = defaultdict(list)
    for row in rows:
        if row.get(measured) is not None:
            by_label[label_of(row)].append((x_of(row), row[measured], row["device"]))
    for label, points in by_label.items():
        xs, ys, devices = zip(*sorted(points))
        colour, marker = STYLES[kind_of(devices[0])]
        inside = "white" if "," in devices[0] else colour  # hollow: several GPUs
        axes.plot(
            xs, ys, style, color=colour, marker=marker, markerfacecolor=inside, markersize=5, label=label + suffix
        )


def draw_anchors(axes, anchors, x_of, measured):
    for anchor, marker in zip(anchors, ANCHOR_MARKERS, strict=False):
        if anchor[measured] != "":
            label = f"{anchor['system']}: {anchor['source']}"
            axes.plot(x_of(anchor), anchor[measured], marker, color="#444444", markersize=7, label=label)


def plain(value, _):
    return f"{value:g}"


def dress(axes, title, x_label, ticks):
    axes.set(title=title, xlabel=x_label, xscale="log", yscale="log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(plain))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xticks([x for x, _ in ticks], [name for _, name in ticks], rotation=30, ha="right")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.grid(True, which="minor", axis="y", color="#eeeeee", linewidth=0.5)
    axes.set_axisbelow(True)


def draw(file, title, rows, anchors, x_of, x_label, ticks):
    figure, (device, whole) = plt.subplots(1, 2, figsize=(11, 6.2), sharex=True, sharey=True, layout="constrained")
    draw_lines(device, rows, x_of, "device_ms", "-")
    draw_lines(whole, rows, x_of, "extract_ms", "-")
    draw_lines(whole, rows, x_of, "pipelined_ms", ":", ", several images in flight")
    draw_anchors(device, anchors, x_of, "device_ms")
    draw_anchors(whole, anchors, x_of, "extract_ms")
    dress(device, "on the device, without transfers", x_label, ticks)
    dress(whole, "from host memory to host memory", x_label, ticks)
    device.set_ylabel("time per image [ms]")
    figure.suptitle(title)
    handles, labels = whole.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8.5, frameon=False)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None, dpi=120)
    plt.close(figure)
    print(file)


def source_of(rows):
    images = sorted({row["image"].split("_")[0].removesuffix(".pgm") for row in rows})
    octave = "image doubled" if rows[0]["first_octave"] < 0 else "image not doubled"
    return f"photograph {', '.join(images)}, {octave}"


def draw_by_size(files, first_octave, anchors, target):
    rows = read_rows(files, "results", first_octave)
    if not rows:
        return
    sizes = sorted({(megapixels(row), f"{row['width']}×{row['height']}") for row in rows})
    draw(target, f"SIFT by size of the image ({source_of(rows)})", rows, anchors, megapixels, "size [pixel]", sizes)


def draw_by_points(files, first_octave, anchors, target):
    rows = read_rows(files, "by_points", first_octave)
    if not rows:
        return
    size = {(row["width"], row["height"]) for row in rows}
    if len(size) > 1:
        raise SystemExit(f"the numbers of keypoints were measured on images of several sizes: {sorted(size)}")
    width, height = size.pop()
    title = f"SIFT by number of keypoints ({source_of(rows)}, {width}×{height})"
    counts = sorted({row["keypoints"] for row in rows})
    ticks = [(count, f"{count:,}".replace(",", " ")) for count in counts]
    same_size = [anchor for anchor in anchors if (anchor["width"], anchor["height"]) == (width, height)]
    draw(target, title, rows, same_size, keypoints, "keypoints", ticks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="JSON")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--first-octave", type=int, choices=(-1, 0), default=-1)
    parser.add_argument("--format", choices=("svg", "png"), default="svg")
    call = parser.parse_args()
    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 10, "axes.titlesize": 10.5})
    call.output.mkdir(parents=True, exist_ok=True)
    anchors = read_anchors(call.first_octave)
    draw_by_size(call.files, call.first_octave, anchors, call.output / f"extract_by_size.{call.format}")
    draw_by_points(call.files, call.first_octave, anchors, call.output / f"extract_by_points.{call.format}")


if __name__ == "__main__":
    main()
