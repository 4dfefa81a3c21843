/** Fetches a sample from the server that served the page, and unpacks it. */

import { ungzipped } from "../base/gzip.js";
import { placeOfSample, SAMPLES } from "../model/files/samples.js";

/** A sample that cannot be opened; the message is for the reader. */
export class SampleError extends Error {
  name = "SampleError";
}

/**
 * @param {string} name
 * @param {(place: string) => Promise<Response>} [get] fetches a file next to the page
 * @returns {Promise<File>}
 * @throws {SampleError}
 */
export async function fetchSample(name, get = fetch) {
  const place = placeOfSample(name);
  if (place === undefined) {
    const known = SAMPLES.map((sample) => sample.name).join(", ");
    throw new SampleError(`There is no sample '${name}'. The samples are: ${known}.`);
  }
  try {
    const response = await get(place);
    if (!response.ok) throw new SampleError(`the server answered ${response.status}`);
    return new File([await ungzipped(await response.blob())], `${name}.timeline`);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    throw new SampleError(`The sample '${name}' cannot be loaded from ${place}: ${why}.`);
  }
}
