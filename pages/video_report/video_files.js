// Groups of files that are the same, queries, and the table of all files.

/// A thumbnail of a clip, from the images of any of its pairs.
function thumbnails_of_clips() {
  const found = new Map();
  for (const [index, shown] of Object.entries(images.pairs)) {
    for (const side of ["a", "b"]) {
      const clip = report.pairs[index][`index_${side}`],
        frame = shown.segments.map((frames) => frames[side][1]).find(Boolean);
      if (frame && !found.has(clip)) found.set(clip, frame);
    }
  }
  return found;
}

const image_size = ({ width, height }) => (width > 0 ? `${width}×${height}` : "");

function facts_text(facts) {
  return [length_text(facts), bytes(facts.size), facts.codec, image_size(facts)].filter(Boolean).join(" · ");
}

/// `thumbnail` gives the element that shows the clip of an index.
function group_card(group, thumbnail) {
  const clips = group.indices.map((index) => {
    const clip = report.clips[index];
    const names = clip.files.map(file_name);
    const more = clip.files.length > 1 ? [element("small", { className: "quiet", textContent: "the same bytes" })] : [];
    return element(
      "li",
      {},
      thumbnail(index),
      element("div", {}, ...names, element("small", { textContent: facts_text(clip.facts) }), ...more),
    );
  });
  return element(
    "article",
    { className: "group-card" },
    element("h3", {
      textContent: `${number(group.file_count)} files, ${bytes(group.size)}; without the largest ${bytes(group.size_without_largest)}`,
    }),
    element("ul", {}, ...clips),
  );
}

function show_groups() {
  if (report.groups.length === 0) return;
  by("groups").hidden = false;
  by("groups-why").textContent =
    `At least ${percent(report.same_coverage)} of each lies within another of its group, or a verdict says ` +
    "that they are the same. The image with most pixels comes first.";
  const thumbnails = thumbnails_of_clips();
  const thumbnail = (index) =>
    thumbnails.has(index)
      ? element("img", {
          src: `data:image/jpeg;base64,${thumbnails.get(index).jpeg}`,
          alt: `an image of ${base_name(report.clips[index].clip)}`,
          loading: "lazy",
        })
      : element("span", { className: "lacking", textContent: "no image" });
  const make = (group) => group_card(group, thumbnail);
  new Listing(document.querySelector("#groups .cards"), 50, make).show(report.groups);
}

function show_queries() {
  if (report.of !== "search") return;
  by("queries").hidden = false;
  const found_in = new Map();
  for (const pair of report.pairs) found_in.set(pair.index_a, (found_in.get(pair.index_a) ?? 0) + 1);
  const row = (file, ...cells) =>
    element(
      "tr",
      {},
      element("td", { className: "word" }, file_name(file)),
      ...cells.map((text) => element("td", { className: "word", textContent: text })),
    );
  const rows = report.queries.map((index) => {
    const clip = report.clips[index],
      count = found_in.get(index) ?? 0;
    return row(
      clip.clip,
      facts_text(clip.facts),
      `${count === 0 ? "not found" : `found in ${counted(count, "clip", "clips")}`}${
        clip.in_archive ? "; the archive has the same bytes" : ""
      }`,
    );
  });
  rows.push(...report.failed_clips.map((failed) => row(failed.clip, "", failed.problems.join("; "))));
  document.querySelector("#queries .wide").append(element("table", {}, element("tbody", {}, ...rows)));
}

const file_columns = [
  { head: "file", text: (row) => row.file, word: true },
  {
    head: "length",
    text: (row) => (row.facts ? length_text(row.facts) : ""),
    key: (row) => row.facts?.seconds ?? -1,
  },
  { head: "size", text: (row) => (row.size === null ? "" : bytes(row.size)), key: (row) => row.size ?? -1 },
  { head: "codec", text: (row) => row.facts?.codec ?? "", word: true },
  {
    head: "image",
    text: (row) => (row.facts ? image_size(row.facts) : ""),
    key: (row) => (row.facts ? row.facts.width * row.facts.height : -1),
  },
  { head: "pairs", text: (row) => (row.facts ? number(row.pairs) : ""), key: (row) => row.pairs },
  { head: "remarks", text: (row) => row.remarks.join("; "), word: true },
];

function file_rows() {
  const pairs_of = new Map(),
    rows = [];
  for (const pair of report.pairs.filter((one) => !is_settled(one))) {
    for (const clip of [pair.index_a, pair.index_b]) pairs_of.set(clip, (pairs_of.get(clip) ?? 0) + 1);
  }
  report.clips.forEach((clip, index) => {
    const { facts } = clip,
      pairs = pairs_of.get(index) ?? 0;
    const remarks = facts.warnings.map((warning) => warning.sentence);
    remarks.push(...clip.problems.map((problem) => `cannot be read now: ${problem}`));
    for (const file of clip.files) rows.push({ file, facts, size: facts.size, pairs, remarks });
  });
  for (const { clip, size, problems } of report.failed_clips) {
    const remarks = problems.map((problem) => `failed: ${problem}`);
    rows.push({ file: clip, facts: null, size, pairs: 0, remarks });
  }
  return rows;
}

function show_files() {
  const rows = file_rows(),
    table = document.querySelector("#files table"),
    form = document.querySelector("#files form");
  const body = element("tbody"),
    sorting = { column: file_columns[0], direction: 1 };
  const make_row = (row) =>
    element(
      "tr",
      { className: row.facts ? "" : "failed" },
      ...file_columns.map((column, i) =>
        element(
          "td",
          {
            className: column.word ? (i === file_columns.length - 1 ? "word remarks" : "word") : "",
          },
          i === 0 ? file_name(row.file) : column.text(row),
        ),
      ),
    );
  const listing = new Listing(body, 200, make_row);
  const list_files = () => {
    const of_name = form.elements.name.value.trim().toLowerCase(),
      trouble = form.elements.trouble.checked;
    const wanted = rows.filter(
      (row) => row.file.toLowerCase().includes(of_name) && (!trouble || row.remarks.length > 0),
    );
    const { column, direction } = sorting;
    wanted.sort(
      (x, y) =>
        direction * (column.key ? column.key(y) - column.key(x) : compare_names(column.text(x), column.text(y))),
    );
    form.querySelector("output").textContent = `${number(wanted.length)} of ${counted(rows.length, "file", "files")}`;
    listing.show(wanted);
  };
  const heads = file_columns.map((column) => {
    const button = element("button", {
      type: "button",
      textContent: column.head,
      title: "sort the rows by this column",
    });
    const head = element("th", { className: column.word ? "word" : "", scope: "col" }, button);
    button.onclick = () => {
      sorting.direction = sorting.column === column ? -sorting.direction : 1;
      sorting.column = column;
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = sorting.direction > 0 === Boolean(column.key) ? "descending" : "ascending";
      list_files();
    };
    return head;
  });
  table.append(element("thead", {}, element("tr", {}, ...heads)), body);
  form.oninput = list_files;
  form.onsubmit = (event) => event.preventDefault();
  list_files();
}
