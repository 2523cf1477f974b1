// What the page shows of a detector without a script of its own: the photograph with its keypoints, which are its
// candidates too. inspect_sift.js says what the members of `detector` are.

const detector = {
  summary: () => data.detector,
  group_of: (image) => image.octave,
  title_of: (image) => `${stage_name(image.stage)} ${image.level}`,
  caption_of: (image) => detector.title_of(image),

  across: () => Math.max(1, Math.min(6, images.length - 1)),
  groups: () => (images.length > 1 ? [{ heading: "stages ", note: "", rows: [images.slice(1)] }] : []),

  choices: () => [
    ["all", "all octaves"],
    ...data.octaves.map(({ octave }) => [String(octave), `octave ${minus(octave)}`]),
  ],
  shows_candidate: (wanted, _, octave) => ["all", "this"].includes(wanted) || octave === Number(wanted),
  shows_keypoint: (...place) => detector.shows_candidate(...place),

  neighbour: (image, levels, groups) => images[images.indexOf(image) + levels + groups],
  beside: () => [],

  keypoint_columns: ["octave", "layer", "x", "y", "scale", "orientation", "response"],

  keypoints_note: ". A row shows its keypoint.",

  about_candidate: (i) => {
    const { candidates } = data;
    return [
      `response ${minus(candidates.strength[i])}`,
      `at ${candidates.x[i]}, ${candidates.y[i]}   scale ${candidates.scale[i]}`,
      `octave ${minus(candidates.octave[i])}, layer ${candidates.layer[i]}`,
    ];
  },

  counts() {
    return [
      element(
        "table",
        {},
        element("thead", {}, table_row("th", ["octave", "pixels", "keypoints"])),
        element(
          "tbody",
          {},
          ...data.octaves.map((o) =>
            table_row("td", [minus(o.octave), `${o.width}\u00d7${o.height}`, number(o.keypoint_count)]),
          ),
        ),
      ),
    ];
  },

  kernels: null,

  about: () => [
    "This detector shows no images on the way to its keypoints, and no candidates that it rejects: the candidates are the keypoints.",
    "(0, 0) of the image is the centre of its first pixel.",
  ],
  keys: "\u2190 \u2192 the images",
};
