"use strict";

// The page holds its data as JSON. Its scripts are joined into one script, and this one is the first in every page.

const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const number = (count) => count.toLocaleString("en");

/// Boxes with a table that is wider than they are say that it scrolls.
const wide_boxes = new ResizeObserver((boxes) => {
  for (const { target } of boxes) target.classList.toggle("scrolls", target.scrollWidth > target.clientWidth + 1);
});
for (const box of document.querySelectorAll("div.wide, .tab")) wide_boxes.observe(box);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
