function render({ model, el }) {
  const id = ownId("question");
  const form = make(el, "form", "d20-predict");
  const question = make(form, "label", "d20-question");
  const input = keepKeys(make(form, "input"));
  const lock = keepKeys(make(form, "button", "d20-button"));
  const stop = button(form, () => end());
  const error = make(form, "div", "d20-error");
  const feedback = make(form, "p", "d20-feedback");
  Object.assign(input, { type: "text", id, autocomplete: "off", maxLength: 60 });
  question.htmlFor = id;
  error.id = `${id}-error`;
  input.setAttribute("aria-describedby", error.id);

  const asking = () => model.get("phase") === "asking";
  const told = () => [asking() ? "" : model.get("feedback"), model.get("count")].filter(Boolean).join(" ");
  const refuse = (sentence) => {
    error.textContent = sentence;
    input.setAttribute("aria-invalid", String(sentence !== ""));
    if (sentence) tell(el, sentence, true);
  };
  const end = () => {
    model.set("phase", "off"); // without a kernel, too, the picture comes back
    model.save_changes();
  };

  onEnter(input, () => form.requestSubmit());
  let waiting = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (waiting) return; // a second click would be refused, for the answer is locked in by then
    waiting = true;
    const said = await ask(model, asking() ? { do: "lock", answer: input.value } : { do: "another" });
    waiting = false;
    refuse(said ? (said.refused ?? "") : model.get("words").silent);
    if (said?.said) tell(el, `${said.said} ${model.get("count")}`, true);
  });

  let shown = "off";
  const show = () => {
    const phase = model.get("phase");
    const words = model.get("words");
    form.hidden = phase === "off";
    el.closest(".d20-explorer")?.classList.toggle("d20-hiding", asking());
    lock.textContent = asking() ? words.lock : words.another;
    stop.textContent = words.stop;
    input.readOnly = !asking();
    feedback.textContent = told();
    if (asking() && shown !== "asking") {
      input.value = "";
      refuse("");
      input.focus();
    }
    shown = phase;
  };
  // A view is rendered before its parent takes it in.
  const placed = requestAnimationFrame(show);
  const stops = [
    watch(model, ["phase", "feedback", "count", "words"], show),
    stopping(follow(model, (text) => (question.textContent = text))),
    () => cancelAnimationFrame(placed),
  ];
  return () => stops.forEach((halt) => halt());
}

export default { render };
