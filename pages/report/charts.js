// Draws plots with Chart.js. A plot is an object that describes what is shown:
//   x, y     {label, log: a logarithmic scale, top: the axis goes from 0 to here, values: the ticks, names: of x = 0, 1, 2 …}
//   unit     of y, for the values under the pointer
//   series   [{label, points: [{x, y, low, high}], steps: level from each point to the next one's x}]
// Points that have low and high get a band around their line. Colours come from the page's style, so plots are redrawn
// when the screen changes to dark or light mode, and before printing.

const point_styles = ["circle", "rect", "rectRot", "triangle", "cross", "star", "crossRot", "rectRounded"];
const number_text = (value) => (Number.isInteger(value) ? number(value) : String(Number(value.toPrecision(4))));

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return { text: of("--text"), quiet: of("--quiet"), line: of("--line"), panel: of("--panel"), series: of("--series").split(/\s+/) };
}

/// The line of a series, followed by the two edges of its band if it has one.
function datasets_of(series, index, { series: palette }) {
  const colour = palette[index % palette.length];
  const line = {
    label: series.label, data: series.points, series: index, borderColor: colour, backgroundColor: colour,
    borderWidth: 2, borderDash: index < palette.length ? [] : [6, 4], stepped: series.steps ? "before" : false,
    pointStyle: point_styles[index % point_styles.length], pointRadius: series.steps ? 0 : 4, pointHitRadius: 8,
  };
  if (!series.points.some((p) => p.low !== undefined)) return [line];
  const edge = (side) => ({
    data: series.points.map((p) => ({ x: p.x, y: p[side] })), series: index, is_band: true, borderWidth: 0, pointRadius: 0,
    pointHitRadius: 0,
  });
  return [line, { ...edge("low"), fill: false }, { ...edge("high"), fill: "-1", backgroundColor: `${colour}2e` }];
}

const significand = (value) => Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(6));

/// Sets the ticks of an axis: the given values, or, on a logarithmic scale, 1, 2, 5 and their products with powers of
/// ten.
function choose_ticks(axis, scale) {
  if (axis.values) scale.ticks = axis.values.map((value) => ({ value }));
  else if (axis.log) scale.ticks = scale.ticks.filter(({ value }) => [1, 2, 5].includes(significand(value)));
}

/// The range of an axis, if Chart.js does not choose it.
function range_of(axis, values) {
  if (axis.top) return { min: 0, max: axis.top };
  if (axis.values) return { min: Math.min(...axis.values), max: Math.max(...axis.values) };
  if (!axis.log || values.length === 0) return {};
  return { min: Math.min(...values) / 1.2, max: Math.max(...values) * 1.2 };
}

/// The scale of an axis for these `values`.
function scale_of(axis, values, { text, quiet, line }) {
  const scale = {
    type: axis.log ? "logarithmic" : axis.names ? "category" : "linear",
    title: { display: Boolean(axis.label), text: axis.label, color: text },
    grid: { color: line, borderColor: quiet, tickColor: line },
    ticks: { color: quiet, maxRotation: 60 },
    afterBuildTicks: (made) => choose_ticks(axis, made),
    ...range_of(axis, values),
  };
  if (axis.names) scale.labels = axis.names;
  else scale.ticks.callback = (value) => number_text(value);
  return scale;
}

/// The value under the pointer, with the ends of its band.
function value_text(plot, { dataset, raw }) {
  const unit = plot.unit ? ` ${plot.unit}` : "";
  const band = raw.low === undefined ? "" : ` (${number_text(raw.low)} to ${number_text(raw.high)})`;
  return `${dataset.label}: ${number_text(raw.y)}${unit}${band}`;
}

function config_of(plot) {
  const palette = colours();
  const points = plot.series.flatMap((series) => series.points);
  const scale = (side) => scale_of(plot[side], points.map((point) => point[side]), palette);
  return {
    type: "line",
    data: { datasets: plot.series.flatMap((series, i) => datasets_of(series, i, palette)) },
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: false, clip: 8,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      scales: { x: scale("x"), y: scale("y") },
      plugins: {
        legend: {
          position: "bottom",
          labels: { color: palette.text, usePointStyle: true, boxHeight: 7, filter: (item, made) => !made.datasets[item.datasetIndex].is_band },
          onClick: (_, item, legend) => toggle(legend.chart, legend.chart.data.datasets[item.datasetIndex].series),
        },
        tooltip: {
          filter: (item) => !item.dataset.is_band,
          callbacks: {
            title: ([item]) => (item ? `${plot.x.label ? `${plot.x.label}: ` : ""}${plot.x.names?.[item.raw.x] ?? number_text(item.raw.x)}` : ""),
            label: (item) => value_text(plot, item),
          },
        },
      },
    },
  };
}

/// Shows or hides a series together with its band.
function toggle(chart, series) {
  chart.data.datasets.forEach((dataset, i) => {
    if (dataset.series === series) chart.setDatasetVisibility(i, !chart.isDatasetVisible(i));
  });
  chart.update();
}

function draw_plot(figure, plot) {
  const canvas = figure.querySelector("canvas");
  Chart.getChart(canvas)?.destroy();
  new Chart(canvas, config_of(plot));
}
