const SHOWN_TROUBLE_AFTER = 15_000;
const SETTLED = 400;

/** Colours of Lab's theme, read from where the style sheet put them. */
function theme(box) {
  const { color, fontFamily: family, borderTopColor: grid } = getComputedStyle(box);
  const axis = { gridcolor: grid, linecolor: grid, zerolinecolor: grid, tickcolor: grid };
  return { layout: { font: { color, family }, xaxis: axis, yaxis: axis, colorway: [color] } };
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

/** A picture that draws a frame whenever it has the library, a width and a frame. */
class Picture {
  constructor(model, box, note) {
    Object.assign(this, { model, box, note, width: 0, frame: null, plotly: null, asked: 0, fresh: false, extra: 0 });
    this.back = new Layer(box, "d20-still d20-back", STILL);
    this.live = new Layer(box, "d20-live", DRAGGED);
    this.front = new Layer(box, "d20-still d20-front", STILL);
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

  dress() {
    const template = theme(this.box);
    const { height, margin } = this.given.layout;
    const margins = { ...margin, b: (margin?.b ?? 80) + this.extra };
    const size = { width: this.width, height: height + this.extra, margin: margins };
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
    const changed = this.fresh ? [] : this.drawTable();
    patch(this.live.figure, this.paths, this.frame.values);
    if (!changed || !this.quick || !this.drawQuickly(changed)) this.drawLive();
    this.fresh = true;
    this.note.hidden = true;
  }

  /** Draw what stands still, where it has changed. Returns what has changed in the moving layer; null is too much. */
  drawTable() {
    this.drawBack();
    this.front.show(this.plotly, this.figures.front);
    return this.live.take(this.figures.live);
  }

  /** A legend of many lines makes the picture higher, and that is seen when it has been drawn. */
  drawBack() {
    if (!this.back.show(this.plotly, this.figures.back)) return;
    const extra = missing(this.back.node, this.given.layout);
    if (extra === this.extra) return;
    this.extra = extra;
    this.dress();
    this.back.show(this.plotly, this.figures.back);
  }

  drawQuickly(changed) {
    const { live } = this;
    const drawn = live.tries(() => {
      rescale(live.node, layoutAt(changed));
      redraw(live.node, tracesAt([...changed, ...this.paths]));
    });
    if (drawn) this.settle();
    else this.quick = false;
    return drawn;
  }

  drawLive() {
    clearTimeout(this.later);
    this.live.react(this.plotly);
  }

  /** Nobody moves any more: there is time for all that plotly does, such as what the pointer finds. */
  settle() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.plotly && this.drawLive(), SETTLED);
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
    [this.back, this.live, this.front].forEach(({ node }) => this.plotly?.purge(node));
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

/** The page has the library by the time it has built all the other widgets of an explorer. */
function initialize({ model }) {
  return plotly(model).stop;
}

export default { initialize, render };
