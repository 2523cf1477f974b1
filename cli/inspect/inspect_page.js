"use strict";

// What was found stands in the page as JSON. Pictures know where their pixels lie in the image, so that the view keeps
// its place when another picture is chosen; bytes of pictures become values again by the linear mapping they were made
// with.

const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const minus = (text) => String(text).replace("-", "\u2212");
const number = (count) => count.toLocaleString("en");

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---------------------------------------------------------------------------------------------------------- pictures

/// A picture's pixel t (continuous, 0 is its left edge) lies at origin + step·t of the image (0 is a pixel's centre).
function placed(picture) {
  if (picture.stage === "photograph") {
    picture.step = 1 / picture.pixels_per_pixel;
    picture.origin = -0.5;
    picture.title = data.image.split("/").pop();
  } else if (picture.stage === "packed") {
    picture.step = picture.factor;
    picture.origin = -0.5;
    picture.title = "packed differences";
  } else {
    const pixel = 2 ** picture.octave;
    picture.step = picture.factor * pixel;
    picture.origin = -0.5 * pixel;
    picture.title = `octave ${minus(picture.octave)} · ${picture.stage} ${picture.level}`;
  }
  picture.columns = Math.ceil(picture.width / (picture.factor || 1));
  picture.rows = Math.ceil(picture.height / (picture.factor || 1));
  return picture;
}

const pictures = [placed({ stage: "photograph", ...data.photograph }), ...data.planes.map(placed)];
const plane = (stage, octave, level) =>
  pictures.find((p) => p.stage === stage && p.octave === octave && p.level === level);
const packed = plane("packed", 0, 0);

/// Its bytes, once: one for each pixel.
async function decoded(picture) {
  if (picture.bytes) return picture;
  const image = new Image();
  image.src = picture.picture;
  await image.decode();
  const canvas = element("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  picture.image = canvas;
  picture.bytes = context.getImageData(0, 0, canvas.width, canvas.height).data.filter((_, i) => i % 4 === 0);
  return picture;
}

/// What a byte of a picture stands for; half a step is how far off that may be.
function value_of(picture, byte) {
  if (picture.signed) {
    const clipped = byte <= 1 ? "\u2264 " : byte >= 255 ? "\u2265 " : "";
    return { value: ((byte - 128) / 127) * picture.white, accuracy: picture.white / 254, clipped };
  }
  const range = picture.white - picture.black;
  return { value: picture.black + (byte / 255) * range, accuracy: range / 510, clipped: "" };
}

/// A difference with more contrast, to be drawn in its place.
function with_gain(picture, gain) {
  if (!picture.signed || gain === 1) return picture.image;
  if (picture.gained?.gain === gain) return picture.gained.canvas;
  const canvas = element("canvas", { width: picture.columns, height: picture.rows });
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(canvas.width, canvas.height);
  for (let i = 0; i < picture.bytes.length; ++i) {
    pixels.data.fill(128 + (picture.bytes[i] - 128) * gain, 4 * i, 4 * i + 3);
    pixels.data[4 * i + 3] = 255;
  }
  context.putImageData(pixels, 0, 0);
  picture.gained = { gain, canvas };
  return canvas;
}

// ------------------------------------------------------------------------------------------------------------ status

/// Which tile of the packed pyramid a pixel lies in.
function tile_of(column, row) {
  let width = packed.width / 2, height = packed.height / 2, octave = data.options.first_octave;
  while (width >= 1 && height >= 1 && column >= width && row >= height) {
    column -= width;
    row -= height;
    width = Math.floor(width / 2);
    height = Math.floor(height / 2);
    ++octave;
  }
  if (column >= 2 * width || row >= 2 * height || !data.octaves.some((o) => o.octave === octave)) return "free";
  return `octave ${minus(octave)} · difference ${(column >= width ? 1 : 0) + (row >= height ? 2 : 0)}`;
}

/// Tells what is at pixel (i, j) of a picture, unless something else is asked for while it is decoded.
let asked = 0;
async function tell(picture, i, j) {
  const status = by("status"), question = ++asked;
  i = Math.floor(i);
  j = Math.floor(j);
  const inside = i >= 0 && j >= 0 && i < picture.columns && j < picture.rows;
  if (!inside) {
    status.textContent = picture.title;
    for (const key of Object.keys(status.dataset)) delete status.dataset[key];
    return;
  }
  if (picture.stage === "photograph") {
    status.textContent = `image ${minus(((i + 0.5) * picture.step + picture.origin).toFixed(1))}, ` +
      minus(((j + 0.5) * picture.step + picture.origin).toFixed(1));
    return;
  }
  await decoded(picture);
  if (question !== asked) return;
  const { factor } = picture;
  const span = (at, size) => [at * factor, Math.min((at + 1) * factor, size) - 1];
  const [left, right] = span(i, picture.width), [top, bottom] = span(j, picture.height);
  const { value, accuracy, clipped } = value_of(picture, picture.bytes[j * picture.columns + i]);
  const places = Math.max(3, Math.ceil(-Math.log10(accuracy)) + 1);
  const parts = [picture.title];
  parts.push(factor === 1 ? `pixel ${left}, ${top}`
    : `${picture.signed ? "strongest" : "mean"} of pixels ${left}\u2026${right}, ${top}\u2026${bottom}`);
  if (picture.stage === "packed") {
    parts.push(tile_of(left, top));
  } else {
    const pixel = 2 ** picture.octave;
    parts.push(`image ${(((left + right) / 2) * pixel).toFixed(2)}, ${(((top + bottom) / 2) * pixel).toFixed(2)}`);
  }
  parts.push(`value ${clipped}${minus(value.toFixed(places))} \u00b1 ${accuracy.toFixed(places)}`);
  status.textContent = parts.join("   ");
  Object.assign(status.dataset, { column: i, row: j, value, accuracy, factor, clipped: clipped !== "" });
}

// -------------------------------------------------------------------------------------------------------- the viewer

const canvas = by("canvas");
const view = { picture: pictures[0], x: 0, y: 0, zoom: 1, gain: 1, keypoint: -1 };
const hidden_verdicts = new Set();

/// CSS pixels of the canvas.
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
  const { picture } = view, { width, height } = canvas_size();
  const across = picture.columns * picture.step, down = picture.rows * picture.step;
  view.zoom = Math.min(width / across, height / down);
  view.x = picture.origin + across / 2;
  view.y = picture.origin + down / 2;
  draw();
}

/// Zooms about a place of the canvas.
function zoom(by_factor, screen_x, screen_y) {
  const [x, y] = from_screen(screen_x, screen_y);
  view.zoom = Math.min(200, Math.max(0.02, view.zoom * by_factor));
  const [moved_x, moved_y] = from_screen(screen_x, screen_y);
  view.x += x - moved_x;
  view.y += y - moved_y;
  draw();
}

const zoom_about_middle = (by_factor) => zoom(by_factor, canvas_size().width / 2, canvas_size().height / 2);

function in_chosen_octave(octave, layer) {
  const wanted = by("octaves").value, { picture } = view;
  if (picture.stage === "packed") return false;
  if (wanted === "all" || (picture.octave === undefined && wanted.startsWith("this"))) return true;
  if (wanted === "this layer") return octave === picture.octave && layer === picture.level;
  return octave === (wanted === "this" ? picture.octave : Number(wanted));
}

const candidates_shown = () => by("show-candidates").checked && view.picture.stage !== "packed";
const keypoints_shown = () => by("show-keypoints").checked && view.picture.stage !== "packed";
const candidate_visible = (i) =>
  !hidden_verdicts.has(data.candidates.verdict[i]) && in_chosen_octave(data.candidates.octave[i], data.candidates.layer[i]);

function draw_candidates(context) {
  const { candidates, verdicts } = data, { width, height } = canvas_size();
  const paths = verdicts.map(() => new Path2D());
  const radius = Math.min(6, Math.max(2, 2 * view.zoom));
  let count = 0;
  for (let i = 0; i < candidates.x.length; ++i) {
    if (!candidate_visible(i)) continue;
    const [x, y] = to_screen(candidates.x[i], candidates.y[i]);
    if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
    const path = paths[candidates.verdict[i]];
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
    ++count;
  }
  verdicts.forEach(({ colour }, v) => {
    context.fillStyle = `rgba(${colour}, 0.9)`;
    context.strokeStyle = "#0008";
    context.fill(paths[v]);
    if (radius > 3) context.stroke(paths[v]);
  });
  canvas.dataset.candidates = count;
}

function draw_keypoint(context, i) {
  const { x, y, scale, orientation } = data.keypoints;
  const [at_x, at_y] = to_screen(x[i], y[i]), radius = Math.max(3, scale[i] * view.zoom);
  context.moveTo(at_x + radius, at_y);
  context.arc(at_x, at_y, radius, 0, 2 * Math.PI);
  context.moveTo(at_x, at_y);
  context.lineTo(at_x + radius * Math.cos(orientation[i]), at_y + radius * Math.sin(orientation[i]));
}

function draw_keypoints(context) {
  context.beginPath();
  for (let i = 0; i < data.keypoints.x.length; ++i) {
    if (in_chosen_octave(data.keypoints.octave[i], data.keypoints.layer[i])) draw_keypoint(context, i);
  }
  context.strokeStyle = "#000a";
  context.lineWidth = 3;
  context.stroke();
  context.strokeStyle = "#ffd34d";
  context.lineWidth = 1.2;
  context.stroke();
}

/// The keypoint that is looked at: its circle and the window of its descriptor.
function draw_chosen(context, i) {
  const { x, y, scale, orientation } = data.keypoints;
  context.beginPath();
  draw_keypoint(context, i);
  const [at_x, at_y] = to_screen(x[i], y[i]), half = 6 * scale[i] * view.zoom;
  const cosine = Math.cos(orientation[i]) * half, sine = Math.sin(orientation[i]) * half;
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  corners.forEach(([u, v], k) => {
    context[k === 0 ? "moveTo" : "lineTo"](at_x + u * cosine - v * sine, at_y + u * sine + v * cosine);
  });
  context.closePath();
  context.strokeStyle = "#000c";
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = "#5aaaff";
  context.lineWidth = 2;
  context.stroke();
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
  const { picture } = view, ratio = window.devicePixelRatio || 1, { width, height } = canvas_size();
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  if (picture.bytes) {
    const [left, top] = to_screen(picture.origin, picture.origin);
    const pixel = picture.step * view.zoom;
    context.imageSmoothingEnabled = pixel < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(with_gain(picture, view.gain), left, top, pixel * picture.columns, pixel * picture.rows);
  }
  canvas.dataset.candidates = 0;
  if (candidates_shown()) draw_candidates(context);
  if (keypoints_shown()) draw_keypoints(context);
  if (view.keypoint >= 0 && picture.stage !== "packed") draw_chosen(context, view.keypoint);
  canvas.dataset.zoom = view.zoom;
  canvas.dataset.picture = picture.title;
}

/// Looks at a picture. The place stays, unless the picture has none in common with the one before.
async function choose(picture) {
  const moves = (picture.stage === "packed") !== (view.picture.stage === "packed");
  view.picture = picture;
  await decoded(picture);
  by("title").textContent = picture.title;
  document.querySelectorAll("figure").forEach((f) => f.classList.toggle("chosen", f.picture === picture));
  by("gains").style.visibility = picture.signed ? "visible" : "hidden";
  by("overlays").style.visibility = picture.stage === "packed" ? "hidden" : "visible";
  count_verdicts();
  if (moves) fit();
  else draw();
}

/// To the next level or octave, if there is one.
function step_to(stage, octave, level) {
  const next = plane(stage, octave, level);
  if (next) choose(next);
}

// ------------------------------------------------------------------------------------------------------ the controls

let dragged_from = null;
canvas.addEventListener("pointerdown", (event) => {
  dragged_from = [event.offsetX, event.offsetY];
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointerup", () => { dragged_from = null; });
canvas.addEventListener("pointermove", (event) => {
  if (dragged_from) {
    view.x -= (event.offsetX - dragged_from[0]) / view.zoom;
    view.y -= (event.offsetY - dragged_from[1]) / view.zoom;
    dragged_from = [event.offsetX, event.offsetY];
    draw();
  }
  const { picture } = view, [x, y] = from_screen(event.offsetX, event.offsetY);
  tell(picture, (x - picture.origin) / picture.step, (y - picture.origin) / picture.step);
  tell_candidate(event.offsetX, event.offsetY);
});
canvas.addEventListener("pointerleave", () => { by("tooltip").hidden = true; });
canvas.addEventListener("dblclick", (event) => zoom(2, event.offsetX, event.offsetY));
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.002 : 0.06)), event.offsetX, event.offsetY);
}, { passive: false });
canvas.addEventListener("click", (event) => {
  if (!keypoints_shown()) return;
  const i = nearest(data.keypoints, event.offsetX, event.offsetY, 10,
                    (k) => in_chosen_octave(data.keypoints.octave[k], data.keypoints.layer[k]));
  if (i >= 0) choose_keypoint(i, false);
});

/// Which of the points is drawn nearest to a place of the canvas; −1: none within so many pixels.
function nearest(points, screen_x, screen_y, within, wanted) {
  let best = -1, best_distance = within;
  for (let i = 0; i < points.x.length; ++i) {
    if (!wanted(i)) continue;
    const [x, y] = to_screen(points.x[i], points.y[i]), distance = Math.hypot(x - screen_x, y - screen_y);
    if (distance < best_distance) [best, best_distance] = [i, distance];
  }
  return best;
}

function tell_candidate(screen_x, screen_y) {
  const tooltip = by("tooltip"), { candidates, options } = data;
  const i = candidates_shown() ? nearest(candidates, screen_x, screen_y, 9, candidate_visible) : -1;
  tooltip.hidden = i < 0;
  if (i < 0) return;
  const ratio = candidates.ratio[i], contrast = Math.abs(candidates.value[i]) * options.layers;
  const { name, colour } = data.verdicts[candidates.verdict[i]];
  tooltip.replaceChildren(element("b", { textContent: name }), [
    "",
    `contrast ${contrast.toFixed(4)}, to be kept at least ${options.contrast_threshold}`,
    ratio === 0 ? "curvature ratio not known" : `curvature ratio ${ratio === null ? "infinite" : ratio.toFixed(1)}` +
      (options.edge_threshold > 0 ? `, to be kept at most ${options.edge_threshold}` : ""),
    candidates.value[i] < 0 ? "brighter than around it" : "darker than around it",
    `at ${candidates.x[i]}, ${candidates.y[i]}   scale ${candidates.scale[i]}`,
    `octave ${minus(candidates.octave[i])}, layer ${candidates.layer[i]}, pixel ${candidates.column[i]}, ${candidates.row[i]}`,
  ].join("\n"));
  tooltip.firstChild.style.color = `rgb(${colour})`;
  const { width, height } = canvas_size();
  tooltip.style.left = `${Math.min(screen_x + 14, width - tooltip.offsetWidth - 4)}px`;
  const below = canvas.offsetTop + screen_y + 14;
  tooltip.style.top = `${Math.min(below, canvas.offsetTop + height - tooltip.offsetHeight - 4)}px`;
}

by("closer").onclick = () => zoom_about_middle(1.5);
by("farther").onclick = () => zoom_about_middle(1 / 1.5);
by("fit").onclick = fit;
by("wide").onclick = () => by("viewer").classList.toggle("wide");
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
  Escape: () => by("viewer").classList.remove("wide"),
  ArrowRight: (p) => step_to(p.stage, p.octave, p.level + 1),
  ArrowLeft: (p) => step_to(p.stage, p.octave, p.level - 1),
  ArrowDown: (p) => step_to(p.stage, p.octave + 1, p.level),
  ArrowUp: (p) => step_to(p.stage, p.octave - 1, p.level),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act(view.picture);
});
new ResizeObserver(draw).observe(canvas);

// -------------------------------------------------------------------------------------------------- the contact sheet

function thumbnail(picture, caption) {
  const image = element("img", { src: picture.picture, alt: picture.title, draggable: false });
  const figure = element("figure", { picture, title: picture.title }, image, element("figcaption", {}, caption));
  figure.dataset.title = picture.title;
  figure.onclick = () => choose(picture);
  image.onpointermove = (event) => {
    tell(picture, ((event.offsetX - 2) / (image.clientWidth - 4)) * picture.columns,
         ((event.offsetY - 2) / (image.clientHeight - 4)) * picture.rows);
  };
  return figure;
}

function fill_sheet() {
  const sheet = by("sheet");
  const across = Math.max(1, ...data.octaves.map((o) => o.blurs));
  const strip = (figures) => {
    const made = element("div", { className: "strip" }, ...figures);
    made.style.gridTemplateColumns = `repeat(${across}, 1fr)`;
    return made;
  };
  const whole = [thumbnail(pictures[0], "photograph")];
  if (packed) whole.push(thumbnail(packed, "packed differences"));
  sheet.append(strip(whole));
  for (const { octave, width, height, keypoints } of data.octaves) {
    sheet.append(element("h2", {}, `octave ${minus(octave)} `, element("small", {},
      `${width}\u00d7${height}, a pixel is ${2 ** octave} of the image \u00b7 ${number(keypoints)} keypoints`)));
    for (const stage of [...new Set(data.planes.filter((p) => p.octave === octave && p.stage !== "packed").map((p) => p.stage))]) {
      sheet.append(strip(pictures.filter((p) => p.stage === stage && p.octave === octave)
        .map((p) => thumbnail(p, `${stage} ${p.level}${p.signed ? "" : ` \u00b7 \u03c3 ${p.sigma.toFixed(2)}`}`))));
    }
  }
}

// ---------------------------------------------------------------------------------------------- filters and verdicts

function fill_filters() {
  const octaves = by("octaves");
  const option = (value, text) => octaves.append(element("option", { value, textContent: text }));
  option("this", "this octave");
  option("this layer", "this octave and layer");
  option("all", "all octaves");
  for (const { octave } of data.octaves) option(String(octave), `octave ${minus(octave)}`);
  octaves.onchange = () => {
    count_verdicts();
    sort_keypoints();
    draw();
  };
  data.verdicts.forEach(({ name, colour }, v) => {
    if (!data.octaves.some((o) => o.verdicts[name] > 0)) return;
    const box = element("input", { type: "checkbox", checked: true });
    box.dataset.verdict = name;
    box.onchange = () => {
      if (box.checked) hidden_verdicts.delete(v);
      else hidden_verdicts.add(v);
      draw();
    };
    const swatch = element("span", { className: "swatch" });
    swatch.style.background = `rgb(${colour})`;
    by("verdicts").append(element("label", {}, box, swatch, `${name} `, element("small", { className: "count" })));
  });
  for (const id of ["show-candidates", "show-keypoints"]) by(id).onchange = draw;
}

/// How many there are of each verdict in what is looked at: all, also those that the page does not hold.
function count_verdicts() {
  for (const box of document.querySelectorAll("[data-verdict]")) {
    const counted = data.octaves.filter((o) => in_chosen_octave(o.octave, view.picture.level));
    const sum = counted.reduce((all, o) => all + o.verdicts[box.dataset.verdict], 0);
    box.parentElement.querySelector(".count").textContent =
      by("octaves").value === "this layer" ? "" : number(sum);
  }
}

// ---------------------------------------------------------------------------------------------------------- keypoints

const keypoint_columns = [
  ["octave", (k, i) => k.octave[i], (v) => minus(v)],
  ["layer", (k, i) => k.layer[i], String],
  ["x", (k, i) => k.x[i], (v) => v.toFixed(2)],
  ["y", (k, i) => k.y[i], (v) => v.toFixed(2)],
  ["scale", (k, i) => k.scale[i], (v) => v.toFixed(2)],
  ["orientation", (k, i) => (k.orientation[i] * 180) / Math.PI, (v) => `${v.toFixed(1)}\u00b0`],
  ["response", (k, i) => k.response[i], (v) => v.toFixed(5)],
];
const rows_shown = 300;
const sorting = { column: 6, down: true };

function sort_keypoints() {
  const { keypoints } = data, [, key] = keypoint_columns[sorting.column];
  const wanted = by("octaves").value;
  const chosen = keypoints.x.map((_, i) => i)
    .filter((i) => wanted === "all" || wanted.startsWith("this") || keypoints.octave[i] === Number(wanted))
    .sort((a, b) => (key(keypoints, a) - key(keypoints, b)) * (sorting.down ? -1 : 1) || a - b);
  const head = element("tr");
  keypoint_columns.forEach(([name], c) => {
    const cell = element("th", { textContent: name + (c === sorting.column ? (sorting.down ? " \u25be" : " \u25b4") : "") });
    cell.classList.toggle("sorted", c === sorting.column);
    cell.onclick = () => {
      sorting.down = c === sorting.column ? !sorting.down : c === 6;
      sorting.column = c;
      sort_keypoints();
    };
    head.append(cell);
  });
  const body = element("tbody");
  for (const i of chosen.slice(0, rows_shown)) {
    const row = element("tr", { keypoint: i, onclick: () => choose_keypoint(i, true) });
    row.classList.toggle("chosen", i === view.keypoint);
    for (const [, get, text] of keypoint_columns) row.append(element("td", { textContent: text(get(keypoints, i)) }));
    body.append(row);
  }
  by("keypoint-table").replaceChildren(element("thead", {}, head), body);
  const held = keypoints.x.length;
  by("keypoints-shown").textContent =
    `${number(Math.min(rows_shown, chosen.length))} of ${number(chosen.length)} rows` +
    (held < keypoints.total ? `, of the strongest ${number(held)} of ${number(keypoints.total)} keypoints` : "") +
    `. Choose the octave above; a row shows its keypoint, and its descriptor.`;
}

/// Marks a keypoint, and moves the view to it if asked to.
function choose_keypoint(i, moves) {
  view.keypoint = i;
  document.querySelectorAll("#keypoint-table tbody tr").forEach((row) => row.classList.toggle("chosen", row.keypoint === i));
  if (moves && view.picture.stage !== "packed") {
    const { width, height } = canvas_size();
    view.x = data.keypoints.x[i];
    view.y = data.keypoints.y[i];
    view.zoom = Math.max(view.zoom, Math.min(width, height) / (40 * data.keypoints.scale[i]));
  }
  show_descriptor(i);
  draw();
}

// ---------------------------------------------------------------------------------------------------- the descriptor

function descriptor_of(i) {
  const text = data.keypoints.descriptor[i];
  return text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null;
}

/// The keypoint's window in the blur it was taken from, and a rose in each cell; `side` pixels.
async function draw_roses(context, side, i, descriptor) {
  const { keypoints } = data, cells_shown = 3.2;
  const cell = side / (2 * cells_shown), zoom_in = cell / (3 * keypoints.scale[i]);
  context.fillStyle = "#0b0d10";
  context.fillRect(0, 0, side, side);
  const blur = plane("blur", keypoints.octave[i], keypoints.layer[i]);
  if (blur) {
    await decoded(blur);
    const pixel = blur.step * zoom_in;
    context.globalAlpha = 0.75;
    context.drawImage(blur.image, side / 2 + (blur.origin - keypoints.x[i]) * zoom_in,
                      side / 2 + (blur.origin - keypoints.y[i]) * zoom_in, pixel * blur.columns, pixel * blur.rows);
    context.globalAlpha = 1;
  }
  context.save();
  context.translate(side / 2, side / 2);
  context.rotate(keypoints.orientation[i]);
  context.beginPath();
  for (let k = -2; k <= 2; ++k) {
    context.moveTo(k * cell, -2 * cell);
    context.lineTo(k * cell, 2 * cell);
    context.moveTo(-2 * cell, k * cell);
    context.lineTo(2 * cell, k * cell);
  }
  context.strokeStyle = "#5aaaff";
  context.stroke();
  // Directions count from the orientation against the sense of the angle.
  const unit = (0.48 * cell) / Math.max(1, ...descriptor);
  context.beginPath();
  descriptor.forEach((value, bin) => {
    const d = bin % 8, column = (bin >> 3) % 4, row = bin >> 5;
    const x = (column - 1.5) * cell, y = (row - 1.5) * cell, angle = (-d * Math.PI) / 4;
    context.moveTo(x, y);
    context.lineTo(x + value * unit * Math.cos(angle), y + value * unit * Math.sin(angle));
  });
  context.strokeStyle = "#ffbe3c";
  context.lineWidth = 2;
  context.stroke();
  context.beginPath();
  context.arc(0, 0, cell / 3, 0, 2 * Math.PI);
  context.moveTo(0, 0);
  context.lineTo(cell / 3, 0);
  context.strokeStyle = "#00dc82";
  context.stroke();
  context.restore();
}

/// The chosen point's picture is exact; that of others is drawn from the page's thumbnails.
async function show_descriptor(i) {
  const roses = by("roses"), numbers = by("numbers"), { keypoints } = data, descriptor = descriptor_of(i);
  numbers.replaceChildren();
  by("descriptor-of").textContent =
    `Keypoint at ${keypoints.x[i].toFixed(2)}, ${keypoints.y[i].toFixed(2)}, scale ${keypoints.scale[i].toFixed(2)}, ` +
    `orientation ${((keypoints.orientation[i] * 180) / Math.PI).toFixed(1)}\u00b0, octave ${minus(keypoints.octave[i])}, ` +
    `layer ${keypoints.layer[i]}.` + (descriptor ? " Arrows point along the image's gradients; numbers are the bytes, 8 directions a cell."
      : ` The page does not hold its descriptor: octavo inspect --point ${keypoints.x[i]},${keypoints.y[i]} shows it.`);
  roses.hidden = !descriptor;
  roses.dataset.keypoint = i;
  if (!descriptor) return;
  const context = roses.getContext("2d");
  if (data.point?.index === i) {
    const picture = new Image();
    picture.src = data.point.picture;
    await picture.decode();
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, roses.width, roses.height);
  } else {
    await draw_roses(context, roses.width, i, descriptor);
  }
  for (let cell = 0; cell < 16; ++cell) {
    const box = element("div");
    for (const value of descriptor.slice(8 * cell, 8 * cell + 8)) {
      const shown = element("span", { textContent: value });
      shown.style.background = `rgba(255, 190, 60, ${((value / 255) * 0.6).toFixed(2)})`;
      box.append(shown);
    }
    numbers.append(box);
  }
}

// ------------------------------------------------------------------------------------------------------- other tabs

function fill_counts() {
  const shown = data.verdicts.filter(({ name }) => data.octaves.some((o) => o.verdicts[name] > 0));
  const row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {}, c)));
  const lines = data.octaves.map((o) => {
    const total = shown.reduce((sum, { name }) => sum + o.verdicts[name], 0);
    const share = element("div", { className: "share" });
    for (const { name, colour } of shown) {
      const part = element("span", { title: `${name}: ${number(o.verdicts[name])}` });
      part.style.flex = `${o.verdicts[name]} 0 0`;
      part.style.background = `rgb(${colour})`;
      share.append(part);
    }
    return row("td", [minus(o.octave), `${o.width}\u00d7${o.height}`, number(o.faint.reduce((a, b) => a + b, 0)), number(total),
                      ...shown.map(({ name }) => number(o.verdicts[name])), number(o.keypoints), share]);
  });
  by("counts").append(
    element("p", {}, "Candidates are extrema of the differences beyond half the contrast threshold. " +
      "Faint extrema, below that, are only counted: the engine looks no further at them."),
    element("table", {}, element("thead", {}, row("th", ["octave", "pixels", "faint", "candidates",
      ...shown.map(({ name }) => name), "keypoints", "shares"])), element("tbody", {}, ...lines)));
}

function fill_about() {
  const { candidates, options } = data;
  const paragraph = (text) => by("about").append(element("p", {}, text));
  const heading = (text) => by("about").append(element("h3", {}, text));
  heading("What is shown");
  paragraph(`The page holds ${number(candidates.x.length)} of ${number(candidates.total)} candidates` +
    (candidates.x.length < candidates.total ? ", the strongest of every octave and verdict in equal shares; inspect.json has them all." : ".") +
    ` Of ${number(data.keypoints.total)} keypoints it holds ${number(data.keypoints.x.length)}, and the descriptors of ` +
    `${number(Object.keys(data.keypoints.descriptor).length)}.`);
  heading("Pictures and values");
  paragraph("Blurs run linearly from the least value of the first blur (black) to its greatest (white), images being 0\u20261. " +
    "Differences are grey at 0 and linear to \u00b1w, where of 200 values of the octave 199 lie between; what is beyond is told as \u2264 or \u2265. " +
    "Pictures are bytes: the value under the pointer is right to half a step, which stands beside it. Large planes are shown reduced: " +
    "a pixel is then the mean of the pixels that are named, or of a difference that which is farthest from 0.");
  paragraph("Pixels of an octave count from 0 at its upper left; (0, 0) of the image is the centre of its first pixel; pixel i of " +
    "octave o lies at i\u00b72\u1d52 of the image.");
  heading("Keys");
  paragraph("\u2190 \u2192 level, \u2191 \u2193 octave (the place stays: flip through the stages), + \u2212 zoom, 0 whole picture, f fill the window, " +
    "c candidates, k keypoints. Drag moves, the wheel zooms; with keypoints shown, a click chooses one.");
  heading("Options");
  paragraph(Object.entries(options).map(([name, value]) => `${name} ${value}`).join(" \u00b7 "));
}

function choose_tab(name) {
  document.querySelectorAll("#tabs button").forEach((b) => b.classList.toggle("chosen", b.dataset.tab === name));
  document.querySelectorAll(".tab").forEach((tab) => { tab.hidden = tab.id !== name; });
}
document.querySelectorAll("#tabs button").forEach((b) => { b.onclick = () => choose_tab(b.dataset.tab); });

// ------------------------------------------------------------------------------------------------------------- start

document.title = `${pictures[0].title} \u2013 octavo inspect`;
by("name").textContent = pictures[0].title;
by("name").title = data.image;
by("summary").textContent = `${data.width}\u00d7${data.height} \u00b7 ${data.octaves.length} octaves of ` +
  `${data.options.layers + 3} blurs and ${data.options.layers + 2} differences \u00b7 ` +
  `${number(data.candidates.total)} candidates \u00b7 ${number(data.keypoints.total)} keypoints`;
fill_sheet();
fill_filters();
fill_counts();
fill_about();
sort_keypoints();
choose_tab("keypoints");
if (data.point) choose_keypoint(data.point.index, false);
choose(pictures[0]).then(() => {
  fit();
  document.body.dataset.ready = "yes";
});
