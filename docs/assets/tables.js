// Search, sorting and menus for the tables; without scripts they remain plain tables.
// The address can choose rows: claims.html?verdict=does%20not%20hold&notebook=1%20Testbed
const valueOf = (cell, by) => (by ? cell.dataset[by] : cell.textContent).trim();

// The address says what is chosen, so that it can be shared; a page opened as a file keeps its own.
function keepInAddress(name, value) {
  if (document.querySelectorAll(".searchable table").length > 1) return; // which of them?
  const chosen = new URLSearchParams(location.search);
  if (value) chosen.set(name, value);
  else chosen.delete(name);
  const query = `${chosen}` ? `?${chosen}` : "";
  try { history.replaceState(null, "", location.pathname + query + location.hash); } catch { /* a file */ }
}

function addMenu(api, header, chosen, place) {
  const { filter: name, by = header.dataset.filter === "cause" ? "cause" : "" } = header.dataset;
  const column = api.column(header);
  const values = [...new Set(column.nodes().toArray().map((cell) => valueOf(cell, by)))];
  const menu = document.createElement("select");
  menu.setAttribute("aria-label", name);
  menu.add(new Option(`every ${name}`, ""));
  for (const value of values.filter(Boolean)) menu.add(new Option(value, value));
  api.search.fixed(name, (text, data, index) => {
    const cell = column.nodes().toArray()[index];
    return !menu.value || valueOf(api.cell(index, column.index()).node(), by) === menu.value;
  });
  menu.addEventListener("change", () => {
    api.draw();
    keepInAddress(name, menu.value);
  });
  menu.value = chosen.get(name) ?? "";
  place.append(menu);
}

// A table of a Markdown page gets what tables.py writes into the others: labels for narrow screens, numbers to sort
// by ("132 000", "1–10", "9.22 ± 0.02" by what they begin with), and a menu of libraries.
const MENUS = { of: "library", library: "library" };

function prepare(table) {
  const titles = [...table.tHead.rows[0].cells];
  if (table.tBodies[0].rows.length < 6 || titles.length < 4) return;
  for (const title of titles) {
    const name = MENUS[title.textContent.trim()];
    if (name) title.dataset.filter = name;
  }
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((cell, i) => {
      cell.dataset.label = titles[i].textContent.trim();
      if (!cell.textContent.trim()) cell.replaceChildren(); // narrow screens leave out what is empty
      const begins = cell.textContent.trim().replace("−", "-").match(/^[-+]?\d[\d\s]*(\.\d+)?/);
      if (begins) cell.dataset.order = begins[0].replace(/\s/g, "");
      else if (/^(–|)$/.test(cell.textContent.trim()) && isNumeric(titles[i], table)) cell.dataset.order = "1e300";
    });
  }
  table.classList.add("display", "compact");
  table.parentElement.classList.add("searchable", "whole");
}

/** Whether most cells below a title begin with a number. */
function isNumeric(title, table) {
  const cells = [...table.tBodies[0].rows].map((row) => row.cells[title.cellIndex].textContent.trim());
  return cells.filter((text) => /^[-+−]?\d/.test(text)).length * 2 > cells.length;
}

document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("script[data-sortable]")) document.querySelectorAll("article .table-wrapper > table").forEach(prepare);
  for (const table of document.querySelectorAll(".searchable > table")) {
    const box = table.parentElement;
    const api = new DataTable(table, {
      autoWidth: false,
      layout: { topStart: "search", topEnd: null, bottomStart: "info", bottomEnd: "paging" },
      language: { search: "", searchPlaceholder: "Search" },
      order: [],
      pageLength: 50,
      paging: !box.classList.contains("whole"),
    });
    const menus = document.createElement("div");
    menus.className = "menus";
    box.prepend(menus);
    const chosen = new URLSearchParams(box.classList.contains("whole") ? "" : location.search);
    for (const header of table.querySelectorAll("th[data-filter]")) addMenu(api, header, chosen, menus);
    if (chosen.get("search")) api.search(chosen.get("search"));
    api.on("search.dt", () => keepInAddress("search", api.search()));
    api.draw();
    // A link to a row opens the page of the table on which it is.
    const row = location.hash && api.row(location.hash);
    if (row && row.any()) {
      const place = api.rows({ order: "applied" }).indexes().indexOf(row.index());
      api.page(Math.floor(place / api.page.len())).draw("page");
      row.node().scrollIntoView({ block: "center" });
    }
  }
});
