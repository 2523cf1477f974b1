// The view: an image with candidates and keypoints on it. Pointer and keys move and enlarge it.

const canvas = by("canvas");
const view = { image: images[0], x: 0, y: 0, zoom: 1, gain: 1, keypoint: -1, octaves: "this", is_whole: true };
const hidden_verdicts = new Set();

/// The size of the canvas in CSS pixels.
const canvas_size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
const to_screen = (x, y) => {
  const { width, height } = canvas_size();
  return [(x - view.x) * view.zoom + width / 2, (y - view.y) * view.zoom + height / 2];
};
const from_screen = (x, y) => {
  const { width, height } = canvas_size();
  return [(x - width / 2) / view.zoom + view.x, (y - height / 2) / view.zoom + view.y];
};

function fit() {
  const { image } = view,
    { width, height } = canvas_size();
  const across = image.columns * image.step,
    down = image.rows * image.step;
  view.zoom = Math.min(width / across, height / down);
  view.x = image.origin + across / 2;
  view.y = image.origin + down / 2;
  view.is_whole = true;
  draw();
}

/// Draws the image in a view of another size: as a whole if it was whole, otherwise the same part of it.
const drawn_size = { width: 0, height: 0 };
function refit() {
  const { width, height } = canvas_size();
  if (width === 0 || height === 0 || (width === drawn_size.width && height === drawn_size.height)) return;
  if (view.is_whole) fit();
  else view.zoom *= Math.min(width / drawn_size.width, height / drawn_size.height);
  Object.assign(drawn_size, { width, height });
  draw();
}

function set_wide(is_wide) {
  by("viewer").classList.toggle("wide", is_wide);
  refit();
}

/// Zooms about a place of the canvas.
function zoom(by_factor, screen_x, screen_y) {
  const [x, y] = from_screen(screen_x, screen_y);
  view.zoom = Math.min(200, Math.max(0.02, view.zoom * by_factor));
  view.is_whole = false;
  const [moved_x, moved_y] = from_screen(screen_x, screen_y);
  view.x += x - moved_x;
  view.y += y - moved_y;
  draw();
}

const zoom_about_middle = (by_factor) => zoom(by_factor, canvas_size().width / 2, canvas_size().height / 2);

/// Whether a candidate, or a keypoint, of an octave and layer is in what the reader chose to see.
const candidate_chosen = (octave, layer) =>
  view.image.stage !== "packed" && detector.shows_candidate(view.octaves, view.image, octave, layer);
const keypoint_chosen = (octave, layer) =>
  view.image.stage !== "packed" && detector.shows_keypoint(view.octaves, view.image, octave, layer);

const candidates_shown = () => by("show-candidates").checked && view.image.stage !== "packed";
const keypoints_shown = () => by("show-keypoints").checked && view.image.stage !== "packed";
const candidate_visible = (i) =>
  !hidden_verdicts.has(data.candidates.verdict[i]) &&
  candidate_chosen(data.candidates.octave[i], data.candidates.layer[i]);

/// Candidates in the order of their strength. The page holds keypoints in this order.
const strongest_candidates = data.candidates.x
  .map((_, i) => i)
  .sort((a, b) => data.candidates.strength[b] - data.candidates.strength[a] || a - b);

/// The points of `order`, strongest first, that are wanted and in view, and which of them are drawn: all, or as many as
/// leave the image visible. Zooming in shows more, since fewer are in view then.
const area_of_dot = 1600; // [square pixels]
function level_of_detail(order, points, wanted) {
  const { width, height } = canvas_size();
  const in_view = order.filter((i) => {
    if (!wanted(i)) return false;
    const [x, y] = to_screen(points.x[i], points.y[i]);
    return x >= -9 && y >= -9 && x <= width + 9 && y <= height + 9;
  });
  const most = by("show-all").checked ? in_view.length : Math.ceil((width * height) / area_of_dot);
  return { drawn: in_view.slice(0, most), in_view: in_view.length };
}

/// What is drawn of the candidates and the keypoints; the pointer finds no others.
const detail = { candidates: { drawn: [], in_view: 0 }, keypoints: { drawn: [], in_view: 0 } };

function choose_detail() {
  const none = { drawn: [], in_view: 0 },
    { keypoints } = data;
  detail.candidates = candidates_shown()
    ? level_of_detail(strongest_candidates, data.candidates, candidate_visible)
    : none;
  detail.keypoints = keypoints_shown()
    ? level_of_detail([...keypoints.x.keys()], keypoints, (i) =>
        keypoint_chosen(keypoints.octave[i], keypoints.layer[i]),
      )
    : none;
  const hidden = ["keypoints", "candidates"]
    .filter((kind) => detail[kind].drawn.length < detail[kind].in_view)
    .map(
      (kind) => `the strongest ${number(detail[kind].drawn.length)} of ${number(detail[kind].in_view)} ${kind} in view`,
    );
  by("level").textContent = hidden.length > 0 ? `${hidden.join(", ")}; zoom in for more` : "";
  canvas.dataset.candidates = detail.candidates.drawn.length;
  canvas.dataset.keypoints = detail.keypoints.drawn.length;
}

function draw_candidates(context) {
  const { candidates, verdicts } = data;
  const paths = verdicts.map(() => new Path2D());
  const radius = Math.min(6, Math.max(2.5, 2 * view.zoom));
  for (const i of detail.candidates.drawn) {
    const [x, y] = to_screen(candidates.x[i], candidates.y[i]);
    const path = paths[candidates.verdict[i]];
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  verdicts.forEach(({ colour }, v) => {
    context.fillStyle = `rgba(${colour}, 0.9)`;
    context.strokeStyle = "#0008";
    context.fill(paths[v]);
    if (radius > 3) context.stroke(paths[v]);
  });
}

/// The matrix (a11 a12; a21 a22) of keypoint i, from its frame in units of σ to pixels of the image: that of its ellipse,
/// or of its circle.
function matrix_of({ scale, orientation, matrix }, i) {
  const cosine = scale[i] * Math.cos(orientation[i]),
    sine = scale[i] * Math.sin(orientation[i]);
  return matrix ? matrix[i] : [cosine, -sine, sine, cosine];
}

/// Adds lines to the path of the context in the frame of keypoint i, `zoom` pixels for one of the image, about a place of
/// the canvas. Their widths are not enlarged.
function in_frame_of(context, i, zoom, at_x, at_y, add_lines) {
  const [a11, a12, a21, a22] = matrix_of(data.keypoints, i);
  context.save();
  context.transform(zoom * a11, zoom * a21, zoom * a12, zoom * a22, at_x, at_y);
  add_lines();
  context.restore();
}

function add_dial(context) {
  context.moveTo(1, 0);
  context.arc(0, 0, 1, 0, 2 * Math.PI);
  context.moveTo(0, 0);
  context.lineTo(1, 0);
}

function draw_keypoint(context, i) {
  const { x, y, scale } = data.keypoints;
  in_frame_of(context, i, Math.max(3 / scale[i], view.zoom), ...to_screen(x[i], y[i]), () => add_dial(context));
}

/// Draws the lines of the path in a colour, on wider dark lines that separate them from the image.
function stroke_on_dark(context, colour, width, dark_width) {
  for (const [style, line_width] of [
    ["#000b", dark_width],
    [colour, width],
  ]) {
    context.strokeStyle = style;
    context.lineWidth = line_width;
    context.stroke();
  }
}

function draw_keypoints(context) {
  context.beginPath();
  for (const i of detail.keypoints.drawn) draw_keypoint(context, i);
  stroke_on_dark(context, "#ffd34d", 1.2, 3);
}

/// Draws the chosen keypoint: its circle or ellipse, and the window of its descriptor.
function draw_chosen(context, i) {
  const { x, y } = data.keypoints;
  context.beginPath();
  draw_keypoint(context, i);
  in_frame_of(context, i, view.zoom, ...to_screen(x[i], y[i]), () => context.rect(-6, -6, 12, 12));
  stroke_on_dark(context, "#5aaaff", 2, 4);
}

/// Draws the image, in full size if that file exists and shows more. A full-size image gets its gain by the
/// browser's filters, if it has them, since scripts cannot read the bytes of files in the page's folder.
function draw_image(context, image) {
  const [left, top] = to_screen(image.origin, image.origin),
    pixel = image.step * view.zoom;
  const gained = image.signed && view.gain !== 1;
  const full = gained && context.filter === undefined ? null : full_size(image, pixel * (window.devicePixelRatio || 1));
  const shown = full ?? with_gain(image, view.gain),
    shown_pixel = full ? pixel / image.factor : pixel;
  if (full && gained) {
    for (const transfer of document.querySelectorAll("#gain feComponentTransfer > *")) {
      transfer.setAttribute("slope", view.gain);
      transfer.setAttribute("intercept", (128 / 255) * (1 - view.gain));
    }
    context.filter = "url(#gain)";
  }
  context.imageSmoothingEnabled = shown_pixel < 1;
  context.imageSmoothingQuality = "high";
  const [columns, rows] = full ? [image.width, image.height] : [image.columns, image.rows];
  context.drawImage(shown, left, top, shown_pixel * columns, shown_pixel * rows);
  if (full && gained) context.filter = "none";
  by("detail").textContent = full ? "full size" : image.factor > 1 ? `reduced ${image.factor}\u00d7` : "";
}

let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw_now();
  });
}

function draw_now() {
  const { image } = view,
    ratio = window.devicePixelRatio || 1,
    { width, height } = canvas_size();
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  if (image.bytes) draw_image(context, image);
  choose_detail();
  draw_candidates(context);
  draw_keypoints(context);
  if (view.keypoint >= 0 && image.stage !== "packed") draw_chosen(context, view.keypoint);
  canvas.dataset.zoom = view.zoom;
  canvas.dataset.image = image.title;
}

/// Shows an image. The view keeps its place, unless this image has no place in common with the one before.
let shown_before = view.image;
async function choose(image) {
  view.image = image;
  await decoded(image);
  if (view.image !== image) return; // another one was chosen meanwhile
  const moves = (image.stage === "packed") !== (shown_before.stage === "packed");
  shown_before = image;
  by("title").textContent = image.title;
  document.querySelectorAll("figure").forEach((f) => f.classList.toggle("chosen", f.image === image));
  by("gains").style.visibility = image.signed ? "visible" : "hidden";
  by("overlays").style.visibility = image.stage === "packed" ? "hidden" : "visible";
  offer_octaves();
  count_shown();
  sort_keypoints();
  if (moves || view.is_whole) fit();
  else draw();
}

/// Shows the image so many levels and groups (octaves, scales) from this one, if there is one.
function step(levels, groups) {
  const next = detector.neighbour(view.image, levels, groups);
  if (next) choose(next);
}

/// Shows the next kind of image of the same place in the sheet: a blur, its difference …
function next_stage() {
  const others = detector.beside(view.image);
  if (others.length > 0) choose(others[(others.findIndex((p) => p.stage === view.image.stage) + 1) % others.length]);
}

let dragged_from = null;
canvas.addEventListener("pointerdown", (event) => {
  dragged_from = [event.offsetX, event.offsetY];
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => {
  dragged_from = null;
});
canvas.addEventListener("pointermove", (event) => {
  if (dragged_from) {
    view.x -= (event.offsetX - dragged_from[0]) / view.zoom;
    view.y -= (event.offsetY - dragged_from[1]) / view.zoom;
    view.is_whole = false;
    dragged_from = [event.offsetX, event.offsetY];
    draw();
  }
  const { image } = view,
    [x, y] = from_screen(event.offsetX, event.offsetY);
  show_value(image, (x - image.origin) / image.step, (y - image.origin) / image.step);
  show_candidate(event.offsetX, event.offsetY);
});
canvas.addEventListener("pointerleave", () => {
  by("tooltip").hidden = true;
});
canvas.addEventListener("dblclick", (event) => zoom(2, event.offsetX, event.offsetY));
canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.002 : 0.06)), event.offsetX, event.offsetY);
  },
  { passive: false },
);
canvas.addEventListener("click", (event) => {
  if (!keypoints_shown()) return;
  const i = nearest(data.keypoints, detail.keypoints.drawn, event.offsetX, event.offsetY, 10);
  if (i >= 0) choose_keypoint(i, false);
});

/// Of the points with the indices `drawn` the one nearest to a place of the canvas, or −1 if none lies within `within`
/// pixels.
function nearest(points, drawn, screen_x, screen_y, within) {
  let best = -1,
    best_distance = within;
  for (const i of drawn) {
    const [x, y] = to_screen(points.x[i], points.y[i]),
      distance = Math.hypot(x - screen_x, y - screen_y);
    if (distance < best_distance) [best, best_distance] = [i, distance];
  }
  return best;
}

function show_candidate(screen_x, screen_y) {
  const tooltip = by("tooltip"),
    { candidates } = data;
  const i = nearest(candidates, detail.candidates.drawn, screen_x, screen_y, 9);
  tooltip.hidden = i < 0;
  if (i < 0) return;
  const { name, colour } = data.verdicts[candidates.verdict[i]];
  tooltip.replaceChildren(element("b", { textContent: name }), ["", ...detector.about_candidate(i)].join("\n"));
  tooltip.firstChild.style.color = `rgb(${colour})`;
  const { width, height } = canvas_size();
  tooltip.style.left = `${Math.min(screen_x + 14, width - tooltip.offsetWidth - 4)}px`;
  const below = canvas.offsetTop + screen_y + 14;
  tooltip.style.top = `${Math.min(below, canvas.offsetTop + height - tooltip.offsetHeight - 4)}px`;
}

by("closer").onclick = () => zoom_about_middle(1.5);
by("farther").onclick = () => zoom_about_middle(1 / 1.5);
by("fit").onclick = fit;
by("wide").onclick = () => set_wide(!by("viewer").classList.contains("wide"));
document.querySelectorAll("#gains button").forEach((button) => {
  button.onclick = () => {
    view.gain = Number(button.dataset.gain);
    document.querySelectorAll("#gains button").forEach((b) => b.classList.toggle("chosen", b === button));
    draw();
  };
});
document.querySelector("#gains button").classList.add("chosen");

const keys = {
  "+": () => zoom_about_middle(1.5),
  "=": () => zoom_about_middle(1.5),
  "-": () => zoom_about_middle(1 / 1.5),
  0: fit,
  f: () => by("wide").click(),
  c: () => by("show-candidates").click(),
  k: () => by("show-keypoints").click(),
  a: () => by("show-all").click(),
  d: next_stage,
  Escape: () => set_wide(false),
  ArrowRight: () => step(1, 0),
  ArrowLeft: () => step(-1, 0),
  ArrowDown: () => step(0, 1),
  ArrowUp: () => step(0, -1),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
new ResizeObserver(refit).observe(canvas);
