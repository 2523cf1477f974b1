// The plots of octavo evaluate. Shares are 0 to 1 in the JSON and percent in the plots. The subject of a plot is a
// group of pairs: all pairs, or one of the two halves of HPatches.

const percent_axis = (label) => ({ label: `${label} [%]`, top: 100 });

/// A curve over the thresholds for each configuration.
const curves_over = (axis, thresholds) => (key, label) => (group) => ({
  x: { label: axis, values: thresholds },
  y: percent_axis(label),
  unit: "%",
  series: data.configurations.map(({ name, summary }) => ({
    label: name,
    points: thresholds.map((threshold, i) => ({ x: threshold, y: 100 * summary[group][key][i] })),
  })),
});
const over_thresholds = curves_over("threshold [pixel]", data.thresholds);
const over_overlap_errors = curves_over("overlap error", data.overlap_errors);

const prefix_of = { illumination: "i_", viewpoint: "v_" };
const is_of = (group, sequence) => group === "all" || sequence.split("/").pop().startsWith(prefix_of[group]);

/// The share of pairs whose corner error is at most x. It rises by a step at each pair's error.
function homography_accuracy(group) {
  const last = data.thresholds.at(-1);
  const series = data.configurations.map(({ name, pairs }) => {
    const errors = pairs
      .filter((pair) => "corner_error" in pair && is_of(group, pair.sequence))
      .map((pair) => pair.corner_error ?? Infinity);
    const steps = [0, ...errors.filter((error) => error > 0 && error < last).sort((a, b) => a - b), last];
    const share = (limit) => (100 * errors.filter((error) => error <= limit).length) / errors.length;
    return { label: name, steps: true, points: steps.map((limit) => ({ x: limit, y: share(limit) })) };
  });
  return { x: { label: "threshold [pixel]", top: last }, y: percent_axis("homography accuracy"), unit: "%", series };
}

/// A number at 3 pixels for each sequence and configuration. Sequences have no order, so they are bars.
const over_sequences = (key, factor, y, unit) => () => {
  const at = data.thresholds.indexOf(3);
  return {
    x: { names: data.configurations[0].sequences.map(({ name }) => name) },
    y,
    unit,
    bars: true,
    series: data.configurations.map(({ name, sequences }) => ({
      label: name,
      points: sequences.map((sequence, i) => ({ x: i, y: factor * sequence[key][at] })),
    })),
  };
};

const plots = {
  matching_accuracy: over_thresholds("matching_accuracy", "mean matching accuracy"),
  repeatability: over_thresholds("repeatability", "repeatability"),
  homography_accuracy,
  region_repeatability: over_overlap_errors("region_repeatability", "repeatability of regions"),
  matching_accuracy_by_sequence: over_sequences(
    "matching_accuracy",
    100,
    percent_axis("matching accuracy at 3 px"),
    "%",
  ),
  correct_by_sequence: over_sequences("correct_counts", 1, { label: "correct matches at 3 px" }, ""),
};
