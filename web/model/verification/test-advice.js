/** What to do with an exported test: where it belongs, what it needs, and how it runs. */

/** A suite's name that a shell and a pattern read as itself. */
const PLAIN = /^\w+$/;

/**
 * The advice for a test that was saved.
 *
 * @param {readonly { name: string, text: string }[]} files the test, and its fixture
 * @returns {{ text: string, command: string } | undefined} nothing when no file is a test in Swift
 */
export function testAdvice(files) {
  const test = files.find(({ name }) => name.endsWith(".swift"));
  const suite = test?.name.slice(0, -".swift".length) ?? "";
  if (!test || !PLAIN.test(suite)) return undefined;
  const [, module] = /^@testable import\s(\w+)$/m.exec(test.text) ?? [];
  const place = module === undefined
    ? "a test target"
    : `a test target, such as Tests/${module}Tests,`;
  const them = files.length > 1 ? "them" : "it";
  return {
    text: `Saved. Move ${them} into ${place} that depends on the product StatesTesting. Then run: `,
    command: `swift test --filter '\\.${suite}/'`,
  };
}
