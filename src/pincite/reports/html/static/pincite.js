"use strict";
(() => {
  const findings = [...document.querySelectorAll(".finding")];
  const filters = document.querySelector(".filters");
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

  document.querySelectorAll("table.sortable").forEach((table) => {
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
        const value = (row) => row.cells[place].dataset.sort ?? row.cells[place].textContent;
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => value(a).localeCompare(value(b), undefined, { numeric: true }) || 0);
        const number = (row) => Number.parseFloat(value(row));
        if (rows.every((row) => !Number.isNaN(number(row)))) rows.sort((a, b) => number(a) - number(b));
        if (down) rows.reverse();
        table.tBodies[0].append(...rows);
      });
    });
  });

  if (filters) {
    filters.hidden = false;
    const apply = () => {
      const wanted = [...new FormData(filters)].filter(([, value]) => value);
      findings.forEach((finding) => { finding.hidden = !wanted.every(([name, value]) => finding.dataset[name] === value); });
      filters.querySelector(".count").textContent = `${visible().length} of ${findings.length} findings`;
    };
    filters.addEventListener("change", apply);
    filters.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
})();
