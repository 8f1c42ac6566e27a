let made = 0;

/** Everything is made once and then only changes its words: a live region that is replaced would not be read aloud. */
function layOut(el) {
  const id = `d20-quiz-${++made}`;
  const root = make(el, "div", "d20-quiz", { role: "group" });
  const knob = (parent) => keepKeys(make(parent, "button", "d20-quiz-button", { type: "button" }));
  const parts = { root };
  const head = make(root, "div", "d20-quiz-row d20-quiz-head");
  parts.progress = make(head, "p", "d20-quiz-progress");
  const spoken = make(head, "span", "d20-quiz-language");
  parts.languageLabel = make(spoken, "label", "", { for: `${id}-language` });
  parts.language = keepKeys(make(spoken, "select", "", { id: `${id}-language` }));
  parts.marks = make(root, "ol", "d20-quiz-marks");
  parts.question = make(root, "p", "d20-quiz-question", { id });
  parts.form = make(root, "div", "d20-quiz-row");
  parts.label = make(parts.form, "label", "", { for: `${id}-answer` });
  const typed = { type: "text", autocomplete: "off", maxlength: "60", inputmode: "text" };
  parts.answer = keepKeys(make(parts.form, "input", "", { id: `${id}-answer`, ...typed, "aria-describedby": id }));
  parts.check = knob(parts.form);
  parts.said = make(root, "p", "d20-quiz-said", { role: "status", "aria-live": "polite" });
  parts.hints = make(root, "ol", "d20-quiz-hints");
  parts.solution = make(root, "dl", "d20-quiz-solution");
  parts.result = make(root, "div", "d20-quiz-result");
  const row = make(root, "div", "d20-quiz-row");
  for (const name of ["hint", "solution_knob", "next", "again"]) parts[name] = knob(row);
  parts.share = make(root, "details", "d20-quiz-share");
  parts.summary = keepKeys(make(parts.share, "summary", "", { id: `${id}-share` }));
  const box = { rows: "3", spellcheck: "false", "aria-labelledby": `${id}-share` };
  parts.state = keepKeys(make(parts.share, "textarea", "", box));
  const more = make(parts.share, "div", "d20-quiz-row");
  [parts.copy, parts.load] = [knob(more), knob(more)];
  return parts;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function list(node, texts) {
  node.replaceChildren(...texts.map((text) => build("li", { text })));
  node.hidden = texts.length === 0;
}

/** The steps of a solution: what each is, and what it says. */
function terms(node, steps) {
  node.replaceChildren(...steps.flatMap(([label, text]) => [build("dt", { text: label }), build("dd", { text })]));
  node.hidden = steps.length === 0;
}

/** Colour alone says nothing to many: each mark also has a sign of its own, and words. */
function marks(node, given) {
  node.replaceChildren(
    ...given.map(({ kind, text, label, now }) => {
      const current = now ? { "aria-current": "step" } : {};
      return build("li", { text, class: `d20-quiz-mark d20-quiz-${kind}`, title: label, "aria-label": label, ...current });
    }),
  );
}

function cells(parent, tag, texts) {
  const row = make(parent, "tr");
  texts.forEach((text) => make(row, tag, "", tag === "th" ? { text, scope: "col" } : { text }));
}

function result(node, given) {
  node.replaceChildren();
  node.hidden = !given;
  if (!given) return;
  if (given.repeat.length > 0) {
    make(node, "p", "d20-quiz-progress", { text: given.to_repeat });
    list(make(node, "ul"), given.repeat);
  }
  // In a narrow window it scrolls, which has to go by keyboard too, and past Lab's shortcuts.
  const room = { tabindex: "0", role: "region", "aria-label": given.caption };
  const table = make(keepKeys(make(node, "div", "d20-quiz-room", room)), "table");
  make(table, "caption", "", { text: given.caption });
  cells(make(table, "thead"), "th", given.head);
  const body = make(table, "tbody");
  given.rows.forEach((row) => cells(body, "td", row));
}

function languages(select, view) {
  select.replaceChildren(
    ...view.languages.map(([code, name]) => {
      const option = document.createElement("option");
      Object.assign(option, { value: code, textContent: name, selected: code === view.language });
      option.lang = code;
      return option;
    }),
  );
}

function show(parts, view, before) {
  const { labels } = view;
  parts.root.setAttribute("aria-label", view.title);
  parts.root.lang = view.language;
  write(parts.solution_knob, labels.solution);
  for (const name of ["check", "hint", "next", "again", "copy", "load"]) write(parts[name], labels[name]);
  write(parts.label, labels.answer);
  write(parts.summary, labels.share);
  write(parts.languageLabel, labels.language);
  parts.marks.setAttribute("aria-label", labels.marks);
  write(parts.progress, view.progress);
  marks(parts.marks, view.marks);
  write(parts.question, view.question);
  write(parts.said, view.said);
  list(parts.hints, view.hints);
  terms(parts.solution, view.solution);
  result(parts.result, view.result);
  languages(parts.language, view);
  if (view.state !== before?.state) parts.state.value = view.state; // else what a learner pastes may stand there
  parts.answer.setAttribute("aria-invalid", String(view.invalid));
  parts.answer.readOnly = view.solved;
  parts.check.disabled = view.solved;
  parts.hint.disabled = view.solved;
  parts.hint.hidden = view.finished || !view.more_hints;
  parts.solution_knob.hidden = view.finished || view.more_hints;
  parts.solution_knob.disabled = view.solved;
  parts.question.hidden = parts.form.hidden = parts.next.hidden = view.finished;
}

/** The focus goes where a learner goes on: a keyboard alone leads through the whole quiz. */
function lead(parts, view, before) {
  const moved = view.place !== before.place;
  if (moved) parts.answer.value = "";
  if (!parts.root.contains(document.activeElement) && document.activeElement !== document.body) return;
  if (view.finished) {
    if (moved) parts.again.focus();
  } else if (moved) parts.answer.focus();
  else if (view.solved && !before.solved) parts.next.focus();
  else if (document.activeElement === document.body && view.said) parts.answer.focus();
}

async function copy(parts, view) {
  parts.state.value = view.state;
  parts.state.select();
  await navigator.clipboard?.writeText(parts.state.value).catch(() => {});
  write(parts.said, view.labels.copied);
}

function render({ model, el }) {
  const parts = layOut(el);
  let before = model.get("view");
  const send = (kind, text) => model.send({ kind, text });
  const listen = (name, event, does) => parts[name].addEventListener(event, does);
  const check = () => {
    if (!parts.answer.readOnly) send("check", parts.answer.value);
  };
  listen("check", "click", check);
  onEnter(parts.answer, check);
  for (const kind of ["hint", "next", "again"]) listen(kind, "click", () => send(kind));
  listen("solution_knob", "click", () => send("solution"));
  listen("load", "click", () => send("load", parts.state.value));
  listen("copy", "click", () => copy(parts, before));
  listen("language", "change", () => send("language", parts.language.value));
  const changed = () => {
    const view = model.get("view");
    show(parts, view, before);
    lead(parts, view, before);
    before = view;
  };
  show(parts, before);
  model.on("change:view", changed);
  return () => model.off("change:view", changed);
}

export default { render };
