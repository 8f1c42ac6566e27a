const SETTLED = 300;

/** MathML is parsed as XML, so that nothing in it can become HTML. */
function read(markup) {
  return document.adoptNode(new DOMParser().parseFromString(markup, "application/xml").documentElement);
}

/** Only a formula that is wider than the page needs the keyboard. */
function reach(line) {
  if (line.scrollWidth > line.clientWidth) line.tabIndex = 0;
  else line.removeAttribute("tabindex");
}

function render({ model, el }) {
  const line = document.createElement("div");
  line.className = "d20-formula";
  // Arrow keys scroll it, and in Lab's command mode would go to another cell.
  line.setAttribute("data-lm-suppress-shortcuts", "true");
  el.append(line);
  let later = 0;
  const stop = stopping(
    follow(model, (markup) => {
      line.replaceChildren(read(markup));
      clearTimeout(later);
      later = setTimeout(() => reach(line), SETTLED);
    }),
  );
  return () => {
    clearTimeout(later);
    stop();
  };
}

export default { render };
