/** Make an element with its attributes, inside another; texts are only ever put in by textContent. */
function make(parent, tag, className, attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  parent.append(node);
  return node;
}
