// Files that are dropped on the page: they are sent to the server, which searches them in the archive.

const megabytes = (count) => `${fixed(count / 1e6, 1)} MB`;

async function open_sheet(number_of_sheet) {
  const { report: other, state: state_of_it } = await ask(`sheet/${number_of_sheet}`);
  sheet = number_of_sheet;
  state = state_of_it;
  group_only = null;
  Object.assign(report, other);
  by("back").hidden = sheet === 0;
  show_report();
}

/// What a search has found. A clip that is shorter than a segment cannot be found.
function found_text(name) {
  const count = report.pairs.length,
    { facts } = report.clips[report.queries[0]],
    least = report.settings.min_seconds;
  if (count > 0) return `${name} is in ${counted(count, "clip", "clips")}.`;
  if (is_image(facts) || facts.seconds >= least) return `${name} is not in the archive.`;
  return `${name} lasts ${fixed(facts.seconds, 2)} s, and a clip that is shorter than ${least} s is not found: see --min-seconds.`;
}

async function search(file) {
  const say_search = (text) => {
    by("searching").textContent = text;
  };
  if (file.size > data.max_upload) {
    return say_search(
      `${file.name} has ${megabytes(file.size)}, but the server takes ${megabytes(data.max_upload)}: see --max-upload.`,
    );
  }
  by("file").disabled = true;
  try {
    say_search(`${file.name} is sent …`);
    const { search: number_of_search } = await post(`search?name=${encodeURIComponent(file.name)}`, file);
    const work = await end_of_work(`search/${number_of_search}`, (text) => say_search(`${file.name}: ${text}`));
    if (work.state === "failed") return say_search(`${file.name} cannot be searched: ${work.text}.`);
    await open_sheet(work.sheet);
    say_search(found_text(file.name));
  } catch (error) {
    say_search(`${file.name} cannot be searched: ${error.message}.`);
  } finally {
    by("file").disabled = false;
    by("file").value = "";
  }
}

function take_files() {
  const has_file = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has_file(event)) return;
    event.preventDefault();
    by("drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) by("drop").hidden = true;
  });
  document.addEventListener("drop", (event) => {
    by("drop").hidden = true;
    if (!has_file(event)) return;
    event.preventDefault();
    search(event.dataTransfer.files[0]);
  });
  by("file").onchange = () => {
    if (by("file").files.length > 0) search(by("file").files[0]);
  };
  by("back").onclick = () => {
    by("searching").textContent = "";
    open_sheet(0).catch((error) => tell(error.message));
  };
}
