"""Shows photographs in made clips, searches them, and measures how many are found, and how many frames their times are off.

usage: photographs.py FOLDER --octavo build/release/bin/octavo [--sets tuning report] [--rough] [--json FILE]

Each clip has 12 photographs of 3 s each, one after the other, in one of the ways of KINDS. The photographs of a set are
searched in an archive of its clips and of decoys (octavo video search), and each clip in an archive of all photographs of
both sets. `tuning` was there to choose the program's parameters on, `report` has other photographs. FOLDER keeps the
clips. With crossfades the truth is the middle of a fade, and all that lies within the fade is right. Needs ffmpeg, and
Debian's packages opencv-doc, lomiri-wallpapers-16.04 and plasma-workspace-wallpapers.
"""

import argparse
import datetime
import json
import subprocess
import time
from pathlib import Path

OPENCV = Path("/usr/share/doc/opencv-doc/examples/data")
BACKGROUNDS = Path("/usr/share/backgrounds")
WALLPAPERS = Path("/usr/share/wallpapers")
LARGE = "contents/images/2560x1600.jpg"
RATE, SECONDS, FADE = 25, 3, 0.48
SETS = {
    "tuning": [
        *(
            OPENCV / name
            for name in ("home.jpg", "fruits.jpg", "building.jpg", "baboon.jpg", "board.jpg", "messi5.jpg")
        ),
        *(
            BACKGROUNDS / f"{name}.jpg"
            for name in ("Wine_by_Jakkub_Mede", "Dragonfly_by_Bolly", "life_by_Aitzol_Berasategi")
        ),
        *(WALLPAPERS / name / LARGE for name in ("FallenLeaf", "OneStandsOut", "EveningGlow")),
    ],
    "report": [
        *(
            OPENCV / name
            for name in ("graf1.png", "aloeL.jpg", "starry_night.jpg", "butterfly.jpg", "leuvenA.jpg", "stuff.jpg")
        ),
        *(BACKGROUNDS / f"{name}.jpg" for name in ("aitzgorri_by_Aitzol_Berasategi", "friends_by_Aitzol_Berasategi")),
        *(WALLPAPERS / name / LARGE for name in ("Autumn", "ColdRipple", "Path", "BytheWater")),
    ],
}
DECOYS = [
    *(OPENCV / name for name in ("vtest.avi", "tree.avi", "Megamind.avi")),
    *(OPENCV / name for name in ("graf3.png", "leuvenB.jpg", "aloeR.jpg", "box.png", "left01.jpg", "sudoku.png")),
]
FIT = "scale={0}:{1}:force_original_aspect_ratio=increase:flags=area,crop={0}:{1},setsar=1"
MOVE = (
    "scale=2560:1440:force_original_aspect_ratio=increase:flags=area,crop=2560:1440,setsar=1,"
    "zoompan=z='{z}':x='{x}':y='{y}':d={d}:s=640x360:fps=25"
)
# The filter of one photograph, the size of the clip, and what encodes it.
KINDS = {
    "cut": (FIT.format(640, 360), ["-crf", "23"]),
    "crossfade": (FIT.format(640, 360), ["-crf", "23"]),
    "zoom": (MOVE.format(z="1+0.4*on/75", x="(iw-iw/zoom)/2", y="(ih-ih/zoom)/2", d=75), ["-crf", "23"]),
    "pan": (MOVE.format(z="1.4", x="(iw-iw/zoom)*on/75", y="(ih-ih/zoom)*(1-on/75)", d=75), ["-crf", "23"]),
    "picture 50 %": (FIT.format(320, 180), ["-crf", "23"]),
    "picture 30 %": (FIT.format(192, 108), ["-crf", "23"]),
    "320x240 crf 36": (FIT.format(320, 240), ["-crf", "36"]),
    "crop 20 %": ("crop=iw*0.8:ih*0.8:iw*0.1:0," + FIT.format(640, 360), ["-crf", "23"]),
    "crop 50 %": ("crop=iw*0.5:ih*0.5:iw*0.25:ih*0.25," + FIT.format(640, 360), ["-crf", "23"]),
    "mirrored, grey": ("hflip,hue=s=0," + FIT.format(640, 360), ["-crf", "28"]),
    "1 s each": (FIT.format(640, 360), ["-crf", "23"]),
}


def length_of(kind):
    return 1 if kind == "1 s each" else SECONDS


def graph_of(kind, count):
    """The filters from the inputs, one for each photograph, to [out]."""
    seconds, image = length_of(kind), KINDS[kind][0]
    parts = []
    for i in range(count):
        loop = "" if "zoompan" in image else f",loop=-1:1,fps={RATE}"
        frames = round(RATE * (seconds + (FADE if kind == "crossfade" and i + 1 < count else 0)))
        parts.append(f"[{i}:v]{image}{loop},trim=end_frame={frames},setpts=N/{RATE}/TB,format=yuv420p[p{i}]")
    if kind == "crossfade":
        last = "p0"
        for i in range(1, count):
            parts.append(f"[{last}][p{i}]xfade=duration={FADE}:offset={i * seconds}[x{i}]")
            last = f"x{i}"
        return ";".join([*parts, f"[{last}]null[out]"])
    parts.append("".join(f"[p{i}]" for i in range(count)) + f"concat=n={count}[all]")
    if kind.startswith("picture"):
        parts.append(
            f"[{count}:v]scale=640:360,setsar=1,fps={RATE}[back];[back][all]overlay=W*0.6-w/2:H*0.55-h/2:shortest=1[out]"
        )
    else:
        parts.append("[all]null[out]")
    return ";".join(parts)


def make(photographs, kind, target):
    if target.exists():
        return
    inputs = [word for one in photographs for word in ("-i", one)]
    if kind.startswith("picture"):
        inputs += ["-stream_loop", "-1", "-i", OPENCV / "tree.avi"]
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-y",
        *inputs,
        "-filter_complex",
        graph_of(kind, len(photographs)),
        "-map",
        "[out]",
    ]
    command += ["-r", RATE, "-c:v", "libx264", *KINDS[kind][1], "-pix_fmt", "yuv420p", target]
    subprocess.run([*map(str, command)], check=True, timeout=600)


def truth_of(kind, index, count):
    """In and out of a photograph, and how far off an end may be without being wrong [second]."""
    seconds = length_of(kind)
    fade = FADE / 2 if kind == "crossfade" else 0
    begin, end = (
        index * seconds + (fade if index > 0 else 0),
        (index + 1) * seconds + (fade if index + 1 < count else 0),
    )
    return (begin, end), fade


def score(kind, photographs, found):
    """`found` has, of each photograph, its segments in the clip as [in, out, mirrored]."""
    right, extra, off = 0, 0, []
    for i, one in enumerate(photographs):
        (begin, end), spare = truth_of(kind, i, len(photographs))
        hit = [s for s in found.get(str(one), []) if min(s[1], end) - max(s[0], begin) > (end - begin) / 2]
        extra += len(found.get(str(one), [])) - len(hit[:1])
        if not hit:
            continue
        right += 1
        off += [max(0, abs(a - b) - spare) * RATE for a, b in zip(hit[0], (begin, end))]
    off.sort()
    return {
        "photographs": len(photographs),
        "found": right,
        "ends": len(off),
        "within_2_frames": sum(one <= 2.05 for one in off),
        "median_off": round(off[len(off) // 2], 2) if off else None,
        "most_off": round(off[-1], 2) if off else None,
        "elsewhere": extra,
    }


class Bench:
    def __init__(self, arguments):
        self.folder, self.octavo, self.rough = arguments.folder, arguments.octavo, arguments.rough
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seconds = {"index": 0, "search": 0}

    def call(self, what, *words):
        begin = time.process_time(), time.monotonic()
        done = subprocess.run(
            [self.octavo, "video", *map(str, words), "--device", "cpu"], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        self.seconds[what] += time.monotonic() - begin[1]
        return done.stdout

    def index(self, files, name):
        archive = self.folder / name
        self.call("index", "index", *files, "--index", archive)
        return archive

    def search(self, queries, archive):
        rough = ["--rough-ends"] if self.rough else []
        found = json.loads(self.call("search", "search", *queries, "--index", archive, "--json", *rough))
        return found if isinstance(found, list) else [found]

    def run(self, name):
        photographs = SETS[name]
        clips = {kind: self.folder / f"{name}-{kind.replace(' ', '_').replace('%', 'p')}.mp4" for kind in KINDS}
        for kind, clip in clips.items():
            make(photographs, kind, clip)
        of_clips = self.index([*clips.values(), *DECOYS], f"{name}-clips")
        of_images = self.index([one for some in SETS.values() for one in some], "photographs")
        segments = {kind: {} for kind in KINDS}
        false, of_file = [], {str(clip.resolve()): kind for kind, clip in clips.items()}
        for query in self.search([*photographs, *(one for one in DECOYS if one.suffix != ".avi")], of_clips):
            for one in query["found_clips"]:
                kind = of_file.get(one["clip"])
                if kind is None or Path(query["query"]) not in photographs:
                    if one["clip"] != query["query"]:
                        false.append([query["query"], one["clip"], one["score"]])
                    continue
                segments[kind][query["query"]] = [(s["in_clip"], s["out_clip"]) for s in one["segments"]]
        back = {kind: {} for kind in KINDS}
        for query in self.search([*clips.values(), *(one for one in DECOYS if one.suffix == ".avi")], of_images):
            for one in query["found_clips"]:
                kind = of_file.get(str(Path(query["query"]).resolve()))
                if kind is None or Path(one["clip"]) not in photographs:
                    false.append([query["query"], one["clip"], one["score"]])
                    continue
                back[kind][one["clip"]] = [(s["in_query"], s["out_query"]) for s in one["segments"]]
        return {
            "photograph_in_clips": {kind: score(kind, photographs, segments[kind]) for kind in KINDS},
            "clip_in_photographs": {kind: score(kind, photographs, back[kind]) for kind in KINDS},
            "false_pairs": false,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--octavo", default="build/release/bin/octavo")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--rough", action="store_true", help="ends of the signatures")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    bench = Bench(arguments)
    result = {"date": datetime.date.today().isoformat(), "sets": {name: bench.run(name) for name in arguments.sets}}
    result["seconds"] = {what: round(seconds, 1) for what, seconds in bench.seconds.items()}
    for name, of_set in result["sets"].items():
        for way in ("photograph_in_clips", "clip_in_photographs"):
            print(f"{name}, {way}")
            for kind, one in of_set[way].items():
                print(
                    f"  {kind:<16} {one['found']:>2} of {one['photographs']}, ends within 2 frames {one['within_2_frames']:>2} "
                    f"of {one['ends']:>2}, median {one['median_off']}, most {one['most_off']}, elsewhere {one['elsewhere']}"
                )
        print(f"  false pairs: {of_set['false_pairs']}")
    print(result["seconds"])
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
