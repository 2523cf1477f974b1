// Verdicts: they are stored at once, and those of others show within seconds. Each names the verdict that it replaces,
// so that what another window or command said meanwhile is not overwritten unseen.

/// The verdicts of this window that can be undone. It outlives a reload.
const history_key = `verdicts ${location.pathname}`;
const history_of_verdicts = JSON.parse(sessionStorage.getItem(history_key) ?? "[]");
let state = data.state;
let is_storing = false;
/// How often this window has stored something: what the server said before is old then.
let stored_count = 0;

const said = (pair) => (pair.verdict === null ? null : { verdict: pair.verdict, note: pair.note });

function note_said(pair, word) {
  pair.verdict = word?.verdict ?? null;
  pair.note = word?.note ?? null;
}

function write_history() {
  sessionStorage.setItem(history_key, JSON.stringify(history_of_verdicts));
  by("undo").disabled = history_of_verdicts.length === 0;
}

/// Stores a verdict in place of another one. Returns whether it is stored.
async function store(sheet_of_pair, pair, before, after) {
  is_storing = true;
  stored_count += 1;
  try {
    await post(`verdict/${sheet_of_pair}/${pair}`, JSON.stringify({ before, after }));
    return true;
  } catch (error) {
    tell(`Not stored: ${error.message}.`);
    if (error.status === 409) await look_for_verdicts();
    return false;
  } finally {
    is_storing = false;
  }
}

/// Judges the pair that is looked at, and goes to the next one.
async function say(word) {
  const index = shown.pair,
    pair = pair_shown();
  if (is_storing || !pair || pair.verdict_call === null) return;
  const before = said(pair),
    after = { verdict: word, note: pair.note ?? "" },
    next = neighbour(1);
  if (before?.verdict === word) return open_pair(next);
  if (!(await store(sheet, index, before, after))) return;
  history_of_verdicts.push({ sheet, pair: index, before, after });
  write_history();
  note_said(pair, after);
  tell(`Pair ${index + 1}: ${word}. Stored.`);
  open_pair(next);
  list_pairs();
  if (!listed.includes(shown.pair)) open_pair(listed[0] ?? -1); // the last one of the list
}

async function undo() {
  const last = history_of_verdicts.at(-1);
  if (is_storing || !last) return;
  if (last.sheet !== sheet) await open_sheet(last.sheet);
  const pair = report.pairs[last.pair];
  if (!(await store(last.sheet, last.pair, last.after, last.before))) {
    if (by("lost").hidden) history_of_verdicts.pop(); // it is no longer what this window said
    return write_history();
  }
  history_of_verdicts.pop();
  write_history();
  note_said(pair, last.before);
  tell(`Pair ${last.pair + 1}: ${last.before?.verdict ?? "no verdict"} again.`);
  list_pairs();
  open_pair(last.pair);
}

/// Takes over what others said since the last time.
async function look_for_verdicts() {
  const sheet_then = sheet,
    count_then = stored_count;
  const now = await ask(`verdicts/${sheet}?known=${state}`);
  if (sheet_then !== sheet || count_then !== stored_count || now.state === state) return;
  state = now.state;
  const changed = [];
  now.verdicts.forEach((word, i) => {
    const pair = report.pairs[i];
    if (pair.verdict === (word?.verdict ?? null) && (pair.note ?? "") === (word?.note ?? "")) return;
    note_said(pair, word);
    changed.push(i + 1);
  });
  if (JSON.stringify(report.groups) !== JSON.stringify(now.groups)) {
    report.groups = now.groups;
    redraw(by("groups"), show_groups_now);
    write_summary();
  }
  if (changed.length === 0) return;
  list_pairs();
  if (shown.pair >= 0) redraw(by("facts"), write_pair);
  tell(`Changed by another window or command: ${changed.length === 1 ? "pair" : "pairs"} ${changed.join(", ")}.`);
}

async function keep_looking() {
  for (;;) {
    await pause(1500);
    if (document.hidden || is_storing) continue;
    await look_for_verdicts().catch(() => {}); // the page says it, and asks again
  }
}
