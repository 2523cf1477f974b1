"""An archive of clips, and octavo video review while it serves them."""

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

import pytest


def make(source, target, begin, seconds, image, *codec):
    command = ["ffmpeg", "-v", "error", "-ss", str(begin), "-t", str(seconds), "-i", source, "-an", "-vf", image]
    subprocess.run([*command, *(codec or ("-c:v", "mpeg4", "-q:v", "4")), target], check=True, timeout=60)


@pytest.fixture(scope="module")
def archive(photograph, tmp_path_factory):
    """An archive with a film in two sizes, a grey and mirrored part of it, and the same bytes twice; and two clips that
    are not in it."""
    from conftest import Octavo  # which takes the fixtures of this file

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
        (octavo.folder / "temporary").mkdir(exist_ok=True)  # a server that is killed leaves its folder there
        environment = {"TMPDIR": str(octavo.folder / "temporary"), **os.environ}
        self.process = subprocess.Popen(
            command, cwd=octavo.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        self.printed = json.loads(line) if line else {}
        self.address = self.printed.get("address")

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
