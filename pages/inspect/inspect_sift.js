// What the page shows of SIFT: how its images are named and arranged, and what its candidates mean. A detector has such a
// script, which defines `detector`, or that of keypoints alone. The other scripts are the same for all.

/// Whether a point of an octave and layer is in what the reader chose to see with this image.
function in_octave(wanted, image, octave, layer) {
  if (wanted === "all" || (image.octave === undefined && wanted.startsWith("this"))) return true;
  if (wanted === "this layer") return octave === image.octave && layer === image.level;
  return octave === (wanted === "this" ? image.octave : Number(wanted));
}

/// "blur 2"; "image", of which there is one.
const numbered_stage = ({ stage, level }) => stage_name(stage) + (level < 0 ? "" : ` ${level}`);

const detector = {
  /// The number of octaves … in the head of the page.
  summary: () =>
    `${data.octaves.length} octaves of ${data.options.layers + 3} blurs and ${data.options.layers + 2} differences`,

  /// Images of one group stand together on the contact sheet, and the arrow keys lead from group to group.
  group_of: (image) => image.octave,
  title_of: (image) => `octave ${minus(image.octave)} \u00b7 ${numbered_stage(image)}`,
  caption_of: (p) => numbered_stage(p) + (p.signed || p.level < 0 ? "" : ` \u00b7 \u03c3\u00a0${p.sigma.toFixed(2)}`),

  /// The groups of the contact sheet, each with rows of images, and the number of images of a row.
  across: () => Math.max(1, ...data.octaves.map((o) => o.blur_count)),
  groups: () =>
    data.octaves.map(({ octave, width, height, keypoint_count }) => {
      // The first steps of the trilateral filter stand side by side if they fit in a row.
      const of_octave = images.filter((p) => p.octave === octave && p.stage !== "packed");
      const is_first = (p) => ["gradient", "region", "smoothed_gradient"].includes(p.stage);
      const row_of = (p) => (is_first(p) && of_octave.filter(is_first).length <= detector.across() ? "steps" : p.stage);
      return {
        heading: `octave ${minus(octave)} `,
        note: `${width}\u00d7${height}, a pixel is ${2 ** octave} of the image \u00b7 ${number(keypoint_count)} keypoints`,
        rows: [...new Set(of_octave.map(row_of))].map((row) => of_octave.filter((p) => row_of(p) === row)),
      };
    }),

  /// The choices of which candidates and keypoints are shown, as values and texts, and what each contains.
  choices: () => [
    ["this", "this octave"],
    ["this layer", "this octave and layer"],
    ["all", "all octaves"],
    ...data.octaves.map(({ octave }) => [String(octave), `octave ${minus(octave)}`]),
  ],
  shows_candidate: in_octave,
  shows_keypoint: in_octave,

  /// The image so many levels and octaves from this one, if there is one. The photograph stands above the first octave
  /// and before its first blur, and between them the image that is blurred.
  neighbour({ stage, octave, level }, levels, octaves) {
    const first = images.filter((p) => p.stage === "image").concat(plane("blur", data.octaves[0]?.octave, 0) ?? []);
    if (octave === undefined || stage === "packed") return levels + octaves > 0 ? first[0] : undefined;
    if (stage === "image") return levels + octaves > 0 ? first[1] : images[0];
    if (stage === "blur" && levels < 0 && first.at(-1) === plane(stage, octave, level))
      return first.at(-2) ?? images[0];
    return plane(stage, octave + octaves, level + levels) ?? (stage === "blur" && octaves < 0 ? images[0] : undefined);
  },
  /// The images that the key d leads through.
  beside: ({ octave, level }) => images.filter((p) => p.octave === octave && p.level === level && octave !== undefined),

  keypoint_columns: ["octave", "layer", "x", "y", "scale", "orientation", "response"],

  keypoints_note: ". Choose the octave above; a row shows its keypoint, and its descriptor.",

  /// Lines about a candidate.
  about_candidate(i) {
    const { candidates, options } = data;
    const ratio = candidates.ratio[i],
      contrast = Math.abs(candidates.value[i]) * options.layers;
    return [
      `contrast ${contrast.toFixed(4)}, to be kept at least ${Number((options.contrast_threshold * data.contrast).toFixed(4))}`,
      ratio === 0
        ? "curvature ratio not known"
        : `curvature ratio ${ratio === null ? "infinite" : ratio.toFixed(1)}` +
          (options.edge_threshold > 0 ? `, to be kept at most ${options.edge_threshold}` : ""),
      candidates.value[i] < 0 ? "brighter than around it" : "darker than around it",
      `at ${candidates.x[i]}, ${candidates.y[i]}   scale ${candidates.scale[i]}`,
      `octave ${minus(candidates.octave[i])}, layer ${candidates.layer[i]}, pixel ${candidates.column[i]}, ${candidates.row[i]}`,
    ];
  },

  /// The table of the tab "Counts".
  counts() {
    const shown = data.verdicts.filter(({ name }) => data.octaves.some((o) => o.verdict_counts[name] > 0));
    const lines = data.octaves.map((o) => {
      const total = shown.reduce((sum, { name }) => sum + o.verdict_counts[name], 0);
      return table_row("td", [
        minus(o.octave),
        `${o.width}\u00d7${o.height}`,
        number(o.keypoint_count),
        number(o.faint_counts.reduce((a, b) => a + b, 0)),
        number(total),
        ...shown.map(({ name }) => number(o.verdict_counts[name])),
        share_of(shown, o.verdict_counts),
      ]);
    });
    return [
      element(
        "p",
        {},
        "Candidates are extrema of the differences beyond half the contrast threshold. " +
          "Faint extrema, below that, are only counted: the engine looks no further at them.",
      ),
      element(
        "table",
        {},
        element(
          "thead",
          {},
          table_row("th", [
            "octave",
            "pixels",
            "keypoints",
            "faint",
            "candidates",
            ...shown.map(({ name }) => name),
            "shares",
          ]),
        ),
        element("tbody", {}, ...lines),
      ),
    ];
  },

  /// The tab "Kernels"; null if there is none.
  kernels: () => [
    element(
      "p",
      {},
      "A kernel makes the blur of its level from the one before, along rows and columns, in every octave. " +
        "That of level 0 makes the first blur of the first octave from the image. The weights go from the centre outwards.",
    ),
    element(
      "table",
      {},
      element("thead", {}, table_row("th", ["blur", "\u03c3 of the kernel", "taps", "weights"])),
      element(
        "tbody",
        {},
        ...data.kernels.map(({ level, sigma, weights }) =>
          table_row("td", [
            String(level),
            sigma.toFixed(4),
            String(2 * weights.length - 1),
            weights.map((w) => w.toFixed(4)).join(" "),
          ]),
        ),
      ),
    ),
  ],

  /// Paragraphs about the images and their values.
  about: () => [
    "The image is grey, doubled if the first octave is \u22121, and not blurred yet. " +
      "Blurs run linearly from the least value of the first blur (black) to its greatest (white), images being 0\u20261. " +
      "Differences are grey at 0 and linear to \u00b1w, where of 200 values of the octave 199 lie between; values beyond that are shown as \u2264 or \u2265. " +
      "Images are bytes: the value under the pointer is accurate to half a step, which stands beside it. Large planes are shown reduced: " +
      "a pixel is then the mean of the pixels that are named, or, of a difference, the value farthest from 0. " +
      "After octavo inspect --full, the view shows the files beside the page where it is zoomed in; the value " +
      "under the pointer stays that of the reduced plane.",
    ...(data.options.smoothing === "trilateral"
      ? [
          "Steps of the trilateral filter: a gradient is \u221a(gx\u00b2 + gy\u00b2) of the blur of its level, from 0 (black) to what " +
            "199 of 200 stay below; a region is the distance in pixels within which gradients are alike, from 0 to the largest; a smoothed " +
            "gradient is the gradient after smoothing, from which the blur of its level is made (from \u03c3_c = 3 on); a detail is the blur of " +
            `its level less the blur that it was made of. Contrast thresholds are multiplied by ${data.contrast.toFixed(3)}.`,
        ]
      : []),
    "Pixels of an octave count from 0 at its upper left; (0, 0) of the image is the centre of its first pixel; pixel i of " +
      "octave o lies at i\u00b72\u1d52 of the image.",
  ],
  keys:
    "\u2190 \u2192 level, \u2191 \u2193 octave (the place stays: flip through the stages; from the photograph \u2192 and \u2193 lead to the image and the first blur), " +
    "d blur or difference of the same level",
};
