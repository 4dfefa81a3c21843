/** The clipboard, which pages have only where the browser trusts their address. */

/**
 * Puts a text there.
 *
 * @param {string} text
 * @returns {Promise<boolean>} whether the browser allowed it
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
