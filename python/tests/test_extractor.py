"""Options, tickets, batches, descriptions, threads, and giving up."""

import dataclasses
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import octavo
from octavo._kept import Kept


def test_options_are_those_of_the_tables():
    for detector in ("sift", "foagdd"):
        facts = octavo.option_facts(detector)
        options = octavo.Extractor(detector, device="cpu").options
        assert options == {one.name: one.default for one in facts}
        for one in facts:
            assert one.name in octavo.Extractor.__doc__ and one.name in octavo.extract.__doc__
            octavo.Extractor(detector, device="cpu", **{one.name: one.default})
    assert "octavo" in octavo.presets() and octavo.presets("foagdd") == ["sfm"]


@pytest.mark.parametrize("detector", ["sift", "foagdd"])
def test_every_option_is_checked(detector):
    for one in octavo.option_facts(detector):
        wrong = {"flag": [1, "yes"], "integer": [1.5, "1", True, 2**70], "number": ["1", True, float("nan")]}
        wrong = wrong.get(one.kind, ["no such word", 1])
        if one.low is not None:
            wrong += [one.low - 1] if one.special is None or one.special != one.low - 1 else []
            wrong += [one.high + 1] if one.special is None or one.special != one.high + 1 else []
        for value in wrong:
            if one.kind == "integer" and isinstance(value, float) and value == int(value):
                value = int(value)
            with pytest.raises(octavo.InvalidOption) as caught:
                octavo.Extractor(detector, device="cpu", **{one.name: value})
            assert isinstance(caught.value, ValueError)
            assert caught.value.option == one.name and caught.value.value and caught.value.reason


def other_value(one):
    """A valid value that is not the default."""
    if one.kind == "flag":
        return not one.default
    if one.words:
        return next(word for word in one.words if word != one.default)
    values = (one.default + (2 if one.odd else 1), one.low)
    return next(type(one.default)(value) for value in values if value <= one.high and value != one.default)


@pytest.mark.parametrize(
    ("detector", "one"),
    [
        (detector, one)
        for detector in ("sift", "foagdd")
        for one in octavo.option_facts(detector)
        if one.needs and one.name not in ("assumed_blur", "blur_truncate")  # without effect on some pyramids alone
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_options_without_effect_are_refused(detector, one):
    by_name = {facts.name: facts for facts in octavo.option_facts(detector)}
    for name, value, is_any_other in one.needs:
        needed = by_name[name]
        kept = type(needed.default)(value if needed.kind != "flag" else value == "true")
        unmet = kept if is_any_other else other_value(needed) if kept == needed.default else needed.default
        given = {name: unmet, one.name: other_value(one)}
        if detector == "foagdd" and name != "describe":
            given["describe"] = True
        with pytest.raises(octavo.InvalidOption, match=f"has no effect .* {name} is") as caught:
            octavo.Extractor(detector, device="cpu", **given)
        assert caught.value.option == one.name
        octavo.Extractor(detector, device="cpu", **given | {one.name: one.default})  # nothing is asked for


@pytest.mark.parametrize("preset", [preset for preset in octavo.presets() if preset != "tsp2023"])  # a pyramid alone
def test_the_options_of_a_preset_make_another_extractor(preset):
    options = octavo.Extractor(preset=preset, device="cpu").options
    assert octavo.Extractor(device="cpu", **options).options == options


def test_numbers_of_numpy_are_options(grey):
    options = {"layers": np.int64(3), "sigma": np.float32(1.5), "upright": np.bool_(True), "contrast_threshold": 0}
    made = octavo.Extractor(device="cpu", **options).options
    assert (made["layers"], made["sigma"], made["upright"], made["contrast_threshold"]) == (3, 1.5, True, 0)
    assert (
        octavo.Extractor(device="cpu", layers=None).options["layers"]
        == octavo.Extractor(device="cpu").options["layers"]
    )


def test_numbers_of_other_libraries_are_options():
    class Scalar:
        """A number as that of PyTorch, whose type has no `kind`."""

        dtype = object()

        def __float__(self):
            return 1.5

    assert octavo.Extractor(device="cpu", sigma=Scalar()).options["sigma"] == 1.5


def test_an_array_is_no_flag():
    for several in (np.array([True, False]), np.array([], bool)):
        with pytest.raises(octavo.InvalidOption, match="upright"):
            octavo.Extractor(device="cpu", upright=several)


def test_the_kept_extractor_is_that_of_the_same_options(grey):
    expected = octavo.extract(grey, device="cpu", upright=True)
    with pytest.raises(octavo.InvalidOption, match="upright"):
        octavo.extract(grey, device="cpu", upright=1)
    assert octavo.extract(grey, device="cpu", upright=np.bool_(True)) == expected
    for _ in range(2):
        with pytest.raises(octavo.InvalidOption, match="sigma"):
            octavo.extract(grey, device="cpu", sigma=np.array([1.6, 1.6]))


def test_options_do_not_depend_on_the_order():
    a = octavo.Extractor(device="cpu", edge_threshold=7, smoothing="trilateral").options
    b = octavo.Extractor(device="cpu", smoothing="trilateral", edge_threshold=7).options
    assert a == b and a["edge_threshold"] == 7


def test_unknown_options_are_refused():
    with pytest.raises(octavo.UnknownOption, match='no option "max_feature"; did you mean max_features') as caught:
        octavo.Extractor(max_feature=5)
    assert isinstance(caught.value, TypeError) and caught.value.option == "max_feature"
    for make in (octavo.Matcher, octavo.Trilateral, octavo.Pyramid, octavo.VladEncoder, octavo.selftest):
        with pytest.raises(octavo.UnknownOption):
            make(nonsense=5)
    with pytest.raises(octavo.InvalidOption, match="detector is .harris.*sift, foagdd"):
        octavo.Extractor("harris")
    with pytest.raises(octavo.InvalidOption, match="preset"):
        octavo.Extractor(preset="none")
    with pytest.raises(octavo.DeviceUnavailable) as refused:
        octavo.Extractor(device="cuda:77")
    assert isinstance(refused.value, RuntimeError)


def test_devices_give_one_answer(grey):
    names = [device.name for device in octavo.devices() if device.conformant]
    assert {"cpu", "reference"} <= set(names)
    expected = octavo.extract(grey, device="reference")
    for name in names:
        assert octavo.extract(grey, device=name) == expected, name
    for isa in octavo.devices()[names.index("cpu")].isas:
        assert octavo.extract(grey, device="cpu", isa=isa) == expected, isa


def faults_of_children():
    """Each child process has page faults."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt


def test_gpus_are_looked_for_once_and_when_they_are_needed(grey):
    told = []
    before = faults_of_children()
    extractor = octavo.Extractor(progress=lambda stage, *_: told.append(stage))
    matcher = octavo.Matcher()
    assert told == [] and faults_of_children() == before
    features = extractor.extract(grey)
    assert told[0] == "looking for GPUs" and len(matcher.match(features, features)) > 0
    before = faults_of_children()
    assert octavo.Extractor().device == extractor.device == octavo.Trilateral().device == matcher.device
    assert faults_of_children() == before
    with pytest.raises(octavo.InvalidOption, match="threads"):
        octavo.Extractor(threads=-1)
    with pytest.raises(octavo.InvalidOption, match="isa"):
        octavo.Matcher(isa="z80")


def test_progress_may_ask_for_the_device(grey):
    devices = set()
    extractor = octavo.Extractor(device="cpu", progress=lambda *_: devices.add(extractor.device))
    extractor.extract(grey)
    assert devices == {"cpu"}


def test_extract_keeps_a_few_extractors():
    kept = Kept()
    made = [kept.get(lambda **given: given, device="cpu", layers=layers) for layers in (1, 2, 3, 4)]
    again = [kept.get(dict, device="cpu", layers=layers) for layers in (1, 2, 3, 4)]
    assert all(one is other for one, other in zip(made, again))
    others = [kept.get(dict, device="cpu", layers=layers) for layers in (True, 1.0)]  # in the place of the oldest
    assert all(one is not made[0] for one in others)
    assert kept.get(dict, device="cpu", layers=4) is made[3]
    assert kept.get(dict, device="cpu", layers=1) is not made[0]


def test_submit_and_collect(extractor, texture):
    images = [texture(seed=seed) for seed in range(4)]
    expected = [extractor.extract(image) for image in images]
    tickets = [extractor.submit(image) for image in images]
    assert [extractor.collect(ticket) for ticket in reversed(tickets)] == expected[::-1]
    with pytest.raises(octavo.InvalidArgument, match="ticket"):
        extractor.collect(tickets[0])
    kept = extractor.collect_on_device(extractor.submit(images[0], keep="device"))
    assert len(kept) == len(expected[0]) and kept.download() == expected[0]
    assert np.array_equal(kept.keypoints(), expected[0].keypoints)
    with pytest.raises(ValueError, match="keep"):
        extractor.submit(images[0], keep="gpu")


def test_batch(extractor, texture):
    images = [texture(seed=seed) for seed in range(5)]
    expected = [extractor.extract(image) for image in images]
    assert list(extractor.batch(images)) == expected
    assert list(extractor.batch(iter(images))) == expected
    assert list(extractor.batch([])) == []
    with pytest.raises(octavo.InvalidArgument):
        list(extractor.batch([images[0], None, images[1]]))
    outcome = list(extractor.batch([images[0], [[1], [2, 3]], images[1]], errors="return"))
    assert outcome[0] == expected[0] and isinstance(outcome[1], octavo.InvalidArgument) and outcome[2] == expected[1]
    mask = np.ones(images[0].shape, bool)
    assert list(extractor.batch(images[:2], [mask, mask])) == expected[:2]


@pytest.mark.parametrize(
    "options", [{"threads": 3}, {"threads": 1}, {"device": "reference"}, {"progress": lambda *_: None}]
)
def test_batches_are_loops(texture, options):
    """Also of a generator that writes to one array again and again."""
    images = [texture(90, 80, seed) for seed in range(9)]
    extractor = octavo.Extractor(**{"device": "cpu", **options})
    expected = [extractor.extract(image) for image in images]
    array = np.empty_like(images[0])

    def frames():
        for image in images:
            array[:] = image
            yield array

    assert list(extractor.batch(frames())) == expected
    first = next(iter(extractor.batch(images)))  # and leave
    assert first == expected[0]
    outcome = list(extractor.batch([*images[:4], images[4].astype(int), *images[5:]], errors="return"))
    assert isinstance(outcome.pop(4), octavo.InvalidArgument) and outcome == expected[:4] + expected[5:]
    masks = [np.arange(90) < 10 * i + np.zeros((80, 1)) for i in range(9)]
    assert list(extractor.batch(images, masks)) == [extractor.extract(*both) for both in zip(images, masks)]


def test_an_image_of_a_batch_that_lacks_memory_is_done_again_alone(texture, monkeypatch):
    images = [texture(90, 80, seed) for seed in range(5)]
    extractor = octavo.Extractor(device="cpu", threads=2)
    expected = [extractor.extract(image) for image in images]
    made, submit = [], octavo.Extractor.submit

    def scarce(self, image, mask=None):
        if self is not extractor and image.tobytes() == images[3].tobytes():
            made.append(self)
            raise octavo.OutOfMemory("it lacks memory")
        return submit(self, image, mask)

    monkeypatch.setattr(octavo.Extractor, "submit", scarce)
    assert list(extractor.batch(images)) == expected and len(made) == 1


def test_large_images_of_a_batch_are_done_one_after_the_other(texture, monkeypatch):
    images = [texture(90, 80, seed) for seed in range(5)]
    extractor = octavo.Extractor(device="cpu", threads=2)
    expected = [extractor.extract(image) for image in images]
    users, submit, estimate = set(), octavo.Extractor.submit, octavo.Extractor.estimate

    def noted(self, image, mask=None):
        users.add(self)
        return submit(self, image, mask)

    def scarce(self, image, masked=False):
        return [dataclasses.replace(one, available_host=3 * one.usual_host) for one in estimate(self, image, masked)]

    monkeypatch.setattr(octavo.Extractor, "submit", noted)
    assert list(extractor.batch(images)) == expected and extractor not in users
    users.clear()
    monkeypatch.setattr(octavo.Extractor, "estimate", scarce)
    assert list(extractor.batch(images)) == expected and users == {extractor}


def test_describe(extractor, texture):
    image = texture(300, 200)
    features = extractor.extract(image)
    again = extractor.describe(image, features)
    assert again.features == features and again.left_out == []
    assert np.array_equal(again.inputs, np.arange(len(features)))
    with pytest.warns(UserWarning, match="2 of 3 keypoints have no description: keypoint 1 lies outside"):
        some = extractor.describe(image, [[50, 60, 3, 0.5], [-5, 0, 3, 0], [100, 90, 1e9, 0]])
    assert len(some.features) == 1 and some.inputs.tolist() == [0]
    assert [index for index, _ in some.left_out] == [1, 2] and "outside" in some.left_out[0][1]
    oriented = extractor.describe(image, [[50, 60, 3]], orientation_from="image")
    assert set(oriented.inputs) <= {0}
    for columns in (3, 4, 5):
        assert len(extractor.describe(image, np.array([[50, 60, 3, 0.5, 7]])[:, :columns]).features) == 1
    for columns, told in ((2, "needs their scales"), (1, "N x 5 numbers"), (6, "N x 5 numbers")):
        with pytest.raises(octavo.InvalidArgument, match=told):
            extractor.describe(image, np.ones((1, columns)))
    assert extractor.estimate_description(image, 10).fits


def test_memory_is_estimated(extractor, grey):
    (estimate,) = extractor.estimate(grey)
    assert estimate.device == "cpu" and estimate.fits and 0 < estimate.least_host <= estimate.usual_host
    larger = extractor.estimate(np.broadcast_to(grey[0, 0], (20000, 20000)))[0]
    assert larger.usual_host > 100 * estimate.usual_host
    assert octavo.available_host_memory() > 0


def test_times(extractor, grey):
    features, times = extractor.extract_timed(grey)
    assert features == extractor.extract(grey) and "descriptor" in times and all(time >= 0 for time in times.values())


def test_threads_may_share_an_extractor(texture):
    images = [texture(seed=seed) for seed in range(4)]
    shared = octavo.Extractor(device="cpu")
    expected = [shared.extract(image) for image in images]
    found = [None] * len(images)

    def work(i):
        for _ in range(10):
            found[i] = shared.extract(images[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(images))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_other_threads_run_during_a_call(texture):
    """While a slow call works, another thread counts: the call has released the GIL."""
    image, counted, done = texture(400, 300), [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    slow = octavo.Extractor(device="reference")
    thread.start()
    before = counted[0]
    slow.extract(image)
    after = counted[0]
    done.set()
    thread.join()
    assert after - before > 5


def test_progress(grey):
    told = []
    octavo.Extractor(device="cpu", progress=lambda *step: told.append(step)).extract(grey)
    assert told and all(isinstance(stage, str) and 0 <= done <= total or total == 0 for stage, done, total in told)
    with pytest.raises(TypeError, match="progress"):
        octavo.Extractor(progress=5)


def test_progress_gives_up(grey):
    class Enough(Exception):
        pass

    telling = [False]

    def tell(stage, done, total):
        if telling[0]:
            raise Enough(stage)

    extractor = octavo.Extractor(device="cpu", progress=tell)
    expected = extractor.extract(grey)
    telling[0] = True
    with pytest.raises(Enough):
        extractor.extract(grey)
    telling[0] = False
    assert extractor.extract(grey) == expected


def test_progress_cannot_use_the_object(grey):
    extractor = octavo.Extractor(device="cpu", progress=lambda *_: extractor.extract(grey) if ready else None)
    ready = False
    extractor.extract(grey)
    ready = True
    with pytest.raises(octavo.InvalidArgument, match="at work"):
        extractor.extract(grey)


def test_progress_raises_in_several_threads_at_a_time(grey):
    class Enough(Exception):
        pass

    def tell(stage, done, total):
        raise Enough(threading.get_ident())

    extractor = octavo.Extractor(device="cpu", progress=tell)
    wrong = []

    def work():
        for _ in range(50):
            try:
                extractor.extract(grey)
                wrong.append("nothing was raised")
            except Enough as enough:
                if enough.args != (threading.get_ident(),):
                    wrong.append("the exception of another thread")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_progress_of_a_gpu_cannot_use_the_object(grey):
    gpus = [device.name for device in octavo.devices() if device.conformant and device.name not in ("cpu", "reference")]
    if not gpus:
        pytest.skip("lacks a GPU")
    refused = []

    def tell(stage, done, total):
        if ready:
            try:
                extractor.extract(grey)
            except octavo.InvalidArgument as error:
                refused.append(str(error))

    ready = False
    extractor = octavo.Extractor(device=gpus[0], progress=tell)
    expected = extractor.extract(grey)
    ready = True
    assert extractor.collect(extractor.submit(grey)) == expected
    assert refused and all("at work" in sentence for sentence in refused)


def test_ctrl_c():
    """The work is far longer than the time that the test waits for."""
    code = (
        "import numpy as np, octavo\n"
        "rows = np.random.default_rng(0).integers(0, 256, (200_000, 128), dtype=np.uint8)\n"
        "print('ready', flush=True)\n"
        "octavo.train_vocabulary(rows, words=60_000, device='cpu')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT and stderr.rstrip().endswith("KeyboardInterrupt")


def test_fork(grey):
    """A child process extracts too, although the threads of its parent are not in it."""
    extractor = octavo.Extractor(device="cpu")
    expected = extractor.extract(grey)
    child = os.fork()
    if child == 0:
        os._exit(0 if octavo.Extractor(device="cpu").extract(grey) == expected else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    assert ended[1] == 0


def test_pickles_are_made_anew_with_the_same_options(grey):
    extractor = octavo.Extractor("foagdd", device="cpu", describe=True, max_features=20, order="bgr", range="full")
    again = pickle.loads(pickle.dumps(extractor))
    assert again.options == extractor.options and again.extract(grey) == extractor.extract(grey)
    assert octavo.Extractor().__reduce__()[1][1]["device"] == "auto"  # that of where it arrives
    features = octavo.extract(grey, device="cpu")
    for made, use in (
        (octavo.Matcher(0.7, device="cpu", mutual=False), lambda one: one.match(features, features)),
        (octavo.Trilateral(device="cpu"), lambda one: one.filter(grey).tobytes()),
        (octavo.Pyramid(device="cpu", differences=False), lambda one: one.make(grey)[0].gaussians[1].tobytes()),
        (octavo.VladEncoder(device="cpu"), lambda one: one.encode(features).tobytes()),
        (octavo.FeatureQuantiser(2, device="cpu"), lambda one: one.quantise(features)[0].tobytes()),
    ):
        assert use(pickle.loads(pickle.dumps(made))) == use(made)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(extractor.extract, (grey,)) == extractor.extract(grey)


def test_daemon_threads_do_not_disturb_the_end():
    code = (
        "import threading, time, numpy as np, octavo\n"
        "image = np.random.default_rng(0).integers(0, 256, (300, 400), dtype=np.uint8)\n"
        "extractor, matcher = octavo.Extractor(device='cpu'), octavo.Matcher(device='cpu')\n"
        "def work():\n"
        "    while True:\n"
        "        features = extractor.extract(image)\n"
        "        matcher.match(features, features)\n"
        "        for features in octavo.Extractor(device='cpu', threads=2).batch([image] * 3): pass\n"
        "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def faults_in_sub_interpreters(code):
    """What running a program in each kind of sub-interpreter ends with."""
    if sys.version_info >= (3, 13):
        interpreters = pytest.importorskip("_interpreters")
        for kind in ("isolated", "legacy"):
            yield interpreters.exec(interpreters.create(kind), code).formatted
        return
    interpreters = pytest.importorskip("_xxsubinterpreters")
    for isolated in (True, False):
        with pytest.raises(interpreters.RunFailedError) as failed:
            interpreters.run_string(interpreters.create(isolated=isolated), code)
        yield str(failed.value)


def test_sub_interpreters_are_refused(grey):
    for fault in faults_in_sub_interpreters("import octavo._octavo"):
        assert (
            "octavo cannot be used in a sub-interpreter" in fault
            or "octavo._octavo does not support loading in subinterpreters" in fault  # Python's own sentence
        )
    assert len(octavo.Extractor(device="cpu").extract(grey)) > 0  # the first interpreter goes on


def test_memory_stays(texture):
    """Calls of changing sizes keep no memory but that of the largest."""
    image, extractor = texture(200, 150), octavo.Extractor(device="cpu", max_features=200)
    random = np.random.default_rng(0)

    def resident():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def calls(count):
        for _ in range(count):
            height, width = random.integers(20, 150), random.integers(20, 200)
            features = extractor.extract(image[:height, :width])
            octavo.match(features, features, device="cpu")
            with pytest.raises(octavo.Error):
                extractor.extract(None)

    extractor.extract(image)
    calls(300)
    before = resident()
    calls(600)
    assert resident() - before < 8 << 20


@pytest.mark.parametrize("threads", [1, 4])
def test_images_before_a_generator_fails_are_told(texture, threads):
    def images():
        for i in range(5):
            yield texture(seed=i)
        raise KeyError("the camera is gone")

    told = []
    with pytest.raises(KeyError, match="the camera is gone"):
        for features in octavo.Extractor(device="cpu", threads=threads).batch(images()):
            told.append(features)
    assert told == [octavo.extract(texture(seed=i), device="cpu") for i in range(5)]
