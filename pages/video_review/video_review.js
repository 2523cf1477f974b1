// The start of the page. This is the last of its scripts.

/// Shows the report anew, from its first pair on.
function show_report() {
  document
    .querySelector("h1")
    .replaceChildren(
      sheet === 0
        ? "Which of these are the same?"
        : `Where ${base_name(report.clips[report.queries[0]].clip)} is found`,
      " ",
      element("small", { textContent: report.archive }),
    );
  filters.elements.score.max = Math.ceil(Math.max(0, ...report.pairs.map((pair) => pair.score)));
  shown.pair = -1;
  show_groups_now();
  list_pairs();
  open_pair(listed.find((i) => report.pairs[i].verdict === null) ?? listed[0] ?? -1);
}

filters.oninput = list_anew;
filters.onsubmit = (event) => event.preventDefault();
by("all-groups").onclick = () => {
  group_only = null;
  list_anew();
};
by("kept-all").onchange = () => {
  const all = by("kept-all").checked ? "?of=all" : "";
  for (const kind of ["csv", "sh"]) by(`kept-${kind}`).href = `kept.${kind}${all}`;
};
take_keys();
take_files();
write_history();
show_report();
keep_looking();
document.body.dataset.ready = "yes";
