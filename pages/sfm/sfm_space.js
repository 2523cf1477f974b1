// Vectors and matrices of the view of space. A matrix is 16 numbers, column by column, as WebGL takes it.

const { report, spaces } = data;

const plus = (a, b, factor = 1) => a.map((value, i) => value + factor * b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
function unit(a) {
  const length = Math.hypot(...a);
  return length > 1e-12 ? a.map((value) => value / length) : [0, 0, 1];
}

/// `a` turned about the unit vector `axis` by an angle.
function turned(a, axis, angle) {
  const cosine = Math.cos(angle),
    sine = Math.sin(angle);
  return plus(
    plus(
      a.map((value) => value * cosine),
      cross(axis, a),
      sine,
    ),
    axis,
    dot(axis, a) * (1 - cosine),
  );
}

function times(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; ++column) {
    for (let row = 0; row < 4; ++row) {
      for (let k = 0; k < 4; ++k) product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return product;
}

/// The shorter side of the window shows 46 degrees.
function perspective(aspect, near, far) {
  const length = 1 / Math.tan(0.4),
    depth = near - far;
  // biome-ignore format: a matrix
  return [length / Math.max(aspect, 1), 0, 0, 0, 0, length * Math.min(aspect, 1), 0, 0,
    0, 0, (near + far) / depth, -1, 0, 0, 2 * near * far / depth, 0];
}

/// From the model to an eye at `place` that looks along −back.
function view_from(place, right, up, back) {
  // biome-ignore format: a matrix
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, place), -dot(up, place), -dot(back, place), 1];
}

function bytes_of(text) {
  const binary = atob(text),
    bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const quantile = (values, share) =>
  values.length === 0 ? 0 : values.slice().sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/// Axes to the east, the north and up from the origin, a round number of metres long, with their names and colours.
function axes_of(radius) {
  const most = radius / 3,
    power = 10 ** Math.floor(Math.log10(most)),
    length = power * [5, 2, 1].find((factor) => factor * power <= most);
  return [
    { name: `east, ${Number(length.toPrecision(1))} m`, end: [length, 0, 0], colour: [240, 90, 80] },
    { name: "north", end: [0, length, 0], colour: [100, 210, 120] },
    { name: "up", end: [0, 0, length], colour: [110, 165, 255] },
  ];
}

/// A model as arrays: places and colours of points, cameras, and what the view frames: the middle, the radius, a sample
/// of places, the way up. A few points far away must not make the rest small, so both numbers are quantiles. In metres z
/// is up, and there are axes.
function space_of({ points, cameras }, is_in_metres) {
  const places = new Float32Array(bytes_of(points.places).buffer),
    colours = bytes_of(points.colours);
  const step = Math.max(1, Math.floor(points.count / 5000)),
    axis = [0, 1, 2];
  const sample = [];
  for (let i = 0; i < points.count; i += step) sample.push([...places.subarray(3 * i, 3 * i + 3)]);
  const all = sample.length > 0 ? sample : cameras.map((camera) => camera.centre);
  const middle = axis.map((k) =>
    quantile(
      all.map((place) => place[k]),
      0.5,
    ),
  );
  const reach = (list) =>
    quantile(
      list.map((place) => Math.hypot(...plus(place, middle, -1))),
      0.9,
    );
  const radius = Math.max(reach(all), reach(cameras.map((camera) => camera.centre))) || 1;
  const above = cameras.reduce((sum, camera) => plus(sum, camera.axes[1], -1), [0, 0, 0]);
  const up = is_in_metres ? [0, 0, 1] : unit(above);
  const axes = is_in_metres ? axes_of(radius) : [];
  const ahead = unit(cameras.reduce((sum, camera) => plus(sum, camera.axes[2]), [0, 0, 0]));
  const near = sample.filter((place) => Math.hypot(...plus(place, middle, -1)) <= 1.5 * radius);
  return {
    places,
    colours,
    count: points.count,
    cameras,
    middle,
    radius,
    up,
    ahead,
    axes,
    framed: [...near, ...cameras.map((camera) => camera.centre), ...axes.map((axis) => axis.end)],
  };
}
