"""Results are compared, copied, pickled and shown as those of dataclasses are."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest

import octavo

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")


@pytest.fixture(scope="module")
def results(texture, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    wide = texture(500, 200, seed=2)
    parts = [wide[:, :300], wide[:, 150:450]]
    for i, part in enumerate(parts):
        octavo.write(folder / f"{i}.png", part)
    files = [folder / "0.png", folder / "1.png"]
    places = np.random.default_rng(1).uniform(0, 500, (40, 2))
    return {
        "align": octavo.align(*parts, device="cpu"),
        "mosaic": octavo.mosaic(parts, device="cpu"),
        "homography": octavo.geometry.homography(places, places),
        "essential": octavo.geometry.essential(places, places + 1, (500, 500, 250, 250)),
        "nothing": octavo.geometry.homography(places[:2], places[:2]),
        "pairs": octavo.pairs(files, device="cpu"),
        "extract": octavo.jobs.extract([*files, folder / "no.png"], folder / "out", device="cpu"),
        "camera": octavo.camera_facts(files[0]),
        "places": octavo.video.places(files, device="cpu"),
        "index": octavo.video.index(files, folder / "archive", device="cpu"),
        "search": octavo.video.search(files, folder / "archive", device="cpu"),
        "crops": octavo.evaluate_crops(files[0], changes=["clean"], device="cpu"),
        "pyramid": octavo.Pyramid(device="cpu").make(parts[0])[0],
        "inspect": octavo.inspect(parts[0], device="cpu", stages=["difference"]),
        "describe": octavo.Extractor(device="cpu").describe(parts[0], [[50, 50, 3]]),
        "scores": octavo.score_pair(
            *[octavo.extract(part, device="cpu") for part in parts], (300, 200), (300, 200), homography=np.eye(3)
        ),
    }  # fmt: skip


def members_of(result):
    names = getattr(result, "__match_args__", ())
    return {name: getattr(result, name) for name in names}


def test_copies_are_equal(results):
    for name, result in results.items():
        for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert again == result and result == again, name
            assert isinstance(again, type(result)), name
            if type(result).__module__ == "octavo._jobs":
                assert repr(again) == repr(result), name
            assert list(members_of(again)) == list(members_of(result)), name
        assert copy.deepcopy(pickle.loads(pickle.dumps(result))) == result, name
        assert result == result and result != 3, name


def test_others_are_not_equal(results):
    for name, result in results.items():
        assert all((result == other) == (name == of_other) for of_other, other in results.items()), name
    places = np.random.default_rng(2).uniform(0, 500, (40, 2))
    assert octavo.geometry.homography(places, places) != results["homography"]


def test_a_copy_cannot_be_changed(results):
    again = copy.copy(results["homography"])
    for result in (results["homography"], again):
        with pytest.raises(AttributeError):
            result.found = False


def test_results_are_dataclasses_to_others(results):
    for name, result in results.items():
        assert dataclasses.is_dataclass(result), name
        assert list(dataclasses.asdict(result)) == [field.name for field in dataclasses.fields(result)], name
    match results["homography"]:
        case octavo._jobs.RobustModel(found, reason):
            assert (found, reason) == (True, "")
    pandas = pytest.importorskip("pandas", reason="lacks pandas")
    table = pandas.DataFrame(results["mosaic"].images)
    assert list(table["status"]) == ["placed", "placed"]


def pose(seed):
    places = np.random.default_rng(seed).uniform(0, 500, (40, 2))
    return octavo.geometry.homography(places, places + seed)


@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_results_come_back_from_processes(start, tmp_path):
    program = tmp_path / "program.py"  # a process of its own has no threads that a fork would lose
    program.write_text(
        "import multiprocessing\nimport numpy as np\nimport octavo\n\n\n"
        + inspect.getsource(pose)
        + "\nif __name__ == '__main__':\n"
        f"    with multiprocessing.get_context('{start}').Pool(2) as pool:\n"
        "        assert pool.map(pose, range(3)) == [pose(seed) for seed in range(3)]\n"
    )
    subprocess.run([sys.executable, program], check=True, timeout=120)


def test_a_failure_shows_its_reason(results, texture):
    reason = results["nothing"].reason
    assert reason and reason in repr(results["nothing"])
    failed = octavo.align(texture(seed=1), texture(seed=9), device="cpu", retry=False)
    assert not failed.homography.found and failed.homography.reason in repr(failed)
    joined = octavo.mosaic([texture(seed=1), texture(seed=9)], device="cpu")
    assert not joined.found and joined.reason in repr(joined)
    assert "problems=[" in repr(results["extract"]) or "problems=<1>" in repr(results["extract"])
