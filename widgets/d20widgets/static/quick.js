/**
 * The part of a plotly redraw that a frame needs. Plotly.react also works out anew all defaults, axes, legend and drag
 * areas, which takes as long again although frames change none of it. The functions called here are those that react
 * calls itself, in the one version of plotly.js that comes with the kit; after a pause the picture calls react as well.
 */
const QUICK = new Set(["x", "x0", "y", "text", "hovertext", "textposition", "base", "offset", "width"]);
const NOWHERE = { x: undefined, y: undefined };

/** Whether a quick redraw knows all that the frames change. */
function isQuick(paths) {
  return paths.every((path) => QUICK.has(path.split(".").slice(2).join(".")));
}

/** Draw the traces of a graph with the values a frame has put into its figure. */
function redraw(graph, traces) {
  const { _fullData: full, _fullLayout: layout, data } = graph;
  full.forEach((trace, i) => {
    if (traces.has(trace.index) && trace.visible === true) graph.calcdata[i] = calculated(graph, trace, data[trace.index]);
  });
  const modules = [...new Set(full.filter(({ visible }) => visible === true).map(({ _module }) => _module))];
  const crossing = new Set(modules.map(({ crossTraceCalc }) => crossTraceCalc).filter(Boolean));
  Object.values(layout._plots).forEach((plot) => crossing.forEach((calculate) => calculate(graph, plot)));
  layout._basePlotModules.forEach((base) => base.plot(graph));
  modules.forEach(({ style }) => style?.(graph));
}

/** What plotly computes of a trace: a list of points, the first of which holds what belongs to all. */
function calculated(graph, trace, given) {
  QUICK.forEach((name) => {
    if (name in given) trace[name] = given[name];
  });
  trace._length = Math.min(...[given.x, given.y].filter(Array.isArray).map(({ length }) => length));
  trace._extremes = {};
  const points = trace._length > 0 ? trace._module.calc(graph, trace) : [];
  const found = points?.[0] ? points : [{ ...NOWHERE }];
  found[0].t ??= {};
  found[0].trace = trace;
  return found;
}
