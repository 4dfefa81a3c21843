/** Numbers, times and sizes as people read them. The page speaks English, so the format is fixed. */

const grouped = new Intl.NumberFormat("en-US");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
});

/**
 * A count with its thousands parted: `10,000,000`.
 *
 * @param {number} count
 * @returns {string}
 */
export function formatCount(count) {
  // The library's way takes ten times as long, and a frame has a hundred of them.
  if (!Number.isSafeInteger(count) || count < 0) return grouped.format(count);
  const digits = String(count);
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) {
    text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  }
  return text;
}

/**
 * A count with its noun: `1 entry`, `2,202 entries`.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 * @returns {string}
 */
export function formatNumbered(count, one, many = one + "s") {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * A stretch of time in the unit that needs the fewest digits: `0.2 ms`, `1.4 s`, `3 min 5 s`.
 *
 * @param {number} microseconds
 * @returns {string}
 */
export function formatDuration(microseconds) {
  if (microseconds < 0) return "−" + formatDuration(-microseconds);
  if (microseconds === 0) return "0";
  if (microseconds < 100) return `${microseconds} µs`;
  if (microseconds < 9_950) return `${(microseconds / 1_000).toFixed(1)} ms`;
  if (microseconds < 999_500) return `${Math.round(microseconds / 1_000)} ms`;
  if (microseconds < 59_950_000) return `${(microseconds / 1_000_000).toFixed(1)} s`;
  const seconds = Math.round(microseconds / 1_000_000);
  if (seconds < 3_600) return pair(seconds, 60, "min", "s");
  const minutes = Math.round(seconds / 60);
  return minutes < 1_440
    ? pair(minutes, 60, "h", "min")
    : pair(Math.round(minutes / 60), 24, "d", "h");
}

/**
 * @param {number} count of the smaller unit
 * @param {number} size
 * @param {string} large
 * @param {string} small
 */
function pair(count, size, large, small) {
  const rest = count % size;
  return `${Math.floor(count / size)} ${large}` + (rest > 0 ? ` ${rest} ${small}` : "");
}

/**
 * The time from one entry to the next: `+4.1 ms`.
 *
 * @param {number} microseconds
 * @returns {string}
 */
export function formatDelta(microseconds) {
  return "+" + formatDuration(microseconds);
}

/**
 * A moment since the timeline's start, as exact as the distance of two marks asks for: `14.02 s`,
 * `3:05.2`, `1:00:00`. What seconds would show as zero is in smaller units: `441 µs`.
 *
 * @param {number} microseconds
 * @param {number} [step] the distance to the next mark
 * @returns {string}
 */
export function formatMoment(microseconds, step = 10_000) {
  if (microseconds < 1_000_000 && step < 1_000) return `${microseconds} µs`;
  if (microseconds > 0 && microseconds < step && microseconds < 1_000_000) {
    return microseconds < 1_000 ? `${microseconds} µs` : `${(microseconds / 1_000).toFixed(1)} ms`;
  }
  const digits = step >= 1_000_000
    ? 0
    : Math.min(6, Math.ceil(6 - Math.log10(Math.max(step, 1)) - 1e-9));
  if (microseconds < 60_000_000) return `${(microseconds / 1_000_000).toFixed(digits)} s`;
  const scale = 10 ** digits;
  const ticks = Math.round(microseconds / 1_000_000 * scale);
  const whole = Math.floor(ticks / scale);
  const fraction = digits > 0 ? "." + String(ticks % scale).padStart(digits, "0") : "";
  const seconds = String(whole % 60).padStart(2, "0") + fraction;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

/**
 * A size: `812 B`, `4.1 kB`, `17 MB`; powers of 1,000, as the commands tell them.
 *
 * @param {number} bytes
 * @returns {string}
 */
export function formatBytes(bytes) {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = bytes / 1_000;
  let unit = 0;
  // Before rounding would show 1000.
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${units[unit]}`;
}

/**
 * When something was, seen from now: `just now`, `4 minutes ago`, `yesterday`, `3 May 2026`.
 *
 * @param {Date} then
 * @param {Date} now
 * @returns {string}
 */
export function formatAgo(then, now) {
  const seconds = (now.getTime() - then.getTime()) / 1_000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "just now";
  if (seconds < 3_600) return formatNumbered(Math.floor(seconds / 60), "minute") + " ago";
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (then >= midnight) return formatNumbered(Math.floor(seconds / 3_600), "hour") + " ago";
  if (midnight.getTime() - then.getTime() <= 86_400_000) return "yesterday";
  return (then.getFullYear() === now.getFullYear() ? day : dayOfYear).format(then);
}
