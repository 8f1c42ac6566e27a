const PATIENCE = 10_000;

/** The page's one copy of plotly.js, which all charts share. A kernel sends it unasked before its first chart. */
function library() {
  return (globalThis.__d20kit_plotly ??= newLibrary());
}

function newLibrary() {
  const page = { asked: -Infinity };
  page.ready = new Promise((resolve, reject) => Object.assign(page, { resolve, reject }));
  return page;
}

/** Take the library from a kernel, unless the page has it already. */
function take(page, bytes) {
  if (page.heard) return;
  page.heard = true; // by all that wait for it
  evaluate(bytes).then(page.resolve, (error) => fail(page, error));
}

/**
 * Ask for the library if it does not come by itself, and ask again after a while: the kernel that was asked first may
 * have been restarted before it answered.
 */
function plotly(model) {
  const page = library();
  const ask = () => {
    if (page.heard || performance.now() - page.asked < PATIENCE) return;
    page.asked = performance.now();
    model.send({ kind: "plotly" });
  };
  const heard = (message, buffers) => {
    if (message.kind === "plotly") take(page, buffers[0]);
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

/** The hint lets a browser that knows it compile the library beside the page's own work instead of in its midst. */
const COMPILE_NOW = "//# allFunctionsCalledOnLoad\n";

/** Run the library as a module and leave the page's own globals as they were. */
async function evaluate(bytes) {
  const { Plotly, moduleName } = globalThis;
  const url = URL.createObjectURL(new Blob([COMPILE_NOW, bytes], { type: "text/javascript" }));
  try {
    await import(url);
    return globalThis.Plotly;
  } finally {
    URL.revokeObjectURL(url);
    Object.assign(globalThis, { Plotly, moduleName });
  }
}
