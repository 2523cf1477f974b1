// The timelines of a pair: both clips, each over the whole width, the found segments on them, and bands between.

const segment_colour = (index) => `var(--segment-${index % palette_size})`;

function segment_title(segment, index) {
  return `segment ${index + 1}: ${time(segment.a_in)} – ${time(segment.a_out)} of A is ${time(segment.b_in)} – ${time(
    segment.b_out,
  )} of B`;
}

function track(side, clip, segments) {
  const bar = element("div", { className: "track" });
  segments.forEach((segment, i) => {
    const from = segment[`${side}_in`] / clip.seconds,
      to = segment[`${side}_out`] / clip.seconds;
    const part = element("span", { title: segment_title(segment, i), textContent: to - from > 0.03 ? i + 1 : "" });
    part.style.left = `${100 * from}%`;
    part.style.width = `${100 * Math.min(1 - from, to - from)}%`;
    part.style.background = segment_colour(i);
    part.classList.toggle("mirrored", segment.mirrored);
    bar.append(part);
  });
  return element(
    "div",
    { className: `line ${side}` },
    element("b", { textContent: side.toUpperCase() }),
    bar,
    element("small", { textContent: clock(clip.seconds) }),
  );
}

function bands(a, b, segments) {
  const drawn = svg_element("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "bands" });
  segments.forEach((segment, i) => {
    const x = (seconds, clip) => (100 * seconds) / clip.seconds;
    const corners = [
      [x(segment.a_in, a), 0],
      [x(segment.a_out, a), 0],
      [x(segment.b_out, b), 100],
      [x(segment.b_in, b), 100],
    ];
    const band = svg_element("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
    band.style.fill = band.style.stroke = segment_colour(i);
    band.append(svg_element("title", {}, segment_title(segment, i)));
    drawn.append(band);
  });
  return element("div", { className: "between" }, drawn);
}

function timelines(pair) {
  const a = report.clips[pair.a],
    b = report.clips[pair.b];
  return element(
    "div",
    { className: "timelines", role: "img", ariaLabel: pair.segments.map(segment_title).join("; ") },
    track("a", a, pair.segments),
    bands(a, b, pair.segments),
    track("b", b, pair.segments),
  );
}

/// "97 % of A lies within B", as a bar.
function coverage_bar(pair, side, other) {
  const share = pair[`${side}_coverage`];
  const bar = element("span", { className: "bar" }, element("i"));
  bar.firstChild.style.width = `${100 * share}%`;
  return element(
    "span",
    { className: `coverage ${side}` },
    bar,
    `${percent(share)} of ${side.toUpperCase()} lies within ${other.toUpperCase()}`,
  );
}
