"""Searches copies among clips with the Temporal Match Kernel of `perception`. peers.py runs this in its environment.

Standard input: {"clips": {name: path}, "queries": {name: path}}. Standard output: what peer_answers.py describes.

TMKL1 and TMKL2 with their defaults: 15 frames a second. A clip matches if both similarities are at least 0.7.
perception gives no threshold: these are the ones of the authors of TMK+PDQF (ThreatExchange, tmk/README). The score is
the similarity of TMKL2.

perception 0.9.3 fails on clips with a flat (black) frame, since its frame hash has no value there. Here such a frame
counts as zeros, which add nothing to either hash.
"""

import numpy as np
from perception import hashers
from perception.hashers import tools

from peer_answers import answer

LEVEL_1, LEVEL_2 = 0.7, 0.7


class FrameHash(hashers.PHashF):
    """The frame hash that TMKL1 and TMKL2 have by default, with zeros for flat frames."""

    def __init__(self):
        super().__init__(hash_size=16, exclude_first_term=True, freq_shift=1)

    def _dct_to_hash(self, dct):
        hashed = super()._dct_to_hash(dct)
        return np.zeros(self.hash_length, np.float32) if hashed is None else hashed


HASHERS = {"l1": hashers.TMKL1(FrameHash()), "l2": hashers.TMKL2(FrameHash())}


def sign(path):
    return tools.compute_synchronized_video_hashes(path, HASHERS, hash_format="vector")


def similarity(level, query, clip):
    return 1 - np.asarray(HASHERS[level].compute_distance(query[level], clip[level], hash_format="vector")).item()


def compare(query, clip):
    l1, l2 = (similarity(level, query, clip) for level in HASHERS)
    return {"score": l2, "match": l1 >= LEVEL_1 and l2 >= LEVEL_2}


answer(sign, compare)
