/** The words of a source text by what they are, to be colored. */

/** @typedef {"text" | "comment" | "string" | "number" | "word" | "name"} TokenKind */
/** @typedef {{ is: TokenKind, text: string }} Token */

const SWIFT_WORDS = new Set(
  ("import struct final class enum extension func var let try await throws async return if else for in while " +
    "guard case switch default true false nil self override static private public internal init as is some any do catch")
    .split(" "),
);

/** Comments, texts (of one line or several, raw or not), attributes, numbers, words. */
const SWIFT =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>(?<hash>#*)"""[\s\S]*?"""\k<hash>|(?<mark>#+)"(?:(?!"\k<mark>)[^\n])*"\k<mark>|"(?:\\.|[^"\\\n])*")|(?<number>\b\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\b|\b0x[\da-fA-F]+\b)|(?<name>[@#][A-Za-z]\w*)|(?<word>`?[A-Za-z_]\w*`?)/g;

const JSON_TEXT =
  /(?<name>"(?:\\.|[^"\\\n])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\\n])*")|(?<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|(?<word>\b(?:true|false|null)\b)/g;

/**
 * @param {string} text
 * @param {string} language `swift` or `json`; any other is plain text
 * @returns {Token[]} which make up the text
 */
export function tokensOf(text, language) {
  const pattern = { swift: SWIFT, json: JSON_TEXT }[language];
  if (!pattern) return text === "" ? [] : [{ is: "text", text }];
  /** @type {Token[]} */
  const tokens = [];
  let end = 0;
  const add = (/** @type {TokenKind} */ is, /** @type {string} */ part) => {
    const last = tokens.at(-1);
    if (part === "") return;
    if (last?.is === is) last.text += part;
    else tokens.push({ is, text: part });
  };
  for (const match of text.matchAll(pattern)) {
    add("text", text.slice(end, match.index));
    add(kindOfMatch(match), match[0]);
    end = match.index + match[0].length;
  }
  add("text", text.slice(end));
  return tokens;
}

/**
 * @param {RegExpMatchArray} match
 * @returns {TokenKind}
 */
function kindOfMatch({ groups = {}, 0: text }) {
  if (groups.comment !== undefined) return "comment";
  if (groups.string !== undefined) return "string";
  if (groups.number !== undefined) return "number";
  if (groups.name !== undefined) return "name";
  return groups.word !== undefined && (SWIFT_WORDS.has(text) || text === "null") ? "word" : "text";
}
