"""A copy of a clip as a graph of ffmpeg's filters, and the segments that it truly shares with clips."""

import json
import os
import subprocess
import sys
from fractions import Fraction

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
SPARE = "tpad=stop_mode=clone:stop=5"  # overlay and hstack drop the last frames of their inputs; Recipe.add cuts the spare ones off
PAD = 1.5  # [second] of an unrelated clip before and after
X264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-an", "-crf"]


def text(words, size, x, y, enable=""):
    return f"drawtext=fontfile={FONT}:text='{words}':fontsize={size}:fontcolor=white:borderw=2:x={x}:y={y}{enable}"


class Clip:
    def __init__(self, name, path):
        self.name, self.path = name, path
        command = [
            "ffprobe",
            "-v",
            "error",
            "-select_streams",
            "v:0",
            "-show_entries",
            "stream=width,height,r_frame_rate",
            "-show_entries",
            "frame=best_effort_timestamp_time",
            "-of",
            "json",
            path,
        ]
        found = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True).stdout)
        (stream,) = found["streams"]
        rate = Fraction(stream["r_frame_rate"])
        times = []
        for frame in found["frames"]:  # in MPEG-2 some frames have no time: one duration after the one before
            known = frame.get("best_effort_timestamp_time")
            times.append(float(known) if known is not None else times[-1] + float(1 / rate))
        self.times = [time - times[0] for time in times]
        self.times.append(2 * self.times[-1] - self.times[-2])  # the end
        self.fps = (len(self.times) - 1) / self.times[-1]
        self.frame = 1 / self.fps  # [second] of an image
        self.rate = rate
        scale = min(1, 640 / max(stream["width"], stream["height"]))
        self.width, self.height = (2 * round(stream[side] * scale / 2) for side in ("width", "height"))

    def at_constant_rate(self, folder):
        """The clip, or one that shows its frames for as long at a constant rate: recipes count frames."""
        lengths = [end - begin for begin, end in zip(self.times, self.times[1:])]
        if max(lengths) < 1.2 * min(lengths):
            return self
        target = folder / f"{self.name}.mkv"
        if not target.exists():
            part = target.with_suffix(".part.mkv")
            command = ["ffmpeg", "-v", "error", "-y", "-i", self.path, "-vf", f"fps={self.rate}", "-c:v", "ffv1", part]
            subprocess.run(list(map(str, command)), check=True)
            os.replace(part, target)
        steady = Clip(self.name, target)
        steady.frame = self.frame
        return steady

    @property
    def frames(self):
        return len(self.times) - 1

    def excerpt(self, seconds):
        """First and last frame (exclusive) of an excerpt in the middle; none if the clip is too short."""
        count = round(seconds * self.fps)
        return None if count > self.frames - 4 else ((self.frames - count) // 2, (self.frames - count) // 2 + count)


class Recipe:
    """A graph of ffmpeg's filters: parts that follow each other, and the true segments."""

    def __init__(self, fps):
        self.fps, self.inputs, self.graph, self.parts, self.truth, self.frames = fps, [], [], [], [], 0
        self.coding = []  # more options of x264

    def source(self, clip, first, last, filters, rate=None):
        """Frames of a clip, first to last (exclusive), at constant rate."""
        label = f"s{len(self.inputs)}"
        rate = rate or clip.fps
        self.graph.append(
            f"[{len(self.inputs)}:v:0]trim=start_frame={first}:end_frame={last},setpts=N/{rate:.6f}/TB,"
            f"scale={clip.width}:{clip.height},setsar=1,{filters},setsar=1[{label}]"
        )
        self.inputs.append(clip.path)
        return label

    def add(self, label, count):
        """`count` frames at the rate of the recipe follow."""
        out = f"p{len(self.parts)}"
        self.graph.append(
            f"[{label}]fps={self.fps:.6f}:start_time=0,trim=end_frame={count},setpts=N/{self.fps:.6f}/TB[{out}]"
        )
        self.parts.append(out)
        self.frames += count

    def add_before(self, clip):
        self._add_pad(clip, clip.excerpt(2.2)[0])

    def add_after(self, clip):
        self._add_pad(clip, 2)

    def _add_pad(self, clip, begin):
        frames = round(PAD * clip.fps) + 2
        self.add(self.source(clip, begin, begin + frames, "null"), round(PAD * self.fps))

    def true(self, clip, first, last, begin, count):
        self.truth.append(
            {
                "clip": clip.name,
                "other_in": clip.times[first],
                "other_out": clip.times[last],
                "query_in": begin / self.fps,
                "query_out": (begin + count) / self.fps,
                "frame": max(1 / self.fps, clip.frame),
            }
        )

    def command(self, target, size, crf):
        width, height = size
        fit = f"scale={width}:{height}:force_original_aspect_ratio=decrease,pad={width}:{height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p"
        graph = list(self.graph)
        for i, part in enumerate(self.parts):
            graph.append(f"[{part}]{fit}[q{i}]")
        graph.append(
            "".join(f"[q{i}]" for i in range(len(self.parts)))
            + f"concat=n={len(self.parts)},setpts=N/{self.fps:.6f}/TB[out]"
        )
        inputs = [word for path in self.inputs for word in ("-i", path)]
        return [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            *inputs,
            "-filter_complex",
            ";".join(graph),
            "-map",
            "[out]",
            "-r",
            f"{self.fps:.6f}",
            *X264,
            crf,
            *self.coding,
            target,
        ]


def make(recipe, size, crf, target):
    if not target.exists():
        part = target.with_suffix(".part.mp4")
        subprocess.run(list(map(str, recipe.command(part, size, crf))), check=True)
        count = [
            "ffprobe",
            "-v",
            "error",
            "-select_streams",
            "v:0",
            "-count_packets",
            "-show_entries",
            "stream=nb_read_packets",
            "-of",
            "csv=p=0",
            part,
        ]
        made = int(subprocess.run(list(map(str, count)), check=True, capture_output=True).stdout)
        if made != recipe.frames:
            sys.exit(f"{part}: ffmpeg made {made} frames in place of {recipe.frames}")
        os.replace(part, target)
