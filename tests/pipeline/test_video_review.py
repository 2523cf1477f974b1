"""octavo video review: the server, and its page in a browser."""

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from conftest import Octavo

pytestmark = pytest.mark.usefixtures("ffmpeg")


def make(source, target, begin, seconds, image, *codec):
    command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", source, "-an", "-vf", image]
    subprocess.run([*command, *(codec or ("-c:v", "mpeg4", "-q:v", "4")), target], check=True, timeout=60)


@pytest.fixture(scope="module")
def archive(photograph, tmp_path_factory):
    """An archive with a film in two sizes, a grey and mirrored part of it, and the same bytes twice; and two clips that
    are not in it."""
    octavo = Octavo(tmp_path_factory.mktemp("review"))
    films = octavo.folder / "films"
    films.mkdir()
    street = photograph("vtest.avi")
    h264 = ("-c:v", "libx264", "-pix_fmt", "yuv420p")
    make(street, films / "street.mp4", 20, 8, "scale=640:-2", *h264)
    make(street, films / "small.avi", 20, 8, "scale=480:-2")
    make(street, films / "part's.avi", 22, 4, "scale=480:-2,hue=s=0,hflip")
    shutil.copy(films / "part's.avi", films / "twin.avi")
    make(street, octavo.folder / "query.avi", 23, 4, "scale=400:-2")
    octavo("video", "index", films, "--index", "archive", "--device", "cpu")
    return octavo


class Server:
    """The command while it runs."""

    def __init__(self, octavo, *more):
        command = [
            octavo.path,
            "video",
            "review",
            "--index",
            "archive",
            "--no-open",
            "--json",
            "--device",
            "cpu",
            *more,
        ]
        self.process = subprocess.Popen(
            command, cwd=octavo.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        self.address = json.loads(line)["address"] if line else None

    def request(self, path, body=None, headers=None, base=None, method=None):
        """Status, headers and body of an answer."""
        origin = {"Origin": self.address.rpartition("/")[0].rpartition("/")[0]} if body is not None else {}
        request = urllib.request.Request(
            (base or self.address) + path, data=body, headers={**origin, **(headers or {})}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def json(self, path, body=None):
        status, headers, text = self.request(path, None if body is None else json.dumps(body).encode())
        assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "application/json", "no-store"), (
            text
        )
        return json.loads(text)

    def judge(self, pair, before, after):
        """The status, and what is wrong."""
        word = {key: one and {"verdict": one, "note": ""} for key, one in (("before", before), ("after", after))}
        status, _, text = self.request(f"verdict/0/{pair}", json.dumps(word).encode())
        return status, json.loads(text).get("problem")

    def words(self):
        return [one and one["verdict"] for one in self.json("verdicts/0")["verdicts"]]

    def work(self, path):
        for _ in range(600):
            state = self.json(path)
            if state["state"] in ("done", "failed"):
                return state
            time.sleep(0.1)
        raise AssertionError(state)

    def end(self, number=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=30)
        return self.process.returncode, output, errors


@pytest.fixture(scope="module")
def shared_server(archive):
    server = Server(archive)
    yield server
    server.end(signal.SIGKILL)


@pytest.fixture
def server(archive, shared_server):
    """A server of an archive without verdicts."""
    for pair, word in enumerate(shared_server.words()):
        if word:
            shared_server.judge(pair, word, None)
    return shared_server


def names(pair):
    return {pair["clip_" + side].rpartition("/")[2] for side in "ab"}


def verdicts_of(octavo):
    return [one["verdict"] for one in json.loads(octavo("video", "verdict", "--index", "archive", "--json"))]


# The server.


def test_it_listens_on_the_loopback_address_alone(server):
    address = urlsplit(server.address)
    assert address.hostname == "127.0.0.1" and re.fullmatch(r"/[0-9a-f]{32}/", address.path)
    hosts = [row.split()[3] for row in subprocess.run(
        ["ss", "-Htln"], capture_output=True, text=True).stdout.splitlines()] if shutil.which("ss") else []  # fmt: skip
    assert [host for host in hosts if host.endswith(f":{address.port}")] in ([], [f"127.0.0.1:{address.port}"])
    with pytest.raises(OSError), socket.create_connection(("::1", address.port), timeout=2):
        pass


def test_only_who_knows_the_address_gets_an_answer(server):
    address = urlsplit(server.address)
    root = f"http://{address.netloc}"
    token = address.path.strip("/")
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    for base in (f"{root}/", f"{root}/{wrong}/", f"{root}/{token}", f"{root}/{token[:-1]}/", f"{root}/{token}0/"):
        for path in ("", "sheet/0", "clip/0/0"):
            if base + path != f"{root}/{token}":
                status, _, text = server.request(path, base=base)
                assert status == 403 and b"street" not in text, base + path
    assert server.request("", base=f"{root}/{token}")[0] == 403
    for host in ("evil.example", f"evil.example:{address.port}", "127.0.0.1", ""):
        assert server.request("sheet/0", headers={"Host": host})[0] == 403, host
    assert server.request("sheet/0", headers={"Host": f"localhost:{address.port}"})[0] == 200
    body = json.dumps({"before": None, "after": {"verdict": "same", "note": ""}}).encode()
    for origin in ("null", "http://evil.example", f"https://{address.netloc}", ""):
        assert server.request("verdict/0/0", body, {"Origin": origin})[0] == 403, origin
    assert server.request("verdict/0/0", body, base=f"{root}/{wrong}/")[0] == 403
    assert server.words() == [None] * 3


def test_the_headers_forbid_what_the_page_does_not_need(server):
    _, headers, page = server.request("")
    assert headers["Cache-Control"] == "no-store" and headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    (nonce,) = set(re.findall(r"'nonce-([0-9a-f]{32})'", policy))
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert page.count(f'nonce="{nonce}"'.encode()) == 2
    assert nonce not in server.request("")[1]["Content-Security-Policy"]
    assert server.address.encode() not in page


def test_files_come_in_parts(server):
    clips = server.json("sheet/0")["report"]["clips"]
    index = next(i for i, clip in enumerate(clips) if clip["clip"].endswith("street.mp4"))
    with open(clips[index]["clip"], "rb") as file:
        content = file.read()
    size = len(content)
    path = f"clip/0/{index}"
    status, headers, body = server.request(path)
    assert (status, body, headers["Content-Type"], headers["Accept-Ranges"]) == (200, content, "video/mp4", "bytes")
    for asked, begin, end in (
        ("0-99", 0, 100),
        (f"{size - 10}-", size - 10, size),
        ("-7", size - 7, size),
        (f"5-{10 * size}", 5, size),
        (f"-{2 * size}", 0, size),
        ("70000-200000", 70000, 200001),
    ):
        status, headers, body = server.request(path, headers={"Range": f"bytes={asked}"})
        assert (status, body) == (206, content[begin:end]), asked
        assert headers["Content-Range"] == f"bytes {begin}-{end - 1}/{size}"
    for asked in (f"bytes={size}-", "bytes=5-2", "bytes=-0", "bytes=0-1,4-5", "bytes=x-y", "items=0-1"):
        status, headers, body = server.request(path, headers={"Range": asked})
        assert (status, body) == (416, b""), asked
    assert server.request(path, headers={"Range": f"bytes={size}-"})[1]["Content-Range"] == f"bytes */{size}"
    status, headers, body = server.request(path, method="HEAD")
    assert (status, headers["Content-Length"], body) == (200, str(size), b"")


def test_nothing_but_the_clips_of_the_archive_is_served(server, archive):
    for path in (
        "clip/0/99",
        "clip/9/0",
        "clip/0/-1",
        "clip/0/18446744073709551616",
        "clip/0/../../query.avi",
        "clip/0/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        f"clip/0/{archive.folder}/query.avi",
        "%2Fetc%2Fpasswd",
        "..%2f..%2fetc%2fpasswd",
        "preview/0/0%00",
        "open.html",
        "search/99/../open.html",
    ):
        status, _, body = server.request(path)
        assert status in (400, 404), path
        assert b"root:" not in body
    assert server.request("preview/0/2")[0] == 404  # not made yet


def test_a_clip_that_has_changed_is_not_served(archive):
    film = archive.folder / "films" / "street.mp4"
    server = Server(archive)
    clips = server.json("sheet/0")["report"]["clips"]
    index = next(i for i, clip in enumerate(clips) if clip["clip"] == str(film))
    before = film.stat()
    try:
        os.utime(film)
        status, _, text = server.request(f"clip/0/{index}")
        assert status == 404 and b"it changed since it was indexed" in text
    finally:
        os.utime(film, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert server.request(f"clip/0/{index}")[0] == 200
    assert server.end() == (0, "", "")


def test_verdicts_are_those_of_the_archive(server, archive):
    report = server.json("sheet/0")["report"]
    archive("video", "report", "--index", "archive", "--json-output", "r.json")
    assert report == json.loads((archive.folder / "r.json").read_text())
    assert server.judge(0, None, "same") == (200, None)
    assert verdicts_of(archive) == ["same"]
    archive("video", "report", "--index", "archive", "--json-output", "r.json")
    assert json.loads((archive.folder / "r.json").read_text())["pairs"][0]["verdict"] == "same"
    state = server.json("verdicts/0")["state"]
    assert server.json(f"verdicts/0?known={state}") == {"state": state}
    # The command says otherwise meanwhile. What it said, and its note, is not overwritten unseen.
    pair = report["pairs"][0]
    archive("video", "verdict", pair["clip_a"], pair["clip_b"], "ignore", "--note", "a jingle", "--index", "archive")
    assert server.json(f"verdicts/0?known={state}")["verdicts"][0] == {"verdict": "ignore", "note": "a jingle"}
    assert server.judge(0, "same", None)[0] == server.judge(0, "ignore", "same")[0] == 409
    assert "nothing was stored" in server.judge(0, None, "different")[1]
    assert verdicts_of(archive) == ["ignore"]
    archive("video", "verdict", pair["clip_a"], pair["clip_b"], "--remove", "--index", "archive")
    assert server.words() == [None] * 3


def test_wrong_verdicts_are_refused(server):
    for body in (
        b"",
        b"{",
        b"[]",
        b'{"before": null}',
        b'{"before": null, "after": {"verdict": "maybe"}}',
        b"x" * 99999,
    ):
        assert server.request("verdict/0/0", body)[0] == 400, body[:40]
    assert server.judge(99, None, "same")[0] == 404
    assert server.words() == [None] * 3


def test_two_clients_lose_nothing(server, archive):
    """Many verdicts at once, each of which replaces what its client knows: of every round one is stored, and all others
    are told."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as clients:
        for before, words in ((None, ("same", "different")), *(2 * [("?", ("ignore", "same"))])):
            known = server.words()[1] if before else None
            wanted = [word for word in words if word != known] * 4
            done = list(clients.map(lambda word, known=known: server.judge(1, known, word)[0], wanted))
            assert done.count(200) == 1 and done.count(409) == len(done) - 1
            assert server.words()[1] == wanted[done.index(200)]
    assert verdicts_of(archive) == [server.words()[1]]


def test_frames_and_features_are_made(server):
    status, headers, jpeg = server.request("thumbnail/0/0")
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert (status, headers["Content-Type"]) == (200, "image/jpeg") and max(image.shape) == 240
    report = server.json("sheet/0")["report"]
    place = next(i for i, pair in enumerate(report["pairs"]) if names(pair) == {"street.mp4", "small.avi"})
    why = server.json(f"agreeing/0/{place}/0?a=3.05&b=3.05")
    assert why["a"]["seconds"] == why["b"]["seconds"] == pytest.approx(3.0, abs=0.06)
    assert len(why["lines"]) > 100
    scale = why["b"]["width"] / why["a"]["width"]
    lengths = [abs(x2 - scale * x1) + abs(y2 - scale * y1) for x1, y1, x2, y2 in why["lines"]]
    assert np.median(lengths) < 3
    assert server.request(f"agreeing/0/{place}/0?a=1&b=99")[0] == 404
    assert server.request(f"agreeing/0/{place}/0?a=1&b=nan")[0] == 400
    assert server.request(f"agreeing/0/{place}/7?a=1&b=1")[0] == 404


def test_a_preview_is_a_video_that_browsers_play(server, archive):
    clips = server.json("sheet/0")["report"]["clips"]
    index = next(i for i, clip in enumerate(clips) if clip["clip"].endswith("small.avi"))
    assert server.json(f"preview/0/{index}", {})["state"] in ("waiting", "working", "done")
    assert server.work(f"preview/0/{index}/state") == {"state": "done", "text": "", "share": None}
    status, headers, mp4 = server.request(f"preview/0/{index}")
    assert (status, headers["Content-Type"]) == (200, "video/mp4")
    (archive.folder / "preview.mp4").write_bytes(mp4)
    for name, expected in (("preview.mp4", "h264"), ("films/small.avi", "mpeg4")):
        probe = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name:frame=pts_time", "-of", "json"]
        facts = json.loads(subprocess.check_output([*probe, archive.folder / name]))
        assert facts["streams"][0]["codec_name"] == expected
        times = [float(frame["pts_time"]) for frame in facts["frames"] if "pts_time" in frame]
        assert len(times) == 80 and np.allclose(np.diff(times), 0.1, atol=0.002) and times[0] == 0


def test_a_file_is_searched(server, archive):
    content = (archive.folder / "query.avi").read_bytes()
    status, _, text = server.request("search?name=..%2F..%2Fnew%20one.avi", content)
    assert status == 200
    state = server.work(f"search/{json.loads(text)['search']}")
    assert state["state"] == "done"
    report = server.json(f"sheet/{state['sheet']}")["report"]
    query = report["clips"][report["queries"][0]]["clip"]
    assert report["of"] == "search" and query.endswith("/new one.avi") and "/octavo-review-" in query
    assert {"street.mp4", "small.avi"} <= set.union(*map(names, report["pairs"]))
    assert server.request(f"clip/{state['sheet']}/{report['queries'][0]}")[2] == content
    assert server.request(f"verdict/{state['sheet']}/0", b'{"before": null, "after": {"verdict": "same"}}')[0] == 400
    status, _, text = server.request("search?name=notes.txt", b"no video")
    state = server.work(f"search/{json.loads(text)['search']}")
    assert state["state"] == "failed" and "notes.txt" in state["text"]


def test_files_that_are_too_large_are_refused(archive):
    server = Server(archive, "--max-upload", "1")
    status, _, text = server.request("search?name=a", b"x" * 1_000_001)
    assert status == 413 and json.loads(text)["problem"] == "the file is larger than 1.0 MB"
    address = urlsplit(server.address)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        head = f"POST {address.path}search?name=a HTTP/1.1\r\nHost: {address.netloc}\r\nOrigin: http://{address.netloc}\r\n"
        connection.sendall(f"{head}Content-Length: 99999999999999\r\n\r\n".encode())
        assert connection.recv(99).startswith(b"HTTP/1.1 413 ")
    assert server.end() == (0, "", "")


def test_the_lists_of_files_to_keep_and_to_drop(server, archive):
    def rows(query=""):
        status, headers, text = server.request(f"kept.csv{query}")
        assert status == 200 and headers["Content-Disposition"] == 'attachment; filename="kept.csv"'
        assert text.count(b"\r\n") == text.count(b"\n")
        return [
            (row["action"], row["path"].rpartition("/")[2], row["pair"])
            for row in csv.DictReader(io.StringIO(text.decode(), newline=""))
        ]

    twins = [("keep", "part's.avi", ""), ("drop", "twin.avi", "")]
    assert rows() == twins
    report = server.json("sheet/0")["report"]
    place = next(i for i, pair in enumerate(report["pairs"]) if names(pair) == {"street.mp4", "small.avi"})
    film = [("keep", "street.mp4", ""), ("drop", "small.avi", str(place + 1))]
    assert sorted(rows("?of=all")) == sorted(twins + film)
    server.judge(place, None, "different")
    assert rows("?of=all") == twins
    server.judge(place, "different", "same")
    assert sorted(rows()) == sorted(twins + film)
    script = server.request("kept.sh")[2]
    (archive.folder / "kept.sh").write_bytes(script)
    before = sorted(archive.folder.rglob("*.avi"))
    subprocess.run(["bash", "-e", "kept.sh"], cwd=archive.folder, check=True, timeout=20)
    assert sorted(archive.folder.rglob("*.avi")) == before  # it deletes nothing
    calls = "".join(line[2:] + "\n" for line in script.decode().splitlines() if line.startswith("# rm "))
    shown = subprocess.run(
        ["bash"], input="rm() { shift; printf '%s\\n' \"$@\"; }\n" + calls, capture_output=True, text=True, timeout=20
    )
    films = archive.folder / "films"
    assert sorted(shown.stdout.splitlines()) == sorted([str(films / "twin.avi"), str(films / "small.avi")])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(archive, number, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = Server(archive)
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    opening = (folder / "open.html").read_text()
    assert f'url={server.address}"' in opening
    server.json("preview/0/0", {})
    begin = time.monotonic()
    assert server.end(number) == (0, "", "")
    assert time.monotonic() - begin < 5
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("server")
def test_a_killed_server_leaves_a_good_archive(archive):
    server = Server(archive)
    assert server.judge(0, None, "same")[0] == 200
    assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert verdicts_of(archive) == ["same"]
    again = Server(archive)
    assert again.words()[0] == "same" and again.address != server.address
    assert again.judge(0, "same", None)[0] == 200
    assert again.end() == (0, "", "")
    assert verdicts_of(archive) == []


def test_the_browser_is_opened_by_a_file(archive, tmp_path, monkeypatch):
    """A command line with the address would show the token to all users."""
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\ncat "$1" >{tmp_path}/opened\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":9")
    command = [archive.path, "video", "review", "--index", "archive", "--device", "cpu"]
    process = subprocess.Popen(command, cwd=archive.folder, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    address = re.fullmatch(r"address {6}(http://127\.0\.0\.1:\d+/[0-9a-f]{32}/)\n", line)[1]
    for _ in range(100):
        if (tmp_path / "opened").exists() and address in (tmp_path / "opened").read_text():
            break
        time.sleep(0.1)
    assert address in (tmp_path / "opened").read_text()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0
    (tmp_path / "opened").unlink()
    server = Server(archive)  # --no-open
    time.sleep(0.5)
    assert server.end()[0] == 0 and not (tmp_path / "opened").exists()


def test_wrong_calls(archive, server):
    port = str(urlsplit(server.address).port)
    for code, part, arguments in (
        (1, f"cannot listen on port {port} of 127.0.0.1", ("--index", "archive", "--port", port)),
        (1, "none", ("--index", "none")),
        (2, "--port is 70000, but must be", ("--index", "archive", "--port", "70000")),
        (2, "--max-upload", ("--index", "archive", "--max-upload", "0")),
        (2, "--same-coverage", ("--index", "archive", "--same-coverage", "2")),
        (2, "--index", ()),
    ):
        assert part in archive.error(code, "video", "review", "--no-open", *arguments), arguments


def test_an_archive_that_cannot_be_changed_is_refused(bound, archive):
    copy = shutil.copytree(archive.folder / "archive", bound.folder / "archive")
    for file in (copy, *copy.rglob("*")):
        file.chmod(file.stat().st_mode & ~0o222)
    try:
        assert "takes no verdicts" in bound.error(1, "video", "review", "--no-open", "--index", "archive")
    finally:
        for file in (copy, *copy.rglob("*")):
            file.chmod(file.stat().st_mode | 0o200)


# The page.


class Page:
    def __init__(self, driver, address):
        self.driver = driver
        driver.get_log("browser")  # what an earlier page left there
        driver.get(address)
        self.wait(lambda: self.run("return document.body.dataset.ready") == "yes")

    def wait(self, condition, seconds=20):
        WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: condition())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def text(self, selector):
        return self.one(selector).text

    def press(self, keys):
        """Keys, without a pointer: they go to what has the focus."""
        ActionChains(self.driver).send_keys(keys).perform()

    def status(self, part):
        self.wait(lambda: part in self.text("#status"))

    def judge(self, key, status):
        self.run("by('status').textContent = ''")
        self.press(key)
        self.status(status)

    def fill(self, name, value):
        self.run(
            "const field = filters.elements[arguments[0]]; field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', { bubbles: true }))",
            name,
            value,
        )

    def listed(self):
        return self.run("return listed")

    def pair(self):
        return self.run("return shown.pair")

    def video(self, side, what):
        return self.run("return videos[arguments[0]][arguments[1]]", side, what)

    def at(self):
        """The times that both videos show."""
        self.wait(lambda: not self.video("a", "seeking") and not self.video("b", "seeking"))
        return [self.video(side, "currentTime") for side in "ab"]

    def open(self, *clips):
        place = next(i for i, pair in enumerate(self.run("return report.pairs")) if names(pair) == set(clips))
        self.run("open_pair(arguments[0])", place)
        self.wait(lambda: all(self.video(side, "videoWidth") > 0 for side in "ab"), 60)
        return place

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def page(server, chromium):
    page = Page(chromium, server.address)
    page.run("sessionStorage.clear(); history_of_verdicts.length = 0; write_history()")
    return page


@pytest.fixture
def phone(chromium):
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    yield
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_both_clips_are_in_step(page):
    place = page.open("part's.avi", "street.mp4")
    report = page.run("return report")
    segment = report["pairs"][place]["segments"][0]
    assert {clip["facts"]["frame_rate"] for clip in report["clips"]} == {"10/1"}

    def frames():
        return [int(10 * at) for at in page.at()]

    def is_on_the_line():
        a, b = page.at()
        # After the end of B its last frame is shown.
        expected = segment["in_b"] + segment["speed"] * (a - segment["in_a"])
        return (
            abs(b - min(expected, report["clips"][report["pairs"][place]["index_b"]]["facts"]["seconds"] - 0.05))
            < 0.002
        )

    first = round(10 * segment["in_a"])
    page.wait(lambda: frames()[0] == first and is_on_the_line())
    page.press("...")
    page.wait(lambda: frames()[0] == first + 3)
    page.wait(is_on_the_line)
    page.press("," + Keys.ARROW_LEFT)
    page.wait(lambda: frames()[0] == first + 1)
    page.press(Keys.ARROW_RIGHT + "]")
    page.wait(lambda: frames()[0] == round(10 * segment["out_a"]) - 1)
    page.wait(is_on_the_line)
    page.press("[1")
    page.wait(lambda: frames()[0] == first)
    page.press(" ")
    page.wait(lambda: page.video("a", "currentTime") > segment["in_a"] + 0.7)
    assert page.text("#play").startswith("Pause") and not page.video("b", "paused")
    page.press(" ")
    page.wait(lambda: page.text("#play").startswith("Play") and is_on_the_line())
    assert "frame " in page.text("figure.a .at") and page.complaints() == []


def test_what_a_browser_does_not_play_gets_a_preview(page):
    page.open("small.avi", "street.mp4")
    addresses = {page.video(side, "src").partition("//")[2].split("/")[2] for side in "ab"}
    assert addresses == {"clip", "preview"}
    assert page.video("a", "duration") == pytest.approx(page.video("b", "duration"), abs=0.02)


def test_the_features_that_agree_are_drawn(page):
    page.open("small.avi", "street.mp4")
    page.press("..f")
    page.wait(lambda: page.run("return document.querySelectorAll('#agreeing line').length") > 100)
    assert " at 0:00:00.200 of A and 0:00:00.200 of B" in page.text("#agreeing figcaption")
    page.press(".")
    page.wait(lambda: page.run("return document.querySelectorAll('#agreeing line').length") == 0)


def test_it_works_by_the_keyboard_alone(page, archive):
    assert page.pair() == 0
    page.judge("s", "Pair 1: same. Stored.")
    assert page.pair() == 1 and verdicts_of(archive) == ["same"]
    page.judge("d", "Pair 2: different. Stored.")
    page.judge("i", "Pair 3: ignore. Stored.")
    assert sorted(verdicts_of(archive)) == ["different", "ignore", "same"]
    assert page.text("#summary").startswith("3 pairs · 3 judged, 0 open")
    page.press("pp")
    page.wait(lambda: page.pair() == 0)
    page.judge("d", "Pair 1: different.")
    for pair, word in ((1, "same"), (3, "no verdict"), (2, "no verdict"), (1, "no verdict")):
        page.judge("u", f"Pair {pair}: {word} again.")
        assert page.pair() == pair - 1
    assert verdicts_of(archive) == [] and not page.one("#undo").is_enabled()
    page.press("nn?")
    assert page.pair() == 2 and page.run("return by('keys').open")
    # All that can be used gets the focus by the tabulator, shows it, and has a name.
    page.press("?" + Keys.HOME)
    page.run("document.activeElement.blur()")
    reached = []
    for _ in range(60):
        page.press(Keys.TAB)
        focused = page.run("return document.activeElement")
        if focused.tag_name == "body":
            break
        outline = page.run("const s = getComputedStyle(arguments[0]); return [s.outlineStyle, s.outlineWidth]", focused)
        assert outline[0] != "none" and outline[1] != "0px" and focused.accessible_name, focused.get_attribute(
            "outerHTML"
        )
        reached.append(focused.get_attribute("data-act") or focused.get_attribute("name") or focused.accessible_name)
    assert {"say_same", "next_pair", "play_or_pause", "name", "score", "verdict"} <= set(reached)
    row = next(one for one in reached if one.startswith("Pair 1: "))
    assert row.endswith("no verdict")
    # Letters that are typed are no keys.
    page.one("[name=name]").send_keys("sdu")
    assert verdicts_of(archive) == [] and page.listed() == []
    page.wait(lambda: page.one("#no-pair").is_displayed())
    assert page.complaints() == []


def test_undo_outlives_a_reload(page, archive):
    page.judge("s", "Stored")
    page = Page(page.driver, page.run("return location.href"))
    page.judge("u", "Pair 1: no verdict again.")
    assert verdicts_of(archive) == []


def test_pairs_are_filtered(page, archive):
    scores = [pair["score"] for pair in page.run("return report.pairs")]
    page.fill("score", str(int(scores[1])))
    assert page.listed() == [i for i, score in enumerate(scores) if score >= int(scores[1])]
    page.fill("score", "0")
    page.fill("name", "FILMS/part")
    assert page.listed() == [i for i, pair in enumerate(page.run("return report.pairs")) if "part's.avi" in names(pair)]
    assert page.pair() == page.listed()[0]
    page.fill("name", "")
    page.fill("verdict", "none")
    page.run("open_pair(0); document.activeElement.blur()")
    page.judge("s", "Pair 1: same.")
    assert (page.listed(), page.pair()) == ([1, 2], 1)
    page.fill("verdict", "same")
    assert (page.listed(), page.pair()) == ([0], 0)
    page.fill("verdict", "")
    page.one("#groups article button").click()
    assert len(page.listed()) == 1 and page.one("#all-groups").is_displayed()
    page.one("#all-groups").click()
    assert len(page.listed()) == 3


def test_two_windows_lose_nothing(page, server, archive):
    driver, first = page.driver, page.driver.current_window_handle
    driver.switch_to.new_window("window")
    second = driver.current_window_handle
    try:
        other = Page(driver, server.address)
        driver.switch_to.window(first)
        page.judge("s", "Pair 1: same.")
        driver.switch_to.window(second)
        other.status("Changed by another window or command: pair 1.")
        assert other.text("[data-pair='0'] .badge") == "same"
        assert other.run("return document.querySelector('.judging .same').ariaPressed") == "true"
        # The second window does not know yet what the first one says: it is told, and nothing is overwritten.
        other.run("window.look = look_for_verdicts; look_for_verdicts = async () => {}; open_pair(1)")
        driver.switch_to.window(first)
        page.judge("i", "Pair 2: ignore.")
        driver.switch_to.window(second)
        other.judge("d", "Not stored: another window or command has judged this pair meanwhile")
        assert sorted(verdicts_of(archive)) == ["ignore", "same"]
        other.run("look_for_verdicts = window.look")
        other.status("pair 2")
        other.judge("d", "Pair 2: different.")
        driver.switch_to.window(first)
        page.status("pair 2")
        page.judge("u", "Not stored")  # it is no longer what this window said
        page.judge("u", "Pair 1: no verdict again.")
        assert verdicts_of(archive) == ["different"]
    finally:
        driver.switch_to.window(second)
        driver.close()
        driver.switch_to.window(first)


@pytest.mark.usefixtures("server")
def test_a_killed_server_is_told(archive, chromium):
    own = Server(archive)
    page = Page(chromium, own.address)
    assert not page.one("#lost").is_displayed()
    page.judge("s", "Pair 1: same.")
    assert own.end(signal.SIGKILL)[0] == -signal.SIGKILL
    page.judge("d", "Not stored: the server does not answer.")
    assert page.one("#lost").is_displayed() and page.pair() == 1
    assert page.text("#summary").startswith("3 pairs · 1 judged")
    page.run("by('lost').hidden = true")
    page.wait(lambda: page.one("#lost").is_displayed())  # it is seen without a key too
    assert verdicts_of(archive) == ["same"]


def drop(page, name, content):
    page.run(
        "const file = new File([new Uint8Array(arguments[1])], arguments[0]); const transfer = new DataTransfer();"
        "transfer.items.add(file); const event = { dataTransfer: transfer, bubbles: true, cancelable: true };"
        "document.body.dispatchEvent(new DragEvent('dragover', event)); window.over = !by('drop').hidden;"
        "document.body.dispatchEvent(new DragEvent('drop', event))",
        name,
        list(content),
    )
    assert page.run("return window.over && by('drop').hidden")


def test_a_dropped_file_is_searched(page, archive):
    drop(page, "query.avi", (archive.folder / "query.avi").read_bytes())
    page.wait(lambda: " is in 3 clips." in page.text("#searching"), 60)
    assert page.text("h1").startswith("Where query.avi is found") and len(page.listed()) == 3
    page.open("query.avi", "street.mp4")
    assert not page.one(".judging .same").is_enabled()
    page.press("s")
    page.one("#back").click()
    page.wait(lambda: page.text("h1").startswith("Which of these are the same?"))
    assert verdicts_of(archive) == []
    still = cv2.imencode(".png", np.random.default_rng(1).integers(0, 255, (200, 300), np.uint8))[1].tobytes()
    drop(page, "still.png", still)
    page.wait(lambda: page.text("#searching") == "still.png is not in the archive.", 60)
    make(archive.folder / "query.avi", archive.folder / "short.avi", 0, 0.5, "null")
    drop(page, "short.avi", (archive.folder / "short.avi").read_bytes())
    page.wait(lambda: "a clip that is shorter than 2 s is not found" in page.text("#searching"), 60)
    drop(page, "notes.txt", b"no video")
    page.wait(lambda: "notes.txt cannot be searched: " in page.text("#searching"), 60)
    page.run("data.max_upload = 3")
    drop(page, "large.avi", b"1234")
    assert "large.avi has 0.0 MB, but the server takes 0.0 MB" in page.text("#searching")


def test_it_fits_a_phone(phone, server, chromium):
    page = Page(chromium, server.address)
    page.open("small.avi", "street.mp4")
    page.press("f")
    page.wait(lambda: page.run("return document.querySelectorAll('#agreeing line').length") > 100)
    assert page.run("return document.documentElement.scrollWidth") == 390
    for button in page.driver.find_elements("css selector", ".judging button"):
        assert button.size["height"] >= 40
        box = button.rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    # The verdict is at hand wherever the page is scrolled within the pair.
    page.run("window.scrollTo(0, 150)")
    assert page.run("return document.querySelector('.judging').getBoundingClientRect().bottom") <= 844


def test_it_is_dark_where_the_screen_is(page):
    def ground():
        return page.run("return getComputedStyle(document.body).backgroundColor")

    light = ground()
    for scheme, expected in (("dark", False), ("light", True)):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        assert (ground() == light) == expected
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(scope="module")
def many(texture, tmp_path_factory):
    """An archive with 210 films, each in two sizes. Some have too few features to be found."""
    octavo = Octavo(tmp_path_factory.mktemp("many"))
    (octavo.folder / "films").mkdir()
    for i in range(210):
        image = cv2.cvtColor(texture(320, 240, seed=i + 1), cv2.COLOR_GRAY2BGR)
        frames = [image[10:202, 4 * k : 256 + 4 * k] for k in range(14)]
        for name, size in (("large", (256, 192)), ("small", (192, 144))):
            file = octavo.folder / "films" / f"{name}-{i:03}.avi"
            writer = cv2.VideoWriter(str(file), cv2.VideoWriter_fourcc(*"MJPG"), 4, size)
            for frame in frames:
                writer.write(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
            writer.release()
    octavo("video", "index", "films", "--index", "archive", "--device", "cpu")
    return octavo


@pytest.mark.slow
def test_200_groups_are_quick(many, chromium):
    server = Server(many, "--same-coverage", "0.5")
    try:
        begin = time.monotonic()
        page = Page(chromium, server.address)
        assert time.monotonic() - begin < 5
        assert page.run("return report.groups.length") >= 200 and len(page.listed()) >= 200
        assert page.run("return document.querySelectorAll('.row').length") == 60
        assert page.run("return document.querySelectorAll('.group-card').length") == 30
        for script in ("list_anew()", "open_pair(150)", "open_pair(199)", "show_groups_now()"):
            milliseconds = page.run(f"const begin = performance.now(); {script}; return performance.now() - begin")
            assert milliseconds < 300, script
        assert page.run("return row_of(199).getAttribute('aria-current')") == "true"
        page.run("open_pair(0)")
        begin = time.monotonic()
        for i in range(20):
            page.judge("s", f"Pair {i + 1}: same.")
        assert time.monotonic() - begin < 20
        assert verdicts_of(many) == ["same"] * 20
        assert page.complaints() == []
    finally:
        server.end(signal.SIGKILL)
