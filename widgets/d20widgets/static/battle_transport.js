const SPEEDS = [0.3, 0.6, 1, 2, 4];

/** Buttons that move the slider as a learner would, in the browser alone. */
class Transport {
  constructor(model, slider) {
    Object.assign(this, { model, slider, timer: 0, seconds: 1 });
    this.first = knob("|◀", () => this.go(this.slider.get("min")));
    this.back = knob("◀", () => this.step(-1));
    this.play = knob("", () => this.toggle());
    this.forward = knob("▶", () => this.step(1));
    this.last = knob("▶|", () => this.go(this.slider.get("max")));
    this.jump = field("select");
    this.jump.addEventListener("change", () => this.go(Number(this.jump.value)));
    this.speed = field("select");
    this.speed.addEventListener("change", () => this.pace(Number(this.speed.value)));
    this.jumpLabel = build("label");
    this.speedLabel = build("label");
    const buttons = [this.first, this.back, this.play, this.forward, this.last];
    this.node = build("div", { class: "d20-transport" }, ...buttons, this.jumpLabel, this.speedLabel);
  }

  /** Show all words, and the rounds there are. */
  dress() {
    const words = this.model.get("words");
    for (const part of ["first", "back", "forward", "last"]) called(this[part], words[part]);
    this.jumpLabel.replaceChildren(`${words.jump} `, this.jump);
    this.speedLabel.replaceChildren(`${words.speed} `, this.speed);
    const jumps = [[this.slider.get("min"), words.first], ...this.model.get("jumps"), [this.slider.get("max"), words.last]];
    this.jump.replaceChildren(...jumps.map(([value, text]) => build("option", { value, text })));
    this.speed.replaceChildren(...SPEEDS.map((value) => build("option", { value, text: String(value) })));
    this.speed.value = String(this.seconds);
  }

  show(position) {
    const words = this.model.get("words");
    const ends = [this.slider.get("min"), this.slider.get("max")];
    this.first.disabled = this.back.disabled = position <= ends[0];
    this.forward.disabled = this.last.disabled = position >= ends[1];
    if (position >= ends[1]) this.pause();
    this.play.textContent = this.timer ? words.pause : words.play;
    const reached = [...this.jump.options].filter((option) => Number(option.value) <= position).at(-1);
    if (reached) this.jump.value = reached.value;
  }

  step(by) {
    this.go(this.slider.get("value") + by);
  }

  go(position) {
    const held = Math.min(Math.max(position, this.slider.get("min")), this.slider.get("max"));
    this.slider.set("value", held);
    this.slider.save_changes();
  }

  toggle() {
    if (this.timer) this.pause();
    else {
      if (this.slider.get("value") >= this.slider.get("max")) this.go(this.slider.get("min"));
      this.start();
    }
    this.show(this.slider.get("value"));
  }

  start() {
    this.timer = setInterval(() => this.step(1), 1000 * this.seconds);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  close() {
    this.pause();
  }

  pace(seconds) {
    this.seconds = seconds;
    if (!this.timer) return;
    this.pause();
    this.start();
  }
}

function render({ model, el }) {
  return staged(model, el, "change:words change:jumps change:frames", (slider) => [new Transport(model, slider)]);
}

export default { render };
