// Excerpts of search results are fetched, which browsers refuse where a folder is opened without a server.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// On the page of a notebook: a button that hides the code, remembered from page to page.
document.addEventListener("DOMContentLoaded", () => {
  if (!document.querySelector("div.cell_input")) return;
  const root = document.documentElement;
  const button = document.createElement("button");
  button.className = "hide-code";
  button.type = "button";
  const show = (hidden) => {
    root.classList.toggle("without-code", hidden);
    button.textContent = hidden ? "Show the code" : "Hide the code";
  };
  let hidden = false;
  try { hidden = localStorage.getItem("code") === "hidden"; } catch { /* no storage: start shown */ }
  // A link to a cell shows its code.
  const target = location.hash && document.getElementById(location.hash.slice(1));
  show(hidden && !(target && target.closest("div.cell")));
  button.addEventListener("click", () => {
    hidden = !root.classList.contains("without-code");
    show(hidden);
    try { localStorage.setItem("code", hidden ? "hidden" : "shown"); } catch { /* not remembered */ }
  });
  document.querySelector("article h1").after(button);
});

// The explorer is a page of its own: it is told when the reader switches between light and dark.
document.addEventListener("DOMContentLoaded", () => {
  const frame = document.querySelector("iframe.explorer");
  if (!frame) return;
  const tell = () => frame.contentWindow.postMessage({ theme: document.body.dataset.theme || "auto" }, "*");
  frame.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
});

// What scrolls sideways can be reached with the keyboard.
addEventListener("load", () => {
  const boxes = "div.cell_output, div.output, .table-wrapper, .searchable, div.math, pre";
  const reach = () => {
    for (const box of document.querySelectorAll(boxes)) {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
      }
    }
  };
  reach();
  addEventListener("resize", reach);
});

// What the theme leaves unsaid to a screen reader: the levels of titles in the menu, and which side is which.
document.addEventListener("DOMContentLoaded", () => {
  for (const title of document.querySelectorAll("p.caption[role=heading]")) title.setAttribute("aria-level", "2");
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "menu");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "on this page");
});
