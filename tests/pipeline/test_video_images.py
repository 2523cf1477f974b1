"""Images among clips: photographs as queries and in archives, found with the times at which clips show them."""

import csv
import io
import json
import shutil
import signal
import sqlite3
import subprocess
import xml.etree
from xml.etree import ElementTree

import opentimelineio as otio
import pytest
from PIL import Image, ImageOps

from conftest import Octavo
from test_video_review import Server

pytestmark = pytest.mark.usefixtures("ffmpeg")

xml.etree.cElementTree = ElementTree  # as the adapter of FCPXML calls it

RATE, SECONDS = 25, 3
FRAMES = 2.01 / RATE  # [second] two frames
SHOWN = ["home.jpg", "building.jpg", "baboon.jpg"]
FILL = "scale=480:360:force_original_aspect_ratio=increase,crop=480:360,setsar=1"
ZOOM = "scale=1440:1080:force_original_aspect_ratio=increase,crop=1440:1080,setsar=1,zoompan=z='1+on/250':x='(iw-iw/zoom)/2':y='(ih-ih/zoom)/2':d={0}:s=480x360:fps=25"


def encode(photographs, image, target, frames=SECONDS * RATE):
    """A clip that shows one photograph after the other."""
    inputs = [word for one in photographs for word in ("-i", one)]
    loop = "" if "zoompan" in image else f",loop=-1:1,fps={RATE}"
    graph = "".join(
        f"[{i}:v]{image}{loop},trim=end_frame={frames},setpts=N/{RATE}/TB,format=yuv420p[p{i}];"
        for i in range(len(photographs))
    )
    graph += "".join(f"[p{i}]" for i in range(len(photographs))) + f"concat=n={len(photographs)}[out]"
    command = ["ffmpeg", "-v", "error", *inputs, "-filter_complex", graph, "-map", "[out]", "-r", RATE]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", target]
    subprocess.run(list(map(str, command)), check=True, timeout=120)


@pytest.fixture(scope="module")
def archive(photograph, tmp_path_factory):
    """An archive of clips that show photographs, and of other clips and photographs, and one of photographs alone."""
    octavo = Octavo(tmp_path_factory.mktemp("images"))
    films, photos = octavo.folder / "films", octavo.folder / "photos"
    films.mkdir()
    photos.mkdir()
    shown = [photograph(name) for name in SHOWN]
    encode(shown, FILL, films / "show.mp4")
    encode([shown[1], photograph("fruits.jpg")], ZOOM.format(75), films / "zoom.mp4")
    encode([photograph(name) for name in ("board.jpg", "messi5.jpg")], FILL, films / "others.mp4")
    encode([photograph("aero1.jpg"), shown[0], photograph("aero3.jpg")], FILL, films / "quick.mp4", 22)
    for one in shown:
        shutil.copy(one, photos)
    for name in ("graf1.png", "stuff.jpg"):
        shutil.copy(photograph(name), photos)
    octavo("video", "index", films, "--index", "clips", "--device", "cpu")
    text = octavo("video", "index", photos, "--images", "--index", "photographs", "--device", "cpu")
    assert f"{photos / 'home.jpg'}: image, jpeg 512x384\n" in text and "5 indexed\n" in text
    return octavo


def changed(photograph, folder, how):
    """A photograph that was changed."""
    image = Image.open(photograph("building.jpg")).convert("RGB")
    width, height = image.size
    file = folder / f"{how}.jpg"
    if how == "turned":  # as a camera stores it that was held upright
        exif = Image.Exif()
        exif[0x0112] = 6
        image.transpose(Image.Transpose.ROTATE_90).save(file, exif=exif)
        return file
    made = {
        "same": lambda: image,
        "cropped": lambda: image.crop((width // 8, height // 10, width * 7 // 8, height * 9 // 10)),
        "small": lambda: image.resize((width // 3, height // 3)),
        "grey": lambda: image.convert("L"),
        "mirrored": lambda: ImageOps.mirror(image),
        "negative": lambda: ImageOps.invert(image),
    }[how]()
    made.save(file, quality=40)
    return file


def search(octavo, archive, *arguments):
    return json.loads(octavo("video", "search", *arguments, "--index", archive, "--json", "--device", "cpu"))


def spans(found, side="clip"):
    """Of each clip that was found its segments, by their begin."""
    return {
        one["clip"].rpartition("/")[2]: sorted((s[f"in_{side}"], s[f"out_{side}"]) for s in one["segments"])
        for one in found["found_clips"]
    }


@pytest.mark.parametrize("how", ["same", "cropped", "small", "grey", "turned", "mirrored"])
def test_a_photograph_is_found_with_the_times_at_which_it_is_shown(archive, photograph, tmp_path, how):
    found = search(archive, "clips", changed(photograph, tmp_path, how))
    assert found["seconds"] == 0
    where = spans(found)
    assert set(where) == {"show.mp4", "zoom.mp4"}
    assert where["show.mp4"] == [pytest.approx((3, 6), abs=FRAMES)]
    assert where["zoom.mp4"] == [pytest.approx((0, 3), abs=FRAMES)], "the camera moves over the photograph"
    for clip in found["found_clips"]:
        (segment,) = clip["segments"]
        assert (segment["in_query"], segment["out_query"], segment["speed"]) == (0, 0, 1)
        assert segment["in_frame_query"] is None and segment["in_frame_clip"] == round(25 * segment["in_clip"])
        assert segment["still"] and segment["exact_ends"] and segment["ends_within"] <= FRAMES
        assert segment["mirrored"] == (how == "mirrored")
        assert clip["coverage_query"] == 1
        (row, _) = segment["similarity"]
        assert abs(row[1]) < 0.02, "upright"
    assert found["found_clips"][0]["coverage_clip"] == pytest.approx(1 / 3, abs=0.02)


def test_a_photograph_that_is_shown_for_less_than_two_seconds_is_found(archive, photograph):
    where = spans(search(archive, "clips", photograph("home.jpg")))
    assert where == {
        "show.mp4": [pytest.approx((0, 3), abs=FRAMES)],
        "quick.mp4": [pytest.approx((0.88, 1.76), abs=FRAMES)],
    }
    rough = spans(search(archive, "clips", photograph("home.jpg"), "--rough-ends"))
    assert set(rough) == set(where) and rough["quick.mp4"] == [pytest.approx((0.88, 1.76), abs=0.5)]


def test_photographs_that_no_clip_shows_are_not_found(archive, photograph):
    """graf3 shows the painting of graf1 from aside; the leuven images a street from two places."""
    others = [photograph(name) for name in ("graf1.png", "leuvenA.jpg", "starry_night.jpg", "left01.jpg")]
    assert [one["found_clips"] for one in search(archive, "clips", *others)] == [[]] * 4
    assert search(archive, "photographs", photograph("graf3.png"))["found_clips"] == []
    assert search(archive, "photographs", archive.folder / "films" / "others.mp4")["found_clips"] == []


def test_a_clip_finds_the_photographs_that_it_shows(archive, photograph):
    found = search(archive, "photographs", archive.folder / "films" / "show.mp4")
    where = spans(found, "query")
    assert where == {name: [pytest.approx((3 * i, 3 * i + 3), abs=FRAMES)] for i, name in enumerate(SHOWN)}
    for clip in found["found_clips"]:
        assert clip["facts"]["container"] == "image" and clip["facts"]["codec"] == "jpeg"
        assert (clip["facts"]["seconds"], clip["facts"]["frame_count"], clip["facts"]["frame_rate"]) == (0, 1, None)
        assert clip["coverage_clip"] == 1 and clip["coverage_query"] == pytest.approx(1 / 3, abs=0.02)
    backwards = search(archive, "photographs", archive.folder / "films" / "show.mp4", "--reversed")
    assert spans(backwards, "query") == where


def test_two_files_are_compared(octavo, archive, photograph, tmp_path):
    show, photo = archive.folder / "films" / "show.mp4", photograph("baboon.jpg")
    text = octavo("video", "compare", photo, show, "--device", "cpu", "--image", "why.png")
    assert "  image                        0:00:06.000 - 0:00:09.000" in text
    assert f"100 % of {photo} is in {show}; 33 % of {show} is in {photo}" in text
    assert Image.open(octavo.folder / "why.png").size[0] > 900
    turned = json.loads(octavo("video", "compare", show, photo, "--json", "--device", "cpu"))
    (segment,) = turned["segments"]
    assert (segment["in_a"], segment["out_a"]) == pytest.approx((6, 9), abs=FRAMES) and segment["out_b"] == 0
    assert turned["seconds_b"] == 0 and turned["coverage_b"] == 1


@pytest.mark.parametrize("how", ["cropped", "small", "mirrored", "turned", "negative"])
def test_a_copy_of_a_photograph_is_found(archive, photograph, tmp_path, how):
    copy, more = changed(photograph, tmp_path, how), ["--negative"] * (how == "negative")
    found = json.loads(
        archive("video", "compare", copy, photograph("building.jpg"), "--json", "--device", "cpu", *more)
    )
    (segment,) = found["segments"]
    assert (segment["mirrored"], segment["negative"]) == (how == "mirrored", how == "negative")
    assert found["coverage_a"] == found["coverage_b"] == 1 and segment["exact_ends"]
    (clip,) = search(archive, "photographs", copy, *more)["found_clips"]
    assert clip["clip"].endswith("building.jpg") and len(clip["segments"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("graf1.png", "graf3.png"),
        ("aloeL.jpg", "aloeR.jpg"),
        ("left01.jpg", "right01.jpg"),
        ("left01.jpg", "left05.jpg"),
    ],
)
def test_photographs_of_one_scene_are_no_copies(archive, photograph, a, b):
    for first, second in ((a, b), (b, a)):
        text = archive("video", "compare", photograph(first), photograph(second), "--device", "cpu")
        assert "share no segment" in text


def test_images_of_folders_are_taken_by_option(octavo, archive, photograph):
    folder = octavo.folder / "mixed"
    shutil.copytree(archive.folder / "photos", folder / "photos")
    shutil.copy(archive.folder / "films" / "quick.mp4", folder)

    def files(*words):
        shutil.rmtree(octavo.folder / "a", ignore_errors=True)
        octavo("video", "index", *words, "--index", "a", "--device", "cpu")
        version = sqlite3.connect(octavo.folder / "a" / "catalogue.sqlite").execute("PRAGMA user_version").fetchone()[0]
        listed = json.loads(octavo("video", "list", "--index", "a", "--json"))
        return version, sorted(one["clip"].rpartition("/")[2] for one in listed["clips"])

    photos = sorted(["graf1.png", "stuff.jpg", *SHOWN])
    assert files(folder) == (3, ["quick.mp4"]), "earlier versions of Octavo can read it"
    assert files(folder, folder / "photos" / "home.jpg") == (4, ["home.jpg", "quick.mp4"]), "named itself"
    assert files(folder, "--images") == (4, sorted([*photos, "quick.mp4"]))
    assert "    image   32.2 kB  jpeg          512x384  done " in octavo("video", "list", "--index", "a")
    assert "holds no videos\n" in octavo.error(1, "video", "index", folder / "photos", "--index", "b")
    found = search(octavo, "a", folder)
    assert {one["query"].rpartition("/")[2] for one in found} == {*photos, "quick.mp4"}, "a folder of queries"
    assert "holds no videos and no images" in octavo.error(1, "video", "search", octavo.folder / "a", "--index", "a")


@pytest.mark.slow
def test_bytes_do_not_depend_on_order_and_threads(octavo, archive, photograph):
    photos = sorted((archive.folder / "photos").iterdir())
    results = []
    for files, jobs in ((photos, 1), (photos[::-1], 3)):
        name = f"archive{jobs}"
        octavo("video", "index", *files, "--index", name, "--jobs", jobs, "--device", "cpu", "--threads", jobs)
        digest = json.loads(octavo("video", "list", "--index", name, "--json"))["digest"]
        found = search(octavo, name, archive.folder / "films" / "show.mp4", "--threads", jobs)["found_clips"]
        results.append((digest, [(one["clip"], one["score"], one["segments"]) for one in found]))
    assert results[0] == results[1]


def test_damaged_images_are_named(octavo, archive, photograph):
    whole = photograph("home.jpg").read_bytes()
    (octavo.folder / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (octavo.folder / "empty.png").write_bytes(b"")
    (octavo.folder / "text.jpg").write_text("no image")
    done = octavo.call(
        "video", "index", "cut.jpg", "empty.png", "text.jpg", photograph("home.jpg"), "--index", "a", "--device", "cpu"
    )
    assert done.returncode == 1 and "1 indexed, 3 failed" in done.stdout
    lines = sorted(done.stderr.splitlines())
    assert lines[0] == "octavo: cannot index 'cut.jpg': the JPEG data are truncated"
    assert lines[1] == "octavo: cannot index 'empty.png': it is empty"
    assert lines[2].startswith("octavo: cannot index 'text.jpg': ")
    error = octavo.error(1, "video", "search", "cut.jpg", "--index", "a")
    assert error == "octavo: cannot read 'cut.jpg': the JPEG data are truncated\n"
    assert "cut.jpg" in octavo.error(1, "video", "compare", "cut.jpg", archive.folder / "films" / "show.mp4")
    error = octavo.error(
        1, "video", "compare", photograph("home.jpg"), archive.folder / "films" / "show.mp4", "--max-pixels", 1000
    )
    assert "home.jpg" in error and "--max-pixels" in error


def test_what_alpha_hides_says_nothing(octavo, archive, photograph):
    """The image of building.jpg is hidden, that of home.jpg is seen."""
    seen, hidden = (
        Image.open(photograph(name)).convert("RGB").resize((512, 384)) for name in ("home.jpg", "building.jpg")
    )
    image = Image.new("RGBA", (1024, 384))
    image.paste(seen, (0, 0))
    image.paste(hidden, (512, 0))
    image.putalpha(
        Image.composite(
            Image.new("L", image.size, 255),
            Image.new("L", image.size, 0),
            Image.linear_gradient("L").rotate(90).resize(image.size).point(lambda v: 255 if v < 128 else 0),
        )
    )
    image.save(octavo.folder / "half.png")
    alpha = [image.getpixel((x, 100))[3] for x in (100, 900)]
    found = spans(search(archive, "clips", octavo.folder / "half.png"))
    assert sorted(alpha) == [0, 255]
    only = {"show.mp4": [pytest.approx((0, 3) if alpha[0] else (3, 6), abs=FRAMES)]}
    assert {"show.mp4": found["show.mp4"]} == only


@pytest.fixture(scope="module")
def mixed(archive, photograph, tmp_path_factory):
    """An archive of clips and photographs, and of a copy of one, which is reported."""
    octavo = Octavo(tmp_path_factory.mktemp("mixed"))
    copy = octavo.folder / "copy.png"
    Image.open(photograph("home.jpg")).resize((300, 225)).save(copy)
    films, photos = archive.folder / "films", archive.folder / "photos"
    octavo(
        "video",
        "index",
        films / "show.mp4",
        films / "quick.mp4",
        photos,
        copy,
        "--images",
        "--index",
        "archive",
        "--device",
        "cpu",
    )
    octavo("video", "report", "--index", "archive", "--exact-ends", "-o", "r.html", "--csv", "r.csv", "--json-output", "r.json",
           "--otio", "r.otio", "--edl", "edl", "--fcpxml", "r.fcpxml", "--device", "cpu")  # fmt: skip
    return octavo


def base(path):
    return path.rpartition("/")[2]


@pytest.mark.slow
def test_pairs_with_images_are_listed(mixed):
    found = json.loads(mixed("video", "duplicates", "--index", "archive", "--json", "--recurring", 3))
    pairs = {frozenset({base(pair["clip_a"]), base(pair["clip_b"])}): pair for pair in found["pairs"]}
    shows = [("show.mp4", name) for name in (*SHOWN, "copy.png")] + [
        ("quick.mp4", "home.jpg"),
        ("quick.mp4", "copy.png"),
    ]
    assert {frozenset(one) for one in [*shows, ("home.jpg", "copy.png")]} <= set(pairs)
    for clip, image in shows:
        pair = pairs[frozenset({clip, image})]
        side = "a" if base(pair["clip_a"]) == image else "b"
        assert pair[f"coverage_{side}"] == 1 and pair["segments"][0]["recurring_index"] is None
    text = mixed("video", "duplicates", "--index", "archive")
    assert ["image", "image", "1.00", "16", "0.59", "x,", "still"] in [line.split() for line in text.splitlines()]
    takes = json.loads(mixed("video", "takes", "--index", "archive", "--json", "--rough-cuts"))
    assert [base(clip) for clip in takes["clips"]] == ["quick.mp4", "show.mp4"]


def test_a_report_tells_images(mixed):
    report = json.loads((mixed.folder / "r.json").read_text())
    groups = [{base(report["clips"][i]["clip"]) for i in group["indices"]} for group in report["groups"]]
    assert groups == [{"home.jpg", "copy.png"}], "a clip that shows an image is another thing"
    rows = list(csv.DictReader(io.StringIO((mixed.folder / "r.csv").read_text())))
    (row,) = [row for row in rows if {base(row["clip_a"]), base(row["clip_b"])} == {"show.mp4", "baboon.jpg"}]
    clip, image = ("a", "b") if base(row["clip_a"]) == "show.mp4" else ("b", "a")
    assert (float(row[f"in_{clip}"]), float(row[f"out_{clip}"])) == pytest.approx((6, 9), abs=FRAMES)
    assert (float(row[f"out_{image}"]), row[f"in_frame_{image}"], row[f"coverage_{image}"]) == (0, "", "1")
    data = json.loads(
        (mixed.folder / "r.html")
        .read_text()
        .split('<script type="application/json" id="data">')[1]
        .split("</script>")[0]
    )
    for index, shown in data["images"]["pairs"].items():
        assert shown["why"]["lines"], report["pairs"][int(index)]
        assert all(frame for frames in shown["segments"] for side in "ab" for frame in frames[side])


def test_timelines_hold_images_as_stills(mixed):
    """The images are on the timelines of the clips, and have none of their own."""
    timeline = otio.adapters.read_from_file(str(mixed.folder / "r.otio"))
    placed = {}
    for clip in timeline.find_clips():
        at = clip.range_in_parent()
        placed.setdefault(clip.name, []).append((at.start_time.to_seconds(), at.duration.to_seconds(), clip))
    assert [one[:2] for one in placed["baboon.jpg"]] == [pytest.approx((6, 3), abs=FRAMES)]
    (still,) = [one[2] for one in placed["baboon.jpg"]]
    assert len(still.effects) == 0 and still.media_reference.available_range is None
    assert still.media_reference.target_url.endswith("/photos/baboon.jpg")
    assert {stack.name for stack in timeline.tracks[0]} == {"show.mp4", "quick.mp4"}

    assert {file.name for file in (mixed.folder / "edl").iterdir()} >= {"show.mp4.edl", "quick.mp4.edl"}
    edl = otio.adapters.read_from_file(str(mixed.folder / "edl" / "show.mp4.edl"), rate=RATE)
    (event,) = [clip for clip in edl.find_clips() if clip.name == "baboon.jpg"]
    assert event.source_range == otio.opentime.TimeRange(
        otio.opentime.RationalTime(0, RATE), otio.opentime.RationalTime(75, RATE)
    )
    assert "M2" not in "".join(
        file.read_text() for file in (mixed.folder / "edl").iterdir() if "quick" not in file.name
    )

    root = ElementTree.parse(mixed.folder / "r.fcpxml").getroot()
    asset = root.find("./resources/asset[@name='baboon.jpg']")
    assert root.find(f"./resources/format[@id='{asset.get('format')}']").get("name") == "FFVideoFormatRateUndefined"
    assert asset.get("duration") == "0s" and root.find("./resources/asset[@name='show.mp4']").get("duration") == "9s"
    (video,) = [one for one in root.iter("video") if one.get("ref") == asset.get("id")]
    assert (video.get("offset"), video.get("start"), video.get("duration")) == ("6s", "0s", "3s")


def test_a_review_shows_images(mixed):
    server = Server(mixed)
    try:
        report = server.json("sheet/0")["report"]
        (index,) = [i for i, clip in enumerate(report["clips"]) if base(clip["clip"]) == "copy.png"]
        status, headers, jpeg = server.request(f"image/0/{index}")
        assert (status, headers["Content-Type"]) == (200, "image/jpeg")
        assert Image.open(io.BytesIO(jpeg)).size == (300, 225)
        assert server.request(f"image/0/{len(report['clips'])}")[0] == 404
        (pair,) = [
            i
            for i, one in enumerate(report["pairs"])
            if {base(one["clip_a"]), base(one["clip_b"])} == {"show.mp4", "copy.png"}
        ]
        assert len(server.json(f"agreeing/0/{pair}/0?a=1&b=1")["lines"]) > 20
        photo = (mixed.folder / "copy.png").read_bytes()
        number = json.loads(server.request("search?name=dropped.png", photo)[2])["search"]
        state = server.work(f"search/{number}")
        found = server.json(f"sheet/{state['sheet']}")["report"]
        assert {base(one["clip_b"]) for one in found["pairs"]} == {"show.mp4", "quick.mp4", "home.jpg"}
    finally:
        server.end(signal.SIGKILL)
