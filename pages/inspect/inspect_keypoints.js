// The table of keypoints, and the descriptor of the chosen keypoint.

const all_keypoint_columns = [
  ["octave", (k, i) => k.octave[i], (v) => minus(v)],
  ["layer", (k, i) => k.layer[i], String],
  ["x", (k, i) => k.x[i], (v) => v.toFixed(2)],
  ["y", (k, i) => k.y[i], (v) => v.toFixed(2)],
  ["scale", (k, i) => k.scale[i], (v) => v.toFixed(2)],
  ["orientation", (k, i) => (k.orientation[i] * 180) / Math.PI, (v) => `${v.toFixed(1)}\u00b0`],
  ["response", (k, i) => k.response[i], (v) => v.toFixed(5)],
];
const keypoint_columns = all_keypoint_columns.filter(([name]) => detector.keypoint_columns.includes(name));
const rows_shown = 300;
const by_response = keypoint_columns.length - 1;
const sorting = { column: by_response, down: true };

function sort_keypoints() {
  const { keypoints } = data,
    [, key] = keypoint_columns[sorting.column];
  const is_chosen = (octave, layer) => view.image.stage === "packed" || keypoint_chosen(octave, layer);
  const chosen = keypoints.x
    .map((_, i) => i)
    .filter((i) => is_chosen(keypoints.octave[i], keypoints.layer[i]))
    .sort((a, b) => (key(keypoints, a) - key(keypoints, b)) * (sorting.down ? -1 : 1) || a - b);
  const head = element("tr");
  keypoint_columns.forEach(([name], c) => {
    const cell = element("th", {
      textContent: name + (c === sorting.column ? (sorting.down ? " \u25be" : " \u25b4") : ""),
    });
    cell.classList.toggle("sorted", c === sorting.column);
    cell.onclick = () => {
      sorting.down = c === sorting.column ? !sorting.down : c === by_response;
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
  const all = keypoints.totals.reduce((sum, at) => sum + (is_chosen(at.octave, at.layer) ? at.keypoint_count : 0), 0);
  const rows = Math.min(rows_shown, chosen.length);
  by("keypoints-shown").textContent =
    `Shown ${of_all(rows, all)}` +
    (rows < chosen.length ? `: the first ${number(rows)} of ${number(chosen.length)} rows` : "") +
    (chosen.length < all ? `; the page holds the strongest, inspect.json all` : "") +
    detector.keypoints_note;
}

/// Marks keypoint i, and moves the view to it if `moves`.
function choose_keypoint(i, moves) {
  view.keypoint = i;
  document
    .querySelectorAll("#keypoint-table tbody tr")
    .forEach((row) => row.classList.toggle("chosen", row.keypoint === i));
  if (moves && view.image.stage !== "packed") {
    const { width, height } = canvas_size();
    view.x = data.keypoints.x[i];
    view.y = data.keypoints.y[i];
    view.is_whole = false;
    view.zoom = Math.max(view.zoom, Math.min(width, height) / (40 * data.keypoints.scale[i]));
  }
  show_descriptor(i);
  draw();
}

function descriptor_of(i) {
  const text = data.keypoints.descriptor[i];
  return text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null;
}

/// Draws the keypoint's window in the blur that its descriptor was computed from, which is decoded, if the page has it,
/// and a rose in each cell. The drawing has `side` pixels on each side.
function draw_roses(context, side, i, descriptor, blur) {
  const { keypoints } = data,
    [a11, a12, a21, a22] = matrix_of(keypoints, i);
  const corner = 6 * Math.max(Math.hypot(a11 + a12, a21 + a22), Math.hypot(a11 - a12, a21 - a22));
  const zoom_in = side / (2 * 1.13 * corner);
  const stroke = (colour, add_lines) => {
    context.beginPath();
    in_frame_of(context, i, zoom_in, side / 2, side / 2, add_lines);
    context.strokeStyle = colour;
    context.stroke();
  };
  context.fillStyle = "#0b0d10";
  context.fillRect(0, 0, side, side);
  if (blur) {
    const pixel = blur.step * zoom_in;
    context.globalAlpha = 0.75;
    context.drawImage(
      blur.canvas,
      side / 2 + (blur.origin - keypoints.x[i]) * zoom_in,
      side / 2 + (blur.origin - keypoints.y[i]) * zoom_in,
      pixel * blur.columns,
      pixel * blur.rows,
    );
    context.globalAlpha = 1;
  }
  const cell = 3; // σ
  context.lineWidth = 1;
  stroke("#5aaaff", () => {
    for (let k = -2; k <= 2; ++k) {
      context.moveTo(k * cell, -2 * cell);
      context.lineTo(k * cell, 2 * cell);
      context.moveTo(-2 * cell, k * cell);
      context.lineTo(2 * cell, k * cell);
    }
  });
  // The directions of a descriptor count from the orientation, opposite to the sense of the angle.
  const unit = (0.48 * cell) / Math.max(1, ...descriptor);
  context.lineWidth = 2;
  stroke("#ffbe3c", () =>
    descriptor.forEach((value, bin) => {
      const d = bin % 8,
        column = (bin >> 3) % 4,
        row = bin >> 5;
      const x = (column - 1.5) * cell,
        y = (row - 1.5) * cell,
        angle = (-d * Math.PI) / 4;
      context.moveTo(x, y);
      context.lineTo(x + value * unit * Math.cos(angle), y + value * unit * Math.sin(angle));
    }),
  );
  stroke("#00dc82", () => add_dial(context));
}

let descriptor_requests = 0;
/// Shows the descriptor of keypoint i, unless that of another one is asked for meanwhile. The image of the point
/// chosen by --point is exact. The images of other points are drawn from the page's thumbnails.
async function show_descriptor(i) {
  const roses = by("roses"),
    numbers = by("numbers"),
    { keypoints } = data,
    descriptor = descriptor_of(i);
  const request = ++descriptor_requests;
  numbers.replaceChildren();
  by("descriptor-of").textContent =
    `Keypoint at ${keypoints.x[i].toFixed(2)}, ${keypoints.y[i].toFixed(2)}, scale ${keypoints.scale[i].toFixed(2)}, ` +
    `orientation ${((keypoints.orientation[i] * 180) / Math.PI).toFixed(1)}\u00b0, octave ${minus(keypoints.octave[i])}, ` +
    `layer ${keypoints.layer[i]}.` +
    (descriptor
      ? " Arrows point along the image's gradients; numbers are the bytes, 8 directions a cell."
      : ` The page does not hold its descriptor: octavo inspect --point ${keypoints.x[i]},${keypoints.y[i]} shows it.`);
  roses.hidden = !descriptor;
  roses.dataset.keypoint = i;
  if (!descriptor) return;
  const context = roses.getContext("2d");
  const exact = data.point?.index === i ? new Image() : null;
  const blur = exact ? null : plane("blur", keypoints.octave[i], keypoints.layer[i]);
  if (exact) {
    exact.src = data.point.image;
    await exact.decode();
  } else if (blur) {
    await decoded(blur);
  }
  if (request !== descriptor_requests) return;
  if (exact) {
    context.imageSmoothingQuality = "high";
    context.drawImage(exact, 0, 0, roses.width, roses.height);
  } else {
    draw_roses(context, roses.width, i, descriptor, blur);
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
