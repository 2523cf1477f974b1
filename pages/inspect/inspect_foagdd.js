// What the page shows of FOAGDD: how its images are named and arranged, and what its candidates mean. inspect_sift.js
// says what the members of `detector` are.

const of_scale = (scale) => images.filter((p) => p.scale === scale && p.stage !== "photograph");
const degrees = (level) => `${Number(((level * 180) / data.options.directions).toFixed(1))}\u00b0`;
const sigma_text = (sigma) => `\u03c3\u00a0${sigma}`;

const detector = {
  summary: () => `${data.scales.length} scales of ${data.options.directions} directional derivatives and a measure`,
  group_of: (image) => image.scale,
  title_of: (p) =>
    p.scale === 0
      ? "image of the descriptors"
      : `scale ${p.scale} \u00b7 ${p.stage}${p.level < 0 ? "" : ` ${p.level}`}`,
  caption_of: (p) =>
    p.scale === 0
      ? `${p.stage} \u00b7 ${sigma_text(p.sigma)}`
      : p.stage === "derivative"
        ? `${p.level} \u00b7 ${degrees(p.level)}`
        : p.stage,

  across: () => Math.ceil((data.options.directions + 1) / Math.ceil((data.options.directions + 1) / 6)),
  groups() {
    const groups = data.scales.map(({ scale, sigma, judged_count, passed_count }) => ({
      heading: `scale ${scale} `,
      note: `${sigma_text(sigma)} \u00b7 ${number(passed_count)} of ${number(judged_count)} pixels pass`,
      rows: [of_scale(scale)],
    }));
    const description = of_scale(0);
    return description.length === 0
      ? groups
      : [...groups, { heading: "description ", note: "corners are described in this image", rows: [description] }];
  },

  // A candidate belongs to the scale that judged it last. Corners belong to no scale.
  choices: () => [
    ["this", "this scale"],
    ["all", "all scales"],
    ...data.scales.map(({ scale }) => [String(scale), `scale ${scale}`]),
  ],
  shows_candidate(wanted, image, octave, layer) {
    if (wanted === "all" || (wanted === "this" && !image.scale)) return true;
    return layer === (wanted === "this" ? image.scale : Number(wanted));
  },
  shows_keypoint: () => true,

  // The measure stands behind the derivatives of its scale, and the photograph before the first derivative.
  neighbour(image, levels, scales) {
    if (image.scale === undefined) return levels + scales > 0 ? of_scale(1)[0] : undefined;
    const row = of_scale(image.scale),
      at = row.indexOf(image);
    if (scales !== 0)
      return of_scale(image.scale + scales)[at] ?? (image.scale === 1 && scales < 0 ? images[0] : undefined);
    return row[at + levels] ?? (image.scale === 1 && at === 0 ? images[0] : undefined);
  },
  // From a derivative to the measure, and back to the first derivative.
  beside({ stage, scale, level }) {
    if (!scale) return [];
    const measure = plane("measure", scale, -1);
    return stage === "measure"
      ? [measure, plane("derivative", scale, 0)]
      : [plane("derivative", scale, level), measure];
  },

  keypoint_columns: data.options.describe ? ["x", "y", "scale", "orientation", "response"] : ["x", "y", "response"],

  keypoints_note: data.options.describe ? ". A row shows its corner, and its descriptor." : ". A row shows its corner.",

  about_candidate(i) {
    const { candidates, options, scales } = data;
    const responses = candidates.responses[i].map(
      (response, s) =>
        `${sigma_text(scales[s].sigma)}: response ${response === null ? "none (the measure is 0)" : minus(response.toFixed(3))}` +
        (s + 1 === candidates.layer[i] ? "  \u2190 the last scale that judged it" : ""),
    );
    return [
      ...responses,
      `to be kept above ${options.corner_threshold}`,
      `pixel ${candidates.column[i]}, ${candidates.row[i]}`,
    ];
  },

  counts() {
    const named = (name) => data.verdicts.find((verdict) => verdict.name === name);
    const lines = data.scales.map((s) => {
      const at_scale = {
        "not highest": s.not_highest_count ?? 0,
        [s.scale === 1 ? "below threshold" : `scale ${s.scale}`]: s.below_threshold_count,
        kept: s.passed_count,
      };
      return table_row("td", [
        String(s.scale),
        String(s.sigma),
        number(s.judged_count),
        number(s.below_threshold_count),
        s.scale === 1 ? number(s.not_highest_count) : "\u2013",
        number(s.passed_count),
        share_of(Object.keys(at_scale).map(named), at_scale),
      ]);
    });
    const [{ faint_counts, verdict_counts }] = data.octaves;
    const shown = data.verdicts.filter(({ name }) => verdict_counts[name] > 0);
    return [
      element(
        "p",
        {},
        "Every scale rejects pixels whose measure does not exceed the threshold. The first scale also rejects those that are not " +
          "the highest of their 5\u00d75 neighbourhood. Candidates are the pixels above the threshold at the first scale, and the highest " +
          `ones that would be above it at twice the contrast (below threshold). ${number(faint_counts[0])} highest pixels are fainter than that and only counted.`,
      ),
      element(
        "table",
        {},
        element(
          "thead",
          {},
          table_row("th", ["scale", "\u03c3", "judged", "below threshold", "not highest", "passed", "shares"]),
        ),
        element("tbody", {}, ...lines),
      ),
      element("p", {}, "Candidates by verdict:"),
      element(
        "table",
        {},
        element(
          "thead",
          {},
          table_row(
            "th",
            shown.map(({ name }) => name),
          ),
        ),
        element(
          "tbody",
          {},
          table_row(
            "td",
            shown.map(({ name }) => number(verdict_counts[name])),
          ),
        ),
      ),
    ];
  },

  /// A row of images for each scale.
  kernels: () => [
    element(
      "p",
      {},
      "The filters of each scale, for directions 0, 1, \u2026: grey is 0, white and black are \u00b1 the largest weight of the scale. " +
        "Direction 0 is the derivative downwards. A square is a pixel.",
    ),
    ...data.scales.map(({ scale, sigma }) =>
      element(
        "p",
        { className: "filters" },
        `scale ${scale}, \u03c3 ${sigma} `,
        ...data.filters
          .filter((f) => f.scale === scale)
          .map((f) =>
            element("img", { src: f.image, alt: `direction ${f.direction}`, title: `direction ${f.direction}` }),
          ),
      ),
    ),
  ],

  about: () => [
    "A derivative is the absolute response to the filter of its direction, grey values being 0\u2026255: 0\u00b0 is the derivative downwards, " +
      "90\u00b0 that to the right. It is shown from 0 to what 199 of 200 values of its scale stay below. " +
      "A measure is the logarithm to base 10 of det M / tr M. The threshold is the middle grey: lighter pixels exceed it. A measure of 0, and the " +
      "outer 4 pixels, which have none, are black; values below black are shown as \u2264. " +
      "Images are bytes: the value under the pointer is accurate to half a step, which stands beside it. Large planes are shown reduced: " +
      "a pixel is then the mean of the pixels that are named, or, of a measure, the greatest. " +
      "After octavo inspect --full, the view shows the files beside the page where it is zoomed in; the value " +
      "under the pointer stays that of the reduced plane.",
    "(0, 0) of the image is the centre of its first pixel. Corners lie at the centres of pixels.",
  ],
  keys:
    "\u2190 \u2192 direction and measure, \u2191 \u2193 scale (the place stays: flip through the stages; from the image \u2192 and \u2193 lead to the first derivative), " +
    "d derivative or measure",
};
