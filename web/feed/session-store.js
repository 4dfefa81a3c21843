/**
 * The key of the session, in the browser's IndexedDB: there it can be stored without being readable.
 *
 * A program that serves a page on the daemon's port could still use it from there. It is therefore the key of
 * one run of the daemon, and void once another program could have had the port.
 */

/** @import { Credential } from "../wire/handshake.js" */
/** @import { Sessions } from "./daemon.js" */

const NAME = "inspector";
const STORE = "sessions";
const RECORD = "current";

/**
 * One place for one value.
 *
 * @typedef {object} Place
 * @property {() => Promise<unknown>} read
 * @property {(value: unknown) => Promise<unknown>} write
 * @property {() => Promise<unknown>} clear
 */

/**
 * Sessions in a place. What cannot be stored, such as in a private window, lasts as long as the page.
 *
 * @param {Place} place
 * @param {() => void} [kept] a key was stored
 * @returns {Sessions}
 */
export function sessionsIn(place, kept = () => {}) {
  const stored = async () => credentialIn(await place.read().catch(() => undefined));
  return {
    stored,
    async keep(session) {
      if (session.key instanceof Uint8Array) return;
      await place.write(session).then(kept, () => {});
    },
    // Another tab may have stored a newer one, which is valid.
    async forget(session) {
      const current = await stored();
      if (!current || !session || current.name !== session.name) return;
      if (session.boot !== undefined && session.boot !== current.boot) return;
      await place.clear().catch(() => {});
    },
  };
}

/**
 * @param {unknown} value
 * @returns {Credential | undefined}
 */
function credentialIn(value) {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, boot, key } = /** @type {Record<string, unknown>} */ (value);
  if (typeof name !== "string" || typeof boot !== "string") return undefined;
  return key instanceof CryptoKey ? { name, boot, key } : undefined;
}

/**
 * The place in a browser's database.
 *
 * @param {IDBFactory} factory
 * @returns {Place}
 */
export function databasePlace(factory) {
  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} ask
   */
  const run = async (mode, ask) => {
    const opening = factory.open(NAME, 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    const database = await finished(opening);
    try {
      return await finished(ask(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  };
  return {
    read: () => run("readonly", (store) => store.get(RECORD)),
    write: (value) => run("readwrite", (store) => store.put(value, RECORD)),
    clear: () => run("readwrite", (store) => store.delete(RECORD)),
  };
}

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
