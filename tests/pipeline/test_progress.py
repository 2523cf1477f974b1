"""Work that takes more than a second shows one line on a terminal and erases it. Elsewhere the error stream is silent."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

import numpy as np
import pytest
from PIL import Image

ERASE = "\r\x1b[K"


class Terminal:
    """Runs the program with a terminal of 70 columns as its error stream. The standard output is a pipe. Without a delay
    every step of the work is drawn, so a test sees the same steps on a fast and on a slow machine. `stdin` gets this object
    and the input, while the program runs."""

    def __init__(self, octavo, *arguments, delay=0, environment=None, stdin=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
        program = subprocess.Popen(
            [octavo.path, *map(str, arguments)],
            cwd=octavo.folder,
            stdin=subprocess.PIPE if stdin else None,
            stdout=subprocess.PIPE,
            stderr=slave,
            env={**os.environ, "OCTAVO_PROGRESS_DELAY": str(delay), **(environment or {})},
        )
        os.close(slave)
        self.drawn = b""
        reader = threading.Thread(target=self.read)
        reader.start()
        if stdin:
            stdin(self, program.stdin)
        self.output = program.communicate(timeout=300)[0].decode()
        reader.join()
        os.close(self.master)
        self.exit_code = program.returncode
        self.text = self.drawn.decode()
        self.lines = self.text.split(ERASE)

    def read(self):
        while True:
            try:
                part = os.read(self.master, 4096)
            except OSError:  # the program has ended
                return
            if not part:
                return
            self.drawn += part


def must_show(terminal, *words):
    """The line appears, holds the words at some time, fits the terminal, and is erased at the end."""
    assert terminal.exit_code == 0, terminal.text
    first, *lines, last = terminal.lines
    assert (first, last) == ("", ""), terminal.text
    assert lines, "no line was drawn"
    assert "\n" not in terminal.text
    assert all(len(line) < 70 for line in lines)
    for word in words:
        assert any(re.search(word, line) for line in lines), (word, lines)


@pytest.fixture
def large(octavo, texture):
    """An image of that size."""

    def make(width, height, name="large.png"):
        tile = texture(256, 256)
        repeated = np.tile(tile, (height // 256 + 1, width // 256 + 1))[:height, :width]
        noise = np.random.default_rng(5).integers(-9, 10, repeated.shape)
        path = octavo.folder / name
        Image.fromarray(np.clip(repeated.astype(int) + noise, 0, 255).astype(np.uint8)).save(path)
        return path

    return make


CPU = ("--device", "cpu", "--threads", 1)


def test_extraction_of_one_image_shows_its_stages(octavo, large):
    terminal = Terminal(octavo, "extract", large(300, 300), "--smoothing", "trilateral", "--first-octave", 0, *CPU)
    must_show(terminal, r"large\.png: octave \d of \d, image \d of \d \d+ %")
    assert "keypoints" in terminal.output


def test_work_of_seconds_shows_its_time(octavo, large):
    """The input keeps the program waiting until a second is on the line, which a thread draws."""

    def late(terminal, stream):
        limit = time.monotonic() + 60
        while b", 1 s" not in terminal.drawn and time.monotonic() < limit:
            time.sleep(0.01)
        stream.write(image)

    image = large(60, 60).read_bytes()
    terminal = Terminal(octavo, "extract", "-", *CPU, delay=20, stdin=late)
    must_show(terminal, r", 1 s$")


def test_a_filter_shows_its_stages(octavo, large):
    terminal = Terminal(octavo, "filter", "trilateral", large(900, 900), "-o", "smooth.png", *CPU)
    must_show(terminal, r"large\.png: windows \d+ %")


def test_inspection_shows_its_stages(octavo, large):
    terminal = Terminal(octavo, "inspect", large(500, 400), "-o", "stages", *CPU)
    must_show(terminal, r"^\[[#.]{20}\] \d+/100 ")
    assert re.search(r"^page +stages/index\.html", terminal.output, re.MULTILINE)


def features(path, count):
    random = np.random.default_rng(count)
    points = random.uniform(0, 1000, (count, 5)).astype(np.float32)
    np.savez(path, keypoints=points, descriptors=random.integers(0, 256, (count, 128), np.uint8))


def test_a_match_of_large_sets_shows_its_progress(octavo):
    features(octavo.folder / "a.npz", 4000)
    features(octavo.folder / "b.npz", 4001)
    must_show(
        Terminal(octavo, "match", "a.npz", "b.npz", *CPU), r"matching 4000 x 4001 descriptors: nearest neighbours"
    )


def test_an_alignment_shows_its_steps(octavo, large):
    a, b = large(600, 600, "a.png"), large(600, 500, "b.png")
    terminal = Terminal(octavo, "align", a, b, "-o", "both.png", *CPU)
    must_show(terminal, r"features of A", r"features of B")


def test_an_evaluation_shows_the_images_and_names_its_page(octavo, large):
    large(400, 400, "photo.png")
    terminal = Terminal(
        octavo,
        "evaluate",
        "robustness",
        "photo.png",
        "--kinds",
        "noise",
        "--preset",
        "opencv",
        "-o",
        "report.html",
        *CPU,
    )
    must_show(terminal, r"^\[[#.]{20}\] \d+/\d+ .*png")
    assert terminal.output.endswith("page  report.html\n")
    assert (octavo.folder / "report.html").exists()


def test_an_evaluation_of_crops_shows_the_photographs(octavo, large):
    large(1000, 1000, "photo.png")
    terminal = Terminal(octavo, "evaluate", "crops", "photo.png", *CPU)
    must_show(terminal, r"^\[[#.]{20}\] \d+/7 .*photo\.png")


def test_a_bar_counts_the_images_of_a_list(octavo, large):
    for i in range(5):
        large(400, 400, f"{i}.png")
    terminal = Terminal(octavo, "extract", ".", *CPU)
    must_show(terminal, r"^\[[#.]{20}\] [1-4]/5 .*\d\.png: octave \d of \d")
    assert len(terminal.output.splitlines()) == 5


@pytest.mark.slow
def test_a_list_of_seconds_shows_the_time_that_is_left(octavo, large):
    """The reference device is slow by nature. The time that is left falls as that of the list goes on."""
    for i in range(8):
        large(900, 900, f"{i}.png")
    begin = time.monotonic()
    terminal = Terminal(octavo, "extract", ".", "--device", "reference")
    taken = time.monotonic() - begin
    must_show(terminal, r"^\[[#.]{20}\] \d/8 \(\d+ s left\) .*\d\.png")
    told = [int(seconds) for seconds in re.findall(r"\((\d+) s left\)", terminal.text)]
    assert max(told) <= 2 * taken  # other work on the machine may slow the beginning alone
    assert told[-1] < told[0], told


def test_the_bar_of_a_mosaic_follows_its_time(octavo, texture):
    wide = texture(900, 500, seed=4)
    for i in range(3):
        Image.fromarray(wide[:, 200 * i : 200 * i + 500]).resize((1000, 1000)).save(octavo.folder / f"{i}.png")
    terminal = Terminal(octavo, "mosaic", "0.png", "1.png", "2.png", "-o", "all.png", *CPU)
    must_show(
        terminal, r"^\[[#.]{20}\] 0/100 features 1 of 3", r"\d/100 .*matches 3 of 3", r"\d/100 .*blending \d of \d"
    )
    shares = [int(share) for share in re.findall(r"\] (\d+)/100 ", terminal.text)]
    assert shares == sorted(shares)
    blending = [int(share) for share in re.findall(r"\] (\d+)/100 [^\r]*blending", terminal.text)]
    assert blending[0] == 54 and len(set(shares)) >= 6


@pytest.mark.parametrize(
    "call, side, words",
    [
        (("extract", "large.png"), 300, (r"large\.png at 300x300, round \d of 3",)),
        (("extract", "large.png", "--mode", "throughput", "--stream", 2), 300, (r"4 in flight, round \d of 3",)),
        (("filter", "large.png"), 200, (r"large\.png at 200x200, round \d of 3",)),
        (("match", "--descriptor-counts", "3000"), 9, (r"3000 x 3000, round \d of 3",)),
    ],
)
def test_benchmarks_show_their_rounds(octavo, large, call, side, words):
    large(side, side)
    terminal = Terminal(octavo, "bench", *call, "--rounds", 3, "--warmup", 1, *CPU)
    must_show(terminal, r"^\[[#.]{20}\] \d/4 ", *words)
    assert "median" in terminal.output


def test_a_report_of_benchmarks_shows_what_it_runs(octavo, large):
    call = ("--devices", "reference@1", "--sizes", "400x400", "--max-features", "all", "--rounds", 2, "--warmup", 0)
    terminal = Terminal(octavo, "bench", "report", large(400, 400), *call)
    must_show(terminal, r"^\[[#.]{20}\] 0/2 .*1 thread at 400x400, preparation", r"\d/2 .*1 thread at 400x400")


def test_an_evaluation_shows_the_pairs_whose_matches_it_draws(octavo, large):
    (octavo.folder / "data").mkdir()
    for name in ("1.png", "2.png"):
        large(500, 500, f"data/{name}")
    (octavo.folder / "data" / "H_1_2").write_text("1 0 0\n0 1 0\n0 0 1\n")
    terminal = Terminal(octavo, "evaluate", "data", "--preset", "opencv", "-o", "report.html", *CPU)
    must_show(terminal, r"image of .*2\.png: ")


@pytest.mark.usefixtures("opencl")
@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        ("match", "a.npz", "a.npz"),
        ("bench", "match", "--descriptor-counts", 50, "--rounds", 1),
    ],
)
def test_the_first_use_of_opencl_says_that_it_builds_kernels(octavo, call):
    if not any(device["kind"] == "opencl" for device in json.loads(octavo("devices", "--json"))):
        pytest.skip("lacks a device with OpenCL")
    features(octavo.folder / "a.npz", 50)
    cache = octavo.folder / "cache"
    cold = {"XDG_CACHE_HOME": str(cache), "POCL_CACHE_DIR": str(octavo.folder / "pocl")}
    terminal = Terminal(octavo, *call, "--device", "opencl:0", environment=cold)
    must_show(terminal, "building kernels of .*, once")
    assert list(cache.rglob("*.bin"))


@pytest.mark.slow
@pytest.mark.usefixtures("opencl")
def test_a_selftest_ends_with_a_verdict(octavo):
    terminal = Terminal(octavo, "selftest")
    must_show(terminal, r"^\[[#.]{20}\] \d+/\d+ ")
    rows = terminal.output.splitlines()[1:-1]
    devices = {row.split()[0] for row in rows}
    verdict = f"This machine gives the recorded bytes: {len(rows)} digests on {len(devices)} devices."
    assert terminal.output.splitlines()[-1] == verdict


def test_nothing_is_drawn_before_the_delay_and_without_a_terminal(octavo, texture, large):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    terminal = Terminal(octavo, "extract", "a.png", "--device", "cpu", delay=300_000)
    assert (terminal.exit_code, terminal.text) == (0, "")
    octavo("filter", "trilateral", large(900, 900), "-o", "smooth.png", *CPU)  # asserts a silent error stream


def test_a_failure_after_the_line_stands_alone(octavo, large):
    """The line is erased before the error is printed."""
    (octavo.folder / "smooth.png").mkdir()
    terminal = Terminal(octavo, "filter", "trilateral", large(900, 900), "-o", "smooth.png", *CPU)
    assert terminal.exit_code == 1
    assert re.fullmatch(r"octavo: [^\r\n]+\r\n", terminal.lines[-1]), terminal.text


def test_a_name_cannot_control_the_terminal(octavo, large):
    name = "x\x1b[2Jy.png"
    large(900, 900, name)
    terminal = Terminal(octavo, "filter", "trilateral", name, "-o", "smooth.png", *CPU)
    must_show(terminal, r"x\?\[2Jy\.png: windows")


@pytest.mark.parametrize("delay", ["", "-1", "soon", "1s"])
def test_a_delay_that_is_no_number_is_named(octavo, large, delay):
    terminal = Terminal(octavo, "extract", large(64, 64), delay=delay)
    assert terminal.exit_code == 1
    assert f"OCTAVO_PROGRESS_DELAY is '{delay}', but must be" in terminal.text
