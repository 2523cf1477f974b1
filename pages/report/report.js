// The start of a report. This is the last of its scripts.

const grids = [...document.querySelectorAll(".grid")];
const figures = [...document.querySelectorAll("figure[data-plot]")];
const is_shown = (figure) => !figure.closest("details:not([open])");

/// Gives a figure its plot, and the height that the plot needs.
function prepare(figure) {
  const plot = plots[figure.dataset.plot](figure.dataset.subject),
    box = figure.querySelector(".plot");
  plot.small = Boolean(figure.closest(".grid"));
  figure.plot = plot;
  const rows = Math.ceil(plot.series.length / 2);
  if (plot.bars) {
    figure.classList.toggle("broad", plot.x.names.length > 20);
    box.style.height = `${6 + plot.x.names.length * (0.7 + 0.6 * plot.series.length)}rem`;
  } else if (rows > 3 && !plot.small) {
    box.style.height = `${19 + 1.2 * rows}rem`;
  }
}

/// Numbers without an upper limit have the same scale in all plots of a grid.
function share_scale(grid) {
  const of_grid = [...grid.querySelectorAll("figure")].map((figure) => figure.plot);
  if (of_grid.every((plot) => plot.y.top)) return;
  const most = Math.max(
    1,
    ...of_grid.flatMap((plot) => plot.series.flatMap((series) => series.points.map((point) => point.y))),
  );
  const unit = 10 ** Math.floor(Math.log10(most)),
    top = [1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * unit >= most) * unit;
  for (const plot of of_grid) plot.y.top = top;
}

/// One legend for all plots of a grid. A click on a name shows or hides its series.
function fill_legend(grid) {
  const legend = grid.querySelector(".legend"),
    of_grid = [...grid.querySelectorAll("figure")];
  const palette = colours(),
    ratio = window.devicePixelRatio || 1;
  const buttons = of_grid[0].plot.series.map(({ label }, i) => {
    const mark = element("canvas", { width: 34 * ratio, height: 14 * ratio }),
      context = mark.getContext("2d");
    const { borderColor, borderDash, pointStyle } = look_of(i, palette);
    context.scale(ratio, ratio);
    Object.assign(context, { strokeStyle: borderColor, fillStyle: borderColor, lineWidth: 2 });
    context.setLineDash(borderDash);
    context.beginPath();
    context.moveTo(0, 7);
    context.lineTo(34, 7);
    context.stroke();
    context.setLineDash([]);
    Chart.helpers.drawPoint(context, { pointStyle, radius: 4, borderWidth: 2 }, 17, 7);
    const button = element("button", { type: "button" }, mark, label);
    button.ariaPressed = "true";
    button.onclick = () => {
      of_grid.forEach((figure) => toggle(Chart.getChart(figure.querySelector("canvas")), i));
      button.ariaPressed = String(button.ariaPressed !== "true");
    };
    return button;
  });
  legend.replaceChildren(...buttons);
}

function draw_figures(some) {
  for (const figure of some.filter(is_shown)) draw_plot(figure, figure.plot);
}

/// Shows the chosen number in all plots of a grid.
function choose_plot(grid) {
  const select = grid.querySelector("select"),
    of_grid = [...grid.querySelectorAll("figure")];
  for (const figure of of_grid) {
    figure.dataset.plot = select.value;
    prepare(figure);
  }
  grid.querySelector(".choice").dataset.shown = select.selectedOptions[0].textContent;
  share_scale(grid);
  fill_legend(grid);
}

figures.forEach(prepare);
for (const grid of grids) {
  choose_plot(grid);
  grid.querySelector("select").onchange = () => {
    choose_plot(grid);
    draw_figures([...grid.querySelectorAll("figure")]);
  };
}
for (const figure of figures) show_by_keys(figure.querySelector("canvas"));

const draw_plots = () => {
  grids.forEach(fill_legend);
  draw_figures(figures);
};
draw_plots();
for (const details of document.querySelectorAll("details")) {
  details.addEventListener("toggle", () => {
    draw_figures(figures.filter((figure) => details.contains(figure)));
  });
}

/// Unfolds what a link leads to.
function unfold() {
  const details = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details");
  if (details) details.open = true;
}
addEventListener("hashchange", unfold);
unfold();

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_plots);
const is_printing = (now) => () => {
  document.documentElement.classList.toggle("printing", now);
  draw_plots();
};
addEventListener("beforeprint", is_printing(true));
addEventListener("afterprint", is_printing(false));

by("save").href = URL.createObjectURL(new Blob([by("data").textContent], { type: "application/json" }));
by("save").hidden = false;
document.body.dataset.ready = "yes";
