const SILENCE = 8_000;
const AFTER_THE_PICTURE = 120;

/** Lab's command mode takes keys from any element that does not say that it uses them. */
function keepKeys(node) {
  node.setAttribute("data-lm-suppress-shortcuts", "true");
  return node;
}

/** A node with its text, its attributes and its children; text is never markup. */
function build(tag, { text, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...children);
  return node;
}

/** The same inside another node, with a class. */
function make(parent, tag, className = "", given = {}) {
  const node = build(tag, given);
  node.className = className;
  parent.append(node);
  return node;
}

function button(parent, onClick) {
  const node = keepKeys(make(parent, "button", "d20-button"));
  node.type = "button";
  node.addEventListener("click", onClick);
  return node;
}

/** An id that nothing else on the page has. */
function ownId(kind) {
  return `d20-${kind}-${Math.random().toString(36).slice(2)}`;
}

/** Do something at Enter in a text box, which Lab keeps from submitting a form. */
function onEnter(input, act) {
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act();
  });
}

/** Call show now and whenever one of the model's values changes. Returns the function that stops it. */
function watch(model, names, show) {
  const events = names.map((name) => `change:${name}`).join(" ");
  model.on(events, show);
  show();
  return () => model.off(events, show);
}

/** Do something after all that has been asked for until now is on the screen. */
function painted(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

/**
 * Say something in the explorer's one live region, after the sentence of what has just been drawn; unseen where it can
 * be read elsewhere.
 */
function tell(el, text, unseen = false) {
  const place = el.closest(".d20-explorer")?.querySelector(".d20-told");
  if (!place) return;
  place.textContent = "";
  place.classList.toggle("d20-unseen", unseen);
  place.d20Text = text;
  clearTimeout(place.d20Later);
  place.d20Later = setTimeout(() => painted(() => (place.textContent = place.d20Text)), AFTER_THE_PICTURE);
}

/** Hand a file to whoever sits in front of the page. */
function save(blob, name) {
  const link = build("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Ask the kernel; the promise holds its answer, or nothing when it gives none. */
function ask(model, request) {
  const number = `${Date.now()}-${Math.random()}`;
  return new Promise((resolve) => {
    const heard = (message) => {
      if (message.request === number) end(message);
    };
    const end = (message) => {
      clearTimeout(timer);
      model.off("msg:custom", heard);
      resolve(message);
    };
    const timer = setTimeout(() => end(), SILENCE);
    model.on("msg:custom", heard);
    try {
      model.send({ ...request, request: number });
    } catch {
      end();
    }
  });
}
