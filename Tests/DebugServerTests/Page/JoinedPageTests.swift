import Testing

@testable import DebugServer

@Suite("The page in few files")
struct JoinedPageTests {
  private static let page = """
    <head>
      <link rel="icon" href="favicon.svg">
      <link rel="stylesheet" href="style/a.css">
      <link rel="stylesheet" href="style/b.css">
      <script type="module" src="app.js"></script>
      <link rel="modulepreload" href="base/one.js">
    </head>
    """

  private static let files = [
    "style/a.css": "a {}\n", "style/b.css": "b {}\n",
    "app.js": """
    /** The page. */

    import { one as first } from "./base/one.js";
    import {
      Two,
      three,
    } from "./two.js";

    const text = `
    import nothing from here`;
    console.log(first, new Two(), three(), text);
    """,
    "base/one.js": "export const one = import.meta.url;\n",
    "two.js": """
    import { one } from "./base/one.js";

    export class Two {}
    export async function three() {
      return one;
    }
    const four = 4;
    export { four };
    """,
  ]

  private static func join(_ changes: [String: String] = [:]) -> JoinedPage? {
    let files = files.merging(changes) { $1 }
    return JoinedPage(page: page) { files[$0] }
  }

  @Test("names one script and one style sheet")
  func namesFew() throws {
    let joined = try #require(Self.join())
    #expect(
      joined.page == """
        <head>
          <link rel="icon" href="favicon.svg">
            <link rel="stylesheet" href="page.css">
            <script type="module" src="page.js"></script>
        </head>
        """)
    #expect(joined.style == "a {}\n\nb {}\n")
  }

  @Test("has each module once, after its imports, with its exported and imported names")
  func joinsModules() throws {
    let script = try #require(Self.join()).script
    #expect(
      script == """
        const module0 = (() => {
        const one = new URL("base/one.js", import.meta.url).href;

        return { one };
        })();
        const module1 = (() => {
        const { one } = module0;

        class Two {}
        async function three() {
          return one;
        }
        const four = 4;
        return { Two, three, four };
        })();
        const module2 = (() => {
        const { one: first } = module0;
        const { Two, three } = module1;
        /** The page. */


        const text = `
        import nothing from here`;
        console.log(first, new Two(), three(), text);
        return {  };
        })();

        """)
  }

  @Test(
    "joins nothing that it does not understand, and leaves the files as they are",
    arguments: [
      ("two.js", "export default 4;\n"), ("two.js", "export * from \"./base/one.js\";\n"),
      ("two.js", "export { one } from \"./base/one.js\";\n"),
      ("two.js", "import * as all from \"./base/one.js\";\n"),
      ("two.js", "import one from \"./base/one.js\";\n"), ("two.js", "import \"./base/one.js\";\n"),
      ("two.js", "import { one } from \"../base/one.js\";\n"),
      ("two.js", "import { one } from \"one\";\n"), ("two.js", "import { one }\n"),
      ("base/one.js", "import { Two } from \"../two.js\";\n"),
      ("style/a.css", "a { background: url(a.png) }\n"), ("style/a.css", "@import \"c.css\";\n"),
    ])
  func refuses(path: String, text: String) {
    #expect(Self.join([path: text]) == nil)
  }

  @Test("joins nothing of which a part is missing")
  func refusesMissing() {
    for path in Self.files.keys {
      let files = Self.files.filter { $0.key != path }
      #expect(JoinedPage(page: Self.page) { files[$0] } == nil, "without \(path)")
    }
    #expect(JoinedPage(page: "<p>No page.</p>") { _ in nil } == nil)
  }
}
