// The images of a pair: frames of each segment, the affinity matrix, and the features that agree.

const moments = ["begin", "middle", "end"];

function frame_image(frame, side) {
  if (!frame) return element("span", { className: `lacking ${side}`, textContent: "no image" });
  return element("img", {
    src: `data:image/jpeg;base64,${frame.jpeg}`,
    width: frame.width,
    height: frame.height,
    className: side,
    loading: "lazy",
    alt: `${side.toUpperCase()} at ${time(frame.seconds)}`,
  });
}

/// "0:00:01.000 of A"; "the image B".
function moment_text(frame, side, pair) {
  const name = side.toUpperCase();
  return is_image(report.clips[pair[`index_${side}`]].facts)
    ? `the image ${name}`
    : `${time(frame.seconds)} of ${name}`;
}

function frame_time(frame, side, pair) {
  if (!frame) return "";
  const of_image = is_image(report.clips[pair[`index_${side}`]].facts);
  const textContent = `${side.toUpperCase()} ${of_image ? "image" : time(frame.seconds)}`;
  return element("span", { className: `at ${side}`, textContent });
}

/// Frames of both clips at the begin, the middle and the end of a segment.
function segment_frames(frames, index, pair) {
  const row = element("div", { className: "moments" });
  moments.forEach((moment, k) => {
    row.append(
      element(
        "figure",
        {},
        element("div", { className: "both" }, frame_image(frames.a[k], "a"), frame_image(frames.b[k], "b")),
        element(
          "figcaption",
          {},
          element("b", { textContent: moment }),
          frame_time(frames.a[k], "a", pair),
          frame_time(frames.b[k], "b", pair),
        ),
      ),
    );
  });
  const dot = element("i", { className: "dot" });
  dot.style.background = segment_colour(index);
  return element("div", { className: "segment" }, element("h4", {}, dot, `Segment ${index + 1}`), row);
}

function affinity_figure(affinity, pair) {
  const { in_a, out_a, in_b, out_b } = affinity,
    across = out_b - in_b,
    down = out_a - in_a;
  const lines = svg_element("svg", { viewBox: `${in_b} ${in_a} ${across} ${down}`, preserveAspectRatio: "none" });
  for (const segment of pair.segments) {
    const [x1, x2] = ends_of_b(segment);
    const ends = { x1, y1: segment.in_a, x2, y2: segment.out_a };
    lines.append(svg_element("line", { class: "edge", ...ends }), svg_element("line", { class: "found", ...ends }));
  }
  const matrix = element(
    "div",
    { className: "matrix" },
    element("img", { src: `data:image/png;base64,${affinity.png}`, alt: "affinity matrix", loading: "lazy" }),
    lines,
  );
  matrix.style.aspectRatio = Math.min(4, Math.max(0.6, across / down));
  const is_part =
    down < report.clips[pair.index_a].facts.seconds - 1 || across < report.clips[pair.index_b].facts.seconds - 1;
  const text = (words) => element("span", { textContent: words });
  return element(
    "figure",
    { className: "affinity" },
    element(
      "div",
      { className: "axes" },
      element("span"),
      element("div", { className: "across" }, text(clock(in_b)), text("B →"), text(clock(out_b))),
      element("div", { className: "down" }, text(clock(in_a)), text("A ↓"), text(clock(out_a))),
      matrix,
    ),
    element("figcaption", {
      textContent: `Affinity of ${is_part ? "the parts around the best segment" : "all frames"}, two a second; the ${
        pair.segments.length === 1 ? "line is the segment" : "lines are the segments"
      }.`,
    }),
  );
}

function why_figure(why, pair) {
  const { a, b, lines } = why,
    gap = 8,
    begin = a.width + gap;
  const drawn = svg_element("svg", { viewBox: `0 0 ${begin + b.width} ${Math.max(a.height, b.height)}` });
  for (const [frame, x] of [
    [a, 0],
    [b, begin],
  ]) {
    drawn.append(
      svg_element("image", {
        x,
        width: frame.width,
        height: frame.height,
        href: `data:image/jpeg;base64,${frame.jpeg}`,
      }),
      svg_element("rect", { x, width: frame.width, height: frame.height }),
    );
  }
  for (const [x1, y1, x2, y2] of lines) {
    drawn.append(
      svg_element("line", { class: "right", x1: x1 + 0.5, y1: y1 + 0.5, x2: x2 + 0.5 + begin, y2: y2 + 0.5 }),
    );
  }
  return element(
    "figure",
    { className: "matches why" },
    drawn,
    element("figcaption", {
      textContent: `Why: ${counted(lines.length, "feature agrees", "features agree")} ${is_image(report.clips[pair.index_a].facts) ? "in" : "at"} ${moment_text(a, "a", pair)} and ${moment_text(b, "b", pair)}.`,
    }),
  );
}
