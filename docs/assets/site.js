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
