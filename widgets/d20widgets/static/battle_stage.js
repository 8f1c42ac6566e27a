function render({ model, el }) {
  const events = "change:words change:log change:cast change:changes change:frames";
  return staged(model, el, events, (slider) => [new Track(model), new Log(model), new WhatIf(model, slider)]);
}

export default { render };
