// Changes on their way to the server: kept in the browser until they are acknowledged, sent again after a failure,
// one at a time. A change to a revision that is no longer the newest comes back with the newer state.

export class Stale extends Error {}

// What says nothing about a change itself: the server needs its token again, cannot write, or is behind a proxy without it.
const NOT_NOW = [401, 502, 503, 504];

export class Server {
  constructor(person, store, tell, refused) {
    this.person = person;
    this.tell = tell; // told what to show: "saved", "saving", "offline", "locked"
    this.refused = refused; // told what became of an item that is not shown any more
    this.window = crypto.randomUUID?.() ?? String(Math.random());
    this.csrf = document.querySelector("meta[name=csrf]").content;
    this.store = `pincite ${store} ${person}`;
    this.waiting = new Map(Object.entries(JSON.parse(localStorage.getItem(this.store) || "{}")));
    this.results = new Map();
    this.begun = new Map(); // revisions of items that were begun here
  }

  /** Say that somebody is at an item. Changes wait for it, since it makes a revision. */
  begin(item) {
    this.beginning = this.post("begin", { item, by: this.window }).then((state) => { this.begun.set(item, state.revision); });
    return this.beginning;
  }

  async ask(what, given) {
    const query = new URLSearchParams({ as: this.person });
    for (const [name, value] of Object.entries(given)) for (const one of [value].flat()) query.append(name, one);
    return this.read(await fetch(`/api/annotation/${what}?${query}`));
  }

  async read(response) {
    const value = await response.json();
    if (response.ok) return value;
    if (NOT_NOW.includes(response.status)) throw Object.assign(new Error(value.error), { locked: response.status === 401 });
    throw Object.assign(response.status === 409 ? new Stale(value.error) : new Error(value.error), { status: response.status, value });
  }

  async post(what, given, again = true) {
    const response = await fetch(`/api/annotation/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": this.csrf },
      body: JSON.stringify({ as: this.person, ...given }),
    });
    if (response.status === 403 && again) {
      // A server that was started again has new tokens.
      this.csrf = (await this.read(await fetch("/api/session"))).csrf;
      return this.post(what, given, false);
    }
    return this.read(response);
  }

  /** Send the newest of an item; `result` is called with what the server says of it. */
  save(change, result) {
    const sent = this.sending === change.item ? this.waiting.get(change.item)?.revision : undefined;
    this.waiting.set(change.item, { ...change, by: this.window, revision: sent ?? change.revision, fresh: true });
    this.results.set(change.item, result);
    this.keep();
    return this.send();
  }

  keep() {
    localStorage.setItem(this.store, JSON.stringify(Object.fromEntries(this.waiting)));
  }

  send() {
    this.running ??= this.run().finally(() => { this.running = null; });
    return this.running;
  }

  async run() {
    while (this.waiting.size) {
      this.tell("saving");
      await this.beginning?.catch(() => {});
      const [item, change] = this.waiting.entries().next().value;
      this.sending = item;
      change.revision ||= this.begun.get(item) ?? 0;
      change.fresh = false;
      const { fresh, ...body } = change;
      try {
        const state = await this.post("change", body);
        this.settle(item, state.revision);
        this.results.get(item)?.(state);
      } catch (error) {
        if (error instanceof Stale && error.value.by === body.by) {
          this.waiting.get(item).revision = error.value.revision; // our own, of which only the reply was lost
        } else if (error.status) {
          this.waiting.delete(item); // what the server has is shown instead
          this.keep();
          (this.results.get(item) ?? this.refused)(null, error, body);
        } else {
          this.tell(error.locked ? "locked" : "offline");
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      }
    }
    this.sending = null;
    this.tell("saved");
  }

  /** What was sent is saved; what was changed meanwhile goes next, to the revision that is new now. */
  settle(item, revision) {
    const change = this.waiting.get(item);
    if (change?.fresh) change.revision = revision;
    else this.waiting.delete(item);
    this.keep();
  }
}
