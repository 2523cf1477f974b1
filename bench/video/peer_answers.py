"""What the program of a peer does besides the peer's own work: reads the files, signs and compares them, and tells
times.

Standard output is JSON: {"pairs": [{"query", "clip", "score", "match", "segments"}], "signing": {name: CPU seconds},
"comparing": CPU seconds, "failed": {name: reason}}. "match" is the decision by the peer's defaults, "segments" are
there if the peer gives times. Pairs without any resemblance may be left out."""

import json
import os
import resource
import sys


def cpu_seconds():
    """Of this process and of those that it started and waited for."""
    return sum(
        use.ru_utime + use.ru_stime for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def answer(sign, compare):
    """sign(path) makes a signature, compare(query, clip) tells {"score", "match"} or none."""
    results = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    task = json.load(sys.stdin)
    signatures, signing, failed = {}, {}, {}
    for name, path in (task["clips"] | task["queries"]).items():
        begin = cpu_seconds()
        try:
            signatures[name] = sign(path)
        except Exception as error:  # of whatever kind: the others are measured
            failed[name] = f"{type(error).__name__}: {error}"
        signing[name] = cpu_seconds() - begin
        print(f"{len(signing)} {name} {signing[name]:.2f} s", file=sys.stderr, flush=True)
    begin = cpu_seconds()
    pairs = []
    for query in task["queries"]:
        for clip in task["clips"]:
            if query in signatures and clip in signatures:
                found = compare(signatures[query], signatures[clip])
                if found:
                    pairs.append({"query": query, "clip": clip} | found)
    json.dump({"pairs": pairs, "signing": signing, "comparing": cpu_seconds() - begin, "failed": failed}, results)
    results.close()
