"""Uploads of one film, with known shots: real clips, small, coarse, lit and cropped otherwise, at another frame rate.

An upload has every shot of the film, in an order of its own. It begins and ends some frames elsewhere in each shot, and
the whole file has one crop, size, frame rate, exposure and gamma, and is coded by x264 at one rate factor. Shots are cut at
frames of the clip, so the true offset of two takes is known. All that is random comes from the seed.
"""

import json
import subprocess
from fractions import Fraction

import numpy as np

# Of an upload: width and height, frame rate, x264's rate factor.
UPLOADS = [(320, 240, 15, 36), (320, 240, 25, 36), (480, 360, 15, 33)]
LEAST_SECONDS = 2.2  # of a shot after it was cut


def rate_of(clip):
    command = [
        "ffprobe",
        "-v",
        "error",
        "-select_streams",
        "v",
        "-show_entries",
        "stream=r_frame_rate",
        "-of",
        "csv=p=0",
    ]
    printed = subprocess.run([*command, clip], check=True, capture_output=True, text=True).stdout
    return float(Fraction(printed.strip().strip(",")))


def filters(random, width, height, fps):
    """Of a whole upload: crop, size, exposure and gamma."""
    keep = random.uniform(0.78, 0.95, 2)
    left, top = (1 - keep) * random.uniform(0, 1, 2)
    exposure, contrast, gamma = random.uniform(-0.12, 0.12), random.uniform(0.75, 1.2), random.uniform(0.65, 1.5)
    return (
        f"crop=iw*{keep[0]:.3f}:ih*{keep[1]:.3f}:iw*{left:.3f}:ih*{top:.3f},scale={width}:{height},setsar=1,"
        f"eq=brightness={exposure:.3f}:contrast={contrast:.3f}:gamma={gamma:.3f},fps={fps}"
    )


def upload(path, shots, clips, form, random):
    """Writes an upload, and returns its parts, as rushes.render does."""
    width, height, fps, quality = form
    inputs, chains, parts, at = [], [], [], 0
    look = filters(random, width, height, fps)
    for i in random.permutation(len(shots)):
        name, begin, seconds = shots[i]
        spare = max(0, min(0.3 * seconds, seconds - LEAST_SECONDS))
        rate = rate_of(clips[name])
        first = int(random.uniform(0, spare) * rate)
        cut = first / rate
        frames = int((seconds - cut - random.uniform(0, spare - cut)) * fps)
        inputs += ["-ss", begin, "-t", seconds, "-i", clips[name]]
        n = len(chains)
        chains.append(
            f"[{n}:v]trim=start_frame={first},setpts=PTS-STARTPTS,{look},trim=end_frame={frames},"
            f"setpts=N/({fps}*TB)[v{n}]"
        )
        part = {"in": at / fps, "out": (at + frames) / fps, "kind": "take", "scene": f"{name} {begin}"}
        parts.append({**part, "start": cut, "speed": 1.0})
        at += frames
    joined = "".join(f"[v{n}]" for n in range(len(chains))) + f"concat=n={len(chains)}:v=1[v]"
    coding = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-threads", 1, "-crf", quality, "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex", ";".join([*chains, joined]), "-map", "[v]"]
    subprocess.run(list(map(str, [*command, "-r", fps, *coding, path])), check=True)
    return parts


def render_uploads(folder, shots, clips, seed):
    """The truth of rushes.render for uploads of the shots (name of a clip, begin, seconds)."""
    truth_file = folder / "truth.json"
    if truth_file.exists():
        return json.loads(truth_file.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    truth = {}
    for number, form in enumerate(UPLOADS):
        path = folder / f"upload{number + 1}.mp4"
        truth[path.name] = upload(path, shots, clips, form, random)
    truth_file.write_text(json.dumps(truth, indent=1) + "\n")
    return truth
