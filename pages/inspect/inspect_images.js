// Each image holds the places of its pixels in the image, so that the view keeps its place when another image is
// chosen. A linear mapping, the inverse of the one that made the bytes, turns the bytes of an image into values.

const minus = (text) => String(text).replace("-", "\u2212");
const stage_name = (stage) => stage.replace("_", " ");
const table_row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {}, c)));

/// Adds the mapping into the image: place t of the image (continuous, 0 is its left edge) is origin + step·t in the
/// image (0 is the centre of the first pixel).
function placed(image) {
  if (image.stage === "photograph") {
    image.step = 1 / image.pixels_per_pixel;
    image.origin = -0.5;
    image.title = data.image.split("/").pop();
  } else if (image.stage === "packed") {
    image.step = image.factor;
    image.origin = -0.5;
    image.title = "packed differences";
  } else {
    const pixel = 2 ** image.octave;
    image.step = image.factor * pixel;
    image.origin = -0.5 * pixel;
    image.title = detector.title_of(image);
  }
  image.columns = Math.ceil(image.width / (image.factor || 1));
  image.rows = Math.ceil(image.height / (image.factor || 1));
  return image;
}

const images = [placed({ stage: "photograph", ...data.photograph }), ...data.planes.map(placed)];
/// The image of a stage, group (octave, scale) and level.
const plane = (stage, group, level) =>
  images.find((p) => p.stage === stage && detector.group_of(p) === group && p.level === level);
const packed = plane("packed", 0, 0);

/// The image with its bytes, one for each pixel. They are decoded once.
async function decoded(image) {
  if (image.bytes) return image;
  const loaded = new Image();
  loaded.src = image.image;
  await loaded.decode();
  const canvas = element("canvas", { width: loaded.naturalWidth, height: loaded.naturalHeight });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(loaded, 0, 0);
  image.canvas = canvas;
  image.bytes = context.getImageData(0, 0, canvas.width, canvas.height).data.filter((_, i) => i % 4 === 0);
  return image;
}

/// The image in full size, from a file that `octavo inspect --full` wrote into the page's folder. The result is null
/// if there is no such file, until it is loaded, and while the thumbnail shows as much. `pixel` is the size of a
/// thumbnail's pixel on the screen.
function full_size(image, pixel) {
  if (!image.full || pixel <= 1) return null;
  if (!image.asked_for_full) {
    image.asked_for_full = true;
    const loaded = new Image();
    loaded.src = image.full;
    loaded.decode().then(
      () => {
        const is_same = loaded.naturalWidth === image.width && loaded.naturalHeight === image.height;
        if (is_same) image.full_image = loaded; // a file of another run is not used
        draw();
      },
      () => {},
    );
  }
  return image.full_image ?? null;
}

/// The value of a byte of an image. Its accuracy is half the step between two bytes.
function value_of(image, byte) {
  if (image.signed) {
    const clipped = byte <= 1 ? "\u2264 " : byte >= 255 ? "\u2265 " : "";
    return { value: ((byte - 128) / 127) * image.white, accuracy: image.white / 254, clipped };
  }
  const range = image.white - image.black;
  const clipped = image.peaks && byte === 0 ? "\u2264 " : image.stage === "derivative" && byte === 255 ? "\u2265 " : "";
  return { value: image.black + (byte / 255) * range, accuracy: range / 510, clipped };
}

/// A copy of a difference with more contrast, which is drawn in its place.
function with_gain(image, gain) {
  if (!image.signed || gain === 1) return image.canvas;
  if (image.gained?.gain === gain) return image.gained.canvas;
  const canvas = element("canvas", { width: image.columns, height: image.rows });
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(canvas.width, canvas.height);
  for (let i = 0; i < image.bytes.length; ++i) {
    pixels.data.fill(128 + (image.bytes[i] - 128) * gain, 4 * i, 4 * i + 3);
    pixels.data[4 * i + 3] = 255;
  }
  context.putImageData(pixels, 0, 0);
  image.gained = { gain, canvas };
  return canvas;
}

/// The tile of the packed pyramid that a pixel lies in.
function tile_of(column, row) {
  let width = packed.width / 2,
    height = packed.height / 2,
    octave = data.options.first_octave;
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

/// Shows the value of pixel (i, j) of an image in the status line, unless another value is requested while the image
/// is decoded.
let requests = 0;
async function show_value(image, i, j) {
  const status = by("status"),
    request = ++requests;
  i = Math.floor(i);
  j = Math.floor(j);
  const inside = i >= 0 && j >= 0 && i < image.columns && j < image.rows;
  if (!inside) {
    status.textContent = image.title;
    for (const key of Object.keys(status.dataset)) delete status.dataset[key];
    return;
  }
  if (image.stage === "photograph") {
    status.textContent =
      `image ${minus(((i + 0.5) * image.step + image.origin).toFixed(1))}, ` +
      minus(((j + 0.5) * image.step + image.origin).toFixed(1));
    return;
  }
  await decoded(image);
  if (request !== requests) return;
  const { factor } = image;
  const span = (at, size) => [at * factor, Math.min((at + 1) * factor, size) - 1];
  const [left, right] = span(i, image.width),
    [top, bottom] = span(j, image.height);
  const { value, accuracy, clipped } = value_of(image, image.bytes[j * image.columns + i]);
  const places = Math.max(3, Math.ceil(-Math.log10(accuracy)) + 1);
  const parts = [image.title];
  parts.push(
    factor === 1
      ? `pixel ${left}, ${top}`
      : `${image.signed ? "strongest" : image.peaks ? "greatest" : "mean"} of pixels ${left}\u2026${right}, ${top}\u2026${bottom}`,
  );
  if (image.stage === "packed") {
    parts.push(tile_of(left, top));
  } else {
    const pixel = 2 ** image.octave;
    parts.push(`image ${(((left + right) / 2) * pixel).toFixed(2)}, ${(((top + bottom) / 2) * pixel).toFixed(2)}`);
  }
  parts.push(`value ${clipped}${minus(value.toFixed(places))} \u00b1 ${accuracy.toFixed(places)}`);
  status.textContent = parts.join("   ");
  Object.assign(status.dataset, { column: i, row: j, value, accuracy, factor, clipped: clipped !== "" });
}
