"""Transformed copies of excerpts of real clips, and how well the search finds them.

usage: grid.py FOLDER --program build/release/bin/bench_find_in_clips [--sources CLIP...] [--only NAME...] [--json FILE]
       grid.py FOLDER --octavo build/release/bin/octavo [--jobs N] [--turned] ...

FOLDER keeps the clips (clips.py), the copies, which are made once with ffmpeg, and plan.json, what they should show.
With --planned that is read, so that a machine without ffmpeg can search. Each copy is searched in all clips, so that
those it does not come from are distractors: by --program frame by frame, by --octavo in an archive of them (octavo video
search). With --turned the archive has the copies, and each clip is searched in it: the segments are the same, their ends
are found from the other side.

A copy shows 1.5 s of an unrelated clip, the transformed excerpt, and 1.5 s of another unrelated clip, so that both ends
lie within it (except the excerpts of 3, 5 and 10 s, which are nothing else). The excerpt lasts 5 s, or all but a few
frames of a shorter clip, and shows frames for as long as the clip does, also where that is irregular (tree). Sources of
more than 640 pixels are first reduced to 640. --only takes copies as editors make them, too (edits.py).

A found segment is right if it overlaps a true one by at least half of their union in both clips; each true one can be
found once. Recall is the share of true segments that are found, precision the share of found segments that are right.
A segment in the unrelated parts counts as right if that clip is an archive clip too: the parts are copies as well.
Errors of ends are in frames of the slower of both clips; an end anywhere within a cross-fade is right. A segment that
is told as exact and has an end that is off by more than two frames is a fault of its own.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import platform
import shutil
import subprocess
import time
from pathlib import Path

from clips import fetch
from edits import EDITS, recipe_of_edit
from recipe import SPARE, Clip, Recipe, make, text

TUNING = ["vtest", "megamind", "bikes"]
REPORT = ["trailer", "city", "tree", "carphone", "v1", "v2"]
PART_OF = {"bunny": "trailer"}  # the search found this: the same images are in both


def subtitles():
    lines = [
        "The train leaves at seven in the morning",
        "We have not seen the others since Sunday",
        "Wait for me at the corner of the street",
    ]
    return ",".join(
        text(line, "h/16", "(w-text_w)/2", "h*0.88", f":enable='between(t,{2 * i},{2 * i + 1.9})'")
        for i, line in enumerate(lines)
    )


def crop(share):
    """Cuts a share of the width and of the height away, more on the left and the top."""
    return f"crop=iw*{1 - share}:ih*{1 - share}:iw*{share * 0.7}:ih*{share * 0.7}"


def swing(*waves):
    """An expression of the time t in -1..1: a sum of sines, each by its share and frequency [Hz]."""
    return "+".join(f"{share}*sin(2*PI*{hertz}*t+{hertz})" for share, hertz in waves)


# A hand that does not hold still: 90 % of the frame, which moves by up to 5 % of its sides.
SHAKE = (
    f"crop=iw*0.9:ih*0.9:x='(iw-ow)/2*(1+{swing((0.6, 1.7), (0.4, 5.3))})'"
    f":y='(ih-oh)/2*(1+{swing((0.6, 2.3), (0.4, 6.1))})'"
)
ROLL = f"rotate='0.05*{swing((1, 0.8))}':ow=iw:oh=ih,crop=iw*0.86:ih*0.86"  # up to 3 degrees to either side


def corner(number, x, y):
    """Where a corner of the frame is seen, as shares of its sides; it moves by 1 %."""
    return f"x{number}='W*({x}+0.01*sin(on/9+{number}))':y{number}='H*({y}+0.01*sin(on/7+{number}))'"


SCREEN = (
    "perspective=sense=destination:eval=frame:"
    + ":".join(corner(i, x, y) for i, (x, y) in enumerate([(0.07, 0.04), (0.94, 0.09), (0.03, 0.93), (0.97, 0.96)]))
    + ",eq=gamma=1.3:contrast=0.85,gblur=0.8,noise=alls=10:allf=t"
)
STRETCHES = [0.6, 0.7, 0.8, 1.2, 1.33, 1.45, 1.7]  # of the width alone
# What happens to the images of the excerpt.
FILTERS = {
    "re-encoded, crf 35": "null",
    "scale 0.5": "scale=trunc(iw*0.25)*2:-2",
    "scale 0.3": "scale=trunc(iw*0.15)*2:-2",
    "crop 5 %": crop(0.05),
    "crop 20 %": crop(0.20),
    "crop 50 %": crop(0.50),
    "letterbox": "pad=iw:ih*4/3:0:(oh-ih)/2",
    "pillarbox": "pad=iw*4/3:ih:(ow-iw)/2:0",
    "logo": text("OCTAVO TV", "h/12", "w-text_w-10", "10"),
    "subtitles": subtitles(),
    "grey": "hue=s=0",
    "gamma 0.6": "eq=gamma=0.6",
    "gamma 1.6": "eq=gamma=1.6",
    "mirror": "hflip",
    "negative": "negate",
    "reversed": "reverse",
    "noise": "noise=alls=40:allf=t",
    "shaken": SHAKE,
    "rolled": ROLL,
    "filmed from a screen": SCREEN,
    **{f"stretched {f}": f"scale=2*trunc(iw*{f / 2}):ih" for f in STRETCHES},
    "stretched 0.73 × 0.5": "scale=2*trunc(iw*0.365):2*trunc(ih*0.25)",
}
SPEEDS = [0.5, 0.8, 1.25, 2.0]
PICTURE_IN_PICTURE = [0.7, 0.5, 0.3]
EXCERPTS = [1.6, 2, 3, 5, 10]  # the first two need --min-seconds 1
FREEZES = [f"frozen {s} s, {where}" for s in (2, 10, 40) for where in ("start", "middle", "end")]
NAMES = [
    *FILTERS,
    "15 frames a second",
    *(f"speed {v}" for v in SPEEDS),
    *(f"picture in picture {p:.0%}" for p in PICTURE_IN_PICTURE),
    *(f"excerpt {s} s" for s in EXCERPTS),
    *FREEZES,
    "cut-out",
    "three clips",
    "within another clip",
    "two clips stacked",
    "all at once",
]


def freeze(recipe, clip, first, last, seconds, where):
    """The excerpt, with its first, middle or last frame shown for so long."""
    middle = {"start": first, "middle": (first + last) // 2, "end": last}[where]
    still = round(seconds * clip.fps)
    for part in ((first, middle), None, (middle, last)):
        if part is None:
            shown = min(middle, last - 1) if where == "start" else middle - 1
            pad = f"tpad=stop_mode=clone:stop_duration={seconds + 1}"
            recipe.add(recipe.source(clip, shown, shown + 1, pad), still)
        elif part[0] < part[1]:
            recipe.true(clip, *part, recipe.frames, part[1] - part[0])
            recipe.add(recipe.source(clip, *part, "null"), part[1] - part[0])


def follow(recipe, excerpts):
    """Excerpts of clips, one after the other: (clip, first, last)."""
    for clip, first, last in excerpts:
        count = round((last - first) / clip.fps * recipe.fps)
        recipe.true(clip, first, last, recipe.frames, count)
        recipe.add(recipe.source(clip, first, last, SPARE), count)


def recipe_of(name, clip, pads, background, whole=False):
    """The recipe of a copy and its size, or none if the clip is too short.

    A copy of the whole clip has nothing before and after it.
    """
    seconds = 5
    if name.startswith("excerpt"):
        seconds = float(name.split()[1])
    elif not clip.excerpt(5):
        seconds = 0.9 * clip.times[-1] - 0.5
    if not clip.excerpt(seconds):
        return None
    first, last = (0, clip.frames) if whole else clip.excerpt(seconds)
    count = last - first
    size = clip.width, clip.height
    fps = clip.fps
    if name == "15 frames a second":
        if clip.fps < 15.5:
            return None
        fps = 15.0
        count = int(count * fps / clip.fps)
        last = first + round(count * clip.fps / fps)
    recipe = Recipe(fps)
    padded = not whole and not name.startswith(("excerpt", "three", "within"))
    if padded:
        recipe.add_before(pads[0])
    begin = recipe.frames
    if name in FILTERS:
        label = recipe.source(clip, first, last, FILTERS[name])
        recipe.add(label, count)
        recipe.true(clip, first, last, begin, count)
        if name.startswith("scale"):
            size = tuple(2 * int(side * float(name.split()[1]) / 2) for side in size)
        elif name.startswith("crop"):
            size = tuple(2 * int(side * (1 - int(name.split()[1]) / 100) / 2) for side in size)
        elif name.startswith("stretched"):
            factors = [*(float(word) for word in name.split()[1:] if word != "×"), 1]
            size = tuple(2 * int(side * factor / 2) for side, factor in zip(size, factors))
        elif name == "letterbox":
            size = size[0], 2 * round(size[1] * 4 / 3 / 2)
        elif name == "pillarbox":
            size = 2 * round(size[0] * 4 / 3 / 2), size[1]
    elif name == "15 frames a second":
        recipe.add(recipe.source(clip, first, last, "null"), count)
        recipe.true(clip, first, last, begin, count)
    elif name.startswith("speed"):
        speed = float(name.split()[1])
        count = int(count / speed)
        label = recipe.source(clip, first, last, "null", clip.fps * speed)
        recipe.add(label, count)
        recipe.true(clip, first, last, begin, count)
    elif name.startswith("excerpt"):
        recipe.add(recipe.source(clip, first, last, "null"), count)
        recipe.true(clip, first, last, begin, count)
    elif name in FREEZES:
        words = name.split()
        freeze(recipe, clip, first, last, int(words[1]), words[-1])
    elif name == "three clips":
        follow(recipe, [(pads[0], *pads[0].excerpt(4)), (clip, first, last), (pads[1], *pads[1].excerpt(4))])
    elif name == "within another clip":
        begin, end = background.excerpt(7)
        middle = (begin + end) // 2
        follow(recipe, [(background, begin, middle), (clip, first, last), (background, middle, end)])
    elif name == "cut-out":
        long = clip.excerpt(8)
        if long:
            first, last = long
            part = round(3 * clip.fps)
            for start in (first, last - part):
                recipe.true(clip, start, start + part, recipe.frames, part)
                recipe.add(recipe.source(clip, start, start + part, "null"), part)
        else:
            return None
    elif name == "all at once":
        recipe.add(
            recipe.source(
                clip,
                first,
                last,
                f"{crop(0.1)},scale=trunc(iw*0.35)*2:-2,eq=gamma=0.8,{text('OCTAVO TV', 'h/12', 'w-text_w-10', '10')},{subtitles()}",
            ),
            count,
        )
        recipe.true(clip, first, last, begin, count)
        size = tuple(2 * int(side * 0.63 / 2) for side in size)
    elif name.startswith("picture in picture"):
        share = int(name.split()[-1][:-1]) / 100
        frames = int(count / clip.fps * background.fps) + 2
        if frames > background.frames - 4:
            return None
        back = recipe.source(background, 2, 2 + frames, f"fps={fps:.6f},{SPARE}")
        width = 2 * round(background.width * share / 2)
        front = recipe.source(clip, first, last, f"scale={width}:-2,{SPARE}")
        recipe.graph.append(f"[{back}][{front}]overlay=x=(W-w)*0.8:y=(H-h)*0.25:shortest=1[both]")
        recipe.add("both", count)
        recipe.true(clip, first, last, begin, count)
        recipe.true(background, 2, 2 + round(count / fps * background.fps), begin, count)
        recipe.truth[-1]["background"] = True
        size = background.width, background.height
    elif name == "two clips stacked":
        frames = int(count / clip.fps * background.fps) + 2
        if frames > background.frames - 4:
            return None
        height = 270
        left = recipe.source(clip, first, last, f"scale=-2:{height},{SPARE}")
        right = recipe.source(background, 2, 2 + frames, f"fps={fps:.6f},scale=-2:{height},{SPARE}")
        recipe.graph.append(f"[{left}][{right}]hstack=shortest=1[both]")
        recipe.add("both", count)
        recipe.true(clip, first, last, begin, count)
        recipe.true(background, 2, 2 + round(count / fps * background.fps), begin, count)
        size = 2 * int(height * (clip.width / clip.height + background.width / background.height) / 2), height
    if padded:
        recipe.add_after(pads[1])
    return recipe, size


def union_share(a_in, a_out, b_in, b_out):
    both = max(0.0, min(a_out, b_out) - max(a_in, b_in))
    return both / (max(a_out, b_out) - min(a_in, b_in))


def error(off, fade):
    """How far off an end is that may lie anywhere within a fade [second]."""
    return off - min(max(off, -fade / 2), fade / 2)


def score(truth, segments, names, pads, found_as):
    """The true segments that are found, with the errors of their ends, and the number of wrong segments."""
    rows, wrong, left = [], [], [segment for segment in segments if segment[found_as]]
    for one in truth:
        best = None
        for segment in left:
            at = segment[found_as]
            if names[segment["other"]] != one["clip"]:
                continue
            share = min(
                union_share(at["query_in"], at["query_out"], one["query_in"], one["query_out"]),
                union_share(at["other_in"], at["other_out"], one["other_in"], one["other_out"]),
            )
            if share >= 0.5 and (best is None or share > best[0]):
                best = share, segment
        if best is None:
            rows.append({"found": False, **one})
            continue
        left.remove(best[1])
        at = best[1][found_as]
        errors = {
            f"{clip}_{end}": error(at[f"{clip}_{end}"] - one[f"{clip}_{end}"], one.get(f"fade_{end}", 0)) / one["frame"]
            for clip in ("query", "other")
            for end in ("in", "out")
        }
        told = {
            key: at.get(key) for key in ("speed", "score", "exact", "within")
        }  # the program of frames does not tell exactness
        rows.append({"found": True, "errors": errors, **told, **one})
    shown = pads + [one["clip"] for one in truth]
    unasked = pads + [part for part, whole in PART_OF.items() if whole in shown]
    for segment in left:
        if names[segment["other"]] not in unasked:
            wrong.append(segment)
    return rows, wrong


def tabulate(results):
    print(
        f"{'transformation':24} {'true':>4} {'recall':>6} {'wrong':>5} {'ends ≤ 2':>8} {'median':>6} {'worst':>6} "
        f"{'exact':>5} {'off':>3}"
    )
    for name, result in results.items():
        print(
            f"{name:24} {result['true']:4} {result['recall']:6.3f} {result['wrong']:5} {result['ends_within_2_frames']:8.3f} "
            f"{result['median_error']:6.2f} {result['worst_error']:6.1f} "
            f"{result['told_exact']:5} {result['told_exact_and_off']:3}"
        )


def make_plan(call):
    """Makes the clips and the copies. Returns what they are."""
    clips = {name: Clip(name, path) for name, path in fetch(call.folder / "clips").items()}
    (call.folder / "copies").mkdir(parents=True, exist_ok=True)
    steady = {name: clip.at_constant_rate(call.folder / "copies") for name, clip in clips.items()}
    copies = []
    for name in call.only:
        for i, source in enumerate(TUNING + REPORT):
            if source not in call.sources:
                continue
            rest = [
                steady[other]
                for other in (TUNING + REPORT)
                if other != source and other not in ("v1", "v2", "carphone")
            ]
            pads = [rest[i % len(rest)], rest[(i + 2) % len(rest)]]
            made = (recipe_of_edit if name in EDITS else recipe_of)(
                name, steady[source], pads, rest[(i + 4) % len(rest)]
            )
            if made is None:
                continue
            recipe, size = made
            file = Path("copies") / f"{source} {name}.mp4".replace(" ", "_").replace("%", "").replace("×", "x")
            make(recipe, size, "35" if name.startswith("re-enc") else call.crf, call.folder / file)
            copies.append(
                {
                    "transformation": name,
                    "source": source,
                    "file": str(file),
                    "true": recipe.truth,
                    "pads": [pad.name for pad in pads],
                }
            )
    files = {
        name: os.path.relpath(clip.path, call.folder) if call.folder in Path(clip.path).parents else str(clip.path)
        for name, clip in clips.items()
    }
    return {"clips": files, "seconds": {name: clip.times[-1] for name, clip in clips.items()}, "copies": copies}


class FrameByFrame:
    """bench_find_in_clips, which compares all pairs of frames."""

    def __init__(self, call, plan):
        self.command = [call.program, *(call.folder / file for file in plan["clips"].values())]

    def answers(self, queries):
        with subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            for query in queries:
                program.stdin.write(f"{query}\n")
                program.stdin.flush()
                yield json.loads(program.stdout.readline())
            program.stdin.close()


def search_command(program, query, archive, *options):
    return [program, "video", "search", query, "--index", archive, "--patience", "3600", "--json", *options]


class InArchive:
    """octavo video search in an archive of files, which is made anew."""

    def __init__(self, call, files):
        self.options = call.options
        self.octavo, self.jobs, self.archive = call.octavo, call.jobs, call.folder / "archive"
        self.number = {str(file.resolve()): i for i, file in enumerate(files)}
        shutil.rmtree(self.archive, ignore_errors=True)
        subprocess.run(
            [self.octavo, "video", "index", *files, "--index", self.archive], check=True, stdout=subprocess.DEVNULL
        )
        self.search(files[0])  # makes the lists

    def search(self, query):
        begin = time.monotonic()
        command = search_command(self.octavo, query, self.archive, *self.options)
        found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        segments = []
        for clip in found["found_clips"]:
            for one in clip["segments"]:
                ends = {
                    f"{name}_{end}": one[f"{end}_{side}"]
                    for name, side in (("query", "query"), ("other", "clip"))
                    for end in ("in", "out")
                }
                ends |= {"speed": one["speed"], "score": one["score"], "exact": one["exact_ends"]}
                ends["within"] = one["ends_within"]
                segments.append({"other": self.number[clip["clip"]], "coarse": ends, "refined": ends})
        return {"segments": segments, "comparing": time.monotonic() - begin, "query_seconds": found["seconds"]}

    def answers(self, queries):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            yield from pool.map(self.search, queries)


def turned(segment, clip):
    """A segment of a copy in the archive and a clip that was searched, as one of a copy that was searched."""
    ends = segment["refined"]
    sides = {"query": "other", "other": "query"}
    swapped = {f"{sides[side]}_{end}": ends[f"{side}_{end}"] for side in sides for end in ("in", "out")}
    swapped |= {"speed": 1 / ends["speed"], **{key: ends[key] for key in ("score", "exact", "within")}}
    return {"other": clip, "coarse": swapped, "refined": swapped}


def answers_of_copies(call, clips, copies):
    """What InArchive answers, from an archive of the copies."""
    of_copy = [{"segments": [], "comparing": 0.0, "query_seconds": 0.0} for _ in copies]
    for clip, answer in enumerate(InArchive(call, copies).answers(clips)):
        for segment in answer["segments"]:
            of_copy[segment["other"]]["segments"].append(turned(segment, clip))
        of_copy[0]["comparing"] += answer["comparing"]
        of_copy[0]["query_seconds"] += answer["query_seconds"]
    return of_copy


def answers_of(call, plan, copies):
    clips = [call.folder / file for file in plan["clips"].values()]
    if call.program:
        return FrameByFrame(call, plan).answers(copies)
    return answers_of_copies(call, clips, copies) if call.turned else InArchive(call, clips).answers(copies)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--program", type=Path, help="bench_find_in_clips")
    how.add_argument("--octavo", type=Path, help="the program octavo")
    parser.add_argument("--jobs", type=int, default=1, help="searches at a time, with --octavo (default: 1)")
    parser.add_argument("--options", type=str.split, default=[], help="of octavo video search, with --octavo")
    parser.add_argument("--turned", action="store_true", help="search the clips in an archive of the copies")
    parser.add_argument("--planned", action="store_true", help="take the copies of plan.json")
    parser.add_argument(
        "--sources", nargs="+", default=TUNING + REPORT, metavar="CLIP", help="the clips that are copied"
    )
    parser.add_argument("--only", nargs="+", default=NAMES, metavar="NAME", help="transformations, or edits (edits.py)")
    parser.add_argument("--coarse", action="store_true", help="score the ends before refinement")
    parser.add_argument("--crf", default="28", help="of x264, for all but the first transformation (default: 28)")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", type=Path)
    call = parser.parse_args()
    plan_file = call.folder / "plan.json"
    if not call.planned:
        plan_file.write_text(json.dumps(make_plan(call), indent=1) + "\n")
    plan = json.loads(plan_file.read_text())
    names = list(plan["clips"])
    jobs = [job for job in plan["copies"] if job["source"] in call.sources and job["transformation"] in call.only]
    of_name, details, times = {}, [], {"signing": 0.0, "comparing": 0.0, "refining": 0.0, "query_seconds": 0.0}
    for job, answer in zip(jobs, answers_of(call, plan, [call.folder / job["file"] for job in jobs])):
        name, source = job["transformation"], job["source"]
        for key in times:
            times[key] += answer.get(key, 0)
        rows, wrong = score(job["true"], answer["segments"], names, job["pads"], "coarse" if call.coarse else "refined")
        of_name.setdefault(name, []).append((rows, wrong))
        details.append({"transformation": name, "source": source, "true": rows, "wrong": wrong})
        if call.verbose:
            for row in rows:
                ends = " ".join(f"{key} {value:+.2f}" for key, value in row.get("errors", {}).items())
                ends += f" speed {row['speed']:.3f}{' exact' if row['exact'] else ''}" if row["found"] else ""
                print(f"  {name}, {source}: {row['clip']} {'found' if row['found'] else 'MISSED'} {ends}", flush=True)
            for segment in wrong:
                print(f"  {name}, {source}: WRONG {names[segment['other']]} {segment['refined']}", flush=True)
    results = {}
    for name, scored in of_name.items():
        rows = [row for some, _ in scored for row in some]
        wrong = sum(len(some) for _, some in scored)
        worst = lambda row: max(map(abs, row["errors"].values()))
        ends = sorted(worst(row) for row in rows if row["found"])
        exact = [worst(row) for row in rows if row["found"] and row["exact"]]
        results[name] = {
            "true": len(rows),
            "recall": sum(row["found"] for row in rows) / len(rows),
            "wrong": wrong,
            "ends_within_2_frames": sum(end <= 2.01 for end in ends) / max(len(ends), 1),
            "median_error": ends[len(ends) // 2] if ends else float("nan"),
            "worst_error": ends[-1] if ends else float("nan"),
            "told_exact": len(exact),
            "told_exact_and_off": sum(end > 2.01 for end in exact),
        }
    tabulate(results)
    total = sum(result["true"] for result in results.values())
    found = sum(result["recall"] * result["true"] for result in results.values())
    wrong = sum(result["wrong"] for result in results.values())
    print(
        f"all: recall {found / total:.3f} of {total}, precision {found / max(found + wrong, 1):.3f}; {len(jobs)} copies of "
        f"{times['query_seconds']:.0f} s: signing {times['signing']:.0f} s, comparing {times['comparing']:.0f} s, ends {times['refining']:.0f} s"
    )
    if call.json:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "sources": call.sources,
            "tuned_on": TUNING,
            "clips": plan["seconds"],
            "search": "octavo video search" if call.octavo else "all pairs of frames",
            "options": call.options,
            "turned": call.turned,
            "times": times,
            "results": results,
            "details": details,
        }
        call.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
