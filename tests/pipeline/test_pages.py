"""Rules that hold for every page: it fits a phone, tables that scroll say so, images have words, it is light or dark as the
screen is and light on paper, and it names no folder above those that it is about."""

import pytest

from every_command import every, inputs, words_of  # noqa: F401

# The page that each call writes.
PAGES = {
    "evaluate": "out.html",
    "evaluate robustness": "out.html",
    "evaluate crops": "out.html",
    "evaluate corners": "out.html",
    "inspect": "out/index.html",
    "sfm": "out/report.html",
    "video report": "out.html",
    "video places": "out.html",
    "bench report": "out.html",
}
BENCH = "bench report photos/0.png --rounds 1 --warmup 0 --devices cpu@1,reference@1 --sizes 100x80 --max-features 20,all -o out.html"

WITHOUT_WORDS = """
const has_words = (one) => one.alt || one.ariaLabel || one.closest("[aria-hidden=true], [role=img][aria-label]");
return [...document.querySelectorAll("img, canvas, svg")]
  .filter((one) => !has_words(one) && !(one.tagName === "IMG" && one.hidden) && !one.closest(".legend"))
  .map((one) => one.outerHTML.slice(0, 200));
"""
SCROLLING = """
return [...document.querySelectorAll("div.wide, .tab")].filter((box) => !box.closest("details:not([open])"))
  .filter((box) => (box.scrollWidth > box.clientWidth + 1) !== box.classList.contains("scrolls"))
  .map((box) => box.textContent.slice(0, 100));
"""
GROUND = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"


@pytest.fixture
def emulated(chromium):
    """The browser as a phone of 390 pixels, and after `media` with this medium or these colours."""
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    yield chromium
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def ground(browser, medium="", colours="light"):
    """How bright the ground of the page is, from 0 to 255."""
    features = [{"name": "prefers-color-scheme", "value": colours}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})
    return sum(browser.execute_script(GROUND)) / 3


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_serves_everyone(every, emulated, name):  # noqa: F811
    from selenium.webdriver.support.ui import WebDriverWait

    if name == "sfm" and not (every.folder / "mapper").exists():
        pytest.skip("lacks colmap, of Debian's package colmap")
    words = BENCH.split() if name == "bench report" else words_of(name)
    # As absolute paths, which a page must not tell.
    command, rest = words[: len(name.split())], words[len(name.split()) :]
    is_path = [(every.folder / word).exists() or word.startswith("out") for word in rest]
    every(*command, *(every.folder / word if path else word for word, path in zip(rest, is_path, strict=True)))
    file = every.folder / PAGES[name]
    assert str(every.folder) not in file.read_text()
    emulated.get(file.as_uri())
    ready = "return document.body.dataset.ready ?? document.documentElement.dataset.ready"
    WebDriverWait(emulated, 20).until(lambda browser: browser.execute_script(ready) == "yes")
    assert emulated.execute_script("return document.documentElement.scrollWidth") <= 390
    assert emulated.execute_script(WITHOUT_WORDS) == []
    import time

    time.sleep(1)
    assert emulated.execute_script(SCROLLING) == []
    assert ground(emulated) > 200 and ground(emulated, colours="dark") < 60
    assert ground(emulated, medium="print", colours="dark") > 200
