// The text of a document: windows of blocks, offsets in code points, and highlights that leave the text alone.
// Each block is one element with one text node, so that a place in the page is a place in the document.

const width = (text, at) => (text.codePointAt(at) > 0xffff ? 2 : 1);

/** How many code points there are before a place that a browser counts in UTF-16 units. */
export const toPoints = (text, units) => {
  let points = 0;
  for (let at = 0; at < units; at += width(text, at)) points += 1;
  return points;
};

/** The other way round. */
export const toUnits = (text, points) => {
  let at = 0;
  for (; points > 0 && at < text.length; points -= 1) at += width(text, at);
  return at;
};

export class DocumentText {
  constructor(element, ask) {
    this.element = element;
    this.ask = ask;
    this.name = null;
    this.kept = new Map(); // first windows of documents, fetched ahead
    // It is editable so that a browser gives it a caret; nothing in it ever changes.
    for (const kind of ["beforeinput", "drop", "paste", "cut"]) element.addEventListener(kind, (event) => event.preventDefault());
    element.addEventListener("compositionend", () => this.open(this.name, true));
    this.more = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.extend(), { root: element, rootMargin: "2000px" });
  }

  fetch(name) {
    if (!this.kept.has(name)) {
      const asked = this.ask("window", { document: name, start: 0 });
      asked.catch(() => this.kept.delete(name)); // to be asked for again
      this.kept.set(name, asked);
      if (this.kept.size > 8) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(name);
  }

  async open(name, again = false) {
    if (name === this.name && !again) return;
    this.name = name;
    const window = await this.fetch(name);
    if (this.name !== name) return; // another was opened meanwhile
    this.element.replaceChildren();
    this.element.scrollTop = 0;
    this.add(window);
  }

  add(window) {
    const made = window.blocks.map(([start, text, page]) => {
      const block = document.createElement("div");
      block.dir = "auto";
      block.textContent = text;
      block.dataset.start = start;
      if (page) block.dataset.page = `Page ${page}`;
      return block;
    });
    this.element.append(...made);
    this.next = window.next;
    this.more.disconnect();
    if (this.next !== null && made.length) this.more.observe(made.at(-1));
  }

  async extend() {
    const { name, next } = this;
    this.more.disconnect();
    if (next === null) return;
    const window = await this.ask("window", { document: name, start: next });
    if (this.name === name && this.next === next) this.add(window);
  }

  /** Where a place of a selection is in the document. */
  place(node, offset) {
    if (node.nodeType === Node.TEXT_NODE) return Number(node.parentElement.dataset.start) + toPoints(node.data, offset);
    if (node !== this.element) return Number(node.dataset.start) + (offset ? toPoints(node.textContent, node.textContent.length) : 0);
    const after = node.children[offset];
    return after ? Number(after.dataset.start) : this.place(node.lastElementChild, 1);
  }

  /** What is selected, without the white space round it; null where nothing is. */
  selected() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed || !this.element.contains(selection.anchorNode) || !this.element.contains(selection.focusNode)) return null;
    const range = selection.getRangeAt(0);
    let start = this.place(range.startContainer, range.startOffset);
    let end = this.place(range.endContainer, range.endOffset);
    const text = range.cloneContents().textContent.replace(/^[\udc00-\udfff]/, ""); // never half a character
    start += toPoints(text, text.length - text.trimStart().length);
    end -= toPoints(text, text.length - text.trimEnd().length);
    return start < end ? { document: this.name, start, end, text: text.trim() } : null;
  }

  /** A stretch of the document as a range of the page, as far as it is there. */
  range(start, end) {
    const blocks = this.element.children;
    const find = (place) => {
      let low = 0, high = blocks.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (Number(blocks[middle].dataset.start) <= place) low = middle; else high = middle - 1;
      }
      const node = blocks[low]?.firstChild;
      return node && [node, toUnits(node.data, place - Number(blocks[low].dataset.start))];
    };
    const from = find(start), to = find(end - 1);
    if (!from || !to) return null;
    const range = new Range();
    range.setStart(...from);
    range.setEnd(to[0], Math.min(to[0].data.length, to[1] + width(to[0].data, to[1])));
    return range;
  }

  /** Show marks of several kinds, each a list of `{document, start, end}`. */
  highlight(kinds) {
    if (!CSS.highlights) return; // the list beside the text has them all
    CSS.highlights.clear();
    for (const [kind, marks] of Object.entries(kinds)) {
      const ranges = marks.filter((one) => one.document === this.name).map((one) => this.range(one.start, one.end)).filter(Boolean);
      CSS.highlights.set(`pincite-${kind}`, new Highlight(...ranges));
    }
  }

  async reveal(mark) {
    await this.open(mark.document);
    while (this.next !== null && this.next <= mark.start) await this.extend();
    const range = this.range(mark.start, mark.end);
    range?.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    const box = range?.getBoundingClientRect();
    if (box) this.element.scrollTop += box.top - this.element.getBoundingClientRect().top - this.element.clientHeight / 3;
  }

  /** Put the caret where reading begins, so that the keyboard can go on from there. */
  enter() {
    this.element.focus({ preventScroll: false });
    const selection = getSelection();
    if (!this.element.contains(selection.anchorNode) && this.element.firstElementChild?.firstChild) selection.collapse(this.element.firstElementChild.firstChild, 0);
  }
}
