/** Addresses that open an editor. */

import assert from "node:assert/strict";
import { editorAddress } from "../../../../web/model/inspector/editor-address.js";

Deno.test("a file's path is encoded, and read back as it was", () => {
  const file = "/src/a b/#?/100%/é&{line}/Cart.swift";
  const address = editorAddress("vscode://file{file}:{line}", file, 41) ?? "";
  assert.equal(new URL(address).hash, "");
  assert.equal(decodeURIComponent(address), `vscode://file${file}:41`);
  const query = new URL(editorAddress("idea://open?file={file}&line={line}", file, 7) ?? "");
  assert.deepEqual([...query.searchParams], [["file", file], ["line", "7"]]);
  assert.equal(editorAddress("a://{file}", "/x\ud800", 1), "a:///x%EF%BF%BD");
});

Deno.test("nothing that a browser runs becomes an address", () => {
  const refused = [
    "javascript://%0aalert(1)//{file}",
    "JAVASCRIPT://{file}",
    " javascript://{file}",
    "data://{file}",
    "blob://{file}",
    "file://{file}",
    "{file}",
    "//{file}",
    "vscode:{file}",
  ];
  for (const template of refused) assert.equal(editorAddress(template, "/a", 1), undefined);
});
