"""Timelines for editing programs: EDLs (CMX 3600), FCPXML and OpenTimelineIO of octavo video report and takes, read by the
adapters of OpenTimelineIO, and compared with the JSON of the same call."""

import json
import re
import subprocess
import xml.etree
from fractions import Fraction
from xml.etree import ElementTree

import opentimelineio as otio
import pytest

from conftest import Octavo

pytestmark = pytest.mark.usefixtures("ffmpeg")

# The adapter of FCPXML imports a name that Python has no longer.
xml.etree.cElementTree = ElementTree

ODD = "back \"q\" & 'ä'\nline.mov"
QUERIES = {"part.mov": 1, "fast.mov": 1.5, ODD: -1, "both.mov": -1.5}
RATES = {
    "25": "10:00:00:00",
    "24000/1001": "01:00:00:00",
    "30000/1001": "00:59:58;00",
    "60000/1001": "00:00:58;00",
}

USUAL_RATES = ("25", "30000/1001")
# The others are slow: a film is searched for by four clips. Of 60000/1001 labels are dropped as of this rate.
QUICK_RATE = "30000/1001"


def make(source, target, rate, frames, image, *more):
    """A clip of the first frames of the source, shown at this rate, from the frame 75 on for queries."""
    # Parts of two seconds, at 60 frames a second, are found in larger images.
    width = 320 if rate in USUAL_RATES else 480
    command = ["ffmpeg", "-v", "error", "-i", source, "-an", "-vf", f"scale={width}:-2,setpts=N/({rate})/TB,{image}"]
    command += ["-r", rate, "-frames:v", str(frames), "-c:v", "mpeg4", "-q:v", "4", *more, target]
    subprocess.run(command, check=True, timeout=120)


@pytest.fixture(
    scope="module",
    params=[rate if rate == QUICK_RATE else pytest.param(rate, marks=pytest.mark.slow) for rate in RATES],
)
def reported(request, photograph, tmp_path_factory):
    """A film with a time code, searched for by parts of it: as it is, faster, backwards, and both."""
    octavo, rate = Octavo(tmp_path_factory.mktemp("timelines")), request.param
    vtest = photograph("vtest.avi")
    make(vtest, octavo.folder / "whole film.mov", rate, 320, "null", "-timecode", RATES[rate])
    for name, speed in QUERIES.items():
        back = ",reverse" if speed < 0 else ""
        image = f"trim=start_frame=75:end_frame=255{back},setpts=(PTS-STARTPTS)/{abs(speed)}"
        code = ["-timecode", RATES[rate]] if name == "part.mov" else []
        make(vtest, octavo.folder / name, rate, int(180 / abs(speed)), image, *code)
    octavo("video", "index", "whole film.mov", "--index", "archive", "--device", "cpu")
    octavo("video", "report", *QUERIES, "--index", "archive", "--json-output", "r.json", "--otio", "r.otio", "--edl", "edl",
           "--fcpxml", "r.fcpxml", "--reversed", "--device", "cpu")  # fmt: skip
    report = json.loads((octavo.folder / "r.json").read_text())
    assert report["reversed"] and not report["negative"]
    segments = {}
    for pair in report["pairs"]:
        (segments[pair["clip_a"].rpartition("/")[2]],) = pair["segments"]
    assert {name: segments[name]["speed"] for name in segments} == pytest.approx(QUERIES, abs=0.1)
    return octavo, Fraction(rate), segments


def frames(rate, time_code):
    """Frames from 00:00:00:00, by OpenTimelineIO."""
    return int(otio.opentime.from_timecode(time_code, float(rate)).value)


def test_edls(reported):
    octavo, rate, segments = reported
    assert {file.name for file in (octavo.folder / "edl").iterdir()} == {f"{name}.edl" for name in QUERIES}
    for name, segment in segments.items():
        text = (octavo.folder / "edl" / f"{name}.edl").read_text()
        title, mode, event = text.splitlines()[:3]
        assert title == f"TITLE: {name}".replace("\n", " ")
        drops = name == "part.mov" and ";" in RATES[str(rate)]
        assert mode == ("FCM: DROP FRAME" if drops else "FCM: NON-DROP FRAME")
        number, reel, track, kind, *codes = event.split()
        assert (number, reel, track, kind) == ("001", "WHOLEFIL", "V", "C")
        expected = [segment[key + "_time_code_" + side] for side in "ba" for key in ("in", "out")]
        has_speed = abs(segment["speed"] - 1) * rate >= 0.05
        if not has_speed:
            lengths = [segment["out_frame_" + side] - segment["in_frame_" + side] for side in "ab"]
            assert abs(lengths[0] - lengths[1]) <= 1
            codes[1] = expected[1] = ""
        assert codes == expected
        assert f"\n* FROM CLIP NAME: whole film.mov\n* SOURCE FILE: {octavo.folder}/whole film.mov\n" in text
        motion = re.findall(r"^M2   WHOLEFIL   (-?\d{3}\.\d) +([\d:]{11})$", text, re.MULTILINE)
        assert len(motion) == has_speed
        for speed, code in motion:
            assert float(speed) == pytest.approx(segment["speed"] * float(rate), abs=0.051)
            assert code == segment["in_time_code_b"].replace(";", ":")


def test_the_adapter_reads_the_edls(reported):
    octavo, rate, segments = reported
    for name, segment in segments.items():
        timeline = otio.adapters.read_from_file(octavo.folder / "edl" / f"{name}.edl", rate=float(rate))
        assert timeline.name == name.replace("\n", " ")
        (track,) = timeline.tracks
        (clip,) = track
        assert clip.name == "whole film.mov" and clip.metadata["cmx_3600"]["reel"] == "WHOLEFIL"
        assert clip.source_range.start_time.value == frames(rate, segment["in_time_code_b"])
        length = segment["out_frame_a"] - segment["in_frame_a"]
        assert clip.source_range.duration.value == length
        # The adapter tells no speed where both lengths are the same, as at -1.
        if segment["out_frame_b"] - segment["in_frame_b"] != length and segment["speed"] != 1:
            (effect,) = clip.effects
            assert effect.time_scalar == pytest.approx(segment["speed"], abs=0.051 / float(rate))
        begin = -track.source_range.start_time.value if track.source_range else 0
        assert begin == frames(rate, segment["in_time_code_a"])


def test_opentimelineio(reported):
    octavo, rate, segments = reported
    timeline = otio.adapters.read_from_file(octavo.folder / "r.otio")
    for stack in timeline.tracks[0]:
        segment = segments[stack.name]
        (clip,) = [one for one in stack[1] if isinstance(one, otio.schema.Clip)]
        assert clip.source_range.start_time.value == frames(rate, segment["in_time_code_b"])
        assert clip.range_in_parent().start_time.value == segment["in_frame_a"]
        assert clip.source_range.duration.value == segment["out_frame_a"] - segment["in_frame_a"]
        assert [effect.time_scalar for effect in clip.effects] == pytest.approx(
            [segment["speed"]] * (segment["speed"] != 1)
        )


def seconds(text):
    assert re.fullmatch(r"\d+(/\d+)?s", text)
    return Fraction(text[:-1])


def test_fcpxml_is_exact(reported):
    octavo, rate, segments = reported
    root = ElementTree.parse(octavo.folder / "r.fcpxml").getroot()
    assets = {asset.get("id"): asset for asset in root.iter("asset")}
    formats = {one.get("id"): one for one in root.iter("format")}
    projects = list(root.iter("project"))
    assert {one.get("name") for one in projects} == set(QUERIES)
    for project in projects:
        segment, sequence = segments[project.get("name")], project.find("sequence")
        assert 1 / seconds(formats[sequence.get("format")].get("frameDuration")) == rate
        (own,) = sequence.find("spine")
        assert seconds(own.get("offset")) == seconds(own.get("start")) == seconds(sequence.get("tcStart"))
        assert sequence.get("tcFormat") == ("DF" if ";" in segment["in_time_code_a"] else "NDF")
        assert (
            otio.url_utils.filepath_from_url(assets[own.get("ref")].get("src"))
            == f"{octavo.folder}/{project.get('name')}"
        )
        clip = own.find("asset-clip")
        asset = assets[clip.get("ref")]
        assert seconds(asset.get("start")) == frames(rate, RATES[str(rate)]) / rate
        assert seconds(asset.get("duration")) == 320 / rate
        assert clip.get("lane") == "1" and clip.find("conform-rate") is None
        assert seconds(clip.get("offset")) * rate == frames(rate, segment["in_time_code_a"])
        begin, length = seconds(clip.get("start")), seconds(clip.get("duration"))
        assert begin * rate == frames(rate, segment["in_time_code_b"])
        assert length * rate == segment["out_frame_a"] - segment["in_frame_a"]
        times = [tuple(seconds(point.get(key)) for key in ("time", "value")) for point in clip.iter("timept")]
        media = [begin, begin + (segment["out_frame_b"] - segment["in_frame_b"]) / rate]
        if segment["speed"] < 0:
            media.reverse()
        assert times == (list(zip([begin, begin + length], media)) if segment["speed"] != 1 else [])


def test_the_adapter_reads_the_fcpxml(reported):
    octavo, rate, segments = reported
    event = otio.adapters.read_from_file(octavo.folder / "r.fcpxml")
    assert len(event) == len(segments)
    for timeline in event:
        segment = segments[timeline.name]
        (clip,) = [one for one in timeline.tracks[1] if isinstance(one, otio.schema.Clip)]
        # The adapter counts whole frames of a rate that it cuts: 29 for 29.97.
        near = 2 / int(rate)
        assert clip.source_range.start_time.to_seconds() == pytest.approx(
            float(frames(rate, segment["in_time_code_b"]) / rate), abs=near
        )
        assert clip.source_range.duration.to_seconds() == pytest.approx(segment["out_a"] - segment["in_a"], abs=near)
        begin = clip.range_in_parent().start_time.value
        assert begin == pytest.approx(frames(rate, segment["in_time_code_a"]), abs=2)
        assert otio.url_utils.filepath_from_url(clip.media_reference.target_url) == f"{octavo.folder}/whole film.mov"


@pytest.fixture(scope="module")
def mixed(photograph, tmp_path_factory):
    """An archive with a film, and a part of it at another rate."""
    octavo = Octavo(tmp_path_factory.mktemp("mixed"))
    vtest = photograph("vtest.avi")
    make(vtest, octavo.folder / "film.mov", "25", 320, "null")
    make(vtest, octavo.folder / "part.mov", "30", 200, "trim=start_frame=75,setpts=PTS-STARTPTS")
    octavo("video", "index", "film.mov", "part.mov", "--index", "archive", "--device", "cpu")
    return octavo


def test_an_edl_tells_what_it_lacks(mixed):
    done = mixed.call(
        "video", "report", "--index", "archive", "--edl", "edl", "--otio", "m.otio", "--fcpxml", "m.fcpxml"
    )
    assert done.returncode == 1
    assert (
        f"the EDL of 'film.mov' is without '{mixed.folder}/part.mov': it counts 30 frames a second, and the list 25"
        in done.stderr
    )
    assert list((mixed.folder / "edl").iterdir()) == []
    root = ElementTree.parse(mixed.folder / "m.fcpxml").getroot()
    rates = [one.attrib for one in root.iter("conform-rate")]
    assert {one["srcFrameRate"] for one in rates} == {"25", "30"}
    assert {one["scaleEnabled"] for one in rates} == {"0"}


@pytest.mark.slow
def test_frames_and_time_codes(mixed):
    """Beside the seconds of all commands."""
    query = ("part.mov", "--index", "archive", "--device", "cpu", "--json")
    (found,) = [
        one for one in json.loads(mixed("video", "search", *query))["found_clips"] if one["clip"].endswith("film.mov")
    ]
    compared = json.loads(mixed("video", "compare", "part.mov", "film.mov", "--json", "--device", "cpu"))
    pairs = json.loads(mixed("video", "duplicates", "--index", "archive", "--json"))["pairs"]
    for segment, query, clip in (
        (found["segments"][0], "query", "clip"),
        (compared["segments"][0], "a", "b"),
        *((pair["segments"][0], *("ab" if pair["clip_a"].endswith("part.mov") else "ba")) for pair in pairs),
    ):
        for side, rate in ((query, 30), (clip, 25)):
            for end in ("in", "out"):
                frame = segment[f"{end}_frame_{side}"]
                assert frame == pytest.approx(segment[f"{end}_{side}"] * rate, abs=0.501)
                assert segment[f"{end}_time_code_{side}"] == otio.opentime.to_timecode(
                    otio.opentime.RationalTime(frame, rate), rate
                )


def test_wrong_calls(mixed):
    index = ("--index", "archive")
    (mixed.folder / "file").touch()
    for part, arguments in (
        ('--fcpxml is "x.xml", but must end in one of .fcpxml', ("report", *index, "--fcpxml", "x.xml")),
        ('--otio is "x.xml", but must end in one of .otio', ("takes", *index, "--otio", "x.xml")),
        ('--fcpxml is "x.xml", but must end in one of .fcpxml', ("takes", *index, "--fcpxml", "x.xml")),
    ):
        assert part in mixed.error(2, "video", *arguments)
    for command in ("report", "takes"):
        assert "file" in mixed.error(1, "video", command, *index, "--edl", "file")


@pytest.mark.slow
def test_takes(octavo, photograph):
    """Two takes of a scene, of which the second begins later, another scene at another rate, and a name with a line break."""
    first, second, other = "first take.mov", "second\n& take.mov", "other.mov"
    vtest = photograph("vtest.avi")
    make(vtest, octavo.folder / first, "25", 200, "null", "-timecode", "10:00:00:00")
    make(vtest, octavo.folder / second, "25", 150, "trim=start_frame=50,setpts=PTS-STARTPTS,eq=brightness=0.05")
    make(photograph("Megamind.avi"), octavo.folder / other, "30000/1001", 120, "null", "-timecode", "00:59:58;00")
    arguments = ("--json", "--otio", "t.otio", "--fcpxml", "t.fcpxml", "--edl", "edl", "--device", "cpu")
    found = json.loads(octavo("video", "takes", first, second, other, *arguments))
    timeline = otio.adapters.read_from_file(octavo.folder / "t.otio")
    scenes = timeline.tracks[0]
    assert [scene.name for scene in scenes] == [f"scene {i}" for i in range(1, len(found["scenes"]) + 1)]
    projects = ElementTree.parse(octavo.folder / "t.fcpxml").getroot().findall("event/project")
    rows = {"25": [], "30000/1001": []}
    for scene, stack, project in zip(found["scenes"], scenes, projects, strict=True):
        earliest = min(take["offset_seconds"] or 0 for take in scene["takes"])
        assert seconds(project.find("sequence").get("tcStart")) == 0
        for i, (take, track, lane) in enumerate(zip(scene["takes"], stack, project.iter("asset-clip"), strict=True)):
            rate = Fraction(30000, 1001) if take["clip"] == other else Fraction(25)
            rows[str(rate)].append(take)
            (clip,) = [one for one in track if isinstance(one, otio.schema.Clip)]
            assert (track.name, clip.name) == (f"take {i + 1}", take["clip"])
            assert dict(clip.metadata["octavo"])["in_time_code"] == take["in_time_code"]
            begin = round((take["offset_seconds"] - earliest) * rate)
            assert clip.range_in_parent().start_time.value == begin
            assert clip.source_range.start_time.value == frames(rate, take["in_time_code"])
            assert clip.source_range.duration.value == take["out_frame"] - take["in_frame"]
            assert (lane.get("lane"), lane.get("name")) == (str(i + 1), take["clip"])
            assert seconds(lane.get("offset")) * rate == begin
            assert seconds(lane.get("start")) * rate == frames(rate, take["in_time_code"])
            assert seconds(lane.get("duration")) * rate == take["out_frame"] - take["in_frame"]
    assert sum(len(scene["takes"]) == 2 for scene in found["scenes"]) == 1
    lists = dict(zip(["takes.edl", "takes-2.edl"], rows))
    assert {file.name for file in (octavo.folder / "edl").iterdir()} == set(lists)
    for name, rate in lists.items():
        row = otio.adapters.read_from_file(octavo.folder / "edl" / name, rate=float(Fraction(rate)))
        for clip, take in zip(row.tracks[0], rows[rate], strict=True):
            assert clip.name == take["clip"].replace("\n", " ")
            assert clip.source_range.start_time.value == frames(Fraction(rate), take["in_time_code"])
            assert clip.source_range.duration.value == take["out_frame"] - take["in_frame"]
    assert "* scene 1, take 1, " in (octavo.folder / "edl" / "takes.edl").read_text()
