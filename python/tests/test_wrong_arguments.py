"""Every public function with arguments of every wrong kind: it works, or raises an octavo.Error of one short line."""

import inspect

import numpy as np
import pytest

import octavo
import octavo.cv2
import octavo.ray
from octavo import _call_types, _option_types

pytest.importorskip("octavo._jobs", reason="lacks octavo._jobs: the package was built without its jobs")

SQUARE = np.eye(3)
CAMERA = (500, 500, 250, 250)
PLACES = np.random.default_rng(0).uniform(0, 90, (20, 2))

WRONG = {
    "none": None,
    "zero_byte": "a\0b",
    "surrogate": "\ud800",
    "empty_text": "",
    "bytes": b"\xff",
    "list": [1, "x", None],
    "ragged": [[1], [2, 3]],
    "object": object(),
    "nan": float("nan"),
    "huge": 10**30,
    "complex": 1j,
    "number_in_an_array": np.array(3),
    "shape": np.zeros((2, 3, 4, 5)),
    "objects": np.array([None, "a"], object),
    "records": np.zeros(3, [("q", "i4")]),
    "dates": np.zeros((5, 5), "M8[s]"),
}


@pytest.fixture(scope="module")
def calls(grey, tmp_path_factory):
    """By names of functions: the function, and arguments with which it works, or fails by a file that is not there."""
    folder = tmp_path_factory.mktemp("calls")
    points = octavo.extract(grey, device="cpu")
    matches = octavo.match(points, points, device="cpu")
    words = octavo.Vocabulary.general()
    vlad = octavo.VladEncoder(device="cpu").encode(points)
    extractor, matcher = octavo.Extractor(device="cpu"), octavo.Matcher(device="cpu")
    inspection = octavo.inspect(grey, device="cpu", stages=[])
    pyramid, smoother = octavo.Pyramid(device="cpu"), octavo.Trilateral(device="cpu")
    scale = octavo.DescriptorScale(0, 1)
    octavo.write(folder / "a.pgm", grey)
    points.save(folder / "a.npz")
    image, none, out = str(folder / "a.pgm"), str(folder / "none"), str(folder / "out")
    size, mask = grey.shape[::-1], np.ones(len(matches), bool)
    jobs, video, geometry = octavo.jobs, octavo.video, octavo.geometry
    video.index(image, out + "archive", device="cpu")
    archive = video.Archive(out + "archive")
    images_a_b = {"image_a": grey, "features_a": points, "image_b": grey, "features_b": points, "matches": matches}
    return {
        "Matches": (octavo.Matches, {"records": matches.records}),
        "Matches.of": (octavo.Matches.of, {"pairs": [[1, 2]]}),
        "Matches[]": (matches.__getitem__, {"index": 0}),
        "Features": (octavo.Features, {"keypoints": PLACES, "descriptors": np.zeros((20, 128), np.uint8)}),
        "Features[]": (points.__getitem__, {"index": 0}),
        "Features.load": (octavo.Features.load, {"file": none}),
        "Features.save": (points.save, {"file": out + ".npz"}),
        "Vocabulary": (octavo.Vocabulary, {"centres": words.centres, "origin": ""}),
        "Vocabulary.load": (octavo.Vocabulary.load, {"file": none}),
        "Vocabulary.save": (words.save, {"file": out}),
        "VladEncoder": (octavo.VladEncoder, {"vocabulary": words, "device": "cpu", "progress": None}),
        "VladEncoder.encode": (octavo.VladEncoder(device="cpu").encode, {"features": points}),
        "FeatureQuantiser": (octavo.FeatureQuantiser, {"words": 1, "device": "cpu"}),
        "FeatureQuantiser.quantise": (octavo.FeatureQuantiser(words=True, device="cpu").quantise, {"features": points}),
        "DescriptorScale": (octavo.DescriptorScale, {"low": 0, "step": 1, "axes": None}),
        "DescriptorScale.of": (lambda **given: octavo.DescriptorScale.of(given["set"]), {"set": PLACES}),
        "DescriptorScale.rows": (scale.rows, {"descriptors": PLACES}),
        "DescriptorScale.loss": (scale.loss, {"a": PLACES, "b": PLACES}),
        "OtherFeatures": (octavo.OtherFeatures, {"features": {"a.png": (PLACES, PLACES)}, "scale": None}),
        "OtherFeatures.read": (octavo.OtherFeatures.read, {"file": none, "scale": None}),
        "Extractor": (
            octavo.Extractor,
            {"detector": "sift", "preset": None, "device": "cpu", "order": "rgb", "range": "image", "black": 0,
             "white": 0, "progress": None, "max_features": 10},
        ),
        "Extractor.extract": (extractor.extract, {"image": grey, "mask": None, "stream": None}),
        "Extractor.extract_timed": (extractor.extract_timed, {"image": grey, "mask": None}),
        "Extractor.extract_on_device": (extractor.extract_on_device, {"image": grey, "mask": None, "stream": None}),
        "Extractor.describe": (extractor.describe, {"image": grey, "keypoints": points, "orientation_from": "image"}),
        "Extractor.estimate": (extractor.estimate, {"image": grey}),
        "Extractor.estimate by a mask": (extractor.estimate, {"image": grey, "masked": True}),
        "Extractor.estimate_description": (extractor.estimate_description, {"image": grey, "keypoints": 5}),
        "Extractor.batch": (lambda **given: list(extractor.batch(**given)), {"images": [grey], "masks": [None], "errors": "raise"}),
        "Extractor.submit": (lambda **given: extractor.collect(extractor.submit(**given)), {"image": grey, "mask": None, "keep": "host"}),
        "Extractor.collect": (extractor.collect, {"ticket": 1000}),
        "Extractor.collect_on_device": (extractor.collect_on_device, {"ticket": 1000}),
        "Matcher": (octavo.Matcher, {"ratio": 0.8, "device": "cpu", "mutual": True}),
        "Matcher.match": (matcher.match, {"a": points, "b": points, "homography": SQUARE, "radius": 3}),
        "Matcher.match_all": (matcher.match_all, {"a": points, "collection": [points]}),
        "Matcher.nearest_two": (matcher.nearest_two, {"a": points, "b": points}),
        "Matcher.estimate": (matcher.estimate, {"n": 5, "m": 5}),
        "Pyramid": (octavo.Pyramid, {"preset": "octavo", "gaussians": True, "differences": True, "device": "cpu", "order": "rgb"}),
        "Pyramid.make": (pyramid.make, {"image": grey}),
        "Pyramid.estimate": (pyramid.estimate, {"image": grey}),
        "Pyramid.sigma": (pyramid.sigma, {"level": 1}),
        "Trilateral": (octavo.Trilateral, {"device": "cpu", "order": "rgb", "range": "image", "white": 0}),
        "Trilateral.filter": (smoother.filter, {"image": grey}),
        "Trilateral.estimate": (smoother.estimate, {"image": grey}),
        "DeviceFeatures": (octavo.DeviceFeatures, {"features": none}),
        "inspect": (octavo.inspect, {"image": grey, "mask": None, "device": "cpu", "stages": []}),
        "Inspection.with_verdict": (inspection.with_verdict, {"verdict": "kept"}),
        "devices": (octavo.devices, {}),
        "selftest": (octavo.selftest, {"device": "none"}),
        "fit_range": (octavo.fit_range, {"image": grey, "black": None, "white": None, "no_data": None, "mask": None}),
        "option_facts": (octavo.option_facts, {"table": "sift"}),
        "presets": (octavo.presets, {"detector": "sift"}),
        "train_vocabulary": (octavo.train_vocabulary, {"descriptors": points, "origin": "", "device": "cpu", "words": 2}),
        "vlad_product": (octavo.vlad_product, {"a": vlad, "b": vlad}),
        "vlad_similarity": (octavo.vlad_similarity, {"a": vlad, "b": vlad}),
        "most_similar_images": (octavo.most_similar_images, {"vlads": [vlad, vlad], "count": 1, "threads": 0}),
        "score_pair": (
            octavo.score_pair,
            {"a": points, "b": points, "size_a": size, "size_b": size, "homography": SQUARE, "matches": matches, "mutual": matches},
        ),
        "score_pair by points": (
            octavo.score_pair,
            {"a": points, "b": points, "size_a": size, "size_b": size, "points": (PLACES, PLACES), "radius": 2,
             "matches": matches, "mutual": matches},
        ),
        "covisible": (octavo.covisible, {"homography": SQUARE, "size_a": size, "size_b": size}),
        "corner_error": (octavo.corner_error, {"estimated": SQUARE, "homography": SQUARE, "size_a": size}),
        "read": (octavo.read, {"file": image, "max_pixels": 10**9}),
        "write": (octavo.write, {"file": out + ".pgm", "image": grey}),
        "camera_facts": (octavo.camera_facts, {"file": image}),
        "draw_keypoints": (octavo.draw_keypoints, {"image": grey, "features": points}),
        "draw_matches": (octavo.draw_matches, {**images_a_b, "inliers": mask}),
        "refine_matches": (octavo.refine_matches, images_a_b),
        "align": (octavo.align, {"a": image, "b": none, "output": None, "mask": None, "retry": True, "device": "cpu"}),
        "mosaic": (
            octavo.mosaic,
            {"images": [image, none], "output": None, "pairs": "all", "points": None, "mask": none, "draw_graph": None,
             "draw_seams": None, "draw": True, "progress": None, "device": "cpu"},
        ),
        "pairs": (octavo.pairs, {"images": none, "features": None, "recursive": False, "output": None, "image": None, "shard": None}),
        "colmap": (octavo.colmap, {"images": none, "database": out + ".db", "mask": None, "camera_params": (), "shard": None, "features": None}),
        "sfm": (octavo.sfm, {"photographs": none, "output": out, "max_frames": 300, "mask": None, "camera_params": (), "features": None}),
        "localise": (octavo.localise, {"images": none, "model": none, "output": out, "database": None, "pairs": "all"}),
        "export_model": (octavo.export_model, {"model": none, "output": out, "to": "ply", "photographs": None, "mapper": "auto"}),
        "read_model": (octavo.read_model, {"folder": none}),
        "read_features": (octavo.read_features, {"file": image}),
        "evaluate": (octavo.evaluate, {"root": none, "configurations": None, "page": None, "examples": 1}),
        "evaluate_crops": (octavo.evaluate_crops, {"images": none, "sizes": [(9, 9)], "changes": (), "noise_seed": 0, "page": None}),
        "evaluate_corners": (octavo.evaluate_corners, {"root": none, "configurations": None, "tolerance": 4.0}),
        "evaluate_robustness": (octavo.evaluate_robustness, {"images": none, "kinds": (), "made": None}),
        "geometry.homography": (geometry.homography, {"a": PLACES, "b": PLACES, "threshold": 1, "method": "magsac"}),
        "geometry.fundamental": (geometry.fundamental, {"a": PLACES, "b": PLACES, "seed": 1}),
        "geometry.essential": (geometry.essential, {"a": PLACES, "b": PLACES, "camera_a": CAMERA, "camera_b": CAMERA}),
        "cv2.from_keypoints": (octavo.cv2.from_keypoints, {"keypoints": []}),
        "cv2.packed_octave": (octavo.cv2.packed_octave, {"octave": points.octave, "layer": points.layer}),
        "cv2.to_keypoints": (octavo.cv2.to_keypoints, {"features": points}),
        "ray.features_of": (octavo.ray.features_of, {"row": {"problem": "no image"}}),
        "jobs.extract": (jobs.extract, {"images": none, "output": out, "format": "npz", "mask": None, "shard": None, "progress": None}),
        "jobs.match": (jobs.match, {"a": none, "b": none, "output": None, "verify": "essential", "camera": CAMERA, "features": None, "take": None}),
        "jobs.describe": (jobs.describe, {"items": [(none, none, out + ".npz")], "orientations": "image"}),
        "jobs.filter": (jobs.filter, {"items": [(none, out + ".png")]}),
        "jobs.inspect": (jobs.inspect, {"image": none, "folder": out, "frame": None, "time": None, "point": None}),
        "jobs.merge": (jobs.merge, {"to": out, "parts": [none]}),
        "video.Archive": (video.Archive, {"folder": none}),
        "video.Archive.clip": (archive.clip, {"file": none}),
        "video.Archive.forget": (archive.forget, {"file": none}),
        "video.Archive.set_verdict": (archive.set_verdict, {"a": none, "b": none, "verdict": None, "note": ""}),
        "video.frames": (video.frames, {"clip": none, "grey": False, "every": 1}),
        "video.export_frames": (video.export_frames, {"clip": none, "output": None, "contact_sheet": out + ".png"}),
        "video.keypoints": (video.keypoints, {"clip": none, "output": None, "codec": "auto"}),
        "video.compare": (video.compare, {"a": none, "b": none, "image": None}),
        "video.affinity": (video.affinity, {"a": none, "b": None, "output": None, "data": None}),
        "video.takes": (video.takes, {"clips": none, "archive": None, "sheet": None, "otio": None}),
        "video.places": (video.places, {"files": none, "archive": None, "output": None}),
        "video.index": (video.index, {"clips": none, "archive": out + "a", "jobs": 0, "shard": None}),
        "video.search": (video.search, {"queries": none, "archives": none, "images": None, "output": None}),
        "video.duplicates": (video.duplicates, {"archives": none, "found": None, "shard": None}),
        "video.report": (video.report, {"archive": none, "clips": (), "output": None, "csv": out + ".csv"}),
        "video.review": (video.review, {"archive": none, "ready": print, "until": lambda: True}),
    }  # fmt: skip


def sentence_of(function, arguments):
    """That of the error which the call raises; None: it raises none. NumPy's IndexError is one of Python's protocol."""
    try:
        function(*arguments.values()) if function.__name__ == "__getitem__" else function(**arguments)
    except octavo.Error as error:
        return str(error)
    except IndexError as error:
        return str(error) if function.__name__ == "__getitem__" else pytest.fail(repr(error))
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_argument_is_an_error_of_octavo(calls, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where some of the values are names of files
    faults = []
    for name, (function, arguments) in calls.items():
        for argument in arguments:
            call = f"{name}({argument}={wrong})"
            try:
                sentence = sentence_of(function, {**arguments, argument: WRONG[wrong]})
            except Exception as error:
                faults.append(f"{call}: {error!r}")
                continue
            if sentence is None:
                continue
            most = 500 if name in ("option_facts", "presets") else 300
            is_of_inside = any(word in sentence for word in ("incompatible", "std::", "<octavo._"))
            if not 0 < len(sentence) < most or "\n" in sentence or is_of_inside:
                faults.append(f"{call}: {sentence}")
    assert not faults, "\n".join(faults)


def functions(*modules):
    """The public functions of modules, by names that tests are told by."""
    return {
        f"{module.__name__}.{name}": getattr(module, name)
        for module in modules
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    }


FUNCTIONS = functions(octavo, octavo.jobs, octavo.video, octavo.geometry, octavo.ray)
FUNCTIONS |= {
    name: getattr(octavo.cv2, name) for name in ("from_keypoints", "packed_octave", "to_keypoints")
}  # not OpenCV's


def required(function):
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_call_is_an_error_of_octavo(name):
    function = FUNCTIONS[name]
    wrong = [((None,) * 99, {}), ((), {"no_such_thing": 1}), *([((), {})] if required(function) else [])]
    for arguments, keywords in wrong:
        with pytest.raises(octavo.Error) as caught:
            function(*arguments, **keywords)
        assert 0 < len(str(caught.value)) < 200 and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_argument_that_is_not_there_is_told_with_the_one_that_is_meant(name):
    for argument in (one for one in required(FUNCTIONS[name]) if len(one) > 1):
        typo = argument + argument[-1]
        with pytest.raises(octavo.WrongType, match=f"no argument {typo}; did you mean {argument}") as caught:
            FUNCTIONS[name](**{typo: 1})
        assert "missing" not in str(caught.value)


def options_of(function):
    """The type of its options; None: it has none."""
    parameters = inspect.signature(function).parameters.values()
    names = [one.annotation[len("Unpack[") : -1] for one in parameters if one.kind is one.VAR_KEYWORD]
    return next(
        (getattr(types, name) for name in names for types in (_option_types, _call_types) if hasattr(types, name)),
        None,
    )


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if options_of(one) and required(one)])
def test_an_option_is_not_told_as_an_argument_that_is_not_there(name):
    for option in options_of(FUNCTIONS[name]).__annotations__:
        with pytest.raises(octavo.WrongType, match="missing a required argument"):
            FUNCTIONS[name](**{option: None})


def test_an_unknown_option_may_mean_an_argument(tmp_path):
    with pytest.raises(octavo.UnknownOption, match='extract has no option "formatt"; did you mean format?'):
        octavo.jobs.extract([], tmp_path, formatt="npz")


@pytest.mark.parametrize("wrong", ["images", "count", "batch_size", "num_cpus", "num_gpus"])
def test_features_of_ray_refuse_what_they_cannot_take(wrong):
    with pytest.raises(octavo.Error, match=f"{wrong} (is|must be) .*object"):
        octavo.ray.features(**{"images": "a.png", wrong: object()})


def test_features_of_another_row():
    for row in (
        {},
        {"problem": ""},
        {"problem": "", "keypoints": b"a", "descriptors": b""},
        {"problem": "", "keypoints": 3},
    ):
        with pytest.raises(octavo.WrongType, match="must be one of octavo.ray.features"):
            octavo.ray.features_of(row)
