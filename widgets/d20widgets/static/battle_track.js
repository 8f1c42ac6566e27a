const STRIPES = {
  "": "none",
  "/": "repeating-linear-gradient(135deg, #0004 0 1.5px, transparent 1.5px 7px)",
  "\\": "repeating-linear-gradient(45deg, #0004 0 1.5px, transparent 1.5px 7px)",
  "-": "repeating-linear-gradient(0deg, #0004 0 1.5px, transparent 1.5px 7px)",
  x: "repeating-linear-gradient(135deg, #0004 0 1.5px, transparent 1.5px 7px), repeating-linear-gradient(45deg, #0004 0 1.5px, transparent 1.5px 7px)",
};

/** Names are people's own: they are text and nothing else, each in its own direction. */
function literal(text, className) {
  return build("bdi", { text, class: className });
}

/** Everybody in the order of turns, with hit points and state; who acts is marked, and on whom. */
class Track {
  constructor(model) {
    this.model = model;
    this.title = build("div", { class: "d20-stage-title" });
    this.list = build("ol", { class: "d20-track" });
    this.node = build("div", {}, this.title, this.list);
  }

  show(frame) {
    const words = this.model.get("words");
    const order = this.model.get("orders")[frame.order];
    const cast = this.model.get("cast");
    const others = cast.map((_, who) => who).filter((who) => !order.includes(who));
    this.title.textContent = order.length > 0 ? words.track : words.unordered;
    called(this.list, this.title.textContent);
    this.list.replaceChildren(...[...order, ...others].map((who) => this.chip(who, frame, words)));
  }

  chip(who, frame, words) {
    const [name, side] = this.model.get("cast")[who];
    const [fill, pattern, state] = this.model.get("paints")[frame.states[who]];
    const role = who === frame.actor ? "acts" : who === frame.target ? "target" : "";
    const about = [`${frame.hp[who]}`.replace("-", "−"), state, frame.flat[who] === "1" ? words.flat : ""];
    const chip = build("li", { class: `d20-chip ${role && `d20-${role}`}` });
    chip.append(literal(name, "d20-chip-name"), literal(side, "d20-chip-side"));
    chip.append(build("span", { text: about.filter(Boolean).join(" · ") }));
    if (role) chip.append(build("span", { text: `${role === "acts" ? "▶" : "◎"} ${words[role]}` }));
    chip.style.backgroundColor = fill;
    chip.style.backgroundImage = STRIPES[pattern];
    return chip;
  }
}

/** What has been told so far, the step last told marked and in view. */
class Log {
  constructor(model) {
    this.model = model;
    this.title = build("div", { class: "d20-stage-title" });
    this.list = field("ol", { class: "d20-log", tabindex: "0" });
    this.node = build("div", {}, this.title, this.list);
    this.told = -1;
  }

  /** Begin again, with another battle or in another language. */
  dress() {
    this.title.textContent = this.model.get("words").log;
    called(this.list, this.title.textContent);
    this.list.removeAttribute("title");
    this.list.replaceChildren();
    this.told = -1;
  }

  show(frame) {
    const log = this.model.get("log");
    while (this.told > frame.at) {
      this.list.querySelectorAll(`[data-step="${this.told}"]`).forEach((line) => line.remove());
      this.told -= 1;
    }
    while (this.told < frame.at) {
      this.told += 1;
      this.list.append(...log[this.told].map((line) => this.line(line)));
    }
    this.list.querySelectorAll("[aria-current]").forEach((line) => line.removeAttribute("aria-current"));
    this.list.querySelectorAll(`[data-step="${frame.at}"]`).forEach((line) => line.setAttribute("aria-current", "step"));
    this.list.scrollTop = this.list.scrollHeight;
  }

  line([level, text]) {
    return build("li", { text, class: `d20-log-${level}`, "data-step": this.told });
  }
}

/** Ask what other faces would have made of a roll. */
class WhatIf {
  constructor(model, slider) {
    Object.assign(this, { model, slider });
    this.label = build("label");
    this.asked = build("span");
    this.input = field("input", { type: "text", class: "d20-faces", autocomplete: "off" });
    this.label.append(this.asked, " ", this.input);
    this.tell = knob("", null, "submit");
    this.anew = knob("", () => this.send({ kind: "anew" }));
    this.undo = knob("", () => this.send({ kind: "undo" }));
    this.error = build("p", { class: "d20-refusal", id: ownId("refusal") });
    this.input.setAttribute("aria-describedby", this.error.id);
    this.node = build("form", { class: "d20-whatif" }, this.label, this.tell, this.anew, this.undo, this.error);
    onEnter(this.input, () => this.node.requestSubmit());
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send({ kind: "what if", text: this.input.value });
    });
    this.input.addEventListener("input", () => this.refuse(""));
    this.refused = () => {
      const sentence = this.model.get("refused");
      this.refuse(sentence);
      if (sentence) tell(this.node, sentence, true);
    };
    model.on("change:refused", this.refused);
  }

  close() {
    this.model.off("change:refused", this.refused);
  }

  send(message) {
    this.refuse("");
    request(this.model, this.node, { ...message, at: this.slider.get("value") });
  }

  refuse(text) {
    this.error.textContent = text;
    this.input.setAttribute("aria-invalid", String(text !== ""));
  }

  dress() {
    const words = this.model.get("words");
    for (const part of ["tell", "anew", "undo"]) this[part].textContent = words[part];
    this.undo.hidden = this.model.get("changes") === 0;
    this.refuse(this.model.get("refused"));
  }

  show(frame) {
    const words = this.model.get("words");
    this.asked.textContent = frame.dice ? words.dice.replace("{faces}", frame.dice) : words["no dice"];
    this.input.disabled = this.tell.disabled = !frame.dice;
    this.anew.disabled = frame.at >= this.slider.get("max");
    if (this.shown !== frame.at) {
      this.input.value = "";
      this.refuse("");
    }
    this.shown = frame.at;
  }
}
