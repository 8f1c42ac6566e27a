// Compile wheels with the very Python that will run them, and leave out what no page asks for.
// usage: node compile.mjs RUNTIME OUT WHEEL...   Wheels in $WITH_SOURCE, split by spaces, keep their sources.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, out, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: resolve(runtime) + "/" });
mkdirSync(out, { recursive: true });
await python.runPythonAsync(readFileSync(new URL("recompile.py", import.meta.url), "utf8"));
const recompile = python.globals.get("recompile");
const readable = new Set((process.env.WITH_SOURCE ?? "").split(" "));
for (const wheel of wheels) {
  const name = basename(wheel);
  const done = recompile(new Uint8Array(readFileSync(wheel)), readable.has(name));
  writeFileSync(resolve(out, name), done.toJs());
  done.destroy();
  console.log(name);
}
