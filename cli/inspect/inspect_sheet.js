// The contact sheet, and the filters of candidates and keypoints.

function thumbnail(picture, caption) {
  const image = element("img", { src: picture.picture, alt: picture.title, draggable: false });
  const figure = element("figure", { picture, title: picture.title }, image, element("figcaption", {}, caption));
  figure.dataset.title = picture.title;
  figure.onclick = () => choose(picture);
  image.onpointermove = (event) => {
    tell(picture, ((event.offsetX - 2) / (image.clientWidth - 4)) * picture.columns,
         ((event.offsetY - 2) / (image.clientHeight - 4)) * picture.rows);
  };
  return figure;
}

function fill_sheet() {
  const sheet = by("sheet");
  const across = Math.max(1, ...data.octaves.map((o) => o.blurs));
  const strip = (figures) => {
    const made = element("div", { className: "strip" }, ...figures);
    made.style.gridTemplateColumns = `repeat(${across}, 1fr)`;
    return made;
  };
  const whole = [thumbnail(pictures[0], "photograph")];
  if (packed) whole.push(thumbnail(packed, "packed differences"));
  sheet.append(strip(whole));
  for (const { octave, width, height, keypoints } of data.octaves) {
    sheet.append(element("h2", {}, `octave ${minus(octave)} `, element("small", {},
      `${width}\u00d7${height}, a pixel is ${2 ** octave} of the image \u00b7 ${number(keypoints)} keypoints`)));
    for (const stage of [...new Set(data.planes.filter((p) => p.octave === octave && p.stage !== "packed").map((p) => p.stage))]) {
      sheet.append(strip(pictures.filter((p) => p.stage === stage && p.octave === octave)
        .map((p) => thumbnail(p, `${stage} ${p.level}${p.signed ? "" : ` \u00b7 \u03c3 ${p.sigma.toFixed(2)}`}`))));
    }
  }
}

function fill_filters() {
  const octaves = by("octaves");
  const option = (value, text) => octaves.append(element("option", { value, textContent: text }));
  option("this", "this octave");
  option("this layer", "this octave and layer");
  option("all", "all octaves");
  for (const { octave } of data.octaves) option(String(octave), `octave ${minus(octave)}`);
  octaves.onchange = () => {
    count_verdicts();
    sort_keypoints();
    draw();
  };
  data.verdicts.forEach(({ name, colour }, v) => {
    if (!data.octaves.some((o) => o.verdicts[name] > 0)) return;
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
  for (const id of ["show-candidates", "show-keypoints"]) by(id).onchange = draw;
}

/// How many there are of each verdict in what is looked at: all, also those that the page does not hold.
function count_verdicts() {
  for (const box of document.querySelectorAll("[data-verdict]")) {
    const counted = data.octaves.filter((o) => in_chosen_octave(o.octave, view.picture.level));
    const sum = counted.reduce((all, o) => all + o.verdicts[box.dataset.verdict], 0);
    box.parentElement.querySelector(".count").textContent =
      by("octaves").value === "this layer" ? "" : number(sum);
  }
}
