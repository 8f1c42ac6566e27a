/**
 * One node for the widget's whole life: a live region that is replaced would not be read aloud. In it stand the sentence
 * and, until the sentence changes again, what a tool had to say.
 */
function render({ model, el }) {
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.setAttribute("aria-atomic", "false");
  const line = document.createElement("p");
  line.className = "d20-sentence";
  const told = document.createElement("p");
  told.className = "d20-told";
  region.append(line, told);
  el.append(region);
  return stopping(
    follow(model, (text) => {
      if (line.textContent === text) return;
      line.textContent = text;
      told.textContent = "";
    }),
  );
}

export default { render };
