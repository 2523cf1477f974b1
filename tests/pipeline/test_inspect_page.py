"""The page of octavo inspect, used as a reader uses it: in Chromium, from a file, without a network."""

import json
import re
import shutil

import cv2
import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from conftest import Octavo


class Page:
    """An inspected image, and its page in the browser."""

    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder
        self.inspection = json.loads((folder / "inspect.json").read_text())
        driver.get((folder / "index.html").as_uri())
        self.wait(lambda: driver.execute_script("return document.body.dataset.ready") == "yes")

    def wait(self, condition):
        WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: condition())

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def dataset(self, selector):
        return self.driver.execute_script("return {...document.querySelector(arguments[0]).dataset}", selector)

    def look_at(self, title):
        self.one(f'figure[data-title="{title}"]').click()
        self.wait(lambda: self.dataset("#canvas")["image"] == title)

    def hover(self, x, y):
        """Moves the pointer to a place of the canvas [pixel from its upper left]. Returns the status."""
        canvas = self.one("#canvas")
        # The first move goes beside the place, so that the second one always moves the pointer.
        for dx in (1, 0):
            ActionChains(self.driver, duration=0).move_to_element_with_offset(
                canvas, x + dx - canvas.size["width"] // 2, y - canvas.size["height"] // 2
            ).perform()
        return self.dataset("#status")

    def candidates(self):
        """The number of candidates drawn, after the page has drawn the result of the last click."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        return int(self.dataset("#canvas")["candidates"])

    def show_every_candidate(self):
        for box in ("#show-candidates", "#show-all"):
            if not self.one(box).is_selected():
                self.one(box).click()

    def keypoints(self):
        """The number of keypoints drawn, after the page has drawn the result of the last click."""
        self.candidates()
        return int(self.dataset("#canvas")["keypoints"])

    def floats(self, name):
        return cv2.imread(str(self.folder / f"{name}.tif"), cv2.IMREAD_UNCHANGED)


@pytest.fixture(scope="module")
def look(tmp_path_factory, texture):
    """An image with edges, large enough for its first octave to be reduced, inspected."""
    octavo = Octavo(tmp_path_factory.mktemp("inspected"))
    image = cv2.line(texture(400, 320), (30, 300), (350, 20), 255, 5)
    Image.fromarray(image).save(octavo.folder / "a.png")
    octavo("inspect", "a.png", "-o", "look", "--float", "--packed")
    octavo("extract", "a.png", "-o", ".", "--format", "npz")
    return octavo.folder / "look"


@pytest.fixture
def page(chromium, look):
    yield Page(chromium, look)
    assert chromium.get_log("browser") == []  # no error, and no missing file
    resources = chromium.execute_script("return performance.getEntriesByType('resource').map((r) => r.name)")
    assert all(name.startswith("data:") for name in resources)


def place_of(page, column, row, factor, width, height):
    """The place of an image's pixel on the canvas, into which the whole image is fitted."""
    canvas = page.one("#canvas").size
    columns, rows = -(-width // factor), -(-height // factor)
    zoom = min(canvas["width"] / columns, canvas["height"] / rows)
    return (
        canvas["width"] / 2 + (column + 0.5 - columns / 2) * zoom,
        canvas["height"] / 2 + (row + 0.5 - rows / 2) * zoom,
    )


@pytest.mark.parametrize(
    "octave, stage, level",
    [(-1, "blur", 0), (-1, "difference", 2), (0, "difference", 1), (1, "blur", 5), (1, "difference", 3)],
)
def test_hovering_tells_the_value(page, octave, stage, level):
    title = f"octave {str(octave).replace('-', chr(0x2212))} · {stage} {level}"
    page.look_at(title)
    page.one("#fit").click()
    floats = page.floats(f"octave{octave}_{stage}{level}")
    height, width = floats.shape
    plane = next(
        p for p in page.inspection["planes"] if (p["octave"], p["stage"], p.get("level")) == (octave, stage, level)
    )
    factor = plane["factor"]
    assert factor == (2 if octave == -1 else 1)
    step = plane["white"] / 127 if plane["signed"] else (plane["white"] - plane["black"]) / 255
    exact = 0
    for column, row in ((3, 5), (50, 70), (77, 40), (61, 33), (90, 12)):
        output = page.hover(*place_of(page, column, row, factor, width, height))
        assert (
            abs(int(output["column"]) - column) <= 1 and abs(int(output["row"]) - row) <= 1
        )  # the pointer's coordinates are whole numbers
        column, row = int(output["column"]), int(output["row"])
        square = floats[row * factor : (row + 1) * factor, column * factor : (column + 1) * factor].ravel()
        expected = square[np.abs(square).argmax()] if plane["signed"] else square.mean()
        assert float(output["accuracy"]) == pytest.approx(step / 2)
        if output["clipped"] == "true":
            assert abs(expected) > plane["white"] * 0.99
            continue
        assert abs(float(output["value"]) - expected) <= float(output["accuracy"]) * 1.01
        exact += 1
        text = page.one("#status").text.replace("\u2212", "-")
        assert re.search(r"value (-?[\d.]+) ±", text)
        assert float(re.search(r"value (-?[\d.]+) ±", text)[1]) == pytest.approx(float(output["value"]), abs=step / 5)
        centre = [(at * factor + (factor - 1) / 2) * 2**octave for at in (column, row)]
        assert f"image {centre[0]:.2f}, {centre[1]:.2f}" in text
    assert exact >= 3


def test_hovering_over_the_contact_sheet(page):
    thumbnail = page.one('figure[data-title="octave 0 · blur 2"] img')
    ActionChains(page.driver, duration=0).move_to_element(thumbnail).perform()
    output = page.dataset("#status")
    column, row = int(output["column"]), int(output["row"])
    assert abs(column - 200) < 10 and abs(row - 160) < 10
    assert abs(float(output["value"]) - page.floats("octave0_blur2")[row, column]) <= float(output["accuracy"]) * 1.01


def test_clicking_zooms(page):
    page.look_at("octave 0 · difference 2")
    page.one("#fit").click()
    page.candidates()
    whole = float(page.dataset("#canvas")["zoom"])
    page.one("#closer").click()
    page.candidates()
    assert float(page.dataset("#canvas")["zoom"]) == pytest.approx(1.5 * whole)
    before = page.hover(150, 100)
    canvas = page.one("#canvas")
    page.driver.execute_script(
        "arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: -600, clientX: arguments[1], clientY: arguments[2], "
        "bubbles: true, cancelable: true}))",
        canvas,
        canvas.rect["x"] + 150,
        canvas.rect["y"] + 100,
    )
    page.candidates()
    assert float(page.dataset("#canvas")["zoom"]) > 4 * whole
    after = page.hover(150, 100)  # the place under the pointer stays
    assert abs(int(after["column"]) - int(before["column"])) <= 1 and abs(int(after["row"]) - int(before["row"])) <= 1
    # Another image shows the same place, half as large, and dragging moves it.
    page.look_at("octave 1 · difference 2")
    coarse = page.hover(150, 100)
    assert abs(int(coarse["column"]) - int(after["column"]) / 2) <= 1.5
    ActionChains(page.driver, duration=0).move_to_element(canvas).click_and_hold().move_by_offset(
        60, 0
    ).release().perform()
    assert int(page.hover(150, 100)["column"]) < int(coarse["column"])


def test_filters(page):
    counts = {o["octave"]: o["verdict_counts"] for o in page.inspection["octaves"]}
    page.show_every_candidate()
    assert page.candidates() == len(page.inspection["candidates"])
    page.look_at("octave 0 · difference 2")
    assert page.candidates() == sum(counts[0].values())
    Select(page.one("#octaves")).select_by_visible_text("this octave and layer")
    assert page.candidates() == sum((c["octave"], c["layer"]) == (0, 2) for c in page.inspection["candidates"])
    Select(page.one("#octaves")).select_by_visible_text("octave 1")
    assert page.candidates() == sum(counts[1].values())
    present = {v for o in counts.values() for v, n in o.items() if n > 0}
    boxes = {box.get_attribute("data-verdict"): box for box in page.all("[data-verdict]")}
    assert set(boxes) == present >= {"kept", "edge"}
    for verdict in present - {"edge"}:
        boxes[verdict].click()
    assert page.candidates() == counts[1]["edge"]
    Select(page.one("#octaves")).select_by_visible_text("all octaves")
    assert page.candidates() == sum(o["edge"] for o in counts.values()) > 0
    page.one("#show-candidates").click()
    assert page.candidates() == 0


def test_candidates_tell_why(page):
    page.show_every_candidate()
    canvas = page.one("#canvas").size
    zoom = min(canvas["width"] / 400, canvas["height"] / 320)
    for verdict in ("edge", "kept"):
        for box in page.all("[data-verdict]"):
            if box.is_selected() != (box.get_attribute("data-verdict") == verdict):
                box.click()
        found = [c for c in page.inspection["candidates"] if c["verdict"] == verdict]
        wanted = found[len(found) // 2]
        page.hover(
            canvas["width"] / 2 + (wanted["x"] - 199.5) * zoom, canvas["height"] / 2 + (wanted["y"] - 159.5) * zoom
        )
        text = page.one("#tooltip").text
        assert text.startswith(verdict)
        x, y = map(float, re.search(r"at ([\d.]+), ([\d.]+)", text).groups())
        assert np.hypot(x - wanted["x"], y - wanted["y"]) * zoom < 3
        contrast, limit = map(float, re.search(r"contrast ([\d.]+), to be kept at least ([\d.]+)", text).groups())
        assert limit == 0.005 <= contrast
        ratio = re.search(r"curvature ratio (\S+), to be kept at most 30", text)[1]
        assert (ratio == "infinite" or float(ratio) >= 30) if verdict == "edge" else float(ratio) <= 30


def test_the_photograph_is_of_all_octaves(page):
    octaves = Select(page.one("#octaves"))
    assert octaves.first_selected_option.text == "all octaves"
    page.look_at("octave 1 · blur 2")
    assert octaves.first_selected_option.text == "this octave"
    held = [k for k in page.inspection["keypoints"] if k["octave"] == 1]
    assert page.one("#keypoints-shown").text.startswith(f"Shown {len(held)}.")
    assert len(page.all("#keypoint-table tbody tr")) == len(held)
    page.look_at("a.png")
    assert octaves.first_selected_option.text == "all octaves"
    octaves.select_by_visible_text("octave 0")
    page.look_at("octave 1 · blur 2")
    assert octaves.first_selected_option.text == "octave 0"


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """More candidates and keypoints than a page holds."""
    octavo = Octavo(tmp_path_factory.mktemp("crowded"))
    random, size = np.random.default_rng(4), (1200, 900)
    noise = sum(
        cv2.resize(random.normal(size=(900 // k, 1200 // k)), size, interpolation=cv2.INTER_CUBIC) for k in (2, 3, 4, 6)
    )
    Image.fromarray(np.clip(128 + 25 * noise, 0, 255).astype(np.uint8)).save(octavo.folder / "noise.png")
    octavo("inspect", "noise.png", "-o", "look", "--contrast-threshold", 0.001, "--full", "--max-octaves", 3)
    return octavo.folder / "look"


def of_all(text):
    """The text "12,345 / 67,890" as (12345, 67890). A single count stands for both numbers."""
    counts = [int(count.replace(",", "")) for count in text.split(" / ")]
    return counts[0], counts[-1]


def test_kernels(page):
    page.one('[data-tab="kernels"]').click()
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in page.all("#kernels tbody tr")]
    kernels = page.inspection["kernels"]
    assert len(rows) == len(kernels) == 7
    for row, kernel in zip(rows, kernels):
        assert row[:3] == [str(kernel["level"]), f"{kernel['sigma']:.4f}", str(2 * len(kernel["weights"]) - 1)]
        assert [float(weight) for weight in row[3].split()] == pytest.approx(kernel["weights"], abs=6e-5)


@pytest.mark.slow
def test_counts_tell_what_the_page_does_not_hold(chromium, crowded):
    page = Page(chromium, crowded)

    def count(box):
        return of_all(
            page.driver.execute_script("return arguments[0].parentElement.querySelector('.count').textContent", box)
        )

    candidates, keypoints = page.inspection["candidates"], page.inspection["keypoints"]
    page.show_every_candidate()
    assert page.one("#held").is_displayed()
    shown, everything = count(page.one("#show-candidates"))
    assert shown == page.candidates() < everything == len(candidates)
    assert count(page.one("#show-keypoints")) == (5000, len(keypoints))
    assert page.one("#keypoints-shown").text.startswith(
        f"Shown 300 / {len(keypoints):,}: the first 300 of 5,000 rows; the page holds the strongest, inspect.json all."
    )
    page.look_at("octave 0 · difference 2")
    for wanted, is_in in (
        ("this octave", lambda c: c["octave"] == 0),
        ("this octave and layer", lambda c: (c["octave"], c["layer"]) == (0, 2)),
    ):
        Select(page.one("#octaves")).select_by_visible_text(wanted)
        boxes = {box.get_attribute("data-verdict"): count(box) for box in page.all("[data-verdict]")}
        for verdict, (shown, everything) in boxes.items():
            assert everything == sum(c["verdict"] == verdict and is_in(c) for c in candidates)
            assert shown <= everything
        assert sum(shown for shown, _ in boxes.values()) == page.candidates() < sum(map(is_in, candidates))
        shown, everything = count(page.one("#show-keypoints"))
        assert shown < everything == sum(map(is_in, keypoints))
        assert page.one("#keypoints-shown").text.startswith(f"Shown {min(300, shown)} / {everything:,}")


@pytest.mark.slow
def test_full_size_beside_the_page(chromium, crowded, tmp_path):
    """A zoomed page draws the files of --full, also with gain. Without these files it shows its thumbnails."""

    def pixels(page, gain):
        page.look_at("octave −1 · difference 1")
        page.one("#show-keypoints").click()
        page.one(f'[data-gain="{gain}"]').click()
        page.driver.execute_script(
            "view.keypoint = -1; view.is_whole = false; view.zoom = 12; view.x = 600.2; view.y = 400.2; draw()"
        )
        if (page.folder / "octave-1_difference1.png").exists():
            page.wait(lambda: page.one("#detail").text == "full size")
        page.candidates()
        canvas = page.one("#canvas")
        shot = cv2.imdecode(np.frombuffer(canvas.screenshot_as_png, np.uint8), cv2.IMREAD_GRAYSCALE)
        height, width = shot.shape
        # Each pixel of the octave has 6 × 6 pixels of the screen. The middle of each is compared.
        columns, rows = np.arange(1180, 1220), np.arange(790, 810)
        x, y = (
            (at * 0.5 - middle) * 12 + size / 2 for at, middle, size in ((columns, 600.2, width), (rows, 400.2, height))
        )
        return shot[np.ix_(np.floor(y).astype(int), np.floor(x).astype(int))].astype(int), np.ix_(rows, columns)

    page = Page(chromium, crowded)
    assert page.one("#detail").text == ""
    page.look_at("octave −1 · difference 1")
    page.wait(lambda: page.one("#detail").text == "reduced 5×")
    file = cv2.imread(str(crowded / "octave-1_difference1.png"), cv2.IMREAD_GRAYSCALE).astype(int)
    for gain in (1, 4):
        page = Page(chromium, crowded)
        shown, where = pixels(page, gain)
        expected = np.clip(128 + gain * (file[where] - 128), 0, 255)
        assert np.ptp(expected) > 60
        assert np.abs(shown - expected).max() <= (1 if gain == 1 else 3)
    assert chromium.get_log("browser") == []

    for name in ("index.html", "inspect.json"):
        shutil.copy(crowded / name, tmp_path)
    page = Page(chromium, tmp_path)
    shown, where = pixels(page, 1)
    assert page.one("#detail").text == "reduced 5×"
    assert np.ptp(shown) > 60
    assert all("ERR_FILE_NOT_FOUND" in entry["message"] for entry in chromium.get_log("browser"))


@pytest.mark.parametrize("width", (700, 960, 1300))
def test_nothing_is_cut_in_a_narrow_window(chromium, crowded, width):
    chromium.set_window_size(width, 1000)
    try:
        page = Page(chromium, crowded)
        cut = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        assert page.driver.execute_script(cut, "figcaption") == 0
        assert "σ 2.00" in page.one('figure[data-title="octave 0 · blur 0"] figcaption').text.replace("\u00a0", " ")
        page.one('[data-tab="counts"]').click()
        last = [cell for cell in page.all("#counts thead th") if cell.is_displayed()][-1]
        assert last.text == "kept"
        page.driver.execute_script("arguments[0].scrollIntoView({inline: 'end'})", last)
        assert last.rect["x"] + last.rect["width"] <= width
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
        if width == 1300:
            assert page.driver.execute_script(cut, "#counts") == 0
    finally:
        chromium.set_window_size(1500, 1000)


def numbers(page):
    """The 128 numbers that the page shows, once they are loaded."""
    return page.driver.execute_script(
        "return [...document.querySelectorAll('#numbers span')].map((s) => Number(s.textContent))"
    )


def test_keypoints_and_descriptors(page):
    archive = np.load(page.folder.parent / "a.png.npz")
    assert page.one("#descriptor").get_attribute("hidden")
    page.one('[data-tab="descriptor"]').click()
    page.wait(lambda: len(numbers(page)) == 128)
    assert numbers(page) == page.inspection["point"]["descriptor"]

    page.one('[data-tab="keypoints"]').click()
    rows = page.all("#keypoint-table tbody tr")
    assert len(rows) == min(300, len(archive["keypoints"]))
    responses = [float(row.find_element(By.CSS_SELECTOR, "td:last-child").text) for row in rows[:20]]
    assert responses == sorted(responses, reverse=True)
    cells = [cell.text for cell in rows[4].find_elements(By.TAG_NAME, "td")]
    rows[4].click()
    page.one('[data-tab="descriptor"]').click()
    page.wait(lambda: len(numbers(page)) == 128 and numbers(page) != page.inspection["point"]["descriptor"])
    near = np.abs(archive["keypoints"][:, [0, 1]] - [float(cells[2]), float(cells[3])]).max(axis=1) < 0.006
    assert numbers(page) in archive["descriptors"][near].tolist()
    page.driver.execute_script("return Promise.all([show_descriptor(5), show_descriptor(6)]).then(() => null)")
    assert len(numbers(page)) == 128  # those of the second alone

    page.one('[data-tab="keypoints"]').click()
    Select(page.one("#octaves")).select_by_visible_text("octave 1")
    shown = {row.text.split()[0] for row in page.all("#keypoint-table tbody tr")}
    assert shown == {"1"}
    page.one("#keypoint-table th").click()
    assert "octave" in page.one("#keypoint-table th.sorted").text


def test_packed_pyramid(page):
    page.look_at("packed differences")
    canvas = page.one("#canvas").size
    output = page.hover(canvas["width"] / 2 + 3, canvas["height"] / 2 + 3)  # the upper left of the second octave
    assert "octave 0 · difference 0" in page.one("#status").text
    factor = int(output["factor"])
    packed = page.floats("packed")
    column, row = int(output["column"]) * factor, int(output["row"]) * factor
    square = packed[row : row + factor, column : column + factor].ravel()
    assert abs(float(output["value"]) - square[np.abs(square).argmax()]) <= float(output["accuracy"]) * 1.01


def test_keys_flip_through_the_stages(page):
    page.look_at("octave 0 · blur 1")
    body = page.one("#canvas")
    for key, title in (
        ("\ue014", "octave 0 · blur 2"),
        ("\ue015", "octave 1 · blur 2"),
        ("\ue012", "octave 1 · blur 1"),
    ):
        body.send_keys(key)
        page.wait(lambda: page.dataset("#canvas")["image"] == title)
    page.one('[data-tab="counts"]').click()
    table = page.one("#counts table").text
    assert "320×" not in table and "800×640" in table and "faint" in table
    page.one('[data-tab="about"]').click()
    assert (
        f"{len(page.inspection['candidates']):,} of {len(page.inspection['candidates']):,} candidates"
        in page.one("#about").text
    )


def test_keys_work_from_the_start(page):
    """Nothing is clicked: the photograph leads to the image that is blurred, to the first blur, and back."""
    keyboard = ActionChains(page.driver, duration=0)
    for key, title in (("\ue014", "octave −1 · image"), ("\ue014", "octave −1 · blur 0"), ("\ue014", "octave −1 · blur 1"), ("d", "octave −1 · difference 1"),
                       ("d", "octave −1 · blur 1"), ("\ue012", "octave −1 · blur 0"), ("\ue012", "octave −1 · image"),
                       ("\ue012", "a.png"), ("\ue015", "octave −1 · image"), ("\ue015", "octave −1 · blur 0"),
                       ("\ue013", "a.png")):  # fmt: skip
        keyboard.send_keys(key).perform()
        page.wait(lambda: page.dataset("#canvas")["image"] == title)


def test_wide_fits_the_image_again(page):
    def whole():
        page.candidates()
        canvas = page.one("#canvas").size
        zoom = min(canvas["width"] / 400, canvas["height"] / 320)
        return float(page.dataset("#canvas")["zoom"]) == pytest.approx(zoom), canvas["height"]

    fits, height = whole()
    assert fits
    page.one("#wide").click()
    fits, taller = whole()
    assert fits and taller > 1.2 * height
    # Enlarged, the view keeps its place and shows the same part.
    page.one("#closer").click()
    page.candidates()
    before = page.driver.execute_script("return [view.x, view.y]")
    page.one("#canvas").send_keys("\ue00c")
    page.wait(lambda: page.one("#canvas").size["height"] < taller)
    assert not whole()[0] and page.driver.execute_script("return [view.x, view.y]") == before
    page.one("#fit").click()
    assert whole() == (True, height)


@pytest.mark.slow
def test_few_dots_at_first(chromium, crowded):
    page = Page(chromium, crowded)
    assert page.one("#show-keypoints").is_selected() and not page.one("#show-candidates").is_selected()
    assert page.candidates() == 0 and not page.one("#verdicts").is_displayed()
    canvas = page.one("#canvas").size
    few = page.keypoints()
    assert 0 < few <= canvas["width"] * canvas["height"] / 1600 + 1 < 5000
    assert re.match(rf"the strongest {few:,} of 5,000 keypoints in view; zoom in for more", page.one("#level").text)
    # The strongest of the page are drawn, and zooming in shows weaker ones.
    drawn = "return detail.keypoints.drawn"
    assert page.driver.execute_script(drawn) == list(range(few))
    for _ in range(8):
        page.one("#closer").click()
    assert 0 < page.keypoints() and page.one("#level").text == ""
    assert max(page.driver.execute_script(drawn)) > few
    page.one("#fit").click()
    page.one("#show-all").click()
    assert page.keypoints() == 5000


@pytest.mark.slow
def test_steps_of_the_trilateral_filter(chromium, tmp_path, texture):
    octavo = Octavo(tmp_path)
    Image.fromarray(texture(400, 320)).save(tmp_path / "a.png")
    octavo("inspect", "a.png", "-o", "look", "--smoothing", "trilateral", "--first-octave", 0, "--float")
    page = Page(chromium, tmp_path / "look")
    steps = ["gradient 0", "region 0", "smoothed gradient 4", "smoothed gradient 5"]
    rows = [[figure.get_attribute("data-title") for figure in strip.find_elements(By.TAG_NAME, "figure")]
            for strip in page.all(".strip")]  # fmt: skip
    assert [f"octave 0 · {step}" for step in steps] in rows
    assert [f"octave 0 · detail {i}" for i in range(1, 6)] in rows
    for step in ("region 0", "smoothed gradient 5", "detail 3"):
        page.look_at(f"octave 0 · {step}")
        page.one("#fit").click()
        output = page.hover(*place_of(page, 77, 40, 1, 400, 320))
        value = page.floats(f"octave0_{step[:-2].replace(' ', '_')}{step[-1]}")[
            int(output["row"]), int(output["column"])
        ]
        assert output["clipped"] == "true" or abs(float(output["value"]) - value) <= float(output["accuracy"]) * 1.01
    # The threshold in the tooltip is the one that the verdict used.
    page.show_every_candidate()
    candidate = next(c for c in page.inspection["candidates"] if c["octave"] == 0 and c["verdict"] == "kept")
    page.hover(*place_of(page, candidate["x"], candidate["y"], 1, 400, 320))
    assert page.inspection["contrast"] != 1
    threshold = page.inspection["options"]["contrast_threshold"] * page.inspection["contrast"]
    shown = float(re.search(r"to be kept at least ([\d.]+)", page.one("#tooltip").text)[1])
    assert shown == pytest.approx(threshold, abs=1e-4)
    assert chromium.get_log("browser") == []


def test_paper_shows_the_first_keypoints(chromium, look):
    """A print of hundreds of rows is of no use to a reader."""
    page = Page(chromium, look)
    shown = "return [...document.querySelectorAll('#keypoint-table tbody tr')].filter((r) => r.getClientRects().length > 0).length"
    assert chromium.execute_script(shown) > 40
    try:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert chromium.execute_script(shown) == 40
        note = "return getComputedStyle(document.querySelector('#keypoints'), '::after').content"
        assert chromium.execute_script(note) == '"Paper shows the first 40 rows."'
        assert not page.one("#status").is_displayed()
    finally:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
