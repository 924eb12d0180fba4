// Makes elements. Texts become text nodes, so that nothing that a job writes is ever markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element of HTML with attributes and children; a function is a listener, `null` and `false` leave an attribute out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function drawn(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** The element with an identifier. */
export function byId(id) {
  return document.getElementById(id);
}

/** The shapes of a drawing as elements, the first one below the others. */
export function shapes(list) {
  return list.map((shape) =>
    shape.path !== undefined
      ? drawn("path", { class: shape.style, d: shape.path })
      : drawn("text", { class: shape.style, x: shape.x, y: shape.y }, shape.text));
}

/** Shows a text in an element, or hides the element where there is none. */
export function say(node, text) {
  node.hidden = !text;
  if (node.textContent !== (text ?? "")) node.textContent = text ?? "";
}
