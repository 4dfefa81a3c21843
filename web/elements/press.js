/** Clicks on rows that may show something else before the button is released. */

/** Two positions of the pointer that are further apart, in pixels, are a drag and not a click. */
const SHAKE = 5;

/**
 * Calls `act` with what a click means: what was under the pointer when its button went down.
 *
 * A list that follows a live machine moves its rows up with each entry, and its elements show other
 * rows then. Between the press and the release the element under the pointer may have become another
 * row, which the reader did not choose, and a `click` names that one.
 *
 * @template What
 * @param {Element} list
 * @param {(target: Element) => What | undefined} read what an element of the list stands for
 * @param {(what: What, event: MouseEvent) => void} act
 */
export function onPress(list, read, act) {
  const readTarget = (/** @type {Event} */ { target }) =>
    target instanceof Element ? read(target) : undefined;
  /** @type {{ x: number, y: number, what: What | undefined } | undefined} */
  let down;
  list.addEventListener("pointerdown", (event) => {
    if (!(event instanceof PointerEvent)) return;
    down = { x: event.clientX, y: event.clientY, what: readTarget(event) };
  });
  list.addEventListener("click", (event) => {
    if (!(event instanceof MouseEvent)) return;
    const pressed = down;
    down = undefined;
    // A click of the keyboard or of a script has no press.
    const isOfPress = pressed !== undefined && event.detail > 0 &&
      Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= SHAKE;
    const what = isOfPress ? pressed.what : readTarget(event);
    if (what !== undefined) act(what, event);
  });
}
