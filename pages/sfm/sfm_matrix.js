// The graph of matches as a matrix: a cell for each pair of images, and the same pairs as a list.

const needed_inliers = 15;

/// From dark blue to a pale yellow by the logarithm of the number.
function colour_of_inliers(inliers, most) {
  const share = Math.log(inliers / needed_inliers + 1) / Math.log(most / needed_inliers + 1);
  const mix = (from, to, at) => from + (to - from) * at;
  const low = [24, 62, 110],
    middle = [64, 170, 220],
    high = [250, 250, 215];
  return low.map((_, i) => (share < 0.5 ? mix(low[i], middle[i], 2 * share) : mix(middle[i], high[i], 2 * share - 1)));
}

const counted = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

/// Draws the matrix, about 1100 pixels wide, with a mark at the edges for each image that is in no model.
function show_matrix(canvas, output) {
  const count = report.images.length,
    cell = Math.max(1, Math.floor(1100 / count)),
    gap = cell >= 8 ? 2 : 0;
  const edge = 16,
    side = edge + count * cell;
  Object.assign(canvas, { width: side, height: side });
  const paper = canvas.getContext("2d");
  const fill = (x, y, width, height, [red, green, blue]) => {
    paper.fillStyle = `rgb(${red} ${green} ${blue})`;
    paper.fillRect(x, y, width, height);
  };
  const at = (index) => edge + index * cell,
    inner = cell - gap;
  for (let i = 0; i < count; ++i) {
    fill(at(i), at(i), inner, inner, [60, 66, 76]);
    if (report.images[i].model_index !== null) continue;
    fill(0, at(i), edge - 4, inner, [217, 84, 60]);
    fill(at(i), 0, inner, edge - 4, [217, 84, 60]);
  }
  const most = report.pairs.reduce((best, pair) => Math.max(best, pair.inlier_count), needed_inliers);
  const index_of = new Map(report.images.map((image, i) => [image.image, i])),
    pair_at = new Map();
  for (const pair of report.pairs) {
    const a = index_of.get(pair.image_a),
      b = index_of.get(pair.image_b);
    const colour = pair.inlier_count >= needed_inliers ? colour_of_inliers(pair.inlier_count, most) : [140, 80, 20];
    fill(at(a), at(b), inner, inner, colour);
    fill(at(b), at(a), inner, inner, colour);
    pair_at.set(a * count + b, pair);
  }
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    const box = canvas.getBoundingClientRect();
    const index = (place, begin, length) => Math.floor((((place - begin) / length) * side - edge) / cell);
    const x = index(event.clientX, box.left, box.width),
      y = index(event.clientY, box.top, box.height);
    const [a, b] = [Math.min(x, y), Math.max(x, y)];
    if (a < 0 || b >= count) return;
    const pair = pair_at.get(a * count + b),
      names = `${report.images[a].image}\n${report.images[b].image}\n`;
    if (a === b)
      output.textContent = `${report.images[a].image}\n${counted(report.images[a].verified_pair_count, "verified pair", "verified pairs")}`;
    else
      output.textContent =
        names +
        (pair
          ? `${counted(pair.inlier_count, "inlier", "inliers")} of ${counted(pair.match_count, "match", "matches")}`
          : "no matches");
  };
}

function show_best_pairs(table) {
  const best = report.pairs
    .slice()
    .sort((a, b) => b.inlier_count - a.inlier_count) // those alike stay in the order of their names
    .slice(0, 100);
  const head = element(
    "tr",
    {},
    ...["Image", "Image", "Inliers", "Matches"].map((text, i) =>
      element("th", { textContent: text, className: i < 2 ? "word" : "" }),
    ),
  );
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(
    ...best.map((pair) =>
      element(
        "tr",
        {},
        element("td", { className: "word", textContent: pair.image_a }),
        element("td", { className: "word", textContent: pair.image_b }),
        element("td", { textContent: number(pair.inlier_count) }),
        element("td", { textContent: number(pair.match_count) }),
      ),
    ),
  );
}
