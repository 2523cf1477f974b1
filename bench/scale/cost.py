"""What a large archive costs: machine hours, disk, memory and the time of a query, from measured constants.

usage: cost.py [--constants FILE] [NAME=VALUE ...]

constants.json has the constants, each with its unit and the measurement that it is from. NAME=VALUE replaces one:

    cost.py photographs=1e6 pairs_per_image=20 video_hours=5000

Nothing here is measured. Everything that grows with the collection is extrapolated from small ones: in proportion to the
images, pairs or hours; in proportion to their square where each is compared with each. Disks and networks are taken to
keep up. Prints a table of Markdown.
"""

import argparse
import json
from pathlib import Path
from types import SimpleNamespace

HOUR = 3600


def read_constants(file, changes):
    table = json.loads(file.read_text())
    values = {name: row["value"] for name, row in table.items()}
    for change in changes:
        name, is_change, value = change.partition("=")
        if not is_change or name not in values:
            raise SystemExit(f"cost.py: {change} names no constant; they are {', '.join(values)}")
        try:
            values[name] = float(value)
        except ValueError:
            raise SystemExit(f"cost.py: {change} gives no number") from None
        if values[name] < 0:
            raise SystemExit(f"cost.py: {change} is negative")
    unknown = [name for name, value in values.items() if value == 0]
    if unknown:
        raise SystemExit(f"cost.py: no value is known for {', '.join(unknown)}")
    return SimpleNamespace(**values)


def photographs(c):
    """Rows of what is done, what it costs on machines without and with a GPU, and what it leaves on disks."""
    n, core_hours = c.photographs, 1 / (c.machine_cores * HOUR)
    pairs = n * c.pairs_per_image
    products = n * n / 2 * c.vlad_product_core_seconds * core_hours
    features = n * c.keypoints * c.keypoint_bytes
    database = n * c.database_bytes
    return [
        (
            "VLADs of the images",
            n * c.vlad_core_seconds * core_hours,
            n * c.gpu_vlad_seconds / HOUR,
            n * c.vlad_bytes,
        ),
        ("pairs by all products of VLADs", products, None, None),
        ("features", n * c.extract_core_seconds * core_hours, None, features),
        (
            f"matches of {pairs:.2g} pairs, verified",
            pairs * c.match_core_seconds * core_hours,
            None,
            database - features,
        ),
        ("features and matches", None, n * c.gpu_image_seconds / HOUR, database),
        ("merges: features, then all", (features + database) / c.copy_bytes_per_second / HOUR, None, None),
    ]


def listed_features(c):
    return c.video_hours * HOUR * c.key_frames_per_second * c.features_per_key_frame


def most_codes(c):
    """The codes that a frame compares at most when it asks."""
    return max(c.least_codes, c.most_codes_share * listed_features(c))


def video(c):
    n, core_hours = c.video_hours, 1 / (c.machine_cores * HOUR)
    frames = n * HOUR * c.frames_per_second
    listed = listed_features(c)
    signatures = frames * (c.features_per_frame * c.signature_feature_bytes + c.signature_frame_bytes)
    lists = listed * c.list_feature_bytes
    # Each clip is a query with one word for each of its features; each pair is looked at from both sides.
    asked = min(c.features_per_frame * listed / c.words, most_codes(c))
    codes = n * HOUR * c.asking_frames_of_clip * c.mirrored * asked
    return [
        ("signatures", n * c.index_core_seconds * core_hours, n / c.gpu_index_hours, signatures),
        ("inverted lists", None, None, lists),
        ("merge", signatures / c.copy_bytes_per_second / HOUR, None, None),
        ("all duplicates", codes * c.code_core_seconds * core_hours, None, None),
    ]


def query(c):
    listed = listed_features(c)
    codes = c.query_seconds * c.asking_frames_per_second * c.mirrored * min(most_codes(c), listed)
    cores = codes * c.code_core_seconds + c.query_seconds * c.compared_clips_core_seconds
    lists = listed * c.list_feature_bytes
    return codes, cores, lists


def bytes_text(count):
    for unit in ("B", "kB", "MB", "GB", "TB", "PB"):
        if count < 999.5 or unit == "PB":
            return f"{count:.3g} {unit}"
        count /= 1000


def number_text(value):
    return f"{value:,.0f}".replace(",", " ") if value >= 10 else f"{value:.2g}"


def table(rows):
    lines = ["| step | hours of a machine without a GPU | with an H100 | disk |", "| --- | --- | --- | --- |"]
    for step, cpu, gpu, disk in rows:
        cells = [
            number_text(cpu) if cpu is not None else "",
            number_text(gpu) if gpu is not None else "",
            bytes_text(disk) if disk is not None else "",
        ]
        lines.append(f"| {step} | {' | '.join(cells)} |".replace("  ", " "))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constants", type=Path, default=Path(__file__).with_name("constants.json"))
    parser.add_argument("changes", nargs="*", metavar="NAME=VALUE")
    call = parser.parse_args()
    c = read_constants(call.constants, call.changes)
    print(f"{c.photographs:.3g} photographs of 12 megapixels; a machine has {c.machine_cores:.0f} cores:\n")
    print(table(photographs(c)))
    shards = c.photographs / c.shard_images
    print(
        f"\n{number_text(shards)} shards of {number_text(c.shard_images)} images; a process has {bytes_text(c.extract_memory_bytes)} in memory."
    )
    print(f"The VLADs take {bytes_text(c.photographs * c.vlad_bytes)} of memory while pairs are chosen.\n")
    print(f"{c.video_hours:.3g} hours of video:\n")
    print(table(video(c)))
    codes, cores, lists = query(c)
    machines = lists / c.machine_memory_bytes
    print(
        f"\nA query of {number_text(c.query_seconds)} s compares {codes:.2g} codes: {number_text(cores)} core seconds, so "
        f"{number_text(cores / c.machine_cores)} s on one machine"
    )
    print(
        f"whose disk keeps up. The lists fit the memory of {number_text(max(machines, 1))} machines of "
        f"{bytes_text(c.machine_memory_bytes)}, on whose cores the query would take {number_text(cores / c.machine_cores / max(machines, 1))} s."
    )


if __name__ == "__main__":
    main()
