/** Files that are dropped anywhere on the page. */

/**
 * @param {HTMLElement} target shown while a file is held over the page
 * @param {(file: File) => void} open
 */
export function watchDrops(target, open) {
  // Moving over a child leaves its parent: only as many leaves as enters mean that it is gone.
  let depth = 0;
  const moved = (/** @type {DragEvent} */ event, /** @type {number} */ step) => {
    event.preventDefault();
    depth = Math.max(0, depth + step);
    target.hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => moved(event, 1));
  document.addEventListener("dragleave", (event) => moved(event, -1));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    moved(event, -depth);
    const [file] = event.dataTransfer?.files ?? [];
    if (file) open(file);
  });
}
