/** The recordings that come with the page, for a first look without a daemon. `scripts/samples` makes them. */

/**
 * @typedef {object} Sample
 * @property {string} name as in the address: `?sample=basket`
 * @property {string} title
 * @property {string} text what there is to see
 */

/** @type {readonly Sample[]} */
export const SAMPLES = [
  {
    name: "basket",
    title: "A basket with a bug",
    text: "29 events, and an empty basket that costs -300. Which event set that?",
  },
  {
    name: "pages",
    title: "A statechart",
    text: "Sign-in, list, and editor of an app. The Chart tab shows the active state.",
  },
  {
    name: "long",
    title: "Ten thousand entries",
    text: "Scrub, search, and zoom.",
  },
];

/**
 * The sample that an address asks for.
 *
 * @param {string} search the query of the address, with its question mark
 * @returns {string | undefined} its name, which may be of no sample
 */
export function readSample(search) {
  return new URLSearchParams(search).get("sample") || undefined;
}

/**
 * Where the file of a sample is, relative to the page.
 *
 * @param {string} name
 * @returns {string | undefined} nothing when there is no such sample
 */
export function placeOfSample(name) {
  // Only names of the table become part of an address.
  return SAMPLES.some((sample) => sample.name === name) ? `samples/${name}.timeline.gz` : undefined;
}
