"""The memory of extractions, inspections and the trilateral filter: what --estimate tells, and the refusal of what is not available."""

import json
import resource
import struct
import subprocess

import numpy as np
import pytest
from PIL import Image

MIB = 1 << 20


@pytest.fixture
def large(octavo, texture):
    """large.png: 2400 x 1800 pixels, which take some 300 MiB."""
    tile = texture()
    rows, columns = -(-1800 // tile.shape[0]), -(-2400 // tile.shape[1])
    Image.fromarray(np.tile(tile, (rows, columns))[:1800, :2400]).save(octavo.folder / "large.png")
    return "large.png"


def estimate(octavo, *arguments):
    return json.loads(octavo("extract", *arguments, "--estimate", "--json", "--device", "cpu"))


def under_limit(octavo, limit, *arguments):
    """Runs the program with an address space of `limit` bytes."""
    return subprocess.run(
        [octavo.path, *arguments],
        cwd=octavo.folder,
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


def peak_of(octavo, *arguments):
    """[byte] The peak memory of a call that must succeed."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        ["python3", "-c", script, octavo.path, *arguments],
        cwd=octavo.folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return int(done.stdout) << 10


def test_the_estimate_of_an_image(octavo, large):
    before = sorted(octavo.folder.iterdir())
    one = estimate(octavo, large)
    assert {key: one[key] for key in ("image", "width", "height", "channel_count", "bit_depth")} == {
        "image": large,
        "width": 2400,
        "height": 1800,
        "channel_count": 1,
        "bit_depth": 8,
    }
    assert one["octave_count"] == 9
    (device,) = one["devices"]
    assert device["device"] == "cpu"
    assert 100 * MIB < device["least"]["host_bytes"] <= device["usual"]["host_bytes"] < 250 * MIB
    assert device["least"]["device_bytes"] == 0
    assert device["pixels_in_memory"] == 2400 * 1800
    assert device["available"]["host_bytes"] > 0
    assert sorted(octavo.folder.iterdir()) == before


def test_the_estimate_as_text(octavo, large):
    text = octavo("extract", large, "--estimate", "--device", "cpu")
    first, second = text.splitlines()
    assert first == "large.png: 2400x1800, 1 x 8 bits, 9 octaves"
    assert second.startswith("  cpu: ") and " MiB of the host's memory, " in second and second.endswith(": it fits")


def test_estimates_of_a_folder_are_an_array(octavo, texture):
    for name in ("a.png", "b.png"):
        Image.fromarray(texture()).save(octavo.folder / name)
    assert [one["image"] for one in estimate(octavo, "a.png", "b.png")] == ["a.png", "b.png"]
    done = octavo.call("extract", "a.png", "missing.png", "--estimate", "--json", "--device", "cpu")
    assert done.returncode == 1 and "missing.png" in done.stderr
    assert [one["image"] for one in json.loads(done.stdout)] == ["a.png"]


def test_without_doubling_less_is_taken(octavo, large):
    whole = estimate(octavo, large)["devices"][0]["usual"]["host_bytes"]
    assert estimate(octavo, large, "--first-octave", "0")["devices"][0]["usual"]["host_bytes"] < 0.8 * whole


def test_estimates_write_nothing(octavo, large):
    octavo.error(2, "extract", large, "--estimate", "-o", "features")


@pytest.mark.parametrize(
    "options",
    [[], ["--first-octave", "0"], ["--detector", "foagdd"], ["--detector", "foagdd", "--describe"]],
    ids=["sift", "undoubled", "corners", "described corners"],
)
def test_the_program_takes_what_the_estimate_says(octavo, large, options):
    (device,) = estimate(octavo, large, *options)["devices"]
    peak = peak_of(octavo, "extract", large, "--device", "cpu", *options)
    assert device["least"]["host_bytes"] < peak
    program = 75 * MIB  # itself, its libraries, and the file while it is decoded
    assert peak < device["usual"]["host_bytes"] + device["pixels_in_memory"] + program


@pytest.mark.slow
@pytest.mark.parametrize(
    "command, output",
    [
        (["inspect"], ["-o", "look"]),
        (["inspect", "--full", "--float", "--packed", "--first-octave", "0"], ["-o", "look"]),
        (["inspect", "--detector", "foagdd", "--describe"], ["-o", "look"]),
        (["inspect", "--detector", "foagdd", "--full", "--float"], ["-o", "look"]),
        (["filter", "trilateral"], ["-o", "smooth.png"]),
        (["filter", "trilateral", "--spatial-sigma", "4"], ["-o", "smooth.png"]),
    ],
    ids=["inspect", "all files", "corners", "all files of corners", "filter", "wide filter"],
)
def test_inspections_and_filters_take_what_the_estimate_says(octavo, large, command, output):
    (device,) = json.loads(octavo(*command, large, "--estimate", "--json", "--device", "cpu"))["devices"]
    assert device["fits"] and not (octavo.folder / output[1]).exists()
    peak = peak_of(octavo, *command, large, *output, "--device", "cpu")
    assert device["least"]["host_bytes"] < peak
    program = 75 * MIB  # itself, its libraries, and the file while it is decoded
    assert peak < device["usual"]["host_bytes"] + device["pixels_in_memory"] + program


def test_an_inspection_without_its_memory_is_refused_before_the_work(octavo, large):
    (device,) = json.loads(octavo("inspect", large, "--estimate", "--json", "--device", "cpu"))["devices"]
    least = device["least"]["host_bytes"]
    done = under_limit(octavo, least, "inspect", large, "-o", "look", "--device", "cpu", "--threads", "1")
    assert done.returncode == 1 and done.stdout == "", done
    sentence = f"octavo: the inspection of an image of 2400×1800 pixels takes at least {least} bytes of memory, but "
    assert done.stderr.startswith(sentence) and done.stderr.count("\n") == 1
    assert list((octavo.folder / "look").glob("*")) == []


def test_a_command_that_needs_an_output_needs_none_for_an_estimate(octavo, large):
    octavo.error(2, "inspect", large)
    octavo.error(2, "filter", "trilateral", large)
    octavo.error(2, "filter", "trilateral", large, "-o", "smooth.png", "--json")
    octavo.error(2, "inspect", large, "-o", "look", "--estimate")
    assert octavo("filter", "trilateral", large, "--estimate").startswith("large.png: 2400x1800, 1 x 8 bits\n")


def test_what_is_not_available_is_refused_before_the_work(octavo, large):
    least = estimate(octavo, large)["devices"][0]["least"]["host_bytes"]
    done = under_limit(octavo, least, "extract", large, "--device", "cpu", "--threads", "1")
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.startswith(
        f"octavo: large.png: an image of 2400×1800 pixels takes at least {least} bytes of memory, but "
    )
    assert done.stderr.endswith("(limit of the address space of the process, RLIMIT_AS)\n")
    assert done.stderr.count("\n") == 1


def test_the_estimate_says_what_does_not_fit(octavo, large):
    least = estimate(octavo, large)["devices"][0]["least"]["host_bytes"]
    done = under_limit(octavo, least, "extract", large, "--estimate", "--device", "cpu")
    assert done.returncode == 1 and done.stderr == "", done
    assert done.stdout.endswith("(limit of the address space of the process, RLIMIT_AS): it does not fit\n")


def test_an_image_that_does_not_fit_is_no_fault_of_the_others(octavo, large, texture):
    Image.fromarray(texture()).save(octavo.folder / "small.png")
    least = estimate(octavo, large)["devices"][0]["least"]["host_bytes"]
    done = under_limit(octavo, least, "extract", large, "small.png", "--device", "cpu", "--threads", "1")
    assert done.returncode == 1
    assert done.stdout.startswith("small.png: ") and "large.png" in done.stderr


def test_a_table_that_asks_for_more_than_its_bytes_takes_no_memory(octavo):
    """360 kB of HEIC whose items ask for 4 billion parts of no bytes each."""

    def box(kind, content):
        return struct.pack(">I", len(content) + 8) + kind + content

    handler = box(b"hdlr", bytes(8) + b"pict" + bytes(13))
    places = struct.pack(">IHH", 0, 0, 60000) + b"".join(struct.pack(">HHH", i + 1, 0, 65535) for i in range(60000))
    meta = box(b"meta", bytes(4) + handler + box(b"pitm", bytes(4) + b"\0\1") + box(b"iloc", places))
    (octavo.folder / "a.heic").write_bytes(box(b"ftyp", b"heic\0\0\0\0mif1heic") + meta)
    done = under_limit(octavo, 2 << 30, "extract", "a.heic", "--device", "cpu")
    assert done.returncode == 1
    assert "a.heic" in done.stderr and "the table 'iloc' asks for 65535 entries of 0 bytes" in done.stderr
