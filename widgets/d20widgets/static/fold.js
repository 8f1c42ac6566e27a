/** The group is the box around this view; it opens by a class. */
function render({ model, el }) {
  const knob = button(el, () => open(knob.getAttribute("aria-expanded") !== "true"));
  const open = (wanted) => {
    knob.setAttribute("aria-expanded", String(wanted));
    el.closest(".d20-group")?.classList.toggle("d20-open", wanted);
  };
  knob.classList.add("d20-fold");
  knob.setAttribute("aria-expanded", "false");
  return watch(model, ["title"], () => (knob.textContent = model.get("title")));
}

export default { render };
