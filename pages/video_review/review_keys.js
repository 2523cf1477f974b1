// What buttons and keys do. Both call the same.

const acts = {
  say_same: () => say("same"),
  say_different: () => say("different"),
  say_ignore: () => say("ignore"),
  undo,
  next_pair: () => open_pair(neighbour(1)),
  previous_pair: () => open_pair(neighbour(-1)),
  play_or_pause,
  step_back: () => step(-1),
  step_on: () => step(1),
  to_in,
  to_out,
  show_agreeing,
};

const act_of_key = {
  s: "say_same",
  d: "say_different",
  i: "say_ignore",
  u: "undo",
  n: "next_pair",
  p: "previous_pair",
  " ": "play_or_pause",
  ",": "step_back",
  ".": "step_on",
  ArrowLeft: "step_back",
  ArrowRight: "step_on",
  "[": "to_in",
  "]": "to_out",
  f: "show_agreeing",
};

/// Without a pair only these have a sense.
const act = (name) => {
  if (shown.pair >= 0 || name === "undo") acts[name]();
};

/// Whether the element that has the focus wants the key itself.
function is_typed({ target, key }) {
  if (target.matches("input[type=search], input[type=number], select, textarea")) return true;
  if (target.matches("input[type=range]")) return key.startsWith("Arrow");
  return key === " " && target.matches("button, a, summary, input");
}

function on_key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || is_typed(event)) return;
  if (event.key === "?") {
    by("keys").open = !by("keys").open;
    if (by("keys").open) by("keys").scrollIntoView();
  } else if (/^[1-9]$/.test(event.key)) {
    choose_segment(Number(event.key) - 1);
  } else if (event.key in act_of_key) {
    event.preventDefault();
    act(act_of_key[event.key]);
  }
}

function take_keys() {
  document.addEventListener("keydown", on_key);
  for (const button of document.querySelectorAll("[data-act]")) button.onclick = () => act(button.dataset.act);
  by("moment").oninput = () => show_moment(Number(by("moment").value));
}
