/** The bytes are of no use to a page that has run them, nor to a notebook that is saved with its widgets. */
function initialize({ model }) {
  take(library(), model.get("code"));
  model.set("code", new DataView(new ArrayBuffer(0)));
}

export default { initialize };
