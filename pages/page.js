"use strict";

// The page holds its data as JSON. Its scripts are joined into one script, and this one is the first in every page.

const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const number = (count) => count.toLocaleString("en");

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
