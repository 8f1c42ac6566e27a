/** One node for the widget's whole life: a live region that is replaced would not be read aloud. */
function render({ model, el }) {
  const line = document.createElement("p");
  line.className = "d20-sentence";
  line.setAttribute("role", "status");
  line.setAttribute("aria-live", "polite");
  el.append(line);
  return stopping(
    follow(model, (sentence) => {
      const text = sentence.replaceAll(" %", "\u00a0%"); // a line never breaks between a number and its percent sign
      if (line.textContent !== text) line.textContent = text;
    }),
  );
}

export default { render };
