const DRAGGED = { displayModeBar: false, doubleClick: false, showTips: false };
const STILL = { staticPlot: true };
// Below the lowest panel its axis has its numbers and its name; the legend begins under them.
const AXIS_ROOM = 46;

/**
 * Axes, legend and headings cost most of a redraw, so what stands still is drawn once, in layers of its own: the back
 * with the axes and the traces before the first moving one, and the front with the traces after it. The back keeps
 * the places of all others in the legend.
 */
function layers(figure, paths) {
  const moves = tracesAt(paths);
  const first = Math.min(...moves, figure.data.length);
  const back = structuredClone(figure);
  back.data = back.data.map((trace, i) => (i < first ? trace : placeholder(trace)));
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

/** One of the graphs that lie upon each other. It draws anew what has changed since the last time, and no more. */
class Layer {
  constructor(box, name, config) {
    Object.assign(this, { node: part(box, `d20-layer ${name}`), config, figure: null, taken: null });
  }

  /**
   * Take a figure, as far as it differs from the one before. Returns the paths of all that differs, or null where that
   * is more than a quick redraw can bring.
   */
  take(figure) {
    const { taken: before } = this;
    this.taken = essence(figure);
    const paths = before && [...differences(before, this.taken)];
    if (paths?.every(isEasy)) {
      patch(this.figure, paths, paths.map((path) => at(this.taken, path)));
      return paths;
    }
    this.figure = figure;
    return null;
  }

  /** Draw a figure. Returns whether plotly had to work all of it out. */
  show(plotly, figure) {
    if (!this.taken && !isShown(figure)) return false;
    const paths = this.take(figure);
    if (paths?.length === 0) return false;
    const easy = paths && this.tries(() => this.change(plotly, paths));
    if (!easy) this.react(plotly);
    return !easy;
  }

  react(plotly) {
    plotly.react(this.node, this.figure.data, this.figure.layout, this.config);
  }

  /** Draw what differs; axes that are seen, and words beside the traces, by plotly's own way for them. */
  change(plotly, paths) {
    calculate(this.node, tracesAt(paths));
    const others = layoutAt(paths);
    if (others.length === 0) plot(this.node);
    else plotly.relayout(this.node, Object.fromEntries(others.map((path) => [named(path), at(this.figure, path)])));
  }

  /** Do what leans on plotly's inner parts. Returns whether it could be done. */
  tries(quick) {
    try {
      quick();
      return true;
    } catch {
      this.taken = null; // slower, and right
      return false;
    }
  }
}

function isShown({ data }) {
  return data.some(({ visible }) => visible !== false);
}

/** What is drawn of a figure: where a layer shows nothing its axes do not matter, and it need not be drawn for them. */
function essence({ data, layout }) {
  const { width, height } = layout;
  return JSON.parse(JSON.stringify(isShown({ data }) ? { data, layout } : { data: [], layout: { width, height } }));
}

/** The paths at which two figures differ, each list of numbers or texts taken as one value. */
function* differences(before, after, path = "") {
  if (isBranch(before) && isBranch(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* differences(before[key], after[key], path ? `${path}.${key}` : key);
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    yield path;
  }
}

function isBranch(value) {
  return value !== null && typeof value === "object" && (!Array.isArray(value) || isBranch(value[0]));
}
