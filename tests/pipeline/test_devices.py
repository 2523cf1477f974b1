"""octavo devices and octavo selftest."""

import json
import os
import resource
import subprocess

import pytest
from PIL import Image

pytestmark = pytest.mark.usefixtures("opencl")
MIB = 1 << 20


def opened_libraries(octavo, *arguments):
    """The libraries that a call opens: those of its process, and those of its child processes."""
    log = octavo.folder / "opened"
    environment = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log)}
    with subprocess.Popen(
        [octavo.path, *map(str, arguments)], cwd=octavo.folder, env=environment, stdout=subprocess.PIPE
    ) as program:
        program.communicate(timeout=600)
    assert program.returncode == 0
    own, others = "", ""
    for file in octavo.folder.glob("opened.*"):
        for line in file.read_text(errors="replace").splitlines():
            pid, _, words = line.partition(":")
            if "generating link map" not in words:  # a look for a library that is there already
                continue
            if pid.strip() == str(program.pid):
                own += words + "\n"
            else:
                others += words + "\n"
        file.unlink()
    if "libc.so" not in own:
        pytest.skip("lacks a loader that tells what it opens (LD_DEBUG of the GNU C library)")
    return own, others


def with_memory(octavo, limit, *arguments, environment=None):
    """A call that may take this many bytes of addresses."""
    return subprocess.run(
        [octavo.path, *map(str, arguments)],
        cwd=octavo.folder,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **(environment or {})},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


def test_devices(octavo):
    devices = json.loads(octavo("devices", "--json"))
    assert {"cpu", "reference"} <= {device["name"] for device in devices}
    output = octavo("devices")
    for device in devices:
        assert list(device) == ["name", "kind", "description", "isas", "conformant", "note"]
        assert device["name"] in output
        assert device["note"] in output
        assert device["conformant"] or device["note"]
        for isa in device["isas"]:
            assert isa in output
    for driver in ("CUDA", "OpenCL"):
        offered = any(device["name"].startswith(driver.lower() + ":") for device in devices)
        assert offered != (f"{driver}: not available: " in output)


def test_instruction_sets(octavo):
    cpu = next(device for device in json.loads(octavo("devices", "--json")) if device["name"] == "cpu")
    assert octavo("devices", "--isas").splitlines() == cpu["isas"]


def test_a_device_that_is_not_there(octavo):
    assert "cuda:99" in octavo.error(2, "selftest", "--device", "cuda:99")
    assert "2147483648" in octavo.error(2, "selftest", "--gpu-memory", 2147483648)


@pytest.mark.slow
def test_selftest_runs_on_every_device_and_instruction_set(octavo):
    results = json.loads(octavo("selftest", "--json"))
    ran = {(result["device"], result["isa"]) for result in results}
    for device in json.loads(octavo("devices", "--json")):
        for isa in device["isas"] or ["auto"]:
            assert ((device["name"], isa) in ran) == device["conformant"]
    for result in results:
        assert list(result) == ["device", "isa", "image", "stage", "digest", "expected", "ok"]
        assert result["ok"] is True and result["digest"] == result["expected"] != ""
    stages = {(result["image"], result["stage"]) for result in results}
    assert len(stages) > 1
    assert len(results) == len(ran) * len(stages)


def test_selftest_on_one_device(octavo):
    _, *rows, verdict = octavo("selftest", "--device", "cpu", "--isa", "auto", "--threads", 2).splitlines()
    assert {row.split()[0] for row in rows} == {"cpu"}
    assert all(row.endswith("ok") for row in rows)
    assert verdict == f"This machine gives the recorded bytes: {len(rows)} digests on 1 device."


def test_selftest_elsewhere(octavo):
    assert "abacus" in octavo.error(2, "selftest", "--device", "abacus")
    assert "mmx" in octavo.error(2, "selftest", "--isa", "mmx")


def test_selftest_takes_one_device(octavo):
    devices = json.loads(octavo("devices", "--json"))
    gpus = [device["name"] for device in devices if device["kind"] in ("cuda", "opencl")]
    if not gpus:
        pytest.skip("no GPU: neither CUDA nor OpenCL offers one")
    assert "one device at a time" in octavo.error(2, "selftest", "--device", f"{gpus[0]},{gpus[0]}")


def test_a_driver_is_opened_only_if_it_can_be_used(octavo, texture):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    devices = json.loads(octavo("devices", "--json"))
    for device in ("cpu", "reference"):
        for opened in opened_libraries(octavo, "extract", "a.png", "--device", device):
            assert "libOpenCL" not in opened and "libcuda" not in opened
    own, others = opened_libraries(octavo, "devices")
    assert "libOpenCL" not in own and "libOpenCL" in others
    if any(device["kind"] in ("cuda", "opencl") and not device["note"] for device in devices):
        pytest.skip("auto uses a GPU of this machine")
    own, others = opened_libraries(octavo, "extract", "a.png", "--device", "auto")
    assert "libOpenCL" not in own and "libOpenCL" in others


@pytest.mark.slow
def test_shortage_of_memory_in_a_driver_ends_no_call(octavo, texture):
    """Whether the driver aborts, throws or reports the shortage: a call that does not need it goes on."""
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    ran = 0
    for limit in [*range(100, 801, 100), 1000, 1500, 2000]:
        if with_memory(octavo, limit * MIB, "--version").returncode != 0:
            continue  # the system cannot even load the program
        for call in (("devices",), ("extract", "a.png", "--device", "auto"), ("extract", "a.png", "--device", "cpu")):
            done = with_memory(octavo, limit * MIB, *call)
            assert done.returncode in (0, 1), (limit, call, done)
            assert done.returncode == 0 or done.stderr.startswith("octavo: "), (limit, call, done)
            ran += done.returncode == 0
    assert ran > 0


@pytest.fixture
def bad_driver(octavo):
    """The environment of a machine whose only driver for OpenCL aborts as soon as it is opened."""
    library = os.environ.get("OCTAVO_ABORTING_DRIVER") or pytest.fail("OCTAVO_ABORTING_DRIVER names no library")
    (octavo.folder / "bad.icd").write_text(library + "\n")
    return {"OCL_ICD_VENDORS": str(octavo.folder / "bad.icd"), "OCL_ICD_FILENAMES": library}


def test_a_driver_that_aborts_is_an_absent_driver(octavo, texture, bad_driver):
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    found = with_memory(octavo, resource.RLIM_INFINITY, "devices", environment=bad_driver)
    assert (found.returncode, found.stderr) == (0, "")
    if "libOpenCL" in found.stdout:
        pytest.skip("lacks a loader of OpenCL drivers")
    assert "OpenCL: not available: the search for its devices failed: it ended by a signal: Aborted\n" in found.stdout
    extracted = with_memory(octavo, resource.RLIM_INFINITY, "extract", "a.png", environment=bad_driver)
    assert (extracted.returncode, extracted.stderr) == (0, "")


@pytest.mark.slow
def test_a_device_whose_compiler_crashes_is_not_used(octavo, texture):
    folder = os.environ.get("OCTAVO_CRASHING_COMPILER")
    if not folder:
        pytest.skip("lacks the headers of OpenCL")
    Image.fromarray(texture()).save(octavo.folder / "a.png")
    libraries = os.pathsep.join([folder, os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(os.pathsep)
    environment = {"LD_LIBRARY_PATH": libraries, "XDG_CACHE_HOME": str(octavo.folder / "cache")}

    def call(*arguments):
        return with_memory(octavo, resource.RLIM_INFINITY, *arguments, environment=environment)

    why = "the probe of its compiler failed: it ended by a signal: Segmentation fault"
    listed = call("devices")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "opencl:0    Device of a test, Platform of a test, driver Device of a test\n" in listed.stdout
    assert f"            not chosen automatically: {why}\n" in listed.stdout
    found = {device["name"]: device for device in json.loads(call("devices", "--json").stdout)}
    assert (found["opencl:0"]["conformant"], found["opencl:0"]["note"]) == (False, why)

    extracted = call("extract", "a.png")  # by another device
    assert (extracted.returncode, extracted.stderr) == (0, "")
    refused = call("extract", "a.png", "--device", "opencl:0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f'octavo: --device is "opencl:0", but {why}\n'
    refused = call("extract", "a.png", "--device", "opencl:all")
    assert refused.returncode == 2 and "none is conformant of opencl:0" in refused.stderr
    tested = call("selftest", "--json")
    assert (tested.returncode, tested.stderr) == (0, "")
    assert "opencl:0" not in {result["device"] for result in json.loads(tested.stdout)}
