"""The page of octavo evaluate shows the numbers of its JSON, to every reader."""

import base64
import json
import re

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains

from evaluate_data import write, write_matrix
from report_page import ReportPage


def test_page(octavo, data, monkeypatch):
    configuration = ["--configuration", "plain:", "--configuration", "root <1>: --descriptor rootsift"]
    monkeypatch.setenv("PATH", "/no/such/folder")  # the page needs no other program
    octavo("evaluate", "data", *configuration, "-o", "report.html")
    page = (octavo.folder / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.count("<figure data-plot=") == 3 * 4 + 2
    for word in (
        "root &lt;1&gt;",
        "v_box",
        "Mean matching accuracy",
        "AUC@10",
        "Version, date and options",
        "--descriptor rootsift",
    ):
        assert word in page
    assert not re.search(r"<img\b|<script src|<link(?! rel=\"icon\" href=\"data:)", page)
    done = octavo.call("evaluate", "data", "-o", "none/report.html")
    assert (done.returncode, done.stdout) == (1, "") and "none/report.html': there is no folder 'none'" in done.stderr
    done = octavo.call("evaluate", "data", "-o", "report.pdf")
    assert (done.returncode, done.stdout) == (
        2,
        "",
    ) and '--output is "report.pdf", but must end in one of .html' in done.stderr


def test_page_in_a_browser(octavo, data, chromium):
    printed = octavo("evaluate", "data", "--json", "--configuration", "plain:", "--configuration", "root </script>: --descriptor rootsift",
                     "-o", "report.html")  # fmt: skip
    page = ReportPage(chromium, octavo.folder / "report.html")
    assert page.json == json.loads(printed)
    charts = page.charts()
    assert [chart["plot"] for chart in charts] == [*3 * ["matching_accuracy", "repeatability", "homography_accuracy", "region_repeatability"],
                                                   "matching_accuracy_by_sequence", "correct_by_sequence"]  # fmt: skip
    for chart in charts:
        assert [line["label"] for line in chart["lines"]] == ["plain", "root </script>"]
    configurations = page.json["configurations"]
    for group in ("all", "illumination", "viewpoint"):
        for plot, key in (("matching_accuracy", "matching_accuracy"), ("repeatability", "repeatability")):
            chart = page.chart(plot, group)
            assert (chart["y"]["min"], chart["y"]["max"]) == (0, 100) and chart["x"]["label"] == "threshold [pixel]"
            for line, configuration in zip(chart["lines"], configurations):
                shares = configuration["summary"][group][key]
                assert line["points"] == [[i + 1, pytest.approx(100 * share)] for i, share in enumerate(shares)]
        chart = page.chart("region_repeatability", group)
        assert chart["x"]["label"] == "overlap error"
        for line, configuration in zip(chart["lines"], configurations):
            shares = configuration["summary"][group]["region_repeatability"]
            assert line["points"] == [[(i + 1) / 10, pytest.approx(100 * share)] for i, share in enumerate(shares)]
        # The steps pass through the table's numbers.
        for line, configuration in zip(page.chart("homography_accuracy", group)["lines"], configurations):
            xs, ys = zip(*line["points"])
            assert list(xs) == sorted(xs) and (xs[0], xs[-1]) == (0, 10)
            for threshold, share in enumerate(configuration["summary"][group]["homography_accuracy"], 1):
                assert ys[sum(x <= threshold for x in xs) - 1] == pytest.approx(100 * share)
    by_sequence = page.chart("correct_by_sequence", "")
    # Sequences have no order: bars, not lines.
    assert (by_sequence["type"], by_sequence["y"]["type"]) == ("bar", "category")
    for line, configuration in zip(by_sequence["lines"], configurations):
        assert [x for x, _ in line["points"]] == [
            pytest.approx(sequence["correct_counts"][2]) for sequence in configuration["sequences"]
        ]
    share = 100 * configurations[0]["summary"]["all"]["matching_accuracy"][4]
    title, *lines = page.hover(0, 0, 4)
    assert title == "threshold [pixel]: 5" and len(lines) == 2
    assert lines[0].startswith("plain: ") and float(lines[0].split()[1]) == pytest.approx(share, rel=1e-3)
    bar = page.hover(12, 1, 2)
    assert bar[0] == configurations[0]["sequences"][2]["name"] and len(bar) == 3

    # The keys show the same values.
    assert page.keys(0, "ARROW_RIGHT")[0] == "threshold [pixel]: 1"
    assert page.keys(0, *5 * ["ARROW_RIGHT"]) == [title, *lines]
    assert page.keys(0, "END")[0] == "threshold [pixel]: 10"
    assert page.keys(0, "ESCAPE") == []


def test_the_best_are_marked(octavo, data, chromium):
    output = octavo(
        "evaluate",
        "data",
        "--configuration",
        "good:",
        "--configuration",
        "poor: --ratio 1 --no-mutual",
        "-o",
        "page.html",
    )
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert "\u2605" not in output
    good, poor = (configuration["summary"]["all"] for configuration in page.json["configurations"])
    header, *rows = page.cells("#means-all table")
    assert [row[0] for row in rows] == ["good", "poor"]
    for name, key in (("repeatability", "repeatability"), ("precision", "precision"), ("correct", "correct_counts")):
        values = [f"{(1 if key == 'correct_counts' else 100) * summary[key][2]:.1f}" for summary in (good, poor)]
        best = max(map(float, values))
        shown = [row[header.index(name)] for row in rows]
        assert shown == [f"\u2605 {v}" if float(v) == best and len(set(values)) > 1 else v for v in values]
    for column in ("pairs", "keypoints", "matches"):  # more is not better
        assert not any("\u2605" in row[header.index(column)] for row in rows)
    weight = "return getComputedStyle(document.querySelector('td.best')).fontWeight"
    assert page.run(weight) == "700"
    # Ties: each pair's best corner error is the least one, and equal ones are all marked.
    header, *rows = page.cells("#pairs table")
    first = header.index("corner error good")
    for row, ours, theirs in zip(
        rows, *(configuration["pairs"] for configuration in page.json["configurations"]), strict=True
    ):
        numbers = [pair.get("corner_error") for pair in (ours, theirs)]
        if None in numbers:
            continue
        texts = [f"{number:.2f}" for number in numbers]
        assert row[first : first + 2] == [
            f"\u2605 {v}" if float(v) == min(map(float, texts)) and len(set(texts)) > 1 else v for v in texts
        ]


@pytest.mark.slow
def test_the_conclusion_is_honest(octavo, data, chromium):
    octavo("evaluate", "data", "--configuration", "plain:", "--configuration", "twin:", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.one(".conclusion").text.endswith("no configuration is better than the others by more than chance.")
    assert "is best" not in page.one(".conclusion").text and not page.all("#means-all td.best, #conclusion td.best")
    octavo(
        "evaluate",
        "data",
        "--configuration",
        "good:",
        "--configuration",
        "poor: --ratio 1 --no-mutual",
        "-o",
        "page.html",
    )
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert re.match(r"good is best in .*precision \(\d+\.\d %\)", page.one(".conclusion").text)
    _, *rows = page.cells("#conclusion table")
    precision = {row[0]: row for row in rows}["precision"]
    means = [100 * configuration["summary"]["all"]["precision"][2] for configuration in page.json["configurations"]]
    mean, low, high = map(
        float, re.fullmatch(r"(\S+) \((\S+) to (\S+)\)", precision[2].replace("\u2212", "-")).groups()
    )
    assert mean == pytest.approx(means[1] - means[0], abs=0.06) and low <= mean <= high < 0
    octavo("evaluate", "data/v_box", "--configuration", "a:", "--configuration", "b: --upright", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.one(".conclusion").text.startswith("3 pairs are too few to tell which configuration is better.")


def write_sequences(octavo, texture, count, others):
    """Sequences of small images, each the same image under less and less light."""
    for sequence in range(count):
        folder = octavo.folder / "many" / f"i_{sequence:02}"
        for number in range(1, others + 2):
            write(folder / f"{number}.png", (texture(64, 56, seed=sequence) * (1 - 0.1 * number)).astype(np.uint8))
            write_matrix(folder / f"H_1_{number}", np.eye(3))


@pytest.mark.slow
def test_a_large_data_set_stays_usable(octavo, texture, chromium):
    write_sequences(octavo, texture, 24, 5)
    octavo("evaluate", "many", "--configuration", "a:", "--configuration", "b: --ratio 0.6", "-o", "page.html")
    page = ReportPage(chromium, octavo.folder / "page.html")
    folded = page.run(
        "return [...document.querySelectorAll('details')].map((d) => [d.querySelector('summary').textContent, d.open])"
    )
    assert folded[:3] == [["Plots of 24 sequences", False], ["120 pairs", False], ["24 sequences", False]]
    plots, pairs, sequences = page.all("details")[:3]
    drawn = "return [...arguments[0].querySelectorAll('canvas')].map((canvas) => Boolean(Chart.getChart(canvas)))"
    assert page.run(drawn, plots) == [False, False]
    plots.find_element("css selector", "summary").click()
    page.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert page.run(drawn, plots) == [True, True]

    # A part of the name finds the rows.
    pairs.find_element("css selector", "summary").click()
    names = "return [...arguments[0].querySelectorAll('tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[0].innerText)"
    assert len(page.run(names, pairs)) == 120
    field, count = (pairs.find_element("css selector", kind) for kind in ("input", "output"))
    field.send_keys("I_07/")
    assert page.run(names, pairs) == [f"i_07/{number}.png" for number in range(2, 7)] and count.text == "5 of 120 rows"
    # A link from an image shows its row, although the row was not found.
    link = page.run(
        "return [...document.querySelectorAll('.pair h3 a')].find((a) => !a.textContent.startsWith('i_07/'))"
    )
    page.run("arguments[0].click()", link)
    row = page.one("#" + link.get_attribute("href").split("#")[1])
    page.run("return new Promise((done) => setTimeout(done))")
    assert row.is_displayed() and field.get_attribute("value") == ""

    # A click on a header sorts by its column, the highest first, a second click the other way.
    sequences.find_element("css selector", "summary").click()
    header, *rows = page.cells("details:nth-of-type(2) table")
    column = header.index("correct a")
    correct = [sequence["correct_counts"][2] for sequence in page.json["configurations"][0]["sequences"]]
    assert [float(row[column].strip("\u2605 ")) for row in rows] == pytest.approx(correct, abs=0.06)
    button = sequences.find_elements("css selector", "th button")[column]
    for way in (-1, 1):
        button.click()
        header, *rows = page.cells("details:nth-of-type(2) table")
        shown = [float(row[column].strip("\u2605 ")) for row in rows]
        assert shown == sorted(shown, key=lambda value: way * value)
    assert page.width_on_a_phone() <= 390


def test_many_problems_are_folded(octavo, texture, chromium):
    write_sequences(octavo, texture, 12, 2)
    for sequence in range(12):
        (octavo.folder / "many" / f"i_{sequence:02}" / "3.png").write_bytes(b"")
    done = octavo.call("evaluate", "many", "-o", "page.html")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 12
    page = ReportPage(chromium, octavo.folder / "page.html")
    (note,) = page.all(".note")
    assert note.text == "There are 12 problems and 0 warnings. The list below has them all."
    summary = page.one("#conclusion details summary")
    assert summary.text == "12 problems and 0 warnings"
    summary.click()
    assert page.one("#conclusion pre").text.count("Not evaluated: ") == 12


@pytest.mark.slow
def test_images_of_pairs(octavo, data, chromium):
    configurations = ["--configuration", "good:", "--configuration", "poor: --ratio 1 --no-mutual"]
    octavo("evaluate", "data", *configurations, "-o", "page.html")
    assert (octavo.folder / "page.html").stat().st_size < 5e6
    page = ReportPage(chromium, octavo.folder / "page.html")
    pairs = [[configuration["pairs"][i] for configuration in page.json["configurations"]] for i in range(len(data))]
    precision = {
        pair[0]["image_b"]: sum(s["precision"][2] for s in pair) / 2
        for pair in pairs
        if any(s["judged_count"] for s in pair)
    }
    order = sorted(precision.values(), reverse=True)
    sections = page.all(".pair")
    assert len(sections) == 3
    for section, rank, word in zip(sections, (0, len(order) // 2, -1), ("best", "median", "worst")):
        image = section.find_element("css selector", "h3").text
        assert f"The {word} pair of {len(order)}" in section.text and precision[image] in (
            order[rank],
            order[(len(order) - 1) // 2 if rank > 0 else rank],
        )
        counted = next(pair for pair in pairs if pair[0]["image_b"] == image)
        for figure, pair in zip(section.find_elements("css selector", "figure"), counted, strict=True):
            right, wrong = pair["correct_counts"][2], pair["judged_count"] - pair["correct_counts"][2]
            assert (
                f"{pair['match_count']} match{'' if pair['match_count'] == 1 else 'es'}, {right} right, {wrong} wrong"
                in figure.text
            )
            drawn = [
                len(figure.find_elements("css selector", f"line.{kind}")) for kind in ("right", "wrong", "unknown")
            ]
            assert drawn == [min(right, 100), min(wrong, 250), min(pair["match_count"] - pair["judged_count"], 50)]
        # The table of pairs leads to the image, and the image back.
        row = section.find_element("css selector", "h3 a").get_attribute("href").split("#")[1]
        assert page.one(f"#{row} a").text == image
        assert page.one(f"#{row} a").get_attribute("href").endswith("#" + section.get_attribute("id"))
    # The pointer near a line shows its error, and beside the images nothing.
    svg, caption = page.one(".matches svg"), page.one(".matches figcaption")
    place = (
        "const b = arguments[0].getBoundingClientRect(), l = arguments[0].querySelector('line'), s = b.width / arguments[0].viewBox.baseVal.width;"
        "return [l.x1.baseVal.value * s - b.width / 2, l.y1.baseVal.value * s - b.height / 2]"
    )
    page.run("arguments[0].scrollIntoView({ block: 'center' })", svg)
    x, y = page.run(place, svg)
    ActionChains(page.driver, duration=0).move_to_element_with_offset(svg, round(x) + 2, round(y)).perform()
    near = page.run("return [...document.querySelectorAll('line.near title')].map((title) => title.textContent)")
    assert len(near) == 1 and caption.text.endswith(f" · {near[0]}")
    assert re.fullmatch(r"error \d+\.\d px|not judged: .*", near[0])
    ActionChains(page.driver, duration=0).move_to_element(page.one("h1")).perform()
    assert near[0] not in caption.text and not page.all("line.near")
    # Right and wrong lines differ without colour too, and both images are there.
    look = "return [...document.querySelectorAll('line.right, line.wrong')].map((l) => getComputedStyle(l).strokeDasharray + getComputedStyle(l).stroke)"
    assert len(set(page.run(look))) == 2
    sizes = page.run(
        "return Promise.all([...document.querySelectorAll('svg image')].map(async (i) => { const p = new Image(); p.src = i.href.baseVal; await p.decode(); return [p.naturalWidth, p.naturalHeight]; }))"
    )
    assert len(sizes) == 6 and [320, 240] in sizes
    for count in (0, 1, 5):
        octavo("evaluate", "data/v_box", "--examples", count, "-o", "page.html")
        assert (octavo.folder / "page.html").read_text().count('<section class="pair"') == min(count, 3)
    assert "--examples" in octavo.error(2, "evaluate", "data/v_box", "--examples", -1)


def test_settings_and_definitions_on_the_page(octavo, data, chromium):
    octavo("evaluate", "data/v_box", "--max-features", 100, "--configuration", "a:", "--configuration", "b: --descriptor sift --ratio 0.9",
           "--configuration", "c: --detector foagdd", "-o", "page.html")  # fmt: skip
    page = ReportPage(chromium, octavo.folder / "page.html")
    _, a, b, c = page.cells("#configurations table")
    assert a[1] == "SIFT" and a[-1] == "max_features 100 (8192)"
    assert b[3] == "a" and sorted(b[-1].split(", ")) == ["descriptor sift (rootsift)", "ratio 0.9 (0.8)"]
    assert c[1] == "FOAGDD" and c[3] == "the defaults of FOAGDD" and "max_features 100" in c[-1] and "rho" not in c[-1]
    terms = [term.text for term in page.all("dt")]
    for table in page.all("#means-all table"):
        for word in table.find_element("css selector", "thead").text.split():
            word = re.sub(r"@\d+", "@t", word)
            assert (
                word
                in " ".join(terms) + " configuration pairs keypoints 1 2 3 4 5 6 7 8 9 10 px 0.1 0.2 0.3 0.4 0.5 0.6"
            ), word
    for link in page.all("nav a"):
        assert page.all("#" + link.get_attribute("href").split("#")[1])


@pytest.mark.slow
def test_page_for_every_reader(octavo, data, chromium):
    """The page in dark mode, on a small screen, on paper, and without JavaScript."""
    octavo("evaluate", "data/v_box", "-o", "report.html")
    file = octavo.folder / "report.html"

    def looks(scheme):
        chromium.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        page = ReportPage(chromium, file)
        colours = page.run("""const axis = Chart.getChart(document.querySelector("canvas")).options.scales.x.title.color;
            const style = getComputedStyle(document.body); return [style.backgroundColor, style.color, axis]""")
        page.charts()
        return colours

    size = chromium.get_window_size()
    try:
        light, dark = looks("light"), looks("dark")
        assert light[0] == "rgb(255, 255, 255)" and all(a != b for a, b in zip(light, dark))
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 2, "mobile": True}
        )
        page = ReportPage(chromium, file)
        assert page.run("return document.documentElement.scrollWidth") <= 400
        assert all(
            width <= 400
            for width in page.run("return [...document.querySelectorAll('canvas')].map((c) => c.clientWidth)")
        )
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

        page = ReportPage(chromium, file)
        pdf = base64.b64decode(chromium.execute_cdp_cmd("Page.printToPDF", {})["data"])
        assert pdf.startswith(b"%PDF") and len(pdf) > 20000
        assert not page.run("return document.documentElement.classList.contains('printing')")
        page.charts()

        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        chromium.get(file.as_uri())
        assert "need JavaScript" in chromium.find_element("css selector", "noscript").text
        cells = [cell.text for cell in chromium.find_elements("css selector", "tbody tr:first-child td")]
        assert cells[0] == "octavo" and any(re.fullmatch(r"\d+\.\d", cell) for cell in cells)
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        chromium.set_window_size(size["width"], size["height"])


@pytest.mark.parametrize(
    "command",
    [
        "data",
        pytest.param("robustness data/v_box/1.png --kinds rotation", marks=pytest.mark.slow),
        "crops data/v_box/1.png",
    ],
)
def test_nothing_is_the_best_where_budgets_differ(octavo, data, chromium, command):
    call = ["evaluate", *command.split(), "--configuration", "few: --layers 1", "--configuration", "many:"]
    done = octavo.call(*call, "-o", "page.html", "--device", "cpu")
    assert done.returncode == 0
    (warning,) = [line for line in done.stderr.splitlines() if "numbers of keypoints differ" in line]
    assert re.search(r"from \d+ by few to \d+ by many", warning) and "--max-features gives all the same" in warning
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.run("return document.querySelectorAll('td.best').length") == 0
    assert "is best in" not in page.run("return document.body.textContent")
    assert octavo.call(*call, "--max-features", 40, "-o", "page.html", "--device", "cpu").returncode == 0
    page = ReportPage(chromium, octavo.folder / "page.html")
    assert page.run("return document.querySelectorAll('td.best').length") > 0
