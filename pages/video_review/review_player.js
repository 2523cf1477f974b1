// Both clips of a pair in step. A leads; the time of B follows from the line of the segment. Beside an image B leads.

const videos = { a: by("video-a"), b: by("video-b") };
const stills = { a: by("image-a"), b: by("image-b") };
/// The pair that is shown: its index, the index of its segment, and the time of the clip that leads [second].
const shown = { pair: -1, segment: 0, seconds: 0, begin: 0 };
/// Clips that this browser does not play, "sheet/clip".
const unplayable = new Set();

const pair_shown = () => report.pairs[shown.pair];
const segment_shown = () => pair_shown().segments[shown.segment];
const clip_shown = (side) => report.clips[pair_shown()[`index_${side}`]];

const has_time = (side) => !is_image(clip_shown(side).facts);
const leader = () => (has_time("a") ? "a" : "b");

/// [1/second] Frames of a clip; 25 if the file does not say it.
function rate_of(clip) {
  const [count, seconds] = (clip.facts.frame_rate ?? "25/1").split("/").map(Number);
  return count / seconds;
}

/// The time of a clip when the one that leads is at this time.
function seconds_in(side, seconds) {
  if (side === leader() || !has_time(side)) return has_time(side) ? seconds : 0;
  const { in_a, in_b, out_b, speed } = segment_shown();
  return Math.max(0, (speed < 0 ? out_b : in_b) + speed * (seconds - in_a));
}

/// A video shows the last time that it was told, and its last frame after its end: one that still seeks, or loads, is
/// told again when it is there.
function seek(side, seconds) {
  const { facts } = clip_shown(side);
  if (!has_time(side)) return;
  videos[side].wanted = Math.min(seconds, facts.seconds - 0.5 / rate_of(clip_shown(side)));
  if (!videos[side].seeking) go_on(videos[side]);
}

function go_on(video) {
  if (video.wanted === video.told || video.readyState === 0) return;
  video.told = video.wanted;
  video.currentTime = video.wanted;
}
for (const video of Object.values(videos)) {
  video.onseeked = () => go_on(video);
  video.onloadeddata = () => {
    video.told = null;
    go_on(video);
  };
  video.onplay = () => {
    video.told = null;
  };
}

function write_times() {
  const seconds = { a: seconds_in("a", shown.seconds), b: seconds_in("b", shown.seconds) };
  for (const side of ["a", "b"]) {
    if (!has_time(side)) continue;
    const at = Math.min(seconds[side], clip_shown(side).facts.seconds),
      frame = Math.floor(at * rate_of(clip_shown(side)) + 1e-6);
    const is_after = seconds[side] > clip_shown(side).facts.seconds + 1e-6 ? ", ended" : "";
    videos[side].closest("figure").querySelector(".at").textContent = `${time(at)} · frame ${number(frame)}${is_after}`;
  }
  by("moment").value = shown.seconds;
  by("moment").ariaValueText = `${time(shown.seconds)} of ${leader().toUpperCase()}`;
}

/// Shows the frame of the leading clip that is seen then, and that of the other. Times in the middle of a frame show it
/// on every browser.
function show_moment(seconds) {
  stop_playing();
  const clip = clip_shown(leader()),
    rate = rate_of(clip),
    last = Math.max(0, Math.ceil(clip.facts.seconds * rate - 1e-6) - 1);
  const frame = Math.min(last, Math.max(0, Math.floor(seconds * rate + 1e-6)));
  shown.seconds = (frame + 0.5) / rate;
  for (const side of ["a", "b"]) seek(side, seconds_in(side, shown.seconds));
  write_times();
  by("agreeing").replaceChildren();
}

const step = (frames) => show_moment(shown.seconds + frames / rate_of(clip_shown(leader())));
const to_in = () => show_moment(segment_shown()[`in_${leader()}`]);
const to_out = () => show_moment(segment_shown()[`out_${leader()}`] - 0.5 / rate_of(clip_shown(leader())));

const is_playing = () => by("play").dataset.playing === "yes";
function mark_playing(playing) {
  by("play").dataset.playing = playing ? "yes" : "no";
  by("play").firstChild.textContent = playing ? "Pause " : "Play ";
}

function stop_playing() {
  if (!is_playing()) return;
  mark_playing(false);
  for (const video of Object.values(videos)) video.pause();
}

/// While A plays: the times, and B where it has run away, or cannot run as the segment does. B alone beside an image.
function follow() {
  if (!is_playing()) return;
  const first = videos[leader()];
  shown.seconds = first.currentTime;
  const wanted = seconds_in("b", shown.seconds),
    { speed } = segment_shown();
  if (leader() === "b") write_times();
  else if (videos.b.paused ? speed < 0 : Math.abs(videos.b.currentTime - wanted) > 0.15) seek("b", wanted);
  write_times();
  if (first.ended) show_moment(shown.seconds);
  else requestAnimationFrame(follow);
}

function start_playing() {
  const first = videos[leader()];
  if (first.readyState === 0) return;
  const { speed } = segment_shown();
  mark_playing(true);
  by("agreeing").replaceChildren();
  first.playbackRate = 1;
  first.play().catch(() => stop_playing());
  if (leader() === "a" && has_time("b") && speed > 0 && videos.b.readyState > 0) {
    videos.b.playbackRate = speed;
    videos.b.play().catch(() => {}); // A goes on alone
  }
  requestAnimationFrame(follow);
}

const moment_now = () => (is_playing() ? videos[leader()].currentTime : shown.seconds);
const play_or_pause = () => (is_playing() ? show_moment(moment_now()) : start_playing());

/// Says something in place of a video; nothing: the video is there.
function say_over(video, text) {
  const over = video.parentElement.querySelector(".over");
  over.hidden = text === "";
  over.textContent = text;
  video.hidden = text !== "";
}

/// Shows an image in place of a video.
function show_still(side, address) {
  const video = videos[side];
  say_over(video, "");
  video.removeAttribute("src");
  video.hidden = true;
  stills[side].hidden = false;
  stills[side].src = `image/${address}`;
}

/// Loads a clip, or its preview where this browser does not play it.
async function load(side) {
  const video = videos[side],
    clip = pair_shown()[`index_${side}`],
    address = `${sheet}/${clip}`,
    { begin } = shown;
  const is_over = () => begin !== shown.begin;
  video.onerror = null;
  stills[side].hidden = true;
  const [problem] = report.clips[clip].problems;
  if (problem) {
    video.removeAttribute("src");
    return say_over(video, `cannot be read now: ${problem}`);
  }
  if (!has_time(side)) return show_still(side, address);
  if (unplayable.has(address)) return load_preview(video, address, is_over);
  const instead = () => {
    if (is_over()) return;
    unplayable.add(address);
    load_preview(video, address, is_over);
  };
  video.onerror = instead;
  video.onloadedmetadata = () => {
    if (video.videoWidth === 0) instead(); // of a codec that it does not know it plays the sound alone
  };
  say_over(video, "");
  video.src = `clip/${address}`;
}

async function load_preview(video, address, is_over) {
  video.onerror = video.onloadedmetadata = null;
  video.removeAttribute("src");
  const say = (text) => {
    if (!is_over()) say_over(video, text);
  };
  try {
    say("This browser does not play this file: a preview is made");
    await post(`preview/${address}`);
    const work = await end_of_work(`preview/${address}/state`, (text) => say(`A preview is made: ${text}`));
    if (is_over()) return;
    if (work.state === "failed") return say(`No preview: ${work.text}`);
    say("");
    video.onerror = () => say("This browser does not play the preview either");
    video.src = `preview/${address}`;
  } catch (error) {
    say(`No preview: ${error.message}`);
  }
}

/// The features that agree in the frames that are shown.
async function show_agreeing() {
  show_moment(moment_now());
  const { begin, seconds } = shown,
    is_over = () => begin !== shown.begin || seconds !== shown.seconds;
  by("agreeing").replaceChildren(element("p", { className: "quiet", textContent: "The features are compared …" }));
  let result;
  try {
    const of = (side) => (has_time(side) ? videos[side].wanted : 0),
      times = `a=${of("a")}&b=${of("b")}`;
    result = why_figure(await ask(`agreeing/${sheet}/${shown.pair}/${shown.segment}?${times}`), pair_shown());
  } catch (error) {
    result = element("p", { className: "note", textContent: `Nothing to show: ${error.message}.` });
  }
  if (!is_over()) by("agreeing").replaceChildren(result);
}
