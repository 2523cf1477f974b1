// The plots of octavo bench report. The subject of a plot begins with the index of the image. Behind it stand the size
// of the image ("1920x1080"), the number of keypoints that was asked for (0: all), or both. And of octavo bench pyramid,
// whose subject is the index of a pyramid, and of octavo bench filter, whose subject is the name of an image.

const size_of = ({ width, height }) => `${width}x${height}`;
const milliseconds = { label: "time per image [ms]", log: true };
const in_milliseconds = (seconds) => 1000 * seconds;

const results_of = (index) => data.results.filter(({ image }) => image === data.images[Number(index)].name);

/// One line for each implementation through its results, with a band from quartile to quartile.
const lines_of = (results, x_of) =>
  data.implementations.map(({ name }) => ({
    label: name,
    points: results
      .filter(({ implementation }) => implementation === name)
      .map((result) => ({
        x: x_of(result),
        y: in_milliseconds(result.median_seconds),
        low: in_milliseconds(result.q1_seconds),
        high: in_milliseconds(result.q3_seconds),
      }))
      .sort((a, b) => a.x - b.x),
  }));

const plots = {
  by_size: (subject) => {
    const [image, budget] = subject.split(" ");
    return {
      x: { label: "megapixels", log: true },
      y: milliseconds,
      unit: "ms",
      series: lines_of(
        results_of(image).filter(({ max_features }) => max_features === Number(budget)),
        ({ width, height }) => (width * height) / 1e6,
      ),
    };
  },
  by_keypoints: (subject) => {
    const [image, size] = subject.split(" ");
    const results = results_of(image);
    // Two limits above the number of keypoints that there are give the same keypoints. The larger limit is shown.
    const limit = ({ max_features }) => max_features || Infinity;
    const is_larger = (result) => (other) =>
      other.implementation === result.implementation &&
      size_of(other) === size &&
      other.keypoint_count === result.keypoint_count &&
      limit(other) > limit(result);
    return {
      x: { label: "keypoints", log: true },
      y: milliseconds,
      unit: "ms",
      series: lines_of(
        results.filter((result) => size_of(result) === size && !results.some(is_larger(result))),
        ({ keypoint_count }) => keypoint_count,
      ),
    };
  },
  last_step: (name) => ({
    x: { label: "megapixels", log: true },
    y: { label: "last step [ms]", log: true },
    unit: "ms",
    series: data.implementations.map((one) => ({
      label: one.name,
      points: data.results
        .filter(({ image, implementation }) => image === name && implementation === one.name)
        .map((result) => ({
          x: (result.width * result.height) / 1e6,
          y: in_milliseconds(result.last_step_seconds),
        }))
        .sort((a, b) => a.x - b.x),
    })),
  }),
  iterations: (index) => {
    const pyramid = data.pyramids[Number(index)];
    const runs = pyramid.run_seconds.map(in_milliseconds);
    const level = (label, seconds) => ({
      label,
      steps: true,
      points: [
        { x: 1, y: in_milliseconds(seconds) },
        { x: runs.length, y: in_milliseconds(seconds) },
      ],
    });
    return {
      x: { label: "iteration", whole: true },
      y: { label: "time [ms]" },
      unit: "ms",
      series: [
        { label: "iterations", marks: true, points: runs.map((y, i) => ({ x: i + 1, y })) },
        level("median", pyramid.median_seconds),
        level("first quartile", pyramid.q1_seconds),
        level("third quartile", pyramid.q3_seconds),
      ],
    };
  },
  by_run: (subject) => {
    const [image, size, budget] = subject.split(" ");
    const results = results_of(image).filter(
      (result) => size_of(result) === size && result.max_features === Number(budget),
    );
    return {
      x: { label: "run", whole: true },
      y: { label: "time [ms]", log: true },
      unit: "ms",
      series: results.map(({ implementation, run_seconds }) => ({
        label: implementation,
        points: run_seconds.map((seconds, i) => ({ x: i + 1, y: in_milliseconds(seconds) })),
      })),
    };
  },
};
