async function place(model, el, events, parts, closed) {
  const slider = await referred(model, "slider");
  if (closed.aborted) return;
  const made = parts(slider);
  el.append(...made.map((part) => part.node));
  let dressed = false;
  const stale = () => (dressed = false);
  model.on(events, stale);
  const stop = stopping(
    follow(
      model,
      (frame) => {
        if (!dressed) made.forEach((part) => part.dress?.());
        dressed = true;
        made.forEach((part) => part.show(frame));
      },
      events,
    ),
  );
  closed.addEventListener("abort", () => {
    model.off(events, stale);
    stop();
    made.forEach((part) => part.close?.());
  });
}

/** Put parts into a view: each is dressed anew when one of the events says so, and shows the slider's frame. */
function staged(model, el, events, parts) {
  el.classList.add("d20-stage");
  const closing = new AbortController();
  place(model, el, events, parts, closing.signal);
  return () => closing.abort();
}
