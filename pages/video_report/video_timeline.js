// The timelines of a pair: both clips, each over the whole width, the found segments on them, and bands between.

const segment_colour = (index) => `var(--segment-${index % palette_size})`;

function segment_title(segment, index) {
  return `segment ${index + 1}: ${time(segment.in_a)} – ${time(segment.out_a)} of A is ${time(segment.in_b)} – ${time(
    segment.out_b,
  )} of B`;
}

function track(side, { seconds }, segments) {
  const bar = element("div", { className: "track" });
  segments.forEach((segment, i) => {
    const from = segment[`in_${side}`] / seconds,
      to = segment[`out_${side}`] / seconds;
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
    element("small", { textContent: clock(seconds) }),
  );
}

/// What B shows at the begin and at the end of the segment in A: of a speed below 0 its out first.
function ends_of_b({ speed, in_b, out_b }) {
  return speed < 0 ? [out_b, in_b] : [in_b, out_b];
}

function bands(a, b, segments) {
  const drawn = svg_element("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "bands" });
  segments.forEach((segment, i) => {
    const x = (seconds, facts) => (100 * seconds) / facts.seconds;
    const [first_b, last_b] = ends_of_b(segment);
    const corners = [
      [x(segment.in_a, a), 0],
      [x(segment.out_a, a), 0],
      [x(last_b, b), 100],
      [x(first_b, b), 100],
    ];
    const band = svg_element("polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
    band.style.fill = band.style.stroke = segment_colour(i);
    band.append(svg_element("title", {}, segment_title(segment, i)));
    drawn.append(band);
  });
  return element("div", { className: "between" }, drawn);
}

function timelines(pair) {
  const a = report.clips[pair.index_a].facts,
    b = report.clips[pair.index_b].facts;
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
  const share = pair[`coverage_${side}`];
  const bar = element("span", { className: "bar" }, element("i"));
  bar.firstChild.style.width = `${100 * share}%`;
  return element(
    "span",
    { className: `coverage ${side}` },
    bar,
    `${percent(share)} of ${side.toUpperCase()} lies within ${other.toUpperCase()}`,
  );
}
