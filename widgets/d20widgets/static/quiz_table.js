function row(parent, tag, texts) {
  const line = parent.insertRow();
  texts.forEach((text) => {
    const cell = document.createElement(tag);
    if (tag === "th") cell.scope = "col";
    cell.textContent = text;
    line.append(cell);
  });
}

/** Texts of others are put in by textContent, which shows them literally. */
function draw(box, { caption, head, rows }) {
  const table = document.createElement("table");
  table.createCaption().textContent = caption;
  row(table.createTHead(), "th", head);
  const body = table.createTBody();
  rows.forEach((texts) => row(body, "td", texts));
  box.setAttribute("aria-label", caption);
  box.replaceChildren(table);
}

function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "d20-quiz-result d20-quiz-table";
  // In a narrow cell it scrolls, which has to go by keyboard too, and past Lab's shortcuts.
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("data-lm-suppress-shortcuts", "true");
  el.append(box);
  const show = () => draw(box, model.get("table"));
  show();
  model.on("change:table", show);
  return () => model.off("change:table", show);
}

export default { render };
