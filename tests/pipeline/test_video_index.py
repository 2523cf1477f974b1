"""octavo video index, list and forget: an archive of clips, whatever happens to files, disks and processes."""

import ctypes
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("ffmpeg")

KILL_INDEX = Path(__file__).parents[2] / "bench" / "video" / "kill_index.py"
KILLS = 12


@pytest.fixture(scope="session")
def pieces(photograph, tmp_path_factory):
    """Three pieces of clips, of a second each."""
    folder = tmp_path_factory.mktemp("pieces")
    for name, source in (("a.avi", "vtest.avi"), ("b.mp4", "tree.avi"), ("c.mkv", "Megamind.avi")):
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-ss",
            "1",
            "-t",
            "1",
            "-i",
            photograph(source),
            "-an",
            "-vf",
            "scale=320:-2",
        ]
        subprocess.run([*command, "-c:v", "mpeg4", folder / name], check=True, timeout=60)
    return folder


@pytest.fixture
def clips(pieces, octavo):
    """The folder films/ with these pieces, one of them in a folder below."""
    films = octavo.folder / "films"
    (films / "old").mkdir(parents=True)
    for name in ("a.avi", "b.mp4"):
        shutil.copy(pieces / name, films / name)
    shutil.copy(pieces / "c.mkv", films / "old" / "c.mkv")
    (films / "notes.txt").write_text("no clip")
    return films


def index(octavo, *arguments, archive="archive"):
    """Outcomes by file, and the summary, of a call that must succeed."""
    printed = json.loads(octavo("video", "index", *arguments, "--index", archive, "--json", "--device", "cpu"))
    return {clip["clip"]: clip["outcome"] for clip in printed["clips"]}, printed["summary"]


def failures(octavo, *arguments, archive="archive"):
    """Failures by file of a call that must have some."""
    done = octavo.call("video", "index", *arguments, "--index", archive, "--json", "--device", "cpu")
    assert done.returncode == 1, done
    clips = json.loads(done.stdout)["clips"]
    failed = {clip["clip"]: clip["problems"][0] for clip in clips if clip["problems"]}
    for file, failure in failed.items():
        assert f"octavo: cannot index '{file}': {failure}\n" in done.stderr
    return failed


def listed(octavo, archive="archive"):
    return json.loads(octavo("video", "list", "--index", archive, "--json"))


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_folders_are_indexed_once(octavo, clips):
    names = {"films/a.avi", "films/b.mp4", "films/old/c.mkv"}
    outcomes, summary = index(octavo, "films")
    assert outcomes == dict.fromkeys(names, "indexed")
    assert summary["indexed_count"] == 3 and summary["clip_seconds"] == pytest.approx(3, abs=0.5)
    assert index(octavo, "films")[0] == dict.fromkeys(names, "unchanged")
    (clips / "a.avi").rename(clips / "moved.avi")
    shutil.copy(clips / "b.mp4", clips / "copy.mp4")
    os.utime(clips / "old" / "c.mkv")
    outcomes, summary = index(octavo, "films")
    assert outcomes == dict.fromkeys(["films/moved.avi", "films/copy.mp4", "films/old/c.mkv"], "recognised") | {
        "films/b.mp4": "unchanged"
    }
    assert summary["clip_seconds"] == 0
    shown = listed(octavo)
    assert {Path(clip["clip"]).name for clip in shown["clips"]} == {"moved.avi", "b.mp4", "copy.mp4", "c.mkv"}
    assert shown["totals"]["clip_count"] == 4 and shown["totals"]["content_count"] == 3
    assert len(files_below(octavo.folder / "archive" / "segments")) == 3

    shutil.copy(clips / "moved.avi", clips / "b.mp4")  # a changed file
    assert index(octavo, "films/b.mp4")[0] == {"films/b.mp4": "recognised"}


def test_list_tells_the_facts(octavo, clips):
    text = octavo("video", "index", "films", "--index", "archive")
    assert [line.split(":")[0] for line in text.splitlines()][:-1] != [] and text.splitlines()[-1].startswith(
        "3 indexed; "
    )
    clip = {Path(clip["clip"]).name: clip for clip in listed(octavo)["clips"]}["a.avi"]
    assert (clip["given"], clip["state"], clip["problems"]) == ("films/a.avi", "done", [])
    facts = clip["facts"]
    size = (clips / "a.avi").stat().st_size
    assert (facts["container"], facts["codec"], facts["width"], facts["height"]) == ("avi", "mpeg4", 320, 240)
    assert (facts["frame_rate"], facts["frame_count"], facts["size"], facts["warnings"]) == ("10/1", 10, size, [])
    assert facts["decoder"].startswith("mpeg4 (libavcodec ")
    table = octavo("video", "list", "--index", "archive")
    assert f"mpeg4         320x240  done    {clips}/a.avi\n" in table
    assert "3 files, 0 failed; 3 clips, 0.0 hours" in table
    assert table.splitlines()[-1] == f"digest {listed(octavo)['digest']}"
    settings = dict(
        sqlite3.connect(octavo.folder / "archive" / "catalogue.sqlite").execute("SELECT name, value FROM setting")
    )
    assert float(settings["fps"]) == 2 and int(settings["max_features"]) == 256


def test_any_order_and_jobs_give_the_same_digest(octavo, clips):
    index(octavo, "films", "--jobs", 1, archive="one")
    digest = listed(octavo, "one")["digest"]
    index(octavo, "films/old/c.mkv", "--jobs", 2, "--threads", 1, archive="two")
    index(octavo, "films/b.mp4", "films/a.avi", "films", "--jobs", 2, archive="two")
    assert listed(octavo, "two")["digest"] == digest
    (octavo.folder / "elsewhere").mkdir()
    clips.rename(octavo.folder / "elsewhere" / "clips")
    index(octavo, "elsewhere", "--jobs", 7, "--isa", "portable", archive="three")
    assert listed(octavo, "three")["digest"] == digest
    index(octavo, "elsewhere", "--max-features", 100, archive="four")
    assert listed(octavo, "four")["digest"] != digest


@pytest.mark.usefixtures("opencl")
def test_all_devices_give_the_same_digest(octavo, clips):
    small = octavo.folder / "small.avi"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", clips / "b.mp4", "-vf", "scale=120:-2", "-c:v", "mpeg4", small], check=True
    )
    devices = [device["name"] for device in json.loads(octavo("devices", "--json")) if device["conformant"]]
    digests = set()
    for device in devices:
        octavo("video", "index", small, "--index", device, "--device", device)
        digests.add(listed(octavo, device)["digest"])
    assert len(devices) >= 2 and len(digests) == 1


def test_errors_of_the_machine_are_no_failures_of_clips(octavo, clips, monkeypatch):
    for device in ("cuda:99", "opencl:99"):
        octavo.error(2, "video", "index", "films", "--index", "archive", "--device", device)
    monkeypatch.setenv("OCTAVO_DECODER", "/none")
    assert "/none" in octavo.error(1, "video", "index", "films", "--index", "archive")
    monkeypatch.delenv("OCTAVO_DECODER")
    assert listed(octavo)["clips"] == []
    assert index(octavo, "films")[1]["indexed_count"] == 3


def test_a_missing_engine_is_no_failure_of_clips(octavo, clips):
    try:
        ctypes.CDLL("libnvcuvid.so.1")
        pytest.skip("this machine has NVDEC")
    except OSError:
        pass
    error = octavo.error(2, "video", "index", "films", "--index", "archive", "--engine", "nvdec")
    assert "NVDEC cannot decode: " in error
    assert index(octavo, "films")[1]["indexed_count"] == 3


def test_settings_are_those_of_the_archive(octavo, clips):
    index(octavo, "films/a.avi", "--fps", 4, "--max-features", 64)
    assert index(octavo, "films/b.mp4")[0] == {"films/b.mp4": "indexed"}
    settings = listed(octavo)["settings"]
    assert (settings["fps"], settings["max_features"]) == (4, 64)
    error = octavo.error(2, "video", "index", "films", "--index", "archive", "--fps", 2)
    assert error == "octavo: --fps is 2, but must be 4, with which the archive 'archive' was made\n"
    assert "--fast is true, but must be false" in octavo.error(
        2, "video", "index", "films", "--index", "archive", "--fast"
    )
    assert "--fps has no effect with --every" in octavo.error(
        2, "video", "index", "films", "--index", "x", "--fps", 2, "--every", 3
    )
    index(octavo, "films/a.avi", "--every", 3, archive="by-index")
    index(octavo, "films/b.mp4", "--every", 3, archive="by-index")
    index(octavo, "films/a.avi", "--fast", archive="quick")
    index(octavo, "films/b.mp4", archive="quick")
    assert listed(octavo, "quick")["settings"]["fast"]


def test_bad_files_are_noted(octavo, clips, pieces, tmp_path):
    make = ["ffmpeg", "-v", "error", "-f", "lavfi"]
    subprocess.run([*make, "-i", "sine=duration=1", clips / "song.mp4"], check=True)
    subprocess.run(
        [*make, "-i", "testsrc2=size=16x16:rate=25:duration=1", "-c:v", "mpeg4", clips / "tiny.avi"], check=True
    )
    subprocess.run(
        [*make, "-i", "testsrc2=size=7680x4320:rate=1:duration=1", "-c:v", "mjpeg", clips / "8k.avi"], check=True
    )
    slow = ["-i", "testsrc2=size=64x48:rate=1:duration=36", "-vf", "setpts=N*1000/TB", "-vsync", "vfr", "-c:v", "mpeg4"]
    subprocess.run([*make, *slow, clips / "10h.mkv"], check=True)
    whole = bytearray((clips / "a.avi").read_bytes())
    (clips / "cut.avi").write_bytes(whole[: len(whole) // 2])
    for at in (whole.index(b"avih") + 8 + 16, whole.index(b"strh") + 8 + 32):  # dwTotalFrames, dwLength
        whole[at : at + 4] = (10_000_000).to_bytes(4, "little")
    (clips / "declared.avi").write_bytes(whole)
    (clips / "noise.mp4").write_bytes(np.random.default_rng(3).bytes(10_000))
    (clips / "empty.mov").touch()
    mp4 = (clips / "b.mp4").read_bytes()
    (clips / "cut.mp4").write_bytes(mp4[: len(mp4) // 2])  # its index was at the end
    (clips / "folder.mp4").mkdir()
    (clips / "pipe.mp4").symlink_to("/dev/null")
    failed = failures(octavo, "films", "gone.mp4", "films/pipe.mp4")
    assert set(failed) == {
        "films/noise.mp4",
        "films/empty.mov",
        "films/cut.mp4",
        "films/song.mp4",
        "gone.mp4",
        "films/pipe.mp4",
    }
    assert failed["gone.mp4"] == "no such file"
    assert failed["films/empty.mov"] == "it is empty"
    assert failed["films/pipe.mp4"] == "it is no regular file"
    assert "no video, only audio" in failed["films/song.mp4"]
    states = {Path(clip["clip"]).name: clip for clip in listed(octavo)["clips"]}
    assert {name for name, file in states.items() if file["state"] == "failed"} == {
        Path(name).name for name in failed
    } - {"pipe.mp4"} | {"null"}
    assert {warning["name"] for warning in states["cut.avi"]["facts"]["warnings"]} & {"truncated", "damaged"}
    assert 0 < states["cut.avi"]["facts"]["frame_count"] < 10
    assert states["declared.avi"]["facts"]["frame_count"] == 10
    assert states["tiny.avi"]["facts"]["frame_count"] == 25
    assert states["8k.avi"]["facts"]["width"] == 7680
    assert states["10h.mkv"]["facts"]["seconds"] == pytest.approx(35_000, abs=1000)
    assert "it is empty" in octavo("video", "list", "--index", "archive")

    # They are told again without work, and tried again on demand or when they change.
    again = json.loads(octavo.call("video", "index", "films", "gone.mp4", "--index", "archive", "--json").stdout)
    assert (
        again["summary"]["failed_before_count"] == 5
        and again["summary"]["failed_count"] == again["summary"]["indexed_count"] == 0
    )
    again = json.loads(octavo.call("video", "index", "films", "--index", "archive", "--json", "--retry").stdout)
    assert again["summary"]["failed_count"] == 4 and again["summary"]["unchanged_count"] == 8
    shutil.copy(pieces / "c.mkv", clips / "noise.mp4")
    assert index(octavo, "films/noise.mp4")[0] == {"films/noise.mp4": "recognised"}
    assert "gone2.mp4': no such file" in octavo.error(1, "video", "index", "gone2.mp4", "--index", "archive")
    (clips / "nothing").mkdir()
    assert "films/nothing: the folder holds no videos" in octavo.error(
        1, "video", "index", "films/nothing", "--index", "archive"
    )


def test_a_file_that_shrinks_or_vanishes_fails(octavo, photograph):
    clip = octavo.folder / "clip.avi"
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-i",
        photograph("Megamind.avi"),
        "-an",
        "-vf",
        "scale=240:-2",
        "-c:v",
        "mpeg4",
        "-q:v",
        "2",
    ]
    subprocess.run([*command, clip], check=True, timeout=60)
    for name in ("shrinks.avi", "vanishes.avi"):  # of different contents, which are read at the same time
        (octavo.folder / name).write_bytes(clip.read_bytes() + name.encode())
    command = [
        octavo.path,
        "video",
        "index",
        "shrinks.avi",
        "vanishes.avi",
        "--index",
        "archive",
        "--every",
        "1",
        "--device",
        "cpu",
    ]
    run = subprocess.Popen(
        [*command, "--jobs", "2"], cwd=octavo.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    segments = octavo.folder / "archive" / "segments"
    while len(list(segments.glob(".*.part"))) < 2:  # both are being read
        assert run.poll() is None
        time.sleep(0.005)
    os.truncate(octavo.folder / "shrinks.avi", 100_000)
    (octavo.folder / "vanishes.avi").unlink()
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 1
    assert "cannot index 'shrinks.avi': it changed while it was read\n" in errors
    assert "cannot index 'vanishes.avi': it vanished while it was read\n" in errors
    assert listed(octavo)["totals"]["content_count"] == 0
    assert files_below(segments) == []


def test_forget(octavo, clips):
    shutil.copy(clips / "a.avi", clips / "again.avi")
    index(octavo, "films")
    segments = octavo.folder / "archive" / "segments"
    assert octavo("video", "forget", "films/a.avi", "--index", "archive") == "1 file forgotten\n"
    assert len(files_below(segments)) == 3  # again.avi has the same content
    assert octavo("video", "forget", "films/again.avi", "--index", "archive") == "1 file forgotten\n"
    assert len(files_below(segments)) == 2
    assert (
        "'films/a.avi' is not in the archive 'archive'"
        in octavo.call("video", "forget", "films/a.avi", "--index", "archive").stderr
    )
    shutil.rmtree(clips)
    assert octavo("video", "forget", "films", "--index", "archive") == "2 files forgotten\n"
    assert files_below(segments) == [] and listed(octavo)["clips"] == []
    assert "there is no archive in 'none'" in octavo.error(1, "video", "forget", "x", "--index", "none")
    assert "there is no archive in 'none'" in octavo.error(1, "video", "list", "--index", "none")


def test_two_processes_share_the_work(octavo, clips):
    index(octavo, "films", archive="alone")
    command = [octavo.path, "video", "index", "films", "--index", "archive", "--json", "--device", "cpu"]
    runs = [
        subprocess.Popen(command, cwd=octavo.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0] * 3, printed
    assert sum(json.loads(output)["summary"]["indexed_count"] for output, _ in printed) == 3
    assert listed(octavo)["digest"] == listed(octavo, "alone")["digest"]


def test_interruption_keeps_what_is_finished(octavo, clips, photograph):
    files = ["films/a.avi", "films/b.mp4", photograph("vtest.avi")]
    command = [
        octavo.path,
        "video",
        "index",
        *files,
        "--index",
        "archive",
        "--every",
        "1",
        "--jobs",
        "1",
        "--device",
        "cpu",
        "--json",
    ]
    run = subprocess.Popen(command, cwd=octavo.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    segments = octavo.folder / "archive" / "segments"
    while len(list(segments.glob("*/*.signature"))) < 2 or not list(segments.glob(".*.part")):
        assert run.poll() is None
        time.sleep(0.005)
    run.send_signal(signal.SIGINT)
    output, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (-signal.SIGINT, "octavo: interrupted\n")
    assert json.loads(output)["summary"]["indexed_count"] == 2
    assert listed(octavo)["totals"]["content_count"] == 2 and not list(segments.glob(".*.part"))


@pytest.mark.slow
def test_kills_do_no_harm(octavo, photograph):
    """bench/video/kill_index.py, with few kills."""
    command = [
        sys.executable,
        KILL_INDEX,
        "--kills",
        str(KILLS),
        octavo.path,
        photograph("vtest.avi"),
        photograph("Megamind.avi"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stderr
    assert f"{KILLS} kills in " in done.stdout


def limited_to(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_file_that_cannot_grow(octavo, clips):
    """A limit of the size of files, as quotas set it."""
    index(octavo, "films/b.mp4")
    index(octavo, "films", archive="whole")
    command = [octavo.path, "video", "index", "films", "--index", "archive", "--device", "cpu"]
    done = subprocess.run(
        command, cwd=octavo.folder, capture_output=True, text=True, preexec_fn=limited_to(8192), timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith("octavo: cannot ") and "archive" in done.stderr and done.stderr.count("\n") == 1, (
        done.stderr
    )
    assert listed(octavo)["totals"]["content_count"] == 1 and listed(octavo)["totals"]["failed_count"] == 0
    index(octavo, "films")
    assert listed(octavo)["digest"] == listed(octavo, "whole")["digest"]


@pytest.mark.slow
def test_a_full_disk(octavo, clips):
    """A small file system in memory, which a private namespace may mount."""
    probe = ["unshare", "-m" if os.geteuid() == 0 else "-rm", "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True).returncode != 0:
        pytest.skip("lacks the right to mount a file system")
    (octavo.folder / "disk").mkdir()
    index(octavo, "films", "--every", 1)
    digest = listed(octavo)["digest"]
    failed = 0
    for size in range(20, 260, 40):
        script = f"""
mount -t tmpfs -o size={size}k tmpfs disk || exit 77
'{octavo.path}' video index films --index disk/archive --every 1 --jobs 1 --device cpu; echo "code $?"
mount -o remount,size=64m disk
'{octavo.path}' video index films --index disk/archive --every 1 --jobs 1 --device cpu; echo "code $?"
'{octavo.path}' video list --index disk/archive --json
find disk -name '*.part'
"""
        done = subprocess.run(
            [*probe[:-1], "bash", "-c", script], cwd=octavo.folder, capture_output=True, text=True, timeout=300
        )
        if done.returncode == 77:
            pytest.skip("lacks the right to mount a file system")
        codes = [line for line in done.stdout.splitlines() if line.startswith("code")]
        assert codes[1] == "code 0", done
        if codes[0] == "code 1":
            failed += 1
            assert "No space left on device" in done.stderr or "disk is full" in done.stderr, done.stderr
            assert done.stderr.count("octavo: ") == done.stderr.count("\n") == 1, done.stderr
        last = done.stdout.splitlines()[-1]  # no file that is not whole follows
        assert json.loads(last)["digest"] == digest and json.loads(last)["totals"]["failed_count"] == 0
    assert failed >= 2


def test_no_archive_is_made_for_nothing(octavo):
    (octavo.folder / "empty").mkdir()
    assert "empty" in octavo.error(1, "video", "index", "empty", "--index", "archive")
    done = octavo.call("video", "index", "empty", "--index", "archive", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["clips"] == []
    assert not (octavo.folder / "archive").exists()
