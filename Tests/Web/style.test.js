import assert from "node:assert/strict";
import { contrast, mix, readColor } from "../../web/base/color.js";

const css = await Deno.readTextFile(new URL("../../web/style/tokens.css", import.meta.url));

/** The tokens that are a color in both themes. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]+), (#[\da-f]+)\)/g)].map((
    [, name = "", light = "", dark = ""],
  ) => [name, { light, dark }]),
);

/** What is written on what. */
const PAIRS = {
  bg: [
    "fg",
    "fg-2",
    "fg-3",
    "accent",
    "ok",
    "warn",
    "err",
    "chg",
    "add",
    "del",
    "key",
    "str",
    "num",
    "word",
    "fork",
  ],
  "bg-1": ["fg", "fg-2", "fg-3", "accent", "warn", "err", "key", "num"],
  "bg-2": ["fg", "fg-2", "accent", "key", "str", "num", "word"],
  sel: ["fg", "fg-2", "accent"],
  "err-bg": ["fg", "fg-2", "err"],
  "warn-bg": ["warn"],
  "chg-bg": ["fg", "fg-2", "chg", "key", "str", "num", "del", "accent"],
  "add-bg": ["fg", "fg-2", "add", "key", "str", "num"],
  "del-bg": ["fg", "fg-2", "del", "key"],
  accent: ["on-accent"],
  cursor: ["on-cursor"],
};

for (const theme of /** @type {const} */ (["light", "dark"])) {
  const color = (/** @type {string} */ name) =>
    readColor(tokens.get(name)?.[theme] ?? assert.fail(`no token ${name}`));

  Deno.test(`can be read in the ${theme} theme: every text on every ground`, () => {
    for (const [ground, texts] of Object.entries(PAIRS)) {
      for (const text of texts) {
        const ratio = contrast(color(text), color(ground));
        assert.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
  });

  Deno.test(`separates lanes and signs from the background in the ${theme} theme`, () => {
    for (let lane = 1; lane <= 11; lane++) {
      const ratio = contrast(color(`lane-${lane}`), color("bg"));
      assert.ok(ratio >= 3, `lane-${lane}: ${ratio.toFixed(2)}`);
    }
    for (const name of ["edge", "sel-line", "cursor", "fork", "err", "warn"]) {
      assert.ok(contrast(color(name), color("bg")) >= 3, name);
    }
  });
}

Deno.test("mixes colors where a sheet does", () => {
  assert.deepEqual(mix(readColor("#000"), readColor("#fff"), 0.2), [51, 51, 51]);
});

Deno.test("names every color of the page in the one sheet of tokens", async () => {
  const folder = new URL("../../web/style/", import.meta.url);
  for (const file of Deno.readDirSync(folder)) {
    if (file.name === "tokens.css") continue;
    const text = await Deno.readTextFile(new URL(file.name, folder));
    assert.ok(!/#[\da-f]{3,8}\b/i.test(text), `${file.name} has a color of its own`);
    for (const [, name = ""] of text.matchAll(/var\(--([\w-]+)[,)]/g)) {
      assert.ok(
        css.includes(`--${name}:`) || text.includes(`--${name}:`) || PROPERTIES.has(name),
        `${file.name}: --${name}`,
      );
    }
  }
});

/** Custom properties that the elements set. */
const PROPERTIES = new Set([
  "columns",
  "growth",
  "scale",
  "depth",
  "least",
  "lane-height",
  "lane-count",
  "foot-height",
  "events",
  "state",
  "side",
  "graph",
  "lanes",
  "values",
]);
