// Lines between two images: the one nearest to the pointer or to a finger is highlighted, and its value stands below
// the images. Lines are thin, so the pointer need not be on them.

const reach = 10; // [CSS pixel]

/// The distance of a point from a line's segment, in the line's units.
function distance_to(line, x, y) {
  const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => line[name].baseVal.value);
  const dx = x2 - x1,
    dy = y2 - y1,
    length2 = dx * dx + dy * dy;
  const along = length2 > 0 ? Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length2)) : 0;
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

for (const figure of document.querySelectorAll(".matches")) {
  const svg = figure.querySelector("svg"),
    lines = [...svg.querySelectorAll("line")];
  const value = element("output", { className: "value" });
  figure.querySelector("figcaption").append(value);
  let near = null;
  const show = (line) => {
    near?.classList.remove("near");
    near = line;
    near?.classList.add("near");
    value.textContent = near ? ` · ${near.querySelector("title").textContent}` : "";
  };
  const point = (event) => {
    const box = svg.getBoundingClientRect(),
      scale = svg.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale,
      y = (event.clientY - box.top) * scale;
    let best = null,
      least = reach * scale;
    for (const line of lines) {
      const distance = distance_to(line, x, y);
      if (distance < least) [best, least] = [line, distance];
    }
    if (best !== near) show(best);
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") show(null);
  });
}
