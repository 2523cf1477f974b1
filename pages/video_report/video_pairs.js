// Pairs of clips: a card each, made when it is looked at.

// The first pairs with images are unfolded.
const first_open = new Set(
  Object.keys(images.pairs)
    .map(Number)
    .sort((i, j) => i - j)
    .slice(0, 3),
);

const is_settled = (pair) => pair.verdict !== null && pair.verdict !== "same";
/// The length of a segment in A; in B if A is an image.
const length_of = ({ in_a, out_a, in_b, out_b }) => (in_a === out_a ? out_b - in_b : out_a - in_a);
const seconds_of = (pair) => pair.segments.reduce((sum, segment) => sum + length_of(segment), 0);

function badge(kind, text, title = "") {
  return element("span", { className: `badge ${kind}`, textContent: text, title });
}

function badges(pair) {
  const list = [];
  if (pair.verdict) list.push(badge(pair.verdict, pair.verdict, pair.note || "a verdict says so"));
  if (pair.segments.some((segment) => segment.mirrored))
    list.push(badge("mirrored", "mirrored", "left and right are swapped"));
  if (pair.segments.some((segment) => segment.negative))
    list.push(badge("negative", "negative", "black and white are swapped"));
  const speeds = [
    ...new Set(pair.segments.map((segment) => segment.speed).filter((speed) => Math.abs(speed - 1) > 0.005)),
  ];
  if (speeds.length > 0)
    list.push(
      badge(
        "speed",
        `speed ${speeds
          .slice(0, 3)
          .map((speed) => fixed(speed, 2))
          .join(", ")}`,
      ),
    );
  return list;
}

function segment_table(pair) {
  const head = [
    "",
    "in A",
    "in B",
    "length",
    "speed",
    "mirrored",
    "scale",
    "stretch",
    "angle",
    "shift",
    "frames",
    "inliers",
    "score",
  ];
  const words = 3;
  const cell = (tag) => (text, i) => element(tag, { textContent: text, className: i < words ? "word" : "" });
  const rows = pair.segments.map((s, i) => {
    const [[, , tx], [, , ty]] = s.similarity;
    return [
      i + 1,
      span_text(s.in_a, s.out_a),
      span_text(s.in_b, s.out_b),
      `${fixed(length_of(s), 2)} s`,
      fixed(s.speed, 3),
      s.mirrored ? "yes" : "no",
      fixed(s.scale, 3),
      fixed(s.stretch, 3),
      `${fixed(s.degrees, 1)}°`,
      `${fixed(tx, 1)}, ${fixed(ty, 1)}`,
      number(s.frame_count),
      number(s.inlier_count),
      fixed(s.score, 1),
    ];
  });
  const box = element(
    "div",
    { className: "wide", tabIndex: 0 },
    element(
      "table",
      { className: "segments" },
      element("thead", {}, element("tr", {}, ...head.map(cell("th")))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell("td"))))),
    ),
  );
  wide_boxes.observe(box);
  return box;
}

/// The command that judges a pair, and a button that copies it.
function verdict_command(pair) {
  if (!pair.verdict_call)
    return element("p", { className: "quiet", textContent: "A verdict needs both clips in the archive." });
  const word_place = 5;
  const code = element("code"),
    copy = element("button", { type: "button", textContent: "Copy" });
  const choice = element(
    "select",
    { ariaLabel: "verdict" },
    ...["different", "same", "ignore"].map((word) => element("option", { textContent: word })),
  );
  const write = () => {
    code.textContent = pair.verdict_call.map((word, i) => shell_word(i === word_place ? choice.value : word)).join(" ");
    copy.textContent = "Copy";
  };
  copy.onclick = async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Selected: press Ctrl+C";
    }
  };
  choice.onchange = write;
  write();
  const is_by_content = /^[0-9a-f]{32}$/.test(pair.verdict_call[3]);
  const where = is_by_content
    ? "The clips are named by their content. Call this in the folder that holds the archive."
    : "The paths begin in the folder that holds all clips and the archive.";
  code.title = where;
  return element(
    "p",
    { className: "command" },
    element("label", {}, "Judge as ", choice),
    code,
    copy,
    element("small", { className: "quiet", textContent: where }),
  );
}

function lacking_notes(pair) {
  const clips = [...new Set([pair.index_a, pair.index_b])];
  return clips
    .filter((clip) => clip in images.lacking)
    .map((clip) =>
      element("p", {
        className: "note",
        textContent: `No images of ${base_name(report.clips[clip].clip)}: ${images.lacking[clip]}.`,
      }),
    );
}

function pair_details(pair, index) {
  const shown = images.pairs[index],
    parts = [segment_table(pair)];
  if (shown) {
    parts.push(...lacking_notes(pair), ...shown.segments.map((frames, i) => segment_frames(frames, i, pair)));
    const figures = element("div", { className: "explained" });
    if (shown.why) figures.append(why_figure(shown.why, pair));
    if (shown.affinity) figures.append(affinity_figure(shown.affinity, pair));
    parts.push(figures);
  } else if (!is_settled(pair)) {
    parts.push(element("p", { className: "quiet", textContent: "This pair has no images: see --max-images." }));
  }
  const off = Math.max(...pair.segments.map((segment) => (segment.exact_ends ? 0 : segment.ends_within)));
  if (off > 0) {
    parts.push(
      element("p", { className: "quiet", textContent: `Ends may be off by ${off.toFixed(2)} s: they are not exact.` }),
    );
  }
  return parts;
}

function pair_card(index) {
  const pair = report.pairs[index];
  const name = (side) =>
    element(
      "div",
      { className: `name ${side}` },
      element("b", { textContent: side.toUpperCase() }),
      file_name(pair[`clip_${side}`]),
    );
  const more = element(
    "details",
    {},
    element("summary", {
      textContent: `${counted(pair.segments.length, "segment", "segments")}, ${fixed(seconds_of(pair), 1)} s${
        images.pairs[index] ? ": frames and why" : ""
      }`,
    }),
  );
  more.ontoggle = () => {
    if (more.open && more.children.length === 1) more.append(...pair_details(pair, index));
  };
  more.open = first_open.has(index);
  const card = element(
    "article",
    { className: "pair-card", id: `pair-${index + 1}` },
    element(
      "header",
      {},
      element("a", { className: "rank", href: `#pair-${index + 1}`, textContent: index + 1 }),
      element("div", { className: "names" }, name("a"), name("b")),
      element(
        "div",
        { className: "badges" },
        ...badges(pair),
        element(
          "span",
          { className: "score", title: "score" },
          "score ",
          element("b", { textContent: fixed(pair.score, 0) }),
        ),
      ),
    ),
    element("div", { className: "coverages" }, coverage_bar(pair, "a", "b"), coverage_bar(pair, "b", "a")),
    timelines(pair),
    more,
    verdict_command(pair),
  );
  card.dataset.pair = index;
  return card;
}

const orders = {
  score: (pair) => -pair.score,
  coverage: (pair) => -Math.max(pair.coverage_a, pair.coverage_b),
  coverage_a: (pair) => -pair.coverage_a,
  coverage_b: (pair) => -pair.coverage_b,
  seconds: (pair) => -seconds_of(pair),
  name: (pair) => `${base_name(pair.clip_a)}\n${base_name(pair.clip_b)}`,
};

function is_wanted(pair, { name, score, coverage, verdict }) {
  const of_name = name.value.trim().toLowerCase();
  return (
    (pair.clip_a.toLowerCase().includes(of_name) || pair.clip_b.toLowerCase().includes(of_name)) &&
    pair.score >= Number(score.value) &&
    100 * Math.max(pair.coverage_a, pair.coverage_b) >= Number(coverage.value) &&
    (verdict.value === "" || (verdict.value === "none" ? pair.verdict === null : pair.verdict === verdict.value))
  );
}

function in_order(indices, order) {
  const key = new Map(indices.map((i) => [i, orders[order](report.pairs[i])]));
  const compare = order === "name" ? compare_names : (x, y) => x - y;
  return indices.sort((i, j) => compare(key.get(i), key.get(j)) || i - j);
}

function show_pairs() {
  const all = report.pairs.map((_, i) => i),
    open = all.filter((i) => !is_settled(report.pairs[i]));
  const settled = all.filter((i) => is_settled(report.pairs[i]));
  const form = by("filters"),
    listing = new Listing(document.querySelector("#pairs > .list"), 50, pair_card);
  const list_pairs = () => {
    const wanted = open.filter((i) => is_wanted(report.pairs[i], form.elements));
    by("shown").textContent = `${number(wanted.length)} of ${counted(open.length, "pair", "pairs")}`;
    listing.show(in_order(wanted, form.elements.order.value));
  };
  form.oninput = list_pairs;
  form.onsubmit = (event) => event.preventDefault();
  form.hidden = open.length === 0;
  list_pairs();
  if (open.length === 0) {
    const least = report.settings.min_seconds,
      but = settled.length > 0 ? ", but those that verdicts settle" : "";
    const textContent =
      report.of === "search"
        ? `No clip of the archive shares a segment of at least ${least} s with these clips.`
        : `No two clips of the archive share a segment of at least ${least} s${but}.`;
    document.querySelector("#pairs > .list").append(element("p", { className: "note", id: "no-pairs", textContent }));
  }
  by("settled").hidden = settled.length === 0;
  document.querySelector("#settled summary").textContent =
    `${counted(settled.length, "pair", "pairs")} that verdicts settle`;
  const fold = document.querySelector("#settled details");
  fold.addEventListener("toggle", () => {
    if (fold.open && fold.querySelector("article") === null)
      new Listing(fold.querySelector(".list"), 50, pair_card).show(settled);
  });
}
