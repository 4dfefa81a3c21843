/** Files that the tests of both ends read. */

const fixtures = new URL("../Fixtures/", import.meta.url);
const examples = new URL("../../docs/protocol/", import.meta.url);

/**
 * Reads a file in `Tests/Fixtures`.
 *
 * @param {string} path
 * @returns {Promise<string>}
 */
export function readFixture(path) {
  return Deno.readTextFile(new URL(path, fixtures));
}

/**
 * Reads an example that the protocol document shows or links.
 *
 * @param {string} path
 * @returns {Promise<string>}
 */
export function readExample(path) {
  return Deno.readTextFile(new URL(path, examples));
}

/**
 * Lists the examples in a folder of the protocol's, sorted by name.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function listExamples(path) {
  return [...Deno.readDirSync(new URL(path, examples))].map((file) => file.name).sort();
}
