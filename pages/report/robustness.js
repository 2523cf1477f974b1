// The plots of octavo evaluate robustness: a number over the strength of a change, for each configuration. The subject of a
// plot is the kind of change.

const logarithmic_kinds = ["scale", "contrast"]; // their strengths are factors

const over_strength = (value_of, label, unit, top) => (kind) => {
  const curves = data.configurations.map(({ name, curves: all }) => ({
    name,
    curve: all.find((curve) => curve.kind === kind),
  }));
  return {
    x: {
      label: `${kind} [${curves[0].curve.unit}]`,
      log: logarithmic_kinds.includes(kind),
      values: curves[0].curve.points.map(({ strength }) => strength),
    },
    y: { label: unit ? `${label} [${unit}]` : label, top },
    unit,
    series: curves.map(({ name, curve }) => ({
      label: name,
      points: curve.points
        .filter((point) => point.pair_count > 0)
        .map((point) => ({ x: point.strength, y: value_of(point) })),
    })),
  };
};

const at_three = data.thresholds.indexOf(3);
const plots = {
  repeatability: over_strength((point) => 100 * point.repeatability[at_three], "repeatability at 3 px", "%", 100),
  region_repeatability: over_strength(
    (point) => 100 * point.region_repeatability[data.overlap_errors.indexOf(0.4)],
    "repeatability of regions",
    "%",
    100,
  ),
  matching_accuracy: over_strength(
    (point) => 100 * point.matching_accuracy[at_three],
    "mean matching accuracy at 3 px",
    "%",
    100,
  ),
  precision: over_strength((point) => 100 * point.precision[at_three], "precision at 3 px", "%", 100),
  matching_score: over_strength((point) => 100 * point.matching_score, "matching score at 3 px", "%", 100),
  correct: over_strength((point) => point.correct_counts[at_three], "correct matches at 3 px", ""),
};
