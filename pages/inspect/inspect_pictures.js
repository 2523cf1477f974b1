// Each picture holds the places of its pixels in the image, so that the view keeps its place when another picture is
// chosen. A linear mapping, the inverse of the one that made the bytes, turns the bytes of a picture into values.

const minus = (text) => String(text).replace("-", "\u2212");
const stage_name = (stage) => stage.replace("_", " ");
const table_row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {}, c)));

/// Adds the mapping into the image: place t of the picture (continuous, 0 is its left edge) is origin + step·t in the
/// image (0 is the centre of the first pixel).
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
    picture.title = detector.title_of(picture);
  }
  picture.columns = Math.ceil(picture.width / (picture.factor || 1));
  picture.rows = Math.ceil(picture.height / (picture.factor || 1));
  return picture;
}

const pictures = [placed({ stage: "photograph", ...data.photograph }), ...data.planes.map(placed)];
/// The picture of a stage, group (octave, scale) and level.
const plane = (stage, group, level) =>
  pictures.find((p) => p.stage === stage && detector.group_of(p) === group && p.level === level);
const packed = plane("packed", 0, 0);

/// The picture with its bytes, one for each pixel. They are decoded once.
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

/// The picture in full size, from a file that `octavo inspect --full` wrote into the page's folder. The result is null
/// if there is no such file, until it is loaded, and while the thumbnail shows as much. `pixel` is the size of a
/// thumbnail's pixel on the screen.
function full_size(picture, pixel) {
  if (!picture.full || pixel <= 1) return null;
  if (!picture.asked_for_full) {
    picture.asked_for_full = true;
    const image = new Image();
    image.src = picture.full;
    image.decode().then(
      () => {
        const is_same = image.naturalWidth === picture.width && image.naturalHeight === picture.height;
        if (is_same) picture.full_image = image; // a file of another run is not used
        draw();
      },
      () => {},
    );
  }
  return picture.full_image ?? null;
}

/// The value of a byte of a picture. Its accuracy is half the step between two bytes.
function value_of(picture, byte) {
  if (picture.signed) {
    const clipped = byte <= 1 ? "\u2264 " : byte >= 255 ? "\u2265 " : "";
    return { value: ((byte - 128) / 127) * picture.white, accuracy: picture.white / 254, clipped };
  }
  const range = picture.white - picture.black;
  const clipped =
    picture.peaks && byte === 0 ? "\u2264 " : picture.stage === "derivative" && byte === 255 ? "\u2265 " : "";
  return { value: picture.black + (byte / 255) * range, accuracy: range / 510, clipped };
}

/// A copy of a difference with more contrast, which is drawn in its place.
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

/// Shows the value of pixel (i, j) of a picture in the status line, unless another value is requested while the picture
/// is decoded.
let requests = 0;
async function show_value(picture, i, j) {
  const status = by("status"),
    request = ++requests;
  i = Math.floor(i);
  j = Math.floor(j);
  const inside = i >= 0 && j >= 0 && i < picture.columns && j < picture.rows;
  if (!inside) {
    status.textContent = picture.title;
    for (const key of Object.keys(status.dataset)) delete status.dataset[key];
    return;
  }
  if (picture.stage === "photograph") {
    status.textContent =
      `image ${minus(((i + 0.5) * picture.step + picture.origin).toFixed(1))}, ` +
      minus(((j + 0.5) * picture.step + picture.origin).toFixed(1));
    return;
  }
  await decoded(picture);
  if (request !== requests) return;
  const { factor } = picture;
  const span = (at, size) => [at * factor, Math.min((at + 1) * factor, size) - 1];
  const [left, right] = span(i, picture.width),
    [top, bottom] = span(j, picture.height);
  const { value, accuracy, clipped } = value_of(picture, picture.bytes[j * picture.columns + i]);
  const places = Math.max(3, Math.ceil(-Math.log10(accuracy)) + 1);
  const parts = [picture.title];
  parts.push(
    factor === 1
      ? `pixel ${left}, ${top}`
      : `${picture.signed ? "strongest" : picture.peaks ? "greatest" : "mean"} of pixels ${left}\u2026${right}, ${top}\u2026${bottom}`,
  );
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
