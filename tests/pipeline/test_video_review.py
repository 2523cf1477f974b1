"""octavo video review: the server."""

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
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from review_server import Server, names, verdicts_of
from schemas import faults

pytestmark = pytest.mark.usefixtures("ffmpeg")


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


def test_what_it_prints_and_lists_is_what_the_schema_says(server):
    assert faults("video-review.json", server.printed) == []
    table = server.request("kept.csv?of=all")[2].decode()
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert {row["action"] for row in rows} == {"keep", "drop"}
    assert [fault for row in rows for fault in faults("video-review.json#/$defs/kept", row)] == []


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


def test_a_client_that_sends_slowly_sees_why_it_is_refused(archive):
    server = Server(archive, "--max-upload", "1")
    address = urlsplit(server.address)

    def answer_to(path, origin, size, sent):
        with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
            head = f"POST {address.path}{path} HTTP/1.1\r\nHost: {address.netloc}\r\nOrigin: {origin}\r\n"
            connection.sendall(f"{head}Content-Length: {size}\r\n\r\n".encode())
            for _ in range(0, sent, 100_000):
                time.sleep(0.02)
                connection.sendall(b"x" * min(sent, 100_000))
            head, _, text = b"".join(iter(lambda: connection.recv(1 << 16), b"")).partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(text)["problem"]

    here, file_is_larger = f"http://{address.netloc}", "the file is larger than 1.0 MB"
    assert answer_to("search?name=a", here, 1_100_000, 1_100_000) == (413, file_is_larger)
    assert answer_to("search?name=a", here, 10**14, 0) == (413, file_is_larger)
    assert answer_to("verdict/0/0", here, 100_000, 100_000) == (413, "the body is larger than 65536 bytes")
    assert answer_to("verdict/0/0", "null", 100, 100) == (403, "this address is not for you")
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
    assert server.end(number) == (0, "", "")
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
