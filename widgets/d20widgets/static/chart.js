const PATIENCE = 10_000;
const SHOWN_TROUBLE_AFTER = 15_000;
const SETTLED = 400;
const CONFIG = { displayModeBar: false, doubleClick: false, showTips: false };
const STILL = { staticPlot: true };
// Below the lowest panel its axis has its numbers and its name; the legend begins under them.
const AXIS_ROOM = 46;

/** The page's one copy of plotly.js: all charts share it, and one of them asks its kernel for it. */
function library() {
  return (globalThis.__d20kit_plotly ??= newLibrary());
}

function newLibrary() {
  const page = { asked: -Infinity };
  page.ready = new Promise((resolve, reject) => Object.assign(page, { resolve, reject }));
  return page;
}

/** Ask again after a while: the kernel that was asked first may have been restarted before it answered. */
function plotly(model) {
  const page = library();
  const ask = () => {
    if (performance.now() - page.asked < PATIENCE) return;
    page.asked = performance.now();
    model.send({ kind: "plotly" });
  };
  const heard = (message, buffers) => {
    if (message.kind === "plotly") evaluate(buffers[0]).then(page.resolve, (error) => fail(page, error));
  };
  model.on("msg:custom", heard);
  const timer = setInterval(ask, 1000);
  const stop = () => {
    clearInterval(timer);
    model.off("msg:custom", heard);
  };
  page.ready.then(stop, stop);
  ask();
  return { ready: page.ready, stop };
}

/** A broken load must not be kept: the next chart on the page starts afresh. */
function fail(page, error) {
  if (globalThis.__d20kit_plotly === page) globalThis.__d20kit_plotly = undefined;
  page.reject(error);
}

/** Run the library as a module and leave the page's own globals as they were. */
async function evaluate(bytes) {
  const { Plotly, moduleName } = globalThis;
  const url = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    await import(url);
    return globalThis.Plotly;
  } finally {
    URL.revokeObjectURL(url);
    Object.assign(globalThis, { Plotly, moduleName });
  }
}

/** Colours of Lab's theme, read from where the style sheet put them. */
function theme(box) {
  const { color, fontFamily: family, borderTopColor: grid } = getComputedStyle(box);
  const axis = { gridcolor: grid, linecolor: grid, zerolinecolor: grid, tickcolor: grid };
  return { layout: { font: { color, family }, xaxis: axis, yaxis: axis, colorway: [color] } };
}

/** Put values into a figure, each at its path such as "data.1.x". */
function patch(figure, paths, values) {
  paths.forEach((path, i) => {
    const keys = path.split(".");
    const last = keys.pop();
    keys.reduce((part, key) => part[key], figure)[last] = values[i];
  });
}

/** Whatever moves the theme changes an attribute of the body. */
function onTheme(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "data-jp-theme-light", "class"] });
  return () => observer.disconnect();
}

function onWidth(box, changed) {
  const observer = new ResizeObserver(([entry]) => changed(Math.floor(entry.contentRect.width)));
  observer.observe(box);
  return () => observer.disconnect();
}

/** The traces that frames change, by their place in the figure. */
function moving(paths) {
  return new Set(paths.map((path) => Number(path.split(".")[1])));
}

/**
 * Axes, legend and headings cost most of a redraw, so what stands still is drawn once, in layers of its own: the back
 * with the axes and the traces before the first moving one, and the front with the traces after it. The back keeps
 * the moving traces' places in the legend.
 */
function layers(figure, paths) {
  const moves = moving(paths);
  const first = Math.min(...moves, figure.data.length);
  const back = structuredClone(figure);
  back.data = back.data.slice(0, first).concat(back.data.filter((_, i) => moves.has(i)).map(placeholder));
  const live = bare(figure, (i) => moves.has(i));
  const front = bare(figure, (i) => i > first && !moves.has(i));
  return { back, live, front };
}

function placeholder(trace) {
  return { ...trace, x: [null], y: [null] };
}

/** How much taller than its margin foresees a picture must be, so that a legend of many lines stays off the axis. */
function missing(layer, { margin }) {
  const legend = layer.querySelector(".legend .bg");
  return legend ? Math.max(0, Math.ceil(legend.getBBox().height + AXIS_ROOM - (margin?.b ?? 80))) : 0;
}

/** Some traces of a figure at their places, with nothing around them; of the others only the places. */
function bare({ data, layout }, shown) {
  const copy = structuredClone({ data: data.map((trace, i) => (shown(i) ? trace : { visible: false })), layout });
  Object.assign(copy.layout, { showlegend: false, annotations: [] });
  axes(copy.layout).forEach((axis) => (axis.visible = false));
  return copy;
}

function axes(layout) {
  return Object.keys(layout)
    .filter((key) => /^[xy]axis\d*$/.test(key))
    .map((key) => layout[key]);
}

/** A picture that draws a frame whenever it has the library, a width and a frame. */
class Picture {
  constructor(model, box, note) {
    Object.assign(this, { model, box, note, width: 0, frame: null, plotly: null, asked: 0, fresh: false });
    Object.assign(this, { keys: {}, held: null, extra: 0 });
    this.back = part(box, "d20-layer d20-still d20-back");
    this.live = part(box, "d20-layer d20-live");
    this.front = part(box, "d20-layer d20-still d20-front");
    this.take(model.get("figure"));
  }

  take(figure) {
    this.given = figure;
    this.paths = this.model.get("paths");
    this.figures = layers(figure, this.paths);
    // What frames put in anyway must not make one table's layer look other than the next one's.
    patch(this.figures.live, this.paths, Array(this.paths.length).fill(null));
    this.quick = isQuick(this.paths);
    this.dress();
  }

  dress(extra = 0) {
    const template = theme(this.box);
    const { height, margin } = this.given.layout;
    const size = { width: this.width, height: height + extra, margin: { ...margin, b: (margin?.b ?? 80) + extra } };
    Object.values(this.figures).forEach(({ layout }) => Object.assign(layout, { template, ...structuredClone(size) }));
    this.box.style.height = `${size.height}px`;
    this.fresh = false;
  }

  show(frame) {
    if (this.model.get("figure") !== this.given) this.take(this.model.get("figure"));
    this.frame = frame;
    this.box.setAttribute("aria-label", frame.label);
    this.draw();
  }

  draw() {
    if (!this.plotly || !this.frame || this.width <= 0) return;
    const known = this.fresh || this.drawStill();
    patch(this.figures.live, this.paths, this.frame.values);
    if (known && this.quick) this.drawQuickly();
    else this.drawLive();
    this.fresh = true;
    this.note.hidden = true;
  }

  /** Draw what stands still, where it has changed. Returns whether frames are all that changed in the moving layer. */
  drawStill() {
    const { back, front, live } = this.figures;
    if (this.isNew("back")) this.drawBack(back);
    else this.dress(this.extra);
    if (this.isNew("front")) this.plotly.react(this.front, front.data, front.layout, STILL);
    if (this.isNew("live")) this.held = live;
    else this.figures.live = this.held;
    return this.held !== live;
  }

  /** Whether a layer is another one than that which plotly has drawn last. */
  isNew(name) {
    const { data, layout } = this.figures[name];
    // Where a layer shows nothing its axes do not matter, and it need not be drawn for them.
    const key = JSON.stringify(data.some(({ visible }) => visible !== false) ? { data, layout } : [layout.width, layout.height]);
    const differs = key !== this.keys[name];
    this.keys[name] = key;
    return differs;
  }

  drawQuickly() {
    try {
      redraw(this.live, moving(this.paths));
      this.settle();
    } catch {
      this.quick = false; // slower, and right
      this.drawLive();
    }
  }

  drawLive() {
    clearTimeout(this.later);
    const { data, layout } = this.figures.live;
    this.plotly.react(this.live, data, layout, CONFIG);
  }

  /** Nobody moves any more: there is time for all that plotly does, such as what the pointer finds. */
  settle() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.plotly && this.drawLive(), SETTLED);
  }

  drawBack({ data, layout }) {
    this.plotly.react(this.back, data, layout, STILL);
    this.extra = missing(this.back, layout);
    if (this.extra === 0) return;
    this.dress(this.extra);
    this.plotly.react(this.back, data, layout, STILL);
  }

  soon(change) {
    change();
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  resize(width) {
    if (width <= 0 || width === this.width) return;
    this.width = width;
    this.soon(() => this.dress());
  }

  trouble() {
    if (this.plotly) return;
    this.note.textContent = this.model.get("trouble");
    this.note.hidden = false;
  }

  close() {
    cancelAnimationFrame(this.asked);
    clearTimeout(this.later);
    [this.back, this.live, this.front].forEach((layer) => this.plotly?.purge(layer));
    this.plotly = null;
  }
}

function part(el, className) {
  const node = document.createElement("div");
  node.className = className;
  el.append(node);
  return node;
}

function render({ model, el }) {
  const box = part(el, "d20-chart");
  box.setAttribute("role", "img");
  const note = part(el, "d20-trouble");
  note.hidden = true;
  const picture = new Picture(model, box, note);
  const loading = plotly(model);
  const late = setTimeout(() => picture.trouble(), SHOWN_TROUBLE_AFTER);
  loading.ready.then(
    (Plotly) => picture.soon(() => (picture.plotly = Plotly)),
    () => picture.trouble(),
  );
  const stops = [
    stopping(follow(model, (frame) => picture.show(frame))),
    onWidth(box, (width) => picture.resize(width)),
    onTheme(() => picture.soon(() => picture.dress())),
    () => clearTimeout(late),
    loading.stop,
    () => picture.close(),
  ];
  return () => stops.forEach((stop) => stop());
}

export default { render };
