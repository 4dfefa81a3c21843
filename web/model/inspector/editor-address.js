/** The address that opens a file in the editor. */

/** What browsers would run or show themselves. */
const REFUSED = new Set(["javascript", "data", "vbscript", "blob", "file", "about"]);

/**
 * The address for a file and line; nothing if the template is not an address of another program.
 *
 * @param {string} template with `{file}` and perhaps `{line}`
 * @param {string} file an absolute path
 * @param {number} line
 * @returns {string | undefined}
 */
export function editorAddress(template, file, line) {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(template)?.[1];
  if (scheme === undefined || REFUSED.has(scheme.toLowerCase())) return undefined;
  // A path may contain what separates the parts of an address.
  const path = file.replace(/\p{Cs}/gu, "\ufffd").split("/").map(encodeURIComponent).join("/");
  return template.replaceAll(
    /\{(file|line)\}/g,
    (_, name) => name === "file" ? path : String(line),
  );
}
