"""octavo devices and octavo selftest."""

import json

import pytest


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


def test_a_device_that_is_not_there(octavo):
    assert "cuda:99" in octavo.error(2, "selftest", "--device", "cuda:99")
    assert "2147483648" in octavo.error(2, "selftest", "--gpu-memory", 2147483648)


def test_selftest_runs_on_every_device_and_instruction_set(octavo):
    results = json.loads(octavo("selftest", "--json"))
    ran = {(result["device"], result["isa"]) for result in results}
    for device in json.loads(octavo("devices", "--json")):
        for isa in device["isas"] or ["auto"]:
            assert (device["name"], isa) in ran
    for result in results:
        assert list(result) == ["device", "isa", "picture", "stage", "digest", "expected", "ok"]
        assert result["ok"] is True and result["digest"] == result["expected"] != ""
    stages = {(result["picture"], result["stage"]) for result in results}
    assert len(stages) > 1
    assert len(results) == len(ran) * len(stages)


def test_selftest_on_one_device(octavo):
    output = octavo("selftest", "--device", "cpu", "--isa", "auto", "--threads", 2)
    assert {line.split()[0] for line in output.splitlines()[1:]} == {"cpu"}
    assert all(line.endswith("ok") for line in output.splitlines()[1:])


def test_selftest_elsewhere(octavo):
    assert "abacus" in octavo.error(2, "selftest", "--device", "abacus")
    assert "mmx" in octavo.error(2, "selftest", "--isa", "mmx")


def test_selftest_takes_one_device(octavo):
    devices = json.loads(octavo("devices", "--json"))
    gpus = [device["name"] for device in devices if device["kind"] in ("cuda", "opencl")]
    if not gpus:
        pytest.skip("no GPU: neither CUDA nor OpenCL offers one")
    assert "one device at a time" in octavo.error(2, "selftest", "--device", f"{gpus[0]},{gpus[0]}")
