// The timelines of a pair: both clips, each over the whole width, the found segments on them, and bands between.

const segment_colour = (index) => `var(--segment-${index % palette_size})`;

function segment_title(segment, index) {
  const of_a = span_text(segment.in_a, segment.out_a),
    of_b = span_text(segment.in_b, segment.out_b);
  return `segment ${index + 1}: ${of_a} of A is ${of_b} of B`.replaceAll("the image of", "the image");
}

/// The ends of a part as shares of the length of its file: all of an image.
function shares({ seconds }, from, to) {
  return seconds > 0 ? [from / seconds, to / seconds] : [0, 1];
}

function track(side, facts, segments) {
  const bar = element("div", { className: "track" });
  segments.forEach((segment, i) => {
    const [from, to] = shares(facts, segment[`in_${side}`], segment[`out_${side}`]);
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
    element("small", { textContent: length_text(facts) }),
  );
}

/// What B shows at the begin and at the end of the segment in A: of a speed below 0 its out first.
function ends_of_b({ speed, in_b, out_b }) {
  return speed < 0 ? [out_b, in_b] : [in_b, out_b];
}

function bands(a, b, segments) {
  const drawn = svg_element("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "bands" });
  segments.forEach((segment, i) => {
    const [in_a, out_a] = shares(a, segment.in_a, segment.out_a),
      [first_b, last_b] = shares(b, ...ends_of_b(segment));
    const corners = [
      [100 * in_a, 0],
      [100 * out_a, 0],
      [100 * last_b, 100],
      [100 * first_b, 100],
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
