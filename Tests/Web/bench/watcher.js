/**
 * Notes after every frame what the frame showed. It runs in the measured page, before the page's
 * own scripts, and reads texts alone, so that it causes no layout.
 */

(() => {
  /** @typedef {{ at: number, cursor: number, shown: number, last: number }} Frame */

  /** @type {Frame[]} */
  const frames = [];
  let opened = 0;
  const { port1, port2 } = new MessageChannel();

  const number = (/** @type {string | null | undefined} */ text) =>
    Number((text ?? "").replace(/[^0-9]/g, "") || NaN);

  /** What the tree says of itself: "Bank after 1,234", perhaps ", computed". */
  const shownSeq = () => {
    const title = document.querySelector(".tree-title:not([hidden])")?.textContent ?? "";
    return number(/ after ([\d,]+)/.exec(title)?.[1]);
  };

  /** The greatest seq of a row that shows its entry. */
  const lastRow = () => {
    let last = -1;
    for (const row of document.querySelectorAll("tt-events [data-seq]")) {
      if (row.hasAttribute("hidden") || row.classList.contains("loading")) continue;
      last = Math.max(last, Number(row.getAttribute("data-seq")));
    }
    return last;
  };

  // Everything is there: the cursor's row and state, and the counts behind the timeline.
  const isOpen = () => {
    const cursor = number(
      document.querySelector("tt-timeline .slider")?.getAttribute("aria-valuenow"),
    );
    if (!(shownSeq() === cursor && lastRow() >= cursor)) return false;
    const lanes = document.querySelectorAll("tt-timeline .lane");
    return lanes.length > 0 && document.querySelectorAll("tt-state-tree .tree-row").length > 0;
  };

  port1.onmessage = () => {
    const at = performance.now();
    if (opened === 0 && isOpen()) {
      opened = at;
      performance.mark("opened");
    }
    if (!watcher.isWatching) return;
    const slider = document.querySelector("tt-timeline .slider");
    frames.push({
      at: performance.timeOrigin + at,
      cursor: number(slider?.getAttribute("aria-valuenow")),
      shown: shownSeq(),
      last: watcher.isLive ? lastRow() : -1,
    });
  };

  /** @type {Iterator<number> | undefined} */
  let drag;

  /**
   * The places of a hand that drags, as shares of the width, one a frame: it speeds up, slows down
   * and turns round.
   *
   * @param {number} seed
   */
  function* hand(seed) {
    let [place, speed, random] = [0.1, 0, seed];
    for (;;) {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      speed += (random / 2 ** 31 - 0.5) * 0.008;
      speed = Math.max(-0.02, Math.min(0.02, speed));
      place += speed;
      if (place < 0.01 || place > 0.99) speed = -speed;
      place = Math.max(0.01, Math.min(0.99, place));
      yield place;
    }
  }

  /** Moves the pointer that is held down, at the frame's beginning as the browser does. */
  const moveHand = () => {
    const slider = document.querySelector("tt-timeline .slider");
    const place = drag?.next().value;
    if (!slider || place === undefined) return;
    const { x, y, width } = watcher.box;
    const at = { clientX: x + place * width, clientY: y + 60, pointerId: 1, buttons: 1 };
    slider.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
  };

  const watcher = {
    frames,
    box: { x: 0, y: 0, width: 0 },
    isWatching: false,
    isLive: false,
    get opened() {
      return opened;
    },
    /** @param {number} seed */
    drag(seed) {
      watcher.isWatching = true;
      performance.mark("drag");
      drag = hand(seed);
    },
    drop() {
      watcher.isWatching = false;
      performance.mark("dropped");
      drag = undefined;
    },
  };
  Object.defineProperty(globalThis, "watcher", { value: watcher });

  // A message that is sent in a frame's callbacks arrives behind its layout.
  const tick = () => {
    moveHand();
    port2.postMessage(0);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})();
