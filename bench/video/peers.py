"""Searches transformed copies of real clips with Octavo and with other programs, on the same clips.

usage: peers.py make FOLDER                       makes the clips and the copies, with ffmpeg
       peers.py run FOLDER --octavo build/release/bin/octavo [--only PEER...] [--sources CLIP...] [--jobs N]
                                                  searches with each program; answers are kept in FOLDER/answers
       tabulate_peers.py FOLDER ...               compares the answers

There are two sets of copies. The *excerpts* are those of grid.py: 5 s of a clip between parts of unrelated ones. The
*whole* copies show a whole clip of at most 30 s, and nothing else: hashes of whole files are made for these. All clips
of clips.py are the archive. Each program runs with its defaults; what these are and where they come from is told in
peer_*.py:

| peer | from | what it compares |
| --- | --- | --- |
| vpdq | PyPI | PDQ hashes of a frame a second |
| videohash | PyPI | one hash of 64 bits for a file |
| tmk | PyPI (perception) | the Temporal Match Kernel of a file |
| signature | Debian's ffmpeg | MPEG-7 video signatures of all frames |

The first three get a virtual environment each, in FOLDER/environments, with the versions below. vpdq is built from
source and needs Debian's libavdevice-dev, libavfilter-dev, libavformat-dev, libavcodec-dev, libswscale-dev and cmake.
Times are seconds of CPU of all processes and threads, so other work on the machine changes them little."""

import argparse
import concurrent.futures
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import grid

PACKAGES = {
    "vpdq": ["vpdq==0.2.5"],
    "videohash": ["videohash==3.0.1", "pillow==9.5.0", "yt-dlp==2026.10.26"],  # it calls what pillow 10 removed
    "tmk": ["perception==0.9.3"],
}
PEERS = ["octavo", *PACKAGES, "signature"]
WHOLE = [
    "re-encoded, crf 35",
    "scale 0.3",
    "crop 5 %",
    "crop 20 %",
    "letterbox",
    "logo",
    "subtitles",
    "grey",
    "gamma 0.6",
    "mirror",
    "15 frames a second",
    "speed 1.25",
]
LONGEST_WHOLE = 30  # [second]
BATCH = 15  # queries in one call of ffmpeg
HERE = Path(__file__).resolve().parent


def make_whole(folder):
    """Copies of whole clips. Returns what they are, as grid.make_plan."""
    clips = {name: grid.Clip(name, path) for name, path in grid.fetch(folder / "clips").items()}
    (folder / "whole").mkdir(exist_ok=True)
    copies = []
    for transformation in WHOLE:
        for source in grid.TUNING + grid.REPORT:
            clip = clips[source]
            made = (
                grid.recipe_of(transformation, clip, [], None, whole=True) if clip.times[-1] <= LONGEST_WHOLE else None
            )
            if made is None:
                continue
            recipe, size = made
            file = Path("whole") / f"{source} {transformation}.mp4".replace(" ", "_").replace("%", "")
            grid.make(recipe, size, "35" if transformation.startswith("re-enc") else "28", folder / file)
            copies.append(
                {
                    "transformation": transformation,
                    "source": source,
                    "file": str(file),
                    "true": recipe.truth,
                    "pads": [],
                }
            )
    return copies


def seconds_of(file):
    probe = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(file)]
    return float(subprocess.run(probe, check=True, capture_output=True, text=True).stdout)


def make(call):
    call.folder.mkdir(parents=True, exist_ok=True)
    plan = grid.make_plan(
        argparse.Namespace(folder=call.folder, crf="28", only=grid.NAMES, sources=grid.TUNING + grid.REPORT)
    )
    (call.folder / "plan.json").write_text(json.dumps(plan, indent=1) + "\n")
    whole = make_whole(call.folder)
    (call.folder / "whole.json").write_text(json.dumps(whole, indent=1) + "\n")
    files = [*plan["clips"].values(), *(copy["file"] for copy in plan["copies"] + whole)]
    (call.folder / "seconds.json").write_text(
        json.dumps({file: seconds_of(call.folder / file) for file in files}, indent=1) + "\n"
    )


def run_measured(command, **options):
    """Standard output, and the CPU seconds of the command and of the processes that it waited for."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(list(map(str, command)), stdout=output, **options)
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, output.read())
        return output.read(), use.ru_utime + use.ru_stime


def version_of(command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.splitlines()[0]


class InEnvironment:
    """A peer of PyPI: peer_NAME.py in an environment of its own."""

    def __init__(self, name, call):
        self.program = HERE / f"peer_{name}.py"
        self.python = call.folder / "environments" / name / "bin" / "python"
        if not self.python.exists():
            venv.create(self.python.parents[1], with_pip=True)
        pip = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run(list(map(str, [*pip, "install", *PACKAGES[name]])), check=True)
        frozen = subprocess.run(list(map(str, [*pip, "freeze"])), check=True, capture_output=True, text=True).stdout
        self.versions = frozen.split()

    def answers(self, clips, queries):
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        task = json.dumps({"clips": clips, "queries": queries})
        done = subprocess.run(
            [str(self.python), str(self.program)],
            input=task,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        found = json.loads(done.stdout)
        signing = found["signing"]
        return {
            "pairs": found["pairs"],
            "clips_cpu_s": sum(signing[name] for name in clips),
            "queries_cpu_s": sum(signing[name] for name in queries) + found["comparing"],
            "failed": found["failed"],
        }


class Signature:
    """FFmpeg's filter `signature` with its defaults, detectmode=full: a pair of times that match, and a number of frames.

    It cannot read the signatures that it writes, so a search reads all clips again. Here some queries share a call.
    """

    def __init__(self, name, call):
        self.versions, self.jobs = [version_of(["ffmpeg", "-version"])], call.jobs

    FOUND = re.compile(r"matching of video (\d+) at ([\d.]+) and (\d+) at ([\d.]+), (\d+) frames matching")

    def call(self, files, options):
        inputs = [word for file in files for word in ("-threads", "1", "-i", file)]
        labels = "".join(f"[{i}:v:0]" for i in range(len(files)))
        graph = f"{labels}signature=nb_inputs={len(files)}{options}"
        command = ["ffmpeg", "-hide_banner", "-nostats", *inputs, "-filter_complex", graph, "-f", "null", "-"]
        return run_measured(command, stderr=subprocess.STDOUT)

    def search(self, clips, queries):
        """The pairs that are found, and CPU seconds."""
        printed, cpu = self.call([*queries.values(), *clips.values()], ":detectmode=full")
        pairs = []
        for match in self.FOUND.finditer(printed):
            a, b = int(match[1]), int(match[3]) - len(queries)
            if a < len(queries) and b >= 0:
                names = {"query": list(queries)[a], "clip": list(clips)[b]}
                at = {"query_at": float(match[2]), "clip_at": float(match[4])}
                pairs.append(names | {"score": int(match[5]), "match": True} | at)
        print(f"signature: {len(queries)} queries, {cpu:.0f} s", file=sys.stderr, flush=True)
        return pairs, cpu

    def answers(self, clips, queries):
        clips_cpu = sum(self.call([file], "")[1] for file in clips.values())
        names = list(queries)
        batches = [{name: queries[name] for name in names[i : i + BATCH]} for i in range(0, len(names), BATCH)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            found = list(pool.map(lambda batch: self.search(clips, batch), batches))
        pairs = [pair for some, _ in found for pair in some]
        queries_cpu = sum(cpu for _, cpu in found)
        return {"pairs": pairs, "clips_cpu_s": clips_cpu, "queries_cpu_s": queries_cpu, "failed": {}}


class Octavo:
    """octavo video search in an archive of the clips, with its defaults."""

    def __init__(self, name, call):
        self.octavo, self.jobs, self.archive = call.octavo, call.jobs, call.folder / "archive"
        if self.octavo is None:
            sys.exit("peers.py: octavo needs --octavo PROGRAM")
        self.versions = [version_of([self.octavo, "--version"])]

    def search(self, query):
        return run_measured(grid.search_command(self.octavo, query, self.archive, "--device", "cpu"))

    def answers(self, clips, queries):
        shutil.rmtree(self.archive, ignore_errors=True)
        name_of = {str(Path(file).resolve()): name for name, file in clips.items()}
        index = [self.octavo, "video", "index", *clips.values(), "--index", self.archive, "--device", "cpu", "--json"]
        _, clips_cpu = run_measured(index)
        self.search(next(iter(clips.values())))  # makes the lists
        pairs, queries_cpu = [], 0.0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for query, (printed, cpu) in zip(queries, pool.map(self.search, queries.values())):
                queries_cpu += cpu
                print(f"octavo: {query} {cpu:.1f} s", file=sys.stderr, flush=True)
                for clip in json.loads(printed)["found_clips"]:
                    segments = [
                        {
                            "query_in": one["in_query"],
                            "query_out": one["out_query"],
                            "clip_in": one["in_clip"],
                            "clip_out": one["out_clip"],
                            "score": one["score"],
                        }
                        for one in clip["segments"]
                    ]
                    score = max(one["score"] for one in segments)
                    pairs.append(
                        {
                            "query": query,
                            "clip": name_of[clip["clip"]],
                            "score": score,
                            "match": True,
                            "segments": segments,
                        }
                    )
        return {"pairs": pairs, "clips_cpu_s": clips_cpu, "queries_cpu_s": queries_cpu, "failed": {}}


def run(call):
    plan = json.loads((call.folder / "plan.json").read_text())
    copies = plan["copies"] + json.loads((call.folder / "whole.json").read_text())
    copies = [copy for copy in copies if copy["source"] in call.sources]
    clips = {name: str((call.folder / file).resolve()) for name, file in plan["clips"].items()}
    queries = {copy["file"]: str((call.folder / copy["file"]).resolve()) for copy in copies}
    (call.folder / "answers").mkdir(exist_ok=True)
    seconds = json.loads((call.folder / "seconds.json").read_text())
    lengths = {
        "clips_s": sum(seconds[file] for file in plan["clips"].values()),
        "queries_s": sum(seconds[file] for file in queries),
    }
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    for name in call.only:
        peer = {"octavo": Octavo, "signature": Signature}.get(name, InEnvironment)(name, call)
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": f"{processor[1] if processor else platform.machine()}, {os.cpu_count()} cores",
            "versions": peer.versions,
            "queries": list(queries),
            **lengths,
            **peer.answers(clips, queries),
        }
        (call.folder / "answers" / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="job", required=True)
    making = commands.add_parser("make")
    making.add_argument("folder", type=Path)
    making.set_defaults(job=make)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("--octavo", type=Path)
    running.add_argument(
        "--only", nargs="+", choices=PEERS, default=PEERS, metavar="PEER", help=f"some of {', '.join(PEERS)}"
    )
    sources = grid.TUNING + grid.REPORT
    running.add_argument(
        "--sources",
        nargs="+",
        choices=sources,
        default=sources,
        metavar="CLIP",
        help="the clips whose copies are searched",
    )
    running.add_argument("--jobs", type=int, default=1, help="calls of octavo and ffmpeg at a time (default: 1)")
    running.set_defaults(job=run)
    call = parser.parse_args()
    call.job(call)


if __name__ == "__main__":
    main()
