// Long tables: a field finds rows by a part of their name, and a click on a header sorts the rows by its column.

const long_table = 20; // rows

/// By what a cell is sorted: its number, or its text. A cell without a number comes last.
function key_of(cell) {
  const text = cell.textContent.replace("★", "").trim(),
    value = parseFloat(text.replace("−", "-"));
  return cell.classList.contains("word") ? text : value;
}

/// The order of two keys. Numbers are sorted from the greatest, texts from A to Z, and numbers in texts by value.
function order_of(a, b, direction) {
  if (typeof a === "string") return direction * a.localeCompare(b, "en", { numeric: true });
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return direction * (b - a);
}

function make_sortable(table, rows) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", title: "sort the rows by this column" }, ...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const direction = head.ariaSort === "descending" || head.ariaSort === "ascending" ? -head.direction : 1;
      for (const other of heads) other.ariaSort = null;
      head.direction = direction;
      const is_text = rows[0].cells[column].classList.contains("word");
      head.ariaSort = direction > 0 === is_text ? "ascending" : "descending";
      const keys = new Map(rows.map((row) => [row, key_of(row.cells[column])]));
      rows.sort((a, b) => order_of(keys.get(a), keys.get(b), direction));
      table.tBodies[0].append(...rows);
    };
  });
}

function make_findable(table, rows) {
  const field = element("input", { type: "search", placeholder: "part of a name" });
  const count = element("output", {}),
    names = new Map(rows.map((row) => [row, row.cells[0].textContent.toLowerCase()]));
  const find = () => {
    for (const row of rows) row.hidden = !names.get(row).includes(field.value.trim().toLowerCase());
    count.textContent = `${number(rows.filter((row) => !row.hidden).length)} of ${number(rows.length)} rows`;
  };
  field.oninput = find;
  // A link to a row that is not shown shows it.
  addEventListener("hashchange", () => {
    if (!rows.some((row) => row.hidden && `#${row.id}` === location.hash)) return;
    field.value = "";
    find();
  });
  find();
  table.parentElement.before(element("p", { className: "find" }, element("label", {}, "Find ", field), " ", count));
}

for (const table of document.querySelectorAll("table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= long_table) continue;
  make_sortable(table, rows);
  make_findable(table, rows);
}
