// The start of the page. This is the last of its scripts.

const decimals = (value, digits) => (value === null ? "" : value.toFixed(digits));
const out = report.images.filter((image) => image.model_index === null);
const is_in_metres = ({ gps }) => gps !== null && gps.metres_from_mapper !== null;
let view = null;

function show_summary() {
  const title = document.querySelector("h1");
  title.append("Model of ", report.folder);
  const [first] = report.models,
    parts = [
      `${number(report.registered_image_count)} of ${counted(report.images.length, "image", "images")} registered`,
    ];
  if (report.models.length > 1) parts.push(`${number(report.models.length)} models, which do not touch`);
  if (first) {
    parts.push(
      `${counted(first.point_count, "point", "points")}${report.models.length > 1 ? " in the largest" : ""}`,
      `reprojection error ${decimals(first.mean_reprojection_error, 2)} px`,
    );
    if (is_in_metres(first)) parts.push(`in metres by GPS, residual ${decimals(first.gps.rms_residual, 2)} m`);
  }
  const times = [
    ["features and matches", report.database_seconds],
    ["verification", report.verify_seconds],
    ["refinement", report.refine_seconds],
    [`mapper ${report.mapper}`, report.map_seconds],
  ];
  parts.push(
    times
      .filter(([, seconds]) => seconds >= 0.05)
      .map(([what, seconds]) => `${what} ${decimals(seconds, 1)} s`)
      .join(", "),
  );
  by("summary").textContent = parts.join(" · ");
  const notes = [];
  if (!first)
    notes.push(
      "There is no model: the mapper found no pair of images to begin with. The table of images says what each of them lacks.",
    );
  const reasons = new Map();
  for (const image of out) {
    const why = image.failure === "few_inliers" ? "too few inliers in every pair" : image.reason;
    reasons.set(why, [...(reasons.get(why) ?? []), image.image]);
  }
  for (const [why, names] of reasons) {
    const some = names.slice(0, 5).join(", ");
    notes.push(`In no model: ${some}${names.length > 5 ? ` and ${number(names.length - 5)} more` : ""}. Why: ${why}.`);
  }
  const failed = report.problems.slice(0, 20);
  notes.push(...failed.map((problem) => `Failed: ${problem}.`));
  if (failed.length < report.problems.length)
    notes.push(`${number(report.problems.length - failed.length)} more images or pairs failed.`);
  notes.push(...report.warnings.map((warning) => `Warning: ${warning}.`));
  by("notes").append(...notes.map((text) => element("p", { className: "note", textContent: text })));
}

function show_model(index) {
  const model = report.models[index],
    space = spaces[index];
  [...by("models").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === index)));
  const shown = space.points.count < model.point_count ? `, of which ${number(space.points.count)} are drawn` : "";
  by("numbers").textContent =
    `${counted(model.image_count, "image", "images")}, ${counted(model.point_count, "point", "points")}${shown}, ${counted(
      model.observation_count,
      "observation",
      "observations",
    )}, mean track length ${decimals(model.mean_track_length, 2)}, mean reprojection error ${decimals(
      model.mean_reprojection_error,
      3,
    )} px · ${model.folder}`;
  view.show(space_of(space, is_in_metres(model)));
  show_gps(model);
  show_plots(model);
}

function show_gps(model) {
  const { gps } = model,
    section = by("gps");
  section.hidden = gps === null;
  if (!gps) return;
  section.querySelector(".wide").hidden = section.querySelector(".caption").hidden = !is_in_metres(model);
  if (!is_in_metres(model)) {
    by("gps-summary").textContent = `The model is not in metres: ${gps.doubts.join("; ")}.`;
    return;
  }
  const { latitude, longitude, altitude } = gps.origin;
  by("gps-summary").textContent =
    `Coordinates are metres east (x), north (y) and up (z) of latitude ${latitude}°, longitude ${longitude}°, altitude ${altitude} m (WGS 84). ${number(gps.used_count)} of ${counted(gps.places.length, "place", "places")} used, residual ${decimals(gps.rms_residual, 2)} m (root mean square).${gps.doubts.map((doubt) => ` Doubtful: ${doubt}.`).join("")}`;
  const length = ({ residual }) => Math.hypot(...residual);
  const cell = (text, className = "") => element("td", { textContent: text, className });
  const rows = gps.places
    .slice()
    .sort((a, b) => length(b) - length(a))
    .map((place) => {
      const row = element(
        "tr",
        { className: place.is_used ? "" : "out" },
        cell(place.image, "word"),
        ...[...place.residual, length(place)].map((metres) => cell(decimals(metres, 2))),
        cell(place.is_used ? "" : "an outlier, not used", "word"),
      );
      row.onclick = () => choose_row(place.image);
      return row;
    });
  const heads = ["Image", "East [m]", "North [m]", "Up [m]", "Distance [m]", ""];
  const head = heads.map((text, i) => element("th", { textContent: text, className: i === 0 ? "word" : "" }));
  section.querySelector("thead").replaceChildren(element("tr", {}, ...head));
  section.querySelector("tbody").replaceChildren(...rows);
}

function show_models() {
  if (report.models.length === 0) return;
  by("space").hidden = by("errors").hidden = false;
  if (report.models.length > 1) {
    by("models").append(
      ...report.models.map((model, i) => {
        const button = element("button", {
          type: "button",
          textContent: `Model ${i + 1}: ${counted(model.image_count, "image", "images")}`,
        });
        button.onclick = () => show_model(i);
        return button;
      }),
    );
  }
  view = new SpaceView(document.querySelector(".space"), choose_row);
  show_model(0);
}

function plots_of(model) {
  const last = model.error_bins.length - 1,
    width = model.error_bin_width;
  const lengths = model.track_lengths.slice(2),
    most = lengths.length + 1;
  const bins = (list, name) => ({ series: [{ label: name, steps: true, points: list }] });
  return [
    {
      title: "Reprojection errors",
      caption: `Observations by their error; the last step also counts those above ${decimals(last * width, 1)} px.`,
      plot: {
        x: { label: "error [pixel]" },
        y: { label: "observations" },
        ...bins(
          [...model.error_bins, model.error_bins[last]].map((y, i) => ({ x: Number((i * width).toFixed(6)), y })),
          "observations",
        ),
      },
    },
    {
      title: "Track lengths",
      caption: `Points by the number of keypoints that show them${model.track_lengths.at(-1) > 0 ? `; the last mark also counts tracks longer than ${most}` : ""}.`,
      plot: {
        x: { label: "keypoints a point", whole: true },
        y: { label: "points" },
        series: [
          { label: "points", points: lengths.map((y, i) => ({ x: i + 2, y })).filter(({ x, y }) => y > 0 || x < 10) },
        ],
      },
    },
  ];
}

function show_plots(model) {
  const place = document.querySelector(".plots");
  place.querySelectorAll("canvas").forEach((canvas) => Chart.getChart(canvas)?.destroy());
  place.replaceChildren();
  for (const { title, caption, plot } of plots_of(model)) {
    const canvas = element("canvas", { tabIndex: 0 });
    canvas.setAttribute("aria-label", title);
    const figure = element(
      "figure",
      {},
      element("h3", { textContent: title }),
      element("div", { className: "plot" }, canvas),
      element("figcaption", { textContent: caption }),
    );
    place.append(figure);
    const draw = () => draw_plot(figure, plot);
    draw();
    show_by_keys(canvas);
    figure.draw = draw;
  }
}

function image_row(image) {
  const row = element("tr", { className: image.model_index === null ? "out" : "" });
  row.dataset.name = image.image;
  const cell = (text, className = "") => element("td", { textContent: text, className });
  row.append(
    cell(image.image, "word"),
    cell(image.model_index === null ? "–" : number(image.model_index + 1)),
    cell(number(image.keypoint_count)),
    cell(number(image.matched_pair_count)),
    cell(number(image.verified_pair_count)),
    cell(number(image.best_inlier_count)),
    cell(image.model_index === null ? "" : number(image.point_count)),
    cell(decimals(image.reprojection_error, 3)),
    cell(image.reason ?? "", "reason"),
  );
  row.onclick = () => choose_row(image.image);
  return row;
}

/// Marks an image in the table and in the view.
function choose_row(name) {
  for (const row of document.querySelectorAll("#images tbody tr")) {
    const is_it = row.dataset.name === name;
    row.classList.toggle("chosen", is_it);
    if (is_it) row.scrollIntoView({ block: "nearest" });
  }
  if (view?.space) view.choose_camera(view.space.cameras.findIndex((camera) => camera.image === name));
}

function show_images() {
  const table = document.querySelector("#images table"),
    form = document.querySelector("#images form");
  const heads = [
    "Image",
    "Model",
    "Keypoints",
    "Matched with",
    "Verified with",
    "Best inliers",
    "Points",
    "Error [px]",
    "Why not",
  ];
  table.tHead.append(
    element(
      "tr",
      {},
      ...heads.map((text, i) => element("th", { textContent: text, className: i === 0 || i === 8 ? "word" : "" })),
    ),
  );
  const rows = new Map(report.images.map((image) => [image, image_row(image)]));
  const orders = {
    name: () => 0,
    points: (a, b) => b.point_count - a.point_count,
    error: (a, b) => (b.reprojection_error ?? -1) - (a.reprojection_error ?? -1),
  };
  const list = () => {
    const { name, kind, order } = form.elements,
      part = name.value.trim().toLowerCase();
    const wanted = report.images
      .filter(
        (image) =>
          image.image.toLowerCase().includes(part) &&
          (kind.value === "" || (kind.value === "in") === (image.model_index !== null)),
      )
      .sort(orders[order.value]);
    table.tBodies[0].replaceChildren(...wanted.map((image) => rows.get(image)));
    form.querySelector("output").textContent =
      `${number(wanted.length)} of ${counted(report.images.length, "image", "images")}`;
  };
  form.oninput = list;
  form.onsubmit = (event) => event.preventDefault();
  list();
}

function panorama_row(panorama) {
  const { model, centre, centre_spread, nearest_distance } = panorama,
    is_out = model === null;
  const cell = (text, className = "") => element("td", { textContent: text, className });
  const share = nearest_distance > 0 ? `${decimals((100 * centre_spread) / nearest_distance, 1)} %` : "";
  const row = element(
    "tr",
    { className: is_out ? "out" : "" },
    cell(panorama.image, "word"),
    cell(is_out ? "–" : number(model + 1)),
    cell(`${panorama.registered_view_count} of ${panorama.views.length}`),
    cell(is_out ? "" : centre.map((value) => decimals(value, 3)).join("  ")),
    cell(share),
    cell(is_out ? "" : `${decimals(panorama.rotation_spread, 2)}°`),
    cell(is_out ? "no view is in a model" : panorama.doubts.join("; "), "reason"),
  );
  row.onclick = () => choose_row(panorama.views[0].image);
  return row;
}

function show_panoramas() {
  const section = by("panoramas");
  section.hidden = report.panoramas.length === 0;
  const heads = ["Panorama", "Model", "Views", "Place", "Spread of places", "Of turns", "Doubts"];
  const head = heads.map((text, i) =>
    element("th", { textContent: text, className: i === 0 || i === 6 ? "word" : "" }),
  );
  section.querySelector("thead").append(element("tr", {}, ...head));
  section.querySelector("tbody").append(...report.panoramas.map(panorama_row));
}

function show_graph() {
  const verified = report.pairs.filter((pair) => pair.inlier_count >= needed_inliers).length;
  by("pairs-summary").textContent =
    `${counted(report.pairs.length, "pair has", "pairs have")} matches; ${number(verified)} of them ${verified === 1 ? "has" : "have"} at least ${needed_inliers} inliers.`;
  show_matrix(document.querySelector(".graph canvas"), document.querySelector(".graph output"));
  show_best_pairs(by("best-pairs"));
}

show_summary();
show_models();
show_panoramas();
show_images();
show_graph();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  document.querySelectorAll(".plots figure").forEach((figure) => figure.draw()),
);
by("save").href = URL.createObjectURL(new Blob([JSON.stringify(report)], { type: "application/json" }));
by("save").hidden = false;
document.body.dataset.ready = "yes";
