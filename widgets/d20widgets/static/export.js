const SVG = "http://www.w3.org/2000/svg";
const WIDE = 1000;
const EDGE = 16;
const SHARP = 2;
const LIGHT = { ink: "#222222", grid: "#dddddd", family: "system-ui, Helvetica, Arial, sans-serif" };

/** The figure at the slider's position, all its layers in one, in colours for white paper. */
function composed(chart, index) {
  const figure = structuredClone(chart.get("figure"));
  const { values, label } = chart.get("frames")[index];
  patch(figure, chart.get("paths"), values);
  const axis = { gridcolor: LIGHT.grid, linecolor: LIGHT.grid, zerolinecolor: LIGHT.grid, tickcolor: LIGHT.grid };
  const font = { color: LIGHT.ink, family: LIGHT.family };
  figure.layout.template = { layout: { font, xaxis: axis, yaxis: axis, colorway: [LIGHT.ink] } };
  return { figure, label, height: figure.layout.height };
}

/** Break a text into lines that are no wider than this. */
function lines(text, font, width) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const found = [""];
  text.split(/\s+/).forEach((word) => {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= width || found.at(-1) === "") found[found.length - 1] = longer;
    else found.push(word);
  });
  return found;
}

function shape(parent, name, attributes, text = "") {
  const node = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
  node.textContent = text;
  parent.append(node);
  return node;
}

/** Title, sentence, kit and seed, as texts over the picture. Returns how much room they take. */
function writeCaption(svg, { title, sentence, small }) {
  const rows = [
    [title, 20, "600"],
    [sentence, 15, "400"],
    [small, 12, "400"],
  ];
  let y = EDGE;
  rows.forEach(([text, size, weight]) => {
    lines(text, `${weight} ${size}px ${LIGHT.family}`, WIDE - 2 * EDGE).forEach((line) => {
      y += Math.round(size * 1.35);
      const place = { x: EDGE, y, "font-size": size, "font-weight": weight, "font-family": LIGHT.family, fill: LIGHT.ink };
      shape(svg, "text", place, line);
    });
  });
  return y + EDGE / 2;
}

/** The whole picture with its caption, as an SVG document. */
async function drawing(Plotly, { chart, index, caption }) {
  const { figure, label, height } = composed(chart, index);
  const format = { format: "svg", width: WIDE, height, imageDataOnly: true };
  const markup = await Plotly.toImage({ ...figure, config: { staticPlot: true } }, format);
  const picture = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  const svg = document.implementation.createDocument(SVG, "svg").documentElement;
  shape(svg, "title", {}, caption.title);
  shape(svg, "desc", {}, label);
  const paper = shape(svg, "rect", { width: WIDE, fill: "#ffffff" });
  const top = writeCaption(svg, caption);
  paper.setAttribute("height", top + height);
  picture.setAttribute("y", top);
  svg.append(picture);
  Object.entries({ width: WIDE, height: top + height, viewBox: `0 0 ${WIDE} ${top + height}` }).forEach(([key, value]) =>
    svg.setAttribute(key, value),
  );
  return { text: new XMLSerializer().serializeToString(svg), width: WIDE, height: top + height };
}

/** Draw the SVG into pixels, twice as many as it is wide, for paper and large screens. */
async function pixels({ text, width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: width * SHARP, height: Math.ceil(height * SHARP) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
