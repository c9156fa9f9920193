"use strict";
(() => {
  let findings = [];
  let current = -1;

  const visible = () => findings.filter((finding) => !finding.hidden);

  const clear = () => document.querySelectorAll(".current").forEach((one) => one.classList.remove("current"));

  const reveal = (id) => {
    const anchor = id && document.getElementById(id);
    if (!anchor) return;
    const pane = anchor.closest(".sources");
    if (pane && getComputedStyle(pane).overflowY === "auto") {
      pane.scrollTop += anchor.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
    }
    document.querySelectorAll(`[data-in~="${CSS.escape(id)}"]`).forEach((one) => one.classList.add("current"));
  };

  const select = (finding) => {
    clear();
    current = findings.indexOf(finding);
    finding.classList.add("current");
    document.querySelectorAll(`[data-finding="${CSS.escape(finding.id)}"]`).forEach((one) => one.classList.add("current"));
    reveal(finding.dataset.source);
    finding.focus({ preventScroll: true });
    finding.scrollIntoView({ block: "center" });
  };

  const step = (by) => {
    const shown = visible();
    if (!shown.length) return;
    const at = shown.indexOf(findings[current]);
    select(shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length]);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const place = event.target.closest(".text [data-finding]");
    const id = link && link.getAttribute("href").slice(1);
    if (link && id.startsWith("x-")) document.getElementById(id).open = true;
    if (place && place.dataset.finding) {
      const finding = document.getElementById(place.dataset.finding);
      if (finding && !finding.hidden) { select(finding); if (link) event.preventDefault(); return; }
    }
    if (link && !link.matches(".enlarge") && document.getElementById(id)?.closest(".sources")) { clear(); reveal(id); event.preventDefault(); }
  });

  /** The number that a cell begins with, such as the low end of an interval; a date is none. */
  const figure = (text) => (/^\[?[-+−]?\d[\d,]*(\.\d+)?($|[ –,%\]])/.test(text) ? Number.parseFloat(text.replace(/[[,]/g, "").replace("−", "-")) : NaN);

  const makeSortable = (table) => {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      if (head.querySelector(".scale")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        [...table.tHead.rows[0].cells].forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const value = (row) => row.cells[place].dataset.sort ?? row.cells[place].textContent.trim();
        const rows = [...table.tBodies[0].rows];
        const known = rows.filter((row) => !["", "–"].includes(value(row)));
        const all = known.every((row) => !Number.isNaN(figure(value(row))));
        known.sort((a, b) => (all ? figure(value(a)) - figure(value(b)) : value(a).localeCompare(value(b), undefined, { numeric: true })));
        if (down) known.reverse();
        table.tBodies[0].append(...known, ...rows.filter((row) => !known.includes(row))); // what has no value comes last
      });
    });
  };

  const makeFilters = (filters) => {
    filters.hidden = false;
    const apply = () => {
      const wanted = [...new FormData(filters)].filter(([, value]) => value);
      findings.forEach((finding) => { finding.hidden = !wanted.every(([name, value]) => finding.dataset[name] === value); });
      filters.querySelector(".count").textContent = `${visible().length} of ${findings.length} findings`;
    };
    filters.addEventListener("change", apply);
    filters.addEventListener("submit", (event) => event.preventDefault());
    apply();
  };

  /** Make the findings, filters and tables of a part of the page work; a part that is replaced is prepared anew. */
  const prepare = (part) => {
    findings = [...document.querySelectorAll(".finding")];
    current = -1;
    part.querySelectorAll("table.sortable").forEach(makeSortable);
    part.querySelectorAll(".filters").forEach(makeFilters);
    if (!location.hash) part.querySelectorAll("[data-first]").forEach((pane) => reveal(pane.dataset.first));
  };

  document.addEventListener("replaced", (event) => prepare(event.target));
  prepare(document);
})();
