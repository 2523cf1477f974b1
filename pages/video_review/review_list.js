// The list of pairs, the pair that is looked at, and the groups.

const filters = by("filters");
/// The indices of the pairs in the list, in its order.
let listed = [];
/// The clips of the group to which the list is narrowed, or null.
let group_only = null;

const word_text = (pair) => pair.verdict ?? "";

function pair_row(index) {
  const pair = report.pairs[index];
  const name = (side) =>
    element(
      "span",
      { className: `name ${side}` },
      element("b", { textContent: side.toUpperCase() }),
      element("span", { className: "base", textContent: base_name(pair[`clip_${side}`]) }),
    );
  const row = element(
    "button",
    { type: "button", className: "row", title: `${pair.clip_a}\n${pair.clip_b}` },
    element("span", { className: "rank", textContent: index + 1 }),
    element("span", { className: "names" }, name("a"), name("b")),
    element(
      "span",
      { className: "end" },
      ...(pair.verdict ? [badge(pair.verdict, pair.verdict, pair.note ?? "")] : []),
      element("span", { className: "score", textContent: fixed(pair.score, 0) }),
    ),
  );
  row.ariaLabel = `Pair ${index + 1}: ${base_name(pair.clip_a)} and ${base_name(pair.clip_b)}, score ${fixed(pair.score, 0)}, ${word_text(pair) || "no verdict"}`;
  row.dataset.pair = index;
  row.onclick = () => open_pair(index);
  return row;
}

const listing = new Listing(by("list"), 60, pair_row);
const row_of = (index) => by("list").querySelector(`[data-pair="${index}"]`);

/// Marks the row of the pair that is looked at, which is made first if it is not there yet. A focus within the list goes
/// there.
function mark_row() {
  const place = listed.indexOf(shown.pair);
  while (place >= listing.count) listing.add();
  const list = by("list");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = row_of(shown.pair);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  if (list.contains(document.activeElement)) row.focus({ preventScroll: true });
  if (list.scrollHeight > list.clientHeight) {
    list.scrollTop = Math.max(0, row.offsetTop - list.offsetTop - list.clientHeight / 2);
  }
}

function write_summary() {
  const judged = report.pairs.filter((pair) => pair.verdict !== null).length,
    all = report.pairs.length;
  by("summary").textContent = [
    counted(all, "pair", "pairs"),
    `${number(judged)} judged, ${number(all - judged)} open`,
    counted(report.groups.length, "group", "groups"),
  ].join(" · ");
}

function list_pairs() {
  const { elements } = filters;
  by("least").textContent = elements.score.value;
  by("all-groups").hidden = group_only === null;
  const in_group = ({ index_a, index_b }) =>
    group_only === null || (group_only.includes(index_a) && group_only.includes(index_b));
  const wanted = report.pairs.map((_, i) => i).filter((i) => is_wanted(report.pairs[i], elements));
  listed = in_order(
    wanted.filter((i) => in_group(report.pairs[i])),
    elements.order.value,
  );
  by("shown").textContent = `${number(listed.length)} of ${counted(report.pairs.length, "pair", "pairs")}`;
  const had_focus = by("list").contains(document.activeElement),
    { pair } = document.activeElement.dataset;
  listing.show(listed);
  mark_row();
  if (had_focus) (row_of(pair) ?? row_of(shown.pair))?.focus({ preventScroll: true });
  write_summary();
}

/// After the filters have changed: a pair that is no longer in the list makes room for the first one.
function list_anew() {
  list_pairs();
  if (!listed.includes(shown.pair)) open_pair(listed[0] ?? -1);
}

function segment_buttons(pair) {
  return pair.segments.map((segment, i) => {
    const dot = element("i", { className: "dot" });
    dot.style.background = segment_colour(i);
    const button = element(
      "button",
      { type: "button", ariaPressed: String(i === shown.segment), title: segment_title(segment, i) },
      dot,
      `${i + 1}: ${clock(segment[`in_${leader()}`])} – ${clock(segment[`out_${leader()}`])}`,
      ...(i < 9 ? [" ", element("kbd", { textContent: i + 1 })] : []),
    );
    button.onclick = () => choose_segment(i);
    return button;
  });
}

function choose_segment(index) {
  if (!pair_shown()?.segments[index]) return;
  shown.segment = index;
  redraw(by("segments"), () => by("segments").replaceChildren(...segment_buttons(pair_shown())));
  to_in();
}

/// What is written of the pair: its names, its verdict, its numbers.
function write_pair() {
  const pair = pair_shown();
  const name = (side) =>
    element(
      "div",
      { className: `name ${side}` },
      element("b", { textContent: side.toUpperCase() }),
      file_name(pair[`clip_${side}`]),
    );
  const score = element("span", { className: "score" }, "score ", element("b", { textContent: fixed(pair.score, 0) }));
  by("pair")
    .querySelector("header")
    .replaceChildren(
      element("span", { className: "rank", textContent: shown.pair + 1 }),
      element("div", { className: "names" }, name("a"), name("b")),
      element("div", { className: "badges" }, ...badges(pair), score),
    );
  for (const [word, button] of ["same", "different", "ignore"].map((one) => [
    one,
    document.querySelector(`.judging .${one}`),
  ])) {
    button.ariaPressed = String(pair.verdict === word);
    button.disabled = pair.verdict_call === null; // the query of a search is not in the archive
  }
  const note = pair.note ? [element("p", { className: "note", textContent: `Note: ${pair.note}` })] : [];
  by("facts").replaceChildren(
    ...note,
    timelines(pair),
    element("div", { className: "coverages" }, coverage_bar(pair, "a", "b"), coverage_bar(pair, "b", "a")),
    element("details", {}, element("summary", { textContent: "Numbers of the segments" }), segment_table(pair)),
  );
}

/// Looks at a pair; −1: at none.
function open_pair(index) {
  if (shown.pair >= 0) stop_playing();
  Object.assign(shown, { pair: index, segment: 0, begin: shown.begin + 1 });
  by("pair").hidden = index < 0;
  by("no-pair").hidden = index >= 0;
  if (index < 0) return;
  const best = Math.max(...pair_shown().segments.map((segment) => segment.score));
  shown.segment = pair_shown().segments.findIndex((segment) => segment.score === best);
  by("moment").max = clip_shown(leader()).facts.seconds;
  by("moment").ariaLabel = `time of ${leader().toUpperCase()}`;
  by("moment").disabled = !has_time(leader());
  for (const side of ["a", "b"]) {
    const caption = videos[side].closest("figure").querySelector("figcaption");
    const { facts } = clip_shown(side);
    caption.replaceChildren(
      element("b", { textContent: side.toUpperCase() }),
      element("span", { className: "at" }),
      element("span", { className: "quiet", textContent: facts_text(facts) }),
    );
    load(side);
  }
  write_pair();
  choose_segment(shown.segment);
  mark_row();
}

/// The pair so many places on in the list, or the one that is looked at.
function neighbour(places) {
  const place = listed.indexOf(shown.pair);
  return listed[Math.min(listed.length - 1, Math.max(0, place + places))] ?? shown.pair;
}

/// The groups of the archive; those of a search are its pairs.
function show_groups_now() {
  by("groups").hidden = sheet !== 0;
  by("groups-why").textContent =
    report.groups.length === 0
      ? "No files are the same as others."
      : `At least ${percent(report.same_coverage)} of each lies within another of its group, or a verdict says that they are the same.`;
  const thumbnail = (clip) =>
    element("img", {
      src: `thumbnail/${sheet}/${clip}`,
      alt: `an image of ${base_name(report.clips[clip].clip)}`,
      loading: "lazy",
      width: 112,
      height: 70,
    });
  const card = (group) => {
    const made = group_card(group, thumbnail);
    if (group.indices.length < 2) return made; // the same bytes are no pair
    const button = element("button", { type: "button", textContent: "Show its pairs" });
    button.onclick = () => {
      group_only = group.indices;
      list_anew();
      by("viewer").scrollIntoView();
    };
    made.append(element("p", { className: "bar-of-buttons" }, button));
    return made;
  };
  new Listing(document.querySelector("#groups .cards"), 30, card).show(report.groups);
}
