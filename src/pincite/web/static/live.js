// Follows a running evaluation; without JavaScript the page can be reloaded instead.
const box = document.querySelector(".live");
if (box) {
  const count = box.querySelector(".live-count");
  const bar = box.querySelector("progress");
  const events = new EventSource(box.dataset.events);
  events.onmessage = (event) => {
    const now = JSON.parse(event.data);
    const failed = now.failed ? `, ${now.failed.toLocaleString("en")} without an answer` : "";
    count.textContent = `${now.done.toLocaleString("en")} of ${now.total.toLocaleString("en")} queries${failed}`;
    bar.max = now.total || 1;
    bar.value = now.done;
  };
  events.addEventListener("over", () => { events.close(); location.reload(); });
}
