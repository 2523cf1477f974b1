"""Compares what peers.py found: tables, a record and a plot, by transformation.

usage: tabulate_peers.py FOLDER [--json FILE] [--plot FILE.svg]

The copies that all programs searched are compared.

*Retrieval*: is the clip that a copy comes from found in the archive? A true pair is a copy and a clip that it shows.
The unrelated parts of the excerpts are copies too, of other clips: these pairs do not count, neither as found nor as
false. All other pairs that a program reports are false. Recall is at the program's own threshold; µAP (metrics.py)
needs no threshold, and "recall before false" is the share of true pairs with higher scores than any false one.

*Place*: a program that gives times is right about a true segment if it reports a point of its line, within half a
second.

*Segments*: µAP of the matching track of VSC2022, and VCSL's precision and recall over the true pairs, for programs that
give ends."""

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path

import matplotlib

from metrics import Segment, copy_overlap_of_queries, micro_average_precision, segment_average_precision

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from grid import NAMES, PART_OF

# The palette of Okabe and Ito, which colour-blind readers can distinguish.
STYLES = {
    "octavo": ("Octavo", "#D55E00", "o"),
    "vpdq": ("vPDQ", "#0072B2", "s"),
    "signature": ("FFmpeg signature", "#009E73", "^"),
    "tmk": ("perception TMK", "#CC79A7", "D"),
    "videohash": ("videohash", "#444444", "x"),
}
SETS = {"excerpts": "5 s of a clip between unrelated parts", "whole": "the whole clip"}
PLACE_TOLERANCE = 0.5  # [second]


def not_asked(copy):
    """Clips of which a copy shows a part without being asked for it."""
    true = {one["clip"] for one in copy["true"]}
    shown = {*copy["pads"], *true}
    return (set(copy["pads"]) | {part for part, whole in PART_OF.items() if whole in shown}) - true


def true_segments(copies):
    return [
        Segment(copy["file"], one["clip"], one["query_in"], one["query_out"], one["other_in"], one["other_out"])
        for copy in copies
        for one in copy["true"]
    ]


def asked_pairs(copies, record):
    """What a program reports about these copies, without the pairs that do not count."""
    left_out = {copy["file"]: not_asked(copy) for copy in copies}
    return [
        pair for pair in record["pairs"] if pair["query"] in left_out and pair["clip"] not in left_out[pair["query"]]
    ]


def retrieval(copies, record):
    true = {one.pair for one in true_segments(copies)}
    pairs = asked_pairs(copies, record)
    scores = {(pair["query"], pair["clip"]): pair["score"] for pair in pairs}
    matches = {(pair["query"], pair["clip"]) for pair in pairs if pair["match"]}
    highest_false = max((score for pair, score in scores.items() if pair not in true), default=float("-inf"))
    return {
        "true": len(true),
        "recall": len(matches & true) / len(true),
        "false": len(matches - true),
        "micro_average_precision": micro_average_precision(true, scores),
        "recall_before_false": sum(scores.get(pair, float("-inf")) > highest_false for pair in true) / len(true),
    }


def points(pair):
    """Points of the lines that a program reports for a pair: times of the query and of the clip."""
    if "query_at" in pair:
        return [(pair["query_at"], pair["clip_at"])]
    return [
        ((one["query_in"] + one["query_out"]) / 2, (one["clip_in"] + one["clip_out"]) / 2)
        for one in pair.get("segments", ())
    ]


def is_on(point, true):
    query, clip = point
    speed = (true.clip_out - true.clip_in) / (true.query_out - true.query_in)
    within = true.query_in - PLACE_TOLERANCE <= query <= true.query_out + PLACE_TOLERANCE
    return within and abs(true.clip_in + speed * (query - true.query_in) - clip) <= PLACE_TOLERANCE


def place(copies, record):
    """The share of the true segments of which the place is right; none if the program gives no times."""
    pairs = asked_pairs(copies, record)
    if not any(points(pair) for pair in pairs):
        return None
    reported = defaultdict(list)
    for pair in pairs:
        reported[pair["query"], pair["clip"]] += points(pair)
    true = true_segments(copies)
    return sum(any(is_on(point, one) for point in reported[one.pair]) for one in true) / len(true)


def segments(copies, record):
    pairs = asked_pairs(copies, record)
    found = [
        Segment(
            pair["query"],
            pair["clip"],
            *(one[key] for key in ("query_in", "query_out", "clip_in", "clip_out", "score")),
        )
        for pair in pairs
        for one in pair.get("segments", ())
    ]
    if not found:
        return None
    true = true_segments(copies)
    overlap = copy_overlap_of_queries({one.pair for one in true}, true, found)
    return {
        "micro_average_precision": segment_average_precision(true, found),
        "precision": overlap.precision,
        "recall": overlap.recall,
        "f1": overlap.f1,
    }


def compare(copies, answers):
    """Everything about one set of copies: by transformation and program, and of all."""
    of_name = {name: [copy for copy in copies if copy["transformation"] == name] for name in NAMES}
    by_name = {
        name: {peer: retrieval(some, record) | {"place": place(some, record)} for peer, record in answers.items()}
        for name, some in of_name.items()
        if some
    }
    overall = {
        peer: retrieval(copies, record) | {"place": place(copies, record), "segments": segments(copies, record)}
        for peer, record in answers.items()
    }
    return {"copies": len(copies), "by_transformation": by_name, "all": overall}


def share(value):
    return "" if value is None else f"{value:.2f}"


def row_of(*cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def print_tables(result):
    peers = [peer for peer in STYLES if peer in result["programs"]]
    names = [STYLES[peer][0] for peer in peers]
    for kind, compared in result["sets"].items():
        print(f"\n{SETS[kind]}: {compared['copies']} copies. Recall at the program's threshold, and µAP\n")
        print(row_of("transformation", "true", *names))
        print(row_of(*["---"] * (2 + len(peers))))
        for name, of_peer in compared["by_transformation"].items():
            cells = [f"{of_peer[peer]['recall']:.2f}, {of_peer[peer]['micro_average_precision']:.2f}" for peer in peers]
            print(row_of(name, next(iter(of_peer.values()))["true"], *cells))
        overall = compared["all"]
        print(
            row_of(
                "**all**",
                overall[peers[0]]["true"],
                *(
                    f"**{overall[peer]['recall']:.2f}, {overall[peer]['micro_average_precision']:.2f}**"
                    for peer in peers
                ),
            )
        )
        for title, key, show in (
            ("false pairs", "false", str),
            ("recall before false", "recall_before_false", share),
            ("place right", "place", share),
        ):
            print(row_of(title, "", *(show(overall[peer][key]) for peer in peers)))
        for title, key in (
            ("µAP of segments", "micro_average_precision"),
            ("VCSL's precision", "precision"),
            ("VCSL's recall", "recall"),
            ("VCSL's F1", "f1"),
        ):
            print(row_of(title, "", *(share((overall[peer]["segments"] or {}).get(key)) for peer in peers)))
    print()
    print(row_of("seconds of CPU", *names))
    print(row_of(*["---"] * (1 + len(peers))))
    for title, key in (
        ("a second of a clip of the archive", "cpu_s_per_s_of_clip"),
        ("a second of a query, with its search", "cpu_s_per_s_of_query"),
    ):
        print(row_of(title, *(f"{result['programs'][peer][key]:.3f}" for peer in peers)))


def draw(result, target):
    """µAP by transformation, a panel for each set of copies."""
    plt.rcParams.update({"svg.hashsalt": "octavo", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10})
    sets = result["sets"]
    rows = [len(compared["by_transformation"]) for compared in sets.values()]
    figure, panels = plt.subplots(
        len(sets), 1, figsize=(9, 0.26 * sum(rows) + 2.2), height_ratios=rows, layout="constrained", squeeze=False
    )
    for (kind, compared), axes in zip(sets.items(), panels[:, 0]):
        names = list(compared["by_transformation"])
        peers = [peer for peer in STYLES if peer in result["programs"]]
        for at, peer in enumerate(peers):
            label, colour, marker = STYLES[peer]
            shift = 0.13 * ((len(peers) - 1) / 2 - at)
            values = [of_peer[peer]["micro_average_precision"] for of_peer in compared["by_transformation"].values()]
            axes.plot(
                values,
                [-i + shift for i in range(len(names))],
                marker,
                color=colour,
                markersize=5,
                label=label,
                clip_on=False,
            )
        axes.set_yticks([-i for i in range(len(names))], names)
        axes.set(
            xlim=(-0.02, 1.02),
            ylim=(-len(names) + 0.4, 0.6),
            title=f"{SETS[kind]}: {compared['copies']} copies",
            xlabel="µAP: 1 if every copy finds its clip before any false pair",
        )
        axes.grid(True, axis="x", color="#dddddd", linewidth=0.8)
        axes.hlines([-i - 0.5 for i in range(len(names) - 1)], -0.02, 1.02, color="#eeeeee", linewidth=0.5)
        axes.set_axisbelow(True)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    call = parser.parse_args()
    plan = json.loads((call.folder / "plan.json").read_text())
    copies = {"excerpts": plan["copies"], "whole": json.loads((call.folder / "whole.json").read_text())}
    answers = {
        peer: json.loads(file.read_text())
        for peer in STYLES
        if (file := call.folder / "answers" / f"{peer}.json").exists()
    }
    searched = set.intersection(*(set(record["queries"]) for record in answers.values()))
    copies = {kind: [copy for copy in some if copy["file"] in searched] for kind, some in copies.items()}
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    result = {
        "date": max(record["date"] for record in answers.values()),
        "commit": commit,
        "command": "bench/video/peers.py make, run; bench/video/tabulate_peers.py",
        "programs": {
            peer: {key: record[key] for key in ("date", "machine", "versions", "failed")}
            | {
                "cpu_s_per_s_of_clip": record["clips_cpu_s"] / record["clips_s"],
                "cpu_s_per_s_of_query": record["queries_cpu_s"] / record["queries_s"],
            }
            for peer, record in answers.items()
        },
        "clips": plan["seconds"],
        "sets": {kind: compare(some, answers) for kind, some in copies.items()},
    }
    print_tables(result)
    if call.json:
        call.json.write_text(json.dumps(result, indent=1) + "\n")
    if call.plot:
        draw(result, call.plot)


if __name__ == "__main__":
    main()
