// Run lessons of a built site in the site's own Python and kernel, without a browser and without a network.
// usage: node site_lessons.mjs SITE LESSON...   Prints, for each code cell, the lesson, the status and what it said.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, ...lessons] = process.argv.slice(2);
const runtime = resolve(site, "static", "pyodide");
const settings = JSON.parse(readFileSync(resolve(site, "jupyter-lite.json")))["jupyter-config-data"].litePluginSettings;
const { loadPyodideOptions } = settings["@jupyterlite/pyodide-kernel-extension:kernel"];
globalThis.fetch = async (address) => {
  throw new Error(`nothing may be fetched: ${address}`);
};
// What the kit brings only when something imports it is fetched at once, from the site alone.
globalThis.XMLHttpRequest = class {
  open(_method, address) {
    this.file = address;
  }
  send() {
    if (!resolve(this.file).startsWith(runtime)) throw new Error(`nothing else may be fetched: ${this.file}`);
    this.response = new Uint8Array(readFileSync(this.file)).buffer;
    this.status = 200;
  }
};
const { loadPyodide } = await import(pathToFileURL(resolve(runtime, "pyodide.mjs")).href);
const quiet = { stdout: () => {}, stderr: () => {} };
const python = await loadPyodide({ indexURL: `${runtime}/`, packages: loadPyodideOptions.packages, ...quiet });

let said = "";
globalThis.say = (words) => {
  said += words;
};
// What the front end does with a kernel, as far as words go.
await python.runPythonAsync(`
import js, piplite.piplite, pyodide_kernel
shell = pyodide_kernel.ipython_shell
plain = lambda data: js.say(data.get("text/plain", ""))
for stream in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
    stream.publish_stream_callback = lambda name, text: js.say(text)
shell.display_pub.display_data_callback = lambda data, metadata, transient: plain(data)
shell.display_pub.update_display_data_callback = shell.display_pub.clear_output_callback = lambda *given: None
shell.displayhook.publish_execution_result = lambda count, data, metadata: plain(data)
shell.send_comm = lambda *given: None
`);
const kernel = python.runPython("pyodide_kernel.kernel_instance");
for (const lesson of lessons) {
  const { cells } = JSON.parse(readFileSync(resolve(site, "files", lesson)));
  for (const { cell_type: kind, source } of cells) {
    if (kind !== "code") continue;
    said = "";
    const answer = (await kernel.run([source].flat().join(""))).toJs({ dict_converter: Object.fromEntries });
    console.log(JSON.stringify([lesson, answer.status, said]));
  }
}
process.exit(0);
