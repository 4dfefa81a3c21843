import assert from "node:assert/strict";
import { counterLines, openLines } from "./files.js";
import { Inspector } from "../../web/model/inspector/inspector.js";
import { filtersBy } from "../../web/elements/palette-filter.js";
import { typedFilter } from "../../web/model/predicate/typed-filter.js";
import { settle } from "./daemons.js";

const MOMENT = { state: { totalCents: 4, city: "New York (NY)" }, outputs: {} };

Deno.test("what is typed into the palette becomes a filter", () => {
  for (
    const [typed, filter] of [
      ["tapped", "tapped"],
      [" 12 ", "12"],
      ["added 3", "added 3"],
      ["state.n > 3", "state.n > 3"],
      ["totalCents < 0", "state.totalCents < 0"],
      ["new york", "anywhere matches /new york/i"],
      ['a/b "c" (d', 'anywhere matches /a\\/b "c" \\(d/i'],
      ["  ", undefined],
    ]
  ) {
    assert.equal(typedFilter(typed ?? "", MOMENT), filter);
  }
});

Deno.test("a filter of any text is valid, and finds the text", async () => {
  const texts = ["a.b*", "x\\y", "[1", "{}", "^$|", "-", "/", "// ?", "“é” ü", "= =", '"', "100 %"];
  const lines = counterLines(texts.length).map((line, seq) => ({
    ...line,
    event: { typed: { text: `before ${texts[seq]?.toUpperCase()} after` } },
  }));
  const inspector = new Inspector();
  await inspector.attach(await openLines(lines));
  await settle();
  for (const [seq, text] of texts.entries()) {
    const filter = typedFilter(text);
    inspector.setFilter(filter ?? "");
    await settle();
    assert.equal(inspector.data?.filterError, undefined, filter);
    const found = Array.from(texts.keys(), (row) => inspector.data?.rows.at(row));
    assert.ok(
      found.some((row) => row?.is === "entry" && row.seq === seq),
      `${filter} finds ${seq}`,
    );
  }
});

Deno.test("choosing it filters, and goes to the first match", async () => {
  const inspector = new Inspector();
  assert.deepEqual(filtersBy(inspector, "add"), []);
  await inspector.attach(await openLines(counterLines(20)));
  await settle();
  const [choice] = filtersBy(inspector, " add ");
  assert.deepEqual([choice?.title, choice?.detail], ["Filter by “add”", "events"]);
  choice?.choose();
  await settle();
  assert.deepEqual([inspector.location.filter, inspector.cursor], ["add", 3]);
  const [whole] = filtersBy(inspector, "n > 3");
  assert.equal(whole?.detail, "state.n > 3");
});
