// Draws plots with Chart.js. A plot is an object that describes what is shown:
//   x, y     {label, log: a logarithmic scale, top: the axis goes from 0 to here, values: the ticks, whole: ticks are
//            whole numbers, names: of x = 0, 1, 2 …}
//   unit     of y, for the values under the pointer
//   series   [{label, points: [{x, y, low, high}], steps: level from each point to the next one's x,
//            marks: no line connects the points}]
//   bars     horizontal bars: x has names, which have no order, and no line connects them
//   small    a plot beside others that have one legend together
// Points that have low and high get a band around their line. Colours come from the page's style, so plots are redrawn
// when the screen changes to dark or light mode, and before printing. Series differ in colour, mark and dashes.

const point_styles = ["circle", "rect", "rectRot", "triangle", "cross", "star", "crossRot", "rectRounded"];
const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 2], [12, 3], [2, 4], [9, 3, 2, 3, 2, 3]];
const percent = (share) => (share === null ? null : 100 * share);
const number_text = (value) => (Number.isInteger(value) ? number(value) : String(Number(value.toPrecision(4))));

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return {
    text: of("--text"),
    quiet: of("--quiet"),
    line: of("--line"),
    panel: of("--panel"),
    series: of("--series").split(/\s+/),
  };
}

/// What distinguishes a series from the others.
function look_of(index, { series: palette }) {
  const colour = palette[index % palette.length];
  return {
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    borderDash: dashes[index % dashes.length],
    pointStyle: point_styles[index % point_styles.length],
  };
}

/// The line of a series, followed by the two edges of its band if it has one.
function datasets_of(series, index, palette, plot) {
  const look = look_of(index, palette);
  const common = { label: series.label, series: index, ...look };
  if (plot.bars) {
    const points = series.points.map(({ x, y }) => ({ x: y, y: x }));
    return [
      {
        ...common,
        data: points,
        borderWidth: 0,
        borderDash: undefined,
        categoryPercentage: 0.8,
        barPercentage: 0.95,
        minBarLength: 2,
      },
    ];
  }
  const line = {
    ...common,
    data: series.points,
    stepped: series.steps ? "before" : false,
    showLine: !series.marks,
    pointRadius: series.steps ? 0 : series.marks ? 2 : plot.small ? 3 : 4,
    pointHitRadius: 8,
  };
  if (!series.points.some((p) => p.low !== undefined)) return [line];
  const edge = (side) => ({
    data: series.points.map((p) => ({ x: p.x, y: p[side] })),
    series: index,
    is_band: true,
    borderWidth: 0,
    pointRadius: 0,
    pointHitRadius: 0,
  });
  return [
    line,
    { ...edge("low"), fill: false },
    { ...edge("high"), fill: "-1", backgroundColor: `${look.borderColor}2e` },
  ];
}

const significand = (value) => Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(6));

/// Sets the ticks of an axis: the given values, or, on a logarithmic scale, 1, 2, 5 and their products with powers of
/// ten. A scale that has fewer than two of these keeps the ticks of Chart.js.
function choose_ticks(axis, scale) {
  if (axis.values) scale.ticks = axis.values.map((value) => ({ value }));
  else if (axis.log) {
    const round = scale.ticks.filter(({ value }) => [1, 2, 5].includes(significand(value)));
    if (round.length > 1) scale.ticks = round;
  }
}

/// The range of an axis, if Chart.js does not choose it.
function range_of(axis, values) {
  if (axis.top) return { min: 0, max: axis.top };
  if (axis.values) return { min: Math.min(...axis.values), max: Math.max(...axis.values) };
  if (axis.whole && values.length > 0) return { min: Math.min(...values) - 0.5, max: Math.max(...values) + 0.5 };
  if (!axis.log || values.length === 0) return {};
  return { min: Math.min(...values) / 1.2, max: Math.max(...values) * 1.2 };
}

/// The scale of an axis for these `values`.
function scale_of(axis, values, { text, quiet, line }, small) {
  const scale = {
    type: axis.log ? "logarithmic" : axis.names ? "category" : "linear",
    title: { display: Boolean(axis.label) && !small, text: axis.label, color: text },
    grid: { color: line, borderColor: quiet, tickColor: line, display: !axis.names },
    ticks: { color: quiet, maxRotation: small ? 0 : 60, autoSkip: !axis.names },
    afterBuildTicks: (made) => choose_ticks(axis, made),
    ...range_of(axis, values),
  };
  if (small) Object.assign(scale.ticks, { font: { size: 10 }, autoSkip: true, autoSkipPadding: 6 });
  if (axis.names) scale.labels = axis.names;
  else scale.ticks.callback = (value) => (axis.whole && !Number.isInteger(value) ? null : number_text(value));
  return scale;
}

/// The value under the pointer, with the ends of its band.
function value_text(plot, { dataset, raw }) {
  const unit = plot.unit ? ` ${plot.unit}` : "";
  const value = plot.bars ? raw.x : raw.y;
  const band = raw.low === undefined ? "" : ` (${number_text(raw.low)} to ${number_text(raw.high)})`;
  return `${dataset.label}: ${number_text(value)}${unit}${band}`;
}

/// The title of a tooltip: where its values are.
function place_text(plot, { raw }) {
  const at = plot.bars ? raw.y : raw.x;
  return `${plot.x.label ? `${plot.x.label}: ` : ""}${plot.x.names?.[at] ?? number_text(at)}`;
}

function config_of(plot) {
  const palette = colours();
  const points = plot.series.flatMap((series) => series.points);
  const scale = (side) =>
    scale_of(
      plot[side],
      points.map((point) => point[side]),
      palette,
      plot.small,
    );
  return {
    type: plot.bars ? "bar" : "line",
    data: { datasets: plot.series.flatMap((series, i) => datasets_of(series, i, palette, plot)) },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      parsing: false,
      clip: 8,
      indexAxis: plot.bars ? "y" : "x",
      interaction: plot.bars
        ? { mode: "index", axis: "y", intersect: false }
        : { mode: "nearest", axis: "x", intersect: false },
      scales: plot.bars ? { x: scale("y"), y: scale("x") } : { x: scale("x"), y: scale("y") },
      plugins: {
        legend: {
          display: !plot.small,
          position: plot.bars ? "top" : "bottom",
          labels: {
            color: palette.text,
            usePointStyle: true,
            boxHeight: 7,
            filter: (item, made) => !made.datasets[item.datasetIndex].is_band,
          },
          onClick: (_, item, legend) => toggle(legend.chart, legend.chart.data.datasets[item.datasetIndex].series),
        },
        tooltip: {
          filter: (item) => !item.dataset.is_band,
          usePointStyle: true,
          callbacks: {
            title: ([item]) => (item ? place_text(plot, item) : ""),
            label: (item) => value_text(plot, item),
          },
        },
      },
    },
  };
}

/// Shows or hides a series together with its band. Returns whether it is shown.
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

/// The places of the plot's points, in their order: the x of lines, the y of bars.
function places_of(chart) {
  const side = chart.config.type === "bar" ? "y" : "x";
  const shown = chart.data.datasets.filter((dataset, i) => !dataset.is_band && chart.isDatasetVisible(i));
  return {
    side,
    places: [...new Set(shown.flatMap(({ data }) => data.map((point) => point[side])))].sort((a, b) => a - b),
  };
}

/// Shows the values at a place, as if the pointer were there. A place below 0 hides them.
function show_place(chart, index) {
  const { side, places } = places_of(chart);
  const active = [];
  if (index >= 0) {
    chart.data.datasets.forEach((dataset, datasetIndex) => {
      const at =
        dataset.is_band || !chart.isDatasetVisible(datasetIndex)
          ? -1
          : dataset.data.findIndex((point) => point[side] === places[index]);
      if (at >= 0) active.push({ datasetIndex, index: at });
    });
  }
  const first = active.length > 0 ? chart.getDatasetMeta(active[0].datasetIndex).data[active[0].index] : { x: 0, y: 0 };
  chart.setActiveElements(active);
  chart.tooltip.setActiveElements(active, { x: first.x, y: first.y });
  chart.update("none");
}

/// The arrow keys show the values of a plot that has the focus, and Escape hides them.
function show_by_keys(canvas) {
  let index = -1;
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  canvas.addEventListener("keydown", (event) => {
    const chart = Chart.getChart(canvas),
      last = places_of(chart).places.length - 1;
    if (event.key === "Escape") index = -1;
    else if (event.key === "Home") index = 0;
    else if (event.key === "End") index = last;
    else if (steps[event.key]) index = Math.max(0, Math.min(last, index < 0 ? 0 : index + steps[event.key]));
    else return;
    event.preventDefault();
    show_place(chart, index);
  });
  canvas.addEventListener("blur", () => {
    if (index >= 0) show_place(Chart.getChart(canvas), -1);
    index = -1;
  });
}
