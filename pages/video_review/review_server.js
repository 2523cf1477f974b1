// What the page asks of its server. All addresses are below that of the page, which has the token.

/// The number of the report that is shown: 0 is the archive's, the others are searches.
let sheet = 0;

const tell = (text) => {
  by("status").textContent = text;
};
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/// The answer as JSON. Throws an Error with a sentence, and with `status`, which is 0 if there was no answer.
async function ask(path, options = {}) {
  const answer = await fetch(path, options).catch(() => null);
  by("lost").hidden = answer !== null;
  if (answer === null) throw Object.assign(new Error("the server does not answer"), { status: 0 });
  const json = await answer.json().catch(() => ({ problem: `the server answers with ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(json.problem), { status: answer.status });
  return json;
}

const post = (path, body) => ask(path, { method: "POST", body });

/// Waits for work of the server, and says how far it is. Returns its last state, which is "done" or "failed".
async function end_of_work(path, say) {
  for (;;) {
    const work = await ask(path);
    if (work.state === "done" || work.state === "failed") return work;
    say(work.share === null ? work.text : `${work.text} ${percent(work.share)}`);
    await pause(300);
  }
}
