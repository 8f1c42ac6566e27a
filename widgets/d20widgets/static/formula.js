/** MathML is parsed as XML, so that nothing in it can become HTML. */
function read(markup) {
  return document.adoptNode(new DOMParser().parseFromString(markup, "application/xml").documentElement);
}

function render({ model, el }) {
  const line = document.createElement("div");
  line.className = "d20-formula";
  el.append(line);
  return stopping(follow(model, (markup) => line.replaceChildren(read(markup))));
}

export default { render };
