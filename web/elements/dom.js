/** Building documents: elements and text nodes, never markup from strings. */

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * What an element gets. Names with `on` are listeners, `class` and `text` are what they say, the
 * rest are attributes; `false` and `undefined` take one away.
 *
 * @typedef {{ [name: string]: string | number | boolean | undefined | ((event: any) => void) }} Props
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else setAttribute(element, name, value);
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
export function append(element, children) {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Sets an attribute when it is another one; `true` is an empty one.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | undefined} value
 */
export function setAttribute(element, name, value) {
  if (value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** The `nodeType` of texts. */
const TEXT = 3;

/**
 * Sets the text when it is another one. The text's node stays: a new one would be styled and placed
 * again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const node = element.firstChild;
  if (node?.nodeType === TEXT && !node.nextSibling) {
    if (node.nodeValue !== text) node.nodeValue = text;
  } else if (node || text !== "") element.textContent = text;
}

/**
 * Shows or hides.
 *
 * @param {HTMLElement} element
 * @param {boolean} isShown
 */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Changes something, and gives the focus on when what had it is not shown any more: otherwise nothing
 * has it, and who goes on by keys begins at the page's start. Browsers differ in when they take it.
 *
 * @param {Element} element what may have it, or something in it
 * @param {() => void} change
 * @param {() => void} next
 */
export function passFocus(element, change, next) {
  const { activeElement } = document;
  const had = activeElement !== null && element.contains(activeElement);
  change();
  if (had && !activeElement.checkVisibility()) next();
}

/** The strokes of the icons, on 16 by 16. @type {Record<string, string>} */
const ICONS = {
  first: "M4 3v10M13 3 6 8l7 5z",
  previous: "m10 3-5 5 5 5",
  play: "M5 3v10l8-5z",
  pause: "M5 3v10M11 3v10",
  next: "m6 3 5 5-5 5",
  last: "M12 3v10M3 3l7 5-7 5z",
  search: "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l4 4",
  theme: "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z",
  branch: "M4 2v12M4 8c5 0 8-1 8-5M12 3l-2 2M12 3l2 2",
  down: "m4 6 4 4 4-4",
  right: "m6 4 4 4-4 4",
  back: "M13 8H4M7 4 3 8l4 4",
  add: "M8 3v10M3 8h10",
  close: "m4 4 8 8M12 4l-8 8",
  warning: "M8 2 1.5 13h13zM8 6v4M8 12v.2",
  info: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7v4M8 5v.2",
  clock: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 4v4l3 2",
  states: "M5 3h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z",
  statechart: "M8 3v3M4 13v-3h8v3M8 6v4",
  feedback: "M3 8a5 5 0 0 1 9-3M13 8a5 5 0 0 1-9 3M12 2v3H9M4 14v-3h3",
  form: "M3 4h10M3 8h10M3 12h6",
  functional: "M10 3c-2 0-2 1-2 3v4c0 2 0 3-2 3M5 7h6",
  other: "M3 8h.2M8 8h.2M13 8h.2",
  undo: "M6 4 3 7l3 3M3 7h7a3 3 0 0 1 0 6H8",
  pin: "M8 14V9M5 9h6l-1-3V2H6v4z",
  eye:
    "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
  copy: "M6 6h7v7H6zM3 10V3h7",
  mark: "M4 2h8v12l-4-3-4 3z",
  download: "M8 2v8M5 7l3 3 3-3M3 13h10",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  drop: "M8 2v8M5 7l3 3 3-3M2 11v3h12v-3",
  redo: "m10 4 3 3-3 3M13 7H6a3 3 0 0 0 0 6h2",
  skip: "M3 8h10M11 3 5 13",
  edit: "m3 13 .6-3L11 2.6 13.4 5 6 12.4z",
  repeat: "M3 7a4 4 0 0 1 4-3h6M11 2l2 2-2 2M13 9a4 4 0 0 1-4 3H3M5 14l-2-2 2-2",
  cut: "M3 8h7M13 3v10M7 5l3 3-3 3",
  start: "M3 3v10M6 8h7M10 5l3 3-3 3",
  more: "M3.5 8h.2M8 8h.2M12.5 8h.2",
  hold: "M5 3v10M11 3v10",
  step: "M3 3v10l6-5zM12 3v10",
  send: "M2 8l12-5-4 11-3-4z",
  restore: "M8 4v4l3 2M3 8a5 5 0 1 0 2-4M3 2v3h3",
  compare: "M3 3h4v10H3zM9 3h4v10H9z",
  host: "M2 4h12v7H2zM6 14h4M8 11v3",
  check: "m3 8 3.5 4L13 4",
  trash: "M3 4h10M6 4V2h4v2M5 4l.5 10h5L11 4",
};

/**
 * @param {string} name
 * @param {string} [className]
 * @returns {SVGSVGElement}
 */
export function icon(name, className = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className ? `icon ${className}` : "icon");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.other ?? "");
  svg.append(path);
  return svg;
}

/**
 * Makes an icon another one.
 *
 * @param {Element} button
 * @param {string} name
 */
export function setIcon(button, name) {
  const path = button.querySelector("svg.icon path");
  if (path) setAttribute(path, "d", ICONS[name] ?? "");
}

/**
 * Calls `make` for each item and keeps the children in step: none is made that is there already.
 *
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement} make
 * @param {(element: HTMLElement, item: Item) => void} update
 */
export function keep(parent, items, keyOf, make, update) {
  /** @type {Map<string, HTMLElement>} */
  const held = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) {
      held.set(child.dataset.key, child);
    }
  }
  let at = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let element = held.get(key);
    held.delete(key);
    if (!element) {
      element = make(item);
      element.dataset.key = key;
    }
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
    update(element, item);
  }
  for (const element of held.values()) element.remove();
}

/**
 * Puts the focus into a field. The next letter replaces its text.
 *
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
export function focusField(field) {
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
}
