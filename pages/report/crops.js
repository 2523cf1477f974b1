// The plots of octavo evaluate crops: a number of each configuration for each change. The subject of a plot is the size of
// the crops. Changes have no order, so they are bars. A number of nothing has no bar.

const over_changes = (value_of, y, unit) => (size) => {
  const of_size = (all) => all.filter(({ crop, photograph_count }) => crop === size && photograph_count > 0);
  return {
    x: {
      names: of_size(data.configurations[0].cases).map(({ change, strength }) =>
        strength === null ? change : `${change} ${strength}`,
      ),
    },
    y,
    unit,
    bars: true,
    series: data.configurations.map(({ name, cases }) => ({
      label: name,
      points: of_size(cases)
        .map((one, i) => ({ x: i, y: value_of(one) }))
        .filter(({ y: value }) => value !== null),
    })),
  };
};

const plots = {
  correct: over_changes((one) => one.correct_count, { label: "correct matches" }, ""),
  precision: over_changes((one) => percent(one.precision), { label: "precision [%]", top: 100 }, "%"),
  keypoints: over_changes((one) => one.keypoint_count_crop, { label: "keypoints of the crops" }, ""),
  seconds: over_changes((one) => one.seconds, { label: "time [s]" }, "s"),
};
