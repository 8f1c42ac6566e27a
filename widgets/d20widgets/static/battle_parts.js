function field(tag, attributes = {}) {
  return keepKeys(build(tag, attributes));
}

function knob(text, act, type = "button") {
  const node = field("button", { type, class: "d20-button", text });
  if (act) node.addEventListener("click", act);
  return node;
}

/** A name for those who see a sign alone, and for those who hear it. */
function called(node, words) {
  node.setAttribute("aria-label", words);
  node.title = words;
}

function choice(options, value) {
  const node = field("select");
  node.append(...options.map(([key, text]) => build("option", { value: key, text })));
  node.value = value;
  return node;
}

/** Ask the kernel for something that shows by itself when it is done; say so where there is no kernel. */
function request(model, node, message) {
  try {
    model.send(message);
  } catch {
    tell(node, model.get("words").silent);
  }
}
