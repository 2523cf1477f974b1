"""How well found takes fit known ones. Truth is {clip: [{"in", "out", "kind", "scene", "start", "speed"}]}, as rushes.render
gives it; what was found is {clip: [{"in", "out", "scene"}]}.

All shares are of time, sampled every 1/25 second in the middle of a frame. A part of a clip is a true take, with its
scene, or junk. It is found as a scene's, or it is left out.

* Assigned seconds: each found scene is given to at most one true scene and the other way round, so that the time in
  common is greatest (the assignment problem). The share is this time by the time of all true takes.
* Pairs: two moments of different true takes are a true pair if their scene is the same, and a found pair if they were
  found in the same scene. Precision is the share of true pairs among the found ones, recall the share of found pairs
  among the true ones, F1 their harmonic mean. Moments of junk that were found in a scene count for precision, each part
  of junk as a true take of a scene of its own. Moments of one take are no pair: to put them together is no merit.
* Junk kept: the share of the time of junk that was found in a scene.
* Ends: the share of the ends of true takes that have an end of a found shot within a frame.
* Alignment: the error of each pair of times that a found take has with its reference, in seconds of the reference. It
  counts where both are takes of one true scene. Many takes show moments that their reference does not show, and no partner
  is right then; the errors of the others are told apart.
* Offsets: of takes of one speed whose references are of the same true scene. Right are those within two frames of 25 a
  second. Those that the program calls exact are counted apart.
"""

STEP = 0.04


def label_at(shots, seconds):
    return next((shot["scene"] for shot in shots if shot["in"] <= seconds < shot["out"]), None)


def moments(truth, found):
    """Counts the moments of each (scene, take, found scene). Junk has the scene None; found is None where left out."""
    counts = {}
    for clip, parts in truth.items():
        shots = found.get(clip, [])
        for number, part in enumerate(parts):
            scene = part["scene"] if part["kind"] == "take" else None
            first, last = round(part["in"] / STEP), round(part["out"] / STEP)
            for n in range(first, last):
                key = scene, (clip, number), label_at(shots, (n + 0.5) * STEP)
                counts[key] = counts.get(key, 0) + 1
    return counts


def best_assignment(table):
    """The greatest sum of values of a table {(row, column): value} that takes each row and each column at most once. Rows
    join one after the other, each along the path of changes that gains most (Bellman and Ford)."""
    values = {}
    for (row, column), value in table.items():
        values.setdefault(row, {})[column] = value
    row_of = {}
    for start in values:
        # gain[column]: the most that is gained if a path of changes ends with taking this column.
        gain, came = dict(values[start]), dict.fromkeys(values[start])
        for _ in values:
            for column in [one for one in gain if one in row_of]:
                row = row_of[column]
                for other, value in values[row].items():
                    new = gain[column] - values[row][column] + value
                    if other != column and new > gain.get(other, float("-inf")) + 1e-9:
                        gain[other], came[other] = new, column
        # The path ends with a free column, or with a row that gives its column up.
        ends = {
            column: value - (values[row_of[column]][column] if column in row_of else 0)
            for column, value in gain.items()
        }
        column = max(ends, key=ends.get, default=None)
        if column is None or ends[column] <= 0:
            continue
        while came[column] is not None:
            row_of[column] = row_of[came[column]]
            column = came[column]
        row_of[column] = start
    return sum(values[row][column] for column, row in row_of.items())


def pairs_within(groups):
    """The number of pairs of moments of different takes within each group {group: {take: moments}}."""
    return sum((sum(takes.values()) ** 2 - sum(count**2 for count in takes.values())) / 2 for takes in groups.values())


def grouped(counts, group_of):
    groups = {}
    for key, count in counts.items():
        group = group_of(*key)
        if group is not None:
            takes = groups.setdefault(group, {})
            takes[key[1]] = takes.get(key[1], 0) + count
    return groups


def assigned_and_pairs(counts):
    """Shares of assigned seconds and kept junk, precision, recall and F1 of pairs, of moments {(scene, take, found): n}."""
    table, takes, junk, kept = {}, 0, 0, 0
    for (scene, _, found), count in counts.items():
        if scene is None:
            junk += count
            kept += count if found is not None else 0
            continue
        takes += count
        if found is not None:
            table[scene, found] = table.get((scene, found), 0) + count
    true = pairs_within(grouped(counts, lambda scene, take, found: scene))
    together = pairs_within(grouped(counts, lambda scene, take, found: found))
    right = pairs_within(
        grouped(counts, lambda scene, take, found: (scene, found) if scene is not None and found is not None else None)
    )
    precision, recall = right / together if together else 1.0, right / true if true else 1.0
    return {
        "take_seconds": takes * STEP,
        "assigned": best_assignment(table) / takes if takes else 1.0,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "junk_seconds": junk * STEP,
        "junk_kept": kept / junk if junk else 0.0,
    }


def ends_found(truth, found, tolerance):
    """The share of the ends of true takes at which a shot ends or begins."""
    near, all_ends = 0, 0
    for clip, parts in truth.items():
        ends = [end for shot in found.get(clip, []) for end in (shot["in"], shot["out"])]
        for part in parts:
            if part["kind"] == "take":
                for end in (part["in"], part["out"]):
                    all_ends += 1
                    near += any(abs(end - one) <= tolerance for one in ends)
    return near / all_ends if all_ends else 1.0


def take_at(truth, clip, seconds):
    return next(
        (part for part in truth.get(clip, []) if part["kind"] == "take" and part["in"] <= seconds < part["out"]), None
    )


def alignment_errors(truth, aligned, shown=False):
    """The errors [second of the reference] of the pairs (clip, seconds, clip of the reference, seconds). With `shown`, only of
    the pairs whose moment of the take is one that the reference shows too, so that there is a right partner."""
    errors = []
    for clip, seconds, of_reference, at in aligned:
        take, reference = take_at(truth, clip, seconds), take_at(truth, of_reference, at)
        if take is None or reference is None or take["scene"] != reference["scene"]:
            continue
        moment = take["start"] + take["speed"] * (seconds - take["in"])
        right = reference["in"] + (moment - reference["start"]) / reference["speed"]
        if not shown or reference["in"] <= right < reference["out"]:
            errors.append(abs(right - at))
    return errors


def offset_shares(truth, offsets):
    """Counts the offsets (clip, in, clip and in of the reference, offset, exact), and those within two frames."""
    counts = {"offsets": 0, "offsets_right": 0, "exact": 0, "exact_right": 0}
    for clip, begin, of_reference, reference_begin, offset, exact in offsets:
        take, reference = take_at(truth, clip, begin + STEP), take_at(truth, of_reference, reference_begin + STEP)
        if take is None or reference is None or take["scene"] != reference["scene"]:
            continue
        if take["speed"] != reference["speed"]:
            continue
        moment = take["start"] + take["speed"] * (begin - take["in"])
        there = reference["start"] + reference["speed"] * (reference_begin - reference["in"])
        is_right = abs((moment - there) / reference["speed"] - offset) <= 2 * STEP + 1e-6
        counts["offsets"] += 1
        counts["offsets_right"] += is_right
        counts["exact"] += exact
        counts["exact_right"] += exact and is_right
    return counts
