import assert from "node:assert/strict";

const WEB = new URL("../../web/", import.meta.url);

/**
 * The modules that the page loads, in the order in which they are found.
 *
 * @param {string} path
 * @param {Set<string>} found
 */
async function follow(path, found) {
  if (found.has(path)) return;
  found.add(path);
  const text = await Deno.readTextFile(new URL(path, WEB));
  for (const [, from = ""] of text.matchAll(/^(?:import|export|\}) .*?from "(\.[^"]+)";/gm)) {
    await follow(new URL(from, new URL(path, WEB)).href.slice(WEB.href.length), found);
  }
}

Deno.test("contains its icon, which the browser would otherwise request repeatedly", async () => {
  const page = await Deno.readTextFile(new URL("index.html", WEB));
  const [, icon = ""] = /<link rel="icon"[^>]* href="data:image\/svg\+xml,([^"]+)">/.exec(page) ??
    [];
  assert.match(decodeURIComponent(icon), /^<svg xmlns=.*<\/svg>$/);
  assert.match(page, /img-src 'self' data:/);
});

Deno.test("loads all modules at once, not one after another", async () => {
  /** @type {Set<string>} */
  const found = new Set();
  await follow("app.js", found);
  assert.ok(found.size > 50);
  const page = await Deno.readTextFile(new URL("index.html", WEB));
  const preloaded = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)]
    .map(([, href]) => href);
  found.delete("app.js");
  const wanted = [...found].sort();
  const lines = wanted.map((path) => `    <link rel="modulepreload" href="${path}">`).join("\n");
  assert.deepEqual(preloaded, wanted, `to fix, put these lines into web/index.html:\n${lines}`);
});
