/** The file that the page shows, and the one that is on its way. */

import { FileFeed } from "./feed/file.js";

export class OpenedFile {
  /** The file that is shown, for as long as it is. @type {File | undefined} */
  file;
  /** The worker that answers for it. @type {FileFeed | undefined} */
  #feed;
  /** Ends the reading of another one. @type {AbortController | undefined} */
  #reading;

  /** Whether a file is being read. */
  get isReading() {
    return this.#reading !== undefined;
  }

  /**
   * Reads a file, in place of one that is still being read.
   *
   * @param {File} file
   * @param {(share: number) => void} onProgress
   * @returns {Promise<FileFeed | undefined>} nothing when it was cancelled: what was shown before
   *   is still there
   */
  async read(file, onProgress) {
    this.cancel();
    const reading = this.#reading = new AbortController();
    const { signal } = reading;
    onProgress(0);
    try {
      const name = file.name.replace(/\.timeline$/, "");
      const feed = await FileFeed.open(file, name, {
        onProgress: (done, of) => onProgress(of > 0 ? done / of : 1),
        signal,
      });
      this.close();
      this.file = file;
      this.#feed = feed;
      return feed;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  /** Stops the reading. */
  cancel() {
    this.#reading?.abort();
  }

  /** Lets go of the file. */
  close() {
    this.#feed?.close();
    this.#feed = this.file = undefined;
  }
}
