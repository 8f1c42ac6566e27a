const PATIENCE_OF_TYPING = 400;

function labelled(text, node) {
  return build("label", { text: `${text} ` }, node);
}

/** Send what is typed when the typing rests, and at once when the field is left. */
function typed(input, send) {
  let waiting = 0;
  const now = () => {
    if (!waiting) return;
    clearTimeout(waiting);
    waiting = 0;
    send(input.value);
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(now, PATIENCE_OF_TYPING);
  });
  input.addEventListener("change", now);
}

/** The table: a row for each combatant, and one more for each further attack. */
class Table {
  constructor(model) {
    this.model = model;
    this.cells = new Map();
    this.id = ownId("roster");
    this.node = build("table");
  }

  send(message) {
    request(this.model, this.node, message);
  }

  /** The rows' shape; as long as it stays, fields stay and keep what is being typed. */
  shape() {
    const rows = this.model.get("rows").map(({ attacks, fixed }) => [attacks.length, fixed]);
    return JSON.stringify([rows, this.model.get("columns"), this.model.get("words"), this.model.get("description")]);
  }

  show() {
    const shape = this.shape();
    if (shape !== this.built) this.build();
    this.built = shape;
    this.fill();
  }

  build() {
    const { own, attacks } = this.model.get("columns");
    this.cells.clear();
    const heads = [...own, ...attacks].map(({ heading }) => build("th", { scope: "col", text: heading }));
    const rows = this.model.get("rows").flatMap((row, place) => this.lines(row, place, own, attacks));
    this.node.replaceChildren(
      build("caption", { text: this.model.get("description") }),
      build("thead", {}, build("tr", {}, ...heads, build("td"))),
      build("tbody", {}, ...rows),
    );
  }

  lines(row, place, own, attacks) {
    const lines = Math.max(1, row.attacks.length);
    this.refusals = build("td", { colspan: own.length + attacks.length + 1 });
    const first = build("tr", {}, ...own.map((column) => this.cell(row, place, null, column)));
    const further = [...Array(lines - 1)].map(() => build("tr", {}, build("td", { colspan: own.length })));
    const all = [first, ...further];
    row.attacks.forEach((_, attack) => all[attack].append(...attacks.map((column) => this.cell(row, place, attack, column))));
    if (row.attacks.length === 0) first.append(build("td", { colspan: attacks.length }));
    first.append(this.acts(place));
    further.forEach((line) => line.append(build("td")));
    return [...all, build("tr", {}, this.refusals)];
  }

  acts(place) {
    const words = this.model.get("words");
    return build("td", { class: "d20-acts" }, ...["copy", "remove"].map((kind) => {
      const node = knob(words[kind], () => this.send({ kind, row: place }));
      this.cells.set(`${place}.${kind}`, { node, name: words[kind], row: place });
      return node;
    }));
  }

  cell(row, place, attack, { key, heading, options }) {
    const at = `${place}.${attack ?? ""}.${key}`;
    const node = options.length > 0 ? choice(options, "") : field("input", { autocomplete: "off", spellcheck: "false" });
    const fixed = row.fixed.includes(attack === null ? key : `${attack}.${key}`);
    if (fixed && options.length > 0) node.append(build("option", { text: row.own[key], value: row.own[key] }));
    node.disabled = fixed;
    if (options.length === 0) node.dir = "auto";
    const error = build("div", { class: "d20-cell-error", id: `${this.id}-${at}` });
    node.setAttribute("aria-describedby", error.id);
    typed(node, (text) => this.send({ kind: "edit", row: place, attack, key, text }));
    this.cells.set(at, { node, error, name: heading, row: place, attack, key });
    this.refusals.append(error);
    return build("td", { class: `d20-cell-${attack === null ? key : `attack-${key}`}` }, node);
  }

  fill() {
    const rows = this.model.get("rows");
    const errors = this.model.get("errors");
    const of = this.model.get("words").of;
    this.cells.forEach(({ node, error, name, row, attack, key }, at) => {
      const whose = rows[row].own.name;
      node.setAttribute("aria-label", of.split(/(\{what\}|\{name\})/).map((part) => ({ "{what}": name, "{name}": whose })[part] ?? part).join(""));
      if (!error) return;
      const [text, refusal] = errors[at] ?? [(attack === null ? rows[row].own : rows[row].attacks[attack])[key], ""];
      if (node !== node.getRootNode().activeElement) node.value = text;
      if (refusal && refusal !== error.textContent) tell(error, refusal, true);
      error.textContent = refusal;
      node.setAttribute("aria-invalid", String(refusal !== ""));
    });
  }
}

/** What stands around the table: the bestiary, ready encounters, rules and files. */
class Picker {
  constructor(model) {
    this.model = model;
    this.above = build("div", { class: "d20-pickers" });
    this.below = build("div", { class: "d20-files" });
    this.said = build("p", { class: "d20-said", id: ownId("said") });
  }

  send(message) {
    request(this.model, this.said, message);
  }

  show() {
    const [words, choices] = [this.model.get("words"), this.model.get("choices")];
    const now = JSON.stringify([words, choices]);
    if (now === this.built) return;
    this.built = now;
    this.above.replaceChildren(...this.ready(words, choices), ...this.bestiary(words, choices), ...this.ruled(words, choices));
    this.below.replaceChildren(...this.files(words));
  }

  ready(words, choices) {
    const names = choice(choices.ready, choices.now);
    return [labelled(words.ready, names), knob(words.take, () => this.send({ kind: "ready", name: names.value }))];
  }

  bestiary(words, choices) {
    const groups = ["heroes", "creatures"].map((kind) =>
      build("optgroup", { label: words[kind] }, ...choices[kind].map((name) => build("option", { value: name, text: name }))),
    );
    const names = field("select");
    names.append(...groups);
    const add = knob(words.add, () => this.send({ kind: "add", creature: names.value }));
    add.disabled = choices.full;
    return [labelled(words.creature, names), add];
  }

  ruled(words, choices) {
    const names = choice(choices.rules.map((name) => [name, name || "…"]), choices.ruled);
    names.addEventListener("change", () => names.value && this.send({ kind: "rules", name: names.value }));
    return [labelled(words.rules, names)];
  }

  files(words) {
    this.path ??= field("input", { autocomplete: "off", spellcheck: "false", size: "28", placeholder: "encounter.toml" });
    this.path.setAttribute("aria-describedby", this.said.id);
    const over = field("input", { type: "checkbox" });
    const save = knob(words.save, () => {
      this.send({ kind: "save", path: this.path.value, replace: over.checked });
      over.checked = false;
    });
    const load = knob(words.load, () => this.send({ kind: "load", path: this.path.value }));
    const upload = field("input", { type: "file", accept: ".toml" });
    upload.addEventListener("change", () => this.take(upload));
    const download = knob(words.download, () => this.send({ kind: "download" }));
    const ticked = build("label", {}, over, ` ${words.replace}`);
    return [labelled(words.path, this.path), load, save, ticked, labelled(words.upload, upload), download];
  }

  async take(upload) {
    const [file] = upload.files;
    if (!file) return;
    this.send({ kind: "take", text: await file.text(), name: file.name });
    upload.value = "";
  }

  say() {
    const { text, refused } = this.model.get("said");
    if (text && text !== this.said.textContent) tell(this.said, text, true);
    this.said.textContent = text;
    this.said.classList.toggle("d20-refusal", refused);
  }
}

function download(message) {
  if (message.kind === "file") save(new Blob([message.text], { type: "application/toml" }), message.name);
}

function render({ model, el }) {
  const [table, picker] = [new Table(model), new Picker(model)];
  const wide = field("div", { class: "d20-wide", tabindex: "0", role: "group" });
  wide.append(table.node);
  el.append(picker.above, wide, picker.said, picker.below);
  const show = () => {
    if (Object.keys(model.get("words")).length === 0) return;
    wide.setAttribute("aria-label", model.get("description"));
    table.show();
    picker.show();
    picker.say();
  };
  const soon = () => (asked ||= requestAnimationFrame(() => ((asked = 0), show())));
  let asked = 0;
  const changes = "change:rows change:errors change:words change:columns change:choices change:said change:description";
  model.on(changes, soon);
  model.on("msg:custom", download);
  show();
  return () => {
    cancelAnimationFrame(asked);
    model.off(changes, soon);
    model.off("msg:custom", download);
  };
}

export default { render };
