"""octavo video review: its page in a browser."""

import signal

import cv2
import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from conftest import Octavo
from review_server import Server, make, names, verdicts_of

pytestmark = pytest.mark.usefixtures("ffmpeg")


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    page.run("return look_for_verdicts()")  # the groups change with the verdicts
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


def test_what_has_the_focus_keeps_it(page, server):
    """What is drawn anew leaves the focus where it was."""

    def focus(selector):
        page.run("document.querySelector(arguments[0]).focus()", selector)

    def has_focus(selector):
        return page.run("return document.activeElement.matches(arguments[0])", selector)

    def another_window_judges(pair, before, after):
        assert server.judge(pair, before, after) == (200, None)
        page.wait(lambda: page.run(f"return row_of({pair}).querySelector('.badge')?.textContent") == after)

    focus("#list [data-pair='2']")
    another_window_judges(1, None, "different")
    assert has_focus("[data-pair='2']") and page.pair() == 0
    page.judge("s", "Pair 1: same.")
    assert page.pair() == 1 and has_focus("[data-pair='1'][aria-current]")
    focus("#groups .cards button")
    another_window_judges(1, "different", "ignore")
    assert has_focus("#groups .cards button")
    focus("#segments button")
    page.press(Keys.ENTER)
    assert has_focus("#segments button[aria-pressed=true]")
    focus("#facts summary")
    another_window_judges(1, "ignore", "same")
    assert has_focus("#facts summary")
    # A list of two portions, by the keyboard.
    page.run(
        "by('agreeing').replaceChildren(element('div'));"
        "const make = (i) => element('a', { href: '#', textContent: i }), place = by('agreeing').firstChild;"
        "new Listing(place, 2, make).show([1, 2, 3, 4, 5])"
    )
    focus("#agreeing .more")
    page.press(Keys.ENTER)
    assert has_focus("#agreeing .more") and page.text("#agreeing").split("\n")[0].startswith("1234")


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


@pytest.mark.slow
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


@pytest.mark.slow
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
def test_of_200_groups_a_part_is_drawn_at_a_time(many, chromium):
    server = Server(many, "--same-coverage", "0.5")
    try:
        page = Page(chromium, server.address)
        assert page.run("return report.groups.length") >= 200 and len(page.listed()) >= 200
        assert page.run("return document.querySelectorAll('.row').length") == 60
        assert page.run("return document.querySelectorAll('.group-card').length") == 30
        for script in ("list_anew()", "open_pair(150)", "open_pair(199)", "show_groups_now()"):
            page.run(script)
        assert page.run("return row_of(199).getAttribute('aria-current')") == "true"
        page.run("open_pair(0)")
        for i in range(20):
            page.judge("s", f"Pair {i + 1}: same.")
        assert verdicts_of(many) == ["same"] * 20
        assert page.complaints() == []
    finally:
        server.end(signal.SIGKILL)
