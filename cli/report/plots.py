"""Draws plots for octavo: a line of JSON in (see plots.h), a line of JSON with the SVG out, until the input ends."""

import io
import json
import sys


def gaps(values):
    return [float("nan") if value is None else value for value in values]


# Of Okabe and Ito, for all eyes; the markers tell them apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vP*X"


def draw_series(axes, series, has_fixed_ends):
    over = {"clip_on": False, "zorder": 3} if has_fixed_ends else {}  # marks and lines at the ends are seen whole
    for i, one in enumerate(series):
        style = {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)], "label": one["label"]}
        if one["low"]:
            axes.fill_between(one["x"], gaps(one["low"]), gaps(one["high"]), color=style["color"], alpha=0.18, linewidth=0)
        line = "-" if i < len(COLOURS) else "--"
        if one["steps"]:
            axes.step(one["x"], gaps(one["y"]), where="post", linestyle=line, **over, **style | {"marker": ""})
        elif one["marks_only"]:
            axes.plot(one["x"], gaps(one["y"]), linestyle="", markersize=3, alpha=0.6, **style)
        else:
            axes.plot(one["x"], gaps(one["y"]), linestyle=line, markersize=4.5, **over, **style)


def ticks_of_1_2_5(axis):
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def draw(plot):
    many = len(plot["series"]) > 8
    figure, axes = plt.subplots(figsize=(7.2, 4.6 + (0.16 * len(plot["series"]) if many else 0)), layout="constrained")
    draw_series(axes, plot["series"], has_fixed_ends=plot["y_top"] > 0)
    axes.set(title=plot["title"], xlabel=plot["x_label"], ylabel=plot["y_label"])
    if plot["log_x"]:
        axes.set_xscale("log")
        ticks_of_1_2_5(axes.xaxis)
    if plot["log_y"]:
        axes.set_yscale("log")
        ticks_of_1_2_5(axes.yaxis)
    if plot["y_top"]:
        axes.set_ylim(0, plot["y_top"])
    if plot["x_tick_values"]:
        values = plot["x_tick_values"]
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.minorticks_off()
    if plot["x_ticks"]:
        names = plot["x_ticks"]
        turned = {"rotation": 30, "ha": "right"} if sum(map(len, names)) > 60 else {}
        axes.set_xticks(range(len(names)), names, **turned)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    if plot["series"]:
        figure.legend(loc="outside lower center", ncols=2, fontsize=8.5, frameon=False)
    picture = io.StringIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    plt.close(figure)
    return {"svg": picture.getvalue()}


try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 10, "axes.titlesize": 10.5})
    answer = draw
except ImportError:

    def answer(_):
        return {"problem": f"{sys.executable} has no matplotlib, which draws the plots: pip install matplotlib"}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
