// The contact sheet, and the filters of candidates and keypoints.

function thumbnail(image, caption) {
  const img = element("img", { src: image.image, alt: image.title, draggable: false });
  const figure = element("figure", { image, title: image.title }, img, element("figcaption", {}, caption));
  figure.dataset.title = image.title;
  figure.onclick = () => {
    choose(image);
    by("viewer").scrollIntoView({ block: "nearest" }); // on a phone the sheet is below the view
  };
  img.onpointermove = (event) => {
    show_value(
      image,
      ((event.offsetX - 2) / (img.clientWidth - 4)) * image.columns,
      ((event.offsetY - 2) / (img.clientHeight - 4)) * image.rows,
    );
  };
  return figure;
}

function fill_sheet() {
  const sheet = by("sheet");
  const strip = (figures) => {
    const made = element("div", { className: "strip" }, ...figures);
    made.style.gridTemplateColumns = `repeat(${detector.across()}, 1fr)`;
    return made;
  };
  const whole = [thumbnail(images[0], "image")];
  if (packed) whole.push(thumbnail(packed, "packed differences"));
  sheet.append(strip(whole));
  for (const { heading, note, rows } of detector.groups()) {
    sheet.append(element("h2", {}, heading, element("small", {}, note)));
    for (const row of rows) sheet.append(strip(row.map((p) => thumbnail(p, detector.caption_of(p)))));
  }
}

function fill_filters() {
  const octaves = by("octaves");
  for (const [value, text] of detector.choices()) octaves.append(element("option", { value, textContent: text }));
  octaves.onchange = () => {
    view.octaves = octaves.value;
    count_shown();
    sort_keypoints();
    draw();
  };
  data.verdicts.forEach(({ name, colour }, v) => {
    if (!data.octaves.some((o) => o.verdict_counts[name] > 0)) return;
    const box = element("input", { type: "checkbox", checked: true });
    box.dataset.verdict = name;
    box.onchange = () => {
      if (box.checked) hidden_verdicts.delete(v);
      else hidden_verdicts.add(v);
      draw();
    };
    const swatch = element("span", { className: "swatch" });
    swatch.style.background = `rgb(${colour})`;
    by("verdicts").append(element("label", {}, box, swatch, `${name} `, element("small", { className: "count" })));
  });
  const show = () => {
    by("verdicts").hidden = !by("show-candidates").checked;
    draw();
  };
  for (const id of ["show-candidates", "show-keypoints", "show-all"]) by(id).onchange = show;
  show();
}

/// Fills the list of octaves. An image that belongs to no octave shows all of them.
function offer_octaves() {
  const has_octave = view.image.octave !== undefined;
  for (const option of by("octaves").options)
    option.disabled = option.hidden = !has_octave && option.value.startsWith("this");
  by("octaves").value = !has_octave && view.octaves.startsWith("this") ? "all" : view.octaves;
}

const of_all = (shown, all) => (shown < all ? `${number(shown)} / ${number(all)}` : number(all));

/// Shows the numbers of candidates of each verdict, and of keypoints, that the page holds in the chosen octaves, and
/// their total numbers.
function count_shown() {
  const { candidates, keypoints, verdicts } = data;
  const shown = verdicts.map(() => 0),
    all = verdicts.map(() => 0);
  candidates.verdict.forEach((v, i) => {
    shown[v] += candidate_chosen(candidates.octave[i], candidates.layer[i]);
  });
  for (const at of candidates.totals) {
    if (candidate_chosen(at.octave, at.layer))
      at.verdict_counts.forEach((count, v) => {
        all[v] += count;
      });
  }
  const sum = (counts) => counts.reduce((a, b) => a + b, 0);
  const set_count = (box, text) => {
    box.parentElement.querySelector(".count").textContent = text;
  };
  verdicts.forEach(({ name }, v) => {
    const box = document.querySelector(`[data-verdict="${name}"]`);
    if (box) set_count(box, of_all(shown[v], all[v]));
  });
  set_count(by("show-candidates"), of_all(sum(shown), sum(all)));
  set_count(
    by("show-keypoints"),
    of_all(
      keypoints.octave.filter((octave, i) => keypoint_chosen(octave, keypoints.layer[i])).length,
      sum(keypoints.totals.filter((at) => keypoint_chosen(at.octave, at.layer)).map((at) => at.keypoint_count)),
    ),
  );
}
