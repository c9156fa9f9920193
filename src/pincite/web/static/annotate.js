// The work page: shows an item, takes what a person says by mouse or by keyboard, and saves each change as it is made.
import { DocumentText } from "./annotate_text.js";
import { Server, Stale } from "./annotate_save.js";

const $ = (id) => document.getElementById(id);
const main = $("main");
const TASKS = { spans: "What should an answer to this question cite?", verdicts: "Does the evidence support the claim?", answers: "How good is this answer?" };
const ABOUT = { grounding: "Do the documents support the claim?", consistency: "Does anything in the evidence contradict the claim? Supported means that nothing does.", relevance: "Does the evidence help to answer the question?" };
const SAVED = {
  saved: "Saved", saving: "Saving …", offline: "Not saved yet: the server cannot be reached. Trying again …",
  locked: "Not saved yet: the server was started again. Open the address that it printed, then this page goes on.",
};
const GRADES = [[undefined, "not said"], [1, "answers it"], [0.5, "helps"], [0, "does not help"]];
const MARKS = ["not at all", "hardly", "half", "mostly", "fully"];
const IDLE_SECONDS = 60;

const server = new Server(main.dataset.person, main.dataset.store, (word) => { $("saved").textContent = SAVED[word]; }, (_, error) => tell(error.message));
const reader = new DocumentText($("text"), (what, given) => server.ask(what, given));
const later = new Set();
let item = null, ahead = null, set = 0, moving = false, active = Date.now();

const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text ?? "", ...more });
const sets = (said) => said.sets ?? [[]];
const quoteOf = (mark) => item.quotes[`${mark.document}:${mark.start}:${mark.end}`];
const tell = (text) => { $("told").replaceChildren(text); };

// --- saving ---------------------------------------------------------------------------------------------------------

const change = (said, done = item.done) => {
  item.said = { ...item.said, ...said };
  item.done = done && !unfinished();
  tell("");
  render();
  return server.save({ item: item.key, revision: item.revision, said: item.said, done: item.done, seconds: item.seconds }, saved(item));
};

/** What is done when the server has answered about an item, which may no longer be the one that is shown. */
const saved = (shown) => (state, error, mine) => {
  if (state) {
    const { said, done, seconds, ...rest } = state; // what was changed meanwhile stays
    Object.assign(shown, rest);
  } else if (error instanceof Stale) Object.assign(shown, error.value);
  if (shown !== item) return error && tell(error.message);
  if (error instanceof Stale) offerMine(error.message, mine);
  else if (error) { item.done = false; tell(error.message); }
  return render();
};

const offerMine = (message, mine) => {
  const keep = make("button", "Keep what I have here instead", { type: "button" });
  keep.onclick = () => { item.said = {}; change(mine.said, mine.done); };
  tell("");
  $("told").append(`${message}. What is shown now was saved there. `, keep);
};

const undo = async () => {
  await server.send();
  try {
    Object.assign(item, await server.post("undo", { item: item.key, revision: item.revision }));
    set = Math.min(set, sets(item.said).length - 1);
    render();
  } catch (error) {
    if (error instanceof Stale) Object.assign(item, error.value);
    render();
    tell(error.message);
  }
};

// --- from item to item ------------------------------------------------------------------------------------------------

const show = async (next) => {
  item = next;
  set = 0;
  tell("");
  if (!item.key) return finish();
  const kept = server.waiting.get(item.key);
  if (kept) { // made before the browser was closed
    Object.assign(item, { said: kept.said, done: kept.done });
    server.results.set(item.key, saved(item));
  }
  $("task").textContent = (item.practice ? "Practice: " : item.decide ? "Decide: " : "") + ((item.pair && ABOUT[item.pair.about]) || TASKS[item.kind]);
  $("note").value = item.said.note ?? "";
  list(item.documents, item.more_documents);
  renderGiven();
  render();
  $("task").focus();
  const named = item.pair?.documents.map((name) => item.documents.find((one) => [one.name, one.title].includes(name))).find(Boolean);
  const first = sets(item.said)[0]?.[0]?.document ?? (named ?? item.documents[0])?.name;
  if (first !== undefined) open(first).catch((error) => tell(error.message));
  const shown = item;
  try {
    if (!item.revision) await server.begin(item.key);
    shown.revision ||= server.begun.get(shown.key) ?? 0;
    preload();
  } catch (error) { if (shown === item) tell(error.status ? error.message : ""); }
};

const preload = async () => {
  ahead = server.ask("next", { leave: [...later, item.key] });
  const next = await ahead.catch(() => null);
  if (next?.documents?.length) reader.fetch(next.documents[0].name).catch(() => {});
};

/** Show the next item: the one that was fetched ahead, also while the server cannot be reached. */
const next = async () => {
  if (moving) return null; // the key was pressed twice
  moving = true;
  try { return await go(); } finally { moving = false; }
};

const go = async () => {
  const fetched = await ahead?.catch(() => null);
  ahead = null;
  if (fetched?.key) return show(fetched);
  for (;;) {
    try {
      await server.send(); // what is next depends on what is done
      return await show(await server.ask("next", { leave: [...later] }));
    } catch (error) {
      if (error.status) return tell(error.message);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
};

const done = async () => {
  const missing = unfinished();
  if (missing) return tell(`Before it is done: ${missing}.`);
  if (item.practice && item.done && item.known) return next();
  const sent = change({}, true);
  if (item.practice) return sent; // the known answer is shown; the same key goes on
  if (!item.decide) return next();
  await sent;
  if (item.done) location.href = `/as/${encodeURIComponent(server.person)}/conflicts`;
  return null;
};

const unfinished = () => {
  const said = item.said;
  if (item.kind === "verdicts") return said.verdict ? "" : "give a verdict";
  if (item.kind === "answers") return Object.keys(item.questions).every((name) => name in (said.scores ?? {})) ? "" : "give all marks";
  if (said.nothing) return sets(said).flat().length ? "nothing is to be cited, but there are spans" : "";
  if (!sets(said).flat().length) return "mark what to cite, or say that there is nothing";
  return sets(said).every((one) => one.length) ? "" : "one of the sets is empty";
};

const finish = () => {
  main.replaceChildren(make("p", item.left ? "Everything else is left for later; reload the page to come back to it." : "You are done: there is nothing left for you. Thank you!", { id: "finished", className: "page" }));
  $("position").textContent = "";
};

// --- what is shown ------------------------------------------------------------------------------------------------------

const renderGiven = () => {
  $("question").textContent = item.question;
  for (const kind of Object.keys(TASKS)) {
    $(kind).hidden = kind !== item.kind;
    for (const one of document.querySelectorAll(`[data-for=${kind}]`)) one.hidden = kind !== item.kind;
  }
  for (const one of ["mark", "relevance"]) $(one).hidden = item.kind !== "spans";
  $("answers").replaceChildren(...Object.entries(item.questions ?? {}).map(renderQuestion));
  const given = $("given");
  given.hidden = item.answer === undefined && !item.pair;
  given.replaceChildren();
  if (item.answer !== undefined) given.append(make("h3", "Answer"), make("blockquote", item.answer));
  if (item.pair) {
    given.append(make("h3", "Claim"), make("blockquote", item.pair.claim, { className: "claim-text" }));
    if (item.pair.sentence && item.pair.sentence !== item.pair.claim) given.append(make("h3", "In the answer"), make("blockquote", item.pair.sentence));
    given.append(make("h3", item.pair.evidence.length ? "Evidence" : "No passage was shown: look in the documents"));
    for (const passage of item.pair.evidence) given.append(make("blockquote", passage));
  }
};

const renderQuestion = ([name, asked]) => {
  const field = make("fieldset");
  field.dataset.question = name;
  field.append(make("legend", name + (asked && `: ${asked}`)), ...MARKS.map((word, index) => {
    const label = make("label");
    label.append(make("input", null, { type: "radio", name, value: index / 4 }), ` ${word} `, make("kbd", index + 1));
    return label;
  }));
  return field;
};

const render = () => {
  const said = item.said;
  $("position").textContent = item.decide ? "" : `${item.left} left for you`;
  $("undo").disabled = !item.can_undo && !server.waiting.has(item.key);
  for (const button of document.querySelectorAll("[data-verdict]")) button.setAttribute("aria-pressed", String(said.verdict === button.dataset.verdict));
  for (const input of document.querySelectorAll("#answers input")) input.checked = said.scores?.[input.name] === Number(input.value);
  document.querySelector("[data-do=nothing]").setAttribute("aria-pressed", String(Boolean(said.nothing)));
  if (document.activeElement !== $("note")) $("note").value = said.note ?? "";
  $("sets").replaceChildren(...(item.kind === "spans" ? sets(said).map(renderSet) : []));
  $("after").replaceChildren(...renderAfter());
  renderRelevance();
  const [known, ...others] = Object.values(item.others ?? {}).concat(item.known ? [item.known.said] : []);
  reader.highlight({
    mark: sets(said)[set] ?? [],
    other: sets(said).filter((_, index) => index !== set).flat(),
    known: known ? sets(known).flat() : [],
    others: others.flatMap((one) => sets(one).flat()),
  });
};

const renderSet = (marks, index) => {
  const box = make("section", null, { className: index === set ? "set chosen" : "set" });
  const title = make("button", index ? `Or this set (${index + 1})` : "Cite", { type: "button", className: "set-title" });
  title.setAttribute("aria-pressed", String(index === set));
  title.onclick = () => { set = index; render(); };
  box.append(title, ...marks.map((mark) => renderMark(mark, () => change({ sets: sets(item.said).map((one, at) => (at === index ? one.filter((other) => other !== mark) : one)) }))));
  if (!marks.length) box.append(make("p", "Select text in a document and press Enter.", { className: "label" }));
  if (index && !marks.length) box.append(removeButton("Remove this set", () => { set = 0; change({ sets: sets(item.said).filter((_, at) => at !== index) }); }));
  return box;
};

const renderMark = (mark, remove) => {
  const line = make("p", null, { className: "mark-line" });
  const quote = quoteOf(mark);
  const go = make("button", quote?.text ?? `${mark.start}–${mark.end}`, { type: "button", className: "quote", title: "Show it in the document" });
  go.onclick = () => reader.reveal(mark).then(opened);
  const page = quote?.page ? `, page ${quote.page}` : "";
  line.append(go, make("span", ` ${quote?.title ?? mark.document}${page} · ${mark.start}–${mark.end} `, { className: "label" }));
  if (remove) line.append(removeButton("Remove", remove));
  return line;
};

const removeButton = (text, act) => Object.assign(make("button", text, { type: "button", className: "remove" }), { onclick: act });

/** What a person may see once they have spoken: the judge, the known answer; or what others said, to decide. */
const renderAfter = () => {
  const made = [];
  if (item.judged && (item.done || item.decide)) {
    made.push(make("h3", "What the judge said"), make("p", [item.judged.source, item.judged.outcome, item.judged.reason].filter(Boolean).join(": ") || "nothing"));
  }
  if (item.known && item.done) {
    const agreed = item.known.agreement === null ? "" : `: you agree to ${item.known.agreement.toFixed(2)}`;
    made.push(make("h3", `The known answer${agreed}`), ...side(item.known.said), make("p", "Press Ctrl+Enter again to go on.", { className: "label" }));
  }
  if (item.others) {
    const box = make("div", null, { className: "sides" });
    for (const [person, said] of Object.entries(item.others)) {
      const one = make("section", null, { className: "side" });
      const take = make("button", `Take what ${person} said`, { type: "button" });
      take.onclick = () => { item.said = { note: item.said.note ?? "" }; change({ ...said, note: item.said.note }, false); };
      one.append(make("h3", person), ...side(said), take);
      box.append(one);
    }
    made.push(box);
  }
  return made;
};

const side = (said) => {
  if (said.verdict) return [make("p", said.verdict.replace("_", " "))].concat(said.note ? [make("p", said.note, { className: "label" })] : []);
  if (said.scores) return Object.entries(said.scores).map(([name, mark]) => make("p", `${name}: ${mark}`));
  if (said.nothing) return [make("p", "Nothing should be cited.")];
  return sets(said).flatMap((marks, index) => [make("p", index ? "or" : "", { className: "label" }), ...marks.map((mark) => renderMark(mark))]);
};

const renderRelevance = () => {
  const grade = item.said.relevance?.[reader.name];
  $("relevance").firstChild.data = `Relevance: ${GRADES.find(([value]) => value === grade)?.[1] ?? grade} `;
};

// --- documents ----------------------------------------------------------------------------------------------------------

const list = (documents, more) => {
  const options = documents.map((one) => make("option", one.title + (one.pages ? ` (${one.pages} pages)` : ""), { value: one.name }));
  options.forEach((option, index) => { option.found = documents[index].found; });
  if (more !== 0) options.push(make("option", more ? `… and ${more} more: search for them` : "… perhaps more: search for them by name", { disabled: true }));
  $("documents").replaceChildren(...options);
};

const open = async (name) => { await reader.open(name); opened(); };

const opened = () => {
  const known = [...$("documents").options].some((one) => one.value === reader.name);
  if (!known) $("documents").append(make("option", reader.name, { value: reader.name }));
  $("documents").value = reader.name;
  render();
};

const find = async () => {
  const words = $("find").value.trim();
  const found = words ? await server.ask("documents", { words }) : { documents: item.documents, more: item.more_documents };
  list(found.documents, found.more);
  tell(found.documents.length ? "" : "No document holds these words.");
  const place = $("documents").options[0]?.found;
  if (place !== undefined && place !== null) await reader.reveal({ document: found.documents[0].name, start: place, end: place + 1 });
  else if (found.documents.length) await reader.open(found.documents[0].name);
  opened();
};

const step = (by) => {
  const names = [...$("documents").options].filter((one) => !one.disabled).map((one) => one.value);
  const at = (names.indexOf(reader.name) + by + names.length) % names.length;
  if (names.length) open(names[at]);
};

// --- what a person can do -------------------------------------------------------------------------------------------------

const actions = {
  mark: () => {
    const picked = reader.selected();
    if (!picked) return tell("Select some text first.");
    const { text, ...mark } = picked;
    item.quotes[`${mark.document}:${mark.start}:${mark.end}`] ??= { text: text.slice(0, 300), title: $("documents").selectedOptions[0]?.textContent };
    getSelection().collapseToEnd();
    if (sets(item.said)[set].some((one) => one.document === mark.document && one.start === mark.start && one.end === mark.end)) return tell("This is marked already.");
    return change({ nothing: false, sets: sets(item.said).map((one, index) => (index === set ? [...one, mark] : one)) });
  },
  set: () => { set = sets(item.said).length; change({ sets: [...sets(item.said), []] }); },
  nothing: () => change({ nothing: !item.said.nothing, sets: [[]] }),
  relevance: () => {
    const at = GRADES.findIndex(([value]) => value === item.said.relevance?.[reader.name]);
    const { [reader.name]: _, ...rest } = item.said.relevance ?? {};
    const grade = GRADES[(at + 1) % GRADES.length][0];
    change({ relevance: grade === undefined ? rest : { ...rest, [reader.name]: grade } });
  },
  done, undo,
  skip: () => { later.add(item.key); return next(); },
};

const score = (name, mark) => {
  change({ scores: { ...item.said.scores, [name]: mark } });
  const open = [...document.querySelectorAll("fieldset[data-question]")].find((one) => !(one.dataset.question in item.said.scores));
  (open?.querySelector("input") ?? $("done")).focus();
};

const numbers = (digit) => {
  const button = item.kind === "verdicts" && document.querySelectorAll("[data-verdict]")[digit - 1];
  if (button) button.click();
  if (item.kind === "answers" && digit <= 5) {
    const focused = document.activeElement.closest("fieldset[data-question]");
    const first = [...document.querySelectorAll("fieldset[data-question]")].find((one) => !(one.dataset.question in (item.said.scores ?? {})));
    const field = focused ?? first;
    if (field) score(field.dataset.question, (digit - 1) / 4);
  }
};

const KEYS = { u: "undo", s: "skip" };
const SPAN_KEYS = { a: "set", x: "nothing", r: "relevance" };

document.addEventListener("keydown", (event) => {
  active = Date.now();
  if (!item?.key) return;
  const { key, target } = event;
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); return actions.done(); }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "Escape") { getSelection().removeAllRanges(); return $("task").focus(); }
  if (target.closest("textarea, select, input:not([type=radio])")) {
    if (key === "Enter" && target === $("find")) find().catch((error) => tell(error.message));
    return;
  }
  const inText = $("text").contains(target);
  const act = KEYS[key] ?? (item.kind === "spans" ? SPAN_KEYS[key] : undefined);
  if (key === "Enter" && inText && item.kind === "spans") actions.mark();
  else if (key === "Enter" && item.kind === "verdicts" && item.done && !target.closest("button, a, summary")) actions.done();
  else if (act) actions[act]();
  else if (key >= "1" && key <= "5") numbers(Number(key));
  else if (key === "d") reader.enter();
  else if (key === "o") $("note").focus();
  else if (key === "/") $("find").focus();
  else if (key === "[" || key === "]") step(key === "]" ? 1 : -1);
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  active = Date.now();
  const button = event.target.closest("[data-do], [data-verdict]");
  if (!button || !item?.key) return;
  if (button.dataset.verdict) { change({ verdict: button.dataset.verdict }, true); $("task").focus(); } else actions[button.dataset.do]();
});
document.addEventListener("selectionchange", () => { $("mark") && ($("mark").disabled = !reader.selected()); });
$("answers").addEventListener("change", (event) => change({ scores: { ...item.said.scores, [event.target.name]: Number(event.target.value) } }));
$("note").addEventListener("input", () => change({ note: $("note").value }));
$("documents").addEventListener("change", (event) => open(event.target.value).catch((error) => tell(error.message)));
$("find").addEventListener("input", () => { if (!$("find").value) find().catch((error) => tell(error.message)); });
window.addEventListener("online", () => server.send());

setInterval(() => {
  if (!item?.key || document.hidden || Date.now() - active > IDLE_SECONDS * 1000) return;
  item.seconds += 1;
  $("time").textContent = `${Math.floor(item.seconds / 60)}:${String(Math.floor(item.seconds % 60)).padStart(2, "0")}`;
}, 1000);

document.querySelector(".guidelines").open = matchMedia("(min-width: 761px)").matches;
server.send();
(main.dataset.item ? server.ask("item", { item: main.dataset.item }) : server.ask("next", {}))
  .then((found) => { $("saved").textContent = SAVED.saved; return show(found); })
  .catch((error) => {
    $("saved").textContent = "";
    if (!error.status) return tell(error.message);
    return main.replaceChildren(make("p", `${error.message[0].toUpperCase()}${error.message.slice(1)}.`, { id: "refused", className: "page message" }));
  });
