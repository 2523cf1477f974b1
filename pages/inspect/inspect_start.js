// The other tabs, and the start of the page. This is the last of the page's scripts.

function fill_counts() {
  const shown = data.verdicts.filter(({ name }) => data.octaves.some((o) => o.verdicts[name] > 0));
  const row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {}, c)));
  const lines = data.octaves.map((o) => {
    const total = shown.reduce((sum, { name }) => sum + o.verdicts[name], 0);
    const share = element("div", { className: "share" });
    for (const { name, colour } of shown) {
      const part = element("span", { title: `${name}: ${number(o.verdicts[name])}` });
      part.style.flex = `${o.verdicts[name]} 0 0`;
      part.style.background = `rgb(${colour})`;
      share.append(part);
    }
    return row("td", [minus(o.octave), `${o.width}\u00d7${o.height}`, number(o.keypoints),
                      number(o.faint.reduce((a, b) => a + b, 0)), number(total),
                      ...shown.map(({ name }) => number(o.verdicts[name])), share]);
  });
  by("counts").append(
    element("p", {}, "Candidates are extrema of the differences beyond half the contrast threshold. " +
      "Faint extrema, below that, are only counted: the engine looks no further at them."),
    element("table", {}, element("thead", {}, row("th", ["octave", "pixels", "keypoints", "faint", "candidates",
      ...shown.map(({ name }) => name), "shares"])), element("tbody", {}, ...lines)));
}

function fill_kernels() {
  const row = (tag, cells) => element("tr", {}, ...cells.map((c) => element(tag, {}, c)));
  by("kernels").append(
    element("p", {}, "A kernel makes the blur of its level from the one before, along rows and columns, in every octave. " +
      "That of level 0 makes the first blur of the first octave from the image. The weights go from the centre outwards."),
    element("table", {}, element("thead", {}, row("th", ["blur", "\u03c3 of the kernel", "taps", "weights"])),
      element("tbody", {}, ...data.kernels.map(({ level, sigma, weights }) =>
        row("td", [String(level), sigma.toFixed(4), String(2 * weights.length - 1), weights.map((w) => w.toFixed(4)).join(" ")])))));
}

function fill_about() {
  const { candidates, options } = data;
  const paragraph = (text) => by("about").append(element("p", {}, text));
  const heading = (text) => by("about").append(element("h3", {}, text));
  heading("What is shown");
  paragraph(`The page holds ${number(candidates.x.length)} of ${number(candidates.total)} candidates` +
    (candidates.x.length < candidates.total ? ", the strongest of every octave and verdict in equal shares; inspect.json has them all." : ".") +
    ` Of ${number(data.keypoints.total)} keypoints it holds ${number(data.keypoints.x.length)}, and the descriptors of ` +
    `${number(Object.keys(data.keypoints.descriptor).length)}. Counts beside the pictures are shown / all.`);
  heading("Pictures and values");
  paragraph("Blurs run linearly from the least value of the first blur (black) to its greatest (white), images being 0\u20261. " +
    "Differences are grey at 0 and linear to \u00b1w, where of 200 values of the octave 199 lie between; values beyond that are shown as \u2264 or \u2265. " +
    "Pictures are bytes: the value under the pointer is accurate to half a step, which stands beside it. Large planes are shown reduced: " +
    "a pixel is then the mean of the pixels that are named, or, of a difference, the value farthest from 0. " +
    "After octavo inspect --full, the view shows the files beside the page where it is zoomed in; the value " +
    "under the pointer stays that of the reduced plane.");
  if (data.options.smoothing === "trilateral") {
    paragraph("Steps of the trilateral filter: a gradient is \u221a(gx\u00b2 + gy\u00b2) of the blur of its level, from 0 (black) to what " +
      "199 of 200 stay below; a region is the distance in pixels within which gradients are alike, from 0 to the largest; a smoothed " +
      "gradient is the gradient after smoothing, from which the blur of its level is made (from \u03c3_c = 3 on); a detail is the blur of " +
      `its level less the blur that it was made of. Contrast thresholds are multiplied by ${data.contrast.toFixed(3)}.`);
  }
  paragraph("Pixels of an octave count from 0 at its upper left; (0, 0) of the image is the centre of its first pixel; pixel i of " +
    "octave o lies at i\u00b72\u1d52 of the image.");
  heading("Keys");
  paragraph("\u2190 \u2192 level, \u2191 \u2193 octave (the place stays: flip through the stages; from the image \u2192 and \u2193 lead to the first blur), " +
    "d blur or difference of the same level, + \u2212 zoom, 0 whole picture, f fill the window, k keypoints, c candidates, a every point. " +
    "Drag moves, the wheel zooms; with keypoints shown, a click chooses one. At first the strongest keypoints in view are drawn; zooming in shows more.");
  heading("Options");
  paragraph(Object.entries(options).map(([name, value]) => `${name} ${value}`).join(" \u00b7 "));
}

function choose_tab(name) {
  document.querySelectorAll("#tabs button").forEach((b) => b.classList.toggle("chosen", b.dataset.tab === name));
  document.querySelectorAll(".tab").forEach((tab) => { tab.hidden = tab.id !== name; });
}
document.querySelectorAll("#tabs button").forEach((b) => { b.onclick = () => choose_tab(b.dataset.tab); });

document.title = `${pictures[0].title} \u2013 octavo inspect`;
by("name").textContent = pictures[0].title;
by("name").title = data.image;
by("summary").textContent = `${data.width}\u00d7${data.height} \u00b7 ${data.octaves.length} octaves of ` +
  `${data.options.layers + 3} blurs and ${data.options.layers + 2} differences \u00b7 ` +
  `${number(data.candidates.total)} candidates \u00b7 ${number(data.keypoints.total)} keypoints`;
fill_sheet();
fill_filters();
fill_counts();
fill_kernels();
fill_about();
by("held").hidden = data.candidates.x.length === data.candidates.total && data.keypoints.x.length === data.keypoints.total;
choose_tab("keypoints");
if (data.point) choose_keypoint(data.point.index, false);
choose(pictures[0]).then(() => {
  fit();
  canvas.focus({ preventScroll: true });
  document.body.dataset.ready = "yes";
});
