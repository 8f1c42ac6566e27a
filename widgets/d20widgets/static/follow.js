const TABLE = "change:frames change:first change:figure change:paths";

/** Another widget's model, by a value that refers to it. */
function referred(model, name) {
  return model.widget_manager.get_model(model.get(name).replace("IPY_MODEL_", ""));
}

/** Put values into a figure, each at its path such as "data.1.x". */
function patch(figure, paths, values) {
  paths.forEach((path, i) => {
    const keys = path.split(".");
    const last = keys.pop();
    keys.reduce((part, key) => part[key], figure)[last] = values[i];
  });
}

/**
 * Follow a slider: call show(frame) now, and again when the slider or the table of frames changes, or what more there is.
 * However often they change, show runs at most once a painted frame. Returns the function that stops following.
 */
async function follow(model, show, more = "") {
  const slider = await referred(model, "slider");
  let asked = 0;

  const draw = () => {
    asked = 0;
    const frames = model.get("frames");
    const index = slider.get("value") - model.get("first");
    if (frames.length > 0) show(frames[Math.min(Math.max(index, 0), frames.length - 1)]);
  };
  const ask = () => {
    asked ||= requestAnimationFrame(draw);
  };

  const events = `${TABLE} ${more}`.trim();
  slider.on("change:value", ask);
  model.on(events, ask);
  draw();
  return () => {
    cancelAnimationFrame(asked);
    slider.off("change:value", ask);
    model.off(events, ask);
  };
}

/** A view's clean-up may be asked for before the slider was found: then stop as soon as it is. */
function stopping(following) {
  return () => following.then((stop) => stop());
}
