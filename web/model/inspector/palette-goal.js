/** The entries and times that a reader can type. */

/**
 * The entry or time that was typed.
 *
 * @param {string} typed
 * @returns {{ seq: number, t?: undefined } | { t: number, seq?: undefined } | undefined}
 */
export function readGoal(typed) {
  const text = typed.trim().replace(/,(?=\d{3}\b)/g, "");
  if (/^#?\d{1,15}$/.test(text)) return { seq: Number(text.replace("#", "")) };
  const seconds = /^(\d+(?:\.\d+)?)\s*(s|ms|min|h)$/.exec(text);
  if (seconds) {
    const units = { ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9 };
    const unit = /** @type {keyof typeof units} */ (seconds[2]);
    return { t: Math.round(Number(seconds[1]) * units[unit]) };
  }
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (!clock) return undefined;
  const [, hours = "0", minutes = "0", rest = "0"] = clock;
  return { t: Math.round((Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest)) * 1e6) };
}
