/** The files that the tests of both ends read. */

const folder = new URL("../Fixtures/", import.meta.url);

/**
 * The text of a file below `Tests/Fixtures`.
 *
 * @param {string} path
 * @returns {Promise<string>}
 */
export function readFixture(path) {
  return Deno.readTextFile(new URL(path, folder));
}

/**
 * The names of the files in a folder of fixtures.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function listFixtures(path) {
  return [...Deno.readDirSync(new URL(path, folder))].map((file) => file.name).sort();
}
