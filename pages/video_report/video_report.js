// The start of the page. This is the last of its scripts.

function summary() {
  const files = report.clips.reduce((sum, clip) => sum + clip.files.length, 0),
    failed = report.failed_clips.length;
  const seconds = report.clips.reduce((sum, clip) => sum + clip.facts.seconds, 0);
  const size = report.clips.reduce((sum, clip) => sum + clip.facts.size * clip.files.length, 0);
  const open = report.pairs.filter((pair) => !is_settled(pair)).length;
  const parts = [
    `${counted(files, "file", "files")}${failed > 0 ? ` and ${number(failed)} that failed` : ""}`,
    `${seconds < 3600 ? `${fixed(seconds / 60, 1)} minutes` : `${fixed(seconds / 3600, 1)} hours`} of video`,
    bytes(size),
    counted(open, "pair", "pairs"),
  ];
  if (report.groups.length > 0)
    parts.push(`${counted(report.groups.length, "group", "groups")} of files that are the same`);
  return parts.join(" · ");
}

function notes() {
  const list = [];
  const absent = report.clips.filter((clip) => clip.problems.length > 0);
  if (absent.length > 0) {
    list.push(
      `${counted(absent.length, "clip", "clips")} cannot be read now, so there are no images of ${
        absent.length === 1 ? "it" : "them"
      }: is a disk absent? The table of files tells which.`,
    );
  }
  if (images.left_out_count > 0) {
    list.push(
      `The best ${counted(Object.keys(images.pairs).length, "pair has", "pairs have")} images, ${number(
        images.left_out_count,
      )} ${images.left_out_count === 1 ? "has" : "have"} none: --max-images sets the limit.`,
    );
  }
  for (const recurring of report.recurring_segments) {
    const places = recurring.places.map((place) => `${place.clip}, ${fixed(place.in, 1)} to ${fixed(place.out, 1)} s`);
    const clips = counted(recurring.clip_count, "clip", "clips");
    list.push(`A segment recurs in ${clips} and does not count: ${places.join("; ")}.`);
  }
  if (!report.mirrored) list.push("Mirrored copies were not looked for (--no-mirror).");
  return list.map((text) => element("p", { className: "note", textContent: text }));
}

const title = document.querySelector("h1");
title.append(
  report.of === "search" ? "Where these clips are found" : "What is the same in this archive",
  " ",
  element("small", { textContent: report.archive }),
);
by("summary").textContent = summary();
by("notes").append(...notes());
show_queries();
show_groups();
show_pairs();
show_files();
by("save").href = URL.createObjectURL(new Blob([JSON.stringify(report)], { type: "application/json" }));
by("save").hidden = false;
document.body.dataset.ready = "yes";
