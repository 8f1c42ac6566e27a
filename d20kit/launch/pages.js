/** The models that the scripts of an explorer know from a notebook, without one: values, and who wants to hear of them. */
class Model {
  constructor(values, manager) {
    this.values = values;
    this.widget_manager = manager;
    this.ears = new Map();
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    (this.ears.get(`change:${name}`) ?? []).forEach((ear) => ear());
  }

  on(events, ear) {
    events.split(" ").forEach((event) => this.ears.set(event, [...(this.ears.get(event) ?? []), ear]));
  }

  off(events, ear) {
    events.split(" ").forEach((event) => this.ears.set(event, (this.ears.get(event) ?? []).filter((other) => other !== ear)));
  }

  send() {}

  save_changes() {}
}

function load(text) {
  return import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

/** The main slider, under the name that it has in the notebook. */
function slider(model) {
  const label = document.createElement("label");
  label.className = "slider";
  const { description, min, max, value } = model.values;
  const name = document.createElement("span");
  name.textContent = description;
  const input = Object.assign(document.createElement("input"), { type: "range", min, max, step: 1, value });
  const shown = document.createElement("output");
  shown.textContent = value;
  input.addEventListener("input", () => {
    shown.textContent = input.value;
    model.set("value", Number(input.value));
  });
  label.append(name, input, shown);
  return label;
}

async function draw({ slider: given, parts }, place, modules) {
  const moved = new Model(given);
  const manager = { get_model: async () => moved };
  const box = document.createElement("div");
  box.className = "d20-explorer";
  box.append(slider(moved));
  for (const { script, state } of parts) {
    const el = document.createElement("div");
    box.append(el);
    const module = await modules[script];
    await module.default.render({ model: new Model({ ...state, slider: "IPY_MODEL_" }, manager), el });
  }
  place.replaceChildren(box);
}

/** The pictures look at the body for its theme, as in a notebook. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const tell = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
dark.addEventListener("change", tell);
tell();

const page = JSON.parse(document.getElementById("d20-page").textContent);
globalThis.__d20kit_plotly = { asked: Infinity, ready: Promise.resolve(globalThis.Plotly) };
const modules = page.scripts.map(load);
for (const place of document.querySelectorAll("[data-explorer]")) {
  draw(page.explorers[place.dataset.explorer], place, modules);
}
