"""Searches copies among clips with vPDQ. peers.py runs this in vPDQ's environment.

Standard input: {"clips": {name: path}, "queries": {name: path}}. Standard output: what peer_answers.py describes.

A frame a second is hashed, the default of vpdq.computeHash. Frames below a quality of 50 are left out, two frames match
at a distance of at most 31, and a clip matches if 80 % of the query's frames match: the values of vPDQ's README and of
Meta's python-threatexchange (extensions/vpdq/vpdq_util.py). The score is that percentage. vPDQ itself makes no
segments. Here one goes from the first matching frame to the last, each with the nearest frame of the clip, and a second
more."""

import vpdq

from peer_answers import answer

DISTANCE, QUALITY, PERCENT, INTERVAL = 31, 50, 80, 1.0


def sign(path):
    features = vpdq.computeHash(path, seconds_per_hash=INTERVAL, thread_count=1)
    return [feature for feature in features if feature.quality >= QUALITY]


def compare(query, clip):
    matches = []
    for frame in query:
        distance, nearest = min(((frame.hamming_distance(other), other.timestamp) for other in clip), default=(257, 0))
        if distance <= DISTANCE:
            matches.append((frame.timestamp, nearest))
    if not matches:
        return None
    percent = 100 * len(matches) / len(query)
    (query_times, clip_times) = zip(*matches)
    segment = {
        "query_in": min(query_times),
        "query_out": max(query_times) + INTERVAL,
        "clip_in": min(clip_times),
        "clip_out": max(clip_times) + INTERVAL,
        "score": percent,
    }
    return {"score": percent, "match": percent >= PERCENT, "segments": [segment]}


answer(sign, compare)
