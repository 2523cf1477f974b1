// The plots of octavo bench report. The subject of a plot begins with the index of the image. Behind it stand the size
// of the image ("1920x1080"), the number of keypoints that was asked for (0: all), or both. And of octavo bench pyramid,
// whose subject is the index of a pyramid.

const size_of = ({ width, height }) => `${width}x${height}`;
const milliseconds = { label: "time per image [ms]", log: true };

const results_of = (index) => data.results.filter(({ image }) => image === data.images[Number(index)].name);

/// One line for each contender through its results, with a band from quartile to quartile.
const lines_of = (results, x_of) =>
  data.contenders.map(({ name }) => ({
    label: name,
    points: results
      .filter(({ contender }) => contender === name)
      .map((result) => ({ x: x_of(result), y: result.median_ms, low: result.q1_ms, high: result.q3_ms }))
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
      other.contender === result.contender &&
      size_of(other) === size &&
      other.keypoints === result.keypoints &&
      limit(other) > limit(result);
    return {
      x: { label: "keypoints", log: true },
      y: milliseconds,
      unit: "ms",
      series: lines_of(
        results.filter((result) => size_of(result) === size && !results.some(is_larger(result))),
        ({ keypoints }) => keypoints,
      ),
    };
  },
  iterations: (index) => {
    const { runs_ms, median_ms, q1_ms, q3_ms } = data.pyramids[Number(index)];
    const level = (label, y) => ({
      label,
      steps: true,
      points: [
        { x: 1, y },
        { x: runs_ms.length, y },
      ],
    });
    return {
      x: { label: "iteration", whole: true },
      y: { label: "time [ms]" },
      unit: "ms",
      series: [
        { label: "iterations", marks: true, points: runs_ms.map((y, i) => ({ x: i + 1, y })) },
        level("median", median_ms),
        level("first quartile", q1_ms),
        level("third quartile", q3_ms),
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
      series: results.map(({ contender, runs_ms }) => ({
        label: contender,
        points: runs_ms.map((y, i) => ({ x: i + 1, y })),
      })),
    };
  },
};
