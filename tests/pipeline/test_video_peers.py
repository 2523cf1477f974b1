"""bench/video/tabulate_peers.py and false_pairs.py: what counts as found, as false, and as not asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "video"


@pytest.fixture(autouse=True)
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def copy_of(source, file, pads=(), speed=1.0, transformation="logo"):
    """10 s of a query from its second 2 on are those of the clip from its second 20 on."""
    true = {"clip": source, "query_in": 2.0, "query_out": 12.0, "other_in": 20.0, "other_out": 20.0 + 10 * speed}
    return {"file": file, "source": source, "transformation": transformation, "true": [true], "pads": list(pads)}


def found(query, clip, score, match=True, **more):
    return {"query": query, "clip": clip, "score": score, "match": match} | more


def segment(query_in, query_out, clip_in, clip_out, score=1.0):
    return {"query_in": query_in, "query_out": query_out, "clip_in": clip_in, "clip_out": clip_out, "score": score}


def test_retrieval():
    from tabulate_peers import retrieval

    # bunny is a part of trailer, which is before the copy of tree: neither is asked there.
    copies = [copy_of("tree", "1.mp4", ["trailer"]), copy_of("city", "2.mp4"), copy_of("bikes", "3.mp4")]
    pairs = [
        found("1.mp4", "tree", 9),
        found("1.mp4", "trailer", 8),
        found("1.mp4", "bunny", 8),
        found("1.mp4", "city", 6),
        found("2.mp4", "city", 5, match=False),
        found("other.mp4", "city", 10),
    ]
    # Of three true pairs one is found by the threshold, and one is before the false one. µAP: 1/1 and 2/3 of 3.
    assert retrieval(copies, {"pairs": pairs}) == {
        "true": 3,
        "recall": pytest.approx(1 / 3),
        "false": 1,
        "micro_average_precision": pytest.approx((1 + 2 / 3) / 3),
        "recall_before_false": pytest.approx(1 / 3),
    }


def test_place():
    from tabulate_peers import place

    copies = [copy_of("tree", "1.mp4", speed=2.0)]
    assert place(copies, {"pairs": [found("1.mp4", "tree", 1)]}) is None  # it gives no times
    for query, clip, expected in (
        (7, 30, 1),
        (7, 30.5, 1),
        (7, 30.6, 0),
        (1.6, 19.2, 1),
        (1.4, 18.8, 0),
        (12.4, 40.8, 1),
    ):
        at = found("1.mp4", "tree", 1, query_at=query, clip_at=clip)
        assert place(copies, {"pairs": [at]}) == expected, (query, clip)
    # The middle of a segment counts.
    assert place(copies, {"pairs": [found("1.mp4", "tree", 1, segments=[segment(4, 10, 24, 36)])]}) == 1
    assert place(copies, {"pairs": [found("1.mp4", "tree", 1, segments=[segment(4, 10, 20, 30)])]}) == 0


def test_segments():
    from tabulate_peers import segments

    copies = [copy_of("tree", "1.mp4"), copy_of("city", "2.mp4")]
    assert segments(copies, {"pairs": [found("1.mp4", "tree", 1)]}) is None
    half = found("1.mp4", "tree", 1, segments=[segment(2, 7, 20, 25)])
    # Half of one of two true segments on both axes. VCSL: precisions 1 and 1 (nothing is found), recalls 1/4 and 0.
    result = segments(copies, {"pairs": [half]})
    assert result["micro_average_precision"] == pytest.approx(1 / 4)
    assert (result["precision"], result["recall"]) == (1, pytest.approx(1 / 8))


def test_tables_and_plot(tmp_path):
    (tmp_path / "answers").mkdir()
    files = ["1.mp4", "2.mp4"]
    (tmp_path / "plan.json").write_text(json.dumps({"seconds": {"tree": 30}, "copies": [copy_of("tree", "1.mp4")]}))
    (tmp_path / "whole.json").write_text(json.dumps([copy_of("tree", "2.mp4", transformation="grey")]))
    for peer, pairs in {
        "octavo": [found(file, "tree", 40, segments=[segment(2, 12, 20, 30)]) for file in files],
        "videohash": [found("2.mp4", "tree", 60)],
    }.items():
        record = {
            "date": "2026-01-01",
            "machine": "m",
            "versions": ["1"],
            "failed": {},
            "pairs": pairs,
            "queries": files,
        }
        record |= {"clips_cpu_s": 3.0, "clips_s": 30.0, "queries_cpu_s": 8.0, "queries_s": 16.0}
        (tmp_path / "answers" / f"{peer}.json").write_text(json.dumps(record))
    command = [
        sys.executable,
        "-B",
        BENCH / "tabulate_peers.py",
        tmp_path,
        "--json",
        tmp_path / "out.json",
        "--plot",
        tmp_path / "out.svg",
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=BENCH, timeout=600)
    assert (done.returncode, done.stderr) == (0, ""), done
    lines = done.stdout.splitlines()
    assert "| transformation | true | Octavo | videohash |" in lines
    assert "| logo | 1 | 1.00, 1.00 | 0.00, 0.00 |" in lines and "| grey | 1 | 1.00, 1.00 | 1.00, 1.00 |" in lines
    assert "| a second of a query, with its search | 0.500 | 0.500 |" in lines
    result = json.loads((tmp_path / "out.json").read_text())
    assert result["sets"]["excerpts"]["all"]["octavo"]["segments"]["f1"] == 1
    assert "Octavo" in (tmp_path / "out.svg").read_text()


def test_sources_of_false_pairs():
    from false_pairs import source_of

    assert source_of("/a/Opal-003.mp4") == "Opal" and source_of("/a/texture12-000.mp4") == "texture12"
    assert source_of("/a/bunny-000 mirrored.mp4") == source_of("/b/trailer-004.mp4") == "trailer"
    assert source_of("v1-000.mp4") == source_of("v2-000 shuffled.mp4")
