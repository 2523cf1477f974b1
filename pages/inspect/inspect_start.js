// The other tabs, and the start of the page. This is the last of the page's scripts.

/// A bar whose parts have the shares of these verdicts in `counts`, by their names.
function share_of(verdicts, counts) {
  const share = element("div", { className: "share" });
  for (const { name, colour } of verdicts) {
    const part = element("span", { title: `${name}: ${number(counts[name])}` });
    part.style.flex = `${counts[name]} 0 0`;
    part.style.background = `rgb(${colour})`;
    share.append(part);
  }
  return share;
}

/// Fills the tabs that only this detector has, and hides those that it has not.
function fill_tabs() {
  const hide = (tab) => {
    document.querySelector(`[data-tab="${tab}"]`).hidden = true;
  };
  if (data.octaves.length > 0) by("counts").append(...detector.counts());
  if (detector.kernels) by("kernels").append(...detector.kernels());
  else hide("kernels");
  if (Object.keys(data.keypoints.descriptor).length === 0) hide("descriptor");
}

function fill_about() {
  const { candidates, options } = data;
  const paragraph = (text) => by("about").append(element("p", {}, text));
  const heading = (text) => by("about").append(element("h3", {}, text));
  heading("What is shown");
  paragraph(
    `The page holds ${number(candidates.x.length)} of ${number(candidates.count)} candidates` +
      (candidates.x.length < candidates.count
        ? ", the strongest of every octave and verdict in equal shares; inspect.json has them all."
        : ".") +
      ` Of ${number(data.keypoints.count)} keypoints it holds ${number(data.keypoints.x.length)}, and the descriptors of ` +
      `${number(Object.keys(data.keypoints.descriptor).length)}. Counts beside the images are shown / all.`,
  );
  heading("Images and values");
  detector.about().forEach(paragraph);
  heading("Keys");
  paragraph(
    `${detector.keys}, + \u2212 zoom, 0 whole image, f fill the window, k keypoints, c candidates, a every point. ` +
      "Drag moves, the wheel zooms; with keypoints shown, a click chooses one. At first the strongest keypoints in view are drawn; zooming in shows more.",
  );
  heading("Options");
  paragraph(
    Object.entries(options)
      .map(([name, value]) => `${name} ${value}`)
      .join(" \u00b7 "),
  );
}

function choose_tab(name) {
  document.querySelectorAll("#tabs button").forEach((b) => b.classList.toggle("chosen", b.dataset.tab === name));
  document.querySelectorAll(".tab").forEach((tab) => {
    tab.hidden = tab.id !== name;
  });
}
document.querySelectorAll("#tabs button").forEach((b) => {
  b.onclick = () => choose_tab(b.dataset.tab);
});

document.title = `${images[0].title} \u2013 octavo inspect`;
by("name").textContent = images[0].title;
by("name").title = data.image;
by("summary").textContent =
  `${data.width}\u00d7${data.height} \u00b7 ${detector.summary()} \u00b7 ` +
  `${number(data.candidates.count)} candidates \u00b7 ${number(data.keypoints.count)} keypoints`;
fill_sheet();
fill_filters();
fill_tabs();
fill_about();
by("held").hidden =
  data.candidates.x.length === data.candidates.count && data.keypoints.x.length === data.keypoints.count;
choose_tab("keypoints");
if (data.point) choose_keypoint(data.point.index, false);
choose(images[0]).then(() => {
  fit();
  canvas.focus({ preventScroll: true });
  document.body.dataset.ready = "yes";
});
