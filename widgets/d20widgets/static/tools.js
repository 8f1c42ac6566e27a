/** Where the slider stands, as an index of the frames. */
async function place(follower) {
  const slider = await referred(follower, "slider");
  const index = slider.get("value") - follower.get("first");
  return { index: Math.min(Math.max(index, 0), follower.get("frames").length - 1), position: slider.get("value") };
}

async function savePicture(model, kind) {
  const [chart, sentence] = await Promise.all([referred(model, "chart"), referred(model, "sentence")]);
  const { index, position } = await place(chart);
  const at = model.get("seed_at");
  const seed = at === null || at === position ? model.get("seed") : "";
  const small = [model.get("version"), seed].filter(Boolean).join(", ");
  const caption = { title: model.get("title"), sentence: sentence.get("frames")[index], small };
  const Plotly = await globalThis.__d20kit_plotly.ready;
  const svg = await drawing(Plotly, { chart, index, caption });
  const blob = kind === "png" ? await pixels(svg) : new Blob([svg.text], { type: "image/svg+xml" });
  save(blob, `${model.get("file")}.${kind}`);
}

/** Copy the marked text, by whichever way the browser allows. */
async function copied(box) {
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

class Row {
  constructor(model, el) {
    Object.assign(this, { model, el, knobs: {}, phase: "off" });
    const fold = make(el, "details", "d20-disclosure");
    this.name = keepKeys(make(fold, "summary"));
    const row = make(fold, "div", "d20-row");
    this.add(row, "example", () => this.ask("example"));
    this.add(row, "predict", () => this.predict());
    this.add(row, "png", () => this.picture("png"));
    this.add(row, "svg", () => this.picture("svg"));
    this.add(row, "data", () => this.data());
    this.add(row, "code", () => this.copy("code"));
    this.add(row, "state", () => this.copy("state"));
    this.addText(fold);
    this.addLanguages(fold);
  }

  add(parent, name, onClick) {
    this.knobs[name] = button(parent, onClick);
  }

  addText(parent) {
    const row = make(parent, "div", "d20-row");
    const label = make(row, "label", "d20-text");
    this.label = make(label, "span");
    this.box = keepKeys(make(label, "textarea"));
    this.box.rows = 2;
    this.box.spellcheck = false;
    this.add(row, "use", () => this.use());
    this.error = make(row, "div", "d20-error");
    this.error.id = ownId("error");
    this.box.setAttribute("aria-describedby", this.error.id);
  }

  addLanguages(parent) {
    const row = make(parent, "div", "d20-row");
    row.setAttribute("role", "group");
    this.languages = row;
    this.languageName = make(row, "span");
    this.speak = Object.entries(this.model.get("languages")).map(([language, name]) => {
      const knob = button(row, () => this.ask("language", { language }));
      Object.assign(knob, { textContent: name, lang: language });
      return { language, knob };
    });
  }

  show() {
    const words = this.model.get("words");
    this.name.textContent = words.tools;
    Object.entries(this.knobs).forEach(([name, knob]) => (knob.textContent = words[name]));
    this.label.textContent = words.text;
    this.languageName.textContent = words.language;
    this.languages.setAttribute("aria-label", words.language);
    const now = this.model.get("language");
    this.speak.forEach(({ language, knob }) => knob.setAttribute("aria-pressed", String(language === now)));
  }

  showPhase(phase) {
    this.phase = phase;
    this.knobs.predict.setAttribute("aria-pressed", String(phase !== "off"));
  }

  word(name) {
    return this.model.get("words")[name];
  }

  /** Ask the kernel and say what came of it. */
  async ask(name, given = {}) {
    const said = (await ask(this.model, { do: name, ...given })) ?? { refused: this.word("silent") };
    tell(this.el, said.refused ?? said.said);
    return said;
  }

  async predict() {
    if (this.phase === "off") return this.ask("predict");
    const prediction = await referred(this.model, "prediction");
    prediction.set("phase", "off");
    prediction.save_changes();
    return tell(this.el, this.word("shown"));
  }

  async picture(kind) {
    if (this.phase === "asking") return tell(this.el, this.word("hidden"));
    const saved = savePicture(this.model, kind);
    return saved.then(
      () => tell(this.el, this.word("saved")),
      () => tell(this.el, this.word("failed")),
    );
  }

  async data() {
    const said = await this.ask("data");
    if (said.text) save(new Blob([said.text], { type: "text/csv" }), `${this.model.get("file")}.csv`);
  }

  async copy(name) {
    const said = await ask(this.model, { do: name });
    if (!said?.text) return tell(this.el, said?.refused ?? this.word("silent"));
    this.box.value = said.text;
    this.refuse("");
    return tell(this.el, (await copied(this.box)) ? said.said : this.word("byHand"));
  }

  async use() {
    const { said, refused = this.word("silent") } = (await ask(this.model, { do: "use", text: this.box.value })) ?? {};
    this.refuse(said ? "" : refused);
    tell(this.el, said ?? refused, !said);
    if (!said) this.box.focus();
  }

  refuse(sentence) {
    this.error.textContent = sentence;
    this.box.setAttribute("aria-invalid", String(sentence !== ""));
  }
}

function render({ model, el }) {
  const row = new Row(model, el);
  const shown = watch(model, ["words", "language"], () => row.show());
  let closed = false;
  let stop = () => {};
  referred(model, "prediction").then((prediction) => {
    if (!closed) stop = watch(prediction, ["phase"], () => row.showPhase(prediction.get("phase")));
  });
  return () => {
    closed = true;
    shown();
    stop();
  };
}

export default { render };
