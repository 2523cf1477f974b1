"""Searches copies among clips with the Temporal Match Kernel of `perception`. peers.py runs this in its environment.

Standard input: {"clips": {name: path}, "queries": {name: path}}. Standard output: what peer_answers.py describes.

TMKL1 and TMKL2 with their defaults: 15 frames a second. A clip matches if both similarities are at least 0.7. perception
gives no threshold: these are the ones of the authors of TMK+PDQF (ThreatExchange, tmk/README). The score is the
similarity of TMKL2.
"""

from peer_answers import answer
from perception import hashers
from perception.hashers import tools

LEVEL_1, LEVEL_2 = 0.7, 0.7
HASHERS = {"l1": hashers.TMKL1(), "l2": hashers.TMKL2()}


def sign(path):
    return tools.compute_synchronized_video_hashes(path, HASHERS, hash_format="vector")


def compare(query, clip):
    l1, l2 = (1 - float(HASHERS[level].compute_distance(query[level], clip[level], hash_format="vector")) for level in HASHERS)
    return {"score": l2, "match": l1 >= LEVEL_1 and l2 >= LEVEL_2}


answer(sign, compare)
