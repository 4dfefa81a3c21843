/** What the page's menus have in common: where they open, and the keys that work in them. */

/**
 * Prepares a menu: its arrow keys, and Tab and Escape, which call `close`.
 *
 * @param {HTMLElement} menu a popover whose buttons are the items
 * @param {() => void} close
 */
export function prepareMenu(menu, close) {
  menu.addEventListener("keydown", (event) => pressed(menu, event, close));
  // A menu that scrolls must have an item that Tab can reach.
  menu.addEventListener("focusin", (event) => {
    for (const item of menu.querySelectorAll("button")) {
      item.tabIndex = item === event.target ? 0 : -1;
    }
  });
}

/**
 * Opens a menu at a point, inside the window, and focuses its first item that can be chosen.
 *
 * @param {HTMLElement} menu
 * @param {number} x
 * @param {number} y
 */
export function openMenu(menu, x, y) {
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  const first = menu.querySelector("button:not([aria-disabled])") ?? menu.querySelector("button");
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {HTMLElement} menu
 * @param {KeyboardEvent} event
 * @param {() => void} close
 */
function pressed(menu, event, close) {
  // It may have the focus until the next frame.
  if (!menu.matches(":popover-open")) return;
  event.stopPropagation();
  const items = [...menu.querySelectorAll("button")];
  const here = items.findIndex((item) => item === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -here, End: items.length - 1 - here }[event.key];
  if (step !== undefined) {
    items[(here + step + items.length) % items.length]?.focus();
    event.preventDefault();
  } else if (event.key === "Tab" || event.key === "Escape") {
    event.preventDefault();
    close();
  }
}
