// How the report's numbers, times and names are written.

const { report, images } = data;
const palette_size = 6;

/// "0:01:02.345" for 62.345 seconds.
function time(seconds) {
  const thousandths = Math.round(seconds * 1000),
    part = (length, count) => String(count).padStart(length, "0");
  return `${Math.floor(thousandths / 3600000)}:${part(2, Math.floor(thousandths / 60000) % 60)}:${part(
    2,
    Math.floor(thousandths / 1000) % 60,
  )}.${part(3, thousandths % 1000)}`;
}

/// "1:02" or "1:02:03": times of axes, and lengths of files.
function clock(seconds) {
  const whole = Math.round(seconds),
    two = (count) => String(count).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60,
    hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/// An image has no time.
const is_image = (facts) => facts.container === "image";
const length_text = (facts) => (is_image(facts) ? "image" : clock(facts.seconds));

/// "0:00:01.000 – 0:00:04.000"
const span_text = (from, to) => (from === to ? "the image" : `${time(from)} – ${time(to)}`);

function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; count >= 999.95 && unit + 1 < units.length; ++unit) count /= 1000;
  return `${unit === 0 ? count : count.toFixed(1)} ${units[unit]}`;
}

const percent = (share) => (share > 0 && share < 0.005 ? "<1 %" : `${Math.round(100 * share)} %`);
const fixed = (value, digits) => (Number(value.toFixed(digits)) || 0).toFixed(digits).replace("-", "−"); // no −0
const counted = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

/// The order of names; numbers in them by value. One collator for all names: making one takes longer than comparing.
const { compare: compare_names } = new Intl.Collator("en", { numeric: true });

const base_name = (file) => file.slice(file.lastIndexOf("/") + 1);
const folder_of = (file) => file.slice(0, file.lastIndexOf("/") + 1);

/// The name of a file, with its folder in quieter letters.
function file_name(file) {
  return element(
    "span",
    { className: "file", title: file },
    element("b", { textContent: base_name(file) }),
    " ",
    element("small", { textContent: folder_of(file) }),
  );
}

/// A word of a shell's command line.
const shell_word = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function svg_element(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/// Draws a place anew. What had the focus there, such as its third button, has it again.
function redraw(place, draw) {
  const takers = () => [...place.querySelectorAll("a, button, input, select, summary")],
    index = takers().indexOf(document.activeElement);
  draw();
  takers()[index]?.focus({ preventScroll: true });
}

/// Shows the first of many items, and a button for more. `make` gives the element of an item.
class Listing {
  constructor(place, portion, make) {
    Object.assign(this, { place, portion, make });
    this.more = element("button", { type: "button", className: "more" });
    this.more.onclick = () => this.add();
  }
  show(items) {
    Object.assign(this, { items, count: 0 });
    this.place.replaceChildren();
    this.add();
  }
  add() {
    const next = this.items.slice(this.count, this.count + this.portion).map(this.make);
    // The button stays where it is, so that it keeps the focus.
    if (this.more.parentElement === this.place) this.more.before(...next);
    else this.place.append(...next);
    this.count += next.length;
    const rest = this.items.length - this.count;
    if (rest === 0) return this.more.remove();
    this.more.textContent = `Show ${number(Math.min(rest, this.portion))} more of ${number(rest)}`;
    if (this.more.isConnected) return;
    const is_table = this.place.tagName === "TBODY";
    (is_table ? this.place.closest(".wide") : this.place)[is_table ? "after" : "append"](this.more);
  }
}
