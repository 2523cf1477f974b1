// The start of a report. This is the last of its scripts.

const figures = [...document.querySelectorAll("figure[data-plot]")];
for (const figure of figures) {
  figure.plot = plots[figure.dataset.plot](figure.dataset.subject);
  const rows = Math.ceil(figure.plot.series.length / 2);
  if (rows > 3) figure.querySelector(".plot").style.height = `${19 + 1.2 * rows}rem`;
}

const draw_plots = () => figures.forEach((figure) => draw_plot(figure, figure.plot));
draw_plots();
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
