const FOCUSABLE = "input, select, textarea, button, summary, [role=slider], .noUi-handle";

function set(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** A slider handle and a number box have no name of their own: give them the label beside them. */
function nameControl(control) {
  const label = control.querySelector(".widget-label")?.textContent ?? "";
  control.querySelectorAll(".noUi-handle, input[type=number]").forEach((node) => set(node, "aria-label", label));
  // Where there is no tooltip ipywidgets put one that says so.
  control.querySelectorAll(".widget-label[title=null]").forEach((node) => node.removeAttribute("title"));
  const error = control.querySelector(".d20-error");
  if (error) sayRefusal(error, control.querySelector("input[type=text]"));
}

/** A refusal is read with its box, but who has just left the box, or is in it still, hears of it in no other way. */
function sayRefusal(error, input) {
  const refusal = error.textContent;
  error.id ||= ownId("error");
  if (input) {
    set(input, "aria-invalid", String(refusal !== ""));
    set(input, "aria-describedby", error.id);
  }
  if (refusal && refusal !== error.d20Said) tell(error, refusal, true);
  error.d20Said = refusal;
}

/** ipywidgets take a whole number out of what is typed and leave there what was typed. */
function keepWhole({ target }) {
  if (target.matches("input[type=number]")) target.value = Number.parseInt(target.value, 10);
}

function tend(root, model) {
  set(root, "role", "group");
  set(root, "aria-label", model.get("title"));
  if (model.get("language")) set(root, "lang", model.get("language"));
  root.querySelectorAll(".d20-control").forEach(nameControl);
  root.querySelectorAll(FOCUSABLE).forEach(keepKeys);
}

function tendAround(el, model) {
  const root = el.closest(".d20-explorer");
  if (root) tend(root, model);
}

/** A view is rendered before its parent takes it in: wait for the explorer around it. */
function whenPlaced(el, found) {
  let asked = requestAnimationFrame(function look() {
    const root = el.closest(".d20-explorer");
    if (root) found(root);
    else asked = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(asked);
}

function render({ model, el }) {
  // The page may change once more when the view has already been taken out of it.
  const renewed = () => tendAround(el, model);
  const observer = new MutationObserver(renewed);
  model.on("change:title change:language", renewed);
  const stop = whenPlaced(el, (root) => {
    tend(root, model);
    root.querySelectorAll(".d20-controls").forEach((controls) => {
      controls.addEventListener("change", keepWhole);
      observer.observe(controls, { childList: true, subtree: true, characterData: true });
    });
  });
  return () => {
    stop();
    model.off("change:title change:language", renewed);
    observer.disconnect();
  };
}

export default { render };
