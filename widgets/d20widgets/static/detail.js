function drawTable(parent, { caption, head, rows }) {
  const frame = keepKeys(make(parent, "div", "d20-table"));
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", caption);
  const table = make(frame, "table");
  make(table, "caption", "", { text: caption });
  const top = make(make(table, "thead"), "tr");
  head.forEach((text) => make(top, "th", "", { text, scope: "col" }));
  const body = make(table, "tbody");
  rows.forEach((cells) => {
    const line = make(body, "tr");
    cells.forEach((text) => make(line, "td", "", { text }));
  });
}

function render({ model, el }) {
  const fold = make(el, "details", "d20-disclosure");
  const name = keepKeys(make(fold, "summary"));
  const body = make(fold, "div");
  let late = 0;
  fold.open = model.get("opened");
  fold.addEventListener("toggle", () => {
    clearTimeout(late);
    if (!fold.open) body.replaceChildren();
    if (fold.open === model.get("opened")) return;
    model.set("opened", fold.open);
    model.save_changes();
    if (fold.open) late = setTimeout(() => body.childElementCount || tell(el, model.get("silent")), SILENCE);
  });
  const stops = [
    watch(model, ["title"], () => (name.textContent = model.get("title"))),
    watch(model, ["opened"], () => (fold.open = model.get("opened"))),
    stopping(
      follow(
        model,
        (place) => {
          body.replaceChildren();
          if (fold.open) model.get("tables")[place].forEach((table) => drawTable(body, table));
        },
        "change:tables",
      ),
    ),
    () => clearTimeout(late),
  ];
  return () => stops.forEach((stop) => stop());
}

export default { render };
