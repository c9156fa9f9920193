// Checks again while somebody types, and copies the result. Without JavaScript the buttons do the same.
const WAIT = 700;
const form = document.querySelector("form.try");
const state = form?.querySelector(".live-state");
let timer, asked = 0;

const prepare = () => {
  const copy = document.querySelector(".copy");
  if (!copy || !navigator.clipboard) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(".copied").value);
    document.querySelector(".copy-state").textContent = "Copied.";
  });
};

const check = async () => {
  const number = ++asked;
  state.textContent = "Checking …";
  const response = await fetch(form.action, {
    method: "POST", body: new FormData(form), headers: { "X-CSRF-Token": document.querySelector("meta[name=csrf]").content },
  }).catch(() => null);
  if (number !== asked) return;
  const page = response && new DOMParser().parseFromString(await response.text(), "text/html");
  const result = page?.getElementById("result");
  state.textContent = result ? "" : page?.querySelector(".message")?.textContent ?? "The server does not answer.";
  if (!result || !response.ok) return;
  document.getElementById("result").replaceWith(document.importNode(result, true));
  document.getElementById("result").dispatchEvent(new Event("replaced", { bubbles: true }));
  history.replaceState(null, "", response.url);
  prepare();
};

prepare();
form?.addEventListener("input", (event) => {
  if (event.target.type === "file") return;
  clearTimeout(timer);
  timer = setTimeout(() => form.elements.answer.value.trim() && check(), WAIT);
});
