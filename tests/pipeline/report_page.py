"""The charts of a page of octavo evaluate or octavo bench report, read in Chromium."""

import json
import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# For every figure: its plot and subject, axes, lines (without the edges of their bands), and number of drawn colours.
CHARTS = """
return [...document.querySelectorAll("figure[data-plot]")].map((figure) => {
  const canvas = figure.querySelector("canvas"), chart = Chart.getChart(canvas);
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const axis = ({ type, min, max, options }) => ({ type, min, max, label: options.title.text });
  return {
    type: chart.config.type, plot: figure.dataset.plot, subject: figure.dataset.subject, title: figure.querySelector("h3").textContent,
    x: axis(chart.scales.x), y: axis(chart.scales.y), colours: new Set(pixels).size,
    bands: chart.data.datasets.filter((dataset) => dataset.is_band).length / 2,
    lines: chart.data.datasets.filter((dataset) => !dataset.is_band)
      .map(({ label, data }) => ({ label, points: data.map(({ x, y }) => [x, y]) })),
  };
});
"""


TOOLTIP = """
const { title, body, opacity } = Chart.getChart(arguments[0]).tooltip;
return opacity === 0 ? [] : [...title, ...body.flatMap((b) => b.lines)];
"""


class ReportPage:
    def __init__(self, driver, file):
        self.driver, self.html = driver, file.read_text()
        self.json = json.loads(
            re.search(r'<script type="application/json" id="data">(.*?)</script>', self.html, re.S)[1]
        )
        driver.get_log("browser")  # what an earlier page left there
        driver.get(file.as_uri())
        WebDriverWait(driver, 20, poll_frequency=0.02).until(
            lambda _: self.run("return document.body.dataset.ready") == "yes"
        )
        messages = driver.get_log("browser")
        assert messages == [], messages
        assert self.run("return performance.getEntriesByType('resource').map((r) => r.name)") in ([], ["data:,"])

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def charts(self):
        charts = self.run(CHARTS)
        for chart in charts:
            assert chart["colours"] > 10, f"{chart['title']} is blank"
        return charts

    def chart(self, plot, subject):
        (chart,) = [chart for chart in self.charts() if (chart["plot"], chart["subject"]) == (plot, subject)]
        return chart

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def cells(self, selector):
        """The texts of the first such table, row by row, with the header first."""
        return self.run(
            "return [...document.querySelector(arguments[0]).rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))",
            selector,
        )

    def keys(self, figure, *names):
        """The lines of a figure's tooltip after these keys, pressed while the figure has the focus for the first time."""
        canvas = self.run(
            "const canvas = document.querySelectorAll('figure[data-plot] canvas')[arguments[0]];"
            "canvas.blur(); canvas.focus(); return canvas",
            figure,
        )
        for name in names:
            canvas.send_keys(getattr(Keys, name))
        return self.run(TOOLTIP, canvas)

    def width_on_a_phone(self):
        """The width of the page [pixel] in a window of 390 pixels."""
        try:
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True},
            )
            return self.run("return document.documentElement.scrollWidth")
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def text(self):
        return self.run("return document.body.innerText")

    def hover(self, figure, line, point):
        """The lines of a figure's tooltip while the pointer is at a point of one of its lines."""
        canvas = self.run(
            "const canvas = document.querySelectorAll('figure[data-plot] canvas')[arguments[0]];"
            "canvas.scrollIntoView({ block: 'center' }); return canvas",
            figure,
        )
        x, y, width, height = self.run(
            "const chart = Chart.getChart(arguments[0]), { x, y } = chart.getDatasetMeta(arguments[1]).data[arguments[2]];"
            "return [x, y, arguments[0].clientWidth, arguments[0].clientHeight]",
            canvas,
            line,
            point,
        )
        for dx in (2, 0):
            ActionChains(self.driver, duration=0).move_to_element_with_offset(
                canvas, round(x - width / 2 + dx), round(y - height / 2)
            ).perform()
        return self.run(TOOLTIP, canvas)
