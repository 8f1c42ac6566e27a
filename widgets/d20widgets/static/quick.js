/**
 * The part of a plotly redraw that a frame needs. Plotly.react also works out anew all defaults, axes, legend and drag
 * areas, which takes as long again although frames change none of it. The functions called here are those that react
 * calls itself, in the one version of plotly.js that comes with the kit; after a pause the picture calls react as well.
 */
const QUICK = ["x", "x0", "y", "text", "hovertext", "textposition", "base", "offset", "width", "marker.symbol"];
const NOWHERE = { x: undefined, y: undefined };
// What plotly draws by itself, without the rest of the figure.
const APART = /^layout\.([xy]axis\d*\.(range|dtick|tick0|tickvals|ticktext)|annotations\.\d+\.(text|x|y))$/;

/** What stands in a figure at a path such as "data.1.x". */
function at(figure, path) {
  return path.split(".").reduce((part, key) => part?.[key], figure);
}

/** The traces to which some paths lead, by their place in the figure. */
function tracesAt(paths) {
  return new Set(paths.filter((path) => path.startsWith("data.")).map((path) => Number(path.split(".")[1])));
}

/** Those of some paths that do not lead to traces. */
function layoutAt(paths) {
  return paths.filter((path) => path.startsWith("layout."));
}

/** Plotly's name for a path into the layout, such as "annotations[1].text". */
function named(path) {
  return path.replace("layout.", "").replace(/\.(\d+)\./, "[$1].");
}

/** Whether a quick redraw knows what frames change. */
function isQuick(paths) {
  return paths.every((path) => QUICK.includes(path.split(".").slice(2).join(".")));
}

/** Whether a change of the table is one that needs no new figure. */
function isEasy(path) {
  return APART.test(path) || (path.startsWith("data.") && isQuick([path]));
}

/** Draw the traces of a graph with the values that have been put into its figure. */
function redraw(graph, traces) {
  calculate(graph, traces);
  plot(graph);
}

function calculate(graph, traces) {
  const { _fullData: full, data } = graph;
  full.forEach((trace, i) => {
    if (traces.has(trace.index) && trace.visible === true) graph.calcdata[i] = calculated(graph, trace, data[trace.index]);
  });
  const crossing = new Set(modulesOf(graph).map(({ crossTraceCalc }) => crossTraceCalc).filter(Boolean));
  Object.values(graph._fullLayout._plots).forEach((plot) => crossing.forEach((work) => work(graph, plot)));
}

/** Draw the traces where they are now. Colours and patterns stay with a shape; only one that is new has none yet. */
function plot(graph) {
  const before = new Set(graph.querySelectorAll("path"));
  graph._fullLayout._basePlotModules.forEach((base) => base.plot(graph));
  if ([...graph.querySelectorAll("path")].every((path) => before.has(path))) return;
  modulesOf(graph).forEach(({ style }) => style?.(graph));
}

function modulesOf({ _fullData: full }) {
  return [...new Set(full.filter(({ visible }) => visible === true).map(({ _module }) => _module))];
}

/** Let axes that are not drawn themselves show what their figure says. */
function rescale({ _fullLayout: full, layout }, paths) {
  paths.forEach((path) => {
    const name = path.split(".")[1];
    full[name].range = [...layout[name].range];
    full[name].setScale();
  });
}

/** What plotly computes of a trace: a list of points, the first of which holds what belongs to all. */
function calculated(graph, trace, given) {
  const held = QUICK.filter((path) => at(given, path) !== undefined);
  patch(trace, held, held.map((path) => at(given, path)));
  trace._length = Math.min(...[given.x, given.y].filter(Array.isArray).map(({ length }) => length));
  trace._extremes = {};
  const points = trace._length > 0 ? trace._module.calc(graph, trace) : [];
  const found = points?.[0] ? points : [{ ...NOWHERE }];
  found[0].t ??= {};
  found[0].trace = trace;
  return found;
}
