/** What holds a notebook in JupyterLab, in its single-document view and in Jupyter Notebook. */
const HOLDERS = [".jp-NotebookPanel", ".jp-Notebook"];
const SCROLLED = [".jp-WindowedPanel-outer", ".jp-Notebook"];
/** What uses arrow keys and letters by itself. PageDown and PageUp stay the presenter's: that is what a remote control sends. */
const USES_KEYS = "input, select, textarea, [role=slider], [contenteditable=true], audio, video";
const MOST_OF_A_SCREEN = 0.85;
/** More than this beside a picture is read first, and the picture then scrolled to. */
const LITTLE = 0.35;
const MARGINS = 0.93;
/** Milliseconds after which to look whether Lab has laid itself out. */
const A_MOMENT = 100;
const SMALLEST = 1;
const LARGEST = 2.2;
const LEADS = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };

/** The presenter mode that the page is in, if it is in one: there is never more than one. */
let current = null;

function cellsOf(holder) {
  return [...holder.querySelectorAll(".jp-Cell")];
}

/** Each slide is a list of cells: it begins at a text cell with a heading, and what comes before is one of its own. */
function slidesOf(holder) {
  const slides = [];
  for (const cell of cellsOf(holder)) {
    const begins = cell.classList.contains("jp-MarkdownCell") && cell.querySelector("h1, h2");
    if (begins || slides.length === 0) slides.push([]);
    slides.at(-1).push(cell);
  }
  return slides;
}

class Mode {
  constructor(holder, cell, model) {
    Object.assign(this, { holder, model, place: 0, before: document.activeElement, zoomed: 0 });
    this.outer = SCROLLED.map((one) => holder.querySelector(one)).find(Boolean) ?? holder;
    this.scrolled = this.outer.scrollTop;
    this.sheet = make(document.head, "style", "", { text: model.get("style_sheet") });
    holder.classList.add("d20-presenting");
    this.onTop();
    this.buildBar();
    this.listen();
    // Below the last slide stands whoever wants them all.
    const at = slidesOf(holder).findIndex((slide) => slide.includes(cell));
    this.go(at === slidesOf(holder).length - 1 ? 0 : Math.max(at, 0));
  }

  /** In the page's top layer it fills the window, whatever Lab has put around it. */
  onTop() {
    this.lifted = "popover" in HTMLElement.prototype && !this.holder.hasAttribute("popover");
    if (!this.lifted) return;
    this.holder.setAttribute("popover", "manual");
    this.holder.showPopover();
  }

  buildBar() {
    this.bar = make(this.holder, "div", "d20-bar", { role: "group" });
    const knob = (does) => {
      const node = keepKeys(make(this.bar, "button", "", { type: "button" }));
      node.addEventListener("click", does);
      return node;
    };
    const back = knob(() => this.turn(-1));
    this.told = make(this.bar, "span", "", { role: "status", "aria-live": "polite" });
    this.knobs = { back, next: knob(() => this.turn(1)), leave: knob(() => leave()) };
    this.dress();
    this.knobs.next.focus({ preventScroll: true });
  }

  /** Show every word of the bar, now and in another language. */
  dress() {
    const words = this.model.get("words");
    this.bar.setAttribute("aria-label", words.bar);
    Object.entries(this.knobs).forEach(([name, knob]) => Object.assign(knob, { textContent: words[name], title: words.keys }));
    this.tell();
  }

  tell() {
    const told = this.model.get("words").slide.replace("{number}", this.place + 1);
    this.told.textContent = told.replace("{n}", slidesOf(this.holder).length);
  }

  listen() {
    const { signal } = (this.listening = new AbortController());
    window.addEventListener("keydown", (event) => this.key(event), { capture: true, signal });
    window.addEventListener("beforeprint", () => leave(), { signal });
    window.addEventListener("resize", () => this.fit(), { signal });
  }

  key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const uses = target instanceof Element && target.closest(USES_KEYS);
    if (key === "Escape") leave();
    else if (key === "Home" && !uses) this.go(0);
    else if (key === "End" && !uses) this.go(slidesOf(this.holder).length - 1);
    else if (key in LEADS && !(uses && key.startsWith("Arrow"))) this.turn(LEADS[key]);
    else {
      // Lab's command mode would cut a cell at a letter.
      if (!uses) event.stopImmediatePropagation();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** A slide longer than the screen is scrolled before the next one comes. */
  turn(step) {
    const { scrollTop, clientHeight, scrollHeight } = this.outer;
    const rest = step > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
    if (rest > 2) this.outer.scrollTop = scrollTop + step * MOST_OF_A_SCREEN * clientHeight;
    else this.go(this.place + step, step < 0);
  }

  go(place, fromBelow = false) {
    const slides = slidesOf(this.holder);
    if (place < 0 || place >= slides.length) return;
    this.place = place;
    slides.forEach((slide, i) => slide.forEach((cell) => cell.classList.toggle("d20-off", i !== place)));
    this.tell();
    this.outer.scrollTop = fromBelow ? this.outer.scrollHeight : 0;
    this.fit();
  }

  /** Widgets become as large as the screen allows beside what else is on the slide; they draw anew for their room. */
  fit() {
    cancelAnimationFrame(this.zoomed);
    const shown = [...this.holder.querySelectorAll(".jp-Cell:not(.d20-off) .d20-explorer")];
    this.holder.style.setProperty("--d20-zoom", 1);
    this.zoomed = requestAnimationFrame(() => {
      const { clientHeight } = this.outer;
      const height = (node) => node.getBoundingClientRect().height;
      const tallest = Math.max(1, ...shown.map(height));
      const cells = [...this.holder.querySelectorAll(".jp-Cell:not(.d20-off)")];
      const beside = cells.map(height).reduce((sum, one) => sum + one, 0) - tallest;
      const room = clientHeight - (beside < LITTLE * clientHeight ? beside : 0);
      this.holder.style.setProperty("--d20-zoom", Math.min(Math.max((MARGINS * room) / tallest, SMALLEST), LARGEST));
    });
  }

  /** Nothing stays behind: no class, no style, no listener, and the focus where it was. */
  end() {
    cancelAnimationFrame(this.zoomed);
    this.listening.abort();
    this.bar.remove();
    this.sheet.remove();
    cellsOf(this.holder).forEach((cell) => cell.classList.remove("d20-off"));
    this.holder.classList.remove("d20-presenting");
    this.holder.style.removeProperty("--d20-zoom");
    if (this.lifted) this.holder.hidePopover();
    if (this.lifted) this.holder.removeAttribute("popover");
    this.outer.scrollTop = this.scrolled;
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus({ preventScroll: true });
    layOutAnew(this.holder);
  }
}

/** Lab has laid the panel out for the whole window; it does so again only when the room is another: by a pixel, for a moment. */
function layOutAnew(holder) {
  const shell = document.getElementById("main");
  const narrow = (by) => {
    if (shell) shell.style.right = by;
    window.dispatchEvent(new Event("resize"));
  };
  const before = holder.style.width;
  narrow("1px");
  const restore = (tries) => {
    if (holder.style.width === before && tries > 0) setTimeout(restore, A_MOMENT, tries - 1);
    else narrow("");
  };
  setTimeout(restore, A_MOMENT, 50);
}

function leave() {
  const mode = current;
  if (!mode) return;
  current = null;
  delete globalThis.__d20kit_leave;
  mode.end();
  mode.model.set("on", false);
  mode.model.save_changes();
}

/** Each widget has this script as a module of its own, so the page itself has to know who presents. */
function enter(holder, cell, model) {
  globalThis.__d20kit_leave?.();
  current = new Mode(holder, cell, model);
  globalThis.__d20kit_leave = leave;
}

function render({ model, el }) {
  const box = make(el, "div", "d20-present");
  make(box, "style", "", { text: "@media print { .d20-present { display: none; } }" });
  const start = keepKeys(make(box, "button", "", { type: "button" }));
  const note = make(box, "span");
  const words = () => {
    start.textContent = model.get("words").start;
    start.title = model.get("words").keys;
    if (current?.model === model) current.dress();
  };
  const begin = () => {
    const cell = el.closest(".jp-Cell");
    const holder = HOLDERS.map((one) => el.closest(one)).find(Boolean);
    if (!cell || !holder) note.textContent = ` ${model.get("words").nowhere}`;
    else if (current?.model !== model) enter(holder, cell, model);
  };
  const follow = () => {
    if (model.get("on")) begin();
    else if (current?.model === model) leave();
  };
  start.addEventListener("click", () => {
    begin();
    model.set("on", true);
    model.save_changes();
  });
  words();
  model.on("change:words", words);
  model.on("change:on", follow);
  // A view is rendered before its cell takes it in.
  const soon = requestAnimationFrame(follow);
  return () => {
    cancelAnimationFrame(soon);
    model.off("change:words", words);
    model.off("change:on", follow);
    if (current?.model === model) leave();
  };
}

export default { render };
